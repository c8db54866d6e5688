"""The command group, which loads a command's module only when the command is used."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tfxla_lint import __version__
from tfxla_lint.cli.console import Messages
from tfxla_lint.cli.options import HELP, write_examples

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS = {
    "check": "tfxla_lint.cli.check:check",
    "clean": "tfxla_lint.cli.clean:clean",
    "explain": "tfxla_lint.cli.explain:explain",
    "facts": "tfxla_lint.cli.facts:facts",
    "help": "tfxla_lint.cli.help:help_",
    "mcp": "tfxla_lint.cli.server:mcp",
    "merge": "tfxla_lint.cli.merge:merge",
    "profile": "tfxla_lint.cli.profile:profile",
    "report": "tfxla_lint.cli.report:report",
    "rule": "tfxla_lint.cli.rule:rule",
    "server": "tfxla_lint.cli.server:server",
    "verify": "tfxla_lint.cli.verify:verify",
}
_DEFAULT = "check"
#: A word as near as this to a command's name was meant for it.
_NEAR = 0.75


class DefaultGroup(click.Group):
    """A group in which arguments that begin with no command's name belong to `check`."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command first where none is named."""
        is_asked_first = ctx.resilient_parsing and not args
        own = [name for parameter in self.get_params(ctx) for name in parameter.opts]
        first = args[0].partition("=")[0] if args else ""
        if first not in _COMMANDS and first not in own and not is_asked_first:
            if not ctx.resilient_parsing:
                _doubt(args)
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

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        write_examples(formatter, self._examples)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands; the options of the default one; files where it is no command."""
        from click.shell_completion import CompletionItem

        found = super().shell_complete(ctx, incomplete)
        default = self.get_command(ctx, _DEFAULT)
        if incomplete.startswith("-") and default is not None:
            inner = click.Context(default, ctx, resilient_parsing=True)
            found += default.shell_complete(inner, incomplete)
        return found or [CompletionItem(incomplete, type="file")]


def _doubt(arguments: list[str]) -> None:
    """Refuse a word that is no path and was meant for a command; warn where it is both."""
    import difflib

    word = arguments[0] if arguments else ""
    near = [] if word[:1] == "-" else difflib.get_close_matches(word, _COMMANDS, 1, _NEAR)
    if not near:
        return
    if not os.path.lexists(word):
        raise click.UsageError(
            f"there is no command and no file '{word}'; did you mean `tfxla-lint {near[0]}`?"
        )
    if not {"-q", "--quiet"} & set(arguments):
        Messages().warning(
            f"'{word}' is taken for a path; the command is `tfxla-lint {near[0]}`"
            f" (`tfxla-lint check {word}` is silent about it)"
        )


def _install(ctx: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    from tfxla_lint.cli.completion import install

    click.echo(install(shell, ctx.command))
    ctx.exit()


@click.group(
    cls=DefaultGroup,
    context_settings=HELP,
    examples=(
        ("tfxla-lint src/", "what runs eagerly, retraces or cannot be compiled"),
        ("tfxla-lint --fix --verify src/", "write what a run shows to compute the same"),
        ("tfxla-lint rule TXL102", "what a rule catches, and why"),
        ("tfxla-lint explain train.py:train_step", "how a function runs"),
    ),
)
@click.option(
    "--install-completion",
    is_flag=False,
    flag_value="auto",
    type=click.Choice(["auto", "bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_install,
    help="Teach the shell to complete commands, options and rules.",
)
@click.version_option(
    __version__, "-V", "--version", prog_name="tfxla-lint", message="%(prog)s %(version)s"
)
def cli() -> None:
    """Find what keeps TensorFlow 2 code from running as compiled graphs, and fix it.

    `tfxla-lint src/` is short for `tfxla-lint check src/`; `tfxla-lint --fix src/` applies the
    safe fixes. `tfxla-lint check --help-all` lists all options.
    """
