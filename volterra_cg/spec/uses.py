"""Which names the expressions of a spec use."""

from __future__ import annotations

from collections.abc import Iterator

from volterra_cg.spec.expressions import scalar_names
from volterra_cg.spec.types import (
    ActuatorEntry,
    AnyConstraint,
    BodyEntry,
    DamperEntry,
    Expression,
    FrameEntry,
    FrictionEntry,
    InertiaEntry,
    ShapeEntry,
    Spec,
    SpringEntry,
)


def frame_expressions(frame: FrameEntry) -> Iterator[Expression]:
    """Every expression that says how a frame stands."""
    for turn in frame.turns:
        yield from (*turn.axis, turn.angle)
    for row in frame.cosines or ():
        yield from row
    yield from frame.quaternion or ()


def used_names(spec: Spec, *, geometry_only: bool = False) -> Iterator[str]:
    """Names of scalars in the expressions of a spec; with `geometry_only`, in frames, points and constraints."""
    for frame in spec.frames:
        yield from _names(*frame_expressions(frame))
    for point in spec.points:
        yield from _names(*point.at)
    yield from _names(*(part for constraint in spec.constraints for part in constraint_expressions(constraint)))
    if geometry_only:
        return
    yield from _names(*(parameter.value for parameter in spec.parameters))
    for coordinate in spec.coordinates:
        yield from _names(coordinate.initial, coordinate.rate)
    for event in spec.events:
        yield from _names(event.when, *(change.value for change in event.set))
        yield from _names(*([event.restitution] if event.restitution else []))
    for body in spec.bodies:
        yield from _names(body.mass, *_inertia_expressions(body))
    for load in (*spec.forces, *spec.torques, *((spec.gravity,) if spec.gravity else ())):
        yield from _names(*load.vector)
    for table in (spec.potentials, spec.generalized_forces, spec.quasi_velocities, spec.outputs):
        yield from _names(*(entry.value for entry in table))
    acting: tuple[SpringEntry | DamperEntry | ActuatorEntry | FrictionEntry, ...]
    acting = (*spec.springs, *spec.dampers, *spec.actuators, *spec.frictions)
    for entry in acting:
        yield from _names(*(part for part in vars(entry).values() if isinstance(part, Expression)))
        yield from entry.link.ends if entry.link.kind == "coordinate" else ()
    yield from _names(*(signal.expression for signal in spec.signals if signal.expression))


def constraint_expressions(constraint: AnyConstraint) -> Iterator[Expression]:
    """Every expression in a constraint; closures name points and frames instead."""
    yield from (part for part in vars(constraint).values() if isinstance(part, Expression))


def _inertia_expressions(body: BodyEntry) -> tuple[Expression, ...]:
    match body.inertia:
        case InertiaEntry(entries=entries):
            return tuple(entries.values())
        case ShapeEntry(sizes=sizes):
            return sizes
        case None:
            return ()


def _names(*expressions: Expression) -> Iterator[str]:
    for expression in expressions:
        yield from scalar_names(expression.node)
