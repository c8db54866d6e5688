"""What a file's bytes say of its imports, without parsing it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))",
    re.MULTILINE,
)
_NAME = re.compile(rb"[A-Za-z_][\w.]*")
_ALIAS = re.compile(rb"\bas[ \t]+\w+")
_COMMENT = re.compile(rb"#[^\n]*")
_ASSIGNED = re.compile(rb"^[ \t]*(?:tf|tensorflow)((?:\.\w+)+)[ \t]*=(?!=)", re.MULTILINE)
_IMPORT_IN_JSON = re.compile(rb'(?:"|\\n)[ \t]*((?:from|import)[ \t][^"\\]*)')
_RUN_IN_JSON = re.compile(rb'(?:"|\\n)%run[ \t]+(?:\./)?([A-Za-z_]\w*)\.(?:py|ipynb)\b')
_WORDS = (b"tensorflow", b"keras")


#: What the name of a notebook ends with.
NOTEBOOK = ".ipynb"


@dataclass(frozen=True, slots=True)
class Scan:
    """What a file imports: dotted names (with leading dots where relative), and the members that
    a `from` import may name, joined to their module. `mentions` says whether it names TensorFlow,
    `assigned` which full names of TensorFlow it gives a value.
    """

    imports: tuple[str, ...]
    mentions: bool
    size: int
    assigned: tuple[str, ...] = ()


def scan(data: bytes) -> Scan:
    """Look at the bytes of a file; what only looks like an import does no harm."""
    found: list[str] = []
    for match in _IMPORT.finditer(data):
        module, members, plain = match.groups()
        if plain is not None:
            found.extend(name.decode() for name in _names(plain))
            continue
        base = module.decode("ascii", "replace")
        found.append(base)
        joint = "" if base.endswith(".") else "."
        found.extend(f"{base}{joint}{name.decode()}" for name in _names(members))
    mentions = any(word in data for word in _WORDS)
    assigned = tuple(f"tensorflow{name.decode()}" for name in _ASSIGNED.findall(data))
    return Scan(tuple(dict.fromkeys(found)), mentions, len(data), assigned)


def import_lines(data: bytes) -> bytes:
    """The lines of a notebook's code that import something; its JSON is not parsed.

    What it runs by `%run` is imported too.
    """
    run = (b"import " + name for name in _RUN_IN_JSON.findall(data))
    return b"\n".join([*_IMPORT_IN_JSON.findall(data), *run])


def _names(text: bytes) -> list[bytes]:
    bare = _ALIAS.sub(b"", _COMMENT.sub(b"", text).replace(b"\\\n", b" "))
    return _NAME.findall(bare)
