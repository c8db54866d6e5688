"""tf.data pipelines: what their elements are and how they are batched."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from tfxla_lint.knowledge import behaviour, tables
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.kinds import shapes
from tfxla_lint.semantics.kinds.iteration import over
from tfxla_lint.semantics.kinds.tensor_ops import Given
from tfxla_lint.semantics.values import (
    NDARRAY,
    TENSOR,
    UNKNOWN,
    Arguments,
    Kind,
    Pipeline,
    Value,
    counted,
    list_of,
    sequence,
)

_EMPTY = Pipeline()
_HOME = "tensorflow.data"
_TEXT = Value(Kind.TENSOR, dtype="string", shape=())


def construct(name: str, arguments: Arguments) -> Value:
    """What a constructor of a dataset gives."""
    if name.startswith("tensorflow.keras.datasets."):
        if not name.endswith(".load_data"):
            return UNKNOWN
        return _keras_arrays(name.split(".")[-2], arguments)
    if name == "tensorflow_datasets.load":
        return _tfds(arguments)
    if name.startswith("tensorflow_datasets."):
        return UNKNOWN
    first = arguments[0][1] if arguments else UNKNOWN
    if name == "tensorflow.data.Dataset.from_tensor_slices":
        return Value(Kind.DATASET, item=_sliced(first), pipeline=Pipeline(size=_leading(first)))
    if name == "tensorflow.data.Dataset.from_tensors":
        return Value(Kind.DATASET, item=_as_tensor(first), pipeline=Pipeline(size=1))
    if name == "tensorflow.data.Dataset.range":
        size = first.constant if len(arguments) == 1 and type(first.constant) is int else None
        return Value(Kind.DATASET, item=TENSOR, pipeline=Pipeline(size=size))
    if name == "tensorflow.data.Dataset.zip":
        return _zipped(arguments)
    if name.startswith("tensorflow.data.Dataset.") or api.result_of(name).kind is Kind.DATASET:
        return Value(Kind.DATASET, item=_TEXT if _reads_files(name) else None, pipeline=_EMPTY)
    if name == "tensorflow.data.Options":
        return Value(Kind.OBJECT, name=name)
    return UNKNOWN


def _reads_files(name: str) -> bool:
    """Whether a data set is of names, lines or records: those classes that `tf.data` itself has."""
    return name == "tensorflow.data.Dataset.list_files" or name.rpartition(".")[0] == _HOME


def _keras_arrays(name: str, arguments: Arguments) -> Value:
    """The two pairs of arrays that `load_data` gives; arguments may cut them otherwise."""
    known = tables.load("keras_data").get(name)
    if known is None or (arguments and name in ("imdb", "boston_housing")):
        pair = sequence(Kind.TUPLE, (NDARRAY, NDARRAY))
        return sequence(Kind.TUPLE, (pair, pair))
    members = [known["inputs"], known["labels"]]
    pairs = (
        sequence(Kind.TUPLE, tuple(Value(Kind.NDARRAY, shape=(size, *s)) for s in members))
        for size in (known["train"], known["test"])
    )
    return sequence(Kind.TUPLE, tuple(pairs))


def _tfds(arguments: Arguments) -> Value:
    keywords = {key: value for key, value in arguments if key}
    split = keywords.get("split")
    info = keywords.get("with_info")
    if info is not None and info.constant is not False:
        without = [(key, value) for key, value in arguments if key != "with_info"]
        is_asked = info.constant is True
        return sequence(Kind.TUPLE, (_tfds(without), UNKNOWN)) if is_asked else UNKNOWN
    supervised = keywords.get("as_supervised")
    item = None
    if supervised is not None and supervised.constant is True:
        item = sequence(Kind.TUPLE, (TENSOR, TENSOR))
    dataset = Value(Kind.DATASET, item=item, pipeline=_EMPTY)
    if split is None:
        return Value(Kind.DICT, item=dataset)
    if split.kind is Kind.STRING:
        return dataset
    return list_of(dataset) if split.kind in (Kind.LIST, Kind.TUPLE) else UNKNOWN


def _zipped(arguments: Arguments) -> Value:
    members = arguments[0][1] if arguments else UNKNOWN
    datasets = members.elements if members.elements is not None else [v for _, v in arguments]
    items = tuple(d.item or UNKNOWN for d in datasets if d.kind is Kind.DATASET)
    if len(items) != len(tuple(datasets)):
        return Value(Kind.DATASET, pipeline=_EMPTY)
    first = next(iter(datasets))
    return Value(Kind.DATASET, item=sequence(Kind.TUPLE, items), pipeline=first.pipeline)


def _leading(value: Value) -> int | None:
    """The number of slices of a tensor, array or structure of them."""
    if value.kind is Kind.TUPLE and value.elements:
        sizes = [_leading(element) for element in value.elements]
        return next((size for size in sizes if size is not None), None)
    if value.shape and type(value.shape[0]) is int:
        return int(value.shape[0])
    if value.kind is Kind.LIST and value.elements is not None:
        return len(value.elements)
    return None


def _sliced(value: Value) -> Value:
    if value.kind is Kind.TUPLE and value.elements is not None:
        return sequence(Kind.TUPLE, tuple(_sliced(element) for element in value.elements))
    if value.kind is Kind.DICT:
        return Value(Kind.DICT, item=TENSOR, keys=value.keys)
    shape = value.shape[1:] if value.shape else None
    return Value(Kind.TENSOR, dtype=value.dtype, shape=shape)


def _as_tensor(value: Value) -> Value:
    if value.kind is Kind.TUPLE and value.elements is not None:
        return sequence(Kind.TUPLE, tuple(_as_tensor(element) for element in value.elements))
    if value.kind is Kind.DICT:
        return Value(Kind.DICT, item=TENSOR, keys=value.keys)
    return Value(Kind.TENSOR, dtype=value.dtype, shape=value.shape)


def method(
    receiver: Value, name: str, node: cst.Call, arguments: Arguments, mapped: Value
) -> Value:
    """What a method of a dataset gives; `mapped` is the result of the function it was given."""
    pipeline = receiver.pipeline or _EMPTY
    if name == "shuffle":
        return receiver._replace(pipeline=replace(pipeline, shuffled=True))
    if name == "repeat":
        count = arguments[0][1].constant if arguments else None
        endless = not arguments or (count in (None, -1) and arguments[0][1].has_constant)
        is_open = bool(arguments) and (arguments[0][1].maybe_none or not arguments[0][1].is_known)
        times = count if type(count) is int and count > 0 else None
        return receiver._replace(
            pipeline=replace(
                pipeline,
                repeated=pipeline.repeated or endless,
                perhaps_repeated=pipeline.perhaps_repeated or is_open,
                size=_product(pipeline.size, times),
                batches=_product(pipeline.batches, times),
            )
        )
    if name in ("batch", "padded_batch", "ragged_batch"):
        return _batched(receiver, pipeline, name, node, arguments)
    if name in ("take", "skip", "shard"):
        return receiver._replace(pipeline=_cut(pipeline, name, arguments))
    if name == "map":
        return receiver._replace(item=mapped if mapped.is_known else None)
    if name == "filter":
        return receiver._replace(pipeline=replace(pipeline, size=None, batches=None))
    if name == "enumerate":
        pair = sequence(Kind.TUPLE, (Value(Kind.TENSOR, dtype="int64"), receiver.item or UNKNOWN))
        return receiver._replace(item=pair)
    if name in ("as_numpy_iterator",):
        return over(receiver, _as_numpy(receiver.item))
    if name in ("cardinality",):
        return Value(Kind.TENSOR, dtype="int64", shape=())
    if name == "reduce":
        return TENSOR
    if name == "unbatch":
        return receiver._replace(item=None, pipeline=_EMPTY)
    if name in behaviour.methods(Trait.KEEPS_ELEMENTS, "dataset"):
        return receiver
    told = api.kind_of(behaviour.of(f"@dataset.{name}"))
    return Value(Kind.DATASET, pipeline=_EMPTY) if told is Kind.DATASET else UNKNOWN


def _cut(pipeline: Pipeline, name: str, arguments: Arguments) -> Pipeline:
    """A pipeline after `take`, `skip` or `shard`: the smaller last batch may be left out."""
    count = arguments[0][1].constant if arguments else None
    taken = count if type(count) is int and count >= 0 and name != "shard" else None
    if taken is not None and name == "skip":
        taken = max(pipeline.size - taken, 0) if pipeline.size is not None else None
    elif taken is not None and pipeline.size is not None:
        taken = min(taken, pipeline.size)
    remainder = None if name == "take" and pipeline.remainder else pipeline.remainder
    return replace(pipeline, size=taken, batches=None, remainder=remainder)


def _as_numpy(item: Value | None) -> Value:
    if item is None:
        return UNKNOWN
    if item.kind is Kind.TENSOR:
        return Value(Kind.NDARRAY, dtype=item.dtype, shape=item.shape)
    if item.elements is not None:
        return sequence(item.kind, tuple(_as_numpy(element) for element in item.elements))
    return UNKNOWN


def _batched(
    receiver: Value, pipeline: Pipeline, name: str, node: cst.Call, arguments: Arguments
) -> Value:
    given = Given(arguments)
    size = given.at(0, "batch_size") or UNKNOWN
    written = shapes.integer(size)
    count = written if written is not None and written > 0 else None
    drop = given.at(1 if name == "batch" else 3, "drop_remainder")
    remainder = _remainder(pipeline, count, drop)
    batch = count if remainder is False else None
    batched = replace(
        pipeline,
        batch=node,
        remainder=remainder,
        batch_size=count,
        ragged=name != "batch",
        size=None,
        batches=_batches(pipeline.size, count, remainder),
    )
    return receiver._replace(item=_stacked(receiver.item, batch), pipeline=batched)


def _product(number: int | None, times: int | None) -> int | None:
    return counted(number * times) if number is not None and times is not None else None


def _batches(size: int | None, count: int | None, remainder: bool | None) -> int | None:
    """The number of batches of `count` that `size` elements make."""
    if size is None or not count or remainder is None:
        return None
    return -(-size // count) if remainder else size // count


def _remainder(pipeline: Pipeline, count: int | None, drop: Value | None) -> bool | None:
    if drop is not None:
        if drop.constant is True:
            return False
        if drop.constant is not False:
            return None
    if pipeline.repeated:
        return False
    if pipeline.perhaps_repeated:
        return None
    if count is None or pipeline.size is None:
        return count != 1
    return pipeline.size % count != 0


def _stacked(item: Value | None, size: int | None) -> Value | None:
    if item is None:
        return None
    if item.kind is Kind.TENSOR:
        shape = (size, *item.shape) if item.shape is not None else None
        return item._replace(shape=shape)
    if item.elements is not None:
        members = tuple(_stacked(element, size) or UNKNOWN for element in item.elements)
        return sequence(item.kind, members)
    return item
