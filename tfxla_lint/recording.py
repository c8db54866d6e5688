"""The profile file: what a recorded run says of the functions and loops of each source file.

`docs/profile.md` describes the format. The recorder uses this module in the interpreter of the
user's program: it has to run on Python 3.8 and to import the standard library only.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

FORMAT, VERSION = "tfxla-lint profile", 1

_COMMENT = re.compile(r"(^|\s)#.*$")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: What Python calls functions without a name.
LAMBDA = "<lambda>"
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class RecordingError(Exception):
    """A profile file cannot be used; the message says why, without the path."""


# What is told apart


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


def digest_of(node: Any, lines: list[str]) -> str:
    """The digest of the lines that a node stands on."""
    return digest(lines, node.lineno, node.end_lineno or node.lineno)


def first_line(node: Any) -> int:
    """The line on which a function begins, its decorators included."""
    lines: list[int] = [node.lineno, *(decorator.lineno for decorator in node.decorator_list)]
    return min(lines)


@dataclass(frozen=True)
class Place:
    """A function or loop of a source: `line` is that of its `def`, `lambda`, `for` or `while`."""

    qualname: str
    line: int
    digest: str
    is_loop: bool

    @property
    def is_lambda(self) -> bool:
        """Whether it is a function without a name."""
        return self.qualname.endswith(LAMBDA)


def places(text: str) -> list[Place]:
    """The functions and loops of a source; raises SyntaxError."""
    lines = split_lines(text)
    return list(_places(ast.parse(text), (), lines))


def _places(node: ast.AST, scopes: tuple[str, ...], lines: list[str]) -> Iterator[Place]:
    for child in ast.iter_child_nodes(node):
        inner = scopes
        if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            inner = (*scopes, child.name)
        if isinstance(child, _FUNCTIONS):
            mark = digest(lines, first_line(child), child.end_lineno or child.lineno)
            yield Place(".".join(inner), child.lineno, mark, False)
        elif isinstance(child, ast.Lambda):
            yield Place(".".join((*inner, LAMBDA)), child.lineno, digest_of(child, lines), False)
        elif isinstance(child, _LOOPS):
            name = ".".join(scopes) or "<module>"
            yield Place(name, child.lineno, digest_of(child, lines), True)
        yield from _places(child, inner, lines)


# What was recorded


@dataclass(frozen=True)
class Seconds:
    """How long something took: `count` times, `total` together, `median` in the middle."""

    count: int = 0
    total: float = 0.0
    median: float = 0.0


@dataclass(frozen=True)
class Argument:
    """What a parameter was given in the calls that were looked at.

    The mappings hold the commonest kinds, dtypes, shapes and Python values with the number of
    calls; `shape_count` and `value_count` are the numbers of different ones, `object_count` that of
    different objects. `shape` is what all shapes have in common, None for sizes that differ; there is
    none where the ranks differ.
    """

    name: str
    kinds: Mapping[str, int]
    dtypes: Mapping[str, int]
    shapes: Mapping[str, int]
    values: Mapping[str, int]
    shape_count: int
    value_count: int
    object_count: int
    shape: tuple[int | None, ...] | None = None


@dataclass(frozen=True)
class Retrace:
    """Why calls traced although an earlier one had: what of which argument was new.

    `because` is "shape", "dtype", "value", "kind", "object", "presence", "new function" or
    "unknown"; the last two have no argument.
    """

    argument: str | None
    because: str
    times: int


@dataclass(frozen=True)
class FunctionRecord:
    """What was recorded of one function.

    `eager` counts the runs of its body outside of traces, `traced` those in traces, `graph` the
    calls of it as a `tf.function` from outside of traces, `traces` those of them that traced, and
    `tf_functions` the `tf.function` objects that these calls were made of.
    """

    qualname: str
    line: int
    digest: str
    eager: int = 0
    graph: int = 0
    traced: int = 0
    traces: int = 0
    tf_functions: int = 0
    compiled: int = 0
    eager_seconds: Seconds = field(default_factory=Seconds)
    graph_seconds: Seconds = field(default_factory=Seconds)
    tracing_seconds: Seconds = field(default_factory=Seconds)
    parameters: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] = ()
    retraces: tuple[Retrace, ...] = ()

    @property
    def is_lambda(self) -> bool:
        """Whether it is a function without a name."""
        return self.qualname.endswith(LAMBDA)

    def argument(self, name: str) -> Argument | None:
        """What was recorded of the parameter of this name."""
        return next((argument for argument in self.arguments if argument.name == name), None)


@dataclass(frozen=True)
class LoopRecord:
    """What was recorded of one loop: how often it was begun, its turns, the time of a turn."""

    qualname: str
    line: int
    digest: str
    entries: int = 0
    turns: int = 0
    seconds: Seconds = field(default_factory=Seconds)


@dataclass(frozen=True)
class FileRecording:
    """What holds for one source as it is now, by the line of the `def` or of the loop."""

    functions: Mapping[int, FunctionRecord]
    loops: Mapping[int, LoopRecord]


class Recording:
    """A profile file. `root` is the folder that its paths start from."""

    def __init__(self, content: Mapping[str, Any], folder: str) -> None:
        if content.get("format") != FORMAT:
            raise RecordingError("it is no profile that `tfxla-lint profile` wrote")
        if content.get("version") != VERSION:
            found = content.get("version")
            raise RecordingError(f"it has version {found!r} of the format, not {VERSION}")
        try:
            self.root = os.path.realpath(os.path.join(folder, content["root"]))
            self.seconds = float(content["seconds"])
            self.functions = _by_path(content["functions"], _function)
            self.loops = _by_path(content["loops"], _loop)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise RecordingError(f"it is damaged: {type(error).__name__} {error}") from None
        self._known: dict[tuple[str, str], FileRecording] = {}

    @classmethod
    def read(cls, path: str) -> Recording:
        """Read a profile file; raises RecordingError."""
        if os.path.exists(path) and not os.path.isfile(path):
            # A pipe may never come to an end.
            raise RecordingError("cannot read it: not a regular file")
        try:
            with open(path, "rb") as file:
                data = file.read()
        except (OSError, ValueError) as error:
            # No path has a NUL in it.
            why = getattr(error, "strerror", None) or error
            raise RecordingError(f"cannot read it: {why}") from None
        return cls.of_bytes(data, path)

    @classmethod
    def of_bytes(cls, data: bytes, path: str) -> Recording:
        """What the profile file `path` holds; raises RecordingError."""
        try:
            content = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise RecordingError("it is no JSON") from None
        if not isinstance(content, dict):
            raise RecordingError("it is no profile that `tfxla-lint profile` wrote")
        return cls(content, os.path.dirname(os.path.abspath(path)))

    def of(self, path: str, text: str) -> FileRecording:
        """What holds for the file `path`, now that it reads `text`; what has changed is left out."""
        if (path, text) not in self._known:
            self._known[path, text] = self._of(path, text)
        return self._known[path, text]

    def _of(self, path: str, text: str) -> FileRecording:
        shown = _relative(path, self.root)
        functions, loops = self.functions.get(shown, []), self.loops.get(shown, [])
        if not functions and not loops:
            return FileRecording({}, {})
        try:
            found = places(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return FileRecording({}, {})
        return FileRecording(
            _matched([place for place in found if not place.is_loop], functions),
            _matched([place for place in found if place.is_loop], loops),
        )


def _relative(path: str, root: str) -> str:
    try:
        return os.path.relpath(os.path.realpath(path), root).replace(os.sep, "/")
    except ValueError:
        return path


def _matched(found: list[Place], records: list[Any]) -> dict[int, Any]:
    """Give each place its record: the same code in the same function, the nearest line first."""
    matched: dict[int, Any] = {}
    # A line means the function that it defines before one without a name.
    for place in sorted(found, key=lambda place: not place.is_lambda):
        same = [r for r in records if (r.qualname, r.digest) == (place.qualname, place.digest)]
        if same:
            matched[place.line] = min(same, key=lambda record: abs(record.line - place.line))
    return matched


def _by_path(rows: Any, make: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row["path"], []).append(make(row))
    return found


def _function(row: Mapping[str, Any]) -> FunctionRecord:
    calls, seconds = row["calls"], row["seconds"]
    return FunctionRecord(
        row["qualname"],
        int(row["line"]),
        row["digest"],
        int(calls["eager"]),
        int(calls["graph"]),
        int(calls["traced"]),
        int(row["traces"]),
        int(row["tf_functions"]),
        int(row["compiled"]),
        _seconds(seconds.get("eager")),
        _seconds(seconds.get("graph")),
        _seconds(seconds.get("tracing")),
        tuple(row["parameters"]),
        tuple(_argument(argument) for argument in row["arguments"]),
        tuple(Retrace(r["argument"], r["because"], int(r["times"])) for r in row["retraces"]),
    )


def _argument(row: Mapping[str, Any]) -> Argument:
    def most(aspect: str) -> dict[str, int]:
        return {str(key): int(times) for key, times in row.get(aspect, _NOTHING)["most"]}

    def count(aspect: str) -> int:
        return int(row.get(aspect, _NOTHING)["distinct"])

    return Argument(
        row["name"],
        most("kinds"),
        most("dtypes"),
        most("shapes"),
        most("values"),
        count("shapes"),
        count("values"),
        int(row.get("objects", 0)),
        tuple(row["shape"]) if row.get("shape") is not None else None,
    )


_NOTHING: dict[str, Any] = {"distinct": 0, "most": []}


def _loop(row: Mapping[str, Any]) -> LoopRecord:
    return LoopRecord(
        row["qualname"],
        int(row["line"]),
        row["digest"],
        int(row["entries"]),
        int(row["turns"]),
        _seconds(row["seconds"]),
    )


def _seconds(row: Mapping[str, Any] | None) -> Seconds:
    if row is None:
        return Seconds()
    return Seconds(int(row["count"]), float(row["total"]), float(row["median"] or 0.0))
