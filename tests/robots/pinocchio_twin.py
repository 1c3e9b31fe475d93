"""The accelerations of a URDF by Pinocchio, at random states, beside those of the imported mechanism."""

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.mechanics import Motion
from volterra_cg.robots import imported

ROBOTS = {  # of example-robot-data, and whether the base floats
    "double_pendulum_continuous": False,
    "ur5_robot": False,
    "xarm7": False,
    "z1": False,
    "kinova": False,
    "so101": False,
    "borinot_flying_arm_2": True,
    "bolt": True,
    "solo12": True,
    "go2": True,
    "anymal": True,
}


def installed(name):
    """The URDF files of this name, if Pinocchio and example-robot-data are installed."""
    share = Path(sys.prefix).glob("lib/python*/site-packages/cmeel.prefix/share/example-robot-data")
    return sorted(path for folder in share for path in folder.rglob(f"{name}.urdf")) if find_spec("pinocchio") else []


def product(a, b):
    """Of quaternions, the scalar part first."""
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def difference(path, floating, seed=0):
    """How far both are apart, beside the largest acceleration."""
    pinocchio = pytest.importorskip("pinocchio")
    base = [pinocchio.JointModelFreeFlyer()] if floating else []
    model = pinocchio.buildModelFromUrdf(str(path), *base)
    damping = model.damping.copy()
    model.damping[:], model.friction[:] = 0, 0
    random, data = np.random.default_rng(seed), model.createData()
    q, v = pinocchio.neutral(model), random.uniform(-1, 1, model.nv)
    if floating:
        q[:3] = random.uniform(-1, 1, 3)
        q[3:7] = (turn := random.normal(size=4)) / np.linalg.norm(turn)  # the scalar part last
    ours = {}
    found = imported(path, floating=floating)
    for number in range(1 + floating, model.njoints):
        joint, name = model.joints[number], model.names[number]
        angle = random.uniform(-1, 1)
        q[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
        ours[found.names.get(f"joint {name}", name)] = (angle, v[joint.idx_v])
    a = pinocchio.aba(model, data, q, v, -damping * v)
    expected = {
        found.names.get(f"joint {n}", n): a[model.joints[model.getJointId(n)].idx_v]
        for n in model.names[1 + floating :]
    }
    motion = Motion(found.mechanism.to_toml(), "kane")
    names = [str(coordinate.name) for coordinate in motion.system.coordinates]
    if floating:
        state, second = flight(q, v, a, pinocchio, names[:7])
        ours, expected = ours | state, expected | second
    theirs = np.array([expected[name] for name in names])
    return np.abs(motion.accelerations(ours) - theirs).max() / np.abs(theirs).max()


def flight(q, v, a, pinocchio, names):
    """Coordinates, rates and accelerations of the base from what Pinocchio tells in its axes."""
    turn = pinocchio.Quaternion(q[6], q[3], q[4], q[5]).toRotationMatrix()
    parts = np.array([q[6], *q[3:6]])
    spin, slope = np.array([0, *v[3:6]]), np.array([0, *a[3:6]])
    rates = product(parts, spin) / 2
    second = product(rates, spin) / 2 + product(parts, slope) / 2
    speed, along = turn @ v[:3], turn @ (a[:3] + np.cross(v[3:6], v[:3]))
    state = dict(zip(names, zip((*q[:3], *parts), (*speed, *rates), strict=True), strict=True))
    return state, dict(zip(names, (*along, *second), strict=True))
