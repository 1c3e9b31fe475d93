"""The statements of a generated function as data: what each declares or stores, and the names that occur in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SUM, PRODUCT, ATOM = range(3)  # how tightly an expression binds


@dataclass(frozen=True)
class Code:
    """An expression of C, and the variables and arguments that it reads."""

    text: str
    names: frozenset[str] = frozenset()

    @property
    def is_name(self) -> bool:
        """Whether it is the name of a variable and nothing else."""
        return self.text in self.names


def code(*pieces: str | Code) -> Code:
    """Pieces one after another; plain texts read nothing."""
    texts = [piece if isinstance(piece, str) else piece.text for piece in pieces]
    return Code("".join(texts), frozenset().union(*(piece.names for piece in pieces if isinstance(piece, Code))))


def named(name: str) -> Code:
    """A variable."""
    return Code(name, frozenset((name,)))


def joined(separator: str, items: Iterable[Code]) -> Code:
    """Expressions with a text between each two."""
    known = list(items)
    return Code(separator.join(item.text for item in known), frozenset().union(*(item.names for item in known)))


@dataclass(frozen=True)
class Place:
    """An argument of a function, or an entry of one; `member` is that of an entry that is a struct."""

    argument: str
    index: int | None = None
    member: str = ""

    @property
    def code(self) -> Code:
        """What reads it."""
        entry = "" if self.index is None else f"[{self.index}]"
        return Code(f"{self.argument}{entry}{self.member}", frozenset((self.argument,)))


@dataclass(frozen=True)
class Declare:
    """`const kind name = value;`, where the value may be an input as it is given."""

    name: str
    value: Code | Place
    kind: str = "double"

    @property
    def code(self) -> Code:
        """The right side."""
        return self.value.code if isinstance(self.value, Place) else self.value

    @property
    def names(self) -> frozenset[str]:
        """All that occurs in it."""
        return self.code.names | {self.name}


@dataclass(frozen=True)
class Reserve:
    """`kind name[size] = {values};` for what calls read and fill; without a size it is one value, without values unset."""

    kind: str
    variables: tuple[str, ...]
    size: str = ""
    values: Code | None = None

    @property
    def names(self) -> frozenset[str]:
        """All that occurs in it."""
        return frozenset(self.variables) | (self.values.names if self.values else frozenset())


@dataclass(frozen=True)
class Store:
    """`place = value;`."""

    place: Place
    value: Code

    @property
    def names(self) -> frozenset[str]:
        """All that occurs in it."""
        return self.value.names | {self.place.argument}


@dataclass(frozen=True)
class Clear:
    """Zero in the entries of an argument from `first` to before `end`."""

    argument: str
    first: int
    end: int

    @property
    def names(self) -> frozenset[str]:
        """All that occurs in it."""
        return frozenset((self.argument,))


@dataclass(frozen=True)
class Leave:
    """If the condition holds, the function ends with a status and says in `where` which check it was."""

    condition: Code
    number: int
    status: int = 1

    @property
    def names(self) -> frozenset[str]:
        """All that occurs in it."""
        return self.condition.names | {"where"}


@dataclass(frozen=True)
class Invoke:
    """A call that is a statement of its own."""

    call: Code

    @property
    def names(self) -> frozenset[str]:
        """All that occurs in it."""
        return self.call.names


@dataclass(frozen=True)
class Comment:
    """What the statements after it compute."""

    text: str
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Return:
    """The end of a function that went well."""

    names: frozenset[str] = frozenset()


Statement = Declare | Reserve | Store | Clear | Leave | Invoke | Comment | Return
