"""From the table of constraints to entities: expressions, closures of loops, rolling."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from volterra_cg.spec import names, schema
from volterra_cg.spec.entities import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Align,
    AnyConstraint,
    Coincide,
    Constraint,
    Distance,
    Roll,
)
from volterra_cg.spec.expressions import AXES, Node, has_velocity
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.tree import FrameRef, PointRef, Ref

# The forms of a constraint, and the keys that each may have beside its own.
_FORMS: Mapping[str, tuple[str, ...]] = {
    "either": (),
    "velocity": (),
    "position": (),
    "coincide": ("frame", "along"),
    "align": ("along",),
    "distance": ("equals",),
    "roll": ("on", "at", "radius", "normal", "axis", "frame", "along"),
}
_WRITTEN = {"either": "expression", "frame": "in"}


def constraints(reading: Reading) -> tuple[AnyConstraint[Node], ...]:
    """Constraints, of positions or of velocities."""
    found = (_constraint(reading, name, given) for name, given in reading.document.constraints.items())
    return tuple(constraint for constraint in found if constraint is not None)


def _constraint(reading: Reading, name: str, given: schema.Constraint) -> AnyConstraint[Node] | None:
    forms = [form for form in _FORMS if getattr(given, form) is not None]
    if len(forms) != 1:
        said = f", not {' and '.join(forms)}" if forms else ""
        message = f"'{name}' needs exactly one of position, velocity, coincide, align, distance and roll{said}"
        reading.wrong(("constraints", name), message, key=True)
        _rest(reading, name, given)
        return None
    form = forms[0]
    others = [key for keys in _FORMS.values() for key in keys if key not in _FORMS[form]]
    for key in dict.fromkeys(others):
        if getattr(given, key) is not None:
            path = ("constraints", name, _WRITTEN.get(key, key))
            reading.wrong(path, f"'{path[2]}' has no meaning beside {_WRITTEN.get(form, form)}", key=True)
    makers: dict[str, Callable[[Reading, str, schema.Constraint], AnyConstraint[Node] | None]] = {
        "coincide": _coincide,
        "align": _align,
        "distance": _distance,
        "roll": _roll,
    }
    return makers[form](reading, name, given) if form in makers else _expression(reading, name, form, given)


def _rest(reading: Reading, name: str, given: schema.Constraint) -> None:
    """Read what stands in a constraint beside what is wrong, for mistakes of its own."""
    path: KeyPath = ("constraints", name)
    _frame(reading, name, given)
    for key in ("roll", "on"):
        _carrier(reading, path, key, getattr(given, key))
    if given.at is not None:
        reading.point((*path, "at"), given.at)
    if given.normal is not None:
        reading.axis((*path, "normal"), given.normal)
    for key, context in (("equals", names.GEOMETRY), ("radius", names.CONSTANT)):
        if getattr(given, key) is not None:
            reading.expression((*path, key), getattr(given, key), context)


def _expression(reading: Reading, name: str, form: str, given: schema.Constraint) -> Constraint[Node]:
    path: KeyPath = ("constraints", name, _WRITTEN.get(form, form))
    value = reading.expression(path, getattr(given, form), names.POSITION if form == "position" else names.MOTION)
    holonomic = form == "position" or (form == "either" and not has_velocity(value))
    if value is BROKEN:
        return Constraint(Ref(name), value, holonomic)
    if form == "velocity" and not has_velocity(value):
        reading.wrong(path, f"'{name}' has no velocity in it", "write position = ... and we differentiate it")
    if holonomic and not names.moves(value, reading.scope):
        reading.wrong(
            path, f"'{name}' has neither coordinates nor velocities in it", "it can only be always or never true"
        )
    return Constraint(Ref(name), value, holonomic)


def _coincide(reading: Reading, name: str, given: schema.Constraint) -> Coincide:
    ends = _ends(reading, ("constraints", name, "coincide"), given.coincide)
    return Coincide(Ref(name), ends, _frame(reading, name, given), _along(given))


def _distance(reading: Reading, name: str, given: schema.Constraint) -> Distance[Node] | None:
    path: KeyPath = ("constraints", name)
    ends = _ends(reading, (*path, "distance"), given.distance)
    if given.equals is None:
        reading.wrong(path, f"the distance of '{name}' is missing", 'e.g. equals = "l"', key=True)
        return None
    if isinstance(given.equals, int) and given.equals == 0:
        reading.wrong((*path, "equals"), "a distance of zero has no direction", "use coincide = [...]")
    return Distance(Ref(name), ends, reading.expression((*path, "equals"), given.equals, names.GEOMETRY))


def _align(reading: Reading, name: str, given: schema.Constraint) -> Align | None:
    path: KeyPath = ("constraints", name, "align")
    found = [reading.axis((*path, n), text) for n, text in enumerate(given.align or ())]
    if None in found:
        return None
    (first, i), (second, j) = (axis for axis in found if axis is not None)
    if first == second:
        reading.wrong(path, "the two axes belong to the same frame")
    along = tuple(index for index in _along(given) if index != i)
    if not along:
        reading.wrong((*path[:2], "along"), f"{AXES[i]} is the axis itself; the rows are across it", key=True)
    return Align(Ref(name), (first, second), (i, j), along)


def _roll(reading: Reading, name: str, given: schema.Constraint) -> Roll[Node] | None:
    path: KeyPath = ("constraints", name)
    if (given.at is None) == (given.radius is None):
        message = f"'{name}' needs a contact, given by exactly one of at and radius"
        reading.wrong(path, message, 'at = "C" for a point, radius = "r" for a ball or a wheel', key=True)
        _rest(reading, name, given)
        return None
    for key in ("normal", "axis"):
        if given.at is not None and getattr(given, key) is not None:
            reading.wrong((*path, key), f"'{key}' has no meaning beside at", key=True)
    body, surface = (_carrier(reading, path, key, getattr(given, key)) for key in ("roll", "on"))
    upright = reading.axis((*path, "normal"), given.normal) if given.normal else (INERTIAL_FRAME, 2)
    if body is None or surface is None or upright is None:
        return None
    contact = reading.point((*path, "at"), given.at) if given.at is not None else None
    radius = None if given.radius is None else reading.expression((*path, "radius"), given.radius, names.CONSTANT)
    axis = None if given.axis is None else AXES.index(given.axis)
    return Roll(
        Ref(name), *body, *surface, contact, radius, *upright, _frame(reading, name, given), _along(given), axis
    )


def _carrier(reading: Reading, path: KeyPath, key: str, name: str | None) -> tuple[PointRef, FrameRef] | None:
    """A point and a frame that move with a body, or with the ground."""
    if name in (None, INERTIAL_FRAME):
        return FIXED_POINT, INERTIAL_FRAME
    found = reading.body((*path, key), str(name))
    if found is None:
        return None
    point, frame = found
    if frame is not None:
        return point, frame
    reading.wrong((*path, key), f"'{name}' has no frame and cannot roll", "give the body the frame it turns with", at=0)
    return None


def _ends(reading: Reading, path: KeyPath, ends: tuple[str, str] | None) -> tuple[PointRef, PointRef]:
    first, second = (reading.point((*path, n), point) for n, point in enumerate(ends or ()))
    if first == second:
        reading.wrong(path, "the two points are the same")
    return first, second


def _frame(reading: Reading, name: str, given: schema.Constraint) -> FrameRef:
    return reading.frame(("constraints", name, "in"), given.frame) if given.frame else INERTIAL_FRAME


def _along(given: schema.Constraint) -> tuple[int, ...]:
    return tuple(AXES.index(letter) for letter in given.along) if given.along else (0, 1, 2)
