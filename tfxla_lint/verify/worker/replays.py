"""Calls functions again after a program has ended, with what it passed made other than it was.

The program may pass the same few rows in each call, and leave no argument to its default.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import math
import re
import time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.further import FAR, NAN, NO_ROWS, TIES
from tfxla_lint.verify.worker.gradients import gradients_of
from tfxla_lint.verify.worker.outside import Outside, Place
from tfxla_lint.verify.worker.power import TooLong, limited
from tfxla_lint.verify.worker.states import Held, States
from tfxla_lint.verify.worker.variations import (
    ALIKE,
    CALL_SECONDS,
    EMPTY,
    HANGING,
    INFINITE,
    LEAST,
    ORDER,
    OTHERWISE,
    TRAINED_ON,
    UNEVEN,
    WITHOUT_LAST,
    Call,
    Last,
    Variation,
    arrays_in,
    changed,
    emptied,
    hanging,
    infinities,
    is_value,
    least,
    leaves_of,
    multiplied,
    otherwise,
    rearranged,
    variations,
)

#: The label of what a call returned, beside what it left.
RESULT = ""
GRADIENTS_OF_IT, AGAIN = "its gradients", "called again"
_SIGNATURE = re.compile("Binding inputs to tf.function failed|incompatible with input_signature")
REFUSED: Node = ("opaque", "refused by a signature", None)
_BARE = (NO_ROWS, NAN)
APART = (OTHERWISE, TIES, ORDER, ALIKE, UNEVEN, LEAST, HANGING, TRAINED_ON, WITHOUT_LAST, EMPTY)
#: So much larger are variables then; it is the same for parts and wholes.
_FURTHER = 1.25
#: So far objects are looked into.
_DEEP = 3
#: So long all calls of one function together, and those with infinity, or otherwise from the same state.
_ALL_SECONDS, _APART_SECONDS = 12.0, 3.0
#: So often it is called with something else outside: what a call leaves may be what the next one hangs on.
_TURNS = 3
#: So long all calls of one function together with something else outside.
_VARIED_SECONDS = 6.0


class Replay(NamedTuple):
    """One such call: how it was made, the parameters left to their defaults, what it gave.

    `held` is what everything with a state held before and after it, where that was noted; `eagerly` is
    what it gave where all functions ran eagerly, where that was tried.
    """

    words: str
    defaults: List[str]
    result: Optional[Node]
    held: Sequence[Held] = ()
    eagerly: Optional[Node] = None
    #: Where the user's code raises: the exception's type, and what the variables of its object hold then.
    raised: str = ""
    left: Optional[Node] = None
    #: The arrays, numbers and texts that the program itself passed, for the call as it made it.
    given: Optional[Node] = None
    #: Whether it comes to lines that nothing else came to.
    has_own_lines: bool = False
    #: The kinds of the variables that were moved for it, or of what functions were given.
    moved: Sequence[str] = ()

    @property
    def is_bare(self) -> bool:
        """Whether graphs and eager code may differ: no values are passed, or it is derived."""
        return self.words in (*_BARE, GRADIENTS_OF_IT)

    @property
    def changes_variables(self) -> bool:
        """Whether it changed a float variable."""
        kinds = [(row.start, row.node) for row in self.held]
        floats = [(a[2], b[2]) for a, b in kinds if a and a[0] == b[0] == "variable"]
        return any(a.dtype.kind == "f" and bool((a != b).any()) for a, b in floats)

    def said(self, name: str) -> str:
        """How the function was called, in words."""
        is_said = self.words == AGAIN or self.words.startswith("with")
        return f"{name}() {self.words}" if is_said else f"{name}() with {self.words}"


def paired(rows: Sequence[Replay], others: Sequence[Replay]) -> Iterator[Tuple[Replay, Replay]]:
    """The calls of two versions that were made in the same way, as long as both made them in turn.

    Those that are made from the same state may be lacking on one side: then none of their kind counts.
    """
    apart = (*APART, INFINITE)
    counts = [collections.Counter(row.words for row in side) for side in (rows, others)]
    lacking = {words for words in apart if counts[0][words] != counts[1][words]}
    kept = ([row for row in side if row.words not in lacking] for side in (rows, others))
    return zip(*kept)


#: By path and number what stands outside, and what the call gives then; nothing where it raises.
Varied = Dict[Tuple[str, int], Replay]


class Replaying:
    """Calls functions again; `record` notes what a call gave, `states` is what the program made."""

    def __init__(
        self,
        record: Callable[..., Node],
        states: States,
        own: Set[str],
        ran: Set[int],
        raised: Callable[[BaseException], str],
        is_far: bool = False,
        bounds: Sequence[float] = (),
        has_infinities: bool = True,
    ) -> None:
        self._has_infinities = has_infinities
        self._record = record
        #: The numbers that code compares with.
        self._bounds = list(bounds)
        self._states = states
        #: What of an exception the user's code raises.
        self._raised = raised
        #: The lines that were come to: those count that calls come to which can be compared.
        self._ran = ran
        self._own = own
        #: Whether functions are called with values far out, too.
        self._is_far = is_far
        self._stop = math.inf

    def replayed(self, last: Last, also_eagerly: bool) -> List[Replay]:
        """What variations of a function's last call give, in order, up to one that takes too long.

        `last` is that call; there is no result where it raises. What is NaN comes last, since it
        stays in variables. Calls without values are made eagerly, too, where that is asked for.
        """
        self._stop = time.perf_counter() + _ALL_SECONDS
        calls = list(variations(last))
        first = self.again(last)
        if first is None:
            return []
        plain = [call for call in calls if call[0] not in _BARE]
        # From the same state on both sides: a version may refuse others of these calls.
        found = [first, *self._apart(last), *self._infinite(last)]
        called = self._called(last, plain)
        found += called
        if len(called) < len(plain):
            return found
        if not found[0].changes_variables:
            # What gradients are shows in what becomes of the variables.
            found += self._gradients(last)
        bare = [call for call in calls if call[0] in _BARE]
        with self._states.restored():
            rows = self._called(last, bare)
        eager: List[Replay] = []
        if also_eagerly:
            with self._states.restored(), _eager():
                eager = self._called(last, bare)
        results = [row.result for row in eager] + [None] * len(rows)
        found += [row._replace(eagerly=node) for row, node in zip(rows, results)]
        return found + self._far(last)

    def varied(self, last: Last, outside: Outside) -> Varied:
        """What the same call gives where something else stands outside, each time from the same state."""
        namespace = getattr(last.plain, "__globals__", {})
        given = (list(last.positional), dict(last.keywords))
        stop = time.perf_counter() + _VARIED_SECONDS
        self._stop = stop
        found: Varied = {}
        places = outside.places(namespace, last.owner)
        for path, way in _in_turn(outside, places):
            words = f"with another {path}"
            found[path, way] = Replay(words, [], None)
            if time.perf_counter() > stop:
                continue
            around = outside.changed(path, way, namespace, last.owner)
            with self._states.restored(), around as is_there:
                rows = self._called(last, [(words, [], given)] * _TURNS) if is_there else []
            ended = [row for row in rows if row.result is not None]
            found[path, way] = (ended or rows or [found[path, way]])[-1]
        flags = {place.path for place in places if not outside.needs_change(place)}
        return {
            key: row for key, row in found.items() if row.result is not None or key[0] not in flags
        }

    def again(self, last: Last) -> Optional[Replay]:
        """What the same call gives when it is made twice more; None where that takes too long."""
        before = self._states.held()
        try:
            with limited(CALL_SECONDS), captured():
                both = [last() for _ in range(2)]
                result = self._record(both, last.owner)
        except TooLong:
            return None
        except Exception:
            return Replay(AGAIN, [], None)
        given = self._record([leaf for leaf in leaves_of(last) if is_value(leaf)])
        return Replay(AGAIN, [], result, self._states.since(before), given=given)

    def _infinite(self, last: Last) -> List[Replay]:
        """What calls with infinity at one place give, each from the same state."""
        found: List[Replay] = []
        stop = time.perf_counter() + _APART_SECONDS
        for call in infinities(last):
            if not self._has_infinities or time.perf_counter() > stop:
                # Of no use but to say what NaN shows, and what is equal then counts for nothing.
                found.append(Replay(INFINITE, [], REFUSED))
                continue
            found.append(self._from_here(last, call))
        return found

    def _from_here(self, last: Last, call: Variation) -> Replay:
        """What a call gives, after which all is as it was before it."""
        with self._states.restored():
            rows = self._called(last, [call])
        return rows[0] if rows else Replay(call[0], [], REFUSED)

    def _apart(self, last: Last) -> List[Replay]:
        """What calls with ties, another order and uneven parts give, each from the same state."""
        found: List[Replay] = []
        stop = time.perf_counter() + _APART_SECONDS
        shapes: Set[str] = set()
        calls = [*otherwise(last), *hanging(last, shapes), *rearranged(last, self._bounds)]
        calls += emptied(last)
        for call in itertools.chain(calls, least(last) if self._is_far else ()):
            if time.perf_counter() > stop:
                found.append(Replay(call[0], [], REFUSED))
                continue
            row = self._from_here(last, call)
            found.append(row._replace(moved=sorted(shapes)) if call[0] == HANGING else row)
        given: Call = (list(last.positional), dict(last.keywords))
        further = functools.partial(self._states.train_on, _FURTHER)
        for words, move in ((TRAINED_ON, further), (WITHOUT_LAST, self._states.empty_last)):
            with self._states.restored():
                moved = move()
                rows = self._called(last, [(words, [], given)]) if moved else []
                found += [row._replace(moved=moved) for row in rows]
        return found

    def eagerly_far(self, last: Last) -> List[Replay]:
        """What calls with values far out give where all functions run eagerly."""
        with _eager():
            return self._far(last)

    def _far(self, last: Last) -> List[Replay]:
        """What calls with values far out give, each from the same state."""
        found: List[Replay] = []
        given: Call = (list(last.positional), dict(last.keywords))
        for factor in FAR if self._is_far else ():
            times = functools.partial(multiplied, factor=factor)
            call: Variation = (f"values {factor:g} times as large", [], changed(given, times))
            with self._states.restored(), held_times(last.owner, self._own, abs(factor)) as is_held:
                if not is_held and not arrays_in(given):
                    continue
                before = self._states.held()
                rows = self._called(last, [call])
                found += [row._replace(held=self._states.since(before)) for row in rows]
        return found

    def eagerly_again(self, last: Last) -> Optional[Replay]:
        """The same where all functions run eagerly, and nothing is changed by it."""
        with self._states.restored(), _eager():
            return self.again(last)

    def _called(self, last: Last, calls: Sequence[Variation]) -> List[Replay]:
        found: List[Replay] = []
        for words, defaults, (positional, keywords) in calls:
            known = set(self._ran)
            if time.perf_counter() > self._stop:
                break
            try:
                with limited(CALL_SECONDS), captured():
                    result = self._record(last.function(*positional, **keywords), last.owner)
            except TooLong:
                self._ran.intersection_update(known)
                break
            except Exception as error:
                self._ran.intersection_update(known)
                if not _SIGNATURE.search(str(error)):
                    raised = self._raised(error)
                    left = self._record(last.owner) if raised else None
                    found.append(Replay(words, defaults, None, raised=raised, left=left))
                    continue
                # Which sizes a signature takes says nothing of what is computed.
                result = REFUSED
            is_new = bool(self._ran - known)
            found.append(Replay(words, defaults, result, has_own_lines=is_new))
        return found

    def _gradients(self, last: Last) -> List[Replay]:
        """The gradients of the call with respect to what it is passed and reaches, if it has any.

        Nobody asks for those of a function that no tape of the program ever saw: what it computes outside of
        TensorFlow may cut them off.
        """
        given = getattr(last.plain, "__globals__", {})
        rows: Dict[str, Any] = {}
        if not last.is_taped:
            return [Replay(GRADIENTS_OF_IT, [], self._record(rows))]
        with contextlib.suppress(Exception, TooLong), limited(CALL_SECONDS), captured():
            call = (last.function, last.positional, last.keywords, given, last.owner)
            found = gradients_of(*call, self._is_far)
            rows.update({name: gradient for name, gradient in found if gradient is not None})
        return [Replay(GRADIENTS_OF_IT, [], self._record(rows))]


@contextlib.contextmanager
def held_times(owner: Any, own: Set[str], factor: float) -> Iterator[bool]:
    """Let arrays of floats that an object holds be so many times as large; yields whether it has any.

    `own` are the modules whose objects are looked into.
    """
    arrays: List[Any] = []
    pending, seen = [(owner, 0)], set()
    while pending:
        value, depth = pending.pop()
        is_own = type(value).__module__ in own and hasattr(value, "__dict__")
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.flags.writeable:
            arrays += [] if any(value is other for other in arrays) else [value]
        elif (is_own or isinstance(value, (list, tuple, dict))) and depth < _DEEP:
            seen.add(id(value))
            parts = vars(value) if is_own else value
            inner = parts.values() if isinstance(parts, dict) else parts
            pending += [(part, depth + 1) for part in inner if id(part) not in seen]
    kept = [array.copy() for array in arrays]
    try:
        for array in arrays:
            array *= factor
        yield bool(arrays)
    finally:
        for array, values in zip(arrays, kept):
            array[...] = values


def _in_turn(outside: Outside, places: List[Place]) -> Iterator[Tuple[str, int]]:
    """One way of each place, then a second of each, and so on."""
    ways = {place.path: max(1, outside.ways(place)) for place in places}
    rows = [(way, path) for path, count in ways.items() for way in range(count)]
    return ((path, way) for way, path in sorted(rows, key=lambda row: row[0]))


@contextlib.contextmanager
def _eager() -> Iterator[None]:
    """Let all functions run eagerly."""
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)
