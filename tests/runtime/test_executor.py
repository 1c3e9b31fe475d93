"""simulate_many on executors: workers build the model from its sources, and every trajectory is what it is here."""

import _thread
import multiprocessing
import os
import shutil
import signal
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import distributed
import numpy as np
import pytest

from volterra_cg.build import load, pack, unpack
from volterra_cg.build.cache import Cache
from volterra_cg.errors import BuildError, OptionError, WorkerError
from volterra_cg.runtime import Model

pytestmark = pytest.mark.compiles
ARRAYS = ("z", "status", "where", "residual", "reached", "ended", "momenta", "steps", "rejections", "rhs_calls")


@pytest.fixture(scope="module")
def bodies(compiled):
    return compiled("three_bodies")


@pytest.fixture
def compilations(tmp_path, monkeypatch):
    """Gives workers an empty cache and a compiler that writes down what it compiles; returns the list so far."""
    log, compiler = tmp_path / "log", tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("cc")} "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(tmp_path / "cache"))

    def told():
        lines = log.read_text().splitlines() if log.exists() else []
        return [
            Path(word).name for line in lines if " -c " in f" {line} " for word in line.split() if word[-2:] == ".c"
        ]

    return told


def study(count):
    random = np.random.default_rng(5)
    return {
        "q": {"theta": 0.1 + 0.05 * random.standard_normal(count)},
        "params": {"m_p": np.where(np.arange(count) % 50 == 7, np.nan, random.uniform(0.9, 1.1, count))},
        "rtol": 1e-8,
        "atol": 1e-8,
    }


def assert_same(found, expected):
    assert not expected.ok.all()
    assert expected.ok.sum() > len(expected) / 2
    for name in ARRAYS:
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes(), name
    for name, values in expected.parameters.items():
        np.testing.assert_array_equal(found.parameters[name], values)


class Watched(Executor):
    """An executor that remembers what was submitted."""

    def __init__(self, inner):
        self.inner = inner
        self.parts = []

    def submit(self, *arguments):
        self.parts.append(self.inner.submit(*arguments))
        return self.parts[-1]

    @property
    def done(self):
        return sum(part.done() for part in self.parts)


def pool(workers):
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def test_processes_build_from_sources_once_and_compute_the_same(bodies, compilations):
    given = study(203)
    with pool(2) as processes:
        watched = Watched(processes)
        found = bodies.simulate_many(2.0, 0.5, **given, workers=watched)
        assert len(watched.parts) == 7
        assert sorted(compilations()) == ["_model_wrapper.c", "three_bodies.c"]
        again = bodies.simulate_many(2.0, 0.5, **given, workers=processes)
    assert len(compilations()) == 2
    expected = bodies.simulate_many(2.0, 0.5, **given, workers=1)
    assert_same(found, expected)
    assert_same(again, expected)
    assert found.message(7) == expected.message(7)
    np.testing.assert_array_equal(found.run(3)["kinetic_energy"], expected.run(3)["kinetic_energy"])


def test_a_dead_process_is_told(bodies, compilations):
    with pool(1) as processes:
        watched = Watched(processes)
        pid = processes.submit(os.getpid).result()
        threading.Timer(0.5, os.kill, (pid, signal.SIGKILL)).start()
        with pytest.raises(WorkerError, match=r"4 parts .* not computed, .* gone \(BrokenProcessPool"):
            bodies.simulate_many(1e6, 1e6, **study(100), workers=watched)


def test_an_interruption_cancels_what_waits(bodies):
    class Never(Executor):
        def submit(self, *_):
            return Future()

    never = Watched(Never())
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        bodies.simulate_many(2.0, 0.5, **study(100), workers=never)
    assert [part.cancelled() for part in never.parts] == [True] * 4


def test_threads_of_another_executor_will_do(bodies, compilations):
    with ThreadPoolExecutor(2) as threads:
        found = bodies.simulate_many(2.0, 0.5, **study(64), workers=threads)
    assert_same(found, bodies.simulate_many(2.0, 0.5, **study(64)))


def test_a_part_that_fails_is_raised_and_the_others_are_cancelled(bodies, compilations, monkeypatch):
    monkeypatch.setenv("CC", "no_such_compiler")
    with pool(1) as processes, pytest.raises(BuildError, match="no_such_compiler is not found"):
        bodies.simulate_many(2.0, 0.5, **study(400), workers=processes)


def test_starts_are_projected_by_the_workers(compiled, compilations):
    bars = compiled("double_four_bar")
    name = next(iter(bars.parameters))
    values = bars.parameters[name] * np.append(np.linspace(1.0, 1.001, 39), np.nan)
    with ThreadPoolExecutor(2) as threads:
        found = bars.simulate_many(0.02, 0.01, params={name: values}, workers=threads)
    expected = bars.simulate_many(0.02, 0.01, params={name: values})
    for array in ARRAYS:
        assert getattr(found, array).tobytes() == getattr(expected, array).tobytes()


def test_a_model_without_sources_is_refused(bodies, tmp_path):
    with ThreadPoolExecutor(1) as threads:
        bare = Model(bodies.table, bodies.address, bodies.report)
        with pytest.raises(OptionError, match="does not know its sources"):
            bare.simulate_many(1.0, workers=threads)
        gone = Model(bodies.table, bodies.address, bodies.report, tmp_path / "gone")
        with pytest.raises(BuildError, match="sources of the model three_bodies are gone"):
            gone.simulate_many(1.0, workers=threads)


def test_sources_are_those_of_the_model_and_of_this_version(bodies, tmp_path):
    texts = pack(bodies.folder, bodies.report)
    assert len(texts.packed) < 40_000
    with pytest.raises(BuildError, match="has changed since it was loaded"):
        pack(bodies.folder, {**bodies.report, "states": 4})
    with pytest.raises(BuildError, match=r"comes from volterra_cg 0\.0, and a worker has"):
        unpack(replace(texts, version="0.0"), Cache(tmp_path))


def test_a_published_module_knows_its_folder(module):
    assert module.model.folder == Path(module.__file__).parent
    assert load(module.model.folder).model is module.model


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_computes_every_trajectory_once(bodies, compilations):
    """Dask over TCP; one of its processes is killed while it computes."""
    given = study(640)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, protocol="tcp://", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = client.run(os.getpid)
        assert len(set(pids.values()) | {os.getpid()}) == 3
        watched, killed = Watched(client.get_executor()), []

        def kill():
            while watched.done < 3:
                time.sleep(0.02)
            busy = [address for address, tasks in client.processing().items() if tasks]
            killed.append((watched.done, busy))
            os.kill(pids[busy[0]], signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        found = bodies.simulate_many(3000.0, 1500.0, **given, workers=watched)
        thread.join()
        left = set(client.scheduler_info()["workers"])
    (done, busy), *_ = killed
    assert busy
    assert 3 <= done < len(watched.parts) == 20
    assert busy[0] not in left
    assert sorted(compilations()) == ["_model_wrapper.c", "three_bodies.c"]
    assert_same(found, bodies.simulate_many(3000.0, 1500.0, **given))
