"""IPython's own syntax in a cell: put aside line by line, so that Python is left, and put back."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword

#: Cell magics whose cell is run as Python where it stands: as a cell, whose source can be looked
#: up, or as a text of which nothing is kept.
_PYTHON_CELL = re.compile(
    r"[ \t]*%%(?:(?P<cell>capture|tfxla)|time|timeit|prun|debug|memit|heat)\b"
)
_ESCAPED = re.compile(r"[%!?/,;]")
_HELP = re.compile(r"%{0,2}[A-Za-z_*][\w.*]*(\[[^\]]*\][\w.]*)*\s*\?{1,2}")
_ASSIGNED = re.compile(r"[A-Za-z_][\w.\[\]'\", *]*=[ \t]*(?=[%!])")
#: What IPython takes for a command without its sign, where it is no Python.
_BARE = r"(?:pip|conda|cd|ls|cat|cp|mv|rm|mkdir|wget|git)[ \t]+[-\w./~$'\"{*]"
_BARE_COMMAND = re.compile(_BARE)
_MAY_BE = re.compile(rf"^[ \t]*(?:[%!?/,;]|{_BARE})|\?[ \t\r]*$|=[ \t]*[%!]", re.MULTILINE)

_TIMED = re.compile(r"%time[ \t]+(?=[^\s-])")
_RUN = re.compile(r"%run[ \t]+(?:\./)?([A-Za-z_]\w*)\.(?:py|ipynb)$|%(pylab)\b")
#: What a command reads of Python: `$name`, `{expression}`, and the code that it times.
_READ = re.compile(r"\$\{?([A-Za-z_]\w*)|\{([^{}]*)\}")
_TIMES = re.compile(r"%{1,2}(?:time|timeit|prun|memit|lprun|mprun)\b(.*)")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_MARK = re.compile(r"""('{3}|\"{3}|'|\")|(\#)|([(\[{])|([)\]}])""")


@dataclass(frozen=True)
class Aside:
    """A line that is no Python, what stands for it, and by how many columns its code was moved."""

    original: str
    stand_in: str
    moved: int = 0


@dataclass(frozen=True)
class Masked:
    """A cell as Python, with the lines that were put aside by their places from 0.

    Where `keeps_source` is False AutoGraph cannot read the functions that the cell defines.
    """

    text: str
    asides: dict[int, Aside]
    keeps_source: bool = True

    def unmask(self, text: str) -> str:
        """`text`, another form of this cell, with what was put aside in its place again.

        Raises ValueError where such a line is gone or is not what it was.
        """
        at = 0
        parts: list[str] = []
        for aside in self.asides.values():
            found = text.find(aside.stand_in, at)
            if found < 0 or (found > 0 and text[found - 1] != "\n"):
                raise ValueError(f"it would change `{aside.original.strip()}`, which is no Python")
            parts += [text[at:found], aside.original.removesuffix("\r")]
            at = found + len(aside.stand_in)
        return "".join([*parts, text[at:]])


def mask(text: str, stem: str) -> Masked | None:
    """The cell as Python, where comments that begin with `stem` stand for lines that are none.

    None where a cell magic makes the whole cell something else.
    """
    if not _MAY_BE.search(text) or _is_python(text):
        return Masked(text, {})
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and line.lstrip()[0] != "#"), "")
    magic = _PYTHON_CELL.match(first)
    if first.lstrip().startswith("%%") and magic is None:
        return None
    asides: dict[int, Aside] = {}
    for index, is_first in _commands(lines):
        line = lines[index]
        mark = f"# {stem} {len(asides) + 1}."
        aside = _aside(line, mark) if is_first else Aside(line, mark)
        asides[index] = aside
        lines[index] = aside.stand_in + ("\r" if line.endswith("\r") else "")
    keeps_source = magic is None or magic.group("cell") is not None
    return Masked("\n".join(lines), asides, keeps_source)


def _aside(line: str, mark: str) -> Aside:
    """What stands for the first line of a command: what it binds is bound, to what is unknown."""
    bare = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    code, moved = _reading(bare), 0
    timed, run = _TIMED.match(bare), _RUN.match(bare)
    if timed and _is_python(bare[timed.end() :]):
        code, moved = bare[timed.end() :], timed.end()
    elif run and not indent:
        code = f"from {run.group(1) or run.group(2)} import *"
    elif assigned := _ASSIGNED.match(bare):
        code = assigned.group() + "get_ipython()"
    return Aside(line, f"{indent}{code}  {mark}", moved)


def _reading(line: str) -> str:
    """A statement that does nothing but name what a command reads."""
    parts = ["".join(groups) for groups in _READ.findall(line)] + _TIMES.findall(line)
    names = {name for part in parts for name in _NAME.findall(part)}
    listed = "".join(f"{name}, " for name in sorted(names) if not iskeyword(name))
    return f"lambda: ({listed.strip()})" if listed else "pass"


def _commands(lines: list[str]) -> Iterator[tuple[int, bool]]:
    """The lines that are no Python, with those that a backslash ties to them, which are no first."""
    depth, string = 0, ""
    is_tied = is_command = False
    for index, line in enumerate(lines):
        is_first = not (depth or string or is_tied)
        if is_first:
            is_command = _is_command(line.strip())
        is_remark = False
        if is_command:
            yield index, is_first
        else:
            depth, string, is_remark = _state(line, depth, string)
        is_tied = not (string or is_remark) and line.rstrip().endswith("\\")


def _is_command(line: str) -> bool:
    """Whether IPython, and not Python, reads a line on which a statement begins."""
    if _ESCAPED.match(line) or _HELP.fullmatch(line) or _ASSIGNED.match(line):
        return True
    is_open = line.endswith(("\\", "(", "[", "{", ","))
    return bool(_BARE_COMMAND.match(line)) and not is_open and not _is_python(line)


def _is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _state(line: str, depth: int, string: str) -> tuple[int, str, bool]:
    """How many brackets are open behind a line, the quotes of the string that goes on there, and
    whether it ends with a comment."""
    at = 0
    while True:
        if string:
            at = _string_end(line, at, string)
            if at < 0:
                return depth, string if len(string) == 3 or line.endswith("\\") else "", False
        match = _MARK.search(line, at)
        if match is None or match.group(2):
            return depth, "", match is not None
        at, string = match.end(), match.group(1) or ""
        depth = max(depth + bool(match.group(3)) - bool(match.group(4)), 0)


def _string_end(line: str, at: int, quotes: str) -> int:
    while at < len(line):
        if line[at] == "\\":
            at += 2
        elif line.startswith(quotes, at):
            return at + len(quotes)
        else:
            at += 1
    return -1
