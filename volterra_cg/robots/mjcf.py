"""Robots from MJCF files, as MuJoCo itself compiles them.

A body of MuJoCo may have several joints. Here each joint has a link of its own, and all but the last have no mass. The axes
of such a link are those of the body, with their origin at the joint's anchor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from volterra_cg.arrays import Vector
from volterra_cg.errors import OptionError, Place, Problem, SpecError
from volterra_cg.extras import extra
from volterra_cg.spec.fields import free

from .robot import Inertial, Joint, Link, Look, Mimic, Pose, Robot

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
TYPES = {FREE: "floating", BALL: "ball", SLIDE: "prismatic", HINGE: "continuous"}
SPHERE, CAPSULE, CYLINDER, BOX, MESH = 2, 3, 5, 6, 7  # mjtGeom
EQUAL_JOINTS = 2  # mjtEq


def read(path: Path) -> Robot:
    """The robot of a file; raises SpecError with what MuJoCo has to say about it."""
    mujoco = extra("mujoco")
    if not path.is_file():
        raise OptionError(f"there is no file {path}")
    said: list[str] = []
    mujoco.set_mju_user_warning(said.append)  # which it would write to a file in the working folder
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise SpecError([Problem(Place(str(path)), f"MuJoCo cannot read it: {error}")]) from error
    finally:
        mujoco.set_mju_user_warning(None)
    off = mujoco.mjtDisableBit
    if model.opt.disableflags & off.mjDSBL_GRAVITY:
        model.opt.gravity[:] = 0
    if model.opt.disableflags & off.mjDSBL_SPRING:
        model.jnt_stiffness[:] = 0
    if model.opt.disableflags & off.mjDSBL_DAMPER:
        model.dof_damping[:] = 0
    if model.opt.disableflags & (off.mjDSBL_EQUALITY | off.mjDSBL_CONSTRAINT):
        model.eq_active0[:] = 0
    return _Reader(model, Place(str(path)), said).robot(path.stem)


class _Reader:
    """Takes a compiled model apart; `others` counts what is not taken."""

    def __init__(self, model: Any, place: Place, said: Sequence[str]) -> None:
        self.model, self.place = model, place
        self.others: Counter[str] = Counter()
        self.left_out = [f"{place}: MuJoCo warns: {text}" for text in said]
        bodies, joints = (
            [part(k).name for k in range(n)] for part, n in ((model.body, model.nbody), (model.joint, model.njnt))
        )
        self.used = {*bodies, *joints}
        self.bodies = [name or self._free(f"body{k}") for k, name in enumerate(bodies)]
        owners = [self.bodies[body] for body in model.jnt_bodyid]
        self.named = [name or self._free(f"{owners[k]}_joint{k}") for k, name in enumerate(joints)]

    def _free(self, wanted: str) -> str:
        """A name that the file lacks, for what has none in it."""
        found = free(wanted, self.used.__contains__)
        self.used.add(found)
        return found

    def robot(self, name: str) -> Robot:
        """The robot of the model."""
        links, joints = {"world": Link("world", self.place)}, list[Joint]()
        for body in range(1, self.model.nbody):
            for link, joint in self._body(body):
                links[link.name] = link
                joints.append(joint)
        self._count()
        x, y, z = (float(part) for part in self.model.opt.gravity)
        told = (*self.left_out, *(f"{count} x {what}" for what, count in self.others.items()))
        return Robot(name, links, tuple(joints), told, (x, y, z))

    def _body(self, body: int) -> list[tuple[Link, Joint]]:
        """The links of a body, each with the joint that it moves by; a body without joints is fixed."""
        model, name = self.model, self.bodies[body]
        own = list(range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body]))
        placed = Pose(model.body_pos[body] - self._anchor(model.body_parentid[body]), _turn(model.body_quat[body]))
        parent = "world" if model.body_parentid[body] == 0 else self.bodies[model.body_parentid[body]]
        if not own:
            joint = Joint(
                self._free(f"{name}_fixed"), self.place, "fixed", parent, name, placed, np.array([1.0, 0.0, 0.0])
            )
            return [(self._link(body), joint)]
        found, before = [], np.zeros(3)
        for count, number in enumerate(own):
            last = count == len(own) - 1
            link = self._link(body) if last else Link(self._free(f"{name}_{count + 1}"), self.place)
            pose = placed.then(Pose(model.jnt_pos[number] - before))
            found.append((link, self._joint(number, parent, link.name, pose)))
            placed, parent, before = Pose(), link.name, model.jnt_pos[number]
        return found

    def _anchor(self, body: int) -> Vector:
        """Where the axes of the link of a body have their origin."""
        count = self.model.body_jntnum[body]
        return np.asarray(self.model.jnt_pos[self.model.body_jntadr[body] + count - 1]) if count else np.zeros(3)

    def _link(self, body: int) -> Link:
        model, shift = self.model, self._anchor(body)
        inertial = Inertial(float(model.body_mass[body]), np.zeros(3), np.diag(model.body_inertia[body]))
        inertial = inertial.seen_from(Pose(model.body_ipos[body] - shift, _turn(model.body_iquat[body])))
        geoms = range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body])
        looks = [look for geom in geoms if (look := self._look(geom, shift)) is not None]
        return Link(self.bodies[body], self.place, inertial, tuple(looks))

    def _look(self, geom: int, shift: Vector) -> Look | None:
        model = self.model
        pose, (a, b, c) = (
            Pose(model.geom_pos[geom] - shift, _turn(model.geom_quat[geom])),
            model.geom_size[geom].tolist(),
        )
        match int(model.geom_type[geom]):
            case kind if kind == BOX:
                return Look(pose, {"box": [2 * a, 2 * b, 2 * c]})
            case kind if kind == SPHERE:
                return Look(pose, {"sphere": a})
            case kind if kind in (CAPSULE, CYLINDER):
                return Look(pose, {"cylinder": {"radius": a, "length": 2 * b}})
            case kind if kind == MESH:
                return Look(pose, mesh=model.mesh(model.geom_dataid[geom]).name or "mesh")
        self.others["geoms of other kinds, not drawn"] += 1
        return None

    # --- joints -----------------------------------------------------------------------------------------------------

    def _joint(self, number: int, parent: str, child: str, pose: Pose) -> Joint:
        model, name = self.model, self.named[number]
        kind, dof, at = int(model.jnt_type[number]), model.jnt_dofadr[number], model.jnt_qposadr[number]
        if model.dof_frictionloss[dof] != 0:
            self.left_out.append(f"{self.place}: dry friction of joint {name}")
        if kind in (FREE, BALL):
            return self._turning(number, parent, child, pose)
        reference, limited = float(model.qpos0[at]), bool(model.jnt_limited[number])
        if reference != 0:
            self.left_out.append(
                f"{self.place}: the reference {reference:g} of joint {name}, which is counted from it here"
            )
        low, high = (model.jnt_range[number] - reference).tolist()
        return Joint(
            name,
            self.place,
            TYPES[kind],
            parent,
            child,
            pose,
            np.asarray(model.jnt_axis[number]),
            low if limited else None,
            high if limited else None,
            float(model.dof_damping[dof]),
            float(model.dof_armature[dof]),
            float(np.ravel(model.jnt_stiffness[number])[0]),
            float(model.qpos_spring[at]) - reference,
            mimic=self._mimic(number),
        )

    def _turning(self, number: int, parent: str, child: str, pose: Pose) -> Joint:
        """A free joint, whose coordinates are those of the body in the world, or a ball."""
        model, name, dof = self.model, self.named[number], self.model.jnt_dofadr[number]
        kind = int(model.jnt_type[number])
        axes = slice(dof, dof + (6 if kind == FREE else 3))
        for what, values in (("damping", model.dof_damping[axes]), ("armature", model.dof_armature[axes])):
            if np.any(values):
                self.left_out.append(f"{self.place}: {what} of the {TYPES[kind]} joint {name}")
        if np.any(model.jnt_stiffness[number]):
            self.left_out.append(f"{self.place}: the spring of the {TYPES[kind]} joint {name}")
        if model.jnt_limited[number]:
            self.left_out.append(f"{self.place}: the range of the {TYPES[kind]} joint {name}")
        here, start = (Pose(), pose) if kind == FREE else (pose, None)
        return Joint(name, self.place, TYPES[kind], parent, child, here, np.array([0.0, 0.0, 1.0]), start=start)

    def _mimic(self, number: int) -> Mimic | None:
        """The equality that makes a joint follow another in proportion."""
        model = self.model
        for k in range(model.neq):
            if not model.eq_active0[k] or model.eq_type[k] != EQUAL_JOINTS:
                continue
            if model.eq_obj1id[k] == number and model.eq_obj2id[k] >= 0:
                offset, factor, *rest = model.eq_data[k, :5].tolist()
                if not any(rest):
                    return Mimic(self.named[model.eq_obj2id[k]], factor, offset)
        return None

    def _count(self) -> None:
        """Note what the model has besides its tree."""
        model = self.model
        taken = sum(self._mimic(number) is not None for number in range(model.njnt))
        found = {
            "actuators (--torques gives each joint of one coordinate a signal)": model.nu,
            "tendons": model.ntendon,
            "sensors": model.nsensor,
            "equalities": model.neq - taken,
            "pairs for contact": model.npair,
            "geoms of the world, not drawn": model.body_geomnum[0],
            "geoms that may touch": int(((model.geom_contype != 0) | (model.geom_conaffinity != 0)).sum()),
            "fluid around it": int(model.opt.density != 0 or model.opt.viscosity != 0),
            "gravity compensation of bodies": int((model.body_gravcomp != 0).sum()),
            "springs that are not linear": self._curved("jnt_stiffnesspoly"),
            "dampers that are not linear": self._curved("dof_dampingpoly"),
        }
        self.others.update({what: int(count) for what, count in found.items() if count})

    def _curved(self, name: str) -> int:
        """How many rows of coefficients of higher powers are not zero; old versions of MuJoCo have none."""
        values = getattr(self.model, name, None)
        return 0 if values is None else int(np.any(values, axis=-1).sum())


def _turn(quaternion: Vector) -> Vector:
    """The rotation of a quaternion, its scalar part first."""
    w, x, y, z = np.asarray(quaternion) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
