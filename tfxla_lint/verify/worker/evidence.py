"""What a run shows of code that was changed, from when that code first runs: results, state, prints.

A value that was there before, a loop's own variable and a line that only counts would come out
the same whatever the changed code computes.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any, Callable, Collection, Dict, Iterator, List, Mapping, Optional, Set, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import MISSING, Node
from tfxla_lint.verify.worker.comparing import ARRAYS
from tfxla_lint.verify.worker.texts import shown_lines

#: What the state of generators of random numbers tells is how often they were asked.
_GENERATORS = ("RandomState", "Generator")
_VALUE = re.compile(
    r"(?<![\w.])[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+|nan|inf)\b", re.IGNORECASE
)
_WHOLE = re.compile(r"[-+]?\d+")
_STREAMS = ("stdout", "stderr")


class Start:
    """How things stood when changed code first ran: the state, and what had been printed."""

    def __init__(self, state: Node, printed: Tuple[int, int]) -> None:
        self.state = state
        self.printed = printed


def noting(take: Callable[[], Start]) -> Callable[[], Optional[Start]]:
    """What takes a `Start`, also while a function is traced; None where that fails."""

    def note() -> Optional[Start]:
        with contextlib.suppress(Exception), tf.init_scope():
            return take()
        return None

    return note


class Shown:
    """The places at which a run shows values that changed code may have to do with.

    `arrays` holds names and results whose values are arrays, `numbers` names and printed lines with
    plain numbers, which a clock can have made as well.
    """

    def __init__(self, arrays: Set[str], numbers: Set[str]) -> None:
        self.arrays = arrays
        self.numbers = numbers

    def __bool__(self) -> bool:
        return bool(self.arrays or self.numbers)


def shown(
    start: Optional[Start],
    state: Node,
    output: Tuple[str, str],
    calls: Mapping[str, List[Node]],
    turned: Collection[str],
) -> Shown:
    """What a run shows; `turned` are names that hold what loops go through."""
    arrays = {f"{name}()" for name, results in calls.items() if any(map(has_value, results))}
    numbers: Set[str] = set()
    before = dict(_globals(start.state)) if start is not None else {}
    for label, node in _globals(state):
        if label in turned:
            continue
        kinds = set(changed(before.get(label), node))
        if kinds & ARRAYS:
            arrays.add(label)
        elif kinds:
            numbers.add(label)
    printed = start.printed if start is not None else (0, 0)
    for stream, text, size in zip(_STREAMS, output, printed):
        numbers.update(_line(stream, i) for i in telling_lines(text, size))
    return Shown(arrays, numbers)


def unlike(a: Tuple[Node, Tuple[str, str]], b: Tuple[Node, Tuple[str, str]]) -> Set[str]:
    """The places at which the states and the output of two runs are not exactly the same."""
    states = [dict(_globals(state)) for state, _ in (a, b)]
    found = {name for name, node in states[0].items() if any(changed(states[1].get(name), node))}
    for stream, left, right in zip(_STREAMS, a[1], b[1]):
        lines = shown_lines(right)
        for i, line in enumerate(shown_lines(left)):
            if i >= len(lines) or line != lines[i]:
                found.add(_line(stream, i))
    return found


def _line(stream: str, index: int) -> str:
    return f"{stream} line {index + 1}"


def _globals(state: Node) -> Iterator[Tuple[str, Node]]:
    """The globals of the program, and those of a file that it imports (`module.`)."""
    for label, node in state[2]:
        if label.endswith(".") and node[0] == "branch":
            yield from node[2]
        else:
            yield label, node


def has_value(node: Node) -> bool:
    """Whether a node holds anything that could come out otherwise."""
    kind, _, value = node
    if kind == "branch":
        return any(has_value(part) for _, part in value)
    return kind in ARRAYS or (kind == "python" and value is not None)


def changed(before: Optional[Node], after: Node) -> Iterator[str]:
    """The kinds of the leaves that changed or are new, to the last bit."""
    before = before or MISSING
    if after[0] == "branch":
        if after[1] in _GENERATORS:
            return
        parts: Dict[str, Node] = dict(before[2]) if before[0] == "branch" else {}
        if before[0] == "branch" and len(parts) > len(after[2]):
            yield "python"
        for label, part in after[2]:
            yield from changed(parts.get(label), part)
    elif has_value(after) and not _is_same(before, after):
        yield after[0]


def _is_same(a: Node, b: Node) -> bool:
    if a[:2] != b[:2]:
        return False
    if a[0] == "python":
        return bool(a[2] == b[2]) or (a[2] != a[2] and b[2] != b[2])
    x, y = np.asarray(a[2]), np.asarray(b[2])
    if x.shape != y.shape:
        return False
    with np.errstate(all="ignore"):
        same: Any = (x == y) | ((x != x) & (y != y)) if x.dtype.kind in "fc" else x == y
    return bool(np.all(same))


def telling_lines(text: str, size: int = 0) -> List[int]:
    """The lines after the first `size` bytes that hold numbers and do not merely count."""
    head = text.encode("utf-8", "replace")[:size].decode("utf-8", "replace")
    first = len(shown_lines(head))
    columns: Dict[str, List[Tuple[int, List[str]]]] = {}
    for number, line in enumerate(shown_lines(text)):
        values = _VALUE.findall(line)
        if number >= first and values:
            columns.setdefault(_VALUE.sub("#", line), []).append((number, values))
    found: List[int] = []
    for rows in columns.values():
        each = list(zip(*(values for _, values in rows)))
        if not all(map(_counts, each)):
            found += [number for number, _ in rows]
    return sorted(found)


def _counts(column: Tuple[str, ...]) -> bool:
    """Whether several whole numbers stay as they are or go up by the same step."""
    if len(column) < 2 or not all(map(_WHOLE.fullmatch, column)):
        return False
    numbers = [int(text) for text in column]
    return len({numbers[i + 1] - numbers[i] for i in range(len(numbers) - 1)}) == 1
