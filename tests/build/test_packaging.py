"""What the packaging lists by hand is what there is."""

import tomllib
from pathlib import Path

import volterra_cg
from volterra_cg.build.keys import templates_folder

ROOT = Path(volterra_cg.__file__).parents[1]


def test_every_folder_is_packaged():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "volterra_cg").rglob("__init__.py")}
    assert set(listed) == found | {"volterra_cg.bench.specs", "volterra_cg.templates"}


def test_templates_are_found_as_a_package():
    import volterra_cg.templates

    assert Path(volterra_cg.templates.__file__).parent == templates_folder()
    assert {"__init__.py.j2", "_model.pyx.j2"} <= {path.name for path in templates_folder().iterdir()}


def test_versions_agree():
    assert f"version: {volterra_cg.__version__}" in (ROOT / "CITATION.cff").read_text()


def test_every_pin_is_exact():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all("==" in line for line in lines if line and not line.startswith("#"))
