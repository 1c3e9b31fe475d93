"""Faults put into a copy of the package, one at a time: does the bounded run notice?

    python -m tests.differential.mutants --count 200 --seed 1

Each fault is a small change of one expression or statement, drawn at random over kinematics/, formulations/, elimination/ and
passes/. A process that has not imported the package yet forks for each fault, reads the changed copy and goes through the
mechanisms of the bounded run until one fails. Survivors are printed as differences, to be looked at one by one.
"""

import argparse
import ast
import copy
import difflib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STAGES = ("kinematics", "formulations", "elimination", "passes")
MECHANISMS = 150  # as in the bounded run
SECONDS = 240  # for one fault
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
COMPARISONS = {ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.BitOr: ast.BitAnd}


@dataclass(frozen=True)
class Fault:
    """A change of one file: the number of the node in the walk of its tree, and what happens to it."""

    path: str
    node: int
    kind: str
    line: int


def changes(node):  # noqa: C901
    """The names of what can be done to a node."""
    match node:
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            yield from ("other operator", "left alone", "right alone")
        case ast.UnaryOp(op=ast.USub()):
            yield "no sign"
        case ast.UnaryOp(op=ast.Not()):
            yield "no negation"
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield "other comparison"
        case ast.Constant(value=bool()):
            yield "other truth"
        case ast.Constant(value=int()):
            yield "one more"
        case ast.BoolOp():
            yield "other junction"
        case ast.Call(args=[_, _, *_]):
            yield "arguments swapped"
        case ast.IfExp():
            yield from ("always", "never")
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield "statement skipped"
        case ast.If():
            yield from ("always", "never")
        case ast.comprehension(ifs=[_, *_]):
            yield "no filter"


def faults(root):
    """Every fault there is."""
    for stage in STAGES:
        for path in sorted((root / "volterra_cg" / stage).glob("*.py")):
            tree = ast.parse(path.read_text())
            skipped = _untouched(tree)
            for number, node in enumerate(ast.walk(tree)):
                if number not in skipped:
                    for kind in changes(node):
                        yield Fault(str(path.relative_to(root)), number, kind, getattr(node, "lineno", 0))


def _untouched(tree):
    """Nodes in annotations, messages, assertions and raise statements, which change no number."""
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    silent = [
        n for n in ast.walk(tree) if isinstance(n, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom)
    ]
    for node in ast.walk(tree):
        silent += [
            part for part in (getattr(node, "annotation", None), getattr(node, "returns", None)) if part is not None
        ]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            silent += node.decorator_list
    return {numbers[id(inner)] for node in silent for inner in ast.walk(node)}


def mutated(text, fault):
    """The text with a fault."""
    tree = ast.parse(text)
    node = list(ast.walk(tree))[fault.node]
    before = copy.deepcopy(node)
    replacement = _replacement(node, fault.kind)
    if replacement is None:
        return ast.unparse(tree)
    for parent in ast.walk(tree):
        for name, given in ast.iter_fields(parent):
            if given is node:
                setattr(parent, name, replacement)
            elif isinstance(given, list) and any(part is node for part in given):
                given[next(i for i, part in enumerate(given) if part is node)] = replacement
    assert ast.dump(before) != ast.dump(replacement)
    return ast.unparse(ast.fix_missing_locations(tree))


def _replacement(node, kind):  # noqa: C901
    """What a node becomes; None where it was changed in place."""
    match kind:
        case "left alone":
            return node.left
        case "right alone":
            return node.right
        case "no sign" | "no negation":
            return node.operand
        case "statement skipped":
            return ast.Pass()
        case "other operator":
            node.op = OPERATORS[type(node.op)]()
        case "other comparison":
            node.ops = [COMPARISONS[type(node.ops[0])]()]
        case "other truth":
            node.value = not node.value
        case "one more":
            node.value += 1
        case "other junction":
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "arguments swapped":
            node.args[0], node.args[1] = node.args[1], node.args[0]
        case "always" | "never":
            node.test = ast.Constant(kind == "always")
        case "no filter":
            node.ifs = []
    return None


def verdict(fault, mechanisms, seconds):
    """Whether the bounded run notices a fault, by a process of its own in a copy of the package; and by which seed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(ROOT / "volterra_cg", place / "volterra_cg", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("templates", "tests", "benchmarks"):
            (place / name).symlink_to(ROOT / name)
        target = place / fault.path
        target.write_text(mutated(target.read_text(), fault))
        child = os.fork()
        if child == 0:
            _examine(place, mechanisms)
        return _awaited(child, seconds, place)


def _examine(place, mechanisms):
    """In the child: import the copy, stop at the first failure."""
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.path.insert(0, str(place))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        from tests.differential.torture import examined

        code = 0
        for seed in mechanisms:
            if examined(("interpreted", seed))[3] is not None:
                (place / "killer").write_text(str(seed))
                code = 1
                break
    except BaseException:
        (place / "killer").write_text("import")
        code = 1
    finally:
        os._exit(code)


def _awaited(child, seconds, place):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            if os.waitstatus_to_exitcode(status) == 0:
                return SURVIVED, ""
            killer = place / "killer"
            return KILLED, killer.read_text() if killer.exists() else "crash"
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TIMEOUT, ""


def difference(fault):
    """A fault as a difference of two texts."""
    text = ast.unparse(ast.parse((ROOT / fault.path).read_text()))
    changed = mutated((ROOT / fault.path).read_text(), fault)
    lines = difflib.unified_diff(text.splitlines(), changed.splitlines(), fault.path, fault.kind, n=2, lineterm="")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="put faults into a copy of the package and see whether a run notices")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mechanisms", type=int, default=MECHANISMS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    drawn = random.Random(asked.seed).sample(list(faults(ROOT)), asked.count)
    totals, survivors = Counter(), []
    with ThreadPoolExecutor(asked.jobs) as pool:
        found = pool.map(lambda fault: verdict(fault, range(asked.mechanisms), asked.seconds), drawn)
        for number, (fault, (outcome, killer)) in enumerate(zip(drawn, found, strict=True), 1):
            totals[fault.path.split("/")[1], outcome] += 1
            print(f"{number:>4} {outcome:<9} {killer:<7} {fault.kind:<18} {fault.path}:{fault.line}", flush=True)
            if outcome != KILLED:
                survivors.append(fault)
    for fault in survivors:
        print("\n" + difference(fault))
    print(f"\n{'':<14}" + "".join(f"{name:>10}" for name in (KILLED, SURVIVED, TIMEOUT)))
    for stage in STAGES:
        print(f"{stage:<14}" + "".join(f"{totals[stage, name]:>10}" for name in (KILLED, SURVIVED, TIMEOUT)))


if __name__ == "__main__":
    main()
