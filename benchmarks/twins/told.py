"""Which tree of joints a mechanism of the study is for others, and its coordinates there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks import machines
from volterra_cg import Mechanism

from .tree import Tree, read

Motion = Mapping[str, tuple[float, float, float]]  # value, rate and second derivative by coordinate
OTHERS_CANNOT = ("free_bodies", "delta")  # springs between bodies; rods that do not turn as seen from the ground


def twin(name: str, text: str) -> tuple[Tree, Callable[[Motion], Motion]] | None:
    """Of a mechanism by its name and its spec; None if others cannot be told it."""
    kind, *sizes = name.split(":")
    if kind in OTHERS_CANNOT:
        return None
    if kind in ("open_chain", "closed_chain"):
        return read(chain_joints(int(sizes[0]), closed=kind == "closed_chain")), _relative
    return read(machines.stewart_joints() if kind == "stewart" else text), dict


def chain_joints(n: int, *, closed: bool) -> str:
    """The chains of loops.py, each angle from the rod before."""
    made = Mechanism("chain")
    made.gravity([0, -9.81, 0])
    parent = "N"
    for k in range(1, n + 1):
        rod = made.body(f"rod{k}", 1, inertia=[0, 1 / 12, 1 / 12])
        at = [0.5, 0, 0] if k > 1 else [0, 0, 0]
        made.joint(f"q{k}", "revolute", rod, parent, axis="z", at=at, center=[0.5, 0, 0])
        parent = rod
    if closed:
        ends = [made.point("P", [0.5, 0, 0], from_=parent, in_=parent), made.point("B", [0.7 * n, 0, 0])]
        made.constraint("hook", coincide=ends)
    return made.to_toml()


def _relative(motion: Motion) -> Motion:
    """Absolute angles as angles from the rod before."""
    found, before = {}, (0.0, 0.0, 0.0)
    for name, now in motion.items():
        found[name] = tuple(a - b for a, b in zip(now, before, strict=True))
        before = now
    return found
