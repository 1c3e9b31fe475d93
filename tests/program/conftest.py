import pytest

from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Role


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def x(graph):
    return graph.input(Role.COORDINATE, 0, "x")


@pytest.fixture
def y(graph):
    return graph.input(Role.COORDINATE, 1, "y")


@pytest.fixture
def t(graph):
    return graph.input(Role.TIME, 0, "t")
