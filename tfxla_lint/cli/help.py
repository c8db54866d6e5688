"""The command `help`: what `--help` prints, for those who type it the other way round."""

from __future__ import annotations

import click

from tfxla_lint.cli.options import HELP


@click.command("help", context_settings=HELP)
@click.argument("command", required=False)
@click.pass_context
def help_(ctx: click.Context, command: str | None) -> int:
    """Show the help of tfxla-lint or of one of its commands."""
    parent = ctx.parent
    assert parent is not None
    group = parent.command
    assert isinstance(group, click.Group)
    if command is None:
        click.echo(group.get_help(parent))
        return 0
    found = group.get_command(parent, command)
    if found is None:
        from tfxla_lint.settings.errors import did_you_mean

        hint = did_you_mean(command, group.list_commands(parent))
        raise click.UsageError(f"there is no command '{command}'; {hint}")
    click.echo(found.get_help(click.Context(found, parent, command)))
    return 0
