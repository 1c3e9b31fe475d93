"""Other generators on the same mechanism at the same states; a peer that is absent or fails says so."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import forms, kane
from .harness import Candidate, compiled
from .ours import Subject
from .pinocchio_loop import pinocchio

Rows = NDArray[np.float64]
LARGE = 8  # links; beyond, sympy's own derivations take minutes


@dataclass(frozen=True)
class Mechanism:
    """What a peer is told: a cart of n links, or a tree."""

    links: int
    tree: tuple[forms.Link, ...] = ()

    def form(self, q: Sequence[Any], u: Sequence[Any], momenta: Sequence[float], math: forms.Math) -> forms.Form:
        if self.tree:
            return forms.dense(self.tree, q, u, momenta, math)
        return forms.cart(self.links, q, u, momenta[0], math)


@dataclass(frozen=True)
class Peer:
    """A measurement to come: a loop in C, or nanoseconds already taken; `answers` are u' at the states."""

    label: str
    operations: int | None = None
    loop: Candidate | None = None
    ns: float | None = None
    answers: Callable[[], Rows] | None = None
    seconds: float | None = None
    failure: str = ""


def mechanism(name: str) -> Mechanism | None:
    """What there is a hand-written form for."""
    if name == "three_bodies":
        return Mechanism(3, tuple(forms.three_bodies()))
    family, _, size = name.rpartition("_")
    if family == "space_chain":
        return Mechanism(int(size), tuple(forms.space_chain(int(size))))
    return Mechanism(int(size)) if family == "cart_chain" else None


def places(subject: Subject) -> list[int]:
    """Where the forms' coordinates [.., hinges, X, Y, Z] are in ours."""
    names = list(subject.model.coordinates)
    last = [name for name in "XYZ" if name in names]
    return [names.index(name) for name in [*(n for n in names if n not in last), *last]]


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
        peer = run(subject, what, folder)
    except (RuntimeError, ValueError, NotImplementedError, subprocess.SubprocessError) as error:
        return Peer(name, failure=f"{type(error).__name__}: {str(error)[:300]}")
    return Peer(name, peer.operations, peer.loop, peer.ns, peer.answers, time.perf_counter() - begin)


# --- CasADi ----------------------------------------------------------------------------------------------------------------


def _casadi(subject: Subject, what: Mechanism, folder: Path, recursive: bool) -> Peer:
    """The form on SX, common subexpressions removed by CasADi, its C in our loop; numbers are folded in."""
    import casadi as ca

    if recursive and not what.tree:
        raise NotImplementedError("the recursion is written for trees in space")
    z = ca.SX.sym("z", subject.states.shape[1])
    m = len(subject.model.coordinates)
    q, u = [z[i] for i in places(subject)], [z[i] for i in range(m, z.numel())]
    math = forms.Math(ca.sin, ca.cos)
    if recursive:
        rates = [*forms.orientation(q, u, math)[1], *u[3:]]
        rows = [*rates, *forms.articulated(what.tree, q, u, [0.0] * 3, math)]
    else:
        form = what.form(q, u, subject.momenta, math)
        rows = [*form.rates, *forms.solve(form.matrix, form.right)]
    function = ca.Function("peer", [z], [ca.cse(ca.densify(ca.vertcat(*rows)))])
    source = _casadi_source(function, folder)
    loop = compiled("casadi", folder, source, subject.states, len(rows))
    skipped = len(rows) - len(u)
    return Peer("", _counted(function), loop, answers=lambda: loop.values(len(subject.states))[:, skipped:])


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

    z = hy.make_vars(*(f"z{i}" for i in range(subject.states.shape[1])))
    m = len(subject.model.coordinates)
    form = what.form([z[i] for i in places(subject)], z[m:], subject.momenta, forms.Math(hy.sin, hy.cos))
    rows = [hy.expression(0.0) + row for row in (*form.rates, *forms.solve(form.matrix, form.right))]
    function = hy.cfunc(rows, vars=z, batch_size=together)
    batch = np.ascontiguousarray(np.tile(subject.states, (100, 1)).T)
    out = np.empty((len(rows), batch.shape[1]))
    times = []
    for _ in range(9):
        begin = time.process_time_ns()
        function(batch, outputs=out)
        times.append((time.process_time_ns() - begin) / batch.shape[1])
    answers = out[m:, : len(subject.states)].T.copy()
    return Peer("", ns=float(np.median(times)), answers=lambda: answers)


def _lambdify(subject: Subject, what: Mechanism, folder: Path) -> Peer:
    """The dense matrix and right side by lambdify(cse=True), then numpy's solve; timed from Python."""
    del folder
    import sympy as sp

    if what.links > LARGE:
        raise NotImplementedError("left out beyond 8 links")
    z = sp.symbols(f"z0:{subject.states.shape[1]}")
    m = len(subject.model.coordinates)
    form = what.form([z[i] for i in places(subject)], z[m:], subject.momenta, forms.Math(sp.sin, sp.cos))
    function = sp.lambdify([z], [*form.rates, *(x for row in form.matrix for x in row), *form.right], cse=True)
    n = len(form.right)

    def rhs(state: Rows) -> Rows:
        values = np.array(function(state), dtype=float)
        return np.linalg.solve(values[-n * n - n : -n].reshape(n, n), values[-n:])

    begin = time.process_time_ns()
    answers = np.array([rhs(row) for row in subject.states])
    return Peer("", ns=(time.process_time_ns() - begin) / len(answers), answers=lambda: answers)


# --- PyDy ------------------------------------------------------------------------------------------------------------------


def _pydy(subject: Subject, what: Mechanism, folder: Path) -> Peer:
    """sympy's KanesMethod and the C that PyDy writes with linear_sys_solver='sympy:LU'; parameters at run time."""
    if what.links > (LARGE if not what.tree else 4):
        raise NotImplementedError("left out at this size: sympy takes minutes")
    model = kane.tree(what.tree) if what.tree else kane.cart(what.links)
    listed, shapes = kane.c_source(model)
    source = folder / "peer.c"
    source.write_text(listed)
    sizes = [len(model.q), len(model.u)]
    glue = folder / "glue.c"
    glue.write_text(
        "void evaluate(double a[], double b[], double c[], double m[], double x[], double k[]);\n"
        f"static double p[] = {{{', '.join(map(repr, model.values)) or '0.0'}}}, mass[{shapes[0]}];\n"
        "void study_setup(void) {}\n"
        "void study_call(const double *in, double *out)\n"
        f"{{ evaluate((double *)in, (double *)in + {sizes[0]}, p, mass, out, out + {sizes[1]}); }}\n"
    )
    states = _full(subject, what)
    loop = compiled("pydy", folder, [source, glue], states, sum(sizes))
    kept = model.kept
    return Peer("", loop=loop, answers=lambda: loop.values(len(states))[:, kept])


def _full(subject: Subject, what: Mechanism) -> Rows:
    """All coordinates and all speeds: what is ignorable for us has its own speed elsewhere."""
    m = len(subject.model.coordinates)
    rhs = np.array([subject.model.default.rhs(0.0, row) for row in subject.states])
    order = places(subject)
    q = subject.states[:, order]
    if what.tree:
        return np.hstack([q, subject.states[:, m:], rhs[:, order[-3:]]])
    return np.hstack([q, rhs[:, :1], subject.states[:, m:]])


def _pinocchio(subject: Subject, what: Mechanism, folder: Path) -> Peer:
    """Articulated bodies of Pinocchio in a C++ loop over the wheel's headers."""
    if not what.tree:
        raise NotImplementedError("the loop is written for trees in space")
    loop = pinocchio(what.tree, _full(subject, what), folder)
    return Peer("", loop=loop, answers=lambda: loop.values(len(subject.states))[:, 3:])


PEERS: dict[str, tuple[str, Callable[[Subject, Mechanism, Path], Peer]]] = {
    "casadi": ("casadi", partial(_casadi, recursive=False)),
    "casadi-aba": ("casadi", partial(_casadi, recursive=True)),
    "pydy": ("pydy", _pydy),
    "heyoka": ("heyoka", partial(_heyoka, together=1)),
    "heyoka-batch": ("heyoka", partial(_heyoka, together=0)),
    "lambdify": ("sympy", _lambdify),
    "pinocchio": ("pinocchio", _pinocchio),
}
