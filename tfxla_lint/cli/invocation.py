"""What the user asked `check` for, checked for contradictions."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tfxla_lint.project.scan import NOTEBOOK
from tfxla_lint.settings.globs import is_valid_pattern
from tfxla_lint.settings.inline import inline_layer, is_inline
from tfxla_lint.settings.layer import VERSION, Layer
from tfxla_lint.settings.model import Settings
from tfxla_lint.work import Mode

STANDARD_INPUT = "-"


@dataclass(frozen=True, eq=False, repr=False)
class Invocation:
    """The options of `check`, by their names."""

    paths: tuple[str, ...]
    fix: bool
    unsafe_fixes: bool | None
    diff: bool
    exit_non_zero_on_fix: bool
    fixable: tuple[str, ...] | None
    unfixable: tuple[str, ...] | None
    add_noqa: bool
    verify: bool | None
    verify_strict: bool
    run_command: str | None
    python: str | None
    xla: bool
    power: bool
    html: Path | None
    time_limit: float | None
    memory_limit: int | None
    select: tuple[str, ...] | None
    extend_select: tuple[str, ...] | None
    ignore: tuple[str, ...] | None
    clear_outputs: bool | None
    include_tests: bool | None
    tf_version: str | None
    profile: str | None
    baseline: str | None
    write_baseline: bool
    diff_base: str | None
    exclude: tuple[str, ...] | None
    extend_exclude: tuple[str, ...] | None
    force_exclude: bool | None
    respect_gitignore: bool | None
    stdin_filename: str | None
    config: tuple[str, ...]
    isolated: bool
    show_settings: bool
    show_files: bool
    output_format: str | None
    output_file: Path | None
    report: tuple[tuple[str, Path], ...]
    path_prefix: str | None
    statistics: bool
    fail_on: str | None
    exit_zero: bool
    colour: str
    quiet: bool
    verbose: bool
    watch: bool
    jobs: int | None
    executor: str | None
    shard: tuple[int, int] | None
    no_cache: bool
    cache_dir: str | None

    def __post_init__(self) -> None:
        """Refuse options that contradict each other."""
        if self.reads_standard_input and len(self.paths) > 1:
            raise click.UsageError("'-' cannot stand beside other paths")
        if self.stdin_filename is not None and not self.reads_standard_input:
            raise click.UsageError("--stdin-filename needs the path '-'")
        if self.add_noqa and (self.fix or self.diff):
            raise click.UsageError("--add-noqa goes with neither --fix nor --diff")
        if self.add_noqa and self.reads_standard_input:
            raise click.UsageError("--add-noqa cannot change standard input")
        if self.is_verifying and (self.add_noqa or self.reads_standard_input):
            raise click.UsageError("--verify goes neither with --add-noqa nor with standard input")
        if self.write_baseline and (self._changes or self.is_verifying or self.diff_base):
            raise click.UsageError("--write-baseline only lints, and writes all that is found")
        if self.diff_base is not None and self._changes:
            raise click.UsageError("--diff-base goes with no option that changes files")
        if self.reads_standard_input and (self.write_baseline or self.diff_base is not None):
            raise click.UsageError("standard input has no baseline and no older state")
        if not self.is_verifying and self._verification:
            raise click.UsageError(f"{self._verification} goes with --verify")
        is_more = self._changes or self.write_baseline or self.watch or self.reads_standard_input
        if self.shard is not None and is_more:
            raise click.UsageError("--shard goes with runs that only report on files")
        if self.executor is not None and self.reads_standard_input:
            raise click.UsageError("--executor needs files")
        if "" in self.paths:
            raise click.UsageError("a path is empty")
        for path in self.written:
            if path.suffix in (".py", ".pyi", NOTEBOOK) and os.path.exists(path):
                raise click.UsageError(f"{path} is code, and would be lost")
        if self.watch and (self._changes or self.is_verifying or self.write_baseline):
            raise click.UsageError("--watch goes with no option that changes files or runs code")
        if self.watch and self.reads_standard_input:
            raise click.UsageError("--watch needs files")
        if len([word for word in self.config if not is_inline(word)]) > 1:
            raise click.UsageError("--config names one file, and any number of KEY=VALUE")
        if self.settings_file is not None and self.isolated:
            raise click.UsageError("--config and --isolated contradict each other")
        if self.tf_version is not None and not re.fullmatch(VERSION, self.tf_version):
            raise click.UsageError(
                f"--tf-version takes a version such as 2.15, not {self.tf_version!r}"
            )
        for pattern in (*(self.exclude or ()), *(self.extend_exclude or ())):
            if not is_valid_pattern(pattern):
                raise click.UsageError(f"{pattern!r} is no glob")

    @property
    def settings_file(self) -> Path | None:
        """The settings file that `--config` names."""
        return next((Path(word) for word in self.config if not is_inline(word)), None)

    @property
    def reads_standard_input(self) -> bool:
        """Whether the code comes from standard input."""
        return STANDARD_INPUT in self.paths or (not self.paths and self.stdin_filename is not None)

    @property
    def written(self) -> tuple[Path, ...]:
        """The files that reports go to."""
        files = (self.output_file, *(path for _, path in self.report))
        return tuple(path for path in files if path is not None)

    @property
    def _changes(self) -> bool:
        return self.fix or self.diff or self.add_noqa

    @property
    def _verification(self) -> str:
        """An option that says how to verify, if one is given."""
        given = {
            "--run": self.run_command,
            "--python": self.python,
            "--xla": self.xla,
            "--html": self.html,
            "--time-limit": self.time_limit,
            "--memory-limit": self.memory_limit,
        }
        return next((name for name, value in given.items() if value), "")

    @property
    def is_verifying(self) -> bool:
        """Whether fixes are run."""
        return bool(self.verify) or self.verify_strict

    def with_settings(self, settings: Settings) -> Invocation:
        """The same, verifying where the settings ask for that whenever fixes are written."""
        is_asked = settings.verify and self.verify is None and self.mode is Mode.FIX
        return replace(self, verify=True) if is_asked and not self.is_verifying else self

    @property
    def mode(self) -> Mode:
        """What to do with the findings; `--diff` writes nothing, also beside `--fix`."""
        if self.diff:
            return Mode.DIFF
        if self.fix:
            return Mode.FIX
        return Mode.ADD_NOQA if self.add_noqa else Mode.LINT

    @property
    def is_cached(self) -> bool:
        """Whether what was found out before may be told again, and is kept."""
        return self.mode is Mode.LINT and not self.is_verifying and not self.no_cache

    def layer(self) -> Layer:
        """The settings that the options give; globs are relative to the working folder.

        What has an option of its own goes before `--config KEY=VALUE`. Raises SettingsError.
        """
        shared: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "select",
                "extend_select",
                "ignore",
                "fixable",
                "unfixable",
                "exclude",
                "extend_exclude",
                "force_exclude",
                "respect_gitignore",
                "include_tests",
                "clear_outputs",
                "tf_version",
                "unsafe_fixes",
                "output_format",
                "profile",
                "cache_dir",
                "baseline",
                "fail_on",
            )
        }
        inline = inline_layer(Path.cwd(), self.config)
        return replace(inline, **{name: v for name, v in shared.items() if v is not None})
