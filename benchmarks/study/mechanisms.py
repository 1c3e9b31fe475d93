"""What the peers are told about each model: equations by hand, the model in sympy.physics.mechanics, the tree of joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from . import forms, kane, pinocchio_loop, trees
from .algebra import At, Form, Math, solve
from .pinocchio_loop import Tree


@dataclass(frozen=True)
class Mechanism:
    """One model for the peers; coordinates in the order of its form.

    `further` are the coordinates whose rates are speeds where no momentum or constraint is embedded. `recursion` gives u'
    by articulated bodies, and `tree` is what Pinocchio takes.
    """

    form: Callable[[At], Form]
    kane: Callable[[], kane.Kane]
    further: Sequence[int] = ()
    recursion: Callable[[At], list[Any]] | None = None
    tree: Tree | None = None

    def rates(self, at: At, coordinates: Sequence[str]) -> list[Any]:
        """dz/dt by the dense form, in the order of the model's own state."""
        form = self.form(at)
        rates = dict(zip(order(coordinates), form.rates, strict=True))
        return [*(rates[k] for k in range(len(rates))), *solve(form.matrix, form.right), *form.beyond]


def at_state(z: Sequence[Any], coordinates: Sequence[str], momenta: Sequence[float], t: Any, math: Math) -> At:
    """A state of ours as the forms take it."""
    places = order(coordinates)
    return At([z[i] for i in places], list(z[len(places) :]), momenta, t, math)


def order(coordinates: Sequence[str]) -> list[int]:
    """Where the forms' coordinates are in ours: places of a centre come last there."""
    last = [name for name in "XYZ" if name in coordinates]
    return [coordinates.index(name) for name in [*(n for n in coordinates if n not in last), *last]]


def mechanism(name: str) -> Mechanism | None:
    """What there is a hand-written form for."""
    if name in _SINGLE:
        return _SINGLE[name]
    family, _, size = name.rpartition("_")
    if family == "space_chain":
        return _in_space(trees.space_chain(int(size)))
    return _cart_chain(int(size)) if family == "cart_chain" else None


def _in_space(links: Sequence[trees.Link]) -> Mechanism:
    n = len(links) - 1
    dense, recursion = partial(trees.dense, links), partial(trees.articulated, links)
    tree = pinocchio_loop.in_space(links)
    return Mechanism(dense, partial(kane.tree, links), range(3 + n, 6 + n), recursion, tree)


def _cart_chain(n: int) -> Mechanism:
    form, model = partial(forms.cart_chain, n), partial(kane.cart_chain, n)
    return Mechanism(form, model, [0], tree=pinocchio_loop.cart_chain(n))


_SINGLE = {
    "cart_pendulum": Mechanism(forms.cart_pendulum, kane.cart_pendulum, [2, 0]),
    "three_bodies": _in_space(trees.three_bodies()),
    "satellite_boom": Mechanism(
        forms.satellite_boom, kane.satellite_boom, [4, 5, 6], tree=pinocchio_loop.satellite_boom()
    ),
    "rolling_disc": Mechanism(forms.rolling_disc, kane.rolling_disc),
    "andrews": Mechanism(forms.andrews, kane.andrews, range(1, 7)),
}
