"""Definition 1: which coordinates are ignorable, decided by meaning, with the reason for each that is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import NoReturn

import numpy as np
from sympy import Expr, Integer, Mul, Pow, expand, factor_terms
from sympy.simplify.fu import TR5

from volterra_cg.arrays import Vector
from volterra_cg.errors import ModelError, ModelErrors
from volterra_cg.formulations.inertia import mass_entry
from volterra_cg.formulations.problem import Asked
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.derivative import Derivative
from volterra_cg.program.field import dependent, independent_rows
from volterra_cg.program.interpret import interpret
from volterra_cg.program.nodes import Input, Node
from volterra_cg.program.text import to_sympy

TERM_NODES, TERM_LENGTH = 40, 90  # a term beyond these is not shown
CERTAIN, ROUNDING = (
    1e-6,
    1e-9,
)  # parts of an energy, and of all, by which it must change with a coordinate to depend on it
SEARCHED = (
    16  # coordinates up to which all energies, and the entries of the mass matrix, are searched for a term to show
)
SHOWN = 32  # coordinates that terms are shown for; of larger mechanisms the first


@dataclass(frozen=True)
class Verdict:
    """The three conditions for one coordinate; each text says what breaks the condition and is empty where it holds."""

    name: str
    lagrangian: str
    constraints: str
    forces: str

    @property
    def ignorable(self) -> bool:
        """Whether all three conditions hold."""
        return not (self.lagrangian or self.constraints or self.forces)

    @property
    def reasons(self) -> tuple[str, ...]:
        """What stands in the way."""
        return tuple(text for text in (self.lagrangian, self.constraints, self.forces) if text)


def verdicts(kinematics: Kinematics, terms: bool = False) -> tuple[Verdict, ...]:
    """Definition 1 for every coordinate; with `terms`, the reasons show what breaks a condition where that is short."""
    energies = _Energies.of(kinematics)
    return tuple(
        _verdict(kinematics, energies, j, terms and j < SHOWN) for j in range(len(kinematics.inputs.coordinates))
    )


@dataclass(frozen=True)
class _Energies:
    """L = T - V, and its parts with what they are and their letter."""

    whole: Node
    parts: list[tuple[str, str, Node]]
    changed: Mapping[Node, Vector]  # whether an energy certainly changes with a coordinate, for each of them

    @classmethod
    def of(cls, kinematics: Kinematics) -> _Energies:
        """Those of a mechanism."""
        parts = [(f"the kinetic energy of {body.name}", "T", body.kinetic) for body in kinematics.bodies]
        parts += [(f"the weight of {body.name}", "V", body.potential) for body in kinematics.bodies]
        parts += [(f"the potential {name}", "V", energy) for name, energy in kinematics.potentials.items()]
        whole = kinematics.kinetic - kinematics.potential
        return cls(whole, parts, _changed(kinematics, [whole, *(part[2] for part in parts)]))

    def dependent(self, nodes: Sequence[Node], coordinate: Input, seed: int) -> list[bool]:
        """Which energies depend on a coordinate: what numbers leave open is decided by fingerprints."""
        sure = [bool(self.changed[node][coordinate.index]) for node in nodes]
        exact = iter(
            dependent([node for node, is_sure in zip(nodes, sure, strict=True) if not is_sure], coordinate, seed)
        )
        return [is_sure or next(exact) for is_sure in sure]


def _changed(kinematics: Kinematics, energies: Sequence[Node]) -> dict[Node, Vector]:
    """Whether each energy changes, far beyond rounding, when one coordinate after the other does."""
    inputs, random = kinematics.inputs, np.random.default_rng(0)
    count = len(inputs.coordinates)
    values: dict[Node, Vector] = {n: np.full(count + 1, x) for n, x in kinematics.given.items()}
    others = (inputs.time, *inputs.rates)
    values |= {node: np.full(count + 1, x) for node, x in zip(others, random.uniform(0.5, 1.5, count + 1), strict=True)}
    for j, node in enumerate(inputs.coordinates):
        values[node] = np.full(count + 1, random.uniform(0.2, 1.2))
        values[node][j] += 0.3
    with np.errstate(all="ignore"):
        found = [np.broadcast_to(energy, count + 1) for energy in interpret(energies, values)]
        rounding = ROUNDING * sum(np.abs(energy[-1]) for energy in found)
        least = [np.maximum(CERTAIN * np.abs(energy[-1]), rounding) for energy in found]
        return {n: np.abs(e[:-1] - e[-1]) > size for n, e, size in zip(energies, found, least, strict=True)}


def _verdict(kinematics: Kinematics, energies: _Energies, j: int, terms: bool) -> Verdict:
    coordinate = kinematics.inputs.coordinates[j]
    return Verdict(
        name=coordinate.name,
        lagrangian=_lagrangian(kinematics, energies, coordinate, terms),
        constraints=_constraints(kinematics, j, terms),
        forces=_forces(kinematics, j, terms),
    )


def _constraints(kinematics: Kinematics, j: int, terms: bool) -> str:
    """The constraints that hold the rate of a coordinate."""
    rows = [row for row in kinematics.rows if j in row.columns]
    if not rows:
        return ""
    term = _term("", rows[0].columns[j] * kinematics.inputs.rates[j]) if terms else ""
    shown = f" in the term {term}" if term else ""
    names = [row.name for row in rows]
    if shown and len(names) > 1:
        return f"condition 2: its rate is in the constraint {names[0]}{shown}, and in {_listed(names[1:], 3)}"
    return f"condition 2: its rate is in the constraint {_listed(names)}{shown}"


def _forces(kinematics: Kinematics, j: int, terms: bool) -> str:
    """The loads that act along a coordinate."""
    force = kinematics.forces[j]
    if force.is_zero:
        return ""
    term = _term("", force) if terms else ""
    reason = f"condition 3: a generalized force acts on it, from {_listed(kinematics.force_names[j])}"
    return f"{reason}: {term}" if term else reason


def _lagrangian(kinematics: Kinematics, energies: _Energies, coordinate: Input, terms: bool) -> str:
    """What of L = T - V depends on the coordinate, if L does."""
    parts = [part for part in energies.parts if part[2].support & coordinate.support]
    nodes = [energies.whole, *(part[2] for part in parts)]
    whole, *found = energies.dependent(nodes, coordinate, kinematics.graph.field.seed)
    if not whole:
        return ""
    guilty = [part for part, is_guilty in zip(parts, found, strict=True) if is_guilty]
    reason = f"condition 1: the Lagrangian depends on it, through {_listed([part[0] for part in guilty])}"
    if not terms:
        return reason
    slope = Derivative({coordinate: kinematics.graph.one})
    most = len(guilty) if len(kinematics.inputs.coordinates) <= SEARCHED else 1
    short = [part for letter in "TV" for part in [part for part in guilty if part[1] == letter][:most]]
    shown = [_term(f"d{letter}/d{coordinate.name} = ", slope(energy)) for _, letter, energy in short]
    term = min((text for text in shown if text), key=len, default="")
    if not term:
        term = _kinetic_term(kinematics, coordinate)
        return f"{reason}: T has the term {term}" if term else reason
    return f"{reason}; for {short[shown.index(term)][0]}, {term}" if len(guilty) > 1 else f"{reason}: {term}"


def _kinetic_term(kinematics: Kinematics, coordinate: Node) -> str:
    """The shortest term of the kinetic energy that holds the coordinate, if it can be shown."""
    rates = kinematics.inputs.rates
    if len(rates) > SEARCHED:
        return ""
    pairs = [(j, k) for j in range(len(rates)) for k in range(j + 1)]
    entries = [mass_entry(kinematics, j, k) for j, k in pairs]
    found = dependent(entries, coordinate, kinematics.graph.field.seed)
    shown = [
        _term("", (entry if j != k else Fraction(1, 2) * entry) * rates[j] * rates[k])
        for (j, k), entry, is_guilty in zip(pairs, entries, found, strict=True)
        if is_guilty
    ]
    return min((text for text in shown if text), key=len, default="")


def _term(label: str, node: Node) -> str:
    """A node as text after a label, or nothing if it is too long to help."""
    if len(_met(node, TERM_NODES + 1)) > TERM_NODES:
        return ""
    expression = to_sympy(node)
    forms = [str(expression)]
    if len(forms[0]) <= 2 * TERM_LENGTH and _expanded_terms(expression) <= TERM_LENGTH:
        # sin^2 + cos^2 = 1, without the cost of a general simplification
        forms.append(str(factor_terms(expand(TR5(expression)))))
    shown = label + min(forms, key=len)
    return shown if len(shown) <= TERM_LENGTH else ""


def _expanded_terms(expression: Expr) -> int:
    """How many terms there are, at most, when products and powers are multiplied out, also inside functions; or too many."""
    parts = [_expanded_terms(part) for part in expression.args]
    match expression:
        case Mul():
            count = prod(parts)
        case Pow(exp=Integer() as exponent):
            power, more = abs(int(exponent)), parts[0] - 1
            count = comb(power + more, more)
        case _:
            count = max(1, sum(parts))
    return min(count, TERM_LENGTH + 1)


def _met(node: Node, most: int) -> set[Node]:
    """Up to `most` of the nodes that one is made of."""
    seen, waiting = {node}, [node]
    while waiting and len(seen) < most:
        fresh = [arg for arg in waiting.pop().args if arg not in seen]
        seen.update(fresh)
        waiting += fresh
    return seen


def _listed(names: list[str] | tuple[str, ...], most: int = 4) -> str:
    shown = list(names[:most])
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return ", ".join(shown)


def _refuse(asked: list[Verdict]) -> NoReturn:
    """Say of each coordinate that is not ignorable, though the spec says so, which conditions fail."""
    remedy = 'take it out of the list, or write ignorable = "auto"'
    raise ModelErrors(
        [
            ModelError(f"{verdict.name} is not ignorable; {'; '.join(verdict.reasons)}", ("ignorable", ""), remedy)
            for verdict in asked
            if not verdict.ignorable
        ]
    )


def choose(kinematics: Kinematics, asked: Asked) -> tuple[int, ...]:
    """The ignorable coordinates to embed: those found, or those asked for if they qualify."""
    found = verdicts(kinematics)
    if any(verdict.name in (asked or ()) and not verdict.ignorable for verdict in found):
        _refuse([verdict for verdict in verdicts(kinematics, terms=True) if verdict.name in (asked or ())])
    chosen = [j for j, v in enumerate(found) if v.ignorable and (asked is None or v.name in asked)]
    _require_mass(kinematics, chosen)
    return tuple(chosen)


def _require_mass(kinematics: Kinematics, chosen: list[int]) -> None:
    """M22 must be regular: a momentum without mass behind it determines no rate."""
    among = set(chosen)
    rows = [{k: mass_entry(kinematics, j, k) for k in kinematics.coupled(j) if k in among} for j in chosen]
    independent = independent_rows(rows)
    for position, j in enumerate(chosen):
        if position not in independent:
            name = kinematics.inputs.coordinates[j].name
            message = f"{name} is ignorable but moves no mass of its own, so its momentum determines nothing: remove it"
            raise ModelError(message, ("coordinates", name))
