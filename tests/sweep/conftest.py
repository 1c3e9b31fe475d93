import pytest

from tests.fixtures.sweeps import SPEC
from volterra_cg.sweep import Grid, Job, axis
from volterra_cg.sweep import job as job_module


@pytest.fixture
def model(compiled):
    return compiled(SPEC)


@pytest.fixture
def job(model, monkeypatch):
    monkeypatch.setattr(job_module, "SMALLEST", 2)
    return Job(model, Grid((axis("l=0.4:0.8:3"), axis("der(theta)=0,1.5"))), {"push": 0.1}, {"theta": 0.3})
