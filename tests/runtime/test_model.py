"""A model: its names, its values, its module."""

import subprocess
import sys

import numpy as np
import pytest


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
