"""What pictures show of a mechanism, beside the oracle: where points are, how bodies are turned, sizes, forces and gravity."""

import numpy as np

from tests.differential.jets import value
from tests.differential.motion import AXES
from tests.differential.numbers import TOLERANCE, Mismatch
from tests.differential.oracle import Mechanism
from tests.differential.specs import JOINED
from volterra_cg.kinematics.scene import scene_nodes
from volterra_cg.program.interpret import interpret


def compare(own):
    """The scene at all states, as it is and with a force that depends on the motion of a point and of a frame."""
    of_system(own, own.system, own.mechanism.spec)
    spec, whole = own.case.spec, own.mechanism.spec
    other, *_, point = ("O", *spec.get("points", {}))[-2:]
    frame = next(iter(spec.get("frames", {})), None)
    if JOINED not in spec and frame:
        place = f"dot(position({point}, {other}), {frame}.x)"
        turn = f"dot(cross(omega({frame}), position({point})), 2*velocity({point}) + {frame}.y)"
        force = {"told": {"at": point, "in": frame, "vector": [place, turn, f"norm(velocity({point})) + 1"]}}
        _, system = own.read(spec | {"forces": spec.get("forces", {}) | force})
        of_system(own, system, whole | {"forces": whole.get("forces", {}) | force})


def of_system(own, system, spec):
    """One scene; the spec is what the oracle reads."""
    scene, mechanism = scene_nodes(system), Mechanism(spec)
    if scene.described["size"] != len(scene.nodes):
        raise Mismatch("picture: wrong size", f"{scene.described['size']} for {len(scene.nodes)} numbers")
    for state in own.states:
        inputs = scene.inputs
        known = {node: state.parameters[node.name] for node in inputs.parameters}
        known |= {node: state.signals[node.name] for node in inputs.signals}
        known |= dict(zip((*inputs.coordinates, *inputs.rates), (*state.q, *state.rates), strict=True))
        numbers = np.array(interpret(list(scene.nodes), known | {inputs.time: state.t}), dtype=float)
        place = mechanism.at(state.q, state.rates, state.t, state.parameters, state.signals)
        Picture(own, system, place, scene.described, numbers).compare()


class Picture:
    """One picture: what is described, its numbers, and the oracle's place."""

    def __init__(self, own, system, place, described, numbers):
        self.own, self.system, self.place, self.spec = own, system, place, place.spec
        self.described, self.numbers = described, numbers

    def compare(self):
        bodies = {told["name"]: told for told in self.described["bodies"]}
        same("bodies", list(bodies), list(self.spec["bodies"]))
        for name, body in self.spec["bodies"].items():
            self.body(bodies[name], body)
        scene = self.system.scene
        for kind in ("lines", "joints", "arrows"):
            same(kind, len(self.described[kind]), len(getattr(scene, kind)))
        for told, line in zip(self.described["lines"], scene.lines, strict=True):
            same("lines", (told["kind"], told["name"]), (line.kind, line.name))
            self.reach("lines", told["first"], line.first)
            self.reach("lines", told["second"], line.second)
        for told, name in zip(self.described["joints"], scene.joints, strict=True):
            self.reach("joints", told, name)
        arrows = {told["name"]: told for told in self.described["arrows"]}
        same("arrows", set(arrows), set(self.spec.get("forces", {})))
        for name, force in self.spec.get("forces", {}).items():
            told = arrows[name]
            self.close("arrows", told["at"], self.point(force["at"]))
            self.close("arrows", told["vector"], self.axes(force.get("in", "N")) @ self.triple(force["vector"]))
        for frame, vector in self.spec.get("gravity", {}).items():
            self.close("gravity", self.described["gravity"], self.axes(frame) @ self.triple(vector))

    def body(self, told, body):
        """A body where it is, turned as it is, with its shape, or with its inertia and the axis that it turns about."""
        self.close("centers", told["at"], self.point(body["center"]))
        self.close("masses", told["mass"], self.value(body["mass"]))
        inertia = self.place.inertia(body)
        same("axes", "axes" in told, inertia is not None)
        if inertia is None:
            return
        axes = self.axes(body["frame"])
        self.close("axes", told["axes"], axes)
        if "shape" in body:
            self.shape(told, body["shape"])
            return
        self.close("inertias", told["inertia"], axes.T @ inertia @ axes)
        if not self.own.case.spec.get(JOINED):  # there the frame of a body is that of its joint
            same("spins", told.get("spin"), self.spin(body["frame"]))

    def shape(self, told, shape):
        ((kind, given),) = shape.items()
        same("shapes", told["shape"], kind)
        sizes = given if isinstance(given, dict) else {"": given}
        same("axes of shapes", told["axis"], AXES.index(sizes.get("axis", "x" if kind == "rod" else "z")))
        sizes = [part for key, part in sizes.items() if key != "axis"]
        sizes = [self.value(part) for part in (sizes[0] if isinstance(sizes[0], list) else sizes)]
        same("sizes", told["count"], len(sizes))
        self.close("sizes", told["sizes"], np.array(sizes))

    def spin(self, frame):
        """The number of the axis that a frame turns about last, if it is one of its own."""
        turns = self.spec.get("frames", {}).get(frame, {}).get("rotate", ())
        if not turns:
            return None
        axis = np.abs(self.place.axis(turns[-1][0]))
        return int(np.argmax(axis)) if axis.max() == 1.0 else None

    def reach(self, what, offset, name):
        """A point by its name; those of joints have names of their own."""
        body = name.removesuffix("_center")
        if name == "O" or name in self.spec["points"]:
            self.close(what, offset, self.point(name))
        elif body != name and body in self.spec["bodies"]:
            self.close(what, offset, self.point(self.spec["bodies"][body]["center"]))

    def value(self, text):
        return value(self.place.expr(text))

    def triple(self, texts):
        return np.array([self.value(text) for text in texts])

    def point(self, name):
        return value(self.place.point(str(name)))

    def axes(self, frame):
        return value(self.place.frame(frame))

    def close(self, what, offset, theirs):
        theirs = np.ravel(theirs)
        ours = self.numbers[offset : offset + theirs.size]
        if ours.shape != theirs.shape or not abs(ours - theirs).max() <= TOLERANCE * max(1.0, abs(theirs).max()):
            raise Mismatch(f"picture: wrong {what}", f"{what} are {ours}, the oracle says {theirs}")
        self.own.tally.add("quantity", "pictures")


def same(what, ours, theirs):
    if ours != theirs:
        raise Mismatch(f"picture: wrong {what}", f"{what} are {ours}, the oracle says {theirs}")
