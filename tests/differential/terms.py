"""The terms that `check` shows of energies, constraints and forces, beside the numbers of the oracle."""

import re

import numpy as np

from tests.differential.jets import value
from tests.differential.numbers import Mismatch, has_quaternions

NEAR = 1e-9
PARTS = {"the kinetic energy of ": "T", "the weight of ": "W", "the potential ": "V"}
WRITTEN = {"Abs": "abs", "Min": "min", "Max": "max"}


def compare(own, verdicts):
    """Each term, at a random place; off the unit, what a quaternion turns is nobody's meaning."""
    known = own.known
    if has_quaternions(own.mechanism.spec):
        return
    springs = own.mechanism.spec.get("springs", {}).values()
    own_springs = {entry["coordinate"] for entry in springs if "coordinate" in entry}
    for j, verdict in enumerate(verdicts):
        shown = [
            *_slope(known, j, verdict),
            *_inertia(known, verdict),
            *_row(known, j, verdict),
            *_force(known, j, verdict),
        ]
        for text, expected in shown:
            _agree(known, verdict.name, text, expected)
        if verdict.lagrangian and verdict.name in own_springs and not re.search(r": |; ", verdict.lagrangian[13:]):
            raise Mismatch("check: no term", f"the spring on {verdict.name} has one: {verdict.lagrangian}")


def _agree(known, name, text, expected):
    """One of some numbers."""
    written = re.sub(r"(\w+)'", r"der(\1)", text)
    for theirs, ours in WRITTEN.items():
        written = re.sub(rf"\b{theirs}\(", f"{ours}(", written)
    if re.search(r"\b(sign|Piecewise|Derivative|E)\b", written):
        return
    told = value(known.places[0].expr(written))
    if not any(abs(told - one) <= NEAR * (1 + abs(one)) for one in expected):
        raise Mismatch("check: wrong terms", f"{text} of {name} is {told}, the oracle says {expected}")


def _slope(known, j, verdict):
    """dT/dq or dV/dq of the part that is named; it is named apart where there are several."""
    found = re.search(r"through (.*?)(?:; for ([^,]+), |: )d([TV])/d\S+ = (.+)$", verdict.lagrangian)
    if found is None:
        return
    listed, part, letter, text = found.groups()
    if (part is None) != (", " not in listed):
        raise Mismatch("check: wrong terms", f"one of several parts is shown, or one by its name: {verdict.lagrangian}")
    part = part or listed
    start, kind = next((start, kind) for start, kind in PARTS.items() if part.startswith(start))
    if (letter == "T") != (kind == "T"):
        raise Mismatch("check: wrong terms", verdict.lagrangian)
    yield text, [known.reasons[j].slopes[kind, part.removeprefix(start)]]


def _inertia(known, verdict):
    """A term of T: that of any two rates."""
    found = re.search(r": T has the term (.+)$", verdict.lagrangian)
    if found:
        place, rates = known.places[0], known.where[0]["rates"]
        laws = [law for body in place.spec["bodies"].values() for law in place.laws(body)]
        columns = [(motion.g[:, place.rate_at][:, : len(rates)], weight) for motion, weight, _ in laws]
        mass = np.outer(rates, rates) * sum(j.T @ weight @ j for j, weight in columns)
        yield found[1], [mass[i, k] / (2 if i == k else 1) for i in range(len(mass)) for k in range(i + 1)]


def _row(known, j, verdict):
    found = re.search(r"in the constraint (\S+) in the term (.+?)(, and in .+)?$", verdict.constraints)
    if found:
        yield found[2], [known.places[0].constraints()[found[1]].a[j] * known.where[0]["rates"][j]]


def _force(known, j, verdict):
    found = re.search(r"from [^:]+: (.+)$", verdict.forces)
    if found:
        yield found[1], [known.places[0].forces()[j]]
