"""What came out of exact arithmetic: numbers that are real, finite and within the range of floating-point numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sympy import Basic, Expr, I, nan, oo, zoo

from volterra_cg.errors import Problem, SpecError
from volterra_cg.spec import Places
from volterra_cg.spec.entities import Mechanism
from volterra_cg.spec.tree import Entity, scalars
from volterra_cg.system.walk import parts


def require_numbers(mechanism: Mechanism[Expr], places: Places) -> None:
    """Refuse entities with a number that cannot be computed with."""
    problems = list(_problems(mechanism, places))
    if problems:
        raise SpecError(problems)


def _problems(mechanism: Mechanism[Expr], places: Places) -> Iterator[Problem]:
    seen: set[Basic] = set()
    for table, told in vars(mechanism).items():
        for entity in told if isinstance(told, tuple) else (told,):
            if not isinstance(entity, Entity):
                continue
            name = str(getattr(entity, "name", ""))
            found = [_wrong(part) for part in parts(*scalars(entity), seen=seen)]
            wrong = next(filter(None, found), None)
            if wrong is not None:
                yield places.problem((table, name), f"{name or table} {wrong[0]}", wrong[1])


def _wrong(part: Basic) -> tuple[str, str] | None:
    if part is I:
        return "is not a real number", "the root or logarithm of a negative number?"
    if part in (zoo, nan, oo, -oo):
        return "divides by something that is zero everywhere", "write it without that division"
    if not part.is_Number:
        return None
    double = float(part)
    fits = math.isfinite(double) and (double != 0 or part == 0)
    return None if fits else ("holds a number out of range", "floating-point numbers lie between 5e-324 and 1.8e308")
