"""Executors that are named by a word, as on the command line: `dask=ADDRESS`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import import_module
from typing import Any

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
    for name in ("distributed", "distributed.client", "concurrent.futures"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(f"cannot reach {address}: {error}") from None
    with client:
        yield _Cluster(client)


class _Cluster(Executor):
    """The workers of a dask cluster, as far as there are any."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._inner: Executor = client.get_executor(pure=False)

    def submit(self, *args: Any, **options: Any) -> Future[Any]:
        """Let a worker call a function."""
        return self._inner.submit(*args, **options)

    def is_deserted(self) -> bool:
        """Whether nobody works for it: the scheduler is gone, or has no worker."""
        return self._client.status != "running" or not self._client.scheduler_info()["workers"]
