"""What could run a stranger's text is kept out of the package by the rules in pyproject.toml; here they are tried."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = {
    "eval(text)": "S307",
    "exec(text)": "S102",
    "import pickle\n\npickle.loads(text)": "S301",
    "import pickle": "TID251",
    "import marshal": "TID251",
    "import shelve": "TID251",
    "import yaml\n\nyaml.load(text)": "S506",
    "import subprocess\n\nsubprocess.run(text, shell=True, check=True)": "S602",
    "import os\n\nos.system(text)": "S605",
    "import sympy\n\nsympy.sympify(text)": "TID251",
    "import sympy as sp\n\nsp.S(text)": "TID251",
    "from sympy import parse_expr": "TID251",
    "from sympy.parsing.sympy_parser import parse_expr": "TID251",
    "import tempfile\n\ntempfile.mktemp()": "S306",
    "import tempfile\n\ntempfile.mkdtemp()": "TID251",
    "from pathlib import Path\n\nPath('/tmp/known').write_text(text)": "S108",
}


def found(code, place):
    """The rules that a file of this text would break."""
    command = [sys.executable, "-m", "ruff", "check", "--output-format", "concise", "--stdin-filename", place, "-"]
    answer = subprocess.run(command, input=code, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode in (0, 1), answer.stderr
    return answer.stdout


@pytest.mark.parametrize("code", FORBIDDEN)
def test_a_forbidden_call_is_found(code):
    assert f" {FORBIDDEN[code]} " in found(f'"""About."""\n\n{code}\n', "volterra_cg/spec/new.py")


def test_exceptions_tell_their_reason():
    """Those of the rules above, in the settings and in the code."""
    settings = (
        (ROOT / "pyproject.toml").read_text().partition("\nignore = [")[2].partition("banned-api")[0].splitlines()
    )
    excepted = [line for line in settings if re.search(r'"(S\d*|TID251)"', line)]
    assert excepted
    assert [line for line in excepted if "#" not in line] == []
    for path in (ROOT / "volterra_cg").rglob("*.py"):
        for line in path.read_text().splitlines():
            assert not re.search(r"# noqa: .*\b(S\d{3}|TID251)\b", line) or " - " in line, path
