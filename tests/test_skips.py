"""In the checks on a change, a skip is for what does not apply and for nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("body", "flags", "code"), [
    ('pytest.skip("casadi is missing")', [], 0),
    ('pytest.skip("casadi is missing")', ["--no-skips"], 1),
    ('pytest.importorskip("no_such_package")', ["--no-skips"], 1),
    ('pytest.skip("routh does not apply")', ["--no-skips"], 0),
    ('pytest.xfail("known")', ["--no-skips"], 0),
])  # fmt: skip
def test_what_applies_has_to_run(tmp_path, body, flags, code):
    file = tmp_path / "test_it.py"
    file.write_text(f"import pytest\n\n\ndef test_it():\n    {body}\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    options = [
        "-q",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        f"--rootdir={tmp_path}",
        "-c",
        "pytest.ini",
        *flags,
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", *options, str(file)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == code, done.stdout.decode()
