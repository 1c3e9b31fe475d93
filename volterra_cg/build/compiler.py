"""Cython, then setuptools as the driver of the C compiler, in a folder of their own."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, redirect_stderr
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from volterra_cg.errors import BuildError, VolterraError

from .cache import write_files
from .processes import VARIABLE, cores, run, time_limit
from .temporary import temporary
from .toolchain import MODEL_FLAGS, MODEL_WARNINGS, MODULE, REMEDY, WRAPPER_FLAGS, environment

HINTS = {
    "Python.h": "the headers of this Python are missing: install them (python3-dev on Debian and Ubuntu, python3-devel on"
    " Fedora), or use a Python that brings them, such as conda's or uv's",
    "No space left": "free some space, or set TMPDIR to a folder that has some",
}  # what to do, by what a compiler says
WRAPPER = 300_000  # characters of a model that take about as long as its wrapper
T = TypeVar("T")


def compile_module(
    name: str, files: Mapping[str, bytes], told: Callable[[float], None] = lambda _: None
) -> tuple[str, bytes]:
    """The file name and bytes of the extension made of the C files, <name>.c among them, and _model.pyx.

    `told` hears which part of the C files is compiled.
    """
    with temporary() as aside:
        folder = aside / name
        write_files(folder, files)
        extension = _build(folder, sorted(folder.glob("*.c")), told)
        return extension.name, _content(extension)


def compile_library(name: str, sources: Sequence[str], files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The file name and bytes of a shared library made of some of the files, for programs that are not Python."""
    with temporary() as aside:
        folder = aside / name
        write_files(folder, files)
        halt = Event()
        command = _commander(folder, halt)
        made, _ = _compiled(command, halt, [folder / source for source in sources], lambda: None)
        target = folder / f"{name}{'.dll' if os.name == 'nt' else '.so'}"
        with _refusal("the linker"):
            command.compiler.link_shared_object(made, str(target))
        return target.name, _content(target)


def _build(folder: Path, sources: Sequence[Path], told: Callable[[float], None]) -> Path:
    """Compile the model while Cython translates its wrapper, then the wrapper, then link."""
    halt = Event()
    command = _commander(folder, halt)
    objects, wrapper = _compiled(
        command, halt, sources, lambda: _objects(command, _translate(folder), WRAPPER_FLAGS), told
    )
    target = Path(command.get_ext_fullpath(MODULE))
    with _refusal("the linker"):
        command.compiler.link_shared_object([*objects, *wrapper], str(target), build_temp=str(folder))
    return target


def _compiled(
    command: Any,
    halt: Event,
    sources: Sequence[Path],
    meanwhile: Callable[[], T],
    told: Callable[[float], None] = lambda _: None,
) -> tuple[list[str], T]:
    """The objects of the C files of a model, as many at a time as there are cores, and what is made meanwhile: its wrapper."""
    flags, sizes = (*MODEL_FLAGS, *MODEL_WARNINGS), [source.stat().st_size for source in sources]
    wrapped = Event()

    def tell(_: Future[list[str]] | None = None) -> None:
        done = sum(size for size, model in zip(sizes, models, strict=True) if model.done()) + WRAPPER * wrapped.is_set()
        told(done / (sum(sizes) + WRAPPER))

    with ThreadPoolExecutor(cores()) as pool:
        models = [pool.submit(_objects, command, source, flags) for source in sources]
        for model in models:
            model.add_done_callback(tell)
        try:
            other = meanwhile()
            wrapped.set()
            tell()
            done, _ = wait(models, return_when=FIRST_EXCEPTION)
            for failed in (model for model in models if model in done and model.exception()):
                failed.result()
            return [each for model in models for each in model.result()], other
        except BaseException:  # Ctrl-C too: the pool would wait for what it runs
            halt.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _translate(folder: Path) -> Path:
    """The C file of the wrapper."""
    from Cython.Compiler.Errors import CompileError
    from Cython.Compiler.Main import CompilationOptions, compile_single

    source, said = folder / f"{MODULE}.pyx", io.StringIO()
    options = CompilationOptions(output_file=str(folder / f"{MODULE}_wrapper.c"), compiler_directives={})
    try:
        with redirect_stderr(said):
            result = compile_single(str(source), options=options, full_module_name=MODULE)
        failed = result.num_errors > 0
    except CompileError as error:
        failed, said = True, io.StringIO(f"{said.getvalue()}{error}")
    if failed:
        raise BuildError(f"Cython refused {source.name}:\n{said.getvalue().strip()}")
    return Path(result.c_file)


def _commander(folder: Path, halt: Event) -> Any:
    """A build_ext command that works in `folder` and whose compiler reports what it ran when that fails."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    class Command(build_ext):  # type: ignore[misc]
        def build_extensions(self) -> None:
            """Only set the compiler up; the objects are made by the caller, in parallel and with flags of their own."""
            # newer setuptools use the first, older the second
            self.compiler.call = self.compiler.spawn = partial(_spawn, folder, halt)

    extension = Extension(MODULE, [])
    command = Command(Distribution({"name": MODULE, "ext_modules": [extension]}))
    command.build_lib = command.build_temp = str(folder)
    with _refusal("setuptools"):
        command.ensure_finalized()
        command.run()
    return command


def _objects(command: Any, source: Path, flags: Sequence[str]) -> list[str]:
    # The folder itself is not among the include paths: a model called string must not hide <string.h>.
    with _refusal(f"the compiler on {source.name}"):
        objects: list[str] = command.compiler.compile(
            [str(source)], output_dir=str(source.parent), include_dirs=command.include_dirs, extra_postargs=list(flags)
        )
    for each in objects:
        _content(Path(each))
    return objects


def _content(path: Path) -> bytes:
    """What a compiler that did not complain has written."""
    content = path.read_bytes() if path.is_file() else b""
    if not content:
        raise BuildError(f"the C compiler said that all is well, but wrote no {path.name}; {REMEDY}")
    return content


def _spawn(folder: Path, halt: Event, command: Sequence[str], env: Mapping[str, str] | None = None, **_: Any) -> None:
    """Run a command for setuptools, keeping what it says; its temporary files are in the folder, and go with it."""
    try:
        answer = run(command, time_limit(), environment(env) | {"TMPDIR": str(folder)}, halt)
    except TimeoutError as error:
        more = f"if it only needs more time, set {VARIABLE} to more seconds"
        raise BuildError(f"the C compiler hangs: {error}\n{' '.join(command)}\n{more}") from error
    if answer.status:
        said = f"{answer.out}\n{answer.err}".strip()
        hints = "".join(f"\n{hint}" for word, hint in HINTS.items() if word in said)
        raise BuildError(f"the C compiler refused (status {answer.status}):\n{' '.join(command)}\n{said}{hints}")


@contextmanager
def _refusal(what: str) -> Iterator[None]:
    """Turn what setuptools raises into a BuildError that says what was being done."""
    try:
        yield
    except VolterraError:
        raise
    except Exception as error:
        raise BuildError(f"{what} failed: {type(error).__name__}: {error}") from error
