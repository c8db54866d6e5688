"""Runs one side, the original or the rewritten source, in a state like that of a fresh process."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import functools
import inspect
import os
import random
import runpy
import sys
import tempfile
import time
import types
from typing import (
    Any,
    Callable,
    ContextManager,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Set,
    Tuple,
)
from unittest import mock

import numpy as np
import tensorflow as tf
from tensorflow.python.util import tf_should_use

from tfxla_lint.sandbox.inside.draws import nudge
from tfxla_lint.sandbox.inside.entropy import PACE, Reads, clock_reads
from tfxla_lint.sandbox.inside.memory import growing
from tfxla_lint.sandbox.inside.nodes import Node, Recorder, namespace_node, reading
from tfxla_lint.sandbox.inside.overlay import replace_code
from tfxla_lint.sandbox.inside.owners import own_modules
from tfxla_lint.sandbox.inside.surroundings import (
    captured,
    ending,
    flush_all,
    program_run,
)
from tfxla_lint.sandbox.inside.watch import lent
from tfxla_lint.verify.worker.absent import in_notebook, standing_in
from tfxla_lint.verify.worker.beside import copy_files
from tfxla_lint.verify.worker.evidence import Start, noting
from tfxla_lint.verify.worker.left import Left, leaving
from tfxla_lint.verify.worker.outside import Outside
from tfxla_lint.verify.worker.plain import given_back
from tfxla_lint.verify.worker.power import Instead, Others
from tfxla_lint.verify.worker.recalls import Recalls
from tfxla_lint.verify.worker.replays import Replay, Replaying, Varied
from tfxla_lint.verify.worker.shaken import Shaken, data_shaken
from tfxla_lint.verify.worker.states import Held, States
from tfxla_lint.verify.worker.variations import Last


class Failure(NamedTuple):
    """An exception as plain data.

    `path` and `line` say where in the user's files it came through last ("" and 0 where that is
    unknown); `is_raised_here` that the user's code raised it, or a library that hides where it did;
    `is_worded` that a statement of the user's code is there for it.
    """

    kind: str
    message: str
    path: str = ""
    line: int = 0
    is_raised_here: bool = False
    is_worded: bool = False


#: The label of a side that is wrong on purpose.
WRONG = "wrong"
#: What marks values that are formatted; so many of each are kept.
MARK = "__txl_shown__"
_FORMATTED = 2000
#: So many seconds a function is called again to be timed, as a share of the run at most.
_TIMING, _OF_A_RUN = 0.3, 0.04
#: So often calls are made again from states that are rounded otherwise.
_SHAKES = 2
#: So much of a message is kept, half of it from the end: what wraps another message comes first.
_MESSAGE = 4000


class Snapshot:
    """What a run left behind: the module's globals, what was printed, how it ended."""

    def __init__(self) -> None:
        self.state: Node = ("branch", "module", [])
        self.output = ("", "")
        self.error: Optional[Failure] = None
        self.seconds = 0.0
        #: The most memory that the run took.
        self.megabytes: Optional[float] = None
        self.hits: Dict[str, int] = {}
        #: The lines of marked statements that were come to.
        self.ran: Set[int] = set()
        self.calls: Dict[str, List[Node]] = {}
        self.left = Left()
        self.stood_in: Set[str] = set()
        #: What variations of the last calls of watched functions gave.
        self.replays: Dict[str, List[Replay]] = {}
        #: Of which kinds the arguments of watched functions are, by function and parameter.
        self.passed: Dict[str, Dict[str, Any]] = {}
        #: The functions of which no call was made with a gradient tape open.
        self.untaped: List[str] = []
        #: What they give from states that are rounded otherwise, where floats are moved a little.
        self.shaken: List[Dict[str, List[Replay]]] = []
        #: The same where something else stands outside, by path and number.
        self.varied: Dict[str, Varied] = {}
        #: By function the places outside that other code changed between its runs, with their names.
        self.changed: Dict[str, Dict[str, str]] = {}
        #: How things stood when changed code first ran.
        self.start: Optional[Start] = None
        #: The median times of calls by function, the turns of loops by number, traces by function.
        self.times: Dict[str, Dict[str, Any]] = {}
        self.clocks: Dict[str, Reads] = {}
        self.turns: Dict[int, List[float]] = {}
        self.traces: Dict[str, int] = {}


class Side:
    """One side of a job.

    `source` is run as the module at `path`; `overlay` gives the text of other files by their
    paths. With `eager` functions are run eagerly.
    """

    def __init__(self, job: Mapping[str, Any], side: Mapping[str, Any], eager: bool) -> None:
        self.label: str = side["label"]
        self.source: str = side["source"]
        self.path: str = job["path"]
        self.overlay: Dict[str, str] = side.get("overlay", {})
        self.search: List[str] = job.get("search", [])
        self.folder: Optional[str] = job.get("folder")
        #: The folder whose files are copied to where it works ("" for none).
        self.beside: str = job.get("copied", "")
        self.package: str = job.get("package", "")
        self.argv: List[str] = job.get("argv") or [self.path]
        self.command = bool(job.get("command"))
        self.is_untimed = bool(job.get("untimed"))
        #: Whether functions are called again when the program has ended, without values eagerly too.
        self.has_replays = bool(job.get("replays"))
        #: By function what it reads from outside that other code may change, and what is called anew.
        self.outside: Dict[str, Any] = job.get("outside", {})
        self.renamed: Mapping[str, str] = job.get("renamed", {})
        #: What the original holds in attributes and the rewritten version gives by properties.
        self.properties: List[str] = job.get("properties", [])
        self.is_eager_too = False
        #: Whether with values far out, too.
        self.is_far = bool(job.get("far"))
        #: The numbers that code compares with.
        self.compared: List[float] = job.get("compared", [])
        self.eager = eager
        #: Packages that are not installed and that stand-ins take the place of.
        self.absent: Set[str] = set(job.get("shows", ()))
        #: Those of them that were asked for.
        self.stood_in: Set[str] = set()
        self.is_notebook = bool(job.get("cells"))
        #: How fast the clock goes that its code reads.
        self.pace = PACE
        #: Whether floats are moved a little, to see what hangs on the last digit.
        self.nudged = 0
        #: The lines of marked statements that a run of it came to.
        self.ran: Set[int] = set()
        #: The values that it formatted, by template.
        self.formatted: Dict[int, List[Node]] = {}
        #: What the wrong versions of rewritten code call.
        self.others = Others()
        self.instead = Instead.NEAR
        #: What is told of each value that is formatted, and of each result of a watched function.
        self.on_format: Callable[[int, int, Node], None] = lambda template, number, node: None
        self.on_result: Callable[[str, int, Node], None] = lambda name, number, node: None
        #: What the other side held in the end, from which functions are called again.
        self.held: List[Held] = []
        #: What is told when the program has ended and functions were called again.
        self.on_end: Callable[[Snapshot, Recalls], None] = lambda snapshot, recalls: None

    def format(self, template: int, value: Any) -> Any:
        """Note a value that is about to lose digits."""
        values = self.formatted.setdefault(template, [])
        if len(values) < _FORMATTED and tf.executing_eagerly():
            values.append(Recorder(set()).record(value))
            self.on_format(template, len(values), values[-1])
        return value

    def module(self, name: str) -> types.ModuleType:
        """An empty module that stands for the file."""
        module = types.ModuleType(name)
        module.__dict__.update(__file__=self.path, __builtins__=__builtins__)
        if self.package:
            module.__dict__["__package__"] = self.package
        return module


def execute(side: Side, module: types.ModuleType) -> Optional[Failure]:
    """Run the side's source in the module; the exception's type and message if it fails."""
    if not side.is_notebook:
        return _guarded(lambda: exec(compiled(side.source, side.path), module.__dict__))

    def run() -> None:
        code = compiled(side.source, side.path, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        left = eval(code, module.__dict__)
        if inspect.iscoroutine(left):
            asyncio.run(left)

    return _guarded(run)


def _guarded(action: Callable[[], Any]) -> Optional[Failure]:
    """Do something of the user's; the exception's type and message if it fails."""
    error = ending(action)
    return failure(error) if error is not None else None


def execute_command(side: Side, module: types.ModuleType) -> Optional[Failure]:
    """Run the user's program: a script, or `-m` and a module, with its arguments in `argv`."""
    first = side.argv[0]
    if first not in ("-m", "-c"):
        path = os.path.abspath(first)
        text = side.overlay.get(path)
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        sys.path.insert(0, os.path.dirname(path))
        module.__file__ = path
        return _guarded(lambda: exec(compiled(text, path), module.__dict__))
    sys.path.insert(0, os.getcwd())
    name, sys.argv = side.argv[1], side.argv[1:]
    if first == "-c":
        return _guarded(lambda: exec(compiled(name, "command.py"), module.__dict__))

    def run() -> None:
        module.__dict__.update(runpy.run_module(name, run_name="__main__", alter_sys=True))

    return _guarded(run)


#: Where temporary files lie that are none of the program's.
_TEMPORARY = tempfile.gettempdir()
_copies: List[str] = []


def compiled(source: str, path: str, flags: int = 0) -> Any:
    """The code of a source text, under the name of a copy in a folder of its own.

    AutoGraph reads a function's source again from the file that its code names; that must be
    this text, whatever the file at `path` holds by now.
    """
    if not _copies:
        _copies.append(tempfile.mkdtemp(prefix="sources-", dir=_TEMPORARY))
    folder = os.path.join(_copies[0], str(len(_sources)))
    os.mkdir(folder)
    copy = os.path.join(folder, os.path.basename(path) or "snippet.py")
    with open(copy, "w", encoding="utf-8", newline="") as file:
        file.write(source)
    _sources[copy] = (path, source)
    return compile(source, copy, "exec", flags, dont_inherit=True)


#: The paths and source texts by the copies that code was compiled from.
_sources: Dict[str, Tuple[str, str]] = {}


def failure(error: BaseException) -> Failure:
    """An exception as plain data."""
    text = str(error)
    if len(text) > _MESSAGE:
        text = f"{text[: _MESSAGE // 2]}\n...\n{text[-_MESSAGE // 2 :]}"
    found = Failure(type(error).__name__, text, is_worded=is_worded(error))
    trace = error.__traceback__
    while trace is not None:
        copy = trace.tb_frame.f_code.co_filename
        found = found._replace(is_raised_here=copy in _sources)
        if copy in _sources:
            path, source = _sources[copy]
            found = found._replace(path=path, line=_own_line(source, trace.tb_lineno))
            if not text and isinstance(error, AssertionError):
                line = source.split("\n")[trace.tb_lineno - 1].strip()
                found = found._replace(message=f"line {found.line}: {line}")
        trace = trace.tb_next
    return found


def is_worded(error: BaseException) -> bool:
    """Whether a statement of the user's code raised an exception for which it is there."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    _, source = _sources.get(trace.tb_frame.f_code.co_filename, ("", "")) if trace else ("", "")
    return trace is not None and any(trace.tb_lineno in own for own in _raising(source))


@functools.lru_cache(maxsize=8)
def _raising(source: str) -> List[range]:
    """The lines of the statements of a text that raise exceptions."""
    statements = (s for s in ast.walk(ast.parse(source)) if isinstance(s, (ast.Raise, ast.Assert)))
    return [range(s.lineno, (s.end_lineno or s.lineno) + 1) for s in statements]


def came_to(error: BaseException) -> int:
    """The line of the user's code that was called first at which an exception came up; 0 if none."""
    trace = error.__traceback__
    while trace is not None:
        copy = trace.tb_frame.f_code.co_filename
        if copy in _sources:
            return _own_line(_sources[copy][1], trace.tb_lineno)
        trace = trace.tb_next
    return 0


def _own_line(source: str, line: int) -> int:
    """The line of the user's text; marks, which take lines of their own, push it down."""
    above = source.split("\n")[:line]
    starts = [text.lstrip(" \t@") for text in above]
    return line - sum(s.startswith("__txl_") and not s.startswith(MARK) for s in starts)


def run_without(packages: Set[str]) -> str:
    """The packages that stand-ins took the place of, in words."""
    names = ", ".join(sorted(packages))
    return f"run without packages that are not installed: {names}" if names else ""


def are_alike(before: Failure, after: Failure) -> bool:
    """Whether two versions fail alike: by the same exception, with the same message.

    What a traced function raises is wrapped in further words, and what a library raises it words
    otherwise in a graph: only the user's own words must come back.
    """
    words = [" ".join(failure.message.split()) for failure in (before, after)]
    return before.kind == after.kind and (not before.is_raised_here or words[0] in words[1])


def said(error: Failure) -> str:
    """An exception in one line: its type, and what matters of a message that can be pages long."""
    kind, message = error[:2]
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith(("in user code", "Graph execution error")):
        lines = [line for line in lines[1:] if not line.startswith(("File ", "~", "^"))][-2:]
    text = " ".join(lines)
    return f"{kind}: {text[:500]}" if text else kind


# ------------------------------------------------------------------------------ surroundings


@contextlib.contextmanager
def surroundings(side: Side, module: types.ModuleType) -> Iterator[Dict[str, str]]:
    """Everything put back afterwards that running a side may change; yields what is printed."""
    nudge(side.nudged)
    side.ran = set()
    side.formatted = {}
    side.others = Others(side.instead)
    around = program_run(
        module,
        argv=side.argv,
        search=side.search,
        folder=side.folder,
        eager=side.eager,
        pace=side.pace,
        own=side.overlay,
    )
    # The marks `__txl_ran__(12)` note that a statement is come to; AutoGraph leaves them as they are.
    plain = tf.autograph.experimental.do_not_convert
    marks = {"__txl_ran__": side.ran.add, MARK: plain(side.format), **side.others.marks()}
    ran = lent(marks)
    shell = in_notebook() if side.is_notebook else contextlib.nullcontext()
    absent = standing_in(side.absent, side.stood_in)
    read = reading(side.properties)
    around_all = (overlaid(side.overlay), absent, ran, shell, read, _silent_ends(), data_shaken())
    with around as texts, contextlib.ExitStack() as stack:
        for context in around_all:
            stack.enter_context(context)
        if side.beside:
            copy_files(side.beside)
        yield texts


def _silent_ends() -> ContextManager[Any]:
    """Let TensorFlow say nothing of objects that were never used when they are gone.

    When that is said is up to Python's garbage collection, and so to what ran before.
    """
    helper = getattr(tf_should_use, "_TFShouldUseHelper", None)
    if helper is None:
        return contextlib.nullcontext()
    return mock.patch.object(helper, "__del__", _end_silently)


def _end_silently(helper: Any) -> None:
    """What takes the place of a word at an object's end."""


@contextlib.contextmanager
def overlaid(texts: Mapping[str, str]) -> Iterator[None]:
    """Let imports see other texts than those on disk; nothing is written."""
    saved = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    undo = replace_code(lambda path: compiled(texts[path], path) if path in texts else None)
    try:
        yield
    finally:
        undo()
        sys.dont_write_bytecode = saved


# ----------------------------------------------------------------------------------- scripts


def _file_of(module: Any) -> Optional[str]:
    return getattr(module, "__file__", None)


def _state(side: Side, module: types.ModuleType) -> Node:
    """The globals of the program, and of the file itself where the program imports it."""
    own = {"__main__"} | own_modules(side.overlay)
    kind, name, parts = namespace_node(module.__dict__, own)
    for other in sorted(own - {"__main__"}):
        imported = sys.modules.get(other)
        if _file_of(imported) == side.path:
            parts.append((f"{other}.", namespace_node(vars(imported), own)))
    return kind, name, parts


def _shared(side: Side, module: types.ModuleType) -> List[Any]:
    """What all code sees: the globals of the user's files, and what numbers are drawn from."""
    others = [sys.modules.get(name) for name in own_modules(side.overlay) - {"__main__"}]
    spaces = [vars(other) for other in others if other is not None]
    drawn = [getattr(draw, "__self__", None) for draw in (random.random, np.random.random)]
    return [module.__dict__, *spaces, *drawn]


def _given(last: Last) -> List[Any]:
    """What a call can change: its object, its arguments, what the function encloses."""
    return [last.owner, last.positional, last.keywords, last.plain]


def _shaken(
    every: Mapping[str, Last], replaying: Replaying, made: States, turn: int
) -> Dict[str, List[Replay]]:
    """What calls that are made again give where what is passed and held is rounded otherwise."""
    found: Dict[str, List[Replay]] = {}
    for name, last in every.items():
        with made.restored():
            Shaken(made.variables).shake(turn)
            found[name] = replaying.replayed(last.nudged(), False)
    return found


def run_script(side: Side) -> Snapshot:
    """Run the side as a program."""
    from tfxla_lint.verify.worker.boundaries import watching
    from tfxla_lint.verify.worker.kinds import kinds_of

    snapshot = Snapshot()
    module = side.module("__main__")

    def stand() -> Start:
        flush_all()
        printed = os.fstat(1).st_size, os.fstat(2).st_size
        leaves.made.stand()
        return Start(_state(side, module), printed)

    def namespace() -> Mapping[str, Any]:
        imported = [vars(m) for m in sys.modules.values() if _file_of(m) == side.path]
        return next((space for space in imported if space is not module.__dict__), module.__dict__)

    watched = watching(side, noting(stand), namespace)
    with surroundings(side, module) as texts, watched as watch:
        run = execute_command if side.command else execute
        memory = contextlib.nullcontext() if side.is_untimed else growing()
        with leaving() as leaves, memory as grown:
            started = time.perf_counter()
            snapshot.error = run(side, module)
            snapshot.seconds = time.perf_counter() - started
        snapshot.megabytes = grown.megabytes if grown is not None else None
        snapshot.clocks = clock_reads()
        snapshot.state = _state(side, module)
        snapshot.left = leaves.left({"__main__"} | own_modules(side.overlay), side.formatted)
        snapshot.left.held += [*watch.touched(), *watch.elements()]
        snapshot.hits = dict(watch.hits)
        snapshot.calls = {name: list(rows) for name, rows in watch.calls.items()}
        snapshot.start, snapshot.ran = watch.start, set(side.ran)
        snapshot.changed = watch.changed()
        snapshot.passed = {n: kinds for n, kinds in watch.kinds.items() if not watch.hits.get(n)}
        snapshot.passed.update({name: kinds_of(last) for name, last in watch.last.items()})
        snapshot.untaped = [name for name, last in watch.last.items() if not last.is_taped]
        if side.has_replays and snapshot.error is None:
            made = leaves.made
            asked = (side.is_far, side.compared, side.label != WRONG)
            replaying = watch.replaying(lambda: _state(side, module), made, side.ran, *asked)
            kept = [*_shared(side, module), *map(_given, watch.last.values())]
            leaves.made.around = functools.partial(given_back, kept, watch.own)
            with watch.closed():
                leaves.made.take_over(side.held)
                every = {name: last.settled() for name, last in watch.last.items()}
                for name, last in every.items():
                    # The other version may have called another one in a trace alone, where nothing
                    # is known of its arguments.
                    with leaves.made.restored():
                        snapshot.replays[name] = replaying.replayed(last, side.is_eager_too)
                    if side.outside.get(name):
                        outside = Outside(side.outside[name], watch.own, side.renamed)
                        snapshot.varied[name] = replaying.varied(last, outside)
                if side.nudged:
                    for turn in range(_SHAKES):
                        snapshot.shaken.append(_shaken(every, replaying, leaves.made, turn))
                snapshot.ran = set(side.ran)
                side.on_end(snapshot, Recalls(every, replaying))
        snapshot.stood_in = set(side.stood_in)
        if not side.is_untimed:
            # Timing calls the functions again, and so their loops run on.
            snapshot.turns = {number: list(run) for number, run in watch.clock.turns.items()}
            snapshot.traces = watch.clock.traces()
            with captured(), watch.closed():
                snapshot.times = watch.times(min(_TIMING, _OF_A_RUN * snapshot.seconds))
    snapshot.output = (texts["stdout"], texts["stderr"])
    return snapshot
