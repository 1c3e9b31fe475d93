"""From a spec to a system: every expression in sympy, derived parameters put in, sugar spelled out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sympy import Expr, Rational, Symbol, pi, sqrt

from volterra_cg.spec.bodies import RESTITUTION, Limit, limits
from volterra_cg.spec.types import BodyEntry, EventEntry, FrameEntry, InertiaEntry, ShapeEntry, Spec, TurnEntry
from volterra_cg.system import inertia
from volterra_cg.system.closures import constraint_rows
from volterra_cg.system.loads import loads
from volterra_cg.system.translate import Translator
from volterra_cg.system.types import (
    TIME,
    Body,
    Coordinate,
    Cosines,
    Event,
    Frame,
    Gravity,
    Output,
    Parameter,
    Point,
    QuasiVelocity,
    Quaternion,
    Rotation,
    Signal,
    Simulation,
    System,
    Triple,
    Turn,
)
from volterra_cg.system.vectors import Vector


def from_spec(spec: Spec) -> System:
    """The system that a spec describes."""
    translator = _translator(spec)
    expr = translator.expr
    parameters = {_symbol(entry.name) for entry in spec.parameters}
    frames = _ordered([_frame(entry, translator) for entry in spec.frames], lambda frame: frame.parent, "N")
    return System(
        name=spec.name,
        coordinates=_coordinates(spec, translator),
        bodies=tuple(_body(entry, translator, frames) for entry in spec.bodies),
        parameters=_parameters(spec, translator),
        signals=tuple(
            Signal(entry.name, _symbol(entry.name), entry.value) for entry in spec.signals if entry.expression is None
        ),
        frames=frames,
        points=_ordered(
            [Point(entry.name, entry.origin, entry.frame, translator.triple(entry.at)) for entry in spec.points],
            lambda point: point.origin,
            "O",
        ),
        gravity=_gravity(spec, translator),
        loads=loads(spec, translator),
        constraints=tuple(row for entry in spec.constraints for row in constraint_rows(entry, translator)),
        quasi_velocities=tuple(QuasiVelocity(entry.name, expr(entry.value)) for entry in spec.quasi_velocities),
        outputs=tuple(Output(entry.name, expr(entry.value)) for entry in spec.outputs),
        events=tuple(_event(entry, translator, parameters) for entry in spec.events),
        ignorable=spec.ignorable,
        work=spec.work,
        project=_projected(spec),
        simulation=Simulation(spec.simulation.t_end, spec.simulation.dt, spec.simulation.rtol, spec.simulation.atol),
    )


def _projected(spec: Spec) -> tuple[str, ...]:
    if isinstance(spec.project, tuple):
        return spec.project
    return tuple(entry.name for entry in spec.coordinates) if spec.project else ()


T = TypeVar("T", Frame, Point)


def _ordered(items: list[T], before: Callable[[T], str], root: str) -> tuple[T, ...]:
    """Each after the one it is placed from, else in the order of the file."""
    done, found = {root}, list[T]()
    while items:
        ready = next(item for item in items if before(item) in done)
        found.append(ready)
        done.add(ready.name)
        items.remove(ready)
    return tuple(found)


def _symbol(name: str) -> Symbol:
    return Symbol(name, real=True)


def _rate(name: str) -> Symbol:
    return Symbol(name + "'", real=True)


def _translator(spec: Spec) -> Translator:
    own_frames, own_points = {frame.name for frame in spec.frames}, {point.name for point in spec.points}
    scalars: dict[str, Expr] = {"pi": pi, "t": TIME}
    for table in (spec.coordinates, spec.signals, spec.parameters):
        scalars |= {entry.name: _symbol(entry.name) for entry in table}
    translator = Translator(
        scalars=scalars,
        rates={_symbol(entry.name): _rate(entry.name) for entry in spec.coordinates},
        frames={body.name: body.frame for body in spec.bodies if body.frame and body.name not in own_frames},
        points={body.name: body.center for body in spec.bodies if body.name not in own_points},
    )
    _put_in_derived(spec, scalars, translator)
    scalars |= {entry.name: translator.expr(entry.expression) for entry in spec.signals if entry.expression}
    return translator


def _put_in_derived(spec: Spec, scalars: dict[str, Expr], translator: Translator) -> None:
    """Replace derived parameters by their expressions, those that others need first."""
    waiting = {entry.name: entry for entry in spec.parameters if entry.derived}
    while waiting:
        pending = {_symbol(name) for name in waiting}
        exprs = {name: translator.expr(entry.value) for name, entry in waiting.items()}
        ready = [name for name, value in exprs.items() if not value.free_symbols & pending]
        for name in ready:
            scalars[name] = exprs[name]
            del waiting[name]


def _parameters(spec: Spec, translator: Translator) -> tuple[Parameter, ...]:
    found = []
    for entry in spec.parameters:
        if entry.derived:
            continue
        value = translator.expr(entry.value)
        if not value.is_Rational and not entry.fixed:  # pi/2 and the like: at run time only the double counts
            value = Rational(float(value))
        found.append(Parameter(entry.name, _symbol(entry.name), value, entry.fixed, entry.unit, entry.about))
    return tuple(found)


def _coordinates(spec: Spec, translator: Translator) -> tuple[Coordinate, ...]:
    return tuple(
        Coordinate(
            entry.name,
            _symbol(entry.name),
            _rate(entry.name),
            translator.expr(entry.initial),
            translator.expr(entry.rate),
            entry.unit,
            entry.about,
        )
        for entry in spec.coordinates
    )


def _frame(entry: FrameEntry, translator: Translator) -> Frame:
    rotations: tuple[Rotation, ...] = tuple(_turn(turn, translator) for turn in entry.turns)
    if entry.cosines is not None:
        first, second, third = (translator.triple(row) for row in entry.cosines)
        rotations = (Cosines((first, second, third)),)
    if entry.quaternion is not None:
        e0, e1, e2, e3 = (translator.expr(part) for part in entry.quaternion)
        rotations = (Quaternion((e0, e1, e2, e3)),)
    return Frame(entry.name, entry.parent, rotations)


def _turn(entry: TurnEntry, translator: Translator) -> Turn:
    x, y, z = translator.triple(entry.axis)
    length = sqrt(x**2 + y**2 + z**2)
    return Turn((x / length, y / length, z / length), translator.expr(entry.angle))


def _body(entry: BodyEntry, translator: Translator, frames: tuple[Frame, ...]) -> Body:
    mass = translator.expr(entry.mass)
    kept = tuple(limits(entry, lambda _, expression: translator.expr(expression)))
    if entry.inertia is None or entry.frame is None:
        return Body(entry.name, mass, entry.center, limits=kept)
    match entry.inertia:
        case ShapeEntry(kind=kind, sizes=sizes, axis=axis):
            given = inertia.of_solid(kind, mass, tuple(translator.expr(size) for size in sizes), axis)
        case InertiaEntry(entries=entries, frame=frame):
            given = inertia.tensor({key: translator.expr(value) for key, value in entries.items()})
            if frame is not None and frame != entry.frame:
                by_name = {known.name: known for known in frames}
                given = inertia.turned(given, inertia.relative_rotation(entry.frame, frame, by_name))
    return Body(entry.name, mass, entry.center, entry.frame, given, kept)


def _event(entry: EventEntry, translator: Translator, parameters: set[Symbol]) -> Event:
    def those(kind: str) -> dict[str, Expr]:
        return {change.name: translator.expr(change.value) for change in entry.set if change.kind == kind}

    restitution = translator.expr(entry.restitution) if entry.restitution else None
    return Event(
        name=entry.name,
        expression=translator.expr(entry.when),
        direction=entry.direction,
        terminal=entry.terminal,
        coordinates=those("coordinate"),
        rates=those("rate"),
        parameters=those("parameter"),
        restitution=restitution,
        limits=_rebound(entry.name, restitution, parameters) if restitution is not None else (),
    )


def _rebound(name: str, restitution: Expr, parameters: set[Symbol]) -> tuple[Limit, ...]:
    """What the parameters must keep for an impact to exist; where they do not decide that alone, a run does."""
    if not restitution.free_symbols <= parameters or restitution.has(Vector):
        return ()
    path, what = ("events", name, "restitution"), f"the restitution of '{name}'"
    return (Limit(path, what, RESTITUTION, (restitution, 1 - restitution), reached=True),)


def _gravity(spec: Spec, translator: Translator) -> Gravity | None:
    if spec.gravity is None:
        return None
    acceleration: Triple = translator.triple(spec.gravity.vector)
    return Gravity(spec.gravity.frame, acceleration)
