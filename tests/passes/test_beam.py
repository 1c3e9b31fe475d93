"""beam: which programs the search follows, and which it keeps."""

from dataclasses import replace

import pytest

from tests.fixtures.programs import rhs_of
from volterra_cg.passes import beam
from volterra_cg.passes.beam import Moves, cheapest, joined
from volterra_cg.program.types import Check, Entry, Section


@pytest.fixture
def forms(graph, names):
    """Programs by what they cost."""
    x, values = names["x"], [names["x"]]
    for _ in range(9):
        values.append(graph.call("exp", values[-1] + x))
    return {2 * cost: rhs_of(graph, value) for cost, value in enumerate(values)}


def steps(forms, ways):
    """A move that leads from a program of one cost to one of another, and leaves others alone."""
    known = {forms[a].entry("rhs").results: forms[b].entry("rhs").results for a, b in ways.items()}

    def move(program):
        results = program.entry("rhs").results
        return replace(program, entries=(Entry("rhs", known.get(results, results)),))

    return move


def found(forms, start, freeing=None, opening=None, beside=None, again=None):
    moves = {}
    for name, ways in (("freeing", freeing), ("opening", opening), ("beside", beside), ("again", again)):
        moves[name] = {label: steps(forms, way) for label, way in (ways or {}).items()}
    return cheapest({"only": forms[start]}, Moves(**moves))


def test_without_moves_the_cheapest_start_is_taken(forms):
    [best], least = cheapest({"a": forms[6], "b": forms[4], "c": forms[4]}, Moves({}, {}, {}, {}))
    assert (best.name, best.cost, best.trail) == ("b", 4, ())  # of the same program the first
    assert least == {"a": 6, "b": 4, "c": 4}


def test_all_forms_of_the_least_cost_are_told_as_they_were_met(graph, names):
    x, y, z = (names[name] for name in "xyz")
    programs = {"a": rhs_of(graph, x * y * z), "b": rhs_of(graph, x + y + z), "c": rhs_of(graph, x * y + z + x)}
    ways, _ = cheapest(programs, Moves({}, {}, {}, {}))
    assert [way.name for way in ways] == ["a", "b"]


def test_a_move_that_costs_more_is_not_kept(forms):
    [best], _ = found(forms, 6, freeing={"free": {6: 8}}, again={"share": {6: 10}})
    assert (best.cost, best.trail) == (6, ())


def test_a_move_that_costs_more_may_lead_to_one_that_saves(forms):
    [best], _ = found(forms, 6, opening={"open": {6: 10}}, again={"share": {10: 2}})
    assert best.trail == (("open", 10), ("share", 2))


def test_what_stands_beside_is_followed_apart_where_it_is_cheapest_once_shared(forms):
    """Were it followed instead, the way by 4 to 0 would be missed for 2."""
    turn, share = {"turn": {14: 10}}, {14: 8, 10: 6, 6: 2}
    [best], _ = found(forms, 14, beside=turn, again={"open": {8: 4, 4: 0}, "share": share})
    assert best.trail == (("share", 8), ("open", 4), ("open", 0))
    [best], _ = found(forms, 14, beside=turn, again={"share": share})
    assert best.trail == (("turn", 10), ("share", 6), ("share", 2))


def test_freeing_is_kept_where_it_saves_and_comes_first(forms):
    [best], _ = found(forms, 8, freeing={"free": {8: 6}}, again={"share": {6: 4, 8: 2}})
    assert best.trail == (("free", 6), ("share", 4))


def test_moves_are_tried_again_on_the_best(forms):
    [best], _ = found(forms, 8, again={"pairs": {6: 4}, "share": {8: 6, 4: 2}})
    assert best.trail == (("share", 6), ("pairs", 4), ("share", 2))


def test_two_elimination_orders_are_opened(forms):
    starts = {"a": forms[8], "b": forms[10], "c": forms[12]}
    moves = Moves({}, {"open": steps(forms, {8: 8, 10: 4, 12: 2})}, {}, {"share": steps(forms, {})})
    [best], least = cheapest(starts, moves)
    assert (best.name, best.cost) == ("b", 4)
    assert least == {"a": 8, "b": 4, "c": 12}


def test_large_programs_are_shared_but_not_followed(forms, monkeypatch):
    monkeypatch.setattr(beam, "LARGE", 1)
    [best], _ = found(forms, 8, freeing={"free": {8: 2}}, again={"pairs": {6: 2}, "share": {8: 6}})
    assert best.trail == (("share", 6),)


def test_the_form_that_was_found_takes_the_place_of_rhs_and_its_divisors_are_watched(graph, names):
    x, y = names["x"], names["y"]
    divisor, other = x + 2, graph.product((x, x), (1, 1)) + 3
    sections = (Section("a title", (y / divisor,)),)
    whole = replace(
        rhs_of(graph, y / divisor, checks=(Check.of(divisor, "first"), Check.of(other, "second"))),
        entries=(Entry("start", (x,)), Entry("rhs", (y / divisor,), sections)),
    )
    form = graph.call("exp", y)
    best = rhs_of(graph, form, checks=(Check.of(x + 4, "first"), Check.of(other, "second")))
    after = joined(whole, best)
    assert after.entry("rhs").results == (form,)
    assert after.entry("start") == whole.entry("start")
    assert [check.label for check in after.checks] == ["first", "second", "first"]
    assert after.checks[-1].divisor is x + 4
