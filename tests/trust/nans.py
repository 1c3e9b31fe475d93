"""NaN at the start, in the middle and in parameters: a run ends there and says so, and what it keeps is finite."""

import random

import numpy as np

from tests.trust.apart import batches, short
from tests.trust.calls import TRIAL
from tests.trust.tally import Tally

NAN = float("nan")
END = 2.0


class Injection:
    """One run of the trial model into a NaN at time `at`, which is the start for 0."""

    def __init__(self, model, dice, integrators):
        self.model, self.dice = model, dice
        self.at = dice.choice((0.0, dice.uniform(0.05, 1.9)))
        self.integrator = dice.choice(integrators)
        self.way = dice.choice(
            (self.start, self.parameter, self.number, self.function, self.samples, self.expression, self.many)
        )

    def start(self):
        """In start values: refused."""
        name = self.dice.choice(("x", "y", "theta"))
        return self._refused(lambda: self.model.start(**{self.dice.choice(("q", "qd")): {name: NAN}}))

    def parameter(self):
        """In parameters: refused."""
        return self._refused(lambda: self.model.start(params={self.dice.choice("mlg"): NAN}))

    def number(self):
        """In a signal that is a number: refused."""
        return self._refused(lambda: self.model.start(signals={"push": NAN}))

    def samples(self):
        """In the samples of a signal: refused."""
        return self._refused(
            lambda: self.model.start(signals={"push": ([0.0, max(self.at, 0.1), 3.0], [0.0, NAN, 0.0])})
        )

    def function(self):
        """In a signal that is a function."""
        return self._ended(self.model.start(signals={"push": lambda t, z: NAN if t >= self.at else 0.1}))

    def expression(self):
        """In an expression of the spec, the root of what is negative from some time on."""
        fade = self.at if self.at else 1e-12
        return self._ended(self.model.start(params={"fade": fade}))

    def many(self):
        """In one of four trajectories; the others are what they are without it."""
        lanes = ("dop853", "ode45", "rk4", "gauss")
        integrator = self.integrator if self.integrator in lanes else "dop853"
        fade = np.array([1e9, self.at or 1e-12, 1e9, 1e9])
        settings = {"t_end": END, "dt": 0.1, "integrator": integrator, "workers": 2}
        found = self.model.simulate_many(params={"fade": fade}, **settings)
        alone = self.model.simulate_many(params={"fade": fade[[0, 2, 3]]}, **settings)
        if found.ok.tolist() != [True, False, True, True]:
            return f"which are told to have ended well: {found.ok.tolist()}"
        same = found.z[[0, 2, 3]].tobytes() == alone.z.tobytes()
        return "" if same else "the other trajectories have changed"

    def _refused(self, act):
        try:
            act()
        except Exception as error:
            from volterra_cg.errors import InternalError, VolterraError

            known = isinstance(error, VolterraError | ValueError | TypeError) and not isinstance(error, InternalError)
            return "" if known else short(error)
        return "taken"

    def _ended(self, start):
        run = start.simulate(END, 0.1, integrator=self.integrator, raises=False)
        if run.ok:
            return f"told to have ended well at {run.t[-1]}"
        if not np.isfinite(run.z).all():
            return "its results are not finite"
        late = len(run.t) and run.t[-1] > self.at + 1e-9
        return f"went on to {run.t[-1]}" if late else ""


def inject(watch, seed, numbers):
    """Put NaN into runs."""
    import volterra_cg
    from volterra_cg.integrators import INTEGRATORS

    tally, model = Tally(), volterra_cg.compile(TRIAL, jacobian=True)
    for number in numbers:
        one = Injection(model, random.Random(f"nan {seed}/{number}"), [*INTEGRATORS])
        label = f"seed {seed} number {number}: {one.way.__name__} at {one.at}, {one.integrator}"
        try:
            with watch.over(label, 60.0, audited=False):
                trouble = one.way()
        except BaseException as error:
            trouble = short(error)
        if trouble:
            tally.fail(f"{label}: {trouble}")
        else:
            tally.add("ended there" if one.way.__name__ in ("function", "expression", "many") else "refused")
    return tally


def nans(seed, count):
    """The row of NaN."""
    return batches(inject, seed, count, 2000, 3600, gigabytes=16.0)
