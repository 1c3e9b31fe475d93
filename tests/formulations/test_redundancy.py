"""Constraints that follow from others, everywhere or on the mechanism."""

from typing import Any

import numpy as np
import pytest

from tests.fixtures.mechanics import problem_of
from tests.fixtures.specs import CRANKS
from volterra_cg.elimination.reactions import with_reactions
from volterra_cg.errors import ModelError
from volterra_cg.formulations import rank
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Node, Role

FOURTH = 'ry = "dot(position(R, Rc), N.y)"\n'


def test_a_constraint_that_follows_from_others_everywhere_is_refused_by_name():
    with pytest.raises(ModelError, match="constraint again follows from the constraints before it"):
        problem_of(CRANKS + 'again = "2*dot(position(Q, Qb), N.x) - dot(position(Q, Qb), N.y)"\n')


@pytest.mark.parametrize("formulation", ["reduced-volterra", "lagrange", "udwadia-kalaba"])
def test_the_fourth_row_of_three_parallel_cranks_is_set_aside(formulation):
    """At random angles the four rows have rank 4, on the mechanism 3."""
    problem = problem_of(CRANKS + FOURTH, formulation)
    assert [row.name for row in problem.kinematics.rows] == ["qx", "qy", "rx", "ry"]
    assert len(problem.kinematics.constraints) == 3
    (aside,) = problem.kinematics.redundant
    assert any(f"not solved for at the start: {aside.name}" in note for note in problem.notes)


def test_reactions_of_redundant_constraints_are_refused():
    problem = problem_of(CRANKS + FOURTH + '[outputs]\npush = "reaction(qx)"\n')
    with pytest.raises(ModelError, match=r"reactions are not determined: constraint .* follows from the others"):
        with_reactions(problem.kinematics)


def test_three_rows_of_three_parallel_cranks_are_a_mechanism():
    assert len(problem_of(CRANKS).speeds) == 1


@pytest.mark.parametrize("kind", ["square", "wide", "dependent"])
def test_a_matrix_taken_apart_is_as_regular_as_the_whole(kind, monkeypatch):
    random = np.random.default_rng(4)
    sizes, whole = (3, 1, 2, 3, 2), np.zeros((3, 11, 11))
    for number, size in enumerate(sizes):
        own = slice(sum(sizes[:number]), sum(sizes[: number + 1]))
        whole[:, own, own] = random.normal(size=(3, size, size))
    whole = whole[:, random.permutation(11)][:, :, random.permutation(11)]
    if kind == "wide":
        whole = whole[:, :9]
    if kind == "dependent":
        whole[:, 4] = whole[:, 7]
    graph, values, rows = Graph(0), dict[Node, Any](), list[dict[int, Node]]()
    for i in range(whole.shape[1]):
        own = [j for j in range(11) if whole[:, i, j].any()]
        rows.append({j: graph.input(Role.COORDINATE, 11 * i + j, f"q{i}_{j}") for j in own})
        values |= {node: whole[:, i, j] for j, node in rows[-1].items()}
    singular, signs = rank._measured(rank.tried(rows, values, 11))
    monkeypatch.setattr(rank, "FEW", 1)
    found = rank.tried(rows, values, 11)
    apart, other_signs = rank._measured(found)
    np.testing.assert_allclose(apart, singular, atol=1e-14)
    assert kind == "dependent" or np.array_equal(signs * signs[0], other_signs * other_signs[0])
    assert len(found.parts) >= 4
    least = np.linalg.svd(whole[:, [0, 2, 5]], compute_uv=False)[:, -1]
    np.testing.assert_allclose(rank._measured(found.only([0, 2, 5]))[0], least, atol=1e-14)
