"""What is told: the bodies, loads, coordinates and constraints that a method or a system of sympy holds.

sympy keeps some of them in attributes with an underscore only; they are read here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from sympy import Equality, Expr, Matrix, Symbol
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import Body, JointsMethod, KanesMethod, LagrangesMethod, Particle, RigidBody, System
from sympy.physics.vector import Point, ReferenceFrame, Vector, dynamicsymbols

from volterra_cg.errors import Place, Problem, SpecError


class Problems:
    """What is found wrong, told together at the end."""

    def __init__(self, here: Place) -> None:
        self._here = here
        self._found: dict[str, Problem] = {}

    def add(self, message: str, remedy: str = "") -> None:
        """Note one, once."""
        self._found.setdefault(message, Problem(self._here, message, remedy))

    def check(self) -> None:
        """Raise those that were noted, if any."""
        if self._found:
            raise SpecError(list(self._found.values()))


@dataclass
class Told:
    """A mechanism in sympy's objects; expressions are zero where they are equations.

    `velocity` may repeat the rates of `holonomic`, as KanesMethod wants it.
    """

    frame: ReferenceFrame | None = None
    bodies: list[Any] = field(default_factory=list)
    loads: list[Any] = field(default_factory=list)
    q: list[Expr] = field(default_factory=list)
    u: list[Expr] = field(default_factory=list)
    kd_eqs: list[Expr] = field(default_factory=list)
    configuration_constraints: list[Expr] = field(default_factory=list)
    velocity_constraints: list[Expr] = field(default_factory=list)
    q_dependent: list[Expr] = field(default_factory=list)
    u_dependent: list[Expr] = field(default_factory=list)
    lagrangian: Expr | None = None
    fixed_point: Point | None = None

    def mentioned(self) -> set[Any]:
        """The symbols and functions of time in loads, bodies and equations, also where they do nothing."""
        vectors = [load[1] for load in self.loads if isinstance(load, tuple) and isinstance(load[1], Vector)]
        scalars = [part for vector in vectors for components, _ in vector.args for part in components]
        scalars += [body.mass for body in self.bodies]
        for body in self.bodies:
            if isinstance(body, RigidBody):
                scalars += [term[0] for term in body.central_inertia.args]
        scalars += [*self.kd_eqs, *self.configuration_constraints, *self.velocity_constraints]
        return {part for scalar in scalars if isinstance(scalar, Expr) for part in scalar.atoms(Symbol, AppliedUndef)}

    def add(self, other: Told) -> None:
        """Put what another tells behind what this one does."""
        for each in fields(self):
            ours, theirs = getattr(self, each.name), getattr(other, each.name)
            if isinstance(ours, list):
                ours += [part for part in theirs if not any(part is known for known in ours)]
            elif ours is None:
                setattr(self, each.name, theirs)


def besides(frame: Any, values: Any, objects: Mapping[str, Any], problems: Problems) -> Told:
    """What is told beside a method; arguments of another kind are refused."""
    if not isinstance(frame, ReferenceFrame | None):
        problems.add(f"{frame!r} is no frame", "give the inertial ReferenceFrame, as frame=N")
    if not isinstance(values, Mapping):
        problems.add(f"values is {values!r}, no dictionary", "give numbers for symbols, as values={m: 1.0}")
    lists = {}
    for key, part in objects.items():
        try:
            lists[key] = [*part]
        except TypeError:
            problems.add(f"{key} is {part!r}, no list", f"give {key}=[...]")
    for row in lists.get("kd_eqs", ()):
        if not isinstance(row, Expr | Equality):
            problems.add(f"{row!r} is no kinematic differential equation", "give what is zero, as u - q.diff()")
    problems.check()
    return Told(frame, **lists)


def gather(method: Any, others: Told, problems: Problems) -> Told:
    """What a method or a system tells, and what is told besides."""
    told = _of(method, problems)
    told.add(others)
    told.q += [q for q in told.q_dependent if q not in told.q]
    told.u += [u for u in told.u_dependent if u not in told.u]
    told.u += [u for u in _functions(told.kd_eqs, told.q) if u not in told.u]
    if method is None:  # a method takes the loads that it is given, whatever a Body holds
        held = [load for body in told.bodies if isinstance(body, Body) for load in body.loads]
        told.loads += [load for load in held if not any(load is known for known in told.loads)]
    for body in told.bodies:
        if not isinstance(body, RigidBody | Particle):
            problems.add(f"{body!r} is no body", "give RigidBody and Particle objects")
    for state in (*told.q, *told.u):
        if not (isinstance(state, AppliedUndef) and state.args == (dynamicsymbols._t,)):
            problems.add(f"{state!r} is no coordinate or speed", "they are made by dynamicsymbols")
    problems.check()
    if not told.bodies:
        problems.add(f"{_name(method)} tells of no bodies", "add bodies=[...], all that have mass")
    if told.frame is None:
        problems.add(f"{_name(method)} tells of no inertial frame", "add frame=N")
    if not told.q:
        problems.add(f"{_name(method)} tells of no coordinates", "add q=[...]")
    problems.check()
    return told


def _of(method: Any, problems: Problems) -> Told:
    match method:
        case None:
            return Told()
        case KanesMethod():
            return _of_kane(method, problems)
        case LagrangesMethod():
            return _of_lagrange(method)
        case System():
            return _of_system(method, problems)
        case JointsMethod():
            return _of_joints(method)
    remedy = "give a KanesMethod, a LagrangesMethod or a System; bodies and loads go into bodies=[...] and loads=[...]"
    problems.add(f"a {type(method).__name__} cannot be taken", remedy)
    problems.check()
    return Told()


def _functions(equations: Iterable[Expr], without: Sequence[Expr]) -> list[Expr]:
    """The functions of time in equations, but for some."""
    found = {part for equation in equations for part in equation.atoms(AppliedUndef)}
    return sorted((part for part in found if part not in without), key=str)


def _name(method: Any) -> str:
    return "the call" if method is None else f"the {type(method).__name__}"


def _of_kane(kane: KanesMethod, problems: Problems) -> Told:
    _no_auxiliary(kane._uaux, problems)
    rates = Matrix(kane.q).diff(dynamicsymbols._t)
    kinematic = velocity = ()
    if kane._k_kqdot_implicit:
        kinematic = kane._k_kqdot_implicit * rates + kane._k_ku_implicit * Matrix(kane.u) + kane._f_k_implicit
    elif kane.u:
        problems.add("the KanesMethod has no kinematic differential equations", "give it kd_eqs=[...]")
    if kane._k_nh:
        velocity = kane._k_nh * Matrix(kane.u) + kane._f_nh
    return Told(
        frame=kane._inertial,
        bodies=list(kane.bodylist or ()),
        loads=list(kane.forcelist or ()),
        q=list(kane.q),
        u=list(kane.u),
        kd_eqs=list(kinematic),
        configuration_constraints=list(kane._f_h),
        velocity_constraints=list(velocity),
        q_dependent=list(kane._qdep),
        u_dependent=list(kane._udep),
    )


def _of_lagrange(lagrange: LagrangesMethod) -> Told:
    holonomic = list(lagrange._hol_coneqs)
    return Told(
        frame=lagrange.inertial,
        bodies=list(lagrange.bodies or ()),
        loads=list(lagrange.forcelist or ()),
        q=list(lagrange.q),
        configuration_constraints=holonomic,
        velocity_constraints=list(lagrange.coneqs)[len(holonomic) :],
        lagrangian=lagrange._L[0],
    )


def _of_system(system: System, problems: Problems) -> Told:
    _no_auxiliary(system.u_aux, problems)
    own = system._vel_constrs is not None  # then they stand for all
    return Told(
        frame=system.frame,
        bodies=list(system.bodies),
        loads=[*system.loads, *system.actuators],
        q=list(system.q),
        u=list(system.u),
        kd_eqs=list(system.kdes),
        configuration_constraints=list(system.holonomic_constraints),
        velocity_constraints=list(system.velocity_constraints if own else system.nonholonomic_constraints),
        q_dependent=list(system.q_dep),
        u_dependent=list(system.u_dep),
        fixed_point=system.fixed_point,
    )


def _of_joints(method: JointsMethod) -> Told:
    return Told(
        frame=method.frame,
        bodies=list(method.bodies),
        loads=list(method.loads),
        q=list(method.q),
        u=list(method.u),
        kd_eqs=list(method.kdes),
    )


def _no_auxiliary(speeds: Iterable[Expr], problems: Problems) -> None:
    if speeds:
        listed = ", ".join(map(str, speeds))
        remedy = "leave them and their forces out; reactions are outputs, as in made.output('force', 'reaction(P.x)')"
        problems.add(f"auxiliary speeds are not taken: {listed}", remedy)


def neighbours(place: Point | ReferenceFrame) -> Iterator[Any]:
    """The points, or frames, that one is placed from, or turned from, directly."""
    yield from place._pos_dict if isinstance(place, Point) else place._dcm_dict


def step(start: Point, end: Point) -> Any:
    """The vector that leads from a point to one of its neighbours."""
    return end._pos_dict[start]


def known_velocity(point: Point, frame: ReferenceFrame) -> Any:
    """The velocity that a point was given, None if it was given none."""
    return point._vel_dict.get(frame)
