"""One model: all levels and all peers, in turns, cross-checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks import chains

from . import peers
from .harness import Rows, nanoseconds
from .ours import Subject, subject

MODELS = (
    "cart_pendulum",
    "three_bodies",
    "satellite_boom",
    "rolling_disc",
    "andrews",
    *(f"cart_chain_{n}" for n in (2, 4, 8, 16, 32, 64)),
    *(f"space_chain_{n}" for n in (2, 4, 8, 16, 32)),
)
AGREE = 1e-8  # largest difference of accelerations, relative to their size
HEADS = ("model", "by", "operations", "ns", "instructions", "s to derive", "bytes of C", "difference", "note")


@dataclass(frozen=True)
class Row:
    """A line of the table; None is not measured."""

    model: str
    by: str
    operations: int | None = None
    ns: float | None = None
    instructions: int | None = None
    seconds: float | None = None
    c_bytes: int | None = None
    difference: float | None = None
    note: str = ""


def spec_of(name: str, folder: Path) -> Path:
    """A file as it is, a benchmark model by name, or a chain by family and size."""
    if name.endswith(".toml"):
        return Path(name)
    shipped = Path(__file__).parents[1] / "models" / f"{name}.toml"
    if shipped.exists():
        return shipped
    family, _, size = name.rpartition("_")
    path = folder / f"{name}.toml"
    path.write_text({"cart_chain": chains.cart_chain, "space_chain": chains.space_chain}[family](int(size)))
    return path


def measure(name: str, folder: Path, levels: Sequence[int], asked: Sequence[str], callgrind: bool) -> list[Row]:
    """The lines of one model."""
    spec = spec_of(name, folder)
    own = subject(spec, folder / spec.stem, levels)
    others = peers.measured(own, asked, folder / spec.stem)
    named = {
        **{f"level {level.level}": level.loop for level in own.levels},
        **{p.label: p.loop for p in others if p.loop},
    }
    times = nanoseconds([replace(loop, label=label) for label, loop in named.items()])
    rows = [
        Row(
            spec.stem,
            f"level {level.level}",
            level.operations,
            times[f"level {level.level}"],
            level.loop.instructions() if callgrind else None,
            level.seconds,
            level.c_bytes,
            _difference(own, level.loop.values(len(own.states))),
            level.order,
        )
        for level in own.levels
    ]
    return rows + [_peer_row(own, peer, times, callgrind) for peer in others]


def _peer_row(own: Subject, peer: peers.Peer, times: dict[str, float], callgrind: bool) -> Row:
    if peer.failure:
        return Row(own.name, peer.label, note=peer.failure)
    difference = _difference(own, peer.answers()) if peer.answers else None
    return Row(
        own.name,
        peer.label,
        peer.operations,
        times.get(peer.label, peer.ns),
        peer.loop.instructions() if peer.loop and callgrind else None,
        peer.seconds,
        difference=difference,
        note="" if difference is None or difference < AGREE else "DOES NOT AGREE",
    )


def _difference(own: Subject, answers: Rows) -> float:
    """The largest one of q', u' or further states, relative to the largest of its kind; who does not answer dz/dt answers u'."""
    first, last = own.speeds.start, own.speeds.stop
    if answers.shape == own.rates[:, first:last].shape:
        return _apart(answers, own.rates[:, first:last])
    kinds = (slice(0, first), slice(first, last), slice(last, None))
    return max(_apart(answers[:, kind], own.rates[:, kind]) for kind in kinds)


def _apart(answers: Rows, right: Rows) -> float:
    size = float(np.abs(right).max(initial=0.0))
    return float(np.abs(answers - right).max(initial=0.0)) / (size or 1.0)


def table(rows: Sequence[Row]) -> str:
    """The lines as Markdown."""
    lines = [f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
    for row in rows:
        cells = [
            row.model,
            row.by,
            _shown(row.operations, "d"),
            _shown(row.ns, ".0f"),
            _shown(row.instructions, "d"),
            _shown(row.seconds, ".2f"),
            _shown(row.c_bytes, "d"),
            _shown(row.difference, ".0e"),
            row.note.replace("|", "/").replace("\n", " "),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _shown(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
