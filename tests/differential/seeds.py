"""The mechanisms of the bounded run, by their seeds."""

INTERPRETED, COMPILED = 150, 10  # the first ones
JOINTED = {
    800076: "free",
    800124: "planar",
    800130: "cylindrical",
    800012: "prismatic",
    800039: "universal",
    800037: "revolute",
}
HUNG = {
    6500109: "rods to the ground",
    6500009: "rods to carriages",
    6510359: "legs in the plane",
    6510384: "a rod and a leg in space",
    6510134: "a quaternion on rods",
    6522134: "three legs in space, by the speeds of their ends",
}
ONCE_WRONG = {  # seeds of long runs
    2000112: "a rate in a function of the state",
    2000533: "divisors of motion that nobody watched in the shape order",
    2000895: "other quasi-velocities that contain an ignorable rate too",
    4000364: "a constraint in small units, taken for none beside the others",
    6003136: "a joint's reaction beside a constraint that holds by itself",
}
BOUNDED = (*range(INTERPRETED), *JOINTED, *HUNG, *ONCE_WRONG)
