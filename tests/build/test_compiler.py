"""What compiler, Cython and linker say is shown, and what to do where they fail."""

import _thread
import shutil
import tempfile
import time
from dataclasses import replace
from threading import Timer

import pytest
from setuptools.command.build_ext import build_ext

from tests.fixtures import oscillator
from tests.fixtures.broken import command, full_disk, running
from volterra_cg import headers
from volterra_cg.build import build, load
from volterra_cg.build.cache import Cache
from volterra_cg.build.compiler import compile_module
from volterra_cg.clock import Clock
from volterra_cg.errors import BuildError
from volterra_cg.options import Options

CC = shutil.which("cc")


def altered(**changes):
    """The oscillator's sources with replaced files; report.json keys by keyword `report`."""
    sources = oscillator.sources()
    return replace(sources, files={**sources.files, **changes})


def test_what_the_compiler_says_is_shown_with_the_command(spec, tmp_path):
    cache = Cache(tmp_path / "cache")
    with pytest.raises(BuildError) as caught:
        build(spec, Options(), tmp_path / "out", lambda: altered(**{"oscillator.c": "int broken("}), Clock(), cache)
    assert "oscillator.c" in str(caught.value)
    assert "-ffp-contract=off" in str(caught.value)
    assert "error:" in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert [entry.kind for entry in cache.entries()] == ["sources"]


def test_what_is_wrong_in_one_of_many_files_is_shown_and_ends_the_others(spec, tmp_path):
    """More files than are compiled at once, of which the others would take for ever."""
    cases = 'case "$*" in *wrong.c*) exit 7;; *endless*) sleep 60;; esac'
    script = f'[ "$1" = --version ] && exec {CC} --version\n{cases}\nexec {CC} "$@"'
    compiler = command(tmp_path / "cc", script)
    texts = {f"endless_{k}.c": f"int vcg_{k};" for k in range(3)} | {"a_wrong.c": "int vcg_wrong;"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", str(compiler))
        patch.setattr("volterra_cg.build.compiler.cores", lambda: 2)
        with pytest.raises(BuildError, match=r"refused \(status 7\)"):
            build(spec, Options(), tmp_path / "out", lambda: altered(**texts), Clock(), Cache(tmp_path / "cache"))
    assert running(str(tmp_path / "cc")) == []


def test_it_is_told_how_much_is_compiled_and_the_wrapper_counts():
    sources, said = oscillator.sources(), []
    files = {name: text.encode() for name, text in sources.files.items()} | headers.texts()
    compile_module(sources.name, files, said.append)
    assert len(said) == 2
    assert 0.0 < said[0] < 1.0
    assert said[1] == 1.0


def test_what_cython_says_is_shown(spec, tmp_path, capfd):
    cache = Cache(tmp_path / "cache")
    with pytest.raises(BuildError, match=r"Cython refused _model\.pyx:(.|\n)*undeclared"):
        build(spec, Options(), None, lambda: altered(**{"_model.pyx": "x = undeclared_name\n"}), Clock(), cache)
    assert capfd.readouterr() == ("", "")


def test_what_the_linker_says_is_shown(spec, tmp_path):
    without = (
        oscillator.sources().files["oscillator.c"].replace("const vcg_model vcg_oscillator", "const vcg_model other")
    )
    with pytest.raises(BuildError, match=r"vcg_oscillator|cannot be imported"):
        load(
            build(
                spec, Options(), None, lambda: altered(**{"oscillator.c": without}), Clock(), Cache(tmp_path / "c")
            ).folder
        )


@pytest.fixture
def fails(spec, tmp_path, monkeypatch):
    """The message of a build in a cache of its own, with some variables set; nothing may be left behind."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))

    def message(error=BuildError, **variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, str(value))
        with pytest.raises(error) as caught:
            build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), Cache(tmp_path / "cache"))
        assert not (tmp_path / "out").exists()
        assert [*(tmp_path / "tmp").iterdir()] == []
        return str(caught.value)

    return message


@pytest.mark.parametrize("when", ["-c", "-shared"])
@pytest.mark.parametrize(
    "what", [":", ': > "$(echo "$*" | sed "s/.* -o \\([^ ]*\\).*/\\1/")"'], ids=["nothing", "empty"]
)
def test_a_compiler_that_writes_nothing_and_is_content_is_told(fails, tmp_path, when, what):
    script = f'for word; do [ "$word" = {when} ] && {{ {what}; exit 0; }}; done; exec {CC} "$@"'
    told = fails(CC=command(tmp_path / "cc", script))
    assert "the C compiler said that all is well, but wrote no" in told
    assert "pip install ziglang" in told


def test_a_compiler_that_hangs_is_ended(fails, tmp_path):
    script = f'[ "$1" = --version ] && exec {CC} --version\n{command(tmp_path / "child", "exec sleep 60")} &\nwait'
    told = fails(CC=command(tmp_path / "cc", script), VOLTERRA_CG_TIMEOUT=1)
    assert "did not end within 1 s" in told
    assert "set VOLTERRA_CG_TIMEOUT" in told
    assert running(str(tmp_path)) == []


def test_what_an_ended_compiler_leaves_is_removed_with_its_folder(fails, tmp_path):
    script = f'[ "$1" = --version ] && exec {CC} --version\n: > "$TMPDIR/left.s"\necho in "$TMPDIR" >&2\nexit 1'
    assert f"in {tmp_path / 'tmp'}" in fails(CC=command(tmp_path / "cc", script))


def test_ctrl_c_ends_compilers_within_a_second(fails, tmp_path):
    """Of two that run at once, too."""
    script = f'[ "$1" = --version ] && exec {CC} --version\nwhile :; do sleep 0.05; done'
    compiler, moments = command(tmp_path / "cc", script), []

    def interrupt():
        deadline = time.monotonic() + 60
        while len(running(str(compiler))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        moments.append(time.monotonic())
        _thread.interrupt_main()

    Timer(0.0, interrupt).start()
    fails(KeyboardInterrupt, CC=compiler)
    assert time.monotonic() - moments[0] < 1.0
    assert running(str(compiler)) == []


def test_without_the_headers_of_python_the_remedy_is_told(fails, tmp_path, monkeypatch):
    real = build_ext.finalize_options

    def without_headers(self):
        real(self)
        self.include_dirs = [str(tmp_path)]

    monkeypatch.setattr(build_ext, "finalize_options", without_headers)
    assert "python3-dev" in fails()


def test_a_full_disk_is_told():
    with full_disk(), pytest.raises(BuildError, match="set TMPDIR"):
        compile_module("a", {"a.c": bytes(5000)})


def test_a_version_that_is_no_text_is_taken(tmp_path, spec, monkeypatch):
    script = f'[ "$1" = --version ] && {{ printf "\\377\\000cc"; exit 0; }}\nexec {CC} "$@"'
    monkeypatch.setenv("CC", str(command(tmp_path / "cc", script)))
    load(build(spec, Options(), tmp_path / "out", oscillator.sources, Clock(), Cache(tmp_path / "cache")).folder)
