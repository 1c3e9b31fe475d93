"""One program of the compiler, interpreted at one state, beside what the oracle finds there."""

import re

import numpy as np

from tests.differential.flow import STEP, Flow
from volterra_cg.elimination.assemble import work_input
from volterra_cg.elimination.orders import MATRIX_LIMIT
from volterra_cg.elimination.reactions import acceleration_inputs
from volterra_cg.formulations.speeds import choose_all
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Array, Const, Factored, Inverse, topological

TOLERANCE = 1e-10  # relative, for a well conditioned state; times the condition of what was solved
WORST = 1e6  # condition beyond which a state is left out
INVERT_MASS = (
    "lagrange",
    "udwadia-kalaba",
    "routh",
)  # where constraints make up for a singular mass matrix, these fail
WORK = 0.37  # the state of that name


class Mismatch(AssertionError):  # noqa: N818
    """A quantity that differs, or an error where there should be none.

    `kind` stays the same while a case is shrunk; `plan` is the formulation, the elimination order and the level.
    """

    plan = None

    def __init__(self, kind, message):
        self.kind = kind
        super().__init__(message)


class Numbers:
    """One program at one state."""

    def __init__(self, comparison, problem, assembly, program, state, where):
        self.own, self.problem, self.assembly, self.program = comparison, problem, assembly, program
        self.state, self.where, self.names = state, where, comparison.names
        self.found = state.found
        self.m = len(self.names)
        inputs = problem.kinematics.inputs
        given = {node: state.parameters[node.name] for node in inputs.parameters}
        given |= {node: state.signals[node.name] for node in inputs.signals}
        self.given = given | {inputs.time: state.t}
        place = comparison.mechanism.at(state.q, state.rates, state.t, state.parameters, state.signals)
        self.speeds = place.speeds([row.name for row in problem.speeds])
        embedded = [self.names[j] for j in problem.ignorable] if problem.momentum_inputs else []
        self.embedded = embedded
        self.u = np.array([row.value for row in self.speeds.values()])
        self.du = np.array([row.a @ self.found.q2 + row.bias for row in self.speeds.values()])
        self.g = np.array([self.found.momenta[name] for name in embedded])
        kept = [row.name for row in problem.kinematics.constraints]
        self.flow = Flow(comparison.mechanism, list(self.speeds), embedded, kept, comparison.system.work)
        self.condition = max(self.found.condition, self.kinematic_condition())

    def kinematic_condition(self):
        """Of [Y; M'; a]; infinite where a constraint holds nothing, as a blade does that lies across its motion."""
        kept = [self.found.constraints[row.name].a for row in self.problem.kinematics.constraints]
        if any(abs(a).max() < 1e-6 for a in kept):
            return np.inf
        rows = [row.a for row in self.speeds.values()] + [
            self.found.momentum_rows[self.names.index(name)] for name in self.embedded
        ]
        worst = condition_of(rows if len(rows) == self.m else [*rows, *kept])
        if self.problem.formulation in INVERT_MASS:
            mass = self.found.momentum_rows
            size = np.sqrt(np.maximum(np.diag(mass), 1e-12))
            worst = max(worst, float(np.linalg.cond(mass / np.outer(size, size))))
        if self.problem.formulation == "maggi":  # its states are the rates, but it goes through p quasi-velocities
            names = [row.name for row in choose_all(self.problem.kinematics, self.problem.ignorable).kept]
            speeds = self.own.mechanism.at(self.state.q, self.state.rates, self.state.t, self.state.parameters).speeds(
                names
            )
            worst = max(worst, condition_of([*(row.a for row in speeds.values()), *kept]))
        return worst

    def known(self):
        inputs, problem, state = self.problem.kinematics.inputs, self.problem, self.state
        known = self.given | dict(zip(inputs.coordinates, state.q, strict=True))
        known |= dict(zip(problem.speed_inputs, self.u, strict=True))
        known |= dict(zip(problem.momentum_inputs, self.g, strict=True))
        return known | {work_input(problem): WORK}

    def with_rates(self):
        inputs = self.problem.kinematics.inputs
        known = self.known() | dict(zip(inputs.rates, self.state.rates, strict=True))
        return known | dict(zip(acceleration_inputs(self.problem.kinematics), self.found.q2, strict=True))

    def entry(self, name, known):
        return np.array(interpret(list(self.program.entry(name).results), known), dtype=float)

    def close(self, quantity, ours, theirs, scale=0.0, solved=False):
        """Relative in the largest entry; times the condition where something was solved."""
        ours, theirs = np.atleast_1d(np.asarray(ours, dtype=float)), np.atleast_1d(np.asarray(theirs, dtype=float))
        if ours.shape != theirs.shape:
            raise Mismatch(f"wrong {quantity}", f"{self.where}: {quantity} has shape {ours.shape}, not {theirs.shape}")
        if not ours.size:
            return
        size = max(abs(theirs).max(), scale, 1e-2)
        error = float(abs(ours - theirs).max() / size / (max(1.0, self.condition) if solved else 1.0))
        self.own.tally.add("quantity", quantity)
        self.own.tally.worst[quantity] = max(self.own.tally.worst.get(quantity, 0.0), error)
        if not error <= TOLERANCE:
            text = (
                f"{self.where}: {quantity} is {ours}, the oracle says {theirs} (t = {self.state.t}, q = {self.state.q})"
            )
            raise Mismatch(f"wrong {quantity}", text)

    def compare(self, derivatives):
        if self.condition > WORST:
            self.own.tally.add("left out", "states of badly conditioned speeds")
            return
        found, state, m = self.found, self.state, self.m
        q, rates = self.own.mechanism.initial(state.parameters)
        self.close("start values", self.entry("initial", self.given), np.concatenate([q, rates]))
        began = self.entry("start", self.with_rates())
        work = [0.0] * self.own.system.work
        self.close("u and momenta at the start", began, np.concatenate([state.q, self.u, work, self.g]))
        ours = self.entry("rhs", self.known())
        force = abs(found.q2).max()
        self.close("q'", ours[:m], state.rates, solved=True)
        self.close("u'", ours[m : m + len(self.du)], self.du, force, solved=True)
        if work:
            self.close("power", ours[-1], found.power, force, solved=True)
        ours = self.entry("motion", self.known())
        self.close("q' of motion", ours[:m], state.rates, solved=True)
        self.close("q''", ours[m:], found.q2, solved=True)
        self.headed()
        self.measured()
        self.watched()
        self.matrices()
        self.gaps()
        self.invariants()
        self.changes()
        if derivatives:
            self.derivatives()

    def headed(self):
        """Headings that speak of rates, or of accelerations, stand above them."""
        for section in self.assembly.program.entry("rhs").sections:
            heading = re.match(r"q_?I?'(?!')|u'|q_?N?''", section.title)
            if heading:
                expected = self.state.rates if heading[0] in ("q'", "q_I'") else self.du
                ours = interpret(list(section.nodes), self.known())
                self.close(f"what is headed {heading[0]}", ours, expected, abs(self.found.q2).max(), solved=True)

    def measured(self):
        found, values = self.found, self.entry("measure", self.with_rates())
        values = np.concatenate([np.zeros(2 * self.m), values])
        slots = {slot.name: slot for slot in self.assembly.slots}
        ends = np.cumsum([slot.size for slot in self.assembly.slots])
        if [slot.offset for slot in self.assembly.slots] != [0, *ends[:-1]] or ends[-1] != len(values):
            raise Mismatch("wrong outputs", f"{self.where}: they do not lie one after the other: {self.assembly.slots}")
        users = [slot.name for slot in self.assembly.slots if slot.user]
        if users != [name for table in ("outputs", "events") for name in self.own.mechanism.spec.get(table, {})]:
            raise Mismatch("wrong outputs", f"{self.where}: the outputs are {users}")

        def of(name):
            return values[slots[name].offset : slots[name].offset + slots[name].size]

        self.close("kinetic energy", of("kinetic_energy"), found.kinetic)
        self.close("potential energy", of("potential_energy"), found.potential, found.kinetic)
        self.close("momenta", of("momenta"), [found.momenta[name] for name in slots["momenta"].labels])
        rows = found.constraints
        self.close(
            "constraint residuals", of("constraints"), [rows[name].value for name in slots["constraints"].labels]
        )
        self.close("position residuals", of("positions"), [rows[name].gap for name in slots["positions"].labels])
        for name in rows.keys() - set(slots["constraints"].labels):
            self.close("rows left out", [*rows[name].a, rows[name].value], np.zeros(self.m + 1))
        if "jacobian" in slots:
            kept = [rows[name] for name in slots["constraints"].labels]
            tangent, slopes = self.tangent(), of("jacobian").reshape(len(kept), self.m)
            self.close("rows", slopes @ tangent, np.array([r.a for r in kept]).reshape(-1, self.m) @ tangent)
            self.close("drifts", of("drift"), [row.rest for row in kept])
        if "energy" in slots:
            stored = WORK if self.own.system.work else 0.0
            self.close("energy", of("energy"), found.kinetic + found.potential - stored)
        force = max([abs(found.q2).max() * abs(found.momentum_rows).max(), *map(abs, found.multipliers.values())])
        for name, expected in found.outputs.items():
            text = self.own.mechanism.spec["outputs"][name]
            kind = "reactions" if "reaction(" in str(text) else "outputs"
            if kind == "reactions" and "unit" in str(text):
                continue
            asked = kind == "reactions"
            self.close(kind, of(name), expected, force if asked else 0.0, solved=asked)

    def watched(self):
        """Whatever a function of the motion divides by is watched before the passes, itself or a multiple of it by parameters.

        At a regular state no watch cries.
        """
        checks, known = self.program.checks, self.with_rates()
        given = {check.divisor for check in self.assembly.program.checks} | self.given_divisors()
        meant = {sign for n in given if not isinstance(n, Array) for sign in (n.fingerprint, (-n).fingerprint)}
        for name in ("rhs", "motion"):
            made = {n for n in divisors(self.assembly.program.entry(name).results) if not isinstance(n, Const)} - given
            idle = [n for n in made if isinstance(n, Array) or n.fingerprint not in meant]
            if any(isinstance(n, Array) or not self.vanishes_with(n, given, known) for n in idle):
                raise Mismatch("a divisor is not watched", f"{self.where}: {name} divides by {len(idle)} that are not")
        for check in checks:
            if isinstance(check.divisor, Factored):
                continue
            size, *limit = interpret([check.divisor, *([check.limit] if check.limit else [])], known)
            if not abs(size) > (max(limit[0], 0.0) if limit else 0.0) or size * check.sign < 0:
                raise Mismatch("a watch cries", f"{self.where}: {check.label}, {size} of {limit} and sign {check.sign}")
            if limit and limit[0] == 0.0:  # as where the bounded terms cancel for equal parameters
                limit = interpret([check.limit], self.otherwise(known))
            if limit and not 0.0 < limit[0] < 1e-4 * abs(size):
                raise Mismatch("a wrong limit", f"{self.where}: {check.label}, {size} of {limit}")

    def vanishes_with(self, divisor, watched, known):
        """Whether a watched divisor differs from it by a factor that is the same in other states, and so by parameters alone."""
        drawn, fixed = np.random.default_rng(1), {*self.problem.kinematics.inputs.parameters}
        others = [node for node in watched if not isinstance(node, Array)]
        found = []
        for _ in range(3):
            moved = {n: v if n in fixed else v + drawn.normal() for n, v in known.items()}
            own, *values = interpret([divisor, *others], moved)
            found.append(np.array(values, dtype=float) / own)
        return (np.ptp(found, axis=0) < 1e-9 * np.abs(found).min(axis=0)).any()

    def otherwise(self, known):
        """The same state with other parameters, no two of them equal."""
        inputs = self.problem.kinematics.inputs.parameters
        return known | {node: known[node] * (1.05 + 0.01 * i) for i, node in enumerate(inputs)}

    def given_divisors(self):
        """What the spec itself divides by: lengths, and what its expressions say."""
        known = self.problem.kinematics
        rows = [*known.constraints, *known.speeds]
        nodes = [*known.forces, *known.conservative, *known.elastic, known.kinetic]
        nodes += [node for row in rows for node in (*row.columns.values(), row.rest, row.bias)]
        return set(divisors(nodes))

    def matrices(self):
        values, p = self.entry("matrices", self.known()), len(self.u)
        if not len(values) or not p:
            if 0 < p <= MATRIX_LIMIT:
                raise Mismatch("no matrices", f"{self.where}: of {p} speeds they are to be written out")
            return
        matrix, right = values[: p * p].reshape(p, p), values[p * p :]
        if np.linalg.matrix_rank(matrix, tol=1e-13 * abs(matrix).max()) < p:
            raise Mismatch("wrong matrices", f"{self.where}: the matrix is singular: {matrix}")
        self.close("matrices", matrix @ self.du, right, abs(matrix).max() * abs(self.du).max(), solved=True)

    def gaps(self):
        if not any(entry.name == "gaps" for entry in self.program.entries):
            return
        rows = [self.found.constraints[r.name] for r in self.problem.kinematics.constraints if r.position is not None]
        values, tangent = self.entry("gaps", self.known()), self.tangent()
        self.close("gaps", values[: len(rows)], [row.gap for row in rows])
        slopes_found = values[len(rows) :].reshape(len(rows), self.m)
        self.close(
            "slopes of gaps", (slopes_found @ tangent).ravel(), np.array([r.a for r in rows]).dot(tangent).ravel()
        )

    def changes(self):
        """What events make of the state, beside the laws of impact on the oracle."""
        events = self.own.mechanism.spec.get("events", {})
        if not events:
            return
        state, inputs, expected = self.state, self.problem.kinematics.inputs, []
        place = self.own.mechanism.at(state.q, state.rates, state.t, state.parameters, state.signals)
        for after in [place.after(entry, self.found) for entry in events.values()]:
            if after is None:
                return
            q, rates, free = after
            expected += [*q, *rates, *(free[node.name] for node in inputs.parameters)]
        self.close("changes by events", self.entry("changes", self.known()), expected, solved=True)

    def tangent(self):
        """Along which a quaternion stays a unit; off it, the slopes of what it turns are nobody's meaning."""
        if not has_quaternions(self.own.mechanism.spec):
            return np.eye(self.m)
        normal = self.found.constraints["unit"].a
        return np.eye(self.m) - np.outer(normal, normal) / (normal @ normal)

    def along(self, slopes, by_rates):
        """Slopes by q (and q') along which a quaternion stays a unit: where q turns, its rates turn too."""
        if not has_quaternions(self.own.mechanism.spec):
            return slopes
        m, tangent, normal = self.m, self.tangent(), self.found.constraints["unit"].a
        found = slopes.copy()
        if by_rates:
            own = np.array([name.startswith("e") for name in self.names])
            scale = np.linalg.norm(normal) / np.linalg.norm(own * self.state.q)  # 1 or 2, by how the row is written
            turned = -np.outer(normal, scale * own * self.state.rates) / (normal @ normal)
            found[:, :m] += slopes[:, m : 2 * m] @ turned
            found[:, m : 2 * m] = slopes[:, m : 2 * m] @ tangent
        found[:, :m] = found[:, :m] @ tangent
        return found

    def invariants(self):
        """What is called an invariant does not change along the motion, by a complex step of time on the oracle."""
        state, step = self.state, 1j * STEP
        if not self.assembly.invariants:
            return
        q, rates = state.q + step * state.rates, state.rates + step * self.found.q2
        later = self.own.mechanism.at(q, rates, state.t + step, state.parameters, state.signals).found()
        work = self.found.power if self.own.system.work else 0.0
        changes = {"energy": (later.kinetic + later.potential).imag / STEP - work}
        changes |= {f"momentum {name}": p.imag / STEP for name, p in later.momenta.items()}
        for name in self.assembly.invariants:
            scale = abs(self.found.momentum_rows).max() * abs(self.found.q2).max() * (1 + abs(state.rates).max())
            self.close("rates of invariants", changes[name], 0.0, scale, solved=True)

    def derivatives(self):
        """Jacobian and sensitivities beside complex steps on the oracle; by q, along the tangent."""
        state, flow, inputs = self.state, self.flow, self.problem.kinematics.inputs
        parameters = {node.name: state.parameters[node.name] for node in inputs.parameters}
        signals = {node.name: state.signals[node.name] for node in inputs.signals}
        by = flow.slopes(flow.rhs, state.t, q=state.q, u=self.u, g=self.g, parameters=parameters, signals=signals)
        work = [np.zeros((len(by["q"]), 1))] * flow.work
        at = flow.slopes(flow.start, state.t, q=state.q, rates=state.rates, parameters=parameters, signals=signals)
        for name, known, expected in (
            ("jacobian", self.known(), [by["q"], by["u"], *work]),
            ("sensitivity", self.known(), [by["parameters"], by["g"], by["signals"]]),
            ("start_sensitivity", self.with_rates(), [at["q"], at["rates"], at["parameters"]]),
        ):
            expected = np.hstack(expected)
            ours = self.entry(name, known).reshape(expected.shape)
            if name != "sensitivity":
                by_rates = name == "start_sensitivity" or len(self.u) == self.m  # where all rates are states
                ours, expected = (self.along(x, by_rates) for x in (ours, expected))
            self.close(name, ours.ravel(), expected.ravel(), abs(self.found.q2).max(), solved=True)


def divisors(results):
    """Whatever the results divide by, as numbers or as factorised matrices."""
    nodes = topological(results)
    return [n.args[0] for n in nodes if isinstance(n, Inverse)] + [n for n in nodes if isinstance(n, Factored)]


def condition_of(rows):
    """Of a matrix whose rows are brought to length one."""
    matrix = np.array(rows)
    sizes = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.inf if (sizes < 1e-9).any() else float(np.linalg.cond(matrix / sizes))


def has_quaternions(spec):
    """Whether off the constraints a frame is no rotation, so that what happens there is nobody's meaning."""
    return "unit" in spec.get("constraints", {})
