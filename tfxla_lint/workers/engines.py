"""Executors that are named by a word, as on the command line: `dask=ADDRESS`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module

from tfxla_lint.workers.remote import ExecutorError

_ENGINES = ("dask",)
_PATIENCE = "20s"


def parsed(word: str) -> tuple[str, str]:
    """The engine and the address that a word names; raises ValueError."""
    engine, _, address = word.partition("=")
    if engine not in _ENGINES or not address:
        raise ValueError(f"{word!r} is no executor such as dask=tcp://scheduler:8786")
    return engine, address


@contextmanager
def executor_at(word: str) -> Iterator[Executor]:
    """The executor that a word names; raises ExecutorError where it cannot be reached."""
    _, address = parsed(word)
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ExecutorError("dask is not installed: pip install 'tfxla-lint[cluster]'") from None
    # What becomes of lost workers is told by what becomes of their work.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(f"cannot reach {address}: {error}") from None
    with client:
        yield client.get_executor(pure=False)
