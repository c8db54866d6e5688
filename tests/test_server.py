"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tfxla_lint import __version__
from tfxla_lint.cli import main

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.workspace import PositionCodec

from tfxla_lint.server.analysis import Analysis, Overtaken
from tfxla_lint.server.texts import Opened, Text
from tfxla_lint.settings.layer import Layer
from tfxla_lint.source import Source, encoded

#: Characters that are two units of UTF-16, and one that ends a line for `str.splitlines` only.
CODE = """\
import tensorflow as tf

TABLE = "\x0c"
print("🙂🙂", tf.keras.optimizers.Adam(lr=0.1), tf.where)
"""
CELLS = (
    "import tensorflow as tf",
    "# Notes",
    "%matplotlib inline\nprint('🙂', tf.keras.optimizers.Adam(lr=0.1))\nprint(tf.log(2.0))",
)


class Editor:
    """A client that keeps what the server says of each text."""

    def __init__(self) -> None:
        self.client = LanguageClient("editor", "1")
        self.said: dict[str, Sequence[types.Diagnostic]] = {}
        self.versions: dict[str, int | None] = {}
        self.seen: dict[str, list[int | None]] = {}
        self.news = asyncio.Event()

        def told(params: types.PublishDiagnosticsParams) -> None:
            self.said[params.uri] = params.diagnostics
            self.versions[params.uri] = params.version
            self.seen.setdefault(params.uri, []).append(params.version)
            self.news.set()

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(told)

    async def start(self, folder: Path) -> types.InitializeResult:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        await self.client.start_io(
            sys.executable, "-m", "tfxla_lint", "server", cwd=folder, env=environment
        )
        workspace = types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
        )
        capabilities = types.ClientCapabilities(workspace=workspace)
        params = types.InitializeParams(
            capabilities, root_uri=folder.as_uri(), initialization_options={"ignore": ["TXL3"]}
        )
        found = await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())
        return found

    async def told(self, uri: str, version: int | None) -> Sequence[types.Diagnostic]:
        while self.versions.get(uri, 0) != version:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 20)
        return self.said[uri]

    async def end(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]

    def change(self, uri: str, version: int, start: tuple[int, int], text: str) -> None:
        """Insert a text."""
        place = types.Position(*start)
        change = types.TextDocumentContentChangePartial(types.Range(place, place), text)
        document = types.VersionedTextDocumentIdentifier(version, uri)
        params = types.DidChangeTextDocumentParams(document, [change])
        self.client.text_document_did_change(params)

    async def actions(self, uri: str, place: types.Range, *kinds: str) -> list[types.CodeAction]:
        document = types.TextDocumentIdentifier(uri)
        context = types.CodeActionContext([], only=list(kinds) or None)
        params = types.CodeActionParams(document, place, context)
        found = await self.client.text_document_code_action_async(params) or ()
        return [action for action in found if isinstance(action, types.CodeAction)]

    async def hover(self, uri: str, line: int, character: int) -> str:
        place = types.Position(line, character)
        params = types.HoverParams(types.TextDocumentIdentifier(uri), place)
        found = await self.client.text_document_hover_async(params)
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value


def applied(text: str, action: types.CodeAction, uri: str) -> str:
    """A text after the edit of an action, counted in units of UTF-16."""
    assert action.edit is not None
    (change,) = action.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.uri == uri
    lines = text.split("\n")
    for edit in sorted(change.edits, key=lambda e: e.range.start.line, reverse=True):
        assert isinstance(edit, types.TextEdit)
        places = []
        for at in (edit.range.start, edit.range.end):
            units = (lines[at.line] if at.line < len(lines) else "").encode("utf-16-le")
            before = units[: 2 * at.character].decode("utf-16-le")
            places.append(len("\n".join([*lines[: at.line], before])))
        text = text[: places[0]] + edit.new_text + text[places[1] :]
        lines = text.split("\n")
    return text


def row(found: types.Diagnostic) -> tuple[object, ...]:
    start, end = found.range.start, found.range.end
    return found.code, start.line, start.character, end.line, end.character


async def in_a_file(editor: Editor, uri: str) -> None:
    item = types.TextDocumentItem(uri, "python", 1, CODE)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    (found,) = await editor.told(uri, 1)
    # Each of the two characters counts twice.
    assert row(found) == ("TXL502", 3, 39, 3, 45)
    # What comes quickly is looked at once.
    editor.change(uri, 2, (3, 7), "🙂")
    editor.change(uri, 3, (3, 9), "🙂")
    (found,) = await editor.told(uri, 3)
    assert row(found) == ("TXL502", 3, 43, 3, 49)
    assert 2 not in editor.seen[uri]
    text = CODE.replace("🙂🙂", "🙂🙂🙂🙂")
    fix, silence, fix_all = await editor.actions(uri, found.range)
    assert fix.title.endswith("(safe)")
    assert fix.is_preferred
    fixed = text.replace("lr=", "learning_rate=")
    assert applied(text, fix, uri) == fixed
    assert "# noqa: TXL502" in applied(text, silence, uri)
    assert (fix_all.kind, applied(text, fix_all, uri)) == ("source.fixAll.tfxla-lint", fixed)
    assert [a.kind for a in await editor.actions(uri, found.range, "source.fixAll")] == [
        "source.fixAll.tfxla-lint"
    ]
    assert "TXL502" in await editor.hover(uri, 3, 44)
    facts = await editor.hover(uri, 3, 57)
    assert "tf.where" in facts
    assert "exists" in facts
    assert "xla" in facts
    editor.change(uri, 4, (3, 0), "def (")
    (found,) = await editor.told(uri, 4)
    assert found.code == "TXL001"
    closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
    editor.client.text_document_did_close(closed)
    assert await editor.told(uri, None) == ()


async def in_a_notebook(editor: Editor, folder: Path) -> None:
    uri = (folder / "look.ipynb").as_uri()
    uris = [f"vscode-notebook-cell:/look.ipynb#{number}" for number in range(3)]
    kinds = (
        types.NotebookCellKind.Code,
        types.NotebookCellKind.Markup,
        types.NotebookCellKind.Code,
    )
    cells = [types.NotebookCell(kind, uri) for kind, uri in zip(kinds, uris, strict=True)]
    document = types.NotebookDocument(uri, "jupyter-notebook", 1, cells)
    texts = [
        types.TextDocumentItem(uri, "markdown" if number == 1 else "python", 1, text)
        for number, (uri, text) in enumerate(zip(uris, CELLS, strict=True))
    ]
    opened = types.DidOpenNotebookDocumentParams(document, texts)
    editor.client.notebook_document_did_open(opened)
    found = await editor.told(uris[2], 1)
    assert [row(item) for item in found] == [
        ("TXL502", 1, 37, 1, 43),
        ("TXL503", 2, 6, 2, 12),
    ]
    assert editor.said[uris[0]] == ()
    fix, *_ = await editor.actions(uris[2], found[0].range)
    assert applied(CELLS[2], fix, uris[2]) == CELLS[2].replace("lr=", "learning_rate=")
    # Beside a name that nobody knows nothing is plain code, so that no fix is safe.
    (fix_all,) = await editor.actions(uris[2], found[0].range, "source.fixAll.tfxla-lint")
    assert not (fix_all.edit and fix_all.edit.document_changes)
    unsafe, *_ = await editor.actions(uris[2], found[1].range)
    assert "(unsafe" in unsafe.title
    assert not unsafe.is_preferred
    assert "TXL503" in await editor.hover(uris[2], 2, 8)


async def edit_ask_and_look(folder: Path) -> None:
    editor = Editor()
    await editor.start(folder)
    await in_a_file(editor, (folder / "step.py").as_uri())
    await in_a_notebook(editor, folder)
    await editor.end()


def test_edit_code_action_hover_and_notebook(tmp_path: Path) -> None:
    # Editors quote what is no plain letter, each in its own way.
    folder = tmp_path / "Übung 1 (neu)"
    folder.mkdir()
    asyncio.run(asyncio.wait_for(edit_ask_and_look(folder), 60))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_on_a_long_line_are_found_by_going_through_it_once(encoding: str) -> None:
    text = "table = '" + "é🙂" * 100_000 + "'; x = 1\n"
    codec = PositionCodec(encoding=types.PositionEncodingKind(encoding))
    opened = Opened("u", Path("u"), b"", (Text("u", text),), codec)
    offset = text.index("x = 1")
    place = types.Position(0, codec.client_num_units(text[:offset]))
    assert opened.offset(Source("u", text), "u", place) == offset


HELPER = (
    "import tensorflow as tf\n\n\ndef total(x):\n    y = tf.reduce_sum(x)\n    return y.numpy()\n"
)
CALLER = """\
import tensorflow as tf
from helper import total


@tf.function
def step(x):
    return tf.square(x) + total(x)


step(tf.ones([3]))
"""


def of_file(path: Path, text: str) -> Opened:
    return Opened(path.as_uri(), path, encoded(text), (Text(path.as_uri(), text),), PositionCodec())


def test_an_excluded_file_has_no_findings_whatever_else_is_open(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.tfxla-lint]\nexclude = ['made']\n")
    (tmp_path / "made").mkdir()
    analysis = Analysis(Layer(tmp_path), is_cached=False)
    opened = of_file(tmp_path / "made" / "a.py", HELPER)
    for unsaved in ({}, {tmp_path / "b.py": b"x = 1\n"}):
        known = analysis.lint(opened, unsaved, lambda: None)
        assert (known.result.findings, known.opened) == ((), opened)


def test_neighbours_are_seen_as_the_editor_has_them_and_nothing_is_left_half_done(
    tmp_path: Path,
) -> None:
    for name, text in {"helper.py": HELPER, "caller.py": CALLER, "pyproject.toml": ""}.items():
        (tmp_path / name).write_text(text)
    analysis = Analysis(Layer(tmp_path), is_cached=False)
    helper = of_file(tmp_path / "helper.py", HELPER)

    def codes(opened: Opened, unsaved: dict[Path, bytes]) -> list[str]:
        found = analysis.lint(opened, unsaved, lambda: None).result.findings
        return [finding.code for finding in found]

    assert codes(helper, {}) == ["TXL301"]
    # Nobody traces it any more, in a text that is not saved.
    eager = encoded(CALLER.replace("@tf.function\n", ""))
    assert codes(helper, {tmp_path / "caller.py": eager}) == []
    edited = of_file(tmp_path / "helper.py", HELPER + "\n\nx = 1\n")
    stops = 0
    for stop in range(0, 40, 3):
        rest = iter(range(stop))

        def pause(rest: Iterator[int] = rest) -> None:
            if next(rest, None) is None:
                raise Overtaken

        try:
            analysis.lint(edited, {}, pause)
        except Overtaken:
            stops += 1
    assert stops > 3
    assert codes(edited, {}) == codes(helper, {}) == ["TXL301"]
    # What changes on the disk counts as well.
    (tmp_path / "caller.py").write_bytes(eager)
    assert codes(helper, {}) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_extension_for_vs_code_is_whole() -> None:
    folder = Path(__file__).parents[1] / "editors" / "vscode"
    described = json.loads((folder / "package.json").read_text())
    assert described["version"] == __version__
    subprocess.run(["node", "--check", folder / described["main"]], check=True)


def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tfxla_lint.cli.server.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as stop:
        main(["server"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == (
        "error: it needs the package pygls: pip install 'tfxla-lint[server]'\n"
    )
