"""rhs in doubles beside rhs with 50 digits: the program that is compiled, and the plain one that it was made of."""

import itertools
import random

import mpmath
import numpy as np

from tests.trust.apart import short
from tests.trust.models import ROOT, paths
from tests.trust.progress import PROGRESS
from tests.trust.tally import Tally

DIGITS = 50
TOLERANCE = 1e-12  # relative, times the condition
NUDGE = mpmath.mpf(2) ** -84  # relative change of the inputs by which the condition is measured
STATES = 3


class Pair:
    """A model in one formulation: its optimised program in doubles, and both programs with many digits."""

    def __init__(self, system, formulation):
        from volterra_cg import derivation, search
        from volterra_cg.elimination import classical, dense
        from volterra_cg.elimination.assemble import assemble
        from volterra_cg.formulations.problem import ClassicalProblem
        from volterra_cg.options import Options

        options = Options(formulation=formulation)
        self.problem = derivation.pose(system, options)
        solve = classical.solve if isinstance(self.problem, ClassicalProblem) else dense.solve
        self.plain = assemble(self.problem, solve(self.problem), system.work).program
        found = search.cheapest(self.problem, derivation.solved(self.problem, system, options), 3, system.work)
        self.best = found.assembly.program
        self.parameters = [float(p.value) for p in system.parameters if not p.fixed]
        self.signals = [float(signal.value) for signal in system.signals]

    def values(self, program, name, known, digits=None):
        from volterra_cg.program.interpret import Digits, interpret

        return interpret(program.entry(name).results, known, Digits(digits) if digits else None)

    def state(self, dice):
        """Numbers of many digits for all inputs of rhs, near the start of the spec, on its constraints."""
        from volterra_cg.elimination.assemble import work_input

        inputs = self.problem.kinematics.inputs
        known = dict(zip(inputs.parameters, self.parameters, strict=True)) | {inputs.time: dice.uniform(0, 1)}
        known |= dict(zip(inputs.signals, self.signals, strict=True))
        count = len(inputs.coordinates)
        start = np.array(self.values(self.plain, "initial", known), dtype=float) + dice.normal(size=2 * count) * 0.1
        known |= self.placed(dict(zip(inputs.coordinates, map(mpmath.mpf, start[:count]), strict=True)), known)
        first = self.values(self.plain, "start", known | dict(zip(inputs.rates, start[count:], strict=True)), DIGITS)
        states = len(self.plain.entry("rhs").results)
        known |= dict(zip(self.problem.speed_inputs, first[count:states], strict=False))
        known |= dict(zip(self.problem.momentum_inputs, first[states:], strict=True))
        return {node: mpmath.mpf(value) for node, value in (known | {work_input(self.problem): 0.0}).items()}

    def placed(self, q, known):
        """The coordinates moved onto the constraints, off which the programs need not be equal."""
        if not any(entry.name == "gaps" for entry in self.plain.entries):
            return q
        for _ in range(8):
            found = [mpmath.mpf(value) for value in self.values(self.plain, "gaps", known | q, DIGITS)]
            rows = len(found) // (1 + len(q))
            slopes = mpmath.matrix(rows, len(q))
            for place, slope in enumerate(found[rows:]):
                slopes[place // len(q), place % len(q)] = slope
            step = slopes.T * mpmath.lu_solve(slopes * slopes.T, mpmath.matrix(found[:rows]))
            q = {node: value - step[i] for i, (node, value) in enumerate(q.items())}
        return q

    def compared(self, dice):
        """The error over what the condition allows, and by how much the two programs differ with many digits."""
        with mpmath.workdps(DIGITS):
            known = self.state(dice)
            ours = self.values(self.best, "rhs", {node: float(value) for node, value in known.items()})
            nudged = {node: value * (1 + NUDGE * int(dice.choice((-1, 1)))) for node, value in known.items()}
            exact = self.values(self.plain, "rhs", known, DIGITS)
            size = max(abs(mpmath.mpf(value)) for value in exact) or 1

            def gap(values):
                return max(abs(mpmath.mpf(a) - mpmath.mpf(b)) for a, b in zip(exact, values, strict=True)) / size

            condition = max(1, gap(self.values(self.plain, "rhs", nudged, DIGITS)) / NUDGE)
            return tuple(
                float(gap(found) / condition)
                for found in (map(float, ours), self.values(self.best, "rhs", known, DIGITS))
            )


def precision(seed, count):
    """The row of digits: `count` pairs of a model and a formulation."""
    from volterra_cg.errors import ModelError
    from volterra_cg.options import FORMULATIONS
    from volterra_cg.spec import read
    from volterra_cg.system.from_spec import from_spec

    tally, worst = Tally(), 0.0
    pairs = [*itertools.islice(itertools.product(paths(), FORMULATIONS), count)]
    for number, (path, formulation) in enumerate(pairs):
        PROGRESS.told(number, len(pairs), len(tally.failures))
        try:
            pair = Pair(from_spec(read(path, [ROOT])), formulation)
        except ModelError:
            tally.add("formulations that do not apply")
            continue
        dice = np.random.default_rng(random.Random(f"{seed} {path.stem} {formulation}").randrange(2**32))
        try:
            errors = [pair.compared(dice) for _ in range(STATES)]
        except (ZeroDivisionError, np.linalg.LinAlgError) as error:
            tally.fail(f"{path.stem}, {formulation}: {short(error)}")
            continue
        error, apart = (max(values) for values in zip(*errors, strict=True))
        worst = max(worst, error)
        if not (error <= TOLERANCE and apart <= 1e-30):
            tally.fail(f"{path.stem}, {formulation}: {error:.1e} times the condition, programs apart by {apart:.1e}")
        else:
            tally.add("within 1e-12 times the condition")
    tally.outcomes[f"worst {worst:.0e}"] = 0
    return tally
