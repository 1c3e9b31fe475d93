"""The elimination orders of a posed problem. All give the same values; which is cheapest depends on the mechanism.

| order       | what goes first                                                        | good for                          |
|-------------|------------------------------------------------------------------------|-----------------------------------|
| dense       | q'' through [Y; M'; a], then M_NI u' = L_NI                            | few coordinates, constraints      |
| composite   | nothing on the way to the ground: M_NI by composite bodies             | few bodies, shared coordinates    |
| recursive   | each joint's speeds as soon as its body is reached (articulated bodies) | long chains and trees             |
| mixed       | the speeds of long branches; short ones and what carries them stay     | long and short branches           |
| multipliers | the forces in the joints                                               | particles on rods                 |
| shape       | nothing; M_NI is differentiated by the shape                           | few bodies on a free one          |
| loops       | all rates along the open tree; the forces that close it remain         | closed loops, nets                |
| partial velocities | q'; accelerations of bodies are projected, as Kane does         | rolling, no ignorable coordinate  |
| momenta     | q'; derivatives of momenta are projected, as Volterra does             | rolling, no ignorable coordinate  |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.elimination import classical, dense, loops, shape, tree
from volterra_cg.elimination.accelerations import Follow, Leg, Speeds
from volterra_cg.elimination.blocks import BlockSolver
from volterra_cg.elimination.conversion import Conversion
from volterra_cg.elimination.legs import Closure, by_columns, closures, legs_of_few, spins_of
from volterra_cg.elimination.multipliers import MultiplierOrder, directions
from volterra_cg.elimination.rates import RateSolver, Spin
from volterra_cg.elimination.solution import Solution
from volterra_cg.formulations import kane, volterra
from volterra_cg.formulations.default_speeds import rates
from volterra_cg.formulations.inertia import mass_entry
from volterra_cg.formulations.posing import Derive
from volterra_cg.formulations.problem import (
    ClassicalProblem,
    Equation,
    Law,
    LinearSystem,
    Posed,
    Problem,
    ReducedProblem,
)
from volterra_cg.kinematics.configurations import evaluated
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.cost import foreseen
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.nodes import Array, Inverse, Node, topological
from volterra_cg.program.rewrite import substitute
from volterra_cg.program.types import Check

DENSE_LIMIT = 16  # coordinates; beyond, forming the matrices in full is never cheapest and slow to derive
COMPOSITE_LIMIT = 12  # likewise for the form at the ground
LOOPS_LIMIT = 32  # coordinates; beyond, with constraints, q'' is written in the rates of independent speeds
FEW_SPEEDS = 12  # if there are at most so many
LONG_BRANCH = 3  # bodies from which on the speeds of a branch go first in the mixed order
SAME = 1e-8  # part of the largest value that solutions may differ by on the constraints
MATRIX_LIMIT = 8  # equations; beyond, M_NI and L_NI are not written out
NEEDS = {  # when an order is open, by the first word of its name
    "dense": f": it takes up to {DENSE_LIMIT} coordinates",
    "composite": f": it takes up to {COMPOSITE_LIMIT} coordinates",
    "mixed": f": it needs a branch of {LONG_BRANCH} bodies or more beside others",
    "multipliers": ": it needs particles on rods",
    "shape": ": it needs a mass matrix that depends only on coordinates whose rates are quasi-velocities, and no constraints",
    "loops": ": it needs constraints, and a mass matrix that is regular without them",
    "recursive": f": in ground axes it needs more than {COMPOSITE_LIMIT} coordinates; beyond {LOOPS_LIMIT} with constraints, "
    f"at most {FEW_SPEEDS} quasi-velocities",
    "partial": f": it takes up to {DENSE_LIMIT} coordinates, none of them ignorable",
    "momenta": f": it takes up to {DENSE_LIMIT} coordinates, none of them ignorable",
}
USUAL = ("composite from leaves", "recursive from leaves")  # the second beyond the limit of the first
PROJECTIONS = {"partial velocities": kane.derive, "momenta": volterra.derive}
Order = Callable[[ReducedProblem], Solution]
Mass = tuple[tuple[Node, ...], ...]


def available(problem: ReducedProblem) -> Mapping[str, Order]:
    """The orders that are legal for a problem, by name.

    Where a quasi-velocity contains the rate of an ignorable coordinate, those along the tree are solved in others.
    """
    if not _is_mixed(problem):
        return _orders(problem)
    count = len(problem.kinematics.inputs.coordinates)
    own: dict[str, Order] = {"dense": dense.solve}
    plain = rates(problem.kinematics, [j for j in range(count) if j not in problem.ignorable])
    others = [one.rows for one in problem.choice.sets()] + [plain] * (len(plain) == len(problem.speeds))
    inside = next(filter(None, (converted(problem, problem.with_speeds(rows)) for rows in others)), own)
    return {**inside, **own} if count <= DENSE_LIMIT else inside


def converted(problem: ReducedProblem, inner: Posed) -> Mapping[str, Order]:
    """The orders in which the problem can be solved in other quasi-velocities; none where these are less regular or mixed too."""
    assert isinstance(inner, ReducedProblem)
    if _is_mixed(inner):
        return {}
    start = _Start.of(inner)
    conversion = Conversion.of(problem, inner, start.speeds, start.offset)
    if conversion is None:
        return {}
    own = cache(lambda: _matrices(problem))

    def outside(order: Order) -> Order:
        return lambda _: conversion.apply(order(inner), own())

    return {name: outside(order) for name, order in _orders(inner).items()}


def _is_mixed(problem: ReducedProblem) -> bool:
    return any(j in row.columns for row in problem.speeds for j in problem.ignorable)


def _matrices(problem: ReducedProblem) -> tuple[Mass, tuple[Node, ...]]:
    """M_NI and L_NI, if they are not too large to write out."""
    if len(problem.speeds) > MATRIX_LIMIT:
        return (), ()
    if _is_mixed(problem):
        solution = dense.solve(problem)
        return solution.mass, solution.forcing
    start = _Start.of(problem)
    found = tree.reduced(problem.kinematics, start.speeds, start.forces, len(problem.speeds))
    return found.mass, found.forcing


def _orders(problem: ReducedProblem) -> dict[str, Order]:
    """The orders for quasi-velocities without the rates of ignorable coordinates."""
    count = len(problem.kinematics.inputs.coordinates)
    orders: dict[str, Order] = {"dense": dense.solve} if count <= DENSE_LIMIT else {}
    start = _Start.of(problem)
    if problem.kinematics.constraints and loops.is_open(problem):
        orders |= {"loops" + follow.value: _with_loops(start, follow) for follow in (Follow.OWN, Follow.GROUND)}
        if count > LOOPS_LIMIT and len(problem.speeds) > FEW_SPEEDS:
            return orders
    for follow in (Follow.LEAVES, Follow.OWN):
        if count <= COMPOSITE_LIMIT:
            orders["composite" + follow.value] = _along_tree(start, lambda _: True, follow)
        orders["recursive" + follow.value] = _recursive(start, follow)
    if count > COMPOSITE_LIMIT:
        orders["recursive" + Follow.GROUND.value] = _recursive(start, Follow.GROUND)
    kept = _short(problem.kinematics, start.speeds)
    if 0 < len(kept) < start.speeds.count:
        orders["mixed"] = _along_tree(start, kept.__contains__, Follow.OWN)
    if directions(problem.kinematics, start.speeds) is not None:
        orders["multipliers"] = lambda _: _multipliers(start)
    found = None
    with suppress(IdenticallyZero):  # composite bodies may meet a direction without inertia
        found = _shape(start) if count <= COMPOSITE_LIMIT else None
    if found:
        orders["shape"] = lambda _: found
    if count <= DENSE_LIMIT and not problem.integrals:
        orders |= {name: _projected(derive) for name, derive in PROJECTIONS.items()}
    return orders


def _projected(derive: Derive) -> Order:
    """The equations that another formulation derives in the same quasi-velocities, where no momentum is embedded."""

    def order(problem: ReducedProblem) -> Solution:
        shared = {field.name: getattr(problem, field.name) for field in fields(Problem)}
        return classical.solve(ClassicalProblem(**shared, derive=derive))

    return order


def usual(problem: ReducedProblem, inner: Posed | None = None) -> Solution:
    """The solution, inside in other quasi-velocities if given, in an order that tells what one set costs beside another."""
    found = available(problem) if inner is None else converted(problem, inner)
    for name in sorted(found, key=lambda name: name not in USUAL):
        with suppress(IdenticallyZero):
            return found[name](problem)
    return dense.solve(problem)


@dataclass(frozen=True)
class _Start:
    """What the orders along the tree share: the rates q', and q'' in the rates of independent speeds v = [u, q_I'].

    The rates of `legs` are not solved for with the others.
    """

    problem: ReducedProblem
    rates: tuple[Node, ...]
    solver: RateSolver
    forces: tuple[Node, ...]
    checks: tuple[Check, ...]
    legs: Sequence[tuple[Closure, BlockSolver]] = ()

    @classmethod
    def of(cls, problem: ReducedProblem, legs: Sequence[Closure] = ()) -> _Start:
        """q_I' follows from the momenta once the other rates are known: the quasi-velocities do not contain it."""
        kinematics = problem.kinematics
        apart = {*problem.ignorable, *(j for leg in legs for j in leg.coordinates)}
        moving = [j for j in range(len(kinematics.inputs.rates)) if j not in apart]
        spins = spins_of(problem, legs, moving)
        equations = _equations(problem, problem.rates, legs, spins)
        solver = RateSolver(kinematics, moving, equations, spins)
        closed = [(leg, leg.solver(kinematics)) for leg in legs]
        if legs and legs_of_few(problem, equations, legs):
            rates = by_columns(problem, _speeds(problem, solver, closed))
        else:
            rates = solver.solve([equation.right for equation in equations])
            known: dict[Node, Node] = {kinematics.inputs.rates[j]: rate for j, rate in rates.items()}
            for leg, own in closed:
                rates |= dict(zip(leg.coordinates, leg.rates(kinematics, own, known), strict=True))
        found, checks = _all_rates(problem, rates)
        forces = tuple(a + b for a, b in zip(kinematics.forces, kinematics.elastic, strict=True))
        watched = (*solver.checks, *(check for _, own in closed for check in own.checks), *checks)
        return cls(problem, found, solver, forces, watched, closed)

    @cached_property
    def speeds(self) -> Speeds:
        """Made where it is asked for: with many loops it is long."""
        return _speeds(self.problem, self.solver, self.legs)

    @cached_property
    def legged(self) -> _Start | None:
        """The same with the rates of legs as unknowns of their own, if there are legs."""
        found = closures(self.problem)
        with suppress(IdenticallyZero):
            return _Start.of(self.problem, found) if found else None
        return None

    @property
    def offset(self) -> tuple[Node, ...]:
        """The rates q' where all speeds v are zero."""
        kinematics = self.problem.kinematics
        inner = self.solver.solve([-row.rest for row in (*self.problem.speeds, *kinematics.constraints)])
        return tuple(inner.get(j, kinematics.graph.zero) for j in range(len(kinematics.inputs.rates)))

    def solution(self, rates: Sequence[Node], checks: Sequence[Check]) -> Solution:
        """The solution for given rates v'."""
        graph, speeds = self.problem.kinematics.graph, self.speeds
        numbers = (*range(speeds.count), *(k for leg in speeds.legs for k in leg.rates))
        known = dict(zip(numbers, rates, strict=True))
        accelerations = tuple(
            graph.add(still, *(weight * known[k] for k, weight in row.items()))
            for still, row in zip(speeds.still, speeds.rows, strict=True)
        )
        return self.solved(rates[: len(self.problem.speeds)], accelerations, checks)

    def solved(self, rates: Sequence[Node], accelerations: Sequence[Node], checks: Sequence[Check]) -> Solution:
        """The solution for given rates u' and q''."""
        mass: tuple[tuple[Node, ...], ...] = ()
        forcing: tuple[Node, ...] = ()
        if len(self.problem.speeds) <= MATRIX_LIMIT and not self.legs:
            count = len(self.problem.speeds)
            mass, forcing, _ = tree.reduced(self.problem.kinematics, self.speeds, self.forces, count)
        return Solution(
            rates=self.rates,
            speed_rates=tuple(rates),
            accelerations=tuple(accelerations),
            checks=(*self.checks, *checks),
            mass=mass,
            forcing=forcing,
        )

    def active(self, count: int) -> list[Node]:
        """The forces along the first speeds."""
        kinematics, rows = self.problem.kinematics, list(enumerate(self.speeds.rows))
        forces = [a + b for a, b in zip(kinematics.forces, kinematics.conservative, strict=True)]
        zero = kinematics.graph.zero
        return [zero.graph.add(zero, *(row[k] * forces[j] for j, row in rows if k in row)) for k in range(count)]

    @property
    def labels(self) -> list[str]:
        """The names of the speeds."""
        return [*(row.name for row in self.problem.speeds), *(row.name for row in self.problem.momenta)]


def _short(kinematics: Kinematics, speeds: Speeds) -> set[int]:
    """The speeds but those of long branches: bodies that hang, many of them, from one that carries several."""
    moved_by = [frozenset({*b.center.columns, *(b.frame.columns if b.frame else ())}) for b in kinematics.bodies]
    branches = [own for own in _branches(moved_by) if sum(own <= others for others in moved_by) >= LONG_BRANCH]
    kept = set()
    for k in range(speeds.count):
        coordinates = {j for j, row in enumerate(speeds.rows) if k in row}
        moved = [own for own in moved_by if own & coordinates]
        if not all(any(branch <= own for branch in branches) for own in moved):
            kept.add(k)
    return kept


def _branches(moved_by: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Where the tree of bodies parts: a body hangs from that which moves with most, but not all, of its coordinates."""
    different = list(dict.fromkeys(moved_by))
    carriers = {own: max((c for c in different if c < own), key=len, default=None) for own in different}
    siblings = Counter(carriers.values())
    return [own for own in different if siblings[carriers[own]] > 1]


def _along_tree(start: _Start, keep: tree.Keep, follow: Follow) -> Order:
    return lambda _: _tree(start, keep, follow)


def _recursive(start: _Start, follow: Follow) -> Order:
    return lambda _: _with_legs(start, follow)


def _with_legs(start: _Start, follow: Follow) -> Solution:
    """The recursive order, with the rates of legs as unknowns of their own where its result is the same and takes less."""
    plain = _tree(start, lambda _: False, follow)
    legged = start.legged
    if legged is None:
        return plain
    found = replace(_tree(legged, lambda _: False, follow), mass=plain.mass, forcing=plain.forcing)
    return found if _cost(found) < _cost(plain) and _agree(start.problem, found, plain) else plain


def _cost(solution: Solution) -> int:
    return foreseen([*solution.rates, *solution.speed_rates])


def _agree(problem: ReducedProblem, *solutions: Solution) -> bool:
    """Whether solutions are the same by meaning or, where that holds on the constraints only, by their values there."""
    inputs = problem.kinematics.inputs
    found = []
    for one in solutions:
        known: dict[Node, Node] = dict(zip(inputs.rates, one.rates, strict=True))
        found.append([*one.rates, *substitute([*one.speed_rates, *one.accelerations], known)])
    first, *others = found
    if all([node.fingerprint for node in nodes] == [node.fingerprint for node in first] for nodes in others):
        return True
    places = problem.kinematics.configurations
    if not places.on_constraints:
        return False
    draw, (number,) = np.random.default_rng(0), places.values[inputs.time].shape
    values: dict[Node, Vector | float] = {**problem.kinematics.given, **places.values}
    values |= {node: draw.normal(size=number) for node in (*problem.speed_inputs, *problem.momentum_inputs)}
    with suppress(np.linalg.LinAlgError):
        expected = evaluated(first)(values)
        scale = np.abs(expected).max(axis=1, keepdims=True)
        return all(bool((np.abs(evaluated(nodes)(values) - expected) <= SAME * scale).all()) for nodes in others)
    return False


def _tree(start: _Start, keep: tree.Keep, follow: Follow) -> Solution:
    solved = tree.solve(start.problem.kinematics, start.speeds, start.forces, keep, follow)
    return start.solution(solved.rates, _definite(start, solved.pivots))


def _shape(start: _Start) -> Solution | None:
    """The shape order, if it applies: what it finds must be what composite bodies give."""
    problem, found = start.problem, shape.Shape.of(start.problem)
    if found is None or not problem.speeds or len(problem.speeds) > MATRIX_LIMIT:
        return None
    inputs = problem.kinematics.inputs
    other = _tree(start, lambda _: True, Follow.LEAVES)
    known: dict[Node, Node] = dict(zip(inputs.rates, other.rates, strict=True))
    expected = [node.fingerprint for node in substitute(other.speed_rates, known)]
    for ignored in ([], [inputs.rates[j] for j in problem.ignorable]):
        speeds = (*problem.speed_inputs, *ignored)
        form = tree.reduced(problem.kinematics, start.speeds, start.forces, len(speeds))
        solved = shape.solve(problem, found, form, start.active(len(speeds)), speeds)
        rates = solved.rates[: len(problem.speeds)] if solved else ()
        checks = (*start.checks, *_definite(start, solved.pivots if solved else ()))
        if [node.fingerprint for node in substitute(rates, known)] == expected and _are_watched(rates, checks, start):
            graph = problem.kinematics.graph  # q'' is that of composite bodies, and so are its divisors
            unknown = [check for check in other.checks if check not in checks]
            more = [c for c in unknown if not _are_watched([graph.inverse(c.divisor)], checks, start)]
            return replace(other, speed_rates=rates, checks=(*checks, *more))
    return None


def _are_watched(nodes: Sequence[Node], checks: Sequence[Check], start: _Start) -> bool:
    """Whether all that is divided by below nodes is watched, but for parameters and what the forces of the spec divide by.

    What differs from a watched divisor by a factor of parameters vanishes with it.
    """
    graph, watched = start.problem.kinematics.graph, [check.divisor for check in checks]
    known = {*watched, *_divisors([*start.forces, *start.problem.kinematics.conservative])}
    factors = [n for n in topological([*nodes, *watched]) if n.is_parameter_only and not isinstance(n, Array)]
    meant = [w.fingerprint for w in watched if not isinstance(w, Array)]
    meant += [(-w).fingerprint for w in watched if not isinstance(w, Array)]
    unknown = [d for d in _divisors(nodes) if d not in known and not d.is_parameter_only]
    return all(any((d * factor).fingerprint in meant for factor in (graph.one, *factors)) for d in unknown)


def _divisors(nodes: Sequence[Node]) -> list[Node]:
    return [node.args[0] for node in topological(nodes) if isinstance(node, Inverse)]


def _definite(start: _Start, pivots: Sequence[tuple[int, Node]]) -> list[Check]:
    labels = start.labels
    named = [(labels[k] if k < len(labels) else "the whole", pivot) for k, pivot in pivots]
    return [Check.of(pivot, f"the inertia seen by {name} is not positive", positive=True) for name, pivot in named]


def _with_loops(start: _Start, follow: Follow) -> Order:
    return lambda _: _loops(start, follow)


def _loops(start: _Start, follow: Follow) -> Solution:
    accelerations, checks = loops.accelerations(start.problem, start.forces, follow)
    return start.solved(loops.speed_rates(start.problem, accelerations), accelerations, checks)


def _multipliers(start: _Start) -> Solution:
    found = directions(start.problem.kinematics, start.speeds)
    assert found is not None
    solved = MultiplierOrder(start.problem.kinematics, start.speeds, start.forces, found).solution()
    return start.solution(solved.rates, solved.divisors)


def _equations(
    problem: ReducedProblem, system: LinearSystem, legs: Sequence[Closure], spins: Sequence[Spin]
) -> list[Equation]:
    """The rows of speeds and constraints that determine the rates, or the second rates, of all but legs."""
    closed = {row.name for leg in legs for row in leg.rows}
    kept = [e for e in system.of(Law.SPEED, Law.CONSTRAINT) if e.law is Law.SPEED or e.name not in closed]
    rest = [row for leg in legs for row in leg.rest(problem.kinematics, spins)]
    second = system is problem.motion
    return kept + [Equation(Law.CONSTRAINT, row.name, row.columns, -(row.bias if second else row.rest)) for row in rest]


def _all_rates(problem: ReducedProblem, found: Mapping[int, Node]) -> tuple[tuple[Node, ...], list[Check]]:
    """q': those found, and those of the ignorable coordinates from the conserved momenta, Eq. (25)."""
    kinematics = problem.kinematics
    graph, inputs = kinematics.graph, kinematics.inputs
    rates = dict(found)
    names = [row.name for row in problem.momenta]
    matrix = [{i: mass_entry(kinematics, j, k) for i, k in enumerate(problem.ignorable)} for j in problem.ignorable]
    solver = BlockSolver(graph, matrix, names, [equation.origin for equation in problem.rates.of(Law.MOMENTUM)])
    known: dict[Node, Node] = {inputs.rates[j]: rates.get(j, graph.zero) for j in (*problem.ignorable, *rates)}
    others = substitute([row.value for row in problem.momenta], known)
    solved = solver.solve([g - value for g, value in zip(problem.momentum_inputs, others, strict=True)])
    rates |= dict(zip(problem.ignorable, solved, strict=True))
    return tuple(rates[j] for j in sorted(rates)), solver.checks


def _speeds(
    problem: ReducedProblem,
    solver: RateSolver,
    legs: Sequence[tuple[Closure, BlockSolver]],
) -> Speeds:
    """Q'' in the rates of the quasi-velocities and of the ignorable rates; those of legs are unknowns of their own."""
    graph = problem.kinematics.graph
    count = len(problem.speeds)
    closures = [leg for leg, _ in legs]
    equations = _equations(problem, problem.motion, closures, solver.spins)
    inner = solver.solve([equation.right for equation in equations])
    columns = [solver.sparse({k: graph.one}) for k in range(count)]
    rows: dict[int, dict[int, Node]] = {j: {count + i: graph.one} for i, j in enumerate(problem.ignorable)}
    still = dict.fromkeys(problem.ignorable, graph.zero)
    for j, node in inner.items():
        rows[j], still[j] = {}, node
    for k, column in enumerate(columns):
        for j, node in column.items():
            rows[j][k] = node
    number, found = count + len(problem.ignorable), list[Leg]()
    for closure, own in legs:
        found.append(closure.leg(number, own))
        for k, j in zip(found[-1].rates, closure.coordinates, strict=True):
            rows[j], still[j] = {k: graph.one}, graph.zero
        number = found[-1].values.stop
    ordered = sorted(rows)
    return Speeds(count + len(problem.ignorable), [rows[j] for j in ordered], [still[j] for j in ordered], tuple(found))
