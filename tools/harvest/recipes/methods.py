"""Recipes for methods: of variables, tensor arrays, tables, generators, datasets, tapes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tools.harvest.calls import Call
from tools.harvest.recipes.registry import (
    RECIPES,
    floats,
    positive_definite,
    ragged,
    sparse,
)

C = tf.constant


def method(owner: Any, name: str, *args: Any, **kwargs: Any) -> Call:
    """A call of a method that changes nothing but its result."""
    return Call(getattr(owner, name), args, kwargs)


def changing(owner: Any, name: str, *args: Any, **kwargs: Any) -> Call:
    """A call of a method that changes its object."""
    return Call(getattr(owner, name), args, kwargs, stateful=True)


def variable() -> tf.Variable:
    return tf.Variable(floats(4))


def slices(value: float = 1.0) -> tf.IndexedSlices:
    return tf.IndexedSlices(C([value]), C([1]), C([4]))


def written(size: int, dynamic: bool) -> Callable[[tf.Tensor], tf.Tensor]:
    """Writes four elements one by one, as loops do, and stacks them."""

    def run(x: tf.Tensor) -> tf.Tensor:
        array = tf.TensorArray(tf.float32, size=size, dynamic_size=dynamic)
        for i in range(4):
            array = array.write(i, x[i])
        return array.stack()

    return run


def fresh_array() -> tf.TensorArray:
    return tf.TensorArray(tf.float32, size=4)


def array_with(action: Callable[[tf.TensorArray, tf.Tensor], Any]) -> Callable[..., Any]:
    def run(x: tf.Tensor) -> Any:
        return action(fresh_array().unstack(x), x)

    return run


def table() -> tf.lookup.StaticHashTable:
    pairs = tf.lookup.KeyValueTensorInitializer(C([1, 2], tf.int64), C([3, 4], tf.int64))
    return tf.lookup.StaticHashTable(pairs, -1)


def mutable_table() -> tf.lookup.experimental.MutableHashTable:
    made = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)
    made.insert(C([1], tf.int64), C([3], tf.int64))
    return made


def keys() -> tf.Tensor:
    return C([1, 2], tf.int64)


def dense_table() -> tf.lookup.experimental.DenseHashTable:
    return tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.int64, default_value=-1, empty_key=-2, deleted_key=-3
    )


def queue() -> tf.queue.FIFOQueue:
    made = tf.queue.FIFOQueue(9, [tf.float32], [[]])
    made.enqueue_many(floats(4))
    return made


def generator() -> tf.random.Generator:
    return tf.random.Generator.from_seed(1)


def dataset() -> tf.data.Dataset:
    return tf.data.Dataset.from_tensor_slices(floats(4, 2))


def gradient(kind: str) -> Callable[[tf.Tensor], Any]:
    def run(x: tf.Tensor) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        return getattr(tape, kind)(y, x)

    return run


def forward_mode(x: tf.Tensor) -> Any:
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = x * x
    return accumulator.jvp(y)


def iterated(x: tf.Tensor) -> tf.Tensor:
    total = tf.reduce_sum(x)
    for row in dataset().take(2):
        total += tf.reduce_sum(row)
    return total


def reduced(x: tf.Tensor) -> tf.Tensor:
    return dataset().reduce(tf.reduce_sum(x), lambda total, row: total + tf.reduce_sum(row))


def operator() -> tf.linalg.LinearOperatorFullMatrix:
    return tf.linalg.LinearOperatorFullMatrix(
        positive_definite(), is_self_adjoint=True, is_positive_definite=True
    )


def summarised(name: str) -> list[Call]:
    """A summary with a default writer; without one nothing would be done."""
    tf.summary.create_file_writer(tempfile.mkdtemp()).set_as_default(step=1)

    def run(value: tf.Tensor) -> Any:
        options = {"sample_rate": 16} if name == "audio" else {}
        return getattr(tf.summary, name)("m", value, step=C(1, tf.int64), **options)

    return [Call(run, (summary_value(name),))]


def flushed() -> list[Call]:
    writer = tf.summary.create_file_writer(tempfile.mkdtemp())
    writer.set_as_default(step=1)

    def run(value: tf.Tensor) -> tf.Tensor:
        tf.summary.flush()
        return value

    return [Call(run, (floats(2),))]


def summary_value(name: str) -> tf.Tensor:
    values = {
        "scalar": lambda: C(1.0),
        "histogram": lambda: floats(8),
        "image": lambda: floats(1, 4, 4, 3),
        "text": lambda: C("a"),
        "write": lambda: floats(4),
        "audio": lambda: floats(1, 32, 1),
    }
    return values[name]()


RECIPES.add(
    {
        "summary.scalar": lambda: summarised("scalar"),
        "summary.histogram": lambda: summarised("histogram"),
        "summary.image": lambda: summarised("image"),
        "summary.text": lambda: summarised("text"),
        "summary.write": lambda: summarised("write"),
        "summary.audio": lambda: summarised("audio"),
        "summary.flush": lambda: flushed(),
        "Variable.assign": lambda: [changing(variable(), "assign", floats(4))],
        "Variable.assign_add": lambda: [changing(variable(), "assign_add", floats(4))],
        "Variable.assign_sub": lambda: [changing(variable(), "assign_sub", floats(4))],
        "Variable.read_value": lambda: [method(variable(), "read_value")],
        "Variable.value": lambda: [method(variable(), "value")],
        "Variable.gather_nd": lambda: [method(variable(), "gather_nd", C([[1]]))],
        "Variable.sparse_read": lambda: [method(variable(), "sparse_read", C([1]))],
        "Variable.scatter_add": lambda: [changing(variable(), "scatter_add", slices())],
        "Variable.scatter_sub": lambda: [changing(variable(), "scatter_sub", slices())],
        "Variable.scatter_update": lambda: [changing(variable(), "scatter_update", slices())],
        "Variable.scatter_max": lambda: [changing(variable(), "scatter_max", slices())],
        "Variable.scatter_min": lambda: [changing(variable(), "scatter_min", slices())],
        "Variable.scatter_mul": lambda: [changing(variable(), "scatter_mul", slices())],
        "Variable.scatter_div": lambda: [changing(variable(), "scatter_div", slices())],
        "Variable.batch_scatter_update": lambda: [
            changing(variable(), "batch_scatter_update", slices())
        ],
        "Variable.scatter_nd_add": lambda: [
            changing(variable(), "scatter_nd_add", C([[1]]), floats(1))
        ],
        "Variable.scatter_nd_sub": lambda: [
            changing(variable(), "scatter_nd_sub", C([[1]]), floats(1))
        ],
        "Variable.scatter_nd_update": lambda: [
            changing(variable(), "scatter_nd_update", C([[1]]), floats(1))
        ],
        "TensorArray.write": lambda: [Call(written(4, False), (floats(4),))],
        "TensorArray.stack": lambda: [Call(array_with(lambda a, x: a.stack()), (floats(4, 2),))],
        "TensorArray.unstack": lambda: [
            Call(array_with(lambda a, x: a.unstack(x).stack()), (floats(4, 2),))
        ],
        "TensorArray.read": lambda: [Call(array_with(lambda a, x: a.read(1)), (floats(4, 2),))],
        "TensorArray.gather": lambda: [
            Call(array_with(lambda a, x: a.gather([0, 2])), (floats(4, 2),))
        ],
        "TensorArray.concat": lambda: [Call(array_with(lambda a, x: a.concat()), (floats(4, 2),))],
        "TensorArray.scatter": lambda: [
            Call(array_with(lambda a, x: a.scatter([0, 1, 2, 3], x).stack()), (floats(4, 2),))
        ],
        "TensorArray.split": lambda: [
            Call(lambda x: fresh_array().split(x, [1, 1, 1, 1]).concat(), (floats(4, 2),))
        ],
        "TensorArray.size": lambda: [Call(array_with(lambda a, x: a.size()), (floats(4, 2),))],
        "TensorArray(dynamic_size=True)": lambda: [Call(written(0, True), (floats(4),))],
        "lookup.StaticHashTable.lookup": lambda: [method(table(), "lookup", keys())],
        "lookup.StaticHashTable.size": lambda: [method(table(), "size")],
        "lookup.StaticHashTable.export": lambda: [method(table(), "export")],
        "lookup.experimental.MutableHashTable.lookup": lambda: [
            method(mutable_table(), "lookup", keys())
        ],
        "lookup.experimental.MutableHashTable.insert": lambda: [
            changing(mutable_table(), "insert", keys(), keys())
        ],
        "lookup.experimental.MutableHashTable.remove": lambda: [
            changing(mutable_table(), "remove", keys())
        ],
        "lookup.experimental.MutableHashTable.size": lambda: [method(mutable_table(), "size")],
        "lookup.experimental.DenseHashTable.lookup": lambda: [
            method(dense_table(), "lookup", keys())
        ],
        "lookup.experimental.DenseHashTable.insert": lambda: [
            changing(dense_table(), "insert", keys(), keys())
        ],
        "queue.FIFOQueue.enqueue": lambda: [changing(queue(), "enqueue", floats())],
        "queue.FIFOQueue.dequeue": lambda: [changing(queue(), "dequeue")],
        "queue.FIFOQueue.size": lambda: [method(queue(), "size")],
        "random.Generator.normal": lambda: [changing(generator(), "normal", [4])],
        "random.Generator.uniform": lambda: [changing(generator(), "uniform", [4])],
        "random.Generator.truncated_normal": lambda: [
            changing(generator(), "truncated_normal", [4])
        ],
        "random.Generator.uniform_full_int": lambda: [
            changing(generator(), "uniform_full_int", [4])
        ],
        "random.Generator.binomial": lambda: [
            changing(generator(), "binomial", [2], C([5.0, 5.0]), C([0.5, 0.5]))
        ],
        "random.Generator.make_seeds": lambda: [changing(generator(), "make_seeds", 2)],
        "random.Generator.skip": lambda: [changing(generator(), "skip", 2)],
        "random.Generator.reset_from_seed": lambda: [changing(generator(), "reset_from_seed", 2)],
        "GradientTape.gradient": lambda: [Call(gradient("gradient"), (floats(4),))],
        "GradientTape.jacobian": lambda: [Call(gradient("jacobian"), (floats(4),))],
        "GradientTape.batch_jacobian": lambda: [Call(gradient("batch_jacobian"), (floats(4, 2),))],
        "autodiff.ForwardAccumulator.jvp": lambda: [Call(forward_mode, (floats(4),))],
        "data.Dataset.__iter__": lambda: [Call(tf.autograph.to_graph(iterated), (floats(4),))],
        "data.Dataset.reduce": lambda: [Call(reduced, (floats(4),))],
        "RaggedTensor.to_tensor": lambda: [Call(lambda r: r.to_tensor(), (ragged(),))],
        "RaggedTensor.to_sparse": lambda: [Call(lambda r: r.to_sparse(), (ragged(),))],
        "RaggedTensor.row_lengths": lambda: [Call(lambda r: r.row_lengths(), (ragged(),))],
        "RaggedTensor.value_rowids": lambda: [Call(lambda r: r.value_rowids(), (ragged(),))],
        "RaggedTensor.nrows": lambda: [Call(lambda r: r.nrows(), (ragged(),))],
        "RaggedTensor.bounding_shape": lambda: [Call(lambda r: r.bounding_shape(), (ragged(),))],
        "RaggedTensor.from_tensor": lambda: [Call(tf.RaggedTensor.from_tensor, (floats(2, 3),))],
        "RaggedTensor.from_row_lengths": lambda: [
            Call(tf.RaggedTensor.from_row_lengths, (floats(3), C([1, 2])))
        ],
        "RaggedTensor.from_row_splits": lambda: [
            Call(tf.RaggedTensor.from_row_splits, (floats(3), C([0, 1, 3])))
        ],
        "RaggedTensor.from_sparse": lambda: [
            Call(tf.RaggedTensor.from_sparse, (tf.sparse.from_dense(floats(2, 2)),))
        ],
        "sparse.SparseTensor.__mul__": lambda: [Call(lambda s: s * 2.0, (sparse(),))],
        "linalg.LinearOperatorFullMatrix.matmul": lambda: [
            method(operator(), "matmul", floats(4, 2))
        ],
        "linalg.LinearOperatorFullMatrix.solve": lambda: [
            method(operator(), "solve", floats(4, 2))
        ],
        "linalg.LinearOperatorFullMatrix.to_dense": lambda: [method(operator(), "to_dense")],
        "linalg.LinearOperatorFullMatrix.inverse": lambda: [
            Call(lambda x: operator().inverse().matmul(x), (floats(4, 2),))
        ],
        "linalg.LinearOperatorFullMatrix.determinant": lambda: [method(operator(), "determinant")],
        "linalg.LinearOperatorFullMatrix.log_abs_determinant": lambda: [
            method(operator(), "log_abs_determinant")
        ],
        "linalg.LinearOperatorFullMatrix.cholesky": lambda: [
            Call(lambda x: operator().cholesky().matmul(x), (floats(4, 2),))
        ],
        "linalg.LinearOperatorDiag.matmul": lambda: [
            method(tf.linalg.LinearOperatorDiag(floats(4)), "matmul", floats(4, 2))
        ],
        "linalg.LinearOperatorDiag.solve": lambda: [
            method(tf.linalg.LinearOperatorDiag(floats(4)), "solve", floats(4, 2))
        ],
        "linalg.LinearOperatorLowerTriangular.solve": lambda: [
            method(
                tf.linalg.LinearOperatorLowerTriangular(tf.linalg.cholesky(positive_definite())),
                "solve",
                floats(4, 2),
            )
        ],
    }
)
