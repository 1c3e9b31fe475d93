"""Random mechanisms beside the oracle of tests/differential: interpreted, some compiled, some told to sympy."""

import os
from multiprocessing import get_context

from tests.differential.torture import _deaf, examined
from tests.trust.apart import short
from tests.trust.progress import PROGRESS
from tests.trust.tally import Tally

COMPILED, SYMPY = 25, 10  # one of so many is compiled, told to sympy


def taken(job):
    """One mechanism; whatever fails is told, not raised."""
    try:
        return examined(job)
    except Exception as error:
        return *job, None, (short(error), "", None)


def mechanisms(seed, count):
    """The row of random mechanisms."""
    jobs = [("compiled", seed + number) for number in range(0, count, COMPILED)]
    jobs += [("sympy", seed + number) for number in range(0, count, SYMPY)]
    jobs += [("interpreted", seed + number) for number in range(count)]
    whole = Tally()
    with get_context("spawn").Pool(min(os.cpu_count(), len(jobs)), _deaf, maxtasksperchild=200) as pool:
        for done, (kind, number, tally, mismatch) in enumerate(pool.imap_unordered(taken, jobs), 1):
            PROGRESS.told(done, len(jobs), len(whole.failures))
            if mismatch:
                again = f"python -m tests.differential.torture --seed {number} --count 1 --compiled 1 --sympy 1"
                whole.fail(f"{kind} {number}: {mismatch[0]} (repeat: {again})")
                PROGRESS.failed(whole.failures[-1])
            else:
                whole.add(kind if tally.mechanisms else "left out, as badly conditioned or not told to sympy")
    return whole
