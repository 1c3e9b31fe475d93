"""The page: the mechanism in motion, what was compiled, the equations, what is conserved, and how to repeat it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg import derivation
from volterra_cg.emit import mathml
from volterra_cg.formulations.summary import Summary, counted
from volterra_cg.options import FORMULATIONS, REDUCED, Options
from volterra_cg.runtime import Run
from volterra_cg.runtime.figure import drift_between_events
from volterra_cg.runtime.show import viewer
from volterra_cg.spec import Spec, read

from .compare import Row, compared

Say = Callable[[str], None]
SHORT = 3000  # operations of rhs; the equations of larger models are not shown
WIDE = 1500  # characters of an equation that may be wider than a page
LONGEST = 900_000  # characters of equations
CONDITIONS = (
    "A coordinate is ignorable if the Lagrangian does not depend on it (condition 1), its rate is in no constraint (condition 2),"
    " and no generalized force acts on it (condition 3). Its momentum is then constant."
)


def report(
    path: Path, run: Run, command: str, options: Options, *, compare: bool = True, say: Say | None = None
) -> str:
    """The whole page about the spec at a path and a run of its model."""
    spec = read(path, options.allow_include)
    summary = derivation.check(path, options.allow_include)
    rows = compared(path, run, options, FORMULATIONS if compare else (options.formulation,), say)
    style = (files(__package__) / "report.css").read_text(encoding="utf-8")
    parts = [
        f"<header><h1>{escape(run.description.name)}</h1>",
        f'<p class="about">{escape(spec.mechanism.about)}</p></header>',
        f'<section aria-label="motion">{viewer.embedded(run)}</section>',
        _compiled(run, summary, spec),
        _equations(path, run, options),
        _conserved(run),
        _comparison(rows) if compare else "",
        _reproduce(run, spec, command),
    ]
    return viewer.document(f"{run.description.name}: report", "<main>" + "\n".join(parts) + "</main>", style)


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()) -> str:
    """A table whose texts are escaped, without empty columns; `numbers` are those to be lined up on the right."""
    told = list(rows)
    used = [k for k in range(len(heads)) if any(row[k] != "" for row in told)]

    def cell(kind: str, k: int, value: object) -> str:
        text = value.html if isinstance(value, _Html) else escape(str(value))
        return f"<{kind}{' class=number' if k in numbers else ''}>{text}</{kind}>"

    head = "".join(cell("th", k, heads[k]) for k in used)
    body = "".join(f"<tr>{''.join(cell('td', k, row[k]) for k in used)}</tr>" for row in told)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


class _Html:
    """What is markup already."""

    def __init__(self, html: str) -> None:
        self.html = html


def _name(name: str) -> _Html:
    """A name as it stands in formulas."""
    return _Html(f"<math>{mathml.name(name)}</math>")


def _compiled(run: Run, summary: Summary, spec: Spec) -> str:
    told = run.description
    sizes = (
        f"{counted(summary.m, 'coordinate')}, {counted(summary.r, 'constraint')}, {counted(summary.p, 'degree')} of freedom,"
        f" {counted(summary.s, 'ignorable coordinate')}: {counted(told.report['equations'], 'equation')} of motion"
        f" ({told.report['formulation']}), {told.report['operations']['total']} operations in one evaluation."
    )
    about = {str(c.name): c.about for c in spec.mechanism.coordinates}
    coordinates = [
        (
            _name(v.name),
            told.unit_of(v.name),
            about.get(v.name, ""),
            "ignorable" if v.ignorable else "; ".join(v.reasons),
        )
        for v in summary.coordinates
    ]
    others = {str(p.name): p.about for p in spec.mechanism.parameters}
    parameters = [(n, f"{v:.6g}", told.unit_of(n), others.get(n, "")) for n, v in run.parameters.items()]
    kept = ", ".join(told.invariants) or "none"
    speeds = " ".join(_name(name).html for name in told.quasi_velocities) or "none"
    notes = "".join(f"<p>{escape(note)}</p>" for note in (*summary.notes, *summary.warnings))
    return _section(
        "What was compiled",
        f"<p>{escape(sizes)}</p>",
        _table(("coordinate", "unit", "what it is", "ignorable, or why not"), coordinates),
        f"<p>{escape(CONDITIONS)}</p>",
        f"<p>Quasi-velocities: {speeds}. Constants of motion: {escape(kept)}.</p>",
        _table(("parameter", "value", "unit", "what it is"), parameters, (1,)) if parameters else "",
        notes,
        _moved(run),
    )


def _moved(run: Run) -> str:
    """The start values that were moved onto the constraints."""
    moved = {} if run.source is None else run.source.moved
    rows = [(name, f"{old:.9g}", f"{new:.9g}") for name, (old, new) in moved.items()]
    return _table(("moved onto the constraints", "given", "start"), rows, (1, 2)) if rows else ""


def _equations(path: Path, run: Run, options: Options) -> str:
    """The equations; those of large models are no reading."""
    size = run.description.report["operations"]["total"]
    text = ""
    if size <= SHORT:
        text = derivation.derive(path, options, "mathml")
    if not text or len(text) > LONGEST:
        return _section(
            "Equations", f"<p>They take {size} operations and are not shown: volterra-cg derive prints them.</p>"
        )
    cut = re.sub('<math display="block">.*?</math>', lambda found: wrapped(found[0]), text, flags=re.DOTALL)
    return _section("Equations", f'<div class="wide later">{cut}</div>')  # laid out when it is scrolled to


def wrapped(math: str) -> str:
    """A long equation cut before the terms of its sum, where its lines may end: browsers break no formula by themselves."""
    stack, cuts = list[str](), [0]
    for tag in re.finditer(r"<(/?)(\w+)[^>]*>", math):
        if tag[1]:
            stack.pop()
            continue
        if stack == ["math", "mrow", "mrow"] and tag[2] == "mo" and math[tag.end()] in "+-":
            cuts.append(tag.start())
        stack.append(tag[2])
    if len(math) < WIDE or len(cuts) < 3:
        return math
    first, *others = (math[begin:end] for begin, end in pairwise([*cuts, len(math)]))
    parts = [first, *(other.replace("<mo>", '<mo form="infix">', 1) for other in others)]
    lines = '</mrow></mrow></math> <math displaystyle="true"><mrow><mrow>'.join(parts)
    return '<p class="formula">' + lines.replace(' display="block"', ' displaystyle="true"', 1) + "</p>"


def _conserved(run: Run) -> str:
    told, drift = run.description, drift_between_events(run)
    rows: list[tuple[object, ...]] = [
        (name, f"{run.y[0, told.index_of(name)]:.9g}", told.unit_of(name), f"{drift[name].max():.1e}")
        for name in told.invariants
    ]
    residuals = [
        (name, f"{run[name][0] + 0.0:.1e}", f"{np.abs(run[name]).max():.1e}")
        for name in run.names
        if name.startswith("constraint ")
    ]
    state = "good" if run.ok and not run.warnings else "warning"
    words = run.warnings or ("Nothing drifts by more than the tolerances allow." if rows or residuals else "",)
    verdict = "".join(f"<p>{escape(text)}</p>" for text in (run.message, *words) if text)
    return _section(
        "What is conserved",
        f'<div class="{state}">{verdict}</div>',
        _table(("constant of motion", "at the start", "unit", "largest relative drift"), rows, (1, 3)) if rows else "",
        _table(("constraint", "at the start", "largest residual"), residuals, (1, 2)) if residuals else "",
    )


def _comparison(rows: Sequence[Row]) -> str:
    shown = [
        (r.formulation, r.equations, r.operations, r.steps, r.energy, r.momenta, r.remark) if r.equations else
        (r.formulation, "", "", "", "", "", r.remark)
        for r in rows
    ]  # fmt: skip
    heads = ("formulation", "equations", "operations", "steps", "energy drift", "momentum drift", "remark")
    about = (
        "The same motion by other formulations, at the same tolerances. Momenta that a formulation embeds hold to rounding;"
        f" {REDUCED} is the default."
    )
    return _section("Formulations compared", f"<p>{escape(about)}</p>", _table(heads, shown, (1, 2, 3, 4, 5)))


def _reproduce(run: Run, spec: Spec, command: str) -> str:
    facts = [(name.replace("_", " "), _fact(value)) for name, value in run.provenance.items()]
    texts = "\n".join("\n".join(lines) for lines in spec.places.texts.values())
    return _section(
        "How to repeat it",
        f"<pre>{escape(command)}</pre>",
        _table(("", ""), facts),
        f"<details><summary>The spec</summary><pre>{escape(texts)}</pre></details>",
    )


def _fact(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
