"""Names of a spec for what has names in sympy: those of LaTeX lose their braces and slashes, Greek letters are spelled."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Container, Hashable

from volterra_cg.spec.fields import RESERVED, free


class Names:
    """Names that are unlike each other, by what they stand for."""

    def __init__(self, taken: Container[str] = ()) -> None:
        self._taken = taken
        self._given: dict[Hashable, str] = {}

    def of(self, thing: Hashable, called: str) -> str:
        """The name of a thing, which is called so in sympy."""
        if thing not in self._given:
            self._given[thing] = free(plain(called), self._is_taken)
        return self._given[thing]

    def _is_taken(self, name: str) -> bool:
        return name in self._given.values() or name in self._taken


def plain(called: str) -> str:
    """A name that the language takes, as near as can be."""
    spelled = "".join(
        letter if letter.isascii() else f"_{_spelled(letter)}_" for letter in unicodedata.normalize("NFKC", called)
    )
    name = re.sub(r"_+", "_", re.sub(r"\W", "_", spelled)).strip("_")
    name = name if re.match(r"[A-Za-z]", name) else f"n{name}"
    return f"{name}_" if name in RESERVED or keyword.iskeyword(name) else name


def _spelled(letter: str) -> str:
    """What a letter is called, as alpha."""
    return unicodedata.name(letter, "").rpartition(" ")[2].lower()
