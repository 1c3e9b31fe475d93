"""The loop in C under the sanitizers, on models made by hand."""

import subprocess

import pytest

from tests.fixtures.table import COMPILERS, HEADERS, RUNTIME
from tests.fixtures.table import HERE as FIXTURES

FLAGS = ["-std=gnu11", "-O1", "-g", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


MODELS = {"ball": "2 10 0.5 3 2", "circle": "1", "van_der_pol": "0.01"}  # with their parameters


@pytest.mark.compiles
@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_method_is_clean(tmp_path, compiler):
    command = [compiler, *FLAGS, *SANITIZERS, f"-I{RUNTIME}", f"-I{HEADERS}", f"-I{tmp_path}"]
    methods = sorted((RUNTIME / "integrators").glob("*.c"))
    subprocess.run([*command, "-c", *map(str, methods)], check=True, cwd=tmp_path)
    objects = [f"{path.stem}.o" for path in methods]
    for name, parameters in MODELS.items():
        header = f'#include "vcg_model.h"\nextern const vcg_model vcg_{name};\n'
        (tmp_path / f"{name}.h").write_text(header)
        sources = [str(FIXTURES / f"{name}.c"), str(FIXTURES / "run_loop.c")]
        link = [*command, f"-DMODEL=vcg_{name}", *sources, *objects, "-o", "run", "-lm"]
        subprocess.run(link, check=True, cwd=tmp_path)
        said = subprocess.run([tmp_path / "run", *parameters.split()], capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
        assert said.stdout.count("status") >= 16
        assert said.stdout.count("by calls: status 0 at 2,") >= 4  # of 60 calls, 20 are taken back
