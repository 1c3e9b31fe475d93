"""The one list of what is tried to lose files, to hang, to crash, to run a stranger's code or to get a wrong number.

Each row is a function of a seed and a number of trials. `make test` runs the bounded numbers, `make torture` the long ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from tests.trust.tally import Tally


@dataclass(frozen=True)
class Row:
    """What is tried, by `function` of `module`; how often in `make test` and in `make torture`."""

    about: str
    module: str
    function: str
    bounded: int
    long: int

    def run(self, seed: int, count: int) -> Tally:
        """Try it."""
        act: Callable[[int, int], Tally] = getattr(import_module(f"tests.trust.{self.module}"), self.function)
        return act(seed, count)


ROWS = {
    "mechanisms": Row("random mechanisms beside an independent oracle", "differential", "mechanisms", 2, 5000),
    "hostile": Row("hand-written hostile texts in each place of a spec", "specs", "hostile_specs", 100, 4000),
    "mutated": Row("specs of the repository with bytes, lines, numbers and names changed", "specs", "mutated_specs", 200, 14500),
    "grammar": Row("specs of the grammar, drawn by hypothesis, read and derived", "specs", "drawn_specs", 60, 6000),
    "coverage": Row("texts that atheris makes to reach new lines of the reader", "coverage", "coverage", 200, 60000),
    "calls": Row("abusive calls of the Python interface", "calls", "abusive_calls", 200, 12000),
    "kills": Row("build, simulate, sweep, animate, report ended at random moments", "kills", "kills", 5, 360),
    "builders": Row("builds of one model at once, 32 in a round", "kills", "builders", 8, 64),
    "disks": Row("commands on full and read-only disks", "disks", "disks", 6, 250),
    "NaN": Row("NaN at the start, in the middle, in parameters, signals, one of many", "nans", "nans", 60, 10000),
    "robots": Row("robots of others beside Pinocchio and MuJoCo, each at a state", "robots", "robots", 1, 27),
    "sanitizers": Row("TSan, ASan, UBSan, valgrind over models and the runtime", "sanitizers", "sanitizers", 2, 72),
    "digits": Row("rhs beside 50 digits, each model and formulation, at 3 states", "precision", "precision", 3, 144),
    "bits": Row("floating-point environment, runs, threads, levels of compilers", "bits", "bits", 1, 20),
}  # fmt: skip
