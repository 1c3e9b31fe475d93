"""Where the entities of a mechanism are told, and a spec: a mechanism read from a file, with these places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from volterra_cg.errors import Place, Problem
from volterra_cg.spec.entities import Mechanism
from volterra_cg.spec.expressions import Node

KeyPath = tuple[str | int, ...]  # the keys, and numbers in lists, that lead to a value of a spec


@dataclass(frozen=True)
class Places:
    """The places of entities by (table, name), for what is found wrong with them; and the lines of files, to show them.

    An entity whose place is not known is told by its name.
    """

    file: str = ""
    entities: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def find(self, table: str, name: str = "") -> Place:
        """The place of an entity, or the one it is a row of, or its table, or the start of the file."""
        names = (name, name.partition(".")[0], "")
        known = [self.entities[table, key] for key in names if (table, key) in self.entities]
        if known:
            return known[0]
        return Place(self.file, 1, 1) if self.file else Place(f"{table}.{name}" if name else table)

    def problem(self, subject: tuple[str, str], message: str, remedy: str = "") -> Problem:
        """A problem of an entity, with its line if there is one."""
        place = self.find(*subject)
        lines = self.texts.get(place.file, ())
        return Problem(place, message, remedy, lines[place.line - 1] if 0 < place.line <= len(lines) else "")


@dataclass(frozen=True)
class Spec:
    """A mechanism as a file tells it, valid as far as it can be judged without mechanics, its parts among it.

    `places` also cover the files that are included.
    """

    mechanism: Mechanism[Node]
    warnings: tuple[Problem, ...] = ()
    places: Places = field(default=Places(), compare=False, repr=False)
