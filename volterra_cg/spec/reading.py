"""What is shared while the entries of a spec are read: names, and the problems found so far."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from volterra_cg.errors import Problem
from volterra_cg.spec import schema
from volterra_cg.spec.expressions import ExpressionError, Name, Node, Number, exact, parse
from volterra_cg.spec.names import Checker, Context, Scope, meant
from volterra_cg.spec.source import Path, Source
from volterra_cg.spec.types import Expression, Triple
from volterra_cg.spec.validate import Shaped

BROKEN = Name("?")  # stands for an expression with a mistake in it; no value can be found for it


class Reading:
    """A spec while it is being read."""

    def __init__(self, source: Source, shaped: Shaped) -> None:
        self.source = source
        self.document = shaped.document
        self.left_out = shaped.left_out
        self.problems: list[Problem] = list(shaped.problems)
        self.warnings: list[Problem] = []
        self.scope = _scope(shaped)
        self.own_frames = self._names("frames") | {"N"}
        self.own_points = self._names("points") | {"O"}

    def _names(self, table: str) -> frozenset[str]:
        return frozenset(getattr(self.document, table)) | self.left_out[table]

    def wrong(self, path: Path, message: str, remedy: str = "", *, key: bool = False, at: int | None = None) -> None:
        """Note a problem at a value, at a character of it, or at its key."""
        place = self.source.key_place(path) if key else self.source.value_place(path, at)
        self.problems.append(self.source.problem(place, message, remedy))

    def warn(self, path: Path, message: str, remedy: str = "") -> None:
        """Note at a key what is odd but not wrong."""
        self.warnings.append(self.source.problem(self.source.key_place(path), message, remedy))

    def expression(self, path: Path, raw: schema.Scalar, context: Context) -> Expression:
        """Read a scalar expression; what is wrong in it is noted."""
        place = self.source.value_place(path)
        node = self._node(path, raw)
        before = len(self.problems)
        if node is not BROKEN:
            checker = Checker(self.scope, context, lambda at, text, remedy: self.wrong(path, text, remedy, at=at))
            checker.expect(node, "scalar")
        return Expression(str(raw), node if len(self.problems) == before else BROKEN, place)

    def triple(self, path: Path, raw: Iterable[schema.Scalar], context: Context) -> Triple:
        """Read three components."""
        first, second, third = (self.expression((*path, n), part, context) for n, part in enumerate(raw))
        return first, second, third

    def frame(self, path: Path, name: str) -> str:
        """The frame that a name of a frame or body stands for."""
        self._reference(path, name, self.scope.frames, "frame")
        body = self.document.bodies.get(name)
        return body.frame if name not in self.own_frames and body and body.frame else name

    def point(self, path: Path, name: str) -> str:
        """The point that a name of a point or body stands for."""
        self._reference(path, name, self.scope.points, "point")
        body = self.document.bodies.get(name)
        return body.center if name not in self.own_points and body else name

    def own(self, path: Path, key: str, name: str, known: frozenset[str]) -> None:
        """Note it if what a body names as its center or frame is not a point or frame itself."""
        self._reference((*path, key), name, known, "point" if key == "center" else "frame")

    def coordinate(self, path: Path, name: str, *, key: bool = False) -> None:
        """Note it if there is no coordinate of this name."""
        self._reference(path, name, self.scope.coordinates, "coordinate", key=key)

    def _reference(self, path: Path, name: str, known: frozenset[str], what: str, *, key: bool = False) -> None:
        if name not in known:
            remedy = meant(name, known) or f"it has no entry in [{what}s]"
            self.wrong(path, f"unknown {what} '{name}'", remedy, key=key, at=None if key else 0)

    def _node(self, path: Path, raw: schema.Scalar) -> Node:
        try:
            if isinstance(raw, int | Decimal):
                return Number(exact(raw))
            return parse(raw)
        except ExpressionError as error:
            self.wrong(path, error.message, error.remedy, at=error.at)
            return BROKEN


def _scope(shaped: Shaped) -> Scope:
    document, left_out = shaped.document, shaped.left_out
    turning = {name for name, body in document.bodies.items() if body.frame is not None}
    return Scope(
        parameters=frozenset(document.parameters) | left_out["parameters"],
        signals=frozenset(document.signals) | left_out["signals"],
        coordinates=frozenset(document.coordinates) | left_out["coordinates"],
        frames=frozenset(document.frames) | turning | left_out["frames"] | left_out["bodies"] | {"N"},
        points=frozenset(document.points)
        | frozenset(document.bodies)
        | left_out["points"]
        | left_out["bodies"]
        | {"O"},
    )
