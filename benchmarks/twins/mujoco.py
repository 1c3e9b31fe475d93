"""A tree in MuJoCo: the text of its model, its states, and accelerations with constraints that hold exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .tree import ZERO, Array, Link, Tree, orientation

OFF = ("CONTACT", "LIMIT", "FRICTIONLOSS", "ACTUATION", "SENSOR")
HINGES = ("revolute", "universal")


def model_of(tree: Tree) -> Any:
    """The model, with nothing but masses, joints and equalities."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(text(tree))
    for flag in OFF:
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0)
    return model


def text(tree: Tree) -> str:
    """MJCF; boundinertia is for rods and particles, which turn in no way that it would matter for."""
    sites: dict[int, list[str]] = {}
    held, tendons = [], []
    for k, closure in enumerate(tree.closures):
        if closure.kind == "roll":
            continue
        names = [f"c{k}_{i}" for i in range(2)]
        for name, link, place in zip(names, closure.links, closure.places, strict=True):
            sites.setdefault(link, []).append(f'<site name="{name}" pos="{_numbers(place)}"/>')
        if closure.kind == "coincide":
            held.append(f'<connect site1="{names[0]}" site2="{names[1]}"/>')
        else:
            ends = "".join(f'<site site="{name}"/>' for name in names)
            tendons.append(f'<spatial name="t{k}">{ends}</spatial>')
            held.append(f'<tendon tendon1="t{k}" polycoef="{closure.size!r} 0 0 0 0"/>')
    return (
        '<mujoco><compiler angle="radian" boundinertia="1e-9"/>'
        f'<option gravity="{_numbers(tree.gravity)}"/>'
        f"<worldbody>{''.join(sites.get(-1, ()))}{_bodies(tree, -1, sites)}</worldbody>"
        f"<tendon>{''.join(tendons)}</tendon><equality>{''.join(held)}</equality></mujoco>"
    )


def _bodies(tree: Tree, parent: int, sites: Mapping[int, list[str]]) -> str:
    found = []
    for k, link in enumerate(tree.links):
        if link.parent == parent:
            i = link.inertia
            full = _numbers([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
            heavy = f'<inertial pos="{_numbers(link.center)}" mass="{link.mass!r}" fullinertia="{full}"/>'
            if not i.any():
                heavy = f'<inertial pos="{_numbers(link.center)}" mass="{link.mass!r}" diaginertia="1e-9 1e-9 1e-9"/>'
            inner = "".join(sites.get(k, ())) + _bodies(tree, k, sites)
            found.append(f'<body name="b{k}" pos="{_numbers(link.place)}">{heavy}{_joints(link)}{inner}</body>')
    return "".join(found)


def _joints(link: Link) -> str:
    if link.kind in ("free", "spherical"):
        return f'<joint type="{"free" if link.kind == "free" else "ball"}"/>'
    kinds = {"prismatic": "s", "cylindrical": "sh", "particle": "sss"}.get(link.kind, "h" * len(link.axes))
    axes = np.eye(3) if link.kind == "particle" else link.axes
    words = {"s": "slide", "h": "hinge"}
    return "".join(f'<joint type="{words[k]}" axis="{_numbers(a)}"/>' for k, a in zip(kinds, axes, strict=True))


def _numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def order(tree: Tree) -> list[int]:
    """The links as MuJoCo counts them: depth first."""

    def below(parent: int) -> list[int]:
        return [n for k, link in enumerate(tree.links) if link.parent == parent for n in (k, *below(k))]

    return below(-1)


def state(tree: Tree, q: Mapping[str, tuple[float, float, float]]) -> tuple[Array, Array, Array, Array]:
    """Positions, velocities, forces and accelerations of MuJoCo from values, rates and second derivatives by name."""
    place: list[float] = []
    speed: list[float] = []
    force: list[float] = []
    rate: list[float] = []
    for link in (tree.links[k] for k in order(tree)):
        values, rates, seconds = motion = tuple(np.array([q[name][d] for name in link.coordinates]) for d in range(3))
        if link.kind in ("free", "spherical"):
            turn, spin, slope = orientation(link, motion)
            first = 3 if link.kind == "free" else 0
            place += [*(values[:first] + link.place[:first]), *turn]
            speed += [*rates[:first], *spin]
            rate += [*seconds[:first], *slope]
        else:
            place, speed, rate = [*place, *values], [*speed, *rates], [*rate, *seconds]
        force += tree.forces(link, {name: q[name][0] for name in link.coordinates})
    return np.array(place), np.array(speed), np.array(force), np.array(rate)


def exact(tree: Tree, model: Any, data: Any) -> Array:
    """Accelerations at the state of `data`, by Lagrange's multipliers; MuJoCo's own equalities give way."""
    import mujoco

    before = model.opt.disableflags
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    mujoco.mj_forward(model, data)
    model.opt.disableflags = before
    rows, sides = _rows(tree, model, data)
    if not len(rows):
        return np.array(data.qacc)
    moved = np.zeros_like(rows)
    mujoco.mj_solveM(model, data, moved, rows)
    push = np.linalg.lstsq(rows @ moved.T, rows @ data.qacc + sides, rcond=1e-11)[0]
    return np.array(data.qacc - moved.T @ push)


def _rows(tree: Tree, model: Any, data: Any) -> tuple[Array, Array]:
    """The rows a and b of a v' + b = 0."""
    rows: list[Array] = []
    sides: list[float] = []
    for closure in tree.closures:
        (j0, b0, p0, v0), (j1, b1, p1, v1) = (
            _at(model, data, k, place) for k, place in zip(closure.links, closure.places, strict=True)
        )
        if closure.kind == "coincide":
            rows, sides = [*rows, *(j0 - j1)], [*sides, *(b0 - b1)]
        elif closure.kind == "distance":
            rows.append((p0 - p1) @ (j0 - j1))
            sides.append((p0 - p1) @ (b0 - b1) + (v0 - v1) @ (v0 - v1))
        else:
            row, side = _rolling(model, data, closure)
            rows, sides = [*rows, *row], [*sides, *side]
    return np.array(rows), np.array(sides)


def _rolling(model: Any, data: Any, closure: Any) -> tuple[Array, Array]:
    """What touches the ground is at rest: v + omega x r = 0, where r leads from the center to the lowest point of the rim."""
    import mujoco

    body = model.body(f"b{closure.links[0]}").id
    jacobian, bias, _, _ = _at(model, data, closure.links[0], closure.places[0])
    turning, slope = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, None, turning, ZERO, body)
    mujoco.mj_jacDot(model, data, None, slope, ZERO, body)
    omega = turning @ data.qvel
    axle = data.xmat[body].reshape(3, 3) @ closure.axis
    axle_rate, up = np.cross(omega, axle), np.array([0.0, 0.0, 1.0])
    flat = up - axle[2] * axle
    flat_rate = -axle_rate[2] * axle - axle[2] * axle_rate
    length = np.linalg.norm(flat)
    r = -closure.size * flat / length
    r_rate = -closure.size * (flat_rate / length - flat * (flat @ flat_rate) / length**3)
    return jacobian - _cross(r) @ turning, bias - np.cross(r, slope @ data.qvel) + np.cross(omega, r_rate)


def _cross(r: Array) -> Array:
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def _at(model: Any, data: Any, link: int, place: Array) -> tuple[Array, Array, Array, Array]:
    """Of a point of a link: the Jacobian, its rate times the velocities, position and velocity."""
    import mujoco

    if link < 0:
        return np.zeros((3, model.nv)), ZERO, place, ZERO
    body = model.body(f"b{link}").id
    point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ place
    jacobian, slope = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, jacobian, None, point, body)
    mujoco.mj_jacDot(model, data, slope, None, point, body)
    return jacobian, slope @ data.qvel, point, jacobian @ data.qvel
