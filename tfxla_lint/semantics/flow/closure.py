"""What follows from something, directly or through others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")


def closure(
    starts: Iterable[_Item], following: Callable[[_Item], Iterable[_Item]]
) -> Iterator[_Item]:
    """Some things and all that follows from them, each once, what follows behind its reason.

    Nothing is asked of a thing before it is handed out: who has found enough need not go on.
    """
    pending = [*starts][::-1]
    seen: set[int] = set()
    while pending:
        item = pending.pop()
        if id(item) not in seen:
            seen.add(id(item))
            yield item
            pending += [*following(item)][::-1]
