"""From sympy's objects to the entities of a mechanism."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Dummy, Expr, Integer, trigsimp
from sympy.physics.mechanics import RigidBody
from sympy.physics.vector import Point, ReferenceFrame, dynamicsymbols

from volterra_cg.errors import Place
from volterra_cg.spec.entities import Body, Constraint, Coordinate, Inertia, Mechanism, Quantity
from volterra_cg.spec.expressions import AXES
from volterra_cg.spec.fields import plain
from volterra_cg.spec.tree import CoordinateRef, Ref
from volterra_cg.sympy_objects.consistency import false_claims, idle, without_repeated
from volterra_cg.sympy_objects.geometry import Frames, Points
from volterra_cg.sympy_objects.loads import Loads
from volterra_cg.sympy_objects.names import Names
from volterra_cg.sympy_objects.scalars import Kind, Scalars, Values
from volterra_cg.sympy_objects.told import Problems, Told, gather
from volterra_cg.system.types import symbol
from volterra_cg.system.vectors import AngularVelocity, Axis, Dot, Vector, Velocity
from volterra_cg.system.walk import symbols


def mechanism_of(method: Any, others: Told, values: Values, name: str, here: Place) -> Mechanism[Expr]:
    """The mechanism that a method, a system or the objects themselves tell; problems are told of `here`."""
    problems = Problems(here)
    told = gather(method, others, problems)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sympy, about velocities that it finds in one of several ways
        best = _Translation(told, values, problems)
        false = best.false_points()
        for choice in range(1, best.points.choices if false else 1):
            other = _Translation(told, values, problems, choice)
            wrong = other.false_points()
            if len(wrong) < len(false):
                best, false = other, wrong
        if false:
            best = _Translation(told, values, problems, best.points.choice, false)
        return best.result(name)


class _Translation:
    """One way to place the points; `loose` are those whose velocity is not that of their place."""

    def __init__(
        self, told: Told, values: Values, problems: Problems, choice: int = 0, loose: Sequence[Point] = ()
    ) -> None:
        assert told.frame is not None
        self.told, self.problems = told, problems
        self.scalars = Scalars(told, values, problems)
        self.frames = Frames(told.frame, self.scalars)
        self.points = Points(told, self.frames, loose, choice)
        self.loads = Loads(self.frames, self.points)
        self.names = Names()
        self.bodies = tuple(self._bodies())
        for load in told.loads:
            self.loads.add(load)
        self.scalars.require_equations(told, len(self.frames.quaternions))
        self.rows = tuple(self._rows())

    # --- bodies and constraints -------------------------------------------------------------------------------------

    def _bodies(self) -> Iterator[Body[Expr]]:
        """The bodies that can move; mass and inertia of the others do nothing."""
        for body in self.told.bodies:
            rigid = isinstance(body, RigidBody) and getattr(body, "is_rigidbody", True)
            still = self.points.is_fixed(body.masscenter)
            if still and (not rigid or self.frames.is_fixed(body.frame)):
                continue
            kind = Kind(f"the mass or inertia of {body}")
            center, mass = self.points.name(body.masscenter), self.scalars.scalar(body.mass, kind)
            if not rigid:
                yield Body(Ref(self._called(body)), mass, center)
                continue
            frame = self.frames.name(body.frame)
            yield Body(Ref(self._called(body)), mass, center, frame, self._inertia(body, kind))

    def _called(self, body: Any) -> str:
        """The name of a body; it is none of another's frame."""
        own = getattr(body, "frame", None)
        others = {str(frame.name) for each, frame in self.frames.found.items() if each is not own}
        return self.names.of(body, f"{body.name}_body" if plain(body.name) in others else body.name)

    def _inertia(self, body: RigidBody, kind: Kind) -> Inertia[Expr]:
        matrix = body.central_inertia.to_matrix(body.frame)
        keys = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
        entries = {}
        for key, (i, j) in keys.items():
            entry = trigsimp(matrix[i, j]) if self.scalars.varies(matrix[i, j]) else matrix[i, j]
            if self.scalars.varies(entry):
                remedy = f"give it in a frame that is fixed in {body.frame}"
                self.problems.add(f"the inertia of {body} changes in its frame {body.frame}", remedy)
            elif entry != 0:
                entries[key] = self.scalars.scalar(entry, kind)
        return Inertia(entries)

    def _rows(self) -> Iterator[Constraint[Expr]]:
        """The constraints that are not zero as they stand, and those of points that only have a velocity."""
        told = (
            ("configuration", Kind("a configuration constraint"), self.told.configuration_constraints),
            ("velocity", Kind("a velocity constraint", velocities=True), self.told.velocity_constraints),
        )
        yield from self._units()
        for name, kind, rows in told:
            for number, row in enumerate(rows, 1):
                value = self.scalars.scalar(row, kind)
                if value != 0:
                    yield Constraint(Ref(f"{name}{number}"), value, holonomic=not kind.velocities)
        for point in self.points.driven:
            at = self.points.name(point)
            for n, axis in enumerate(AXES):
                gap = Dot(Velocity(at) - self._velocity(point), Axis("N", n))
                yield Constraint(Ref(f"velocity_{at}_{axis}"), gap, holonomic=False)

    def _units(self) -> Iterator[Constraint[Expr]]:
        """The length of each quaternion, unless a configuration constraint is about its parts alone."""
        kind = Kind("a configuration constraint")
        given = [symbols(self.scalars.scalar(row, kind)) for row in self.told.configuration_constraints]
        for frame, parts in self.frames.quaternions.items():
            length = sum((part**2 for part in parts), start=Integer(-1))
            if symbols(length) not in given:
                yield Constraint(Ref(f"unit_{frame}"), length, holonomic=True)

    # --- velocities -------------------------------------------------------------------------------------------------

    def _velocity(self, point: Point) -> Vector:
        return self.frames.vector(self.points.velocity(point), Kind(f"the velocity of {point}", velocities=True))

    def false_points(self) -> list[Point]:
        """The points with a mass or a force whose velocity in sympy is not the rate of their position; frames are refused."""
        moved = [body.masscenter for body in self.told.bodies]
        moved += [each for each in self.loads.moved if isinstance(each, Point)]
        self.problems.check()
        points = [p for p in dict.fromkeys(moved) if p not in self.points.loose and self._is_told(p)]
        turned = [body.frame for body in self.told.bodies if isinstance(body, RigidBody)]
        turned += [each for each in self.loads.moved if isinstance(each, ReferenceFrame)]
        frames = [frame for frame in dict.fromkeys(turned) if frame != self.frames.inertial]
        claims = {f"P{n}": self._point_claim(point) for n, point in enumerate(points)}
        claims |= {f"F{n}": self._frame_claim(frame) for n, frame in enumerate(frames)}
        claims |= {"L": [self._lagrangian_claim()]} if self.told.lagrangian is not None else {}
        base = self._base("mechanism")
        units = tuple(
            row for row in base.constraints if row.name in {f"unit_{name}" for name in self.frames.quaternions}
        )
        false = false_claims(replace(base, constraints=units), claims)
        for n, frame in enumerate(frames):
            if f"F{n}" in false:
                message = f"the angular velocity that was set for {frame} is not that of its orientation"
                self.problems.add(message, f"turn {frame} by a coordinate whose rate it is, and add that to q")
        if "L" in false:
            message = "the Lagrangian is not the kinetic energy of the bodies less a function of the coordinates"
            self.problems.add(message, "give all bodies, and the potential energy without velocities")
        self.problems.check()
        return [point for n, point in enumerate(points) if f"P{n}" in false]

    def _is_told(self, point: Point) -> bool:
        """Whether sympy knows the velocity of a point."""
        try:
            point.vel(self.frames.inertial)
        except ValueError:
            return False
        return True

    def _point_claim(self, point: Point) -> list[tuple[Expr, Expr]]:
        ours, theirs = Velocity(self.points.name(point)), self._velocity(point)
        return [(Dot(ours - theirs, Axis("N", n)), Dot(theirs, Axis("N", n))) for n in range(3)]

    def _frame_claim(self, frame: ReferenceFrame) -> list[tuple[Expr, Expr]]:
        kind, name = Kind(f"the angular velocity of {frame}", velocities=True), self.frames.name(frame)
        ours, theirs = AngularVelocity(name), self.frames.vector(frame.ang_vel_in(self.frames.inertial), kind)
        return [(Dot(ours - theirs, Axis(name, n)), Dot(theirs, Axis(name, n))) for n in range(3)]

    # --- the Lagrangian ---------------------------------------------------------------------------------------------

    def _kinetic(self) -> Expr:
        return sum((body.kinetic_energy(self.frames.inertial) for body in self.told.bodies), start=Integer(0))

    def _potential(self) -> Expr:
        """T - L where nothing moves by a coordinate."""
        still = {q.diff(dynamicsymbols._t): Dummy() for q in self.told.q}
        energy = (self._kinetic() - self.told.lagrangian).xreplace(still)
        return self.scalars.scalar(energy.xreplace(dict.fromkeys(still.values(), Integer(0))), Kind("the Lagrangian"))

    def _lagrangian_claim(self) -> tuple[Expr, Expr]:
        kind = Kind("the Lagrangian", velocities=True)
        ours = self.scalars.scalar(self._kinetic(), kind) - self._potential()
        theirs = self.scalars.scalar(self.told.lagrangian, kind)
        return ours - theirs, theirs

    # --- all of it --------------------------------------------------------------------------------------------------

    def _base(self, name: str) -> Mechanism[Expr]:
        """Frames, points, bodies and constraints."""
        loose = tuple(Coordinate[Expr](Ref(each), Integer(0), Integer(0)) for each in self.points.coordinates)
        coordinates = (*self.scalars.coordinates(self.told, self._upright()), *loose)
        return Mechanism(
            name=name,
            parameters=self.scalars.finish(),
            coordinates=coordinates,
            frames=tuple(self.frames.found.values()),
            points=tuple(self.points.found.values()),
            bodies=self.bodies,
            constraints=self.rows,
        )

    def _upright(self) -> set[Expr]:
        """The scalar parts of quaternions of whose parts the start says nothing."""
        found = self.frames.quaternions.values()
        return {parts[0] for parts in found if not any(map(self.scalars.is_started, parts))}

    def result(self, name: str) -> Mechanism[Expr]:
        """The whole mechanism."""
        gravity, potentials = self.loads.gravity(self.bodies)
        if self.told.lagrangian is not None:
            potentials = (*potentials, Quantity(Ref("V"), self._potential()))
        base = self._base(name)
        if self.told.configuration_constraints and self.told.velocity_constraints:
            base = replace(base, constraints=without_repeated(base))
        free = len(base.coordinates) - len(base.constraints)
        whole = replace(
            base,
            signals=tuple(self.scalars.signals.values()),
            gravity=gravity,
            potentials=potentials,
            springs=tuple(self.loads.springs),
            dampers=tuple(self.loads.dampers),
            forces=tuple(self.loads.forces),
            torques=tuple(self.loads.torques),
            quasi_velocities=self.scalars.speeds if len(self.scalars.speeds) == free else (),
            project=self._project(base),
        )
        return self._valued(whole)

    def _valued(self, whole: Mechanism[Expr]) -> Mechanism[Expr]:
        """With a value for every parameter; inertias without one that do nothing are left out."""
        nothing = idle(whole, self.scalars.missing.values()) if self.scalars.missing else set()
        self.scalars.require_values(nothing)
        self.scalars.require_known(self.told)
        self.problems.check()
        return replace(
            whole,
            parameters=tuple(parameter for parameter in whole.parameters if parameter.name not in nothing),
            bodies=tuple(_without(body, {symbol(name): Integer(0) for name in nothing}) for body in whole.bodies),
        )

    def _project(self, base: Mechanism[Expr]) -> tuple[CoordinateRef, ...] | bool:
        """What depends on other coordinates or rates may be moved onto the constraints; all, if nothing is said of it."""
        rates = {self.scalars.rate_of(q): q for q in self.told.q}
        speeds = {rates.get(self.scalars.symbol_of(u)) for u in self.told.u_dependent}
        dependent = [q for q in self.told.q if q in self.told.q_dependent or q in speeds]
        names = [*(self.scalars.symbol_of(q).name for q in dependent), *self.points.coordinates]
        if not names:
            return bool(base.constraints)
        return tuple(CoordinateRef(name) for name in names)


def _without(body: Body[Expr], zero: Mapping[Expr, Expr]) -> Body[Expr]:
    """A body without the entries of its inertia that are zero."""
    if not isinstance(body.inertia, Inertia):
        return body
    entries = {key: part.xreplace(zero) for key, part in body.inertia.entries.items()}
    return replace(body, inertia=Inertia({key: part for key, part in entries.items() if part != 0}))
