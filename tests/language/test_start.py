"""Start values: refused with their residual, or projected onto the constraints."""

import numpy as np
import pytest

from volterra_cg import derivation
from volterra_cg.errors import OptionError, SpecError, StartError
from volterra_cg.projection import Constraints, project

CRANK = """\
schema = 1
name = "slider_crank"
[parameters]
a = 0.2
b = 0.6
[coordinates]
q = { initial = 0.7, rate = 3 }
p = { initial = -0.1 }
x = { initial = 0.7 }
[frames]
A = { rotate = [["z", "q"]] }
B = { rotate = [["z", "p"]] }
[points]
C = { in = "A", at = ["a", 0, 0] }
D = { from = "C", in = "B", at = ["b", 0, 0] }
S = { at = ["x", 0, 0] }
[bodies]
crank = { mass = 1, center = "C" }
slider = { mass = 2, center = "S" }
[constraints]
loop = { coincide = ["D", "S"] }
"""
FREE = '[start]\nproject = ["p", "x"]\n'


def write(tmp_path, text):
    path = tmp_path / "crank.toml"
    path.write_text(text)
    return path


def test_a_start_that_breaks_constraints_is_refused_with_its_residuals(tmp_path):
    with pytest.raises(SpecError) as caught:
        derivation.check(write(tmp_path, CRANK))
    first, second = caught.value.problems
    assert "the initial values do not satisfy the constraint loop.x: it is 0.0499" in first.message
    assert "loop.y" in second.message
    assert "project = true" in first.remedy
    assert first.source == 'loop = { coincide = ["D", "S"] }'


def test_check_shows_what_projection_moved(tmp_path):
    summary = derivation.check(write(tmp_path, CRANK + FREE))
    assert set(summary.start.moved) == {"p", "x", "der(p)", "der(x)"}
    assert max(map(abs, summary.start.used.values())) < 1e-14
    text = summary.text()
    assert "start: projected on the constraints; the largest residual was" in text
    assert "  p: -0.1 -> -0.21" in text
    assert summary.as_dict()["start"]["given"]["loop.x"] != 0


@pytest.mark.compiles
def test_the_compiled_model_projects_for_other_parameters(compiled):
    model = compiled(CRANK + FREE)
    a, b = 0.25, 0.5
    start = model.start(q={"q": 1.1}, qd={"q": -2}, params={"a": a, "b": b})
    p = -np.arcsin(a / b * np.sin(1.1))
    assert start.z0[:3] == pytest.approx([1.1, p, a * np.cos(1.1) + b * np.cos(p)], abs=1e-14)
    rate = 2 * a * np.cos(1.1) / (b * np.cos(p))
    assert start.rates(0, start.z0)[1] == pytest.approx(rate, abs=1e-13)
    assert max(map(abs, start.constraints(0.0, start.z0).values())) < 1e-14
    assert start.moved["p"] == (-0.1, pytest.approx(p, abs=1e-14))
    assert set(start.moved) == {"p", "x", "der(p)", "der(x)"}
    assert model.start(q=start.z0[:3], qd=start.rates(0, start.z0), params={"a": a, "b": b}).moved == {}
    with pytest.raises(StartError, match="residual"):
        model.start(params={"b": 0.05})
    with pytest.raises(StartError, match="violate"):
        model.start(project=False)


@pytest.mark.compiles
def test_a_model_without_projection_says_so(compiled):
    consistent = CRANK.replace("initial = -0.1", 'initial = "-asin(a/b*sin(0.7))"').replace(", rate = 3", "")
    model = compiled(
        consistent.replace("initial = 0.7 }\n[f", 'initial = "a*cos(0.7) + b*cos(asin(a/b*sin(0.7)))" }\n[f')
    )
    with pytest.raises(OptionError, match="built without projection"):
        model.start(project=True)


def test_projection_changes_as_little_as_it_can():
    def circle(q):
        return Constraints(np.array([[2 * q[0], 2 * q[1]]]), np.array([0.3]), np.array([q @ q - 1]), [0])

    q, rates = project(np.array([2.0, 1.0]), np.array([1.0, 0.0]), [0, 1], circle)
    assert q @ q == pytest.approx(1, abs=1e-15)
    assert 2 * q @ rates + 0.3 == pytest.approx(0, abs=1e-15)
    held, _ = project(np.array([2.0, 0.6]), np.zeros(2), [0], circle)
    assert held == pytest.approx([0.8, 0.6], abs=1e-15)


def test_projection_survives_what_is_not_a_number():
    def broken(q):
        return Constraints(np.full((1, 2), np.nan), np.zeros(1), np.array([np.nan]), [0])

    q, _ = project(np.array([2.0, 1.0]), np.zeros(2), [0, 1], broken)
    assert q == pytest.approx([2, 1])
