"""Expressions in MathML."""

from xml.dom.minidom import parseString

import pytest
import sympy

from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import PLAIN
from volterra_cg.elimination import dense
from volterra_cg.emit import equations, mathml


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("theta1", "<msub><mi>&#952;</mi><mi>1</mi></msub>"),
        ("der(x)", '<mover accent="true"><mi>x</mi><mo>&#729;</mo></mover>'),
        ("der(der(x))", '<mover accent="true"><mi>x</mi><mo>&#168;</mo></mover>'),
        ("m_cart", "<msub><mi>m</mi><mi>cart</mi></msub>"),
        ("<script>", "<mi>&lt;script&gt;</mi>"),
    ],
)
def test_names_are_letters_with_indices_and_dots(name, text):
    assert mathml.name(name) == text


def test_the_equations_are_well_formed_and_have_dots():
    problem = problem_of(PLAIN)
    text = equations.show(problem, dense.solve(problem), "plain", "mathml")
    whole = text.replace("&InvisibleTimes;", "").replace("&ApplyFunction;", "")
    assert parseString(f"<div>{whole}</div>").getElementsByTagName("math")
    assert "der(" not in text
    assert "&#729;" in text
    assert mathml.markup(sympy.Matrix([[1, 2]])).count("<mtd>") == 2
