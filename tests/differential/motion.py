"""A mechanism at a state: expressions, frames and points over dual numbers. What the laws of the oracle stand on."""

import ast
import functools
import operator

import numpy as np

from tests.differential.jets import Jet, call, cross, dot, joined, matmul, power, transposed, value

AXES = "xyz"
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: power,
}  # fmt: skip


@functools.cache
def parsed(text):
    return ast.parse(text.strip(), mode="eval").body


class Motion:
    """A mechanism at a state; frames, points and names are evaluated once."""

    def __init__(self, mechanism, q, rates, t, parameters=None, signals=None):
        self.mechanism, self.spec = mechanism, mechanism.spec
        m, k = len(mechanism.names), len(mechanism.names) + len(mechanism.slacks)
        self.m, self.k, size = m, k, 2 * k + 1
        given = dict(parameters or {}) | dict(signals or {})
        kind = complex if any(np.iscomplexobj(x) for x in (q, rates, t, *given.values())) else float
        y = np.zeros(size, dtype=kind)
        y[:m], y[k], y[k + 1 : k + 1 + m] = q, t, rates
        self.flow = np.concatenate([y[k + 1 :], [1.0], np.zeros(k)])  # dy/dt at q'' = 0
        variables = [Jet(y[i], np.eye(size, dtype=kind)[i], np.zeros((k + 1, k + 1))) for i in range(k + 1)]
        self.known = dict(zip([*mechanism.names, *mechanism.slacks, "t"], variables, strict=True)) | {"pi": np.pi}
        self.known |= given
        self._frames, self._points, self._rates = {"N": np.eye(3)}, {"O": np.zeros(3)}, {}
        self.rate_at = slice(k + 1, size)
        self.multipliers = {}

    # --- expressions ------------------------------------------------------------------------------------------------

    def expr(self, text):
        return self._node(parsed(text)) if isinstance(text, str) else text

    def _node(self, node):
        match node:
            case ast.Constant(value=number):
                return number
            case ast.Name(id=name):
                if name not in self.known:
                    source = self.mechanism.given if name in self.mechanism.given else self.mechanism.signals
                    self.known[name] = self.expr(source[name])
                return self.known[name]
            case ast.UnaryOp(op=op, operand=operand):
                return -self._node(operand) if isinstance(op, ast.USub) else self._node(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](self._node(left), self._node(right))
            case ast.Attribute(value=ast.Name(id=name), attr=axis):
                return self.frame(name)[:, AXES.index(axis)]
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, args)
        raise ValueError(ast.dump(node))

    def _call(self, name, args):
        if name == "reaction":
            return self.multipliers[ast.unparse(args[0])]
        if name == "position":
            ends = [self.point(arg.id) for arg in args]
            return ends[0] - ends[1] if len(ends) == 2 else ends[0]
        if name in ("velocity", "omega"):
            return getattr(self, name)(args[0].id)
        parts = [self._node(arg) for arg in args]
        if name == "der":
            return self.rate(parts[0])
        if name == "norm":
            return call("sqrt", dot(parts[0], parts[0]))
        return {"dot": dot, "cross": cross}.get(name, functools.partial(call, name))(*parts)

    # --- motion -----------------------------------------------------------------------------------------------------

    def lift(self, x):
        if isinstance(x, Jet):
            return x
        x, n = np.asarray(x) * 1.0, self.k + 1
        return Jet(x, np.zeros((*x.shape, len(self.flow))), np.zeros((*x.shape, n, n)))

    def stack(self, items):
        return joined([self.lift(self.expr(item)) for item in items])

    def rate(self, x):
        """The time derivative of a position: its slopes by q' are the slopes of the position by q."""
        x = self.lift(x)
        g = np.concatenate([x.h @ self.flow[: self.k + 1], x.g[..., : self.k]], axis=-1)
        return Jet(x.g @ self.flow, g, None)

    def frame(self, name):
        """The matrix whose columns are the axes of a frame, or of a body's frame."""
        frames = self.spec.get("frames", {})
        if name != "N" and name not in frames:
            name = self.spec["bodies"][name]["frame"]
        if name not in self._frames:
            entry = frames[name]
            matrix = self.frame(entry.get("parent", "N"))
            for rotation in self._rotations(entry):
                matrix = matmul(matrix, rotation)
            for slack in self.mechanism.slacks:
                if slack[:-2] == name and name not in self.spec.get("points", {}):
                    matrix = matmul(matrix, self.turn(np.eye(3)[AXES.index(slack[-1])], self.known[slack]))
            self._frames[name] = self.lift(matrix)
        return self._frames[name]

    def _rotations(self, entry):
        if "cosines" in entry:
            return [self.lift(self._matrix(entry["cosines"]))]
        if "quaternion" in entry:
            w, x, y, z = (self.expr(part) for part in entry["quaternion"])
            rows = [
                [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
            ]
            return [self._matrix(rows)]
        return [self.turn(self.axis(axis), self.expr(angle)) for axis, angle in entry.get("rotate", ())]

    def _matrix(self, rows):
        return joined([self.stack(row) for row in rows])

    def axis(self, axis):
        if isinstance(axis, str):
            return np.eye(3)[AXES.index(axis)]
        vector = np.array([value(self.expr(part)) for part in axis]) * 1.0
        return vector / np.sqrt((vector**2).sum())

    def turn(self, axis, angle):
        x, y, z = axis
        skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        cosine, sine = call("cos", angle), call("sin", angle)
        flat = np.outer(axis, axis)
        return self.lift(flat) + self.lift(cosine) * (np.eye(3) - flat) + self.lift(sine) * skew

    def point(self, name):
        """The position of a point, or of a body's center, from O in the axes of N."""
        points = self.spec.get("points", {})
        if name != "O" and name not in points:
            name = self.spec["bodies"][name]["center"]
        if name not in self._points:
            entry = points[name]
            at = self.stack(entry.get("at", [0, 0, 0]))
            for slack in self.mechanism.slacks:
                if slack[:-2] == name:
                    at = at + self.lift(self.known[slack]) * np.eye(3)[AXES.index(slack[-1])]
            turned = (self.frame(entry.get("in", "N")) * at[None, :]).sum(1)
            self._points[name] = turned + self.point(entry.get("from", "O"))
        return self.lift(self._points[name])

    def velocity(self, name):
        return self.rate(self.point(name))

    def omega(self, name):
        """From R' R^T."""
        if ("omega", name) not in self._rates:
            matrix = self.lift(self.frame(name))
            skew = matmul(self.rate(matrix), transposed(matrix))
            parts = [(skew[k, j] - skew[j, k]) * 0.5 for j, k in ((1, 2), (2, 0), (0, 1))]
            self._rates["omega", name] = joined(parts)
        return self._rates["omega", name]
