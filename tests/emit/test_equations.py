"""The equations for reading."""

from tests.fixtures.mechanics import MODELS, problem_of
from tests.fixtures.specs import PLAIN
from volterra_cg import derivation
from volterra_cg.elimination import dense
from volterra_cg.emit import equations
from volterra_cg.options import Options
from volterra_cg.targets import EQUATIONS


def test_every_target_of_equations_has_a_notation():
    assert tuple(equations.NOTATIONS) == EQUATIONS


def test_equations_for_reading():
    problem = problem_of(PLAIN)
    text = equations.show(problem, dense.solve(problem), "plain", "text")
    assert "G_x = " in text
    assert "M_NI[1] = " in text
    latex = equations.show(problem, dense.solve(problem), "plain", "latex")
    assert r"\dot{x}" in latex
    assert latex.count(r"\[") == latex.count(r"\]")


def test_a_driver_derives_from_a_file():
    assert "u'" in derivation.derive(MODELS / "chaplygin_sleigh.toml", Options())
