"""A failing case made as short as it can be while it still fails in the same way."""

import copy
import re
import time

from tests.differential.compare import Comparison, Tally
from tests.differential.generator import Case
from tests.differential.numbers import Mismatch

TABLES = (
    "events", "include", "springs", "dampers", "actuators", "frictions", "forces", "torques", "potentials", "generalized_forces",
    "constraints", "outputs", "quasi_velocities", "bodies", "gravity", "signals", "parameters", "coordinates", "points",
    "frames", "start",
)  # fmt: skip


def mismatch_of(case, seed, plan=None, compare=Comparison):
    """How a case fails, if it does."""
    try:
        compare(case, seed, Tally(), plan).run()
    except Mismatch as found:
        return found
    except Exception:  # the oracle cannot read it: a candidate that cut too much
        return None
    return None


def shrunk(case, seed, first, seconds=120, compare=Comparison):
    """The shortest case found with a mismatch of the same kind, and that mismatch."""
    plan = [first.plan] if first.plan else None
    end, best = time.monotonic() + seconds, (case, first)
    if case.parts:
        whole = Case(case.whole)
        found = mismatch_of(whole, seed, plan, compare)
        best = (whole, found) if found is not None and found.kind == first.kind else best
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in _candidates(best[0]):
            if time.monotonic() > end:
                break
            if _size(candidate) >= _size(best[0]):
                continue
            found = mismatch_of(candidate, seed, plan, compare)
            if found is not None and found.kind == first.kind:
                best, progress = (candidate, found), True
                break
    return best


def _size(case):
    """How long it is; one that cut too much cannot be written as TOML."""
    return len(repr(case.spec)) + sum(len(repr(part)) for part in case.parts.values())


def _candidates(case):
    """Smaller cases, the boldest first."""
    for table in TABLES:
        yield from _without_table(case, table)
    for table in TABLES:
        yield from _without_entries(case, table)
    for key in ("ignorable", "work"):
        if key in case.spec:
            yield _changed(case, lambda spec, key=key: spec.pop(key))
    yield from _constants(case)
    yield from _shortcuts(case)
    yield from _simpler(case)


def _changed(case, change):
    spec = copy.deepcopy(case.spec)
    change(spec)
    return Case({key: given for key, given in spec.items() if given != {}}, case.parts, case.features)


def _without_table(case, table):
    if case.spec.get(table):
        yield _changed(case, lambda spec: spec.pop(table))


def _without_entries(case, table):
    for name in case.spec.get(table, {}):
        yield _changed(case, lambda spec, name=name: spec[table].pop(name))


def _constants(case):
    """Coordinates and parameters that become numbers."""
    for table, key in (("coordinates", "initial"), ("parameters", "value")):
        for name, entry in case.spec.get(table, {}).items():
            given = entry.get(key, 0) if isinstance(entry, dict) else entry
            for number in dict.fromkeys([0, given]) if table == "coordinates" else [given, 1]:
                yield _replaced(case, table, name, f"({number})" if isinstance(number, str) else str(number))


def _replaced(case, table, name, text):
    def change(spec):
        spec[table].pop(name)
        for other in list(spec):
            if isinstance(spec[other], dict):
                spec[other] = _mapped(spec[other], lambda t: _substituted(t, name, text))

    return _changed(case, change)


def _substituted(text, name, other):
    found = re.sub(rf"(?<![\w.]){name}\b", other, text)
    try:
        return float(found) if found != text and found not in ("x", "y", "z") else found
    except ValueError:
        return found.replace(f"der({other})", "0")


def _mapped(given, change):
    if isinstance(given, str):
        return change(given)
    if isinstance(given, dict):
        return {key: _mapped(part, change) for key, part in given.items()}
    return [_mapped(part, change) for part in given] if isinstance(given, list) else given


def _shortcuts(case):
    """Frames give way to their parents, points to those they are placed from."""
    for table, key, root in (("frames", "parent", "N"), ("points", "from", "O")):
        for name, entry in case.spec.get(table, {}).items():
            yield _replaced(case, table, name, entry.get(key, root))


def _simpler(case):
    """Every value in turn: left out, zero, one, or with one term less."""
    for table, entries in case.spec.items():
        if not isinstance(entries, dict):
            continue
        for path in _paths(entries):
            for smaller in _smaller(_get(entries, path)):
                yield _changed(case, lambda spec, t=table, p=path, s=smaller: _set(spec[t], p, s))
            if len(path) > 1 and isinstance(path[-1], str):
                yield _changed(case, lambda spec, t=table, p=path: _get(spec[t], p[:-1]).pop(p[-1]))


def _smaller(given):
    if isinstance(given, str):
        yield from (0, 1)
        for piece in given.split(" + ") + given.split(" - ") + given.split("*"):
            if piece != given:
                yield piece
        return
    if isinstance(given, list):
        for i in range(len(given)):
            yield given[:i] + given[i + 1 :]
        return
    if isinstance(given, float):
        yield from (0, 1, round(given, 1))


def _paths(given, path=()):
    items = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for key, part in items:
        yield (*path, key)
        yield from _paths(part, (*path, key))


def _get(given, path):
    for key in path:
        given = given[key]
    return given


def _set(given, path, value):
    _get(given, path[:-1])[path[-1]] = value
