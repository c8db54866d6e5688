"""Lints what an editor has open, and keeps the world of the last file for as long as it holds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tfxla_lint.budgets import PENDING_CALLS, TooMuchError
from tfxla_lint.checking import Checking
from tfxla_lint.discovery import Target, is_excluded
from tfxla_lint.disk import Disk
from tfxla_lint.knowledge import facts
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.server.texts import Opened
from tfxla_lint.session import Session
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.source import Source, SourceError
from tfxla_lint.work import Mode, Work
from tfxla_lint.worlds import Worlds

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


class Overtaken(BaseException):
    """The text has changed while it was linted: nobody wants to know any more."""


@dataclass(frozen=True)
class Known:
    """What is known of one state of a file or notebook."""

    opened: Opened
    result: FileResult
    catalogue: Catalogue

    @cached_property
    def source(self) -> Source | None:
        """The text that findings refer to; None where it cannot be read."""
        if self.result.source is not None:
            return self.result.source
        try:
            return source_of(self.opened.data, self.result.path)
        except SourceError:
            return None

    @cached_property
    def model(self) -> SemanticModel | None:
        """What the file means, seen by itself; None where it is no Python."""
        import libcst

        from tfxla_lint.semantics.model import SemanticModel
        from tfxla_lint.semantics.parsing import parsed
        from tfxla_lint.semantics.positions import PositionsError

        if self.source is None:
            return None
        try:
            found = SemanticModel.build(parsed(self.source.text), self.source)
            _ = found.positions
        except (libcst.ParserSyntaxError, RecursionError, ValueError, TooMuchError, PositionsError):
            return None
        return found

    def symbol_at(self, offset: int) -> list[facts.Fact]:
        """What is known of the TensorFlow symbol that stands at a place, if there is one."""
        import libcst as cst

        if self.model is None:
            return []
        nodes = [(node, node.attr) for node in self.model.nodes(cst.Attribute)]
        attributes = {id(word) for _, word in nodes}
        names = self.model.nodes(cst.Name)
        words = [*nodes, *((node, node) for node in names if id(node) not in attributes)]
        for node, word in words:
            start, end = self.model.positions.syntactic(word)
            name = self.model.names.one(node) if start <= offset <= end else None
            if name is not None and name.startswith("tensorflow."):
                return facts.describe(name) if facts.resolve(name) else []
        return []


class Analysis:
    """Lints and fixes for one editor; `layer` holds the settings that the editor gives.

    It is asked one thing after the other. `unsaved` are the files that an editor holds otherwise
    than the disk, with their bytes: neighbours see them so.
    """

    def __init__(self, layer: Layer, is_cached: bool) -> None:
        self._layer = layer
        self._is_cached = is_cached
        self.unsaved: Mapping[Path, bytes] = {}
        self._worlds: Worlds | None = None
        self._seen_by: object = None

    def lint(
        self, opened: Opened, unsaved: Mapping[Path, bytes], pause: Callable[[], None]
    ) -> Known:
        """What is known of a file; raises SettingsError, RegistryError, and what `pause` raises."""
        pause()
        sys.setrecursionlimit(max(sys.getrecursionlimit(), PENDING_CALLS))
        checking = self._checking(opened)

        def process(works: Sequence[Work]) -> list[FileResult]:
            if not works:
                # The settings exclude it.
                return []
            worlds = self._kept(checking, unsaved)
            worlds.pause = pause
            session = Session(checking.planner.catalogue, Mode.LINT, worlds=worlds, pause=pause)
            try:
                return session.process_together(works)
            except Overtaken:
                worlds.abandon()
                raise

        is_alone = not unsaved.keys() - {opened.path}
        through = checking.through if is_alone else lambda do: do(checking.works)
        results = through(process)
        result = results[0] if results else FileResult(str(opened.path))
        return Known(opened, result, checking.planner.catalogue)

    def fixed(self, opened: Opened) -> bytes | None:
        """What the safe fixes make of a file, to the fixed point; None where they are none."""
        results = self._checking(opened).run(Mode.FIX, jobs=1)
        return results[0].output if results else None

    def _checking(self, opened: Opened) -> Checking:
        # Settings and neighbours may have changed since the last time.
        resolver = SettingsResolver(self._layer)
        settings = resolver.for_folder(opened.path.parent)
        target = Target(opened.path, shown_path(opened.path), settings)
        targets = [] if is_excluded(opened.path, settings) else [target]
        return Checking(targets, resolver, self._is_cached, opened.data)

    def _kept(self, checking: Checking, unsaved: Mapping[Path, bytes]) -> Worlds:
        """The world of before, but for what has changed."""
        before, self.unsaved = self.unsaved, unsaved
        options = checking.works[0].options
        seen_by = replace(options, enabled=frozenset(), fixable=frozenset())
        if self._worlds is None or seen_by != self._seen_by or options.profile is not None:
            self._worlds = Worlds(checking.projects, _Unsaved(self))
        self._seen_by = seen_by
        self._worlds.renew(checking.projects)
        for path in before.keys() | unsaved.keys():
            if before.get(path) != unsaved.get(path):
                self._worlds.forget(path)
        return self._worlds


class _Unsaved(Disk):
    """The files as an editor has them."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis

    def read(self, path: Path) -> bytes:
        data = self._analysis.unsaved.get(path)
        return super().read(path) if data is None else data
