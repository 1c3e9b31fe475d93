import subprocess
import sys

import numpy as np
import pytest

from volterra_cg.errors import OptionError, StartError


def test_names_and_values(model):
    assert model.name == "oscillator"
    assert model.coordinates == ("x", "y", "w")
    assert model.quasi_velocities == ("u",)
    assert model.states == ("x", "y", "w", "u")
    assert model.parameters == {"m": 2.0, "k": 8.0, "l": 1.0}
    assert model.momenta_names == ("y",)
    assert "oscillator" in repr(model)


def test_the_module_is_that_of_the_specs_start(module):
    np.testing.assert_array_equal(module.z0, [1.0, 0.0, 2.0, 0.0])
    np.testing.assert_array_equal(module.rhs(0.0, module.z0), [0.0, 1.0, 0.0, -4.0])
    np.testing.assert_array_equal(module.accelerations(0.0, module.z0), [-4.0, 0.0, -8.0])
    assert module.invariants(0.0, module.z0) == {"energy": 5.0, "momentum y": 2.0}
    assert isinstance(module.address, int)
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing


def test_model_delegates_to_the_specs_start(model):
    z = model.z0
    np.testing.assert_array_equal(model.rhs(0.0, z), model.default.rhs(0.0, z))
    np.testing.assert_array_equal(model.rates(0.0, z), [0.0, 1.0, 0.0])
    np.testing.assert_array_equal(model.momenta, [2.0])
    assert model.energies(0.0, z) == {"kinetic": 1.0, "potential": 4.0, "total": 5.0}
    assert model.constraints(0.0, z) == {"wheel": 0.0, "wheel (position)": 0.0}
    assert model.outputs(0.0, z)["ten_x"] == 10.0
    np.testing.assert_array_equal(model.mass_matrix(0.0, z), [[2.0]])
    np.testing.assert_array_equal(model.forcing(0.0, z), [-8.0])
    assert model.simulate(0.1, dt=0.05).z.shape == (3, 4)


def test_z0_cannot_be_changed_by_accident(model):
    with pytest.raises(ValueError, match="read-only"):
        model.z0[0] = 3.0


def test_start_values_follow_the_parameters(model):
    start = model.start(params={"l": 0.3, "m": 4.0})
    np.testing.assert_array_equal(start.z0, [0.3, 0.0, 0.6, 0.0])
    np.testing.assert_array_equal(start.momenta, [4.0])
    assert start.parameters == {"m": 4.0, "k": 8.0, "l": 0.3}
    assert model.parameters["l"] == 1.0


def test_start_takes_dicts_and_arrays(model):
    by_name = model.start(q={"y": 2.0}, qd={"y": 3.0})
    by_array = model.start(q=[1, 2, 2], qd=np.array([0, 3, 0]))
    np.testing.assert_array_equal(by_name.z0, by_array.z0)
    np.testing.assert_array_equal(by_name.momenta, [6.0])
    np.testing.assert_array_equal(by_array.momenta, [6.0])


def test_signals_are_bound(model):
    start = model.start(signals={"force": 8.0})
    assert start.rhs(0.0, start.z0)[3] == 0.0
    assert start.bind(signals={"force": 16.0}).rhs(0.0, start.z0)[3] == 4.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"params": {"mm": 1.0}}, "no parameter is called 'mm'; did you mean m?"),
        ({"signals": {"push": 1.0}}, "no signal is called 'push'; there are force"),
        ({"q": {"z": 1.0}}, "no coordinate is called 'z'"),
    ],
)
def test_unknown_names_are_refused(model, arguments, words):
    with pytest.raises(OptionError, match=words.replace("?", r"\?")):
        model.start(**arguments)


def test_wrong_shapes_and_values_are_refused(model):
    with pytest.raises(ValueError, match=r"q must have shape \(3,\)"):
        model.start(q=[1.0])
    with pytest.raises(TypeError, match="the parameter m must be a number"):
        model.start(params={"m": "heavy"})


def test_a_start_off_the_constraint_is_refused_by_name(model):
    with pytest.raises(StartError, match=r"the constraint wheel \(position\): its residual is 0\.5"):
        model.start(q={"w": 2.5})
    with pytest.raises(StartError, match=r"constraints \(wheel\).* the rate of w is 2, not 1"):
        model.start(qd={"x": 1.0, "w": 1.0})
    model.start(qd={"x": 1.0, "w": 2.0})


def test_new_parameters_need_momenta(model):
    start = model.default
    with pytest.raises(OptionError, match="give bind\\(\\) the momenta too"):
        start.bind({"m": 4.0})
    bound = start.bind({"m": 4.0}, momenta=[8.0])
    assert bound.rhs(0.0, start.z0)[1] == 2.0


def test_a_module_simulates_without_sympy_and_scipy(module):
    program = (
        "import sys; from importlib.util import spec_from_file_location as f, module_from_spec as m\n"
        f"s = f('osc', {module.__file__!r}, submodule_search_locations=[{module.__path__[0]!r}])\n"
        "sys.modules['osc'] = k = m(s); s.loader.exec_module(k); k.rhs(0.0, k.z0)\n"
        "assert k.simulate(50, dt=0.01).ok\n"
        "heavy = {'sympy', 'scipy', 'pydantic', 'jinja2', 'Cython', 'setuptools', 'matplotlib'}\n"
        "stages = {f'volterra_cg.{s}' for s in 'spec system formulations passes emit build cli driver'.split()}\n"
        "print(sorted((heavy | stages) & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
