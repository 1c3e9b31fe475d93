import pytest

from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Role


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def names(graph):
    """Inputs by name: m, l, g are parameters, x, y, z coordinates."""
    found = {name: graph.input(Role.PARAMETER, k, name) for k, name in enumerate("mlg")}
    return found | {name: graph.input(Role.COORDINATE, k, name) for k, name in enumerate("xyz")}
