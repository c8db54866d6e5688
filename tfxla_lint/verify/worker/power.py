"""Whether a comparison notices wrong versions of the rewritten code that it found equivalent."""

from __future__ import annotations

import collections
import contextlib
import copy
import operator
import signal
import time
from enum import Enum
from types import MappingProxyType
from typing import Any, Callable, Counter, Dict, Iterator, List, Mapping, Set

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.watch import Marks

#: What became of a wrong version: a difference was seen, values were so close that none was, all was
#: the same to the last bit, it says nothing, or it fails where the rewritten does not.
SEEN, MISSED, SAME, NOTHING, FAILS = "seen", "missed", "same", "nothing", "fails"
#: What is no answer to whether other values would be seen.
_UNTOLD = (NOTHING, FAILS)
#: So many are tried, however long the program runs.
_AT_LEAST, _AT_MOST = 3, 4
#: So many tries are made for each that shall tell something, and of a unit of which none does.
_TRIES, _TRIES_OF_ONE = 2, 5
#: Of so many one need not be seen.
_OF_WHICH_ONE = 10
#: A bound was well passed by what is off by so large a part of itself.
_MUCH = 0.5
#: What a text has more then.
_MORE_TEXT = "z9"
#: How much longer than the rewritten version a wrong one may run.
_LONGER, _MORE = 3.0, 2.0


class Instead(Enum):
    """What takes the place of numbers in a wrong version."""

    NEAR = "near"
    #: Where of small errors an accuracy shows none, and of what is counted on by one the order is all.
    FAR = "far"
    #: Where only the largest, or whether all are finite, is asked.
    NAN = "nan"


#: Tries one wrong version, with one of these.
Attempt = Callable[[Mapping[str, Any], Instead], str]


#: What wrong versions call in the place of a value, of a comparison, and around what has a size.
OTHER = "__txl_other__"
TIE, SIZE = "__txl_tie__", "__txl_size__"
#: What they call in the place of an operation that has a bound.
REACHED = "__txl_reached__"


class Seen(BaseException):
    """Ends a run once it differs."""


class Failing(BaseException):
    """Ends a run that fails where that of the rewritten version does not."""


class TooLong(BaseException):
    """Ends a run that takes much longer than that of the rewritten version."""


def tried(
    mutants: List[Mapping[str, Any]],
    ran: Set[int],
    seconds: float,
    most: float,
    once: float,
    attempt: Attempt,
    note: Callable[[Dict[str, str]], None],
    known: Mapping[str, str] = MappingProxyType({}),
    few: int = _AT_MOST,
) -> Dict[str, str]:
    """What became of each wrong version that was tried in so many seconds, by number.

    A few are tried in any case, as long as `most` is not over: one of each changed statement, and of each
    unit.
    Only those are tried whose statement `ran`; `once` is how long the rewritten version takes. What
    is the same to the last bit says nothing where another change of the same statement is seen.
    Of some it is `known` already what became of them; those that were not seen then come first.
    `few` says how many are enough when the time is over.
    """
    found: Dict[str, str] = {n: fate for n, fate in known.items() if fate == SEEN}
    began = time.perf_counter()
    stop, last = began + seconds, began + most
    pending = [m for m in mutants if m["place"] is None or m["place"] in ran]
    pending = [m for m in pending if str(m["number"]) not in found]
    pending.sort(key=lambda m: (not m["is_bound"], str(m["number"]) not in known))
    changed = len({m["line"] for m in mutants if m["is_changed"]})
    # Of an operation with a bound only trying tells whether it was reached.
    bounds = sum(m["is_bound"] and str(m["number"]) not in found for m in mutants)
    least = min(max(_AT_LEAST, changed), few) + bounds
    count = 0
    note(found)
    while pending:
        now = time.perf_counter()
        # What is begun is mostly brought to its end.
        each = (now - began) / count if count else 0.5 * once
        is_enough = _telling(found) >= least or count >= _TRIES * least
        if now + 0.5 * each > stop and is_enough:
            settled = set(_settled(mutants, found))
            pending = [m for m in pending if m["unit"] not in settled]
            if not pending:
                break
        count += 1
        mutant = pending.pop(0)
        fate = _fate(mutant, attempt, _LONGER * once + _MORE)
        found[str(mutant["number"])] = fate
        if fate == SAME:
            # Another change of the statement tells whether anything sees it.
            pending.sort(key=lambda other: (not other["is_bound"], other["line"] != mutant["line"]))
        note(found)
        if time.perf_counter() > last:
            break
    return found


def _settled(mutants: List[Mapping[str, Any]], found: Mapping[str, str]) -> Iterator[str]:
    """The units of which enough were tried: one that told something, or several that all did not.

    One that was not seen is too many where fewer than ten were tried.
    """
    fates: Dict[str, List[str]] = {}
    for mutant in mutants:
        if str(mutant["number"]) in found and not mutant["is_bound"]:
            fates.setdefault(mutant["unit"], []).append(found[str(mutant["number"])])
    for unit, own in fates.items():
        told = [fate for fate in own if fate not in _UNTOLD]
        is_close = len(told) - told.count(SEEN) == 1 and len(told) < _OF_WHICH_ONE
        if not is_close if told else len(own) >= _TRIES_OF_ONE:
            yield unit


def _fate(mutant: Mapping[str, Any], attempt: Attempt, seconds: float) -> str:
    """What becomes of a wrong version: what is seen with one kind of other floats is seen."""
    fate = NOTHING
    for how in Instead:
        try:
            with limited(seconds):
                other = attempt(mutant, how)
        except Seen:
            other = SEEN
        except Failing:
            other = FAILS
        except TooLong:
            other = NOTHING
        fate = other if fate == NOTHING or other not in _UNTOLD else fate
        # Where one more leads nowhere, as of an index, another order of the same may not.
        if fate == SEEN or (fate in _UNTOLD and how is not Instead.NEAR):
            break
    return fate


def _telling(found: Mapping[str, str]) -> int:
    return sum(fate not in _UNTOLD for fate in found.values())


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong in what runs longer, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Others:
    """Gives something else than it is given, of the same kind.

    `is_used` says that it could, `is_partly` that it could not for a part of something: where nothing
    differs then, it may be only that part which matters.
    """

    def __init__(self, how: Instead = Instead.NEAR) -> None:
        self._how = how
        self.is_called = False
        self.is_used = False
        self.is_partly = False
        #: Whether two values were equal that were compared.
        self.has_ties = False
        #: Whether an operation that was left out would have given something else.
        self.is_bounded = False
        #: Whether it would have been much else.
        self.is_exceeded = False
        #: By place the sizes that came up there, and how often they did.
        self.sizes: Dict[int, Counter[int]] = {}

    @property
    def is_telling(self) -> bool:
        """Whether it says something that nothing differs."""
        return not self.is_called or (self.is_used and not self.is_partly)

    def marks(self) -> Marks:
        """What wrong versions call."""
        plain = tf.autograph.experimental.do_not_convert
        marks = {OTHER: plain(self.other), TIE: plain(self.tie), SIZE: plain(self.size)}
        return {**marks, REACHED: plain(self.reached)}

    @property
    def is_reached(self) -> bool:
        """Whether ties came up, or several sizes, or one only once."""
        known = list(self.sizes.values())
        is_uneven = any(len(sizes) > 1 for sizes in known)
        is_single = bool(known) and all(sum(sizes.values()) == 1 for sizes in known)
        return self.has_ties or is_uneven or is_single

    def tie(self, left: Any, how: str, right: Any) -> Any:
        """Compare two values by a function of `operator`, and the other way where they are equal."""
        result = getattr(operator, how)(left, right)
        if isinstance(result, tf.Tensor):
            equal = tf.equal(left, right)
            _told(self._note_tie, tf.reduce_any(equal))
            return tf.logical_xor(result, equal)
        equal = np.equal(np.asarray(left), np.asarray(right))
        self._note_tie(equal.any())
        return result ^ equal if isinstance(result, np.ndarray) else bool(result) ^ bool(equal)

    def reached(
        self,
        operation: Callable[..., Any],
        value: Any,
        condition: Any = None,
        is_otherwise: bool = True,
    ) -> Any:
        """The value itself; what an operation makes of it is noted if it is something else.

        So is a condition of which this is the case where the operation asks for the other of two values.
        """
        with contextlib.suppress(Exception):
            made = operation(value) if condition is None else operation(value, condition)
            parts = tf.nest.flatten(made), tf.nest.flatten(value)
            self._note_bound(len(parts[0]) != len(parts[1]))
            for other, plain in zip(*parts):
                self._note_other(other, plain)
            if condition is not None:
                asked = tf.equal(tf.cast(condition, tf.bool), is_otherwise)
                _told(self._note_bound, tf.reduce_any(asked))
        return value

    def _note_other(self, made: Any, plain: Any) -> None:
        if isinstance(made, tf.Tensor) or isinstance(plain, tf.Tensor):
            made, plain = tf.convert_to_tensor(made), tf.convert_to_tensor(plain)
            if made.dtype != plain.dtype or made.shape.rank != plain.shape.rank:
                self._note_bound(True)
                return
            is_less = tf.reduce_any(tf.not_equal(tf.shape(made), tf.shape(plain)))
            _told(self._note_bound, is_less)
            _told(self._note_excess, is_less)
            if not made.shape.is_compatible_with(plain.shape):
                return
            other = tf.not_equal(made, plain)
            if made.dtype.is_floating:
                other &= (made == made) | (plain == plain)
                _told(
                    self._note_excess, tf.reduce_any(tf.abs(made - plain) > _MUCH * tf.abs(plain))
                )
            _told(self._note_bound, tf.reduce_any(other))
        else:
            self._note_bound(not np.array_equal(made, plain))

    def _note_excess(self, is_there: Any) -> None:
        self.is_exceeded = self.is_exceeded or bool(is_there)

    def _note_bound(self, is_there: Any) -> None:
        self.is_bounded = self.is_bounded or bool(is_there)

    def _note_tie(self, is_there: Any) -> None:
        self.has_ties = self.has_ties or bool(is_there)

    def size(self, value: Any, place: int) -> Any:
        """The value itself, of which the size is noted."""

        def note(size: Any) -> None:
            self.sizes.setdefault(place, collections.Counter())[int(size)] += 1

        if isinstance(value, (tf.Tensor, tf.Variable)):
            _told(note, tf.size(value))
        elif hasattr(value, "__len__"):
            note(np.size(value) if isinstance(value, np.ndarray) else len(value))
        return value

    def other(self, value: Any, is_gone_through: bool = False) -> Any:
        """Something else than `value`, or itself where there is no telling what else it could be.

        A dict that is only gone through loses a key: nobody asks what it holds. So do whole numbers, which may
        be places, their first.
        """
        self.is_called = True
        if is_gone_through and _is_whole(value) and value.shape[0] != 1:
            self.is_used = True
            return value[1:]
        if is_gone_through and type(value) is dict and value:
            self.is_used = True
            return {key: value[key] for key in list(value)[:-1]}
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            parts = [self.other(part) for part in value]
            return parts if isinstance(value, list) else tuple(parts)
        if isinstance(value, dict):
            made = copy.copy(value)
            if self._how is Instead.FAR and len(value) > 1 and all(map(_is_number, value.values())):
                # Numbers that are all moved alike are in the same order.
                self.is_used = True
                made.update(zip(value, [*list(value.values())[1:], next(iter(value.values()))]))
                return made
            for key, part in value.items():
                made[key] = self.other(part)
            return made
        found = _other(value, self._how)
        if found is None:
            self.is_partly = True
            return value
        if self._how is Instead.FAR and _is_whole(value):
            # Elsewhere stand the same numbers: indices stay indices.
            found = _turned(value)
        elif self._how is Instead.FAR and _is_count(value):
            # Of what there is one more may be nothing.
            found = value - 1
        elif self._how is not Instead.NEAR:
            found = _far(found, self._how)
        self.is_used = True
        return found


def _told(note: Callable[[Any], None], value: Any) -> None:
    """Note a value, now or whenever a graph comes to it."""
    if tf.executing_eagerly():
        note(value.numpy())
    else:

        def noted(found: Any) -> Any:
            note(found)
            return np.int32(0)

        tf.numpy_function(noted, [value], tf.int32)


def _other(value: Any, how: Instead) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, range):
        return value[1:] if len(value) else None
    if isinstance(value, tf.data.Dataset):
        return value.skip(1) if how is Instead.NEAR else value.take(1)
    if _is_empty(value):
        return None
    if isinstance(value, tf.RaggedTensor):
        flat = _other(value.flat_values, how)
        return value.with_flat_values(flat) if flat is not None else None
    if isinstance(value, tf.Tensor) and value.dtype == tf.string:
        return tf.strings.join([value, _MORE_TEXT])
    if isinstance(value, tf.IndexedSlices):
        return tf.IndexedSlices(moved(value.values), value.indices, value.dense_shape)
    if isinstance(value, (int, float, np.number, np.ndarray, tf.Tensor)):
        return moved(value)
    return None


def _is_empty(value: Any) -> bool:
    shape = getattr(value, "shape", None)
    return shape is not None and tf.TensorShape(shape).num_elements() == 0


def _far(value: Any, how: Instead) -> Any:
    """In the place of floats those with the other sign, in another order, or what is no number."""
    if type(value) is float:
        return -value if how is Instead.FAR else float("nan")
    dtype = getattr(value, "dtype", None)
    if dtype is None or isinstance(value, tf.IndexedSlices) or not tf.as_dtype(dtype).is_floating:
        return value
    if how is Instead.NAN:
        return value * float("nan")
    return -_turned(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    """Whether it is a single whole number."""
    if isinstance(value, tf.Tensor):
        return bool(value.dtype.is_integer and value.shape.rank == 0)
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    """Whether it is an array of whole numbers."""
    if isinstance(value, tf.Tensor):
        return bool(value.dtype.is_integer and value.shape.rank != 0)
    return isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.ndim > 0


def _turned(value: Any) -> Any:
    """An array with its numbers in another order; a number as it is."""
    if isinstance(value, tf.Tensor):
        return tf.reshape(tf.roll(tf.reshape(value, [-1]), 1, 0), tf.shape(value))
    return np.roll(value, 1) if isinstance(value, np.ndarray) else value


def moved(value: Any) -> Any:
    """Numbers and arrays that are off a little; None of what is none."""
    if isinstance(value, tf.Tensor):
        if value.dtype.is_floating:
            return value * tf.cast(1.25, value.dtype) + tf.cast(0.0625, value.dtype)
        if value.dtype.is_integer:
            return value + tf.cast(1, value.dtype)
        return tf.logical_not(value) if value.dtype == tf.bool else None
    kind = np.asarray(value).dtype
    if isinstance(value, float) and not np.isfinite(value):
        return 1.0
    if kind.kind == "f":
        moved = np.asarray(value) * 1.25 + 0.0625
        return moved.astype(kind) if isinstance(value, np.ndarray) else type(value)(moved)
    if kind.kind in "iu":
        return value + (kind.type(1) if isinstance(value, np.ndarray) else 1)
    return None
