"""Random mechanisms as objects of sympy.physics.mechanics: what from_sympy makes of them, beside the oracle."""

import ast
import operator
import re

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

import volterra_cg as vcg
from tests.differential.compare import plain, states
from tests.differential.motion import AXES, parsed
from tests.differential.numbers import Mismatch
from tests.differential.oracle import MOVING, Mechanism, calls_in, solid
from tests.fixtures.mechanics import Motion
from volterra_cg.errors import ModelError, SpecError
from volterra_cg.options import REDUCED

TOLERANCE = 1e-10  # times the condition of what was solved
TAKEN = (REDUCED, "kane", "maggi")  # by turns
RIGHT = ("has neither coordinates nor velocities in it",)  # refusals that are, where sympy has simplified a row
TABLES = {
    "schema", "name", "parameters", "signals", "coordinates", "frames", "points", "bodies", "gravity", "springs", "dampers",
    "actuators", "forces", "torques", "constraints", "quasi_velocities", "outputs", "start", "events", "ignorable", "work",
}  # fmt: skip
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
UNTOLD = {"signals", "quasi_velocities", "outputs", "events"}
FUNCTIONS = {"abs": sm.Abs, "min": sm.Min, "max": sm.Max}
T = me.dynamicsymbols._t


def tellable(spec):
    """Whether a mechanism has only what sympy's objects are made of here."""
    links = [entry for table in ("springs", "dampers", "actuators") for entry in spec.get(table, {}).values()]
    rows = [row for row in spec.get("constraints", {}).values() if isinstance(row, dict)]
    return (
        {table for table, entries in spec.items() if entries} <= TABLES
        and all("between" in link for link in links)
        and not any("roll" in row for row in rows)
        and not any("quaternion" in frame for frame in spec.get("frames", {}).values())
    )


class Objects:
    """The objects of a spec, made as they are asked for."""

    def __init__(self, spec):
        self.spec = spec
        self.q = {name: me.dynamicsymbols(name) for name in spec["coordinates"]}
        self.signals = {name: me.dynamicsymbols(name) for name in spec.get("signals", {})}
        self.parameters = {name: sm.Symbol(name) for name in spec.get("parameters", {})}
        self.known = self.q | self.signals | self.parameters | {"t": T, "pi": sm.pi}
        self.ground, self.fixed = me.ReferenceFrame("N"), me.Point("O")
        self.fixed.set_vel(self.ground, 0)
        self.frames, self.points = {"N": self.ground}, {"O": self.fixed}

    def told(self):
        """The arguments of from_sympy."""
        rows = [row for name in self.spec.get("constraints", {}) for row in self._rows(name)]
        return {
            "frame": self.ground,
            "bodies": [self._body(name, entry) for name, entry in self.spec["bodies"].items()],
            "loads": [*self._loads()],
            "q": [*self.q.values()],
            "configuration_constraints": [row for row, holonomic in rows if holonomic],
            "velocity_constraints": [row for row, holonomic in rows if not holonomic],
            "values": self._values(),
        }

    def _values(self):
        found = {}
        told = repr([part for table, part in self.spec.items() if table not in UNTOLD])
        for table, symbols in (("parameters", self.parameters), ("signals", self.signals)):
            for name, entry in self.spec.get(table, {}).items():
                if table == "parameters" or re.search(rf"\b{name}\b", told):  # a signal that nothing holds is refused
                    found[symbols[name]] = self.expr(entry["value"] if isinstance(entry, dict) else entry)
        for name, entry in self.spec["coordinates"].items():
            found |= {self.q[name]: self.expr(entry.get("initial", 0))}
            found |= {self.q[name].diff(): self.expr(entry.get("rate", 0))}
        return found

    # --- expressions ------------------------------------------------------------------------------------------------

    def expr(self, text):
        return self._node(parsed(text)) if isinstance(text, str) else text

    def _node(self, node):
        match node:
            case ast.Constant(value=number):
                return number
            case ast.Name(id=name):
                return self.known[name]
            case ast.UnaryOp(op=op, operand=operand):
                return -self._node(operand) if isinstance(op, ast.USub) else self._node(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](self._node(left), self._node(right))
            case ast.Attribute(value=ast.Name(id=name), attr=axis):
                return getattr(self.frame(name), axis)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, args)
        raise ValueError(ast.dump(node))

    def _call(self, name, args):
        if name == "position":
            ends = [self.point(arg.id) for arg in args]
            return ends[0].pos_from(ends[1] if len(ends) == 2 else self.fixed)
        if name == "velocity":
            return self.point(args[0].id).vel(self.ground)
        if name == "omega":
            return self.frame(args[0].id).ang_vel_in(self.ground)
        parts = [self._node(arg) for arg in args]
        own = {
            "der": lambda x: sm.diff(x, T), "dot": me.dot, "cross": me.cross, "norm": lambda v: v.magnitude(),
        }  # fmt: skip
        return (own.get(name) or FUNCTIONS.get(name) or getattr(sm, name))(*parts)

    # --- geometry ---------------------------------------------------------------------------------------------------

    def frame(self, name):
        if name not in self.frames:
            entry = self.spec.get("frames", {}).get(name)
            self.frames[name] = (
                self._oriented(name, entry) if entry is not None else self.frame(self._of(name, "frame"))
            )
        return self.frames[name]

    def _of(self, body, key):
        return self.spec["bodies"][body][key]

    def _oriented(self, name, entry):
        frame = self.frame(entry.get("parent", "N"))
        if "cosines" in entry:
            new = me.ReferenceFrame(name)
            new.orient_explicit(frame, sm.Matrix([[self.expr(x) for x in row] for row in entry["cosines"]]))
            return new
        turns = entry.get("rotate") or [["z", 0]]
        for number, (axis, angle) in enumerate(turns, 1):
            about = getattr(frame, axis) if isinstance(axis, str) else self._vector(frame, axis)
            frame = frame.orientnew(
                name if number == len(turns) else f"{name}_{number}", "Axis", [self.expr(angle), about]
            )
        return frame

    def point(self, name):
        if name not in self.points:
            entry = self.spec.get("points", {}).get(name)
            self.points[name] = self._placed(name, entry) if entry is not None else self.point(self._of(name, "center"))
        return self.points[name]

    def _placed(self, name, entry):
        origin, frame = self.point(entry.get("from", "O")), self.frame(entry.get("in", "N"))
        point = origin.locatenew(name, self._vector(frame, entry.get("at", [0, 0, 0])))
        point.set_vel(self.ground, origin.vel(self.ground) + point.pos_from(origin).dt(self.ground))
        return point

    def _vector(self, frame, parts):
        return sum((self.expr(part) * axis for part, axis in zip(parts, frame, strict=True)), me.Vector(0))

    # --- bodies, loads and constraints --------------------------------------------------------------------------------

    def _body(self, name, entry):
        center, mass, given = self.point(entry["center"]), self.expr(entry["mass"]), entry.get("inertia")
        if "frame" not in entry or not {"inertia", "shape"} & set(entry):
            return me.Particle(name, center, mass)
        keys = ("xx", "yy", "zz", "xy", "yz", "xz")
        given = solid(mass, entry["shape"], self.expr) if given is None else given
        given = given if isinstance(given, dict) else dict(zip(keys, given, strict=False))
        frame, axes = self.frame(entry["frame"]), self.frame(given.get("in", entry["frame"]))
        inertia = me.inertia(axes, *(self.expr(given.get(key, 0)) for key in keys))
        return me.RigidBody(name, center, frame, mass, (inertia, center))

    def _loads(self):
        for frame, vector in self.spec.get("gravity", {}).items():
            for entry in self.spec["bodies"].values():
                yield me.Force(
                    self.point(entry["center"]), self.expr(entry["mass"]) * self._vector(self.frame(frame), vector)
                )
        for table, make in (("springs", self._spring), ("dampers", self._damper), ("actuators", self._actuator)):
            for entry in self.spec.get(table, {}).values():
                yield make(entry, me.LinearPathway(*map(self.point, entry["between"])))
        for table, key, place, make in (
            ("forces", "at", self.point, me.Force),
            ("torques", "on", self.frame, me.Torque),
        ):
            for entry in self.spec.get(table, {}).values():
                vector = self._vector(self.frame(entry.get("in", "N")), entry["vector"])
                yield make(place(entry[key]), vector)
                if "reaction" in entry:
                    yield make(place(entry["reaction"]), -vector)

    def _spring(self, entry, line):
        return me.LinearSpring(self.expr(entry["stiffness"]), line, self.expr(entry.get("length", 0)))

    def _damper(self, entry, line):
        return me.LinearDamper(self.expr(entry["damping"]), line)

    def _actuator(self, entry, line):
        return me.ForceActuator(self.expr(entry["force"]), line)

    def _rows(self, name):
        """The rows of a constraint, and whether they are of positions."""
        entry = self.spec["constraints"][name]
        entry = entry if isinstance(entry, dict) else {"expression": entry}
        if "distance" in entry:
            first, second = map(self.point, entry["distance"])
            line = first.pos_from(second)
            yield line.dot(line) - self.expr(entry["equals"]) ** 2, True
            return
        if "align" in entry:
            (frame, own), (second, other) = (axis.split(".") for axis in entry["align"])
            for letter in entry.get("along", AXES):
                if letter != own:
                    yield getattr(self.frame(second), other).dot(getattr(self.frame(frame), letter)), True
            return
        if "coincide" in entry:
            line, frame = (
                self.point(entry["coincide"][0]).pos_from(self.point(entry["coincide"][1])),
                entry.get("in", "N"),
            )
            for letter in entry.get("along", AXES):
                yield line.dot(getattr(self.frame(frame), letter)), True
            return
        text = next(entry[key] for key in ("expression", "position", "velocity") if key in entry)
        yield self.expr(text), not calls_in(text) & MOVING


class InSympy:
    """A mechanism told to sympy: the accelerations of what from_sympy makes of it, beside the oracle's."""

    def __init__(self, case, seed, tally, plan=None):
        self.case, self.seed, self.tally = case, seed, tally
        self.formulation = TAKEN[seed % len(TAKEN)]

    def run(self):
        """Compare all states; a mismatch is raised."""
        spec = self.case.whole
        if not tellable(spec):
            self.tally.add("left out", "not told to sympy")
            return
        try:
            motion = Motion(vcg.from_sympy(**Objects(spec).told()).to_toml(), self.formulation)
        except (SpecError, ModelError) as error:
            if not any(reason in str(error) for reason in RIGHT):
                raise Mismatch(f"refused: {plain(error)}", str(error)) from error
            self.tally.add("refusals", "a row that holds no coordinate once sympy has simplified it")
            return
        compared = sum(self._compare(motion, spec, state) for state in states(Mechanism(spec), self.seed))
        self.tally.add("told to sympy", self.formulation if compared else "no state to compare")
        self.tally.mechanisms += bool(compared)

    def _compare(self, motion, spec, state):
        given = dict(zip(spec["coordinates"], zip(state.q, state.rates, strict=True), strict=True))
        with np.errstate(all="ignore"):
            ours = motion.accelerations(given, state.t, state.parameters | state.signals)[: len(state.q)]
        if not np.isfinite(ours).all():
            self.tally.add("left out", "states at which the chosen speeds are singular")
            return False
        error = abs(ours - state.found.q2).max() / max(abs(state.found.q2).max(), 1e-2)
        if not error <= TOLERANCE * max(1.0, state.found.condition):
            text = f"{self.formulation}: q'' is {ours}, the oracle says {state.found.q2} (t = {state.t}, q = {state.q})"
            raise Mismatch("wrong q'' of what was told to sympy", text)
        return True
