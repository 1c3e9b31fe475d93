import ctypes

import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, library
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError
from volterra_cg.options import Options


def adapter(report):
    return f"""#include "{report["name"]}.h"
__attribute__((visibility("default"))) int number(void) {{ return vcg_{report["name"]}.states; }}
"""


@pytest.fixture
def folder(spec, tmp_path, shared_cache):
    return build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), shared_cache).folder


@pytest.mark.compiles
def test_a_library_holds_model_and_adapter(folder, shared_cache):
    before = sorted(folder.iterdir())
    path = library(folder, "plain", adapter, shared_cache)
    assert path.stem == "oscillator_plain"
    assert ctypes.CDLL(str(path)).number() == 4
    assert sorted(folder.iterdir()) == before
    written = path.stat().st_mtime_ns
    assert library(folder, "plain", adapter, shared_cache) == path
    assert path.stat().st_mtime_ns == written


@pytest.mark.compiles
def test_what_the_compiler_refuses_is_told(folder, shared_cache):
    with pytest.raises(BuildError, match="nonsense"):
        library(folder, "wrong", lambda report: "nonsense", shared_cache)


def test_another_folder_is_refused(tmp_path):
    with pytest.raises(BuildError, match="no generated model"):
        library(tmp_path, "plain", adapter)
