"""From the table of outputs to scalars: vectors by their components, orientations as matrices, quaternions or angles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from volterra_cg.spec import attitudes, names, schema
from volterra_cg.spec.attitudes import ONE, ZERO, Four
from volterra_cg.spec.entities import INERTIAL_FRAME, Cosines, Frame, Quantity, Quaternion, Rotation, Turn
from volterra_cg.spec.expressions import AXES, AxisOf, Binary, Call, Negative, Node
from volterra_cg.spec.joint_types import ANGLES
from volterra_cg.spec.names import is_vector
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.reading import BROKEN, Reading
from volterra_cg.spec.tree import FrameRef, Ref

Frames = Mapping[str, Frame[Node]]
_KINDS = ("value", "vector", "orientation")
_BELONG = {"frame": ("in", ("vector", "orientation")), "sequence": ("sequence", ("orientation",))}


def outputs(reading: Reading, frames: Frames) -> tuple[Quantity[Node], ...]:
    """All outputs as scalars; those of a vector v are called v.x, v.y and v.z."""
    found: list[Quantity[Node]] = []
    for name, given in reading.document.outputs.items():
        found.extend(Quantity(Ref(label), node, given.unit) for label, node in _output(reading, name, given, frames))
    return tuple(found)


def _output(reading: Reading, name: str, given: schema.Output, frames: Frames) -> Iterator[tuple[str, Node]]:
    path: KeyPath = ("outputs", name)
    kinds = [kind for kind in _KINDS if getattr(given, kind) is not None]
    frame = reading.frame((*path, "in"), given.frame) if given.frame else INERTIAL_FRAME
    if len(kinds) != 1:
        reading.wrong(path, f"'{name}' needs exactly one of value, vector and orientation", key=True)
        return
    for key, (written, belongs) in _BELONG.items():
        if getattr(given, key) is not None and kinds[0] not in belongs:
            reading.wrong((*path, written), f"'{written}' has no meaning beside {kinds[0]}", key=True)
    if kinds[0] == "orientation":
        yield from _orientation(reading, name, given, frame, frames)
        return
    wanted: names.Kind | None = "vector" if kinds[0] == "vector" else None
    node = reading.either((*path, kinds[0]), getattr(given, kinds[0]), names.OUTPUT, wanted)
    if node is BROKEN:
        yield name, node
    elif is_vector(node):
        yield from ((f"{name}.{axis}", Call("dot", (node, AxisOf(frame, n)))) for n, axis in enumerate(AXES))
    else:
        yield name, node


def _orientation(
    reading: Reading, name: str, given: schema.Output, base: FrameRef, frames: Frames
) -> Iterator[tuple[str, Node]]:
    path: KeyPath = ("outputs", name)
    turned = reading.frame((*path, "orientation"), str(given.orientation))
    if given.sequence is not None and given.form != "angles":
        reading.wrong((*path, "sequence"), 'a sequence belongs to as = "angles"', key=True)
    cosines = [[Call("dot", (AxisOf(base, i), AxisOf(turned, j))) for j in range(3)] for i in range(3)]
    if given.form == "matrix":
        yield from ((f"{name}.{AXES[i]}{AXES[j]}", cosines[i][j]) for i in range(3) for j in range(3))
    elif given.form == "angles":
        labels = (f"{name}.a{n}" for n in (1, 2, 3))
        yield from zip(labels, angles(given.sequence or ANGLES, cosines), strict=True)
    else:
        parts = _quaternion(turned, base, frames)
        if parts is None:
            message = f"the quaternion of '{given.orientation}' would have to be taken from direction cosines"
            reading.wrong((*path, "orientation"), message, 'use as = "matrix" or "angles"')
            return
        yield from ((f"{name}.q{n}", part) for n, part in enumerate(parts))


def angles(sequence: str, cosines: Sequence[Sequence[Node]]) -> tuple[Node, Node, Node]:
    """The angles of turns about a sequence of axes; row i of the cosines is axis i of the base in the turned axes."""
    i, j = (AXES.index(letter) for letter in sequence[:2])
    k = 3 - i - j
    forward = (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1))

    def signed(node: Node, positive: bool) -> Node:
        return node if positive else Negative(node)

    def length(a: Node, b: Node) -> Node:
        return Call("sqrt", (Binary("+", Binary("*", a, a), Binary("*", b, b)),))

    if sequence[0] == sequence[2]:
        return (
            Call("atan2", (cosines[j][i], signed(cosines[k][i], not forward))),
            Call("atan2", (length(cosines[i][j], cosines[i][k]), cosines[i][i])),
            Call("atan2", (cosines[i][j], signed(cosines[i][k], forward))),
        )
    return (
        Call("atan2", (signed(cosines[j][k], not forward), cosines[k][k])),
        Call("atan2", (signed(cosines[i][k], forward), length(cosines[i][i], cosines[i][j]))),
        Call("atan2", (signed(cosines[i][j], not forward), cosines[i][i])),
    )


def _quaternion(turned: str, base: str, frames: Frames) -> Four | None:
    """That of the turns between two frames, one after the other: it divides by nothing, and follows full turns."""
    up, down = _from_ground(base, frames), _from_ground(turned, frames)
    if up is None or down is None:
        return None
    w, x, y, z = up
    back: Four = (w, *(part if part == ZERO else Negative(part) for part in (x, y, z)))  # type: ignore[assignment]
    return attitudes.product(back, down)


def _from_ground(name: str, frames: Frames) -> Four | None:
    chain: list[Rotation[Node]] = []
    seen: set[str] = set()
    while name in frames and name not in seen:  # a frame that is turned from itself is told later
        seen.add(name)
        chain[:0] = frames[name].rotations
        name = frames[name].parent
    reached: Four = (ONE, ZERO, ZERO, ZERO)
    for rotation in chain:
        match rotation:
            case Turn(axis=axis, angle=angle):
                reached = attitudes.product(reached, attitudes.from_axis(axis, angle))
            case Quaternion(parts=parts):
                reached = attitudes.product(reached, parts)
            case Cosines():
                return None
    return reached
