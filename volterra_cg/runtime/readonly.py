"""Values by name that a model, a start or a run only shows: changing them would change nothing else."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

V = TypeVar("V")


class ReadOnly(dict[str, V]):
    """A dict that refuses to be changed; `dict(...)` of it, or a union with another, is one's own."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "these values are only shown and cannot be changed here: start(q, qd, params, signals) binds others"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, V]]]:
        return type(self), (dict(self),)
