"""Mechanisms spoilt on purpose, each in one way: the compiler must refuse them, and blame what was spoilt.

Where a way of spoiling may leave a mechanism sound, the oracle says whether it does, and then it must be accepted.
"""

import copy
import random
import re

import numpy as np

from tests.differential.checks import ROOTS, Known
from tests.differential.numbers import Mismatch, has_quaternions
from tests.differential.oracle import MOVING, Mechanism, calls_in
from tests.differential.specs import JOINED
from volterra_cg import derivation
from volterra_cg.errors import ModelError, ModelErrors, SpecError
from volterra_cg.formulations import feasibility
from volterra_cg.options import REDUCED, Options

SOUND = ""  # nothing to refuse
WRONG_SPEEDS = ("speed_twice", "speed_of_a_constraint", "speed_too_many")  # to those that keep all speeds, too


def spoilt(case, seed):
    """A spec, what its refusal says (SOUND if there is none), and the names to blame; None where nothing fits."""
    rnd = random.Random(f"spoilt {seed}")
    ways = [WAYS[seed % len(WAYS)], *rnd.sample(WAYS, len(WAYS))]
    for way in ways:
        spec = copy.deepcopy(case.spec)
        spec.pop("events", None)
        found = way(spec, case, rnd)
        if found is not None:
            return way.__name__, spec, *found
    return None


def compare(own):
    """One spoilt mechanism: what is said, of whom, and what is advised."""
    found = spoilt(own.case, own.seed)
    if found is None:
        return
    way, spec, *expected = found
    for formulation in (REDUCED, "kane") if way in WRONG_SPEEDS else (REDUCED,):
        blamed(way, refusals(own, spec, formulation), *expected)
    own.tally.add("spoilt", way)


def blamed(way, problems, phrase, names, *advice):
    told = [(name, remedy) for message, name, remedy in problems if re.match(phrase, message)]
    if not phrase and problems:
        raise Mismatch(f"{way}: refused", f"{problems} although nothing is wrong")
    if phrase and not told:
        raise Mismatch(f"{way}: not refused", f"should be refused with {phrase!r}, not {problems}")
    if phrase and names and {name for name, _ in told} != set(names):
        raise Mismatch(f"{way}: wrong blame", f"{problems}, but {sorted(names)} is to blame")
    if phrase and advice and not all(re.match(advice[0], remedy) for _, remedy in told):
        raise Mismatch(f"{way}: wrong advice", f"{problems}, but the remedy is {advice[0]!r}")


def refusals(own, spec, formulation):
    """What `check` refuses: messages, each with the name that it blames and the remedy."""
    try:
        _, system = own.read(spec)
        problem = derivation.over_seeds(lambda seed: derivation.pose(system, Options(formulation), seed))
        feasibility.require_mass(problem, system)
    except ModelErrors as error:
        return [(str(reason), reason.subject[1], reason.remedy) for reason in error.errors]
    except ModelError as error:
        return [(str(error), error.subject[1] if error.subject else "", error.remedy)]
    except SpecError as error:
        return [(str(error), "", "")]
    return []


def whole(spec, case):
    return Mechanism(type(case)(spec, case.parts).whole)


def start(mechanism):
    """The start of a mechanism, on its constraints where the spec asks for that."""
    q, rates = mechanism.initial()
    if mechanism.spec.get("start", {}).get("project"):
        return mechanism.projected(q, rates, 0.0)
    return q, rates


def rows_of(mechanism, name):
    """The rows of a constraint that do not vanish at the start."""
    state = start(mechanism)
    if state is None:
        return []
    rows = mechanism.at(*state, 0.0).constraints()
    return [row for row, found in rows.items() if row.split(".")[0] == name and abs(found.a).max() > 1e-9]


def chosen(spec, rnd, fits=lambda entry: True):
    names = [name for name, entry in spec.get("constraints", {}).items() if fits(entry)]
    return rnd.choice(names) if names else None


# --- ways ---------------------------------------------------------------------------------------------------------------


def twice(spec, case, rnd):
    """A constraint that is there already."""
    name = chosen(spec, rnd)
    if name is None or (name == "unit" and spec.get(JOINED)):  # the joint's own comes behind it
        return None
    spec["constraints"]["again"] = spec["constraints"][name]
    rows = rows_of(whole(spec, case), "again")
    said = [f"constraint {row} follows from the constraints before it" for row in rows]
    return ("|".join(map(re.escape, said)), rows, "leave again out$") if rows else None


def against(spec, case, rnd):
    """A constraint against one that is there already."""
    name = chosen(spec, rnd, lambda entry: isinstance(entry, str))
    if name is None or not rows_of(whole(spec, case), name) or (name == "unit" and spec.get(JOINED)):
        return None
    spec["constraints"]["against"] = f"{spec['constraints'][name]} + 0.3"
    return "constraint against contradicts the constraints before it", ["against"], "no motion satisfies all of them"


def gap_held(spec, case, rnd):
    """An impact whose gap is a constraint."""
    name = chosen(spec, rnd, lambda entry: isinstance(entry, str) and not calls_in(entry) & MOVING)
    if name is None or not rows_of(whole(spec, case), name):
        return None
    spec["events"] = {"held": {"when": f"{spec['constraints'][name]} + 0.1", "restitution": 0.5}}
    return "the constraints prescribe the gap of the impact held", ["held"]


def off_the_start(spec, case, rnd):
    """Start values off the constraints, which nothing moves onto them."""
    if not spec.get("constraints"):
        return None
    spec.pop("start", None)
    mechanism = whole(spec, case)
    rows = mechanism.at(*mechanism.initial(), 0.0).constraints()
    sizes = {name: max(abs(row.value), abs(row.gap or 0.0)) for name, row in rows.items() if abs(row.a).max() > 1e-6}
    if len(sizes) < len(rows) or any(1e-12 < size < 1e-4 for size in sizes.values()):
        return None
    wrong = [name for name, size in sizes.items() if size > 1e-4]
    if "unit" in wrong:  # said of the frame, in words of its own
        return r"\w+ is no rotation of its parent|the initial (values|rates) do not satisfy the constraint", []
    said = "|".join(rf"the initial (values|rates) do not satisfy the constraint {re.escape(name)}:" for name in wrong)
    return (said, wrong, "correct them, or have them moved") if wrong else (SOUND, [])


def projected_in_vain(spec, case, rnd):
    """A projection that may change only what is in no constraint."""
    mechanism = whole(spec, case)
    rows = mechanism.at(*mechanism.initial(), 0.0).constraints()
    moved = np.max([abs(row.a) for row in rows.values()], axis=0) if rows else np.ones(1)
    free = [
        name for name, size in zip(mechanism.names, moved, strict=False) if size < 1e-9 and name in spec["coordinates"]
    ]
    if not free or not any(max(abs(row.value), abs(row.gap or 0.0)) > 1e-3 for row in rows.values()):
        return None
    spec["start"] = {"project": free}
    if has_quaternions(spec):  # one that starts off the unit is told first
        return r"the initial (values|rates) do not satisfy the constraint|\w+ is no rotation of its parent", []
    return "the initial (values|rates) do not satisfy the constraint", [], "projection found nothing nearer"


def nearly_on_the_start(spec, case, rnd):
    """Start values that miss a constraint of steep slopes by a little, at rest."""
    held = {"hung body", "rolling"}  # without its constraints a leg or a spin may move no mass
    if case.parts or case.features & held:
        return None
    q = rnd.choice(list(spec["coordinates"]))
    spec["coordinates"] |= {
        name: {k: v for k, v in e.items() if k != "rate"} for name, e in spec["coordinates"].items()
    }
    spec["coordinates"][q] = {"initial": 0.3}
    spec["constraints"] = {"steep": f"200*({q} - 0.3 - {rnd.choice(['4e-10', '3e-12'])})"}
    for name in ("start", "quasi_velocities", "outputs"):
        spec.pop(name, None)
    if "e0" in spec["coordinates"]:
        return None
    wrong = "4e-10" in spec["constraints"]["steep"]
    return ("the initial values do not satisfy the constraint steep", ["steep"]) if wrong else (SOUND, [])


def squared(spec, case, rnd):
    """A constraint whose slopes vanish where it holds."""
    q = rnd.choice(list(spec["coordinates"]))
    if case.parts or spec.get("constraints") or case.features & {"start values of parameters"}:
        return None
    spec["coordinates"][q] = {"initial": 0.3}
    spec["constraints"] = {"square": f"({q} - 0.3)**2"}
    spec.pop("quasi_velocities", None)
    return (
        "the constraint square restricts no motion: all its derivatives are zero",
        ["square"],
        "write it without a square",
    )


def never(spec, case, rnd):
    """A constraint that holds nowhere."""
    spec.setdefault("constraints", {})["never"] = f"{rnd.choice(list(spec['coordinates']))}**2 + 0.5"
    spec.pop("quasi_velocities", None)
    frame = (
        r"|\w+ is no rotation of its parent" if has_quaternions(spec) else ""
    )  # what is in vain moves quaternions, too
    return f"the initial values do not satisfy the constraint never|.*constraint never|the constraint never{frame}", []


def scaled(spec, case, rnd):
    """A constraint in other units, which says the same."""
    name = chosen(spec, rnd, lambda entry: isinstance(entry, str))
    if name is None:
        return None
    spec["constraints"][name] = f"{rnd.choice(['1e-8', '1e6'])}*({spec['constraints'][name]})"
    return SOUND, []


def unfit(spec, case, rnd):
    """A constraint that is not affine, that no motion satisfies, or that has no velocity."""
    q = rnd.choice(list(spec["coordinates"]))
    text, said = rnd.choice([
        (f"der({q})**2 - 1", "unfit is not affine in the rates"),
        ("dot(N.x, N.x) - 2", "constraint unfit does not depend on the motion, and does not hold"),
        ({"velocity": f"der({q}) - der({q}) + 0.3"}, ".*constraint unfit has no velocity in it|.*unfit"),
    ])  # fmt: skip
    spec.setdefault("constraints", {})["unfit"] = text
    return said, []


def many(spec, case, rnd):
    """So many carts, tied in pairs, that not every choice of their rates is tried; and all is well."""
    if len(spec["coordinates"]) > 2 or case.parts or spec.get("constraints"):
        return None
    spec.pop("quasi_velocities", None)
    spec.setdefault("constraints", {})
    for k in range(24):
        spec["coordinates"][f"x{k}"] = {}
        spec["points"][f"C{k}"] = {"at": [f"x{k}", 0.1 * k, 0]}
        spec["bodies"][f"c{k}"] = {"mass": 1 + k, "center": f"C{k}"}
    for k in range(12):
        spec["constraints"][f"tie{k}"] = f"x{2 * k} - 2*x{2 * k + 1}"
    return SOUND, []


def speed_twice(spec, case, rnd):
    """A quasi-velocity that follows from another."""
    given = spec.get("quasi_velocities", {})
    if len(given) < 2:
        return None
    spec["ignorable"] = []
    first, *_, last = given
    given[last] = f"0.5*({given[first]})"
    said = rf"\[Y; M'; a\] is singular everywhere: {last} follows from the constraints and the other quasi-velocities"
    return said, [last], "choose others"


def speed_beside_momenta(spec, case, rnd):
    """As many quasi-velocities as the momenta leave, two of them the same."""
    mechanism = whole(spec, case)
    known = Known(mechanism, 1)
    given = list(spec.get("quasi_velocities", {}).items())[
        : len(mechanism.names) - len(known.kept) - len(known.ignorable)
    ]
    if len(given) < 2 or not known.ignorable or case.features & ROOTS or case.parts:
        return None
    spec.pop("ignorable", None)
    spec["quasi_velocities"] = dict(given) | {given[-1][0]: f"0.5*({given[0][1]})"}
    return r"\[Y; M'; a\] is singular everywhere: .* from the constraints, the conserved momenta and the other", []


def speed_of_a_constraint(spec, case, rnd):
    """A quasi-velocity that a constraint prescribes."""
    given = spec.get("quasi_velocities", {})
    name = chosen(spec, rnd, lambda entry: isinstance(entry, str) and calls_in(entry) & MOVING)
    if not given or name is None or not rows_of(whole(spec, case), name):
        return None
    spec["ignorable"] = []
    last = list(given)[-1]
    given[last] = f"2*({spec['constraints'][name]})"
    return r"\[Y; M'; a\] is singular everywhere: .* from the constraints and the other quasi-velocities", []


def speed_too_many(spec, case, rnd):
    """More quasi-velocities than degrees of freedom."""
    given = spec.get("quasi_velocities", {})
    if not given:
        return None
    given["more"] = f"der({next(iter(spec['coordinates']))})"
    return f"{len(given)} quasi-velocities are given", ["more"]


def no_rotation(spec, case, rnd):
    """A frame that stretches, one that does so for other parameters, or a quaternion that nothing keeps a unit."""
    pick = rnd.randrange(3)
    spec["points"]["Odd"] = {"from": "O", "in": "Odd", "at": [0.3, 0.2, 0.1]}
    spec["bodies"]["odd"] = {"mass": 0.2, "center": "Odd"}
    if pick == 0:
        rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        rows[rnd.randrange(3)][rnd.randrange(3)] += 0.25
        spec.setdefault("frames", {})["Odd"] = {"cosines": rows}
        return "Odd is no rotation of its parent", ["Odd"]
    if pick == 1:
        spec.setdefault("parameters", {})["unit_length"] = 1
        spec.setdefault("frames", {})["Odd"] = {"quaternion": ["unit_length", 0, 0, 0]}
        return "Odd is a rotation for some values of unit_length only", ["Odd"]
    spec["coordinates"] |= {"w0": {"initial": 1}, "w1": {}, "w2": {}, "w3": {}}
    spec.setdefault("frames", {})["Odd"] = {"quaternion": ["w0", "w1", "w2", "w3"]}
    spec.pop("quasi_velocities", None)
    return "Odd is a rotation at the start, but nothing keeps it one", ["Odd"]


def no_mass(spec, case, rnd):
    """A coordinate beside another one, an idle one, or one that a constraint ties to another."""
    pick = rnd.randrange(3)
    spec["coordinates"]["idle"] = {"initial": 0.2}
    spec.pop("quasi_velocities", None)
    spec["ignorable"] = []
    if pick == 0:
        turned = [e for e in spec.get("frames", {}).values() if e.get("rotate") and _is_free(e["rotate"][0][1], spec)]
        if not turned:
            return None
        entry = rnd.choice(turned)
        axis, angle = entry["rotate"][0]
        entry["rotate"] = [[axis, f"{angle} + idle"], *entry["rotate"][1:]]
    else:
        spec.setdefault("frames", {})["Idle"] = {"rotate": [["z", "idle"]]}
        spec["points"]["Idle"] = {"in": "Idle", "at": [0.3, 0, 0]}
    if pick == 2:
        spec.setdefault("constraints", {})["tie"] = f"idle - 2*{rnd.choice(list(case.spec['coordinates']))} - 0.1"
        spec.setdefault("start", {})["project"] = True
    mechanism = whole(spec, case)
    names = still(mechanism)
    if names is None:
        return None
    return (f"a motion of {', '.join(names)} moves no mass", names[:1]) if names else (SOUND, [])


def _is_free(angle, spec):
    return angle in spec["coordinates"]


def still(mechanism):
    """The coordinates of the motion that moves no mass, of those that the constraints allow; None where that is not clear."""
    state = start(mechanism)
    if state is None:
        return None
    place = mechanism.at(*state, 0.0)
    m, mass = place.m, 0.0
    for body in mechanism.spec["bodies"].values():
        for motion, weight, _ in place.laws(body):
            j = motion.g[:, place.rate_at][:, :m]
            mass = mass + j.T @ weight @ j
    rows = np.array([row.a for row in place.constraints().values()]).reshape(-1, m)
    _, sizes, directions = np.linalg.svd(rows) if len(rows) else (None, np.zeros(0), np.eye(m))
    if len(rows) and (sizes.min() < 1e-4 or len(rows) > m):
        return None
    free = directions[len(sizes) :].T
    weights, motions = np.linalg.eigh(free.T @ mass @ free)
    if not weights.size or weights[0] > 1e-4:
        return []
    if abs(weights[0]) > 1e-12 or (weights.size > 1 and weights[1] < 1e-4):
        return None
    motion = abs(free @ motions[:, 0])
    return [name for name, part in zip(mechanism.names, motion, strict=True) if part > 1e-4 * motion.max()]


def not_ignorable(spec, case, rnd):
    """Coordinates called ignorable that are not."""
    known = Known(whole(spec, case), 1)
    wrong = [name for name in known.names if name not in known.ignorable and not name.startswith("e")]
    if not wrong:
        return None
    name = rnd.choice(wrong)
    spec["ignorable"] = [*known.ignorable, name]
    number = known.reasons[known.names.index(name)].conditions[0]
    return f"{name} is not ignorable; condition {number}", []


WAYS = [
    twice, against, gap_held, off_the_start, projected_in_vain, nearly_on_the_start, squared, never, scaled, unfit, many,
    speed_twice, speed_beside_momenta, speed_of_a_constraint, speed_too_many, no_rotation, no_mass, not_ignorable,
]  # fmt: skip
