"""What `check` tells of a mechanism, beside what the oracle finds: sizes, ignorable coordinates and why not, the start."""

import re
from dataclasses import dataclass

import numpy as np

from tests.differential import terms
from tests.differential.flow import STEP
from tests.differential.jets import value
from tests.differential.numbers import Mismatch
from volterra_cg.formulations import feasibility, summary

ZERO, NEAR = 1e-10, 1e-8
ROOTS = {"skew axis", "across points", "across frames"}  # what brings roots, through which the compiler does not see
PLACES = 2  # at which a coordinate that matters is seen to matter


def compare(own, problem):
    """The summary of a posed problem, word by word where the oracle knows the word."""
    feasibility.require_mass(problem, own.system)
    start = feasibility.consistency(problem, own.system)
    found = summary.summarise(problem, own.system.name, (), start)
    known, exact = own.known, not (own.case.features & ROOTS or own.case.parts or _has_roots(own.mechanism.spec))
    _verdicts(found, known, exact)
    terms.compare(own, found.coordinates)
    _sizes(own, found, known, exact)
    _start(own.mechanism, start)
    _text(found, known)
    own.tally.add("quantity", "what check tells")
    for verdict in found.coordinates:
        if ": T has the term " in verdict.lagrangian:
            own.tally.add("quantity", "a term of T shown")
        if re.search(r"from [^:]+: ", verdict.forces):
            own.tally.add("quantity", "a force shown")


def _has_roots(spec):
    """Whether angles such as pi/3 or roots stand in the spec."""
    return re.search(r"\bpi\b|\bsqrt\b", repr(spec)) is not None


def agree(what, ours, theirs, exact=True):
    """Equal, or at least all that the oracle says."""
    if ours != theirs if exact else not set(theirs) <= set(ours):
        raise Mismatch(f"check: wrong {what}", f"{what} are {ours}, the oracle says {theirs}")


@dataclass
class Reasons:
    """Why a coordinate is not ignorable: bodies and potentials, rows and loads by name."""

    kinetic: list
    weights: list
    potentials: list
    rows: list
    loads: bool
    whole: bool  # whether T - V depends on it, which terms that cancel do not
    slopes: dict  # of energies by kind and name, at the first place

    @property
    def conditions(self):
        return [number for number, broken in ((1, self.whole), (2, self.rows), (3, self.loads)) if broken]


class Known:
    """What the oracle finds at random places, on or off the constraints."""

    def __init__(self, mechanism, seed):
        self.mechanism, drawn = mechanism, np.random.default_rng(seed)
        self.names, m, nominal = mechanism.names, len(mechanism.names), mechanism.nominal()
        self.where = [
            {"q": drawn.normal(size=m), "rates": drawn.normal(size=m), "t": drawn.uniform(0.1, 1.0),
             "parameters": {k: v * drawn.uniform(0.9, 1.1) for k, v in nominal.items()},
             "signals": {k: drawn.uniform(-1, 1) for k in mechanism.inputs}}
            for _ in range(PLACES)
        ]  # fmt: skip
        self.places = [mechanism.at(**where) for where in self.where]
        rows = [place.constraints() for place in self.places]
        self.rows = {name: np.max([abs(found[name].a) for found in rows], axis=0) for name in rows[0]}
        self.kept = [name for name, a in self.rows.items() if a.max() > ZERO]
        self.idle = [name for name in self.rows if name not in self.kept]
        self.forces = np.max([abs(place.forces()[:m]) for place in self.places], axis=0)
        self.reasons = [self._reasons(j) for j in range(m)]
        self.ignorable = [
            name for name, reasons in zip(self.names, self.reasons, strict=True) if not reasons.conditions
        ]

    def _reasons(self, j):
        changed = [self._slopes(j, where) for where in self.where]
        guilty = {key: max(abs(slopes[key]) for slopes in changed) > ZERO for key in changed[0]}
        by = {kind: [name for (own, name), is_guilty in guilty.items() if own == kind and is_guilty] for kind in "TWV"}
        whole = max(abs(sum(s if kind == "T" else -s for (kind, _), s in slopes.items())) for slopes in changed) > ZERO
        rows = [name for name in self.kept if self.rows[name][j] > ZERO]
        return Reasons(by["T"], by["W"], by["V"], rows, self.forces[j] > ZERO, whole, changed[0])

    def _slopes(self, j, where):
        """By complex steps: how a coordinate changes the energies, by kind and name."""
        q = where["q"].astype(complex)
        q[j] += 1j * STEP
        place = self.mechanism.at(**(where | {"q": q}))
        found = {("T", name): place.kinetic(body) for name, body in place.spec["bodies"].items()}
        found |= {("W", name): place.weight(body) for name, body in place.spec["bodies"].items()}
        found |= {("V", name): energy for name, energy in place.potentials().items()}
        return {key: np.imag(value(energy)) / STEP for key, energy in found.items()}


def _sizes(own, found, known, exact):
    spec = own.mechanism.spec
    ignorable = known.ignorable if exact else [v.name for v in found.coordinates if v.ignorable]
    embedded = [name for name in ignorable if name in spec.get("ignorable", ignorable)]
    agree("sizes", (found.m, found.r), (len(known.names), len(known.kept)))
    agree("ignorable coordinates", list(found.embedded), embedded)
    agree("degrees of freedom", (found.p, found.s), (len(known.names) - len(known.kept), len(embedded)))
    left_out = [note.split()[1] for note in found.notes if "is left out" in note]
    agree("constraints left out", left_out, known.idle)
    given = list(spec.get("quasi_velocities", {}))
    if given:
        kept = list(found.quasi_velocities)
        agree("quasi-velocities", kept, [name for name in given if name in kept])
        dropped = [name for name in given if name not in kept]
        told = [note.partition(": ")[2] for note in found.notes if "left to the conserved momenta" in note]
        agree("quasi-velocities left out", told, [", ".join(dropped)] if dropped else [])
    chosen = [note for note in found.notes if note.startswith("no quasi-velocities are given")]
    names = ", ".join(found.quasi_velocities) or "none are needed"
    agree("chosen quasi-velocities", chosen, [] if given else [f"no quasi-velocities are given; chosen: {names}"])
    agree("number of quasi-velocities", len(found.quasi_velocities), found.p - found.s)


def _verdicts(found, known, exact):
    for verdict, expected in zip(found.coordinates, known.reasons, strict=True):
        if verdict.name.startswith("e"):
            continue  # of a quaternion that is no unit, the energies are nobody's meaning
        given = [int(reason.split("condition ")[1][0]) for reason in verdict.reasons]
        agree(f"conditions of {verdict.name}", given, expected.conditions, exact)
        parts = [f"the kinetic energy of {name}" for name in expected.kinetic]
        parts += [f"the weight of {name}" for name in expected.weights]
        parts += [f"the potential {name}" for name in expected.potentials]
        if expected.whole and (
            exact or " more" not in verdict.lagrangian
        ):  # what it takes for guilty may crowd others out
            agree("guilty parts", _listed(verdict.lagrangian, "through "), sorted(parts[:4]), exact)
        if expected.rows:
            told = verdict.constraints.partition("constraint ")[2]
            if exact or expected.rows[0] not in told:  # a zero that roots hide may be told before it
                agree("guilty constraints", told.split()[0].strip(","), expected.rows[0])


def _listed(text, after):
    """The parts that a reason names, without the term that it shows."""
    listed = text.partition(after)[2].partition(";")[0].partition(": ")[0]
    return sorted(part for part in listed.split(", ") if not part.endswith(" more"))


def _start(mechanism, start):
    """The residuals of the given start, and where the projection leads."""
    q, rates = mechanism.initial()
    rows = mechanism.at(q, rates, 0.0).constraints()
    used = mechanism.projected(q, rates, 0.0) if mechanism.spec.get("start", {}).get("project") else (q, rates)
    turned = (
        "unit" in rows and abs(rows["unit"].gap) > NEAR
    )  # off the unit, what a quaternion turns is nobody's meaning
    for name, residual in start.given.items():
        row = rows[name]
        if turned and name != "unit":
            continue
        sizes = [abs(row.value)] if row.gap is None else [abs(row.value), abs(row.gap)]
        if abs(abs(residual) - max(sizes)) > NEAR * (1 + max(sizes)):
            raise Mismatch("check: wrong residuals", f"{name} starts with {residual}, the oracle says {max(sizes)}")
    if used is None:
        return
    if max(map(abs, start.used.values()), default=0.0) > NEAR * (1 + abs(used[1]).max()):
        raise Mismatch("check: wrong residuals", f"after the projection they are {start.used}")
    names = [*mechanism.names, *(f"der({name})" for name in mechanism.names)]
    old, new = np.concatenate([q, rates]), np.concatenate(used)
    told = np.array([start.moved.get(name, (before, before)) for name, before in zip(names, old, strict=True)])
    if turned:  # where the projection leads then depends on how a quaternion that is no unit is meant
        new = _settled(mechanism, told[:, 1])
    for name, before, after, (first, last) in zip(names, old, new, told, strict=True):
        if before == after and name in start.moved:
            raise Mismatch("check: wrong start", f"{name} stays, but {start.moved[name]} is told")
        if not max(abs(first - before), abs(last - after)) <= 1e-6 * (1 + abs(new).max()):
            raise Mismatch(
                "check: wrong start",
                f"{name} goes from {before} to {after} by the oracle, from {first} to {last} by check",
            )


def _settled(mechanism, told):
    """Where the oracle leads what is told: nowhere else, if the constraints hold there."""
    found = mechanism.projected(*np.split(told, 2), 0.0)
    return np.full(len(told), np.nan) if found is None else np.concatenate(found)


def _text(found, known):
    """What is printed says the same."""
    text, m, r, s = found.text(), len(known.names), len(known.kept), len(found.embedded)
    one = {1: ""}  # one coordinate, two coordinates
    head = f"{found.name}: m = {m} coordinate{one.get(m, 's')}, r = {r} constraint{one.get(r, 's')},"
    head += f" p = {m - r} degree{one.get(m - r, 's')} of freedom, s = {s} ignorable"
    speeds = ", ".join(found.quasi_velocities) or "no speeds"
    agree("first lines", text.split("\n")[0], f"{head}; {m - r - s} equation{one.get(m - r - s, 's')} in {speeds}")
    told = {line.split()[0]: " ".join(line.split()[1:]) for line in text.split("\n") if line[:2] == "  " != line[2:4]}
    for name in (verdict.name for verdict in found.coordinates if verdict.ignorable):
        state = "ignorable" if name in found.embedded else "ignorable, but the spec leaves it in"
        agree("printed verdicts", told[name], state)
    agree("printed lines", text, text.strip())
    agree("printed notes", [line[6:] for line in text.split("\n") if line.startswith("note: ")], list(found.notes))


def conserved(own, assembly):
    """Energy is called an invariant where nothing moves by itself and nothing does work."""
    known, spec = own.known, repr(own.mechanism.spec)
    rows = [row for place in known.places for row in place.constraints().values()]
    if re.search(r"\bt\b", spec) or max((abs(row.rest) for row in rows), default=0.0) > ZERO:
        return
    if (own.system.work or known.forces.max() == 0.0) and "energy" not in assembly.invariants:
        raise Mismatch("energy is no invariant", f"but nothing changes it: {assembly.invariants}")
