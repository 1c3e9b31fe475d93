"""XML as a tree whose elements know their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from volterra_cg.errors import OptionError, Place, Problem, SpecError
from volterra_cg.spec.files import Files


@dataclass
class Element:
    """An element of a file."""

    tag: str
    given: dict[str, str]
    place: Place
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """The children of a kind."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of a kind."""
        return next(self.all(tag), None)


class _Refused(Exception):  # noqa: N818
    """A document that declares things of its own, which could make it large or read other files."""


def read(path: Path) -> Element:
    """The root of an XML file; raises SpecError if it is none."""
    try:
        data = Files(path).content(path)
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from error
    parser, above, roots = expat.ParserCreate(), list[Element](), list[Element]()

    def place() -> Place:
        return Place(str(path), parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def begin(tag: str, given: dict[str, str]) -> None:
        made = Element(tag, given, place())
        (above[-1].children if above else roots).append(made)
        above.append(made)

    def refuse(*_: object) -> None:
        raise _Refused

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: above.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        where = Place(str(path), error.lineno, error.offset + 1)
        message = f"this is not XML: {expat.errors.messages[error.code]}"
        raise SpecError([Problem(where, message)]) from error
    except (
        LookupError,
        ValueError,
    ) as error:  # of an encoding that Python lacks, or that has several bytes to a letter
        raise SpecError([Problem(place(), f"its encoding cannot be read: {error}", "write it in UTF-8")]) from error
    except _Refused:
        message = "a robot declares no document type"
        raise SpecError([Problem(place(), message, "take the DOCTYPE out")]) from None
    return roots[0]
