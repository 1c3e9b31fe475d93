"""cache list and cache clear."""

from __future__ import annotations

from volterra_cg.build.cache import Cache

from .terminal import say


def list_cache() -> int:
    """Print every entry, newest first."""
    cache = Cache()
    entries = cache.entries()
    for entry in entries:
        print(
            f"{entry.kind:<10}  {entry.name:<24}  {entry.size / 1024:8.1f} kB  {_age(entry.age):>10}  {entry.key[:12]}"
        )
    say(f"{len(entries)} entries, {sum(entry.size for entry in entries) / 1e6:.1f} MB in {cache.root}")
    return 0


def clear_cache() -> int:
    """Remove every entry."""
    cache = Cache()
    freed = cache.clear()
    say(f"freed {freed / 1e6:.1f} MB in {cache.root}")
    return 0


def _age(seconds: float) -> str:
    for size, unit in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0.0):.0f} s"
