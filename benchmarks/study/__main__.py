"""The command: python -m benchmarks.study [--models ...] [--levels ...] [--peers ...] [-o DIR]."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from volterra_cg.bench.measures import one_core
from volterra_cg.build.toolchain import find_toolchain

from .harness import FLAGS
from .measure import MODELS, Row, measure, table
from .peers import PEERS


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__)
    parser.add_argument("--models", nargs="+", default=list(MODELS), help="files, or names such as space_chain_8")
    parser.add_argument("--levels", nargs="+", type=int, default=[0, 1, 2, 3], choices=range(4))
    parser.add_argument("--peers", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--no-callgrind", action="store_true")
    parser.add_argument("-o", "--out", type=Path, help="keep sources, loops and table.md here")
    asked = parser.parse_args(arguments)
    print(f"compiler: {find_toolchain().version}; flags: {' '.join(FLAGS)}", file=sys.stderr)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as aside, one_core():
        folder = asked.out or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        for name in asked.models:
            found = measure(name, folder, asked.levels, asked.peers, not asked.no_callgrind)
            print("\n".join(table(found).splitlines()[0 if not rows else 2 :]), flush=True)
            rows += found
        (folder / "table.md").write_text(table(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
