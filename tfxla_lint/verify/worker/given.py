"""What a call gives away beside values: functions, which are called in turn, and objects that it keeps."""

from __future__ import annotations

import collections
import functools
import types
from typing import Any, Callable, Dict, Iterator, List, Mapping, Tuple

from tfxla_lint.sandbox.inside.nodes import Node, labels_of
from tfxla_lint.verify.worker.guessing import Choice
from tfxla_lint.verify.worker.search import Search
from tfxla_lint.verify.worker.sides import came_to, failure
from tfxla_lint.verify.worker.values import Maker

#: What is called of what a call returns: by its place, what its parameters are given.
Called = Dict[str, Choice]
#: So many functions are called, each so often; so many arguments are tried for each.
_MOST, _TIMES, _TRIES = 4, 2, 40
_SHARED = (list, dict, set, collections.deque)
#: What the labels of such parts begin with.
LABEL = "what it gives"


def functions_in(result: Any) -> Iterator[Tuple[str, Any]]:
    """The functions in what a call returned, with their places."""
    parts: List[Tuple[str, Any]] = [("", result)]
    if isinstance(result, (list, tuple)):
        parts = [(f"[{i}]", part) for i, part in enumerate(result)]
    elif isinstance(result, dict):
        parts = list(zip(labels_of(result), result.values()))
    found = [(place, part) for place, part in parts if _plain(part) is not None]
    yield from found[:_MOST]


def _plain(value: Any) -> Any:
    plain = getattr(value, "python_function", value)
    return plain if isinstance(plain, types.FunctionType) else None


def choices_for(
    result: Any, inner: Mapping[str, List[Dict[str, Any]]], job: Mapping[str, Any], maker: Maker
) -> Called:
    """What each function in a result can be called with; `inner` tells their parameters by name."""
    found: Called = {}
    for place, function in functions_in(result):
        parameters = inner.get(_plain(function).__name__)
        if parameters is None:
            continue
        search = Search({**job, "parameters": parameters}, {}, _TRIES)
        choice = search.run(functools.partial(_attempt, maker, place, function))
        if choice is not None:
            found[place] = choice
    return found


def _attempt(maker: Maker, place: str, function: Any, choice: Choice) -> Tuple[str, str, int]:
    for call in range(_TIMES):
        try:
            function(*_arguments(maker, place, choice, call))
        except Exception as error:
            return (*failure(error)[:2], came_to(error))
    return "", "", 0


def _arguments(maker: Maker, place: str, choice: Choice, call: int) -> List[Any]:
    return [maker.make(f"{place}.{name}", spec, call) for name, spec in choice.items()]


def called(
    result: Any, chosen: Called, maker: Maker, record: Callable[[Any], Node], call: int
) -> List[Tuple[str, Node]]:
    """What the functions in a result give when they are called; what they raise is raised."""
    functions = dict(functions_in(result)) if chosen else {}
    return [
        (f"{LABEL}{place}()#{turn + 1}", record(functions[place](*given)))
        for place, choice in chosen.items()
        if place in functions
        for turn in range(_TIMES)
        for given in [_arguments(maker, place, choice, _TIMES * call + turn)]
    ]


def shared(result: Any, given: List[Any], owner: Any, before: Any) -> List[Tuple[str, str]]:
    """The containers in a result that others hold, too, with their places, and who does.

    Their caller may change them.
    """
    parts: List[Tuple[str, Any]] = [("", result)]
    if isinstance(result, dict):
        parts += zip(labels_of(result), result.values())
    elif isinstance(result, (list, tuple)):
        parts += [(f"[{i}]", part) for i, part in enumerate(result)]
    kept = list(getattr(owner, "__dict__", {}).values())
    found = []
    for place, part in parts:
        if isinstance(part, _SHARED):
            if any(part is other for other in given):
                found.append((place, "an argument"))
            elif any(part is other for other in kept):
                found.append((place, "one that its object keeps"))
            elif part is before:
                found.append((place, "the one that it returned before"))
    return found
