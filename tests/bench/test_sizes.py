"""The mechanisms of the study of sizes are valid, and others, told the same, agree with the compiler about them."""

import numpy as np
import pytest

from benchmarks.sizes import NAMES, spec_of
from benchmarks.twins import mujoco as in_mujoco
from benchmarks.twins import pinocchio as in_pinocchio
from benchmarks.twins.told import twin
from tests.fixtures.mechanics import Motion, system_of
from volterra_cg import Mechanism
from volterra_cg.extras import extra
from volterra_cg.formulations import feasibility
from volterra_cg.program.interpret import interpret


def rolling_disc():
    """A disc that leans and rolls, with a bob that slides in it on a spring."""
    made = Mechanism("disc", project=True)
    made.gravity([0, 0, -9.81])
    made.body("disc", 2, inertia=[0.1, 0.2, 0.1])
    start = {"orientation": "zxy", "initial": [0.3, 0.1, 0.5, 0.2, 0.3, 0.1], "rate": [0.5, 0.2, 0, 0.4, 0.2, 3]}
    made.joint("base", "free", "disc", **start)
    made.body("bob", 0.5, inertia={"xx": 0.01, "yy": 0.02, "zz": 0.02, "xy": 0.003})
    slide = {
        "axis": [1, 1, 0],
        "at": [0.1, 0, 0.05],
        "initial": 0.1,
        "rate": 0.2,
        "spring": {"stiffness": 30, "length": 0.2},
    }
    made.joint("slide", "prismatic", "bob", "disc", center=[0.02, 0, 0], **slide)
    made.constraint("rim", roll="disc", radius=0.5, axis="y")
    return made.to_toml()


def start_of(motion):
    """Coordinates and rates at the start of a mechanism, projected if it says so."""
    kinematics = motion.problem.kinematics
    known = {**kinematics.given, kinematics.inputs.time: 0.0}
    places, rates = (interpret(list(nodes), known) for nodes in kinematics.start)
    moved = feasibility.consistency(motion.problem, motion.system).moved
    names = [str(coordinate.name) for coordinate in motion.system.coordinates]
    given = zip(names, places, rates, strict=True)
    return {n: (float(moved.get(n, (0, q))[1]), float(moved.get(f"der({n})", (0, v))[1])) for n, q, v in given}


@pytest.mark.parametrize("name", ["arm:6:1", "tree:5", "closed_chain:4", "net:3", "excavator", "delta_joints", "disc"])
def test_accelerations_are_those_of_mujoco(name):
    text = rolling_disc() if name == "disc" else spec_of(name)
    motion = Motion(text, "kane")
    state = start_of(motion)
    accelerations = motion.accelerations(state)
    tree, told = twin(name, text)
    seconds = {n: (*state[n], a) for n, a in zip(state, accelerations, strict=True)}
    *parts, expected = in_mujoco.state(tree, told(seconds))
    model = in_mujoco.model_of(tree)
    data = extra("mujoco").MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = parts
    assert in_mujoco.exact(tree, model, data) == pytest.approx(expected, rel=1e-9, abs=1e-10 * np.abs(expected).max())


def test_every_name_of_the_study_is_a_spec():
    small = {name for name in NAMES if not name.endswith((":300", ":128", ":10", ":50"))}
    for name in sorted(small):
        system_of(spec_of(name))


def test_others_are_told_what_they_have():
    tree, _ = twin("stewart", "")
    links, closures = in_pinocchio.rows(tree)
    assert (links.shape, closures.shape) == ((1 + 6 * 3, 21), (6, 8))
    assert in_pinocchio.rows(twin("net:3", spec_of("net:3"))[0]) is None  # it keeps no distances
    assert twin("delta", "") is None
