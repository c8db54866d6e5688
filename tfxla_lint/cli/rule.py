"""The command `rule`: a rule's page in the terminal, or the list of all rules."""

from __future__ import annotations

import re
import sys

import click

from tfxla_lint.cli.completion import rules
from tfxla_lint.cli.console import Messages, emit, style_for
from tfxla_lint.cli.options import HELP, SectionCommand, colour_option, form_option, option
from tfxla_lint.findings import Applicability
from tfxla_lint.registry import Catalogue, RegistryError, RuleInfo, read_catalogue
from tfxla_lint.reporters.style import Style


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    examples=(
        ("tfxla-lint rule TXL102", "one page"),
        ("tfxla-lint rule --all", "what there is"),
    ),
)
@click.argument("rule_name", metavar="CODE|NAME", required=False, shell_complete=rules)
@option("Output", "--all", "all_rules", is_flag=True, help="List all rules.")
@form_option("json has every field and the whole page.")
@colour_option
def rule(rule_name: str | None, all_rules: bool, form: str, colour: str) -> int:
    """Show what a rule catches, why, and how to fix it."""
    if (rule_name is None) is not all_rules:
        raise click.UsageError("name one rule, or give --all")
    try:
        catalogue = read_catalogue()
    except RegistryError as error:
        Messages().error(str(error))
        return 2
    style = style_for(sys.stdout, colour)
    if rule_name is None:
        emit(_as_json(list(catalogue.rules)) if form == "json" else _table(catalogue, style))
        return 0
    info = catalogue.find(rule_name)
    if info is None:
        nearest = catalogue.nearest(rule_name)
        hint = f"; did you mean '{nearest}'?" if nearest else ""
        raise click.UsageError(f"no rule is called '{rule_name}'{hint}")
    emit(_as_json(info) if form == "json" else _page(info, style))
    return 0


def _table(catalogue: Catalogue, style: Style) -> str:
    lines: list[str] = []
    family = ""
    width = max(len(info.name) for info in catalogue.rules)
    for info in catalogue.rules:
        if info.family != family:
            family = info.family
            lines += (
                ["", style.bold(f"{info.code[:-2]} {family}")]
                if lines
                else [style.bold(f"{info.code[:-2]} {family}")]
            )
        level = style.level(info.level, f"{info.level.value:<7}")
        lines.append(
            f"  {info.code}  {info.name:<{width}}  {level}  {_fix_mark(info)}  {info.summary}"
        )
    lines += ["", "F: safe fix, U: unsafe fix, D: fix that is only shown, o: opt-in"]
    return "".join(f"{line}\n" for line in lines)


def _fix_mark(info: RuleInfo) -> str:
    marks = {Applicability.SAFE: "F", Applicability.UNSAFE: "U", Applicability.DISPLAY: "D"}
    fixes = "".join(mark if kind in info.fixes else "-" for kind, mark in marks.items())
    return fixes + ("-" if info.default else "o")


def _page(info: RuleInfo, style: Style) -> str:
    fixes = ", ".join(kind.value for kind in info.fixes) or "none"
    opt_in = "" if info.default else "; opt-in"
    opt_in += f"; from {info.origin}" if info.origin else ""
    head = [
        style.bold(f"{info.code} {info.name}"),
        info.summary.rstrip(".") + ".",
        style.dim(f"family {info.family}; level {info.level.value}; fixes: {fixes}{opt_in}"),
        "",
    ]
    body = re.sub(r"(?m)^## (.*)$", lambda m: style.bold(m.group(1)), info.page)
    return "\n".join([*head, body]) + "\n"


def _as_json(value: RuleInfo | list[RuleInfo]) -> str:
    import json

    rows = [info.as_json() for info in (value if isinstance(value, list) else [value])]
    return json.dumps(rows if isinstance(value, list) else rows[0], indent=2) + "\n"
