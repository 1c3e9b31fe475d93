"""A file that is written is the old one or the new one, whenever its writer dies."""

import errno
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from volterra_cg.errors import OptionError, WriteError
from volterra_cg.files import PREFIX, aside, clear, exchange, locked, replacing, unwritten

SIZE = 1 << 21
WRITER = f"""
import sys
from pathlib import Path
from volterra_cg.files import replacing
path = Path(sys.argv[1])
print("ready", flush=True)
while True:
    for letter in b"xy":
        with replacing(path) as fresh, fresh.open("wb", buffering=0) as stream:
            for _ in range(64):
                stream.write(bytes([letter]) * ({SIZE} // 64))
"""
HOLDER = """
import sys, time
from pathlib import Path
from volterra_cg.files import aside
with aside(Path(sys.argv[1])):
    print("ready", flush=True)
    time.sleep(60)
"""


def started(script, argument):
    process = subprocess.Popen([sys.executable, "-c", script, str(argument)], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    return process


def killed(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "a.txt"
    for content in ("one", "two"):
        with replacing(path) as fresh:
            fresh.write_text(content)
            assert fresh.suffix == ".txt"
        assert path.read_text() == content
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail():
        with replacing(path) as fresh:
            fresh.write_text("ne")
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        fail()
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "none" / "a.txt"):
        pass
    assert caught.value.filename == str(tmp_path / "none")


def test_a_kill_at_a_random_moment_leaves_the_old_file_or_the_new_one(tmp_path):
    path, dice = tmp_path / "a.bin", random.Random(18)
    path.write_bytes(b"o" * SIZE)
    for _ in range(6):
        process = started(WRITER, path)
        time.sleep(dice.uniform(0.0, 0.05))
        killed(process)
        content = path.read_bytes()
        assert content == content[:1] * SIZE
    clear(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["a.bin"]


def test_a_folder_of_a_killed_process_is_removed_and_that_of_a_living_one_stays(tmp_path):
    process = started(HOLDER, tmp_path)
    try:
        [folder] = tmp_path.iterdir()
        with aside(tmp_path):
            assert folder.is_dir()
    finally:
        killed(process)
    assert folder.is_dir()
    with aside(tmp_path) as other:
        assert [*tmp_path.iterdir()] == [other]
    assert [*tmp_path.iterdir()] == []


def test_what_only_looks_like_such_a_folder_stays(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "thesis.txt").write_text("years of work")
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / f"{PREFIX}file").write_text("")
    clear(tmp_path)
    assert len([*tmp_path.iterdir()]) == 3
    assert (tmp_path / "elsewhere" / "thesis.txt").exists()


def test_links_modes_and_pipes_stay_what_they_are(tmp_path):
    real, link, pipe = tmp_path / "real.csv", tmp_path / "link.csv", tmp_path / "pipe.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with replacing(link) as fresh:
        fresh.write_text("new")
    assert link.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("new", 0o640)
    os.mkfifo(pipe)
    with replacing(pipe) as fresh:
        assert fresh == pipe
    assert pipe.is_fifo()


def test_a_new_file_has_the_mode_of_any_other(tmp_path):
    with replacing(tmp_path / "a.txt") as fresh:
        fresh.write_text("")
    (tmp_path / "b.txt").write_text("")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


def test_a_lock_waits_for_its_holder(tmp_path):
    script = HOLDER.replace("import aside", "import locked").replace("aside(", "locked(").replace("60", "0.5")
    process = started(script, tmp_path)
    begin = time.perf_counter()
    with locked(tmp_path):
        assert time.perf_counter() - begin > 0.2
    process.wait()
    process.stdout.close()


@pytest.mark.skipif(sys.platform != "linux", reason="does not apply: this system has no such step")
def test_folders_change_places(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text("")
    assert exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a" / "b").exists()
    assert not exchange(tmp_path / "a", tmp_path / "missing")


@pytest.mark.parametrize(
    ("error", "code", "remedy"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 4, "free some space"),
        (OSError("write failed: No space left on device"), 4, "free some space"),  # as libraries of formats tell it
        (PermissionError(errno.EACCES, "Permission denied", "a.nc"), 4, "in a folder of your own"),
        (OSError(errno.EROFS, "Read-only file system"), 4, "in a folder of your own"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "there"),
            2,
            "No such file or directory: 'there'",
        ),
    ],
)
def test_a_file_that_cannot_be_written_is_told_with_who_is_at_fault(error, code, remedy):
    found = unwritten("run.nc", error)
    assert isinstance(found, WriteError if code == 4 else OptionError)
    assert found.exit_code == code
    assert str(found).startswith("run.nc cannot be written: ")
    assert remedy in str(found)
