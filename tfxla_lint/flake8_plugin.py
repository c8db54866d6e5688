"""The plug-in for flake8: our findings among its own, under its `noqa`, `select` and `ignore`."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from tfxla_lint import __version__
from tfxla_lint.checking import Checking
from tfxla_lint.depth import kept_limit
from tfxla_lint.discovery import Target, is_excluded
from tfxla_lint.neighbourhood import root_of
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import UNCHECKED, RegistryError, read_catalogue
from tfxla_lint.reporters.text import visible
from tfxla_lint.results import FileResult
from tfxla_lint.session import Session
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver, absolute
from tfxla_lint.source import encoded
from tfxla_lint.work import Mode, Work
from tfxla_lint.worlds import Worlds

#: What silences findings, here and in flake8.
_NOQA = re.compile(r"(#\s*)noqa", re.IGNORECASE)


class _Run:
    """What holds for all files of one run of flake8, in one process: none of them changes."""

    def __init__(self, selected: Sequence[str] = (), is_noqa_off: bool = False) -> None:
        layer = Layer(Path.cwd())
        exact = tuple(code for code in selected if code in read_catalogue().codes)
        self._resolver = SettingsResolver(replace(layer, extend_select=exact) if exact else layer)
        self._is_noqa_off = is_noqa_off
        self._is_cached = not os.environ.get("TFXLA_LINT_NO_CACHE")
        self._projects: dict[Path, Projects] = {}
        self._worlds = Worlds()

    def lint(self, filename: str, text: str) -> FileResult | None:
        """What is found in one file, None where the settings leave it out; raises SettingsError."""
        path = absolute(Path(filename))
        settings = self._resolver.for_folder(path.parent)
        if is_excluded(path, settings):
            return None
        target = Target(path, filename, settings)
        data = encoded(_NOQA.sub(r"\1n-qa", text) if self._is_noqa_off else text)
        root = root_of(target, self._resolver)
        known = self._projects.get(root)
        checking = Checking([target], self._resolver, self._is_cached, data, known)
        if known is None and checking.projects.at(root) is not None:
            self._projects[root] = checking.projects

        def process(works: Sequence[Work]) -> list[FileResult]:
            self._worlds.renew(checking.projects)
            catalogue = checking.planner.catalogue
            return Session(catalogue, Mode.LINT, worlds=self._worlds).process_together(works)

        with kept_limit():
            (result,) = checking.through(process)
        return result


class Plugin:
    """One file, as flake8 hands it over."""

    name = "tfxla-lint"
    version = __version__
    _run: _Run | None = None
    _options: Any = None
    #: Settings that are wrong are wrong for all files, and said once.
    _said: ClassVar[set[str]] = set()

    def __init__(self, tree: ast.AST, lines: Sequence[str], filename: str) -> None:
        self._text = "".join(lines)
        self._filename = filename

    @classmethod
    def parse_options(cls, options: Any) -> None:
        """Take what flake8 was told."""
        cls._options = options
        cls._run = None

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """The findings: line, column from 0, text, and whose they are."""
        problems, findings = self._found()
        for line, column, words in (*((1, 1, f"{UNCHECKED} {p}") for p in problems), *findings):
            yield line, column - 1, visible(" ".join(words.split())), type(self)

    def _found(self) -> tuple[list[str], list[tuple[int, int, str]]]:
        """What keeps us from checking the file, as other linters go on, and what is found."""
        try:
            result = self._of_process().lint(self._filename, self._text)
        except (SettingsError, RegistryError) as error:
            said = type(self)._said
            new = str(error) not in said
            said.add(str(error))
            return ([str(error)] if new else []), []
        if result is None:
            return [], []
        problems = [] if result.problem is None else [result.problem]
        problems += [f"the rule {c.code} failed: {c.message}" for c in result.crashed]
        found = [(f.span.line, f.span.column, f"{f.code} {f.message}") for f in result.findings]
        return problems, found

    @classmethod
    def _of_process(cls) -> _Run:
        """The run; what flake8 selects by its code is on, also if it is opt-in."""
        if cls._run is None:
            options = cls._options
            selected = [
                code
                for name in ("select", "extend_select")
                for code in getattr(options, name, None) or ()
            ]
            cls._run = _Run(selected, bool(getattr(options, "disable_noqa", False)))
        return cls._run
