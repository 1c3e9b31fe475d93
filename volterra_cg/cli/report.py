"""report and new: a page about a mechanism, and a spec to start from."""

from __future__ import annotations

import argparse
import shlex
from importlib.resources import files
from pathlib import Path

from volterra_cg.errors import DoubtfulRun, IntegrationError, OptionError
from volterra_cg.files import replacing, unwritten
from volterra_cg.options import is_model_name

from .simulate import model_of, run_options, settings, start_of
from .specs import existing
from .terminal import say


def report(chosen: argparse.Namespace) -> int:
    """Simulate a spec and write the page about it."""
    from volterra_cg.report import report as made
    from volterra_cg.runtime.show.animation import write

    spec, out = existing(chosen.spec), chosen.out or Path(f"{chosen.spec.stem}.html")
    if out.suffix != ".html":
        raise OptionError(f"a report is written as .html, which {out} is not")
    if spec.is_dir():
        raise OptionError(f"a report is about a spec, and {spec} is a folder")
    options = run_options(chosen)
    start, code = start_of(model_of(spec, options), chosen), 0
    try:
        run = start.simulate(**settings(chosen))
    except IntegrationError as error:
        if error.run is None or len(error.run.t) < 2:
            raise
        run, code = error.run, error.exit_code
        say(f"warning: {error}")
    command = shlex.join(["volterra-cg", "report", str(chosen.spec), *_given(chosen)])
    write(out, made(spec, run, command, options, compare=not chosen.no_compare, say=say))
    print(out)
    return code or (DoubtfulRun.exit_code if chosen.strict and run.warnings else 0)


def _given(chosen: argparse.Namespace) -> list[str]:
    """The options that change the numbers."""
    words = []
    told = {"formulation": chosen.formulation, "arithmetic": chosen.arithmetic, **settings(chosen)}
    for name, value in told.items():
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    for option, pairs in (("--set", chosen.values), ("--initial", chosen.initial)):
        words += [word for name, value in pairs for word in (option, f"{name}={value!r}")]
    return words


def new(chosen: argparse.Namespace) -> int:
    """Write a commented spec to start from."""
    name = chosen.name.removesuffix(".toml")
    if not name.isidentifier() or not is_model_name(name):
        raise OptionError(f"{name!r} cannot be the name of a model: use letters, digits and _, as in my_robot")
    path = Path(f"{name}.toml")
    if path.exists():
        raise OptionError(f"{path} is there already: choose another name")
    text = (files("volterra_cg.templates") / "starter.toml").read_text(encoding="utf-8")
    try:
        with replacing(path) as fresh:
            fresh.write_text(text.replace("@NAME@", name), encoding="utf-8")
    except OSError as error:
        raise unwritten(path, error) from error
    say(f"look at it with: volterra-cg report {path}")
    print(path)
    return 0
