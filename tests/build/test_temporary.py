import tempfile

import pytest

from volterra_cg.build.temporary import temporary
from volterra_cg.errors import BuildError


def test_it_goes_away(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary() as folder:
        assert folder.parent == tmp_path
    assert [*tmp_path.iterdir()] == []


def test_without_a_place_the_remedy_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(BuildError, match="set TMPDIR"), temporary():
        pass
