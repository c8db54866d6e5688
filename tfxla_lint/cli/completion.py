"""What the shell completes: rules here, commands and options by click; and how it learns to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_PROGRAM = "tfxla-lint"
_VARIABLE = "_TFXLA_LINT_COMPLETE"


def rules(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes and names of rules, behind what stands before the last comma."""
    from click.shell_completion import CompletionItem

    from tfxla_lint.registry import RegistryError, read_catalogue

    before, comma, last = incomplete.rpartition(",")
    try:
        found = read_catalogue().rules
    except RegistryError:
        return []
    codes = [
        CompletionItem(before + comma + info.code, help=info.name)
        for info in found
        if info.code.startswith(last.upper())
    ]
    if codes and last:
        return codes
    names = [info for info in found if last and info.name.startswith(last)]
    return codes + [CompletionItem(before + comma + info.name, help=info.summary) for info in names]


def install(shell: str, cli: click.Command) -> str:
    """Write the script of completion where the shell reads it; what there is to say of that.

    Raises click's errors.
    """
    from click.shell_completion import get_completion_class

    name = Path(os.environ.get("SHELL", "")).name if shell == "auto" else shell
    if name not in ("bash", "zsh", "fish"):
        raise click.UsageError("which shell is this? --install-completion=bash, zsh or fish")
    maker = get_completion_class(name)
    assert maker is not None
    script = maker(cli, {}, _PROGRAM, _VARIABLE).source()
    home = Path.home()
    places = {
        "bash": home / ".local/share/bash-completion/completions/tfxla-lint",
        "zsh": home / ".zfunc/_tfxla-lint",
        "fish": home / ".config/fish/completions/tfxla-lint.fish",
    }
    lines = {
        "bash": (home / ".bashrc", f'source "{places["bash"]}"'),
        "zsh": (home / ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    }
    path = places[name]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, "utf-8")
        told = [f"Wrote {path}."]
        if name in lines:
            told += _ensure(*lines[name])
    except OSError as error:
        raise click.ClickException(
            f"cannot write {error.filename}: {error.strerror or error}"
        ) from None
    return " ".join([*told, "Open a new shell to use it."])


def _ensure(path: Path, line: str) -> list[str]:
    """Add a line to a file that has not got it."""
    text = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
    if line in text.splitlines():
        return []
    with path.open("a", encoding="utf-8", errors="surrogateescape") as file:
        file.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
    return [f"Added a line to {path}."]
