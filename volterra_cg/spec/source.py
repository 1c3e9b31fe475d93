"""The text of a spec, its data with exact decimals, and where every key and value stands."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from volterra_cg.errors import LimitError, NotToml, Place, Problem
from volterra_cg.spec.bounds import bound
from volterra_cg.spec.expressions import decimal
from volterra_cg.spec.places import KeyPath
from volterra_cg.spec.scan import excess

_KEY_TYPES = ("bare_key", "quoted_key", "dotted_key")
_QUOTES = ('"""', "'''", '"', "'")


@dataclass
class Positions:
    """Offsets in the text by path: of keys, of values, and of what stands between the quotes of a string."""

    keys: dict[KeyPath, int] = field(default_factory=dict)
    values: dict[KeyPath, int] = field(default_factory=dict)
    contents: dict[KeyPath, tuple[int, str]] = field(default_factory=dict)
    repeated: list[tuple[KeyPath, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Source:
    """A spec as read, before anything in it is understood."""

    file: str
    text: str
    data: dict[str, Any]
    positions: Positions

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text, without their ends."""
        return tuple(self.text.split("\n"))

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def place(self, offset: int) -> Place:
        """The place of a character."""
        line = bisect_right(self._starts, offset)
        return Place(self.file, line, offset - self._starts[line - 1] + 1)

    def key_place(self, path: KeyPath) -> Place:
        """Where the key of an entry stands, or that of the nearest entry around it."""
        return self.place(_nearest(self.positions.keys, path))

    def value_place(self, path: KeyPath, offset: int | None = None) -> Place:
        """Where a value stands; with `offset`, the character of that number in a string."""
        near = next((path[:n] for n in range(len(path), 0, -1) if path[:n] in self.positions.values), None)
        if near is None:
            return self.key_place(path)
        start, raw = self.positions.contents.get(near, (0, ""))
        if offset is not None and raw:
            return self.place(start + min(offset, len(raw)))
        return self.place(self.positions.values[near])

    def problem(self, place: Place, message: str, remedy: str = "") -> Problem:
        """A problem that shows its line."""
        return Problem(place, message, remedy, self.lines[place.line - 1])


def load(text: str, file: str) -> Source:
    """Read TOML text; syntax errors come with their place."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    _require_bounded(text, file)
    positions = _positions(text)
    if positions.repeated:
        repeated = positions.repeated[: bound("mistakes")]
        raise NotToml([_repetition(file, text, positions, *entry) for entry in repeated])
    try:
        data = tomllib.loads(text, parse_float=decimal)
    except ValueError as error:
        raise NotToml([_syntax_problem(file, text, str(error))]) from error
    except RecursionError as error:
        raise LimitError([Problem(Place(file, 1, 1), "lists and tables are too deep inside one another")]) from error
    return Source(file, text, data, positions)


def _require_bounded(text: str, file: str) -> None:
    found = excess(text)
    if found is not None:
        raise LimitError([Problem(_place(file, text, found.at), found.message, found.remedy)])  # it may be no TOML


def _place(file: str, text: str, offset: int) -> Place:
    return Place(file, text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1)


def _nearest(table: dict[KeyPath, int], path: KeyPath) -> int:
    return next((table[path[:n]] for n in range(len(path), 0, -1) if path[:n] in table), 0)


def _syntax_problem(file: str, text: str, message: str) -> Problem:
    lines = text.split("\n")
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line, column = (int(found[1]), int(found[2])) if found else (len(lines), len(lines[-1]) + 1)
    what = message.partition(" (at ")[0]
    if what == "Illegal character '\\n'":
        what = "a text that starts in this line has no quote at its end"
    comma = re.match(r",\d", lines[line - 1][column - 1 :])
    remedy = (
        "numbers have a decimal point, as 9.81" if comma and re.search(r"\d$", lines[line - 1][: column - 1]) else ""
    )
    return Problem(Place(file, line, column), f"not valid TOML: {what}", remedy, lines[line - 1])


def _repetition(file: str, text: str, positions: Positions, path: KeyPath, offset: int) -> Problem:
    place, first = _place(file, text, offset), _place(file, text, positions.keys[path])
    name = ".".join(str(part) for part in path)
    message = f"'{name}' is given twice, first in line {first.line}"
    return Problem(place, message, "keep one of them", text.split("\n")[place.line - 1])


def _positions(text: str) -> Positions:
    tree = Parser(Language(tree_sitter_toml.language())).parse(text.encode())
    walker = _Walker(text)
    for node in tree.root_node.named_children:
        if node.type == "pair":
            walker.pair(node, ())
        elif node.type in ("table", "table_array_element"):
            walker.table(node)
    return walker.found


class _Walker:
    """Goes through a syntax tree and notes where things are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found = Positions()
        self._headers: set[KeyPath] = set()
        self._deepest = bound("nesting") ** 2  # of paths; where text is no TOML, its tree may be anything
        # Only needed where the text is not plain ASCII: its bytes, and one of them with the number of its character.
        self._bytes = None if text.isascii() else text.encode()
        self._near = (0, 0)

    def table(self, node: Node) -> None:
        key = next((child for child in node.named_children if child.type in _KEY_TYPES), None)
        if key is None:
            return
        path = self._keys((), key)
        if path in self._headers and node.type == "table":
            self.found.repeated.append((path, self._offset(key)))
        self._headers.add(path)
        for child in node.named_children:
            if child.type == "pair":
                self.pair(child, path)

    def pair(self, node: Node, prefix: KeyPath) -> None:
        parts = [child for child in node.named_children if child.type not in ("comment", "ERROR")]
        if len(parts) < 2 or parts[0].type not in _KEY_TYPES:
            return
        path = self._keys(prefix, parts[0])
        if path in self.found.values:
            self.found.repeated.append((path, self._offset(parts[0])))
            return
        self.value(parts[1], path)

    def value(self, node: Node, path: KeyPath) -> None:
        self.found.values[path] = self._offset(node)
        if len(path) > self._deepest:
            return
        if node.type == "inline_table":
            for child in node.named_children:
                if child.type == "pair":
                    self.pair(child, path)
        elif node.type == "array":
            items = [child for child in node.named_children if child.type not in ("comment", "ERROR")]
            for number, item in enumerate(items):
                self.value(item, (*path, number))
        elif node.type == "string":
            self._string(node, path)

    def _string(self, node: Node, path: KeyPath) -> None:
        start, raw = self._offset(node), _decoded(node)
        quote = next(mark for mark in _QUOTES if raw.startswith(mark))
        content = raw[len(quote) : -len(quote)]
        start += len(quote)
        if len(quote) == 3 and content.startswith("\n"):
            content, start = content[1:], start + 1
        if quote.startswith("'") or "\\" not in content:  # with escapes, characters no longer count alike
            self.found.contents[path] = (start, content)

    def _keys(self, prefix: KeyPath, key: Node) -> KeyPath:
        if key.type == "dotted_key":
            for part in key.named_children:
                prefix = self._keys(prefix, part)
            return prefix
        name = _decoded(key)
        path = (*prefix, name[1:-1] if key.type == "quoted_key" else name)
        self.found.keys.setdefault(path, self._offset(key))
        return path

    def _offset(self, node: Node) -> int:
        """The number of the character at which a node starts; they come nearly in their order."""
        if self._bytes is None:
            return node.start_byte
        byte, character = self._near if self._near[0] <= node.start_byte else (0, 0)
        character += len(self._bytes[byte : node.start_byte].decode())
        self._near = (node.start_byte, character)
        return character


def _decoded(node: Node) -> str:
    return (node.text or b"").decode()
