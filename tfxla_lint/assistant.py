"""The server for coding assistants: what the commands do, as tools of the Model Context Protocol.

Each answers with the JSON that its command prints. Only `verify` runs code.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from tfxla_lint import __version__, interface
from tfxla_lint.depth import STACK
from tfxla_lint.explanation import as_json, explain, model_of
from tfxla_lint.interface import Error
from tfxla_lint.knowledge import facts as known
from tfxla_lint.knowledge import ops
from tfxla_lint.knowledge.tables import parse_version
from tfxla_lint.linter import syntax_error
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.registry import RegistryError, read_catalogue
from tfxla_lint.regular import regular_bytes
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.resolver import absolute
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.source import SourceError

#: Linting nests deeply.
_INSTRUCTIONS = """\
tfxla-lint finds what keeps TensorFlow 2 code from running as compiled graphs (eager loops, retracing,
side effects in traced code, what XLA cannot compile, removed API) and rewrites it.

The loop: `check` the code; take the rewrite of `fix`, or write your own; `verify` it against the
original, which RUNS BOTH on TensorFlow in a child process; accept it only where the outcome is
"equivalent", and read the evidence where it is "differs" or the reason where it is "not checked".
`facts` says of a TensorFlow symbol in which versions it exists and what XLA makes of it: ask before
you use one that you are not sure of. `rule` explains a finding's code, `explain` how each function
runs. Nothing but `verify` runs code."""

Code = Annotated[str | None, Field(description="Python code, or the JSON of a notebook.")]
Paths = Annotated[list[str] | None, Field(description="Files and folders, instead of code.")]
Filename = Annotated[
    str | None,
    Field(
        description="Where the code lies or would lie: settings and imports are found from there."
    ),
]
Rules = Annotated[list[str] | None, Field(description="Codes, prefixes or names of rules.")]
Version = Annotated[str | None, Field(description="The TensorFlow that is meant, such as 2.15.")]
Unsafe = Annotated[bool, Field(description="Take unsafe fixes, too; each says what it assumes.")]


async def check(
    code: Code = None,
    paths: Paths = None,
    filename: Filename = None,
    select: Rules = None,
    extend_select: Rules = None,
    tf_version: Version = None,
) -> dict[str, Any]:
    """Lint TensorFlow 2 code or files: findings with places, evidence and fixes. Runs nothing."""
    what = _what(code, paths)
    settings = _given(select=select, extend_select=extend_select, tf_version=tf_version)
    return await _aside(lambda: interface.check(what, filename=filename, **settings).as_json())


async def fix(
    code: Code = None,
    paths: Paths = None,
    filename: Filename = None,
    select: Rules = None,
    unsafe_fixes: Unsafe = False,
    write: Annotated[bool, Field(description="Write the files; else a diff is shown.")] = False,
    tf_version: Version = None,
) -> dict[str, Any]:
    """Rewrite code or files: what is left as `check` says it, with `diff`, and `code` of code.

    Files are written if `write` is set. Runs nothing: `verify` says whether the rewrite is right.
    """
    what = _what(code, paths)
    settings = _given(select=select, tf_version=tf_version, unsafe_fixes=unsafe_fixes)

    def fixed() -> dict[str, Any]:
        found = interface.fix(what, filename=filename, write=write, **settings)
        text = {"code": found.text} if code is not None else {}
        return {**found.as_json(), **text, "diff": found.diff}

    return await _aside(fixed)


async def verify(
    original: Annotated[str | None, Field(description="The code as it was.")] = None,
    rewritten: Annotated[str | None, Field(description="The code as it is now.")] = None,
    patch: Annotated[
        str | None, Field(description="A unified diff of files, instead of two texts.")
    ] = None,
    folder: Annotated[str, Field(description="What the paths of the patch are relative to.")] = ".",
    filename: Filename = None,
    run: Annotated[
        str | None,
        Field(description="A program that runs the code, such as 'train.py --steps 3'."),
    ] = None,
    python: Annotated[str | None, Field(description="The interpreter that has TensorFlow.")] = None,
    correcting: Annotated[
        bool, Field(description="The original is wrong when traced: compare with its eager run.")
    ] = False,
    xla: Annotated[bool, Field(description="Time a version compiled by XLA, too.")] = False,
    time_limit: Annotated[float, Field(description="Seconds for one side of one check.")] = 120.0,
) -> dict[str, Any]:
    """RUN rewritten code against the original on TensorFlow and say whether it computes the same.

    A verdict for each function or block that differs: "equivalent", "differs" with the values, or
    "not checked" with the reason; how many wrong versions would have been noticed (power); times.
    """
    options = _given(run=run, python=python)
    options |= {"correcting": correcting, "xla": xla, "time_limit": time_limit}
    sides = (original is not None) + (rewritten is not None)
    if (patch is None) is (sides == 0) or sides == 1:
        raise ToolError("give original and rewritten, or patch")
    if "\0" in folder or "\0" in (filename or ""):
        raise ToolError("a path holds no NUL")
    if patch is not None and not Path(folder).is_dir():
        raise ToolError(f"{_sendable(folder)}: there is no such folder")
    if not 1 <= time_limit < math.inf:
        raise ToolError("time_limit is a number of seconds, at least one")
    if patch is not None:
        call = partial(interface.verify_patch, patch, folder, **options)
    else:
        assert original is not None
        assert rewritten is not None
        call = partial(interface.verify, original, rewritten, filename=filename, **options)
    return await _aside(lambda: call().as_json(), is_linting=False)


async def facts(
    name: Annotated[str, Field(description="A symbol (tf.where) or an op (Where).")],
    tf_version: Version = None,
) -> dict[str, Any]:
    """Say what is known of a TensorFlow symbol or op, harvested from TensorFlow itself.

    In which versions it exists, its parameters, what replaces it, whether XLA compiles it, and which
    arguments compile it again for every value.
    """
    try:
        version = parse_version(tf_version) if tf_version is not None else None
    except ValueError:
        raise ToolError(f"'{tf_version}' is no version such as 2.15") from None
    found = known.describe(name, version)
    if known.resolve(name) is None and not ops.known(name):
        raise ToolError(known.unknown(name, found))
    return known.as_json(found)


async def rule(
    name: Annotated[
        str, Field(description="A code or name, as findings have them (eager-loop-body).")
    ],
) -> dict[str, Any]:
    """Say what a rule catches, why it is bad, what to use instead, and when its fix is safe."""
    catalogue = read_catalogue()
    info = catalogue.find(name)
    if info is None:
        nearest = catalogue.nearest(name)
        hint = f"; did you mean '{nearest}'?" if nearest else ""
        raise ToolError(f"no rule is called '{name}'{hint}")
    return info.as_json()


async def explain_functions(
    code: Code = None,
    path: Annotated[str | None, Field(description="A file, instead of code.")] = None,
    filename: Filename = None,
    function: Annotated[
        str | None, Field(description="A qualified name, such as Trainer.step; else all.")
    ] = None,
) -> dict[str, Any]:
    """Say of each function how it runs (traced, compiled, hot) and what keeps it from being traced.

    Runs nothing.
    """

    def explained() -> dict[str, Any]:
        _what(code, [path] if path is not None else None)
        place = absolute(Path(path or filename or "code.py"))
        data = code.encode() if code is not None else regular_bytes(place)
        source = source_of(data, shown_path(place))
        broken = syntax_error(source)
        if broken is not None:
            where = f"{path or 'the code'}, line {broken.span.shown_line}"
            raise ToolError(f"{where}: {broken.message}")
        model = model_of(source, place)
        rows = [as_json(model, item) for item in explain(model)]
        kept = [row for row in rows if function in (None, row["function"])]
        if function is not None and not kept:
            raise ToolError(f"there is no function '{function}'")
        return {"functions": kept}

    return await _aside(explained)


def serve() -> None:
    """Serve the assistant at the other end of standard input and output."""
    threading.stack_size(STACK)
    server = MCPServer(
        "tfxla-lint", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    writing = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
    running = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
    for tool in (check, facts, rule):
        server.add_tool(tool, annotations=reading)
    server.add_tool(explain_functions, name="explain", annotations=reading)
    server.add_tool(fix, annotations=writing)
    server.add_tool(verify, annotations=running)
    try:
        server.run("stdio")
    except BaseException as error:
        if not _has_gone(error):
            raise


def _has_gone(error: BaseException) -> bool:
    """Whether all that was raised is that nobody reads the answers any more."""
    inner = getattr(error, "exceptions", None)
    if inner is not None:
        return all(map(_has_gone, inner))
    return isinstance(
        error, (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError)
    )


def _what(code: str | None, paths: list[str] | None) -> str | list[str]:
    if (code is None) is (paths is None):
        raise ToolError("give code or paths, one of the two")
    return code if code is not None else paths or []


def _given(**settings: Any) -> dict[str, Any]:
    """What is said, without what is not."""
    return {name: value for name, value in settings.items() if value is not None}


#: Linting is done one piece after the other: it sets how deep the process may nest.
_LINTING = threading.Lock()


async def _aside(do: Callable[[], dict[str, Any]], is_linting: bool = True) -> dict[str, Any]:
    """What a call gives, made in a thread of its own; what cannot be done is told."""

    def one() -> dict[str, Any]:
        with _LINTING if is_linting else nullcontext():
            return do()

    try:
        found: dict[str, Any] = _sendable(await anyio.to_thread.run_sync(one))
    except (Error, SettingsError, RegistryError, SourceError, OSError) as error:
        raise ToolError(_sendable(str(error))) from error
    return found


def _sendable(value: Any) -> Any:
    """The same with what UTF-8 lacks escaped: names of files may hold bytes that are no text."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    return [_sendable(item) for item in value] if isinstance(value, (list, tuple)) else value
