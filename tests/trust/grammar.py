"""The grammar of specs as a strategy of hypothesis: what is written is TOML, and nearly or fully a mechanism."""

import hashlib

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from tests.trust.texts import quoted

CONSTANT = ("m", "l", "k", "pi", "m*l", "2*k")
GEOMETRY = (*CONSTANT, "x", "y", "th", "t", "x + l", "th - y")
MOTION = (*GEOMETRY, "der(x)", "der(th)", "der(y)", "s", "dot(velocity(P), N.x)", "dot(velocity(Q), A.y)")
NAMES = ("x", "y", "th", "m", "l", "k", "P", "Q", "A", "B", "b", "c", "N", "O", "s", "w", "pi", "nobody")
WILD = ("N.x", "velocity(P)", "der(m)", "der(der(x))", "nobody", "1/0", "(", "9**9**9", "P", "sin", "")
FUNCTIONS = ("sin", "cos", "tan", "sqrt", "exp", "log", "abs", "sign", "asin", "atan", "tanh")


def _rarely(wild, usual):
    """The usual, but once in twenty times the other."""
    return st.integers(0, 19).flatmap(lambda number: wild if number == 7 else usual)


numbers = _rarely(
    st.sampled_from([0, 1e-9, 1e9, 1e300, -1, 10**25]), st.integers(1, 9) | st.floats(0.1, 4).map(lambda v: round(v, 3))
)


def _combined(inner):
    binary = st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from("+-*+-*/"), inner)
    power = st.builds(lambda a, n: f"({a})**{n}", inner, st.sampled_from((2, 3, -1, "0.5", "(1/3)")))
    called = st.builds(lambda f, a: f"{f}({a})", st.sampled_from(FUNCTIONS), inner)
    several = st.builds(lambda f, a, b: f"{f}({a}, {b})", st.sampled_from(["min", "max", "atan2"]), inner, inner)
    return st.one_of(binary, binary, power, called, several, inner.map(lambda a: f"-{a}"))


def _scalar(words):
    """Expressions of these words, and now and then of wild ones."""
    leaves = st.sampled_from(words) | numbers.map(str)
    return st.one_of(numbers, _rarely(st.sampled_from(WILD), st.recursive(leaves, _combined, max_leaves=4)), leaves)


constant, geometry, motion = map(_scalar, (CONSTANT, GEOMETRY, MOTION))
axis = _rarely(st.lists(constant, min_size=3, max_size=3), st.sampled_from(["x", "y", "z"]))
speed = st.builds(
    lambda word, rest: f"{word} - 0.1*({rest})", st.sampled_from(["der(x)", "der(y)", "l*der(th)"]), geometry
)
place = st.builds(lambda word, rest: f"{word} - 0.1*({rest})", st.sampled_from("xy"), geometry)


def _vector(scalar):
    return _rarely(st.lists(scalar, max_size=4), st.lists(scalar, min_size=3, max_size=3))


def _entry(optional=None, **fields):
    """A table of these fields and some of the optional ones."""
    return st.fixed_dictionaries(fields, optional=optional or {})


def _of(*names):
    """One of the names that are right here, or seldom any."""
    return _rarely(st.sampled_from(NAMES), st.sampled_from(names))


def _some(key, values):
    return st.fixed_dictionaries({key: values})


ACROSS = {"coordinate": _of("x", "y", "th")}
BETWEEN = {"between": st.lists(_of("P", "Q", "O"), min_size=2, max_size=2)}
TURN = st.lists(st.tuples(axis, geometry).map(list), min_size=1, max_size=2)
MASS = _rarely(constant, st.sampled_from([1, 0.9, 1.2]))
INERTIA = _entry(xx=MASS, yy=MASS, zz=MASS)
JOINT = _entry(
    {"parent": _of("b"), "axis": axis, "at": _vector(constant), "center": _vector(constant), "initial": constant,
     "spring": _entry(stiffness=constant), "damper": constant},
    type=st.sampled_from(["revolute", "prismatic", "planar", "free", "weld", "spherical", "universal", "none"]),
    child=st.just("d"),
)  # fmt: skip
TH = st.tuples(axis, st.just("th")).map(lambda one: [[*one]])
XY = st.tuples(st.just("x"), st.just("y"), geometry).map(list)
STARTED = _entry({"initial": constant, "rate": constant})
FIXED = {"center": _of("P"), "frame": _of("A")}
SURE = {
    "parameters": _entry({"p": constant}, m=numbers, l=numbers, k=numbers),
    "signals": _some("s", numbers),
    "coordinates": _entry(x=STARTED, y=STARTED, th=STARTED),
    "frames": _entry(A=_entry(rotate=TH), B=_entry({"parent": _of("A")}, rotate=TURN)),
    "points": _entry(P=_entry(at=XY), Q=_entry({"from": _of("P"), "in": _of("A", "B")}, at=_vector(geometry))),
    "bodies": _entry(
        {"d": _entry(FIXED, mass=MASS, inertia=INERTIA)},
        b=_entry(mass=MASS, inertia=INERTIA, **FIXED),
        c=_entry({"frame": _of("B"), "inertia": INERTIA}, mass=MASS, center=_of("Q")),
    ),
}
PINNED = {"coincide": BETWEEN["between"]}
CHANGES = st.dictionaries(_of("x", "m"), motion, max_size=1)
MORE = {
    "joints": _some("j", JOINT),
    "gravity": _some("N", _vector(constant)),
    "potentials": _some("v", geometry),
    "springs": _some("sp", _entry({"length": constant}, stiffness=constant, **ACROSS) | _entry(stiffness=constant, **BETWEEN)),
    "dampers": _some("da", _entry(damping=constant, **ACROSS) | _entry(damping=constant, **BETWEEN)),
    "forces": _some("f", _entry({"in": _of("N", "A")}, at=_of("P", "Q"), vector=_vector(motion))),
    "torques": _some("tq", _entry({"in": _of("N", "A")}, on=_of("A", "B"), vector=_vector(motion))),
    "constraints": _some("h", speed | _entry(position=place) | _entry(roll=_of("b"), radius=constant) | _entry(**PINNED)),
    "quasi_velocities": _entry(w=speed, optional={"v": speed}),
    "outputs": _entry(o=motion, optional={"o2": _vector(motion)}),
    "events": _some("e", _entry({"set": CHANGES, "terminal": st.booleans()}, when=place)),
    "expressions": _some("e1", motion | _vector(motion)),
    "simulation": _entry(t_end=numbers, dt=numbers),
}  # fmt: skip
specs = st.sets(st.sampled_from([*MORE]), max_size=3).flatmap(
    lambda chosen: st.fixed_dictionaries(SURE | {name: MORE[name] for name in sorted(chosen)})
)


def written(spec):
    """A spec as bytes."""
    lines = ["schema = 1", 'name = "drawn"']
    for table, entries in spec.items():
        lines += [f"[{table}]", *(f"{key} = {_value(value)}" for key, value in entries.items())]
    return "\n".join(lines).encode()


def _value(given):
    match given:
        case bool():
            return str(given).lower()
        case str():
            return quoted(given)
        case dict():
            return "{ " + ", ".join(f"{key} = {_value(part)}" for key, part in given.items()) + " }"
        case list():
            return "[" + ", ".join(map(_value, given)) + "]"
    return repr(given)


def each(key, count, take):
    """Give `take` as many drawn specs."""

    @seeded(int(hashlib.sha256(key.encode()).hexdigest()[:12], 16))
    @settings(
        max_examples=count, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )
    @given(specs)
    def run(spec):
        take(written(spec))

    run()
