"""Faults put into the compiler, one at a time: are they noticed?

    python -m tests.differential.mutants --count 220 --seed 11
    python -m tests.differential.mutants --only volterra_cg/elimination/quadratic_form.py:93   # the faults of one line

Each fault is a small change of one expression or statement, drawn at random over kinematics/, formulations/, elimination/ and
passes/. A process that has loaded all that is slow, but nothing of these folders, forks for each fault; the child imports the
faulty file in place of the right one and goes through the mechanisms of the bounded run that execute the line, the cheapest
first, until one fails. What survives is tried on those other tests of `make test` that execute the line. Which lines a
mechanism or a test executes is measured once and kept in a temporary folder. Survivors are printed as differences, to be
looked at one by one. With --keep, outcomes are written as they come, and the same call again goes on where it was stopped.
"""

import argparse
import importlib
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from itertools import chain
from pathlib import Path

from tests.differential.faults import ROOT, STAGES, by_hand, difference, faults, mutated
from tests.differential.footprints import footprints
from tests.differential.seeds import BOUNDED

SECONDS = 60  # of work of the right code, for one fault
FIRST = "texts_are_those_of_the_repository"  # notices any other choice among equal forms
SLOWER = 2  # times what the right code takes: a fault that takes longer hangs
MEMORY = 3 << 30
SLOW = ("numpy", "scipy.integrate", "sympy", "jinja2", "pytest", "tests.differential.generator",
        "volterra_cg.spec", "volterra_cg.system.from_spec", "volterra_cg.program.interpret",
        "volterra_cg.program.derivative", "volterra_cg.program.cost", "volterra_cg.program.field")  # fmt: skip
DIFFERENTIAL, OTHERS, SURVIVED, IDLE = "differential", "other tests", "survived", "not executed"


class Faulty(SourceFileLoader):
    """Loads one file with a fault in it."""

    def __init__(self, fault):
        super().__init__(fault.module, str(ROOT / fault.path))
        self.fault = fault

    def find_spec(self, name, path=None, target=None):
        if name != self.fault.module:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname):
        return compile(mutated(Path(self.path).read_text(), self.fault), self.path, "exec")


@dataclass
class Trial:
    """A fault, what is still to be tried on it, and what came out."""

    fault: object
    left: list  # of (kind, what to run, its seconds without the fault)
    outcome: str = IDLE
    killer: str = ""


def trial(fault, lines, seconds):
    """What executes the statement of a fault, as far as time allows: texts of models, then the cheapest first."""
    left = []
    for kind in (DIFFERENTIAL, OTHERS):
        able = [(cost, name) for name, (cost, executed) in lines[kind].items()
                if not executed.get(fault.path, set()).isdisjoint(fault.lines)]  # fmt: skip
        chosen, spent = [], 0.0
        for cost, name in sorted(able, key=lambda pair: (FIRST not in pair[1], pair)):
            if spent < seconds:
                chosen.append(name)
                spent += cost
        if chosen:
            left.append((kind, chosen, spent))
    return Trial(fault, left)


def child(work):
    """A forked process for some work; its answer is what it writes to the pipe that comes with it."""
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.write(write, work().encode()[:60000])
    except BaseException as error:
        os.write(write, f"{type(error).__name__}".encode())
    finally:
        os._exit(0)


def examine(fault, kind, chosen, seconds):
    """In the child: the first that fails, or nothing."""
    limit = int(SLOWER * seconds) + 10
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.meta_path.insert(0, Faulty(fault))
    return failing_seed(chosen) if kind == DIFFERENTIAL else failing_test(chosen)


def failing_seed(seeds):
    from tests.differential.torture import examined

    for seed in seeds:
        found = examined(("interpreted", int(seed)))[3]
        if found is not None:
            return f"{seed} {found[0]}"
    return ""


class First:
    """Remembers the first test that fails."""

    name = ""

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.name = self.name or report.nodeid

    def pytest_collectreport(self, report):
        if report.failed:
            self.name = self.name or report.nodeid


def failing_test(names):
    import pytest

    first = First()
    code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *names], plugins=[first])
    return "" if code == 0 else first.name or f"pytest {code}"


def tried(trials, jobs):
    """Go through trials, some at a time, and yield them as they end."""
    waiting, running = list(reversed(trials)), {}
    while waiting or running:
        while waiting and len(running) < jobs:
            one = waiting.pop()
            if not one.left:
                yield one
                continue
            kind, chosen, seconds = one.left.pop(0)
            pid, answer = child(lambda one=one, k=kind, c=chosen, s=seconds: examine(one.fault, k, c, s))
            running[pid] = one, kind, answer
        if not running:
            continue
        pid, status = os.wait()
        one, kind, answer = running.pop(pid)
        with os.fdopen(answer) as text:
            one.killer = text.read()
        if os.waitstatus_to_exitcode(status) != 0:
            one.killer = "hangs"
        one.outcome = kind if one.killer else SURVIVED
        if one.killer:
            one.left = []
        waiting.append(one)


def preload():
    """Import all that no fault can reach."""
    for name in SLOW:
        importlib.import_module(name)
    assert not any(name.startswith(f"volterra_cg.{stage}") for name in sys.modules for stage in STAGES)


def draw(trials):
    """Draw the mechanisms that are to be tried, for all children at once."""
    from tests.differential import generator

    for seed in {seed for one in trials for kind, chosen, _ in one.left if kind == DIFFERENTIAL for seed in chosen}:
        generator.case(int(seed))


def kept(path):
    """The outcomes that a file holds, by fault."""
    lines = Path(path).read_text().splitlines() if path and Path(path).exists() else []
    return {line["fault"]: line for line in map(json.loads, lines)}


def drawn(asked):
    if asked.file:
        return [by_hand(*asked.file)]
    every = list(faults(ROOT))
    if asked.only:
        return [fault for fault in every if any(str(fault).startswith(text) for text in asked.only)]
    if asked.again:
        names = {name for name, line in kept(asked.again).items() if line["outcome"] in (SURVIVED, IDLE)}
        return [fault for fault in every if str(fault) in names]
    return random.Random(asked.seed).sample(every, asked.count)


def main():
    parser = argparse.ArgumentParser(description="put faults into the compiler and see whether the tests notice")
    parser.add_argument("--count", type=int, default=220)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--only", nargs="*", help="the faults whose names begin like this, instead of a draw")
    parser.add_argument("--file", nargs=2, help="a file of the package, and one to read in its place: a fault by hand")
    parser.add_argument("--differential", action="store_true", help="leave out the other tests")
    parser.add_argument("--again", help="the survivors of an earlier run, by the file it kept")
    parser.add_argument("--keep", help="a file for the outcomes, a line of JSON for each fault")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one fault, on mechanisms and on tests")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    began = time.monotonic()
    preload()
    measured = footprints(BOUNDED, not asked.differential)
    lines = {DIFFERENTIAL: measured["mechanisms"], OTHERS: measured["tests"]}
    chosen, before = drawn(asked), kept(asked.keep)
    ended = [Trial(fault, [], before[str(fault)]["outcome"], before[str(fault)]["killer"])
             for fault in chosen if str(fault) in before]  # fmt: skip
    trials = [trial(fault, lines, asked.seconds) for fault in chosen if str(fault) not in before]
    draw(trials)
    totals, survivors = Counter(), []
    for number, one in enumerate(chain(ended, tried(trials, asked.jobs)), 1):
        totals[one.fault.stage, one.outcome] += 1
        print(f"{number:>4} {one.outcome:<13} {str(one.fault)[12:]:<60} {one.killer[:90]}", flush=True)
        if asked.keep and str(one.fault) not in before:
            with Path(asked.keep).open("a") as file:
                file.write(json.dumps({"fault": str(one.fault), "outcome": one.outcome, "killer": one.killer}) + "\n")
        if one.outcome in (SURVIVED, IDLE):
            survivors.append(one)
    for one in survivors:
        print(f"\n{one.outcome}\n{difference(one.fault)}")
    names = (DIFFERENTIAL, OTHERS, SURVIVED, IDLE)
    print(f"\n{'':<14}" + "".join(f"{name:>14}" for name in names))
    for stage in STAGES:
        print(f"{stage:<14}" + "".join(f"{totals[stage, name]:>14}" for name in names))
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
