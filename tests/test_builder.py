"""Mechanisms made in Python, and mechanisms as text."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import volterra_cg as vcg
from volterra_cg import builder
from volterra_cg.spec import parse, read
from volterra_cg.spec.include import TABLES
from volterra_cg.spec.schema import Document
from volterra_cg.system.from_spec import from_spec, normal_form
from volterra_cg.system.translate import translated

ROOT = Path(__file__).parents[1]
SPECS = sorted([*(ROOT / "benchmarks" / "models").glob("*.toml"), *(ROOT / "examples").rglob("*.toml")])
NO_METHODS = {
    "version",
    "name",
    "about",
    "ignorable",
    "work",
    "start",
    "include",
}  # told when a mechanism is begun; parts are functions


def chain(count):
    """A chain in ten lines."""
    made = vcg.Mechanism("chain")
    length, parent, at = made.parameter("l", 0.5), "N", [0, 0, 0]
    for n in range(count):
        made.body(f"link{n}", mass=1.5, shape={"rod": length})
        made.joint(
            f"hinge{n}", "revolute", f"link{n}", parent, axis="y", at=at, center=[f"{length}/2", 0, 0], initial=0.1
        )
        parent, at = f"link{n}", [f"{length}/2", 0, 0]
    made.gravity([0, 0, -9.81])
    return made


def test_the_same_chain_written_by_hand():
    text = 'schema = 1\nname = "chain"\n[parameters]\nl = 0.5\n[gravity]\nN = [0, 0, -9.81]\n[bodies]\n'
    text += "".join(f'link{n} = {{ mass = 1.5, shape = {{ rod = "l" }} }}\n' for n in range(2)) + "[joints]\n"
    text += 'hinge0 = { type = "revolute", child = "link0", axis = "y", center = ["l/2", 0, 0], initial = 0.1 }\n'
    text += 'hinge1 = { type = "revolute", child = "link1", parent = "link0", axis = "y", at = ["l/2", 0, 0], '
    text += 'center = ["l/2", 0, 0], initial = 0.1 }\n'
    assert from_spec(parse(chain(2).to_toml())) == from_spec(parse(text))


@pytest.mark.compiles
def test_a_mechanism_of_python_is_compiled_as_its_spec_is(workshop, monkeypatch, tmp_path):
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    model = chain(2).compile()
    (tmp_path / "chain.toml").write_text(vcg.to_toml(chain(2)))
    other = vcg.compile(tmp_path / "chain.toml")
    assert model.report == other.report
    np.testing.assert_array_equal(model.rhs(0.0, model.z0), other.rhs(0.0, other.z0))


def test_mistakes_are_told_of_lines_of_python():
    made = vcg.Mechanism("wrong")
    made.body("a", 1, shape={"rod": 1})
    made.joint("j", "revolute", "a", damper="xx")
    made.output("v", "norm(velocity(aa))")
    made.coordinate("never")
    with pytest.raises(vcg.SpecError) as caught:
        made.check()
    told = caught.value.problems
    assert [problem.message for problem in told] == ["unknown name 'xx'", "unknown point 'aa'"]
    lines = Path(__file__).read_text().split("\n")
    assert [lines[problem.place.line - 1].strip() for problem in told] == [
        'made.joint("j", "revolute", "a", damper="xx")',
        'made.output("v", "norm(velocity(aa))")',
    ]
    assert str(told[0]).startswith(f"{__file__}:")


def test_meshes_are_looked_for_from_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = vcg.Mechanism("drawn")
    made.coordinate("x")
    made.body("ball", mass=1, center=made.point("P", ["x", 0, 0]), drawn={"mesh": "parts/ball.stl"})
    with pytest.raises(vcg.SpecError, match=r"there is no file 'parts/ball\.stl'"):
        made.check()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "ball.stl").write_text("solid\nvertex 0 0 0\nvertex 3 0 0\nvertex 0 4 0\n")
    assert made.check().m == 1


def test_an_output_has_a_unit():
    made = chain(1)
    made.output("fall", "dot(velocity(link0_center), N.z)", unit="m/s")
    assert parse(made.to_toml()).mechanism.outputs[-1].unit == "m/s"
    assert vcg.to_toml(made) == made.to_toml()


def test_a_name_is_given_once():
    made = vcg.Mechanism("twice")
    made.body("a", 1)
    with pytest.raises(vcg.SpecError, match=r"'a' is in \[bodies\] already, from .*test_builder.py:\d+"):
        made.body("a", 2)


def test_numbers_of_all_kinds():
    made = vcg.Mechanism("numbers")
    made.body("a", np.float64(2.5), inertia=np.array([1, 2, 3]))
    made.joint("j", "revolute", "a", spring=Fraction(1, 3), initial=1e-7, rate=np.int64(3))
    text = made.to_toml()
    assert "mass = 2.5" in text
    assert 'spring = "1/3"' in text
    assert parse(text).mechanism.coordinates[0].initial.value == Fraction("1e-7")
    with pytest.raises(vcg.OptionError, match=r"bodies.b holds a complex"):
        made.body("b", 1j)


def test_numbers_that_are_not_finite_are_told_of_lines_of_python():
    made = vcg.Mechanism("numbers")
    with pytest.raises(vcg.SpecError, match=r"test_builder\.py:\d+: mass of bodies\.a must be finite, not nan"):
        made.body("a", float("nan"))
    with pytest.raises(vcg.SpecError, match=r"test_builder\.py:\d+: gravity\.N must be finite, not -inf"):
        made.gravity(np.array([0, 0, -np.inf]))


@pytest.mark.parametrize("drawn", ["box", ["box"]])
def test_what_is_drawn_of_another_kind_is_told(drawn):
    made = vcg.Mechanism("drawn")
    made.coordinate("x")
    made.body("ball", mass=1, center=made.point("P", ["x", 0, 0]), drawn=drawn)
    with pytest.raises(vcg.SpecError, match=r"test_builder\.py:\d+: a table .* is needed here"):
        made.check()


def test_warnings_are_told_of_lines_of_python():
    made = vcg.Mechanism("warned")
    made.coordinate("x")
    made.parameter("idle", 3)
    made.body("ball", mass=1, center=made.point("P", ["x", 0, 0]))
    [warning] = made.check().warnings
    assert re.match(rf"{re.escape(__file__)}:\d+: .*idle", warning)


def test_what_is_no_spec_is_not_compiled():
    with pytest.raises(vcg.OptionError, match="the path of a spec or a Mechanism is needed, not 5"):
        vcg.compile(5)


def test_every_table_of_the_language_has_a_method():
    tables = {re.sub("ies$", "y", table).removesuffix("s") for table in Document.model_fields.keys() - NO_METHODS}
    assert [table for table in sorted(tables) if not getattr(vcg.Mechanism, table, None)] == []
    assert all(getattr(builder.Mechanism, table).__doc__ for table in tables)


def test_every_method_is_read_back():
    made = vcg.Mechanism("all", "of them", ignorable=[], work=True, project=["x"])
    made.parameter("k", 2, unit="N/m", about="spring", fixed=True)
    made.signal("push", 0.5)
    made.coordinate("x", "k/3", 0, unit="m")
    made.expression("speed", "norm(velocity(P))")
    made.frame("F", rotate=[("z", "x"), ([1, 1, 0], 0.2)])
    made.point("P", ["x", 0, 0], from_="O", in_="F")
    made.body("a", 1, center="P", frame="F", shape={"sphere": 0.1})
    made.body("b", 1, shape={"sphere": 0.1})
    made.joint("j", "spherical", "b", "a", orientation="quaternion", attitude={"axis": "x", "angle": 1}, spin=[1, 0, 0])
    made.gravity([0, 0, -1])
    made.potential("v", "x**2")
    made.spring("s", 3, between=["P", "O"])
    made.damper("d", 3, turn=["N", "F"], axis="z")
    made.actuator("m", "push", coordinate="x")
    made.friction("f", dry=1, speed=0.1, coordinate="x")
    made.force("pull", "P", [1, 0, 0], in_="F")
    made.torque("twist", "F", [0, 0, 1], reaction="N")
    made.generalized_force("x", "-speed")
    made.armature("x", 0.1)
    made.constraint("c", "der(x) - 1")
    made.quasi_velocity("u", "der(x)")
    made.output("attitude", orientation="b", as_="quaternion")
    made.event("stop", "x - 1", direction="rising", set={"der(x)": "-der(x)"}, terminal=True)
    made.simulation(t_end=3, rtol=1e-6)
    mechanism = parse(made.to_toml()).mechanism
    assert all(getattr(mechanism, table) for table in TABLES)
    assert (mechanism.simulation.t_end, mechanism.simulation.dt, mechanism.project) == (3.0, 0.01, ("x",))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_a_mechanism_is_read_back_as_it_was_written(path):
    mechanism = read(path, [ROOT]).mechanism
    assert from_spec(parse(vcg.to_toml(mechanism))) == from_spec(read(path, [ROOT]))
    in_sympy = translated(mechanism)
    spelled = replace(
        in_sympy,
        parameters=tuple(parameter for parameter in in_sympy.parameters if not parameter.derived),
        signals=tuple(signal for signal in in_sympy.signals if signal.expression is None),
    )
    assert from_spec(parse(vcg.to_toml(spelled))) == replace(normal_form(in_sympy), computed_signals=())


def test_a_number_that_python_does_not_have_is_refused():
    with pytest.raises(vcg.OptionError, match="holds a longdouble"):
        vcg.Mechanism("long").parameter("m", np.longdouble(1))


def test_what_is_no_mechanism_is_not_written():
    with pytest.raises(vcg.OptionError, match="a Mechanism is needed, not 'x'"):
        vcg.to_toml("x")
