"""The accelerations of an MJCF file by MuJoCo, at random states, beside those of the imported mechanism."""

import sys
from pathlib import Path

import numpy as np

from tests.fixtures.mechanics import Motion
from tests.robots.pinocchio_twin import product
from volterra_cg.extras import extra
from volterra_cg.robots import imported

OFF = ("CONSTRAINT", "CONTACT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "ACTUATION", "CLAMPCTRL")
SUITE = [  # models of dm_control
    "acrobot",
    "ball_in_cup",
    "cartpole",
    "cheetah",
    "finger",
    "fish",
    "hopper",
    "humanoid",
    "manipulator",
    "pendulum",
    "point_mass",
    "quadruped",
    "reacher",
    "stacker",
    "swimmer",
    "walker",
]


def installed(name):
    """The files of this name in dm_control's suite, if it is installed."""
    return [*Path(sys.prefix).glob(f"lib/python*/site-packages/dm_control/suite/{name}.xml")]


def difference(path, seed=0):
    """How far both are apart, beside the largest acceleration; all that is not taken is off in MuJoCo."""
    mujoco = extra("mujoco")
    mujoco.set_mju_user_warning(lambda _: None)  # which it would write to a file in the working folder
    model = mujoco.MjModel.from_xml_path(str(path))
    for flag in OFF:
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}")
    model.opt.density = model.opt.viscosity = 0
    model.tendon_stiffness[:], model.tendon_damping[:] = 0, 0
    model.dof_damping[_of_free_and_balls(model)] = 0
    model.dof_armature[_of_free_and_balls(model)] = 0
    random, data = np.random.default_rng(seed), mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, random.uniform(-1, 1, model.nv), 1.0)
    data.qvel[:] = random.uniform(-1, 1, model.nv)
    rows = _followed(model, data)
    mujoco.mj_forward(model, data)
    _constrain(model, data, rows)
    found = imported(path)
    state, expected = {}, {}
    for k in range(model.njnt):
        told, second = _joint(model, data, k, found.names)
        state, expected = state | told, expected | second
    motion = Motion(found.mechanism.to_toml(), "kane")
    theirs = np.array([expected[str(coordinate.name)] for coordinate in motion.system.coordinates])
    return np.abs(motion.accelerations(state) - theirs).max() / np.abs(theirs).max()


def _followed(model, data):
    """Bring joints that follow others to where they then are; the rows of those constraints, on velocities."""
    rows = []
    for k in np.flatnonzero(model.eq_active0 * (model.eq_type == extra("mujoco").mjtEq.mjEQ_JOINT)):
        (one, other), (offset, factor, *rest) = (model.eq_obj1id[k], model.eq_obj2id[k]), model.eq_data[k, :5]
        if other < 0 or any(rest):  # not taken
            continue
        (at, before), (dof, first) = (places[[one, other]] for places in (model.jnt_qposadr, model.jnt_dofadr))
        data.qpos[at] = model.qpos0[at] + offset + factor * (data.qpos[before] - model.qpos0[before])
        data.qvel[dof] = factor * data.qvel[first]
        rows.append(np.zeros(model.nv))
        rows[-1][[dof, first]] = 1, -factor
    return np.array(rows)


def _constrain(model, data, rows):
    """Add what keeps constraints exactly, by Lagrange's multipliers; MuJoCo's own equalities are soft."""
    if len(rows):
        moved = np.zeros_like(rows)
        extra("mujoco").mj_solveM(model, data, moved, rows)
        data.qacc -= moved.T @ np.linalg.solve(rows @ moved.T, rows @ data.qacc)


def _of_free_and_balls(model):
    sizes = {0: 6, 1: 3}
    return [
        dof + i
        for kind, dof in zip(model.jnt_type, model.jnt_dofadr, strict=True)
        for i in range(sizes.get(int(kind), 0))
    ]


def _joint(model, data, k, names):
    """Coordinates, rates and accelerations of a joint, in our words."""
    name = model.joint(k).name or f"{model.body(model.jnt_bodyid[k]).name or f'body{model.jnt_bodyid[k]}'}_joint{k}"
    name = names.get(f"joint {name}", name)
    kind, at, dof = int(model.jnt_type[k]), model.jnt_qposadr[k], model.jnt_dofadr[k]
    if kind > 1:
        value = data.qpos[at] - model.qpos0[at]
        return {name: (value, data.qvel[dof])}, {name: data.qacc[dof]}
    coordinates, rates, second = [], [], []
    if kind == 0:
        coordinates, rates, second = [
            list(values[first : first + 3]) for values, first in ((data.qpos, at), (data.qvel, dof), (data.qacc, dof))
        ]
        at, dof = at + 3, dof + 3
    turn = data.qpos[at : at + 4]
    spin, slope = (np.array([0.0, *values[dof : dof + 3]]) for values in (data.qvel, data.qacc))
    slopes = product(turn, spin) / 2
    coordinates += list(turn)
    rates += list(slopes)
    second += list(product(slopes, spin) / 2 + product(turn, slope) / 2)
    parts = [f"{name}_{part}" for part in ("x", "y", "z")[: 3 if kind == 0 else 0]] + [f"{name}_q{i}" for i in range(4)]
    return dict(zip(parts, zip(coordinates, rates, strict=True), strict=True)), dict(zip(parts, second, strict=True))
