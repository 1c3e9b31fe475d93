"""Specs of strangers: hostile ones, changed ones and drawn ones are read and checked, or refused with a place."""

import itertools
import random
import tempfile
from pathlib import Path

from tests.trust.apart import batches, short
from tests.trust.tally import Tally
from tests.trust.texts import EXPRESSIONS, PLACES, honest, hostile, mutated

SECONDS = 6.0  # of processor time for reading one spec; 2 are promised, on a machine that does nothing else
DEEP = 60.0  # for deriving what it describes
SMALL = 2500  # bytes of a spec that is derived, too
REFUSED, READ, CHECKED = "refused", "read", "checked"


class Reading:
    """Reads specs one after the other, and adds up how they are taken."""

    def __init__(self, watch, tally):
        from volterra_cg import derivation
        from volterra_cg.errors import SpecError
        from volterra_cg.spec import read
        from volterra_cg.system.from_spec import from_spec

        self._watch, self._tally, self._wrong = watch, tally, SpecError
        self._read, self._check = lambda path: from_spec(read(path)), derivation.check
        self.path = Path(tempfile.mkdtemp()) / "spec.toml"
        (self.path.parent / "part.toml").write_bytes(hostile("x", "output"))
        self.path.write_bytes(hostile("x", "output"))
        self._check(self.path)  # imports what is needed

    def take(self, label, text, deep):
        """One spec."""
        self.path.write_bytes(text)
        try:
            with self._watch.over(label, SECONDS):
                self._read(self.path)
            if deep:
                with self._watch.over(label, DEEP):
                    self._check(self.path)
            self._tally.add(CHECKED if deep else READ)
        except self._wrong as error:
            placed = all(problem.message and problem.place.file for problem in error.problems)
            if error.problems and placed:
                self._tally.add(REFUSED)
            else:
                self._fail(label, text, error)
        except BaseException as error:
            self._fail(label, text, error)

    def _fail(self, label, text, error):
        self._tally.fail(f"{label}: {short(error)}\n{text[:3000].decode('utf-8', 'backslashreplace')}")


def read_hostile(watch, seed, numbers):
    """Every hostile text in every place, shuffled by the seed."""
    tally, pairs = Tally(), [*itertools.product(EXPRESSIONS, PLACES)]
    random.Random(seed).shuffle(pairs)
    reading = Reading(watch, tally)
    for number in numbers:
        expression, place = pairs[number % len(pairs)]
        reading.take(f"{place} {expression!r:.60}", hostile(expression, place), deep=True)
    return tally


def read_mutated(watch, seed, numbers):
    """Honest specs with a few changes; one of eight small ones is derived, too."""
    tally, specs = Tally(), honest()
    reading = Reading(watch, tally)
    for number in numbers:
        dice = random.Random(f"{seed}/{number}")
        text = mutated(dice, specs)
        deep = len(text) < SMALL and dice.random() < 1 / 8
        reading.take(f"seed {seed} number {number}", text, deep)
    return tally


def read_drawn(watch, seed, numbers):
    """Specs of the grammar, drawn by hypothesis."""
    from tests.trust.grammar import each

    tally = Tally()
    reading = Reading(watch, tally)
    each(
        f"{seed}/{numbers[0]}",
        len(numbers),
        lambda text: reading.take(f"seed {seed} from {numbers[0]}", text, deep=True),
    )
    return tally


def hostile_specs(seed, count):
    """The row of hostile specs."""
    return batches(read_hostile, seed, count, 1000, 3600)


def mutated_specs(seed, count):
    """The row of mutated specs."""
    return batches(read_mutated, seed, count, 1500, 3600)


def drawn_specs(seed, count):
    """The row of the grammar."""
    return batches(read_drawn, seed, count, 1000, 3600)
