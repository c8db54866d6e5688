"""What follows from something, directly or through others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


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


def ends_well(start: _Item, following: Callable[[_Item], Iterable[_Item] | None]) -> bool:
    """Whether all ways on from a thing come to a good end: where `following` gives nothing, and not None.

    A circle comes to none. Each thing is asked once, however many ways lead to it.
    """
    is_done: dict[int, bool] = {}
    ahead = following(start)
    if ahead is None:
        return False
    pending = [(start, iter(ahead))]
    is_done[id(start)] = False
    while pending:
        item, rest = pending[-1]
        following_item = next(rest, None)
        if following_item is None:
            is_done[id(item)] = True
            pending.pop()
        elif id(following_item) not in is_done:
            ahead = following(following_item)
            if ahead is None:
                return False
            is_done[id(following_item)] = False
            pending.append((following_item, iter(ahead)))
        elif not is_done[id(following_item)]:
            return False
    return True


def first(
    start: _Item,
    following: Callable[[_Item], Iterable[_Item]],
    answer: Callable[[_Item], _Answer],
    barren: set[int],
) -> _Answer | None:
    """The first answer to be had of a thing, or of what follows from it, in the order of `closure`.

    `barren` keeps, by their identities, those that had none, and of which nothing follows that has:
    who asks of many things passes the same set each time, and each of them is asked once.
    """
    seen: set[int] = set()
    pending = [start]
    while pending:
        item = pending.pop()
        if id(item) in seen or id(item) in barren:
            continue
        seen.add(id(item))
        found = answer(item)
        if found is not None:
            return found
        pending += [*following(item)][::-1]
    barren |= seen
    return None


def circles(start: _Item, following: Callable[[_Item], Iterable[_Item]]) -> Iterator[list[_Item]]:
    """A thing and all that follows from it, in groups of those that follow from each other.

    Each group comes behind those that follow from it.
    """
    numbers = {id(start): 0}
    lowest = dict(numbers)
    path, on_path = [start], {id(start)}
    pending = [(start, iter(following(start)))]
    while pending:
        item, below = pending[-1]
        key = id(item)
        fresh = None
        for other in below:
            if id(other) not in numbers:
                fresh = other
                break
            if id(other) in on_path:
                lowest[key] = min(lowest[key], numbers[id(other)])
        if fresh is not None:
            numbers[id(fresh)] = lowest[id(fresh)] = len(numbers)
            path.append(fresh)
            on_path.add(id(fresh))
            pending.append((fresh, iter(following(fresh))))
            continue
        pending.pop()
        if pending:
            holder = id(pending[-1][0])
            lowest[holder] = min(lowest[holder], lowest[key])
        if lowest[key] == numbers[key]:
            place = next(i for i in reversed(range(len(path))) if path[i] is item)
            group = path[place:]
            del path[place:]
            on_path.difference_update(map(id, group))
            yield group


def folded(
    start: _Item,
    above: Callable[[_Item], Iterable[_Item]],
    answer: Callable[[_Item], _Answer],
    known: dict[int, _Answer],
    of_circles: _Answer,
) -> _Answer:
    """The answer for one thing, once those above it are in `known`, by their ids.

    What stands above itself is taken for `of_circles` while it is worked out.
    """
    pending = [(start, False)]
    while pending:
        item, is_ready = pending.pop()
        if is_ready:
            known[id(item)] = answer(item)
        elif id(item) not in known:
            known[id(item)] = of_circles
            pending.append((item, True))
            pending += [(other, False) for other in above(item)]
    return known[id(start)]
