"""Files under their settings, ready to be linted or fixed: what every way of calling the tool does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tfxla_lint.discovery import Target
from tfxla_lint.neighbourhood import concerned, projects_of
from tfxla_lint.planning import Planner
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import read_catalogue
from tfxla_lint.reporters.gathering import gathered
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.sharding import share
from tfxla_lint.work import Mode, Work

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfxla_lint.cache.through import Cache
    from tfxla_lint.verify.proof import Proof, Proving

#: Processes files, in order: what a session, or many of them, do.
Process = Callable[[Sequence[Work]], list[FileResult]]


class Checking:
    """Files with their settings, their projects and what is known of them from before.

    `data` is what the only file holds where that does not come from the disk; `projects` are those of
    the files, where they are known. Raises RegistryError, and SettingsError for an unknown rule.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        resolver: SettingsResolver,
        is_cached: bool = False,
        data: bytes | None = None,
        projects: Projects | None = None,
    ) -> None:
        self.targets = targets
        self._resolver = resolver
        self._data = data
        #: Hears how many files have to be looked at, then how many more are done.
        self.told: Callable[[int, bool], None] = lambda count, is_done: None
        #: What does the work in place of this machine.
        self.executor: Executor | None = None
        self._cache = self._known() if is_cached and targets else None
        self.planner = Planner(self._cache.catalogue if self._cache else read_catalogue())
        for target in targets:
            self.planner.selected(target.settings)
        #: The projects that the files belong to. Once they are known, it is known of their files
        #: whether they are tests.
        self.projects = projects if projects is not None else self._projects()
        self.works = [self._work(target) for target in targets]

    def _known(self) -> Cache:
        from tfxla_lint.cache.through import Cache

        return Cache(self.targets, self._resolver, read_catalogue)

    def _work(self, target: Target) -> Work:
        settings = target.settings
        options = self.planner.options(target.path, settings, self._data)
        unsafe, clears = settings.unsafe_fixes, settings.clear_outputs
        return Work(
            target.path, target.shown, options, unsafe, self._data, target.leads_out, clears
        )

    def _projects(self) -> Projects:
        if self._data is not None and not any(
            os.path.exists(target.path) for target in self.targets
        ):
            # No file imports code that lies nowhere yet.
            return Projects()
        memory = self._cache.memory if self._cache is not None else None
        found = concerned(self.targets, self._resolver, self._data)
        return projects_of(found, self._resolver, memory)

    @property
    def is_advised(self) -> bool:
        """Whether what XLA would bring is advice: no rule that has it compile is on."""
        for_xla = self.planner.catalogue.for_xla
        return not any(work.options.enabled.intersection(for_xla) for work in self.works)

    def run(
        self, mode: Mode, jobs: int | None = None, proof: Proof | Proving | None = None
    ) -> list[FileResult]:
        """What becomes of the files, in order."""

        def process(some: Sequence[Work]) -> list[FileResult]:
            from tfxla_lint.runner import run

            self.told(len(some), False)
            return run(
                some,
                self.planner.catalogue,
                mode,
                jobs,
                self.projects,
                proof,
                lambda count: self.told(count, True),
                self.executor,
                self._cache.trees(some) if self._cache is not None else None,
            )

        return self.through(process)

    def through(self, process: Process) -> list[FileResult]:
        """What becomes of the files, in order; `process` is asked for what is not known."""
        if self._cache is None:
            return process(self.works)
        return self._cache.through(self.works, self.projects, process)

    def take_share(self, number: int, count: int) -> None:
        """Keep to the share `number`, from 1, of `count`."""
        places = share(self.works, self.projects, number, count)
        self.works = [self.works[place] for place in places]
        self.targets = [self.targets[place] for place in places]

    def keep_run(self, status: int) -> None:
        """Keep what this run of the command line has told, where it may be told again."""
        if self._cache is not None:
            self._cache.keep_run(status)

    def gathered(self, result: RunResult) -> RunResult:
        """The result with findings that say one thing of a file or a project listed as one."""
        roots = {target.shown: str(target.settings.root) for target in self.targets}
        return gathered(result, self.planner.catalogue, roots.__getitem__)
