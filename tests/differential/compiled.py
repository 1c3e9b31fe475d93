"""Compiled models beside the oracle: functions, runs against SciPy, lanes against single runs, linearisation."""

import random
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

from tests.differential.compare import CLASSICAL, plain, states
from tests.differential.flow import Flow
from tests.differential.numbers import Mismatch, condition_of, has_quaternions
from tests.differential.oracle import Mechanism
from tests.differential.specs import toml
from volterra_cg import driver
from volterra_cg.build.cache import Cache
from volterra_cg.errors import IntegrationError, SpecError
from volterra_cg.options import REDUCED, Options

SPAN = 0.25
CLOSE = 1e-10  # of functions, times the condition
NEAR = 1e-6  # of runs with rtol 1e-10
LANES = 1e-8  # between lanes and single runs of the same tolerances
NEARLY_SINGULAR = 1e4


class Compiled:
    """One mechanism, built once by one formulation."""

    def __init__(self, case, seed, tally, plan=None):
        rnd = random.Random(f"compiled {seed}")
        smooth = {key: given for key, given in case.spec.items() if key != "events"}  # those have tests of their own
        self.case, self.seed, self.tally = replace(case, spec=smooth), seed, tally
        self.mechanism = Mechanism(self.case.whole)
        level = 3 if len(self.mechanism.names) <= 4 else 1
        drawn = rnd.choice(CLASSICAL) if rnd.random() < 0.4 else REDUCED
        self.formulation, _, self.level = (plan or [(drawn, "auto", level)])[0]
        self.where = f"{self.formulation}, compiled, level {self.level}"

    def run(self):
        """Build and compare; a mismatch is raised."""
        places = [s for s in states(self.mechanism, self.seed) if s.t == 0.0]
        if not places:
            self.tally.add("left out", "no well conditioned state")
            return
        self.state = places[0]
        try:
            with tempfile.TemporaryDirectory() as folder:
                self.model = self.built(Path(folder))
                self.compare()
        except SpecError as error:
            if "does not apply" not in str(error):
                raise self.mismatch(f"refused: {plain(error)}", str(error)) from error
            self.tally.add("refusals", f"compiled: {plain(error)}")
            return
        except Mismatch as mismatch:
            mismatch.plan = (self.formulation, "auto", self.level)
            raise
        except Exception as error:
            raise self.mismatch(f"{type(error).__name__}: {plain(error)}", repr(error)) from error
        self.tally.mechanisms += 1
        self.tally.add("compiled formulation", self.formulation)

    def mismatch(self, kind, text):
        found = Mismatch(kind, f"{self.where}: {text}")
        found.plan = (self.formulation, "auto", self.level)
        return found

    def built(self, folder):
        path = folder / "mechanism.toml"
        path.write_text(toml(self.case.spec))
        for name, part in self.case.parts.items():
            (folder / name).write_text(toml(part))
        options = Options(self.formulation, optimise=self.level, jacobian=True)
        return driver.model(path, options, Cache(folder / "cache"))

    def close(self, quantity, ours, theirs, tolerance, scale=0.0):
        ours, theirs = np.atleast_1d(np.asarray(ours, dtype=float)), np.atleast_1d(np.asarray(theirs, dtype=float))
        if not theirs.size:
            return
        error = float(abs(ours - theirs).max() / max(abs(theirs).max(), scale, 1e-2) / tolerance)
        self.tally.add("quantity", f"compiled: {quantity}")
        name = f"compiled: {quantity}, in tolerances"
        self.tally.worst[name] = max(self.tally.worst.get(name, 0.0), error)
        if not error <= 1:
            raise self.mismatch(f"wrong {quantity}", f"{quantity} is {ours}, not {theirs}")

    def compare(self):
        state, model = self.state, self.model
        speeds, embedded = list(model.quasi_velocities), list(model.report["embedded"])
        self.flow = Flow(self.mechanism, speeds, embedded, list(model.report["constraints"]), model.report["work"])
        found = self.flow.start(state.q, state.rates, 0.0, state.parameters, state.signals)
        count = len(state.q) + len(speeds)
        self.dropped = model.report["dropped_quasi_velocities"]
        self.u, self.g = found[len(state.q) : count], found[count + self.flow.work :]
        if self.condition(state.q, state.rates, 0.0) > NEARLY_SINGULAR:
            self.tally.add("left out", "compiled: badly conditioned speeds")
            return
        start = model.start(q=state.q, qd=state.rates, signals=state.signals)
        tolerance = CLOSE * max(1.0, state.found.condition)
        given = (state.q, self.u, self.g, 0.0, state.parameters, state.signals)
        self.close("rhs", start.rhs(0.0, start.z0), self.flow.rhs(*given), tolerance)
        self.close("q''", start.accelerations(0.0, start.z0), state.found.q2, tolerance)
        energies = start.energies(0.0, start.z0)
        self.close(
            "energies",
            [energies["kinetic"], energies["potential"]],
            [state.found.kinetic, state.found.potential],
            CLOSE,
        )
        outputs, force = start.outputs(0.0, start.z0), abs(state.found.momentum_rows).max() * abs(state.found.q2).max()
        for name, expected in state.found.outputs.items():
            if "reaction(unit" not in str(self.mechanism.spec["outputs"][name]):
                self.close("outputs", outputs[name], expected, tolerance, force)
        if not has_quaternions(self.mechanism.spec):
            self.linearised(start, tolerance)
        self.simulated(start)

    def condition(self, q, rates, t):
        """Of the rows that determine the rates, and of the equations of motion."""
        place = self.mechanism.at(q, rates, t, self.state.parameters, self.state.signals)
        try:
            found = place.found()
        except np.linalg.LinAlgError:
            return np.inf
        return max(found.condition, condition_of(self.rows(place, found, self.flow.speeds)))

    def rows(self, place, found, speeds):
        """Those that determine the rates."""
        rows = [row.a for row in place.speeds(speeds).values()]
        rows += [found.momentum_rows[self.mechanism.names.index(name)] for name in self.flow.embedded]
        kept = [found.constraints[name].a for name in self.flow.constraints]
        return rows if len(rows) == len(self.mechanism.names) else [*rows, *kept]

    def linearised(self, start, tolerance):
        """A of independent deviations: the oracle's Jacobian along the tangents of the constraints."""
        state, near = self.state, start.linearise(0.0, start.z0)
        given = {"q": state.q, "u": self.u, "g": self.g, "parameters": state.parameters, "signals": state.signals}
        by = self.flow.slopes(self.flow.rhs, 0.0, **given)
        work = [np.zeros((len(by["q"]), 1))] * self.flow.work
        free = [self.model.states.index(name) for name in near.states]
        scale = abs(state.found.q2).max()
        self.close("linearise A", near.A, (np.hstack([by["q"], by["u"], *work]) @ near.basis)[free], tolerance, scale)
        self.close("linearise B", near.B, by["signals"][free], tolerance, scale)
        rows = [row.a for row in state.found.constraints.values() if row.gap is not None]
        if rows and near.basis.size:
            along = np.array(rows) @ near.basis[: len(state.q)]
            self.close("tangents", along, np.zeros_like(along), tolerance, 1.0)

    def simulated(self, start):
        """A run beside SciPy's DOP853 on the oracle's q'', its invariants, and the same in lanes."""
        state, m = self.state, len(self.state.q)
        options = {"rtol": 1e-10, "atol": 1e-11, "dt": SPAN / 2}
        try:
            run = start.simulate(SPAN, **options)
        except IntegrationError as error:
            self.excused(error)
            return

        def motion(t, y):
            place = self.mechanism.at(y[:m], y[m:], t, state.parameters, state.signals)
            return np.concatenate([y[m:], place.found().q2])

        y0 = np.concatenate([state.q, state.rates])
        other = solve_ivp(motion, (0.0, SPAN), y0, "DOP853", rtol=1e-9, atol=1e-10)
        self.close("simulate", run.q[-1], other.y[:m, -1], NEAR, 1.0)
        for name, drift in run.drift().items():
            self.close(
                "drift", drift, np.zeros_like(drift), NEAR, 1 + abs(state.found.kinetic) + abs(state.found.potential)
            )
            self.tally.add("invariant", name.split()[0])
        rows = np.tile(state.q, (3, 1)), np.tile(state.rates, (3, 1))
        many = self.model.simulate_many(SPAN, q=rows[0], qd=rows[1], signals=state.signals, workers=1, **options)
        for i in range(3):
            self.close("lanes", many.z[i], run.z, LANES, 1.0)

    def excused(self, error):
        """A run may end early only where the oracle finds a singular place too."""
        z = error.run.z[-1]
        q, u = z[: len(self.state.q)], z[len(self.state.q) : len(self.state.q) + len(self.u)]
        try:
            rates = self.flow.rates(q, u, self.g, error.time, self.state.parameters, self.state.signals)
            grown = abs(rates).max() / (1 + abs(self.state.rates).max())
            condition = max(grown, self.condition(q, rates, error.time), self.collapse(q, rates, error.time))
        except np.linalg.LinAlgError:
            condition = np.inf
        if condition < NEARLY_SINGULAR:
            raise error
        self.tally.add("left out", "compiled: runs into a singular place")

    def collapse(self, q, rates, t):
        """How badly the quasi-velocities of the spec determine the rates, or a row has become shorter since the start."""
        given = [name for name in self.mechanism.spec.get("quasi_velocities", {}) if name not in self.dropped]
        worst = 1.0
        for speeds in (self.flow.speeds, given):
            ends = []
            for at in ((self.state.q, self.state.rates, 0.0), (q, rates, t)):
                place = self.mechanism.at(*at, self.state.parameters, self.state.signals)
                ends.append(self.rows(place, place.found(), speeds))
            then, now = (np.linalg.norm(rows, axis=1) for rows in ends)
            worst = max(worst, (then / np.maximum(now, 1e-30)).max())
            worst = max(worst, condition_of(ends[1])) if len(now) == len(q) else worst
        return worst
