"""Options in sections, so that a long help text can be found one's way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from tfxla_lint.cli.completion import rules
from tfxla_lint.settings.layer import OUTPUT_FORMATS

#: The values of options that name rules.
RULES = "RULES"
_F = TypeVar("_F", bound=Callable[..., Any])
#: The section of what belongs nowhere else, such as `--help`.
_LAST = "Other"
#: What all commands have: wide lines where the terminal is wide, and `-h`.
HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class SectionOption(click.Option):
    """An option that the help shows in the section `section`."""

    def __init__(self, *args: Any, section: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


def write_examples(formatter: click.HelpFormatter, examples: Sequence[tuple[str, str]]) -> None:
    """Write commands with what they do, as the end of a help text."""
    if examples:
        with formatter.section("Examples"):
            formatter.write_dl([(command, what) for command, what in examples])


class SectionCommand(click.Command):
    """A command whose help groups the options by section, and ends with `examples`.

    Where some options are `common`, the help shows these alone, each with the words that stand
    there, and `--help-all` shows all.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[tuple[str, str]] = (),
        common: Mapping[str, str] = {},
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._examples = examples
        self._common = common
        self._shows_all = not common
        if common:
            self.params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=self._show_all,
                    help="Show all options and exit.",
                )
            )

    def _show_all(self, ctx: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
        if is_asked and not ctx.resilient_parsing:
            self._shows_all = True
            try:
                click.echo(ctx.get_help())
            finally:
                self._shows_all = False
            ctx.exit()

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(formatter, self._examples)

    def _format_common(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        by_name = {name: p for p in self.get_params(ctx) for name in p.opts}
        records = []
        for name, text in self._common.items():
            record = by_name[name].get_help_record(ctx)
            assert record is not None
            records.append((record[0].partition(" / ")[0].partition(" [")[0], text))
        records.append(("--help-all", "show all options"))
        with formatter.section("Options"):
            formatter.write_dl(records)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section with its options, in the order of their declaration."""
        if not self._shows_all:
            self._format_common(ctx, formatter)
            return
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
    if attributes.get("metavar") == RULES:
        attributes["shell_complete"] = rules
    return option(section, *declarations, multiple=True, callback=_split, **attributes)


def _split(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    if not values:
        return None
    parts = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
    if not parts:
        raise click.BadParameter("nothing is named")
    return parts


def form_option(of_json: str) -> Callable[[_F], _F]:
    """The option `--output-format` of commands that say what they know; `of_json` tells of its JSON."""
    choice = click.Choice(["text", "json"])
    attributes = {"type": choice, "default": "text", "show_default": True, "help": of_json}
    return option("Output", "--output-format", "form", **attributes)


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


def executor(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The executor that `--executor` names."""
    if value is not None:
        from tfxla_lint.workers.engines import parsed

        try:
            parsed(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
    return value


def shard(
    ctx: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    """The share, and of how many, that `--shard` names."""
    if value is None:
        return None
    number, _, count = value.partition("/")
    shown = [len(text) < 6 and text.isdecimal() for text in (number, count)]
    if not all(shown) or not 1 <= int(number) <= int(count):
        raise click.BadParameter(f"{value[:40]!r} is no share such as 2/3")
    return int(number), int(count)
