"""The headings of a listing: each stands above what leads to it, and only if all of it is computed."""

import pytest

from volterra_cg.emit.listing import Lister
from volterra_cg.emit.printer import lines
from volterra_cg.emit.statements import Comment, Place
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Role
from volterra_cg.program.types import Entry, Section


@pytest.fixture
def x():
    return Graph(0).input(Role.COORDINATE, 0, "x")


def listed(x, results, *sections):
    """The lines of a function after that which declares its input."""
    targets = [Place("dz", i) for i in range(len(results))]
    entry = Entry("rhs", tuple(results), tuple(Section(title, nodes) for title, nodes in sections))
    statements = Lister(entry, {x: Place("z", 0)}, targets, ()).listing().statements
    texts = [
        s.text if isinstance(s, Comment) else line.strip()
        for s, line in zip(statements, lines(statements), strict=True)
    ]
    assert (texts[0], texts[-1]) == ("const double q_x = z[0];", "return 0;")
    return texts[1:-1]


def wave(x, factor):
    return x.graph.call("sin", factor * x)


def test_a_section_is_headed_by_its_title(x):
    mass, speed = wave(x, 2), wave(x, 3)
    assert listed(x, [mass * speed], ("mass", (mass,)), ("speed", (mass * speed,))) == [
        "mass",
        "const double x0 = sin(2.0*q_x);",
        "speed",
        "const double x1 = sin(3.0*q_x);",
        "results",
        "dz[0] = x0*x1;",
    ]


def test_what_is_left_of_a_section_is_headed_by_what_needs_it(x):
    mass, gone, speed = wave(x, 2), wave(x, 5), wave(x, 3)
    found = listed(x, [mass * speed], ("mass", (mass, gone)), ("speed", (mass * speed,)))
    assert found[:3] == ["speed", "const double x0 = sin(2.0*q_x);", "const double x1 = sin(3.0*q_x);"]


def test_what_no_section_needs_is_headed_by_the_results(x):
    mass, gone, speed, other = wave(x, 2), wave(x, 5), wave(x, 3), wave(x, 4)
    found = listed(x, [speed, mass * other], ("mass", (mass, gone)), ("speed", (speed,)))
    assert [text for text in found if "=" not in text] == ["results", "speed", "results"]


def test_no_heading_stands_above_nothing(x):
    """What is written inline, into the result, leaves no statement."""
    assert listed(x, [2 * x], ("mass", (2 * x,)), ("speed", (2 * x,))) == ["results", "dz[0] = 2.0*q_x;"]
    assert listed(x, [2 * x]) == ["dz[0] = 2.0*q_x;"]
