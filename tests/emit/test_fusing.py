"""Fused arithmetic: which products sums take in, and the same bits whatever compiles and runs them."""

import itertools

import pytest

from tests.emit.test_lanes import FUNCTIONS, compare, harness, starts
from tests.fixtures.table import COMPILERS, INSTRUCTIONS, LEVELS
from tests.runtime.test_sincos import runs_here
from volterra_cg.emit.listing import Lister
from volterra_cg.emit.printer import lines
from volterra_cg.emit.statements import Place
from volterra_cg.options import FUSED
from volterra_cg.program import cost
from volterra_cg.program.graph import Graph
from volterra_cg.program.nodes import Role
from volterra_cg.program.types import Entry, Program

SOME = {("gcc", "-O0", "baseline"), ("gcc", "-O3", "avx512"), ("clang", "-O1", "avx2"), ("clang", "-O2", "avx512")}


@pytest.fixture
def inputs():
    graph = Graph(0)
    return [graph.input(Role.COORDINATE, i, name) for i, name in enumerate("abcde")]


def listed(inputs, *results):
    """The listing of results with fused arithmetic, and its statements after those that declare inputs."""
    leaves = {node: Place("z", i) for i, node in enumerate(inputs)}
    targets = [Place("dz", i) for i in range(len(results))]
    listing = Lister(Entry("rhs", results), leaves, targets, (), fused=True).listing()
    texts = [line.strip() for line in lines(listing.statements)]
    return listing, [text for text in texts if "= z[" not in text and text != "return 0;"]


def foreseen(inputs, *results):
    """What the search takes the instructions of results for."""
    return cost.instructions(Program(inputs[0].graph, (Entry("rhs", results),), ()), "rhs")


@pytest.mark.parametrize(
    ("made", "text", "instructions"),
    [
        (lambda g, a, b, c, d, e: a * b + c, "fma(q_a, q_b, q_c)", 1),
        (lambda g, a, b, c, d, e: c - a * b, "fma(-q_a, q_b, q_c)", 1),
        (lambda g, a, b, c, d, e: g.add(-c, a * b, -d), "-fma(-q_a, q_b, q_c + q_d)", 2),
        (lambda g, a, b, c, d, e: a * b - c * d, "fma(-q_c, q_d, q_a*q_b)", 2),
        (lambda g, a, b, c, d, e: g.add(a * b, c * d, e), "fma(q_c, q_d, fma(q_a, q_b, q_e))", 2),
        (lambda g, a, b, c, d, e: g.multiply(a, b, c) + d, "fma(q_a*q_b, q_c, q_d)", 2),
        (lambda g, a, b, c, d, e: 3 * a + b, "fma(3.0, q_a, q_b)", 1),
        (lambda g, a, b, c, d, e: 3 * a * b + c, "fma(3.0*q_a, q_b, q_c)", 2),
        (lambda g, a, b, c, d, e: a * a + 2, "fma(q_a, q_a, 2.0)", 1),
        (lambda g, a, b, c, d, e: g.add(a, b, -c), "q_a + q_b - q_c", 2),
        (lambda g, a, b, c, d, e: a * b, "q_a*q_b", 1),
    ],
)
def test_a_sum_takes_its_products_in(inputs, made, text, instructions):
    listing, texts = listed(inputs, made(inputs[0].graph, *inputs))
    assert texts == [f"dz[0] = {text};"]
    assert listing.instructions == instructions == foreseen(inputs, made(inputs[0].graph, *inputs))


def test_a_product_that_is_needed_by_itself_is_not_fused(inputs):
    a, b, c, *_ = inputs
    listing, texts = listed(inputs, a * b + c, a * b)
    assert texts == ["const double x0 = q_a*q_b;", "dz[0] = q_c + x0;", "dz[1] = x0;"]
    assert listing.instructions == listing.cost.total == foreseen(inputs, a * b + c, a * b) == 2


def test_a_product_that_only_sums_need_is_fused_in_each(inputs):
    a, b, c, d, _ = inputs
    listing, texts = listed(inputs, a * b + c, a * b + d)
    assert texts == ["dz[0] = fma(q_a, q_b, q_c);", "dz[1] = fma(q_a, q_b, q_d);"]
    assert (listing.instructions, listing.cost.total) == (foreseen(inputs, a * b + c, a * b + d), 3) == (2, 3)


def test_a_quotient_is_not_fused(inputs):
    a, _, c, d, _ = inputs
    listing, texts = listed(inputs, a / c + d)
    assert texts == ["dz[0] = q_d + q_a/q_c;"]
    assert listing.instructions == listing.cost.total == 2


def bits(sources, folder, compiler, level, instructions):
    """The derivatives of eight states, one by one and together."""
    flag = f"-DVCG_SUPPORTS(instructions)={INSTRUCTIONS[instructions]}"
    ones, lanes = compare(harness(sources, folder, flag, level, compiler=compiler), starts(sources))
    assert str(lanes) == str(ones)
    return str(ones)


def ways(chosen=None):
    every = itertools.product(COMPILERS, LEVELS, INSTRUCTIONS)
    return [way for way in every if runs_here(way[2]) and (chosen is None or way in chosen)]


@pytest.mark.compiles
def test_compilers_levels_and_instructions_give_the_same_bits(generated, tmp_path):
    sources = generated("cart_pendulum", arithmetic=FUSED)
    assert len({bits(sources, tmp_path / "-".join(way), *way) for way in ways(SOME)}) == 1


@pytest.mark.torture
@pytest.mark.compiles
@pytest.mark.parametrize("text", [FUNCTIONS, "three_bodies", "satellite_boom", "andrews"])
def test_all_of_them_give_the_same_bits(generated, tmp_path, text):
    sources = generated(text, arithmetic=FUSED)
    assert len({bits(sources, tmp_path / "-".join(way), *way) for way in ways()}) == 1
