"""One motion by every formulation, measured by what it conserves and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from volterra_cg import driver
from volterra_cg.errors import InternalError, SpecError, VolterraError
from volterra_cg.options import Options
from volterra_cg.runtime import Run
from volterra_cg.runtime.figure import drift_between_events

Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """What a formulation takes and keeps; one that cannot be built or run has a remark alone."""

    formulation: str
    equations: int = 0
    operations: int = 0
    steps: int = 0
    energy: str = ""
    momenta: str = ""
    remark: str = ""


def compared(path: Path, run: Run, options: Options, formulations: Sequence[str], say: Say | None = None) -> list[Row]:
    """The run itself, and the same motion by the other formulations."""
    rows = []
    for formulation in formulations:
        if formulation == options.formulation:
            rows.append(_row(formulation, run))
            continue
        if say is not None:
            say(f"{formulation}: building and simulating")
        try:
            rows.append(_row(formulation, _again(path, run, replace(options, formulation=formulation))))
        except InternalError:
            raise
        except VolterraError as error:
            remark = error.problems[0].message if isinstance(error, SpecError) else str(error).splitlines()[0]
            rows.append(Row(formulation, remark=remark[:200]))
    return rows


def _again(path: Path, run: Run, options: Options) -> Run:
    """The motion of a run by another model, at the same tolerances."""
    assert run.source is not None  # it was just made
    old, model = run.source, driver.model(path, options)
    count = len(old.model.coordinates)
    rates = old.rates(old.t0, old.z0)
    start = model.start(old.z0[:count], rates, old.parameters, old.signals, old.t0)
    rtol, atol = run.tolerances or (None, None)
    limit = None if atol is None else float(atol.min())
    return start.simulate(t_eval=run.t, rtol=rtol, atol=limit, integrator=run.statistics.integrator)


def _row(formulation: str, run: Run) -> Row:
    report = run.description.report
    drift = drift_between_events(run)
    momenta = [values.max() for name, values in drift.items() if name.startswith("momentum ")]
    return Row(
        formulation,
        report["equations"],
        report["operations"]["total"],
        run.statistics.steps,
        f"{drift['energy'].max():.1e}" if "energy" in drift else "not conserved",
        f"{max(momenta):.1e}" if momenta else "none",
        "; ".join(run.warnings),
    )
