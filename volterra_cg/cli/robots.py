"""import."""

from __future__ import annotations

import argparse
from pathlib import Path

from volterra_cg.errors import OptionError
from volterra_cg.files import replacing, unwritten

from .terminal import say


def import_robot(chosen: argparse.Namespace) -> int:
    """Write a robot as a spec; tell what is not taken."""
    from volterra_cg.robots import imported

    out = chosen.out or Path(chosen.robot.with_suffix(".toml").name)
    if out.exists():
        raise OptionError(f"{out} is there already: choose another name with -o")
    found = imported(chosen.robot, floating=chosen.floating, torques=chosen.torques, folder=out.parent)
    text = found.checked(chosen.robot, out)
    try:
        with replacing(out) as fresh:
            fresh.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritten(out, error) from error
    for line in found.left_out:
        say(f"not taken: {line}")
    say(f"look at it with: volterra-cg report {out}")
    print(out)
    return 0
