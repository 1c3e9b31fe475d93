"""The study runs on a small model, without peers and with one that is absent; its equations by hand are right."""

import math

import pytest

import volterra_cg as vcg
from benchmarks.study import peers
from benchmarks.study.__main__ import main
from benchmarks.study.algebra import Math
from benchmarks.study.measure import measure, spec_of
from benchmarks.study.mechanisms import at_state, mechanism

pytestmark = pytest.mark.compiles


def test_a_small_chain_at_two_levels(tmp_path, capsys):
    assert (
        main(["--models", "cart_chain_2", "--levels", "0", "3", "--peers", "--no-callgrind", "-o", str(tmp_path)]) == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[1] for line in lines[2:]] == ["level 0", "level 3"]
    assert (tmp_path / "table.md").read_text().splitlines() == lines


def test_an_absent_peer_is_reported(tmp_path, monkeypatch):
    monkeypatch.setitem(peers.PEERS, "nobody", ("a_package_that_nobody_has", None))
    rows = measure("cart_chain_2", tmp_path, [3], ["nobody"], callgrind=False)
    assert rows[-1].note == "absent: a_package_that_nobody_has is not installed"
    assert rows[0].difference < 1e-12


@pytest.mark.parametrize(
    "name",
    ["cart_pendulum", "three_bodies", "satellite_boom", "rolling_disc", "andrews", "cart_chain_3", "space_chain_3"],
)
def test_equations_written_by_hand_agree_with_the_compiled_ones(name, tmp_path):
    model = vcg.compile(spec_of(name, tmp_path))
    what = mechanism(name)
    names = list(model.coordinates)
    t = 0.01
    z = model.simulate(t, dt=t).z[-1]
    at = at_state(z, names, list(model.momenta), t, Math(math.sin, math.cos, math.sqrt))
    expected = model.rhs(t, z)
    assert what.rates(at, names) == pytest.approx(expected, rel=1e-11, abs=1e-11 * abs(expected).max())
    if what.recursion:
        speeds = expected[len(names) : len(names) + len(model.quasi_velocities)]
        assert what.recursion(at) == pytest.approx(speeds, rel=1e-11, abs=1e-12)
