"""The shape order, for a mechanism without constraints whose mass matrix depends on its shape alone.

| letter      | meaning                                                                               |
|-------------|---------------------------------------------------------------------------------------|
| v = [ω, γ'] | the quasi-velocities: the spin of a free body in its own axes, and rates of coordinates, its shape |
| M(γ)        | M_NI over v                                                                           |
| h = M v     | momenta; h_ω is the angular momentum about the center of mass, in the axes of the body |
| d_j         | (dM/dγ_j) v, from which all derivatives of M follow                                    |

    h_ω' = τ - ω × h_ω,  h_γ' = Q + d(v^T M v / 2)/dγ:   M v' = F - ω × h_ω + [0, v · d_j / 2] - Σ_j γ_j' d_j

v may also hold the rates of the ignorable coordinates, with M over all of them: their momenta have no derivative. No acceleration
of a body is formed. Whether this holds for a mechanism is decided by the meaning of the result, which must be that of another
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from volterra_cg.elimination.quadratic_form import Eliminated, Form
from volterra_cg.elimination.tree import Reduced
from volterra_cg.formulations.problem import ReducedProblem
from volterra_cg.kinematics.axes import cross
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.graph import split
from volterra_cg.program.nodes import Inverse, Node, topological
from volterra_cg.program.rewrite import substitute


@dataclass(frozen=True)
class Shape:
    """Which quasi-velocities are the spin of the free body, if there is one, and which are rates of which coordinates."""

    spins: tuple[int, ...]
    rates: Mapping[int, int]

    @classmethod
    def of(cls, problem: ReducedProblem) -> Shape | None:
        """The free body and the shape, if the quasi-velocities are of this kind."""
        if problem.kinematics.constraints:
            return None
        places = {row.value.fingerprint: k for k, row in enumerate(problem.speeds)}
        rates = {
            k: j
            for k, row in enumerate(problem.speeds)
            for j in row.columns
            if row.value is problem.kinematics.inputs.rates[j]
        }
        if len(rates) == len(problem.speeds):
            return cls((), rates)
        for body in problem.kinematics.bodies:
            found = [places.get(c.fingerprint) for c in body.frame.spin] if body.frame else [None]
            spins = [k for k in found if k is not None and k not in rates]
            if len(spins) == 3 and len(spins) + len(rates) == len(problem.speeds):
                return cls(tuple(spins), rates)
        return None


@dataclass(frozen=True)
class ShapeSolution:
    """The rates of the quasi-velocities and the pivots."""

    rates: tuple[Node, ...]
    pivots: tuple[tuple[int, Node], ...]


def solve(
    problem: ReducedProblem, shape: Shape, reduced: Reduced, forces: Sequence[Node], v: Sequence[Node]
) -> ShapeSolution | None:
    """The rates of v from the derivatives of the momenta; None if the mass matrix depends on more than the shape.

    What it divides by must not depend on more either: only then does it vanish nowhere else.
    """
    graph, inputs = problem.kinematics.graph, problem.kinematics.inputs
    count = len(v)
    kept = set(shape.rates.values())
    fixed: dict[Node, Node] = {q: graph.zero for j, q in enumerate(inputs.coordinates) if j not in kept}
    entries = [reduced.mass[i][k] for i in range(count) for k in range(i + 1)]
    entries += [pivot for _, pivot in reduced.pivots]
    plain = substitute(entries, fixed)
    watched = _divisors(entries) | {split(pivot)[1] for pivot in plain[len(plain) - len(reduced.pivots) :]}
    same = all(a.fingerprint == b.fingerprint for a, b in zip(entries, plain, strict=True))
    if not same or not _divisors(plain) <= watched:
        return None
    form = Form(graph)
    lower = iter(plain)
    for i in range(count):
        for k in range(i + 1):
            form.add(i, k, next(lower))
    matrix = [[form.entry(i, k) for k in range(count)] for i in range(count)]
    for k, force in enumerate(forces):
        form.add_linear(k, -force)
    if shape.spins:
        x, y, z = shape.spins
        spin, momentum = ((v[x], v[y], v[z]), tuple(graph.dot(matrix[k], v) for k in shape.spins))
        for k, turn in zip(shape.spins, cross(spin, (momentum[0], momentum[1], momentum[2])), strict=True):
            form.add_linear(k, turn)
    half = graph.const(Fraction(1, 2))
    for own, j in shape.rates.items():
        slope = Derivative({inputs.coordinates[j]: graph.one})
        change = [graph.dot(slope.all(row), v) for row in matrix]
        form.add_linear(own, -(half * graph.dot(change, v)))
        for k in range(count):
            form.add_linear(k, v[own] * change[k])
    gone = zip((unknown for unknown, _ in reduced.pivots), lower, strict=True)
    return _minimum(form, count, tuple(gone))


def _divisors(nodes: Sequence[Node]) -> set[Node | None]:
    """What is divided by below nodes."""
    return {node.args[0] for node in topological(nodes) if isinstance(node, Inverse)}


def _minimum(form: Form, count: int, gone: tuple[tuple[int, Node], ...]) -> ShapeSolution:
    """The least coupled unknown first, the last of equals."""
    records: list[Eliminated] = []
    left = list(range(count))
    while left:
        k = min(left, key=lambda k: (not form.entry(k, k).is_parameter_only, form.degree(k), -k))
        records.append(form.eliminate(k))
        left.remove(k)
    values: dict[int, Node] = {}
    for record in reversed(records):
        terms = [weight * values[other] for other, weight in record.weights]
        values[record.unknown] = -record.constant.graph.add(record.constant, *terms)
    pivots = (*gone, *((record.unknown, record.pivot) for record in records))
    return ShapeSolution(tuple(values[k] for k in range(count)), pivots)
