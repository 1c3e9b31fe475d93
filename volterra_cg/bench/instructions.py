"""Machine instructions of one call of rhs, counted by valgrind's callgrind; its own libraries' included."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOOPS = 2000
SCRIPT = """
import sys
from pathlib import Path
from volterra_cg.build import load
from volterra_cg.runtime.integration import repeat
start = load(Path(sys.argv[1])).model.default
repeat(start.handle, [start.t0], [start.z0], int(sys.argv[2]))
"""


def available() -> bool:
    """Whether valgrind is on this machine."""
    return shutil.which("valgrind") is not None


def instructions(folder: Path) -> int | None:
    """Of the model in a folder, at its start; None without valgrind or where it fails."""
    if not available():
        return None
    with tempfile.TemporaryDirectory() as aside:
        out = Path(aside) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=vcg_repeat", f"--callgrind-out-file={out}"]
        answer = subprocess.run(
            [*command, sys.executable, "-c", SCRIPT, str(folder), str(LOOPS)],
            capture_output=True,
            text=True,
            check=False,
        )
        text = out.read_text() if out.exists() else ""
    total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
    return round(int(total[1]) / LOOPS) if answer.returncode == 0 and total else None
