import multiprocessing
import os
import signal
import time

import pytest

from volterra_cg.build.cache import Cache, default_root, read_files
from volterra_cg.errors import BuildError


def test_an_entry_is_made_once(tmp_path):
    cache, made = Cache(tmp_path), []

    def make():
        made.append(1)
        return {"a.txt": b"text"}

    folder, found = cache.keep("sources", "k1", "thing", make)
    assert not found
    assert read_files(folder) == {"a.txt": b"text"}
    assert cache.keep("sources", "k1", "thing", make) == (folder, True)
    assert made == [1]


@pytest.mark.parametrize("damage", ["change", "remove", "manifest"])
def test_a_damaged_entry_is_made_again(tmp_path, damage):
    cache = Cache(tmp_path)
    folder, _ = cache.keep("sources", "k1", "thing", lambda: {"a.txt": b"text"})
    if damage == "change":
        (folder / "a.txt").write_bytes(b"other")
    elif damage == "remove":
        (folder / "a.txt").unlink()
    else:
        (folder / "entry.json").write_text("[]")
    assert cache.find("sources", "k1") is None
    folder, found = cache.keep("sources", "k1", "thing", lambda: {"a.txt": b"text"})
    assert not found
    assert cache.find("sources", "k1") == folder


def test_a_failure_leaves_nothing(tmp_path):
    cache = Cache(tmp_path)

    def fail():
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        cache.keep("sources", "k1", "thing", fail)
    assert cache.find("sources", "k1") is None
    assert cache.entries() == []
    cache.keep("sources", "k1", "thing", lambda: {"a": b""})


def test_entries_are_listed_and_cleared(tmp_path):
    cache = Cache(tmp_path)
    cache.keep("sources", "k1", "one", lambda: {"a": b"123"})
    cache.keep("extensions", "k2", "two", lambda: {"b": b"456"})
    assert {(entry.kind, entry.key, entry.name) for entry in cache.entries()} == {
        ("sources", "k1", "one"),
        ("extensions", "k2", "two"),
    }
    assert cache.clear() > 6
    assert cache.entries() == []


def test_a_root_that_cannot_be_written_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(BuildError, match="VOLTERRA_CG_CACHE"):
        Cache(blocked).keep("sources", "k1", "thing", dict)


def test_the_root_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(tmp_path / "there"))
    assert default_root() == tmp_path / "there"
    monkeypatch.delenv("VOLTERRA_CG_CACHE")
    assert default_root().name == "volterra_cg"


def hold(root, ready):
    with Cache(root).lock("sources-k1"):
        ready.set()
        time.sleep(60)


def test_a_killed_process_releases_its_lock(tmp_path):
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    holder = context.Process(target=hold, args=(tmp_path, ready))
    holder.start()
    assert ready.wait(30)
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()
    begin = time.perf_counter()
    Cache(tmp_path).keep("sources", "k1", "thing", lambda: {"a": b""})
    assert time.perf_counter() - begin < 5.0


def make_slowly(root, number, results):
    def make():
        time.sleep(0.3)
        return {"who": str(number).encode()}

    folder, found = Cache(root).keep("sources", "k1", "thing", make)
    results.put((found, read_files(folder)["who"]))


def test_of_many_processes_one_makes_the_entry(tmp_path):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=make_slowly, args=(tmp_path, n, results)) for n in range(3)]
    for worker in workers:
        worker.start()
    answers = [results.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert sorted(found for found, _ in answers) == [False, True, True]
    assert len({who for _, who in answers}) == 1
