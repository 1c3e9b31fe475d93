import multiprocessing
import os
import shutil
import signal
import stat
import time

import pytest

from tests.fixtures.broken import NOBODY, full_disk
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


@pytest.mark.parametrize("damage", ["change", "remove", "manifest", "added file", "added folder", "mode", "link"])
def test_a_damaged_entry_is_made_again(tmp_path, damage):
    cache = Cache(tmp_path)
    folder, _ = cache.keep("sources", "k1", "thing", lambda: {"a.txt": b"text"})
    if damage == "change":
        (folder / "a.txt").write_bytes(b"other")
    elif damage == "remove":
        (folder / "a.txt").unlink()
    elif damage == "manifest":
        (folder / "entry.json").write_text("[]")
    elif damage == "added file":
        (folder / "b.txt").write_text("")
    elif damage == "added folder":
        (folder / "_model").mkdir()
    elif damage == "mode":
        (folder / "a.txt").chmod(0o666)
    else:
        shutil.move(folder, tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
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


def test_nobody_else_can_write_what_is_kept(tmp_path):
    before = os.umask(0)
    try:
        folder, _ = Cache(tmp_path / "deep" / "cache").keep("sources", "k1", "thing", lambda: {"a": b""})
    finally:
        os.umask(before)
    assert Cache(tmp_path / "deep" / "cache").find("sources", "k1") == folder
    for path in (folder.parents[1], folder.parents[0], folder, *folder.iterdir()):
        assert path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH) == 0


@pytest.mark.parametrize("which", ["", "sources"])
@pytest.mark.parametrize("why", ["can be written by others", "is a link", "belongs to another user"])
def test_a_cache_that_others_may_have_written_to_is_not_trusted(tmp_path, which, why):
    root = tmp_path / "cache"
    Cache(root).keep("sources", "k1", "thing", lambda: {"a": b""})
    place = root / which
    if why == "is a link":
        shutil.move(place, tmp_path / "elsewhere")
        place.symlink_to(tmp_path / "elsewhere")
    elif why == "can be written by others":
        place.chmod(0o775)
    elif os.geteuid() == 0:
        os.chown(place, NOBODY, -1)
    else:
        pytest.skip("does not apply: only the superuser gives folders away")
    for act in (lambda: Cache(root).find("sources", "k1"), lambda: Cache(root).keep("sources", "k2", "thing", dict)):
        with pytest.raises(BuildError, match=rf"not trusted, since {place} {why}.*VOLTERRA_CG_CACHE"):
            act()


@pytest.mark.skipif(os.name == "nt", reason="does not apply: permissions are told in another way there")
def test_an_empty_folder_of_ones_own_is_taken_as_mkdir_makes_it(tmp_path):
    """With a umask of 002 others of the group can write there; nobody has, and from then on nobody can."""
    root = tmp_path / "cache"
    root.mkdir()
    root.chmod(0o775)
    folder, _ = Cache(root).keep("sources", "k1", "thing", lambda: {"a": b""})
    assert Cache(root).find("sources", "k1") == folder
    assert root.stat().st_mode & 0o777 == 0o755


def test_a_cache_that_anybody_could_replace_is_not_trusted(tmp_path):
    cache = Cache(tmp_path / "cache")
    cache.keep("sources", "k1", "thing", lambda: {"a": b""})
    tmp_path.chmod(0o777)
    with pytest.raises(BuildError, match=f"not trusted, since {tmp_path} can be written by everybody"):
        cache.find("sources", "k1")
    tmp_path.chmod(0o1777)  # as /tmp: only owners remove
    assert cache.find("sources", "k1")


def test_what_a_killed_process_left_is_cleared(tmp_path):
    cache = Cache(tmp_path)
    cache.keep("sources", "k1", "thing", lambda: {"a": b""})
    left = tmp_path / "tmp" / ".volterra_cg-killed"
    left.mkdir()
    (left / "half").write_text("")
    cache.keep("sources", "k2", "thing", lambda: {"a": b""})
    assert [*(tmp_path / "tmp").iterdir()] == []


def test_a_full_disk_is_told_and_leaves_nothing(tmp_path):
    cache = Cache(tmp_path)
    with full_disk(), pytest.raises(BuildError, match=r"cannot be used.*VOLTERRA_CG_CACHE"):
        cache.keep("sources", "k1", "thing", lambda: {"a": bytes(5000)})
    assert cache.find("sources", "k1") is None
    assert [*(tmp_path / "tmp").iterdir()] == []


def test_files_stay_in_their_folder(tmp_path):
    with pytest.raises(BuildError, match="not the name of a file"):
        Cache(tmp_path).keep("sources", "k1", "thing", lambda: {"../a": b""})


def test_without_a_home_the_remedy_is_told(monkeypatch):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", "~nobody-of-this-name/cache")
    with pytest.raises(BuildError, match="set VOLTERRA_CG_CACHE"):
        default_root()
    monkeypatch.delenv("VOLTERRA_CG_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for a user whom the system does not know
    with pytest.raises(BuildError, match=r"no place.*set VOLTERRA_CG_CACHE"):
        default_root()


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
