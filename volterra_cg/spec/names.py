"""What the names in an expression stand for, and whether scalars and vectors are where they belong."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from volterra_cg.spec.expressions import (
    AXES,
    BODY_FUNCTIONS,
    FUNCTIONS,
    VECTORS,
    VELOCITIES,
    AxisOf,
    Binary,
    Call,
    Name,
    Negative,
    Node,
    Number,
    scalar_names,
    walk,
)

UNREADABLE = "?"  # the name of an expression with a mistake in it
Kind = Literal["scalar", "vector", "unknown"]
Report = Callable[[int, str, str], None]  # character, message, remedy

_LONG, _MANY = 60, 500  # characters of a name and candidates, beyond which no guess is worth its time
_USUAL = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "ln": "log", "fabs": "abs"}
_PLACED = {"position", "velocity", "omega", *BODY_FUNCTIONS}
_USUAL |= {"diff": "der", "dt": "der", "ddt": "der", "vel": "velocity", "pos": "position", "mag": "norm"}


@dataclass(frozen=True)
class Scope:
    """All names of a spec, by what they are."""

    parameters: frozenset[str]
    signals: frozenset[str]
    coordinates: frozenset[str]
    frames: frozenset[str]  # with N and the bodies that have a frame
    points: frozenset[str]  # with O and the bodies, which stand for their centers
    reactions: frozenset[str] = frozenset()  # constraints, and rows of constraints, as "loop.x"
    internal: frozenset[str] = frozenset()  # points and frames, at which forces and torques pass
    bodies: frozenset[str] = frozenset()
    joints: Mapping[str, str] = field(default_factory=dict)  # the frames of their children


@dataclass(frozen=True)
class Context:
    """What an expression may depend on, and what it is for, in words."""

    what: str
    coordinates: bool = False
    time: bool = False
    signals: bool = False
    positions: bool = False  # position(P) and axes of frames
    velocities: bool = False  # der, velocity, omega
    reactions: bool = False


CONSTANT = Context("a constant")
INITIAL = Context("an initial value")
DERIVED = Context("a parameter")
GEOMETRY = Context("the place of a frame or point", coordinates=True, time=True)
POTENTIAL = Context("a potential energy", coordinates=True, time=True, positions=True)
POSITION = Context("a position constraint", coordinates=True, time=True, positions=True)
MOTION = Context("a constraint or quasi-velocity", coordinates=True, time=True, positions=True, velocities=True)
LOAD = Context("a load", coordinates=True, time=True, signals=True, positions=True, velocities=True)
SIGNAL = Context("a signal", coordinates=True, time=True, positions=True, velocities=True)
OUTPUT = Context(
    "an output", coordinates=True, time=True, signals=True, positions=True, velocities=True, reactions=True
)
CHANGE = Context("a change at an event", coordinates=True, time=True, signals=True, positions=True, velocities=True)
GAP = Context("the gap of an impact", coordinates=True, time=True, positions=True)
RATE_OF = Context("what der() is taken of", coordinates=True, time=True)


def meant(name: str, candidates: Iterable[str]) -> str:
    """The sentence that offers the name that was probably meant, or nothing."""
    known = sorted(set(candidates))
    same = [other for other in known if other.lower() == name.lower()]
    near = known[:_MANY] if len(name) <= _LONG else []
    close = same or difflib.get_close_matches(name, near, n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else ""


@dataclass(frozen=True)
class Checker:
    """Finds the kind of an expression and reports what is wrong in it."""

    scope: Scope
    context: Context
    report: Report

    def expect(self, node: Node, wanted: Kind) -> None:
        """Report if the node is not of the wanted kind."""
        kind = self.kind(node)
        if kind not in (wanted, "unknown"):
            remedy = "take a component with dot(..., N.x), or its norm(...)" if kind == "vector" else "e.g. 2*N.x"
            self.report(node.at, f"a {wanted} is needed here, and this is a {kind}", remedy)

    def kind(self, node: Node) -> Kind:
        """Whether a node is a scalar or a vector; unknown if it was reported."""
        match node:
            case Number():
                return "scalar"
            case Name():
                return self._name(node)
            case Negative(operand=operand):
                return self.kind(operand)
            case Binary():
                return self._binary(node)
            case AxisOf():
                return self._axis(node)
            case Call():
                return self._call(node)

    def _name(self, node: Name) -> Kind:
        scope, context, name = self.scope, self.context, node.name
        if name == UNREADABLE:  # told where it stands
            return "unknown"
        if name == "pi" or name in scope.parameters:
            return "scalar"
        if name in scope.coordinates:
            return self._allowed(context.coordinates, node, f"the coordinate '{name}'")
        if name in scope.signals:
            return self._allowed(context.signals, node, f"the signal '{name}'")
        if name == "t":
            return self._allowed(context.time, node, "time")
        if name in FUNCTIONS:
            self.report(node.at, f"'{name}' is a function and needs arguments", f"e.g. {name}(...)")
        elif name in scope.points:
            self.report(node.at, f"'{name}' is a point, not a scalar", f"e.g. dot(position({name}), N.x)")
        elif name in scope.frames:
            self.report(node.at, f"'{name}' is a frame, not a scalar", f"its axes are {name}.x, {name}.y and {name}.z")
        else:
            self.report(node.at, f"unknown name '{name}'", self._meant(name))
        return "unknown"

    def _meant(self, name: str) -> str:
        scope, context = self.scope, self.context
        known = {"pi"} | scope.parameters | (scope.coordinates if context.coordinates else frozenset())
        known |= (scope.signals if context.signals else frozenset()) | ({"t"} if context.time else frozenset())
        moved = re.fullmatch(r"(\w+?)_?(?:dot|d)", name)
        if moved and moved[1] in self.scope.coordinates:
            return f"the rate of {moved[1]} is der({moved[1]})"
        return meant(name, known) or "parameters, signals and coordinates are named in their tables"

    def _allowed(self, allowed: bool, node: Node, what: str) -> Kind:
        if allowed:
            return "scalar"
        self.report(node.at, f"{self.context.what} may not depend on {what}", "")
        return "unknown"

    def _axis(self, node: AxisOf) -> Kind:
        if not self.context.positions:
            self.report(node.at, f"{self.context.what} may not depend on the axes of frames", "")
            return "unknown"
        return "vector" if self._reference(node.frame, node.at, self.scope.frames, "frame") else "unknown"

    def _reference(self, name: str, at: int, known: frozenset[str], what: str) -> bool:
        if name not in known:
            self.report(at, f"unknown {what} '{name}'", meant(name, known))
        return name in known

    def _binary(self, node: Binary) -> Kind:
        left, right = self.kind(node.left), self.kind(node.right)
        if "unknown" in (left, right):
            return "unknown"
        if node.operator in "+-":
            if left != right:
                self.report(node.right.at, f"a {left} and a {right} cannot be added or subtracted", "")
                return "unknown"
            return left
        if node.operator == "*" and left == right == "vector":
            self.report(node.right.at, "two vectors have no plain product", "use dot(v, w) or cross(v, w)")
            return "unknown"
        if node.operator in ("/", "**") and (right == "vector" or (left == "vector" and node.operator == "**")):
            at = node.right.at if right == "vector" else node.left.at
            self.report(at, "a vector cannot stand here", "use dot, norm or a component")
            return "unknown"
        return "vector" if "vector" in (left, right) else "scalar"

    def _call(self, node: Call) -> Kind:
        if node.function not in FUNCTIONS:
            usual = _USUAL.get(node.function)
            remedy = f"did you mean '{usual}'?" if usual else meant(node.function, FUNCTIONS)
            self.report(node.at, f"unknown function '{node.function}'", remedy)
            return "unknown"
        least, most = FUNCTIONS[node.function]
        count = len(node.arguments)
        if count < least or (most is not None and count > most):
            self.report(node.at, f"{node.function} takes {_count(least, most)}, not {count}", "")
            return "unknown"
        rules: dict[str, Callable[[Call], Kind]] = {
            **dict.fromkeys(("velocity", "position", "omega"), self._kinematic),
            **dict.fromkeys(BODY_FUNCTIONS, self._of_bodies),
            **dict.fromkeys(("dot", "cross", "norm"), self._of_vectors),
            "der": self._rate,
            "reaction": self._reaction,
            "moment": self._moment,
        }
        if node.function in rules:
            return rules[node.function](node)
        for argument in node.arguments:
            self.expect(argument, "scalar")
        return "scalar"

    def _of_vectors(self, node: Call) -> Kind:
        for argument in node.arguments:
            self.expect(argument, "vector")
        return "vector" if node.function == "cross" else "scalar"

    def _kinematic(self, node: Call) -> Kind:
        what, known = ("frame", self.scope.frames) if node.function == "omega" else ("point", self.scope.points)
        allowed = self.context.positions if node.function == "position" else self.context.velocities
        if not allowed:
            noun = "positions" if node.function == "position" else "velocities"
            self.report(node.at, f"{self.context.what} may not depend on {noun}", "")
            return "unknown"
        for argument in node.arguments:
            if not isinstance(argument, Name):
                self.report(argument.at, f"{node.function} takes the name of a {what}", "")
                return "unknown"
            self._reference(argument.name, argument.at, known, what)
        return "vector"

    def _rate(self, node: Call) -> Kind:
        if not self.context.velocities:
            self.report(node.at, f"{self.context.what} may not depend on velocities", "")
            return "unknown"
        argument = node.arguments[0]
        inner = Checker(self.scope, RATE_OF, self.report)
        inner.expect(argument, "scalar")
        if _is_constant(argument, self.scope):
            self.report(argument.at, "the rate of a constant is zero", "der takes a coordinate, as der(theta)")
        return "scalar"

    def _reaction(self, node: Call) -> Kind:
        if not self.context.reactions:
            self.report(node.at, f"{self.context.what} may not depend on reactions", "they are for outputs")
            return "unknown"
        match node.arguments[0]:
            case Name(name=name):
                pass
            case AxisOf(frame=constraint, index=index):
                name = f"{constraint}.{AXES[index]}"
            case _:
                self.report(node.arguments[0].at, "reaction takes the name of a constraint", "e.g. reaction(loop.x)")
                return "unknown"
        if name not in self.scope.reactions and name.partition(".")[0] in self.scope.internal:
            if "." not in name:
                self.report(
                    node.arguments[0].at, f"'{name}' is a joint, and its force has a direction", f"e.g. {name}.x"
                )
        elif name not in self.scope.reactions:
            rows = [row for row in sorted(self.scope.reactions) if row.startswith(f"{name}.")]
            remedy = f"it has {' and '.join(rows)}" if rows else meant(name, self.scope.reactions)
            self.report(node.arguments[0].at, f"no constraint is called '{name}'", remedy)
        return "scalar"

    def _of_bodies(self, node: Call) -> Kind:
        function = node.function
        allowed = self.context.velocities if function in VELOCITIES else self.context.positions
        if not allowed:
            noun = "velocities" if function in VELOCITIES else "positions"
            self.report(node.at, f"{self.context.what} may not depend on {noun}", "")
            return "unknown"
        for number, argument in enumerate(node.arguments):
            about = function == "angular_momentum" and number == 0
            what, known = ("point", self.scope.points) if about else ("body", self.scope.bodies)
            if isinstance(argument, Name):
                self._reference(argument.name, argument.at, known, what)
            else:
                self.report(argument.at, f"{function} takes the name of a {what} here", "")
        named = [
            argument.name for argument in node.arguments[function == "angular_momentum" :] if isinstance(argument, Name)
        ]
        for name in (name for number, name in enumerate(named) if name in named[:number]):
            self.report(node.at, f"'{name}' is named twice", "each body counts once")
        return "scalar" if function == "kinetic_energy" else "vector"

    def _moment(self, node: Call) -> Kind:
        if not self.context.reactions:
            self.report(node.at, f"{self.context.what} may not depend on reactions", "they are for outputs")
            return "unknown"
        argument = node.arguments[0]
        if not isinstance(argument, AxisOf):
            self.report(argument.at, "moment takes a joint and an axis of its child", "e.g. moment(elbow.z)")
        elif argument.frame not in self.scope.joints:
            remedy = meant(argument.frame, self.scope.joints) or "of a frame it is reaction(F.z)"
            self.report(argument.at, f"no joint is called '{argument.frame}'", remedy)
        return "scalar"


def is_vector(node: Node) -> bool:
    """Whether a checked node is a vector."""
    match node:
        case AxisOf():
            return True
        case Negative(operand=operand):
            return is_vector(operand)
        case Binary(left=left, right=right):
            return is_vector(left) or is_vector(right)
        case Call(function=function):
            return function in VECTORS
    return False


def spelled_out(node: Node, scope: Scope) -> Node:
    """An expression in which moments of joints are reactions of the frames of their children, and "all bodies" are named."""
    match node:
        case Call(function=function, arguments=arguments) if function in BODY_FUNCTIONS:
            if len(arguments) > BODY_FUNCTIONS[function][0]:
                return node
            return replace(node, arguments=(*arguments, *(Name(body, node.at) for body in sorted(scope.bodies))))
        case Call(function="moment", arguments=(AxisOf(frame=joint) as axis,)):
            return replace(node, function="reaction", arguments=(replace(axis, frame=scope.joints[joint]),))
        case Call(arguments=arguments):
            return replace(node, arguments=tuple(spelled_out(argument, scope) for argument in arguments))
        case Negative(operand=operand):
            return replace(node, operand=spelled_out(operand, scope))
        case Binary(left=left, right=right):
            return replace(node, left=spelled_out(left, scope), right=spelled_out(right, scope))
    return node


def moves(node: Node, scope: Scope) -> bool:
    """Whether coordinates, positions or axes occur, or a name that is not known."""
    if any(_kinematic(part) for part in walk(node)):
        return True
    names = set(scalar_names(node))
    return not names <= scope.parameters | {"pi", "t"}


def varies(node: Node, scope: Scope) -> bool:
    """Whether the motion, time or a signal can change an expression."""
    return moves(node, scope) or any(isinstance(part, Name) and part.name == "t" for part in walk(node))


def _kinematic(part: Node) -> bool:
    return isinstance(part, AxisOf) or (isinstance(part, Call) and part.function in _PLACED)


def _is_constant(node: Node, scope: Scope) -> bool:
    names = (part.name for part in walk(node) if isinstance(part, Name))
    return all(name in scope.parameters or name == "pi" for name in names)


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} argument or more"
    if least == most:
        return f"{least} argument" + ("s" if least > 1 else "")
    return f"{least} to {most} arguments"
