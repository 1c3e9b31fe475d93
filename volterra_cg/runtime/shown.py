"""How models, starts, runs and linearisations show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

MOST = 12  # rows of a table; more are counted


def page(title: str, facts: Mapping[str, object], *tables: str) -> str:
    """A heading, facts one to a line, and tables; every text is escaped."""
    lines = "".join(f"<div><b>{escape(name)}</b> {escape(str(value))}</div>" for name, value in facts.items() if value)
    return f"<div><div><b>{escape(title)}</b></div>{lines}{''.join(tables)}</div>"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts and numbers."""
    given = list(rows)
    if not given:
        return ""
    body = "".join(f"<tr>{''.join(f'<td>{escape(_cell(cell))}</td>' for cell in row)}</tr>" for row in given[:MOST])
    more = f"<tr><td>and {len(given) - MOST} more</td></tr>" if len(given) > MOST else ""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}{more}</tbody></table>"


def matrix(rows: Sequence[str], columns: Sequence[str], values: Any) -> str:
    """A matrix with names."""
    return table(["", *columns], [[name, *row] for name, row in zip(rows, np.asarray(values), strict=True)])


def text(rows: Sequence[str], columns: Sequence[str], values: Any) -> str:
    """A matrix with names as lines of text."""
    cells = [
        ["", *columns],
        *([name, *(f"{value:.4g}" for value in row)] for name, row in zip(rows, values, strict=True)),
    ]
    widths = [max(len(line[k]) for line in cells) for k in range(len(cells[0]))]
    lines = (
        (line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))) for line in cells
    )
    return "\n".join("  ".join(line) for line in lines)


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
