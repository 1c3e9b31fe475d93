"""bench: every formulation on a mechanism, as tables, data and figures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from volterra_cg.bench import Settings, System, compare
from volterra_cg.bench.paper import specs
from volterra_cg.bench.record import machine, record
from volterra_cg.bench.tables import document
from volterra_cg.files import replacing, unwritten
from volterra_cg.options import FORMULATIONS

from .specs import existing
from .terminal import say


def bench(chosen: argparse.Namespace) -> int:
    """Compare, write what was asked for and print the tables."""
    settings = Settings(
        formulations=_formulations(chosen.formulations),
        integrator=chosen.integrator,
        t_end=chosen.t_end,
        dt=chosen.dt,
        rtol=chosen.rtol,
        atol=chosen.atol,
        max_step=chosen.max_step,
        repeat=chosen.repeat,
        callgrind=chosen.callgrind,
        optimise=chosen.optimise,
    )
    systems = [compare(existing(spec), settings, say) for spec in chosen.specs or specs()]
    data, text = record(systems, settings), document(systems, machine())
    written = _write(systems, chosen.out, text, json.dumps(data, indent=2)) if chosen.out else []
    print(json.dumps(data, indent=2) if chosen.json else text)
    for path in written:
        say(str(path))
    return 0


def _formulations(text: str) -> tuple[str, ...]:
    return FORMULATIONS if text == "all" else tuple(part.strip() for part in text.split(",") if part.strip())


def _write(systems: list[System], folder: Path, text: str, data: str) -> list[Path]:
    from volterra_cg.bench.figures import figures

    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = [folder / "bench.md", folder / "bench.json"]
        for path, content in zip(written, (text, f"{data}\n"), strict=True):
            with replacing(path) as fresh:
                fresh.write_text(content, encoding="utf-8")
        for system in systems:
            say(f"{system.name}: drawing")
            written += figures(system, folder)
    except OSError as error:
        raise unwritten(folder, error) from error
    return written
