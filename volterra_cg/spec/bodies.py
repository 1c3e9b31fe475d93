"""Bodies of a spec: mass, inertia or shape, and what pictures show of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from volterra_cg import stl
from volterra_cg.spec import names, schema
from volterra_cg.spec.entities import Body, Drawn, Inertia, Mesh, Shape
from volterra_cg.spec.expressions import AXES, Node
from volterra_cg.spec.files import Refused
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import Reading
from volterra_cg.spec.tables import turns
from volterra_cg.spec.tree import FrameRef, Ref

_TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


def bodies(reading: Reading) -> tuple[Body[Node], ...]:
    """Rigid bodies and particles."""
    return tuple(_body(reading, name, given) for name, given in reading.document.bodies.items())


def _body(reading: Reading, name: str, given: schema.Body) -> Body[Node]:
    path: KeyPath = ("bodies", name)
    mass = reading.expression((*path, "mass"), given.mass, names.CONSTANT)
    center, frame = reading.bodies[name]
    if given.center is not None:
        center = reading.own_point((*path, "center"), given.center)
    elif reading.is_lost(name):
        remedy = 'e.g. center = "G", or make it the child of a joint'
        reading.wrong(path, f"'center' is missing in bodies.{name}", remedy, key=True)
    if given.frame is not None:
        frame = reading.own_frame((*path, "frame"), given.frame)
    if given.inertia and given.shape:
        reading.wrong((*path, "shape"), f"'{name}' has an inertia and a shape", "keep one of them")
    if (given.inertia or given.shape) and frame is None and given.center is not None:
        remedy = 'name the frame it turns with, or frame = "N"'
        reading.wrong(path, f"'{name}' has an inertia and no frame", remedy, key=True)
    inertia = _inertia(reading, (*path, "inertia"), given.inertia) if given.inertia else None
    shape = _shape(reading, (*path, "shape"), given.shape) if given.shape else None
    drawn = _drawn(reading, (*path, "drawn"), given.drawn, frame) if given.drawn else None
    return Body(Ref(name), mass, center, frame, inertia or shape, drawn)


def _inertia(reading: Reading, path: KeyPath, given: schema.Inertia) -> Inertia[Node]:
    present = {key: getattr(given, key) for key in _TENSOR if getattr(given, key) is not None}
    entries = {key: reading.expression((*path, key), raw, names.CONSTANT) for key, raw in present.items()}
    return Inertia(entries, reading.frame((*path, "in"), given.frame) if given.frame else None)


def _drawn(reading: Reading, path: KeyPath, given: schema.Drawn, frame: FrameRef | None) -> Drawn[Node] | None:
    kind = _kind(reading, path, given, "what is drawn", (*schema.Shape.model_fields, "mesh"))
    if kind is None:
        return None
    what: Mesh | Shape[Node] | None
    if given.mesh is not None:
        what = _mesh(reading, (*path, kind), given.mesh)
    else:
        what = _solid(reading, path, given, kind)
        if given.scale != 1:
            reading.wrong((*path, "scale"), f"a {kind} has sizes of its own", "only a mesh has a scale")
    scale = reading.expression((*path, "scale"), given.scale, names.CONSTANT)
    at = reading.triple((*path, "at"), given.at, names.CONSTANT)
    turned = turns(reading, (*path, "rotate"), given.rotate or (), names.CONSTANT)
    return None if what is None else Drawn(what, frame, scale, at, turned)


def _mesh(reading: Reading, path: KeyPath, name: str) -> Mesh | None:
    """The triangles of a file below the folder of the spec."""
    try:
        data = reading.files.content(reading.files.named(Path(reading.source.file), name))
        return Mesh(name, stl.packed(stl.simpler(stl.corners(data), stl.MOST)))
    except Refused as error:
        reading.wrong(path, str(error.strerror), error.remedy)
    except OSError:
        reading.wrong(path, f"there is no file '{name}'", "paths are relative to this file")
    except ValueError as error:
        reading.wrong(path, f"'{name}' is no STL file: {error}", "save the mesh as STL, binary or text")
    return None


def _kind(reading: Reading, path: KeyPath, given: schema.Shape, what: str, known: Sequence[str]) -> str | None:
    """The one key of several that is there."""
    kinds = [kind for kind in known if getattr(given, kind) is not None]
    if len(kinds) != 1:
        reading.wrong(path, f"{what} is exactly one of {', '.join(known)}")
        return None
    return kinds[0]


def _shape(reading: Reading, path: KeyPath, given: schema.Shape) -> Shape[Node] | None:
    kind = _kind(reading, path, given, "a shape", tuple(schema.Shape.model_fields))
    return None if kind is None else _solid(reading, path, given, kind)


def _solid(reading: Reading, path: KeyPath, given: schema.Shape, kind: str) -> Shape[Node]:
    value = getattr(given, kind)
    at: KeyPath = (*path, kind)
    if isinstance(value, tuple):
        sizes = tuple(reading.expression((*at, n), raw, names.CONSTANT) for n, raw in enumerate(value))
        return Shape(kind, sizes, 2)
    keys = [key for key in ("radius", "length") if hasattr(value, key)]
    sizes = tuple(reading.expression((*at, key), getattr(value, key), names.CONSTANT) for key in keys)
    return Shape(kind, sizes, AXES.index(getattr(value, "axis", "z")))
