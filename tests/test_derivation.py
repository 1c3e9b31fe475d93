"""Errors of a derivation have their place in the file."""

import pytest

from tests.fixtures.specs import CRANKS
from volterra_cg import derivation
from volterra_cg.errors import SpecError

FOURTH = 'ry = "2*dot(position(R, Rc), N.x)"\n'


def test_the_driver_gives_a_refusal_its_place_in_the_file(tmp_path):
    path = tmp_path / "cranks.toml"
    path.write_text(CRANKS + FOURTH)
    line = (CRANKS + FOURTH).splitlines().index(FOURTH.strip()) + 1
    with pytest.raises(SpecError, match=f"cranks.toml:{line}:1: constraint ry follows from the constraints before it"):
        derivation.check(path)
