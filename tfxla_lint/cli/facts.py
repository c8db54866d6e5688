"""The command `facts`: what the tool knows about a TensorFlow symbol or op."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from tfxla_lint.cli.console import Messages, emit, style_for
from tfxla_lint.cli.options import HELP, SectionCommand, colour_option, form_option, option
from tfxla_lint.reporters.style import Style

if TYPE_CHECKING:
    from tfxla_lint.knowledge.facts import Fact
    from tfxla_lint.knowledge.tables import Version

_SUBJECTS = frozenset({"name", "op"})


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    examples=(
        ("tfxla-lint facts tf.where", "a symbol"),
        ("tfxla-lint facts Where --tf-version 2.15", "an op, as TensorFlow 2.15 has it"),
    ),
)
@click.argument("name", metavar="NAME")
@option("Facts", "--tf-version", metavar="VERSION", help="As this TensorFlow has it (2.15).")
@form_option("json lists the same facts as label and value.")
@colour_option
def facts(name: str, tf_version: str | None, form: str, colour: str) -> int:
    """Show what the tool knows about a symbol (tf.where) or op (Where).

    Since and until when it exists, its parameters, what XLA makes of it on each device and how
    that is known, and what replaces it. The status is 2 where there is no such name.
    """
    from tfxla_lint.knowledge import facts as known
    from tfxla_lint.knowledge import ops

    found = known.describe(name, _version(tf_version))
    if known.resolve(name) is None and not ops.known(name):
        Messages().error(known.unknown(name, found))
        return 2
    if form == "json":
        emit(json.dumps(known.as_json(found), indent=2) + "\n")
    else:
        emit(_as_text(found, style_for(sys.stdout, colour)))
    return 0


def _version(text: str | None) -> Version | None:
    from tfxla_lint.knowledge.tables import parse_version, refusal

    if text is None:
        return None
    try:
        version = parse_version(text)
    except ValueError:
        raise click.BadParameter(f"'{text}' is no version such as 2.15") from None
    reason = refusal(version)
    if reason:
        raise click.BadParameter(reason)
    return version


def _as_text(found: list[Fact], style: Style) -> str:
    width = max(len(label) for label, _ in found)
    lines = [
        style.bold(value) if label in _SUBJECTS else f"  {label:<{width}}  {value}"
        for label, value in found
    ]
    return "".join(f"{line}\n" for line in lines)
