"""Hostile texts: expressions that would be code, bombs or nonsense, places to put them, and changes of honest specs."""

import re
from pathlib import Path

from tests.trust.apart import MARK

ROOT = Path(__file__).parents[2]
EXPRESSIONS = (
    # what other readers would run
    f"__import__('os').system('touch {MARK}')", f"().__class__.__bases__[0].__subclasses__() and '{MARK}'",
    f"eval('{MARK}')", f"exec('{MARK}')", f"open('{MARK}', 'w')", f"(lambda: {MARK})()", f"sympify('{MARK}')",
    f"Symbol('{MARK}')", f"Function('{MARK}')(1)", f"x.subs(x, {MARK})", f"{{{{ {MARK} }}}}", f"f'{{{MARK}}}'",
    f'1); system("touch {MARK}"); //', f"1 */ {MARK} /*", f"1\nimport {MARK}", f"$({MARK})", f"`{MARK}`",
    f"!!python/{MARK}",
    "x.__class__", "x.diff(x)", "x if x else 1", "x and 1", "x < 1", "x @ x", "not x", "x := 1", "x; x", "x = 1",
    "[1, 2][0]",
    # bombs
    "9**9**9", "2**(9**9)", "x**(9**9)", "x**-(9**9)", "(((3*x)**399)**399)**399",
    "((((x**399)**399)**399)**399)**-399", "exp(exp(exp(exp(exp(9)))))", "7" * 5000, "1" + "0" * 400,
    "(" * 3000,
    "(" * 3000 + "x" + ")" * 3000, "-" * 5000 + "1", "+".join("x" * 9000), "*".join(["(1+x)"] * 900), "x**x**x**x",
    "sin(" * 400 + "x" + ")" * 400,
    "(x+1)**4000", "(1/3)**4000", "factorial(10**9)", "((((x**2+1)**9)**9)**9)**9",
    "((x+1)**400+1)**400", "((sin(x)+th+1)**399)*(x+th+1)**399", "1e308*1e308", "1e-308/1e308",
    "abs(1e308*10)",
    # numbers that are none
    "1e400", "-1e400", "1e-400", "nan", "inf", "-inf", "1/0", "0/0", "x/0", "0**0", "0**-1", "sqrt(-1)", "log(0)",
    "log(-1)", "asin(2)",
    "acos(-2)", "(-8)**(1/3)", "tan(pi/2)", "atan2(0, 0)", "acosh(0)", "1j", "1i", "0x10", "0b1", "1_000", "1.",
    ".5", "1.5.5", "1e", "--1", "1e5e5",
    # words in wrong places
    "", " ", ")", "(", "x y", "x,", ",", "min(2)", "max()", "min()", "sin()", "sin(1, 2)", "sin", "der(der(x))",
    "der(5)", "der(m)", "der", "pi(2)", "t",
    "N", "O", "N.x", "N.w", "P", "dot(N.x)", "dot(x, x)", "cross(N.x, N.y)", "velocity(x)", "velocity(N)",
    "position()", "reaction(b)", "mass_center()",
    "True", "None", "E", "I", "S", "zoo", "oo", "unknown", "x'", "π", "х", "x\u202ey", "\u0000", "x\u0000", "\ud7ff",
    "🙂", "%s%n", "'", "\\", "\\u0000", "a" * 20000,
)  # fmt: skip
PLACES = {
    "parameter": ("parameters", "z9 = {}"),
    "start": ("coordinates", "y = {{ initial = {} }}"),
    "rate": ("coordinates", "y = {{ rate = {} }}"),
    "mass": ("bodies", 'c = {{ mass = {}, center = "P" }}'),
    "inertia": ("bodies", 'c = {{ mass = 1, center = "P", frame = "F", inertia = {{ zz = {} }} }}'),
    "place": ("points", "Q = {{ at = [{}, 0, 0] }}"),
    "angle": ("frames", 'G = {{ rotate = [["z", {}]] }}'),
    "axis": ("frames", 'G = {{ axis = ["x", {}, 0], angle = "x" }}'),
    "output": ("outputs", "o9 = {}"),
    "potential": ("potentials", "v = {}"),
    "spring": ("springs", 's = {{ stiffness = {}, coordinate = "x" }}'),
    "force": ("forces", 'f = {{ at = "P", vector = [{}, 0, 0] }}'),
    "torque": ("torques", 'f = {{ on = "F", vector = [0, 0, {}] }}'),
    "signal": ("signals", "u9 = {}"),
    "constraint": ("constraints", "k = {}"),
    "position": ("constraints", "k = {{ position = {} }}"),
    "speed": ("quasi_velocities", "w = {}"),
    "event": ("events", "e = {{ when = {}, stop = true }}"),
    "set": ("events", 'e = {{ when = "x", set = {{ m = {} }} }}'),
    "expression": ("expressions", "e = {}"),
    "gravity": ("gravity", "N = [0, 0, {}]"),
    "part": ("include", "i = {}"),
    "mesh": ("bodies", 'c = {{ mass = 1, center = "P", drawn = {{ mesh = {} }} }}'),
    "end": ("simulation", "t_end = {}"),
    "name": ("", "name = {}"),
    "key": ("parameters", "{} = 1"),
    "unit": ("parameters", "z9 = {{ value = 1, unit = {} }}"),
    "joint": ("joints", 'j = {{ type = "revolute", child = "b2", axis = {} }}'),
}
BASE = {
    "": 'schema = 1\nname = "base"\n',
    "parameters": "m = 2\n",
    "coordinates": "x = { initial = 0.1 }\nth = {}\n",
    "frames": 'F = { rotate = [["z", "th"]] }\n',
    "points": 'P = { at = ["x", 0, 0] }\n',
    "bodies": 'b = { mass = "m", center = "P", frame = "F", inertia = { zz = 1 } }\n',
}
NUMBER = re.compile(rb"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?")
WORD = re.compile(rb"[A-Za-z_]\w*")
STRING = re.compile(rb'"[^"\n]*"')
NUMBERS = (
    b"0",
    b"-1",
    b"1e308",
    b"1e-320",
    b"1e400",
    b"nan",
    b"inf",
    b"-0.0",
    b"9" * 400,
    b"0.1",
    b"3",
    b"true",
    b'"x"',
    b"[]",
    b"1979-05-27",
)
BYTES = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b'"""',
    b"'''",
    b"[[",
    b"]]",
    b"\\u0000",
    b"\x1b[31m",
    b"=",
    b"#",
    b"\n[",
    b"{",
    b"}",
    b"\xe2\x80\xae",
)


def quoted(text):
    """A TOML string."""
    escaped = "".join(
        f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else "\\" + c if c in '"\\' else c for c in text
    )
    return f'"{escaped}"'


def hostile(expression, place):
    """A small spec with a hostile text somewhere, as a string or as it is."""
    table, line = PLACES[place]
    tables = BASE | {table: BASE.get(table, "") + line.format(quoted(expression)) + "\n"}
    if place == "name":
        tables[""] = f"schema = 1\nname = {quoted(expression)}\n"
    return "".join((f"[{name}]\n" if name else "") + text for name, text in tables.items()).encode()


def honest():
    """The specs that are changed, right ones and wrong ones: all of the repository."""
    right = ("benchmarks/models", "examples", "tests/fixtures/defects", "templates")
    return [
        [path.read_bytes() for folder in folders for path in sorted((ROOT / folder).glob("*.toml"))]
        for folders in (right, ("tests/language/wrong",))
    ]


def mutated(dice, specs):
    """One of the specs with one to four changes; right ones three times of four."""
    right, wrong = specs
    text, specs = dice.choice(right if dice.random() < 0.75 else wrong), [*right, *wrong]
    for _ in range(dice.choice((1, 1, 1, 1, 2, 3))):
        text = dice.choice(CHANGES)(dice, text, specs)
    return text


def _slice(dice, text):
    first = dice.randrange(len(text) + 1)
    return first, min(len(text), first + dice.choice((1, 2, 5, 20, 100)))


def _cut(dice, text, specs):
    first, last = _slice(dice, text)
    return text[:first] + text[last:]


def _double(dice, text, specs):
    first, last = _slice(dice, text)
    return text[:last] + text[first:last] + text[last:]


def _insert(dice, text, specs):
    first, _ = _slice(dice, text)
    return text[:first] + dice.choice(BYTES) + text[first:]


def _flip(dice, text, specs):
    if not text:
        return text
    at = dice.randrange(len(text))
    return text[:at] + bytes([text[at] ^ (1 << dice.randrange(8))]) + text[at + 1 :]


def _lines(dice, text, specs):
    lines = text.split(b"\n")
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(one, lines[two])
        case 2:
            lines[one], lines[two] = lines[two], lines[one]
        case _:
            lines.insert(one, dice.choice(dice.choice(specs).split(b"\n")))
    return b"\n".join(lines)


def _put(pattern, new):
    def change(dice, text, specs):
        found = [*pattern.finditer(text)]
        if not found:
            return text
        at = dice.choice(found)
        return text[: at.start()] + new(dice, found) + text[at.end() :]

    return change


CHANGES = (
    _cut,
    _double,
    _insert,
    _flip,
    _lines,
    _put(NUMBER, lambda dice, found: dice.choice(NUMBERS)),
    _put(NUMBER, lambda dice, found: dice.choice(found).group()),
    _put(NUMBER, lambda dice, found: b"%.3g" % dice.uniform(0, 3)),
    _put(WORD, lambda dice, found: dice.choice(found).group()),
    _put(STRING, lambda dice, found: dice.choice(found).group()),
    _put(STRING, lambda dice, found: quoted(dice.choice(EXPRESSIONS)).encode()),
)
