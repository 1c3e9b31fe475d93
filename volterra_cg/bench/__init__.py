"""The comparison of the formulations: one mechanism, every formulation, the same integrator and the same measures."""

from __future__ import annotations

from .compare import Settings, System, compare

__all__ = ["Settings", "System", "compare"]
