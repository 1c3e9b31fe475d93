"""What is shared while the tables of a spec are read: names, and the problems found so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from volterra_cg.errors import Problem, SpecError
from volterra_cg.spec import schema
from volterra_cg.spec.bounds import bound
from volterra_cg.spec.constants import require_values
from volterra_cg.spec.entities import FIXED_POINT, INERTIAL_FRAME, Constraint, Distance, Mechanism
from volterra_cg.spec.expressions import AXES, AxisOf, ExpressionError, Name, Node, Number, exact, parse, walk
from volterra_cg.spec.files import Files
from volterra_cg.spec.joint_types import made, possible
from volterra_cg.spec.named import put_in
from volterra_cg.spec.names import OUTPUT, UNREADABLE, Checker, Context, Kind, Scope, meant, spelled_out
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.source import Source
from volterra_cg.spec.tree import CoordinateRef, FrameRef, PointRef, Triple
from volterra_cg.spec.validate import Validated

_TABLES = ("parameters", "signals", "coordinates", "frames", "points", "bodies")
MADE = ("coordinates", "frames", "points")  # what joints make and expressions name
BROKEN = Name(UNREADABLE)  # stands for an expression with a mistake in it; no value can be found for it
Carrier = tuple[PointRef, FrameRef | None]  # the center and the frame of a body


class Reading:
    """A spec while it is being read."""

    def __init__(
        self,
        source: Source,
        validated: Validated,
        files: Files,
        parts: Mapping[str, Mechanism[Node]] | None = None,
    ) -> None:
        self.source = source
        self.files = files  # those that the spec may name
        self.parts = parts or {}  # what is included, as it is, by prefix
        self.document = validated.document
        self.left_out = validated.left_out
        self.problems: list[Problem] = list(validated.problems)
        self.warnings: list[Problem] = []
        self.joints = {name: made(name, vars(given)) for name, given in self.document.joints.items()}
        self.origins = {  # the joints that make entities, by table and name
            (table, name): joint
            for joint, all_made in self.joints.items()
            for table, names in all_made.tables()
            for name in names
        }
        self.carried = {
            given.child: joint for joint, given in reversed(self.document.joints.items())
        }  # by its first joint
        lost = {joint: source.data["joints"][joint] for joint in self.left_out["joints"]}
        self.lost = {joint: given if isinstance(given, dict) else {} for joint, given in lost.items()}
        self.bodies = {name: self._carrier(name, body) for name, body in self.document.bodies.items()}
        self._named: dict[str, Node] = {}
        self._reading: list[str] = []  # named expressions that are being read, each for the one before
        known = {table: self._names(table) for table in _TABLES}
        for joint, given in self.lost.items():
            for table, names in zip(MADE, possible(joint, given), strict=True):
                known[table] |= names
        self.own_frames = known["frames"] | {INERTIAL_FRAME}
        self.own_points = known["points"] | {FIXED_POINT}
        self.scope = Scope(
            parameters=known["parameters"],
            signals=known["signals"],
            coordinates=known["coordinates"],
            frames=self.own_frames | self._turning() | self.left_out["bodies"],
            points=self.own_points | known["bodies"],
            reactions=self._reactions(),
            internal=known["frames"] | known["points"],
            bodies=known["bodies"],
            joints={name: joint.frame for name, joint in self.joints.items()}
            | dict.fromkeys(self.lost, INERTIAL_FRAME),
        )

    def _names(self, table: str) -> frozenset[str]:
        parts = {f"{prefix}_{one.name}" for prefix, part in self.parts.items() for one in getattr(part, table)}
        return frozenset(self.told(table)) | self.left_out[table] | parts

    def told(self, table: str) -> dict[str, KeyPath]:
        """The names in a table of this file, with those that joints make, and where each is told."""
        own: dict[str, KeyPath] = {name: (table, name) for name in getattr(self.document, table)}
        return {name: self.origin((made_in, name)) for made_in, name in self.origins if made_in == table} | own

    def origin(self, path: KeyPath) -> KeyPath:
        """Where an entity is told: in its table, or as a joint."""
        if len(path) > 1 and path[1] not in getattr(self.document, str(path[0]), ()):
            joint = self.origins.get((str(path[0]), str(path[1])))
            return path if joint is None else ("joints", joint)
        return path

    def _carrier(self, name: str, body: schema.Body) -> Carrier:
        """The center and the frame of a body, which a joint may make."""
        center, frame = body.center, body.frame
        if name in self.carried:
            joint = self.joints[self.carried[name]]
            center, frame = center or joint.center, frame or joint.frame
        for given in self.lost.values():
            if given.get("child") == name:
                frame = frame or str(given.get("frame", name))
        return PointRef(center or FIXED_POINT), None if frame is None else FrameRef(frame)

    def _turning(self) -> set[str]:
        """The bodies that have a frame."""
        own = {name for name, (_, frame) in self.bodies.items() if frame is not None}
        return own | {f"{prefix}_{b.name}" for prefix, part in self.parts.items() for b in part.bodies if b.frame}

    def _reactions(self) -> frozenset[str]:
        """The constraints, and the rows of those that have several."""
        rows = set(self.left_out["constraints"])
        for name, given in self.document.constraints.items():
            spread = given.coincide or given.align or given.roll
            rows |= {f"{name}.{axis}" for axis in AXES} if spread else {name}
        for prefix, part in self.parts.items():
            for constraint in part.constraints:
                name, one = f"{prefix}_{constraint.name}", isinstance(constraint, Constraint | Distance)
                rows |= {name} if one else {f"{name}.{axis}" for axis in AXES}
        return frozenset(rows)

    def is_lost(self, body: str) -> bool:
        """Whether a body without a center has no joint either; not if a joint has mistakes and may be meant."""
        known = self.document.bodies.keys() | self.left_out["bodies"]
        return body not in self.carried and not self.lost and self.carried.keys() <= known

    def wrong(self, path: KeyPath, message: str, remedy: str = "", *, key: bool = False, at: int | None = None) -> None:
        """Note a problem at a value, at a character of it, or at its key."""
        if len(path) == 2 and path[1] in self.left_out.get(str(path[0]), ()):
            return  # it is wrong already, and what is missed may be what was left out
        path = self.origin(path)
        place = self.source.key_place(path) if key else self.source.value_place(path, at)
        self.problems.append(self.source.problem(place, message, remedy))
        if len(self.problems) >= bound("mistakes"):
            raise SpecError(self.problems)

    def warn(self, path: KeyPath, message: str, remedy: str = "") -> None:
        """Note at a key what is odd but not wrong."""
        self.warnings.append(self.source.problem(self.source.key_place(path), message, remedy))

    def expression(self, path: KeyPath, raw: schema.Scalar, context: Context) -> Node:
        """Read a scalar expression; what is wrong in it is noted."""
        return self.either(path, raw, context, "scalar")

    def either(self, path: KeyPath, raw: schema.Scalar, context: Context, wanted: Kind | None = None) -> Node:
        """Read an expression, of any kind if none is wanted."""
        node = self._node(path, raw)
        before = len(self.problems)
        if node is not BROKEN:

            def report(at: int, text: str, remedy: str) -> None:
                self.wrong(path, text, remedy, at=at)

            checker = Checker(self.scope, context, report)
            checker.expect(node, wanted) if wanted else checker.kind(node)
            if len(self.problems) == before:
                require_values(node, report)
        if len(self.problems) > before or any(
            isinstance(part, Name) and part.name == UNREADABLE for part in walk(node)
        ):
            return BROKEN
        return spelled_out(node, self.scope)

    def triple(self, path: KeyPath, raw: Iterable[schema.Scalar], context: Context) -> Triple[Node]:
        """Read three components."""
        first, second, third = (self.expression((*path, n), part, context) for n, part in enumerate(raw))
        return first, second, third

    def frame(self, path: KeyPath, name: str) -> FrameRef:
        """The frame that a name of a frame or body stands for."""
        self._reference(path, name, self.scope.frames, "frame")
        seen = {name}
        while name not in self.own_frames:  # a body of a part may stand in a body of another
            frame = self.bodies.get(name, ("", None))[1]
            if frame is None or frame in seen:
                break
            seen.add(frame)
            name = frame
        return FrameRef(name)

    def point(self, path: KeyPath, name: str) -> PointRef:
        """The point that a name of a point or body stands for."""
        self._reference(path, name, self.scope.points, "point")
        seen = {name}
        while name not in self.own_points and name in self.bodies and self.bodies[name][0] not in seen:
            name = self.bodies[name][0]
            seen.add(name)
        return PointRef(name)

    def body(self, path: KeyPath, name: str) -> Carrier | None:
        """The center and the frame of a body."""
        self._reference(path, name, frozenset(self.bodies) | self.left_out["bodies"], "body")
        return self.bodies.get(name)

    def axis(self, path: KeyPath, text: str) -> tuple[FrameRef, int] | None:
        """The frame and the number of an axis such as "F.z"."""
        node = self._node(path, text)
        if node is BROKEN:
            return None
        if not isinstance(node, AxisOf):
            self.wrong(path, f"an axis of a frame is needed here, not '{text}'", 'e.g. "N.z"')
            return None
        return self.frame(path, node.frame), node.index

    def own_frame(self, path: KeyPath, name: str) -> FrameRef:
        """A frame that a body names as its own, which is not that of another body."""
        self._reference(path, name, self.own_frames, "frame")
        return FrameRef(name)

    def own_point(self, path: KeyPath, name: str) -> PointRef:
        """A point that a body names as its center, which is not that of another body."""
        self._reference(path, name, self.own_points, "point")
        return PointRef(name)

    def coordinate(self, path: KeyPath, name: str, *, key: bool = False) -> CoordinateRef:
        """The coordinate of this name."""
        self._reference(path, name, self.scope.coordinates, "coordinate", key=key)
        return CoordinateRef(name)

    def _reference(self, path: KeyPath, name: str, known: frozenset[str], what: str, *, key: bool = False) -> None:
        if name not in known:
            table = "bodies" if what == "body" else f"{what}s"
            remedy = meant(name, known) or f"it has no entry in [{table}]"
            self.wrong(path, f"unknown {what} '{name}'", remedy, key=key, at=None if key else 0)

    def _meaning(self, name: str) -> Node | None:
        """What a named expression stands for; read when it is first met, so that the order does not matter."""
        if name not in self.document.expressions:
            return BROKEN if name in self.left_out["expressions"] else None
        if name not in self._named:
            self._named[name] = BROKEN
            path = ("expressions", name)
            self._reading.append(name)
            self._named[name] = self.either(path, self.document.expressions[name], OUTPUT)
            self._reading.pop()
        elif name in self._reading:
            way = self._reading[self._reading.index(name) :]
            message = f"'{name}' is defined by itself" + (f", by way of {' and '.join(way[1:])}" if way[1:] else "")
            self.wrong(("expressions", name), message, key=True)
        return self._named[name]

    def expressions(self) -> None:
        """Read all named expressions, those that are not used as well."""
        for name in self.document.expressions:
            self._meaning(name)

    def _node(self, path: KeyPath, raw: schema.Scalar) -> Node:
        try:
            if isinstance(raw, int | Decimal):
                return Number(exact(raw))
            return put_in(parse(raw), self._meaning)
        except ExpressionError as error:
            self.wrong(path, error.message, error.remedy, at=error.at)
            return BROKEN
