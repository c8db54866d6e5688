"""What the user wants to have run: `train.py --steps 20`, `-m pytest tests`, `python -u train.py`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.settings.roots import TOP

_PYTHON = re.compile(r"(python|pypy)[\d.]*(\.exe)?", re.IGNORECASE)
_PYTEST = ("pytest", "pytest.exe", "py.test")
#: Options of the interpreter that take a value, as the next word if not in the same one.
_WITH_VALUE = ("-W", "-X", "--check-hash-based-pycs")
#: Where a project begins, seen from a file in it.
_ROOT_MARKS = (*TOP, "tfxla-lint.toml")


class ProgramError(Exception):
    """The command names no Python program."""


@dataclass(frozen=True)
class Program:
    """A Python program: the interpreter's options, then what to run with its arguments.

    `words` begin with a path, with `-m` and a module, or with `-c` and code.
    """

    words: tuple[str, ...]
    options: tuple[str, ...] = ()

    @classmethod
    def parse(cls, command: Sequence[str]) -> Program:
        """Read a command; a leading `python` or `pytest` stands for itself."""
        words = list(command)
        if words[:1] == ["--"]:
            del words[0]
        if not words:
            raise ProgramError("no program to run; write one after `--`, as in `-- train.py`")
        name = os.path.basename(words[0])
        if name in _PYTEST:
            return cls(("-m", "pytest", *words[1:]))
        if _PYTHON.fullmatch(name):
            del words[0]
        options, words = _split(words)
        _check(words)
        return cls(tuple(words), tuple(options))

    @property
    def script(self) -> Path | None:
        """The file to run, if it is one."""
        return None if self.words[0] in ("-m", "-c") else Path(os.path.abspath(self.words[0]))

    @property
    def root(self) -> Path:
        """The project that the program belongs to: its folder or the working folder, or the
        nearest one above that looks like a project's."""
        start = self.script.parent if self.script is not None else Path.cwd()
        here = Path.cwd()
        for folder in (start, *start.parents):
            if any((folder / mark).exists() for mark in _ROOT_MARKS):
                return folder
        return here if here in (start, *start.parents) else start

    def __str__(self) -> str:
        import shlex

        return shlex.join(self.words)


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """The interpreter's options, and what comes after them."""
    options: list[str] = []
    while words and words[0].startswith("-") and words[0] not in ("-", "-m", "-c"):
        joined = re.fullmatch(r"-([a-zA-Z]*)([mc])", words[0])
        if joined:
            return [*options, f"-{joined[1]}"], [f"-{joined[2]}", *words[1:]]
        option = words.pop(0)
        options.append(option)
        if option in _WITH_VALUE and words:
            options.append(words.pop(0))
    return options, words


def _check(words: list[str]) -> None:
    if not words:
        raise ProgramError("no program to run: the command has options only")
    first = words[0]
    if first == "-":
        raise ProgramError("a program on standard input cannot be recorded; write it to a file")
    if first in ("-m", "-c"):
        if len(words) < 2:
            raise ProgramError(f"{first} needs a {'module' if first == '-m' else 'program'}")
    elif not os.path.exists(first):
        raise ProgramError(
            f"'{first}' is no Python file; write `script.py ...` or `-m module ...`, and name an"
            " interpreter by --python"
        )
