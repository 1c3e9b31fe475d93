from dataclasses import replace

import pytest

from volterra_cg.build import keys, toolchain
from volterra_cg.build.keys import content_key, digest, extension_key, sources_key
from volterra_cg.errors import BuildError
from volterra_cg.options import Options


def test_parts_do_not_run_into_each_other():
    assert digest([b"ab", b"c"]) != digest([b"a", b"bc"])


def test_sources_depend_on_spec_options_generator_and_libraries(monkeypatch):
    options = Options()
    first = sources_key(b"spec", options)
    assert first == sources_key(b"spec", options)
    assert first != sources_key(b"spec ", options)
    assert first != sources_key(b"spec", replace(options, name="other"))
    with monkeypatch.context() as patch:
        patch.setattr(keys, "generator_digest", lambda: "edited")
        assert first != sources_key(b"spec", options)
    with monkeypatch.context() as patch:
        patch.setattr(keys, "library_version", lambda name: "0")
        assert first != sources_key(b"spec", options)


def test_the_generator_includes_its_templates(monkeypatch, tmp_path):
    before = keys.generator_digest()
    monkeypatch.setattr(keys, "templates_folder", lambda: tmp_path)
    assert keys.generator_digest() != before


def test_compilation_depends_on_texts_and_tools_only():
    files = {"a.c": b"1", "a.h": b"2", "_model.pyx": b"3", "report.json": b"4", "__init__.py": b"5"}
    first = extension_key(files, "gcc 1")
    assert first == extension_key({**files, "report.json": b"x", "__init__.py": b"y"}, "gcc 1")
    assert first != extension_key(files, "gcc 2")
    for name in ("a.c", "a.h", "_model.pyx"):
        assert first != extension_key({**files, name: b"x"}, "gcc 1")
    assert content_key(files) != content_key({**files, "report.json": b"x"})


def test_the_toolchain_names_everything_that_matters(monkeypatch):
    first = toolchain.find_toolchain()
    assert "-ffp-contract=off" in first.identity
    assert toolchain.extension_suffix() in first.identity
    monkeypatch.setenv("CFLAGS", "-DOTHER")
    assert toolchain.find_toolchain().identity != first.identity


@pytest.mark.parametrize("name", ["CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "LDFLAGS", "LD_PRELOAD"])
def test_what_the_compiler_reads_is_in_the_key(monkeypatch, name):
    monkeypatch.delenv(name, raising=False)
    first = toolchain.find_toolchain().identity
    monkeypatch.setenv(name, "/opt/other")
    assert toolchain.find_toolchain().identity != first
    assert toolchain.environment()[name] == "/opt/other"


def test_the_compiler_does_not_look_into_the_folder_that_a_build_starts_from(monkeypatch):
    """An empty place in such a list means that folder."""
    monkeypatch.setenv("CPATH", ":/opt/one::here:/opt/two:")
    monkeypatch.setenv("C_INCLUDE_PATH", ".")
    seen = toolchain.environment()
    assert seen["CPATH"] == "/opt/one:/opt/two"
    assert "C_INCLUDE_PATH" not in seen


def test_a_missing_compiler_is_named(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler -O7")
    with pytest.raises(BuildError, match="no-such-compiler is not found; install gcc or clang"):
        toolchain.find_toolchain()


def test_a_compiler_that_does_not_work_is_told(monkeypatch):
    monkeypatch.setenv("CC", "false")
    with pytest.raises(BuildError, match="does not work"):
        toolchain.find_toolchain()
