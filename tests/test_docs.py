"""What the documentation shows runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import simpson, solve_ivp

import volterra_cg
from volterra_cg import integrators, options, passes, runtime, sweep, targets
from volterra_cg.spec import joint_types

ROOT = Path(__file__).parents[1]


def blocks(file, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)


PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]
OWN = (
    "docs/control.md",
    "docs/derivatives.md",
    "docs/extending.md",
    "docs/interop.md",
)  # with tests of their own, which look at what comes out
# what a reader has: other numbers than the page's where its own would take too long, and a cluster of one process
READERS = {"10_000": "50", '"tcp://scheduler:8786"': "processes=False, n_workers=1, dashboard_address=None"}


@pytest.fixture
def folder(workshop, tmp_path, monkeypatch):
    """A folder with the specs that the pages name; models are taken from the cache of all tests."""
    (tmp_path / "rotary.toml").write_text(blocks("README.md", "toml")[0])
    (tmp_path / "arm.urdf").write_text(blocks("docs/from_urdf.md", "xml")[0])
    for name in ("cart_pendulum", "three_bodies"):
        shutil.copy(ROOT / "benchmarks" / "models" / f"{name}.toml", tmp_path)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    return tmp_path


def run(command, folder):
    """What a command prints; it has to succeed, without warnings of Python."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "PYTHONWARNINGS": "error"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.compiles
@pytest.mark.parametrize("page", [page for page in PAGES if page not in OWN and blocks(page, "python")])
def test_the_code_of_a_page_runs_from_top_to_bottom(page, folder):
    for name in ("rotary", "cart_pendulum"):
        run(["volterra-cg", "build", f"{name}.toml"], folder)
    code = "\n".join(blocks(page, "python"))
    for theirs, ours in READERS.items():
        code = code.replace(theirs, ours)
    (folder / "page.py").write_text(code)
    run([sys.executable, "page.py"], folder)


@pytest.mark.compiles
def test_the_commands_of_the_first_page_run(folder):
    commands = re.findall(r"^    \$ (volterra-cg .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["check", "build", "simulate"]
    for command in commands:
        run(command.split(), folder)
    assert (folder / "rotary.png").exists()


@pytest.mark.compiles
def test_the_c_of_the_reference_runs(folder, compiled):
    [code] = blocks("docs/reference.md", "c")
    include, body = code.split("\n", 1)
    run(["volterra-cg", "build", "cart_pendulum.toml"], folder)
    model = compiled("cart_pendulum")
    values = ", ".join(map(repr, model.parameters.values()))
    (folder / "main.c").write_text(
        f"{include}\n#include <stdio.h>\nint main(void)\n{{\ndouble p[] = {{{values}}}, w[999], q[9], qd[9], z[9], dz[9], g[9],"
        f" signals[1], scratch[999], t = 0.0;\nint where;\n{body}\nfor (int i = 0; i < m->states; ++i)"
        ' {\nprintf("%.17g\\n", dz[i]);\n}\nreturn 0;\n}\n'
    )
    sources = folder / "generated" / "cart_pendulum"
    flags = ["-std=c99", "-Wall", "-Werror", f"-I{sources}", "-o", "main"]
    run(["cc", *flags, "main.c", str(sources / "cart_pendulum.c"), "-lm"], folder)
    np.testing.assert_allclose([float(line) for line in run(["./main"], folder).split()], model.rhs(0.0, model.z0))


def test_blocks_are_of_languages_that_are_tested():
    """Those of TOML are the first page's, above, and the spec's, in spec/test_reference.py; the robot is read by its page."""
    found = {
        (page, name) for page in PAGES for name in re.findall(r"^```(\w+)$", (ROOT / page).read_text(), re.MULTILINE)
    }
    others = {(page, name) for page, name in found if name != "python"}
    extending = {("docs/extending.md", name) for name in ("c", "text")}  # in test_extending.py
    assert others == {
        ("README.md", "toml"),
        ("docs/spec.md", "toml"),
        ("docs/reference.md", "c"),
        ("docs/from_urdf.md", "xml"),
        *extending,
    }


@pytest.mark.compiles
def test_derivatives(tmp_path, monkeypatch):
    (tmp_path / "rotary.toml").write_text(blocks("README.md", "toml")[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(tmp_path / "cache"))
    names: dict[str, object] = {}
    for block in blocks("docs/derivatives.md", "python"):
        exec(block, names)
    assert names["near"].states == ("arm", "swing", "der(swing)")
    assert names["near"].eigenvalues == pytest.approx([0, -7.148287j, 7.148287j], abs=1e-6)
    assert names["full"].eigenvalues == pytest.approx([0, 0, -7.148287j, 7.148287j], abs=1e-6)
    assert names["growth"](0.0, names["s"].z0, names["S"])[1:] == pytest.approx(np.zeros((2, 5)))


@pytest.mark.compiles
def test_control(workshop, tmp_path, monkeypatch):
    """The regulator balances, sampled too but not too slowly; the numbers of the page are those that come out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
    page = (ROOT / "docs" / "control.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    exec("\n".join(blocks("docs/control.md", "python")), names)
    near, start, balance = names["near"], names["start"], names["balance"]
    assert "\n".join(f"    {line}" for line in repr(near).splitlines()) in page
    assert np.cos(names["whirl"].z0[1]) == pytest.approx(9.81 / (64 * 0.25), rel=1e-9)
    assert names["tilted"].signals["motor"] == pytest.approx(0, abs=1e-12)
    for run in (names["run"], names["sampled"]):
        assert run.z[-1] == pytest.approx(names["up"].z0, abs=2e-3)

    def rhs(t, z):
        return start.handle.rhs(t, z, None, -names["K"] @ (z - names["up"].z0))

    theirs = solve_ivp(rhs, (0, 2), start.z0, "DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    assert names["run"].z[200] == pytest.approx(theirs, abs=1e-6)
    slow = start.simulate(3, dt=0.1, control=balance, period=0.25, max_steps=2000, raises=False)
    assert np.abs(slow["swing"] - np.pi).max() > 1
    assert start.bind(signals=names["torque"]).accelerations(0.0, start.z0)[0] == pytest.approx(2.0)
    assert abs(names["s"].z[1] - np.pi) < 0.1


def test_the_index_leads_to_every_page():
    listed = re.findall(r"^- \[(\w+\.md)\]\((\w+\.md)\): .+\.$", (ROOT / "docs" / "index.md").read_text(), re.MULTILINE)
    assert all(shown == target for shown, target in listed)
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert sorted(target for _, target in listed) == sorted(pages)


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md"])
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    for link in links:
        if not link.startswith("https://"):
            file, _, anchor = link.partition("#")
            target = (ROOT / page).parent / file if file else ROOT / page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/design.md"])
def test_files_that_a_page_names_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)*\w+\.(?:py|h|c|json)|(?:\w+/)+)`", text)
    assert named
    for name in named:
        assert any((base / name).exists() for base in (ROOT, ROOT / "volterra_cg")), name


def test_the_first_screen_has_a_picture_and_the_commands():
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ")[0]
    assert all(part in first for part in ("<img src=", "make demo", "make test"))


@pytest.fixture
def interop(workshop, tmp_path, monkeypatch):
    """Runs the code of one section of docs/interop.md; returns its names."""

    def run(section):
        shutil.copy(ROOT / "benchmarks" / "models" / "cart_pendulum.toml", tmp_path)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("VOLTERRA_CG_CACHE", str(workshop / "cache"))
        text = (ROOT / "docs" / "interop.md").read_text(encoding="utf-8")
        [code] = re.findall(rf"\n## {section}\n(?:(?!\n## ).)*?```python\n(.*?)```", text, re.DOTALL)
        names: dict[str, object] = {}
        exec(code, names)
        return names

    return run


@pytest.mark.compiles
def test_interop_scipy(interop):
    names = interop("SciPy's solvers")
    exact = names["model"].simulate(t_end=1.0, dt=0.5, rtol=1e-12, atol=1e-13).z[-1]
    for end in names["ends"].values():
        np.testing.assert_allclose(end, exact, atol=1e-4)
    assert len(names["ends"]) == 7


@pytest.mark.compiles
def test_scipy_hands_over_columns(compiled):
    model, strides = compiled("cart_pendulum"), set()

    def rhs(t, z):
        strides.add(z.strides)
        np.testing.assert_array_equal(model.rhs(t, z), model.rhs(t, z.copy()))
        return model.rhs(t, z)

    solve_ivp(rhs, (0, 0.1), model.z0, "Radau")
    assert strides > {(8,)}


@pytest.mark.compiles
def test_interop_numba(interop):
    names = interop("numba, through the address")
    exact = names["model"].simulate(t_end=1.0, dt=0.5, rtol=1e-12, atol=1e-13).z[-1]
    np.testing.assert_allclose(names["path"][-1], exact, atol=1e-7)
    assert names["rk4"].nopython_signatures


@pytest.mark.compiles
def test_interop_low_level_callbacks(interop):
    names = interop("SciPy's low-level callbacks")
    model = names["model"]
    run = model.simulate(t_end=1.0, dt=1e-3, rtol=1e-11, atol=1e-12)
    mean = simpson([model.energies(t, z)["kinetic"] for t, z in zip(run.t, run.z, strict=True)], x=run.t)
    assert names["mean"] == pytest.approx(mean, rel=1e-6)
    assert names["error"] < 1e-6


@pytest.mark.compiles
def test_interop_casadi(interop):
    names = interop("CasADi")
    model = names["vcg"].compile("cart_pendulum.toml", jacobian=True)
    assert list(model.parameters) == ["m1", "m2", "l", "g"]
    assert names["found"] == pytest.approx(0.2261116, abs=1e-6)
    rest = model.start(params={"l": names["found"]}).simulate(t_end=1.0, dt=0.5, rtol=1e-11, atol=1e-12).z[-1]
    assert rest[3] == pytest.approx(0.0, abs=1e-5)


def public_names():
    """The table of what users import, from its docstrings; the names stand where `dir` shows them."""
    lines = ["| public name | what it is |", "|---|---|"]
    for module, shown in ((volterra_cg, "vcg"), (runtime, "vcg.runtime"), (sweep, "vcg.sweep")):
        for name in sorted(module.__all__):
            thing = getattr(module, name)
            if callable(thing) and thing.__doc__:
                about = (thing.__doc__ or "").strip().partition("\n")[0].replace("|", "\\|")
                lines.append(f"| `{shown}.{name}` | {about} |")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("page", "table"),
    [
        ("runtime", integrators),
        ("optimiser", passes),
        ("formulations", options),
        ("interop", targets),
        ("reference", SimpleNamespace(markdown=lambda: public_names())),
        ("spec", joint_types),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_tables_of_the_docs_are_made(page, table, request):
    path, made = ROOT / "docs" / f"{page}.md", table.markdown()
    if request.config.getoption("--update-goldens"):
        old = rf"^{re.escape(made.partition(chr(10))[0])}\n(\|.*\n)+"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(old, lambda _: f"{made}\n", text, flags=re.MULTILINE), encoding="utf-8")
    assert f"{made}\n\n" in path.read_text(encoding="utf-8"), "pytest --update-goldens"
