"""The way from TOML text to a valid spec, on one screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from volterra_cg.errors import OptionError, Place, Problem, SpecError
from volterra_cg.spec import constraints, entries, events, include, loads, names
from volterra_cg.spec.checks import check
from volterra_cg.spec.reading import Reading
from volterra_cg.spec.source import Source, load
from volterra_cg.spec.types import SimulationEntry, Spec
from volterra_cg.spec.validate import shape


def read(path: Path | str) -> Spec:
    """Read and check a spec file; raises SpecError with every problem in it."""
    return _read(Path(path), ())


def _read(path: Path, way: tuple[Path, ...]) -> Spec:
    """Read a file; `way` are the files that include it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise SpecError([Problem(Place(str(path), line, column), "the file is not UTF-8 text")]) from error
    return _parse(text, str(path), (*way, path.resolve()))


def parse(text: str, file: str = "spec.toml") -> Spec:
    """Read and check the text of a spec; `file` is the name that its problems show."""
    return _parse(text, file, ())


def _parse(text: str, file: str, way: tuple[Path, ...]) -> Spec:
    source = load(text, file)
    shaped = shape(source)
    found, problems = include.files(source, shaped.document.include, way, _read)
    reading = Reading(source, shaped, found)
    reading.problems.extend(problems)
    parts = include.attached(reading)
    own = _spec(reading)
    spec = include.merged(own, parts)
    check(reading, own, spec)
    if reading.problems:
        raise SpecError(reading.problems)
    passed_on = (warning for part in parts for warning in part.warnings)
    return replace(spec, warnings=(*reading.warnings, *passed_on))


def _spec(reading: Reading) -> Spec:
    document = reading.document
    return Spec(
        name=document.name,
        about=document.about,
        ignorable=None if document.ignorable == "auto" else document.ignorable,
        work=document.work,
        parameters=entries.parameters(reading),
        signals=entries.signals(reading),
        coordinates=entries.coordinates(reading),
        frames=entries.frames(reading),
        points=entries.points(reading),
        bodies=entries.bodies(reading),
        gravity=loads.gravity(reading),
        potentials=entries.scalars(reading, "potentials", names.POTENTIAL),
        springs=loads.springs(reading),
        dampers=loads.dampers(reading),
        forces=loads.forces(reading),
        torques=loads.torques(reading),
        generalized_forces=loads.generalized_forces(reading),
        actuators=loads.actuators(reading),
        frictions=loads.frictions(reading),
        constraints=constraints.constraints(reading),
        quasi_velocities=entries.quasi_velocities(reading),
        outputs=entries.scalars(reading, "outputs", names.OUTPUT),
        events=events.events(reading),
        project=document.start.project,
        simulation=SimulationEntry(**dict(document.simulation)),
        file=reading.source.file,
        places=_places(reading.source),
        texts={reading.source.file: reading.source.lines()},
    )


def _places(source: Source) -> dict[tuple[str, str], Place]:
    """Where the keys of tables and of their entries stand; an entry at top level has no second name."""
    short = [path for path in source.positions.keys if len(path) <= 2]
    return {(str(path[0]), str(path[1]) if len(path) > 1 else ""): source.key_place(path) for path in short}
