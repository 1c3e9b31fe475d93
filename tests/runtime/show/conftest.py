import pytest

SCENE = """
schema = 1
name = "hostile"
about = "</script><img src=x onerror=alert(1)>"
[parameters]
l = { value = 0.8, unit = "m", about = "</script><b>m& <script>alert(2)</script>" }
m = { value = 1, unit = "kg" }
k = 40
g = 9.81
[signals]
wind = 3
[coordinates]
angle = { initial = 1.0, unit = "rad" }
slide = { initial = 0.2, rate = 0.5, unit = "m" }
[frames]
Cart = {}
Rod = { rotate = [["y", "angle"]] }
[points]
C = { at = ["slide", 0, 0] }
G = { from = "C", in = "Rod", at = [0, 0, "-l/2"] }
tip = { from = "C", in = "Rod", at = [0, 0, "-l"] }
wall = { at = [-1, 0, 0] }
[bodies]
cart = { mass = "2*m", center = "C", frame = "Cart", shape = { box = [0.4, 0.2, 0.15] } }
rod = { mass = "m", center = "G", frame = "Rod", shape = { rod = { length = "l", axis = "z" } } }
weight = { mass = "m/2", center = "tip" }
[gravity]
N = [0, 0, "-g"]
[springs]
spring = { between = ["wall", "C"], stiffness = "k", length = 1 }
[forces]
push = { at = "tip", vector = ["2*sin(3*t)", 0, 0] }
drag = { at = "tip", in = "Rod", vector = ["-0.1*dot(velocity(tip), Rod.x)", "der(slide)*dot(omega(Rod), N.y)", "wind*0.01"] }
[simulation]
t_end = 3
dt = 0.02
"""


@pytest.fixture(scope="session")
def run(compiled):
    """A cart on a spring with a rod and a weight; its texts mean harm."""
    return compiled(SCENE).simulate()
