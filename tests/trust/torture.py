"""The long version of every row, and one table of what was tried, how many, and what happened.

python -m tests.trust.torture --seed 1000 [--only kills --only calls] [--scale 0.1]

What each row found is kept in a file as soon as the row ends. A run that was cut off goes on there when it is started
again with the same seed and scale and the code is still the same.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.trust.apart import short
from tests.trust.progress import PROGRESS
from tests.trust.rows import ROWS
from tests.trust.tally import Tally

ROOT = Path(__file__).parents[2]
CODE = (".py", ".pyx", ".pxd", ".c", ".h", ".j2", ".toml", ".js", ".css")


class Record:
    """What the rows of a run found, in a file."""

    def __init__(self, path, seed, scale):
        self._path = path
        self.run = {"seed": seed, "scale": scale, "code": code()}
        self.rows = {}
        if path.exists():
            kept = json.loads(path.read_text())
            if {key: kept.get(key) for key in self.run} == self.run:
                self.rows = kept["rows"]

    def add(self, name, tally, seconds, processor):
        """A row has ended."""
        self.rows[name] = {
            "tried": tally.tried, "told": tally.told(), "failures": tally.failures, "skipped": tally.skipped,
            "seconds": round(seconds, 1), "processor": round(processor, 1),
            "day": str(datetime.datetime.now(datetime.UTC).date()),
        }  # fmt: skip
        fresh = self._path.with_name(f"{self._path.name}.new")
        fresh.write_text(json.dumps(self.run | {"rows": self.rows}, indent=1))
        fresh.replace(self._path)

    def table(self):
        """What was tried, as Markdown."""
        machine = (
            f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
        )
        lines = [f"{machine}; seed {self.run['seed']}, scale {self.run['scale']:g}", ""]
        lines += [
            "| row | tried | how many | what happened | minutes | of processor | day |",
            "|---|---|---|---|---|---|---|",
        ]
        for name, row in self.rows.items():
            times = f"{row['seconds'] / 60:.1f} | {row['processor'] / 60:.1f} | {row['day']}"
            lines.append(f"| {name} | {ROWS[name].about} | {row['tried']:,} | {row['told']} | {times} |")
        both = [sum(row[key] for row in self.rows.values()) / 60 for key in ("seconds", "processor")]
        tried = sum(row["tried"] for row in self.rows.values())
        failed = sum(len(row["failures"]) for row in self.rows.values())
        lines.append(f"| all | | {tried:,} | {failed} failed | {both[0]:.1f} | {both[1]:.1f} | |")
        return "\n".join(lines)


def code():
    """A hash of all that may change what a row finds."""
    found = hashlib.sha256()
    for folder in ("volterra_cg", "templates", "tests", "benchmarks/models", "examples"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in CODE and not (path.suffix == ".c" and path.parent.name == "runtime"):
                found.update(str(path).encode() + path.read_bytes())
    return found.hexdigest()


def processor():
    """Seconds of processor time of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def tried(row, seed, count):
    """The tally of a row; a row that fails as a whole is a failure too."""
    try:
        return row.run(seed, count)
    except Exception as error:
        tally = Tally()
        tally.fail(f"the row itself: {short(error)}")
        return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1000, help="of everything that is drawn")
    parser.add_argument("--only", choices=ROWS, action="append", help="only this row")
    parser.add_argument("--scale", type=float, default=1.0, help="times the number of trials of each row")
    parser.add_argument(
        "--kept", type=Path, default=Path("torture.json"), help="where the rows that have ended are kept"
    )
    asked = parser.parse_args()
    names = asked.only or [*ROWS]
    record = Record(asked.kept, asked.seed, asked.scale)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("VOLTERRA_CG_CACHE", f"{folder}/cache")
        try:
            for name in names:
                if name in record.rows:
                    PROGRESS.end(f"{name}: tried before")
                    continue
                PROGRESS.begin(name)
                began, used = time.monotonic(), processor()
                tally = tried(ROWS[name], asked.seed, max(1, round(ROWS[name].long * asked.scale)))
                record.add(name, tally, time.monotonic() - began, processor() - used)
                PROGRESS.end(f"{name}: {tally.tried:,}: {tally.told()} ({record.rows[name]['seconds']:.0f} s)")
                for failure in tally.failures:
                    sys.stderr.write(f"  {failure}\n")
        except KeyboardInterrupt:
            PROGRESS.end(f"stopped; the same command goes on with what {asked.kept} does not hold")
    print(record.table())
    found = [record.rows.get(name) for name in names]
    return 1 if any(row is None or row["failures"] for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
