"""Kinds of values in a spec: scalars, numbers, names, axes, lists of fixed length; each refuses in its own words."""

from __future__ import annotations

import difflib
import keyword
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from volterra_cg.spec.entities import FIXED_POINT, INERTIAL_FRAME
from volterra_cg.spec.expressions import FUNCTIONS, LATER, ExpressionError, exact
from volterra_cg.spec.joint_types import QUATERNION, TYPES
from volterra_cg.spec.units import KNOWN, unknown

SCHEMA_VERSION = 1
RESERVED = (frozenset(FUNCTIONS) - LATER) | {"t", "pi", INERTIAL_FRAME, FIXED_POINT}
Scalar = str | int | Decimal


def free(wanted: str, is_taken: Callable[[str], bool]) -> str:
    """A name, or the first of it with a number from 2 on, that is not taken."""
    name, number = wanted, 1
    while is_taken(name):
        number += 1
        name = f"{wanted}_{number}"
    return name


def plain(called: str) -> str:
    """A name that the language takes, as near as can be to what something is called elsewhere; Greek letters are spelled."""
    spelled = "".join(
        letter if letter.isascii() else f"_{_spelled(letter)}_" for letter in unicodedata.normalize("NFKC", called)
    )
    name = re.sub(r"_+", "_", re.sub(r"\W", "_", spelled)).strip("_")
    name = name if re.match(r"[A-Za-z]", name) else f"n{name}"
    return f"{name}_" if name in RESERVED or keyword.iskeyword(name) else name


def _spelled(letter: str) -> str:
    """What a letter is called, as alpha."""
    return unicodedata.name(letter, "").rpartition(" ")[2].lower()


def refuse(message: str, remedy: str = "") -> PydanticCustomError:
    """An error in our own words; braces would be taken for placeholders."""
    return PydanticCustomError("spec", "{message}", {"message": message, "remedy": remedy})


def _scalar(value: object) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise refuse("a number, or an expression in quotes, is needed here")
    return value


def _positive(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise refuse("a number is needed here")
    try:
        number = float(exact(value))
    except ExpressionError as error:
        raise refuse(error.message, error.remedy) from None
    if number <= 0:
        raise refuse("a number above zero is needed here")
    return number


def identifier(value: str) -> str:
    """A name that can also be that of a module."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", value):
        raise refuse(f"'{value}' is not a name", "a letter, then letters, digits and underscores")
    if keyword.iskeyword(value):
        raise refuse(f"'{value}' is a word of Python and cannot be a name", f"e.g. '{value}_'")
    return value


def _name(value: str) -> str:
    if value in RESERVED:
        raise refuse(f"'{value}' has a meaning of its own and cannot be a name here")
    return identifier(value)


def _row(value: str) -> str:
    """A name, or that of a row of a vector, as "v.x"."""
    name, dot, row = value.partition(".")
    _name(name)
    return f"{name}.{identifier(row)}" if dot else name


def _unit(value: str) -> str:
    wrong = unknown(value)
    if wrong is None:
        return value
    if wrong in ("Nm", "Nms"):
        raise refuse(f"there is no unit '{wrong}'", f"factors are set apart, as '{' '.join(wrong)}'")
    close = difflib.get_close_matches(wrong, sorted(KNOWN), n=1)
    raise refuse(f"there is no unit '{wrong}'", f"did you mean '{close[0]}'?" if close else "e.g. 'kg m^2/s^2'")


def known_version(value: object) -> int:
    """The version of the language, which must be ours."""
    if value != SCHEMA_VERSION or isinstance(value, bool):
        raise refuse(f"schema {value} is not known", f"this version reads schema = {SCHEMA_VERSION}")
    return SCHEMA_VERSION


def _direction(value: object) -> tuple[Scalar, ...]:
    if value in ("x", "y", "z"):
        return tuple(int(value == letter) for letter in "xyz")
    if not isinstance(value, list) or len(value) != 3:
        raise refuse("an axis is needed here", 'one of "x", "y", "z", or a direction such as [1, 2, 0]')
    return tuple(_scalar(part) for part in value)


def joint_type(value: object) -> str:
    """The type of a joint, one of the table."""
    if not isinstance(value, str):
        raise refuse("a type of joint is needed here", f"one of {', '.join(TYPES)}")
    if value not in TYPES:
        raise refuse(f"there is no type of joint '{value}'", f"one of {', '.join(TYPES)}")
    return value


def sequence(value: object) -> str:
    """Three axes to turn about, no two alike in a row."""
    if isinstance(value, str) and re.fullmatch("[xyz]{3}", value) and value[0] != value[1] != value[2]:
        return value
    raise refuse("a sequence of axes is needed here", 'three letters such as "xyz" or "zxz", no two alike in a row')


def orientation(value: object) -> str:
    """How an orientation is given: by a quaternion or by angles about a sequence of axes."""
    if value == QUATERNION:
        return QUATERNION
    try:
        return sequence(value)
    except PydanticCustomError:
        raise refuse('"quaternion" or a sequence of axes such as "xyz" is needed here') from None


def spot(value: object) -> tuple[Scalar, ...] | str:
    """The name of a point, or three components."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or len(value) != 3:
        raise refuse("a list of 3 components, or the name of a point, is needed here")
    return tuple(_scalar(part) for part in value)


def one_or_more(value: object) -> tuple[object, ...]:
    """Let a bare value stand for a list of it alone."""
    return tuple(value) if isinstance(value, list) else (value,)


def names_or(word: object) -> Any:
    """Let a list of names pass, or one other value."""
    shown = f'"{word}"' if isinstance(word, str) else "true, false"

    def check(value: object) -> object:
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return tuple(value)
        if value == word or (isinstance(word, bool) and isinstance(value, bool)):
            return value
        raise refuse(f"{shown} or a list of coordinates is needed here")

    return check


def listed(length: int, what: str) -> Any:
    """Let only lists of this length pass."""

    def check(value: object) -> object:
        if not isinstance(value, list) or len(value) != length:
            raise refuse(f"a list of {length} {what} is needed here")
        return tuple(value)

    return BeforeValidator(check)


def short(key: str) -> Any:
    """Let a bare value stand for a table that holds only this key."""

    def expand(value: object) -> object:
        return value if isinstance(value, dict) else {key: value}

    return expand


_SCALAR_SCHEMA = {"type": ["number", "string"], "description": "a number, or an expression in quotes"}
Exact = Annotated[Any, PlainValidator(_scalar), WithJsonSchema(_SCALAR_SCHEMA)]
Positive = Annotated[float, PlainValidator(_positive), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
Key = Annotated[str, AfterValidator(_name)]
RowKey = Annotated[str, AfterValidator(_row)]
Unit = Annotated[str, AfterValidator(_unit)]
Triple = Annotated[tuple[Exact, Exact, Exact], listed(3, "components")]
Direction = Annotated[
    Any,
    PlainValidator(_direction),
    WithJsonSchema({"anyOf": [{"enum": ["x", "y", "z"]}, {"type": "array", "minItems": 3, "maxItems": 3}]}),
]
_LETTERS = {"type": "string", "pattern": "^[xyz]{3}$"}
_ORIENTATION = {"anyOf": [{"const": QUATERNION}, _LETTERS]}
_SPOT = {"anyOf": [{"type": "string"}, {"type": "array", "minItems": 3, "maxItems": 3}]}
JointKind = Annotated[str, PlainValidator(joint_type), WithJsonSchema({"enum": list(TYPES)})]
Sequence = Annotated[str, PlainValidator(sequence), WithJsonSchema(_LETTERS)]
Orientation = Annotated[str, PlainValidator(orientation), WithJsonSchema(_ORIENTATION)]
Spot = Annotated[Any, PlainValidator(spot), WithJsonSchema(_SPOT)]
Letter = Literal["x", "y", "z"]
Names = {"anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]}
