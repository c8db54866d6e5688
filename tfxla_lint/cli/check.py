"""The command `check`: its options, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from tfxla_lint.cli.options import (
    HELP,
    SectionCommand,
    colour_option,
    executor,
    list_option,
    option,
    reports,
    shard,
)
from tfxla_lint.settings.layer import LEVELS, OUTPUT_FORMATS

_FIX = "Fixing"
_RULES = "Rules"
_NEWS = "What is new"
_FILES = "Files"
_FILES_LAST = "--files-last"
_VERIFY = "Verification"
_SETTINGS, _OUTPUT = "Settings", "Output"


class _Check(SectionCommand):
    """`check`, to which what runs it on changed files may hand whatever they are called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the files at the end for files, where that is asked for."""
        return super().parse_args(ctx, _files_last(args) if _FILES_LAST in args else args)


def _files_last(args: list[str]) -> list[str]:
    """The same, with `--` before the first of the files at the end whose name begins with a dash.

    One that is called `-` is named in a way that does not mean standard input.
    """
    end = len(args)
    while end and os.path.lexists(args[end - 1]):
        end -= 1
    args = [*args[:end], *(os.path.join(".", n) if n == "-" else n for n in args[end:])]
    dashed = next((at for at in range(end, len(args)) if args[at].startswith("-")), len(args))
    return [*args[:dashed], "--", *args[dashed:]]


@click.command(
    cls=_Check,
    context_settings=HELP,
    short_help="Lint files and folders, and fix them (the default).",
    common={
        "--fix": "apply the safe fixes",
        "--unsafe-fixes": "count, and with --fix or --diff apply, unsafe ones too",
        "--diff": "print what --fix would change, and write nothing",
        "--verify": "run each fix against the original on TensorFlow",
        "--run": "a program that runs the code: 'train.py --steps 3'",
        "--select": "rules to run: TXL102, TXL1, eager, ALL",
        "--ignore": "rules not to run",
        "--tf-version": "the lowest TensorFlow that the code has to work with",
        "--profile": "what `tfxla-lint profile` recorded of a run",
        "--baseline": "report only what this file does not name",
        "--diff-base": "report only what has come since a revision of git",
        "--exclude": "files and folders to leave out",
        "--config": "a settings file, or one setting",
        "--show-settings": "print what is set, and where",
        "--output-format": "full, concise, json, github, sarif and others",
        "--statistics": "print counts by rule instead of findings",
        "--fail-on": "the mildest level with status 1: error, warning, note",
        "--watch": "lint again whenever a file changes",
        "--quiet": "print findings and errors only",
        "--verbose": "print all evidence, and what each fix assumes",
    },
    examples=(
        ("tfxla-lint src/", "what keeps it from being graphs"),
        ("tfxla-lint --fix --verify src/", "write what a run shows to be right"),
        ("tfxla-lint --diff-base main", "what a branch brings"),
    ),
)
@click.argument("paths", nargs=-1, type=click.Path())
@option(_FIX, "--fix", is_flag=True, help="Apply the safe fixes to the files.")
@option(
    _FIX,
    "--unsafe-fixes/--no-unsafe-fixes",
    default=None,
    help="Count unsafe fixes as fixable and, with --fix or --diff, apply them. Each finding says"
    " what its fix assumes.",
)
@option(
    _FIX,
    "--diff",
    is_flag=True,
    help="Write nothing; print what --fix would change. Status 1 if it would.",
)
@option(
    _FIX,
    "--exit-non-zero-on-fix",
    is_flag=True,
    help="End with status 1 if anything was fixed, even if nothing is left.",
)
@option(
    _FIX,
    "--clear-outputs/--no-clear-outputs",
    default=None,
    help="Take away the outputs of the notebook cells that fixes change.",
)
@list_option(_FIX, "--fixable", metavar="RULES", help="Rules whose fixes may be applied.")
@list_option(_FIX, "--unfixable", metavar="RULES", help="Rules whose fixes are left alone.")
@option(
    _FIX, "--add-noqa", is_flag=True, help="Silence every finding by a `# noqa` on its statement."
)
@option(
    _VERIFY,
    "--verify/--no-verify",
    default=None,
    help="Run each fix against the original on TensorFlow: this runs your code. With --fix, what is"
    " equivalent is written, also if it is unsafe, and what differs is withdrawn.",
)
@option(
    _VERIFY,
    "--verify-strict",
    is_flag=True,
    help="The same, and withdraw what could not be checked.",
)
@option(
    _VERIFY,
    "--run",
    "run_command",
    metavar="COMMAND",
    help="A program that runs the code, such as 'train.py --steps 3' or '-m pytest tests'.",
)
@option(
    _VERIFY,
    "--python",
    metavar="PYTHON",
    help="The interpreter that has TensorFlow; by default the one that runs this tool.",
)
@option(_VERIFY, "--xla", is_flag=True, help="Time a version compiled by XLA too.")
@option(
    _VERIFY,
    "--power/--no-power",
    default=True,
    show_default=True,
    help="Try wrong versions of what a fix makes, to see whether the comparison would notice them.",
)
@option(
    _VERIFY,
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a report with each fix, its verdict and its times to this file.",
)
@option(
    _VERIFY,
    "--time-limit",
    type=click.FloatRange(min=1),
    metavar="SECONDS",
    help="How long one side of one check may take; 120 if nothing is said.",
)
@option(
    _VERIFY,
    "--memory-limit",
    type=click.IntRange(min=512),
    metavar="MB",
    help="How much memory the child process may take; 4096 if nothing is said.",
)
@list_option(
    _RULES,
    "--select",
    metavar="RULES",
    help="Rules to run: codes (TXL102), prefixes (TXL1), names (eager-loop-body), families"
    " (eager) or ALL, between commas.",
)
@list_option(_RULES, "--extend-select", metavar="RULES", help="Rules to run as well.")
@list_option(_RULES, "--ignore", metavar="RULES", help="Rules not to run.")
@option(
    _RULES,
    "--include-tests/--no-include-tests",
    default=None,
    help="Let the families eager, retracing and input speak in test files too.",
)
@option(
    _RULES,
    "--tf-version",
    metavar="VERSION",
    help="The lowest TensorFlow that the code has to work with; else it is read from"
    " pyproject.toml, requirements or a lock file.",
)
@option(
    _RULES,
    "--profile",
    metavar="FILE",
    help="What `tfxla-lint profile` recorded of a run: findings are measured instead of inferred.",
)
@option(
    _NEWS,
    "--baseline",
    metavar="FILE",
    help="Leave out the findings that this file names: only new ones are reported, and fail.",
)
@option(
    _NEWS,
    "--write-baseline",
    is_flag=True,
    help="Write what is found to the baseline, and report nothing.",
)
@option(
    _NEWS,
    "--diff-base",
    metavar="REF",
    help="Report what lies on lines that changed since this revision of git, and what the change"
    " causes elsewhere.",
)
@list_option(_FILES, "--exclude", metavar="GLOBS", help="Files and folders to leave out.")
@option(
    _FILES,
    _FILES_LAST,
    is_flag=True,
    expose_value=False,
    help="The files at the end are files, though their names begin with a dash (as in hooks).",
)
@list_option(
    _FILES, "--extend-exclude", metavar="GLOBS", help="More files and folders to leave out."
)
@option(
    _FILES,
    "--force-exclude/--no-force-exclude",
    default=None,
    help="Leave out excluded files even if they are named outright.",
)
@option(
    _FILES,
    "--respect-gitignore/--no-respect-gitignore",
    default=None,
    help="Leave out files that .gitignore names (the default).",
)
@option(
    _FILES, "--stdin-filename", metavar="NAME", help="What the code on standard input is called."
)
@option(
    _SETTINGS,
    "--config",
    multiple=True,
    metavar="FILE|KEY=VALUE",
    help="The settings file, instead of the one nearest to each file; or one setting of such a file,"
    " such as test-files='check_*.py'.",
)
@option(_SETTINGS, "--isolated", is_flag=True, help="Read no settings file.")
@option(
    _SETTINGS, "--show-settings", is_flag=True, help="Print the settings and where each is set."
)
@option(_SETTINGS, "--show-files", is_flag=True, help="Print the files that would be linted.")
@option(
    _OUTPUT,
    "--output-format",
    type=click.Choice(OUTPUT_FORMATS),
    help="The form of the report; full if nothing else is set.",
)
@option(
    _OUTPUT,
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    help="Write the report to a file.",
)
@option(
    _OUTPUT,
    "--report",
    multiple=True,
    callback=reports,
    metavar="FORMAT=FILE",
    help="Write one more report, such as sarif=findings.sarif.",
)
@option(
    _OUTPUT,
    "--path-prefix",
    metavar="FOLDER",
    help="Show paths relative to the working folder and behind this prefix; else they are relative"
    " to the top of the git repository.",
)
@option(_OUTPUT, "--statistics", is_flag=True, help="Print counts by rule instead of findings.")
@option(
    _OUTPUT,
    "--fail-on",
    type=click.Choice(LEVELS),
    help="The mildest level of findings that ends with status 1; warning if nothing else is set.",
)
@option(_OUTPUT, "--exit-zero", is_flag=True, help="End with status 0 even if there are findings.")
@colour_option
@option(_OUTPUT, "-q", "--quiet", is_flag=True, help="Print findings and errors only.")
@option(
    _OUTPUT,
    "-v",
    "--verbose",
    is_flag=True,
    help="List each finding and all evidence; print settings, targets and tracebacks.",
)
@option(_OUTPUT, "--watch", is_flag=True, help="Lint again whenever a file changes, until Ctrl-C.")
@option(
    "Other",
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    help="Worker processes; by default as many as pay.",
)
@option(
    "Other",
    "--executor",
    metavar="dask=ADDRESS",
    callback=executor,
    help="Let the workers of a cluster do it; `pip install 'tfxla-lint[cluster]'` has what that takes.",
)
@option(
    "Other",
    "--shard",
    metavar="I/N",
    callback=shard,
    help="Look at one of N shares of the files, such as 2/3; `tfxla-lint merge` joins them.",
)
@option(
    "Other",
    "--no-cache",
    is_flag=True,
    envvar="TFXLA_LINT_NO_CACHE",
    help="Neither use nor keep results of earlier runs.",
)
@option(
    "Other",
    "--cache-dir",
    envvar="TFXLA_LINT_CACHE_DIR",
    metavar="FOLDER",
    help="Where results are kept, instead of .tfxla_lint_cache at the top of the project.",
)
def check(**parameters: Any) -> int:
    """Lint files and folders (the working folder if none is named; `-` is standard input).

    The status is 0 where nothing but notes was found, 1 where something else was (see --fail-on),
    and 2 where the tool could not do its work.
    """
    from tfxla_lint.cli.invocation import Invocation
    from tfxla_lint.cli.running import run_check

    return run_check(Invocation(**parameters))
