"""Models that differ from the oscillator in what the table says."""

from dataclasses import replace

import numpy as np
import pytest

from tests.fixtures import oscillator
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.clock import Clock
from volterra_cg.errors import InternalError
from volterra_cg.options import Options


def loaded(tmp_path, old, new, body=""):
    made = oscillator.sources()
    text = made.files["oscillator.c"].replace(old, new).replace("scratch[0] = z", f"{body} scratch[0] = z")
    spec = tmp_path / "variant.toml"
    spec.write_text("made by hand")
    variant = replace(made, files={**made.files, "oscillator.c": text})
    return load(build(spec, Options(), None, lambda: variant, Clock(), Cache(tmp_path / "cache")).folder)


def test_scratch_beyond_the_stack_is_allocated(tmp_path):
    fill = "for (int i = 0; i < 100000; i++) scratch[i] = 1.0;"
    module = loaded(tmp_path, ".scratch = 1", ".scratch = 100000", fill)
    np.testing.assert_array_equal(module.rhs(0.0, module.z0), [0.0, 1.0, 0.0, -4.0])
    with pytest.raises(ValueError, match="shape"):
        module.rhs(0.0, [1.0])


def test_a_model_of_another_interface_is_refused(tmp_path):
    module = loaded(tmp_path, "VCG_ABI_VERSION", "99")
    with pytest.raises(InternalError, match=r"interface 99.* build the model again"):
        module.start()
