"""Pinocchio's articulated bodies in C++ over the headers that its wheel brings; Eigen's come with CasADi's wheel."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .forms import Link
from .harness import FLAGS as COMMON
from .harness import Candidate, compiled

Rows = NDArray[np.float64]
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
extern "C" const double study_bodies[];
static Model model;
static Data *data;
static Eigen::VectorXd q, v, tau;
static void body(JointIndex at, double mass, Eigen::Vector3d centre, Eigen::Matrix3d inertia)
{
    model.appendBodyToJoint(at, Inertia(mass, centre, inertia), SE3::Identity());
}
extern "C" void study_setup(void)
{
    std::vector<JointIndex> at;
    model.gravity.setZero();
    for (int k = 0; k < study_count; ++k) {
        const double *b = study_bodies + 20 * k;
        const SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(b[3], b[4], b[5]));
        const JointIndex parent = b[0] < 0 ? 0 : at[(size_t)b[0]];
        const std::string name = "j" + std::to_string(k);
        if (b[0] < 0)
            at.push_back(model.addJoint(0, JointModelFreeFlyer(), SE3::Identity(), name));
        else if (b[2] < 0)
            at.push_back(model.addJoint(
                parent, JointModelRevoluteUnaligned(-(b[1] == 0), -(b[1] == 1), -(b[1] == 2)), place, name));
        else if (b[1] == 0)
            at.push_back(model.addJoint(parent, JointModelRX(), place, name));
        else if (b[1] == 1)
            at.push_back(model.addJoint(parent, JointModelRY(), place, name));
        else
            at.push_back(model.addJoint(parent, JointModelRZ(), place, name));
        body(at[k], b[9], Eigen::Vector3d(b[6], b[7], b[8]), Eigen::Map<const Eigen::Matrix3d>(b + 10));
    }
    data = new Data(model);
    q.resize(model.nq); v.resize(model.nv); tau = Eigen::VectorXd::Zero(model.nv);
}
extern "C" void study_call(const double *in, double *out)
{
    q = Eigen::Map<const Eigen::VectorXd>(in, model.nq);
    v = Eigen::Map<const Eigen::VectorXd>(in + model.nq, model.nv);
    Eigen::Map<Eigen::VectorXd>(out, model.nv) = aba(model, *data, q, v, tau, Convention::LOCAL);
}
"""


def pinocchio(tree: Sequence[Link], states: Rows, folder: Path) -> Candidate:
    """`states` are [psi, theta, phi, hinges, X, Y, Z, omega, hinge rates, X', Y', Z']; answers are [v', omega', hinges'']."""
    package = _folder("pinocchio").parents[3]
    eigen = _folder("casadi") / "include" / "eigen3" if find_spec("casadi") else Path("/usr/include/eigen3")
    prefix = next(p for p in (package, *package.parents) if (p / "include" / "pinocchio").is_dir())
    include = [*FLAGS, f"-I{prefix / 'include'}", f"-I{eigen}"]
    library = [f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}", "-lpinocchio_default"]
    bodies = folder / "bodies.c"
    bodies.write_text(_bodies(tree))
    n = len(tree) - 1
    listed = [_object(folder.parents[1], include), bodies]
    return compiled("pinocchio", folder, listed, _configured(states, n), 6 + n, ["-std=c++17", *library], ("g++",))


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


def _bodies(tree: Sequence[Link]) -> str:
    """A row a body: parent, axis, sign, place of the joint, centre, mass, inertia.

    The joint frame of a hinged body is at its hinge, that of the first body at its centre.
    """
    rows = []
    for link in tree:
        out = tree[link.parent].center if link.parent >= 0 else (0.0, 0.0, 0.0)
        place = [a + b for a, b in zip(link.hinge, out, strict=True)]
        inertia = [x for row in link.inertia for x in row]
        row = [link.parent, link.axis, link.sign, *place, *link.center, link.mass, *inertia, 0.0]
        rows.append(", ".join(repr(float(x)) for x in row))
    listed = ",\n".join(rows)
    head = (
        '#ifdef __cplusplus\nextern "C" {\n#endif\nextern const int study_count;\nextern const double study_bodies[];\n'
    )
    tail = "#ifdef __cplusplus\n}\n#endif\n"
    return f"{head}const int study_count = {len(tree)};\nconst double study_bodies[] = {{{listed}}};\n{tail}"


def _configured(states: Rows, n: int) -> Rows:
    """Position, quaternion x y z w, hinges; velocity in own axes, omega, hinge rates."""
    from scipy.spatial.transform import Rotation

    turned = Rotation.from_euler("ZYX", states[:, :3])
    hinges, place = states[:, 3 : 3 + n], states[:, 3 + n : 6 + n]
    speeds = states[:, 6 + n :]
    velocity = turned.inv().apply(speeds[:, 3 + n :])
    return np.hstack([place, turned.as_quat(), hinges, velocity, speeds[:, : 3 + n]])
