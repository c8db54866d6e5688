"""TXL313 discarded-result."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.evidence import of_nodes, of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from ..shared.keras_calls import runners_left_to_keras
from .detect import Discarded, discarded_results, is_rebindable

_MESSAGES = {
    "array": "{what} gives a new TensorArray in traced code, and its result is thrown away",
    "dataset": "{what} gives a new dataset, and its result is thrown away",
    "built": "{what} builds a new dataset and does nothing else, and its result is thrown away",
    "op": "{what} gives a new tensor, and its result is thrown away",
}


class DiscardedResult(Rule):
    """## What it does
    Finds statements in functions and loops that throw away all that they compute: `TensorArray.write` and its
    like in traced code, `tf.tensor_scatter_nd_update`, `tf.cast`, `tf.reshape` and other functions
    that are used to change a tensor, and transformations of a `tf.data.Dataset`, also where a function
    of the project makes them and does nothing else.

    A `TensorArray` in code that is not proved to be traced is left alone, but for the `call` of layers
    that nobody in sight runs and `fit` would trace: eagerly `write` changes the array itself. So are statements of the module itself, which a notebook would show (but a
    script's, where it goes on with the dataset as it was), and calls that are made to see whether they
    fail (`try`, `with pytest.raises(...)`).

    ## Why is this bad?
    Tensors and datasets do not change: what looks like a change gives a new object. Nothing fails
    where that is dropped; the update, the cast or the shuffling just does not happen. A traced
    `TensorArray` whose writes are dropped holds zeros where the eager one holds the values.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def squares(x):
        found = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            found.write(i, x[i] * x[i])
        return found.stack()
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def squares(x):
        found = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            found = found.write(i, x[i] * x[i])
        return found.stack()
    ```

    ## Fix safety
    The fix assigns the result back to the name that it seems meant to change, but for a dataset in a
    loop, which would get one more stage on every turn. It is unsafe: it
    changes what the code computes, as is meant, and the statement may as well be a leftover.

    ## References
    - [tf.TensorArray](https://www.tensorflow.org/api_docs/python/tf/TensorArray)
    - [tf.tensor_scatter_nd_update](https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_update)
    """

    code = "TXL313"
    name = "discarded-result"
    summary = "The result of a call that does nothing else is thrown away"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@datasets")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at every call that stands alone as a statement."""
        for found in discarded_results(model):
            message = _MESSAGES[found.kind].format(what=found.what)
            evidence = _of_trace(model, found) if found.kind == "array" else []
            yield Report(found.node, message, evidence, _rewrite(model, found))


def _of_trace(model: SemanticModel, found: Discarded) -> list[Evidence]:
    unit = model.unit(found.node)
    route = model.contexts.traced(unit)
    if route is not None:
        return of_route(route)
    return of_nodes([runners_left_to_keras(model)[unit].node], "traced by `fit`")


def _rewrite(model: SemanticModel, found: Discarded) -> Rewrite | None:
    statement = model.parent(found.node)
    target = found.target
    if not isinstance(target, cst.Name) or not isinstance(statement, cst.Expr):
        return None
    if not is_rebindable(model, target) or (found.is_dataset and _turns(model, found.node)):
        return None
    code = model.code(found.node)
    return Rewrite(
        f"Assign the result to `{target.value}`",
        [Replace(statement, f"{target.value} = {code}")],
        Applicability.UNSAFE,
        Intent.CORRECTING,
        f"`{target.value}` is meant to change",
        model.unit(found.node).qualname,
    )


def _turns(model: SemanticModel, node: cst.Call) -> bool:
    """Whether a loop of the same function runs a node again."""
    return bool(model.loops.around(node, model.unit(node)))
