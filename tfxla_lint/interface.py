"""The Python interface, `tfxla_lint.check`, `fix` and `verify`: docs/python.md describes it.

What stands here without an underscore is kept stable.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from tfxla_lint.checking import Checking
from tfxla_lint.depth import kept_limit, with_room
from tfxla_lint.discovery import Target, discover
from tfxla_lint.findings import Finding
from tfxla_lint.registry import RegistryError
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.layer import Layer, layer_from_table
from tfxla_lint.settings.resolver import SettingsResolver, absolute
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.source import SourceError, decoded, encoded
from tfxla_lint.work import Mode

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack

    from tfxla_lint.source import Source
    from tfxla_lint.verify.pairs import Options, Pair
    from tfxla_lint.verify.verdicts import Verdict

#: What may be linted: code, or the path of a file or folder, or several.
What = str | bytes | os.PathLike[str] | Sequence[str | os.PathLike[str]]
#: Code, or the path of a file.
Code = str | os.PathLike[str]
Name = str | os.PathLike[str] | None
#: The name of code that has none.
_NAMELESS = "code.py"


class Error(Exception):
    """What was asked for cannot be done: wrong settings, a file that is missing, no TensorFlow."""


@dataclass(frozen=True, eq=False)
class Result:
    """What linting gave, or what fixing left: `findings`, file by file and in order.

    `problems` says of files that could not be read or written, and of rules that failed.
    """

    findings: tuple[Finding, ...]
    problems: tuple[str, ...]
    _run: RunResult

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def as_json(self) -> dict[str, Any]:
        """The document that `--output-format json` prints: docs/output-formats.md."""
        from tfxla_lint.reporters import render
        from tfxla_lint.reporters.style import Style

        document: dict[str, Any] = json.loads(render("json", self._run, Style()))
        return document


@dataclass(frozen=True, eq=False)
class Fixed(Result):
    """What fixing gave.

    `text` is the code with its fixes where code was given, and `data` its bytes, in the encoding
    that it declares; `applied` counts the fixes by rule, `diff` shows them where no file is written.
    """

    text: str = ""
    data: bytes = b""
    applied: Mapping[str, int] | None = None
    diff: str = ""


class How(TypedDict, total=False):
    """How to verify: the options of `tfxla-lint verify`."""

    run: str
    python: str
    correcting: bool
    xla: bool
    power: bool
    time_limit: float
    memory_limit: int
    executor: Executor


@dataclass(frozen=True, eq=False)
class Verification:
    """A verdict on each function or block that was rewritten; none where no code differs."""

    verdicts: tuple[Verdict, ...]

    @property
    def outcome(self) -> str:
        """The worst of the verdicts: "differs", "not checked" or "equivalent"."""
        from tfxla_lint.verify.verdicts import Outcome

        found = {verdict.outcome for verdict in self.verdicts}
        worst = (o for o in (Outcome.DIFFERS, Outcome.NOT_CHECKED) if o in found)
        return next(worst, Outcome.EQUIVALENT).value

    def as_json(self) -> dict[str, Any]:
        """The document that `tfxla-lint verify --output-format json` prints."""
        from tfxla_lint.verify.reports import as_json

        document: dict[str, Any] = json.loads(json.dumps(as_json(self.verdicts), default=str))
        return document


def check(
    what: What,
    *,
    filename: Name = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    cache: bool = False,
    jobs: int | None = 1,
    executor: Executor | None = None,
    **settings: Any,
) -> Result:
    """The findings of code (`str`, `bytes`) or of files and folders (a path, or a list of them).

    `filename` is where code lies, or would: its settings hold, and its neighbours are read. Settings
    are those of the settings file, with underscores. An `executor` of `concurrent.futures` does the
    work where it says. Nothing is run. Raises Error.
    """
    given = _Given(what, filename, config, isolated, settings, cache)
    return _result(given, given.process(Mode.LINT, jobs, executor), is_fixing=False)


def fix(
    what: What,
    *,
    filename: Name = None,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    write: bool = True,
    jobs: int | None = 1,
    executor: Executor | None = None,
    **settings: Any,
) -> Fixed:
    """Apply the safe fixes; with `unsafe_fixes=True` the unsafe ones, too.

    Code comes back as `text`; files are written, unless `write` is false. What would be written is
    shown as `diff`. Nothing is run. Raises Error.
    """
    given = _Given(what, filename, config, isolated, settings)
    mode = Mode.FIX if write and given.data is None else Mode.DIFF
    files = given.process(mode, jobs, executor)
    result = _result(given, files, is_fixing=True)
    data = given.data if given.data is not None else b""
    output = next((f.output for f in files if f.output is not None), data)
    text = what if isinstance(what, str) and output == data else decoded(output)
    return Fixed(
        result.findings,
        result.problems,
        result._run,
        text,
        output,
        dict(result._run.applied),
        "".join(file.diff for file in files),
    )


def verify(
    original: Code,
    rewritten: Code,
    *,
    filename: Name = None,
    **how: Unpack[How],
) -> Verification:
    """Run rewritten code against the original on TensorFlow: this runs the code of both.

    A `str` is code, a path is a file; `filename` is where the original lies, or would. Raises Error.
    """
    with _as_error():
        return _verified([_pair(original, rewritten, filename)], [], **how)


def verify_patch(
    patch: str, folder: str | os.PathLike[str] = ".", **how: Unpack[How]
) -> Verification:
    """Run what a unified diff makes of the files in `folder` against what they are.

    No file is changed. Raises Error.
    """
    from tfxla_lint.verify.patch import patched_pairs

    with _as_error():
        return _verified(*patched_pairs(patch, Path(folder)), **how)


class _Given:
    """What is to be linted, with its settings."""

    def __init__(
        self,
        what: What,
        filename: Name,
        config: str | os.PathLike[str] | None,
        isolated: bool,
        settings: Mapping[str, Any],
        is_cached: bool = False,
    ) -> None:
        self.data = encoded(what) if isinstance(what, str) else None
        if isinstance(what, bytes):
            self.data = what
        self.problems: list[str] = []
        with _as_error():
            file = Path(config) if config is not None else None
            resolver = SettingsResolver(layer_of(settings), file, isolated)
            self.settings = resolver.for_folder(Path.cwd())
            if self.data is not None:
                path = absolute(Path(filename if filename is not None else _NAMELESS))
                self.settings = resolver.for_folder(path.parent)
                targets = [Target(path, shown_path(path), self.settings)]
            else:
                assert not isinstance(what, (str, bytes))
                paths = [what] if isinstance(what, os.PathLike) else what
                found = discover([os.fspath(path) for path in paths], resolver)
                self.problems += [f"{path}: {reason}" for path, reason in found.problems]
                targets = found.files
            self.checking = Checking(targets, resolver, is_cached, self.data)

    def process(self, mode: Mode, jobs: int | None, executor: Executor | None) -> list[FileResult]:
        self.checking.executor = executor
        with kept_limit(), _as_error():
            return with_room(lambda: self.checking.run(mode, jobs))


def layer_of(settings: Mapping[str, Any]) -> Layer:
    """The settings that are given by name, the strongest there are; raises SettingsError."""
    lists = {k: list(v) if isinstance(v, tuple) else v for k, v in settings.items()}
    values = {name.replace("_", "-"): value for name, value in lists.items()}
    return layer_from_table(Layer(Path.cwd()), values)


def _result(given: _Given, files: list[FileResult], is_fixing: bool) -> Result:
    run = RunResult(tuple(files), given.settings.unsafe_fixes, is_fixing)
    problems = [*given.problems, *(f"{f.path}: {f.problem}" for f in files if f.problem)]
    problems += [f"{f.path}: {c.code}: {c.message}" for f in files for c in f.crashed]
    return Result(tuple(run.findings), tuple(problems), given.checking.gathered(run))


def _pair(
    original: Code,
    rewritten: Code,
    filename: Name,
) -> Pair:
    from tfxla_lint.verify.pairs import Pair

    named = original if filename is None and isinstance(original, os.PathLike) else filename
    path = absolute(Path(named if named is not None else _NAMELESS))
    old, new = (_source(side, path) for side in (original, rewritten))
    return Pair(path, shown_path(path), old.text, new.text, cells=old.cell_lines)


def _source(side: Code, path: Path) -> Source:
    from tfxla_lint.notebooks.reading import read_source, source_of

    if isinstance(side, str):
        return source_of(encoded(side), str(path))
    return read_source(Path(side))


def _verified(
    pairs: Sequence[Pair],
    gone: Sequence[str],
    python: str | None = None,
    executor: Executor | None = None,
    **how: Any,
) -> Verification:
    from tfxla_lint.verify.changes import MODULE
    from tfxla_lint.verify.running import verify_pairs
    from tfxla_lint.verify.verdicts import Verdict

    verdicts = verify_pairs(pairs, _options(**how), python, executor=executor)
    verdicts += [Verdict.unchecked(path, MODULE, "the file is gone") for path in gone]
    return Verification(tuple(verdicts))


def _options(
    *,
    run: str | None = None,
    correcting: bool = False,
    xla: bool = False,
    power: bool = True,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Options:
    from tfxla_lint.sandbox.limits import Limits
    from tfxla_lint.verify.pairs import Options
    from tfxla_lint.verify.running import program_words, search_path

    limits = Limits()
    if time_limit is not None:
        limits = replace(limits, seconds=time_limit)
    if memory_limit is not None:
        limits = replace(limits, memory=memory_limit << 20)
    return Options(
        limits,
        program_words(run),
        os.getcwd() if run else "",
        correcting=correcting,
        measure_xla=xla,
        power=power,
        search=search_path(),
    )


@contextmanager
def _as_error() -> Iterator[None]:
    """Tell in one way what cannot be done."""
    from tfxla_lint.profile.program import ProgramError
    from tfxla_lint.repository.git import GitError
    from tfxla_lint.sandbox.jobs import WorkerError
    from tfxla_lint.workers.remote import ExecutorError

    known = (SettingsError, RegistryError, SourceError, ProgramError, WorkerError, GitError)
    try:
        yield
    except (*known, ExecutorError, OSError) as error:
        raise Error(str(error)) from error
