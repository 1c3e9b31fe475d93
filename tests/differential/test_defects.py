"""Mechanisms that once came out wrong or broke the compiler; what each must do instead."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.differential.compare import CLASSICAL, Comparison, Tally
from tests.differential.generator import Case
from tests.differential.oracle import Mechanism
from tests.fixtures.mechanics import system_of
from volterra_cg import derivation
from volterra_cg.errors import SpecError
from volterra_cg.options import REDUCED, Options

DEFECTS = Path(__file__).parents[1] / "fixtures" / "defects"
REFUSED = ("identically_zero",)
ACCEPTED = sorted(path.stem for path in DEFECTS.glob("*.toml") if path.stem not in REFUSED)
SMALL = 4  # coordinates up to which all is tried


def spec_of(name):
    return tomllib.loads((DEFECTS / f"{name}.toml").read_text())


@pytest.mark.parametrize("name", ACCEPTED)
def test_every_elimination_order_and_formulation_agrees_with_the_oracle(name):
    small = len(spec_of(name)["coordinates"]) <= SMALL
    every = small or name.startswith(("form_turn", "carried"))
    plans, tally = [(REDUCED, "all" if every else "some", 0)], Tally()
    if small:
        plans += [(REDUCED, "all", 3), *((formulation, "all", 0) for formulation in CLASSICAL)]
    Comparison(Case(spec_of(name)), 1, tally, plans).run()
    assert tally.mechanisms == 1
    assert tally.counts["quantity"]["q''"] >= len(plans)
    if name.startswith("form_turn"):  # what was wrong there is among what is compared
        assert {"composite", "recursive"} <= set(tally.counts["elimination order"])


def test_a_rotor_with_an_arm_has_the_accelerations_that_were_missed():
    mechanism = Mechanism(spec_of("form_turn_rotor"))
    found = mechanism.at(*mechanism.initial(), 0.0).found()
    np.testing.assert_allclose(found.q2, [12.7955, -1.0557], atol=5e-5)


def test_a_divisor_that_is_zero_by_identity_is_a_mistake_of_the_spec():
    with pytest.raises(SpecError, match=r"identically_zero\.toml:14:1: x divides by something that is zero everywhere"):
        derivation.check(DEFECTS / "identically_zero.toml")


def test_of_p_quasi_velocities_those_are_kept_that_stay_regular(compiled):
    """The first three lose their grip after 0.454 s; those kept now are followed for three seconds."""
    text = (DEFECTS / "reduced_choice_becomes_singular.toml").read_text()
    assert derivation.pose(system_of(text), Options()).dropped == ("u2",)
    run = compiled(text).simulate(3.0, rtol=1e-10, atol=1e-12)
    mechanism = Mechanism(spec_of("reduced_choice_becomes_singular"))

    def slope(t, y):
        return np.concatenate([y[4:], mechanism.at(y[:4], y[4:], t).found().q2])

    expected = solve_ivp(slope, (0, 3), np.concatenate(mechanism.initial()), "DOP853", rtol=1e-9, atol=1e-9).y[:4, -1]
    found = [run[name][-1] for name in mechanism.names]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_roots_do_not_hide_a_choice_that_is_singular_everywhere():
    problem = derivation.pose(system_of((DEFECTS / "irrational_axis_singular_choice.toml").read_text()), Options())
    assert len(problem.speeds) == 6
    assert problem.dropped == ("u2",)  # the cheapest of those without which the others are regular
