"""Other generators on the same mechanism at the same states; a peer that is absent or fails says so."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from . import kane
from .algebra import At, Math
from .harness import Candidate, Rows, compiled
from .mechanisms import Mechanism, at_state, mechanism, order
from .ours import Subject
from .pinocchio_loop import pinocchio
from .trees import orientation

PATIENCE = 300  # seconds that a peer may take to give its code
ROWS = 32  # dense equations beyond which heyoka is left out: LLVM cannot be interrupted


@dataclass(frozen=True)
class Peer:
    """A measurement to come: a loop in C, or nanoseconds already taken; `answers` are dz/dt or u' at the states."""

    label: str
    operations: int | None = None
    loop: Candidate | None = None
    ns: float | None = None
    answers: Callable[[], Rows] | None = None
    seconds: float | None = None
    failure: str = ""


def measured(subject: Subject, names: Sequence[str], folder: Path) -> list[Peer]:
    """Every peer asked for."""
    what = mechanism(subject.name)
    if what is None:
        return [Peer(name, failure="no form of this mechanism was written for the study") for name in names]
    return [_tried(name, subject, what, folder / name) for name in names]


def _tried(name: str, subject: Subject, what: Mechanism, folder: Path) -> Peer:
    package, run = PEERS[name]
    if find_spec(package) is None:
        return Peer(name, failure=f"absent: {package} is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.perf_counter()
    try:
        with _patience():
            peer = run(subject, what, folder)
    except TimeoutError:
        return Peer(name, failure=f"given up after {PATIENCE} s")
    except NotImplementedError as error:
        return Peer(name, failure=str(error))
    except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
        return Peer(name, failure=f"{type(error).__name__}: {str(error)[:300]}")
    return Peer(name, peer.operations, peer.loop, peer.ns, peer.answers, time.perf_counter() - begin)


@contextmanager
def _patience() -> Iterator[None]:
    """Raise TimeoutError in what takes too long."""

    def over(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _at(subject: Subject, row: Sequence[Any], math: Math) -> At:
    """A row of states and time as the forms take it."""
    return at_state(row[:-1], list(subject.model.coordinates), subject.momenta, row[-1], math)


# --- CasADi ----------------------------------------------------------------------------------------------------------------


def _casadi(subject: Subject, what: Mechanism, folder: Path, recursive: bool) -> Peer:
    """The form on SX, common subexpressions removed by CasADi, its C in our loop; numbers are folded in."""
    import casadi as ca

    z = ca.SX.sym("z", subject.rows.shape[1])
    at = _at(subject, [z[i] for i in range(z.numel())], Math(ca.sin, ca.cos, ca.sqrt))
    if not recursive:
        rows = what.rates(at, subject.model.coordinates)
    elif what.recursion:
        rows = [*orientation(at)[1], *at.u[3:], *what.recursion(at)]
    else:
        raise NotImplementedError("the recursion is written for hinges in space")
    function = ca.Function("peer", [z], [ca.cse(ca.densify(ca.vertcat(*rows)))])
    source = _casadi_source(function, folder)
    loop = compiled("casadi", folder, source, subject.rows, len(rows))
    kept = len(at.u) if recursive else len(rows)
    return Peer("", _counted(function), loop, answers=lambda: loop.values(len(subject.states))[:, -kept:])


def _casadi_source(function: Any, folder: Path) -> list[Path]:
    import casadi as ca

    generator = ca.CodeGenerator("peer.c", {"with_header": False})
    generator.add(function)
    listed = folder / "peer.c"
    listed.write_text(generator.dump())
    glue = folder / "glue.c"
    glue.write_text(
        "int peer(const double **arg, double **res, long long int *iw, double *w, int mem);\n"
        f"static double w[{function.sz_w() + 1}]; static long long int iw[{function.sz_iw() + 1}];\n"
        "void study_setup(void) {}\n"
        "void study_call(const double *in, double *out)\n"
        f"{{ const double *arg[{function.sz_arg() + 1}] = {{in}}; double *res[{function.sz_res() + 1}] = {{out}};\n"
        "  peer(arg, res, iw, w, 0); }\n"
    )
    return [listed, glue]


def _counted(function: Any) -> int:
    """Instructions that are arithmetic; sign changes are free, as in our own count."""
    import casadi as ca

    free = {ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST, ca.OP_PARAMETER, ca.OP_NEG, ca.OP_ASSIGN}
    return sum(function.instruction_id(k) not in free for k in range(function.n_instructions()))


# --- heyoka, sympy ---------------------------------------------------------------------------------------------------------


def _heyoka(subject: Subject, what: Mechanism, folder: Path, together: int) -> Peer:
    """The dense form as a compiled function over many states; `together` are evaluated at once, 0 for the widest."""
    del folder
    import heyoka as hy

    z = hy.make_vars(*(f"z{i}" for i in range(subject.rows.shape[1])))
    at = _at(subject, z, Math(hy.sin, hy.cos, hy.sqrt))
    if len(at.u) > ROWS:
        raise NotImplementedError(f"left out beyond {ROWS} dense equations")
    rows = [hy.expression(0.0) + row for row in what.rates(at, subject.model.coordinates)]
    function = hy.cfunc(rows, vars=z, batch_size=together)
    batch = np.ascontiguousarray(np.tile(subject.rows, (100, 1)).T)
    out = np.empty((len(rows), batch.shape[1]))
    times = []
    for _ in range(9):
        begin = time.process_time_ns()
        function(batch, outputs=out)
        times.append((time.process_time_ns() - begin) / batch.shape[1])
    answers = out[:, : len(subject.rows)].T.copy()
    return Peer("", ns=float(np.median(times)), answers=lambda: answers)


def _lambdify(subject: Subject, what: Mechanism, folder: Path) -> Peer:
    """The dense matrix and right side by lambdify(cse=True), then numpy's solve; timed from Python."""
    del folder
    import sympy as sp

    z = sp.symbols(f"z0:{subject.rows.shape[1]}")
    form = what.form(_at(subject, z, Math(sp.sin, sp.cos, sp.sqrt)))
    function = sp.lambdify([z], [*form.rates, *(x for row in form.matrix for x in row), *form.right], cse=True)
    n = len(form.right)

    def rhs(row: Rows) -> Rows:
        values = np.array(function(row), dtype=float)
        return np.linalg.solve(values[-n * n - n : -n].reshape(n, n), values[-n:])

    begin = time.process_time_ns()
    answers = np.array([rhs(row) for row in subject.rows])
    return Peer("", ns=(time.process_time_ns() - begin) / len(answers), answers=lambda: answers)


# --- PyDy ------------------------------------------------------------------------------------------------------------------


def _pydy(subject: Subject, what: Mechanism, folder: Path) -> Peer:
    """sympy's KanesMethod and the C that PyDy writes with linear_sys_solver='sympy:LU'; parameters at run time."""
    model = what.kane()
    source = folder / "peer.c"
    source.write_text(kane.c_source(model))
    m, n = len(model.q), len(model.u)
    values = ", ".join(map(repr, model.parameters.values())) or "0.0"
    glue = folder / "glue.c"
    glue.write_text(
        "void evaluate(double a[], double b[], double t[], double c[], double m[], double x[], double k[]);\n"
        f"static double p[] = {{{values}}}, mass[{n * n}];\n"
        "void study_setup(void) {}\n"
        "void study_call(const double *in, double *out)\n"
        f"{{ double *z = (double *)in; evaluate(z, z + {m}, z + {m + n}, p, mass, out, out + {n}); }}\n"
    )
    states = np.column_stack([_full(subject, what), subject.times])
    loop = compiled("pydy", folder, [source, glue], states, m + n)
    kept = len(subject.model.quasi_velocities)
    return Peer("", loop=loop, answers=lambda: loop.values(len(states))[:, :kept])


def _full(subject: Subject, what: Mechanism) -> Rows:
    """All coordinates, our speeds, and the rates that are speeds elsewhere."""
    places = order(subject.model.coordinates)
    q, u = subject.states[:, places], subject.states[:, subject.speeds]
    return np.hstack([q, u, subject.rates[:, places][:, what.further]])


def _pinocchio(subject: Subject, what: Mechanism, folder: Path) -> Peer:
    """Articulated bodies of Pinocchio in a C++ loop over the wheel's headers."""
    tree = what.tree
    if not tree:
        raise NotImplementedError("aba knows no constraints")
    loop = pinocchio(tree, _full(subject, what), subject.times, folder)
    return Peer("", loop=loop, answers=lambda: tree.answers(loop.values(len(subject.states))))


PEERS: dict[str, tuple[str, Callable[[Subject, Mechanism, Path], Peer]]] = {
    "casadi": ("casadi", partial(_casadi, recursive=False)),
    "casadi-aba": ("casadi", partial(_casadi, recursive=True)),
    "pydy": ("pydy", _pydy),
    "heyoka": ("heyoka", partial(_heyoka, together=1)),
    "heyoka-batch": ("heyoka", partial(_heyoka, together=0)),
    "lambdify": ("sympy", _lambdify),
    "pinocchio": ("pinocchio", _pinocchio),
}
