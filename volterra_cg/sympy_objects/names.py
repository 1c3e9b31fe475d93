"""Names of a spec for what has names in sympy."""

from __future__ import annotations

from collections.abc import Container, Hashable

from volterra_cg.spec.fields import free, plain


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
