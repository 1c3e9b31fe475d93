"""Pinocchio's articulated bodies in C++ over the headers that its wheel brings; Eigen's come with CasADi's wheel."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.models import numbers

from .forms import GRAVITY
from .harness import FLAGS as COMMON
from .harness import Candidate, compiled
from .trees import Link

Rows = NDArray[np.float64]
FREE, HINGE, SLIDE = range(3)
FLAGS = (
    "-std=c++17",
    "-DNDEBUG",
    "-w",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
)
SOURCE = """
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
using namespace pinocchio;
extern "C" const int study_count;
extern "C" const double study_bodies[], study_gravity[3];
static Model model;
static Data *data;
static Eigen::VectorXd q, v, tau;
static void body(JointIndex at, double mass, Eigen::Vector3d centre, Eigen::Matrix3d inertia)
{
    model.appendBodyToJoint(at, Inertia(mass, centre, inertia), SE3::Identity());
}
static JointIndex joint(JointIndex parent, int kind, int axis, double sign, const SE3 &place, const std::string &name)
{
    const Eigen::Vector3d along = sign * Eigen::Vector3d::Unit(axis);
    if (kind == 0)
        return model.addJoint(parent, JointModelFreeFlyer(), place, name);
    if (kind == 2)
        return axis == 0   ? model.addJoint(parent, JointModelPX(), place, name)
               : axis == 1 ? model.addJoint(parent, JointModelPY(), place, name)
                           : model.addJoint(parent, JointModelPZ(), place, name);
    if (sign < 0)
        return model.addJoint(parent, JointModelRevoluteUnaligned(along), place, name);
    return axis == 0   ? model.addJoint(parent, JointModelRX(), place, name)
           : axis == 1 ? model.addJoint(parent, JointModelRY(), place, name)
                       : model.addJoint(parent, JointModelRZ(), place, name);
}
extern "C" void study_setup(void)
{
    std::vector<JointIndex> at;
    model.gravity.setZero();
    model.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(study_gravity);
    for (int k = 0; k < study_count; ++k) {
        const double *b = study_bodies + 20 * k;
        const SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(b[4], b[5], b[6]));
        const JointIndex parent = b[0] < 0 ? 0 : at[(size_t)b[0]];
        at.push_back(joint(parent, (int)b[1], (int)b[2], b[3], place, "j" + std::to_string(k)));
        body(at[k], b[10], Eigen::Vector3d(b[7], b[8], b[9]), Eigen::Map<const Eigen::Matrix3d>(b + 11));
    }
    data = new Data(model);
    q.resize(model.nq); v.resize(model.nv); tau.resize(model.nv);
}
extern "C" void study_call(const double *in, double *out)
{
    q = Eigen::Map<const Eigen::VectorXd>(in, model.nq);
    v = Eigen::Map<const Eigen::VectorXd>(in + model.nq, model.nv);
    tau = Eigen::Map<const Eigen::VectorXd>(in + model.nq + model.nv, model.nv);
    Eigen::Map<Eigen::VectorXd>(out, model.nv) = aba(model, *data, q, v, tau, Convention::LOCAL);
}
"""


@dataclass(frozen=True)
class Joint:
    """A body on its joint, which is at `place` in the axes of the joint before (-1: the ground)."""

    parent: int
    kind: int  # FREE, HINGE or SLIDE
    axis: int
    sign: float
    place: Sequence[float]
    center: Sequence[float]
    mass: float
    inertia: Sequence[Sequence[float]]


@dataclass(frozen=True)
class Tree:
    """Joints, and how the study's states and accelerations translate into Pinocchio's.

    `state` takes rows [q, u, rates of q that are no speeds of ours] and times to positions, velocities and forces.
    """

    joints: Sequence[Joint]
    state: Callable[[Rows, Rows], tuple[Rows, Rows, Rows]]
    answers: Callable[[Rows], Rows]
    gravity: Sequence[float] = (0.0, 0.0, 0.0)


def pinocchio(tree: Tree, full: Rows, times: Rows, folder: Path) -> Candidate:
    """The loop over these states; its answers are velocities' rates."""
    package = _folder("pinocchio").parents[3]
    eigen = _folder("casadi") / "include" / "eigen3" if find_spec("casadi") else Path("/usr/include/eigen3")
    prefix = next(p for p in (package, *package.parents) if (p / "include" / "pinocchio").is_dir())
    include = [*FLAGS, f"-I{prefix / 'include'}", f"-I{eigen}"]
    library = [f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}", "-lpinocchio_default"]
    bodies = folder / "bodies.c"
    bodies.write_text(_bodies(tree))
    place, velocity, force = tree.state(full, times)
    listed = [_object(folder.parents[1], include), bodies]
    states = np.hstack([place, velocity, force])
    return compiled("pinocchio", folder, listed, states, velocity.shape[1], ["-std=c++17", *library], ("g++",))


def _object(folder: Path, include: Sequence[str]) -> Path:
    """The recursion, compiled once a study: it takes g++ about a minute."""
    made = folder / "aba.o"
    if not made.exists():
        source = folder / "aba.cpp"
        source.write_text(SOURCE)
        command = ["g++", *COMMON, *include, "-c", str(source), "-o", str(made)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode:
            raise RuntimeError(f"g++ refused Pinocchio's headers: {answer.stderr[:300]}")
    return made


def _folder(package: str) -> Path:
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def _bodies(tree: Tree) -> str:
    """A row a body, as `study_setup` reads it."""
    rows = []
    for j in tree.joints:
        inertia = [x for row in j.inertia for x in row]
        row = [j.parent, j.kind, j.axis, j.sign, *j.place, *j.center, j.mass, *inertia]
        rows.append(", ".join(repr(float(x)) for x in row))
    gravity = ", ".join(map(repr, tree.gravity))
    return (
        '#ifdef __cplusplus\nextern "C" {\n#endif\n'
        "extern const int study_count;\nextern const double study_bodies[], study_gravity[3];\n"
        f"const int study_count = {len(rows)};\nconst double study_bodies[] = {{{', '.join(rows)}}};\n"
        f"const double study_gravity[3] = {{{gravity}}};\n"
        "#ifdef __cplusplus\n}\n#endif\n"
    )


# --- the mechanisms as trees of joints -----------------------------------------------------------------------------------


def in_space(links: Sequence[Link]) -> Tree:
    """A free body with others hinged to it; the joint of a hinged body is at its hinge, that of the first at its centre."""
    joints = []
    for link in links:
        out = links[link.parent].center if link.parent >= 0 else (0.0, 0.0, 0.0)
        place = [a + b for a, b in zip(link.hinge, out, strict=True)]
        kind = HINGE if link.parent >= 0 else FREE
        joints.append(Joint(link.parent, kind, link.axis, link.sign, place, link.center, link.mass, link.inertia))
    return Tree(joints, lambda full, _: _floating(full), lambda found: found[:, 3:])


def satellite_boom() -> Tree:
    """A free body with one that slides on it; the force comes from outside."""
    p = numbers("satellite_boom")
    xy, xz, yz = -p["I_xy"], -p["I_xz"], -p["I_yz"]
    inertia = ((p["I_xx"], xy, xz), (xy, p["I_yy"], yz), (xz, yz, p["I_zz"]))
    still = (0.0, 0.0, 0.0)
    joints = [
        Joint(-1, FREE, 0, 1.0, still, still, p["m_s"], inertia),
        Joint(0, SLIDE, 2, 1.0, (0.0, 0.0, p["l"] / 2 + p["a"]), still, p["m"], (still,) * 3),
    ]

    def state(full: Rows, times: Rows) -> tuple[Rows, Rows, Rows]:
        place, velocity, force = _floating(full)
        force[:, -1] = -0.018 * np.sin(0.089 * times) + 0.012 * np.cos(0.0485 * times)
        return place, velocity, force

    return Tree(joints, state, lambda found: found[:, 3:])


def cart_chain(n: int) -> Tree:
    """A cart on a slide and particles on hinges, whose angles count from the link before."""
    still = (0.0, 0.0, 0.0)
    joints = [Joint(-1, SLIDE, 0, 1.0, still, still, 1.0, (still,) * 3)]
    for k in range(n):
        place = (0.0, -1.0 if k else 0.0, 0.0)
        joints.append(Joint(k, HINGE, 2, 1.0, place, (0.0, -1.0, 0.0), 1.0, (still,) * 3))

    def relative(angles: Rows) -> Rows:
        return np.diff(angles, axis=1, prepend=0.0)

    def state(full: Rows, _: Rows) -> tuple[Rows, Rows, Rows]:
        x, angles, rates, speed = np.split(full, [1, n + 1, 2 * n + 1], axis=1)
        velocity = np.hstack([speed, relative(rates)])
        return np.hstack([x, relative(angles)]), velocity, np.zeros_like(velocity)

    return Tree(joints, state, lambda found: np.cumsum(found[:, 1:], axis=1), (0.0, -GRAVITY, 0.0))


def _floating(full: Rows) -> tuple[Rows, Rows, Rows]:
    """Position, quaternion x y z w, hinges; velocity in own axes, omega, hinge rates; no forces.

    `full` is [psi, theta, phi, hinges, X, Y, Z, omega, hinge rates, X', Y', Z'].
    """
    from scipy.spatial.transform import Rotation

    q, speeds = np.split(full, 2, axis=1)
    turned = Rotation.from_euler("ZYX", q[:, :3])
    velocity = np.hstack([turned.inv().apply(speeds[:, -3:]), speeds[:, :-3]])
    return np.hstack([q[:, -3:], turned.as_quat(), q[:, 3:-3]]), velocity, np.zeros_like(velocity)
