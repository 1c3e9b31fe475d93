"""The models of the repository and their C."""

import functools
import json
from pathlib import Path
from types import SimpleNamespace

from tests.trust.calls import TRIAL

ROOT = Path(__file__).parents[2]
GOLDEN = ("cart_pendulum", "satellite_boom", "three_bodies")  # whose C is in generated/


def paths():
    """All specs that make models, those first whose C is there already."""
    found = [*(ROOT / "benchmarks" / "models").glob("*.toml"), *(ROOT / "examples").glob("*.toml"), TRIAL]
    return sorted(found, key=lambda path: (path.stem not in GOLDEN, path.stat().st_size))


@functools.cache
def sources(path):
    """The sources of a model as `driver.generate` gives them."""
    folder = ROOT / "generated" / path.stem
    if folder.is_dir():
        files = {file.name: file.read_text() for file in sorted(folder.iterdir()) if file.suffix in (".c", ".h")}
        return SimpleNamespace(name=path.stem, files=files, report=json.loads((folder / "report.json").read_text()))
    from volterra_cg import driver
    from volterra_cg.clock import Clock
    from volterra_cg.options import Options

    made = driver.generate(path, Options(allow_include=(ROOT,)), Clock())
    texts = {name: text for name, text in made.files.items() if name.endswith((".c", ".h"))}
    return SimpleNamespace(name=made.name, files=texts, report=made.report)
