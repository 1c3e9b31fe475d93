"""The adapter to CasADi: CasADi sees the model's values and derivatives."""

import casadi
import numpy as np
import pytest

import volterra_cg
from tests.fixtures.specs import KEYWORDS, MOVING, PLAIN

pytestmark = pytest.mark.compiles
TEXTS = {"plain": PLAIN, "moving": MOVING, "keywords": KEYWORDS}


@pytest.fixture
def external(workshop, tmp_path, monkeypatch):
    """Makes a model and its functions rhs and start in CasADi."""
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))

    def make(text, jacobian=True, **options):
        spec = tmp_path / "spec.toml"
        spec.write_text(text)
        model = volterra_cg.compile(spec, jacobian=jacobian)
        library = str(volterra_cg.library(spec, "casadi", jacobian=jacobian))
        return model, *(casadi.external(f"{model.name}_{part}", library, options) for part in ("rhs", "start"))

    return make


def inputs(model, t=0.3):
    """A state away from the start, with its time, parameters, momenta and signals."""
    z = model.z0 + 0.1 * np.arange(1, len(model.z0) + 1)
    return t, z, list(model.parameters.values()), model.momenta, list(model.default.signals.values())


@pytest.mark.parametrize("name", TEXTS)
def test_values_are_those_of_the_model(name, external):
    model, rhs, start = external(TEXTS[name])
    t, z, p, g, signals = inputs(model)
    np.testing.assert_array_equal(rhs(t, z, p, g, signals).full().ravel(), model.rhs(t, z))
    q, qd = model.z0[: len(model.coordinates)], model.rates(0.0, model.z0)
    z0, momenta = start(0.0, q, qd, p)
    np.testing.assert_allclose(z0.full().ravel(), model.z0, atol=1e-14)
    np.testing.assert_allclose(momenta.full().ravel(), model.momenta, atol=1e-14)


@pytest.mark.parametrize("name", TEXTS)
def test_derivatives_are_those_of_the_model(name, external):
    model, rhs, start = external(TEXTS[name])
    at = inputs(model)
    t, z = at[:2]
    by_t, by_z, by_p, by_g, by_signals = (block.full() for block in rhs.jacobian()(*at, 0))
    here, step = model.sensitivities(t, z), 1e-5
    np.testing.assert_array_equal(by_z, model.jacobian(t, z))
    np.testing.assert_array_equal(by_p, here.by_parameters)
    np.testing.assert_array_equal(by_g.reshape(here.by_momenta.shape), here.by_momenta)
    np.testing.assert_array_equal(by_signals.reshape(here.by_signals.shape), here.by_signals)
    slope = (model.rhs(t + step, z) - model.rhs(t - step, z)) / (2 * step)
    np.testing.assert_allclose(by_t.ravel(), slope, atol=1e-7)
    first = model.start_sensitivities()
    q, qd = model.z0[: len(model.coordinates)], model.rates(0.0, model.z0)
    blocks = [block.full() for block in start.jacobian()(0.0, q, qd, at[2], 0, 0)]
    states = [first.states_by_q, first.states_by_qd, first.states_by_parameters]
    momenta = [first.momenta_by_q, first.momenta_by_qd, first.momenta_by_parameters]
    for found, exact in zip(blocks[1:4] + blocks[5:], states + momenta, strict=True):
        np.testing.assert_allclose(found.reshape(exact.shape), exact, atol=1e-12)


def test_without_derivatives_differences_serve(external):
    model, rhs, _ = external(PLAIN, jacobian=False, enable_fd=True)
    exact, _, _ = external(PLAIN)
    at = inputs(model)
    found = rhs.jacobian()(*at, 0)[1].full()
    np.testing.assert_allclose(found, exact.jacobian(*at[:2]), atol=1e-6)


def test_inputs_left_out_are_zeros(external):
    model, rhs, _ = external(MOVING)
    t, z, p, g, _ = inputs(model)
    still = model.start(signals={"push": 0.0})
    np.testing.assert_array_equal(rhs(t=t, z=z, p=p, g=g)["dz"].full().ravel(), still.rhs(t, z))


def test_a_vanishing_divisor_raises(external):
    model, rhs, _ = external(PLAIN)
    t, z, _, g, signals = inputs(model)
    with pytest.raises(RuntimeError):
        rhs(t, z, [0.0, 0.0], g, signals)
