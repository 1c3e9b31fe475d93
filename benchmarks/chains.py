"""Specs of any size, for studies: an n-link pendulum on a cart, one with a stiff damper, a free chain of n boxes in space."""

from __future__ import annotations

HEAD = """schema = 1
name = "{name}"
about = "{about}"
"""


def cart_chain(n: int) -> str:
    """n point masses on massless links below a cart, absolute angles from the downward vertical; x is ignorable."""
    links = range(1, n + 1)
    lines = [HEAD.format(name=f"cart_chain_{n}", about=f"A pendulum of {n} links on a cart.")]
    lines += ["[parameters]", "m = 1", "l = 1", "g = 9.81", "", "[coordinates]", "x = {}"]
    lines += [f"q{k} = {{ initial = {round(0.3 + 0.7 * k / n, 6)} }}" for k in links]
    lines += ["", "[frames]", *(f'F{k} = {{ rotate = [["z", "q{k}"]] }}' for k in links)]
    lines += ["", "[points]", 'P0 = { at = ["x", 0, 0] }']
    lines += [f'P{k} = {{ from = "P{k - 1}", in = "F{k}", at = [0, "-l", 0] }}' for k in links]
    lines += ["", "[bodies]", 'cart = { mass = "m", center = "P0" }']
    lines += [f'ball{k} = {{ mass = "m", center = "P{k}" }}' for k in links]
    lines += ["", "[gravity]", 'N = [0, "-g", 0]', "", "[quasi_velocities]"]
    lines += [f'u{k} = "der(q{k})"' for k in links]
    return "\n".join(lines) + "\n"


def damped_chain(n: int) -> str:
    """A pendulum of n rods, hinged with little friction but for the second hinge, whose damper is stiff."""
    lines = [HEAD.format(name=f"damped_chain_{n}", about=f"A pendulum of {n} rods with a stiff damper."), "[bodies]"]
    lines += [f"rod{k} = {{ mass = 0.2, inertia = {{ zz = 0.02 }} }}" for k in range(1, n + 1)]
    lines += ["", "[joints]"]
    for k in range(1, n + 1):
        hung = "" if k == 1 else f'parent = "rod{k - 1}", at = [0, -1, 0], damper = {100 if k == 2 else 0.05}, '
        place = f'child = "rod{k}", axis = "z", center = [0, -0.5, 0], initial = {round(0.7 / k, 3)}'
        lines += [f'p{k} = {{ type = "revolute", {hung}{place} }}']
    return "\n".join([*lines, "", "[gravity]", "N = [0, -9.81, 0]"]) + "\n"


def space_chain(n: int) -> str:
    """n equal boxes, long axis x, hinged end to end about y and z in turn; the first is free in space."""
    boxes = range(1, n + 1)
    names = ["psi", "theta", "phi", "X", "Y", "Z", *(f"h{k}" for k in range(1, n))]
    lines = [HEAD.format(name=f"space_chain_{n}", about=f"A chain of {n} boxes, free in space.")]
    lines += ["[coordinates]"]
    lines += [f"{name} = {{ initial = {round(0.1 + 0.05 * k, 6)}, rate = 0.1 }}" for k, name in enumerate(names)]
    lines += ["", "[frames]", 'F1 = { rotate = [["z", "psi"], ["y", "theta"], ["x", "phi"]] }']
    for k in range(1, n):
        lines.append(f'F{k + 1} = {{ parent = "F{k}", rotate = [["{"yz"[(k - 1) % 2]}", "h{k}"]] }}')
    lines += ["", "[points]", 'G1 = { at = ["X", "Y", "Z"] }']
    for k in range(1, n):
        lines.append(f'E{k} = {{ from = "G{k}", in = "F{k}", at = [0.5, 0, 0] }}')
        lines.append(f'G{k + 1} = {{ from = "E{k}", in = "F{k + 1}", at = [0.5, 0, 0] }}')
    lines += ["", "[bodies]"]
    lines += [
        f'box{k} = {{ mass = 1, center = "G{k}", frame = "F{k}", shape = {{ box = [1, 0.2, 0.1] }} }}' for k in boxes
    ]
    lines += ["", "[quasi_velocities]", *(f'w{a} = "dot(omega(box1), box1.{a})"' for a in "xyz")]
    lines += [f'hinge{k} = "der(h{k})"' for k in range(1, n)]
    return "\n".join(lines) + "\n"
