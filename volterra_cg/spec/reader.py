"""The way from TOML text to a valid spec, on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from volterra_cg.errors import OptionError, Place, Problem, SpecError
from volterra_cg.spec import include, names, tables
from volterra_cg.spec.bodies import bodies
from volterra_cg.spec.checks import check
from volterra_cg.spec.constraints import constraints
from volterra_cg.spec.entities import Mechanism, Simulation
from volterra_cg.spec.events import events
from volterra_cg.spec.expressions import Node
from volterra_cg.spec.files import Files
from volterra_cg.spec.include import Way
from volterra_cg.spec.joints import joints
from volterra_cg.spec.outputs import outputs
from volterra_cg.spec.places import KeyPath, Places, Spec
from volterra_cg.spec.reading import Reading
from volterra_cg.spec.source import load
from volterra_cg.spec.tree import CoordinateRef
from volterra_cg.spec.validate import validate


def read(path: Path | str, allow_include: Sequence[Path] = ()) -> Spec:
    """Read and check a spec file, which may include others below its folder and those that are allowed.

    Raises SpecError with every problem in it.
    """
    way = Way(Files(Path(path), allow_include))
    try:
        return _read(Path(path), way)
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from error


def _read(path: Path, way: Way) -> Spec:
    data = way.files.content(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise SpecError([Problem(Place(str(path), line, column), "the file is not UTF-8 text")]) from error
    way.above.append(path.resolve())
    try:
        return _parse(text, str(path), way)
    finally:
        way.above.pop()


def parse(text: str, file: str = "spec.toml", allow_include: Sequence[Path] = ()) -> Spec:
    """Read and check the text of a spec; `file` is the name that its problems show."""
    return _parse(text, file, Way(Files(Path(file), allow_include)))


def _parse(text: str, file: str, way: Way) -> Spec:
    source = load(text, file)
    validated = validate(source)
    parts, problems = include.parts(source, validated.document.include, way, lambda path: _read(path, way))
    reading = Reading(source, validated, way.files, {prefix: part.mechanism for prefix, part in parts.items()})
    reading.problems.extend(problems)
    attached = include.attached(reading)
    own = _mechanism(reading, attached)
    whole = include.merged(own, attached)
    check(reading, own, whole)
    if reading.problems:
        raise SpecError(reading.problems)
    passed_on = (warning for part in parts.values() for warning in part.warnings)
    places = include.merged_places(_places(reading), {prefix: part.places for prefix, part in parts.items()})
    return Spec(whole, (*reading.warnings, *passed_on), places)


def _mechanism(reading: Reading, parts: Sequence[Mechanism[Node]]) -> Mechanism[Node]:
    document = reading.document
    reading.expressions()
    made = joints(reading)
    frames = (*tables.frames(reading), *made.frames)
    return Mechanism(
        name=document.name,
        about=document.about,
        ignorable=None if document.ignorable == "auto" else _listed(reading, ("ignorable",), document.ignorable),
        work=document.work,
        parameters=tables.parameters(reading),
        signals=tables.signals(reading),
        coordinates=(*tables.coordinates(reading), *made.coordinates),
        frames=frames,
        points=(*tables.points(reading), *made.points),
        bodies=bodies(reading),
        gravity=tables.gravity(reading),
        potentials=tables.quantities(reading, "potentials", names.POTENTIAL),
        springs=(*tables.springs(reading), *made.springs),
        dampers=(*tables.dampers(reading), *made.dampers),
        actuators=(*tables.actuators(reading), *made.actuators),
        frictions=(*tables.frictions(reading), *made.frictions),
        forces=tables.forces(reading),
        torques=tables.torques(reading),
        generalized_forces=tables.by_coordinate(reading, "generalized_forces", names.LOAD),
        armatures=(*tables.by_coordinate(reading, "armatures", names.CONSTANT), *made.armatures),
        constraints=(*constraints(reading), *made.constraints),
        quasi_velocities=tables.quasi_velocities(reading),
        outputs=outputs(
            reading, {frame.name: frame for frame in (*frames, *(f for part in parts for f in part.frames))}
        ),
        events=events(reading),
        project=_projected(reading, document.start.project),
        simulation=Simulation(**dict(document.simulation)),
    )


def _projected(reading: Reading, given: Sequence[str] | bool) -> tuple[CoordinateRef, ...] | bool:
    return given if isinstance(given, bool) else _listed(reading, ("start", "project"), given)


def _listed(reading: Reading, path: KeyPath, given: Sequence[str]) -> tuple[CoordinateRef, ...]:
    """A list of coordinates, each once."""
    seen: set[str] = set()
    for number, name in enumerate(given):
        if name in seen:
            reading.wrong((*path, number), f"'{name}' is named twice")
        seen.add(name)
    return tuple(reading.coordinate((*path, number), name) for number, name in enumerate(given))


def _places(reading: Reading) -> Places:
    """Where the keys of tables and of their entries stand, and joints for what they make; a top entry has no second name."""
    source = reading.source
    short = [path for path in source.positions.keys if len(path) <= 2]
    entities = {(str(path[0]), str(path[1]) if len(path) > 1 else ""): source.key_place(path) for path in short}
    made = {entity: source.key_place(("joints", joint)) for entity, joint in reading.origins.items()}
    return Places(source.file, made | entities, {source.file: source.lines})
