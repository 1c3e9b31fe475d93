"""Random mechanisms as specs, as people write them: trees, shared frames, odd axes, loops, degenerate values."""

import random
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from tests.differential import pieces
from tests.differential.hung import hung
from tests.differential.jointed import jointed, ordered
from tests.differential.oracle import Mechanism
from tests.differential.specs import JOINED, flattened

LARGEST, SMALL = 7, 4  # coordinates of one mechanism in four, and of the others
SKEW_AXES = ([1, 2, 0], [1, 1, 1], [0.3, -0.4, 1.2], [0, 1, -2], [-1, 0, 3], [0, 0, 2])
TOLD = 1000  # seeds from which on mechanisms may be told with joints, or be a body hung on rods and legs
WORST = 1e5  # condition of the equations of a mechanism that is worth comparing


@dataclass
class Case:
    """A spec, the files that it includes, and what occurs in it."""

    spec: dict
    parts: dict = field(default_factory=dict)
    features: frozenset = frozenset()

    @property
    def whole(self):
        """The spec with its parts put in."""
        return flattened(self.spec, self.parts)


@cache
def case(seed):
    """The mechanism of a seed: the first draw that the oracle finds regular."""
    for attempt in range(200):
        rnd = random.Random(f"{seed}/{attempt}")
        builder = Builder(rnd, largest=LARGEST if seed % 4 == 0 else SMALL, hung=seed >= TOLD and seed % 25 == 9)
        found = builder.build()
        if found is not None:
            pieces.returning(found, random.Random(f"{seed}/{attempt}/returning"))
            pieces.powers(found, random.Random(f"{seed}/{attempt}/powers"))
            pieces.events(found, random.Random(f"{seed}/{attempt}/events"))
            joints = seed >= TOLD and random.Random(f"{seed}/{attempt}/joints").random() < 0.6
            return with_joints(found) if joints else found
    raise AssertionError(f"seed {seed} draws nothing regular")


def with_joints(drawn):
    """The same mechanism, told with joints as far as its links are some."""
    spec = ordered(as_joints_tell(drawn.spec))
    told = jointed(spec).get("joints", {}).values()
    if not told:
        return drawn
    return replace(
        drawn, spec=spec | {JOINED: True}, features=drawn.features | {f"{joint['type']} joint" for joint in told}
    )


def as_joints_tell(spec):
    """A quaternion with a row and rates as joints write them, and no multiplier of its length, which is told of no joint."""
    outputs = {name: text.replace("reaction(unit)", "1") for name, text in spec.get("outputs", {}).items()}
    spec = spec | {"outputs": outputs} if outputs else spec
    if "unit" not in spec.get("constraints", {}):
        return spec
    own = {name: dict(spec["coordinates"][name]) for name in ("e0", "e1", "e2", "e3")}
    q, rates = (np.array([entry[key] for entry in own.values()]) for key in ("initial", "rate"))
    for entry, rate in zip(own.values(), rates - q * (q @ rates) / (q @ q), strict=True):
        entry["rate"] = float(rate)
    row = f"({spec['constraints']['unit']})/2"
    return spec | {"constraints": spec["constraints"] | {"unit": row}, "coordinates": spec["coordinates"] | own}


class Builder:
    """Draws one mechanism; tables are dicts, as they will stand in the file."""

    def __init__(self, rnd, part=False, largest=SMALL, hung=False):
        self.rnd, self.part, self.largest, self.hung = rnd, part, largest, hung
        self.features = set()
        self.parts = {}
        self.tables = {
            name: {}
            for name in ("parameters", "signals", "coordinates", "frames", "points", "bodies", "gravity", "potentials",
                         "springs", "dampers", "actuators", "frictions", "forces", "torques", "generalized_forces",
                         "constraints", "quasi_velocities", "outputs", "start", "include")
        }  # fmt: skip
        self.planar = rnd.random() < 0.3
        self.plain = rnd.random() < 0.2  # equal and special numbers
        self.links = []  # (frame, joint point, tip point)
        self.hinges = []  # coordinates that are angles

    def __getattr__(self, name):
        try:
            return self.__dict__["tables"][name]
        except KeyError:
            raise AttributeError(name) from None

    # --- numbers ----------------------------------------------------------------------------------------------------

    def chance(self, odds):
        return self.rnd.random() < odds

    def mark(self, *features):
        self.features.update(features)

    def number(self, low=0.2, high=1.2):
        if self.plain:
            self.mark("equal numbers")
            return self.rnd.choice([0.5, 1, 1])
        return round(self.rnd.uniform(low, high), 2)

    def signed(self):
        return self.number() * self.rnd.choice([1, -1])

    def quantity(self, low=0.2, high=1.2):
        """A positive number or an expression of parameters."""
        if self.chance(0.55):
            return self.number(low, high)
        known = list(self.parameters)
        if known and self.chance(0.4):
            name = self.rnd.choice(known)
            return self.rnd.choice([name, name, f"2*{name}", f"{name}**2 + 0.1", f"sqrt({name})"])
        name = f"p{len(known) + 1}"
        given = self.number(low, high)
        if known and self.chance(0.25):
            given = f"{self.rnd.choice(known)}*0.5 + 0.2"
            self.mark("derived parameter")
        elif self.chance(0.2):
            given = {"value": given, "fixed": True}
            self.mark("fixed parameter")
        elif self.chance(0.1):
            given = {"value": self.rnd.choice(["pi/4", "sqrt(2)/2", given]), "unit": "m"}
        self.parameters[name] = given
        return name

    def coordinate(self, angle):
        name = f"q{len(self.coordinates) + 1}"
        entry = {}
        if not self.chance(0.15):
            entry["initial"] = round(self.rnd.uniform(-1.1, 1.1), 3) if not self.plain else self.rnd.choice([0, 0.5])
            if self.chance(0.1):
                entry["initial"] = self.rnd.choice(["pi/6", "pi/2", "-pi/4"]) if angle else "sqrt(2)"
        if not self.chance(0.2):
            entry["rate"] = round(self.rnd.uniform(-1.2, 1.2), 3)
        if self.parameters and self.chance(0.08):
            self.mark("start values of parameters")
            key, known = self.rnd.choice(["initial", "rate"]), self.rnd.choice(list(self.parameters))
            entry[key] = self.rnd.choice([f"0.7*{known}", f"-{known}**2/3", f"0.4 - sin({known})"])
        self.coordinates[name] = entry
        if angle:
            self.hinges.append(name)
        return name

    def offset(self):
        """A constant vector, often with zeros."""
        if self.chance(0.12):
            return [0, 0, 0]
        parts = []
        for axis in range(3):
            if self.chance(0.4) or (self.planar and axis == 2):
                parts.append(0)
            else:
                given = self.quantity()
                parts.append(f"-({given})" if isinstance(given, str) and self.chance(0.5) else given)
        return parts

    # --- joints -----------------------------------------------------------------------------------------------------

    def room(self):
        return self.largest - len(self.coordinates)

    def axis(self):
        if self.planar:
            return "z"
        if self.chance(0.25):
            self.mark("skew axis")
            return self.rnd.choice(SKEW_AXES)
        return self.rnd.choice("xyz")

    def axis_letter(self):
        return "z" if self.planar else self.rnd.choice("xyz")

    def angle(self):
        """A new angle, or an expression of coordinates that are there."""
        if self.hinges and self.chance(0.12):
            self.mark("shared coordinate")
            q = self.rnd.choice(self.hinges)
            return self.rnd.choice([q, q, f"2*{q}", f"-{q}", f"{q} + pi/3"])
        name = self.coordinate(True)
        pick = self.rnd.random()
        if pick < 0.75:
            return name
        if pick < 0.85:
            return f"{name} + {self.rnd.choice(['pi/6', 'pi/2', '0.4'])}"
        if pick < 0.9:
            return f"2*{name}"
        self.mark("moving frame")
        return f"{name} + {self.number()}*sin({self.number(0.5, 2)}*t)"

    def turns(self, kind):
        """The turns of a joint."""
        if kind == "prescribed":
            self.mark("prescribed frame")
            return [[self.axis(), self.rnd.choice([f"{self.number()}*t", f"{self.number()}*sin({self.number()}*t)"])]]
        if kind == "weld":
            return [[self.axis(), self.rnd.choice(["pi/4", "pi/3", 0.7, "pi/2"])]] if self.chance(0.7) else []
        count = {"hinge": 1, "slide turn": 1, "universal": 2, "ball": 3, "free": 3}.get(kind, 0)
        if self.planar:
            count = min(count, 1)
        order = self.rnd.choice(["zyx", "zxz", "xyz", "yxz"])
        if count == 1:
            return [[self.axis(), self.angle()]]
        return [[order[i], self.angle() if kind != "free" else self.coordinate(True)] for i in range(count)]

    def slides(self, kind):
        """What a joint adds to the offset of its point."""
        if kind == "free":
            names = [self.coordinate(False) for _ in range(2 if self.planar else 3)]
            return [*names, 0][:3]
        if kind not in ("slider", "slide turn"):
            return None
        at = self.offset()
        axis = self.rnd.randrange(2 if self.planar else 3)
        name = self.coordinate(False)
        at[axis] = self.rnd.choice([name, name, f"{name} + {at[axis]}"])
        if self.chance(0.1):
            self.mark("moving point")
            at[axis] = f"{at[axis]} + {self.number()}*cos(t)"
        return at

    def link(self):
        """One more link: a frame, the point of its joint, and its tip."""
        number = len(self.links) + 1
        parent = self.rnd.choice([*self.links[-2:], *self.links, ("N", "O", "O")]) if self.links else ("N", "O", "O")
        kinds = ["hinge"] * 5 + ["slider"] * 2 + ["slide turn", "weld", "prescribed"]
        if self.room() >= 3 and not self.planar:
            kinds += ["universal", "ball"]
        if not self.links and self.room() >= 6:
            kinds += ["free", "free", *["quaternion"] * 5] if not self.planar else ["free", "free"]
        kind = self.rnd.choice(kinds)
        frame, joint, tip = f"F{number}", f"J{number}", f"P{number}"
        self.mark(kind)
        entry = {"parent": parent[0]} if parent[0] != "N" or self.chance(0.3) else {}
        slides = self.slides("free" if kind == "quaternion" else kind)
        if kind == "quaternion":
            entry["quaternion"] = self.quaternion()
        else:
            entry |= self.written(self.turns(kind))
        at = slides if slides is not None else self.offset()
        self.frames[frame] = entry
        self.points[joint] = {"from": parent[2], "in": parent[0], "at": at}
        other = self.rnd.choice(self.links)[0] if self.links and self.chance(0.08) else frame
        self.points[tip] = {"from": joint, "in": other, "at": self.offset()}
        self.links.append((frame, joint, tip))

    def quaternion(self):
        names = [f"e{i}" for i in range(4)]
        parts = np.array([self.rnd.gauss(0, 1) for _ in names])
        parts /= np.linalg.norm(parts)
        for name, part in zip(names, parts, strict=True):
            self.coordinates[name] = {"initial": round(float(part), 3), "rate": round(self.rnd.uniform(-1, 1), 2)}
        self.constraints["unit"] = "e0**2 + e1**2 + e2**2 + e3**2 - 1"
        self.start["project"] = True
        return names

    def written(self, turns):
        """Turns as they are, or as direction cosines or a quaternion."""
        if len(turns) == 1 and turns[0][0] in ("x", "y", "z") and self.chance(0.15):
            (axis, angle) = turns[0]
            k = "xyz".index(axis)
            c, s = f"cos({angle})", f"sin({angle})"
            if self.chance(0.5):
                self.mark("frame by quaternion")
                return {"quaternion": [f"cos(({angle})/2)", *(f"sin(({angle})/2)" if i == k else 0 for i in range(3))]}
            self.mark("frame by cosines")
            rows = [[1 if i == j else 0 for j in range(3)] for i in range(3)]
            i, j = (k + 1) % 3, (k + 2) % 3
            rows[i][i], rows[i][j], rows[j][i], rows[j][j] = c, f"-{s}", s, c
            return {"cosines": rows}
        return {"rotate": turns} if turns else {}

    # --- bodies -----------------------------------------------------------------------------------------------------

    def inertia(self, frame):
        """An inertia or a shape; always one that a body can have."""
        pick = self.rnd.random()
        if self.planar and pick < 0.6:
            return {"inertia": {"zz": self.quantity(0.1, 0.5)}}
        if pick < 0.35:
            self.mark("shape")
            return {"shape": self.rnd.choice(self.shapes())}
        a, b = self.number(0.2, 0.4), self.number(0.2, 0.4)
        moments = [a, b, round(max(a, b) + 0.1, 3)]
        self.rnd.shuffle(moments)
        if pick < 0.65:
            return {"inertia": moments}
        products = self.rnd.sample(["xy", "xz", "yz"], self.rnd.randint(1, 2))
        tensor = dict(zip(("xx", "yy", "zz"), moments, strict=True)) | dict.fromkeys(products, 0.03)
        if self.chance(0.2):
            self.mark("inertia in another frame")
            name = f"I{len(self.frames)}"
            self.frames[name] = {"parent": frame, "rotate": [[self.rnd.choice("xyz"), self.rnd.choice(["pi/6", 0.3])]]}
            tensor["in"] = name
        return {"inertia": tensor}

    def shapes(self):
        size = self.quantity
        axis = self.rnd.choice("xyz")
        return [
            {"box": [size(), size(), size()]},
            {"plate": [size(), size()]},
            {"cylinder": {"radius": size(), "length": size(), "axis": axis}},
            {"sphere": size()},
            {"ring": {"radius": size(), "axis": axis}},
            {"rod": {"length": size(), "axis": axis}},
        ]

    def body(self, name, center, frame, particle=0.25):
        entry = {"mass": self.quantity(), "center": center}
        if not self.chance(particle):
            entry |= {"frame": frame, **self.inertia(frame)}
        elif self.chance(0.3):
            entry["frame"] = frame
        self.bodies[name] = entry

    def populate(self):
        """A body for most links, and some that share frames or stand on other links' points."""
        for number, (frame, joint, tip) in enumerate(self.links, 1):
            if not self.chance(0.12) or number == len(self.links):
                self.body(f"b{number}", joint if self.chance(0.1) else tip, frame)
        for number in range(self.rnd.choice([0, 0, 0, 1, 1, 2])):
            self.mark("more bodies on a frame")
            frame, other = self.rnd.choice(self.links), self.rnd.choice(self.links)
            point = other[self.rnd.choice([1, 2])]
            if self.chance(0.6):
                point = f"X{number + 1}"
                self.points[point] = {"from": other[1], "in": other[0], "at": self.offset()}
            self.body(f"extra{number + 1}", point, frame[0])

    def rods(self):
        """Particles on rods, below a cart or the ground; frames turn in N or in each other."""
        self.mark("particles on rods")
        axis = "z" if self.planar else self.rnd.choice("xyz")
        at = [0, 0, 0]
        if self.chance(0.5):
            slot = "xyz".index(axis) - 1
            at[slot] = self.coordinate(False)
        self.points["P0"] = {"at": at}
        if any(at):
            self.bodies["cart"] = {"mass": self.quantity(), "center": "P0"}
        absolute = self.chance(0.6)
        for number in range(1, self.rnd.choice([2, 2, 3]) + 1):
            frame, tip = f"F{number}", f"P{number}"
            turn = {"rotate": [[axis, self.coordinate(True)]]}
            self.frames[frame] = turn if absolute or number == 1 else {"parent": f"F{number - 1}", **turn}
            arm = [0, 0, 0]
            arm["xyz".index(axis) - self.rnd.choice([1, 2])] = f"-({self.quantity()})"
            self.points[tip] = {"from": f"P{number - 1}", "in": frame, "at": arm}
            self.bodies[f"b{number}"] = {"mass": self.quantity(), "center": tip}
            self.links.append((frame, f"P{number - 1}", tip))

    # --- the whole --------------------------------------------------------------------------------------------------

    def build(self):
        on_rods = not self.part and not self.hung and self.chance(0.1)
        if self.hung:
            hung(self)
        elif on_rods:
            self.rods()
        else:
            self.tree()
        if not self.coordinates or not self.bodies:
            return None
        if not self.part:
            self.surroundings(on_rods or self.hung)
        pieces.loads(self)
        if not self.part:
            if not self.regular():
                return None
            if self.hung:
                pieces.speeds(self)
            elif not on_rods or self.chance(0.3):
                pieces.constraints(self)
                pieces.speeds(self)
        pieces.outputs(self)
        return self.finished()

    def surroundings(self, on_rods):
        """A part of another file, a rolling body, gravity."""
        if self.chance(0.1):
            self.include()
        if not on_rods and self.chance(0.12):
            pieces.rolling(self)
        if self.chance(0.7):
            vector = [round(self.rnd.uniform(-5, 5), 1), -9.81, 0] if self.chance(0.4) else [0, -9.81, 0]
            self.gravity[self.upright()] = vector if self.planar else self.rnd.sample(vector, 3)
        else:
            self.mark("no gravity")

    def upright(self):
        """N, or a frame that leans but does not turn."""
        if not self.chance(0.15):
            return "N"
        self.mark("gravity in another frame")
        self.frames["Slope"] = {"rotate": [[self.axis(), self.rnd.choice(["pi/6", 0.3])]]}
        return "Slope"

    def tree(self):
        for _ in range(self.rnd.choice([1, 2] if self.part else [1, 2, 2, 2, 3, 3, 4])):
            if self.room() > 0:
                self.link()
        self.populate()

    def include(self):
        """A part in a file of its own, hung on a link."""
        inner = Builder(self.rnd, part=True).build()
        if inner is None:
            return
        frame, _, tip = self.rnd.choice(self.links)
        entry = {"spec": "part.toml", "frame": frame, "point": tip}
        free = [k for k, v in inner.spec.get("parameters", {}).items() if not isinstance(v, str | dict)]
        if free and self.chance(0.6):
            entry["set"] = {free[0]: self.quantity()}
        if self.chance(0.5):
            entry["initial"] = {next(iter(inner.spec["coordinates"])): 0.3}
        self.parts["part.toml"] = inner.spec
        self.tables["include"]["arm"] = entry
        self.mark("include")

    def spec(self):
        """The tables in an order of the file that need not be that of the tree."""
        head = {"schema": 1, "name": "part" if self.part else "mechanism"}
        if not self.part and self.chance(0.1):
            head["ignorable"] = []
        if not self.part and self.chance(0.08):
            head["work"] = True
            self.mark("work")
        tables = {name: dict(table) for name, table in self.tables.items() if table}
        for name in ("frames", "points", "bodies"):
            if name in tables and self.chance(0.5):
                items = list(tables[name].items())
                self.rnd.shuffle(items)
                tables[name] = dict(items)
                self.mark("shuffled order")
        return head | tables

    def current(self):
        """The mechanism so far."""
        tables = {name: table for name, table in self.tables.items() if table}
        return Mechanism(flattened({"name": "draft", **tables}, self.parts))

    def places(self, count=3):
        """States of the mechanism so far, on its constraints; None where there are none."""
        mechanism = self.current()
        q0, rates0 = mechanism.initial()
        random_state = np.random.default_rng(self.rnd.randrange(2**31))
        found = []
        for number in range(count):
            far = 0.0 if number == 0 else 0.3
            q = q0 + far * random_state.normal(size=len(q0))
            state = mechanism.projected(q, rates0 + far, 0.0 if number == 0 else 0.4)
            if state is None:
                return None
            found.append(mechanism.at(*state, 0.0 if number == 0 else 0.4))
        return found

    def regular(self, places=None):
        """Whether the equations of motion have a good condition at several states."""
        try:
            places = places or self.places()
            return places is not None and all(place.found().condition < WORST for place in places)
        except (np.linalg.LinAlgError, ZeroDivisionError, RuntimeWarning):  # tests turn warnings into errors
            return False

    def finished(self):
        if not self.part and not self.regular():
            return None
        self.mark("planar" if self.planar else "in space")
        return Case(self.spec(), self.parts, frozenset(self.features))
