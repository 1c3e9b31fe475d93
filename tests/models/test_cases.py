"""The three systems of the paper against numbers computed by independent routes."""

import numpy as np
import pytest

pytestmark = pytest.mark.compiles

CASES = {
    "cart_pendulum": {
        "sizes": (3, 1, 2, 1, 1, 4),
        "accelerations": [-73.575, 73.575, 0.1],
        "momenta": [6.0],
        "energy": 7.04466666666667,
        10: [0.3676424736263, 2.122339695423, 34.05175084659],
        50: [1.573711300743, 1.567881369359, 154.0000004249],
    },
    "three_bodies": {
        "sizes": (8, 0, 8, 3, 5, 13),
        "accelerations": [
            0.00481670877814604, 0.0836384643578676, 0.0278965845255131, 0.202313942975289, 0.202594959358931,
            0.0116599009913450, 0.00329083236142830, 0.0103224155554097,
        ],
        "momenta": [11.410771521614137, -34.089473734762621, -47.948046269650835],
        "energy": 27.93652845310608,
        10: [
            4.706852100787, 1.189610939567, 0.03916995812501, 3.467429125046, 3.768761513818, 3.973750121677,
            0.2747536666058, 5.295270722605,
        ],
        50: [
            19.23366348634, 0.5868745048931, -4.084131792047, 1.266197879232, 3.318091828697, 7.641611979265,
            -11.30924125410, -10.79105620440,
        ],
    },
    "satellite_boom": {
        "sizes": (7, 0, 7, 3, 4, 12),
        "accelerations": [
            -0.00443156985803109, -0.00554283960036486, -0.00542775757687133, 0.0173066722125286,
            -5.23269808415621e-6, 4.14173949063203e-6, -4.87711423037228e-6,
        ],
        "momenta": [4002.0649112991034, 2001.0854360694448, -0.020339954884912067],
        "energy": 5009.4559549554865,
        10: [
            -0.7565141034027, 0.3939473570713, -0.5788847979658, 1.076980908067, 19.99976615879, 10.00020443942,
            -1.110168695318e-4,
        ],
        50: [
            -5.170947439784, 0.0801327191633, 0.4971636098007, 2.196424446505, 100.0010195014, 50.00245477832,
            -1.153498648572e-3,
        ],
    },
}  # fmt: skip


def error(found, expected):
    """The relative error in the norm."""
    return np.linalg.norm(np.subtract(found, expected)) / np.linalg.norm(expected)


@pytest.fixture(scope="module", params=CASES)
def case(request, compiled):
    return compiled(request.param), CASES[request.param]


@pytest.fixture(scope="module")
def run(case):
    return case[0].simulate(50, dt=0.1, rtol=1e-12, atol=1e-12)


def test_sizes(case):
    model, expected = case
    report = model.report
    assert tuple(report[key] for key in ("m", "r", "p", "s", "equations", "states")) == expected["sizes"]
    assert len(model.z0) == expected["sizes"][-1]


def test_accelerations_at_the_start(case):
    model, expected = case
    assert error(model.accelerations(0.0, model.z0), expected["accelerations"]) < 1e-12


def test_momenta_at_the_start(case):
    model, expected = case
    assert error(model.momenta, expected["momenta"]) < 1e-12


def test_energy_at_the_start(case):
    model, expected = case
    assert abs(model.energies(0.0, model.z0)["total"] / expected["energy"] - 1) < 1e-12
    assert abs(model.invariants(0.0, model.z0)["energy"] / expected["energy"] - 1) < 1e-12


@pytest.mark.parametrize("time", [10, 50])
def test_coordinates_after_a_while(case, run, time):
    found = run.q[np.argmin(np.abs(run.t - time))]
    assert error(found, case[1][time]) < 1e-9


def test_invariants_stay(case, run):
    for name, drift in run.drift().items():
        bound = 2e-13 if name.startswith("momentum") else 1e-9
        assert np.abs(drift).max() < bound, name


def test_the_speed_of_the_cart_pendulum(compiled):
    run = compiled("cart_pendulum").simulate(10, dt=0.1, rtol=1e-12, atol=1e-12)
    assert run.u[-1, 0] == pytest.approx(-9.3686488429636, rel=1e-9)


def test_the_wheel_of_the_cart_pendulum_does_not_slip(compiled):
    model = compiled("cart_pendulum")
    run = model.simulate(5, dt=0.1, rtol=1e-10, atol=1e-10)
    assert max(abs(model.constraints(t, z)["wheel"]) for t, z in zip(run.t, run.z, strict=True)) < 1e-13
