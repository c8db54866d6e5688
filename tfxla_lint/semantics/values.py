"""Abstract values: what an expression can be at a point of the program.

Unknown is the honest default. UNBOUND is the bottom: nothing has been seen yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import libcst as cst

from tfxla_lint.identity import ByIdentity

if TYPE_CHECKING:
    from tfxla_lint.semantics.units import ClassInfo, Unit


class Kind(ByIdentity):
    """The kinds of values that rules ask about."""

    UNBOUND = "unbound"
    UNKNOWN = "unknown"
    NONE = "None"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    STRING = "string"
    TUPLE = "tuple"
    LIST = "list"
    DICT = "dict"
    RANGE = "range"
    NDARRAY = "NumPy array"
    NUMPY_SCALAR = "NumPy scalar"
    TENSOR = "tensor"
    KERAS_TENSOR = "Keras symbolic tensor"
    VARIABLE = "tf.Variable"
    TENSOR_ARRAY = "TensorArray"
    OPERATION = "operation"
    MODEL = "model"
    LAYER = "layer"
    MODULE = "tf.Module"
    OPTIMIZER = "optimizer"
    SCHEDULE = "learning rate schedule"
    LOSS = "loss"
    METRIC = "metric"
    INITIALIZER = "initializer"
    CALLBACK = "callback"
    DATASET = "dataset"
    ITERATOR = "iterator"
    TAPE = "gradient tape"
    GENERATOR = "random generator"
    DISTRIBUTION = "distribution"
    STRATEGY = "distribution strategy"
    CHECKPOINT = "checkpoint"
    WRITER = "summary writer"
    SHAPE = "shape"
    DTYPE = "dtype"
    SPEC = "type spec"
    CONTEXT = "context manager"
    TRACER = "tf.function decorator"
    TRACED = "tf.function"
    FUNCTION = "function"
    METHOD = "bound method"
    CLASS = "class"
    PYTHON_MODULE = "module"
    OBJECT = "object"

    @property
    def with_article(self) -> str:
        """The kind as a noun: "a model", "an optimizer"."""
        return f"{'an' if self.value[0] in 'aeiou' else 'a'} {self.value}"


NUMBERS = frozenset({Kind.BOOL, Kind.INT, Kind.FLOAT})
ARRAYS = frozenset({Kind.NDARRAY, Kind.NUMPY_SCALAR})
PYTHON_SCALARS = NUMBERS | {Kind.STRING}
TENSOR_LIKE = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.KERAS_TENSOR})
#: What is made of weights and other layers, and may be built by its first call.
LAYERED = frozenset({Kind.MODEL, Kind.LAYER})
KERAS_CALLABLES = frozenset({Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC})
KERAS_OBJECTS = KERAS_CALLABLES | {Kind.OPTIMIZER}
SEQUENCES = frozenset({Kind.TUPLE, Kind.LIST})

#: What is worth to be told apart where one of several is chosen, and how many at most.
_CHOSEN = frozenset(
    {Kind.FUNCTION, Kind.METHOD, Kind.TRACED, Kind.CLASS, Kind.OBJECT, Kind.MODEL, Kind.LAYER,
     Kind.MODULE}
)  # fmt: skip
_MOST_CHOICES = 6


class _NoConstant:
    def __repr__(self) -> str:
        return "NO_CONSTANT"


NO_CONSTANT: Any = _NoConstant()

#: A dimension: a size, None where unknown, VARYING where it changes from call to call.
VARYING = "varying"
#: The name of a Python number that is drawn or read of a clock, so that the next run has another.
DRAWN = "drawn"
#: The name of a string that is the name of a file, one of those that were found, or a line of one.
FILE = "file"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What is known of a tf.data pipeline.

    `batch` is the `.batch(...)` call that made the last batches, `remainder` whether the last
    one can be smaller (None: unknown), `size` the number of elements before batching, `batches`
    that of the batches. `perhaps_repeated` says that it may go on for ever, as a caller says.
    """

    batch: cst.Call | None = None
    remainder: bool | None = None
    batch_size: int | None = None
    size: int | None = None
    batches: int | None = None
    repeated: bool = False
    perhaps_repeated: bool = False
    shuffled: bool = False
    ragged: bool = False


@dataclass(frozen=True, slots=True)
class LayerOutput:
    """What a Keras layer does to the shape of its input.

    `how` is "same", "flat", "last" (the last dimension becomes `size`) or "appended" (one of
    `size` is added).
    """

    how: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Tracing:
    """How a callable is wrapped by `tf.function`: the decorator or call, and its options.

    One that is only taught to be like it need not take the options of `tf.function`.
    """

    node: cst.CSTNode
    options: tuple[tuple[str, cst.BaseExpression], ...] = ()
    takes_options: bool = True

    def option(self, name: str) -> cst.BaseExpression | None:
        """The expression given for a keyword of `tf.function`, or None."""
        return dict(self.options).get(name)

    @property
    def is_compiled(self) -> bool:
        """Whether `jit_compile=True` is written out."""
        given = self.option("jit_compile") or self.option("experimental_compile")
        return type(given) is cst.Name and given.value == "True"


#: The name of a variable that belongs to a layer, a model or an optimizer of Keras.
KERAS_VARIABLE = "keras.Variable"


class Value(NamedTuple):
    """One abstract value.

    `constant` is the Python constant where known. `elements` are the members of a tuple or list
    of known length, `item` what iterating yields. `name` is the dotted name of an outside
    function, class or module, or DRAWN, or KERAS_VARIABLE; `unit` and `class_` the first-party function or class; that of
    an iterator is the generator that it is. `receiver`
    is what a bound method is bound to, or what an iterator goes through. `loop` is the loop from turn to turn of which a Python
    value changes. The shape of a list is `(VARYING,)` where a loop makes it
    grow. `mixed` marks a value that is a Python number on one path and a tensor on
    another; `bound` counts the leading parameters that a partial or a bound method fills. `layer`
    says what a layer does to shapes. `entries` are the members of a dict by their keys, where all keys
    are known strings (of a checkpoint what it tracks, by attribute); each is what is there if anything is. `keys` are the kinds of all keys that it may have, as
    `key_kind` tells them, and empty where nothing is known of them; with OBJECT, several have no order. `partial` are the arguments that a `functools.partial` gives. `choices` are the functions, classes or instances, or the tuples of several lengths, of which this
    is one, where it is not known which. `by_use` says that the kind is inferred from what is asked of
    the value, and not from what makes it: nothing is proved by it.
    """

    kind: Kind
    constant: Any = NO_CONSTANT
    dtype: str | None = None
    shape: tuple[Any, ...] | None = None
    elements: tuple[Value, ...] | None = None
    item: Value | None = None
    name: str | None = None
    unit: Unit | None = None
    class_: ClassInfo | None = None
    receiver: Value | None = None
    pipeline: Pipeline | None = None
    tracing: Tracing | None = None
    loop: cst.CSTNode | None = None
    maybe_none: bool = False
    mixed: bool = False
    bound: int = 0
    layer: LayerOutput | None = None
    choices: tuple[Value, ...] = ()
    partial: tuple[cst.Arg, ...] = ()
    by_use: bool = False
    entries: tuple[tuple[str, Value], ...] | None = None
    keys: frozenset[Kind] = frozenset()

    @property
    def is_tensor(self) -> bool:
        """Whether this is a tensor or variable on every path."""
        return self.kind in TENSOR_LIKE and not self.mixed

    @property
    def is_sure(self) -> bool:
        """Whether what makes the value tells its kind, on every path: nothing else is proved of it."""
        return not (self.mixed or self.choices or self.by_use)

    @property
    def is_keras_variable(self) -> bool:
        """Whether this is a variable that Keras made, which with Keras 3 is none of TensorFlow's."""
        return self.kind is Kind.VARIABLE and self.name == KERAS_VARIABLE

    @property
    def is_python_scalar(self) -> bool:
        """Whether this is a Python number, bool or string."""
        return self.kind in PYTHON_SCALARS

    @property
    def holder(self) -> Value:
        """What a method is called on, or this value itself, which is called."""
        return self if self.receiver is None else self.receiver

    @property
    def is_known(self) -> bool:
        """Whether anything is known."""
        return self.kind is not Kind.UNKNOWN and self.kind is not Kind.UNBOUND

    @property
    def has_constant(self) -> bool:
        """Whether the Python constant is known."""
        return self.constant is not NO_CONSTANT


UNBOUND = Value(Kind.UNBOUND)
UNKNOWN = Value(Kind.UNKNOWN)
NONE = Value(Kind.NONE, constant=None)
TENSOR = Value(Kind.TENSOR)
NDARRAY = Value(Kind.NDARRAY)
INT = Value(Kind.INT)
FLOAT = Value(Kind.FLOAT)
BOOL = Value(Kind.BOOL)
STRING = Value(Kind.STRING)


#: No tensor has more members, nor a loop more turns, than 64 bits count: what is larger is an int of
#: which nothing else is known, so that no size overflows.
_MOST = 2**63 - 1


def of_constant(value: object) -> Value:
    """The value of a Python constant."""
    if type(value) is int and counted(value) is None:
        return INT
    kind = _CONSTANT_KINDS.get(type(value))
    return Value(kind, constant=value) if kind is not None else UNKNOWN


def counted(number: int) -> int | None:
    """A number that can count something; None where it is too large for any size or index."""
    return number if -_MOST <= number <= _MOST else None


def range_length(bounds: Sequence[object]) -> int | None:
    """How many members a `range` of these arguments has.

    None where an argument is no known int, and where Python makes no such range or does not count it.
    """
    known = [bound for bound in bounds if type(bound) is int]
    if not known or len(known) != len(bounds):
        return None
    try:
        return len(range(*known))
    except (ValueError, TypeError, OverflowError):
        return None


def range_turns(value: Value) -> int | None:
    """How many members a `range` has of which this is the value, as far as it is known."""
    return range_length([bound.constant for bound in value.elements or ()])


_CONSTANT_KINDS = {
    type(None): Kind.NONE,
    bool: Kind.BOOL,
    int: Kind.INT,
    float: Kind.FLOAT,
    str: Kind.STRING,
}


def sequence(kind: Kind, elements: tuple[Value, ...]) -> Value:
    """A tuple or list of known members."""
    item = join_all(elements) if elements else None
    return Value(kind) if _is_deep(item) else Value(kind, elements=elements, item=item)


def list_of(item: Value, kind: Kind = Kind.LIST) -> Value:
    """A list (or another container) of unknown length."""
    return Value(kind, item=None if _is_deep(item) else item)


#: Containers in so many others are told apart: all that is said of their members is said again of
#: any member, at each level.
_MOST_LEVELS = 8


def _is_deep(item: Value | None) -> bool:
    """Whether the member of a container has so many others in it that it is left out."""
    for _ in range(_MOST_LEVELS):
        if item is None:
            return False
        item = item.item
    return item is not None


def may_vary_in_shape(value: Value) -> bool:
    """Whether other calls may bring this array in other shapes: a NumPy array of unknown size,
    or a tensor that is known to vary."""
    if value.shape is not None and VARYING in value.shape:
        return True
    return value.kind is Kind.NDARRAY and (not value.shape or type(value.shape[0]) is not int)


#: So many dicts in each other are told apart: values that loops nest have to come to an end.
_MOST_NESTED = 3


def dict_of(entries: dict[str, Value]) -> Value:
    """A dict with these members."""
    return dict_with(join_all([*entries.values()]) if entries else None, entries)


def dict_with(
    item: Value | None, entries: dict[str, Value] | None, keys: frozenset[Kind] = frozenset()
) -> Value:
    """A dict with these members, None where they are not known, of which any is `item`."""
    if _is_deep(item):
        return Value(Kind.DICT, keys=keys)
    if entries is None:
        return Value(Kind.DICT, item=item, keys=keys)
    kinds = frozenset({Kind.STRING}) if entries else frozenset()
    return Value(Kind.DICT, item=item, entries=_held(entries), keys=kinds)


def with_entries(value: Value, added: Value) -> Value:
    """A dict to which the members of another one are added."""
    item = _join_items(value, added) if added.kind is Kind.DICT else None
    keys = value.keys | added.keys if _tells_keys(value) and _tells_keys(added) else frozenset()
    if value.entries is None or added.entries is None:
        return value._replace(item=item, entries=None, keys=keys)
    entries = _held({**dict(value.entries), **dict(added.entries)})
    return value._replace(item=item, entries=entries, keys=keys)


def _tells_keys(value: Value) -> bool:
    """Whether all kinds of the keys of a dict are known."""
    return bool(value.keys) or value.entries == ()


def entry_of(value: Value, key: object) -> Value:
    """What a dict has under a key; NO_CONSTANT is any."""
    if value.entries is not None and type(key) is str:
        return dict(value.entries).get(key, UNKNOWN)
    return value.item or UNKNOWN


def _held(entries: dict[str, Value]) -> tuple[tuple[str, Value], ...]:
    return tuple((key, _flat(value, _MOST_NESTED)) for key, value in sorted(entries.items()))


def _flat(value: Value, levels: int) -> Value:
    """A value without what lies too deep in it."""
    if value.entries is None:
        return value
    if not levels:
        return Value(Kind.DICT, keys=value.keys)
    kept = tuple((key, _flat(member, levels - 1)) for key, member in value.entries)
    return value._replace(entries=kept)


def _join_entries(left: Value, right: Value) -> tuple[tuple[str, Value], ...] | None:
    """The members of either dict: who asks for one gets it from that which has it."""
    if left.entries is None or right.entries is None:
        return None
    found = dict(left.entries)
    for key, value in right.entries:
        found[key] = join(found[key], value) if key in found else value
    return _held(found)


def join_all(values: tuple[Value, ...] | list[Value]) -> Value:
    """The join of several values; UNBOUND for none."""
    result = UNBOUND
    for value in values:
        result = join(result, value)
    return result


def join(left: Value, right: Value) -> Value:
    """What is known when either may hold."""
    if left is right or right.kind is Kind.UNBOUND:
        return left
    if left.kind is Kind.UNBOUND or (left.kind is right.kind and left == right):
        return right
    if left.kind is Kind.NONE:
        return right._replace(maybe_none=True)
    if right.kind is Kind.NONE:
        return left._replace(maybe_none=True)
    if left.kind is not right.kind:
        return _join_kinds(left, right)
    if left.kind in PYTHON_SCALARS and left[2:] == right[2:]:
        is_same = _same(left.constant, right.constant)
        return left if is_same else left._replace(constant=NO_CONSTANT)
    return _join_fields(left, right)


def _join_kinds(left: Value, right: Value) -> Value:
    joined = _of_two_kinds(left, right)
    if (left.maybe_none or right.maybe_none) and not joined.maybe_none:
        return joined._replace(maybe_none=True)
    return joined


def _of_two_kinds(left: Value, right: Value) -> Value:
    kinds = {left.kind, right.kind}
    if kinds <= NUMBERS:
        kind = Kind.FLOAT if Kind.FLOAT in kinds else Kind.INT
        return Value(kind, loop=left.loop or right.loop)
    if kinds == {Kind.TENSOR, Kind.VARIABLE}:
        return _join_fields(left._replace(kind=Kind.TENSOR), right._replace(kind=Kind.TENSOR))
    tensor, number = (left, right) if left.kind in TENSOR_LIKE else (right, left)
    if tensor.kind in (Kind.TENSOR, Kind.VARIABLE) and number.kind in NUMBERS:
        return tensor._replace(kind=Kind.TENSOR, mixed=True)
    if kinds == {Kind.LAYER, Kind.MODEL}:
        return Value(Kind.LAYER)
    if kinds == SEQUENCES:
        return Value(Kind.LIST, item=_join_items(left, right))
    return Value(Kind.UNKNOWN, loop=left.loop or right.loop, choices=_join_choices(left, right))


def _join_items(left: Value, right: Value) -> Value | None:
    if left.item is None:
        return right.item
    return left.item if right.item is None else join(left.item, right.item)


def _join_fields(left: Value, right: Value) -> Value:
    elements = None
    if left.elements is not None and right.elements is not None:
        if len(left.elements) == len(right.elements):
            pairs = zip(left.elements, right.elements, strict=True)
            elements = tuple(join(a, b) for a, b in pairs)
    return Value(
        left.kind,
        constant=left.constant if _same(left.constant, right.constant) else NO_CONSTANT,
        dtype=left.dtype if left.dtype == right.dtype else None,
        shape=(
            left.shape or right.shape
            if left.kind is Kind.LIST
            else _join_shapes(left.shape, right.shape)
        ),
        elements=elements,
        item=_join_items(left, right),
        name=left.name if left.name == right.name else None,
        unit=left.unit if left.unit is right.unit else None,
        class_=left.class_ if left.class_ is right.class_ else None,
        receiver=_join_receivers(left.receiver, right.receiver),
        pipeline=_join_pipelines(left.pipeline, right.pipeline),
        tracing=left.tracing if left.tracing == right.tracing else None,
        loop=left.loop or right.loop,
        maybe_none=left.maybe_none or right.maybe_none,
        mixed=left.mixed or right.mixed,
        bound=left.bound if left.bound == right.bound else 0,
        layer=left.layer if left.layer == right.layer else None,
        choices=_join_choices(left, right) or _join_lengths(left, right, elements),
        partial=left.partial if left.partial == right.partial else (),
        by_use=left.by_use or right.by_use,
        entries=_join_entries(left, right),
        keys=left.keys | right.keys if _tells_keys(left) and _tells_keys(right) else frozenset(),
    )


def _join_pipelines(left: Pipeline | None, right: Pipeline | None) -> Pipeline | None:
    """What holds of both; where both are batched, the `batch` of the first stands for them."""
    if left == right or left is None or right is None:
        return left if left == right else None
    return Pipeline(
        batch=left.batch if left.batch is not None and right.batch is not None else None,
        remainder=left.remainder if left.remainder is right.remainder else None,
        batch_size=left.batch_size if left.batch_size == right.batch_size else None,
        size=left.size if left.size == right.size else None,
        batches=left.batches if left.batches == right.batches else None,
        repeated=left.repeated and right.repeated,
        perhaps_repeated=any(p.repeated or p.perhaps_repeated for p in (left, right)),
        shuffled=left.shuffled or right.shuffled,
        ragged=left.ragged or right.ragged,
    )


def _join_choices(left: Value, right: Value) -> tuple[Value, ...]:
    """The alternatives of two values, where they are not the same one: a function or an object
    that is called like one."""
    if not {left.kind, right.kind} <= _CHOSEN | {Kind.UNKNOWN}:
        return ()
    if not left.choices and not right.choices and _is_one(left, right):
        return ()
    found = list(_alternatives(left))
    others = _alternatives(right)
    if not found or not others:
        return ()
    for other in others:
        for index, known in enumerate(found):
            if _is_one(known, other):
                found[index] = join(known, other)
                break
        else:
            found.append(other)
    return tuple(found) if len(found) <= _MOST_CHOICES else ()


def _join_lengths(left: Value, right: Value, joined: tuple[Value, ...] | None) -> tuple[Value, ...]:
    """The alternatives of two tuples, one for each number of members: who takes them apart takes
    those that have as many."""
    if left.kind is not Kind.TUPLE or not (left.choices or right.choices or joined is None):
        return ()
    found: dict[int, Value] = {}
    for one in (*(left.choices or (left,)), *(right.choices or (right,))):
        if one.elements is None:
            return ()
        size = len(one.elements)
        found[size] = join(found[size], one) if size in found else one._replace(maybe_none=False)
    if not 1 < len(found) <= _MOST_CHOICES:
        return ()
    return tuple(found[size] for size in sorted(found))


def _alternatives(value: Value) -> tuple[Value, ...]:
    """What a value may be; empty where that is not known."""
    is_named = value.kind is Kind.UNKNOWN and value.name is not None
    is_meant = is_named or value.kind in KERAS_CALLABLES
    if value.choices or (value.unit is None and value.class_ is None and not is_meant):
        return value.choices
    return (value._replace(maybe_none=False),)


def _is_one(left: Value, right: Value) -> bool:
    """Whether two alternatives are the same function or class, of the project or of a package.

    A function and `tf.function` of it are two.
    """
    if left.unit is not right.unit or left.class_ is not right.class_:
        return False
    if left.unit is not None and (left.kind is Kind.TRACED) is not (right.kind is Kind.TRACED):
        return False
    return left.name == right.name or left.unit is not None or left.class_ is not None


def _join_receivers(left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None or left.kind is not right.kind:
        return None
    return join(left, right)


def _same(left: object, right: object) -> bool:
    return left is right or (type(left) is type(right) and left == right)


def _join_shapes(
    left: tuple[Any, ...] | None, right: tuple[Any, ...] | None
) -> tuple[Any, ...] | None:
    if left is None or right is None or len(left) != len(right):
        return None
    return tuple(
        a if a == b else ... if ... in (a, b) else VARYING if VARYING in (a, b) else None
        for a, b in zip(left, right, strict=True)
    )


def leaves(value: Value) -> Iterator[Value]:
    """The members of a structure, through tuples, lists and dicts."""
    if value.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT):
        if value.elements is not None:
            for element in value.elements:
                yield from leaves(element)
            return
        if value.item is not None:
            yield from leaves(value.item)
            return
    yield value


def holds_keras_tensor(value: Value) -> bool:
    """Whether a value is a symbolic tensor of Keras, or a structure that has one."""
    return any(leaf.kind is Kind.KERAS_TENSOR for leaf in leaves(value))


def with_leaves(value: Value, change: Callable[[Value], Value]) -> Value:
    """A structure with something else in the place of each of its members."""
    if value.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT):
        if value.elements is not None:
            elements = tuple(with_leaves(element, change) for element in value.elements)
            item = join_all(elements) if elements and value.item is not None else value.item
            return value._replace(elements=elements, item=item)
        if value.entries is not None:
            entries = {key: with_leaves(member, change) for key, member in value.entries}
            return dict_of(entries)._replace(keys=value.keys)
        if value.item is not None:
            return value._replace(item=with_leaves(value.item, change))
    return change(value)


#: The arguments of a call: keyword ("*" or "**" for unpacked ones, None where positional), value.
Arguments = list[tuple["str | None", Value]]
