"""The shape of a spec: which tables and keys there are and what type each has. Meaning is checked elsewhere."""

from __future__ import annotations

import keyword
import re
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from volterra_cg.spec.expressions import FUNCTIONS

SCHEMA_VERSION = 1
RESERVED = frozenset(FUNCTIONS) | {"t", "pi", "N", "O"}
Scalar = str | int | Decimal


def refuse(message: str, remedy: str = "") -> PydanticCustomError:
    """An error in our own words; braces would be taken for placeholders."""
    return PydanticCustomError("spec", "{message}", {"message": message, "remedy": remedy})


def _scalar(value: object) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise refuse("a number, or an expression in quotes, is needed here")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite():
        raise refuse("a number is needed here")
    return float(value)


def _positive(value: object) -> float:
    number = _number(value)
    if number <= 0:
        raise refuse("a number above zero is needed here")
    return number


def _identifier(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", value):
        raise refuse(f"'{value}' is not a name", "a letter, then letters, digits and underscores")
    if keyword.iskeyword(value):
        raise refuse(f"'{value}' is a word of Python and cannot be a name", f"e.g. '{value}_'")
    return value


def _name(value: str) -> str:
    if value in RESERVED:
        raise refuse(f"'{value}' has a meaning of its own and cannot be a name here")
    return _identifier(value)


def _version(value: object) -> int:
    if value != SCHEMA_VERSION or isinstance(value, bool):
        raise refuse(f"schema {value} is not known", f"this version reads schema = {SCHEMA_VERSION}")
    return SCHEMA_VERSION


def _direction(value: object) -> tuple[Scalar, ...]:
    if value in ("x", "y", "z"):
        return tuple(int(value == letter) for letter in "xyz")
    if not isinstance(value, list) or len(value) != 3:
        raise refuse("an axis is needed here", 'one of "x", "y", "z", or a direction such as [1, 2, 0]')
    return tuple(_scalar(part) for part in value)


def _list(length: int, what: str) -> Any:
    def check(value: object) -> object:
        if not isinstance(value, list) or len(value) != length:
            raise refuse(f"a list of {length} {what} is needed here")
        return tuple(value)

    return BeforeValidator(check)


def _short(key: str) -> Any:
    """Let a bare value stand for a table that holds only this key."""

    def expand(value: object) -> object:
        return value if isinstance(value, dict) else {key: value}

    return expand


_SCALAR_SCHEMA = {"type": ["number", "string"], "description": "a number, or an expression in quotes"}
_NUMBER_SCHEMA = {"type": "number"}
Exact = Annotated[Any, PlainValidator(_scalar), WithJsonSchema(_SCALAR_SCHEMA)]
Value = Annotated[float, PlainValidator(_number), WithJsonSchema(_NUMBER_SCHEMA)]
Positive = Annotated[float, PlainValidator(_positive), WithJsonSchema(_NUMBER_SCHEMA | {"exclusiveMinimum": 0})]
Key = Annotated[str, AfterValidator(_name)]
Triple = Annotated[tuple[Exact, Exact, Exact], _list(3, "components")]
Direction = Annotated[
    Any,
    PlainValidator(_direction),
    WithJsonSchema({"anyOf": [{"enum": ["x", "y", "z"]}, {"type": "array", "minItems": 3, "maxItems": 3}]}),
]
Letter = Literal["x", "y", "z"]


class Table(BaseModel):
    """A table in which unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=False)


class Parameter(Table):
    """A parameter: a number, or an expression of other parameters."""

    value: Exact
    unit: str = ""
    about: str = ""
    fixed: bool = False


class Signal(Table):
    """A named input."""

    value: Value = 0.0
    unit: str = ""
    about: str = ""


class Coordinate(Table):
    """A generalized coordinate."""

    initial: Exact = 0
    rate: Exact = 0
    unit: str = ""
    about: str = ""


class Frame(Table):
    """Axes, turned from those of the parent."""

    parent: str = "N"
    rotate: list[Annotated[tuple[Direction, Exact], _list(2, "things, an axis and an angle,")]] | None = None
    cosines: Annotated[tuple[Triple, Triple, Triple], _list(3, "rows")] | None = None
    quaternion: Annotated[tuple[Exact, Exact, Exact, Exact], _list(4, "parts")] | None = None


class Point(Table):
    """A point at an offset from another."""

    origin: str = Field("O", alias="from")
    frame: str = Field("N", alias="in")
    at: Triple = (0, 0, 0)


class Inertia(Table):
    """A central inertia tensor; `xy`, `xz`, `yz` are its entries, not their negatives."""

    xx: Exact = None
    yy: Exact = None
    zz: Exact = None
    xy: Exact = None
    xz: Exact = None
    yz: Exact = None
    frame: str | None = Field(None, alias="in")


class Round(Table):
    """The sizes of a cylinder."""

    radius: Exact
    length: Exact
    axis: Letter = "z"


class Ball(Table):
    """The radius of a uniform sphere."""

    radius: Exact


class Ring(Table):
    """The radius of a thin ring."""

    radius: Exact
    axis: Letter = "z"


class Rod(Table):
    """The length of a thin rod."""

    length: Exact
    axis: Letter = "x"


class Shape(Table):
    """A uniform solid; exactly one of the keys."""

    box: Triple | None = None
    plate: Annotated[tuple[Exact, Exact], _list(2, "sides")] | None = None
    rod: Annotated[Rod, BeforeValidator(_short("length"), json_schema_input_type=Exact | Rod)] | None = None
    cylinder: Round | None = None
    sphere: Annotated[Ball, BeforeValidator(_short("radius"), json_schema_input_type=Exact | Ball)] | None = None
    ring: Annotated[Ring, BeforeValidator(_short("radius"), json_schema_input_type=Exact | Ring)] | None = None


class Body(Table):
    """A rigid body or a particle."""

    mass: Exact
    center: str
    frame: str | None = None
    inertia: Inertia | None = None
    shape: Shape | None = None


class Force(Table):
    """A force at a point."""

    at: str
    frame: str = Field("N", alias="in")
    vector: Triple
    reaction: str | None = None


class Torque(Table):
    """A torque on a frame or body."""

    on: str
    frame: str = Field("N", alias="in")
    vector: Triple
    reaction: str | None = None


class Spring(Table):
    """A linear spring between two points."""

    between: Annotated[tuple[str, str], _list(2, "points")]
    stiffness: Exact
    length: Exact = 0


class Damper(Table):
    """A linear damper between two points."""

    between: Annotated[tuple[str, str], _list(2, "points")]
    damping: Exact


class Constraint(Table):
    """An expression that stays zero; `either` is one whose kind shows by itself."""

    either: Exact = Field(None, alias="expression")
    velocity: Exact = None
    position: Exact = None


class Simulation(Table):
    """Defaults of a simulation."""

    t_end: Positive = 10.0
    dt: Positive = 0.01
    rtol: Positive = 1e-8
    atol: Positive = 1e-10


def _ignorable(value: object) -> object:
    if value == "auto":
        return None
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise refuse('"auto" or a list of coordinates is needed here')


_IGNORABLE_SCHEMA = {"anyOf": [{"const": "auto"}, {"type": "array", "items": {"type": "string"}}]}


class Document(Table):
    """A whole spec."""

    version: Annotated[int, PlainValidator(_version), WithJsonSchema({"const": 1})] = Field(alias="schema")
    name: Annotated[str, AfterValidator(_identifier)]
    about: str = ""
    ignorable: Annotated[Any, PlainValidator(_ignorable), WithJsonSchema(_IGNORABLE_SCHEMA)] = None
    work: bool = False
    parameters: dict[Key, Annotated[Parameter, BeforeValidator(_short("value"), Exact | Parameter)]] = {}
    signals: dict[Key, Annotated[Signal, BeforeValidator(_short("value"), Value | Signal)]] = {}
    coordinates: dict[Key, Coordinate] = {}
    frames: dict[Key, Frame] = {}
    points: dict[Key, Point] = {}
    bodies: dict[Key, Body] = {}
    gravity: dict[str, Triple] = {}
    potentials: dict[Key, Exact] = {}
    springs: dict[Key, Spring] = {}
    dampers: dict[Key, Damper] = {}
    forces: dict[Key, Force] = {}
    torques: dict[Key, Torque] = {}
    generalized_forces: dict[str, Exact] = {}
    constraints: dict[Key, Annotated[Constraint, BeforeValidator(_short("expression"), Exact | Constraint)]] = {}
    quasi_velocities: dict[Key, Exact] = {}
    outputs: dict[Key, Exact] = {}
    simulation: Simulation = Simulation()


def json_schema() -> dict[str, Any]:
    """The JSON schema of the language, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema(by_alias=True)}
