"""Options in sections, so that a long help text can be found one's way in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tfxla_lint.settings.layer import OUTPUT_FORMATS

_F = TypeVar("_F", bound=Callable[..., Any])
#: The section of what belongs nowhere else, such as `--help`.
_LAST = "Other"


class SectionOption(click.Option):
    """An option that the help shows in the section `section`."""

    def __init__(self, *args: Any, section: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class SectionCommand(click.Command):
    """A command whose help groups the options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section with its options, in the order of their declaration."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                name = getattr(parameter, "section", _LAST)
                sections.setdefault(name, []).append(record)
        sections[_LAST] = sections.pop(_LAST)
        for name, records in sections.items():
            with formatter.section(name):
                formatter.write_dl(records)


def option(section: str, *declarations: str, **attributes: Any) -> Callable[[_F], _F]:
    """`click.option` in a section of the help."""
    return click.option(*declarations, cls=SectionOption, section=section, **attributes)


def list_option(section: str, *declarations: str, **attributes: Any) -> Callable[[_F], _F]:
    """An option that can be given several times, and takes several values between commas."""
    return option(section, *declarations, multiple=True, callback=_split, **attributes)


def _split(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    if not values:
        return None
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def colour_option(function: _F) -> _F:
    """The option `--color`."""
    choice = click.Choice(["auto", "always", "never"])
    return option(
        "Output",
        "--color",
        "--colour",
        "colour",
        type=choice,
        default="auto",
        show_default=True,
        help="When to colour. NO_COLOR and FORCE_COLOR are respected.",
    )(function)


def reports(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, Path], ...]:
    """The formats and files that `--report` names."""
    found = []
    for value in values:
        form, sign, name = value.partition("=")
        if form not in OUTPUT_FORMATS or not sign or not name:
            formats = ", ".join(OUTPUT_FORMATS)
            raise click.BadParameter(f"{value!r} is no FORMAT=FILE; formats are {formats}")
        found.append((form, Path(name)))
    return tuple(found)
