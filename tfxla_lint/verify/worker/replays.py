"""Calls functions again after a program has ended, with what it passed made other than it was.

The program may pass the same few rows in each call, and leave no argument to its default.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import inspect
import itertools
import math
import re
import time
import types
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.draws import nudged
from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.further import FAR, NAN, NO_ROWS, TIES
from tfxla_lint.verify.worker.gradients import gradients_of
from tfxla_lint.verify.worker.outside import Outside, Place
from tfxla_lint.verify.worker.power import TooLong, limited
from tfxla_lint.verify.worker.states import Held, States

Call = Tuple[List[Any], Dict[str, Any]]
#: How it is called, the parameters that are left to their defaults, and with what.
Variation = Tuple[str, List[str], Call]
#: The label of what a call returned, beside what it left.
RESULT = ""
GRADIENTS_OF_IT, AGAIN = "its gradients", "called again"
_SIGNATURE = re.compile("Binding inputs to tf.function failed|incompatible with input_signature")
REFUSED: Node = ("opaque", "refused by a signature", None)
#: Infinity is there to judge by what NaN shows.
INFINITE = "infinity"
_BARE = (NO_ROWS, NAN)
#: Beyond the range that a program's values keep to, and not so far that exponentials overflow.
_LARGER = 3
_CAPITALS = " \u00c9T\u00c9 4x-2_"
#: Infinity is in so many arguments in turn, at so many places.
_FILLED, _PLACES = 3, 3
#: Calls from the same state: with equal values, with rows in another order, with a smaller last part.
ORDER, UNEVEN = "its rows in another order", "a smaller last part"
#: And with the least number of things, which may be less than there are.
LEAST = "1 for whole numbers"
#: With functions that hang on all they are given, and with variables elsewhere, as more training leaves them.
HANGING, TRAINED_ON = "functions that use all they are passed", "its variables moved"
#: With one number, or flag, other than it was.
OTHERWISE = "another number"
APART = (OTHERWISE, TIES, ORDER, UNEVEN, LEAST, HANGING, TRAINED_ON)
#: So many of these are given otherwise, one at a time.
_SINGLE = 4
#: So much larger are variables then; it is the same for parts and wholes.
_FURTHER = 1.25
#: So many elements of a data set are gone through for that.
_ELEMENTS = 64
#: So far objects are looked into.
_DEEP = 3
#: So many decorators and bindings lie around a function.
_LAYERS = 8
#: So long all calls of one function together, and those with infinity, or otherwise from the same state.
_ALL_SECONDS, _APART_SECONDS = 12.0, 3.0
#: So often it is called with something else outside: what a call leaves may be what the next one hangs on.
_TURNS = 3
#: So long one call may take.
_SECONDS = 5.0
#: So long all calls of one function together with something else outside.
_VARIED_SECONDS = 6.0


@dataclass(frozen=True)
class Last:
    """The last call of a function, and of a method the object."""

    function: Any
    positional: List[Any]
    keywords: Dict[str, Any]
    owner: Any = None

    def __call__(self) -> Any:
        """Make it once more."""
        return self.function(*self.positional, **self.keywords)

    def nudged(self) -> Last:
        """The same call with what it passes rounded otherwise, where floats are moved a little."""
        call = _changed((list(self.positional), dict(self.keywords)), _nudged)
        return replace(self, positional=call[0], keywords=call[1])

    def settled(self) -> Last:
        """The same call with data sets that give the same elements each time: they may be shuffled anew."""
        keywords = {name: _settled(value) for name, value in self.keywords.items()}
        return replace(self, positional=[*map(_settled, self.positional)], keywords=keywords)

    @property
    def plain(self) -> Any:
        """The Python function behind a bound, wrapped or traced one."""
        function = self.function
        for _ in range(_LAYERS):
            names = ("__func__", "python_function", "__wrapped__")
            inner = [getattr(function, name, None) for name in names]
            function = next((part for part in inner if part is not None), function)
        return function


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
        calls = list(_variations(last))
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
            with limited(_SECONDS), captured():
                both = [last() for _ in range(2)]
                result = self._record(both, last.owner)
        except TooLong:
            return None
        except Exception:
            return Replay(AGAIN, [], None)
        given = self._record([leaf for leaf in _leaves(last) if _is_value(leaf)])
        return Replay(AGAIN, [], result, self._states.since(before), given=given)

    def _infinite(self, last: Last) -> List[Replay]:
        """What calls with infinity at one place give, each from the same state."""
        found: List[Replay] = []
        stop = time.perf_counter() + _APART_SECONDS
        for call in _infinities(last):
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
        calls = [*_otherwise(last), *_hanging(last, shapes), *_rearranged(last, self._bounds)]
        for call in itertools.chain(calls, _least(last) if self._is_far else ()):
            if time.perf_counter() > stop:
                found.append(Replay(call[0], [], REFUSED))
                continue
            row = self._from_here(last, call)
            found.append(row._replace(moved=sorted(shapes)) if call[0] == HANGING else row)
        with self._states.restored():
            moved = self._states.train_on(_FURTHER)
            given: Call = (list(last.positional), dict(last.keywords))
            rows = self._called(last, [(TRAINED_ON, [], given)]) if moved else []
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
            times = functools.partial(_times, factor=factor)
            call: Variation = (f"values {factor:g} times as large", [], _changed(given, times))
            with self._states.restored(), held_times(last.owner, self._own, abs(factor)) as is_held:
                if not is_held and not _arrays(given):
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
                with limited(_SECONDS), captured():
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
        """The gradients of the call with respect to what it is passed and reaches, if it has any."""
        given = getattr(last.plain, "__globals__", {})
        rows: Dict[str, Any] = {}
        with contextlib.suppress(Exception, TooLong), limited(_SECONDS), captured():
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


def _variations(last: Last) -> Iterator[Variation]:
    given: Call = (list(last.positional), dict(last.keywords))
    defaults = _defaults(last)
    if defaults:
        keywords = {name: value for name, value in given[1].items() if name not in defaults}
        names = sorted(defaults)
        call = (given[0][: min(defaults.values())], keywords)
        yield f"without {', '.join(names)}", names, call
    sizes = {a.shape[0] for a in _arrays(given) if len(a.shape)}
    if len(sizes) == 1:
        yield "one row", [], _changed(given, lambda a: a[:1])
        yield "one row more", [], _changed(given, _with_one_more)
    yield "larger values", [], _changed(given, _larger)
    yield "zeros", [], _changed(given, _nothing)
    if len(sizes) == 1:
        yield NO_ROWS, [], _changed(given, lambda a: a[:0])
    yield NAN, [], _changed(given, functools.partial(_times, factor=np.nan))


def _defaults(last: Last) -> Dict[str, int]:
    """The parameters with defaults that the call passes values for, with their positions."""
    try:
        signature = inspect.signature(last.function)
        bound = signature.bind(*last.positional, **last.keywords).arguments
    except (TypeError, ValueError):
        return {}
    return {
        name: place
        for place, (name, parameter) in enumerate(signature.parameters.items())
        if parameter.default is not parameter.empty and name in bound
    }


def _arrays(call: Call) -> List[Any]:
    return [leaf for leaf in tf.nest.flatten(call) if _is_array(leaf)]


def _leaves(last: Last) -> List[Any]:
    return list(tf.nest.flatten((list(last.positional), dict(last.keywords))))


def _is_value(value: Any) -> bool:
    return _is_array(value) or isinstance(value, (bool, int, float, str, bytes))


def _is_array(value: Any) -> bool:
    kinds = (tf.Tensor, tf.RaggedTensor)
    is_tensor = isinstance(value, kinds) and not isinstance(value, tf.Variable)
    return (is_tensor or isinstance(value, np.ndarray)) and value.shape is not None


def _is_float(value: Any) -> bool:
    return bool(tf.as_dtype(value.dtype).is_floating)


def _elementwise(change: Callable[..., Any]) -> Callable[..., Any]:
    """A change of the values of arrays, for ragged ones of their flat values."""

    @functools.wraps(change)
    def changed(array: Any, *more: Any, **named: Any) -> Any:
        if not isinstance(array, tf.RaggedTensor):
            return change(array, *more, **named)
        return array.with_flat_values(change(array.flat_values, *more, **named))

    return changed


def _infinities(last: Last) -> Iterator[Variation]:
    """Calls with infinity at one place of one argument."""
    given: Call = (list(last.positional), dict(last.keywords))
    for which in range(min(_FILLED, sum(map(_is_float, _arrays(given))))):
        for place in range(_PLACES):
            counted = itertools.count()

            def infinite(array: Any) -> Any:
                is_it = _is_float(array) and next(counted) == which  # noqa: B023
                return _with_infinity(array, place) if is_it else array  # noqa: B023

            yield INFINITE, [], _changed(given, infinite)


def _rearranged(last: Last, bounds: Sequence[float]) -> Iterator[Variation]:
    """Calls with many equal values, with rows in another order, and with a smaller last part."""
    given: Call = (list(last.positional), dict(last.keywords))
    # A number may have become a tensor of it.
    floats = [float(leaf) for leaf in _leaves(last) if _is_single(leaf, "f")]
    tied = functools.partial(_tied, levels=[*bounds, *floats])
    for change in (tied, _nothing):
        yield TIES, [], _changed(given, change, has_lists=True)
    counted = itertools.count(1)
    rolled = _changed(given, lambda array: _rolled(array, next(counted)), has_lists=True)
    yield ORDER, [], rolled
    for call in (given, rolled):
        smaller = _with_uneven(call)
        if smaller is not None:
            yield UNEVEN, [], smaller


def _least(last: Last) -> Iterator[Variation]:
    """The call with 1 for each whole number that is larger."""
    leaves = [*last.positional, *last.keywords.values()]
    if any(_is_single(value, "iu") and int(value) > 1 for value in leaves):
        positional, keywords = last.positional, last.keywords
        named = {name: _fewer(value) for name, value in keywords.items()}
        yield LEAST, [], ([_fewer(value) for value in positional], named)


def _otherwise(last: Last) -> Iterator[Variation]:
    """Calls with one of the single floats larger, or one of the flags turned."""
    given = (*last.positional, *last.keywords.values())
    names = [*range(len(last.positional)), *last.keywords]
    rows = [(n, v) for n, v in zip(names, given) if _is_flag(v) or _is_single(v, "f")]
    for name, value in rows[:_SINGLE]:
        other = _turned(value) if _is_flag(value) else value * _LARGER
        positional, keywords = list(last.positional), dict(last.keywords)
        (positional if isinstance(name, int) else keywords)[name] = other
        yield OTHERWISE, [], (positional, keywords)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or (isinstance(value, tf.Tensor) and _is_single(value, "b"))


def _turned(flag: Any) -> Any:
    return not flag if isinstance(flag, bool) else tf.logical_not(flag)


def _hanging(last: Last, shapes: Set[str]) -> Iterator[Variation]:
    """The call with functions for those that it passes which hang on all that these are given.

    The `shapes` of that are noted.
    """
    positional = [_using_all(value, shapes) for value in last.positional]
    keywords = {name: _using_all(value, shapes) for name, value in last.keywords.items()}
    given = (*last.positional, *last.keywords.values())
    pairs = zip((*positional, *keywords.values()), given)
    if any(new is not old for new, old in pairs):
        yield HANGING, [], (positional, keywords)


def _using_all(function: Any, shapes: Set[str]) -> Any:
    is_traced = callable(getattr(function, "python_function", None))
    if not is_traced and not isinstance(function, (types.FunctionType, functools.partial)):
        return function

    @tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
    def using_all(*args: Any, **kwargs: Any) -> Any:
        numbers = [part for part in (*args, *kwargs.values()) if _is_number(part)]
        shapes.add(str([_shape(number) for number in numbers]))
        return tf.nest.map_structure(
            lambda leaf: _moved_by(leaf, numbers), function(*args, **kwargs)
        )

    return using_all


def _is_number(value: Any) -> bool:
    if isinstance(value, (tf.Tensor, tf.Variable, np.ndarray, np.generic)):
        dtype = tf.as_dtype(value.dtype)
        return bool(dtype.is_floating or dtype.is_integer)
    return type(value) in (int, float)


def _moved_by(leaf: Any, numbers: Sequence[Any]) -> Any:
    """A float moved by the numbers that have its shape, or none."""
    dtype = getattr(leaf, "dtype", None)
    is_float = type(leaf) is float if dtype is None else _is_number(leaf) and _is_float(leaf)
    for number in numbers if is_float else ():
        if _shape(number) in (tf.TensorShape([]), _shape(leaf)):
            plain = tf.cast(number, tf.float64 if dtype is None else dtype)
            leaf = leaf + (0.5 * float(tf.sin(plain)) if dtype is None else 0.5 * tf.sin(plain))
    return leaf


def _shape(value: Any) -> Any:
    return tf.TensorShape(getattr(value, "shape", ()))


def _fewer(value: Any) -> Any:
    if not _is_single(value, "iu"):
        return value
    return min(value, 1) if type(value) is int else tf.minimum(value, tf.cast(1, value.dtype))


def _is_single(value: Any, kinds: str) -> bool:
    """Whether it is a plain number of a kind, or a tensor of one."""
    if isinstance(value, tf.Tensor):
        return value.shape.rank == 0 and np.asarray(value).dtype.kind in kinds
    return type(value) in (int, float) and np.asarray(value).dtype.kind in kinds


def _with_uneven(call: Call) -> Optional[Call]:
    """The call with a smaller last part of each argument that has several; None where none has."""
    positional, keywords = call
    parts = [_uneven(value) for value in positional]
    named = {name: _uneven(value) for name, value in keywords.items()}
    if all(part is None for part in (*parts, *named.values())):
        return None
    values = [old if new is None else new for old, new in zip(positional, parts)]
    return values, {n: keywords[n] if new is None else new for n, new in named.items()}


@_elementwise
def _tied(array: Any, levels: Sequence[float]) -> Any:
    """The array with few different values: its least and largest, and some that are asked for."""
    values = np.asarray(array) if _is_float(array) else None
    if values is None or not values.size or not np.isfinite(values).all():
        return array
    few = [*levels, float(values.min()), float(values.max())]
    places = np.arange(values.size).reshape(values.shape)
    places = (places + places // len(few)) % len(few)
    tied = np.array(few)[places].astype(values.dtype)
    return tied if isinstance(array, np.ndarray) else tf.constant(tied)


def _rolled(array: Any, turns: int) -> Any:
    """The array with its rows in another order, unless they seem to be in one."""
    if isinstance(array, tf.RaggedTensor):
        rows = int(array.nrows())
        return tf.gather(array, np.roll(np.arange(rows), turns))
    values = np.asarray(array)
    is_sorted = (
        values.ndim == 1 and values.dtype.kind in "fiu" and bool((np.diff(values) > 0).all())
    )
    if is_sorted or len(values) < 2:
        return array
    rolled = np.roll(values, turns, axis=0)
    return rolled if isinstance(array, np.ndarray) else tf.constant(rolled)


def _uneven(value: Any) -> Any:
    """Several arrays with rows, or a data set of them, of which the last has one row less; None of others."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        parts = _with_a_smaller_last(list(value))
        return parts if parts is None or isinstance(value, list) else tuple(parts)
    if isinstance(value, tf.data.Dataset):
        with contextlib.suppress(Exception):
            return _uneven_data(value)
    return None


def _with_a_smaller_last(parts: List[Any]) -> Optional[List[Any]]:
    arrays = [leaf for part in parts for leaf in tf.nest.flatten(part)]
    if len(parts) < 2 or not all(_is_array(leaf) and len(leaf.shape) for leaf in arrays):
        return None
    sizes = {leaf.shape[0] for leaf in arrays}
    if len(sizes) != 1 or min(sizes) is None or min(sizes) < 2:
        return None
    return [*parts[:-1], tf.nest.map_structure(lambda leaf: leaf[:-1], parts[-1])]


def _uneven_data(data: Any) -> Any:
    parts = list(data.take(_ELEMENTS + 1))
    smaller = _with_a_smaller_last(parts) if len(parts) <= _ELEMENTS else None
    if smaller is None:
        return None

    def of_any_size(spec: Any) -> Any:
        return tf.TensorSpec([None, *spec.shape[1:]], spec.dtype)

    return _data_of(smaller, tf.nest.map_structure(of_any_size, data.element_spec))


def _data_of(parts: List[Any], specs: Any) -> Any:
    data = tf.data.Dataset.from_generator(lambda: iter(parts), output_signature=specs)
    return data.apply(tf.data.experimental.assert_cardinality(len(parts)))


def _settled(value: Any) -> Any:
    if isinstance(value, tf.data.Dataset):
        with contextlib.suppress(Exception, TooLong), limited(_SECONDS), captured():
            parts = list(value.take(_ELEMENTS + 1))
            if len(parts) <= _ELEMENTS:
                return _data_of(parts, value.element_spec)
    return value


@_elementwise
def _times(array: Any, factor: float) -> Any:
    return array * factor if _is_float(array) else array


@_elementwise
def _nudged(array: Any) -> Any:
    """Floats moved a little where that is asked for; whole numbers count or name something."""
    if not _is_float(array):
        return array
    values = np.asarray(array)
    with np.errstate(invalid="ignore"):
        off = np.where(values == np.round(values), values, nudged(values)).astype(values.dtype)
    return off if isinstance(array, np.ndarray) else tf.constant(off)


@_elementwise
def _with_infinity(array: Any, place: int) -> Any:
    """The array with infinity at one of a few places in it."""
    size = int(np.prod(array.shape))
    filled = np.zeros(size, bool)
    filled[place * size // _PLACES : place * size // _PLACES + 1] = True
    values = np.where(filled.reshape(array.shape), np.inf, np.asarray(array))
    values = values.astype(tf.as_dtype(array.dtype).as_numpy_dtype)
    return values if isinstance(array, np.ndarray) else tf.constant(values)


@_elementwise
def _larger(array: Any) -> Any:
    """Larger values, or texts in capitals, with some that ASCII does not have, digits and signs."""
    if isinstance(array, tf.Tensor) and array.dtype == tf.string:
        return tf.strings.join([tf.strings.upper(array, encoding="utf-8"), _CAPITALS])
    return _times(array, _LARGER)


@_elementwise
def _nothing(array: Any) -> Any:
    """Zeros, or texts without a letter."""
    if _is_float(array):
        return array * 0
    is_text = isinstance(array, tf.Tensor) and array.dtype == tf.string
    return tf.zeros_like(array) if is_text else array


def _with_one_more(array: Any) -> Any:
    join = np.concatenate if isinstance(array, np.ndarray) else tf.concat
    return join([array, array[:1]], 0)


def _changed(call: Call, change: Callable[[Any], Any], has_lists: bool = False) -> Call:
    """The call with each array changed that has a first dimension; lists of numbers may be such."""

    def one(value: Any) -> Any:
        if has_lists and type(value) is list and len(value) > 1:
            if all(type(part) is float for part in value):
                return [float(part) for part in change(np.array(value))]
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            parts = [one(part) for part in value]
            return parts if isinstance(value, list) else tuple(parts)
        if type(value) is dict:
            return {key: one(part) for key, part in value.items()}
        return change(value) if _is_array(value) and len(value.shape) else value

    positional, keywords = call
    return [one(value) for value in positional], {k: one(v) for k, v in keywords.items()}
