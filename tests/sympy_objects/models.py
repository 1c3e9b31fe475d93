"""Mechanisms as one writes them for sympy, and their accelerations by sympy."""

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

T = me.dynamicsymbols._t


def pendulum():
    """A System of sympy's: a rod on a pin, with a damper in the pin."""
    length, m, g, c = sm.symbols("l m g c")
    wall = me.RigidBody("wall")
    rod = me.RigidBody("rod", mass=m)
    rod.central_inertia = me.inertia(rod.frame, 0, m * length**2 / 12, m * length**2 / 12)
    system = me.System.from_newtonian(wall)
    pin = me.PinJoint("pin", wall, rod, child_point=-length / 2 * rod.x, joint_axis=wall.z)
    system.add_joints(pin)
    system.apply_uniform_gravity(-g * wall.y)
    system.add_actuators(me.TorqueActuator.at_pin_joint(-c * pin.speeds[0], pin))
    return system, {length: 0.7, m: 1.3, g: 9.81, c: 0.05}


def arm():
    """A turning arm with a pendulum on it, a spring to the ground, a damper and a motor; bodies and loads in Kane."""
    length, m, g, k, c, rest = sm.symbols("l m g k c rest")
    torque = me.dynamicsymbols("tau")
    wall, beam, bob = me.RigidBody("wall"), me.RigidBody("beam"), me.Particle("bob", mass=m)
    system = me.System.from_newtonian(wall)
    shoulder = me.PinJoint("shoulder", wall, beam, joint_axis=wall.z)
    swing = me.ReferenceFrame("swing")
    q, u = me.dynamicsymbols("theta thetad")
    swing.orient_axis(beam.frame, q, beam.x)
    tip = beam.masscenter.locatenew("tip", length * beam.x)
    bob.masscenter.set_pos(tip, -length / 3 * swing.z)
    hook = wall.masscenter.locatenew("hook", 2 * length * wall.x + length * wall.z)
    hook.set_vel(wall.frame, 0)
    system.add_joints(shoulder)
    system.add_bodies(bob)
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff())
    for point in (tip, bob.masscenter):
        point.set_vel(wall.frame, point.pos_from(wall.masscenter).dt(wall.frame))
    line = me.LinearPathway(hook, bob.masscenter)
    system.add_actuators(me.LinearSpring(k, line, rest), me.LinearDamper(c, line))
    system.add_actuators(me.TorqueActuator.at_pin_joint(torque, shoulder))
    system.add_loads(me.Force(bob.masscenter, -m * g * wall.z))
    inertia = sm.symbols("beam_ixx beam_iyy beam_izz beam_ixy beam_iyz beam_izx beam_mass")
    values = {length: 0.6, m: 0.4, g: 9.81, k: 30.0, c: 0.7, rest: 0.5, torque: 0.3}
    return system, values | dict(zip(inertia, (0.1, 0.2, 0.25, 0, 0, 0, 2), strict=True))


def top():
    """A heavy top, in rates along its own axes."""
    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    m, length, a, c, g = sm.symbols("m l A C g")
    ground, axes, fixed = me.ReferenceFrame("I"), me.ReferenceFrame("N"), me.Point("O")
    axes.orient_body_fixed(ground, q, "ZXZ")
    spin = axes.ang_vel_in(ground)
    equations = [spin.dot(axis) - speed for axis, speed in zip(axes, u, strict=True)]
    axes.set_ang_vel(ground, sum((s * axis for s, axis in zip(u, axes, strict=True)), me.Vector(0)))
    fixed.set_vel(ground, 0)
    center = fixed.locatenew("G", length * axes.z)
    center.v2pt_theory(fixed, ground, axes)
    body = me.RigidBody("top", center, axes, m, (me.inertia(axes, a, a, c), center))
    kane = me.KanesMethod(ground, q, u, equations)
    kane.kanes_equations([body], [(center, -m * g * ground.z)])
    return kane, {m: 0.8, length: 0.2, a: 0.012, c: 0.008, g: 9.81, q[1]: 0.4}


def sprung_disc():
    """The rolling disc with a spring from a point of it to the ground below."""
    return rolling_disc(sprung=True)


def rolling_disc(sprung=False):
    """A disc that rolls: the point that touches the ground is at rest, and nothing says where it is."""
    q, u = me.dynamicsymbols("yaw lean roll"), me.dynamicsymbols("u1:4")
    r, m, g = sm.symbols("r m g")
    ground, contact = me.ReferenceFrame("N"), me.Point("contact")
    yawed = ground.orientnew("Y", "Axis", [q[0], ground.z])
    leaning = yawed.orientnew("L", "Axis", [q[1], yawed.x])
    disc = leaning.orientnew("D", "Axis", [q[2], leaning.y])
    spin = disc.ang_vel_in(ground)
    equations = [spin.dot(axis) - speed for axis, speed in zip(leaning, u, strict=True)]
    disc.set_ang_vel(ground, sum((s * axis for s, axis in zip(u, leaning, strict=True)), me.Vector(0)))
    contact.set_vel(ground, 0)
    center = contact.locatenew("center", r * leaning.z)
    center.v2pt_theory(contact, ground, disc)
    inertia = me.inertia(leaning, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4)
    body = me.RigidBody("disc", center, disc, m, (inertia, center))
    loads = [(center, -m * g * ground.z)]
    values = {r: 0.3, m: 1.5, g: 9.81, q[1]: 0.2, u[1]: 3.0}
    if sprung:
        held = center.locatenew("held", r / 2 * disc.x)
        held.v2pt_theory(center, ground, disc)
        loads += me.LinearSpring(sm.Symbol("k"), me.LinearPathway(contact, held), r / 3).to_loads()
        values |= {sm.Symbol("k"): 20}
    kane = me.KanesMethod(ground, q, u, equations)
    kane.kanes_equations([body], loads)
    return kane, values


def four_bar():
    """Three links on pins, the last of which ends at a fixed point."""
    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    lengths, rho, g = sm.symbols("l1:4"), *sm.symbols("rho g")
    base = sm.Symbol("base")
    ground, at = me.ReferenceFrame("N"), me.Point("O")
    at.set_vel(ground, 0)
    start, bodies, loads = at, [], []
    for n, (angle, speed, length) in enumerate(zip(q, u, lengths, strict=True), 1):
        turned = ground.orientnew(f"A{n}", "Axis", [angle, ground.z])
        turned.set_ang_vel(ground, speed * ground.z)
        middle, end = at.locatenew(f"G{n}", length / 2 * turned.x), at.locatenew(f"P{n}", length * turned.x)
        middle.v2pt_theory(at, ground, turned)
        end.v2pt_theory(at, ground, turned)
        m = rho * length
        bodies.append(
            me.RigidBody(f"link{n}", middle, turned, m, (me.inertia(turned, 0, 0, m * length**2 / 12), middle))
        )
        loads.append((middle, -m * g * ground.y))
        at = end
    loop = at.pos_from(start) - base * ground.x
    closed = [loop.dot(ground.x), loop.dot(ground.y)]
    kane = me.KanesMethod(
        ground, q[:1], u[:1], [speed - angle.diff() for angle, speed in zip(q, u, strict=True)],
        q_dependent=q[1:], configuration_constraints=closed, u_dependent=u[1:],
        velocity_constraints=[row.diff(T) for row in closed],
    )  # fmt: skip
    kane.kanes_equations(bodies, loads)
    values = dict(zip(lengths, (0.4, 1.0, 0.8), strict=True)) | {rho: 2.0, g: 9.81, base: 0.9}
    return kane, values | {q[0]: 1.2, q[1]: 0.3, q[2]: -1.5}


def cart_and_bobs():
    """Two bobs below a cart that is pushed, by Lagrange's equations."""
    x, a, b = q = me.dynamicsymbols("x a b")
    m, length, g, k = sm.symbols("m l g k")
    push = me.dynamicsymbols("push")
    ground, fixed = me.ReferenceFrame("N"), me.Point("O")
    fixed.set_vel(ground, 0)
    at, bodies, height = fixed.locatenew("P0", x * ground.x), [], 0
    at.set_vel(ground, x.diff() * ground.x)
    bodies.append(me.Particle("cart", at, 2 * m))
    for n, angle in enumerate((a, b), 1):
        frame = ground.orientnew(f"A{n}", "Axis", [angle, ground.z])
        end = at.locatenew(f"P{n}", -length * frame.y)
        end.v2pt_theory(at, ground, frame)
        bodies.append(me.Particle(f"bob{n}", end, m))
        height += sm.cos(angle)
        bodies[-1].potential_energy = -m * g * length * height
        at = end
    bodies[0].potential_energy = k * x**2 / 2
    lagrangian = me.Lagrangian(ground, *bodies)
    forces = [(bodies[0].masscenter, push * ground.x), (at, -0.1 * at.vel(ground))]
    method = me.LagrangesMethod(lagrangian, q, forcelist=forces, bodies=bodies, frame=ground)
    method.form_lagranges_equations()
    return method, {m: 0.5, length: 0.6, g: 9.81, k: 8.0, push: 1.5}


def sleigh():
    """A blade that slides along itself, with its mass behind it, in speeds along its own axes."""
    x, y, heading = q = me.dynamicsymbols("x y psi")
    u = me.dynamicsymbols("v w side")
    m, inertia, a = sm.symbols("m J a")
    ground, fixed = me.ReferenceFrame("N"), me.Point("O")
    fixed.set_vel(ground, 0)
    body = ground.orientnew("S", "Axis", [heading, ground.z])
    blade = fixed.locatenew("blade", x * ground.x + y * ground.y)
    blade.set_vel(ground, x.diff() * ground.x + y.diff() * ground.y)
    velocity = blade.vel(ground)
    equations = [u[0] - velocity.dot(body.x), u[1] - heading.diff(), u[2] - velocity.dot(body.y)]
    center = blade.locatenew("G", -a * body.x)
    center.v2pt_theory(blade, ground, body)
    sled = me.RigidBody("sled", center, body, m, (me.inertia(body, 0, 0, inertia), center))
    kane = me.KanesMethod(ground, q, u[:2], equations, u_dependent=u[2:], velocity_constraints=[u[2]])
    kane.kanes_equations([sled], [])
    return kane, {m: 3.0, inertia: 0.4, a: 0.25}


def tumbler():
    """A free body, turned by a quaternion."""
    e, x = me.dynamicsymbols("e0:4"), me.dynamicsymbols("x1:4")
    w, v = me.dynamicsymbols("w1:4"), me.dynamicsymbols("v1:4")
    a, b, c, m, k = sm.symbols("A B C m k")
    ground, fixed = me.ReferenceFrame("N"), me.Point("O")
    fixed.set_vel(ground, 0)
    axes = ground.orientnew("F", "Quaternion", e)
    axes.set_ang_vel(ground, sum((s * axis for s, axis in zip(w, axes, strict=True)), me.Vector(0)))
    center = fixed.locatenew("P", sum((s * axis for s, axis in zip(x, ground, strict=True)), me.Vector(0)))
    center.set_vel(ground, sum((s * axis for s, axis in zip(v, ground, strict=True)), me.Vector(0)))
    body = me.RigidBody("body", center, axes, m, (me.inertia(axes, a, b, c), center))
    equations = me.kinematic_equations(w, e, "Quaternion") + [q.diff() - s for q, s in zip(x, v, strict=True)]
    kane = me.KanesMethod(ground, [*e, *x], [*w, *v], equations)
    kane.kanes_equations([body], [(center, -k * x[0] * axes.x), (axes, -k * w[1] * axes.z)])
    return kane, {a: 1, b: 2, c: 2.5, m: 3, k: 4.0, w[0]: 1.0}


CLASSICS = (pendulum, arm, top, rolling_disc, sprung_disc, four_bar, cart_and_bobs, sleigh, tumbler)


# --- by sympy ----------------------------------------------------------------------------------------------------------


class Theirs:
    """States that a model of sympy allows, and q'' at them by its own equations."""

    def __init__(self, model, values):
        if isinstance(model, me.System):
            model.form_eoms()
            model = model.eom_method
        self.model, self.values = model, values
        self.q = list(model.q)
        self.lagrange = isinstance(model, me.LagrangesMethod)
        self.u = [q.diff() for q in self.q] if self.lagrange else list(model.u)
        states = {*self.q, *self.u}
        self.numbers = {symbol: value for symbol, value in values.items() if symbol not in states}
        self.full = self._function([model.mass_matrix_full, model.forcing_full])
        if not self.lagrange:
            rates = sm.Matrix([model.kindiffdict()[q.diff()] for q in self.q])
            self.rates = self._function([rates, rates.jacobian(self.q), rates.jacobian(self.u)])
            closed = sm.Matrix(model._f_h)
            self.gaps = self._function([closed, closed.jacobian(self.q)]) if model._f_h else None
            self.rows = self._function([model._k_nh, model._f_nh]) if model._k_nh else None

    def _function(self, expressions):
        whole = [sm.Matrix(part).xreplace(self.numbers) for part in expressions]
        inputs = sm.symbols(f"s:{len(self.q) + len(self.u)}")
        swap = dict(zip([*self.u, *self.q], inputs, strict=True))
        found = sm.lambdify(inputs, [part.xreplace(swap) for part in whole], "numpy")
        return lambda q, u: [np.array(part, float) for part in found(*u, *q)]

    def states(self, count=3):
        """Coordinates and speeds near the start, on the constraints."""
        random = np.random.default_rng(5)
        for _ in range(count):
            q = np.array([float(self.values.get(q, 0)) for q in self.q]) + 0.2 * random.normal(size=len(self.q))
            u = random.normal(size=len(self.u))
            if not self.lagrange and self.gaps is not None:
                for _ in range(30):
                    gap, slope = self.gaps(q, u)
                    q = q - np.linalg.pinv(slope) @ gap.ravel()
            if not self.lagrange and self.rows is not None:
                rows, rest = self.rows(q, u)
                u = u - np.linalg.pinv(rows) @ (rows @ u + rest.ravel())
            if q.size and self.q[0].func.__name__ == "e0":
                q[:4] /= np.linalg.norm(q[:4])
            yield q, u

    def motion(self, q, u):
        """q' and q''."""
        matrix, right = self.full(q, u)
        found = np.linalg.solve(matrix, right.ravel())
        count = len(self.q)
        if self.lagrange:
            return u, found[count : 2 * count]
        rates, by_q, by_u = self.rates(q, u)
        rates = rates.ravel()
        return rates, by_q @ rates + by_u @ found[count : count + len(self.u)]


# --- the bicycle of Meijaard, Papadopoulos, Ruina and Schwab, 2007 -----------------------------------------------------

BICYCLE = {
    "w": 1.02, "c": 0.08, "tilt": float(np.pi / 10), "g": 9.81,
    "r_R": 0.3, "m_R": 2, "I_Rxx": 0.0603, "I_Ryy": 0.12,
    "x_B": 0.3, "z_B": -0.9, "m_B": 85, "I_Bxx": 9.2, "I_Bxz": 2.4, "I_Byy": 11, "I_Bzz": 2.8,
    "x_H": 0.9, "z_H": -0.7, "m_H": 4, "I_Hxx": 0.05892, "I_Hxz": -0.00756, "I_Hyy": 0.06, "I_Hzz": 0.00708,
    "r_F": 0.35, "m_F": 3, "I_Fxx": 0.1405, "I_Fyy": 0.28,
}  # fmt: skip
# weave, capsize and castering at a forward speed, from the paper's tables
EIGENVALUES = {
    0.0: (-5.530943717653928, -3.131643247906562, 3.131643247906562, 5.530943717653928),
    5.0: (-14.078389692798220, -0.775341882195845 - 4.464867713788229j, -0.775341882195845 + 4.464867713788229j,
          -0.322866429004087),
}  # fmt: skip


def bicycle():
    """What from_sympy takes for the bicycle: wheels that roll on z = 0, of which the rear one is placed on it."""
    p = {name: sm.Symbol(name) for name in BICYCLE}
    x, y, yaw, lean, pitch, steer, rear, front = q = me.dynamicsymbols("x y yaw lean pitch steer rear front")
    ground, fixed = me.ReferenceFrame("N"), me.Point("O")
    fixed.set_vel(ground, 0)
    frames, parent = {}, ground
    for name, angle, axis in (
        ("A", yaw, "z"), ("L", lean, "x"), ("B", pitch, "y"), ("S", p["tilt"], "y"), ("T", steer, "z"),
        ("H", -p["tilt"], "y"),
    ):  # fmt: skip
        frames[name] = parent = parent.orientnew(name, "Axis", [angle, getattr(parent, axis)])
    frames["R"] = frames["B"].orientnew("R", "Axis", [rear, frames["B"].y])
    frames["F"] = frames["H"].orientnew("F", "Axis", [front, frames["H"].y])

    touch = fixed.locatenew("touch", x * ground.x + y * ground.y)
    hub = touch.locatenew("hub", -p["r_R"] * frames["L"].z)
    frame = hub.locatenew("frame", p["x_B"] * frames["B"].x + (p["z_B"] + p["r_R"]) * frames["B"].z)
    head = hub.locatenew("head", (p["w"] + p["c"]) * frames["B"].x + p["r_R"] * frames["B"].z)
    fork = head.locatenew("fork", (p["x_H"] - p["w"] - p["c"]) * frames["H"].x + p["z_H"] * frames["H"].z)
    nave = head.locatenew("nave", -p["c"] * frames["H"].x - p["r_F"] * frames["H"].z)

    for point in (touch, hub, frame, head, fork, nave):
        point.vel(ground)  # in this order, sympy finds each in one way

    up = ground.z.dot(frames["H"].y)
    down = p["r_F"] * (ground.z - up * frames["H"].y) / sm.sqrt(1 - up**2)
    slips = [
        hub.vel(ground) + frames["R"].ang_vel_in(ground).cross(p["r_R"] * frames["L"].z),
        nave.vel(ground) + frames["F"].ang_vel_in(ground).cross(down),
    ]
    i = me.inertia
    wheels = [
        me.RigidBody(f"{name}_wheel", center, frames[k], p[f"m_{k}"], (
            i(frames[k], p[f"I_{k}xx"], p[f"I_{k}yy"], p[f"I_{k}xx"]), center))
        for name, center, k in (("rear", hub, "R"), ("front", nave, "F"))
    ]  # fmt: skip
    rest = [
        me.RigidBody(name, center, frames[k], p[f"m_{k}"], (
            i(frames[k], p[f"I_{k}xx"], p[f"I_{k}yy"], p[f"I_{k}zz"], izx=p[f"I_{k}xz"]), center))
        for name, center, k in (("rider", frame, "B"), ("handlebar", fork, "H"))
    ]  # fmt: skip
    bodies = [*wheels, *rest]
    speeds = dict(zip(q, me.dynamicsymbols("u:8"), strict=True))
    return {
        "frame": ground,
        "bodies": bodies,
        "loads": [me.Force(body.masscenter, body.mass * p["g"] * ground.z) for body in bodies],
        "q": [state for state in q if state != pitch],
        "q_dependent": [pitch],
        "u": [speeds[state] for state in (lean, steer, rear)],
        "u_dependent": [speeds[state] for state in (x, y, yaw, pitch, front)],
        "kd_eqs": [state.diff() - speed for state, speed in speeds.items()],
        "configuration_constraints": [(nave.pos_from(fixed) + down).dot(ground.z)],
        "velocity_constraints": [slip.dot(axis) for slip in slips for axis in (ground.x, ground.y)],
        "values": BICYCLE,
    }


class Ridden:
    """The bicycle by sympy: Kane's equations of its free bodies, to which multipliers hold the constraints in numbers."""

    def __init__(self, told):
        self.q, speeds = [*told["q"], *told["q_dependent"]], [*told["u"], *told["u_dependent"]]
        kane = me.KanesMethod(told["frame"], self.q, speeds, told["kd_eqs"])
        kane.kanes_equations(told["bodies"], told["loads"])
        rates = [q.diff() for q in self.q]
        by_rates = {speed: rate for rate, speed in kane.kindiffdict().items()}
        order = sm.Matrix([by_rates[u] for u in kane.u]).jacobian(rates)  # of its speeds among the rates
        closed = sm.Matrix(told["configuration_constraints"])
        rows = sm.Matrix([*closed.diff(T), *told["velocity_constraints"]])
        slopes = rows.jacobian(rates)
        bias = rows.jacobian(self.q) * sm.Matrix(rates)
        parts = [order.T * kane.mass_matrix * order, order.T * kane.forcing, slopes, bias, closed]
        numbers = {sm.Symbol(name): value for name, value in told["values"].items()}
        inputs = sm.symbols(f"s:{2 * len(self.q)}")
        swap = dict(zip([*rates, *self.q], inputs, strict=True))
        parts = [part.xreplace(by_rates).xreplace(numbers).xreplace(swap) for part in parts]
        found = sm.lambdify(inputs, parts, "numpy", cse=True)
        self.parts = lambda q, rates: [np.array(part, float) for part in found(*rates, *q)]

    def states(self, count=3):
        """Coordinates and rates on the constraints."""
        random = np.random.default_rng(2)
        for _ in range(count):
            q, rates = 0.2 * random.normal(size=len(self.q)), random.normal(size=len(self.q))
            for _ in range(30):
                *_, slopes, _, gap = self.parts(q, rates)
                q = q - np.linalg.pinv(slopes[:1]) @ gap.ravel()
            slopes = self.parts(q, rates)[2]
            yield q, rates - np.linalg.pinv(slopes) @ slopes @ rates

    def accelerations(self, q, rates):
        """q''."""
        mass, force, slopes, bias, _ = self.parts(q, rates)
        zero = np.zeros((len(slopes), len(slopes)))
        whole = np.block([[mass, slopes.T], [slopes, zero]])
        return np.linalg.solve(whole, np.concatenate([force.ravel(), -bias.ravel()]))[: len(q)]
