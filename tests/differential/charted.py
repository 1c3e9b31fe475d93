"""Charts of a mechanism: they serve wherever it comes, there are no more than needed, and each gives the motion of the oracle.

Places are those that the compiler tries. Rows and masses there are taken from the values of speeds, constraints and the kinetic
energy, which are compared with the oracle elsewhere; volumes are roots of determinants.
"""

import numpy as np

from tests.differential.numbers import Mismatch, Numbers
from volterra_cg import derivation, passes
from volterra_cg.elimination import dense
from volterra_cg.elimination.assemble import assemble
from volterra_cg.formulations.charts import GOOD, MASSLESS, MOST, NEEDED, SINGULAR, units
from volterra_cg.kinematics.configurations import STRIDE, STRIDES, WALKS, walked
from volterra_cg.program.field import IdenticallyZero
from volterra_cg.program.interpret import interpret

CLOSE = 1e-6  # to a limit, where rounding decides
OFF = 1e-9  # a place whose gaps are smaller is on the constraints


def compare(own, problem):
    """The charts of a problem whose rates follow from quasi-velocities."""
    charts = derivation.charts(problem)
    on_the_way(problem.kinematics)
    where = Places(problem)
    enough(where, [where.chosen(chart) for chart in charts])
    for chart in charts[1:]:
        solved(own, chart)
    own.tally.add("charts", len(charts))


def on_the_way(kinematics):
    """Places are reached in small steps from the start, and the constraints hold there, where they hold at the start."""
    q = np.stack([walked(kinematics)[node] for node in kinematics.inputs.coordinates], axis=1).reshape(
        STRIDES, WALKS, -1
    )
    first = [kinematics.configurations.values[node][0] for node in kinematics.inputs.coordinates]
    steps = np.linalg.norm(np.diff(q, axis=0), axis=2)
    still = len(kinematics.inputs.coordinates) == len(kinematics.constraints)
    if (q[0] != first).any() or np.median(steps) > 2 * STRIDE or (not still and np.median(steps) < STRIDE / 2):
        raise Mismatch(
            "charts: wrong ways", f"steps are {np.median(steps)} long, the first place is {q[0]} for {first}"
        )
    gaps = [row.position for row in kinematics.rows if row.position is not None]
    for values in (walked(kinematics), kinematics.configurations.values):
        off = [np.abs(found).max() if np.ndim(found) else abs(found) for found in interpret(gaps, values)]
        if max(off, default=0.0) > OFF:
            raise Mismatch("charts: off the constraints", f"by {off}")


class Places:
    """Rows of length one in coordinates of unit mass, at all places, of shape (places, rows, coordinates)."""

    def __init__(self, problem):
        kinematics, self.problem = problem.kinematics, problem
        near, ways = kinematics.configurations.near, walked(kinematics)
        values = {n: np.concatenate([ways[n], v[:near]]) for n, v in kinematics.configurations.values.items()}
        known = {row.name for row in problem.speeds}
        moving = [j for j in range(len(kinematics.inputs.rates)) if j not in problem.ignorable]
        names = [f"der({kinematics.inputs.coordinates[j].name})" for j in moving]
        self.pool = [*(row.name for row in problem.speeds), *(name for name in names if name not in known)]
        rates = [kinematics.inputs.rates[j] for j, name in zip(moving, names, strict=True) if name not in known]
        momenta = [one.row.value for one in problem.integrals if one.value is not None]
        rows = [row.value for row in kinematics.rows]
        found = slopes([*(row.value for row in problem.speeds), *rates, *momenta, *rows], kinematics, values)
        mass = inertia(kinematics, values)
        good = np.isfinite(found).all(axis=(1, 2)) & np.isfinite(mass).all(axis=(1, 2))
        found = in_unit_mass(found[good], mass[good], mass)
        self.speeds, self.momenta, self.rows = np.split(found, np.cumsum([len(self.pool), len(momenta)]), axis=1)
        best = np.array([self.volume(self.best(k), [k])[0] for k in range(len(found))])
        self.speeds, self.momenta, self.rows, self.most = (
            part[best > SINGULAR] for part in (self.speeds, self.momenta, self.rows, best)
        )

    def chosen(self, chart):
        numbers = [row.number for row in self.problem.kinematics.rows]
        speeds = [self.pool.index(row.name) for row in chart.speeds]
        return speeds, [numbers.index(row.number) for row in chart.kinematics.constraints]

    def best(self, place):
        """The constraints, then the speeds that differ most from those before."""
        constraints, basis = picked(self.rows[place], len(self.problem.kinematics.constraints), [])
        for row in self.momenta[place]:
            basis = [*basis, unit(row, basis)]
        return picked(self.speeds[place], len(self.problem.speeds), basis)[0], constraints

    def volume(self, choice, places=slice(None)):
        speeds, constraints = choice
        found = [self.speeds[places][:, speeds], self.momenta[places], self.rows[places][:, constraints]]
        found = np.concatenate(found, axis=1)
        return np.sqrt(np.maximum(np.linalg.det(found @ found.swapaxes(1, 2)), 0.0))

    def served(self, choice):
        return self.volume(choice) / self.most


def slopes(nodes, kinematics, values):
    """By the rates, of what is affine in them."""
    return (
        np.stack([at_rates(nodes, kinematics, values, {j: 1.0}) for j in range(len(kinematics.inputs.rates))], axis=2)
        - (at_rates(nodes, kinematics, values, {})[:, :, np.newaxis])
    )


def inertia(kinematics, values):
    """The mass matrix, by differences of the kinetic energy, which is quadratic in the rates."""
    m, energy = len(kinematics.inputs.rates), [kinematics.kinetic]

    def of(*moving):
        return at_rates(energy, kinematics, values, dict.fromkeys(moving, 1.0))[:, 0]

    still, one = of(), [of(j) for j in range(m)]
    twice = [at_rates(energy, kinematics, values, {j: 2.0})[:, 0] for j in range(m)]
    pairs = [
        [twice[j] - 2 * one[j] + still if j == k else of(j, k) - one[j] - one[k] + still for k in range(m)]
        for j in range(m)
    ]
    return np.array(pairs).transpose(2, 0, 1)


def at_rates(nodes, kinematics, values, moving):
    """Values of shape (places, nodes)."""
    count = len(next(iter(values.values())))
    rates = {node: np.full(count, moving.get(j, 0.0)) for j, node in enumerate(kinematics.inputs.rates)}
    with np.errstate(all="ignore"):
        return np.stack([np.broadcast_to(v, count) for v in interpret(list(nodes), values | rates)], axis=1)


def in_unit_mass(rows, mass, every):
    """Rows a as a L^-T with M = L L^T, of length one; masses have their sizes at every place, and a part of these is added."""
    lower = np.linalg.cholesky(mass + (MASSLESS + 1e-13) * np.diag(sizes_of(every)))
    found = np.linalg.solve(lower, rows.swapaxes(1, 2)).swapaxes(1, 2)
    return found / np.maximum(np.linalg.norm(found, axis=2, keepdims=True), 1e-300)


def unit(row, basis):
    for other in basis:
        row = row - (row @ other) * other
    return row / max(np.linalg.norm(row), 1e-300)


def picked(rows, count, basis):
    """One after the other the row that differs most from the basis, and goes into it."""
    numbers, left = [], np.array(rows)
    for other in basis:
        left = left - np.outer(left @ other, other)
    for _ in range(count):
        sizes = np.round(np.linalg.norm(left, axis=1), 9)
        number = max((n for n in range(len(rows)) if n not in numbers), key=lambda n: (sizes[n], -n))
        other = left[number] / max(np.linalg.norm(left[number]), 1e-300)
        left = left - np.outer(left @ other, other)
        numbers, basis = [*numbers, number], [*basis, other]
    return numbers, basis


def enough(where, charts):
    """No more than one where it serves; else until all places are served, or no choice that is best somewhere helps."""
    if not len(where.most):
        return
    served = [where.served(choice) for choice in charts]
    least = served[0].min()
    if abs(least - NEEDED) < CLOSE:
        return
    if (least < NEEDED) != (len(charts) > 1):
        raise Mismatch(
            "charts: wrong number", f"{len(charts)} charts, the first has {least} of the best volume somewhere"
        )
    covered = np.max(served, axis=0)
    if any(part.max() < 1.0 - CLOSE for part in served[1:]):
        raise Mismatch("charts: nowhere the best", f"{[part.max() for part in served]} of the best volumes")
    for number in range(2, len(charts)):
        if np.max(served[:number], axis=0).min() > GOOD + CLOSE:
            raise Mismatch("charts: too many", f"{len(charts)} charts, {number} would do")
    if len(charts) in (1, MOST) or covered.min() > GOOD - CLOSE:
        return
    for place in np.flatnonzero(covered < GOOD - CLOSE):
        better = np.maximum(covered, where.served(where.best(place))).min()
        if better > covered.min() + CLOSE:
            raise Mismatch("charts: too few", f"{covered.min()} of the best volume, with one more {better}")


def solved(own, chart):
    """The equations in another chart, and the rows that tell how regular it is."""
    try:
        solution = dense.solve(chart)
    except IdenticallyZero as error:
        raise Mismatch("charts: a singular one", repr(error)) from error
    assembly = assemble(chart, solution, own.system.work, charted=True)
    program = passes.optimise_best({"dense": assembly.program}, 0, ()).program
    for state in own.states:
        numbers = Numbers(own, chart, assembly, program, state, f"chart of {[row.name for row in chart.speeds]}")
        numbers.compare(False)
        framed(own, numbers, chart)


def framed(own, numbers, chart):
    """[Y; M'; a], each column in a unit of about the root of its mass; along the unit quaternions."""
    found, kinematics = numbers.found, chart.kinematics
    rows = [row.a for row in numbers.speeds.values()]
    rows += [found.momentum_rows[own.names.index(name)] for name in numbers.embedded]
    rows = np.array([*rows, *(found.constraints[row.name].a for row in kinematics.constraints)])
    near = {n: v[: kinematics.configurations.near] for n, v in kinematics.configurations.values.items()}
    sizes = sizes_of(inertia(kinematics, near))
    scale = np.array(units(kinematics), dtype=float)
    if not ((scale**2 * sizes > 0.49) & (scale**2 * sizes < 2.01)).all():
        raise Mismatch("charts: wrong units", f"{scale} for masses of {sizes}")
    ours = numbers.entry("frame", numbers.with_rates()).reshape(rows.shape) / scale
    numbers.close("frames of charts", ours @ numbers.tangent(), rows @ numbers.tangent(), abs(rows).max())


def sizes_of(mass):
    """The largest inertia of each coordinate at some places; that of others where it has none."""
    own = np.abs(np.einsum("pjj->pj", np.nan_to_num(mass, posinf=0.0))).max(axis=0)
    return np.where(own > 0, own, own.max() or 1.0)
