"""Whether what sympy was told about velocities is what follows from positions; and which constraints are independent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sympy import Expr

from volterra_cg.formulations.rank import independent
from volterra_cg.kinematics.analyse import analyse
from volterra_cg.kinematics.configurations import at, matrix, onto
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Node
from volterra_cg.spec.entities import Constraint, Mechanism, Quantity
from volterra_cg.spec.tree import Ref, scalars
from volterra_cg.system.from_spec import normal_form
from volterra_cg.system.types import System, symbol
from volterra_cg.system.walk import symbols

PLACES, ROUNDING = 3, 1e-9  # random states, and what counts as zero beside what is claimed


def false_claims(mechanism: Mechanism[Expr], claims: Mapping[str, Sequence[tuple[Expr, Expr]]]) -> list[str]:
    """The claims of which a pair (difference, size) has a difference that does not vanish where the constraints hold."""
    numbered = {(name, n): pair for name, pairs in claims.items() for n, pair in enumerate(pairs)}
    outputs = {f"{name}.{n}.{m}": part for (name, n), pair in numbered.items() for m, part in enumerate(pair)}
    quantities = tuple(Quantity(Ref(name), part) for name, part in outputs.items())
    rows = tuple(row for row in mechanism.constraints if isinstance(row, Constraint))
    kinematics = analyse(replace(_bare(mechanism), outputs=quantities, constraints=rows))
    values = _states(kinematics)
    found = kinematics.outputs
    false = {name for name, n in numbered if not _vanishes(found[f"{name}.{n}.0"], found[f"{name}.{n}.1"], values)}
    return [name for name in claims if name in false]


def _states(kinematics: Kinematics) -> dict[Node, object]:
    """Random states on the constraints."""
    inputs, draw = kinematics.inputs, np.random.default_rng(0)
    values: dict[Node, Any] = {node: np.full(PLACES, value) for node, value in kinematics.given.items()}
    values |= {node: draw.uniform(0.1, 1.3, PLACES) for node in (inputs.time, *inputs.coordinates)}
    rates = draw.uniform(0.1, 1.3, (PLACES, len(inputs.rates)))
    if kinematics.constraints:
        q = np.stack([values[node] for node in inputs.coordinates], axis=1)
        values = dict(
            at(kinematics, onto(kinematics, kinematics.constraints, q, values[inputs.time]), values[inputs.time])
        )
        slopes = matrix([row.columns for row in kinematics.constraints], values, len(inputs.rates))
        rates = rates - (np.linalg.pinv(slopes) @ slopes @ rates[..., np.newaxis])[..., 0]
    return values | dict(zip(inputs.rates, rates.T, strict=True))


def _vanishes(difference: Node, size: Node, values: Mapping[Node, object]) -> bool:
    """Whether a difference is zero: by its fingerprint, or by numbers, where there are any."""
    if difference.is_zero:
        return True
    with np.errstate(all="ignore"):
        off, scale = (np.broadcast_to(np.abs(part), PLACES) for part in interpret([difference, size], values))
    known = np.isfinite(off) & np.isfinite(scale)
    return bool(known.any() and (off <= ROUNDING * (1.0 + scale))[known].all())


def without_repeated(mechanism: Mechanism[Expr]) -> tuple[Constraint[Expr], ...]:
    """The constraints without those on velocities that follow from the ones before them, as the rates of positions do."""
    rows = [row for row in mechanism.constraints if isinstance(row, Constraint)]
    kinematics = analyse(replace(_bare(mechanism), constraints=tuple(rows)))
    kept = {
        kinematics.constraints[n].name for n in independent(kinematics, [r.columns for r in kinematics.constraints])
    }
    return tuple(row for row in rows if row.holonomic or row.name in kept)


def idle(mechanism: Mechanism[Expr], names: Iterable[Ref]) -> set[Ref]:
    """Those of the parameters that only inertias hold, along directions in which their bodies never turn."""
    bodies = tuple(replace(body, inertia=None) for body in mechanism.bodies)
    used = {part for scalar in scalars(replace(mechanism, parameters=(), bodies=bodies)) for part in symbols(scalar)}
    used |= {part for parameter in mechanism.parameters for part in symbols(parameter.value)}
    asked = [name for name in names if symbol(name) not in used]
    if not asked:
        return set()
    kinematics = analyse(_bare(mechanism))
    support = kinematics.kinetic.support
    nodes = {node.name: node for node in kinematics.inputs.parameters}
    return {name for name in asked if not nodes[name].support & support}


def _bare(mechanism: Mechanism[Expr]) -> System:
    """The frames, points and bodies alone, with numbers for parameters."""
    numbers: dict[Expr, Expr] = {}
    while len(numbers) < len(mechanism.parameters):
        before = len(numbers)
        for parameter in mechanism.parameters:
            value = parameter.value.xreplace(numbers)
            if not value.free_symbols:
                numbers[symbol(parameter.name)] = value
        if len(numbers) == before:
            break  # values that go round in circles are told of the spec
    parameters = tuple(
        replace(each, value=numbers.get(symbol(each.name), each.value), derived=False) for each in mechanism.parameters
    )
    bare = Mechanism(
        name=mechanism.name,
        parameters=parameters,
        coordinates=mechanism.coordinates,
        frames=mechanism.frames,
        points=mechanism.points,
        bodies=mechanism.bodies,
    )
    return normal_form(bare)
