"""What docs/extending.md tells works, and costs as many files as it says.

A section has blocks of code after a line that says where they go: "New file `path`:", "In `path`, after `line`:" or "In `path`,
before `line`:", where the line is given by its beginning. A block of Python after "Then:" uses what was added.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
PLACE = re.compile(
    r"^(?:New file `(?P<new>[^`]+)`|In `(?P<old>[^`]+)`, (?P<side>after|before) (?P<ticks>`+)(?P<line>.+?)(?P=ticks)|Then):"
    r"\n\n```\w+\n(?P<code>.*?)```$",
    re.DOTALL | re.MULTILINE,
)
FILES = {
    "Add a formulation": 2,
    "Add a pass": 2,
    "Add an export target": 2,
    "Add an integrator": 2,
}  # that one writes by hand; the tables of the docs are made


@dataclass(frozen=True)
class Edit:
    """Code for a new file, or for a place in an old one."""

    path: str
    code: str
    side: str | None
    line: str | None


def edits(section):
    found = [match.groupdict() for match in PLACE.finditer(SECTIONS[section])]
    return [Edit(f["new"] or f["old"], f["code"], f["side"], f["line"]) for f in found if f["new"] or f["old"]]


def usage(section):
    [code] = [m["code"] for m in PLACE.finditer(SECTIONS[section]) if not (m["new"] or m["old"])]
    return code


def apply(section, folder):
    """Make the edits of a section in a copy of the repository."""
    for edit in edits(section):
        path = folder / edit.path
        if edit.line is None:
            assert not path.exists(), f"{edit.path} is not new"
            path.write_text(edit.code, encoding="utf-8")
            continue
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [i for i, line in enumerate(lines) if line.strip().startswith(edit.line)]
        assert len(places) == 1, f"{edit.path} has {len(places)} lines that begin with {edit.line}"
        lines.insert(places[0] + (edit.side == "after"), edit.code)
        path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def copy(tmp_path):
    """The package, with its compiled parts, the docs and what writes their tables."""
    for name in ("volterra_cg", "docs", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "volterra_cg" / "templates").symlink_to(tmp_path / "templates")  # as in an installed package
    (tmp_path / "tests").mkdir()
    for name in ("pyproject.toml", "README.md", "tests/conftest.py", "tests/test_docs.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "benchmarks" / "models" / "cart_pendulum.toml", tmp_path)
    return tmp_path


def run(folder, *arguments):
    """What Python prints that sees the copy instead of this package."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "VOLTERRA_CG_CACHE": str(folder / "cache")}
    command = [sys.executable, "-W", "error", *arguments]
    said = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def python(code, folder):
    """What a script prints as JSON."""
    return json.loads(run(folder, "-c", code))


def write_tables(folder):
    """The command of the page that writes the tables of the docs."""
    [command] = re.findall(r"^    pytest (.+)$", PAGE, re.MULTILINE)
    assert command in PAGE
    run(folder, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0", *command.split())


def compile_integrators(folder):
    """What `make venv` does after a change of the integrators, without optimisation, which would take longer."""
    runtime = folder / "volterra_cg" / "runtime"
    header = python("import json; from volterra_cg.integrators import header; print(json.dumps(header()))", folder)
    (runtime / "integrators" / "integrators.h").write_text(header)
    flags = ["-O0", "-ffp-contract=off", "-fPIC", "-w", f"-I{runtime}", f"-I{folder / 'volterra_cg' / 'headers'}"]
    flags += [f"-I{sysconfig.get_path('include')}", "-shared"]
    common = [str(path) for path in sorted((runtime / "integrators").glob("*.c"))]
    for name in ("integrate", "ensemble"):
        if not (runtime / f"{name}.c").exists():
            subprocess.run([sys.executable, "-m", "cython", str(runtime / f"{name}.pyx")], check=True, cwd=folder)
        target = runtime / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
        subprocess.run(["cc", *flags, str(runtime / f"{name}.c"), *common, "-o", str(target), "-lm"], check=True)


def test_every_section_has_its_test_and_its_count():
    assert set(SECTIONS) == set(FILES)
    for section, count in FILES.items():
        assert len({edit.path for edit in edits(section)}) == count, section
        kind = section.removeprefix("Add ")
        assert re.search(rf"^\| {kind} \| {count}: ", PAGE, re.MULTILINE), section


@pytest.mark.compiles
def test_add_a_formulation(copy, compiled):
    section = "Add a formulation"
    apply(section, copy)
    write_tables(copy)
    code = f"""
import json
from volterra_cg.bench.figures import LOOKS
from volterra_cg.bench.tables import EQUATIONS
from volterra_cg.cli.main import parser
{usage(section)}
chosen = parser().parse_args(["build", "x.toml", "--formulation", "jourdain"])
t, z = 0.2, model.simulate(0.2).z[-1]
print(json.dumps({{
    "q": z[:3].tolist(), "rates": model.rates(t, z).tolist(), "accelerations": model.accelerations(t, z).tolist(),
    "report": model.report["formulation"], "equations": model.report["equations"], "bench": EQUATIONS["jourdain"],
    "figures": LOOKS["jourdain"].name, "option": chosen.formulation,
}}))
"""
    told = python(code, copy)
    start = compiled("cart_pendulum").start(q=told["q"], qd=told["rates"])
    np.testing.assert_allclose(told["accelerations"], start.accelerations(0.0, start.z0), rtol=1e-9)
    assert (told["report"], told["equations"], told["bench"], told["figures"], told["option"]) == (
        "jourdain", 2, "p", "Jourdain", "jourdain"
    )  # fmt: skip
    assert "| `jourdain` | p |" in (copy / "docs" / "formulations.md").read_text(encoding="utf-8")


def test_add_a_pass(copy):
    section = "Add a pass"
    apply(section, copy)
    write_tables(copy)
    code = f"""
import json
from volterra_cg.program.cost import of_entry
from volterra_cg.program.interpret import interpret
{usage(section)}
forms = [program, alone, best]
print(json.dumps({{
    "cost": [of_entry(form, "rhs").total for form in forms],
    "values": [interpret(form.entry("rhs").results, {{x: 0.7}}) for form in forms],
}}))
"""
    told = python(code, copy)
    assert told["cost"] == [5, 3, 3]  # a sine, a cosine, two products and a sum; a cosine and two products
    np.testing.assert_allclose(told["values"], told["values"][:1] * 3, rtol=1e-15)
    assert "| pythagoras | 3 | first in the search" in (copy / "docs" / "optimiser.md").read_text(encoding="utf-8")


@pytest.mark.compiles
def test_add_an_export_target(copy, compiled):
    section = "Add an export target"
    apply(section, copy)
    write_tables(copy)
    code = f"""
import json
from volterra_cg.cli.main import parser
{usage(section)}
chosen = parser().parse_args(["build", "x.toml", "--to", "ccall"])
print(json.dumps({{"status": status, "dz": dz.tolist(), "option": chosen.to}}))
"""
    told, model = python(code, copy), compiled("cart_pendulum")
    assert (told["status"], told["option"]) == (0, "ccall")
    np.testing.assert_allclose(told["dz"], model.rhs(0.0, model.z0), rtol=1e-14)
    page = (copy / "docs" / "interop.md").read_text(encoding="utf-8")
    assert '`volterra-cg build SPEC --to ccall` | `vcg.library(path, "ccall")`' in page


@pytest.mark.compiles
def test_add_an_integrator(copy, compiled):
    section = "Add an integrator"
    apply(section, copy)
    write_tables(copy)
    compile_integrators(copy)
    model = compiled("cart_pendulum")
    code = f"""
import json
from pathlib import Path
from volterra_cg import integrators
from volterra_cg.build import load
model = load(Path({str(model.folder)!r})).model
{usage(section)}
sizes = [0.02, 0.01, 0.005]
loose = dict(rtol=1e6, atol=1e6, integrator="ode23")
ends = [model.simulate(t_eval=[0.4], max_step=size, first_step=size, **loose).z[-1].tolist() for size in sizes]
lanes = [model.simulate_many(t_eval=[0.4], max_step=size, **loose).z[0, -1].tolist() for size in sizes]
print(json.dumps({{
    "t": run.t.tolist(), "z": run.z.tolist(), "dense": run.dense(run.t[1:] - 0.001).tolist(), "table": integrators.markdown(),
    "many": runs.z[0].tolist(), "ok": runs.ok.tolist(), "ends": ends, "lanes": lanes,
    "rejections": run.statistics.rejections,
}}))
"""
    told = python(code, copy)
    exact = model.simulate(t_eval=told["t"], rtol=1e-12, atol=1e-12, dense=True)
    np.testing.assert_allclose(told["z"], exact.z, atol=1e-3)
    np.testing.assert_allclose(told["dense"], exact.dense(np.array(told["t"][1:]) - 0.001), atol=1e-3)
    other = model.start(params={"m1": 0.9}).simulate(t_eval=told["t"], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(told["many"], other.z, atol=1e-3)
    assert all(told["ok"])
    assert told["table"] in (copy / "docs" / "runtime.md").read_text(encoding="utf-8")
    truth = model.simulate(t_eval=[0.4], rtol=1e-13, atol=1e-13).z[-1]
    for ends in (told["ends"], told["lanes"]):
        errors = [np.abs(end - truth).max() for end in ends]
        assert np.polyfit(np.log([0.02, 0.01, 0.005]), np.log(errors), 1)[0] == pytest.approx(3, abs=0.2)
