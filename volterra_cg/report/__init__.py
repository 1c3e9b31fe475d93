"""A report of a mechanism: one page to look at, to print and to send."""

from __future__ import annotations

from .page import report

__all__ = ["report"]
