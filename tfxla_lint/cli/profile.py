"""The command `profile`: its options, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tfxla_lint.cli.options import HELP, SectionCommand, option

_RUN, _OUTPUT = "Run", "Output"


@click.command(
    cls=SectionCommand,
    short_help="Record how a program runs.",
    context_settings={**HELP, "allow_interspersed_args": False},
    examples=(
        ("tfxla-lint profile -- train.py --steps 20", "record a short run"),
        ("tfxla-lint --profile tfxla-profile.json", "findings that were measured"),
    ),
)
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGUMENTS]...")
@option(
    _RUN,
    "--python",
    metavar="PYTHON",
    help="The interpreter that has the program's TensorFlow; by default the one that runs this"
    " tool. It needs Python 3.8 and not this tool.",
)
@option(
    _RUN,
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder whose functions are recorded; by default the program's project.",
)
@option(
    _RUN,
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="End the program after this time and keep what was recorded. The status is then 124.",
)
@option(
    _OUTPUT,
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="tfxla-profile.json",
    show_default=True,
    help="The file to write, for `tfxla-lint --profile FILE`.",
)
@option(_OUTPUT, "-q", "--quiet", is_flag=True, help="Print no summary.")
def profile(**parameters: Any) -> int:
    """Run a program and record how its functions are called, traced and timed.

    PROGRAM is a script (`train.py --steps 20`), a module (`-m pytest tests/test_train.py`), or
    either behind a `python` or `pytest`. It is run as it stands, with all that it does; nothing of
    its code is changed on disk. The status is the program's own.
    """
    from tfxla_lint.cli.profiling import run_profile

    return run_profile(**parameters)
