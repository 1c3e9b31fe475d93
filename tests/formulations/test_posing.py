"""Posed problems are square."""

from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import CRANKS, PLAIN


def test_posed_systems_are_square():
    for text in ("cart_pendulum", "three_bodies", "satellite_boom", "rolling_disc", "andrews", CRANKS, PLAIN):
        problem = problem_of(text)
        assert len(problem.rates.equations) == len(problem.rates.unknowns)
        for system in (problem.rates, problem.motion):
            assert all(set(e.terms) <= set(range(len(system.unknowns))) for e in system.equations)
