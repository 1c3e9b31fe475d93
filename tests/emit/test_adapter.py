"""Libraries for other programs: every one in the table has a template that strict compilers take."""

import ctypes
import subprocess
from pathlib import Path

import pytest

import volterra_cg
from tests.fixtures.specs import KEYWORDS, PLAIN
from tests.fixtures.table import HEADERS, STRICT
from volterra_cg.build.keys import templates_folder
from volterra_cg.cli.main import main
from volterra_cg.emit.adapter import adapter
from volterra_cg.errors import OptionError
from volterra_cg.targets import LIBRARIES


def test_every_library_is_a_row_and_a_template():
    assert {path.name for path in templates_folder().glob("_*.c.j2")} == {f"_{name}.c.j2" for name in LIBRARIES}


@pytest.mark.compiles
@pytest.mark.parametrize("jacobian", [False, True])
@pytest.mark.parametrize("target", LIBRARIES)
def test_strict_compilers_take_it(generated, tmp_path, target, jacobian):
    sources = generated(KEYWORDS, jacobian)
    for name, content in {**sources.files, "_adapter.c": adapter(target, sources.report)}.items():
        (tmp_path / name).write_text(content)
    command = ["gcc", *STRICT, "-iquote", str(HEADERS), "-c", "_adapter.c", "-o", "_adapter.o"]
    subprocess.run(command, check=True, cwd=tmp_path)


@pytest.mark.compiles
@pytest.mark.parametrize("target", LIBRARIES)
def test_the_command_line_and_python_make_the_same_library(workshop, tmp_path, monkeypatch, capsys, target):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    spec = tmp_path / "plain.toml"
    spec.write_text(PLAIN)
    assert main(["build", str(spec), "--jacobian", "--to", target, "-o", str(tmp_path / "out")]) == 0
    made = Path(capsys.readouterr().out.strip())
    assert made == volterra_cg.library(spec, target) == volterra_cg.library(tmp_path / "out" / "plain", target)
    assert made.stem == f"plain_{target}"
    ctypes.CDLL(str(made))


def test_an_unknown_library_is_refused(tmp_path):
    with pytest.raises(OptionError, match=f"no library is called 'module'; there are {', '.join(LIBRARIES)}"):
        volterra_cg.library(tmp_path / "plain.toml", "module")
