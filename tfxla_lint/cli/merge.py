"""The command `merge`: brings together what the shares of a run have found."""

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
from tfxla_lint.settings.resolver import SettingsResolver


@click.command(
    cls=SectionCommand,
    context_settings=HELP,
    examples=(
        ("tfxla-lint --shard 1/2 --cache-dir part-1 .", "on one machine"),
        ("tfxla-lint --shard 2/2 --cache-dir part-2 .", "on another one"),
        ("tfxla-lint merge part-1 part-2 && tfxla-lint .", "one report of all"),
    ),
)
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--cache-dir",
    envvar="TFXLA_LINT_CACHE_DIR",
    metavar="FOLDER",
    help="Where to bring them, instead of the cache of the working folder's project.",
)
def merge(folders: tuple[Path, ...], cache_dir: str | None) -> int:
    """Bring the caches of several runs together.

    The next run tells all of it as if it had found it itself: in one report of any format, in the
    usual order, with the usual status. What no share could keep it finds out anew.
    """
    messages = Messages()
    missing = [folder for folder in folders if not os.path.isdir(folder)]
    for folder in missing:
        messages.error(f"{folder}: no such folder")
    if missing:
        return 2
    try:
        settings = SettingsResolver(Layer(Path.cwd(), cache_dir=cache_dir)).for_folder(Path.cwd())
        store = Store(cache_folder(settings.root, settings.cache_dir))
    except SettingsError as error:
        messages.error(str(error))
        return 2
    parts = [Store(cache_folder(folder, folder)) for folder in folders]
    empty = [part.folder for part in parts if part.is_empty]
    if empty:
        messages.error(f"{empty[0]}: nothing of a run is kept there")
        return 2
    count = sum(map(store.take, parts))
    if not count and store.is_empty:
        messages.error(f"{store.folder}: nothing can be written there")
        return 2
    messages.summary(f"Brought {counted(count, 'document')} to {store.folder}.")
    return 0
