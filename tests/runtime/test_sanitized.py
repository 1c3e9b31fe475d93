"""The loop in C under the sanitizers, on models made by hand."""

import shutil
import subprocess

import pytest

from tests.fixtures.table import HEADERS, RUNTIME
from tests.fixtures.table import HERE as FIXTURES

FLAGS = ["-std=gnu11", "-O1", "-g", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.mark.compiles
@pytest.mark.parametrize("compiler", [name for name in ("gcc", "clang") if shutil.which(name)])
@pytest.mark.parametrize(("name", "parameters"), [("ball", "2 10 0.5 3 2"), ("circle", "1"), ("van_der_pol", "0.01")])
def test_every_method_is_clean(tmp_path, name, parameters, compiler):
    header = f'#include "vcg_model.h"\nextern const vcg_model vcg_{name};\n'
    (tmp_path / f"{name}.h").write_text(header)
    sources = [*sorted((RUNTIME / "integrators").glob("*.c")), FIXTURES / f"{name}.c", FIXTURES / "run_loop.c"]
    program = tmp_path / "run"
    command = [compiler, *FLAGS, *SANITIZERS, f"-DMODEL=vcg_{name}", f"-I{RUNTIME}", f"-I{HEADERS}", f"-I{tmp_path}"]
    subprocess.run([*command, *map(str, sources), "-o", str(program), "-lm"], check=True)
    said = subprocess.run([program, *parameters.split()], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout.count("status") >= 16
    assert said.stdout.count("by calls: status 0 at 2,") >= 4  # of 60 calls, 20 are taken back
