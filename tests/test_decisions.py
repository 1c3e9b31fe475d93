"""The decisions of docs/design.md, one test each: its docstring is the heading there."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.fixtures.mechanics import MODELS, PAPER, kinematics_of, problem_of
from tests.fixtures.specs import PLAIN
from volterra_cg.errors import OptionError
from volterra_cg.options import FORMULATIONS

SLEIGH = (MODELS / "chaplygin_sleigh.toml").read_text()
FREE = """
schema = 1
name = "free"
[parameters]
m = 2
[coordinates]
x = { initial = 1, rate = 3 }
y = { initial = 2, rate = -1 }
[points]
P = { at = ["x", "y", 0] }
[bodies]
ball = { mass = "m", center = "P" }
"""


@pytest.mark.compiles
def test_the_state_is_q_then_u_then_the_work(compiled):
    """The state is q, then u, then the work."""
    model = compiled("satellite_boom")
    report = model.report
    assert list(model.states) == [*report["coordinates"], *report["quasi_velocities"], "work"]
    assert len(model.states) == 12
    assert list(compiled("cart_pendulum").states) == ["theta1", "theta2", "x", "u"]


@pytest.mark.compiles
@pytest.mark.parametrize("formulation", [f for f in ("lagrange", "maggi", "udwadia-kalaba") if f in FORMULATIONS])
def test_classical_formulations_keep_coordinates_and_rates(compiled, formulation):
    """Lagrange, Maggi and Udwadia-Kalaba keep q and q'."""
    model = compiled("cart_pendulum", formulation)
    assert len(model.states) == 6
    assert len(model.z0) == 6
    assert model.z0 == pytest.approx([np.pi / 2, np.pi / 2, 4, 1, -1, 3])


@pytest.mark.compiles
def test_all_momenta_may_be_embedded_and_u_empty(compiled):
    """All momenta may be embedded."""
    model = compiled(FREE)
    assert (model.report["p"], model.report["s"], model.report["equations"]) == (2, 2, 0)
    assert model.z0 == pytest.approx([1, 2])
    assert model.rhs(0.0, model.z0) == pytest.approx([3, -1])
    assert model.momenta == pytest.approx([6, -2])
    assert model.accelerations(0.0, model.z0) == pytest.approx([0, 0])
    assert model.mass_matrix(0.0, model.z0).shape == (0, 0)
    assert model.simulate(2, dt=1).q[-1] == pytest.approx([7, 0])


def test_a_parameter_of_value_zero_makes_nothing_ignorable():
    """A parameter whose value is zero makes nothing ignorable."""
    at_zero = SLEIGH.replace('a = { value = 0.2, unit = "m" }', "a = 0")
    assert problem_of(at_zero).momenta == ()
    baked = SLEIGH.replace('a = { value = 0.2, unit = "m" }', "a = { value = 0, fixed = true }")
    assert [row.name for row in problem_of(baked).momenta] == ["theta"]


def test_a_fixed_parameter_is_part_of_the_equations():
    """A fixed parameter is part of the equations."""
    problem = problem_of(PLAIN.replace("m = 2", "m = { value = 2, fixed = true }"))
    assert [node.name for node in problem.kinematics.inputs.parameters] == ["l"]


@pytest.mark.compiles
def test_momenta_follow_parameters_and_start_values(compiled):
    """Momenta follow parameters and start values."""
    model = compiled("cart_pendulum")
    assert model.momenta == pytest.approx([6.0])
    heavier = model.start(params={"m1": 2.0})
    assert heavier.momenta == pytest.approx([9.0])
    assert heavier.accelerations(0.0, heavier.z0)[2] == pytest.approx(0.2 / 3)
    faster = model.start(qd={"x": 5.0})
    assert faster.momenta == pytest.approx([10.0])
    assert model.rhs(0.0, model.z0) == pytest.approx(model.start().rhs(0.0, model.z0))


@pytest.mark.compiles
def test_new_parameters_without_momenta_are_refused(compiled):
    """New parameters without momenta are refused."""
    start = compiled("cart_pendulum").start()
    with pytest.raises(OptionError, match="momenta"):
        start.bind(params={"m1": 2.0})


def test_of_p_quasi_velocities_p_minus_s_are_kept():
    """Of p quasi-velocities p - s regular ones are kept."""
    problem = problem_of("three_bodies")
    assert [row.name for row in problem.speeds] == ["wx", "wy", "wz", "gamma1_rate", "gamma2_rate"]
    assert problem.dropped == ("X_rate", "Y_rate", "Z_rate")


@pytest.mark.compiles
@pytest.mark.parametrize("formulation", [f for f in ("kane", "volterra", "boltzmann-hamel") if f in FORMULATIONS])
def test_formulations_that_need_p_quasi_velocities_append_rates(compiled, formulation):
    """Formulations that need p quasi-velocities append rates."""
    text = PLAIN + '[quasi_velocities]\nu = "der(theta)"\n'
    model = compiled(text, formulation)
    assert model.report["equations"] == 2
    assert model.quasi_velocities[0] == "u"
    assert "x" in model.quasi_velocities[1]


def test_xy_of_an_inertia_is_the_entry_of_the_tensor():
    """xy of an inertia is the entry of the tensor."""
    from volterra_cg.program.text import to_sympy

    inertia = kinematics_of("three_bodies").bodies[0].inertia
    assert str(to_sympy(inertia[0][1])) == str(to_sympy(inertia[1][0])) == "-I_xy"
    assert str(to_sympy(inertia[0][2])) == "-I_xz"


def test_the_inertia_is_the_same_in_all_configurations():
    """An inertia is given in a body-fixed frame."""
    from volterra_cg.program.nodes import Input, Role, topological

    for name in PAPER:
        for body in kinematics_of(name).bodies:
            entries = [entry for row in body.inertia or () for entry in row]
            roles = {node.role for node in topological(entries) if isinstance(node, Input)}
            assert roles <= {Role.PARAMETER}


@pytest.mark.compiles
def test_build_publishes_one_folder_and_compile_loads_by_content(compiled, workshop, tmp_path, monkeypatch):
    """build publishes one folder and compile loads from the cache."""
    import importlib
    import sys

    from volterra_cg import driver
    from volterra_cg.build.cache import Cache
    from volterra_cg.options import Options

    path = MODELS / "cart_pendulum.toml"
    built = driver.build(path, Options(), tmp_path / "published", cache=Cache(workshop / "cache"))
    assert [p.name for p in (tmp_path / "published").iterdir()] == ["cart_pendulum"]
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("published.cart_pendulum")
    assert module.rhs(0.0, module.z0) == pytest.approx(compiled("cart_pendulum").rhs(0.0, module.z0))
    assert built.folder.name == "cart_pendulum"
    by_content = [name for name in sys.modules if name.startswith("volterra_cg_model_") and "." not in name]
    assert by_content


def test_templates_are_a_package():
    """Templates are a package."""
    from importlib.resources import files

    names = {path.name for path in files("volterra_cg.templates").iterdir()}
    assert {"model.c.j2", "model.h.j2", "_model.pyx.j2", "__init__.py.j2"} <= names


@pytest.mark.compiles
def test_energy_with_prescribed_motion_is_not_called_an_invariant(compiled):
    """Energy is an invariant only without prescribed motion."""
    driven = PLAIN.replace('at = ["x", 0, 0]', 'at = ["x", "sin(t)", 0]')
    assert compiled(driven).report["invariants"] == ["momentum x"]
    assert compiled(PLAIN).report["invariants"] == ["energy", "momentum x"]


def test_operations_do_not_count_the_parameter_block():
    """Operations do not count the parameter-only block."""
    from volterra_cg import driver
    from volterra_cg.clock import Clock
    from volterra_cg.options import Options

    report = driver.generate(MODELS / "cart_pendulum.toml", Options(), Clock()).report
    told = report["operations"]
    assert told["total"] == told["add"] + told["mul"] + told["div"] + told["function"]
    assert told["prepare"] > 0


def test_each_decision_has_a_test_that_cites_it():
    """Not a decision of its own."""
    page = (Path(__file__).parents[1] / "docs" / "design.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.+)$", page.partition("\n## Decisions\n")[2], re.MULTILINE)
    cited = [function.__doc__ for name, function in globals().items() if name.startswith("test_")]
    assert [f"{heading}." for heading in headings] == cited[:-1]
