"""sweep: a grid of simulations into one file."""

from __future__ import annotations

import argparse

from volterra_cg.errors import IntegrationError
from volterra_cg.sweep import Job, grid
from volterra_cg.sweep import sweep as run

from .simulate import model_of, run_options, settings
from .terminal import bar, say


def sweep(chosen: argparse.Namespace) -> int:
    """Compute what is not there yet, write the file and say how it went."""
    job = Job(
        model=model_of(chosen.spec, run_options(chosen)),
        grid=grid(chosen.vary, chosen.samples, chosen.design, chosen.seed),
        values=dict(chosen.values),
        initial=dict(chosen.initial),
        **settings(chosen),
        reduce=chosen.reduce,
    )
    try:
        with bar() as progress:
            done = run(job, chosen.out, chosen.workers, progress, restart=chosen.restart)
    except KeyboardInterrupt:
        say(f"finished runs are kept beside {chosen.out}; the same command continues from there")
        raise
    say(done.text())
    if done.doubtful:
        say(
            f"warning: {done.doubtful} of them drift by more than their tolerances allow; the variable doubtful says which"
        )
    if done.short:
        say(f"warning: {done.short} of them did not get as far as asked; the variable status says why")
    print(done.path)
    none = done.short == sum(done.endings.values())
    return IntegrationError.exit_code if none or (chosen.strict and (done.doubtful or done.short)) else 0
