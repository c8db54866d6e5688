"""The command `report`: hot loops, who runs them, and what mending them saves."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from tfxla_lint.cli.console import Messages, emit, style_for
from tfxla_lint.cli.options import HELP, SectionCommand, colour_option, option

_FAILED = 2


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    short_help="Show what hot loops cost, the dearest first.",
    examples=(
        ("tfxla-lint report", "what to mend first in this project"),
        ("tfxla-lint report --html hot.html src/", "the same as a page"),
        ("tfxla-lint report --profile tfxla-profile.json", "by what a run was measured to take"),
    ),
)
@click.argument("paths", nargs=-1)
@option(
    "Output",
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page to this file instead.",
)
@option(
    "Rules",
    "--profile",
    metavar="FILE",
    help="What `tfxla-lint profile` recorded of a run: times and turns are measured.",
)
@option(
    "Rules",
    "--include-tests/--no-include-tests",
    default=None,
    help="Look at the loops of test files too.",
)
@option("Settings", "--isolated", is_flag=True, help="Read no settings file.")
@colour_option
def report(
    paths: tuple[str, ...],
    html: Path | None,
    profile: str | None,
    include_tests: bool | None,
    isolated: bool,
    colour: str,
) -> int:
    """Show what the hot loops of a project cost, and what mending each finding saves.

    A tree of the loops and functions that run slow code again and again: how often, what a turn
    takes, how many times quicker it can be, and what is in the way. Figures are estimates from prices
    that were measured on one machine, where no profile says more. The status is 0, or 2 where the
    tool could not do its work.
    """
    from tfxla_lint.checking import Checking
    from tfxla_lint.cli.output import tell_troubles
    from tfxla_lint.cli.progress import progress
    from tfxla_lint.discovery import discover
    from tfxla_lint.registry import RegistryError
    from tfxla_lint.reporters.hot_loops import render, summary
    from tfxla_lint.reporters.hot_page import page
    from tfxla_lint.results import RunResult
    from tfxla_lint.settings.errors import SettingsError
    from tfxla_lint.settings.layer import Layer
    from tfxla_lint.settings.resolver import SettingsResolver
    from tfxla_lint.work import Mode
    from tfxla_lint.writing import write_atomically

    messages = Messages()
    layer = replace(Layer(Path.cwd()), profile=profile, include_tests=include_tests)
    try:
        resolver = SettingsResolver(layer, None, isolated)
        found = discover(paths or (".",), resolver)
        for path, reason in found.problems:
            messages.error(f"{path}: {reason}")
        checking = Checking(found.files, resolver, is_cached=True)
        with progress(False) as checking.told:
            result = RunResult(tuple(checking.run(Mode.LINT)))
    except (SettingsError, RegistryError) as error:
        messages.error(str(error))
        return _FAILED
    tell_troubles(result, messages)
    if html is None:
        emit(render(result.findings, style_for(sys.stdout, colour)))
    else:
        try:
            write_atomically(html, page(result.findings, result.sources).encode("utf-8"))
        except OSError as error:
            messages.error(f"{html}: cannot write it: {error.strerror or error}")
            return _FAILED
        messages.summary(f"Wrote {html}: {summary(result.findings)}")
    return _FAILED if found.problems or result.has_failed else 0
