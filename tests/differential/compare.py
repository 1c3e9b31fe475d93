"""A mechanism by the compiler, interpreted, beside the oracle: every quantity by its name."""

import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from tests.differential import broken, charted, checks, pictures
from tests.differential.numbers import WORST, Mismatch, Numbers
from tests.differential.oracle import Mechanism
from tests.differential.specs import toml
from volterra_cg import derivation, passes
from volterra_cg.elimination import classical, orders
from volterra_cg.elimination.assemble import assemble, slopes
from volterra_cg.emit import model
from volterra_cg.errors import ModelError, SpecError
from volterra_cg.formulations.problem import ClassicalProblem
from volterra_cg.options import ORDERS, REDUCED, TABLE, Options
from volterra_cg.program.cost import of_entry
from volterra_cg.program.field import AccidentalZero, IdenticallyZero
from volterra_cg.program.nodes import topological
from volterra_cg.spec import read
from volterra_cg.system.from_spec import from_spec

CLASSICAL = [row.name for row in TABLE if row.name != REDUCED and not row.needs_ignorable]
BY_SPEEDS = [row.name for row in TABLE if row.states.startswith("q, u")]
RARE = (  # elimination orders that few mechanisms have
    "mixed",
    "multipliers",
    "shape",
    "loops",
    "loops in ground axes",
    "recursive in ground axes",
)
PROJECTED = ("partial velocities", "momenta")  # those that are open where no momentum is embedded
LEVEL_3 = ((3, 0.6), (5, 0.12))  # coordinates up to which level 3 is drawn, and how often
OPERATIONS = Path(__file__).with_name(
    "operations.json"
)  # of the mechanisms of the bounded run: they rise only on purpose
# Refusals that are right although the mechanism is regular, by what their message says.
RIGHT = (
    "routh does not apply: no coordinate is ignorable",
    "does not apply: the mass matrix is singular",
    "takes the angle of a direction that is zero everywhere",  # where the oracle takes that of rounding
)


@dataclass
class Tally:
    """What was compared, and how well."""

    mechanisms: int = 0
    counts: dict = field(default_factory=lambda: defaultdict(Counter))
    worst: dict = field(default_factory=dict)
    operations: dict = field(default_factory=dict)  # by seed

    def add(self, table, key):
        self.counts[table][key] += 1

    def join(self, other):
        self.mechanisms += other.mechanisms
        for table, counter in other.counts.items():
            self.counts[table].update(counter)
        self.operations |= other.operations
        for name, error in other.worst.items():
            self.worst[name] = max(self.worst.get(name, 0.0), error)


@cache
def budgets():
    return json.loads(OPERATIONS.read_text())


@dataclass
class State:
    """A place on the constraints and what the oracle finds there."""

    q: np.ndarray
    rates: np.ndarray
    t: float
    parameters: dict
    signals: dict
    found: object


def states(mechanism, seed, count=2):
    """The start of the spec, and others with other parameters, signals and times."""
    random_state = np.random.default_rng(seed)
    q0, rates0 = mechanism.initial()
    nominal, found = mechanism.nominal(), []
    for number in range(count + 3):
        own = number == 0
        parameters = {k: v if own else v * random_state.uniform(0.9, 1.1) for k, v in nominal.items()}
        signals = {k: random_state.uniform(-1, 1) for k in mechanism.inputs}
        t = 0.0 if own else random_state.uniform(0, 2)
        q = q0 + (0 if own else 0.3) * random_state.normal(size=len(q0))
        rates = rates0 + (0 if own else 0.5) * random_state.normal(size=len(q0))
        if number == 1 and random_state.uniform() < 0.5:
            q = np.zeros(len(q0))  # aligned links, angles that vanish
        state = mechanism.projected(q, rates, t, parameters)
        if state is None:
            continue
        with suppress(np.linalg.LinAlgError):
            at = mechanism.at(*state, t, parameters, signals).found()
            if at.condition < WORST and np.isfinite(at.q2).all():
                found.append(State(*state, t, parameters, signals, at))
        if len(found) == count:
            break
    return found


def first_seed(attempt):
    """With other random points where one set meets an accident, as the driver does."""
    for seed in range(derivation.SEEDS):
        with suppress(AccidentalZero):
            return attempt(seed)
    raise Mismatch("accident", "a divisor vanished at all sets of random points")


class Comparison:
    """One mechanism, some formulations and elimination orders of it."""

    def __init__(self, case, seed, tally, plan=None):
        self.case, self.tally, self.rnd, self.seed, self.plan = (
            case,
            tally,
            random.Random(f"compare {seed}"),
            seed,
            plan,
        )
        self.mechanism = Mechanism(case.whole)
        self.names, self.at, self.emitted, self.ignorable = self.mechanism.names, None, False, ()
        self.operations = 0

    def run(self):
        """Compare everything; a mismatch is raised."""
        self.states = states(self.mechanism, self.seed)
        if not self.states:
            self.tally.add("left out", "no well conditioned state")
            return
        try:
            self.spec, self.system = self.read(self.case.spec)
        except SpecError as error:
            raise Mismatch(f"refused: {plain(error)}", str(error)) from error
        except Exception as error:
            raise Mismatch(f"{type(error).__name__}: {plain(error)}", repr(error)) from error
        accepted = False
        for plan in self.plan or self.draw():
            try:
                accepted |= self.one(*plan)
            except Mismatch as mismatch:
                mismatch.plan = mismatch.plan or plan
                raise
        if self.plan is None and accepted:  # what is refused anyway cannot be spoilt
            self.beside("a picture", pictures)
            self.beside("spoilt", broken)
            self.budgeted()
        self.tally.mechanisms += accepted
        for feature in self.case.features:
            self.tally.add("feature", feature)

    def beside(self, what, part):
        """A comparison that no formulation takes part in."""
        try:
            part.compare(self)
        except Mismatch:
            raise
        except Exception as error:
            raise Mismatch(f"{what}: {type(error).__name__}: {plain(error)}", repr(error)) from error

    def prepared(self, program, where):
        """What is prepared serves a function of the state."""
        below = {entry.name: set(topological(entry.results)) for entry in program.entries}
        watched = topological([part for c in program.checks for part in (c.divisor, c.limit) if part is not None])
        used = set(watched).union(*(nodes for name, nodes in below.items() if name != "initial"))
        if not used.issuperset(program.prepared):
            raise Mismatch(
                "prepared in vain", f"{where}: {len(set(program.prepared) - used)} of {len(program.prepared)}"
            )

    def budgeted(self):
        """A mechanism takes no more operations than before; `torture --operations` writes down what they take."""
        self.tally.operations[str(self.seed)] = self.operations
        most = budgets().get(str(self.seed), self.operations)
        if self.operations > most:
            raise Mismatch("more operations", f"{self.operations} operations, {most} before")

    def read(self, spec):
        """A spec with the parts of the mechanism, by way of a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mechanism.toml"
            path.write_text(toml(spec))
            for name, part in self.case.parts.items():
                (Path(folder) / name).write_text(toml(part))
            found = read(path)
            return found, from_spec(found)

    def draw(self):
        """Some formulations, elimination orders (all, or two of those that are open) and levels; all go together with level 0."""
        rnd = self.rnd
        odds = next((odds for size, odds in LEVEL_3 if len(self.names) <= size), 0.0)
        every, best = rnd.random() < 0.15, rnd.random() < odds
        yield REDUCED, "all" if every else "some", 3 if best and not every else 0
        formulation = "routh" if self.ignorable and rnd.random() < 0.4 else CLASSICAL[self.seed % len(CLASSICAL)]
        yield formulation, "some", 3 if rnd.random() < odds else 0

    def one(self, formulation, order, level):
        """One formulation by one or all elimination orders."""
        try:
            problem = first_seed(lambda seed: derivation.pose(self.system, Options(formulation), seed))
            self.ignorable = problem.ignorable
            self.sized(problem)
            self.kept(problem)
            if formulation == REDUCED:
                checks.compare(self, problem)
            ways = (
                {"own": classical.solve} if isinstance(problem, ClassicalProblem) else dict(orders.available(problem))
            )
            self.open(problem, ways)
            chosen = self.chosen(list(ways)) if order == "some" else [order]
            for name in ways if order == "all" else (name for name in chosen if name in ways):
                self.at = (formulation, name, level)
                self.solved(problem, name, ways[name], level)
            if formulation == REDUCED:  # last: what it makes would show in the operations
                charted.compare(self, problem)
        except ModelError as error:
            self.refused(error, formulation)
            return False
        except Mismatch as mismatch:
            mismatch.plan = self.at
            raise
        except IdenticallyZero as error:
            raise Mismatch("identically zero", f"{formulation}: {error!r}") from error
        except Exception as error:
            raise Mismatch(f"{type(error).__name__}: {plain(error)}", f"{formulation}: {error!r}") from error
        return True

    def kept(self, problem):
        """The states are the quasi-velocities of the spec, where a formulation takes them at all."""
        given, names = self.mechanism.spec.get("quasi_velocities", {}), [row.name for row in problem.speeds]
        missing = set(given) - {*names, *problem.dropped}
        if problem.formulation in BY_SPEEDS and (missing or (problem.dropped and problem.formulation != REDUCED)):
            raise Mismatch(
                "wrong states", f"{problem.formulation}: the states are {names}, the spec gives {list(given)}"
            )

    def open(self, problem, ways):
        """Which elimination orders there must be: of few coordinates all, but where a speed holds an ignorable rate.

        There it depends on whether the speeds inside are as regular. Some orders have a limit of coordinates.
        """
        if isinstance(problem, ClassicalProblem):
            return
        mixed_up = any(j in row.columns for row in problem.speeds for j in problem.ignorable)
        usual = set(ORDERS) - {"auto", *RARE, *(PROJECTED if problem.integrals else ())}
        expected = {"dense"} if mixed_up else usual
        if len(self.mechanism.names) > orders.COMPOSITE_LIMIT:
            expected -= {"composite", "composite from leaves"}
            expected |= {"recursive in ground axes"} if "loops" not in ways else set()
        if len(self.mechanism.names) > orders.DENSE_LIMIT:
            expected -= {"dense", *PROJECTED}
        missing = expected - set(ways)
        if missing:
            raise Mismatch("wrong elimination orders", f"{sorted(ways)} are open, without {sorted(missing)}")

    @cached_property
    def known(self):
        return checks.Known(self.mechanism, self.seed)

    def chosen(self, ways):
        """Two elimination orders, with those among them that are seldom open."""
        rare = [name for name in ways if name in RARE]
        others = [name for name in ways if name not in RARE]
        return rare + self.rnd.sample(others, max(0, min(len(others), 2 - len(rare))))

    def sized(self, problem):
        m, s = len(self.names), len(problem.momenta)
        p = m - len(problem.kinematics.constraints)
        for name, holds in (("m = 1", m == 1), ("p = 0", p == 0), ("p = s > 0", p == s > 0), ("s > 0", s > 0)):
            if holds:
                self.tally.add("size", name)

    def refused(self, error, formulation):
        message = plain(error)
        if any(text in message for text in RIGHT):
            self.tally.add("refusals", f"{formulation}: {next(t for t in RIGHT if t in message)}")
            return
        idle = "follows from the constraints before it" in message or "has no velocity in it" in message
        if idle and self.holds_by_chance():
            self.tally.add("refusals", "a constraint holds by itself for these parameters only")
            return
        if "moves no mass" in message and self.moves_no_mass(str(error)):
            self.tally.add("refusals", "a motion moves no mass, but for rounding of the oracle")
            return
        raise Mismatch(f"refused: {message}", f"{formulation}: {error}") from error

    def moves_no_mass(self, text):
        """Whether the coordinates that a refusal names move none by the oracle too, whose rounding may hide that."""
        names = broken.still(self.mechanism)
        return bool(names) and f"a motion of {', '.join(names)} moves no mass" in text

    def holds_by_chance(self):
        """Whether a row of the constraints is zero, but not for other parameters, a little later."""
        for state in self.states:
            idle = [name for name, row in state.found.constraints.items() if not abs(row.a).max() > 1e-12]
            others = {name: 1.05 * value for name, value in state.parameters.items()}
            rows = self.mechanism.at(state.q, state.rates, state.t + 0.3, others, state.signals).constraints()
            if any(rows[name].gap is not None and abs(rows[name].gap) > 1e-9 for name in idle):
                return True
        return False

    def solved(self, problem, order, way, level):
        try:
            solution = way(problem)
        except IdenticallyZero:
            if isinstance(problem, ClassicalProblem) or order == "dense":
                raise
            self.tally.add("refusals", "an order meets a direction without inertia")
            return
        assembly = assemble(problem, solution, self.system.work)
        checks.conserved(self, assembly)
        wanted = self.plan is not None or self.rnd.random() < 0.12
        derivatives = slopes(problem, self.system.work) if wanted else ()
        program = passes.optimise_best({order: assembly.program}, level, derivatives).program
        self.operations += sum(of_entry(program, entry.name).total for entry in program.entries)
        where = f"{problem.formulation}, {order}, level {level}"
        if not derivatives:  # which bring limits of divisors that are watched already
            self.prepared(program, where)
        for state in self.states:
            Numbers(self, problem, assembly, program, state, where).compare(bool(derivatives))
        self.tally.add("formulation", problem.formulation)
        self.tally.add("elimination order", order)
        self.tally.add("level", level)
        if self.plan is None and self.rnd.random() < 0.9 and self.emitted:
            return
        self.emitted = True
        heading = derivation.heading(self.spec, self.system, Options(problem.formulation))
        route = model.Route(order, {}, {}, level)
        emitted = type(assembly)(program, assembly.slots, assembly.invariants)
        model.emit(problem, emitted, heading, route)
        self.tally.add("quantity", "sources emitted")


def plain(error):
    """The first line of a message without places, names and numbers: what kind of message it is."""
    text = str(error).split("\n")[0]
    text = re.sub(r"^\S*\.toml:\d+:\d+: ", "", text)
    return re.sub(r"\b[a-zA-Z]\w*\d\w*\b|\d[\d.e+-]*", "#", text)
