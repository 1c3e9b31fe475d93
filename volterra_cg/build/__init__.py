"""From generated texts to a compiled module in a cache, published by rename; imports nothing of the compiler."""

from __future__ import annotations

from .build import Built, build
from .cache import Cache
from .library import library
from .load import Texts, load, pack, unpack

__all__ = ["Built", "Cache", "Texts", "build", "library", "load", "pack", "unpack"]
