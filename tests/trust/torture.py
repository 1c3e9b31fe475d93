"""The long version of every row, and one table of what was tried, how many, and what happened.

python -m tests.trust.torture --seed 1000 [--only kills --only calls] [--scale 0.1]
"""

import argparse
import datetime
import os
import platform
import sys
import tempfile
import time

from tests.trust.rows import ROWS


def table(found, seed):
    """What was tried, as Markdown."""
    day = datetime.datetime.now(datetime.UTC).date()
    lines = [f"{day}, seed {seed}, Python {platform.python_version()}, {platform.system()} {platform.machine()}", ""]
    lines += ["| row | tried | how many | what happened | minutes |", "|---|---|---|---|---|"]
    for name, (tally, seconds) in found.items():
        lines.append(f"| {name} | {ROWS[name].about} | {tally.tried:,} | {tally.told()} | {seconds / 60:.1f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1000, help="of everything that is drawn")
    parser.add_argument("--only", choices=ROWS, action="append", help="only this row")
    parser.add_argument("--scale", type=float, default=1.0, help="times the number of trials of each row")
    asked = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("VOLTERRA_CG_CACHE", f"{folder}/cache")
        for name in asked.only or ROWS:
            begin = time.monotonic()
            tally = ROWS[name].run(asked.seed, max(1, round(ROWS[name].long * asked.scale)))
            found[name] = tally, time.monotonic() - begin
            sys.stderr.write(f"{name}: {tally.tried:,}: {tally.told()} ({found[name][1]:.0f} s)\n")
            for failure in tally.failures:
                sys.stderr.write(f"  {failure}\n")
    print(table(found, asked.seed))
    return 1 if any(tally.failures for tally, _ in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
