"""What hangs on a drawn tree: loads, constraints, rolling bodies, quasi-velocities and outputs."""

import numpy as np

from tests.differential.oracle import Mechanism

REGULAR = 1e4  # condition of a choice of quasi-velocities, or of constraints, that is worth comparing


# --- loads --------------------------------------------------------------------------------------------------------------


def loads(b):
    makers = (spring, damper, actuator, friction, force, torque, potential, generalized)
    for number in range(b.rnd.choice([0, 0, 1, 1, 2, 3])):
        maker = b.rnd.choice(makers)
        maker(b, f"k{number}")


def points_of(b):
    return [name for link in b.links for name in link[1:]] + [n for n in b.points if n.startswith("X")]


def frames_of(b):
    return [link[0] for link in b.links]


def distinct(b):
    """Two points that do not coincide, wherever the mechanism is."""
    places = b.places()
    if places is None:
        return None
    for _ in range(10):
        first, second = b.rnd.choice(points_of(b)), b.rnd.choice([*points_of(b), "O"])
        gaps = [place.point(first).v - place.point(second).v for place in places]
        if first != second and min(np.linalg.norm(gap) for gap in gaps) > 0.2:
            return [first, second] if b.chance(0.5) else [second, first]
    return None


def across(b, need_axis=True):
    """A link of one of the three kinds."""
    pick = b.rnd.random()
    ends = distinct(b) if pick < 0.4 else None
    if ends:
        b.mark("across points")
        return {"between": ends}
    frames = frames_of(b)
    if pick < 0.7 and frames:
        second = b.rnd.choice(frames)
        first = b.rnd.choice([f for f in ["N", *frames] if f != second])
        pair = [first, second] if b.chance(0.7) or first == "N" else [second, first]
        b.mark("across frames")
        return {"turn": pair} | ({"axis": b.axis_letter()} if need_axis or b.chance(0.5) else {})
    b.mark("across a coordinate")
    return {"coordinate": b.rnd.choice(list(b.coordinates))}


def moderate(b, speed=True):
    """A smooth scalar of coordinates, time, rates and signals."""
    q = b.rnd.choice(list(b.coordinates))
    terms = [f"{b.number()}*sin({q})", f"{b.number()}*cos(t)", f"{b.number()}*tanh({q})", str(b.number())]
    if speed:
        terms += [f"-{b.number()}*der({q})", f"{b.number()}*sin({q})*der({q})", "signal"]
        terms += [f"-{b.number()}*dot(velocity({b.rnd.choice(points_of(b))}), N.{b.rnd.choice('xyz')})"]
        terms += [f"{b.number()}*dot(omega({b.rnd.choice(frames_of(b))}), N.{b.rnd.choice('xyz')})"]
    drawn = b.rnd.sample(terms, b.rnd.choice([1, 1, 2]))
    return " + ".join(signal(b) if term == "signal" else term for term in drawn)


def signal(b):
    name = f"s{len(b.signals) + 1}"
    if b.signals and b.chance(0.4):
        return b.rnd.choice(list(b.signals))
    b.signals[name] = b.rnd.choice([b.number(), 0, {"value": b.number(), "unit": "N"}, f"{b.number()}*sin(3*t)"])
    b.mark("signal")
    return name


def spring(b, name):
    entry = {**across(b), "stiffness": b.quantity(1, 4)}
    if b.chance(0.7):
        entry["length"] = b.quantity()
    b.springs[name] = entry
    b.mark("spring")


def damper(b, name):
    b.dampers[name] = {**across(b, need_axis=False), "damping": b.quantity()}
    b.mark("damper")


def actuator(b, name):
    b.actuators[name] = {**across(b), "force": moderate(b)}
    b.mark("actuator")


def friction(b, name):
    entry = {**across(b), "viscous": b.quantity()}
    if b.chance(0.6):
        entry |= {"dry": b.quantity(), "speed": 0.3}
    b.frictions[name] = entry
    b.mark("friction")


def vector(b):
    parts = [moderate(b) if b.chance(0.5) else 0 for _ in range(3)]
    if b.planar:
        parts[2] = 0
    return parts if any(parts) else [moderate(b), 0, 0]


def force(b, name):
    entry = {"at": b.rnd.choice([*points_of(b), *b.bodies]), "vector": vector(b)}
    if b.chance(0.5):
        entry["in"] = b.rnd.choice(frames_of(b))
    if b.chance(0.3):
        entry["reaction"] = b.rnd.choice([p for p in points_of(b) if p != entry["at"]] or ["O"])
    b.forces[name] = entry
    b.mark("force")


def torque(b, name):
    entry = {"on": b.rnd.choice(frames_of(b)), "vector": vector(b) if not b.planar else [0, 0, moderate(b)]}
    if b.chance(0.5):
        entry["in"] = b.rnd.choice(frames_of(b))
    if b.chance(0.4):
        entry["reaction"] = b.rnd.choice([f for f in ["N", *frames_of(b)] if f != entry["on"]])
    b.torques[name] = entry
    b.mark("torque")


def potential(b, name):
    q, point = b.rnd.choice(list(b.coordinates)), b.rnd.choice(points_of(b))
    b.potentials[name] = b.rnd.choice([
        f"{b.number()}*{q}**2", f"{b.number()}*cos({q})", f"{b.number()}*dot(position({point}), N.x)",
        f"{b.number()}*dot(position({point}), position({point}))", f"{b.number()}*sin(t)*{q}",
        f"{b.number()}*dot({b.rnd.choice(frames_of(b))}.x, N.y)",
    ])  # fmt: skip
    b.mark("potential")


def generalized(b, name):
    b.generalized_forces[b.rnd.choice(list(b.coordinates))] = moderate(b)
    b.mark("generalized force")


# --- constraints --------------------------------------------------------------------------------------------------------


def constraints(b):
    """Up to two, each kept only if the mechanism stays regular."""
    makers = (drive, knife, loop, rod, level, speed, aligned)
    for number in range(b.rnd.choice([0, 0, 0, 1, 1, 1, 2, 2, 3])):
        maker = b.rnd.choice(makers)
        entry = maker(b)
        if entry is None:
            continue
        b.constraints[f"c{number}"] = entry
        project = dict(b.start)
        b.start["project"] = True
        places = b.places()
        if not independent(places) or not b.regular(places):
            del b.constraints[f"c{number}"]
            b.start.clear()
            b.start.update(project)
        else:
            b.mark(maker.__doc__.rstrip("."))


def rows_at(place):
    rows = place.constraints()
    return np.array([row.a for row in rows.values()]).reshape(len(rows), place.m)


def independent(places):
    """Whether the rows that do not vanish are independent at several states, and not more than the coordinates."""
    if places is None:
        return False
    matrices = [rows_at(place) for place in places]
    sizes = np.max([np.abs(matrix).max(axis=1) for matrix in matrices], axis=0)
    kept = sizes > 1e-9
    mechanism = places[0].mechanism
    anywhere = mechanism.at(np.linspace(0.3, 0.9, places[0].m), np.ones(places[0].m), 0.4)
    if not kept.any() or kept.sum() > places[0].m or ((np.abs(rows_at(anywhere)).max(axis=1) > 1e-9) != kept).any():
        return False  # too many, or one that says nothing where the others hold
    return all(_condition(matrix[kept]) < REGULAR for matrix in matrices)


def _condition(matrix):
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.inf if (size < 1e-6).any() else np.linalg.cond(matrix / size)


def drive(b):
    """A coordinate driven in time."""
    q = b.rnd.choice(list(b.coordinates))
    text = f"{q} - {b.number()} - {b.number()}*sin({b.number()}*t)"
    return b.rnd.choice([text, {"position": text}, f"der({q}) - {b.number()}*cos(t)"])


def knife(b):
    """A knife edge."""
    edge = f"dot(velocity({b.rnd.choice(points_of(b))}), {b.rnd.choice(frames_of(b))}.{b.rnd.choice('xy')})"
    return edge if b.chance(0.6) else {"velocity": edge}


def speed(b):
    """A velocity that is affine and moves with time."""
    q = b.rnd.choice(list(b.coordinates))
    text = f"dot(velocity({b.rnd.choice(points_of(b))}), N.{b.rnd.choice('xyz')})"
    return f"{text} - {b.number()}*{q} - {b.number()}*sin({b.number()}*t)"


def level(b):
    """A point that keeps its height."""
    place = _start(b)
    if place is None:
        return None
    point, axis = b.rnd.choice(points_of(b)), b.rnd.randrange(3)
    height = round(float(place.point(point).v[axis]), 2)
    return f"dot(position({point}), N.{'xyz'[axis]}) - ({height})"


def rod(b):
    """A rod between points."""
    ends, place = distinct(b), _start(b)
    if ends is None or place is None:
        return None
    length = round(float(np.linalg.norm(place.point(ends[0]).v - place.point(ends[1]).v)), 2)
    given = b.rnd.choice([length, length, f"{length} + 0.05*sin(t)"])
    if b.chance(0.2):
        name = f"l{len(b.parameters) + 1}"
        b.parameters[name] = length
        given = name
    return {"distance": ends, "equals": given}


def loop(b):
    """A closed loop."""
    place = _start(b)
    if place is None:
        return None
    tip = b.links[-1][2]
    name = f"G{len(b.points)}"
    b.points[name] = {"at": [round(float(x), 2) for x in place.point(tip).v]}
    entry = {"coincide": [tip, name] if b.chance(0.5) else [name, tip]}
    if b.chance(0.4):
        entry["along"] = b.rnd.sample("xyz", b.rnd.choice([1, 2]))
    if b.chance(0.3):
        entry["in"] = b.rnd.choice(frames_of(b))
    return entry


def aligned(b):
    """Axes kept parallel."""
    place = _start(b)
    if place is None:
        return None
    frame, axis = b.rnd.choice(frames_of(b)), b.rnd.randrange(3)
    x, y, z = place.frame(frame).v[:, axis]
    name = f"A{len(b.frames)}"
    b.frames[name] = {"rotate": [["z", round(float(np.arctan2(y, x)), 2)],
                                 ["y", round(float(-np.arcsin(np.clip(z, -1, 1))), 2)]]}  # fmt: skip
    entry = {"align": [f"{name}.x", f"{frame}.{'xyz'[axis]}"]}
    if b.chance(0.5):
        entry["along"] = [b.rnd.choice("yz")]
    return entry


def _start(b):
    places = b.places(1)
    return None if places is None else places[0]


# --- rolling ------------------------------------------------------------------------------------------------------------


def rolling(b):
    """A wheel or a ball beside the tree, on the ground."""
    if b.planar or len(b.coordinates) > 4:
        return
    b.mark("rolling")
    radius = b.number(0.2, 0.5)
    if b.chance(0.4):  # an upright wheel
        b.coordinates |= {"s": {"rate": 0.5}, "spin": {"rate": 5}}
        b.frames["W"] = {"rotate": [["y", "spin"]]}
        b.points["W"] = {"at": ["s", 0, radius]}
        entry = {"roll": "wheel", "radius": radius}
        center = "W"
    elif b.chance(0.5):  # a disc that leans
        for name in ("x", "y", "yaw", "lean", "spin"):
            b.coordinates[name] = {
                "initial": round(b.rnd.uniform(-0.5, 0.5), 2),
                "rate": round(b.rnd.uniform(-1, 1), 2),
            }
        b.frames["Lean"] = {"rotate": [["z", "yaw"], ["x", "lean"]]}
        b.frames["W"] = {"parent": "Lean", "rotate": [["y", "spin"]]}
        b.points["C"] = {"at": ["x", "y", 0]}
        b.points["W"] = {"from": "C", "in": "Lean", "at": [0, 0, radius]}
        entry = {"roll": "wheel", "at": "C", "along": ["x", "y"]}
        center = "W"
    else:  # a ball
        for name in ("x", "y", "a", "b", "c"):
            b.coordinates[name] = {
                "initial": round(b.rnd.uniform(-0.5, 0.5), 2),
                "rate": round(b.rnd.uniform(-1, 1), 2),
            }
        b.frames["W"] = {"rotate": [["z", "a"], ["y", "b"], ["x", "c"]]}
        b.points["W"] = {"at": ["x", "y", radius]}
        entry = {"roll": "wheel", "radius": radius, "along": ["x", "y"]}
        center = "W"
    below = [name for name, body in b.bodies.items() if body.get("frame")]
    if below and b.chance(0.6):
        b.mark("rolling on a body")
        entry["on"] = b.rnd.choice(below)
    b.body("wheel", center, "W", particle=0.0)
    b.constraints["tyre"] = entry
    b.start["project"] = True
    b.links.append(("W", "W", "W"))


def returning(case, rnd):
    """Now and then a particle on a point that is reached by going out and back again: what moves it cancels."""
    points = {name: entry for name, entry in case.spec["points"].items() if any(entry.get("at", ()))}
    if not points or rnd.random() > 0.15:
        return
    name, entry = rnd.choice(list(points.items()))
    back = [f"-({part})" if isinstance(part, str) else -part for part in entry["at"]]
    case.spec["points"]["Back"] = {"from": name, "in": entry.get("in", "N"), "at": back}
    case.spec["bodies"]["returned"] = {"mass": 0.4, "center": "Back"}
    case.features |= {"out and back"}


def powers(case, rnd):
    """Now and then an output of high and broken powers; by numbers of its own."""
    if rnd.random() < 0.15:
        q = rnd.choice(list(case.spec["coordinates"]))
        high, root = f"{q}**{rnd.choice([5, 6, 7])} + 0.3*{q}**{rnd.choice([4, 9])}", rnd.choice(["1/3", "3/2", "-2/5"])
        case.spec.setdefault("outputs", {})["high"] = f"{high} + (exp(1) + sin({q}))**({root})"
        case.features |= {"high powers"}


# --- events -------------------------------------------------------------------------------------------------------------


def events(case, rnd):
    """Now and then an impact and something that is set; by numbers of their own, beside those of the mechanism."""
    if rnd.random() > 0.3:
        return
    spec, found = case.spec, {}
    q, axis, number = rnd.choice(list(spec["coordinates"])), rnd.choice("xyz"), round(rnd.uniform(0.1, 0.9), 2)
    gaps = [f"dot(position({point}), N.{axis}) + {number} + 0.2*sin(t)" for point in spec["points"]]
    gap = rnd.choice([*gaps, f"{number} - {q}", f"{q}**3 + 2*{q} - 4"])
    mechanism = Mechanism(case.whole)
    if movable(mechanism, gap):
        found["bounce"] = {"when": gap, "restitution": rnd.choice([0, 1, number])}
    changed = {q: f"0.9*{q}"} if rnd.random() < 0.5 else {f"der({q})": f"-{number}*der({q}) + 0.1*{q}"}
    free = [name for name in mechanism.free if name in spec.get("parameters", {})]
    changed |= {rnd.choice(free): f"{number} + {q}**2"} if free and rnd.random() < 0.5 else {}
    found["latch"] = {"when": f"{q} - {number}", "direction": "rising", "set": changed}
    if rnd.random() < 0.5:
        found = dict(reversed(found.items()))
    spec["events"] = found
    case.features |= {"event", *(["impact"] if "bounce" in found else [])}


def movable(mechanism, gap):
    """Whether the motions that the constraints allow change a gap, at several states."""
    q0, rates0 = mechanism.initial()
    for far in (0.0, 0.3, -0.2):
        state = mechanism.projected(q0 + far, rates0, far**2)
        if state is None:
            return False
        place = mechanism.at(*state, far**2)
        along = place.row(place.rate(place.expr(gap))).a[: place.m]
        rows = rows_at(place)
        rows = rows[np.abs(rows).max(axis=1, initial=0.0) > 1e-9]
        left = along - np.linalg.pinv(rows) @ (rows @ along) if len(rows) else along
        if np.linalg.norm(left) < 0.05:
            return False
    return True


# --- quasi-velocities and outputs ---------------------------------------------------------------------------------------


def speeds(b):
    """As many as degrees of freedom, of any affine kind, if a regular choice is found."""
    places = b.places()
    if b.chance(0.35) or places is None:
        return
    rows = [rows_at(place) for place in places]
    if len(rows[0]):
        kept = np.max([np.abs(matrix).max(axis=1) for matrix in rows], axis=0) > 1e-9
        rows = [matrix[kept] for matrix in rows]
    count, texts, chosen = len(places[0].mechanism.names) - len(rows[0]), candidates(b, places[0]), []
    b.rnd.shuffle(texts)
    for text in texts:
        more = [np.vstack([a, place.row(place.expr(text)).a[: place.m]]) for a, place in zip(rows, places, strict=True)]
        if len(chosen) < count and all(_condition(matrix) < 50 for matrix in more):
            rows, chosen = more, [*chosen, text]
    if count and len(chosen) == count:
        b.quasi_velocities.update({f"u{i}": text for i, text in enumerate(chosen, 1)})
        b.mark("quasi-velocities")


def candidates(b, place):
    names = list(place.mechanism.names)
    found = []
    for q in names:
        other = b.rnd.choice(names)
        found += [f"der({q})", b.rnd.choice([
            f"{b.number()}*der({q}) + {b.number()}", f"(2 + sin(t))*der({q}) - cos(t)", f"der({q}) + {b.number()}*der({other})",
            f"(2 + sin({other}))*der({q})", f"der({q}) - {b.number()}*t",
        ])]  # fmt: skip
    for frame, _, tip in b.links:
        found += [f"dot(velocity({tip}), {b.rnd.choice([frame, 'N'])}.{axis})" for axis in "xyz"]
        found += [f"dot(omega({frame}), {b.rnd.choice([frame, 'N'])}.{axis})" for axis in "xyz"]
    return found


def outputs(b):
    point, frame = b.rnd.choice(points_of(b)), b.rnd.choice(frames_of(b))
    q = b.rnd.choice(list(b.coordinates))
    texts = [
        f"dot(position({point}), N.x)", f"dot(velocity({point}), {frame}.y)", f"dot(omega({frame}), {frame}.z)",
        f"dot(cross(position({point}), velocity({b.rnd.choice(points_of(b))})), N.z)", f"der(sin({q}) + t*{q})",
        f"max({q}, 0.1) + min({q}, 0.2)", f"abs(der({q}))", f"atan2(sin({q}), 2 + cos({q}))", f"exp(-{q}**2)*sqrt(1 + {q}**2)",
        moderate(b), f"norm(velocity({point}) + 2*{frame}.x)",
    ]  # fmt: skip
    for number, text in enumerate(b.rnd.sample(texts, b.rnd.choice([0, 1, 1, 2])), 1):
        b.outputs[f"o{number}"] = text
    if b.part:
        return
    if b.chance(0.25):
        letter = b.rnd.choice("xyz")
        b.outputs["joint"] = f"reaction({b.rnd.choice(b.links)[b.rnd.choice([0, 1, 1])]}.{letter})"
        b.mark("joint reaction")
    for name, row in zip(("lam1", "lam2"), independent_names(b), strict=False):
        b.outputs[name] = f"reaction({row})"
        b.mark("reaction")


def independent_names(b):
    """The names of rows that do not vanish."""
    places = b.places() if b.constraints else None
    if places is None:
        return []
    sizes = np.max([np.abs(rows_at(place)).max(axis=1) for place in places], axis=0)
    return [name for name, size in zip(places[0].constraints(), sizes, strict=True) if size > 1e-9]
