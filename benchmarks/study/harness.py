"""One C loop for everyone: a candidate is a source that defines `study_call`; same compiler, same flags, same states."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from volterra_cg.build.toolchain import find_toolchain

Rows = NDArray[np.float64]
FLAGS = ("-O2", "-ffp-contract=off", "-fno-math-errno", "-g0")
ROUNDS = 7
COUNTED = 2000  # calls under callgrind
MAIN = """
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif
void study_setup(void);
void study_call(const double *in, double *out);
void study_loop(const double *in, double *out, long loops);
#ifdef __cplusplus
}
#endif
#define ROWS %(rows)d
#define IN %(inputs)d
#define OUT %(outputs)d
static double in[ROWS * IN], out[ROWS * OUT];
__attribute__((noinline)) void study_loop(const double *from, double *to, long loops)
{
    for (long k = 0; k < loops; ++k)
        study_call(from + IN * (k %% ROWS), to + OUT * (k %% ROWS));
}
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "rb");
    if (argc < 4 || !file || fread(in, sizeof(double), ROWS * IN, file) != ROWS * IN)
        return 1;
    fclose(file);
    study_setup();
    study_loop(in, out, ROWS);
    long loops = atol(argv[3]);
    if (loops) {
        study_loop(in, out, loops);
        return 0;
    }
    file = fopen(argv[2], "wb");
    if (!file || fwrite(out, sizeof(double), ROWS * OUT, file) != ROWS * OUT)
        return 1;
    fclose(file);
    double begin = now();
    study_loop(in, out, 2000);
    double one = (now() - begin) / 2000;
    loops = (long)(0.02 / (one > 1e-9 ? one : 1e-9));
    begin = now();
    study_loop(in, out, loops);
    printf("%%.17g\\n", (now() - begin) / (double)loops);
    return 0;
}
"""


@dataclass(frozen=True)
class Candidate:
    """A compiled loop over rows of states."""

    label: str
    folder: Path
    program: Path

    def once(self) -> float:
        """Nanoseconds of a call, from one process."""
        answer = subprocess.run(
            [self.program, self._states, self._answers, "0"], capture_output=True, text=True, check=True
        )
        return 1e9 * float(answer.stdout)

    def values(self, rows: int) -> Rows:
        """What it computed at each state, after `once`."""
        return np.fromfile(self._answers).reshape(rows, -1)

    def instructions(self) -> int | None:
        """Of a call, by callgrind; None where there is none."""
        if shutil.which("valgrind") is None:
            return None
        out = self.folder / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=study_loop", f"--callgrind-out-file={out}"]
        answer = subprocess.run(
            [*command, str(self.program), self._states, self._answers, str(COUNTED)], capture_output=True, check=False
        )
        found = re.search(r"^(?:summary|totals): (\d+)", out.read_text() if out.exists() else "", re.MULTILINE)
        return round(int(found[1]) / (COUNTED + self._rows)) if found and not answer.returncode else None

    @property
    def _rows(self) -> int:
        return int((self.folder / "rows").read_text())

    @property
    def _states(self) -> str:
        return str(self.folder / "states")

    @property
    def _answers(self) -> str:
        return str(self.folder / "answers")


def compiled(
    label: str,
    folder: Path,
    sources: Sequence[Path],
    states: Rows,
    outputs: int,
    extra: Sequence[str] = (),
    compiler: Sequence[str] = (),
) -> Candidate:
    """Compile sources with the common main; `states` has the layout that their `study_call` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    main = folder / ("main.cpp" if compiler else "main.c")
    main.write_text(MAIN % {"rows": len(states), "inputs": states.shape[1], "outputs": outputs})
    np.ascontiguousarray(states, dtype=np.float64).tofile(folder / "states")
    (folder / "rows").write_text(str(len(states)))
    program = folder / "loop"
    command = [*(compiler or find_toolchain().command), *FLAGS, *map(str, [main, *sources]), "-o", str(program)]
    answer = subprocess.run([*command, *extra, "-lm"], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise RuntimeError(f"{label}: the compiler refused:\n{answer.stderr[:2000]}")
    return Candidate(label, folder, program)


def nanoseconds(candidates: Sequence[Candidate], rounds: int = ROUNDS) -> dict[str, float]:
    """Medians of rounds in which the candidates take turns."""
    found: dict[str, list[float]] = {c.label: [] for c in candidates}
    for _ in range(rounds):
        for candidate in candidates:
            found[candidate.label].append(candidate.once())
    return {label: median(times) for label, times in found.items()}
