import hashlib
import signal
from pathlib import Path

import pytest

from volterra_cg.build.cache import Cache
from volterra_cg.options import Options

MODELS = Path(__file__).parents[1] / "benchmarks" / "models"


def pytest_configure():
    """Heed Ctrl-C, which processes in the background are born deaf to; the tests send it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--update-goldens", action="store_true", help="write generated/ anew instead of comparing with it")
    parser.addoption(
        "--no-skips", action="store_true", help="fail what is skipped for any reason but that it does not apply"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and item.config.getoption("--no-skips"):
        reason = report.longrepr[2]
        if "does not apply" not in reason:
            report.outcome, report.longrepr = "failed", f"with --no-skips, what applies has to run: {reason}"
    return report


@pytest.fixture(scope="session")
def workshop(tmp_path_factory, worker_id):
    """A folder that all processes of a test run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "workshop"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def compiled(workshop):
    """Makes the compiled model of a spec text, or of a model of the benchmarks by its name; each once a run."""

    def make(text, formulation="reduced-volterra", jacobian=False):
        from volterra_cg import driver

        path = MODELS / f"{text}.toml"
        if "\n" in text:
            path = workshop / f"spec_{hashlib.sha256(text.encode()).hexdigest()[:12]}.toml"
            path.write_text(text)
        return driver.model(path, Options(formulation=formulation, jacobian=jacobian), Cache(workshop / "cache"))

    return make


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A browser without a screen, or a skip with a word."""
    from tests.fixtures.browser import Browser

    made = Browser(tmp_path_factory.mktemp("browser"))
    yield made
    made.close()
