"""Which statements of the four folders each mechanism of the bounded run and each other test executes, and its time."""

import ast
import builtins
import hashlib
import os
import pickle
import sys
import tempfile
import time
from collections import defaultdict
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

from tests.differential.faults import ROOT, STAGES

TESTS = (*(f"tests/{stage}" for stage in STAGES), "tests/language/test_wrong.py", "tests/test_budgets.py",
         "tests/test_goldens.py")  # fmt: skip
LONG = ("grows_nearly_linearly", "costs_the_same_for_every_link", "those_of_sympy", "shows_its_equations", "long_sums",
        "the_reduced_form_takes_no_more", "andrews", "space_chain", "cart_chain", "table_1",
        "special_configurations")  # fmt: skip  # left out: many seconds each
MODULES = tuple(f"volterra_cg.{stage}" for stage in STAGES)


class Noting(SourceFileLoader):
    """Loads a file so that each statement in a function notes its line when it is executed."""

    def get_code(self, fullname):
        path = Path(self.path)
        tree, name = ast.parse(path.read_text()), str(path.relative_to(ROOT))
        for node in ast.walk(tree):
            for key in ("body", "orelse", "finalbody"):
                body = getattr(node, key, None)
                if not isinstance(body, list):
                    continue
                if isinstance(node, ast.Module | ast.ClassDef):
                    Finder.imported.update((name, statement.lineno) for statement in body)
                else:
                    setattr(node, key, [part for statement in body for part in (_note(name, statement), statement)])
        return compile(ast.fix_missing_locations(tree), str(path), "exec")


class Finder:
    """Finds the files of the four folders for a loader that notes; what runs on import belongs to all."""

    imported: set = set()  # noqa: RUF012

    @staticmethod
    def find_spec(name, path=None, target=None):
        if not name.startswith(MODULES):
            return None
        spec = PathFinder.find_spec(name, path)
        spec.loader = Noting(name, spec.origin)
        return spec


def _note(name, statement):
    return ast.copy_location(ast.parse(f"executed_lines.add(({name!r}, {statement.lineno}))").body[0], statement)


def _begin():
    builtins.executed_lines = set()
    sys.meta_path.insert(0, Finder)


def _taken():
    """The lines by file since they were last taken."""
    found = defaultdict(set)
    for name, line in builtins.executed_lines | Finder.imported:
        found[name].add(line)
    builtins.executed_lines.clear()
    return dict(found)


def of_mechanisms(seeds):
    """By seed: seconds, and lines by file."""
    _begin()
    from tests.differential.torture import examined

    found = {}
    for seed in seeds:
        began = time.process_time()
        if examined(("interpreted", seed))[3] is not None:
            raise SystemExit(f"seed {seed} fails without any fault")
        found[str(seed)] = time.process_time() - began, _taken()
    return found


class Plugin:
    """Takes the lines of each test."""

    def __init__(self):
        self.found = {}

    def pytest_runtest_logstart(self, nodeid):
        self.began = time.process_time()

    def pytest_runtest_logfinish(self, nodeid):
        self.found[nodeid] = time.process_time() - self.began, _taken()


def of_tests():
    """By test: seconds, and lines by file."""
    _begin()
    import pytest

    plugin = Plugin()
    left_out = f"not ({' or '.join(LONG)})"
    if pytest.main(["-q", "-p", "no:cacheprovider", "-k", left_out, *TESTS], plugins=[plugin]) != 0:
        raise SystemExit("tests fail without any fault")
    return plugin.found


def footprints(seeds, tests=True):
    """Of mechanisms and tests, as measured once for the code as it is, by processes of their own."""
    jobs = [("mechanisms", str(i), lambda i=i: of_mechanisms(seeds[i::2]), _files("volterra_cg", "tests/differential"))
            for i in range(2)]  # fmt: skip
    jobs += [("tests", "", of_tests, _files("volterra_cg", *TESTS))] if tests else []
    found, running = {"mechanisms": {}, "tests": {}}, []
    for kind, label, measure, files in jobs:
        key = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
        path = Path(tempfile.gettempdir()) / f"volterra_cg_footprints_{kind}{label}_{key}.pickle"
        running.append((kind, path, None if path.exists() else _apart(measure, path)))
    for kind, path, pid in running:
        if pid and os.waitpid(pid, 0)[1] != 0:
            raise SystemExit(f"no footprints of {kind}")
        found[kind] |= pickle.loads(path.read_bytes())
    return found


def _files(*names):
    own = {Path(__file__), *(Path(__file__).with_name(f"{name}.py") for name in ("mutants", "faults"))}
    given = [ROOT / name for name in names]
    found = [path for name in given for path in ([name] if name.is_file() else sorted(name.rglob("*.py")))]
    return [path for path in found if path not in own]


def _apart(measure, path):
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        found = pickle.dumps(measure())
        path.write_bytes(found)
        code = 0
    except BaseException as error:
        print(repr(error), file=sys.stderr)
    finally:
        os._exit(code)
