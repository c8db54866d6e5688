"""The command `clean`: removes what earlier runs have kept."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tfxla_lint.cache.place import cache_folder
from tfxla_lint.cache.store import Store
from tfxla_lint.cli.console import Messages
from tfxla_lint.cli.options import HELP, SectionCommand
from tfxla_lint.reporters.text import counted
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver, absolute


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    short_help="Forget what earlier runs have kept.",
    examples=(("tfxla-lint clean", "forget all that earlier runs have kept"),),
)
@click.argument("paths", nargs=-1)
@click.option(
    "--cache-dir",
    envvar="TFXLA_LINT_CACHE_DIR",
    metavar="FOLDER",
    help="The folder that was chosen for `check`.",
)
def clean(paths: tuple[str, ...], cache_dir: str | None) -> int:
    """Remove the caches of the projects that some files or folders belong to.

    Without a path that is the project of the working folder.
    """
    resolver = SettingsResolver(Layer(Path.cwd(), cache_dir=cache_dir))
    messages = Messages()
    folders: dict[Path, None] = {}
    try:
        for path in map(absolute, map(Path, paths or (".",))):
            settings = resolver.for_folder(path if os.path.isdir(path) else path.parent)
            folders[cache_folder(settings.root, settings.cache_dir)] = None
    except SettingsError as error:
        messages.error(str(error))
        return 2
    for folder in folders:
        count, size = Store(folder).clean()
        messages.summary(f"Removed {counted(count, 'document')} ({size} bytes) from {folder}.")
    return 0
