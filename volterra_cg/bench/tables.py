"""The results for reading: the same text is Markdown in a file and aligned columns on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from volterra_cg.integrators import FIXED_STEP
from volterra_cg.options import TABLE

from .compare import Measured, System
from .models import LABELS, REFERENCE
from .paper import CASES, Printed

BAR = 40  # characters of the longest bar
EQUATIONS = {row.name: row.equations for row in TABLE}  # the paper's Table 1

LEGEND = (
    "How to read this. *Times* are processor time of a whole integration in C, median of interleaved runs on one core. "
    "*Errors* are 2-norms over all samples, as in the paper: energy and momentum relative to their first values, "
    "constraints absolute. *Operations* are additions, multiplications, divisions and elementary functions in one "
    "evaluation of the right side. A number in parentheses is the paper's own, where it prints one (its times are "
    "MATLAB's, in seconds). *dense* is the reduced form with the dense solve that the other formulations use; the line "
    "below it is in the elimination order that the compiler chose, so that what the formulation gains and what the "
    "compiler gains can be told apart."
)


def document(systems: Sequence[System], machine: dict[str, Any]) -> str:
    """Everything, as Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    head = [
        "# One mechanism, every formulation",
        f"{machine['processor']}, {machine['system']}, {machine['compiler']}, `{machine['flags']}`, "
        f"Python {machine['python']}, {versions}.",
        LEGEND,
    ]
    return "\n\n".join([*head, *(section(system) for system in systems)]) + "\n"


def section(system: System) -> str:
    """One system: ratios, the paper's rows, ours, and what does not apply."""
    case = CASES.get(system.name)
    report = system.measured[0].model.report
    control, t_end, dt = system.control, system.t_end, system.dt
    sizes = ", ".join(f"{letter} = {report[letter]}" for letter in ("m", "r", "p", "s"))
    step = "" if control.max_step is None else f", steps of at most {control.max_step:g}"
    tolerances = "" if control.integrator in FIXED_STEP else f" (rtol {control.rtol:g}, atol {control.atol:g}{step})"
    parts = [
        f"## {system.name}{f': {case.title}' if case else ''}",
        f"{sizes}; {control.integrator}{tolerances} to t = {t_end:g}, results every {dt:g}.",
    ]
    rows = ordered(system.measured)
    if system.reference:
        parts += [f"### Time beside {REFERENCE}", "```\n" + _bars(rows, system.reference) + "\n```"]
    title = f"### Rows of the paper's Table {case.table}" if case else "### Rows of the paper's tables"
    parts += [title, _paper_table(system, rows), "### What one evaluation costs", _cost_table(system, rows)]
    if case and case.remark:
        parts.append(case.remark)
    parts += [f"- {label} is left out: {reason}" for label, reason in system.refused.items()]
    return "\n\n".join(parts)


def ordered(measured: Sequence[Measured]) -> list[Measured]:
    """In the order of the table of formulations, ours last."""
    return sorted(measured, key=lambda item: LABELS.index(item.label))


def _bars(rows: Sequence[Measured], reference: Measured) -> str:
    """The ratios of time as bars, one line a formulation."""
    ratios = [item.timing.beside(reference.timing) for item in rows]
    width = max(len(item.label) for item in rows)
    unit = BAR / max(ratios)
    return "\n".join(
        f"{item.label:<{width}}  {ratio:5.2f} x  {'#' * max(1, round(unit * ratio))}"
        for item, ratio in zip(rows, ratios, strict=True)
    )


def _paper_table(system: System, rows: Sequence[Measured]) -> str:
    case = CASES.get(system.name)
    momentum = system.measured[0].model.report["ignorable"]
    columns: list[tuple[str, Callable[[Measured, Printed | None], str]]] = [
        ("states", lambda m, p: _beside(m.model.report["states"], p.states if p else None, "d")),
        ("equations", lambda m, p: _beside(m.model.report["equations"], p.equations if p else None, "d")),
        ("Table 1", lambda m, _: EQUATIONS[m.model.report["formulation"]]),
        ("time [ms]", lambda m, p: f"{1e3 * m.timing.median:.3g}" + (f" ({p.cpu_seconds:g} s)" if p else "")),
        ("energy error", lambda m, p: _beside(m.norms["energy_error"], p.energy_error if p else None, ".2e")),
        (
            "constraint error",
            lambda m, p: _beside(m.norms["constraint_error"], p.constraint_error if p else None, ".2e"),
        ),
        (
            f"momentum error{f' ({momentum[0]})' if momentum else ''}",
            lambda m, p: _beside(m.norms["momentum_error"], p.momentum_error if p else None, ".2e"),
        ),
    ]
    printed = case.columns if case else {}
    lines = [["formulation", *(title for title, _ in columns)]]
    lines += [[_named(m.label), *(cell(m, printed.get(m.label)) for _, cell in columns)] for m in rows]
    return _table(lines)


def _cost_table(system: System, rows: Sequence[Measured]) -> str:
    reference = system.reference
    counted = any(item.instructions is not None for item in rows)
    head = [
        "formulation",
        "operations",
        "beside ours",
        "ns per rhs",
        "beside ours",
        "rhs calls",
        "steps",
        "time quartiles [ms]",
    ]
    lines = [head + (["instructions"] if counted else [])]
    for m in rows:
        statistics = m.run.statistics
        line = [
            _named(m.label),
            str(m.operations),
            _ratio(m.operations, reference.operations if reference else None),
            f"{m.ns_per_rhs:.1f}",
            _ratio(m.ns_per_rhs, reference.ns_per_rhs if reference else None),
            str(statistics.rhs_calls),
            str(statistics.steps),
            " to ".join(f"{1e3 * value:.3g}" for value in m.timing.quartiles),
        ]
        lines.append(line + ([str(m.instructions or "-")] if counted else []))
    return _table(lines)


def _named(label: str) -> str:
    return f"**{label}**" if label == REFERENCE else label


def _ratio(value: float, unit: float | None) -> str:
    return f"{value / unit:.2f} x" if unit else "-"


def _beside(value: float | None, printed: float | None, form: str) -> str:
    """Our number, and the paper's in parentheses."""
    ours = "-" if value is None else _exact(format(value, form))
    return ours if printed is None else f"{ours} ({'0' if printed == 0 else _exact(format(printed, form))})"


def _exact(text: str) -> str:
    return "0" if text == "0.00e+00" else text


def _table(lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table with its columns aligned."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]

    def row(cells: Sequence[str]) -> str:
        return "| " + " | ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([row(lines[0]), rule, *(row(line) for line in lines[1:])])
