"""Scalars of sympy's mechanics in the symbols of a system: coordinates, rates, parameters, signals and time."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sympy import (
    Add,
    Derivative,
    Expr,
    Function,
    Integer,
    Matrix,
    Mul,
    NumberSymbol,
    Pow,
    Rational,
    Symbol,
    expand,
    linear_eq_to_matrix,
)
from sympy.core.function import AppliedUndef
from sympy.physics.vector import dynamicsymbols

from volterra_cg.spec.entities import Coordinate, Parameter, Quantity, Signal
from volterra_cg.spec.expressions import SCALAR_FUNCTIONS
from volterra_cg.spec.names import meant
from volterra_cg.spec.tree import Ref
from volterra_cg.sympy_objects.names import Names
from volterra_cg.sympy_objects.told import Problems, Told
from volterra_cg.system.text import FUNCTIONS
from volterra_cg.system.types import TIME, rate_symbol, symbol
from volterra_cg.system.walk import parts

Values = Mapping[Any, Any]
LARGE, SIZES = "a number that is not finite or too large", "numbers go up to 1.8e308"


@dataclass(frozen=True)
class Kind:
    """What an expression is for, in words, and whether it may hold velocities and signals."""

    what: str
    velocities: bool = False
    signals: bool = False


class Scalars:
    """Translates scalars; parameters and signals are noted as they are met."""

    def __init__(self, told: Told, values: Values, problems: Problems) -> None:
        self.problems = problems
        self.names = Names()
        self._t = dynamicsymbols._t
        self._values = self._by_symbol(told, values)
        states = {*told.q, *told.u}
        self._prescribed = {
            key: value
            for key, value in self._values.items()
            if isinstance(key, AppliedUndef) and key not in states and not value.is_number
        }
        self._known: dict[Any, Expr] = {self._t: TIME}
        self.missing: dict[Any, Ref] = {}  # parameters without a value, which stand as 1
        self.parameters: dict[Any, Parameter[Expr] | None] = {}
        self.signals: dict[Any, Signal[Expr]] = {}
        self.q = told.q
        for q in told.q:
            name = self.names.of(q, q.func.__name__)
            self._known |= {q: symbol(name), q.diff(self._t): rate_symbol(name)}
        self.speeds = self._speeds(told)

    # --- values -----------------------------------------------------------------------------------------------------

    def _by_symbol(self, told: Told, values: Values) -> dict[Any, Any]:
        """The values by symbols of sympy; a name stands for the symbol, coordinate or speed that is called so."""
        named = {str(each.func.__name__): each for each in (*told.q, *told.u)}
        found = {}
        for key, value in values.items():
            if not isinstance(key, str | Symbol | AppliedUndef | Derivative):
                self.problems.add(f"{key!r} is no key of values", "give symbols, or names of them")
            else:
                found[named.get(key, key) if isinstance(key, str) else key] = _number(value, key, self.problems)
        return found

    def _value(self, thing: Any, called: str) -> Any:
        return self._values.get(thing, self._values.get(called))

    # --- translation ------------------------------------------------------------------------------------------------

    def scalar(self, given: Any, kind: Kind) -> Expr:
        """An expression of sympy in the symbols of the system."""
        expression = _number(given, kind.what, self.problems)
        if any(part in self._prescribed for part in parts(expression)):
            expression = expression.subs(self._prescribed).doit()
        for part in self._unknown(expression):
            self._meet(part, kind)
        if not all(_fits(part) for part in parts(expression) if part.is_Number and part.is_finite):
            self.problems.add(f"{kind.what} holds {LARGE}", SIZES)
            return Integer(1)
        decimals = {number: _exact(number) for number in parts(expression) if number.is_Float}
        found = expression.xreplace(self._known | decimals)
        self._require(found, kind)
        return found

    def _unknown(self, expression: Expr) -> Iterator[Any]:
        """Parts that have no translation yet, without those inside of a derivative or a function of time."""
        waiting, seen = [expression], set[Any]()
        while waiting:
            part = waiting.pop()
            if part in seen or part in self._known:
                continue
            seen.add(part)
            if isinstance(part, Derivative | AppliedUndef | Symbol):
                yield part
            else:
                waiting.extend(part.args)

    def _meet(self, part: Any, kind: Kind) -> None:
        self._known[part] = Integer(0)  # where it is wrong; that is told
        if isinstance(part, Derivative):
            self._derivative(part, kind)
        elif isinstance(part, AppliedUndef):
            self._signal(part, kind)
        else:
            self._parameter(part)

    def _derivative(self, part: Derivative, kind: Kind) -> None:
        of, remedy = part.args[0], "write it with coordinates, their first rates, and time"
        if of in self.signals or (isinstance(of, AppliedUndef) and of not in self._known):
            remedy = f"give {of} as a function of time, as values={{{of.func.__name__}: sin(t)}}"
        self.problems.add(f"{kind.what} holds {part}, which has no meaning here", remedy)

    def _signal(self, part: AppliedUndef, kind: Kind) -> None:
        """A function of time that is no coordinate is an input."""
        called = part.func.__name__
        if part.args != (self._t,):
            self.problems.add(f"{kind.what} holds {part}, which is no function of time", "write it out")
            return
        name = self.names.of(part, called)
        value = self._value(part, called)
        if value is not None and not value.is_number:
            self.problems.add(f"the value of '{called}' is an expression", "give it by its symbol, not by its name")
            value = None
        self.signals[part] = Signal(Ref(name), 0.0 if value is None else float(value))
        self._known[part] = symbol(name)

    def _parameter(self, part: Symbol) -> None:
        name = self.names.of(part, part.name)
        self._known[part] = symbol(name)
        self.parameters[part] = None  # keeps its place among the others
        value = self._value(part, part.name)
        if value is None:
            self.missing[part] = Ref(name)
            value = Integer(1)
        derived = bool(value.free_symbols)
        self.parameters[part] = Parameter(Ref(name), self.scalar(value, Kind(f"the value of {part}")), derived)

    def _require(self, found: Expr, kind: Kind) -> None:
        """Refuse what the language has no words for."""
        rates = {self.rate_of(q) for q in self.q}
        signals = {self._known[signal]: signal for signal in self.signals}
        for part in parts(found):
            if part in rates and not kind.velocities:
                self.problems.add(f"{kind.what} depends on the velocity {part.name}")
            elif part in signals and not kind.signals:
                called = signals[part].func.__name__
                remedy = f"add it to the coordinates, or give it as a function of time, as values={{{called}: sin(t)}}"
                self.problems.add(f"{kind.what} depends on {called}, which is no coordinate", remedy)
            elif not _is_known(part):
                remedy = f"the language has numbers, + - * / ** and {', '.join(SCALAR_FUNCTIONS)}"
                self.problems.add(f"{kind.what} holds {part}", remedy)
            else:
                continue
            return

    # --- speeds and the start ---------------------------------------------------------------------------------------

    def _speeds(self, told: Told) -> tuple[Quantity[Expr], ...]:
        """The independent speeds by the rates of the coordinates; all speeds are known from here on."""
        if not told.u:
            return ()
        self.require_equations(told, len(told.kd_eqs) - len(told.u) if len(told.kd_eqs) > len(told.u) else 0)
        self.problems.check()
        coefficients, right = linear_eq_to_matrix(told.kd_eqs, list(told.u))
        kind, found = Kind("a kinematic differential equation", velocities=True), []
        for u, value in zip(told.u, _solved(coefficients, right), strict=True):
            self._known[u] = self.scalar(value, kind)
            if not any(u == other for other in told.u_dependent):
                found.append(Quantity(Ref(self.names.of(u, u.func.__name__)), self._known[u]))
        return tuple(found)

    def require_equations(self, told: Told, quaternions: int) -> None:
        """Refuse kinematic equations that are too few or too many; each quaternion brings one more."""
        if told.u and len(told.kd_eqs) != len(told.u) + quaternions:
            message = f"{len(told.kd_eqs)} kinematic differential equations cannot give {len(told.u)} speeds"
            self.problems.add(message, "give one for each speed and coordinate")

    def coordinates(self, told: Told, ones: Container[Expr]) -> tuple[Coordinate[Expr], ...]:
        """The coordinates with their start, some at one; that of speeds is taken on to the rates."""
        start = {q: Integer(1) if self._known[q] in ones else self._start(q) for q in told.q}
        rates = dict.fromkeys(told.q, Integer(0))
        speeds = {u: self._start(u) for u in told.u}
        if any(value != 0 for value in speeds.values()):
            derivatives = [q.diff(self._t) for q in told.q]
            coefficients, right = linear_eq_to_matrix(told.kd_eqs, derivatives)
            found = _solved(coefficients, right)
            rates = dict(zip(told.q, (value.subs(speeds).subs(start) for value in found), strict=True))
        for q in told.q:
            given = self._values.get(q.diff(self._t))
            rates[q] = rates[q] if given is None else given
        kind = Kind("a start value")
        return tuple(
            Coordinate(Ref(self._known[q].name), self.scalar(start[q], kind), self.scalar(rates[q], kind))
            for q in told.q
        )

    def is_started(self, part: Expr) -> bool:
        """Whether the start says where a coordinate, of the system's symbols, begins."""
        return any(self._known[q] in part.free_symbols and self._start(q) != 0 for q in self.q)

    def _start(self, state: Any) -> Expr:
        value = self._value(state, state.func.__name__)
        return Integer(0) if value is None else value

    # --- all of it --------------------------------------------------------------------------------------------------

    def finish(self) -> tuple[Parameter[Expr], ...]:
        """The parameters, those among them that only `values` names."""
        met = _names(self._known)
        for key in self._values:
            if isinstance(key, Symbol) and key not in self._known and key.name not in met:
                self._meet(key, Kind("values"))
        return tuple(parameter for parameter in self.parameters.values() if parameter is not None)

    def require_known(self, told: Told) -> None:
        """Refuse values of what is not there: a name that nothing has, a function of time that nothing holds, a namesake."""
        met = {*self._known, *self._prescribed, *told.mentioned()}
        names = _names(met)
        for key in self._values:
            of = key.args[0] if isinstance(key, Derivative) else key
            if of not in met and of not in names:
                called = of if isinstance(of, str) else of.name if isinstance(of, Symbol) else of.func.__name__
                other = f"its '{called}' is another symbol, as with other assumptions; give the value by the name"
                remedy = other if called in names else meant(called, names)
                self.problems.add(f"values has '{called}', which the model does not", remedy)

    def require_values(self, idle: Container[str]) -> None:
        """Refuse parameters without a value, but for those that do nothing."""
        names = [part.name for part, name in self.missing.items() if name not in idle]
        if names:
            listed = ", ".join(f"{name}: 1.0" for name in names)
            self.problems.add(f"no value is given for {', '.join(names)}", f"as values={{{listed}}}")

    def symbol_of(self, thing: Any) -> Expr:
        """What stands for a symbol, coordinate, rate or speed of sympy in the system."""
        return self._known[thing]

    def rate_of(self, q: Any) -> Expr:
        """The symbol of the rate of a coordinate of sympy."""
        return self._known[q.diff(self._t)]

    def varies(self, given: Expr) -> bool:
        """Whether the motion or time changes an expression, of sympy's own symbols."""
        return any(isinstance(part, AppliedUndef) or part == self._t for part in parts(given))


def _names(things: Iterable[Any]) -> set[str]:
    """The names of symbols and functions of time."""
    found = (thing for thing in things if not isinstance(thing, Derivative))
    return {thing.name if isinstance(thing, Symbol) else thing.func.__name__ for thing in found}


def _is_known(part: Any) -> bool:
    """Whether the language has a part of an expression."""
    if part.is_Number:
        return bool(part.is_finite)
    name = type(part).__name__
    known = isinstance(part, Function) and FUNCTIONS.get(name, name) in SCALAR_FUNCTIONS
    return known or isinstance(part, Symbol | Add | Mul | Pow | NumberSymbol)


def _solved(coefficients: Matrix, right: Matrix) -> list[Expr]:
    """The unknowns of a linear system; row by row where each has one of its own. Of too many rows, by least squares."""
    if coefficients.rows > coefficients.cols:
        turned = coefficients.T
        return _solved((turned * coefficients).applyfunc(expand), turned * right)
    if coefficients.is_square and coefficients.is_diagonal() and all(coefficients.diagonal()):
        return [value / coefficients[n, n] for n, value in enumerate(right)]
    return list(coefficients.LUsolve(right))


def _exact(value: Any) -> Rational:
    """The decimal number that a floating-point number shows as, as a spec would have it."""
    return Rational(*Decimal(repr(float(value))).as_integer_ratio())


def _fits(value: Any) -> bool:
    """Whether a number is finite in double precision."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _number(value: Any, where: Any, problems: Problems) -> Expr:
    """A number of any kind, or an expression, as sympy has it."""
    if isinstance(value, Expr):
        return value
    if hasattr(value, "item") and getattr(value, "size", 0) == 1:  # of numpy
        value = value.item()
    if isinstance(value, int | float | Decimal | Fraction) and not _fits(value):
        problems.add(f"{where} has {LARGE} as its value", SIZES)
        return Integer(1)
    match value:
        case bool() | complex():
            pass
        case int():
            return Integer(value)
        case float() | Decimal():
            return _exact(value)
        case Fraction():
            return Rational(value.numerator, value.denominator)
    problems.add(f"{where} has the value {value!r}", "numbers and expressions of sympy are needed")
    return Integer(1)
