"""The specs in benchmarks/models against numbers computed from them by plain differentiation of positions."""

from pathlib import Path

import pytest
from sympy import Expr, Matrix, Symbol, cos, eye, sin, zeros

from volterra_cg.spec import read
from volterra_cg.system import types
from volterra_cg.system.from_spec import from_spec
from volterra_cg.system.inertia import central_tensor
from volterra_cg.system.vectors import AngularVelocity, Axis, Cross, Dot, Position, Scaled, VectorSum, Velocity

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
NAMES = sorted(path.stem for path in MODELS.glob("*.toml"))


class PlainMechanics:
    """Positions, velocities and energies of a system in sympy, by definition and without any care for cost."""

    def __init__(self, name: str) -> None:
        self.system = from_spec(read(MODELS / f"{name}.toml"))
        self.frames = {frame.name: frame for frame in self.system.frames}
        self.points = {point.name: point for point in self.system.points}
        values = {types.symbol(p.name): p.value for p in self.system.parameters}
        self.values = dict(values)
        for c in self.system.coordinates:
            self.values[types.symbol(c.name)] = c.initial.subs(values).evalf(30)
            self.values[types.rate_symbol(c.name)] = c.rate.subs(values).evalf(30)

    def number(self, expression: Expr) -> float:
        return float(expression.subs(self.values).evalf(25))

    def rotation(self, name: str) -> Matrix:
        if name == "N":
            return eye(3)
        result = self.rotation(self.frames[name].parent)
        for turn in self.frames[name].rotations:
            k = Matrix(_skew(turn.axis))
            result = result * (eye(3) + sin(turn.angle) * k + (1 - cos(turn.angle)) * k * k)
        return result

    def position(self, name: str) -> Matrix:
        if name == "O":
            return zeros(3, 1)
        point = self.points[name]
        return self.position(point.origin) + self.rotation(point.frame) * Matrix(point.offset)

    def rate(self, matrix: Matrix) -> Matrix:
        result = matrix.diff(types.TIME)
        for c in self.system.coordinates:
            result += matrix.diff(types.symbol(c.name)) * types.rate_symbol(c.name)
        return result

    def omega(self, name: str) -> Matrix:
        turn = self.rotation(name)
        spin = self.rate(turn) * turn.T
        return Matrix([spin[2, 1], spin[0, 2], spin[1, 0]])

    def vector(self, node) -> Matrix:
        match node:
            case Axis(args=(frame, index)):
                return self.rotation(frame.name)[:, int(index)]
            case Position(args=(point, origin)):
                return self.position(point.name) - self.position(origin.name)
            case Velocity(args=(point,)):
                return self.rate(self.position(point.name))
            case AngularVelocity(args=(frame,)):
                return self.omega(frame.name)
            case Scaled(args=(scalar, vector)):
                return scalar * self.vector(vector)
            case VectorSum(args=terms):
                return sum((self.vector(term) for term in terms), start=zeros(3, 1))
            case Cross(args=(left, right)):
                return self.vector(left).cross(self.vector(right))
        raise TypeError(node)

    def scalar(self, expression: Expr) -> Expr:
        dots = {node: self.vector(node.args[0]).dot(self.vector(node.args[1])) for node in expression.atoms(Dot)}
        return expression.xreplace(dots)

    def kinetic(self) -> Expr:
        total = 0
        for body in self.system.bodies:
            velocity = self.rate(self.position(body.center))
            total += body.mass * velocity.dot(velocity) / 2
            if body.inertia is not None:
                omega = self.rotation(body.frame).T * self.omega(body.frame)
                total += omega.dot(Matrix(central_tensor(body)) * omega) / 2
        return total

    def potential(self) -> Expr:
        total = sum(self.scalar(load.energy) for load in self.system.loads if isinstance(load, types.Potential))
        if self.system.gravity is not None:
            assert self.system.gravity.frame == "N"
            g = Matrix(self.system.gravity.acceleration)
            total -= sum(body.mass * g.dot(self.position(body.center)) for body in self.system.bodies)
        return total

    def momentum(self, coordinate: str) -> float:
        return self.number(self.kinetic().diff(Symbol(coordinate + "'", real=True)))


def _skew(axis):
    x, y, z = axis
    return [[0, -z, y], [z, 0, -x], [-y, x, 0]]


@pytest.mark.parametrize("name", NAMES)
def test_every_model_reads_without_a_warning(name):
    spec = read(MODELS / f"{name}.toml")
    assert spec.mechanism.name == name
    assert spec.warnings == ()
    assert from_spec(spec).name == name


@pytest.mark.parametrize(
    ("name", "energy"),
    [
        ("cart_pendulum", 7.04466666666667),
        ("three_bodies", 27.93652845310608),
        ("satellite_boom", 5009.4559549554865),
    ],
)
def test_energies_of_the_paper(name, energy):
    plain = PlainMechanics(name)
    assert plain.number(plain.kinetic() + plain.potential()) == pytest.approx(energy, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "momenta"),
    [
        ("cart_pendulum", {"x": 6}),
        ("three_bodies", {"X": 11.410771521614137, "Y": -34.089473734762621, "Z": -47.948046269650835}),
        ("satellite_boom", {"X": 4002.0649112991034, "Y": 2001.0854360694448, "Z": -0.020339954884912067}),
    ],
)
def test_momenta_of_the_paper(name, momenta):
    plain = PlainMechanics(name)
    found = [plain.momentum(coordinate) for coordinate in momenta]
    assert found == pytest.approx(list(momenta.values()), rel=1e-13)


def test_the_wheel_of_the_cart_is_that_of_the_paper():
    plain = PlainMechanics("cart_pendulum")
    (wheel,) = plain.system.constraints
    first, second, length = (Symbol(name, real=True) for name in ("theta1", "theta2", "l"))
    expected = length * cos(first - second) * Symbol("theta1'", real=True) + length * Symbol("theta2'", real=True)
    difference = plain.scalar(wheel.value) - expected
    assert difference.simplify() == 0
    assert not wheel.holonomic


def test_the_disc_rolls_at_the_published_state():
    plain = PlainMechanics("rolling_disc")
    slip = [plain.number(plain.scalar(constraint.value)) for constraint in plain.system.constraints]
    assert slip == pytest.approx([0, 0], abs=1e-14)
    speeds = [plain.number(plain.scalar(speed.value)) for speed in plain.system.quasi_velocities]
    assert speeds == pytest.approx([-0.2, 1.3, 0.15], rel=1e-13)


def test_the_loops_of_the_squeezer_are_closed():
    plain = PlainMechanics("andrews")
    assert all(constraint.holonomic for constraint in plain.system.constraints)
    gaps = [plain.number(plain.scalar(constraint.value)) for constraint in plain.system.constraints]
    assert gaps == pytest.approx([0] * 6, abs=1e-16)


def test_the_centers_of_the_squeezer_are_the_published_ones():
    plain = PlainMechanics("andrews")
    s = {name: Symbol(name, real=True) for name in ("be", "th", "ga", "ph", "de", "om", "ep")}
    p = {parameter.name: types.symbol(parameter.name) for parameter in plain.system.parameters}
    turned = s["ph"] + s["de"]
    fourth = (
        p["xa"] + p["zt"] * cos(s["de"]) + (p["e"] - p["ea"]) * sin(turned),
        p["ya"] + p["zt"] * sin(s["de"]) - (p["e"] - p["ea"]) * cos(turned),
    )
    folded = s["om"] + s["ep"]
    sixth = (
        p["xa"] + p["u"] * sin(s["ep"]) + (p["zf"] - p["fa"]) * cos(folded),
        p["ya"] - p["u"] * cos(s["ep"]) + (p["zf"] - p["fa"]) * sin(folded),
    )
    third = (
        p["xb"] + p["sa"] * sin(s["ga"]) + p["sb"] * cos(s["ga"]),
        p["yb"] - p["sa"] * cos(s["ga"]) + p["sb"] * sin(s["ga"]),
    )
    seventh = (
        p["xa"] + p["ua"] * sin(s["ep"]) - p["ub"] * cos(s["ep"]),
        p["ya"] - p["ua"] * cos(s["ep"]) - p["ub"] * sin(s["ep"]),
    )
    for center, expected in (("G3", third), ("G4", fourth), ("G6", sixth), ("G7", seventh)):
        found = plain.position(center)
        assert (found - Matrix([*expected, 0])).expand() == zeros(3, 1)


def test_the_work_integral_is_asked_for_where_a_force_does_work():
    assert from_spec(read(MODELS / "satellite_boom.toml")).work
    assert not from_spec(read(MODELS / "three_bodies.toml")).work
