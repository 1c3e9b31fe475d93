"""From direction cosines back to the turns that they come from: sympy keeps only the matrix of an orientation."""

from __future__ import annotations

from sympy import Expr, Integer, Matrix, cos, expand, eye, sin

from volterra_cg.spec.entities import Cosines, Quaternion, Rotation, Turn
from volterra_cg.system.inertia import rotation_matrix

_AXES = tuple(tuple(Integer(int(i == k)) for i in range(3)) for k in range(3))
MOST = 3  # turns in a row


def rotations(cosines: Matrix) -> tuple[Rotation[Expr], ...]:
    """The turns whose product a matrix is, the quaternion that it comes from, or the matrix itself.

    Column j of the matrix holds the child's axis j in the parent.
    """
    turns = _turns(cosines, MOST)
    if turns is not None:
        return turns
    quaternion = _quaternion(cosines)
    if quaternion is not None:
        return (quaternion,)
    x, y, z = (tuple(cosines.row(i)) for i in range(3))
    return (Cosines((x, y, z)),)


def _turns(cosines: Matrix, most: int) -> tuple[Turn[Expr], ...] | None:
    """One turn about any axis, or a turn about an axis of the parent and what is left of the matrix without it."""
    if cosines == eye(3):
        return ()
    angles = sorted({part.args[0] for part in cosines.atoms(sin, cos)}, key=str)
    if not angles or most == 0:
        return None
    if len(angles) == 1:
        return _single(cosines, angles[0])
    for angle in angles:
        rest = cosines.xreplace({sin(angle): Integer(0), cos(angle): Integer(1)})
        for turn in (Turn(axis, sign * angle) for axis in _AXES for sign in (1, -1)):
            if _equal(cosines, rotation_matrix(turn) * rest):
                found = _turns(rest, most - 1)
                if found is not None:
                    return (turn, *found)
    return None


def _single(cosines: Matrix, angle: Expr) -> tuple[Turn[Expr], ...] | None:
    """A turn about the axis that the part of the matrix which changes its sign shows."""
    odd = (cosines - cosines.T) / 2
    x, y, z = (expand(part).coeff(sin(angle)) for part in (odd[2, 1], odd[0, 2], odd[1, 0]))
    turn = Turn[Expr]((x, y, z), angle)
    return (_upright(turn),) if _equal(cosines, rotation_matrix(turn)) else None


def _quaternion(cosines: Matrix) -> Quaternion[Expr] | None:
    """The quaternion of four symbols whose homogeneous matrix this is; w x, w y and w z are what changes its sign."""
    odd = (cosines - cosines.T).applyfunc(expand) / 4
    products = [odd[2, 1], odd[0, 2], odd[1, 0]]
    common = set.intersection(*(part.free_symbols for part in products))
    if len(common) != 1 or len(cosines.free_symbols) != 4:
        return None
    w = common.pop()
    x, y, z = (part / w for part in products)
    skew = Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    along = Matrix([x, y, z])
    same = _equal(cosines, (w**2 - x**2 - y**2 - z**2) * eye(3) + 2 * w * skew + 2 * along * along.T)
    return Quaternion((w, x, y, z)) if same else None


def _upright(turn: Turn[Expr]) -> Turn[Expr]:
    """A turn against an axis of coordinates as one about it by the opposite angle."""
    x, y, z = (-part for part in turn.axis)
    return Turn((x, y, z), -turn.angle) if (x, y, z) in _AXES else turn


def _equal(ours: Matrix, theirs: Matrix) -> bool:
    """Whether two matrices are the same when multiplied out."""
    return all(expand(part) == 0 for part in ours - theirs)
