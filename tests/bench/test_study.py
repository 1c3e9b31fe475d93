"""The study runs on a small model, without peers and with one that is absent."""

import pytest

from benchmarks.study import forms, peers
from benchmarks.study.__main__ import main
from benchmarks.study.measure import measure

pytestmark = pytest.mark.compiles


def test_a_small_chain_at_two_levels(tmp_path, capsys):
    assert (
        main(["--models", "cart_chain_2", "--levels", "0", "3", "--peers", "--no-callgrind", "-o", str(tmp_path)]) == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[1] for line in lines[2:]] == ["level 0", "level 3"]
    assert (tmp_path / "table.md").read_text().splitlines() == lines


def test_an_absent_peer_is_reported(tmp_path, monkeypatch):
    monkeypatch.setitem(peers.PEERS, "nobody", ("a_package_that_nobody_has", None))
    rows = measure("cart_chain_2", tmp_path, [3], ["nobody"], callgrind=False)
    assert rows[-1].note == "absent: a_package_that_nobody_has is not installed"
    assert rows[0].difference < 1e-12


def test_the_forms_written_by_hand_agree_with_each_other():
    import math

    real = forms.Math(math.sin, math.cos)
    for tree in (forms.three_bodies(), forms.space_chain(3)):
        n = len(tree) - 1
        q, u = [0.1 * k - 0.3 for k in range(6 + n)], [0.2 - 0.15 * k for k in range(3 + n)]
        form = forms.dense(tree, q, u, [1.0, 2.0, 3.0], real)
        recursive = forms.articulated(tree, q, u, [0.0] * 3, real)
        assert forms.solve(form.matrix, form.right) == pytest.approx(recursive, abs=1e-12)
