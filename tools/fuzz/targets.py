"""What reads bytes that anybody may have written, with what it must never do.

A target takes any bytes and raises where something came of them that is no error with a message: a
bug. Each has inputs to begin with, and words of its language.
"""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfxla_lint.baseline import Baseline, BaselineError
from tfxla_lint.cache.memory import AnswerMemory, ProjectMemory
from tfxla_lint.cache.replay import Run
from tfxla_lint.cache.results import Results
from tfxla_lint.cache.store import Store
from tfxla_lint.digests import digest
from tfxla_lint.fingerprints import Fingerprint
from tfxla_lint.fixer import fix_text
from tfxla_lint.linter import Linter
from tfxla_lint.notebooks.reading import source_for_report, source_of
from tfxla_lint.planning import Planner
from tfxla_lint.project.projects import Projects
from tfxla_lint.recording import Recording, RecordingError
from tfxla_lint.registry import read_catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.source import Source, SourceError
from tfxla_lint.suppressions import Suppressions
from tfxla_lint.unused import unused_suppressions
from tfxla_lint.work import LintOptions, Work
from tools.fuzz.mutation import Target

ROOT = Path(__file__).parents[2]
_WORD = re.compile(rb"[\w.-]+|[^\w\s]+")
_CODE = b"""\
import tensorflow as tf

@tf.function
def f(x):  # noqa: TXL301
    print(x.numpy())  # tfxla-lint: ignore[TXL301, eager-only-call]
    return x

# tfxla-lint: ignore-file[TXL503]
for i in range(3):
    y = f(tf.constant(i))  # noqa
    print(float(y))  # type: ignore # noqa: E501, TXL104 # tfxla-lint: ignore
"""
_SOURCES = (
    _CODE, b"", b"\xef\xbb\xbf" + _CODE, _CODE.replace(b"\n", b"\r\n"), b"# coding: latin-1\nx = '\xe9'\n",
    b"#!/usr/bin/python\n# -*- coding: utf-7 -*-\nx = '+AOk-'\n", b"# coding: iso2022_jp\nx = '\x1b$B\x1b(B'\n",
    b"# vim: set fileencoding=unicode_escape :\nx = '\\xe9'\n", b"x = 1\r\ry = 2\x0c\n\x1a", b"# coding: punycode\n-a",
)  # fmt: skip
_SETTINGS = b"""\
[tool.tfxla-lint]
select = ["TXL1", "TXL301"]
ignore = ["TXL104"]
exclude = ["build/*", "**/x[!a-z].py"]
tf-version = "2.15"
unsafe-fixes = false
baseline = "known.json"
per-file-ignores = { "tests/*" = ["TXL301"] }
extend = "other.toml"
fail-on = "error"
"""


@dataclass(frozen=True)
class Fuzzed:
    """A target with its beginnings and its words."""

    run: Target
    seeds: Sequence[bytes]
    words: Sequence[bytes]


def _fuzzed(run: Target, seeds: Sequence[bytes], *more: bytes) -> Fuzzed:
    found = {word for seed in seeds for word in _WORD.findall(seed)}
    return Fuzzed(run, seeds, sorted(found | set(more)))


def _hold(*conditions: object) -> None:
    """Raise where one of these is not so."""
    if not all(conditions):
        raise AssertionError("it does not say what it has to say")


@contextmanager
def targets() -> Iterator[dict[str, Fuzzed]]:
    """All targets by name; they write into a folder that is removed in the end."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made: list[Callable[[Path], Fuzzed]] = [
            _source, _suppressions, _settings, _notebook, _baseline, _profile, _cache, _lint,
        ]  # fmt: skip
        found = {}
        for make in made:
            name = make.__name__.lstrip("_")
            (folder / name).mkdir()
            found[name] = make(folder / name)
        yield found


def _source(folder: Path) -> Fuzzed:
    codings = (b"# coding: " + name for name in (
        b"ascii", b"cp037", b"utf-16", b"utf-8-sig", b"hex", b"rot13", b"idna", b"undefined", b"raw_unicode_escape",
        b"charmap", b"shift_jis", b"gb18030", b"hz", b"zlib", b"mbcs", b"../x", b"a" * 90,
    ))  # fmt: skip
    return _fuzzed(_read_source, _SOURCES, *codings)


def _read_source(data: bytes) -> None:
    source_for_report(data, "a.py")
    try:
        source = Source.from_bytes(data, "a.py")
    except SourceError as error:
        _hold(error.line >= 1, error.column >= 1, error.message)
        return
    if source.gives_back(data):
        assert source.encode(source.text) == data
    starts = source.line_starts
    _hold(starts[0] == 0, starts == sorted(set(starts)), starts[-1] <= len(source.text))
    for offset in {0, len(source.text) // 2, len(source.text)}:
        line, column = source.position(offset)
        assert starts[line - 1] + column - 1 == offset
        source.shown_line(line)


def _suppressions(folder: Path) -> Fuzzed:
    catalogue = read_catalogue()

    def run(data: bytes) -> None:
        source = Source("a.py", data.decode("utf-8", "replace"))
        found = Suppressions.read(source, catalogue.expand)
        for finding in unused_suppressions(source, found, catalogue.codes, catalogue.nearest):
            assert 0 <= finding.span.start <= finding.span.end <= len(source.text)
            for edit in finding.fix.edits if finding.fix is not None else ():
                assert 0 <= edit.start <= edit.end <= len(source.text)

    return _fuzzed(
        run, (_CODE,), b"# noqa", b"# noqa:TXL101", b"# tfxla-lint: disable-file", b"ignore["
    )


def _settings(folder: Path) -> Fuzzed:
    planner = Planner(read_catalogue())
    (folder / "other.toml").write_text("select = []\n")
    (folder / "a.py").write_bytes(_CODE)
    own = _SETTINGS.replace(b"[tool.tfxla-lint]\n", b"")

    def run(data: bytes) -> None:
        for name in (
            "pyproject.toml",
            "tfxla-lint.toml",
            "requirements.txt",
            "setup.cfg",
            ".gitignore",
        ):
            (folder / name).write_bytes(data)
            try:
                settings = SettingsResolver(Layer(folder)).for_folder(folder)
                planner.options(folder / "a.py", settings, _CODE)
                str(settings.target)
            except SettingsError as error:
                _hold(str(error))
            (folder / name).unlink()

    return _fuzzed(run, (_SETTINGS, own, b"tensorflow>=2.12,<2.16 ; python_version > '3.8'\n",
                         b"[options]\ninstall_requires =\n    tensorflow==2.15.*\n"))  # fmt: skip


def _notebook(folder: Path) -> Fuzzed:
    paths = sorted(
        (ROOT / "testdata" / "notebooks").glob("*.ipynb"), key=lambda p: p.stat().st_size
    )
    seeds = [path.read_bytes() for path in paths[:10]]
    cell = b'{"cell_type": "code", "source": ["%%bash\\n", "ls"], "metadata": {}, "outputs": []}'
    return _fuzzed(
        _read_notebook,
        seeds,
        cell,
        b'"cells"',
        b'"source"',
        b"\\ud800",
        b"%matplotlib",
        b"!ls",
        b"?x",
    )


def _read_notebook(data: bytes) -> None:
    source_for_report(data, "a.ipynb")
    try:
        source = source_of(data, "a.ipynb")
    except SourceError as error:
        _hold(error.line >= 1, error.message)
        return
    if source.gives_back(data):
        assert source.encode(source.text) == data
    source.clearing()
    for line in range(1, len(source.line_starts) + 1):
        source.shown_line(line)
    source.span(0, len(source.text))


def _baseline(folder: Path) -> Fuzzed:
    path = folder / "known.json"
    seed = Baseline.of([Fingerprint("a.py", "TXL301", "f", "x.numpy()")] * 2).as_text().encode()

    def run(data: bytes) -> None:
        path.write_bytes(data)
        try:
            known = Baseline.read(path)
        except BaselineError as error:
            _hold(str(error))
            return
        assert Baseline.read(_written(path, known.as_text())).as_text() == known.as_text()

    return _fuzzed(run, [seed], b'"count": -1', b'"count": 1e400', b'"version": 2', b"\\ud800")


def _written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("ascii"))
    return path


def _profile(folder: Path) -> Fuzzed:
    path, catalogue = folder / "profile.json", read_catalogue()
    # Those that ask what was recorded.
    codes = frozenset(rule.code for rule in catalogue.rules if rule.code.startswith("TXL2")) | {
        "TXL110"
    }
    options = LintOptions(codes, codes, profile=str(path))
    seconds = {"count": 1, "total": 0.5, "median": 0.5}
    most = {"distinct": 1, "most": [["float32", 2]]}
    argument = {
        "name": "x",
        "kinds": most,
        "dtypes": most,
        "shapes": most,
        "values": most,
        "objects": 1,
        "shape": [3, None],
    }
    function = {
        "path": "a.py", "qualname": "f", "line": 4, "digest": "0", "traces": 1, "tf_functions": 1, "compiled": 0,
        "calls": {"eager": 1, "traced": 2, "graph": 3}, "parameters": ["x"], "arguments": [argument],
        "retraces": [{"argument": "x", "because": "shape", "times": 2}],
        "seconds": {"eager": seconds, "graph": seconds, "tracing": seconds},
    }  # fmt: skip
    loop = {
        "path": "a.py",
        "qualname": "<module>",
        "line": 9,
        "digest": "0",
        "entries": 1,
        "turns": 3,
        "seconds": seconds,
    }
    content = {
        "format": "tfxla-lint profile", "version": 1, "root": ".", "seconds": 1.0,
        "functions": [function], "loops": [loop],
    }  # fmt: skip

    def run(data: bytes) -> None:
        try:
            recording = Recording.of_bytes(data, str(path))
        except RecordingError as error:
            _hold(str(error))
            return
        recording.of(str(folder / "a.py"), _CODE.decode())
        path.write_bytes(data)
        result, _ = Linter(catalogue, options).lint_bytes(
            _CODE, str(folder / "a.py"), folder / "a.py"
        )
        assert not result.crashed, result.crashed[0].traceback

    return _fuzzed(run, [json.dumps(content).encode()], b"[]", b"{}", b'""', b"1.5")


def _cache(folder: Path) -> Fuzzed:
    """Documents whose checksum is right, as somebody may write them who shares the cache."""
    store = Store(folder / "cache")
    (folder / "a.py").write_bytes(_CODE)
    codes = frozenset({"TXL301"})
    work = Work(folder / "a.py", "a.py", LintOptions(codes, codes))
    fresh = FileResult("a.py")
    memory = AnswerMemory(store, "tool", Folders())
    key = "ab" + "0" * 28

    def run(data: bytes) -> None:
        place = Path(store._path(key))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(digest(key.encode() + data).encode() + b"\n" + data)
        given = _Given(store.get(key), folder)
        ProjectMemory({folder: given}, "tool").recall(folder)
        memory._store = given
        memory.ask("question", folder, tuple[str, ...], lambda: ("fresh",))
        found = Results("tool", Projects()).through([work], [given], lambda works: [fresh])
        assert [result.path for result in found] == ["a.py"]
        os.environ["TFXLA_LINT_CACHE_DIR"] = str(folder / "cache")
        try:
            again = Run(["a.py"])
            place = Path(store._path(again._key))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(digest(again._key.encode() + data).encode() + b"\n" + data)
            again.recall()
        finally:
            del os.environ["TFXLA_LINT_CACHE_DIR"]

    span = [0, 1, 1, 1, 1, 2, None]
    finding = ["TXL301", "eager-only-call", "error", "message", "a.py", span, [], None]
    seeds = [
        json.dumps(seed).encode()
        for seed in ([1, [[False, "text"]], [["/etc/hosts", "", "-"]]], {"findings": [finding]}, [{"a": "b"}, ["x"]],
                     [[finding], 0, {}, [], []], [], {}, None, "text", 1)
    ]  # fmt: skip
    return _fuzzed(run, seeds)


class _Given(Store):
    """Has one document under every key, and takes none."""

    def __init__(self, document: Any, folder: Path) -> None:
        super().__init__(folder / "given")
        self._document = document

    def get(self, key: str) -> Any:
        return self._document

    def put(self, key: str, document: Any) -> None:
        return


def _lint(folder: Path) -> Fuzzed:
    catalogue = read_catalogue()
    linter = Linter(catalogue, LintOptions(catalogue.codes, catalogue.codes))
    paths = sorted((ROOT / "testdata").rglob("*_bad.py"))
    seeds = [path.read_bytes() for path in random.Random(0).sample(paths, 60)]

    def run(data: bytes) -> None:
        result, source = linter.lint_bytes(data, "a.py")
        # What LibCST cannot read is its own matter.
        crashed = [crash for crash in result.crashed if crash.code != "parser"]
        assert not crashed, crashed[0].traceback
        if result.findings and not result.has_syntax_error:
            fixed = fix_text(source, linter.lint, unsafe=True)
            assert not fixed.result.has_syntax_error

    return _fuzzed(run, seeds)
