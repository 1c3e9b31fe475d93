"""One finds the test of a module by its path: volterra_cg/passes/share.py has tests/passes/test_share.py."""

import re
from pathlib import Path

import pytest

from volterra_cg.options import FORMULATIONS

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "volterra_cg"
# modules that are tried through others, by the test that does and why
ELSEWHERE = {
    # every formulation is compared with Newton's and Euler's laws on all models, and so is what they share
    "formulations/test_formulations.py": (
        *(f"formulations/{name.replace('-', '_')}" for name in FORMULATIONS),
        "formulations/algebra",
        "formulations/partials",
        "elimination/classical",
    ),
    "formulations/test_redundancy.py": ("formulations/rank", "kinematics/configurations"),  # what they are for
    # the identities of mechanics that frames, points, bodies and loads obey, at random states
    "runtime/show/test_scene.py": ("kinematics/scene",),
    "kinematics/test_identities.py": ("kinematics/axes", "kinematics/loads", "kinematics/lower", "formulations/inertia"),
    # the steps of an elimination order; all orders give the same accelerations
    "elimination/test_orders.py": (
        "elimination/accelerations", "elimination/multipliers", "elimination/quadratic_form", "elimination/tree",
    ),
    "elimination/test_dense.py": ("elimination/assemble",),
    "language/test_joints.py": ("elimination/reactions",),
    "runtime/test_impacts.py": ("elimination/event_changes",),
    "emit/test_c.py": ("emit/functions", "emit/sources"),  # compiled, and its numbers compared
    "emit/test_lanes.py": ("emit/waves",),
    "emit/test_printer.py": ("emit/statements",),
    "program/test_solve.py": ("program/interpret",),
    "bench/test_compare.py": ("bench/models", "bench/record", "cli/bench"),
    "bench/test_paper.py": ("bench/measures",),  # the paper's errors, to the printed digits
    "build/test_compiler.py": ("build/toolchain",),
    "emit/test_equations.py": ("program/text", "targets"),
    "runtime/test_many.py": ("runtime/batch", "runtime/ensemble"),
    "runtime/test_integration.py": ("runtime/integrate", "runtime/bound", "runtime/tolerances", "integrators"),
    "runtime/test_stepper.py": ("runtime/steps",),
    "runtime/test_failures.py": ("runtime/status",),
    "report/test_page.py": ("report/compare",),
    "runtime/show/test_viewer.py": ("runtime/show/animation",),
    "runtime/test_tables.py": ("runtime/provenance",),
    "sweep/test_sample.py": ("sweep/reductions",),
    "language/test_start.py": ("projection",),
    "robots/test_urdf.py": ("robots/markup", "cli/robots"),  # wrong files, and the command
    "robots/test_mechanism.py": ("robots/possible", "robots/robot", "robots/welded", "robots/written"),
    "sympy_objects/test_mechanism.py": (  # each of its models goes through all of these
        "sympy_objects/consistency", "sympy_objects/geometry", "sympy_objects/loads", "sympy_objects/names",
        "sympy_objects/scalars",
    ),
    "test_goldens.py": ("driver",),
}  # fmt: skip
# types, constants and messages, which do nothing by themselves
PLAIN = {
    "arrays", "errors", "version", "elimination/solution", "formulations/problem", "kinematics/types", "program/types",
}  # fmt: skip
# a sentence of the language goes through reading, checks and system at once: tests/language has every one, right and wrong
LANGUAGE = ("spec", "system")


def modules():
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")]):
        name = path.relative_to(PACKAGE).with_suffix("").as_posix()
        if not path.name.startswith("__") and name.split("/")[0] not in LANGUAGE:
            yield name


def own_test(name):
    folder, _, stem = name.rpartition("/")
    return TESTS / folder / f"test_{stem}.py"


@pytest.mark.parametrize("name", [*modules()])
def test_a_module_has_a_test_of_its_path_or_is_tried_elsewhere(name):
    listed = [test for test, names in ELSEWHERE.items() if name in names]
    assert own_test(name).exists() + (name in PLAIN) + len(listed) == 1


def test_what_is_listed_is_there():
    assert {name for names in ELSEWHERE.values() for name in names} | PLAIN <= set(modules())
    assert all((TESTS / test).is_file() for test in ELSEWHERE)


def test_the_files_that_the_map_names_are_there():
    text = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.(?:py|c|h))`", text)
    assert len(named) > 15
    assert [name for name in named if not any((folder / name).exists() for folder in (PACKAGE, TESTS.parent))] == []
