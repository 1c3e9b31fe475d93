"""Specs that are short and would take for ever are refused at once; those that are only long are read in linear time."""

import gc
import subprocess
import sys
import time

import pytest
from sympy.core.cache import clear_cache

from volterra_cg.errors import SpecError
from volterra_cg.spec import parse, read
from volterra_cg.spec.expressions import evaluate
from volterra_cg.system.from_spec import from_spec

SPEC = """\
schema = 1
name = "slider"
[parameters]
a0 = 2
{parameters}
[coordinates]
x = {{}}
{coordinates}
[frames]
{frames}
[points]
P = {{ at = ["x", 0, 0] }}
[bodies]
ball = {{ mass = 1, center = "P" }}
[outputs]
{outputs}
"""
ROWS = {"parameters": "", "coordinates": "", "frames": "", "outputs": ""}


def spec(**rows: object) -> str:
    lines = {table: row if isinstance(row, str) else "\n".join(row) for table, row in rows.items()}
    return SPEC.format(**(ROWS | lines))


BOMBS = {
    "tower": spec(outputs='o = "9**9**9"'),
    "power": spec(outputs='o = "2**(9**9)"'),
    "power of a coordinate": spec(outputs='o = "x**(9**9)"'),
    "power of powers": spec(outputs='o = "(((1 + 1e-300)**400)**400)**400"'),
    "small power of powers": spec(outputs='o = "(((1/3)**400)**400)**400"'),
    "exponentials": spec(outputs='o = "exp(exp(exp(exp(exp(9)))))"'),
    "long integer": spec(parameters="b = " + "7" * 5_000),
    "longer integer": spec(parameters="b = " + "7" * 5_000_000),
    "long integer in an expression": spec(outputs=f'o = "{"7" * 5_000}"'),
    "deep lists": spec(outputs="o = " + "[" * 10_000 + "]" * 10_000),
    "deep tables": spec(outputs="o = " + "{a = " * 10_000 + "1" + "}" * 10_000),
    "deep lists that do not end": 'a = "' + "\nb = " + "[" * 10_000,
    "dotted key": spec(outputs=".".join(["a"] * 10_000) + " = 1"),
    "dotted table": spec(outputs="[" + ".".join(["a"] * 10_000) + "]"),
    "coordinates": spec(coordinates=(f"q{number} = {{}}" for number in range(1_000_000))),
    "items": spec(outputs="o = [" + "1," * 5_000_000 + "]"),
    "numbers in an expression": spec(outputs=f'o = "{"+".join(["1"] * 9_000)}"'),
    "unknown names": spec(
        parameters=(f"p{n} = 1" for n in range(10_000)), outputs=(f'o{n} = "u{n}"' for n in range(10_000))
    ),
    "circle": spec(parameters=(f'p{n} = "p{(n + 1) % 10_000}"' for n in range(10_000))),
    "circles": spec(parameters=(f'p{n} = "p{n ^ 1}"' for n in range(10_000))),
}


@pytest.fixture(autouse=True)
def apart():
    """Keep what other tests left in memory out of the collections of garbage that are timed here."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_at_once(name):
    parse(spec())  # imports what is needed
    start = time.process_time()
    with pytest.raises(SpecError):
        parse(BOMBS[name])
    assert time.process_time() - start < 2


def test_bombs_take_little_memory(tmp_path):
    resource = pytest.importorskip("resource")
    for number, text in enumerate(BOMBS.values()):
        (tmp_path / f"{number}.toml").write_text(text)
    program = (
        "import resource, sys; from volterra_cg.spec import read; from volterra_cg.errors import SpecError\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "for path in sys.argv[1:]:\n"
        "    try: read(path)\n"
        "    except SpecError: continue\n"
        "    sys.exit(path)\n"
    )
    assert resource.RLIMIT_AS is not None
    done = subprocess.run([sys.executable, "-c", program, *sorted(map(str, tmp_path.iterdir()))], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("base", ["3*x", "x/3", "sqrt(3)*x"])
def test_a_power_of_powers_does_not_make_long_numbers(base):
    text = spec(outputs=f'o = "{"(" * 6}{base}{")**399" * 6}"')
    start = time.process_time()
    with pytest.raises(SpecError, match="o holds a number out of range"):
        from_spec(parse(text))
    assert time.process_time() - start < 2


def test_includes_that_double_are_refused(tmp_path):
    (tmp_path / "part0.toml").write_text(spec())
    for number in range(1, 9):
        part = f'schema = 1\nname = "p"\n[include]\na = "part{number - 1}.toml"\nb = "part{number - 1}.toml"\n'
        (tmp_path / f"part{number}.toml").write_text(part)
    start = time.process_time()
    with pytest.raises(SpecError, match=r"(?s)more than 100 specs are included in all .*VOLTERRA_CG_LIMITS=parts=N"):
        read(tmp_path / "part8.toml")
    assert time.process_time() - start < 2


def seconds(text: str) -> float:
    clear_cache()  # of sympy, in which a short spec would be found when it comes again, and a long one not
    gc.collect()
    start = time.process_time()
    from_spec(parse(text))
    return time.process_time() - start


LONG = {
    "doubling": lambda n: spec(parameters=(f'a{k + 1} = "(a{k} + a{k})/2"' for k in range(n)), outputs=f'o = "a{n}"'),
    "doubling sines": lambda n: spec(
        parameters=(f'a{k + 1} = "sin(a{k}) + cos(a{k})"' for k in range(n // 20)), outputs=f'o = "a{n // 20}*x"'
    ),
    "chain": lambda n: spec(parameters=(f'a{k + 1} = "a{k} + 1"' for k in range(n)), outputs=f'o = "a{n}"'),
    "chain backwards": lambda n: spec(
        parameters=(f'a{k + 1} = "a{k} + 1"' for k in reversed(range(n))), outputs=f'o = "a{n}"'
    ),
    "frames": lambda n: spec(frames=["F0 = {}", *(f'F{k + 1} = {{ parent = "F{k}" }}' for k in range(n))]),
    "frames backwards": lambda n: spec(
        frames=[*(f'F{k + 1} = {{ parent = "F{k}" }}' for k in reversed(range(n))), "F0 = {}"]
    ),
    "parameters": lambda n: spec(parameters=(f"p{k} = {k}" for k in range(n))),
    "outputs": lambda n: spec(outputs=(f'o{k} = "{k}*x"' for k in range(n))),
    "comments": lambda n: spec(outputs=("# a comment = [ of some length, as they are written" for _ in range(10 * n))),
    "comments in another script": lambda n: "# é = [\n" * (10 * n) + spec(),
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_spec_takes_linear_time(name):
    seconds(spec())
    small, large = (min(seconds(LONG[name](n)) for _ in range(2)) for n in (500, 2_000))
    most = (
        12 if name == "doubling sines" else 8
    )  # 4 if it is linear, 16 if it is quadratic; sympy's nested functions are between
    assert large < most * small + 0.1


def test_chains_of_parameters_have_their_value():
    values = {each.name: each.value for each in parse(LONG["chain"](600)).mechanism.parameters}
    assert evaluate(values["a3"], values) == 5
