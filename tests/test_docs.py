"""What the documentation shows runs."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


def blocks(file, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.compiles
def test_derivatives(tmp_path, monkeypatch):
    (tmp_path / "rotary.toml").write_text(blocks("README.md", "toml")[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(tmp_path / "cache"))
    names: dict[str, object] = {}
    for block in blocks("docs/derivatives.md", "python"):
        exec(block, names)
    assert names["near"].states == ("arm", "swing", "der(swing)")
    assert names["near"].eigenvalues == pytest.approx([0, -7.148287j, 7.148287j], abs=1e-6)
    assert names["full"].eigenvalues == pytest.approx([0, 0, -7.148287j, 7.148287j], abs=1e-6)
    assert names["growth"](0.0, names["s"].z0, names["S"])[1:] == pytest.approx(np.zeros((2, 5)))
