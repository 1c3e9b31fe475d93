"""What a wrong spec is told, one kind of mistake at a time."""

import pytest

from volterra_cg import spec
from volterra_cg.errors import Place, SpecError

GOOD = """\
schema = 1
name = "mill"
[parameters]
m = 2
l = 0.1
[signals]
push = 0
[coordinates]
theta = { initial = 1 }
x = {}
[frames]
A = { rotate = [["z", "theta"]] }
[points]
P = { at = ["x", 0, 0] }
G = { from = "P", in = "A", at = [0, "-l/2", 0] }
[bodies]
rod = { mass = "m", center = "G", frame = "A", inertia = { zz = "m*l**2/12" } }
[gravity]
N = [0, -9.81, 0]
[forces]
f = { at = "G", vector = ["push", "der(x)", 0] }
[constraints]
c = "der(x) - l*der(theta)"
[quasi_velocities]
u = "der(theta)"
"""

# what to replace in GOOD, by what, the text the problem stands at, words of its message and of its remedy
CASES = [
    ("schema = 1", "schema = 2", "2", "schema 2 is not known", "schema = 1"),
    ("schema = 1", "schema = true", "true", "is not known", ""),
    ("schema = 1\n", "about = 3\nschema = 1\n", "3", "a text in quotes", ""),
    ('name = "mill"', 'name = "for"', '"for"', "word of Python", ""),
    ('name = "mill"', 'name = "a-b"', '"a-b"', "is not a name", "letters"),
    ('name = "mill"', 'name = "mill"\nwork = 1', "1", "true or false", ""),
    ('name = "mill"', 'name = "mill"\nignorable = 1', "1", '"auto" or a list', ""),
    ('name = "mill"', 'name = "mill"\nignorable = ["y"]', 'y"', "unknown coordinate 'y'", ""),
    ('name = "mill"', 'name = "mill"\nignorable = ["x", "x"]', '"x"]', "named twice", ""),
    ("m = 2", "t = 2\nm = 2", "t", "meaning of its own", ""),
    ("m = 2", '"a b" = 2\nm = 2', '"a b"', "is not a name", ""),
    ("m = 2", "m = [2]", "[2]", "a number, or an expression", ""),
    ("m = 2", "m = { value = 2, unitt = 3 }", "unitt", "unknown key 'unitt'", "did you mean 'unit'?"),
    ("m = 2", "m = { unit = 'kg' }", "m", "'value' is missing in parameters.m", ""),
    ("m = 2", 'm = "l2"', 'l2"', "unknown name 'l2'", "did you mean 'l'?"),
    ("m = 2", 'm = "theta"', 'theta"', "a parameter may not depend on the coordinate", ""),
    ("m = 2", 'm = "k"\nk = "m + 1"', "m =", "'m' is defined by itself, by way of k", ""),
    ("m = 2", 'm = "m + 1"', "m =", "'m' is defined by itself", ""),
    ("m = 2", "m = { value = '2*l', fixed = true }", "true", "cannot be fixed", ""),
    ("m = 2", "m = nan", "nan", "finite", ""),
    ("m = 2", "m = '1/0'", "0'", "divides by zero", "without that division"),
    ("m = 2", "m = '1/(l - 0.1)'", "'1/(", "no value at the given parameters", "division by zero"),
    ("m = 2", "m = '1e300/l**100'", "'1e300", "out of range at the given parameters", "1.8e308"),
    ("m = 2", "m = 1e308", '"m", center', "the mass of 'rod' is larger than 1e+100", "out of range"),
    ("push = 0", "push = '2*z'", "z'", "unknown name 'z'", ""),
    ("push = 0", "push = [2]", "[2]", "a number, or an expression", ""),
    ("push = 0", "push = 0\npull = '2*push'", "push'", "a signal may not depend on the signal 'push'", ""),
    ("push = 0", "m = 0\npush = 0", "m", "already the name of one of the parameters, in line 4", "another name"),
    ("x = {}", "x = 0", "0", "a table { ... } is needed", ""),
    ("x = {}", "x = {}\nshape = { initia = 1 }", "initia", "unknown key 'initia'", "did you mean 'initial'?"),
    ("x = {}", 'x = { initial = "x" }', 'x" }', "an initial value may not depend on the coordinate 'x'", ""),
    ("x = {}", 'x = { initial = "log(-1)" }', "log(", "not a real number", "above zero"),
    ("x = {}", 'x = { initial = "sin(1, 2)" }', "sin", "sin takes 1 argument, not 2", ""),
    ("x = {}", 'x = { initial = "ln(2)" }', "ln", "unknown function 'ln'", "did you mean 'log'?"),
    ("x = {}", "x = {}\ny = {}", "y", "appears in no frame, point or constraint", ""),
    ("A = {", 'A = { parent = "B",', 'B"', "unknown frame 'B'", ""),
    ("A = {", 'A = { parent = "A",', "A", "'A' is turned from itself", ""),
    ("A = {", 'B = { parent = "C" }\nC = { parent = "B" }\nA = {', "B", "by way of C", ""),
    ('["z", "theta"]', '["w", "theta"]', '"w"', "an axis is needed", '"x"'),
    ('["z", "theta"]', '[[0, 0, 0], "theta"]', "[0, 0, 0]", "length zero", ""),
    ('["z", "theta"]', '["z"]', '["z"]', "a list of 2 things", ""),
    ('["z", "theta"]', '["z", "push"]', 'push"', "may not depend on the signal", ""),
    ('["z", "theta"]]', '["z", "theta"]], quaternion = [1, 0, 0, 0]', "[1, 0", "a frame is given in one way", ""),
    ('["z", "theta"]]', '["z", "theta"]], cosines = [[1, 0, 0]]', "[[1", "a list of 3 rows", ""),
    ('P = { at = ["x", 0, 0] }', 'P = { at = ["x", 0] }', '["x"', "a list of 3 components", ""),
    ('P = { at = ["x"', 'P = { from = "G", at = ["x"', "P", "'P' is placed from itself, by way of G", ""),
    ('from = "P"', 'from = "Q"', 'Q"', "unknown point 'Q'", "[points]"),
    ('"-l/2"', '"-l/2 +"', '", 0]', "not an expression", ""),
    ('"-l/2"', '"2l"', '2l"', "not an expression", "is a * missing?"),
    ('"-l/2"', '"30 deg"', 'deg"', "not an expression", "angles are in rad"),
    ('"-l/2"', '"theta_dot"', "theta_dot", "unknown name 'theta_dot'", "the rate of theta is der(theta)"),
    ("m = 2", "m = 2,5", ",5", "not valid TOML", "a decimal point"),
    ('"-l/2"', '"-l^2"', "^", "operator is not allowed", "**"),
    ('"-l/2"', '"G"', 'G", 0', "'G' is a point, not a scalar", "position(G)"),
    ('"-l/2"', '"der(x)"', "der", "may not depend on velocities", ""),
    ('"-l/2"', '"N.x"', "N.x", "may not depend on the axes", ""),
    ('mass = "m", ', "", "rod", "'mass' is missing in bodies.rod", "mass ="),
    ('mass = "m"', 'mass = "l - m"', '"l - m"', "the mass of 'rod' is -1.9", "above zero"),
    ('mass = "m"', "mass = 0", "0", "the mass of 'rod' is 0", ""),
    ('mass = "m"', 'mass = "x"', 'x"', "a constant may not depend on", ""),
    ('center = "G"', 'center = "H"', 'H"', "unknown point 'H'", ""),
    ('frame = "A"', 'frame = "a"', 'a"', "unknown frame 'a'", "did you mean 'A'?"),
    ('frame = "A", ', "", "rod", "has an inertia and no frame", ""),
    ('{ zz = "m*l**2/12" }', '{ zz = "-m" }', '"-m"', "zz of 'rod' is -2", "not below zero"),
    ('{ zz = "m*l**2/12" }', "{ xx = 1, yy = 1, zz = 3 }", "{ xx", "no body has the inertia", "sum of the other two"),
    ('{ zz = "m*l**2/12" }', "{ xx = 1, yy = 1, zz = 1, xy = 2 }", "{ xx", "no body has the inertia", ""),
    ('{ zz = "m*l**2/12" }', '{ zz = 1, in = "N" }', '"N"', "'N' turns in the frame of 'rod'", "fixed in its body"),
    ('{ zz = "m*l**2/12" }', "{ zz = 1 }, shape = { sphere = 1 }", "{ sphere", "an inertia and a shape", ""),
    ('inertia = { zz = "m*l**2/12" }', "shape = { sphere = 0 }", "{ sphere", "a size of 'rod' is 0", "above zero"),
    ('inertia = { zz = "m*l**2/12" }', "shape = { sphere = 1, rod = 1 }", "{ sphere", "exactly one of", ""),
    ("N = [0, -9.81, 0]", "A = [0, -9.81, 0]", "A", "gravity is given in 'A', which turns", "in N"),
    ("N = [0, -9.81, 0]", "M = [0, -9.81, 0]", "M", "unknown frame 'M'", ""),
    ("N = [0, -9.81, 0]", "N = [0, -9.81, 0]\nO = [0, 0, 0]", "O", "one frame only", ""),
    ('at = "G", vector', 'at = "A", vector', 'A"', "unknown point 'A'", ""),
    ('at = "G", vector', "vector", "f", "'at' is missing in forces.f", ""),
    ('"push"', '"pusch"', 'pusch"', "unknown name 'pusch'", "did you mean 'push'?"),
    ('"push"', '"velocity(P)"', "velocity", "a scalar is needed here, and this is a vector", "dot("),
    ('"push"', '"norm(push)"', 'push)"', "a vector is needed here, and this is a scalar", ""),
    ('"push"', '"sin"', 'sin"', "'sin' is a function", ""),
    ('"push"', '"dot(omega(P), N.x)"', "P)", "unknown frame 'P'", ""),
    ('"push"', '"dot(velocity(2), N.x)"', "2)", "takes the name of a point", ""),
    ('"push"', '"dot(N.x*N.y, N.x)"', "N.y", "no plain product", "cross"),
    ('"push"', '"dot(N.x + 1, N.x)"', "1, N.x)", "cannot be added", ""),
    ('"push"', '"1/N.x"', "N.x", "a vector cannot stand here", ""),
    ('"push"', '"dot(B.x, N.x)"', "B.x", "unknown frame 'B'", ""),
    ('"push"', '"der(push)"', 'push)"', "may not depend on the signal", ""),
    ('"push"', '"der(l)"', 'l)"', "rate of a constant", ""),
    ("[constraints]", "[potentials]\nv = 'der(x)'\n[constraints]", "der", "potential energy may not", ""),
    ("[constraints]", "[generalized_forces]\nz = 1\n[constraints]", "z", "unknown coordinate 'z'", ""),
    ("[constraints]", "[torques]\nq = { on = 'P', vector = [0, 0, 1] }\n[constraints]", "P'", "unknown frame 'P'", ""),
    ("[constraints]", "[outputs]\nx = 1\n[constraints]", "x", "already the name of one of the coordinates", ""),
    ("[constraints]", "[simulation]\ndt = 0\n[constraints]", "0", "above zero", ""),
    ("[constraints]", "[constrains]\n[constraints]", "constrains", "unknown key", "did you mean 'constraints'?"),
    (
        "[constraints]",
        "[springs]\ns = { between = ['P', 'P'], stiffness = 1 }\n[constraints]",
        "['P'",
        "same point",
        "",
    ),
    ("[constraints]", "[springs]\ns = { between = ['P'], stiffness = 1 }\n[constraints]", "['P'", "2 points", ""),
    ('c = "', 'd = "l - 1"\nc = "', '"l - 1"', "neither coordinates nor velocities", ""),
    ('c = "', 'd = { velocity = "x" }\nc = "', '"x"', "no velocity in it", "position"),
    ('c = "', 'd = { position = "der(x)" }\nc = "', "der", "a position constraint may not", ""),
    ('c = "', 'd = {}\nc = "', "d", "exactly one of position, velocity, coincide", ""),
    ('u = "der(theta)"', 'u = "theta"', '"theta"', "'u' has no velocity", "der"),
]


def problems_of(text: str):
    with pytest.raises(SpecError) as caught:
        spec.parse(text, "mill.toml")
    return caught.value.problems


def test_the_good_spec_is_good():
    assert spec.parse(GOOD).warnings == ()


@pytest.mark.parametrize(("old", "new", "at", "words", "remedy"), CASES)
def test_a_mistake_is_told_where_it_is(old, new, at, words, remedy):
    assert GOOD.count(old) >= 1
    text = GOOD.replace(old, new, 1)
    problem = problems_of(text)[0]
    assert words in problem.message
    assert remedy in problem.remedy
    assert problem.source == text.split("\n")[problem.place.line - 1]
    assert problem.source[problem.place.column - 1 :].startswith(at)


def test_missing_heads_are_told():
    problems = problems_of(GOOD.replace("schema = 1\n", "").replace('name = "mill"\n', ""))
    assert [problem.message for problem in problems] == [
        "'schema' is missing in the spec",
        "'name' is missing in the spec",
    ]
    assert [p.message for p in problems_of("schema = 1\nname = 'x'")] == [
        "the spec has no coordinates",
        "the spec has no bodies",
    ]


def test_a_body_may_have_the_name_of_a_point_or_of_its_own_frame_only():
    spec.parse(GOOD.replace("rod = {", "A = {"))
    spec.parse(GOOD.replace("rod = {", "P = {"))
    text = GOOD.replace("A = { rotate", "B = {}\nA = { rotate").replace("rod = {", "B = {")
    assert "a frame that is not this body's" in problems_of(text)[0].message


def test_all_problems_come_at_once_in_source_order():
    text = GOOD.replace("m = 2", "m = -2").replace('"theta"]', '"thta"]').replace('c = "der(x)', 'c = "dre(x)')
    text += "[outptus]\na = 1\n"
    problems = problems_of(text)
    assert [problem.place for problem in problems] == sorted(problem.place for problem in problems)
    assert [problem.message for problem in problems] == [
        "unknown name 'thta'",
        "the mass of 'rod' is -2",
        "unknown function 'dre'",
        "unknown key 'outptus'",
    ]


def test_two_mistakes_in_one_expression_are_both_told():
    problems = problems_of(GOOD.replace('"-l/2"', '"aa + bb"'))
    assert [problem.place.column for problem in problems] == [39, 44]


def test_names_that_were_left_out_are_not_missed():
    problems = problems_of(GOOD.replace("m = 2", "m = { valu = 2 }"))
    assert {problem.message for problem in problems} == {"unknown key 'valu'", "'value' is missing in parameters.m"}


def test_a_mistake_in_a_text_of_several_lines_is_found():
    problems = problems_of(GOOD.replace('c = "der(x) - l*der(theta)"', 'c = """\nder(x)\n  - k*der(theta)"""'))
    line = GOOD.split("\n").index('c = "der(x) - l*der(theta)"') + 1
    assert problems[0].place == Place("mill.toml", line + 2, 5)


def test_of_a_long_line_the_part_around_the_mistake_is_shown():
    terms = " + ".join(["m"] * 60)
    text = GOOD.replace('mass = "m"', f'mass = "{terms} + k + {terms}"')
    with pytest.raises(SpecError) as caught:
        spec.parse(text)
    message, shown, caret = str(caught.value).splitlines()
    assert "k" in message
    assert len(shown) <= 4 + 160
    assert shown[caret.index("^")] == "k"
