import pytest

from volterra_cg.build.cache import Cache


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory):
    """One cache for the tests that do not count compilations."""
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "oscillator.toml"
    path.write_text("made by hand")
    return path
