"""Points behind triangles."""

import numpy as np

from volterra_cg.runtime.show.hidden import hidden, stretches

FRONT = np.array(
    [[[0, 0, 1], [2, 0, 1], [0, 2, 3]], [[5, 5, 0], [6, 6, 9], [7, 7, 0]]], dtype=float
)  # and one from aside


def test_a_point_is_hidden_by_what_is_in_front_of_it():
    points = np.array([[0.5, 0.5, 0], [0.5, 0.5, 1.4], [0.5, 0.5, 1.6], [1.5, 1.5, 0], [-0.1, 0.5, 0], [6, 6, -1]])
    assert hidden(points, FRONT, 1e-9).tolist() == [True, True, False, False, False, False]
    assert not hidden(points, FRONT, 2).any()
    assert not hidden(points, np.empty((0, 3, 3)), 0).any()


def test_a_point_under_an_edge_is_behind_both():
    """Where rounding puts it in neither, as the axis of a turned cylinder."""
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    around = np.stack([np.cos(angles), np.sin(angles), 0.3 * np.ones(24)], axis=1)
    fan = np.stack([np.broadcast_to([0.1, 0.0, 1.0], (24, 3)), around, np.roll(around, -1, axis=0)], axis=1)
    shares = np.linspace(0.05, 0.95, 40)[:, np.newaxis]
    points = np.concatenate([(1 - shares) * [0.1, 0.0, 0.0] + shares * (corner * [1, 1, 0]) for corner in around])
    assert hidden(points, fan, 1e-6).all()


def test_many_points_and_triangles_go_in_parts(monkeypatch):
    monkeypatch.setattr("volterra_cg.runtime.show.hidden.AT_ONCE", 2)
    points = np.random.default_rng(1).uniform(-1, 2, (40, 3))
    assert hidden(points, FRONT, 0).tolist() == [hidden(point[np.newaxis], FRONT, 0)[0] for point in points]


def test_what_is_seen_between_hidden_points():
    assert stretches(np.array([1, 1, 0, 1, 0, 1, 1, 1], dtype=bool)) == [(0, 1), (5, 7)]
    assert stretches(np.zeros(3, dtype=bool)) == []
