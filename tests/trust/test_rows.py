"""A bounded version of every row of `make torture`."""

import pytest

from tests.trust.rows import ROWS

SEED = 18


@pytest.mark.compiles
@pytest.mark.parametrize("name", ROWS)
def test_nothing_is_lost_hangs_or_breaks(name, workshop, monkeypatch):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    tally = ROWS[name].run(SEED, ROWS[name].bounded)
    if tally.skipped:
        pytest.skip(f"does not apply: {tally.skipped}")
    assert tally.failures == [], "\n".join(tally.failures[:5])[:4000]
    assert tally.tried >= 1
