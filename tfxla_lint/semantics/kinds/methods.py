"""Methods of TensorFlow's, NumPy's and Python's own objects: what calling them gives."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import runners
from tfxla_lint.semantics.dict_keys import with_key
from tfxla_lint.semantics.kinds import command_line, datasets, files, numpy_ops, shapes
from tfxla_lint.semantics.kinds.attributes import of_keras, told
from tfxla_lint.semantics.kinds.callees import Reception
from tfxla_lint.semantics.kinds.compiled_parts import parts
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.kinds.iteration import item_of
from tfxla_lint.semantics.kinds.tensor_ops import Given
from tfxla_lint.semantics.values import (
    ARRAYS,
    BOOL,
    FLOAT,
    INT,
    NDARRAY,
    NONE,
    NUMBERS,
    TENSOR,
    UNKNOWN,
    VARYING,
    Arguments,
    Kind,
    Value,
    dict_of,
    entry_of,
    join,
    list_of,
    sequence,
    with_entries,
)


def call(evaluator: Evaluator, node: cst.Call, function: Value, arguments: Arguments) -> Value:
    """The value of calling a bound method that no first-party class defines."""
    receiver, name = function.receiver, function.name
    if receiver is None or name is None:
        return UNKNOWN
    handler = _HANDLERS.get(receiver.kind)
    if handler is None:
        for _, value in arguments:
            evaluator.use(value, node, "unknown")
        return UNKNOWN
    return handler(evaluator, node, receiver, name, arguments)


def _dataset(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    mapped = UNKNOWN
    for index in behaviour.of(f"@dataset.{name}").callables:
        function = Given(arguments).at(index, "map_func", "predicate")
        if function is None:
            continue
        # A data set by use proves no trace.
        evaluator.use(function, node, "unknown" if receiver.by_use else "traced")
        if name == "map" and function.unit is not None:
            mapped = _mapped(evaluator, function, receiver)
    return datasets.method(receiver, name, node, arguments, mapped)


def _mapped(evaluator: Evaluator, function: Value, receiver: Value) -> Value:
    """The result of a function that a dataset maps over its elements."""
    unit = function.unit
    assert unit is not None
    item = receiver.item
    if item is None:
        given: list[tuple[str | None, Value]] = [("*", UNKNOWN)]
    elif item.kind is Kind.TUPLE and item.elements is not None:
        given = [(None, element) for element in item.elements]
    else:
        given = [(None, item)]
    skip = function.bound + (1 if function.kind is Kind.METHOD else 0)
    result = evaluator.invoke(unit, given, skip=skip)
    return _tensors(result)


def _tensors(value: Value) -> Value:
    """What a traced function's result is outside of it."""
    if value.kind in ARRAYS or value.kind in NUMBERS:
        return TENSOR
    if value.kind in (Kind.TUPLE, Kind.LIST) and value.elements is not None:
        return sequence(Kind.TUPLE, tuple(_tensors(element) for element in value.elements))
    if value.entries is not None:
        return dict_of({key: _tensors(member) for key, member in value.entries})
    return value


def _tensor(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    if name == "numpy":
        return Value(Kind.NDARRAY, dtype=receiver.dtype, shape=receiver.shape)
    if name == "item":
        return Value(Kind.NUMPY_SCALAR, dtype=receiver.dtype)
    if name in ("get_shape", "set_shape"):
        return Value(Kind.SHAPE) if name == "get_shape" else NONE
    if name in ("as_list",):
        return list_of(INT)
    return TENSOR


def _shape(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    return list_of(INT) if name == "as_list" else INT if name == "num_elements" else UNKNOWN


def _array(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    if name in ("sum", "mean", "max", "min", "std", "argmax", "argmin", "prod", "var"):
        return Value(Kind.NUMPY_SCALAR) if not arguments else NDARRAY
    if name == "item":
        return _number(receiver) or Value(Kind.FLOAT)
    if name == "tolist":
        return _listed(receiver)
    if name in ("tobytes", "tofile", "fill", "sort"):
        return UNKNOWN
    if name == "reshape":
        shape = shapes.reshape(receiver.shape, sizes(arguments))
        return Value(Kind.NDARRAY, dtype=receiver.dtype, shape=shape)
    if name == "astype":
        return Value(Kind.NDARRAY, shape=receiver.shape, dtype=_astype(node))
    return NDARRAY


def _number(array: Value) -> Value | None:
    """What Python takes a member of an array for, where the dtype is known."""
    if array.name == numpy_ops.WHOLE or (array.dtype or "").startswith(("int", "uint")):
        return INT
    if array.dtype is None:
        return None
    return BOOL if array.dtype == "bool" else FLOAT if array.dtype.startswith("float") else None


def _listed(array: Value) -> Value:
    """The list, or the number, that `tolist` makes of an array."""
    number = _number(array)
    if array.kind is Kind.NUMPY_SCALAR or array.shape == ():
        return number or UNKNOWN
    if number is None or array.shape is None or Ellipsis in array.shape:
        return Value(Kind.LIST)
    for _ in array.shape:
        number = list_of(number)
    return number


def sizes(arguments: Arguments) -> tuple[int | None, ...] | None:
    """The shape that `reshape(1, -1)` or `reshape((1, -1))` gives; None where not written out."""
    dims = [value for key, value in arguments if key is None]
    if len(dims) == 1:
        if dims[0].elements is not None:
            dims = list(dims[0].elements)
        elif dims[0].kind is not Kind.INT:
            return None
    return tuple(map(shapes.size, dims))


def _astype(node: cst.Call) -> str | None:
    from tfxla_lint.semantics.syntax import dotted

    if not node.args:
        return None
    given = node.args[0].value
    if isinstance(given, cst.SimpleString):
        return given.value.strip("\"'")
    full = dotted(given)
    return full.rpartition(".")[2] if full else None


def _model(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    if name == "compile":
        for _, value in arguments:
            evaluator.use(value, node, "unknown")
        on_tensors: Arguments = [(None, TENSOR), (None, TENSOR)]
        for part in parts(evaluator, (value for _, value in arguments)):
            evaluator.invoke(part.unit, on_tensors, skip=part.bound, receivers=part.receivers)
    if name in ("fit", "fit_generator"):
        return Value(Kind.OBJECT, name="History")
    return of_keras(receiver, told("model", name)) or UNKNOWN


def _plain(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    """What is for its effect gives None."""
    owner = Kind.METRIC if receiver.kind is Kind.LOSS else receiver.kind
    return told(owner.name.lower(), name) or NONE


def _tape(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    known = told("tape", name)
    if known is not None:
        return known
    sources = Given(arguments).at(1, "sources") or UNKNOWN
    if sources.is_tensor:
        return TENSOR
    if sources.kind in (Kind.LIST, Kind.TUPLE):
        if sources.elements is not None:
            return sequence(Kind.LIST, tuple(_like(e) for e in sources.elements))
        return list_of(_like(sources.item or UNKNOWN))
    return UNKNOWN


def _like(value: Value) -> Value:
    if value.kind in (Kind.LIST, Kind.TUPLE):
        return list_of(_like(value.item or UNKNOWN))
    return TENSOR


def _generator(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    return TENSOR


def _distribution(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    return told("distribution", name) or UNKNOWN


def _iterator(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    return receiver.item or UNKNOWN if name in ("get_next", "next", "__next__") else UNKNOWN


def _strategy(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    if name in ("run", "experimental_run_v2", "experimental_run"):
        function = arguments[0][1] if arguments else UNKNOWN
        evaluator.use(function, node, "inherits")
        given = Given(arguments).at(1, "args")
        if function.unit is not None and function.kind in (Kind.FUNCTION, Kind.METHOD, Kind.TRACED):
            evaluator.add_callee(node, function.unit, function.tracing, reception=Reception.RELAYED)
            members = given.elements if given is not None and given.elements is not None else None
            bound: list[tuple[str | None, Value]] = (
                [(None, m) for m in members] if members is not None else [("*", UNKNOWN)]
            )
            skip = function.bound + (1 if function.kind is Kind.METHOD else 0)
            return evaluator.invoke(function.unit, bound, skip=skip)
        return UNKNOWN
    if name == "scope":
        return Value(Kind.CONTEXT)
    if name == "reduce":
        return TENSOR
    if name in ("experimental_distribute_dataset", "distribute_datasets_from_function"):
        dataset = arguments[0][1] if arguments else UNKNOWN
        return dataset if dataset.kind is Kind.DATASET else Value(Kind.DATASET)
    return UNKNOWN


def _optimizer(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    row = behaviour.of(f"@optimizer.{name}")
    for position in row.callables:
        function = Given(arguments).at(position, "loss")
        if function is not None and row.runs is not None:
            evaluator.use(function, node, row.runs.value)
    return _plain(evaluator, node, receiver, name, arguments)


def _list(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    holder = node.func.value if isinstance(node.func, cst.Attribute) else None
    if name in ("append", "extend", "insert") and arguments:
        added = arguments[-1][1]
        evaluator.use(added, node, "unknown")
        added = item_of(added) if name == "extend" else added
        item = added if receiver.item is None else join(receiver.item, added)
        size = (VARYING,) if evaluator.loops else receiver.shape
        grown = receiver._replace(item=item, elements=None, shape=size)
        _store(evaluator, holder, grown)
        return NONE
    if name == "pop":
        return receiver.item or UNKNOWN
    if name == "copy":
        return receiver
    if name in ("index", "count"):
        return INT
    return NONE if name in ("clear", "sort", "reverse", "remove") else UNKNOWN


def _store(evaluator: Evaluator, holder: cst.CSTNode | None, value: Value) -> None:
    """A container grew in place: what it was read from holds the grown one."""
    if isinstance(holder, cst.Name):
        evaluator.grow(holder, value)
    elif isinstance(holder, cst.Attribute):
        owner = evaluator.values.get(id(holder.value))
        if owner is not None and owner.class_ is not None:
            evaluator.set_attribute(owner.class_, holder.attr.value, value)


def _dict(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    item = receiver.item or UNKNOWN
    holder = node.func.value if isinstance(node.func, cst.Attribute) else None
    if name == "update":
        _store(evaluator, holder, functools.reduce(with_entries, _added(arguments), receiver))
        return NONE
    if name in ("get", "pop", "setdefault") and arguments:
        found = entry_of(receiver, arguments[0][1].constant)
        if name == "get" and len(arguments) == 1:
            return found._replace(maybe_none=True)
        if name == "setdefault":
            held = arguments[1][1] if len(arguments) > 1 else NONE
            held = join(found, held) if found.is_known else held
            _store(evaluator, holder, with_key(receiver, arguments[0][1], held))
            return held
        return join(found, arguments[1][1]) if len(arguments) > 1 else found
    if name == "copy":
        return receiver
    if name == "items":
        return Value(Kind.ITERATOR, item=sequence(Kind.TUPLE, (UNKNOWN, item)))
    if name == "values":
        return Value(Kind.ITERATOR, item=item)
    return UNKNOWN


def _added(arguments: Arguments) -> Iterator[Value]:
    """The dicts that `update` adds."""
    for key, value in arguments:
        yield value if key is None or key == "**" else dict_of({key: value})


def _string(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    loop = next((value.loop for _, value in arguments if value.loop), receiver.loop)
    if Trait.EDITS in behaviour.of(f"@string.{name}").words:
        return receiver._replace(loop=loop)
    if name in ("format", "join"):
        return Value(Kind.STRING, loop=loop)
    return files.method(receiver, name)


def _object(
    evaluator: Evaluator, node: cst.Call, receiver: Value, name: str, arguments: Arguments
) -> Value:
    runs = receiver.name in runners.POOLS and name in runners.POOL_METHODS
    for _, value in arguments:
        evaluator.use(value, node, "eager" if runs else "unknown")
    if receiver.name in ("numpy.random.RandomState", "numpy.random.default_rng"):
        around = evaluator.loops[-1] if evaluator.loops else None
        is_drawn = bool(arguments) or numpy_ops.draws_number(name, arguments) is not None
        return numpy_ops.drawn(name, arguments, around) if is_drawn else UNKNOWN
    return command_line.method(receiver, name) or files.method(receiver, name)


_HANDLERS = {
    Kind.DATASET: _dataset,
    Kind.TENSOR: _tensor,
    Kind.VARIABLE: _tensor,
    Kind.KERAS_TENSOR: _tensor,
    Kind.SHAPE: _shape,
    Kind.NDARRAY: _array,
    Kind.NUMPY_SCALAR: _array,
    Kind.MODEL: _model,
    Kind.LAYER: _model,
    Kind.MODULE: _model,
    Kind.OPTIMIZER: _optimizer,
    Kind.LOSS: _plain,
    Kind.METRIC: _plain,
    Kind.TENSOR_ARRAY: _plain,
    Kind.TAPE: _tape,
    Kind.GENERATOR: _generator,
    Kind.DISTRIBUTION: _distribution,
    Kind.ITERATOR: _iterator,
    Kind.STRATEGY: _strategy,
    Kind.LIST: _list,
    Kind.DICT: _dict,
    Kind.STRING: _string,
    Kind.OBJECT: _object,
}
