"""Results in pandas and xarray."""

import numpy as np
import pytest

from tests.runtime.test_archive import BALL


@pytest.fixture(scope="module")
def ball(compiled):
    return compiled(BALL).start(signals={"wind": ([0, 0.5, 1], [0, 2, -1])}).simulate()


@pytest.mark.compiles
def test_a_run_is_a_table(ball):
    table = ball.to_pandas()
    assert table.index.name == "t"
    np.testing.assert_array_equal(table.index, ball.t)
    assert list(table.columns) == list(ball.names[1:])
    np.testing.assert_array_equal(table["double"], 2 * ball["y"])
    assert table.attrs["units"]["der(y)"] == "m/s"
    assert (table.attrs["formulation"], table.attrs["integrator"]) == ("reduced-volterra", "dop853")


@pytest.mark.compiles
def test_signals_and_events_are_columns(ball):
    np.testing.assert_allclose(ball["wind"], np.interp(ball.t, [0, 0.5, 1], [0, 2, -1]))
    times = [event.t for event in ball.events]
    assert ball["count(floor)"].tolist() == [sum(t <= now for t in times) for now in ball.t]
    assert ball["count(floor)"][-1] == len(times) > 0


@pytest.mark.compiles
def test_a_run_is_a_dataset(ball):
    data = ball.to_xarray()
    np.testing.assert_array_equal(data["y"], ball["y"])
    assert data["y"].attrs == {"units": "m"}
    assert data["der(der(y))"].attrs == {"units": "m/s^2"}
    assert data["kinetic_energy"].attrs == {"units": "J"}
    assert float(data["g"]) == 9.81
    assert len(data.attrs["spec"]) == 16
    assert {"rtol", "atol", "arithmetic", "compiled_by", "run_by"} <= set(data.attrs)


@pytest.mark.compiles
def test_an_ensemble_has_samples(bodies):
    runs = bodies.simulate_many(1.0, 0.5, params={"m_p": [9.0, 10.0]})
    data = runs.to_xarray(["theta", "energy"])
    assert data["energy"].dims == ("sample", "t")
    np.testing.assert_array_equal(data["energy"][1], runs.run(1)["energy"])
    assert data["m_p"].dims == ("sample",)
    table = runs.to_pandas()
    assert table.index.names == ["sample", "t"]
    assert table.loc[1, "m_p"].tolist() == [10.0] * 3
    np.testing.assert_array_equal(table.loc[1, "theta"], runs.z[1, :, bodies.states.index("theta")])
