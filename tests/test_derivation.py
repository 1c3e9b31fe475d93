"""Errors of a derivation have their place in the file."""

import pytest

from tests.fixtures.mechanics import MODELS
from tests.fixtures.specs import CRANKS
from volterra_cg import derivation, driver
from volterra_cg.clock import Clock
from volterra_cg.errors import OptionError, SpecError
from volterra_cg.options import Options

FOURTH = 'ry = "2*dot(position(R, Rc), N.x)"\n'


def test_the_driver_gives_a_refusal_its_place_in_the_file(tmp_path):
    path = tmp_path / "cranks.toml"
    path.write_text(CRANKS + FOURTH)
    line = (CRANKS + FOURTH).splitlines().index(FOURTH.strip()) + 1
    with pytest.raises(SpecError, match=f"cranks.toml:{line}:1: constraint ry follows from the constraints before it"):
        derivation.check(path)


def test_choices_are_listed_with_what_they_take():
    lines = derivation.choices(MODELS / "driven_rotor.toml", Options()).splitlines()
    rows = [line.split(maxsplit=2) for line in lines]
    assert rows[0] == ["operations", "regularity", "quasi-velocities"]
    assert rows[1][1:] == ["the", "spec  slide, spin"]
    assert rows[2] == ["53", "1.00", "dot(omega(skate), skate.z), dot(velocity(skate), skate.x) - drift"]
    assert len(rows) == 6


@pytest.mark.parametrize(("name", "dear"), [("driven_rotor", True), ("gimbals", False)])
def test_check_says_where_quasi_velocities_are_dear(name, dear):
    found = derivation.check(MODELS / f"{name}.toml")
    said = [note for note in found.notes if note.startswith("the quasi-velocities of the spec take about")]
    assert len(said) == dear
    for note in said:
        assert 'leave quasi_velocities out, or write quasi_velocities = "auto"' in note
        assert f"note: {note}" in found.text().splitlines()
        assert note in found.as_dict()["notes"]


def test_a_formulation_in_rates_has_no_choices():
    with pytest.raises(OptionError, match="lagrange takes rates"):
        derivation.choices(MODELS / "gimbals.toml", Options(formulation="lagrange"))


def test_the_formulation_of_fewest_operations():
    """Of a tie the one of fewest states: the sleigh takes 8 operations in three formulations."""
    report = driver.generate(MODELS / "chaplygin_sleigh.toml", Options(formulation="auto"), Clock()).report
    assert (report["formulation"], report["operations"]["total"]) == ("reduced-volterra", 8)
    assert any("takes the fewest operations, 8, with 5 states; operations of all" in note for note in report["notes"])
    report = driver.generate(MODELS / "driven_rotor.toml", Options(formulation="auto"), Clock()).report
    assert (report["formulation"], report["operations"]["total"]) == ("udwadia-kalaba", 73)


def test_huge_start_values_give_no_warnings(tmp_path):
    """Places that are tried may be infinite; whoever tries them asks."""
    path = tmp_path / "far.toml"
    text = (MODELS / "spring_pendulum.toml").read_text()
    first, _, rest = text.partition("theta = { initial = ")
    path.write_text(f"{first}theta = {{ initial = 1e308{rest[rest.index(',') :]}")
    assert len(derivation.check(path).coordinates) == 3
