"""From a mechanism back to the tables of a spec, with every short form spelled out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from volterra_cg.spec.entities import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Align,
    AnyConstraint,
    Body,
    Coincide,
    Constraint,
    CoordinateLink,
    Cosines,
    Distance,
    Drawn,
    Event,
    Frame,
    FrameLink,
    Inertia,
    Link,
    Mechanism,
    Mesh,
    PointLink,
    Quaternion,
    Roll,
    Shape,
    Simulation,
    Turn,
)
from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.fields import SCHEMA_VERSION
from volterra_cg.spec.tree import S

Table = dict[str, Any]
Scalar = Callable[[Any], Any]  # a scalar as a value of a table


class CannotWrite(ValueError):  # noqa: N818
    """A mechanism has something that the language has no words for."""


def document(mechanism: Mechanism[S], scalar: Scalar) -> Table:
    """The tables of a spec that describes a mechanism; `scalar` writes its expressions."""
    write = _Writer(mechanism, scalar)
    found: Table = {"schema": SCHEMA_VERSION, "name": mechanism.name, "about": mechanism.about}
    if mechanism.ignorable is not None:
        found["ignorable"] = list(mechanism.ignorable)
    found |= {"work": mechanism.work} | dict(write.tables())
    project = mechanism.project
    found["start"] = {"project": project if isinstance(project, bool) else list(project)} if project else {}
    found["simulation"] = _present(vars(mechanism.simulation), vars(Simulation()))
    return {key: entry for key, entry in found.items() if entry not in ({}, "", False)}


def _present(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> Table:
    return {key: entry for key, entry in given.items() if entry is not None and entry != defaults.get(key)}


class _Writer:
    def __init__(self, mechanism: Mechanism[Any], scalar: Scalar) -> None:
        self.mechanism, self.scalar = mechanism, scalar

    def tables(self) -> Iterator[tuple[str, Table]]:
        """Every table of entities, by the methods that write one; tables of named scalars are all alike."""
        told = self.mechanism
        writers: dict[str, Callable[[Any], Any]] = {
            "parameters": self._parameter, "signals": self._signal, "coordinates": self._coordinate,
            "frames": self._frame, "points": self._point, "bodies": self._body,
            "springs": self._spring, "dampers": self._damper, "actuators": self._actuator, "frictions": self._friction,
            "forces": self._force, "torques": self._torque, "constraints": self._constraint, "events": self._event,
            "outputs": self._output,
        }  # fmt: skip
        for table, entities in vars(told).items():
            if table == "gravity" and entities is not None:
                yield table, {entities.frame: self._list(entities.acceleration)}
            elif isinstance(entities, tuple) and table not in ("ignorable", "project"):
                write = writers.get(table, lambda each: self.scalar(each.value))
                yield table, {str(each.name): write(each) for each in entities}

    def _list(self, parts: Sequence[Any]) -> list[Any]:
        return [self.scalar(part) for part in parts]

    def _parameter(self, given: Any) -> Any:
        more = _present(
            {"unit": given.unit, "about": given.about, "fixed": given.fixed}, {"unit": "", "about": "", "fixed": False}
        )
        return {"value": self.scalar(given.value), **more} if more else self.scalar(given.value)

    def _output(self, given: Any) -> Any:
        value = self.scalar(given.value)
        return {"value": value, "unit": given.unit} if given.unit else value

    def _signal(self, given: Any) -> Any:
        value = given.value if given.expression is None else self.scalar(given.expression)
        if given.expression is not None and not isinstance(value, str):
            value = str(value)  # in quotes it is compiled in
        return {"value": value, **_present({"unit": given.unit, "about": given.about}, {"unit": "", "about": ""})}

    def _coordinate(self, given: Any) -> Table:
        start = {"initial": self.scalar(given.initial), "rate": self.scalar(given.rate)}
        return _present(
            {**start, "unit": given.unit, "about": given.about}, {"initial": 0, "rate": 0, "unit": "", "about": ""}
        )

    def _frame(self, given: Frame[Any]) -> Table:
        parent = _present({"parent": given.parent}, {"parent": INERTIAL_FRAME})
        match given.rotations:
            case ():
                return parent
            case (Cosines(rows=rows),):
                return parent | {"cosines": [self._list(row) for row in rows]}
            case (Quaternion(parts=parts),):
                return parent | {"quaternion": self._list(parts)}
        turns = self._turns(given.rotations)
        if len(turns) < len(given.rotations):
            raise CannotWrite(f"the frame {given.name} is turned in several ways at once; give it a parent for each")
        return parent | {"rotate": turns}

    def _axis(self, parts: Sequence[Any]) -> list[Any] | str:
        """An axis by its letter where it is one of coordinates."""
        found = self._list(parts)
        units = {tuple(int(n == k) for n in range(3)): letter for k, letter in enumerate(AXES)}
        return units.get(tuple(found), found)

    def _point(self, given: Any) -> Table:
        return _present(
            {"from": given.origin, "in": given.frame, "at": self._list(given.offset)},
            {"from": FIXED_POINT, "in": INERTIAL_FRAME, "at": [0, 0, 0]},
        )

    def _body(self, given: Body[Any]) -> Table:
        found: Table = {"mass": self.scalar(given.mass), "center": given.center, "frame": given.frame}
        match given.inertia:
            case Inertia(entries=entries, frame=frame):
                found["inertia"] = {key: self.scalar(part) for key, part in entries.items()} | _present(
                    {"in": frame}, {}
                )
            case Shape():
                found["shape"] = {given.inertia.kind: self._shape(given.inertia)}
        if given.drawn is not None:
            found["drawn"] = self._drawn(given.drawn)
        return _present(found, {})

    def _drawn(self, given: Drawn[Any]) -> Table:
        what: Table = (
            {"mesh": given.what.file, "scale": self.scalar(given.scale)}
            if isinstance(given.what, Mesh)
            else {given.what.kind: self._shape(given.what)}
        )
        what |= {"at": self._list(given.at), "rotate": self._turns(given.rotate) or None}
        return _present(what, {"scale": 1, "at": [0, 0, 0]})

    def _turns(self, given: Sequence[Any]) -> list[Any]:
        return [[self._axis(turn.axis), self.scalar(turn.angle)] for turn in given if isinstance(turn, Turn)]

    def _shape(self, given: Shape[Any]) -> Any:
        sizes, axis = self._list(given.sizes), {"axis": AXES[given.axis]}
        match given.kind:
            case "box" | "plate":
                return sizes
            case "sphere":
                return sizes[0]
            case "cylinder":
                return {"radius": sizes[0], "length": sizes[1], **axis}
        return {"length" if given.kind == "rod" else "radius": sizes[0], **axis}

    # --- loads ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _link(link: Link) -> Table:
        match link:
            case PointLink(first=first, second=second):
                return {"between": [first, second]}
            case FrameLink(first=base, second=turned, axis=axis):
                return {"turn": [base, turned]} | ({} if axis is None else {"axis": AXES[axis]})
            case CoordinateLink(coordinate=coordinate):
                return {"coordinate": coordinate}

    def _spring(self, given: Any) -> Table:
        return {
            **self._link(given.link),
            "stiffness": self.scalar(given.stiffness),
            "length": self.scalar(given.length),
        }

    def _damper(self, given: Any) -> Table:
        return {**self._link(given.link), "damping": self.scalar(given.damping)}

    def _actuator(self, given: Any) -> Table:
        return {**self._link(given.link), "force": self.scalar(given.force)}

    def _friction(self, given: Any) -> Table:
        speed = {} if given.speed is None else {"speed": self.scalar(given.speed)}
        return {**self._link(given.link), "dry": self.scalar(given.dry), "viscous": self.scalar(given.viscous), **speed}

    def _force(self, given: Any) -> Table:
        found = {"at": given.at, "in": given.frame, "vector": self._list(given.vector), "reaction": given.reaction}
        return _present(found, {"in": INERTIAL_FRAME})

    def _torque(self, given: Any) -> Table:
        found = {"on": given.on, "in": given.frame, "vector": self._list(given.vector), "reaction": given.reaction}
        return _present(found, {"in": INERTIAL_FRAME})

    # --- constraints and events -------------------------------------------------------------------------------------

    def _constraint(self, given: AnyConstraint[Any]) -> Table:
        match given:
            case Constraint():
                return {"position" if given.holonomic else "velocity": self.scalar(given.value)}
            case Coincide():
                return {"coincide": list(given.ends), "in": given.frame, "along": _letters(given.along)}
            case Align(frames=frames, axes=axes):
                named = [f"{frame}.{AXES[axis]}" for frame, axis in zip(frames, axes, strict=True)]
                return {"align": named, "along": _letters(given.along)}
            case Distance():
                return {"distance": list(given.ends), "equals": self.scalar(given.equals)}
            case Roll():
                return self._roll(given)

    def _roll(self, given: Roll[Any]) -> Table:
        found: Table = {"roll": self._carried(given.name, given.origin, given.frame)}
        if given.surface_frame != INERTIAL_FRAME:
            found["on"] = self._carried(given.name, given.surface_origin, given.surface_frame)
        if given.contact is not None:
            found["at"] = given.contact
        else:
            found |= {"radius": self.scalar(given.radius), "normal": f"{given.upright}.{AXES[given.normal]}"}
        axis = {} if given.axis is None else {"axis": AXES[given.axis]}
        return {**found, **axis, "in": given.axes_frame, "along": _letters(given.along)}

    def _carried(self, name: str, point: str, frame: str) -> str:
        """The body with this center and frame."""
        for body in self.mechanism.bodies:
            if (body.center, body.frame) == (point, frame):
                return str(body.name)
        raise CannotWrite(f"nothing that rolls in {name} is a body")

    def _event(self, given: Event[Any]) -> Table:
        found: Table = {"when": self.scalar(given.when), "direction": given.direction, "terminal": given.terminal}
        changes = {f"der({c.name})" if c.kind == "rate" else str(c.name): self.scalar(c.value) for c in given.set}
        found["set"] = changes or None
        found["restitution"] = None if given.restitution is None else self.scalar(given.restitution)
        return _present(found, {"terminal": False})


def _letters(along: Sequence[int]) -> list[str]:
    return [AXES[index] for index in along]
