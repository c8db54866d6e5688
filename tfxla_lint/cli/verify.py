"""The command `verify`: its options, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tfxla_lint.cli.options import HELP, SectionCommand, colour_option, executor, option

_SIDES = "What to compare"
_RUN = "Run"
_OUTPUT = "Output"
_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    short_help="Run rewritten code against the original.",
    common={
        "--original": "the file as it was",
        "--rewritten": "the file as it is now",
        "--git": "compare the working tree, or PATHS in it, with a revision",
        "--correcting": "the original is known to be wrong when traced",
        "--run": "a program that runs the code: 'train.py --steps 3'",
        "--python": "the interpreter that has TensorFlow",
        "--time-limit": "for one side of one check",
        "--memory-limit": "for the child process",
        "--xla": "time a version compiled by XLA too",
        "--output-format": "text or json",
        "--html": "write a page with diffs and timings",
        "--quiet": "print no progress and no summary",
    },
    examples=(
        ("tfxla-lint verify --original old.py --rewritten new.py", "two files"),
        ("tfxla-lint verify --git HEAD", "what was changed since the last commit"),
    ),
)
@click.argument("paths", nargs=-1)
@option(_SIDES, "--original", type=_EXISTING, metavar="OLD.py", help="The file as it was.")
@option(_SIDES, "--rewritten", type=_EXISTING, metavar="NEW.py", help="The file as it is now.")
@option(
    _SIDES,
    "--git",
    metavar="REF",
    help="Compare the working tree, or PATHS in it, with this revision.",
)
@option(
    _SIDES,
    "--correcting",
    is_flag=True,
    help="The original is known to be wrong when traced: compare with its eager run.",
)
@option(
    _RUN,
    "--run",
    "command",
    metavar="COMMAND",
    help="A program that runs the code, such as 'train.py --steps 3' or '-m pytest tests'. It is"
    " run in the working folder, once with each version.",
)
@option(
    _RUN,
    "--python",
    metavar="PYTHON",
    help="The interpreter that has TensorFlow; by default the one that runs this tool. It does not"
    " need this tool.",
)
@option(
    _RUN,
    "--time-limit",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one side of one check may take.",
)
@option(
    _RUN,
    "--memory-limit",
    type=click.IntRange(min=512),
    default=4096,
    show_default=True,
    metavar="MB",
    help="How much memory the child process may take.",
)
@option(
    _RUN,
    "--executor",
    metavar="dask=ADDRESS",
    callback=executor,
    help="Let the workers of a cluster run it, each with its own TensorFlow.",
)
@option(_RUN, "--xla", is_flag=True, help="Time a version compiled by XLA too.")
@option(
    _RUN,
    "--power/--no-power",
    default=True,
    show_default=True,
    help="Try wrong versions of the rewritten code, to see whether the comparison would notice them.",
)
@option(
    _OUTPUT,
    "--output-format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="json is for machines.",
)
@option(
    _OUTPUT,
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a report with diffs and timings to this file.",
)
@colour_option
@option(_OUTPUT, "-q", "--quiet", is_flag=True, help="Print no progress and no summary.")
def verify(**parameters: Any) -> int:
    """Run rewritten code against the original on TensorFlow, and say whether it computes the same.

    This runs the code of both versions, in child processes. The status is 0 where all is
    equivalent, 1 where something differs, 3 where nothing differs but something could not be
    checked, and 2 where the tool could not do its work.
    """
    from tfxla_lint.cli.verifying import run_verify

    return run_verify(**parameters)
