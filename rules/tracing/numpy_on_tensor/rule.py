"""TXL305 numpy-on-tensor."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from .detect import NumpyUse, numpy_uses


class NumpyOnTensor(Rule):
    """## What it does
    Finds NumPy functions that are given a tensor in traced code, and NumPy arrays and Python lists
    that are indexed by one.

    Arithmetic with a NumPy array (`array * x`) works and is left alone, and so are functions that
    ask the tensor itself (`np.shape`, `np.ndim`), static shapes (`np.prod(x.shape)`), tensors that
    the trace captures from outside, which have a value, and the bodies of `tf.numpy_function`.

    ## Why is this bad?
    NumPy asks for the values of a tensor, and while `tf.function` traces there are none:
    `NotImplementedError: Cannot convert a symbolic tf.Tensor to a numpy array`. Indexing a list
    raises `TypeError: list indices must be integers or slices, not SymbolicTensor`. The same code
    works without `tf.function`, so that the decorator seems to be at fault.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf

    @tf.function
    def loss(x, y):
        error = tf.square(x - y)
        return np.mean(error, axis=-1)
    ```

    ## Use instead
    ```python
    import numpy as np
    import tensorflow as tf

    @tf.function
    def loss(x, y):
        error = tf.square(x - y)
        return tf.reduce_mean(error, axis=-1)
    ```

    Make a table that is to be indexed a tensor, `tf.gather(table, index)`.

    ## Fix safety
    The fix puts the TensorFlow function of the same meaning in place, where there is one. It is
    unsafe, since NumPy computes in float64 and int64 where TensorFlow keeps the tensor's type.

    ## References
    - [Introduction to graphs and tf.function](https://www.tensorflow.org/guide/intro_to_graphs)
    - [NumPy compatibility of tensors](https://www.tensorflow.org/guide/tensor)
    """

    code = "TXL305"
    name = "numpy-on-tensor"
    summary = "A NumPy function, array or a list needs the value of a traced tensor"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    speaks_at_node_for = ("TXL301",)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for use in numpy_uses(model, unit):
                message = f"{use.what} needs a value, and a traced tensor has none; "
                message += f"`{unit.name}` is traced"
                yield Report(use.node, message, of_route(route), _rewrite(model, use, unit))


def _rewrite(model: SemanticModel, use: NumpyUse, unit: Unit) -> Rewrite | None:
    from .fix import as_tensorflow

    edits = as_tensorflow(model, use.node) if isinstance(use.node, cst.Call) else None
    if edits is None:
        return None
    return Rewrite(
        "Use the TensorFlow function",
        edits,
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "a result of the tensor's own type is wanted",
        unit.qualname,
    )
