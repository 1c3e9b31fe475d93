"""Abusive calls of the Python interface: refused in words of the package or of Python, and nothing is changed by them."""

import os
import random
import tempfile
from pathlib import Path

import numpy as np

from tests.trust.apart import batches, short
from tests.trust.tally import Tally
from tests.trust.values import DOUBTFUL, NEVER, Own

TRIAL = Path(__file__).with_name("trial.toml")
SECONDS = 20.0  # of processor time for one call
QUESTIONS = (
    "rhs", "rates", "accelerations", "outputs", "energies", "invariants", "constraints", "mass_matrix", "forcing",
    "jacobian",
    "sensitivities", "linearise",
)  # fmt: skip
INTEGRATORS = ("auto", "dop853", "ode45", "rk4", "radau", "gauss", "gauss_fixed", "nobody")
NUMBERS = ("dt", "rtol", "max_step", "first_step")  # of simulate; t_end apart, since a long run is what was asked for
HONEST = {
    "t": 0.5,
    "t_end": 0.5,
    "dt": 0.1,
    "rtol": 1e-6,
    "atol": 1e-8,
    "max_step": 0.1,
    "first_step": 1e-3,
    "max_steps": 500,
}
SHORT = {"t_end": 0.5, "max_steps": 500}


class Abuse:
    """One random call after the other."""

    def __init__(self, seed, number, model):
        self.dice, self.model = random.Random(f"{seed}/{number}"), model
        self.numeric = []  # what was given where only numbers make sense

    def value(self, honest, numeric=True):
        """An honest value, or one that is not."""
        if self.dice.random() < 0.35:
            return honest
        given = self.dice.choice(NEVER if self.dice.random() < 0.6 else DOUBTFUL)
        if numeric and any(given is one for one in NEVER):
            self.numeric.append(given)
        return given

    def some(self, names, honest, numeric=True):
        chosen = self.dice.sample(list(names), self.dice.randint(1, min(3, len(names))))
        return {name: self.value(honest.get(name), numeric) for name in chosen}

    def question(self):
        name, z = self.dice.choice(QUESTIONS), np.array(self.model.z0)
        given = [self.value(0.5), self.value(z)]
        if name == "rhs" and self.dice.random() < 0.3:
            given.append(self.value(np.empty_like(z), numeric=False))
        return f"{name}", lambda: getattr(self.model, name)(*given), given

    def start(self):
        names = ("q", "qd", "params", "signals", "t", "project")
        given = self.some(
            names,
            {"q": {"x": 0.2}, "qd": [0.1, 0.2, 0.3], "params": {"l": 0.4}, "signals": {"push": 1}, "t": 1.0},
            numeric=False,
        )
        return "start", lambda: self.model.start(**given), given

    def simulate(self):
        numbers = self.some((*NUMBERS, "atol"), HONEST)
        others = self.some(
            ("t_eval", "events", "project", "integrator", "dense", "strict", "max_steps"),
            HONEST | {"integrator": self.dice.choice(INTEGRATORS)},
            numeric=False,
        )
        given = SHORT | numbers | others
        if given.get("max_steps") is None:
            given["max_steps"] = 500
        return "simulate", lambda: self.model.simulate(**given), given

    def controlled(self):
        answer, steady = self.value(0.3), self.dice.random() < 0.7
        given = {"period": self.value(0.1, numeric=False)} if self.dice.random() < 0.5 else {}
        told = answer if self.dice.random() < 0.5 else {"push": answer}
        control = (lambda t, x: told) if steady else self.value(lambda t, x: [x["theta"]], numeric=False)
        if not steady or "period" in given:
            self.numeric.clear()  # it is not asked, or the period is told first
        return "simulate(control)", lambda: self.model.simulate(**SHORT, control=control, **given), (told, given)

    def stepper(self):
        s = self.model.stepper(self.dice.choice(("dop853", "rk4", "gauss")), max_steps=500)
        honest = {"step": 0.1, "inputs": [0.5], "push": 0.5, "restore": s.checkpoint(), "[]": "theta"}
        name = self.dice.choice([*honest])
        given = self.value(honest[name], numeric=name in ("step", "inputs", "push"))
        acts = {
            "step": lambda: s.step(given),
            "inputs": lambda: s.step(0.1, given),
            "push": lambda: s.step(0.1, {"push": given}),
            "restore": lambda: s.restore(given),
            "[]": lambda: s[given],
        }

        def act():
            s.step(0.1)
            acts[name]()
            assert np.isfinite(s.step(0.1)).all()

        return f"stepper.{name}", act, given

    def solved(self):
        names, z = self.value(["push"], numeric=False), np.array(self.model.z0)
        wanted = self.value({"x": 1.0}, numeric=False)
        acts = {
            "trim": lambda: self.model.trim(given[0], names, given[1]),
            "inverse_dynamics": lambda: self.model.inverse_dynamics(given[0], given[1], wanted, names),
            "linearise(outputs)": lambda: self.model.linearise(outputs=names).to_control(),
        }
        name = self.dice.choice([*acts])
        if name == "trim":
            given = [self.value({"x": 0.1}, numeric=False), self.value({"y": 0.2}, numeric=False)]
        else:
            given = [self.value(0.5), self.value(z)] if name == "inverse_dynamics" else []
        return name, acts[name], (given, wanted, names)

    def many(self):
        names = ("q", "qd", "params", "signals", "t_eval", "max_step", "workers", "rtol", "atol", "dt", "integrator")
        given = {"t_end": 0.5, "params": {"l": [0.4, 0.5]}} | self.some(names, HONEST | {"workers": 1}, numeric=False)
        if isinstance(given.get("workers"), int | float) and given["workers"] not in (True, False):
            given["workers"] = 2  # as many threads as are asked for is what a user gets
        if isinstance(given.get("max_step"), float) and given["max_step"] < 1e-9:
            given["max_step"] = 1e-3  # so are as many steps, up to 1e8
        return "simulate_many", lambda: self.model.simulate_many(**given), given

    def result(self):
        run = self.model.simulate(0.3, 0.1, dense=True)
        acts = {
            "[]": lambda v: run[v], "dense": run.dense, "save": run.save, "load": _load, "plot": run.plot,
            "snapshot": run.snapshot, "animate": run.animate,
            "rows": run.rows,
        }  # fmt: skip
        name = self.dice.choice([*acts])
        numeric = name == "snapshot"
        given = self.value(0.1 if numeric else "x", numeric)
        return f"run.{name}", lambda: acts[name](given), given

    def bind(self):
        given = self.some(
            ("params", "momenta", "signals"),
            {"params": {"l": 0.4}, "momenta": [0.2], "signals": {"push": 1}},
            numeric=False,
        )
        return "bind", lambda: self.model.default.bind(**given), given

    def package(self):
        import volterra_cg
        from volterra_cg.sweep import Grid, Job, axis

        given, second = self.value("nowhere.toml", numeric=False), self.value("reduced-volterra", numeric=False)
        acts = {
            "compile": lambda: volterra_cg.compile(given, second),
            "library": lambda: volterra_cg.library(given, second),
            "from_robot": lambda: volterra_cg.from_robot(given),
            "to_toml": lambda: volterra_cg.to_toml(given),
            "from_sympy": lambda: volterra_cg.from_sympy(given, values=second), "axis": lambda: axis(given),
            "Job": lambda: Job(self.model, Grid((axis("l=0.1:0.5:3"),)), values=given, initial=second, t_end=0.1),
        }  # fmt: skip
        name = self.dice.choice([*acts])
        return name, acts[name], (given, second)

    def builder(self):
        from volterra_cg import Mechanism

        mechanism = Mechanism("abused")
        mechanism.coordinate("x")
        mechanism.point("P", ["x", 0, 0])
        acts = (
            "parameter",
            "signal",
            "coordinate",
            "expression",
            "point",
            "potential",
            "spring",
            "damper",
            "force",
            "constraint",
            "output",
            "gravity",
            "quasi_velocity",
        )
        name, given = self.dice.choice(acts), [self.value("z", numeric=False), self.value(1, numeric=False)]

        def act():
            getattr(mechanism, name)(*given)
            mechanism.body("b", mass=1, center="P")
            mechanism.check()

        return f"Mechanism.{name}", act, given

    def draw(self):
        """The words for a call, the call, and its arguments."""
        acts = (
            self.question,
            self.question,
            self.start,
            self.simulate,
            self.controlled,
            self.stepper,
            self.solved,
            self.many,
            self.result,
            self.bind,
            self.package,
            self.builder,
        )
        return self.dice.choice(acts)()


def _load(path):
    import volterra_cg

    return volterra_cg.load(path)


def abuse(watch, seed, numbers):
    """Random calls; an error is one of the package's or Python's for wrong arguments, and the model stays what it is."""
    import volterra_cg
    from volterra_cg.errors import InternalError, VolterraError

    os.chdir(tempfile.mkdtemp())
    model, tally = volterra_cg.compile(TRIAL, jacobian=True), Tally()
    before = model.rhs(0.0, model.z0).tobytes()
    for number in numbers:
        drawn = Abuse(seed, number, model)
        words, act, given = drawn.draw()
        label = f"seed {seed} number {number}: {words}({given!r:.300})"
        try:
            with watch.over(label, SECONDS, audited=False):
                act()
            if drawn.numeric and words != "linearise":
                tally.fail(f"{label}: taken, though {drawn.numeric!r:.200} is no number")
            else:
                tally.add("answered")
        except InternalError as error:
            tally.fail(f"{label}: {short(error)}")
        except (VolterraError, TypeError, ValueError, KeyError, IndexError, Own):
            tally.add("refused")
        except BaseException as error:
            tally.fail(f"{label}: {short(error)}")
        if model.rhs(0.0, model.z0).tobytes() != before:
            tally.fail(f"{label}: the model is not what it was")
    return tally


def abusive_calls(seed, count):
    """The row of abusive calls."""
    return batches(abuse, seed, count, 2500, 3600, gigabytes=8.0)
