"""The choice of quasi-velocities: which of the given ones are kept, or of the default ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from volterra_cg.errors import ModelError
from volterra_cg.formulations.default_speeds import default_rows, rates
from volterra_cg.formulations.problem import Integral
from volterra_cg.formulations.rank import MOST, RANK, best_of, independent
from volterra_cg.formulations.regularity import Regularity
from volterra_cg.formulations.speed_sets import MOST_COORDINATES, MOST_SETS, NEARLY, SpeedSet, speed_sets
from volterra_cg.kinematics.types import AffineRow, Kinematics
from volterra_cg.program.nodes import Node


@dataclass(frozen=True)
class Choice:
    """The rows kept, the names of those left out, and what to tell the user.

    `given` if the spec has chosen; `sets` are those that the compiler would choose from, the kept rows first if it has.
    `parts` are the parts of what is given that are about as regular as the kept ones, if more is given than needed.
    """

    kept: tuple[AffineRow, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
    given: bool = True
    sets: Callable[[], tuple[SpeedSet, ...]] = tuple
    parts: tuple[SpeedSet, ...] = ()


def choose(kinematics: Kinematics, embedded: Sequence[Integral]) -> Choice:
    """Rows Y_NI such that [Y_NI; M'; a] is regular, Eq. (44)."""
    momenta = [integral.row for integral in embedded]
    ignorable = [j for integral in embedded for j in integral.direction]
    required = [*kinematics.constraints, *momenta]
    needed = len(kinematics.inputs.coordinates) - len(required)
    if not kinematics.speeds:
        return _by_rule(kinematics, required, needed, ignorable)
    given = kinematics.speeds
    allowed = (needed, needed + len(momenta))
    if len(given) not in allowed:
        counts = " or ".join(str(count) for count in sorted(set(allowed)))
        message = f"{len(given)} quasi-velocities are given, but this mechanism takes {counts}"
        raise ModelError(message, ("quasi_velocities", given[-1].name))
    if len(given) > needed:
        _require_independent_speeds(kinematics)
    kept, parts = _kept(kinematics, required, given, needed), tuple[SpeedSet, ...]()
    if len(kept) == needed < len(given):
        parts = _regular_parts(kinematics, required, given, kept)
        kept = list(parts[0].rows) if parts else _unmixed(given, ignorable, needed) or kept
    if len(kept) < needed:
        raise _singular([row for row in given if row not in kept], momenta)
    names, notes = left_out(kinematics, kept)

    def sets() -> tuple[SpeedSet, ...]:
        return _by_rule(kinematics, required, needed, ignorable).sets()

    return Choice(tuple(kept), names, notes, sets=sets, parts=parts)


def left_out(kinematics: Kinematics, kept: Sequence[AffineRow]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of given quasi-velocities that are not kept, and what to tell the user about them."""
    names = tuple(row.name for row in kinematics.speeds if row not in kept)
    return names, (f"quasi-velocities left to the conserved momenta: {', '.join(names)}",) if names else ()


def _by_rule(kinematics: Kinematics, required: Sequence[AffineRow], needed: int, ignorable: Sequence[int]) -> Choice:
    """The first of the sets that the compiler may choose from, with the others."""
    given = default_rows(kinematics, required, needed, ignorable)
    first = _kept(kinematics, required, given, needed)
    if len(first) < needed:
        raise ModelError("the constraints leave no choice of rates that determines the motion", ("constraints", ""))
    sets = speed_sets(kinematics, required, first, ignorable)
    return Choice(sets[0].rows, (), (), given=False, sets=lambda: sets)


def _kept(
    kinematics: Kinematics, required: Sequence[AffineRow], given: Sequence[AffineRow], needed: int
) -> list[AffineRow]:
    """As many of the given rows as are needed beside the required ones, the most regular if there is a choice."""
    if len(given) > needed:
        pick = best_of(kinematics, _columns(required), _columns(given), needed)
        numbers = pick.numbers if pick else []
    else:
        found = independent(kinematics, _columns([*required, *given]))
        numbers = [number - len(required) for number in found if number >= len(required)]
    return [given[number] for number in numbers]


def _regular_parts(
    kinematics: Kinematics, required: Sequence[AffineRow], given: Sequence[AffineRow], kept: list[AffineRow]
) -> tuple[SpeedSet, ...]:
    """The kept rows and other parts of the given ones, but for what is less regular by far, also along ways on from the start."""
    if len(kinematics.inputs.coordinates) > MOST_COORDINATES or comb(len(given), len(kept)) > MOST:
        return ()
    measure = Regularity(kinematics, required)
    parts = [(least, [given[number] for number in part]) for least, part in measure.parts(given, len(kept))]
    enough = max(NEARLY * max(least for least, _ in parts), RANK)
    regular = sorted([rows for least, rows in parts if least >= enough], key=lambda rows: rows != kept)[:MOST_SETS]
    found = [SpeedSet(tuple(rows), measure.of(rows)) for rows in regular]
    return tuple(one for one in found if one.least)


def _unmixed(given: Sequence[AffineRow], ignorable: Sequence[int], needed: int) -> list[AffineRow]:
    """The given rows without the rates of ignorable coordinates, if they are as many as are needed.

    The momenta determine those rates whatever the others are, so these rows are regular wherever all given ones are.
    """
    found = [row for row in given if not any(j in row.columns for j in ignorable)]
    return found if len(found) == needed else []


def _columns(rows: Sequence[AffineRow]) -> list[Mapping[int, Node]]:
    return [row.columns for row in rows]


def _singular(dropped: Sequence[AffineRow], momenta: Sequence[AffineRow]) -> ModelError:
    names = ", ".join(row.name for row in dropped)
    others = "the constraints, the conserved momenta" if momenta else "the constraints"
    verb = "follow" if len(dropped) > 1 else "follows"
    message = f"[Y; M'; a] is singular everywhere: {names} {verb} from {others} and the other quasi-velocities"
    return ModelError(message, ("quasi_velocities", dropped[0].name), "choose others")


def _require_independent_speeds(kinematics: Kinematics) -> None:
    """Refuse p quasi-velocities that are not p different ones, by name."""
    first = len(kinematics.constraints)
    kept = independent(kinematics, _columns([*kinematics.constraints, *kinematics.speeds]))
    for number, row in enumerate(kinematics.speeds, start=first):
        if number not in kept:
            message = f"quasi-velocity {row.name} follows from the constraints and the quasi-velocities before it"
            raise ModelError(message, ("quasi_velocities", row.name), "choose another")


def choose_all(kinematics: Kinematics, ignorable: Sequence[int]) -> Choice:
    """Rows Y such that [Y; a] is generically regular, Eq. (5): given p - s of them, the rates q_I' are appended."""
    required, given = kinematics.constraints, kinematics.speeds
    needed = len(kinematics.inputs.coordinates) - len(required)
    if not given:
        return _by_rule(kinematics, required, needed, ignorable)
    if len(given) == needed - len(ignorable):
        given = (*given, *rates(kinematics, ignorable))
    elif len(given) != needed:
        counts = " or ".join(str(count) for count in sorted({needed - len(ignorable), needed}))
        message = f"{len(given)} quasi-velocities are given, but this mechanism takes {counts}"
        raise ModelError(message, ("quasi_velocities", given[-1].name))
    kept = _kept(kinematics, required, given, needed)
    if len(kept) < needed:
        raise _singular([row for row in given if row not in kept], ())
    return Choice(tuple(kept), (), ())
