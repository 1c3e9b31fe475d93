"""Packages that come with an extra."""

import sys
import tomllib
from pathlib import Path

import pytest

from volterra_cg.errors import OptionError
from volterra_cg.extras import PACKAGES, extra


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_in_its_extra_and_whoever_lacks_it_is_told(package, monkeypatch):
    listed = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    extras = listed["optional-dependencies"]
    assert any(line.startswith(package) for line in extras[PACKAGES[package]])
    assert any(line.startswith(package) for line in extras["test"])
    assert extra(package).__name__ == package
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(OptionError, match=f"needs {package}, which is not installed: pip install 'volterra-cg"):
        extra(package)
