"""The passes together: what is watched, and what is told about the way to the result."""

import pytest

from tests.fixtures.programs import rhs_of
from volterra_cg import passes
from volterra_cg.program.cost import of_entry
from volterra_cg.program.types import Check


@pytest.mark.parametrize("step", passes.PASSES, ids=lambda step: step.name)
def test_a_check_survives_all_passes(graph, names, step):
    m, x = names["m"], names["x"]
    divisor = m * graph.call("cos", x) + 2
    after = step.run(rhs_of(graph, x / divisor, checks=[Check.of(divisor, "the block")]))
    assert [check.label for check in after.checks] == ["the block"]
    assert after.checks[0].divisor.fingerprint == divisor.fingerprint


@pytest.mark.parametrize("level", range(passes.LEVELS))
def test_the_history_tells_the_operations_of_the_passes_that_ran(graph, names, level):
    m, x, y = (names[name] for name in "mxy")
    seeming = x * graph.call("cos", y) ** 2 + x * graph.call("sin", y) ** 2 + m * m * x
    best = passes.optimise_best({"this": rhs_of(graph, seeming)}, level)
    taken = of_entry(best.program, "rhs").total
    assert best.tried == {"this": taken}
    assert best.history["derived"] > best.history["prepare"] == taken
    assert ("merge" in best.history) == (level > 0)
    searched = {key.partition(". ")[2] for key in best.history} - {""}
    assert searched <= {step.name for step in passes.PASSES if step.is_searched}
    assert bool(searched) == (level == 3)


def test_of_programs_of_equal_meaning_the_cheapest_is_taken(graph, names):
    x, y, z = (names[name] for name in "xyz")
    programs = {"expanded": rhs_of(graph, x * y + x * z), "factored": rhs_of(graph, x * (y + z))}
    best = passes.optimise_best(programs, 2)
    assert (best.name, best.tried) == ("factored", {"expanded": 3, "factored": 2})


def test_of_programs_with_as_many_operations_the_one_with_the_fewest_after_fusing_is_taken(graph, names):
    x, y, z = (names[name] for name in "xyz")
    programs = {"apart": rhs_of(graph, (x + y) * (y + z)), "fused": rhs_of(graph, x + y * (z + x))}
    assert passes.optimise_best(programs, 2).name == "fused"
    cheaper = {"fused": rhs_of(graph, x + y * (z + x)), "apart": rhs_of(graph, x * (y + z))}
    assert passes.optimise_best(cheaper, 2).name == "apart"
