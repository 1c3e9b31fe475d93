"""A mechanism at a glance: sizes, ignorable coordinates with the reasons, quasi-velocities and notes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from volterra_cg.formulations.feasibility import Consistency
from volterra_cg.formulations.ignorable import Verdict, verdicts
from volterra_cg.formulations.problem import Problem
from volterra_cg.projection import move_lines


@dataclass(frozen=True)
class Summary:
    """m coordinates, r constraints, p = m - r degrees of freedom, s embedded momenta, p - s equations."""

    name: str
    m: int
    r: int
    s: int
    coordinates: tuple[Verdict, ...]
    embedded: tuple[str, ...]
    quasi_velocities: tuple[str, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    start: Consistency | None = None

    @property
    def p(self) -> int:
        """Degrees of freedom."""
        return self.m - self.r

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        data = asdict(self) | {"p": self.p, "equations": self.p - self.s, "ignorable": list(self.embedded)}
        data["coordinates"] = [
            {"name": v.name, "ignorable": v.ignorable, "reasons": list(v.reasons)} for v in self.coordinates
        ]
        data["errors"] = []
        del data["embedded"]
        return data

    def text(self) -> str:
        """The same for reading."""
        width = max(len(verdict.name) for verdict in self.coordinates)
        lines = [
            f"{self.name}: m = {counted(self.m, 'coordinate')}, r = {counted(self.r, 'constraint')},"
            f" p = {counted(self.p, 'degree')} of freedom, s = {self.s} ignorable;"
            f" {counted(self.p - self.s, 'equation')} in {', '.join(self.quasi_velocities) or 'no speeds'}",
            "",
        ]
        for verdict in self.coordinates:
            if verdict.ignorable:
                state = "ignorable" if verdict.name in self.embedded else "ignorable, but the spec leaves it in"
                lines.append(f"  {verdict.name:<{width}}  {state}")
            else:
                lines.append(f"  {verdict.name:<{width}}  not ignorable: {verdict.reasons[0]}")
                lines += [f"  {'':<{width}}                 {reason}" for reason in verdict.reasons[1:]]
        start = self.start_lines()
        lines += ["", *start] if start else []
        lines += ["", *(f"note: {note}" for note in self.notes)] if self.notes else []
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)

    def start_lines(self) -> list[str]:
        """How well the start satisfies the constraints, and what was moved for it."""
        if self.start is None or not self.start.used:
            return []
        given, used = (max(rows.items(), key=lambda row: abs(row[1])) for rows in (self.start.given, self.start.used))
        if not self.start.moved:
            return [f"start: the constraints hold, with a largest residual of {abs(used[1]):.1e} in {used[0]}"]
        head = f"start: projected on the constraints; the largest residual was {abs(given[1]):.3g} in {given[0]}"
        return [f"{head} and is now {abs(used[1]):.1e}", *move_lines(self.start.moved)]


def summarise(problem: Problem, name: str, warnings: tuple[str, ...] = (), start: Consistency | None = None) -> Summary:
    """The summary of a posed problem."""
    return Summary(
        name=name,
        m=len(problem.kinematics.inputs.coordinates),
        r=len(problem.kinematics.constraints),
        s=len(problem.momenta),
        coordinates=verdicts(problem.kinematics, terms=True),
        embedded=tuple(row.name for row in problem.momenta),
        quasi_velocities=tuple(row.name for row in problem.speeds),
        notes=problem.notes,
        warnings=warnings,
        start=start,
    )


def counted(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
