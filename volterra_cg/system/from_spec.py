"""From a spec to a system: every expression in sympy, then the mechanism in its normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from typing import TypeVar

from sympy import Expr, Rational, sqrt

from volterra_cg.errors import SpecError
from volterra_cg.spec import Spec
from volterra_cg.spec.entities import (
    FIXED_POINT,
    INERTIAL_FRAME,
    Body,
    Event,
    Frame,
    Mechanism,
    Parameter,
    Point,
    Quantity,
    Rotation,
    Turn,
)
from volterra_cg.spec.limits import RESTITUTION, Limit, limits
from volterra_cg.spec.tree import Ref
from volterra_cg.system import armature
from volterra_cg.system.closures import rows
from volterra_cg.system.inertia import in_own_axes
from volterra_cg.system.loads import loads
from volterra_cg.system.numbers import require_numbers
from volterra_cg.system.scene import scene_of
from volterra_cg.system.translate import translated
from volterra_cg.system.types import System, symbol
from volterra_cg.system.vectors import Vector
from volterra_cg.system.walk import parts

TOO_DEEP = (
    "expressions that are put into one another are too deep",
    "break the chain of parameters by one that is a number",
)


def from_spec(spec: Spec) -> System:
    """The system that a spec describes."""
    try:
        mechanism = translated(spec.mechanism)
        require_numbers(mechanism, spec.places)
        return normal_form(mechanism)
    except RecursionError as error:
        raise SpecError([spec.places.problem(("parameters", ""), *TOO_DEEP)]) from error


def normal_form(mechanism: Mechanism[Expr]) -> System:
    """The system of a mechanism in whose scalars derived parameters and signals with an expression are put in."""
    turned = [replace(frame, rotations=tuple(map(_unit, frame.rotations))) for frame in mechanism.frames]
    rotors = [armature.rotor(each) for each in mechanism.armatures]
    frames = _ordered([*turned, *(frame for frame, _ in rotors)], lambda frame: frame.parent, INERTIAL_FRAME)
    by_name: dict[str, Frame[Expr]] = {frame.name: frame for frame in frames}
    return System(
        name=mechanism.name,
        coordinates=mechanism.coordinates,
        bodies=(*(in_own_axes(_body(body), by_name) for body in mechanism.bodies), *(body for _, body in rotors)),
        parameters=tuple(_settable(parameter) for parameter in mechanism.parameters if not parameter.derived),
        signals=tuple(signal for signal in mechanism.signals if signal.expression is None),
        frames=frames,
        points=_ordered(list(mechanism.points), lambda point: point.origin, FIXED_POINT),
        gravity=mechanism.gravity,
        loads=loads(mechanism),
        constraints=tuple(row for constraint in mechanism.constraints for row in rows(constraint)),
        quasi_velocities=mechanism.quasi_velocities,
        outputs=mechanism.outputs,
        events=mechanism.events,
        limits=tuple(_limits(mechanism)),
        ignorable=mechanism.ignorable,
        work=mechanism.work,
        project=_projected(mechanism),
        simulation=mechanism.simulation,
        scene=scene_of(mechanism),
        about=mechanism.about,
        computed_signals=tuple(_computed(mechanism)),
    )


def _computed(mechanism: Mechanism[Expr]) -> Iterator[Quantity[Expr]]:
    """The signals with an expression, but for those whose name means another column."""
    taken = {each.name for each in (*mechanism.quasi_velocities, *mechanism.outputs)}
    taken |= {event.name for event in mechanism.events}
    for signal in mechanism.signals:
        if signal.expression is not None and signal.name not in taken:
            yield Quantity(signal.name, signal.expression, signal.unit)


def _projected(mechanism: Mechanism[Expr]) -> tuple[Ref, ...]:
    if isinstance(mechanism.project, tuple):
        return mechanism.project
    return tuple(coordinate.name for coordinate in mechanism.coordinates) if mechanism.project else ()


T = TypeVar("T", Frame[Expr], Point[Expr])


def _ordered(items: list[T], before: Callable[[T], str], root: str) -> tuple[T, ...]:
    """Each after the one it is placed from, else in the order of the file."""
    following: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        following.setdefault(before(item), []).append(number)
    ready, found = following.get(root, []), list[T]()
    while ready:  # a heap: the first of the file comes first
        item = items[heappop(ready)]
        found.append(item)
        for number in following.get(item.name, ()):
            heappush(ready, number)
    return tuple(found)


def _body(body: Body[Expr]) -> Body[Expr]:
    """A body, turned in pictures about axes of length one."""
    if body.drawn is None:
        return body
    turns = tuple(turn for turn in map(_unit, body.drawn.rotate) if isinstance(turn, Turn))
    return replace(body, drawn=replace(body.drawn, rotate=turns))


def _unit(rotation: Rotation[Expr]) -> Rotation[Expr]:
    """A rotation with an axis of length one, if it has any."""
    if not isinstance(rotation, Turn):
        return rotation
    x, y, z = rotation.axis
    length = sqrt(x**2 + y**2 + z**2)
    return Turn((x / length, y / length, z / length), rotation.angle)


def _settable(parameter: Parameter[Expr]) -> Parameter[Expr]:
    """A parameter with an exact rational value: of pi/2 and the like only the double counts at run time."""
    if parameter.value.is_Rational or parameter.fixed:
        return parameter
    return replace(parameter, value=Rational(float(parameter.value)))


def _limits(mechanism: Mechanism[Expr]) -> Iterator[Limit]:
    """What the parameters must keep for bodies and impacts to exist."""
    for body in mechanism.bodies:
        yield from limits(body, lambda _, value: value)
    for each in mechanism.armatures:
        what, rule = f"the armature of '{each.name}'", "an armature is not below zero"
        yield Limit(("armatures", each.name), what, rule, (each.value,), reached=True)
    parameters = {symbol(parameter.name) for parameter in mechanism.parameters}
    for event in mechanism.events:
        yield from _rebound(event, parameters)


def _rebound(event: Event[Expr], parameters: set[Expr]) -> Iterator[Limit]:
    """The limits of a restitution; where the parameters do not decide alone, a run does."""
    value = event.restitution
    if value is None:
        return
    inside = set(parts(value))
    if {part for part in inside if part.is_Symbol} <= parameters and not any(isinstance(p, Vector) for p in inside):
        path, what = ("events", event.name, "restitution"), f"the restitution of '{event.name}'"
        yield Limit(path, what, RESTITUTION, (value, 1 - value), reached=True)
