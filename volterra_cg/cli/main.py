"""Arguments in, exit code out; nothing heavy is imported before a command needs it."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from volterra_cg.errors import VolterraError, WriteError
from volterra_cg.files import FULL, unwritten
from volterra_cg.integrators import AUTO, DEFAULT, EXPLICIT, FIXED_STEP, INTEGRATORS, MATLAB
from volterra_cg.options import ARITHMETIC, ARITHMETICS, CHEAPEST, FORMULATIONS, ORDERS, REDUCED
from volterra_cg.targets import COMPILED, EQUATIONS, help_on
from volterra_cg.version import __version__

from .terminal import say

EXIT_CODES = "exit codes: 0 success, 1 a bug in volterra-cg, 2 usage, 3 the spec, 4 the build, 5 the integration"
INTERRUPTED, CLOSED = 130, 141  # as of programs that these signals end


def entry() -> None:
    """Run the command line of this process."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files and lines of specs may be in any script
        unicode = sys.stdout.encoding.lower().replace("-", "") == "utf8"
        sys.stdout.reconfigure(errors="surrogateescape" if unicode else "backslashreplace")
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; errors become a message on stderr and an exit code."""
    try:
        return _told(parser().parse_args(arguments))
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _close(sys.stdout, sys.stderr)  # whoever read our output has gone
        return CLOSED
    except OSError as error:
        if error.errno not in FULL:
            raise
        _close(sys.stdout, sys.stderr)  # there is no space even for the message
        return WriteError.exit_code


def _close(*streams: TextIO) -> None:
    """Keep Python from complaining about streams that cannot be written when it closes them."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream.fileno())


def _told(chosen: argparse.Namespace) -> int:
    try:
        code = _command(chosen)
        sys.stdout.flush()
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
        if isinstance(error, OSError) and error.errno in FULL:  # stdout is a file; all others are told by name
            say(f"error: {(refusal := unwritten('the output', error))}")
            _close(sys.stdout)
            return refusal.exit_code
        say(f"a bug in volterra-cg: {type(error).__name__}: {error} (run again with --traceback to see where)")
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
    if chosen.command == "import":
        from .robots import import_robot

        return import_robot(chosen)
    if chosen.command in ("report", "new"):
        from . import report

        return report.report(chosen) if chosen.command == "report" else report.new(chosen)
    from . import specs

    commands = {"check": specs.check, "derive": specs.derive, "build": specs.build_module}
    return commands[chosen.command](chosen)


def parser() -> argparse.ArgumentParser:
    """The whole grammar of the command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--traceback", action="store_true", help="show the Python traceback of an error")
    top = argparse.ArgumentParser(
        "volterra-cg",
        description="Compile the equations of motion of a mechanism from a TOML spec, and simulate them.",
        epilog=EXIT_CODES,
    )
    top.add_argument("--version", action="version", version=f"volterra-cg {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=about, description=about, parents=[common], epilog=EXIT_CODES)

    check = command("check", "check a spec; show its sizes and which coordinates are ignorable")
    _spec(check)
    check.add_argument("--json", action="store_true", help="print one JSON object")
    derive = command("derive", "print the equations of motion")
    _spec(derive)
    _formulation(derive)
    _target(derive, "derive", EQUATIONS)
    derive.add_argument(
        "--choices", action="store_true", help="list the sets of quasi-velocities to choose from, with what each costs"
    )
    _build(command("build", "compile a spec into a Python module, or into a library for another program"))
    _simulate(command("simulate", "simulate a spec or a built module"))
    _sweep(
        command(
            "sweep",
            "simulate over a grid of parameters and start values; the same command continues an interrupted sweep",
        )
    )
    page = command("report", "simulate a spec and write one page about it: motion, equations, plots, what is conserved")
    _run(page, AUTO)
    page.add_argument("-o", "--out", metavar="FILE", type=Path, help="the page (default: the name of the spec, .html)")
    page.add_argument("--no-compare", action="store_true", help="leave out the comparison of all formulations")
    fresh = command("new", "write a commented spec to start from")
    fresh.add_argument("name", metavar="NAME", help="the name of the mechanism; the file is NAME.toml")
    robot = command("import", "write a robot of a URDF or MJCF file as a spec, and list what is not taken of it")
    robot.add_argument("robot", metavar="FILE", type=Path, help="the URDF or MJCF file")
    robot.add_argument("-o", "--out", metavar="SPEC", type=Path, help="the spec (default: the name of the file, .toml)")
    robot.add_argument(
        "--floating", action="store_true", help="let the base of a URDF move freely (default: it is fixed)"
    )
    robot.add_argument(
        "--torques", action="store_true", help="give each joint of one coordinate a signal that drives it"
    )
    _bench(command("bench", "compare all formulations on some mechanisms (default: the paper's three)"))
    command("doctor", "test whether this machine can build models")
    cache = command("cache", "show or empty the build cache")
    cache.add_argument("action", choices=("list", "clear"))
    return top


def _spec(command: argparse.ArgumentParser) -> None:
    command.add_argument("spec", metavar="SPEC", type=Path, help="the TOML file of the mechanism")
    _allow_include(command)


def _allow_include(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--allow-include", metavar="DIR", type=Path, action="append", default=[],
        help="let the spec include others from this folder, beside its own",
    )  # fmt: skip


def _formulation(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--formulation",
        choices=(*FORMULATIONS, CHEAPEST),
        default=REDUCED,
        help=f"how the equations are posed (default: %(default)s; {CHEAPEST}: with the fewest operations)",
    )


def _arithmetic(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--arithmetic",
        choices=ARITHMETICS,
        default=ARITHMETIC,
        help="whether the derivative takes products into sums and rounds once (default: %(default)s)",
    )


def _target(command: argparse.ArgumentParser, name: str, targets: Sequence[str]) -> None:
    command.add_argument("--to", choices=targets, default=targets[0], help=help_on(name))


def _build(command: argparse.ArgumentParser) -> None:
    _spec(command)
    _formulation(command)
    _arithmetic(command)
    _target(command, "build", COMPILED)
    command.add_argument(
        "-o",
        "--out",
        metavar="DIR",
        type=Path,
        default=Path("generated"),
        help="the folder for the package (default: %(default)s)",
    )
    command.add_argument("--name", help="the name of the package (default: the spec's name)")
    command.add_argument(
        "--optimise",
        type=int,
        choices=range(4),
        default=3,
        metavar="0..3",
        help="level of optimisation (default: %(default)s)",
    )
    command.add_argument("--order", choices=ORDERS, default=ORDERS[0], help="elimination order (default: the cheapest)")
    command.add_argument(
        "--jacobian",
        action="store_true",
        help="also compile derivatives with respect to states, parameters and signals",
    )
    command.add_argument(
        "--explain", action="store_true", help="show the operations in each elimination order and after each pass"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object instead of the path")


def _simulate(command: argparse.ArgumentParser) -> None:
    _run(command, AUTO)
    command.add_argument("--first-step", type=float, metavar="X", help="the first step")
    command.add_argument("--project", action="store_true", help="keep the coordinates on the holonomic constraints")
    command.add_argument(
        "-o", "--out", metavar="FILE", type=Path, help="write the results as .nc, .csv, .npz, .mat or .parquet"
    )
    command.add_argument("--plot", metavar="FILE", type=Path, help="plot the results as .png, .pdf or .svg")
    command.add_argument(
        "--animate", metavar="FILE", type=Path, help="the motion as a page (.html) or film (.gif, .mp4)"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _sweep(command: argparse.ArgumentParser) -> None:
    _run(command, DEFAULT)
    command.add_argument(
        "--vary", metavar="NAME=LOW:HIGH:COUNT", action="append", default=[], required=True,
        help="values of a parameter or start value, also as NAME=A,B,C; several --vary give all combinations;"
        " or a distribution, as NAME=normal:MEAN:DEVIATION, uniform, lognormal or triangular",
    )  # fmt: skip
    command.add_argument("--samples", type=int, metavar="N", help="the number of points drawn of distributions")
    command.add_argument(
        "--design", choices=("latin", "sobol", "random"), default="latin",
        help="how they are drawn: Latin hypercube (default), Sobol sequence, or independently",
    )  # fmt: skip
    command.add_argument("--seed", type=int, metavar="N", default=0, help="the seed of the draw (default: 0)")
    command.add_argument(
        "--reduce", choices=("final", "extrema"), action="append", default=[],
        help="keep only the last values, or the least and largest ones, of each run",
    )  # fmt: skip
    command.add_argument(
        "--workers", type=int, metavar="N", default=os.cpu_count() or 1, help="number of threads (default: all cores)"
    )
    command.add_argument("-o", "--out", metavar="FILE", type=Path, required=True, help="the NetCDF file, .nc")
    command.add_argument("--restart", action="store_true", help="discard an unfinished earlier sweep")


def _run(command: argparse.ArgumentParser, default: str) -> None:
    """What simulate, report and sweep share; the integrator is `default` unless told."""
    command.add_argument("spec", metavar="SPEC|MODULE", type=Path, help="a TOML file, or the folder of a built module")
    _allow_include(command)
    command.add_argument(
        "--strict",
        action="store_true",
        help="exit with code 5 if an invariant drifts by more than the tolerances allow, or a run of a sweep ends early",
    )
    _formulation(command)
    _arithmetic(command)
    names = dict.fromkeys([default, *INTEGRATORS])
    command.add_argument("--integrator", choices=names, default=default, help="integrator (default: %(default)s)")
    for name, about in (
        ("t-end", "end time"),
        ("dt", "time between results"),
        ("rtol", "relative tolerance"),
        ("atol", "absolute tolerance"),
        ("max-step", f"the largest step; also limits the fixed step of {' and '.join(FIXED_STEP)}"),
    ):
        command.add_argument(f"--{name}", type=float, metavar="X", help=about)
    command.add_argument(
        "--max-steps", type=int, metavar="N", help="end a motion after this many steps, rejected ones included"
    )
    command.add_argument(
        "--set",
        dest="values",
        metavar="NAME=X",
        type=assignment,
        action="append",
        default=[],
        help="the value of a parameter or signal",
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
    command.add_argument("--integrator", choices=EXPLICIT, default=MATLAB, help="integrator (default: %(default)s)")
    for name, about in (
        ("t-end", "end time (default: the spec's)"),
        ("dt", "time between results (default: the spec's)"),
        ("rtol", "relative tolerance (default: MATLAB's, as in the paper)"),
        ("atol", "absolute tolerance (default: MATLAB's, as in the paper)"),
        ("max-step", "the largest step (default: dt, as in the paper)"),
    ):
        command.add_argument(f"--{name}", type=float, metavar="X", help=about)
    command.add_argument(
        "--repeat",
        type=int,
        default=11,
        metavar="N",
        help="number of timings of each formulation (default: %(default)s)",
    )
    command.add_argument(
        "--optimise",
        type=int,
        choices=range(4),
        default=3,
        metavar="0..3",
        help="level of optimisation (default: %(default)s)",
    )
    command.add_argument(
        "--callgrind", action="store_true", help="also count machine instructions, with valgrind (slow)"
    )
    command.add_argument(
        "-o", "--out", metavar="DIR", type=Path, help="the folder for tables (Markdown), JSON and figures"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object instead of the tables")


def assignment(text: str) -> tuple[str, float]:
    """NAME=X as a pair."""
    name, sign, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        wrong = f"{value!r} is not a number" if sign else "there is no ="
        raise argparse.ArgumentTypeError(f"expected NAME=X in {text!r}: {wrong}") from None
