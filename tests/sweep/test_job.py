"""What a sweep cannot do is told before it begins."""

import pytest

from tests.fixtures.sweeps import SPEC
from volterra_cg.errors import OptionError
from volterra_cg.sweep import Grid, Job, axis, sweep

pytestmark = pytest.mark.compiles


@pytest.mark.parametrize(
    ("axes", "more", "words"),
    [
        ((), {}, "nothing varies"),
        (("l=1,2", "l=3,4"), {}, "l varies twice"),
        (("l=1:2:4000", "m=1:2:4000"), {}, "the grid has 16000000 points"),
        (("ll=1,2",), {}, "no parameter or start value is called 'll'; did you mean l?"),
        (("der(l)=1,2",), {}, "no coordinate is called 'l'"),
        (("push=1,2",), {}, "push is a signal and cannot vary"),
        (("l=1,2",), {"values": {"l": 1.0}}, "l varies and cannot be set too"),
        (("der(theta)=1,2",), {"initial": {"der( theta )": 1.0}}, "varies and cannot be set too"),
        (("l=1,2",), {"values": {"theta": 1.0}}, "theta is a start value: give it as --initial"),
        (("l=1,2",), {"initial": {"m": 1.0}}, "m is no start value: give it as --set"),
        (("l=1,2",), {"values": {"m": float("nan")}}, "m must be a finite number"),
        (("l=1,2",), {"t_end": 0.0}, "t_end and dt must be above zero"),
        (("l=1,2",), {"dt": -0.1}, "t_end and dt must be above zero"),
        (("l=1,2",), {"rtol": -1.0}, "tolerances must be positive"),
        (("l=1,2",), {"max_step": 0.0}, "the largest step must be positive"),
        (("l=1,2",), {"reduce": ["mean"]}, "no reduction is called 'mean'"),
    ],
)
def test_a_wrong_job_is_refused(model, axes, more, words):
    with pytest.raises(OptionError, match=words.replace("(", r"\(").replace("?", r"\?")):
        Job(model, Grid(tuple(axis(text) for text in axes)), **more)


def test_the_implicit_method_wants_a_jacobian(model, compiled, tmp_path):
    grid = Grid((axis("l=0.3,0.5"),))
    with pytest.raises(OptionError, match="radau needs the model's Jacobian: build with --jacobian"):
        Job(model, grid, integrator="radau")
    done = sweep(Job(compiled(SPEC, jacobian=True), grid, integrator="radau"), tmp_path / "out.nc")
    assert done.endings == {"done": 2}


@pytest.mark.parametrize(
    ("out", "more", "words"),
    [
        ("out.csv", {}, "written as .nc"),
        ("no/out.nc", {}, "there is no folder"),
        ("out.nc", {"workers": 0}, "workers must be positive"),
    ],
)
def test_a_wrong_call_leaves_nothing(job, tmp_path, out, more, words):
    with pytest.raises(OptionError, match=words):
        sweep(job, tmp_path / out, **more)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_integrator_leaves_nothing(job, model, tmp_path):
    with pytest.raises(OptionError, match="integrator is called 'euler'"):
        sweep(Job(model, job.grid, integrator="euler"), tmp_path / "out.nc")
    assert list(tmp_path.iterdir()) == []
