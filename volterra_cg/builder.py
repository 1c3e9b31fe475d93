"""Mechanisms made in Python, in the words of a spec: for those that come out of loops.

What is made is written as a spec and read like one, so both ways give the same model. Each entry remembers the line of
Python that made it, and what is wrong with it is told there.
"""

from __future__ import annotations

import reprlib
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from volterra_cg.errors import OptionError, Place, Problem, SpecError
from volterra_cg.spec import joint_types

if TYPE_CHECKING:
    from volterra_cg.formulations.summary import Summary
    from volterra_cg.runtime import Model
    from volterra_cg.spec import entities

Scalar = str | int | float | Fraction | Decimal
Vector = Sequence[Scalar]
Axis = Literal["x", "y", "z"] | Vector
Turns = Sequence[tuple[Axis, Scalar]]
_PACKAGE = str(Path(__file__).parent)
_OWN = {"in_": "in", "from_": "from", "as_": "as"}  # words of the language that Python has for itself


class Mechanism:
    """A mechanism under construction; every method adds one entry of a table of the spec and returns its name.

    Scalars are numbers or expressions in quotes, as in a spec. Names are text, so that they can be put into expressions:

        chain = Mechanism("chain")
        g = chain.parameter("g", 9.81)
        chain.gravity([0, 0, f"-{g}"])
    """

    def __init__(
        self,
        name: str,
        about: str = "",
        *,
        ignorable: Literal["auto"] | Sequence[str] = "auto",
        work: bool = False,
        project: bool | Sequence[str] = False,
    ) -> None:
        """`ignorable`, `work` and `project` are those of a spec: its keys at the top, and that of [start]."""
        self._document: dict[str, Any] = {"schema": 1, "name": name}
        if about:
            self._document["about"] = about
        if ignorable != "auto":
            self._document["ignorable"] = list(ignorable)
        if work:
            self._document["work"] = True
        if project:
            self._document["start"] = {"project": project if isinstance(project, bool) else list(project)}
        self._places: dict[tuple[str, ...], Place] = {}
        self._name = name
        self._here = _caller()

    # --- what is there ----------------------------------------------------------------------------------------------

    def parameter(self, name: str, value: Scalar, *, unit: str = "", about: str = "", fixed: bool = False) -> str:
        """A number that can be changed at run time; an expression of others follows them, a fixed one is compiled in."""
        return self._add("parameters", name, value=value, unit=unit or None, about=about or None, fixed=fixed or None)

    def signal(self, name: str, value: Scalar = 0, *, unit: str = "", about: str = "") -> str:
        """An input, with its value unless a run sets another; an expression in quotes is compiled in."""
        return self._add("signals", name, value=value, unit=unit or None, about=about or None)

    def coordinate(self, name: str, initial: Scalar = 0, rate: Scalar = 0, *, unit: str = "", about: str = "") -> str:
        """A generalized coordinate with its start values."""
        return self._add("coordinates", name, initial=initial, rate=rate, unit=unit or None, about=about or None)

    def expression(self, name: str, value: Scalar) -> str:
        """A name for an expression, a scalar or a vector, that is used in several places."""
        return self._put("expressions", name, value)

    def frame(
        self,
        name: str,
        parent: str = "N",
        *,
        rotate: Turns | None = None,
        cosines: Sequence[Vector] | None = None,
        quaternion: Vector | None = None,
    ) -> str:
        """Axes turned from those of the parent: by rotations, direction cosines or a unit quaternion."""
        return self._add("frames", name, parent=parent, rotate=rotate, cosines=cosines, quaternion=quaternion)

    def point(self, name: str, at: Vector = (0, 0, 0), *, from_: str = "O", in_: str = "N") -> str:
        """A point at an offset from another, in the axes of a frame."""
        return self._add("points", name, from_=from_, in_=in_, at=at)

    def body(
        self,
        name: str,
        mass: Scalar,
        *,
        center: str | None = None,
        frame: str | None = None,
        inertia: Vector | Mapping[str, Scalar] | None = None,
        shape: Mapping[str, Any] | None = None,
        drawn: Mapping[str, Any] | None = None,
    ) -> str:
        """A rigid body or a particle; the child of a joint needs no center and no frame.

        `inertia` are three principal moments or the entries of the tensor, `shape` one of those of a spec, as {"rod": 0.5}.
        `drawn` is what pictures show instead, such as {"mesh": "link.stl"}; files are looked for from the working folder.
        """
        given = {"inertia": inertia, "shape": shape, "drawn": drawn}
        return self._add("bodies", name, mass=mass, center=center, frame=frame, **given)

    def joint(
        self,
        name: str,
        type: joint_types.Name,  # noqa: A002
        child: str,
        parent: str = "N",
        *,
        at: Vector | str | None = None,
        rotate: Turns | None = None,
        axis: Axis | None = None,
        axes: Sequence[Axis] | None = None,
        center: Vector | None = None,
        orientation: str | None = None,
        coordinates: Sequence[str] | None = None,
        frame: str | None = None,
        point: str | None = None,
        initial: Scalar | Vector | None = None,
        rate: Scalar | Vector | None = None,
        attitude: Vector | Mapping[str, Any] | None = None,
        spin: Vector | None = None,
        spring: Any = None,
        damper: Scalar | Vector | None = None,
        friction: Any = None,
        actuator: Scalar | Vector | None = None,
        armature: Scalar | Vector | None = None,
    ) -> str:
        """How the child moves in the parent; makes coordinates, the child's frame and points. The name is that of its point.

        `at` is where the joint is, from the parent's center in the parent's axes; `center` leads from it to the child's
        center, in the child's axes. With `orientation` "quaternion", `attitude` and `spin` are the start.
        """
        given = {key: entry for key, entry in locals().items() if key not in ("self", "name")}
        return self._add("joints", name, **given)

    # --- what acts --------------------------------------------------------------------------------------------------

    def gravity(self, acceleration: Vector, in_: str = "N") -> None:
        """The acceleration of gravity, in the axes of a frame that does not turn."""
        self._put("gravity", in_, acceleration)

    def potential(self, name: str, energy: Scalar) -> str:
        """A potential energy."""
        return self._put("potentials", name, energy)

    def spring(self, name: str, stiffness: Scalar, length: Scalar = 0, **across: Any) -> str:
        """A spring across `between` two points, `turn` of two frames about an `axis`, or a `coordinate`."""
        return self._add("springs", name, stiffness=stiffness, length=length, **across)

    def damper(self, name: str, damping: Scalar, **across: Any) -> str:
        """A damper across `between` two points, `turn` of two frames about an `axis`, or a `coordinate`."""
        return self._add("dampers", name, damping=damping, **across)

    def actuator(self, name: str, force: Scalar, **across: Any) -> str:
        """A force across `between` two points, `turn` of two frames about an `axis`, or a `coordinate`."""
        return self._add("actuators", name, force=force, **across)

    def friction(
        self, name: str, *, dry: Scalar = 0, viscous: Scalar = 0, speed: Scalar | None = None, **across: Any
    ) -> str:
        """Friction across what a spring is; dry friction is smooth below `speed`."""
        return self._add("frictions", name, dry=dry, viscous=viscous, speed=speed, **across)

    def force(self, name: str, at: str, vector: Vector, *, in_: str = "N", reaction: str | None = None) -> str:
        """A force at a point, in the axes of a frame; the opposite one acts at `reaction`."""
        return self._add("forces", name, at=at, in_=in_, vector=vector, reaction=reaction)

    def torque(self, name: str, on: str, vector: Vector, *, in_: str = "N", reaction: str | None = None) -> str:
        """A torque on a frame or body, in the axes of a frame; the opposite one acts on `reaction`."""
        return self._add("torques", name, on=on, in_=in_, vector=vector, reaction=reaction)

    def generalized_force(self, coordinate: str, value: Scalar) -> str:
        """A force along a coordinate."""
        return self._put("generalized_forces", coordinate, value)

    def armature(self, coordinate: str, inertia: Scalar) -> str:
        """Inertia along a coordinate."""
        return self._put("armatures", coordinate, inertia)

    # --- what must hold, and what is asked --------------------------------------------------------------------------

    def constraint(self, name: str, expression: Scalar | None = None, **form: Any) -> str:
        """What stays zero: an expression, or a form of a spec as `coincide=["P", "Q"]` or `roll="wheel", radius="r"`."""
        return self._add("constraints", name, expression=expression, **form)

    def quasi_velocity(self, name: str, value: Scalar) -> str:
        """A speed that is a state in place of rates."""
        return self._put("quasi_velocities", name, value)

    def output(self, name: str, value: Scalar | None = None, **form: Any) -> str:
        """A scalar or a vector to compute along the motion, or `orientation="body", as_="quaternion"`."""
        return self._add("outputs", name, value=value, **form)

    def event(
        self,
        name: str,
        when: Scalar,
        *,
        direction: Literal["rising", "falling", "both"] | None = None,
        terminal: bool = False,
        set: Mapping[str, Scalar] | None = None,  # noqa: A002
        restitution: Scalar | None = None,
    ) -> str:
        """What happens where `when` crosses zero: some quantities are `set`, or bodies rebound with a `restitution`."""
        given = {"direction": direction, "terminal": terminal or None, "set": set, "restitution": restitution}
        return self._add("events", name, when=when, **given)

    def simulation(
        self,
        *,
        t_end: float | None = None,
        dt: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
    ) -> None:
        """Defaults of simulations."""
        for key, number in (("t_end", t_end), ("dt", dt), ("rtol", rtol), ("atol", atol)):
            if number is not None:
                self._put("simulation", key, number)

    # --- the way on -------------------------------------------------------------------------------------------------

    def to_toml(self) -> str:
        """The mechanism as a spec."""
        from volterra_cg.spec import text

        return text.toml(self._document)

    def check(self) -> Summary:
        """What the mechanism is: its sizes, its ignorable coordinates, why the others are not. Raises SpecError."""
        from volterra_cg import derivation

        with self._written() as path:
            return derivation.check(path, told=self._told)

    def compile(
        self,
        formulation: str | None = None,
        *,
        name: str | None = None,
        jacobian: bool = False,
        arithmetic: str | None = None,
    ) -> Model:
        """The model, from the cache or built, as `volterra_cg.compile` gives it for a spec."""
        from volterra_cg import driver
        from volterra_cg.options import ARITHMETIC, REDUCED, Options

        options = Options(formulation or REDUCED, name, jacobian=jacobian, arithmetic=arithmetic or ARITHMETIC)
        with self._written() as path:
            return driver.model(path, options)

    @contextmanager
    def _written(self) -> Iterator[Path]:
        """The spec as a file, for a while; its mistakes are told of the lines of Python that made them."""
        from volterra_cg.build.temporary import temporary

        with temporary() as folder:
            path = folder / "mechanism.toml"
            path.write_text(self.to_toml(), encoding="utf-8")
            self._take_meshes(folder)
            try:
                yield path
            except SpecError as error:
                raise SpecError([self._told(problem) for problem in error.problems]) from None

    def _take_meshes(self, folder: Path) -> None:
        """Put the files of meshes beside the spec; what is wrong with others its reader tells."""
        for body in self._document.get("bodies", {}).values():
            drawn = body.get("drawn")
            name = drawn.get("mesh") if isinstance(drawn, Mapping) else None
            if isinstance(name, str) and Path(name).is_file() and Path.cwd() in Path(name).resolve().parents:
                place = folder / Path(name).resolve().relative_to(Path.cwd())
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(name, place)

    def _told(self, problem: Problem) -> Problem:
        from volterra_cg.spec import text

        keys = [keys for _, keys in text.lines(self._document)]
        told = keys[problem.place.line - 1] if 0 < problem.place.line <= len(keys) else ()
        return replace(problem, place=self._places.get(told, self._here))

    def _add(self, table: str, name: str, **given: Any) -> str:
        return self._put(table, name, {_OWN.get(key, key): part for key, part in given.items() if part is not None})

    def _put(self, table: str, name: str, entry: Any) -> str:
        here = _caller()
        entries = self._document.setdefault(table, {})
        if name in entries:
            first = self._places[table, name]
            raise SpecError([Problem(here, f"'{name}' is in [{table}] already, from {first}", "give it another name")])
        entries[name] = _plain(entry, f"{table}.{name}")
        self._places[table, name] = here
        return name


def written(mechanism: entities.Mechanism[Any]) -> str:
    """A mechanism of entities as a spec, its expressions parsed or in sympy."""
    from volterra_cg.spec import entities, text

    if not isinstance(mechanism, entities.Mechanism):
        raise OptionError(f"a Mechanism is needed, not {reprlib.repr(mechanism)}")

    return text.toml(_tables(mechanism))


def _tables(mechanism: entities.Mechanism[Any]) -> dict[str, Any]:
    from volterra_cg.spec import expressions, text, tree, writer

    parsed = all(isinstance(scalar, expressions.Node) for scalar in tree.scalars(mechanism))
    try:
        return writer.document(mechanism, text.scalar if parsed else _of_sympy)
    except writer.CannotWrite as error:
        raise OptionError(str(error)) from None


def of_sympy(method: Any, values: Mapping[Any, Any], name: str, frame: Any, **objects: Sequence[Any]) -> Mechanism:
    """The mechanism of a method, a system or other objects of sympy; `objects` are fields of what they tell."""
    from volterra_cg.sympy_objects.mechanism import mechanism_of
    from volterra_cg.sympy_objects.told import Problems, besides

    made = Mechanism(name)
    others = besides(frame, values, objects, Problems(made._here))
    made._document = _tables(mechanism_of(method, others, values, name, made._here))
    return made


def _of_sympy(expression: Any) -> object:
    from volterra_cg.system.text import scalar

    return scalar(expression)


def _plain(value: Any, where: str, what: str = "") -> Any:
    """Numbers of all kinds, and lists and tables of them, as TOML knows them; `what` is the key that holds them."""
    if isinstance(value, float | Decimal) and not isfinite(value):
        raise SpecError([Problem(_caller(), f"{what or where} must be finite, not {value}")])
    if isinstance(value, bool | str | int | Decimal):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(part, where, f"{key} of {where}") for key, part in value.items()}
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if hasattr(value, "tolist") and not isinstance(
        found := value.tolist(), type(value)
    ):  # of numpy, if Python has it too
        return _plain(found, where, what)
    if isinstance(value, Sequence):
        return [_plain(part, where, what) for part in value]
    if isinstance(value, float):
        return Decimal(repr(value))
    raise OptionError(f"{where} holds a {type(value).__name__}: numbers and expressions in quotes are needed")


def _caller() -> Place:
    """The line of Python that called this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)
