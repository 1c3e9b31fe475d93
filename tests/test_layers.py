"""Imports point one way: a stage knows those before it, never those after."""

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "volterra_cg"
SHARED = {
    "arrays",
    "errors",
    "extras",
    "files",
    "headers",
    "version",
    "options",
    "clock",
    "projection",
    "stl",
    "integrators",
    "targets",
}
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
    "build": {"spec", "emit"},  # which files a spec includes; the type of what is built, for the type checker only
    "runtime": {"build"},  # inside functions only: workers of an executor build the model
    "sweep": {"runtime"},
    "cli": {"bench", "build", "derivation", "driver", "emit", "report", "robots", "runtime", "sweep"},
    "report": {"derivation", "driver", "emit", "formulations", "runtime", "spec"},
    "bench": {"build", "driver", "emit", "runtime"},
    "search": {"formulations", "elimination", "passes", "program"},
    "derivation": {"spec", "system", "kinematics", "formulations", "elimination", "emit", "program", "search"},
    "sympy_objects": {"spec", "system", "kinematics", "formulations", "program"},
    "robots": {"spec", "builder"},
    "builder": {"spec", "system", "sympy_objects", "formulations", "build", "runtime", "derivation", "driver"},
    "driver": {"spec", "system", "formulations", "emit", "build", "runtime", "derivation", "search"},
}
SHARED_ALLOWED = {name: set() for name in sorted(SHARED)}
# imports inside functions that close a circle within a folder: (the module, what it imports) and why it must be so
CIRCLES: dict[tuple[str, str], str] = {
    ("volterra_cg.runtime.run", "volterra_cg.runtime.archive"): "what saves runs also makes them of files",
}
# files of the package that a stage reads, other than by importing or including them, and why
FILES_READ = {
    "build": {"templates"},  # for the hash of all that makes a model
    "bench": {"bench"},  # the specs of the paper, in an installed package
    "cli": {"templates"},  # the spec to start from
    "emit": {"templates"},
}
# where C looks for what it includes
INCLUDED_FROM = ("runtime", "runtime/integrators", "headers")
# where sympy may be imported: the front end, and the printer at the back
SYMPY = {
    "system",
    "sympy_objects",
    "kinematics",
    "emit",
    "program.text",
    "elimination.blocks",
    "formulations.ignorable",
}


def modules(*suffixes):
    """The modules of the package, Cython's among them, each with the parts of its name."""
    for suffix in suffixes or (".py", ".pyx", ".pxd"):
        for path in sorted(PACKAGE.rglob(f"*{suffix}")):
            parts = path.relative_to(PACKAGE).with_suffix("").parts
            yield path, tuple(part for part in parts if part != "__init__")


def imported(path, parts, typed=True):
    """The absolute names of the modules that a file imports, wherever the import stands; `typed`: for types, too."""
    if path.suffix != ".py":
        yield from cimported(path.read_text())
        return
    package = ("volterra_cg", *(parts if path.name == "__init__.py" else parts[:-1]))
    for node in nodes(ast.parse(path.read_text()), typed):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            name = ".".join([*base, *([node.module] if node.module else [])])
            within = [f"{name}.{alias.name}" for alias in node.names if is_folder(name)]
            found = [module for module in within if exists(module)]
            yield from found
            if not found or len(found) < len(node.names):
                yield name


def nodes(tree, typed):
    """All nodes of a tree; unless `typed`, without what stands under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if not typed and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from nodes(node, typed)


def cimported(text):
    """What a Cython file imports, in Python or in C."""
    yield from (name for name in re.findall(r"^\s*from (\S+) c?import", text, re.MULTILINE))
    yield from re.findall(r"^\s*c?import (\S+)", text, re.MULTILINE)


def is_folder(name):
    return (PACKAGE.parent / name.replace(".", "/") / "__init__.py").exists()


def exists(name):
    place = PACKAGE.parent / name.replace(".", "/")
    return is_folder(name) or any(place.with_suffix(suffix).exists() for suffix in (".py", ".pyx", ".pxd"))


def stage_of(path):
    """The folder of the package that a file is in, or the name of a module at its top."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("stage", ALLOWED)
def test_arrows_point_one_way(stage):
    for path, parts in modules():
        if not parts or parts[0] != stage:
            continue
        known = {name.split(".")[1] for name in imported(path, parts) if name.startswith("volterra_cg.")}
        allowed = {stage} | SHARED | ALLOWED[stage]
        assert known <= allowed, f"{path.relative_to(PACKAGE)} imports {sorted(known - allowed)}"


def circle(graph):
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return None


def test_no_circles_between_stages():
    """Of imports, includes and files that are read; what is imported for types alone is in the table of arrows only."""
    graph = {}
    for path, parts in modules():
        if parts:
            names = {n.split(".")[1] for n in imported(path, parts, typed=False) if n.startswith("volterra_cg.")}
            graph.setdefault(stage_of(path), set()).update(names - {stage_of(path)})
    for path in c_files():
        graph.setdefault(stage_of(path), set()).update({stage_of(file) for file in included(path)} - {stage_of(path)})
    for stage, read in FILES_READ.items():
        graph[stage] |= read - {stage}
    assert not circle(graph), circle(graph)


@pytest.mark.parametrize("stage", ALLOWED)
def test_no_circles_within_a_stage(stage):
    """An import inside a function counts, unless it is in the list above."""
    graph = {}
    for path, parts in modules():
        if not parts or parts[0] != stage:
            continue
        here = ".".join(("volterra_cg", *parts))
        names = {n for n in imported(path, parts, typed=False) if f"{n}.".startswith(f"volterra_cg.{stage}.")}
        graph.setdefault(here, set()).update(n for n in names - {here} if (here, n) not in CIRCLES)
    assert not circle(graph), circle(graph)


def test_the_list_of_circles_is_up_to_date():
    lines = {
        (".".join(("volterra_cg", *parts)), name) for path, parts in modules(".py") for name in imported(path, parts)
    }
    assert set(CIRCLES) <= lines


def c_files():
    made = {path.with_suffix(".c") for path in PACKAGE.rglob("*.pyx")}
    paths = (path for suffix in (".c", ".h", ".pyx", ".pxd") for path in PACKAGE.rglob(f"*{suffix}"))
    return sorted(path for path in paths if path not in made)


def included(path):
    """The files of the package that a C or Cython file includes."""
    pattern = r'^\s*(?:#\s*include|include|cdef extern from) "([^"]+)"'
    for name in re.findall(pattern, path.read_text(), re.MULTILINE):
        places = (path.parent, *(PACKAGE / folder for folder in INCLUDED_FROM))
        yield from [place / name for place in places if (place / name).exists()][:1]


@pytest.mark.parametrize("path", c_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_c_includes_is_ours_or_shared(path):
    for file in included(path):
        assert stage_of(file) in {stage_of(path), "headers"}, f"{path.name} includes {file.relative_to(PACKAGE)}"


def read_by(path):
    """The folders of the package that a module names as places of files: `... / "folder"` or files("volterra_cg.folder")."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.right, ast.Constant):
            yield str(node.right.value).split("/")[0]
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "files" and isinstance(node.args[0], ast.Constant):
            yield node.args[0].value.split(".")[1]


def test_files_of_other_stages_are_read_where_it_is_said():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()} | {"templates"}
    found = {}
    for path, parts in modules(".py"):
        read = folders & set(read_by(path))
        if parts and read:
            found.setdefault(stage_of(path), set()).update(read)
    assert found == FILES_READ


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
    for path, parts in modules(".py"):
        if not parts or parts[0] != "runtime":
            continue
        names = [node.module or "" for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom)]
        assert not any(name.startswith("volterra_cg.build") for name in names), path.relative_to(PACKAGE)


def test_no_module_prints_or_changes_directory():
    for path, parts in modules(".py"):
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
