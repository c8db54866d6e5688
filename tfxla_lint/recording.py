"""The profile file: what a recorded run says of the functions and loops of each source file.

`docs/profile.md` describes the format. The recorder uses this module in the interpreter of the
user's program: it has to run on Python 3.8 and to import the standard library only.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

FORMAT, VERSION = "tfxla-lint profile", 1

_COMMENT = re.compile(r"(^|\s)#.*$")
_LINE_END = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines of a source as Python counts them."""
    return _LINE_END.split(text)


def digest(lines: list[str], first: int, last: int) -> str:
    """The digest of the lines `first` to `last`, whatever their comments and their indentation."""
    part = lines[first - 1 : last]
    indent = len(part[0]) - len(part[0].lstrip()) if part else 0
    bare = [_COMMENT.sub("", line).rstrip() for line in part]
    text = "\n".join(line[indent:] if line[:indent].isspace() else line for line in bare if line)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def first_line(node: Any) -> int:
    """The line on which a function begins, its decorators included."""
    lines: list[int] = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
    return min(lines)
