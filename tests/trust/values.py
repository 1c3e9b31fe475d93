"""Values that no call expects, and what a number or vector may be given as."""

import datetime
import decimal
import fractions
from pathlib import Path

import numpy as np


class Own(Exception):  # noqa: N818
    """What a caller's object raises itself."""


class Evil:
    """An object that fails whoever asks it for anything."""

    def __float__(self):
        raise Own

    __index__ = __len__ = __iter__ = __array__ = __bool__ = __hash__ = __eq__ = __float__

    def __fspath__(self):
        raise Own

    def __repr__(self):
        return "<Evil>"


class Liar:
    """An object that says it is a number and an array, and is none."""

    def __float__(self):
        return "one"

    def __len__(self):
        return -1

    def __array__(self, *_, **__):
        return "none"


def _failing(t, z):
    raise Own


NAN, INF = float("nan"), float("inf")
NEVER = (  # what is no real number and no vector of them, whatever its reading
    1 + 2j, np.complex128(2j), datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.timedelta(1),
    np.datetime64("2020-01-01"),
    np.timedelta64(3, "s"), "", "x", b"1", [], [[]], [1, [2, 3]], [None], ["a"], np.array("a"), np.zeros(0),
    np.zeros((2, 2)), np.zeros(99),
    np.ones(6) * 1j, np.array(["2020"] * 6, dtype="datetime64[Y]"), np.array([None] * 6),
    np.array([(1, 2.0)] * 6, dtype="i4,f8"),
    memoryview(b"abcd"), bytearray(b"ab"), {1: 2}, {"nobody": 1}, {"x": "a"}, {"x": 1j}, {"m": [1, 2, 3]},
    {"theta": datetime.date(2020, 1, 1)}, set(), frozenset({1}),
    object(), int, type, ..., slice(1), Path("nowhere"), Evil(), Liar(), [Evil()] * 6, [Liar()] * 6,
    lambda: 1, (n for n in range(3)), "1.5", "\x00", "a" * 5000, ["1"] * 6, [1j] * 6,
)  # fmt: skip
DOUBTFUL = (  # what may be a number, and mostly is a bad one
    NAN, INF, -INF, None, True, False, 10**400, -(10**400), -1, 0, 1e308, -1e308, 5e-324, 1e-300, 3, 0.5,
    decimal.Decimal("1.5"), decimal.Decimal("NaN"),
    fractions.Fraction(1, 3), np.float16(1), np.longdouble(1), np.uint64(2**64 - 1), np.float64(NAN), [NAN] * 6,
    [INF] * 6, [0.1] * 6, range(6), np.ma.masked,
    np.ma.masked_array(np.ones(6), mask=[1, 0, 0, 0, 0, 1]), np.ones(6, dtype=">f8"), np.ones(12)[::2],
    np.ones(6)[::-1], np.ones(6, dtype=bool), np.full(6, 2**63, dtype="u8"),
    np.ones((6, 1)), np.ones((1, 6)), {}, {"x": NAN}, {"m": NAN}, {"m": -1}, {"m": 0}, {"x": None}, {"push": NAN},
    {"push": ([0, 1], [0, NAN])}, {"push": ([1, 0], [0, 1])},
    {"push": lambda t, z: NAN}, {"push": lambda t, z: "a"}, {"push": lambda t, z: 1j}, {"push": _failing},
    {"push": ([], [])}, {"x": np.zeros((2, 3))}, {"x": [0.1, 0.2]},
)  # fmt: skip
