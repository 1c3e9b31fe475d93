"""What a cached result depends on, as one hash each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from volterra_cg.options import Options
from volterra_cg.spec import files

PACKAGE = Path(__file__).resolve().parents[1]
GENERATOR_SUFFIXES = (".py", ".j2", ".h")
GENERATOR_LIBRARIES = ("sympy", "mpmath", "jinja2", "pydantic", "tree-sitter-toml")
COMPILED_SUFFIXES = (".c", ".h", ".pyx")


def digest(parts: Iterable[bytes]) -> str:
    """A hash that tells apart where one part ends and the next begins."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little"))
        total.update(part)
    return total.hexdigest()


def sources_key(spec: bytes, options: Options) -> str:
    """The key of derivation: the spec, the options, and everything that turns them into text."""
    given = asdict(options)
    del given["allow_include"]  # what is included counts, not where it may be
    chosen = json.dumps(given, sort_keys=True)
    versions = [f"{library} {library_version(library)}" for library in GENERATOR_LIBRARIES]
    return digest([b"sources 1", spec, chosen.encode(), generator_digest().encode(), *map(str.encode, versions)])


def spec_key(path: Path, allow_include: Sequence[Path] = ()) -> bytes:
    """What a spec says, with those it includes, for the key of derivation; raises OSError if there is none."""
    texts = files.texts(path, allow_include)
    return texts[0] if len(texts) == 1 else digest(texts).encode()


def extension_key(texts: Mapping[str, bytes], toolchain: str) -> str:
    """The key of compilation: the texts that are compiled and everything that compiles them."""
    parts = [b"extension 1", toolchain.encode()]
    for name in sorted(texts):
        if name.endswith(COMPILED_SUFFIXES):
            parts += [name.encode(), texts[name]]
    return digest(parts)


def content_key(texts: Mapping[str, bytes]) -> str:
    """The key of a whole module, by its files."""
    return digest(part for name in sorted(texts) for part in (name.encode(), texts[name]))


def generator_digest() -> str:
    """The hash of this package's own files and templates."""
    parts = []
    for label, root in (("package", PACKAGE), ("templates", templates_folder())):
        for path in sorted(path for path in root.rglob("*") if path.suffix in GENERATOR_SUFFIXES):
            parts += [f"{label}/{path.relative_to(root).as_posix()}".encode(), path.read_bytes()]
    return digest(parts)


def templates_folder() -> Path:
    """Where the templates are: inside the package, or beside it in a working copy."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"


def library_version(name: str) -> str:
    """The installed version of a library, without importing it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
