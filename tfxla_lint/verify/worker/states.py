"""What a run makes that has a state, wherever it is held: variables, tables and queues.

A program need not keep its model in a global: what `main()` trains is gone when it returns.
"""

from __future__ import annotations

import contextlib
import functools
import random
import re
import zlib
from typing import Any, Callable, ContextManager, Dict, Iterator, List, NamedTuple, Optional
from unittest import mock

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.ops import data_flow_ops, lookup_ops, resource_variable_ops

from tfxla_lint.sandbox.inside import draws
from tfxla_lint.sandbox.inside.nodes import Node, Recorder
from tfxla_lint.verify.worker.comparing import ARRAYS, TRAINED, Comparison, Difference
from tfxla_lint.verify.worker.evidence import changed
from tfxla_lint.verify.worker.shaken import moved_array

#: So many are kept, of so many bytes together.
_MOST, _BYTES = 4096, 1 << 28
#: Of more that are of one kind it is not tried which is which.
_ALIKE = 32
_PASSING = (resource_variable_ops._UnreadVariable,)
_KINDS = (
    resource_variable_ops.BaseResourceVariable,
    lookup_ops.StaticHashTable,
    lookup_ops.MutableHashTable,
    lookup_ops.DenseHashTable,
    data_flow_ops.QueueBase,
)


class Held(NamedTuple):
    """One of them when the run had ended: of which kind, what it holds, and what it held before.

    `start` is how it stood when changed code first ran, or when it was made later than that; `first` is
    how it was made.
    """

    kind: str
    node: Node
    start: Optional[Node]
    is_new: bool
    first: Optional[Node] = None


class States:
    """Everything with a state that one run makes, in order."""

    def __init__(self) -> None:
        self._objects: List[Any] = []
        self._starts: List[Optional[Node]] = []
        self._firsts: List[Optional[Node]] = []
        self._bytes = 0
        self._stood = 0
        #: What gives Python's own state back, beside variables.
        self.around: Callable[[], ContextManager[None]] = contextlib.nullcontext

    def note(self, value: Any) -> None:
        """Note that something was made."""
        is_full = len(self._objects) >= _MOST or self._bytes > _BYTES
        if is_full or isinstance(value, _PASSING) or any(value is o for o in self._objects[-1:]):
            return
        if tf.executing_eagerly() and draws.is_nudging():
            _shake(value)
        start = _node(value) if tf.executing_eagerly() else None
        if start is not None and start[0] in ARRAYS:
            self._bytes += int(np.asarray(start[2]).nbytes)
        self._objects.append(value)
        self._starts.append(start)
        self._firsts.append(start)

    def stand(self) -> None:
        """Take what everything holds now as what changes are seen against."""
        self._starts = [_node(value) for value in self._objects]
        self._stood = len(self._objects)

    @contextlib.contextmanager
    def restored(self) -> Iterator[None]:
        """Give back afterwards what variables and Python's objects hold, and go on drawing from here."""
        before, drawn = [], draws.places()
        for variable in self.variables():
            with contextlib.suppress(Exception):
                before.append((variable, variable.numpy()))
        try:
            with self.around():
                yield
        finally:
            draws.go_back(drawn)
            for variable, value in before:
                with contextlib.suppress(Exception):
                    variable.assign(value)

    def train_on(self, factor: float) -> List[str]:
        """Let arrays that the run trained be so many times as large; gives their kinds, in order."""
        moved = []
        for value, start in zip(self._objects, self._firsts):
            if isinstance(value, _KINDS[0]) and value.trainable and value.dtype.is_floating:
                known = _node(value) if value.shape.rank else None
                if known is not None and start is not None and any(changed(start, known)):
                    value.assign(value * tf.cast(factor, value.dtype))
                    moved.append(_kind(value))
        return sorted(moved)

    def empty_last(self) -> List[str]:
        """Let arrays that the run counted in hold nothing of what is last; gives their kinds, in order."""
        moved = []
        for value, start in zip(self._objects, self._firsts):
            if isinstance(value, _KINDS[0]) and not value.trainable and value.dtype.is_floating:
                known = _node(value) if value.shape.rank and value.shape[0] else None
                if known is not None and start is not None and any(changed(start, known)):
                    value.assign(tf.concat([value[:-1], tf.zeros_like(value[-1:])], 0))
                    moved.append(_kind(value))
        return sorted(moved)

    def take_over(self, rows: List[Held]) -> None:
        """Let variables hold what their like held in another run, where that is nearly the same.

        What a call changes in them can be compared then however small it is.
        """
        theirs = _by_kind([row for row in rows if row.node[0] == "variable"])
        own: Dict[str, List[Any]] = {}
        for variable in self.variables():
            own.setdefault(_kind(variable), []).append(variable)
        for kind, variables in own.items():
            others = [row.node for row in theirs.get(kind, [])]
            for variable, node in zip(variables, others if len(others) == len(variables) else ()):
                known = _node(variable)
                if known is None or Comparison(factor=TRAINED).compare("", known, node, False):
                    continue
                with contextlib.suppress(Exception):
                    variable.assign(tf.cast(node[2], variable.dtype))

    def variables(self) -> List[Any]:
        """The variables among it."""
        kind = resource_variable_ops.BaseResourceVariable
        return [value for value in self._objects if isinstance(value, kind)]

    def since(self, before: List[Held]) -> List[Held]:
        """What everything holds now, and what it held before as its start."""
        pairs = zip(before, self.held())
        return [now._replace(start=then.node, is_new=False, first=None) for then, now in pairs]

    def held(self) -> List[Held]:
        """What everything holds now."""
        found = []
        rows = zip(self._objects, self._starts, self._firsts)
        for i, (value, start, first) in enumerate(rows):
            node = _node(value)
            if node is not None:
                found.append(Held(_kind(value), node, start, i >= self._stood, first))
        return found


def _shake(value: Any) -> None:
    """Round what a variable begins with otherwise."""
    with contextlib.suppress(Exception):
        if isinstance(value, resource_variable_ops.BaseResourceVariable):
            value.assign(moved_array(value.numpy()))


def generators() -> List[Held]:
    """Where the generators stand that all code draws from, and what seeded them; no evidence."""
    drawn = {
        "the state of Python's random": random.getstate(),
        "the state of NumPy's random": np.random.get_state(legacy=False),
        "the global seed of TensorFlow": context.global_seed(),
    }
    found = []
    for kind, state in drawn.items():
        node: Node = ("python", "str", f"{zlib.crc32(repr(state).encode()):08x}")
        found.append(Held(kind, node, node, False))
    return found


@contextlib.contextmanager
def keeping() -> Iterator[States]:
    """Keep everything with a state that is made in the meantime."""
    states = States()
    with contextlib.ExitStack() as stack:
        for kind in _KINDS:
            noted = _noting(kind.__init__, states.note)
            stack.enter_context(mock.patch.object(kind, "__init__", noted))
        yield states


def _noting(make: Callable[..., None], note: Callable[[Any], None]) -> Callable[..., None]:
    @functools.wraps(make)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        note(self)

    return init


def _kind(value: Any) -> str:
    """What both versions call it; numbers in names only tell how many were made before."""
    name = re.sub(r"_\d+|:\d+$", "", str(getattr(value, "name", "") or ""))
    if isinstance(value, resource_variable_ops.BaseResourceVariable):
        return f"variable {name} {value.dtype.name}{list(value.shape)}"
    return type(value).__name__


def _node(value: Any) -> Optional[Node]:
    """What one of them holds; None where that cannot be told."""
    try:
        if isinstance(value, resource_variable_ops.BaseResourceVariable):
            return Recorder(set()).record(value)
        if isinstance(value, data_flow_ops.QueueBase):
            return Recorder(set()).record(_queued(value))
        keys, values = (part.numpy() for part in value.export())
        order = sorted(range(len(keys)), key=lambda i: repr(keys[i]))
        return Recorder(set()).record([keys[order], values[order]])
    except Exception:
        return None


def _queued(queue: Any) -> Any:
    """The elements of a queue, which are put back."""
    size = int(queue.size())
    if not size or any(shape.rank is None for shape in queue.shapes):
        return [size]
    elements = queue.dequeue_many(size)
    queue.enqueue_many(elements)
    return [size, elements]


def differences(comparison: Comparison, before: List[Held], after: List[Held]) -> List[Difference]:
    """Where two runs differ in what they hold, of each kind that they made equally many of."""
    left, right = _by_kind(before), _by_kind(after)
    found: List[Difference] = []
    for kind, ours in left.items():
        theirs = right.get(kind, [])
        if len(ours) != len(theirs):
            continue
        paths = [f"{kind} #{i + 1}" if len(ours) > 1 else kind for i in range(len(ours))]
        each = [_of_one(comparison, *row) for row in zip(paths, ours, theirs)]
        if any(each) and not _are_in_another_order(comparison, ours, theirs):
            found += [difference for differing in each for difference in differing]
    return found


def _of_one(comparison: Comparison, path: str, a: Held, b: Held) -> List[Difference]:
    scale = comparison.scale_of(a.node)
    found = comparison.compare(path, a.node, b.node, strict=False, scale=scale)
    starts = (a.start, b.start)
    if None not in starts and Comparison().compare("", *starts, strict=False):  # type: ignore[arg-type]
        # Where changed code begins may be marked on one side only.
        starts = (a.first, b.first)
    if found or starts[0] is None or starts[1] is None:
        return found
    nodes = (starts[0], a.node, b.node, starts[1])
    rows: List[Node] = [("branch", "", [(path, node)]) for node in nodes]
    return comparison.updates(rows[0], rows[1], rows[2], rows[3])


def _are_in_another_order(comparison: Comparison, ours: List[Held], theirs: List[Held]) -> bool:
    """Whether each of some alike objects of one run has its own in the other run."""
    if not 1 < len(ours) <= _ALIKE:
        return False
    left = list(theirs)
    for a in ours:
        twin = next((b for b in left if not _of_one(comparison, "", a, b)), None)
        if twin is None:
            return False
        left = [b for b in left if b is not twin]
    return True


def _by_kind(rows: List[Held]) -> Dict[str, List[Held]]:
    found: Dict[str, List[Held]] = {}
    for row in rows:
        found.setdefault(row.kind, []).append(row)
    return found


def telling(rows: List[Held]) -> Iterator[str]:
    """The kinds of what was made or changed since changed code first ran."""
    for row in rows:
        if row.is_new or any(changed(row.start, row.node)):
            yield row.kind


def are_same(a: List[Held], b: List[Held]) -> bool:
    """Whether two runs hold the same to the last bit."""
    if [row.kind for row in a] != [row.kind for row in b]:
        return False
    return not any(any(changed(x.node, y.node)) for x, y in zip(a, b))
