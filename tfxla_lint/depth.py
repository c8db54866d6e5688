"""How deep Python may recurse while code is analysed, in a process that others use as well."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")

#: The stack of a thread that analyses code, in bytes: that of a process may be smaller elsewhere.
STACK = 128 << 20


class _Limit:
    """The limit of the process, from the first that is at work up to the last one's end."""

    lock = threading.Lock()
    users = 0
    before = 0


@contextmanager
def kept_limit() -> Iterator[None]:
    """Give the process its recursion limit back, once nobody analyses code any more."""
    with _Limit.lock:
        if _Limit.users == 0:
            _Limit.before = sys.getrecursionlimit()
        _Limit.users += 1
    try:
        yield
    finally:
        with _Limit.lock:
            _Limit.users -= 1
            if _Limit.users == 0:
                sys.setrecursionlimit(_Limit.before)


def with_room(do: Callable[[], _T]) -> _T:
    """What `do` gives, called where the stack is as large as the recursion limit needs.

    Threads of others may have little: half a megabyte on macOS.
    """
    if threading.current_thread() is threading.main_thread() or threading.stack_size() >= STACK:
        return do()
    with _Limit.lock:
        before = threading.stack_size(STACK)
        try:
            pool = ThreadPoolExecutor(max_workers=1)
            waiting = pool.submit(do)
        finally:
            threading.stack_size(before)
    with pool:
        return waiting.result()
