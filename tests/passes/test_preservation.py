"""Every pass keeps the values of random programs, to fifty digits, and none adds operations."""

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings

from tests.fixtures.programs import close, finite, precise, program_of, samples
from volterra_cg import passes
from volterra_cg.program.cost import total
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Const, Inverse, Role, topological

STEPS = {step.name: step.run for step in passes.PASSES} | {"optimise": passes.optimise}
bounded = settings(
    max_examples=40, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate, Phase.shrink]
)


def cost(program):
    """Operations of a call, what is prepared left out."""
    given = set(program.prepared)
    results = program.entry("rhs").results
    wanted, order = set(results), topological(results)
    for node in reversed(order):
        if node in wanted and node not in given:
            wanted.update(node.args)
    nodes = [node for node in order if node in wanted and node not in given]
    return total(nodes, results).total


@pytest.mark.parametrize("name", STEPS)
@bounded
@given(sample=samples(size=16))
def test_values_are_kept_to_fifty_digits(name, sample):
    before = program_of(sample)
    after = STEPS[name](before)
    expected = precise(before.entry("rhs").results, sample)
    assume(finite(expected))
    assert close(precise(after.entry("rhs").results, sample), expected, 40)


@pytest.mark.parametrize("name", STEPS)
@bounded
@given(sample=samples(size=16))
def test_values_are_kept_in_doubles(name, sample):
    before = program_of(sample)
    expected = interpret(before.entry("rhs").results, sample.at())
    assume(finite(expected, 1e6))
    assert interpret(STEPS[name](before).entry("rhs").results, sample.at()) == pytest.approx(
        expected, rel=1e-7, abs=1e-7
    )


@pytest.mark.parametrize("name", STEPS)
@bounded
@given(sample=samples(size=16))
def test_fingerprints_are_kept(name, sample):
    before = program_of(sample)
    after = STEPS[name](before)
    pairs = zip(before.entry("rhs").results, after.entry("rhs").results, strict=True)
    assert all(old.fingerprint == new.fingerprint for old, new in pairs)


# An optional pass is a move of the search in `optimise`, which keeps only what lowers the cost.
@pytest.mark.parametrize("name", [n for n in STEPS if n not in {s.name for s in passes.PASSES if s.is_searched}])
@bounded
@given(sample=samples(size=16))
def test_no_pass_adds_operations(name, sample):
    before = program_of(sample)
    assert cost(STEPS[name](before)) <= cost(before)


@bounded
@given(sample=samples(size=16))
def test_prepared_values_replace_the_parameters(sample):
    """A call needs the prepared values and the inputs that are no parameters, nothing else."""
    after = passes.optimise(program_of(sample))
    parameters = {n: v for n, v in sample.at().items() if n.role is Role.PARAMETER}
    moving = {n: np.nan if n in parameters else v for n, v in sample.at().items()}
    prepared = dict(zip(after.prepared, interpret(after.prepared, parameters), strict=True))
    results = after.entry("rhs").results
    expected = interpret(results, sample.at())
    assume(finite(expected, 1e6))
    assert interpret(results, moving | prepared) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@bounded
@given(sample=samples(size=16))
def test_watched_divisors_keep_their_labels(sample):
    before = program_of(sample)
    after = passes.optimise(before)
    assert {check.label for check in after.checks} <= {check.label for check in before.checks}
    divided = {node.args[0] for node in topological(after.entry("rhs").results) if isinstance(node, Inverse)}
    known = {divisor.fingerprint for divisor in (check.divisor for check in before.checks)}
    assert all(divisor.fingerprint in known for divisor in divided if not isinstance(divisor, Const))
