"""The command group, which loads a command's module only when the command is used."""

from __future__ import annotations

import importlib

import click

from tfxla_lint import __version__

_COMMANDS = {
    "check": "tfxla_lint.cli.check:check",
    "clean": "tfxla_lint.cli.clean:clean",
    "explain": "tfxla_lint.cli.explain:explain",
    "facts": "tfxla_lint.cli.facts:facts",
    "mcp": "tfxla_lint.cli.server:mcp",
    "profile": "tfxla_lint.cli.profile:profile",
    "rule": "tfxla_lint.cli.rule:rule",
    "server": "tfxla_lint.cli.server:server",
    "verify": "tfxla_lint.cli.verify:verify",
}
_DEFAULT = "check"
_OWN_OPTIONS = ("--version", "--help", "-h")


class DefaultGroup(click.Group):
    """A group in which arguments that begin with no command's name belong to `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command first where none is named."""
        if not args or (args[0] not in _COMMANDS and args[0] not in _OWN_OPTIONS):
            args = [_DEFAULT, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name."""
        target = _COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=DefaultGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tfxla-lint", message="%(prog)s %(version)s")
def cli() -> None:
    """Find what keeps TensorFlow 2 code from running as compiled graphs, and fix it.

    `tfxla-lint src/` is short for `tfxla-lint check src/`; `tfxla-lint --fix src/` applies the
    safe fixes. `tfxla-lint check --help` lists all options.
    """
