"""What entities are made of, and walks over them: by their types, so that a new field needs no list to be entered in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

S = TypeVar("S")  # a scalar: an expression, parsed or in sympy
Triple = tuple[S, S, S]


class Ref(str):
    """The name of an entity: its own, or that of another which it refers to."""

    __slots__ = ()


class FrameRef(Ref):
    """The name of a frame."""

    __slots__ = ()


class PointRef(Ref):
    """The name of a point."""

    __slots__ = ()


class CoordinateRef(Ref):
    """The name of a coordinate."""

    __slots__ = ()


class Entity(Generic[S]):
    """A piece of a mechanism, a frozen dataclass; its fields are scalars, refs, plain data, entities or groups of these."""


_PLAIN = (str, int, float, type(None))


def mapped(value: Any, scalar: Callable[[Any], Any], ref: Callable[[Ref], Ref] = lambda name: name) -> Any:
    """Entities with every scalar and every ref in them changed, by their types."""
    if isinstance(value, Entity):
        return type(value)(**{name: mapped(part, scalar, ref) for name, part in vars(value).items()})
    if isinstance(value, tuple):
        return tuple(mapped(part, scalar, ref) for part in value)
    if isinstance(value, Ref):
        return ref(value)
    if isinstance(value, Mapping):
        return {key: mapped(part, scalar, ref) for key, part in value.items()}
    return value if isinstance(value, _PLAIN) else scalar(value)


def scalars(value: Any) -> Iterator[Any]:
    """Every scalar in entities."""
    if isinstance(value, Entity):
        value = tuple(vars(value).values())
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for part in value:
            yield from scalars(part)
    elif not isinstance(value, _PLAIN):
        yield value
