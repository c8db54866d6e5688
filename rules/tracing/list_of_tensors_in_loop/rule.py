"""TXL312 list-of-tensors-in-loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from .detect import FilledList, filled_lists


class ListOfTensorsInLoop(Rule):
    """## What it does
    Finds Python lists, in code that is proved to be traced, that grow (`append`, `extend`,
    `insert`, `+=`) in a loop that turns in the graph or below an `if` on a tensor, and are read
    after it.

    Lists that grow in a loop over a Python `range` or list are left alone, which works, and so are
    lists that each turn makes anew, and lists that nothing reads after the loop.

    ## Why is this bad?
    The body of a loop over a tensor, `tf.range` or a dataset is traced once, and the list gets one
    member: a tensor inside of the loop's graph. Using it after the loop raises
    `InaccessibleTensorError: ... is out of scope and cannot be used here`; `len` gives 1, and a
    list of Python numbers stays that short without an error. Below an `if` on a tensor the list
    grows whichever way the tensor decides.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def squares(n):
        found = []
        for i in tf.range(n):
            found.append(i * i)
        return tf.stack(found)

    squares(tf.constant(3))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def squares(n):
        found = tf.TensorArray(tf.int32, size=n)
        for i in tf.range(n):
            found = found.write(i, i * i)
        return found.stack()

    squares(tf.constant(3))
    ```

    Where each turn is independent of the others, `tf.map_fn` or one op on the whole tensor is
    better still.

    ## Fix safety
    The fix makes a `tf.TensorArray` of a list to which each turn appends one tensor of known dtype,
    and which is only stacked after the loop, or joined along the first axis. It corrects code that
    fails, and is unsafe: the members must have one shape. Code that XLA compiles is fixed only
    where the number of turns is written out, since XLA cuts an array that grows.

    ## References
    - [Better performance with tf.function: accumulating values in a loop](https://www.tensorflow.org/guide/function#accumulating_values_in_a_loop)
    - [tf.TensorArray](https://www.tensorflow.org/api_docs/python/tf/TensorArray)
    """

    code = "TXL312"
    name = "list-of-tensors-in-loop"
    summary = "A Python list grows in a loop of the graph and is read after it"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing", "for|while")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for found in filled_lists(model, unit):
                evidence = [
                    Evidence(_head(found.control), _remark(found)),
                    Evidence(found.reads[0], "read here"),
                    *of_route(route),
                ]
                rewrite = _rewrite(model, unit, found)
                message = _message(found)
                if rewrite is None:
                    from .fix import obstacle

                    message += f"; no fix is offered, because {obstacle(model, unit, found)}"
                yield Report(found.grown, message, evidence, rewrite)


def _message(found: FilledList) -> str:
    if isinstance(found.control, cst.If):
        return f"`{found.name}` grows whichever way the tensor decides: Python runs both branches"
    return f"`{found.name}` grows once while tracing, not on each turn of the loop"


def _remark(found: FilledList) -> str:
    if isinstance(found.control, cst.If):
        return "decided in the graph"
    return "turns in the graph"


def _head(control: cst.For | cst.While | cst.If) -> cst.CSTNode:
    return control.iter if isinstance(control, cst.For) else control.test


def _rewrite(model: SemanticModel, unit: Unit, found: FilledList) -> Rewrite | None:
    from .fix import as_array

    edits = as_array(model, unit, found)
    if edits is None:
        return None
    return Rewrite(
        "Collect the tensors in a tf.TensorArray",
        edits,
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "all members have the same shape",
        unit.qualname,
    )
