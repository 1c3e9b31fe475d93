"""A rigid body on several rods and legs: to the ground, to carriages, to arms, or that turn and grow themselves."""

import numpy as np


def hung(b):
    """Draw it; its legs begin around it, so that neither the rods nor their ends are in one line."""
    b.mark("hung body")
    centre, angles = _base(b)
    turned = _rotation(b, angles)
    makers = (_ground, _carriage, _arm, _leg)
    count = b.rnd.choice([1, 2, 2] if b.planar else [2, 3, 3, 4])
    if b.chance(0.4):
        makers = (b.rnd.choice(makers),)  # all alike, as people build them
    for number in range(1, count + 1):
        around = 2 * np.pi * (number + b.rnd.uniform(-0.2, 0.2)) / count
        at = [round(float(x), 2) for x in (0.4 * np.cos(around), 0.3 * np.sin(around), b.rnd.uniform(-0.1, 0.1))]
        foot = [
            round(float(x), 2)
            for x in (1.1 * np.cos(around + 0.3), 1.2 * np.sin(around + 0.3), b.rnd.uniform(-0.2, 0.2))
        ]
        at[2], foot[2] = (0, 0) if b.planar else (at[2], foot[2])
        b.points[f"E{number}"] = {"from": "C", "in": "Plate", "at": at}
        b.rnd.choice(makers)(b, number, foot, centre + turned @ at)
    b.start["project"] = True


def _base(b):
    """The body's own coordinates; where its centre and its angles are at the start."""
    where = [round(b.rnd.uniform(-0.2, 0.2), 2), round(b.rnd.uniform(-0.2, 0.2), 2), 0 if b.planar else -1.1]
    slides = [_moving(b, value) for value in (where[:2] if b.planar else where)]
    b.points["C"] = {"at": [*slides, 0][:3]}
    if not b.planar and b.chance(0.3):
        b.frames["Plate"], angles = {"quaternion": b.quaternion()}, None
    else:
        angles = [round(b.rnd.uniform(-0.3, 0.3), 2) for _ in range(1 if b.planar else 3)]
        turns = [[axis, _moving(b, angle)] for axis, angle in zip("zyx", angles, strict=False)]
        b.frames["Plate"] = {"rotate": turns}
    b.body("plate", "C", "Plate", particle=0.0)
    b.links.append(("Plate", "C", "C"))
    return np.array(where), angles


def _rotation(b, angles):
    """The body's axes at the start, by columns."""
    if angles is None:
        w, *v = (b.coordinates[f"e{i}"]["initial"] for i in range(4))
        cross = np.cross(np.eye(3), v) * -1
        return np.eye(3) + 2 * w * cross + 2 * cross @ cross
    turned = np.eye(3)
    for axis, angle in zip((2, 1, 0), angles, strict=False):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = np.cos(angle)
        turn[j, i], turn[i, j] = np.sin(angle), -np.sin(angle)
        turned = turned @ turn
    return turned


def _moving(b, value):
    name = f"q{len(b.coordinates) + 1}"
    b.coordinates[name] = {"initial": float(value), "rate": round(b.rnd.uniform(-0.5, 0.5), 2)}
    return name


def _rod(b, number, foot, end):
    b.constraints[f"rod{number}"] = {
        "distance": b.rnd.sample([f"A{number}", f"E{number}"], 2),
        "equals": round(float(np.linalg.norm(np.subtract(end, foot))), 3),
    }


def _ground(b, number, foot, end):
    b.points[f"A{number}"] = {"at": foot}
    _rod(b, number, foot, end)


def _carriage(b, number, foot, end):
    slides = list(foot)
    axis = b.rnd.randrange(2 if b.planar else 3)
    slides[axis] = f"{foot[axis]} + {_moving(b, 0)}"
    b.points[f"A{number}"] = {"at": slides}
    b.bodies[f"carriage{number}"] = {"mass": b.quantity(), "center": f"A{number}"}
    b.links.append(("Plate", f"A{number}", f"A{number}"))
    _rod(b, number, foot, end)


def _arm(b, number, foot, end):
    hinge, length = list(foot), b.number(0.2, 0.4)
    hinge[0] = round(foot[0] - length, 3)  # the arm stands along x at the start
    b.points[f"H{number}"] = {"at": hinge}
    b.frames[f"Arm{number}"] = {"rotate": [["z" if b.planar else b.rnd.choice("yz"), _moving(b, 0)]]}
    b.points[f"A{number}"] = {"from": f"H{number}", "in": f"Arm{number}", "at": [length, 0, 0]}
    b.body(f"arm{number}", f"A{number}", f"Arm{number}")
    b.links.append((f"Arm{number}", f"H{number}", f"A{number}"))
    _rod(b, number, foot, end)


def _leg(b, number, foot, end):
    """Two or three coordinates of its own, and as many rows where it meets the body."""
    x, y, z = np.subtract(end, foot)
    turns = [["z", _moving(b, round(float(np.arctan2(y, x)), 3))]]
    if not b.planar:
        turns.append(["y", _moving(b, round(float(-np.arctan2(z, np.hypot(x, y))), 3))])
    b.points[f"A{number}"] = {"at": foot}
    b.frames[f"Leg{number}"] = {"rotate": turns}
    grown = _moving(b, round(float(np.linalg.norm([x, y, z])), 3))
    b.points[f"B{number}"] = {"from": f"A{number}", "in": f"Leg{number}", "at": [grown, 0, 0]}
    b.points[f"L{number}"] = {"from": f"A{number}", "in": f"Leg{number}", "at": [b.number(0.2, 0.5), 0, 0]}
    b.body(f"leg{number}", f"L{number}", f"Leg{number}")
    b.links.append((f"Leg{number}", f"A{number}", f"B{number}"))
    ends = b.rnd.sample([f"B{number}", f"E{number}"], 2)
    b.constraints[f"joint{number}"] = {"coincide": ends} | ({"along": ["x", "y"]} if b.planar else {})
