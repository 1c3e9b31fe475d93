"""Entities, and the walks over them."""

from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from volterra_cg.spec import entities, read
from volterra_cg.spec.expressions import Name, Number, parse
from volterra_cg.spec.include import renamed
from volterra_cg.spec.tree import Entity, FrameRef, PointRef, Ref, S, Triple, mapped, scalars

MODELS = Path(__file__).parents[2] / "benchmarks" / "models"
KINDS = [
    kind
    for kind in vars(entities).values()
    if isinstance(kind, type) and issubclass(kind, Entity) and is_dataclass(kind)
]
TEXTS = {"unit", "about", "kind", "direction", "file", "corners"}  # that name no entity


@dataclass(frozen=True)
class Hinge(Entity[S]):
    """An entity that nobody knows."""

    name: Ref
    frames: tuple[FrameRef, FrameRef]
    axis: Triple[S]
    drive: S
    stop: PointRef | None = None
    about: str = "hinge"


HINGE = Hinge(Ref("h"), (FrameRef("N"), FrameRef("A")), (parse("a"), parse("t"), parse("2")), parse("dot(A.x, N.y)"))


def types_in(annotation):
    return {annotation} | {inner for part in get_args(annotation) for inner in types_in(part)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_names_an_entity_is_a_ref(kind):
    plain = {name for name, hint in get_type_hints(kind).items() if str in types_in(hint)}
    assert plain - TEXTS <= (
        {"name"} if kind is entities.Mechanism else {"entries"} if kind is entities.Inertia else set()
    )


def test_a_part_is_renamed_by_the_types_of_fields():
    found = renamed(HINGE, lambda name: {"N": "Base", "t": "t"}.get(name) or f"left_{name}")
    assert (found.name, found.frames, found.stop, found.about) == ("left_h", ("Base", "left_A"), None, "hinge")
    assert [type(name) for name in found.frames] == [FrameRef, FrameRef]
    assert [node.name for node in found.axis[:2]] == ["left_a", "t"]
    assert [axis.frame for axis in found.drive.arguments] == ["left_A", "Base"]


def test_scalars_are_changed_and_the_rest_is_kept():
    found = mapped(HINGE, lambda node: type(node).__name__)
    assert (found.axis, found.drive) == (("Name", "Name", "Number"), "Call")
    assert (found.name, found.frames, found.about) == (HINGE.name, HINGE.frames, HINGE.about)
    assert list(scalars(HINGE)) == [*HINGE.axis, HINGE.drive]
    assert list(scalars({"x": (Number(1),), "y": None})) == [Number(1)]


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.toml")), ids=lambda path: path.stem)
def test_a_walk_meets_every_piece_of_a_mechanism(path):
    mechanism = read(path).mechanism
    assert mapped(mechanism, lambda node: node) == mechanism
    assert all(type(node).__module__ == Name.__module__ for node in scalars(mechanism))
    assert {field.name for field in fields(mechanism)} == set(vars(mechanism))
