"""Gives code that is watched the functions that it tells what it does."""

from __future__ import annotations

import builtins
import contextlib
from typing import Any, Callable, Iterator, Mapping

Marks = Mapping[str, Callable[..., Any]]


@contextlib.contextmanager
def lent(marks: Marks) -> Iterator[None]:
    """Let all code call some functions by names that none of the user's has."""
    vars(builtins).update(marks)
    try:
        yield
    finally:
        for name in marks:
            del vars(builtins)[name]
