"""The same spec told with joints, where links are what joints make: the oracle keeps to what was drawn."""

import copy
import re

import numpy as np


def jointed(spec):
    """A spec in which the links of the last coordinates are joints; their order stays what it was."""
    told, joints, rest = copy.deepcopy(spec), {}, list(spec["coordinates"])
    found = {link["coordinates"][-1]: link for link in links(spec)}
    while rest and rest[-1] in found and rest[-len(found[rest[-1]]["coordinates"]) :] == found[rest[-1]]["coordinates"]:
        link = found[rest[-1]]
        del rest[-len(link["coordinates"]) :]
        take(told, link)
        joints = {link["name"]: link["joint"], **joints}
    return told | {"joints": joints} if joints else spec


def ordered(spec):
    """A spec with the coordinates of links that can be joints behind the others."""
    own = spec["coordinates"]
    last = [name for link in links(spec) for name in link["coordinates"]]
    if len(set(last)) < len(last):
        return spec
    names = [*(name for name in own if name not in last), *last]
    return spec | {"coordinates": {name: own[name] for name in names}}


def links(told):
    """Bodies that could be the children of joints, with what would be said of these."""
    centers = {"O": "N"} | {
        body["center"]: name for name, body in told["bodies"].items() if body.get("frame") and "center" in body
    }
    seen = set()
    for number, (name, body) in enumerate(told["bodies"].items()):
        frame, center = body.get("frame"), body.get("center")
        point = told["points"].get(center, {})
        pin = told["points"].get(point.get("from"), {})
        entry = told["frames"].get(frame)
        parent = entry and entry.get("parent", "N")
        if (
            not entry
            or point.get("in") != frame
            or pin.get("in") != parent
            or shared(told, name, frame, center, point["from"])
        ):
            continue
        carrier = centers.get(pin.get("from"))
        carried = "N" if carrier == "N" else carrier and told["bodies"][carrier]["frame"]
        if carrier is None or carried != parent or carrier == name:
            continue
        motion = moved(told, entry, pin["at"])
        if motion is not None and constant(told, point["at"]) and frame not in seen:
            seen.add(frame)
            keys, coordinates = motion
            joint = {
                "child": name,
                "parent": carrier,
                "frame": frame,
                "point": point["from"],
                "center": point["at"],
                **keys,
            }
            joint |= {"coordinates": coordinates}
            pieces = {"body": name, "frame": frame, "pin": point["from"], "center": center}
            joint_name = "unit" if "quaternion" in entry else f"h{number}"
            yield {
                "name": joint_name,
                "joint": joint | starts(told, coordinates, "quaternion" in entry),
                "coordinates": coordinates,
                **pieces,
            }


def shared(told, body, frame, center, pin):
    """Whether another body has the same center, which then has no joint, or a force is asked for at one of these."""
    text = str(told.get("outputs", {})) + str(told.get("events", {}))
    unit = ["unit"] if "quaternion" in told["frames"][frame] else []  # whose row may be written otherwise
    asked = any(re.search(rf"reaction\({name}\b", text) for name in (center, *unit))
    twins = [name for name, other in told["bodies"].items() if other.get("center") in (center, pin) and name != body]
    return asked or bool(twins) or center == "O"


def constant(told, offset):
    """Whether nothing that moves is in an offset."""
    names = set(re.findall(r"[A-Za-z_]\w*", " ".join(map(str, offset))))
    return not names & ({*told["coordinates"], "t"} | {f"q{n}" for n in range(1, 20)})


def moved(told, entry, at):
    """The type of a joint with its place and axes, and its coordinates; None where it is none."""
    own = told["coordinates"]
    slides = [(axis, part) for axis, part in zip("xyz", at, strict=True) if part in own]
    rest = [0 if part in own else part for part in at]
    turns = entry.get("rotate", [])
    angles = [angle for _, angle in turns]
    if "cosines" in entry or not constant(told, rest) or any(angle not in own for angle in angles):
        return None
    names = [part for _, part in slides]
    if "quaternion" in entry:
        parts = entry["quaternion"]
        whole = len(slides) == 3 and all(part in own for part in parts)
        return ({"type": "free", "orientation": "quaternion"}, [*names, *parts]) if whole else None
    if len(slides) == 3 and len(turns) == 3:
        return {"type": "free", "orientation": "".join(axis for axis, _ in turns)}, [*names, *angles]
    if len(slides) == 1 and not turns:
        return {"type": "prismatic", "axis": slides[0][0], "at": rest}, names
    if len(slides) == 1 and [axis for axis, _ in turns] == [slides[0][0]]:
        return {"type": "cylindrical", "axis": slides[0][0], "at": rest}, [*names, *angles]
    if len(slides) == 2 and rest == [0, 0, 0] and at[2] == 0 and [axis for axis, _ in turns] == ["z"]:
        return {"type": "planar"}, [*names, *angles]
    kinds = {1: "revolute", 2: "universal", 3: "spherical"}
    if slides or len(turns) not in kinds or len(set(angles)) < len(angles):
        return None
    axes = [
        {},
        {"axis": turns[0][0]},
        {"axes": [axis for axis, _ in turns]},
        {"orientation": "".join(map(str, (a for a, _ in turns)))},
    ]
    return {"type": kinds[len(turns)], "at": at, **axes[len(turns)]}, angles


def starts(told, coordinates, quaternion):
    """Start values as a joint tells them; the rates of a quaternion as a spin, without what changes its length."""
    own = told["coordinates"]
    initial, rate = ([own[name].get(key, 0) for name in coordinates] for key in ("initial", "rate"))
    if not quaternion:
        return {"initial": initial, "rate": rate}
    (w, x, y, z), r = initial[3:], np.array(rate[3:])
    back = np.array([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])
    spin = 2 * back @ r / (w * w + x * x + y * y + z * z)
    return {"initial": initial[:3], "rate": rate[:3], "attitude": initial[3:], "spin": [float(part) for part in spin]}


def take(told, link):
    """Leave out of a spec what a joint makes; the old name of the center is one more point."""
    body = told["bodies"][link["body"]]
    del body["center"], body["frame"]
    del told["frames"][link["frame"]], told["points"][link["pin"]]
    told["points"][link["center"]] = {"from": f"{link['body']}_center"}
    for name in link["coordinates"]:
        del told["coordinates"][name]
    if link["name"] == "unit":
        del told["constraints"]["unit"]
