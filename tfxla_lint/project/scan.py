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
_DEFINED = re.compile(
    rb"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE
)
_PATH = re.compile(
    rb"^[ \t]*sys\.path\.(?:append|insert)[ \t]*\((?:[ \t]*\d+[ \t]*,)?([^\n#]*)", re.MULTILINE
)
_TEXT = re.compile(rb"[\"']([^\"'\\\n]*)[\"']")
_WORDS = (b"tensorflow", b"keras")


@dataclass(frozen=True, slots=True)
class Scan:
    """What a file imports: dotted names (with leading dots where relative), and the members that
    a `from` import may name, joined to their module. `mentions` says whether it names TensorFlow,
    `assigned` which full names of TensorFlow it gives a value. `defined` are the names that its
    top level binds, `searched` the folders that it adds to `sys.path`, as it writes them.
    """

    imports: tuple[str, ...]
    mentions: bool
    size: int
    assigned: tuple[str, ...] = ()
    defined: frozenset[str] = frozenset()
    searched: tuple[str, ...] = ()


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
    defined = frozenset((a or b).decode("ascii", "replace") for a, b in _DEFINED.findall(data))
    added = (_TEXT.findall(given) for given in _PATH.findall(data))
    searched = tuple(b"/".join(parts).decode("ascii", "replace") for parts in added if parts)
    return Scan(tuple(dict.fromkeys(found)), mentions, len(data), assigned, defined, searched)


def _names(text: bytes) -> list[bytes]:
    bare = _ALIAS.sub(b"", _COMMENT.sub(b"", text).replace(b"\\\n", b" "))
    return _NAME.findall(bare)
