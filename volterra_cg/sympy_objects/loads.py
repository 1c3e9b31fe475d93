"""Loads of sympy: constant forces become weights or potentials, springs and dampers on a line what they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Integer
from sympy.physics.mechanics import LinearDamper, LinearPathway, LinearSpring
from sympy.physics.mechanics.actuator import ActuatorBase
from sympy.physics.vector import Point, ReferenceFrame, Vector

from volterra_cg.spec.entities import (
    INERTIAL_FRAME,
    Body,
    Damper,
    Force,
    Gravity,
    PointLink,
    Quantity,
    Spring,
    Torque,
)
from volterra_cg.spec.tree import PointRef, Ref, Triple
from volterra_cg.sympy_objects.geometry import Frames, Points
from volterra_cg.sympy_objects.names import Names
from volterra_cg.sympy_objects.scalars import Kind
from volterra_cg.system.vectors import Axis, Dot, Position
from volterra_cg.system.walk import symbols

_ZERO = Integer(0)


class Loads:
    """The loads of a mechanism by their tables; weights wait until all are known."""

    def __init__(self, frames: Frames, points: Points) -> None:
        self.frames, self.points, self.scalars = frames, points, frames.scalars
        self.springs: list[Spring[Expr]] = []
        self.dampers: list[Damper[Expr]] = []
        self.forces: list[Force[Expr]] = []
        self.torques: list[Torque[Expr]] = []
        self.weights: dict[PointRef, Triple[Expr]] = {}
        self.moved: dict[Point | ReferenceFrame, None] = {}  # what loads act on, in their order
        self._names = Names()

    def add(self, load: Any) -> None:
        """Take one load: of a pair, of a Force or Torque, or of an actuator."""
        if isinstance(load, ActuatorBase):
            self._actuator(load)
            return
        where, vector = load if isinstance(load, tuple) and len(load) == 2 else (None, None)
        if isinstance(where, Point):
            self._force(where, vector)
        elif isinstance(where, ReferenceFrame):
            self._torque(where, vector)
        else:
            remedy = "a load is (point, force), (frame, torque) or an actuator"
            self.scalars.problems.add(f"{load!r} is no load", remedy)

    def _actuator(self, load: ActuatorBase) -> None:
        """A spring or damper between points whose places are known as such, others by the loads that they make."""
        pathway: Any = getattr(load, "pathway", None)
        plain = type(load) in (LinearSpring, LinearDamper) and type(pathway) is LinearPathway
        if not plain or any(end in self.points.loose for end in pathway.attachments):
            for part in load.to_loads():
                self.add(part)
            return
        ends = pathway.attachments
        self.moved |= dict.fromkeys(ends)
        first, second = map(self.points.name, ends)
        link, kind = PointLink(first, second), Kind(f"the {type(load).__name__} between {ends[0]} and {ends[1]}")
        name = Ref(self._names.of(load, f"{'spring' if isinstance(load, LinearSpring) else 'damper'}_{first}_{second}"))
        if isinstance(load, LinearSpring):
            stiffness, length = (self.scalars.scalar(e, kind) for e in (load.stiffness, load.equilibrium_length))
            self.springs.append(Spring(name, link, stiffness, length))
        else:
            self.dampers.append(Damper(name, link, self.scalars.scalar(load.damping, kind)))

    def _force(self, point: Point, vector: Any) -> None:
        self.moved[point] = None
        if not self._acts(vector, f"the force on {point}") or self.points.is_fixed(point):
            return
        at = self.points.name(point)
        kind = Kind(f"the force on {point}", velocities=True, signals=True)
        for frame, components in self.frames.parts(vector, kind):
            rest = components
            if frame == self.frames.inertial:
                pairs = [self._split(part) for part in components]
                self._weigh(at, [constant for constant, _ in pairs])
                x, y, z = (rest for _, rest in pairs)
                rest = (x, y, z)
            if any(part != 0 for part in rest):
                name = Ref(self._names.of(len(self.forces), f"force_{at}"))
                self.forces.append(Force(name, at, self.frames.name(frame), rest))

    def _acts(self, vector: Any, what: str) -> bool:
        """Whether a load is a vector other than zero; what is no vector is refused."""
        if isinstance(vector, Vector):
            return bool(vector.args)
        if not isinstance(vector, Expr | int | float) or vector != 0:
            self.scalars.problems.add(f"{what} is {vector!r}, no vector", "give it along axes, as F*N.x")
        return False

    def _split(self, part: Expr) -> tuple[Expr, Expr]:
        """The terms that neither motion nor time change, and the others."""
        constant = {self.scalars.symbol_of(parameter) for parameter in self.scalars.parameters}
        terms = part.as_ordered_terms() if part.is_Add else [part]
        still = [term for term in terms if symbols(term) <= constant]
        return sum(still, start=_ZERO), sum((term for term in terms if term not in still), start=_ZERO)

    def _weigh(self, at: PointRef, constant: Sequence[Expr]) -> None:
        before = self.weights.get(at, (_ZERO, _ZERO, _ZERO))
        x, y, z = (a + b for a, b in zip(before, constant, strict=True))
        self.weights[at] = (x, y, z)

    def _torque(self, frame: ReferenceFrame, vector: Any) -> None:
        self.moved[frame] = None
        if not self._acts(vector, f"the torque on {frame}") or self.frames.is_fixed(frame):
            return
        on = self.frames.name(frame)
        kind = Kind(f"the torque on {frame}", velocities=True, signals=True)
        for axes, components in self.frames.parts(vector, kind):
            name = Ref(self._names.of((len(self.torques), "torque"), f"torque_{on}"))
            self.torques.append(Torque(name, on, self.frames.name(axes), components))

    def gravity(self, bodies: Sequence[Body[Expr]]) -> tuple[Gravity[Expr] | None, tuple[Quantity[Expr], ...]]:
        """Weights as a uniform field where they are one of all bodies, else as potentials."""
        weights = {at: weight for at, weight in self.weights.items() if any(part != 0 for part in weight)}
        fields = {tuple(part / body.mass for part in weights.get(body.center, ())) for body in bodies}
        centers = [body.center for body in bodies]
        if len(fields) == 1 and len(set(centers)) == len(centers) == len(weights):
            ((x, y, z),) = fields
            return Gravity(INERTIAL_FRAME, (x, y, z)), ()
        return None, tuple(self._potential(at, weight) for at, weight in weights.items())

    @staticmethod
    def _potential(at: PointRef, weight: Triple[Expr]) -> Quantity[Expr]:
        heights = [Dot(Position(at), Axis(INERTIAL_FRAME, n)) for n in range(3)]
        energy = sum((-part * height for part, height in zip(weight, heights, strict=True)), start=_ZERO)
        return Quantity(Ref(f"weight_{at}"), energy)
