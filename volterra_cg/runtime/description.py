"""What a generated model says about itself, typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, NoReturn, TypeVar

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import InternalError, OptionError

V = TypeVar("V")
STRAY = (
    1e-4  # residual of a redundant constraint that is not kept; or 100 times the relative tolerance, if that is more
)
ENERGIES = ("kinetic_energy", "potential_energy", "energy")
# the columns made of the groups of outputs, by their labels
GROUPS = {
    "rates": "der({})",
    "accelerations": "der(der({}))",
    "momenta": "momentum {}",
    "constraints": "constraint {}",
    "positions": "constraint {} (position)",
    "signals": "{}",
}
MOMENTA = {"m": "kg m/s", "rad": "kg m^2/s"}  # by the unit of the coordinate, in SI
SI = frozenset(["kg", "m", "s", "rad", "N", "J", "W", "Hz", "A", "V", "C", "F", "H", "Pa", "K", "mol"])


class ReadOnly(dict[str, V]):
    """Values by name that are only shown; `dict(...)` of it, or a union with another, can be changed."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "these values are only shown and cannot be changed here: start(q, qd, params, signals) binds others"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, V]]]:
        return type(self), (dict(self),)


@dataclass(frozen=True)
class Output:
    """A named stretch of the output vector y; `user` marks those that the spec asks for."""

    name: str
    offset: int
    size: int
    labels: tuple[str, ...]
    user: bool = False

    @property
    def where(self) -> slice:
        return slice(self.offset, self.offset + self.size)


@dataclass(frozen=True)
class SpecEvent:
    """An event of the spec: zero crossings of the output of that name, and whether the model changes the state there.

    `direction` is "rising", "falling" or "both".
    """

    name: str
    output: str
    direction: str
    terminal: bool
    changes: bool


@dataclass(frozen=True)
class Limit:
    """What masses, sizes, inertias and restitutions must keep: `rule` for `what`, which is made of `parameters`."""

    what: str
    rule: str
    parameters: tuple[str, ...]

    def broken(self, values: Mapping[str, float]) -> str:
        """What to say of parameters that break it."""
        given = ", ".join(f"{name} = {values[name]:g}" for name in self.parameters)
        return f"{self.what} is impossible with {given}: {self.rule}"


@dataclass(frozen=True)
class Chart:
    """Another choice of quasi-velocities, and of constraints to solve for, where the model's own is singular."""

    quasi_velocities: tuple[str, ...]
    solved: tuple[str, ...]
    checks: tuple[str, ...]


@dataclass(frozen=True)
class Description:
    """The parts of a report that the runtime needs."""

    name: str
    coordinates: tuple[str, ...]
    quasi_velocities: tuple[str, ...]
    states: tuple[str, ...]
    ignorable: tuple[str, ...]
    constraints: tuple[str, ...]
    parameters: Mapping[str, float]
    signals: Mapping[str, float]
    units: Mapping[str, str]
    checks: tuple[str, ...]
    invariants: tuple[str, ...]
    outputs: Mapping[str, Output]
    simulation: Mapping[str, float]
    project: tuple[str, ...]
    report: Mapping[str, Any]
    events: tuple[SpecEvent, ...] = ()
    limits: tuple[Limit, ...] = ()
    charts: tuple[Chart, ...] = ()  # beside the first
    redundant: tuple[str, ...] = ()  # constraints that follow from the others
    smooth: bool = False  # whether the equations are known to have no kink or jump

    @property
    def changes_rows(self) -> bool:
        """Whether the constraints that are solved for change along a motion: what some miss, the others then magnify."""
        return bool(self.redundant and self.charts)

    @property
    def one_by_one(self) -> bool:
        """Whether trajectories are not solved in lanes: each changes charts for itself, or has its own dependent constraints."""
        return bool(self.redundant or self.charts)

    def strays(self, y: Vector, rtol: float) -> str:
        """The redundant constraint on positions that a run does not keep, from its outputs: it follows from others no more."""
        positions = self.outputs.get("positions")
        if not self.redundant or positions is None or not y.size:
            return ""
        limit = max(STRAY, 100 * rtol)
        residuals = np.abs(y[:, positions.where]).max(axis=0)
        size = dict(zip(positions.labels, residuals, strict=True))
        return next((name for name in self.redundant if size.get(name, 0.0) > limit), "")

    def check(self, number: int, chart: int = 0) -> str:
        """What is wrong where a divisor of a chart vanishes; with several charts, in whose quasi-velocities."""
        own = self.charts[chart - 1] if chart else None
        checks, names = (self.checks, self.quasi_velocities) if own is None else (own.checks, own.quasi_velocities)
        what = checks[number] if 0 <= number < len(checks) else f"check {number} failed"
        return f"{what} (in the chart of {', '.join(names)})" if self.charts else what

    def output(self, name: str) -> Output:
        if name not in self.outputs:
            raise InternalError(f"the model {self.name} has no output {name}; it has {', '.join(self.outputs)}")
        return self.outputs[name]

    def scalar(self, name: str) -> int:
        """The place in y of an output that is one number, of der(q) or der(der(q)), or of a signal given by an expression."""
        places = {output.name: output.offset for output in self.outputs.values() if output.size == 1}
        for part, pattern in (("rates", "der({})"), ("accelerations", "der(der({}))")):
            first = self.output(part).offset
            places |= {pattern.format(q): first + number for number, q in enumerate(self.coordinates)}
        places |= self.computed_signals
        if name not in places:
            raise unknown("scalar output", name, places)
        return places[name]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The places in y of what has a name of its own, in the order of columns."""
        named = [(output.name, output) for output in self.outputs.values() if output.name in ENERGIES or output.user]
        places: dict[str, int] = {}
        for name, output in named:
            parts = [name] if output.size == 1 else [f"{name}.{part}" for part in _parts(output)]
            places |= {part: output.offset + k for k, part in enumerate(parts)}
        for part, pattern in GROUPS.items():
            for number, label in enumerate(self.outputs[part].labels if part in self.outputs else ()):
                places.setdefault(pattern.format(label), self.outputs[part].offset + number)
        return ReadOnly(places)

    @property
    def computed_signals(self) -> dict[str, int]:
        """The places in y of the signals that the spec gives by expressions."""
        found = self.outputs.get("signals")
        return {name: found.offset + k for k, name in enumerate(found.labels)} if found else {}

    def no_signal(self, name: str) -> OptionError:
        """An error for a name by which no signal can be set."""
        if name in self.computed_signals:
            return OptionError(
                f"the spec gives the signal {name} by an expression, so it cannot be set: write a number there"
            )
        return unknown("signal", name, self.signals)

    def signals_in(self, y: Vector) -> dict[str, Vector]:
        """The signals that the spec gives by expressions, shape (times,) each, from outputs, shape (times, outputs)."""
        return {name: y[:, place] for name, place in self.computed_signals.items()} if y.size else {}

    @property
    def user_columns(self) -> tuple[str, ...]:
        """The columns of the outputs that the spec asks for."""
        own = {range(o.offset, o.offset + o.size) for o in self.outputs.values() if o.user}
        return tuple(name for name, place in self.places.items() if any(place in stretch for stretch in own))

    def unit_of(self, column: str) -> str:
        """The unit of a column, as far as the spec tells it; a spec in SI units has energies in J and momenta to match."""
        if column == "t":
            return "s"
        if column in self.units:
            return self.units[column]
        for start, power in (("der(der(", "/s^2"), ("der(", "/s")):
            unit = self.units.get(column.removeprefix(start).rstrip(")")) if column.startswith(start) else None
            if unit:
                return f"{unit}{power}"
        if not self._in_si:
            return ""
        coordinate = column.removeprefix("momentum ")
        momentum = MOMENTA.get(self.units.get(coordinate, ""), "") if coordinate != column else ""
        return "J" if column in ENERGIES else momentum

    def units_of(self, columns: Iterable[str]) -> dict[str, str]:
        """The units of those columns that have one."""
        return {column: unit for column in columns if (unit := self.unit_of(column))}

    @property
    def _in_si(self) -> bool:
        """Whether the spec gives some units, and all of them in SI."""
        words = {word for unit in self.units.values() for word in re.findall("[^\\W\\d_]+", unit)}
        return bool(words) and words <= SI

    def gap_rate(self, event: str) -> int:
        """The place in y of the rate at which the gap of an impact opens; -1 for other events."""
        rates = self.outputs.get("gap_rates")
        return rates.offset + rates.labels.index(event) if rates and event in rates.labels else -1

    def label_of(self, place: int) -> str:
        """The name of what stands at a place in y."""
        for output in self.outputs.values():
            number = place - output.offset
            if 0 <= number < output.size:
                within = output.labels[number] if number < len(output.labels) else number
                return output.name if output.size == 1 else f"{output.name} of {within}"
        return f"number {place}"

    def index_of(self, invariant: str) -> int:
        """The place in y of an invariant: an output of that name, or one of the momenta."""
        if invariant in self.outputs:
            return self.outputs[invariant].offset
        momenta = self.output("momenta")
        for number, label in enumerate(momenta.labels):
            if invariant in (label, f"momentum {label}"):
                return momenta.offset + number
        raise InternalError(f"the model {self.name} lists the invariant {invariant} but does not compute it")


def describe(report: Mapping[str, Any]) -> Description:
    """Read a report; a missing entry is a defect of whoever wrote it."""
    try:
        return Description(
            name=report["name"],
            coordinates=tuple(report["coordinates"]),
            quasi_velocities=tuple(report["quasi_velocities"]),
            states=tuple(report["state_names"]),
            ignorable=tuple(report["ignorable"]),
            constraints=tuple(report["constraints"]),
            parameters=ReadOnly({name: float(value) for name, value in report["parameters"].items()}),
            signals=ReadOnly({name: float(value) for name, value in report["signals"].items()}),
            units=ReadOnly(report["units"]),
            checks=tuple(report["checks"]),
            invariants=tuple(report["invariants"]),
            outputs=ReadOnly(_outputs(report["outputs"])),
            simulation=ReadOnly({name: value for name, value in report["simulation"].items() if value is not None}),
            project=tuple(report.get("project", ())),
            report=ReadOnly(report),
            events=tuple(SpecEvent(**event) for event in report.get("events", ())),
            redundant=tuple(report.get("redundant", ())),
            smooth=bool(report.get("smooth")),
            charts=tuple(
                Chart(tuple(e["quasi_velocities"]), tuple(e["solved"]), tuple(e["checks"]))
                for e in report.get("charts", ())
            ),
            limits=tuple(Limit(e["what"], e["rule"], tuple(e["parameters"])) for e in report.get("limits", ())),
        )
    except KeyError as error:
        raise InternalError(f"the report of the model lacks {error}") from None


def _outputs(entries: Sequence[Mapping[str, Any]]) -> dict[str, Output]:
    outputs: dict[str, Output] = {}
    for entry in entries:
        if entry["name"] in outputs:
            raise InternalError(f"the report of the model has two outputs called {entry['name']}")
        outputs[entry["name"]] = _output(entry)
    return outputs


def _output(entry: Mapping[str, Any]) -> Output:
    labels = tuple(entry.get("labels") or [entry["name"]] * (entry["size"] == 1))
    return Output(entry["name"], entry["offset"], entry["size"], labels, bool(entry.get("user")))


def _parts(output: Output) -> Sequence[str]:
    """The names of the components of an output."""
    if len(output.labels) == output.size:
        return output.labels
    return "xyz" if output.size == 3 else [str(k) for k in range(output.size)]


def article(kind: str) -> str:
    """The one that goes with a word."""
    return "an" if kind[0] in "aeiou" else "a"


def unknown(kind: str, name: str, known: Iterable[str]) -> OptionError:
    """An error for a name that the model does not have, with the nearest that it has."""
    if not isinstance(name, str):
        return OptionError(f"the name of {article(kind)} {kind} must be a string, not {name!r}")
    names = list(known)
    near = get_close_matches(name, names, 1) or get_close_matches(name.lower(), names, 1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(names)}" if names else "; there is none"
    return OptionError(f"no {kind} is called {name!r}{hint}")
