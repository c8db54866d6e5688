"""The command line: `check` (the default command) and `rule`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tfxla_lint import interrupts

STATUS_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 clean, 1 findings, 2 the tool could not do its work."""
    interrupts.listen()
    try:
        status = _status(arguments)
        interrupts.raise_if_interrupted()
    except KeyboardInterrupt:
        print("tfxla-lint: interrupted", file=sys.stderr)
        status = STATUS_INTERRUPTED
    sys.exit(status)


def _status(arguments: Sequence[str] | None) -> int:
    import click

    from tfxla_lint.cli.console import survive_odd_text
    from tfxla_lint.cli.group import cli

    survive_odd_text()
    try:
        status = cli.main(
            None if arguments is None else list(arguments),
            prog_name="tfxla-lint",
            standalone_mode=False,
        )
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else 0
