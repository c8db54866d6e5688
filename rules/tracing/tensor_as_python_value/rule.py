"""TXL306 tensor-as-python-value."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from .python_values import PythonValue, python_values


class TensorAsPythonValue(Rule):
    """## What it does
    Finds Python in traced code that needs the value of a tensor and that AutoGraph does not
    convert: `bool`, `max`, `min`, `sum`, `any`, `all`, `list`, `tuple`, `set` and functions of
    `math` on a tensor, `in`, `assert`, and format specifications (`f"{x:.2f}"`, `"%d" % x`).

    AutoGraph converts `if`, `while`, `for`, `and`, `or`, `not`, `len`, `abs`, `int`, `float`,
    `range` and `sorted`; these are left alone. So are lists of tensors where only their sum is
    taken, values that a `try` guards, and code that asks whether it runs eagerly.

    ## Why is this bad?
    While `tf.function` traces, a tensor has no value: `OperatorNotAllowedInGraphError: Using a
    symbolic tf.Tensor as a Python bool is not allowed`, `Iterating over a symbolic tf.Tensor is not
    allowed`, or `TypeError: unsupported format string passed to SymbolicTensor.__format__`.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def scale(x):
        peak = tf.reduce_max(tf.abs(x))
        return x / max(peak, 1.0)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def scale(x):
        peak = tf.reduce_max(tf.abs(x))
        return x / tf.maximum(peak, 1.0)
    ```

    Use `tf.debugging.assert_equal` and its like for assertions, and `tf.print` or
    `tf.strings.as_string` for text.

    ## Fix safety
    The fix puts the TensorFlow op in place that gives for a scalar, or for a vector of which Python
    asks the maximum, sum or truth, what Python gives eagerly. It is unsafe: the result is a
    tensor. Assertions and text have no fix.

    ## References
    - [AutoGraph: limitations](https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md)
    - [Introduction to graphs and tf.function](https://www.tensorflow.org/guide/intro_to_graphs)
    """

    code = "TXL306"
    name = "tensor-as-python-value"
    summary = "Python asks a traced tensor for its value, and AutoGraph does not convert that"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    speaks_at_node_for = ("TXL301",)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for value in python_values(model, unit):
                message = f"{value.what} needs the value of a tensor, and a traced one has none; "
                message += f"`{unit.name}` is traced"
                yield Report(value.node, message, of_route(route), _rewrite(model, value, unit))


def _rewrite(model: SemanticModel, value: PythonValue, unit: Unit) -> Rewrite | None:
    from .fix import as_op

    edits = as_op(model, value)
    if edits is None:
        return None
    return Rewrite(
        "Compute it in the graph",
        edits,
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "a tensor is wanted in the place of the Python value",
        unit.qualname,
    )
