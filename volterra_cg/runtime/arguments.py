"""Arguments of a user, checked by type and range and refused by name."""

from __future__ import annotations

import math
import operator
import reprlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError

from .description import article, unknown

LARGEST = 2**63 - 1  # whole number that the loop counts to


def number(name: str, value: object) -> float:
    """The value as a real number, which may be infinite or NaN."""
    if type(value) is float:  # as most are; the rest takes longer than a short run
        return value
    array = _converted(value)
    if array is None or array.ndim:
        raise TypeError(f"{name} must be a number, not {_short(value)}")
    return float(array)


def finite(name: str, value: object) -> float:
    """The value as a finite number."""
    result = number(name, value)
    if not math.isfinite(result):
        raise OptionError(f"{name} must be a finite number, not {result:g}")
    return result


def count(name: str, value: object) -> int:
    """The value as a positive whole number."""
    try:
        result = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {_short(value)}") from None
    if not 0 < result <= LARGEST:
        raise OptionError(f"{name} must be positive and less than 2^63, not {result}")
    return result


def numbers(name: str, value: object) -> Vector:
    """The value as an array of real numbers, a copy."""
    array = _converted(value)
    if array is None:
        raise TypeError(f"{name} must be real numbers, not {_short(value)}")
    return array


def vector(name: str, value: object, labels: Sequence[str], otherwise: str = "") -> Vector:
    """The value as finite numbers, one for each label."""
    array = numbers(name, value)
    if array.shape != (len(labels),):
        listed = f" of {', '.join(labels)}" if labels else ""
        raise OptionError(f"{name} must be {otherwise}an array of shape ({len(labels)},){listed}, not {array.shape}")
    for label, part in zip(labels, array, strict=True):
        finite(f"{name} of {label}", part)
    return array


def chosen(name: str, kind: str, value: object, known: Collection[str]) -> list[str]:
    """The value as a list of names, each known and given once; a single name may stand alone."""
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be the name of {article(kind)} {kind}, or a list of names, not {_short(value)}")
    given = [value] if isinstance(value, str) else list(value)
    for place, one in enumerate(given):
        if not isinstance(one, str) or one not in known:
            raise unknown(kind, one, known)
        if one in given[:place]:
            raise OptionError(f"{name} names {one} twice: name each {kind} once")
    return given


def _converted(value: object) -> Vector | None:
    """The value as doubles; None where that would drop a part of it: an imaginary one, a unit of time, a mask, a text."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value.copy()
    try:
        array = np.asarray(value)
        if np.ma.is_masked(value) or array.dtype.kind not in "biufO":
            return None
        if array.dtype.kind == "O":
            array = np.array([_real(item) for item in array.flat], dtype=np.float64).reshape(array.shape)
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, AttributeError):
        return None


def _real(item: Any) -> float:
    if isinstance(item, np.generic) and item.dtype.kind not in "biuf":
        raise TypeError
    return float(item.__float__())  # which texts and None do not have


def mapping(name: str, value: object) -> None:
    """Refuse what does not map names to values."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"{name} must map names to values, not be {_short(value)}")


def _short(value: object) -> str:
    return " ".join(reprlib.repr(value).split())
