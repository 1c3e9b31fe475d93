"""Specs with closed loops, for scaling studies: chains held at both ends, nets of rods, a Stewart platform and a delta robot."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, radians, sin

from benchmarks.chains import HEAD


def closed_chain(n: int) -> str:
    """n rods in a plane, absolute angles, hung up at both ends, which are 0.7 n apart."""
    closed = ["[constraints]", f'hook = {{ coincide = ["P{n}", "B"] }}', "", "[start]", "project = true"]
    return "\n".join([*_rod_chain(n, f"closed_chain_{n}", "hangs from two points"), *closed]) + "\n"


def open_chain(n: int) -> str:
    """The same, hung up at one end."""
    return "\n".join(_rod_chain(n, f"open_chain_{n}", "hangs from a point")) + "\n"


def _rod_chain(n: int, name: str, hung: str) -> list[str]:
    links = range(1, n + 1)
    lines = [HEAD.format(name=name, about=f"A chain of {n} rods that {hung}.")]
    lines += ["[parameters]", "m = 1", "l = 1", "g = 9.81", "", "[coordinates]"]
    lines += [f"q{k} = {{ initial = {round(-0.9 + 1.8 * (k - 0.5) / n, 6)} }}" for k in links]
    lines += ["", "[frames]", *(f'F{k} = {{ rotate = [["z", "q{k}"]] }}' for k in links)]
    lines += ["", "[points]", f"B = {{ at = [{0.7 * n}, 0, 0] }}", 'P0 = { from = "O" }']
    for k in links:
        lines.append(f'G{k} = {{ from = "P{k - 1}", in = "F{k}", at = ["l/2", 0, 0] }}')
        lines.append(f'P{k} = {{ from = "P{k - 1}", in = "F{k}", at = ["l", 0, 0] }}')
    lines += ["", "[bodies]"]
    lines += [f'rod{k} = {{ mass = "m", center = "G{k}", frame = "F{k}", shape = {{ rod = "l" }} }}' for k in links]
    return [*lines, "", "[gravity]", 'N = [0, "-g", 0]', ""]


def net(rows: int, columns: int | None = None) -> str:
    """A net of particles on rods in space; the corners of its first row are held."""
    columns = columns or rows
    held = {(0, 0), (0, columns - 1)}
    knots = [(i, j) for i in range(rows) for j in range(columns)]
    lines = [HEAD.format(name=f"net_{rows}_{columns}", about=f"A net of {rows} by {columns} particles on rods.")]
    lines += ["[parameters]", "m = 1", "l = 1", "g = 9.81", "", "[coordinates]"]
    for i, j in knots:
        if (i, j) not in held:
            place = (j * 0.95, 0.15 * i + 0.1 * sin(2.0 * j), -0.95 * i - 0.2 * sin(pi * j / (columns - 1)))
            lines += [f"{a}{i}_{j} = {{ initial = {round(x, 6)} }}" for a, x in zip("xyz", place, strict=True)]
    lines += ["", "[points]"]
    for i, j in knots:
        at = f"[{0.95 * j}, 0, 0]" if (i, j) in held else f'["x{i}_{j}", "y{i}_{j}", "z{i}_{j}"]'
        lines.append(f"K{i}_{j} = {{ at = {at} }}")
    lines += [
        "",
        "[bodies]",
        *(f'k{i}_{j} = {{ mass = "m", center = "K{i}_{j}" }}' for i, j in knots if (i, j) not in held),
    ]
    lines += ["", "[gravity]", 'N = [0, 0, "-g"]', "", "[constraints]"]
    lines += [
        f'a{i}_{j} = {{ distance = ["K{i}_{j}", "K{i}_{j + 1}"], equals = "l" }}' for i, j in knots if j + 1 < columns
    ]
    lines += [
        f'd{i}_{j} = {{ distance = ["K{i}_{j}", "K{i + 1}_{j}"], equals = "l" }}' for i, j in knots if i + 1 < rows
    ]
    lines += ["", "[start]", "project = true"]
    return "\n".join(lines) + "\n"


def stewart() -> str:
    """A platform on six legs, each with two angles and a length: 24 coordinates, 18 loop rows."""
    lines = [HEAD.format(name="stewart", about="A platform on six legs of changing length.")]
    lines += ["[parameters]", "g = 9.81", "", "[coordinates]", "X = {}", "Y = {}", "Z = { initial = 1.2 }"]
    lines += ["psi = { initial = 0.05 }", "theta = { initial = 0.02 }", "phi = { initial = 0.03 }"]
    for k in range(6):
        lines += [f"a{k} = {{}}", f"b{k} = {{}}", f"s{k} = {{ initial = 1.3 }}"]
    lines += ["", "[frames]", 'Plate = { rotate = [["z", "psi"], ["y", "theta"], ["x", "phi"]] }']
    lines += [f'Leg{k} = {{ rotate = [["x", "a{k}"], ["y", "b{k}"]] }}' for k in range(6)]
    lines += ["", "[points]", 'C = { at = ["X", "Y", "Z"] }']
    for k in range(6):
        base, top = radians(60 * (k // 2) * 2 + (-1) ** k * 50), radians(60 * (k // 2) * 2 + (-1) ** k * 15)
        lines.append(f"A{k} = {{ at = [{round(cos(base), 6)}, {round(sin(base), 6)}, 0] }}")
        lines.append(
            f'B{k} = {{ from = "C", in = "Plate", at = [{round(0.6 * cos(top), 6)}, {round(0.6 * sin(top), 6)}, 0] }}'
        )
        lines.append(f'D{k} = {{ from = "A{k}", in = "Leg{k}", at = [0, 0, 0.4] }}')
        lines.append(f'E{k} = {{ from = "A{k}", in = "Leg{k}", at = [0, 0, "s{k} - 0.4"] }}')
        lines.append(f'T{k} = {{ from = "A{k}", in = "Leg{k}", at = [0, 0, "s{k}"] }}')
    lines += ["", "[bodies]", 'plate = { mass = 5, center = "C", frame = "Plate", inertia = [0.4, 0.4, 0.8] }']
    for k in range(6):
        lines.append(f'lower{k} = {{ mass = 1, center = "D{k}", frame = "Leg{k}", inertia = [0.05, 0.05, 0.002] }}')
        lines.append(f'upper{k} = {{ mass = 0.5, center = "E{k}", frame = "Leg{k}", inertia = [0.03, 0.03, 0.001] }}')
    lines += ["", "[gravity]", 'N = [0, 0, "-g"]', "", "[constraints]"]
    lines += [f'top{k} = {{ coincide = ["T{k}", "B{k}"] }}' for k in range(6)]
    project = [f"{a}{k}" for k in range(6) for a in "abs"]
    lines += ["", "[start]", f"project = {project}".replace("'", '"')]
    lines += ["", "[quasi_velocities]", *(f'v{a} = "der({a})"' for a in "XYZ")]
    lines += [f'w{a} = "dot(omega(plate), plate.{a})"' for a in "xyz"]
    return "\n".join(lines) + "\n"


def delta() -> str:
    """Three driven arms, each with two rods to the plate: 21 coordinates, 18 loop rows."""
    lines = [HEAD.format(name="delta", about="A delta robot: three arms, six rods, one plate.")]
    lines += ["[parameters]", "g = 9.81", "", "[coordinates]"]
    lines += [f"q{k} = {{ initial = 0.3 }}" for k in range(3)]
    rods = list(_rods())
    for name, *_ in rods:
        lines += [f"a{name} = {{}}", f"b{name} = {{ initial = 0.6 }}"]
    lines += ["X = {}", "Y = {}", "Z = { initial = -0.9 }", "psi = {}", "theta = {}", "phi = {}"]
    lines += ["", "[frames]"]
    for k in range(3):
        lines.append(f'S{k} = {{ rotate = [["z", "2*pi*{k}/3"]] }}')
        lines.append(f'Arm{k} = {{ parent = "S{k}", rotate = [["y", "q{k}"]] }}')
    lines += [f'R{name} = {{ parent = "S{k}", rotate = [["x", "a{name}"], ["y", "b{name}"]] }}' for name, k, _ in rods]
    lines += ['Plate = { rotate = [["z", "psi"], ["y", "theta"], ["x", "phi"]] }', "", "[points]"]
    lines += ['C = { at = ["X", "Y", "Z"] }']
    for k in range(3):
        lines.append(f'M{k} = {{ in = "S{k}", at = [0.2, 0, 0] }}')
        lines.append(f'Elbow{k} = {{ from = "M{k}", in = "Arm{k}", at = [0.4, 0, 0] }}')
        lines.append(f'Half{k} = {{ from = "M{k}", in = "Arm{k}", at = [0.2, 0, 0] }}')
    for name, k, side in rods:
        lines.append(f'E{name} = {{ from = "Elbow{k}", in = "Arm{k}", at = [0, {0.1 * side}, 0] }}')
        lines.append(f'G{name} = {{ from = "E{name}", in = "R{name}", at = [0, 0, -0.45] }}')
        lines.append(f'T{name} = {{ from = "E{name}", in = "R{name}", at = [0, 0, -0.9] }}')
        x, y = cos(2 * pi * k / 3), sin(2 * pi * k / 3)
        at = [round(0.1 * x - 0.1 * side * y, 6), round(0.1 * y + 0.1 * side * x, 6), 0]
        lines.append(f'B{name} = {{ from = "C", in = "Plate", at = {at} }}')
    lines += ["", "[bodies]", 'plate = { mass = 0.5, center = "C", frame = "Plate", inertia = [0.002, 0.002, 0.004] }']
    lines += [
        f'arm{k} = {{ mass = 0.6, center = "Half{k}", frame = "Arm{k}", shape = {{ rod = 0.4 }} }}' for k in range(3)
    ]
    shape = "shape = { cylinder = { radius = 0.01, length = 0.9 } }"
    lines += [f'rod{name} = {{ mass = 0.15, center = "G{name}", frame = "R{name}", {shape} }}' for name, *_ in rods]
    lines += ["", "[gravity]", 'N = [0, 0, "-g"]', "", "[constraints]"]
    lines += [f'tip{name} = {{ coincide = ["T{name}", "B{name}"] }}' for name, *_ in rods]
    free = [*(f"{a}{name}" for name, *_ in rods for a in "ab"), "X", "Y", "Z", "psi", "theta", "phi"]
    lines += ["", "[start]", f"project = {free}".replace("'", '"')]
    lines += ["", "[quasi_velocities]", *(f'u{k} = "der(q{k})"' for k in range(3))]
    return "\n".join(lines) + "\n"


def _rods() -> Iterator[tuple[str, int, int]]:
    """The rods of a delta robot: name, arm and side."""
    for k in range(3):
        yield f"{k}l", k, 1
        yield f"{k}r", k, -1


def free_bodies(n: int) -> str:
    """n boxes, free in space, each on a spring to the next: nothing closes a loop, all is of one size."""
    boxes = range(n)
    lines = [HEAD.format(name=f"free_bodies_{n}", about=f"{n} boxes on springs."), "[coordinates]"]
    for k in boxes:
        lines += [f"{a}{k} = {{ initial = {round(0.1 + (1.5 * k if a == 'x' else 0.0), 6)} }}" for a in "xyz"]
        lines += [f"{a}{k} = {{ initial = 0.1 }}" for a in ("psi", "theta", "phi")]
    lines += ["", "[frames]"]
    lines += [f'F{k} = {{ rotate = [["z", "psi{k}"], ["y", "theta{k}"], ["x", "phi{k}"]] }}' for k in boxes]
    lines += ["", "[points]"]
    for k in boxes:
        lines.append(f'G{k} = {{ at = ["x{k}", "y{k}", "z{k}"] }}')
        lines.append(f'L{k} = {{ from = "G{k}", in = "F{k}", at = [-0.5, 0, 0] }}')
        lines.append(f'R{k} = {{ from = "G{k}", in = "F{k}", at = [0.5, 0, 0] }}')
    lines += ["", "[bodies]"]
    lines += [
        f'box{k} = {{ mass = 1, center = "G{k}", frame = "F{k}", shape = {{ box = [1, 0.2, 0.1] }} }}' for k in boxes
    ]
    lines += ["", "[springs]"]
    lines += [f's{k} = {{ between = ["R{k - 1}", "L{k}"], stiffness = 100, length = 0.4 }}' for k in boxes if k]
    lines += ['s0 = { between = ["O", "L0"], stiffness = 100, length = 0.4 }']
    return "\n".join(lines) + "\n"
