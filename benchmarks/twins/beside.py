"""Times and accelerations of a model beside those of its twins, at the same states and in the same loop."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from volterra_cg.build.toolchain import find_toolchain
from volterra_cg.runtime import Start
from volterra_cg.runtime.table import DOUBLES, arrays

from . import mujoco as in_mujoco
from . import pinocchio as in_pinocchio
from .told import Motion
from .tree import Array, Tree

HERE = Path(__file__).parent
HEADERS = HERE.parents[1] / "volterra_cg" / "headers"
FLAGS = ("-O2", "-fPIC", "-shared")
ROUNDS, SPAN = 9, 0.02  # turns of every candidate, and seconds of a turn
APART = 1e-6  # of accelerations and differences of rates, beside the largest
SETTINGS = (1e-10, 1e-7, 20, 1e-9, 1e-6, 20)  # accuracy, mu and iterations of constraintDynamics, then of lcaba
Twin = tuple[Tree, Callable[[Motion], Motion]]  # a tree of joints, and its coordinates from ours


@dataclass(frozen=True)
class Candidate:
    """A C function over rows of states."""

    label: str
    call: int  # its address, and that of what it is called with
    what: int
    states: Array
    outputs: int
    expected: Array | None = None  # what it should give at the states
    kept: tuple[Any, ...] = ()


def library(folder: Path) -> ctypes.CDLL:
    """loop.c, compiled once in this folder."""
    made = folder / "loop.so"
    if not made.exists():
        command = [*find_toolchain().command, *FLAGS, f"-I{HEADERS}", str(HERE / "loop.c"), "-o", str(made)]
        subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(made))
    loaded.loop_seconds.restype = ctypes.c_double
    return loaded


def pinocchio_library(folder: Path) -> ctypes.CDLL | None:
    """pinocchio.cpp, which takes g++ more than a minute; None without Pinocchio's headers and Eigen's, which CasADi has."""
    made = folder / "pinocchio.so"
    if not made.exists():
        found, eigen = find_spec("pinocchio"), find_spec("casadi")
        if not (found and eigen and found.origin and eigen.origin):
            return None
        prefix = next(p for p in Path(found.origin).parents if (p / "include" / "pinocchio").is_dir())
        paths = [
            f"-I{prefix / 'include'}",
            f"-I{Path(eigen.origin).parent / 'include' / 'eigen3'}",
            f"-L{prefix / 'lib'}",
        ]
        boost = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
        link = [f"-Wl,-rpath,{prefix / 'lib'}", "-lpinocchio_default"]
        source = str(HERE / "pinocchio.cpp")
        subprocess.run(
            ["g++", *FLAGS, "-std=c++17", "-DNDEBUG", "-w", *boost, source, *paths, *link, "-o", str(made)], check=True
        )
    loaded = ctypes.CDLL(str(made))
    loaded.pinocchio_open.restype = ctypes.c_void_p
    return loaded


def candidates(start: Start, states: Array, twin: Twin | None, folder: Path) -> list[Candidate]:
    """Ours and what can be had of others."""
    loop = library(folder)
    given = arrays(start)
    pointers = [ctypes.c_void_p(start.model.address), *(ctypes.c_void_p(a.ctypes.data) for a in given[:4])]
    what = (ctypes.c_void_p * 5)(*(p.value for p in pointers))
    found = [
        Candidate("ours", _address(loop.ours_rhs), ctypes.addressof(what), states, states.shape[1], kept=(what, given))
    ]
    if twin is None:
        return found
    tree, told = twin
    motions = [told(_motion(start, z)) for z in states]
    if find_spec("mujoco"):
        found.append(_mujoco(tree, motions, loop))
    peer = pinocchio_library(folder)
    if peer is not None:
        found += _pinocchio(tree, motions, peer)
    return found


def require_rates(start: Start, states: Array) -> None:
    """The right side has to move the rates as the accelerations say, which the twins are compared with."""
    for z in states:
        dz, expected = start.rhs(0.0, z), start.accelerations(0.0, z)
        step = 1e-5 / max(1.0, np.abs(dz).max())
        found = (start.rates(0.0, z + step * dz) - start.rates(0.0, z - step * dz)) / (2 * step)
        if np.abs(found - expected).max() > APART * max(1.0, np.abs(expected).max()):
            raise ValueError(f"rhs and accelerations of {start.model.name} are {np.abs(found - expected).max()} apart")


def _motion(start: Start, z: Array) -> Motion:
    names = list(start.model.coordinates)
    parts = z[: len(names)], start.rates(0.0, z), start.accelerations(0.0, z)
    return dict(zip(names, zip(*parts, strict=True), strict=True))


def _mujoco(tree: Tree, motions: Sequence[Motion], loop: ctypes.CDLL) -> Candidate:
    import mujoco

    model = in_mujoco.model_of(tree)
    data = mujoco.MjData(model)
    rows, expected = [], []
    for motion in motions:
        *state, rate = in_mujoco.state(tree, motion)
        rows.append(np.concatenate(state))
        expected.append(rate)
    c = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco.so*"))))
    fields = [_address(c.mj_forward), model._address, data._address]
    fields += [a.ctypes.data for a in (data.qpos, data.qvel, data.qfrc_applied, data.qacc)]
    what = (ctypes.c_void_p * 9)(*fields, model.nq, model.nv)
    kept = (what, model, data, c)
    return Candidate(
        "MuJoCo",
        _address(loop.mujoco_forward),
        ctypes.addressof(what),
        np.array(rows),
        model.nv,
        np.array(expected),
        kept,
    )


def _pinocchio(tree: Tree, motions: Sequence[Motion], peer: ctypes.CDLL) -> list[Candidate]:
    told = in_pinocchio.rows(tree)
    if told is None:
        return []
    links, closures = (np.ascontiguousarray(part, dtype=float) for part in told)
    gravity = np.array(tree.gravity)
    pointers = [(a.ctypes.data_as(DOUBLES)) for a in (links, closures, gravity)]
    what = peer.pinocchio_open(pointers[0], len(links), pointers[1], len(closures), pointers[2])
    settings = np.array(SETTINGS)
    peer.pinocchio_settle(ctypes.c_void_p(what), settings.ctypes.data_as(DOUBLES))
    rows, expected = [], []
    for motion in motions:
        *state, rate = in_pinocchio.state(tree, motion)
        rows.append(np.concatenate(state))
        expected.append(rate)
    calls = (
        {"constraintDynamics": peer.pinocchio_cholesky, "lcaba": peer.pinocchio_lcaba}
        if len(closures)
        else {"aba": peer.pinocchio_aba}
    )
    count = len(expected[0])
    return [
        Candidate(label, _address(call), what, np.array(rows), count, np.array(expected), (peer,))
        for label, call in calls.items()
    ]


def differences(tree: Tree, listed: Sequence[Candidate], loop: ctypes.CDLL) -> dict[str, float]:
    """How far the accelerations of others are from ours, beside the largest of them; MuJoCo's with constraints made exact."""
    found = {}
    for one in listed:
        if one.expected is not None:
            values = _exact(tree, one) if one.label == "MuJoCo" else _values(one, loop)
            found[one.label] = float(np.abs(values - one.expected).max() / np.abs(one.expected).max())
    return found


def _exact(tree: Tree, one: Candidate) -> Array:
    _, model, data, _ = one.kept
    found = []
    for row in one.states:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = np.split(row, [model.nq, model.nq + model.nv])
        found.append(in_mujoco.exact(tree, model, data))
    return np.array(found)


def _values(one: Candidate, loop: ctypes.CDLL) -> Array:
    out = np.zeros((len(one.states), one.outputs))
    _seconds(one, loop, out, len(out))
    return out


def nanoseconds(listed: Sequence[Candidate], loop: ctypes.CDLL) -> dict[str, float]:
    """Of a call, medians of rounds in which all take turns."""
    out = {one.label: np.zeros((len(one.states), one.outputs)) for one in listed}
    loops = {one.label: max(1, int(SPAN / _seconds(one, loop, out[one.label], len(one.states)))) for one in listed}
    times = [
        {one.label: _seconds(one, loop, out[one.label], loops[one.label]) for one in listed} for _ in range(ROUNDS)
    ]
    return {label: 1e9 * median(turn[label] for turn in times) for label in out}


def _seconds(one: Candidate, loop: ctypes.CDLL, out: Array, loops: int) -> float:
    states = np.ascontiguousarray(one.states)
    pointers = ctypes.c_void_p(one.call), ctypes.c_void_p(one.what), ctypes.c_void_p(states.ctypes.data)
    sizes = len(states), states.shape[1], one.outputs
    return float(loop.loop_seconds(*pointers, ctypes.c_void_p(out.ctypes.data), *sizes, ctypes.c_long(loops)))


def _address(function: Any) -> int:
    found = ctypes.cast(function, ctypes.c_void_p).value
    assert found is not None
    return found
