"""The tables show the paper's numbers beside ours."""

import pytest

from volterra_cg.bench import Settings
from volterra_cg.bench.record import machine, record
from volterra_cg.bench.tables import document

pytestmark = pytest.mark.compiles


def test_tables_show_the_paper_beside_ours(compared):
    systems = [compared("cart_pendulum"), compared("satellite_boom")]
    text = document(systems, machine())
    assert "6.05e-04 (6.05e-04)" in text
    assert "3.55e-06 (3.55e-06)" in text
    assert "p - s" in text
    assert "1.00 x" in text
    assert "rounding, not integration" in text
    entry = record(systems, Settings())["systems"][0]["formulations"][0]
    assert entry["paper"]["cpu_seconds"] == 1.93
    assert {"processor", "compiler", "flags", "versions"} <= set(machine())
