"""No command outlives whoever wanted it."""

import _thread
import math
import os
import sys
import time
from threading import Event, Timer

import pytest

from tests.fixtures.broken import command, running
from volterra_cg.build.processes import KEPT, SECONDS, cores, quota, run, time_limit
from volterra_cg.errors import BuildError, OptionError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="does not apply: processes are looked up in /proc")


@pytest.fixture
def family(tmp_path):
    """A command that never ends, and its child; the name is in the command lines of both."""
    child = command(tmp_path / "child", "while :; do sleep 0.05; done")
    return command(tmp_path / "hanging", f"{child} &\nwait")


def gone(tmp_path):
    deadline = time.monotonic() + 5
    while running(str(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return running(str(tmp_path)) == []


def test_what_is_said_is_kept_apart(tmp_path):
    answer = run([str(command(tmp_path / "c", "echo out; echo err >&2; exit 3"))], 10.0)
    assert (answer.status, answer.out, answer.err) == (3, "out", "err")


def test_what_is_no_text_can_be_shown(tmp_path):
    answer = run([str(command(tmp_path / "c", r"printf '\377\000\033[31mred'"))], 10.0)
    assert answer.out == "\N{REPLACEMENT CHARACTER}??[31mred"


def test_what_is_said_without_end_does_not_fill_the_memory(tmp_path):
    answer = run(["head", "-c", str(3 * KEPT), "/dev/zero"], 60.0)
    assert len(answer.out) == KEPT


def test_a_command_that_hangs_is_ended_with_its_children(family, tmp_path):
    with pytest.raises(TimeoutError, match=r"within 0\.3 s"):
        run([str(family)], 0.3)
    assert gone(tmp_path)


def test_ctrl_c_ends_it_within_a_second(family, tmp_path):
    begin = time.monotonic()
    Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        run([str(family)], 60.0)
    assert time.monotonic() - begin < 1.3
    assert gone(tmp_path)


def test_whoever_gives_up_ends_it(family, tmp_path):
    halt = Event()
    Timer(0.2, halt.set).start()
    with pytest.raises(BuildError, match="stopped"):
        run([str(family)], 60.0, halt=halt)
    assert gone(tmp_path)


def test_a_child_that_stays_is_not_waited_for(tmp_path):
    begin = time.monotonic()
    answer = run([str(command(tmp_path / "c", "sleep 5 &\necho done"))], 60.0)
    assert answer.out == "done"
    assert time.monotonic() - begin < 4.0


def test_the_limit_is_the_users(monkeypatch):
    monkeypatch.delenv("VOLTERRA_CG_TIMEOUT", raising=False)
    assert time_limit() == SECONDS
    monkeypatch.setenv("VOLTERRA_CG_TIMEOUT", "3600")
    assert time_limit() == 3600.0
    for wrong in ("soon", "-1", "0", "nan"):
        monkeypatch.setenv("VOLTERRA_CG_TIMEOUT", wrong)
        with pytest.raises(OptionError, match="VOLTERRA_CG_TIMEOUT is"):
            time_limit()


@pytest.mark.parametrize(
    ("limits", "own", "granted"),
    [
        ({}, "0::/\n", math.inf),
        ({"cpu.max": "max 100000\n"}, "0::/\n", math.inf),
        ({"cpu.max": "150000 100000\n"}, "0::/\n", 1.5),
        ({"a/cpu.max": "300000 100000\n", "a/b/cpu.max": "max 100000\n"}, "3:cpu:/x\n0::/a/b\n", 3.0),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, "1:cpu:/\n", math.inf),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, "1:cpu:/\n", 0.5),
    ],
)
def test_the_time_that_a_container_has_counts(limits, own, granted, tmp_path):
    for name, text in limits.items():
        file = tmp_path / "groups" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "own").write_text(own)
    assert quota(tmp_path / "groups", tmp_path / "own") == granted


@pytest.mark.parametrize(("granted", "found"), [(0.5, 1), (1.0, 1), (1.5, 2), (math.inf, 5)])
def test_no_more_work_at_once_than_there_is_time_for(granted, found, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(5)))
    monkeypatch.setattr("volterra_cg.build.processes.quota", lambda: granted)
    assert cores() == found
