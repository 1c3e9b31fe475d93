"""Specs as dicts of tables: written as TOML, and with their includes put in."""

import copy
import re

from tests.differential.jointed import jointed

JOINED = "with joints"  # a key of specs that are told with joints
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\w*\()")
LONE_POSITION = re.compile(r"position\((\w+)\)")
LITERAL = {"axis", "along", "unit", "about"}  # keys whose texts are no expressions
DEFAULTS = {  # what a part leaves out means its own N and O
    "frames": {"parent": "N"}, "points": {"in": "N", "from": "O"}, "forces": {"in": "N"}, "torques": {"in": "N"},
}  # fmt: skip
ROLLING, COINCIDING = {"in": "N", "on": "N", "normal": "N.z"}, {"in": "N"}
PART_TABLES = (
    "parameters", "signals", "coordinates", "frames", "points", "bodies", "potentials", "springs", "dampers",
    "actuators", "frictions", "forces", "torques", "generalized_forces", "constraints", "outputs",
)  # fmt: skip


def toml(spec):
    """A spec as text, one entry a line; told with joints if it says so."""
    spec = jointed({key: given for key, given in spec.items() if key != JOINED}) if spec.get(JOINED) else spec
    lines = [f"{key} = {_value(given)}" for key, given in spec.items() if not isinstance(given, dict)]
    for table, entries in spec.items():
        if isinstance(entries, dict) and entries:
            lines += ["", f"[{table}]", *(f"{key} = {_value(given)}" for key, given in entries.items())]
    return "\n".join(lines) + "\n"


def _value(given):
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, str):
        return f'"{given}"'
    if isinstance(given, dict):
        pairs = [f"{key if key.isidentifier() else _value(key)} = {_value(part)}" for key, part in given.items()]
        return "{ " + ", ".join(pairs) + " }" if given else "{}"
    if isinstance(given, list | tuple):
        return "[" + ", ".join(_value(part) for part in given) + "]"
    return repr(given)


def flattened(spec, parts):
    """A spec with its parts put in, under their names in the whole: what [include] means."""
    whole = copy.deepcopy({key: given for key, given in spec.items() if key not in ("include", JOINED)})
    for prefix, entry in spec.get("include", {}).items():
        entry = {"spec": entry} if isinstance(entry, str) else entry
        fixed = {"N": entry.get("frame", "N"), "O": entry.get("point", "O"), "pi": "pi", "t": "t"}
        part = copy.deepcopy(flattened(parts[entry["spec"]], parts))
        for table in PART_TABLES:
            for name, given in part.get(table, {}).items():
                whole.setdefault(table, {})[f"{prefix}_{name}"] = _renamed(_explicit(table, given), prefix, fixed)
        for name, given in entry.get("set", {}).items():
            old = whole["parameters"][f"{prefix}_{name}"]
            kept = {"fixed": True} if isinstance(old, dict) and old.get("fixed") else {}
            whole["parameters"][f"{prefix}_{name}"] = {"value": given, **kept}
        for key in ("initial", "rate"):
            for name, given in entry.get(key, {}).items():
                whole["coordinates"][f"{prefix}_{name}"][key] = given
    return whole


def _explicit(table, given):
    if table == "constraints" and isinstance(given, dict):
        defaults = ROLLING if "radius" in given else COINCIDING if "coincide" in given else {}
        return defaults | given
    return DEFAULTS.get(table, {}) | given if isinstance(given, dict) else given


def _renamed(given, prefix, fixed, key=""):
    if isinstance(given, str) and key not in LITERAL:
        text = LONE_POSITION.sub(rf"position(\1, {'O'})", given)
        return NAME.sub(lambda found: fixed.get(found[0]) or f"{prefix}_{found[0]}", text)
    if isinstance(given, dict):
        return {name: _renamed(part, prefix, fixed, name) for name, part in given.items()}
    if key == "rotate":
        return [[axis if isinstance(axis, str) else _renamed(axis, prefix, fixed), _renamed(angle, prefix, fixed)]
                for axis, angle in given]  # fmt: skip
    if isinstance(given, list):
        return [_renamed(part, prefix, fixed, key) for part in given]
    return given
