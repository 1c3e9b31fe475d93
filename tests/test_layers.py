"""Imports point one way: a stage knows those before it, never those after."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "volterra_cg"
SHARED = {"errors", "version", "options", "clock", "projection", "integrators", "targets"}
# what each stage may import of this package, besides itself and what all share
ALLOWED = {
    "spec": set(),
    "system": {"spec"},
    "program": set(),
    "kinematics": {"system", "program"},
    "formulations": {"kinematics", "system", "program"},
    "elimination": {"formulations", "kinematics", "program"},
    "passes": {"program"},
    "emit": {"elimination", "formulations", "kinematics", "program"},
    "build": {"emit"},  # the type of what is built, for the type checker only
    "runtime": {"build"},  # inside functions only: workers of an executor build the model
    "sweep": {"runtime"},
    "cli": {"bench", "build", "driver", "emit", "runtime", "sweep"},
    "bench": {"build", "driver", "emit", "runtime"},
    "search": {"formulations", "elimination", "passes", "program"},
    "driver": {"spec", "system", "kinematics", "formulations", "elimination", "passes", "emit", "program", "search"},
}
SHARED_ALLOWED = {name: set() for name in sorted(SHARED)}
# where sympy may be imported: the front end, and the printer at the back
SYMPY = {"system", "kinematics", "emit", "program.text", "elimination.blocks", "formulations.ignorable"}


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield path, tuple(part for part in parts if part != "__init__")


def imported(path, parts):
    """The absolute names of the modules that a file imports, wherever the import stands."""
    package = ("volterra_cg", *(parts if path.name == "__init__.py" else parts[:-1]))
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield name
            if name == "volterra_cg":
                yield from (f"volterra_cg.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("stage", ALLOWED)
def test_arrows_point_one_way(stage):
    for path, parts in modules():
        if not parts or parts[0] != stage:
            continue
        known = {name.split(".")[1] for name in imported(path, parts) if name.startswith("volterra_cg.")}
        allowed = {stage} | SHARED | ALLOWED[stage]
        assert known <= allowed, f"{path.relative_to(PACKAGE)} imports {sorted(known - allowed)}"


def test_every_module_belongs_to_a_stage():
    places = {parts[0] for _, parts in modules() if parts}
    assert places <= {*ALLOWED, *SHARED, "__main__"}


@pytest.mark.parametrize("name", SHARED_ALLOWED)
def test_what_all_share_depends_on_no_stage(name):
    path = PACKAGE / f"{name}.py"
    if path.exists():
        known = {n.split(".")[1] for n in imported(path, (name,)) if n.startswith("volterra_cg.")}
        assert known <= SHARED


def test_sympy_stands_at_the_front_and_at_the_back():
    for path, parts in modules():
        if any(name.split(".")[0] == "sympy" for name in imported(path, parts)):
            assert parts[0] in SYMPY or ".".join(parts) in SYMPY, path.relative_to(PACKAGE)


def test_passes_and_program_know_no_mechanics():
    for path, parts in modules():
        if parts and parts[0] in ("passes", "program"):
            words = path.read_text().lower()
            found = [word for word in ("volterra equation", "kane", "ignorable", "lagrang", "gravity") if word in words]
            assert found == [], path.relative_to(PACKAGE)


@pytest.mark.parametrize("module", ["volterra_cg", "volterra_cg.runtime", "volterra_cg.spec", "volterra_cg.build"])
def test_these_are_imported_without_sympy(module):
    script = f"import sys, {module}; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False, cwd=PACKAGE.parent).returncode == 0


def test_the_runtime_brings_nothing_of_the_compiler():
    script = (
        "import sys, volterra_cg.runtime\n"
        "stages = 'spec system kinematics formulations elimination passes emit build driver program'.split()\n"
        "print([s for s in stages if f'volterra_cg.{s}' in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=PACKAGE.parent
    )
    assert said.stdout.strip() == "[]"


def test_the_runtime_asks_for_a_build_only_when_it_needs_one():
    for path, parts in modules():
        if not parts or parts[0] != "runtime":
            continue
        names = [node.module or "" for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom)]
        assert not any(name.startswith("volterra_cg.build") for name in names), path.relative_to(PACKAGE)


def test_no_module_prints_or_changes_directory():
    for path, parts in modules():
        if parts and parts[0] == "cli":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "eval", "exec", "breakpoint"), path.relative_to(PACKAGE)
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("chdir", "basicConfig"), path.relative_to(PACKAGE)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_and_functions_stay_small(path):
    text = path.read_text()
    assert text.count("\n") <= 500
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < 60, node.name
