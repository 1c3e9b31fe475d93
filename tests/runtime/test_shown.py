"""What a notebook shows, and what an interactive session offers."""

import enum
import inspect

import numpy as np
import pytest

import volterra_cg
import volterra_cg.sweep
from volterra_cg import runtime
from volterra_cg.runtime import shown


@pytest.mark.compiles
def test_everything_shows_itself(compiled):
    model = compiled("cart_pendulum", jacobian=True)
    run = model.simulate(0.2, dt=0.1)
    start = model.start()
    linear = model.linearise(0.0, model.z0)
    assert "4 parameters, reduced-volterra" in repr(model)
    assert repr(start).startswith("<Start of cart_pendulum at t = 0: theta1 = 1.571, ")
    assert repr(linear).startswith("<Linearisation in [theta1, theta2, x, u]: eigenvalues ")
    for thing in (model, start, run, linear):
        html = thing._repr_html_()
        assert html.count("<table>") == html.count("</table>") > 0
    assert "wheel" in model._repr_html_()
    assert run._ipython_key_completions_() == list(run.names)


def test_every_text_is_escaped_and_long_tables_are_cut():
    page = shown.page("<b>", {"a&": "<script>"}, shown.table(["<i>"], [["<p>", 1 / 3]] * 20))
    assert "<script>" not in page
    assert "<i>" not in page
    assert "&lt;script&gt;" in page
    assert "and 8 more" in page
    assert "0.333333" in page
    assert shown.table(["a"], []) == ""
    assert shown.matrix(["x"], ["y"], np.eye(1)).count("<td>") == 2


def public(kind):
    for name, member in inspect.getmembers(kind):
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            yield name, member


@pytest.mark.parametrize("name", [*volterra_cg.__all__])
def test_what_is_public_has_a_docstring(name):
    thing = getattr(volterra_cg, name)
    assert name == "__version__" or thing.__doc__


CLASSES = {
    thing
    for module in (volterra_cg, runtime, volterra_cg.sweep)
    for thing in map(module.__dict__.get, module.__all__)
    if inspect.isclass(thing) and not issubclass(thing, Exception | enum.Enum)
}


@pytest.mark.parametrize("kind", sorted(CLASSES, key=lambda kind: kind.__qualname__))
def test_every_public_method_has_a_docstring_and_a_signature(kind):
    for name, member in public(kind):
        assert member.__doc__, f"{kind.__name__}.{name}"
        if callable(member):
            assert inspect.signature(member), f"{kind.__name__}.{name}"


def test_the_compiled_function_tells_how_it_is_called(model):
    assert str(inspect.signature(model.default.rhs)).startswith("(t, z, out=None")
    assert model.default.rhs.__doc__
    assert dir(volterra_cg) == sorted(volterra_cg.__all__)
