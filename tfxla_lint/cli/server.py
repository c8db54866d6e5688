"""The commands that serve other programs: `server` for editors, `mcp` for coding assistants."""

from __future__ import annotations

from importlib.util import find_spec

import click

from tfxla_lint.cli.console import Messages
from tfxla_lint.cli.options import HELP, SectionCommand, option


def _is_missing(package: str, extra: str) -> bool:
    """Whether a package that an extra brings is not there, which is said."""
    if find_spec(package) is not None:
        return False
    Messages().error(f"it needs the package {package}: pip install 'tfxla-lint[{extra}]'")
    return True


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    short_help="Serve an editor, as a language server.",
    examples=(("tfxla-lint server", "what an editor runs"),),
)
@option(
    "Other",
    "--no-cache",
    is_flag=True,
    envvar="TFXLA_LINT_NO_CACHE",
    help="Neither use nor keep results of earlier runs.",
)
@option("Other", "--stdio", is_flag=True, hidden=True, help="What it does anyway.")
def server(no_cache: bool, stdio: bool) -> int:
    """Serve an editor on standard input and output, as a language server.

    It needs `pip install 'tfxla-lint[server]'`. docs/editors.md says how editors start it.
    """
    if _is_missing("pygls", "server"):
        return 2
    from tfxla_lint.server.app import serve

    serve(is_cached=not no_cache)
    return 0


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    short_help="Serve a coding assistant.",
    examples=(("tfxla-lint mcp", "what an assistant runs"),),
)
def mcp() -> int:
    """Serve a coding assistant on standard input and output, by the Model Context Protocol.

    It needs `pip install 'tfxla-lint[mcp]'`. docs/assistants.md shows the tools and the loop: rewrite,
    verify, evidence, accept. Nothing but the tool `verify` runs code.
    """
    if _is_missing("mcp", "mcp"):
        return 2
    from tfxla_lint.assistant import serve

    serve()
    return 0
