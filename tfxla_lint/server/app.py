"""The server: listens to an editor, lints after a pause in the typing, and answers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from tfxla_lint import __version__
from tfxla_lint.depth import STACK
from tfxla_lint.interface import layer_of
from tfxla_lint.notebooks.reading import is_notebook
from tfxla_lint.registry import RegistryError
from tfxla_lint.regular import regular_bytes
from tfxla_lint.server.analysis import Analysis, Known, Overtaken
from tfxla_lint.server.answers import FIX_ALL, SOURCE, actions, diagnostics, fix_all, hover
from tfxla_lint.server.texts import Opened, Text, notebook, split_lines
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.layer import Layer
from tfxla_lint.source import encoded

_T = TypeVar("_T")
#: How long nobody has to type until a text is linted.
_PAUSE = 0.2
#: Linting nests deeply.
_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(
            cells=[types.NotebookCellLanguage("python")], notebook="jupyter-notebook"
        )
    ]
)
#: What settings and neighbours stand in.
_WATCHED = "**/*.{py,ipynb,toml}"
_KINDS = [types.CodeActionKind.QuickFix, FIX_ALL]


def serve(is_cached: bool) -> None:
    """Serve the editor at the other end of standard input and output, until it says goodbye."""
    # The protocol ends lines where Python does, not at form feeds and the like.
    TextDocument.lines = property(lambda self: split_lines(self.source))  # type: ignore[assignment]
    server = Server(is_cached)
    server.start_io()


class Server(LanguageServer):
    """One editor's server. What is asked is worked out in one thread, one thing after the other."""

    def __init__(self, is_cached: bool) -> None:
        super().__init__(SOURCE, __version__, notebook_document_sync=_NOTEBOOKS)
        self._is_cached = is_cached
        self._analysis = Analysis(Layer(Path.cwd()), is_cached)
        self._known: dict[str, Known] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._told: dict[str, frozenset[str]] = {}
        self._said: str | None = None
        self._changes = 0
        self._saved: dict[str, bytes] = {}
        threading.stack_size(STACK)
        self._pool = ThreadPoolExecutor(max_workers=1)
        _listen(self)

    # What is open

    def opened(self, uri: str) -> Opened | None:
        """The file or notebook that a URI, or that of one of its cells, stands for."""
        workspace = self.workspace
        found = workspace.get_notebook_document(notebook_uri=uri)
        found = found or workspace.get_notebook_document(cell_uri=uri)
        codec = workspace.position_codec
        if found is None:
            name = self.named(uri)
            if name is None:
                return None
            document = workspace.get_text_document(name)
            text = Text(name, document.source, document.version)
            return Opened(name, _path(name, "py"), encoded(text.text), (text,), codec)
        known = workspace.text_documents
        if not all(cell.document in known for cell in found.cells):
            # The editor told of a cell and not of its text.
            return None
        documents = [workspace.get_text_document(cell.document) for cell in found.cells]
        is_code = [
            cell.kind == types.NotebookCellKind.Code and document.language_id in (None, "python")
            for cell, document in zip(found.cells, documents, strict=True)
        ]
        data = notebook([(c, d.source) for c, d in zip(is_code, documents, strict=True)])
        texts = tuple(
            Text(document.uri, document.source, document.version, number)
            for number, document in enumerate(documents, 1)
        )
        return Opened(found.uri, _path(found.uri, "ipynb"), data, texts, codec)

    def named(self, uri: str) -> str | None:
        """The URI by which the editor opened a text: one may be quoted in several ways."""
        texts = self.workspace.text_documents
        found = texts.get(unquote(uri)) or texts.get(uri)
        return found.uri if found is not None else None

    def uris(self) -> list[str]:
        """What is open in one piece: files and notebooks."""
        workspace = self.workspace
        notebooks = workspace.notebook_documents.values()
        cells = {unquote(c.document) for n in notebooks for c in n.cells}
        files = (d.uri for d in workspace.text_documents.values() if unquote(d.uri) not in cells)
        return [*files, *(n.uri for n in notebooks)]

    def _unsaved(self) -> dict[Path, bytes]:
        """What is open otherwise than it was saved."""
        found = (self.opened(uri) for uri in self.uris())
        return {o.path: o.data for o in found if o and self._saved.get(o.uri) != o.data}

    def came(self, uri: str) -> None:
        """Note whether the disk has what has just been opened: editors keep what was not saved."""
        opened = self.opened(uri)
        if opened is not None:
            with suppress(OSError):
                if is_notebook(str(opened.path)) or regular_bytes(opened.path) == opened.data:
                    self._saved[opened.uri] = opened.data

    def saved(self, uri: str) -> None:
        """Note that the disk has what is open."""
        opened = self.opened(uri)
        if opened is not None:
            self._saved[opened.uri] = opened.data

    def closed(self, uri: str) -> None:
        """Forget what is no longer open."""
        uri = next((u for u in (*self._told, *self._waiting) if unquote(u) == unquote(uri)), uri)
        self._saved.pop(uri, None)
        task = self._waiting.pop(uri, None)
        if task is not None:
            task.cancel()
        self._known.pop(uri, None)
        self._tell(uri, {})

    # What is known of it

    async def known(self, uri: str) -> Known | None:
        """What is known of a text as it is now; None where it changes before that is found out."""
        try:
            return await self._found(uri)
        except Overtaken:
            return None

    async def _found(self, uri: str) -> Known | None:
        opened = self.opened(uri)
        if opened is None:
            return None
        known = self._known.get(opened.uri)
        if known is not None and known.opened.texts == opened.texts:
            return known
        changes = self._changes

        def pause() -> None:
            if self._changes != changes:
                raise Overtaken

        try:
            found = await self.aside(self._analysis.lint, opened, self._unsaved(), pause)
        except (SettingsError, RegistryError) as error:
            self._say(str(error))
            return None
        crashed = found.result.crashed
        self._say(f"{crashed[0].code}: {crashed[0].message}" if crashed else None)
        self._known[opened.uri] = found
        return found

    async def aside(self, do: Callable[..., _T], *arguments: Any) -> _T:
        """What a call gives, made in the thread that works things out."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, do, *arguments)

    def changed(self, uri: str, after: float = _PAUSE) -> None:
        """Lint a text when nobody has typed for a while."""
        opened = self.opened(uri)
        if opened is None:
            return
        self._changes += 1
        before = self._waiting.get(opened.uri)
        if before is not None:
            before.cancel()
        self._waiting[opened.uri] = asyncio.ensure_future(self._lint(opened.uri, after))

    def all_changed(self) -> None:
        """Lint all that is open anew."""
        self._known.clear()
        for uri in self.uris():
            self.changed(uri, 0)

    async def _lint(self, uri: str, after: float) -> None:
        is_waiting = True
        while is_waiting:
            await asyncio.sleep(after)
            try:
                known = await self._found(uri)
                is_waiting = False
            except Overtaken:
                # Another text was changed: this one still waits for its turn.
                after = _PAUSE
        now = self.opened(uri)
        if known is None or now is None or now.texts != known.opened.texts:
            return
        self._tell(uri, diagnostics(known), {t.uri: t.version for t in known.opened.texts})

    def _tell(
        self,
        uri: str,
        found: Mapping[str, list[types.Diagnostic]],
        versions: Mapping[str, int | None] = MappingProxyType({}),
    ) -> None:
        """Show what is found in the texts of a file or notebook, and nothing in those that are gone."""
        gone = self._told.get(uri, frozenset()) - found.keys()
        self._told[uri] = frozenset(found)
        for text in (*found, *gone):
            shown, version = found.get(text, []), versions.get(text)
            params = types.PublishDiagnosticsParams(text, shown, version)
            self.text_document_publish_diagnostics(params)

    def _say(self, message: str | None) -> None:
        """Show what keeps the server from its work, once."""
        if message is not None and message != self._said:
            kind = types.MessageType.Error
            self.window_show_message(types.ShowMessageParams(kind, f"{SOURCE}: {message}"))
        self._said = message

    # What is done

    def settle(self, options: object) -> None:
        """Take the settings that the editor gives at the start."""
        try:
            layer = layer_of(options) if isinstance(options, dict) else Layer(Path.cwd())
        except SettingsError as error:
            self._say(str(error))
            return
        self._analysis = Analysis(layer, self._is_cached)

    def to_edit(self, rows: Sequence[tuple[Text, Sequence[types.TextEdit]]]) -> types.WorkspaceEdit:
        """The edit of several texts, of the versions that they have."""
        if not _can(self, "workspace", "workspace_edit", "document_changes"):
            return types.WorkspaceEdit(changes={text.uri: list(edits) for text, edits in rows})
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(text.uri, text.version),
                    list(edits),
                )
                for text, edits in rows
            ]
        )

    async def fix_all(self, uri: str) -> types.WorkspaceEdit | None:
        """The edit that applies all safe fixes."""
        known = await self.known(uri)
        if known is None:
            return None
        fixed = await self.aside(self._analysis.fixed, known.opened)
        return fix_all(known, fixed, self.to_edit)


def _listen(server: Server) -> None:
    """Say what is done with each message."""

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        if _can(server, "workspace", "did_change_watched_files", "dynamic_registration"):
            watchers = [types.FileSystemWatcher(_WATCHED)]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = types.Registration("files", method, options)
            server.client_register_capability(types.RegistrationParams([registration]))

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.settle(params.initialization_options)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.came(params.text_document.uri)
        server.changed(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.saved(params.text_document.uri)
        server.all_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: types.DidOpenNotebookDocumentParams) -> None:
        server.came(params.notebook_document.uri)
        server.changed(params.notebook_document.uri, 0)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(params: types.DidChangeNotebookDocumentParams) -> None:
        server.changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_saved(params: types.DidSaveNotebookDocumentParams) -> None:
        server.saved(params.notebook_document.uri)
        server.all_changed()

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: types.DidCloseNotebookDocumentParams) -> None:
        server.closed(params.notebook_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        server.all_changed()

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=_KINDS, resolve_provider=True),
    )
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, only = server.named(params.text_document.uri), params.context.only
        found: list[types.CodeAction] = []
        known = await server.known(uri) if uri is not None else None
        if known is None or uri is None:
            return found
        if _wants(only, types.CodeActionKind.QuickFix):
            found += actions(known, uri, params.range, server.to_edit)
        if known.result.findings and _wants(only, FIX_ALL):
            action = types.CodeAction("Apply all safe fixes of tfxla-lint", FIX_ALL, data=uri)
            if not _can(server, "text_document", "code_action", "resolve_support"):
                action.edit = await server.fix_all(uri)
            found.append(action)
        return found

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(params: types.CodeAction) -> types.CodeAction:
        if params.kind == FIX_ALL and isinstance(params.data, str):
            params.edit = await server.fix_all(params.data)
        return params

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        uri = server.named(params.text_document.uri)
        known = await server.known(uri) if uri is not None else None
        if known is None or uri is None:
            return None
        return await server.aside(hover, known, uri, params.position)


def _path(uri: str, suffix: str) -> Path:
    """Where a document lies; one that was never saved would lie in the working folder."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else Path.cwd() / f"untitled.{suffix}"


def _wants(only: Sequence[str] | None, kind: str) -> bool:
    """Whether an editor asks for actions of this kind, or of one that it belongs to."""
    return only is None or any(kind == o or kind.startswith(f"{o}.") for o in only)


def _can(server: Server, *names: str) -> bool:
    """Whether the editor says that it can do something."""
    found: Any = server.client_capabilities
    for name in names:
        found = getattr(found, name, None)
    return bool(found)
