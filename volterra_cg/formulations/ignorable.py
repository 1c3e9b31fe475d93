"""Definition 1: which coordinates are ignorable, decided by meaning, with the reason for each that is not."""

from __future__ import annotations

from dataclasses import dataclass

from volterra_cg.errors import ModelError
from volterra_cg.formulations.inertia import mass_entry
from volterra_cg.kinematics.types import Kinematics
from volterra_cg.program.field import depends, independent_rows
from volterra_cg.program.nodes import Node


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


def verdicts(kinematics: Kinematics) -> tuple[Verdict, ...]:
    """Definition 1 for every coordinate."""
    return tuple(_verdict(kinematics, j) for j in range(len(kinematics.inputs.coordinates)))


def _verdict(kinematics: Kinematics, j: int) -> Verdict:
    coordinate = kinematics.inputs.coordinates[j]
    rows = [row.name for row in kinematics.constraints if j in row.columns]
    force = kinematics.forces[j]
    return Verdict(
        name=coordinate.data.name,
        lagrangian=_lagrangian(kinematics, coordinate),
        constraints=f"condition 2: its rate is in the constraint {_listed(rows)}" if rows else "",
        forces=""
        if force.is_zero
        else f"condition 3: a generalized force acts on it, from {_listed(kinematics.force_names[j])}",
    )


def _lagrangian(kinematics: Kinematics, coordinate: Node) -> str:
    """What of L = T - V depends on the coordinate, if L does."""
    seed = kinematics.graph.field.seed
    kinetic, potential = kinematics.kinetic, kinematics.potential
    if not depends((kinetic - potential,), coordinate, seed):
        return ""
    sources = [f"the kinetic energy of {b.name}" for b in kinematics.bodies if depends((b.kinetic,), coordinate, seed)]
    sources += [f"the weight of {b.name}" for b in kinematics.bodies if depends((b.potential,), coordinate, seed)]
    sources += [f"the potential {n}" for n, v in kinematics.potentials.items() if depends((v,), coordinate, seed)]
    return f"condition 1: the Lagrangian depends on it, through {_listed(sources)}"


def _listed(names: list[str] | tuple[str, ...], most: int = 4) -> str:
    shown = list(names[:most])
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return ", ".join(shown)


def choose(kinematics: Kinematics, asked: tuple[str, ...] | None) -> tuple[int, ...]:
    """The ignorable coordinates to embed: those found, or those asked for if they qualify."""
    found = verdicts(kinematics)
    if asked is not None:
        for verdict in found:
            if verdict.name in asked and not verdict.ignorable:
                message = f"{verdict.name} is not ignorable; {'; '.join(verdict.reasons)}"
                raise ModelError(message, ("coordinates", verdict.name))
    chosen = [j for j, v in enumerate(found) if v.ignorable and (asked is None or v.name in asked)]
    _require_mass(kinematics, chosen)
    return tuple(chosen)


def _require_mass(kinematics: Kinematics, chosen: list[int]) -> None:
    """M22 must be regular: a momentum without mass behind it determines no rate."""
    rows = [{k: mass_entry(kinematics, j, k) for k in chosen} for j in chosen]
    independent = independent_rows(rows)
    for position, j in enumerate(chosen):
        if position not in independent:
            name = kinematics.inputs.coordinates[j].data.name
            message = f"{name} is ignorable but moves no mass of its own, so its momentum determines nothing: remove it"
            raise ModelError(message, ("coordinates", name))
