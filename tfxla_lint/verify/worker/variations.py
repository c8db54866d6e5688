"""What functions are called with after a program: what it passed, and that made other than it was."""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import types
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.draws import nudged
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.further import NAN, NO_ROWS, TIES
from tfxla_lint.verify.worker.power import TooLong, limited

Call = Tuple[List[Any], Dict[str, Any]]
#: How it is called, the parameters that are left to their defaults, and with what.
Variation = Tuple[str, List[str], Call]
#: So few rows are the least that docstrings may leave out.
ONE_ROW = "one row"
#: Infinity is there to judge by what NaN shows.
INFINITE = "infinity"
#: Beyond the range that a program's values keep to, and not so far that exponentials overflow.
_LARGER = 3
#: And below it: what asks whether something is less than one, or than a hundredth, mostly means that.
_SMALLER = 0.01
_CAPITALS = " \u00c9T\u00c9 4x-2_"
#: Infinity is in so many arguments in turn, at so many places.
_FILLED, _PLACES = 3, 3
#: Calls from the same state: with equal values, with rows in another order, with a smaller last part.
ORDER, UNEVEN = "its rows in another order", "a smaller last part"
#: And with whole numbers most of which are those of another argument: labels that were guessed right.
ALIKE = "whole numbers that are mostly alike"
#: Of single numbers each so manieth is another one.
_EACH_OFF = 3
#: And with no members in the lists that it is passed.
EMPTY = "empty lists"
#: And with the least number of things, which may be less than there are.
LEAST = "1 for whole numbers"
#: With functions that hang on all they are given, and with variables elsewhere, as more training leaves them.
HANGING, TRAINED_ON = "functions that use all they are passed", "its variables moved"
WITHOUT_LAST = "nothing of what is last counted"
#: With one number, or flag, other than it was.
OTHERWISE = "another number"
#: So many of these are given otherwise, one at a time.
_SINGLE = 4
#: So many elements of a data set are gone through for that.
_ELEMENTS = 64
#: So many decorators and bindings lie around a function.
_LAYERS = 8
#: So long one call may take.
CALL_SECONDS = 5.0


@dataclass(frozen=True)
class Last:
    """The last call of a function, and of a method the object.

    `is_taped` says whether a gradient tape was open in a call of it so far.
    """

    function: Any
    positional: List[Any]
    keywords: Dict[str, Any]
    owner: Any = None
    is_taped: bool = False

    def __call__(self) -> Any:
        """Make it once more."""
        return self.function(*self.positional, **self.keywords)

    def nudged(self) -> Last:
        """The same call with what it passes rounded otherwise, where floats are moved a little."""
        call = changed((list(self.positional), dict(self.keywords)), _nudged)
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


def variations(last: Last) -> Iterator[Variation]:
    """Calls in a row: without what may be left out, with other sizes, larger values, and none."""
    given: Call = (list(last.positional), dict(last.keywords))
    defaults = _defaults(last)
    if defaults:
        keywords = {name: value for name, value in given[1].items() if name not in defaults}
        names = sorted(defaults)
        call = (given[0][: min(defaults.values())], keywords)
        yield f"without {', '.join(names)}", names, call
    sizes = {a.shape[0] for a in arrays_in(given) if len(a.shape)}
    if len(sizes) == 1:
        yield ONE_ROW, [], changed(given, lambda a: a[:1])
        yield "one row more", [], changed(given, _with_one_more)
    yield "larger values", [], changed(given, _larger)
    yield "smaller values", [], changed(given, functools.partial(multiplied, factor=_SMALLER))
    yield "zeros", [], changed(given, _nothing)
    if len(sizes) == 1:
        yield NO_ROWS, [], changed(given, lambda a: a[:0])
    yield NAN, [], changed(given, functools.partial(multiplied, factor=np.nan))


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


def arrays_in(call: Call) -> List[Any]:
    """The tensors and arrays that a call passes, in lists and dicts too."""
    return [leaf for leaf in tf.nest.flatten(call) if _is_array(leaf)]


def leaves_of(last: Last) -> List[Any]:
    """All that the last call passed, lists and dicts taken apart."""
    return list(tf.nest.flatten((list(last.positional), dict(last.keywords))))


def is_value(value: Any) -> bool:
    """Whether it is data: an array, a number, a flag or a text."""
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


def infinities(last: Last) -> Iterator[Variation]:
    """Calls with infinity at one place of one argument."""
    given: Call = (list(last.positional), dict(last.keywords))
    for which in range(min(_FILLED, sum(map(_is_float, arrays_in(given))))):
        for place in range(_PLACES):
            counted = itertools.count()

            def infinite(array: Any) -> Any:
                is_it = _is_float(array) and next(counted) == which  # noqa: B023
                return _with_infinity(array, place) if is_it else array  # noqa: B023

            yield INFINITE, [], changed(given, infinite)


def rearranged(last: Last, bounds: Sequence[float]) -> Iterator[Variation]:
    """Calls with many equal values, with rows in another order, and with a smaller last part."""
    given: Call = (list(last.positional), dict(last.keywords))
    # A number may have become a tensor of it.
    floats = [float(leaf) for leaf in leaves_of(last) if _is_single(leaf, "f")]
    tied = functools.partial(_tied, levels=[*bounds, *floats])
    for change in (tied, _nothing):
        yield TIES, [], changed(given, change, has_lists=True)
    counted = itertools.count(1)
    rolled = changed(given, lambda array: _rolled(array, next(counted)), has_lists=True)
    yield ORDER, [], rolled
    agreeing = _agreeing(given)
    if agreeing is not None:
        yield ALIKE, [], agreeing
    for call in (given, rolled):
        smaller = _with_uneven(call)
        if smaller is not None:
            yield UNEVEN, [], smaller


def _agreeing(call: Call) -> Optional[Call]:
    """The call with one array of whole numbers like another of its shape but for one place of each row.

    It is the one with more different numbers that becomes like the other, so that all are known in it.
    """
    arrays = [a for a in arrays_in(call) if not isinstance(a, tf.RaggedTensor) and len(a.shape)]
    values = {id(a): np.asarray(a) for a in arrays}
    whole = [a for a in arrays if values[id(a)].dtype.kind in "iub" and values[id(a)].size > 1]
    # What is in order, or nowhere the same, need not go with what is not.
    free = [a for a in whole if not _is_of_places(values[id(a)])]
    for few, more in itertools.permutations(free, 2):
        x, y = values[id(few)], values[id(more)]
        is_known = y.min() <= x.min() and x.max() <= y.max()
        if x.shape != y.shape or x.dtype.kind != y.dtype.kind or not is_known:
            continue
        rows, width = np.arange(len(x))[:, None], x.size // len(x)
        is_off = np.arange(width) == rows % width if width > 1 else rows % _EACH_OFF == 0
        new = np.where(is_off.reshape(x.shape), y, x).astype(y.dtype)
        made = new if isinstance(more, np.ndarray) else tf.constant(new)
        return changed(call, functools.partial(_instead, old=more, new=made))
    return None


def _is_of_places(values: Any) -> bool:
    """Whether whole numbers seem to say places: they ascend, or each comes once."""
    is_sorted = values.ndim == 1 and bool((values[1:] >= values[:-1]).all())
    return is_sorted or len(np.unique(values)) == values.size


def _instead(array: Any, old: Any, new: Any) -> Any:
    return new if array is old else array


def emptied(last: Last) -> Iterator[Variation]:
    """The call with empty lists, where these hold what comes in rows: no array does."""
    given: Call = (list(last.positional), dict(last.keywords))
    lists = [value for value in (*given[0], *given[1].values()) if type(value) is list and value]
    if lists and not any(len(array.shape) for array in arrays_in(given)):
        positional = [[] if type(value) is list else value for value in given[0]]
        yield (
            EMPTY,
            [],
            (positional, {n: [] if type(v) is list else v for n, v in given[1].items()}),
        )


def least(last: Last) -> Iterator[Variation]:
    """The call with 1 for each whole number that is larger."""
    leaves = [*last.positional, *last.keywords.values()]
    if any(_is_single(value, "iu") and int(value) > 1 for value in leaves):
        positional, keywords = last.positional, last.keywords
        named = {name: _fewer(value) for name, value in keywords.items()}
        yield LEAST, [], ([_fewer(value) for value in positional], named)


def otherwise(last: Last) -> Iterator[Variation]:
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


def hanging(last: Last, shapes: Set[str]) -> Iterator[Variation]:
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
    if values is None or not values.size or not np.isfinite(values).all() or _has_flags(array):
        return array
    ends = [float(values.min()), float(values.max())]
    few = [*levels, *ends]
    if (values == np.floor(values)).all():
        # What are flags or counts stay such.
        few = [*(n for n in levels if float(n).is_integer() and ends[0] <= n <= ends[1]), *ends]
    places = np.arange(values.size).reshape(values.shape)
    places = (places + places // len(few)) % len(few)
    tied = np.array(few)[places].astype(values.dtype)
    return tied if isinstance(array, np.ndarray) else tf.constant(tied)


def _rolled(array: Any, turns: int) -> Any:
    """The array with its rows in another order, unless they seem to be in one."""
    if isinstance(array, tf.RaggedTensor):
        # Ragged arrays beside each other have rows of the same lengths.
        return tf.gather(array, np.roll(np.arange(int(array.nrows())), 1))
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
        with contextlib.suppress(Exception, TooLong), limited(CALL_SECONDS), captured():
            parts = list(value.take(_ELEMENTS + 1))
            if len(parts) <= _ELEMENTS:
                return _data_of(parts, value.element_spec)
    return value


@_elementwise
def multiplied(array: Any, factor: float) -> Any:
    """An array of floats so many times as large; any other as it is, and flags of rows."""
    return array * factor if _is_float(array) and not _has_flags(array) else array


def _has_flags(array: Any) -> bool:
    """Whether floats say of each of several rows that something is so, or not."""
    values = np.asarray(array)
    return values.ndim == 1 and set(np.unique(values)) == {0.0, 1.0}


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
    return multiplied(array, _LARGER)


@_elementwise
def _nothing(array: Any) -> Any:
    """Zeros, or texts without a letter; flags of rows stay."""
    if _is_float(array):
        return array if _has_flags(array) else array * 0
    is_text = isinstance(array, tf.Tensor) and array.dtype == tf.string
    return tf.zeros_like(array) if is_text else array


def _with_one_more(array: Any) -> Any:
    join = np.concatenate if isinstance(array, np.ndarray) else tf.concat
    return join([array, array[:1]], 0)


def changed(call: Call, change: Callable[[Any], Any], has_lists: bool = False) -> Call:
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
