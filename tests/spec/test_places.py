"""Where problems are told to be."""

from volterra_cg.errors import Place
from volterra_cg.spec import Places


def test_an_entity_without_a_place_is_told_by_its_name():
    problem = Places().problem(("points", "P"), "it moves no mass", "give it one")
    assert str(problem) == "points.P: it moves no mass (give it one)"
    assert str(Places().find("gravity")) == "gravity"


def test_a_place_may_be_a_line_without_a_column():
    line = Place("arm.py", 2)
    places = Places(entities={("bodies", "arm"): line}, texts={"arm.py": ("import sympy", "arm = body(mass=m)")})
    problem = places.problem(("bodies", "arm"), "it has no center")
    assert str(problem) == "arm.py:2: it has no center\n    arm = body(mass=m)"
    assert problem.as_dict()["line"] == 2
    assert sorted([Place("b"), line, Place("arm.py", 2, 3)]) == [line, Place("arm.py", 2, 3), Place("b")]


def test_a_row_stands_where_its_constraint_does():
    places = Places("arm.toml", {("constraints", "loop"): Place("arm.toml", 7, 1)}, {})
    assert places.find("constraints", "loop.x") == Place("arm.toml", 7, 1)
    assert places.find("constraints", "other") == Place("arm.toml", 1, 1)
