"""What is where: positions, orientations and sizes of a model beside its own outputs."""

import numpy as np
import pytest

import volterra_cg as vcg
from tests.conftest import MODELS
from volterra_cg.errors import OptionError
from volterra_cg.program.interpret import interpret
from volterra_cg.runtime.show.scene import scene_of
from volterra_cg.spec import read
from volterra_cg.system.from_spec import from_spec

pytestmark = pytest.mark.compiles


def test_bodies_lines_and_forces_are_where_the_coordinates_say(run):
    scene, angle, slide = scene_of(run), run["angle"], run["slide"]
    cart, rod, weight = scene.bodies
    zero = np.zeros(len(run.t))
    down = np.column_stack([-np.sin(angle), zero, -np.cos(angle)])
    hinge = np.column_stack([slide, zero, zero])
    np.testing.assert_allclose(cart.at, hinge, atol=1e-12)
    np.testing.assert_allclose(rod.at, hinge + 0.4 * down, atol=1e-12)
    np.testing.assert_allclose(weight.at, hinge + 0.8 * down, atol=1e-12)
    np.testing.assert_allclose(rod.axes[:, :, 2], -down, atol=1e-12)
    np.testing.assert_allclose(np.ptp(cart.solid.corners, axis=0), [0.4, 0.2, 0.15])
    wide, high, deep = scene.halves(np.eye(3)[[0, 2, 1]])
    assert wide >= np.abs(cart.at[:, 0] - scene.middle[0]).max() + 0.2
    assert high >= np.abs(weight.at[:, 2] - scene.middle[2]).max()
    assert deep < high < scene.radius
    [spring] = [line for line in scene.lines if line.kind == "spring"]
    np.testing.assert_allclose(spring.first, np.tile([-1.0, 0, 0], (len(run.t), 1)))
    np.testing.assert_allclose(spring.second, hinge)
    push, drag = scene.arrows
    np.testing.assert_allclose(push.vector[:, 0], 2 * np.sin(3 * run.t))
    np.testing.assert_allclose(push.at, weight.at)
    speed, turning = run["der(slide)"], run["der(angle)"]
    across = np.column_stack([np.cos(angle), zero, -np.sin(angle)])
    along = speed * np.cos(angle) - 0.8 * turning
    expected = -0.1 * along[:, None] * across + (speed * turning)[:, None] * [0, 1, 0] - 0.03 * down
    np.testing.assert_allclose(drag.vector, expected, atol=1e-12)
    np.testing.assert_allclose(scene.up, [0, 0, 1])
    assert scene.ground
    np.testing.assert_allclose(scene.normal, [0, 1, 0])


@pytest.mark.parametrize("name", ["three_bodies", "satellite_boom", "rolling_disc"])
def test_frames_and_points_are_those_of_the_kinematics(compiled, name):
    """Beside positions and axes from the other derivation, which makes the equations."""
    from volterra_cg.kinematics.analyse import analyse

    model = compiled(name)
    run = model.simulate(1.0, dt=0.25)
    scene, kinematics = scene_of(run), analyse(from_spec(read(MODELS / f"{name}.toml")))
    for row in range(len(run.t)):
        given = dict(zip(kinematics.inputs.coordinates, run.q[row], strict=True)) | dict(kinematics.given)
        given[kinematics.inputs.time] = run.t[row]
        for body, drawn in zip(kinematics.bodies, scene.bodies, strict=True):
            for k in range(3):
                axis = [kinematics.graph.one if j == k else kinematics.graph.zero for j in range(3)]
                along = kinematics.axes.dot(body.center.position, ((0, tuple(axis)),))
                assert float(interpret([along], given)[0]) == pytest.approx(drawn.at[row, k], abs=1e-12)
                for j in range(3) if body.frame else ():
                    own = [kinematics.graph.one if i == j else kinematics.graph.zero for i in range(3)]
                    cosine = kinematics.axes.dot(((body.frame_number, tuple(own)),), ((0, tuple(axis)),))
                    assert float(interpret([cosine], given)[0]) == pytest.approx(drawn.axes[row, k, j], abs=1e-12)


def test_the_box_of_the_paper_comes_from_its_inertia(compiled):
    scene = scene_of(compiled("three_bodies").simulate(50))
    assert [round(body.solid.reach, 1) for body in scene.bodies] == [1.7, 1.4, 1.4]
    assert scene.travels
    assert scene.normal is None
    assert not scene.ground


def test_a_loaded_run_needs_its_model(run, compiled, tmp_path):
    path = run.save(tmp_path / "run.npz")
    with pytest.raises(OptionError, match="was loaded from a file and has no model"):
        vcg.load(path).snapshot(0.0)
    model = run.source.model
    same = vcg.load(path, model)
    np.testing.assert_array_equal(scene_of(same).bodies[1].at, scene_of(run).bodies[1].at)
    np.testing.assert_array_equal(scene_of(same).arrows[1].vector, scene_of(run).arrows[1].vector)
    assert same.names == run.names
    with pytest.raises(OptionError, match="their specs differ"):
        vcg.load(path, compiled("three_bodies"))


def test_a_mesh_stands_for_a_body_that_is_there(run, tmp_path):
    stl = tmp_path / "part.stl"
    stl.write_text("solid\nvertex 0 0 0\nvertex 3 0 0\nvertex 0 4 0\n")
    assert scene_of(run, {"rod": stl}).bodies[1].solid.reach == 4.0
    with pytest.raises(OptionError, match="no body is called 'rodd'; did you mean rod"):
        scene_of(run, {"rodd": stl})


def test_a_spec_says_what_is_drawn(compiled, tmp_path):
    """A solid, or a mesh in a file beside the spec, turned and moved in the axes of its body."""
    (tmp_path / "part.stl").write_text("solid\nvertex 0 0 0\nvertex 3 0 0\nvertex 0 4 0\n")
    path = tmp_path / "drawn.toml"
    path.write_text(DRAWN)
    rod, ball, core = scene_of(vcg.compile(path).simulate(1.0, dt=0.5)).bodies
    np.testing.assert_allclose(rod.solid.corners, [[1, 0, 0], [-7, 0, 0], [1, 6, 0]], atol=1e-12)
    np.testing.assert_allclose(np.ptp(ball.solid.corners, axis=0), [1, 2, 3])
    assert ball.axes[-1, 0, 0] == pytest.approx(np.cos(0.5))  # a particle turns in pictures alone
    assert [rod.hides, ball.hides, core.hides] == [False, True, False]  # what others are inside of is seen through
    again = tmp_path / "again.toml"
    again.write_text(vcg.to_toml(read(path).mechanism))
    assert [body.drawn for body in read(again).mechanism.bodies] == [body.drawn for body in read(path).mechanism.bodies]


DRAWN = """
schema = 1
name = "drawn"
[parameters]
size = 2
[coordinates]
x = { rate = 1 }
[frames]
Spin = { rotate = [["z", "t/2"]] }
[points]
P = { at = ["x", 0, 0] }
[bodies.rod]
mass = 1
center = "P"
frame = "N"
inertia = [1, 1, 1]
drawn = { mesh = "part.stl", scale = "size", at = ["size/2", 0, 0], rotate = [[[0, 0, 2], "pi/2"]] }
[bodies.ball]
mass = 1
center = "P"
frame = "Spin"
drawn = { box = [1, 2, 3] }
[bodies.core]
mass = 1
center = "P"
drawn = { sphere = 0.2 }
"""
