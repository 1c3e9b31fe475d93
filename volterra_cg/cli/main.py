"""Arguments in, exit code out; nothing heavy is imported before a command needs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from volterra_cg.errors import VolterraError
from volterra_cg.integrators import DEFAULT, EXPLICIT, FIXED_STEP, INTEGRATORS
from volterra_cg.options import FORMULATIONS, ORDERS, REDUCED
from volterra_cg.targets import COMPILED, EQUATIONS, help_on
from volterra_cg.version import __version__

from .terminal import say

EXIT_CODES = "exit codes: 0 ok, 1 a defect of ours, 2 usage, 3 the spec, 4 the build, 5 the integration"
INTERRUPTED, CLOSED = 130, 141  # as of programs that these signals end


def entry() -> None:
    """Run the command line of this process."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; errors become a message on stderr and an exit code."""
    chosen = parser().parse_args(arguments)
    try:
        return _told(chosen)
    except BrokenPipeError:
        # Whoever read our output has gone; keep Python from complaining about it when it closes stdout and stderr.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere, stream.fileno())
        return CLOSED


def _told(chosen: argparse.Namespace) -> int:
    try:
        code = _command(chosen)
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except VolterraError as error:
        if chosen.traceback:
            raise
        say(f"error: {error}")
        return error.exit_code
    except Exception as error:
        if chosen.traceback:
            raise
        say(f"a defect of volterra-cg: {type(error).__name__}: {error} (run again with --traceback to see where)")
        return 1
    return code


def _command(chosen: argparse.Namespace) -> int:
    if chosen.command == "doctor":
        from .doctor import doctor

        return doctor()
    if chosen.command == "cache":
        from .caches import clear_cache, list_cache

        return clear_cache() if chosen.action == "clear" else list_cache()
    if chosen.command == "bench":
        from .bench import bench

        return bench(chosen)
    if chosen.command == "simulate":
        from .simulate import simulate

        return simulate(chosen)
    if chosen.command == "sweep":
        from .sweep import sweep

        return sweep(chosen)
    from . import specs

    commands = {"check": specs.check, "derive": specs.derive, "build": specs.build_module}
    return commands[chosen.command](chosen)


def parser() -> argparse.ArgumentParser:
    """The whole grammar of the command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--traceback", action="store_true", help="on an error show where it was raised")
    top = argparse.ArgumentParser(
        "volterra-cg",
        description="From a TOML spec of a mechanism to its compiled equations of motion.",
        epilog=EXIT_CODES,
    )
    top.add_argument("--version", action="version", version=f"volterra-cg {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=about, description=about, parents=[common], epilog=EXIT_CODES)

    check = command("check", "validate a spec and say what it amounts to")
    _spec(check)
    check.add_argument("--json", action="store_true", help="print one JSON object")
    derive = command("derive", "show the equations of a spec")
    _spec(derive)
    _formulation(derive)
    _target(derive, "derive", EQUATIONS)
    _build(command("build", "make an importable module of a spec, or a library for another program"))
    _simulate(command("simulate", "integrate a spec, or a module that was built, in time"))
    _sweep(command("sweep", "integrate a spec over a grid of parameters and start values; an interrupted one goes on"))
    _bench(command("bench", "compare the formulations on mechanisms; without a spec, on the paper's three"))
    command("doctor", "see whether this machine can build")
    cache = command("cache", "show or empty the build cache")
    cache.add_argument("action", choices=("list", "clear"))
    return top


def _spec(command: argparse.ArgumentParser) -> None:
    command.add_argument("spec", metavar="SPEC", type=Path, help="the TOML file of the mechanism")


def _formulation(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--formulation", choices=FORMULATIONS, default=REDUCED, help="the formulation (default: %(default)s)"
    )


def _target(command: argparse.ArgumentParser, name: str, targets: Sequence[str]) -> None:
    command.add_argument("--to", choices=targets, default=targets[0], help=help_on(name))


def _build(command: argparse.ArgumentParser) -> None:
    _spec(command)
    _formulation(command)
    _target(command, "build", COMPILED)
    command.add_argument(
        "-o", "--out", metavar="DIR", type=Path, default=Path("generated"), help="where the package goes (%(default)s)"
    )
    command.add_argument("--name", help="of the package, instead of the spec's own")
    command.add_argument(
        "--optimise",
        type=int,
        choices=range(4),
        default=3,
        metavar="0..3",
        help="how hard to try (default: %(default)s)",
    )
    command.add_argument(
        "--order", choices=ORDERS, default=ORDERS[0], help="the order of elimination (default: the cheapest)"
    )
    command.add_argument(
        "--jacobian", action="store_true", help="compile derivatives too: by states, parameters, signals"
    )
    command.add_argument(
        "--explain", action="store_true", help="show the operations in each elimination order and after each pass"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object instead of the path")


def _simulate(command: argparse.ArgumentParser) -> None:
    _run(command)
    command.add_argument("--first-step", type=float, metavar="X", help="the step to begin with")
    command.add_argument("--max-steps", type=int, metavar="N", help="give up after so many")
    command.add_argument("--project", action="store_true", help="keep the coordinates on the holonomic constraints")
    command.add_argument("-o", "--out", metavar="FILE", type=Path, help="write the results as .csv or .npz")
    command.add_argument("--plot", metavar="FILE", type=Path, help="draw them, as .png, .pdf or .svg")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _sweep(command: argparse.ArgumentParser) -> None:
    _run(command)
    command.add_argument(
        "--vary", metavar="NAME=LOW:HIGH:COUNT", action="append", default=[], required=True,
        help="a parameter or start value and its values, or NAME=A,B,C; given several times, all combinations",
    )  # fmt: skip
    command.add_argument("--workers", type=int, metavar="N", default=os.cpu_count() or 1, help="(default: all cores)")
    command.add_argument("-o", "--out", metavar="FILE", type=Path, required=True, help="the NetCDF file, .nc")
    command.add_argument("--restart", action="store_true", help="throw away what an earlier sweep left there")


def _run(command: argparse.ArgumentParser) -> None:
    """What simulate and sweep share."""
    command.add_argument("spec", metavar="SPEC|MODULE", type=Path, help="a TOML file, or the folder of a built module")
    command.add_argument(
        "--strict", action="store_true", help="fail (5) if what is conserved drifts beyond the tolerances"
    )
    _formulation(command)
    command.add_argument("--integrator", choices=INTEGRATORS, default=DEFAULT, help="(default: %(default)s)")
    for name, about in (
        ("t-end", "end time"),
        ("dt", "time between results"),
        ("rtol", "relative tolerance"),
        ("atol", "absolute tolerance"),
        ("max-step", f"the largest step; of {' and '.join(FIXED_STEP)}, the step"),
    ):
        command.add_argument(f"--{name}", type=float, metavar="X", help=about)
    command.add_argument(
        "--set",
        dest="values",
        metavar="NAME=X",
        type=assignment,
        action="append",
        default=[],
        help="a parameter or signal",
    )
    command.add_argument(
        "--initial", metavar="NAME=X", type=assignment, action="append", default=[],
        help="a start value: a coordinate, or its rate as der(NAME)",
    )  # fmt: skip


def _bench(command: argparse.ArgumentParser) -> None:
    command.add_argument("specs", metavar="SPEC", type=Path, nargs="*", help="TOML files of mechanisms")
    command.add_argument(
        "--formulations", default="all", metavar="A,B", help=f"some of {', '.join(FORMULATIONS)}, or all (default)"
    )
    command.add_argument(
        "--integrator",
        choices=EXPLICIT,
        default="ode45",
        help="(default: %(default)s)",
    )
    for name, about in (
        ("t-end", "end time (the spec's)"),
        ("dt", "time between results (the spec's)"),
        ("rtol", "relative tolerance (MATLAB's default, as in the paper)"),
        ("atol", "absolute tolerance (likewise)"),
        ("max-step", "the largest step (dt, as in the paper)"),
    ):
        command.add_argument(f"--{name}", type=float, metavar="X", help=about)
    command.add_argument(
        "--repeat", type=int, default=11, metavar="N", help="timings of each formulation (%(default)s)"
    )
    command.add_argument("--optimise", type=int, choices=range(4), default=3, metavar="0..3", help="(%(default)s)")
    command.add_argument("--callgrind", action="store_true", help="count machine instructions with valgrind, slowly")
    command.add_argument("-o", "--out", metavar="DIR", type=Path, help="write Markdown, JSON and figures there")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of the tables")


def assignment(text: str) -> tuple[str, float]:
    """NAME=X as a pair."""
    name, sign, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        wrong = f"{value!r} is not a number" if sign else "there is no ="
        raise argparse.ArgumentTypeError(f"expected NAME=X in {text!r}: {wrong}") from None
