"""What a spec means, in numbers, by another way than the compiler's: this file imports nothing of it.

Positions are products of rotation matrices over second-order dual numbers. Velocities follow from their gradients,
accelerations at q'' = 0 from their Hessians; Newton's and Euler's laws with multipliers give q'':

    M q'' + h = Q - dV/dq + a^T λ,    a q'' + c = 0.

Joints whose reactions are asked for get a coordinate that stays zero (a slack), and its row of the same equation gives the force.
"""

import ast
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.differential.jets import call, cross, dot, value
from tests.differential.motion import AXES, Motion, parsed

MOVING = {"der", "velocity", "omega"}


def calls_in(text):
    return {n.func.id for n in ast.walk(parsed(text)) if isinstance(n, ast.Call)}


@dataclass
class Row:
    """A scalar affine in the rates: a q' + rest; `bias` is its rate at q'' = 0, `gap` its integral if it has one."""

    a: Any
    rest: Any
    value: Any
    bias: Any
    gap: Any = None


@dataclass
class Found:
    """Everything at one state, by the names of the spec."""

    q2: Any  # q''
    multipliers: dict
    kinetic: Any
    potential: Any
    momenta: dict  # by coordinate
    momentum_rows: Any  # the mass matrix over the coordinates
    momentum_rest: Any
    constraints: dict  # Row by name
    power: Any  # of what has no potential
    outputs: dict
    condition: float


class Mechanism:
    """A spec without includes, as a dict of tables."""

    def __init__(self, spec):
        self.spec = spec
        self.names = list(spec["coordinates"])
        asked = {n for text in spec.get("outputs", {}).values() for n in _reactions(text)}
        self.slacks = sorted(n for n in asked if "." in n and n.split(".")[0] not in spec.get("constraints", {}))
        entries = {k: v if isinstance(v, dict) else {"value": v} for k, v in spec.get("parameters", {}).items()}
        self.given = {k: entry["value"] for k, entry in entries.items()}
        self.free = [k for k, e in entries.items() if not e.get("fixed") and not _names(e["value"])]
        signals = {k: v if isinstance(v, dict) else {"value": v} for k, v in spec.get("signals", {}).items()}
        self.signals = {k: e["value"] for k, e in signals.items()}
        self.inputs = [k for k, v in self.signals.items() if not isinstance(v, str)]

    def nominal(self):
        """The values of the free parameters."""
        place = Place(self, [0.0] * len(self.names), [0.0] * len(self.names), 0.0)
        return {k: float(value(place.expr(k))) for k in self.free}

    def initial(self, parameters=None):
        """The start values of the spec."""
        place = Place(self, [0.0] * len(self.names), [0.0] * len(self.names), 0.0, parameters)
        entries = self.spec["coordinates"].values()
        return tuple(np.array([float(value(place.expr(e.get(k, 0)))) for e in entries]) for k in ("initial", "rate"))

    def at(self, q, rates, t, parameters=None, signals=None):
        return Place(self, q, rates, t, parameters, signals)

    def projected(self, q, rates, t, parameters=None):
        """A state near a given one on which the constraints hold, or None."""
        for _ in range(40):
            rows = [r for r in self.at(q, rates, t, parameters).constraints().values() if r.gap is not None]
            gaps = np.array([r.gap for r in rows])
            if not np.isfinite(gaps).all():
                return None
            if not rows or abs(gaps).max() < 1e-14 * (1 + abs(q).max()):
                break
            q = q - np.linalg.lstsq(np.array([r.a for r in rows]), gaps, rcond=1e-9)[0]
        if len(gaps) and abs(gaps).max() > 1e-12:
            return None
        for _ in range(2):
            rows = list(self.at(q, rates, t, parameters).constraints().values())
            if rows:
                gaps = np.array([r.value for r in rows])
                rates = rates - np.linalg.lstsq(np.array([r.a for r in rows]), gaps, rcond=1e-9)[0]
        return (q, rates) if not rows or abs(gaps).max() < 1e-10 * (1 + abs(rates).max()) else None


class Place(Motion):
    """A mechanism at a state, and the laws of motion there."""

    def row(self, x, gap=None):
        x = self.lift(x)
        a = x.g[..., self.rate_at]
        return Row(a, x.v - a @ self.flow[: self.k], x.v, x.g @ self.flow, gap)

    def constraints(self, slacks=False):
        """The rows of every constraint, those of closures and rolling as name.x, name.y, name.z."""
        found = {}
        for name, entry in self.spec.get("constraints", {}).items():
            for label, x, holonomic in self._constraint(name, entry):
                found[label] = self.row(self.rate(x), value(x)) if holonomic else self.row(x)
                found[label].a = found[label].a if slacks else found[label].a[: self.m]
        return found

    def _constraint(self, name, entry):
        entry = entry if isinstance(entry, dict) else {"expression": entry}
        text = next((entry[key] for key in ("expression", "position", "velocity") if key in entry), None)
        if text is not None:
            yield name, self.expr(text), not calls_in(text) & MOVING
            return
        if "distance" in entry:
            line, length = self._line(entry["distance"]), self.expr(entry["equals"])
            yield name, (dot(line, line) - length * length) / (2 * length), True
            return
        if "coincide" in entry:
            vector, frame, holonomic, kept = self._line(entry["coincide"]), entry.get("in", "N"), True, AXES
        elif "align" in entry:
            (frame, own), (second, other) = (axis.split(".") for axis in entry["align"])
            vector, holonomic, kept = self.frame(second)[:, AXES.index(other)], True, AXES.replace(own, "")
        else:
            vector, frame, holonomic, kept = self._slip(entry), entry.get("in", "N"), False, AXES
        for letter in entry.get("along", AXES):
            if letter in kept:
                yield f"{name}.{letter}", dot(vector, self.frame(frame)[:, AXES.index(letter)]), holonomic

    def _line(self, ends):
        return self.point(ends[0]) - self.point(ends[1])

    def _slip(self, entry):
        """The velocity of a body where it touches, less that of what it touches."""
        if "at" in entry:
            contact = self.point(entry["at"])
        else:
            frame, axis = entry.get("normal", "N.z").split(".")
            below = self.frame(frame)[:, AXES.index(axis)] * -1.0
            contact = self.point(entry["roll"]) + below * self.lift(self.expr(entry["radius"]))
        slip = self._carried(entry["roll"], contact)
        return slip if entry.get("on", "N") == "N" else slip - self._carried(entry["on"], contact)

    def _carried(self, body, contact):
        return self.velocity(body) + cross(self.omega(body), contact - self.point(body))

    def inertia(self, entry):
        """The central inertia in the axes of N; None for a particle."""
        if not entry.get("frame") or not ("inertia" in entry or "shape" in entry):
            return None
        given, frame = entry.get("inertia"), entry["frame"]
        if given is None:
            moments = solid(value(self.expr(entry["mass"])), entry["shape"], lambda x: value(self.expr(x)))
            tensor = np.diag(moments)
        elif isinstance(given, dict):
            xx, yy, zz, xy, xz, yz = (value(self.expr(given.get(k, 0))) for k in ("xx", "yy", "zz", "xy", "xz", "yz"))
            tensor, frame = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), given.get("in", frame)
        else:
            tensor = np.diag([value(self.expr(x)) for x in given])
        axes = value(self.frame(frame))
        return axes @ tensor @ axes.T

    def across(self, entry):
        """What a link spans and how fast it grows; its forces follow from the power."""
        if "coordinate" in entry:
            x = self.known[entry["coordinate"]]
            return x, self.rate(x)
        if "between" in entry:
            line = self._line(entry["between"])
            x = call("sqrt", dot(line, line))
            return x, self.rate(x)
        first, second = entry["turn"]
        index = AXES.index(entry.get("axis", "z"))
        axis, other = self.frame(first)[:, index], self.frame(second)[:, (index + 1) % 3]
        own = self.frame(first)[:, (index + 1) % 3]
        speed = dot(self.omega(second) - self.omega(first), self.lift(axis))
        turns = self._turns(first, second, AXES[index])
        return (turns if turns is not None else call("atan2", dot(cross(own, other), axis), dot(own, other))), speed

    def _turns(self, first, second, axis):
        """The angle between frames that only turns about one axis separate."""
        down, up = self._chain(first), self._chain(second)
        while down and up and down[-1] == up[-1]:
            down.pop()
            up.pop()
        total = self.lift(0.0)
        for sign, chain in ((-1.0, down), (1.0, up)):
            for name in chain:
                entry = self.spec["frames"][name]
                if "rotate" not in entry and ("cosines" in entry or "quaternion" in entry):
                    return None
                for given, angle in entry.get("rotate", ()):
                    if abs(self.axis(given) - np.eye(3)[AXES.index(axis)]).max() > 1e-15:
                        return None
                    total = total + self.lift(self.expr(angle)) * sign
                total = total + sum((self.known[s] for s in self.mechanism.slacks if s == f"{name}.{axis}"), 0.0) * sign
        return total

    def _chain(self, name):
        frames, chain = self.spec.get("frames", {}), []
        if name != "N" and name not in frames:
            name = self.spec["bodies"][name]["frame"]
        while name != "N":
            chain.append(name)
            name = frames[name].get("parent", "N")
        return chain

    def potential(self):
        total = self.lift(0.0)
        for part in (*self.potentials().values(), *map(self.weight, self.spec["bodies"].values())):
            total = total + part
        return total

    def potentials(self):
        """The energies of the potentials and springs, by name."""
        found = {name: self.lift(self.expr(text)) for name, text in self.spec.get("potentials", {}).items()}
        for name, entry in self.spec.get("springs", {}).items():
            stretch = self.across(entry)[0] - self.expr(entry.get("length", 0))
            found[name] = self.expr(entry["stiffness"]) * stretch * stretch * 0.5
        return found

    def weight(self, body):
        """The energy of a body by gravity."""
        total = self.lift(0.0)
        for frame, vector in self.spec.get("gravity", {}).items():
            pull = (self.frame(frame) * self.stack(vector)[None, :]).sum(1)
            total = total - dot(self.point(body["center"]), self.lift(pull)) * self.expr(body["mass"])
        return total

    def forces(self):
        """Generalized forces of what has no potential, by the virtual power."""
        total = np.zeros(self.k, dtype=self.flow.dtype)
        for entry in self.spec.get("dampers", {}).values():
            if "turn" in entry and "axis" not in entry:
                spin = self.omega(entry["turn"][1]) - self.omega(entry["turn"][0])
            else:
                spin = self.across(entry)[1]
            total = total - value(self.expr(entry["damping"])) * np.tensordot(
                spin.v, spin.g[..., self.rate_at], spin.v.ndim
            )
        for entry in self.spec.get("actuators", {}).values():
            total = total + value(self.expr(entry["force"])) * self.across(entry)[1].g[self.rate_at]
        for entry in self.spec.get("frictions", {}).values():
            speed = self.across(entry)[1]
            force = value(self.expr(entry.get("viscous", 0))) * speed.v
            if "dry" in entry:
                force = force + value(self.expr(entry["dry"])) * np.tanh(speed.v / value(self.expr(entry["speed"])))
            total = total - force * speed.g[self.rate_at]
        for table, motion, key in (("forces", self.velocity, "at"), ("torques", self.omega, "on")):
            for entry in self.spec.get(table, {}).values():
                vector = value(self.frame(entry.get("in", "N"))) @ np.array(
                    [value(self.expr(x)) for x in entry["vector"]]
                )
                total = total + vector @ motion(entry[key]).g[:, self.rate_at]
                if "reaction" in entry:
                    total = total - vector @ motion(entry["reaction"]).g[:, self.rate_at]
        for name, text in self.spec.get("generalized_forces", {}).items():
            total[self.mechanism.names.index(name)] += value(self.expr(text))
        return total

    def after(self, entry, found):
        """Coordinates, rates and free parameters after an event; None where no impulse can open the gap of an impact.

        An impact acts along the gradient of its gap.
        """
        q, rates = [value(self.known[name]) for name in self.mechanism.names], self.flow[: self.m].copy()
        if "restitution" in entry:
            gap = self.row(self.rate(self.expr(entry["when"])))
            a = np.array([row.a for row in found.constraints.values()]).reshape(-1, self.m)
            share = solved(found.momentum_rows, a, gap.a[: self.m], np.zeros(len(a)))[0]
            opened = gap.a[: self.m] @ share
            if opened <= 1e-12:
                return None
            rates -= (1 + value(self.expr(entry["restitution"]))) * gap.value / opened * share
        free = {name: value(self.expr(name)) for name in self.mechanism.free}
        for name, text in entry.get("set", {}).items():
            given = value(self.expr(text))
            if name in free:
                free[name] = given
            elif name in self.mechanism.names:
                q[self.mechanism.names.index(name)] = given
            else:
                rates[self.mechanism.names.index(name[4:-1])] = given
        return q, rates, free

    def speeds(self, names=None):
        """Quasi-velocities of the spec, or such as der(q), as rows."""
        given = self.spec.get("quasi_velocities", {})
        rows = {name: self.row(self.expr(given.get(name, name))) for name in (given if names is None else names)}
        for row in rows.values():
            row.a = row.a[: self.m]
        return rows

    def laws(self, body):
        """Newton's law and, for a body that is no particle, Euler's: motion, weight and what turns with the body."""
        yield self.velocity(body["center"]), value(self.expr(body["mass"])) * np.eye(3), 0.0
        inertia = self.inertia(body)
        if inertia is not None:
            spin = self.omega(body["frame"])
            yield spin, inertia, np.cross(spin.v, inertia @ spin.v)

    def kinetic(self, body):
        return sum(motion.v @ weight @ motion.v for motion, weight, _ in self.laws(body)) / 2

    def found(self):
        """Newton's and Euler's laws, and all that follows."""
        m, k, rates = self.m, self.k, self.flow[: self.k]
        mass, bias = np.zeros((k, k), dtype=self.flow.dtype), np.zeros(k, dtype=self.flow.dtype)
        kinetic, momenta = 0.0, np.zeros(k, dtype=self.flow.dtype)
        for body in self.spec["bodies"].values():
            for motion, weight, gyration in self.laws(body):
                j = motion.g[:, self.rate_at]
                mass += j.T @ weight @ j
                bias += j.T @ (weight @ (motion.g @ self.flow) + gyration)
                kinetic = kinetic + motion.v @ weight @ motion.v / 2
                momenta += j.T @ weight @ motion.v
        potential, forces, rows = self.potential(), self.forces(), self.constraints(slacks=True)
        right = forces - potential.g[:k] - bias
        a = np.array([row.a for row in rows.values()], dtype=mass.dtype).reshape(len(rows), k)
        drift = np.array([row.bias for row in rows.values()], dtype=mass.dtype)
        q2, multipliers, condition = solved(mass[:m, :m], a[:, :m], right[:m], drift)
        missing = mass[:, :m] @ q2 - right - a.T @ multipliers
        self.multipliers = dict(zip(rows, multipliers, strict=True))
        self.multipliers |= {name: missing[m + i] for i, name in enumerate(self.mechanism.slacks)}
        outputs = {name: value(self.expr(text)) for name, text in self.spec.get("outputs", {}).items()}
        for row in rows.values():
            row.a = row.a[:m]
        named = dict(zip(self.mechanism.names, momenta[:m], strict=True))
        rest = (momenta - mass @ rates)[:m]
        return Found(
            q2, self.multipliers, kinetic, potential.v, named, mass[:m, :m], rest, rows, forces[:m] @ rates[:m],
            outputs, condition,
        )  # fmt: skip


def solved(mass, a, right, drift):
    """q'' and λ of M q'' - a^T λ = right, a q'' = -drift, and the condition; rows that are zero have no multiplier."""
    m = len(mass)
    kept = [i for i, row in enumerate(a) if abs(row).max() > 1e-12]
    rows = a[kept]
    matrix = np.block([[mass, -rows.T], [rows, np.zeros((len(kept), len(kept)))]])
    size = abs(np.diag(mass)) + abs(mass).max() * 1e-3 + 1e-12
    scale = np.concatenate([1 / np.sqrt(size), np.ones(len(kept))])
    scale[m:] = 1 / (abs(rows * scale[:m]).max(axis=1, initial=0.0))
    scaled = scale[:, None] * matrix * scale
    condition = float(np.linalg.cond(np.real(scaled)))
    answer = np.linalg.solve(scaled, np.concatenate([right, -drift[kept]]) * scale) * scale
    multipliers = np.zeros(len(a), dtype=answer.dtype)
    multipliers[kept] = answer[m:]
    return answer[:m], multipliers, condition


def _names(given):
    return isinstance(given, str) and bool(
        {n.id for n in ast.walk(parsed(given)) if isinstance(n, ast.Name)} - _FUNCTIONS
    )


_FUNCTIONS = {"pi", "sin", "cos", "tan", "sqrt", "exp", "log", "abs", "min", "max", "atan", "atan2"}


def _reactions(text):
    if not isinstance(text, str):
        return
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Call) and node.func.id == "reaction":
            yield ast.unparse(node.args[0])


def solid(mass, shape, number):
    """Principal moments of a uniform solid."""
    ((kind, given),) = shape.items()
    if kind in ("box", "plate"):
        a, b, c = (number(x) ** 2 for x in (*given, 0)[:3])
        return mass / 12 * np.array([b + c, a + c, a + b])
    sizes = given if isinstance(given, dict) else {"length" if kind == "rod" else "radius": given}
    sizes = {k: v if k == "axis" else number(v) for k, v in sizes.items()}
    index = AXES.index(sizes.get("axis", "x" if kind == "rod" else "z"))
    r, length = sizes.get("radius", 0), sizes.get("length", 0)
    along, across = {
        "rod": (0, length**2 / 12),
        "cylinder": (r**2 / 2, r**2 / 4 + length**2 / 12),
        "ring": (r**2, r**2 / 2),
        "sphere": (r**2 * 2 / 5, r**2 * 2 / 5),
    }[kind]
    return mass * np.array([along if i == index else across for i in range(3)])
