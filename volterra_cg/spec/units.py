"""Units that exist: those of SI with their prefixes, and some that people use beside them."""

from __future__ import annotations

import re

_PREFIXES = ("", "Y", "Z", "E", "P", "T", "G", "M", "k", "h", "da", "d", "c", "m", "u", "µ", "n", "p", "f", "a")
_PREFIXED = """m g s A K mol cd rad N J W Pa Hz V C F T H Wb S ohm eV bar L l"""
_PLAIN = """1 % deg ° sr turn rev rpm min h d day yr year t lb lbf ft in inch mi kn kt au AU pc atm psi hp lm lx
degC °C cal kcal Ω arcmin arcsec"""
KNOWN = frozenset(prefix + unit for unit in _PREFIXED.split() for prefix in _PREFIXES) | frozenset(_PLAIN.split())
_FACTOR = re.compile(r"([^\W\d_]+|[%°]C?|1)(?:\^?(-?\d+))?")


def unknown(unit: str) -> str | None:
    """The part of a unit that is none, or None; factors are set apart by spaces, *, · or /, with powers as m^2."""
    for part in re.split(r"[\s*·/()]+", unit.replace("**", "^")):
        found = _FACTOR.fullmatch(part)
        if part and (found is None or found[1] not in KNOWN):
            return part
    return None
