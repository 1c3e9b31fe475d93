"""Many mechanisms on all cores: a progress bar, what was compared, the worst errors, and failures as short specs.

python -m tests.differential.torture --count 5000 --compiled 200 --seed 1000
"""

import argparse
import json
import os
import signal
import sys
import time
import warnings
from contextlib import suppress
from multiprocessing import get_context

from tests.differential.compare import OPERATIONS, Comparison, Tally
from tests.differential.compiled import Compiled
from tests.differential.generator import case
from tests.differential.in_sympy import InSympy
from tests.differential.numbers import Mismatch
from tests.differential.seeds import BOUNDED
from tests.differential.shrink import shrunk
from tests.differential.specs import toml

KINDS = {"interpreted": Comparison, "compiled": Compiled, "sympy": InSympy}


def examined(job):
    """One mechanism: its tally, and how it fails, if it does."""
    kind, seed = job
    warnings.simplefilter("error")
    tally, mismatch = Tally(), None
    try:
        KINDS[kind](case(seed), seed, tally).run()
    except Mismatch as found:
        mismatch = (found.kind, str(found), found.plan)
    return kind, seed, tally, mismatch


def report(kind, seed, mismatch, seconds=120):
    """A failure, shrunk, with its spec ready to paste."""
    first = Mismatch(*mismatch[:2])
    first.plan = mismatch[2]
    found, last = shrunk(case(seed), seed, first, seconds, KINDS[kind])
    files = [f"# {name}\n{toml(part)}" for name, part in found.parts.items()]
    return "\n".join([f"seed {seed}, {kind}: {last.kind}", str(last), "", toml(found.spec), *files])


def table(tally):
    """What was compared, as text."""
    lines = []
    for name, counter in sorted(tally.counts.items()):
        lines += ["", f"{name}"] + [f"  {count:>8,}  {key}" for key, count in counter.most_common()]
    lines += ["", "worst relative errors (over the condition, where something was solved)"]
    lines += [f"  {error:>8.1e}  {name}" for name, error in sorted(tally.worst.items(), key=lambda item: -item[1])]
    return "\n".join(lines)


def _progress(done, total, failures, began):
    filled = 40 * done // total
    spent = time.monotonic() - began
    left = spent / done * (total - done)
    bar = "#" * filled + "." * (40 - filled)
    sys.stderr.write(f"\r[{bar}] {done}/{total}  {failures} failures  {spent:.0f} s, {left:.0f} s left   ")
    sys.stderr.flush()


def _deaf():
    """Workers leave Ctrl-C to the one who started them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _collect(results, total, totals, failures):
    """Add up results as they come; a failure is told at once."""
    began = time.monotonic()
    for done, (kind, seed, tally, mismatch) in enumerate(results, 1):
        totals[kind].join(tally)
        if mismatch:
            failures.append((kind, seed, mismatch))
            sys.stderr.write(f"\r{kind} {seed}: {mismatch[0]}{' ' * 60}\n")
        _progress(done, total, len(failures), began)


def main():
    parser = argparse.ArgumentParser(description="compare random mechanisms with the oracle")
    parser.add_argument("--seed", type=int, default=1000, help="of the first mechanism")
    parser.add_argument("--count", type=int, default=5000, help="mechanisms to interpret")
    parser.add_argument("--compiled", type=int, default=200, help="mechanisms to compile as well")
    parser.add_argument(
        "--sympy", type=int, default=0, help="mechanisms to tell to sympy as well, as far as they can be"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=5, help="failures of each kind to shrink and print")
    parser.add_argument(
        "--operations", action="store_true", help="write down what the mechanisms of the bounded run take"
    )
    asked = parser.parse_args()
    if asked.operations:
        asked.count, asked.compiled, asked.sympy = 0, 0, 0
        OPERATIONS.write_text("{}")
    jobs = [("compiled", asked.seed + i) for i in range(asked.compiled)]
    jobs += [("sympy", asked.seed + i) for i in range(asked.sympy)]
    jobs += [("interpreted", asked.seed + i) for i in range(asked.count)]
    jobs += [("interpreted", seed) for seed in BOUNDED] if asked.operations else []
    totals, failures = {kind: Tally() for kind in KINDS}, []
    with get_context("spawn").Pool(asked.jobs, _deaf, maxtasksperchild=200) as pool, suppress(KeyboardInterrupt):
        _collect(pool.imap_unordered(examined, jobs), len(jobs), totals, failures)
    if asked.operations:
        found = sorted(totals["interpreted"].operations.items(), key=lambda item: int(item[0]))
        OPERATIONS.write_text(json.dumps(dict(found), indent=0) + "\n")
    both = Tally()
    for tally in totals.values():
        both.join(tally)
    print(
        f"\n{totals['interpreted'].mechanisms} interpreted, {totals['compiled'].mechanisms} compiled",
        table(both),
        sep="\n",
    )
    seen = {}
    for kind, seed, mismatch in failures:
        seen.setdefault(mismatch[0], []).append(seed)
        if len(seen[mismatch[0]]) == 1 and len(seen) <= asked.show:
            print("\n" + "=" * 80 + "\n" + report(kind, seed, mismatch))
    for name, seeds in seen.items():
        print(f"FAILED {len(seeds)}: {name}, seeds {seeds[:10]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
