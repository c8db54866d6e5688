"""Runs `check` through the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tfxla_lint.cache.memory import AnswerMemory, ProjectMemory
from tfxla_lint.cache.place import cache_folder
from tfxla_lint.cache.replay import Run
from tfxla_lint.cache.results import Results
from tfxla_lint.cache.store import Store
from tfxla_lint.cache.tool import known_tool, tool_parts
from tfxla_lint.cache.trees import TreeMemory
from tfxla_lint.discovery import Target
from tfxla_lint.neighbourhood import root_of
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.work import Work


class Cache:
    """What is known of some files, each in the store of its project."""

    def __init__(
        self, targets: Sequence[Target], resolver: SettingsResolver, read: Callable[[], Catalogue]
    ) -> None:
        roots = [root_of(target, resolver) for target in targets]
        stores: dict[Path, Store] = {}
        for root, target in zip(roots, targets, strict=True):
            if root not in stores:
                stores[root] = Store(cache_folder(root, target.settings.cache_dir))
        self._stores = {
            target.path: stores[root] for target, root in zip(targets, roots, strict=True)
        }
        self._resolver = resolver
        self._by_root = stores
        self._folders = {store.folder for store in stores.values()}
        self._tool, self.catalogue = known_tool(stores[roots[0]], read)
        self.memory = ProjectMemory(stores, self._tool)
        self._contents = resolver.folders.contents
        resolver.folders.memory = AnswerMemory(stores[roots[0]], self._tool, resolver.folders)

    def through(
        self,
        works: Sequence[Work],
        projects: Projects,
        lint: Callable[[Sequence[Work]], list[FileResult]],
    ) -> list[FileResult]:
        """The results of the files, in order; `lint` is asked for what is not known."""
        stores = [self._stores[work.path] for work in works]
        found = Results(self._tool, projects, self._contents).through(works, stores, lint)
        for store in dict.fromkeys(stores):
            store.sweep()
        return found

    def trees(self, works: Sequence[Work]) -> TreeMemory:
        """The trees of files that are looked at because of these, which are linted."""
        before = self.memory.before
        paths = (work.path for work in works)
        fresh = frozenset(p for p in paths if before.get(p) != self._contents.state(p))
        return TreeMemory(self._by_root, self._tool, fresh)

    def keep_run(self, status: int) -> None:
        """Keep what this run of the command line has told, where it may be told again."""
        if Run.own is not None:
            folders = self._resolver.folders
            here = Path.cwd()
            # Paths are told from the top of the repository.
            any(folders.has(folder, (".git",)) for folder in (here, *here.parents))
            seen = folders.seen()
            Run.own.keep(self._folders, status, seen, tool_parts(self.catalogue))
