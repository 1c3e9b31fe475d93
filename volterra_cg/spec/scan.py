"""A look at TOML text before it is parsed: whether it holds more than the limits allow."""

from __future__ import annotations

import re
from dataclasses import dataclass

from volterra_cg.spec.bounds import bound, raised_by

_PART = r"""(?:[A-Za-z0-9_+-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
_TOKEN = re.compile(
    r"(?:\#[^\n]*+|[ \t\n]++)++"  # comments and blanks, any number at once
    r'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""(?:"{0,2}))?'
    r"|'''(?:[^']|'(?!''))*+(?:'''(?:'{0,2}))?"
    rf"|(?P<name>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)"
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<next>[=,])",
    re.DOTALL,
)
_PARTS = re.compile(_PART, re.DOTALL)


@dataclass(frozen=True)
class Excess:
    """What is too much, and the character at which it is."""

    at: int
    message: str
    remedy: str


def excess(text: str) -> Excess | None:
    """The first place at which a text goes beyond a limit."""
    lines, entries, nesting = (bound(name) for name in ("lines", "entries", "nesting"))
    if text.count("\n") > lines:
        return _excess(0, "lines", f"the file has more than {lines} lines", "make it shorter")
    count = depth = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind is None:
            continue
        if kind == "name":
            found = _name(token.start(), token[0])
            if found:
                return found
            continue
        depth += (kind == "open") - (kind == "close")
        count += kind != "close"
        if depth > nesting:
            message = f"lists and tables are more than {nesting} deep inside one another"
            return _excess(token.start(), "nesting", message, "no table of a spec needs this")
        if count > entries:
            message = f"the file has more than {entries} entries"
            return _excess(token.start(), "entries", message, "include other specs, or let one expression do more")
    return None


def _name(at: int, text: str) -> Excess | None:
    """What is wrong with a key, a number or a text."""
    nesting, digits = bound("nesting"), bound("digits")
    if text.count(".") >= nesting and len(_PARTS.findall(text)) > nesting:
        message = f"this key has more than {nesting} names"
        return _excess(at, "nesting", message, "no table of a spec needs this")
    if len(text) > digits and text[0] not in "\"'" and sum(map(str.isdigit, text)) > digits:
        return _excess(at, "digits", f"this number has more than {digits} digits", "round it")
    return None


def _excess(at: int, name: str, message: str, remedy: str) -> Excess:
    return Excess(at, message, f"{remedy}; {raised_by(name)}")
