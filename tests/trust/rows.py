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
    "mechanisms": Row("random mechanisms beside an independent oracle", "differential", "mechanisms", 2, 2500),
    "hostile": Row("hand-written hostile texts in each place of a spec", "specs", "hostile_specs", 120, 4000),
    "mutated": Row("specs of the repository with bytes, lines, numbers and names changed", "specs", "mutated_specs", 200, 13000),
    "grammar": Row("specs of the grammar, drawn by hypothesis, read and derived", "specs", "drawn_specs", 60, 4000),
    "calls": Row("abusive calls of the Python interface", "calls", "abusive_calls", 300, 6000),
}  # fmt: skip
