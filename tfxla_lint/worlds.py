"""Puts each file into its world: the model of a file among those that it is analysed with."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

from tfxla_lint.budgets import TooMuchError
from tfxla_lint.disk import Disk
from tfxla_lint.project.projects import Cluster, Projects
from tfxla_lint.project.scan import may_name_tensorflow, uses_tensorflow
from tfxla_lint.project.words import words_of
from tfxla_lint.settings.taught import NOTHING_TAUGHT, Taught
from tfxla_lint.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import libcst

    from tfxla_lint.recording import Recording
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.world import Module, World


class Trees(Protocol):
    """Keeps the trees of files, and their words, from one run to the next."""

    def words(self, root: Path, texts: Iterable[str]) -> Iterable[frozenset[str]]:
        """The words of the codes of files in the project at `root`, whose trees are asked for next."""
        ...

    def recall(self, root: Path, text: str) -> libcst.Module | None:
        """The tree of a text in the project at `root`, where it was kept."""
        ...

    def keep(self, root: Path, file: Path, text: str, tree: libcst.Module) -> None:
        """Keep the tree of a file of the project at `root`."""
        ...


class Worlds:
    """Builds models, and keeps the modules of one cluster at a time.

    A neighbour that cannot be read or parsed is left out: of what it holds nothing is known. `disk`
    has the files; `trees` spare the parse of those that were parsed in an earlier run.
    """

    def __init__(
        self,
        projects: Projects | None = None,
        disk: Disk | None = None,
        trees: Trees | None = None,
    ) -> None:
        self._projects = projects or Projects()
        self.disk = disk or Disk()
        self._trees = trees
        self._cluster: Cluster | None = None
        self._modules: dict[str, Module | None] = {}
        self._world: World | None = None
        #: The worlds and modules that were left, as long as they are there.
        self._left: WeakSet[World | Module] = WeakSet()
        #: Of one cluster: the words of its files, and the hashes of their texts.
        self._words: tuple[Cluster, frozenset[str], frozenset[int]] | None = None
        #: What was read for the words, by path, until it is parsed.
        self._read: dict[Path, Source] = {}
        #: Called again and again in long work, and may raise: `abandon` is to follow then.
        self.pause: Callable[[], None] = lambda: None

    def model(
        self,
        tree: libcst.Module,
        source: Source,
        path: Path | None = None,
        tf_version: tuple[int, int] | None = None,
        recording: Recording | None = None,
        taught: Taught = NOTHING_TAUGHT,
    ) -> SemanticModel:
        """The model of a parsed file; `path` is where it lies, absolute, or None.

        `recording` is what a run of the project was seen to do, `taught` what it teaches of its names.
        """
        from tfxla_lint.semantics.model import SemanticModel

        cluster = self._projects.cluster(path) if path is not None else None
        if path is None or cluster is None:
            model = SemanticModel.build(tree, source, tf_version, recording, taught)
            found = self._projects.find(path) if path is not None else None
            if found is not None:
                project, file = found
                model.world.assigned_names = project.assigned
                model.world.is_run_unseen = lambda module: file in project.run_unseen
                model.world.is_outlived = lambda module: file in project.outlived
            model.world.pause = self._pause
            self._left.update((model.world, model.home))
            return model
        self._enter(cluster)
        file = path.relative_to(cluster.root).as_posix()
        home = self._modules.get(file)
        if home is None or home.source.text != source.text:
            home = self._replace(file, source, tree)
        if self._world is None:
            self._world = self._make(path, recording, tf_version, taught)
        return SemanticModel(self._world, home, tf_version)

    def concern(self, source: Source, path: Path | None) -> bool:
        """Whether there may be anything of TensorFlow in a file: its own code says so, or that of a
        file which it imports, through others perhaps."""
        if path is not None and self._projects.cluster(path) is not None:
            return True
        return uses_tensorflow(source.text)

    def is_told_by_others(self, source: Source) -> bool:
        """Whether a file says nothing of TensorFlow itself, so that how something is used in it tells
        nothing either: `assign` is a method of tables, too."""
        return not may_name_tensorflow(source.text)

    def words(self, source: Source, path: Path | None) -> frozenset[str]:
        """The words of a file and of those that it is analysed with; of the files of a cluster as they
        lie there, it is one object."""
        cluster = self._projects.cluster(path) if path is not None else None
        if cluster is None:
            return words_of(source.text)
        if self._words is None or self._words[0] != cluster:
            self._words = (cluster, *self._words_in(cluster))
        _, words, texts = self._words
        return words if hash(source.text) in texts else words | words_of(source.text)

    def _words_in(self, cluster: Cluster) -> tuple[frozenset[str], frozenset[int]]:
        self._read.clear()
        for file in cluster.files:
            with suppress(OSError, SourceError):
                path = cluster.root / file
                self._read[path] = self.disk.source(path)
        texts = [source.text for source in self._read.values()]
        if self._trees is not None:
            words = self._trees.words(cluster.root, texts)
        else:
            words = map(words_of, texts)
        return frozenset().union(*words), frozenset(map(hash, texts))

    def tree(self, source: Source, path: Path | None) -> libcst.Module | None:
        """The tree of a file that was parsed already, if its text is the same."""
        cluster = self._projects.cluster(path) if path is not None else None
        if path is None or cluster is None:
            return None
        if cluster == self._cluster:
            home = self._modules.get(path.relative_to(cluster.root).as_posix())
            if home is not None and home.source.text == source.text:
                return home.tree
        return self._trees.recall(cluster.root, source.text) if self._trees is not None else None

    def forget(self, path: Path) -> None:
        """Read a file anew when its neighbours are analysed next: it was tried in other forms."""
        cluster = self._projects.cluster(path)
        self._forget_words()
        if cluster is not None and cluster == self._cluster:
            self._modules.pop(path.relative_to(cluster.root).as_posix(), None)
            self._world = None

    def renew(self, projects: Projects) -> None:
        """Go on with the projects as they are now; what holds the same is not read again."""
        before, self._projects = self._projects, projects
        self._forget_words()
        cluster = self._cluster
        if cluster is None:
            return
        old, new = before.at(cluster.root), projects.at(cluster.root)
        if old is None or new is None or old.layout.files != new.layout.files:
            self._cluster = None
        elif old.digests != new.digests:
            self._world = None
            for file in cluster.files:
                if old.digests[file] != new.digests[file]:
                    self._modules.pop(file, None)

    def _forget_words(self) -> None:
        self._words = None
        self._read.clear()

    def abandon(self) -> None:
        """Leave a world in which work was broken off; what was parsed stays."""
        self._world = None

    def let_go(self) -> None:
        """Part what was left: their parts hold each other, and to find that they are garbage takes
        longer than all else. No model of a file alone, or of an earlier cluster, is of use then."""
        for each in list(self._left):
            each.let_go()
        self._left.clear()

    def _pause(self) -> None:
        self.pause()

    def _enter(self, cluster: Cluster) -> None:
        before = self._cluster
        if before != cluster:
            # The files of a project that many others import are parsed once for the clusters in a row.
            is_near = before is not None and before.root == cluster.root
            kept = self._modules.keys() & set(cluster.files) if is_near else ()
            self._left.update(
                m for f, m in self._modules.items() if m is not None and f not in kept
            )
            if self._world is not None:
                self._left.add(self._world)
            self._modules = {file: self._modules[file] for file in kept}
            self._cluster = cluster
            self._world = None

    def _replace(self, file: str, source: Source, tree: libcst.Module) -> Module:
        from tfxla_lint.semantics.world import Module

        home = Module.parsed(file, source, tree)
        self._modules[file] = home
        self._world = None
        return home

    def _make(
        self,
        path: Path,
        recording: Recording | None,
        tf_version: tuple[int, int] | None,
        taught: Taught,
    ) -> World:
        from tfxla_lint.semantics.world import World

        cluster = self._cluster
        found = self._projects.find(path)
        assert cluster is not None
        assert found is not None
        project, _ = found
        for file in cluster.files:
            if file not in self._modules:
                self._modules[file] = self._module(cluster.root, file)
        modules = [m for file in cluster.files if (m := self._modules[file]) is not None]
        world = World(modules, project.layout, recording, tf_version, taught)
        world.assigned_names = project.assigned
        world.is_run_unseen = lambda module: module.file in project.run_unseen
        world.is_outlived = lambda module: module.file in project.outlived
        world.run_by = lambda module: project.run_by(module.file)
        world.is_whole = len(modules) == len(cluster.files)
        world.pause = self._pause
        return world

    def _module(self, root: Path, file: str) -> Module | None:
        import libcst

        from tfxla_lint.semantics.world import Module

        try:
            source = self._read.pop(root / file, None) or self.disk.source(root / file)
            return Module.parsed(file, source, self._parsed(root, file, source.text))
        except (
            OSError,
            SourceError,
            ValueError,
            RecursionError,
            TooMuchError,
            libcst.ParserSyntaxError,
        ):
            return None

    def _parsed(self, root: Path, file: str, text: str) -> libcst.Module:
        from tfxla_lint.semantics.parsing import parsed

        if self._trees is None:
            return parsed(text)
        tree = self._trees.recall(root, text)
        if tree is None:
            tree = parsed(text)
            self._trees.keep(root, root / file, text, tree)
        return tree
