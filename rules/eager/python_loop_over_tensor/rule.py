"""TXL103."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Rows
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.loops import called
from tfxla_lint.semantics.model import SemanticModel

from .eager_maps import EagerMap, as_one_call, eager_maps
from .tensor_rows import TensorRows, tensor_rows

#: What is left, where nothing else keeps the rows from being mapped.
_OTHERWISE = "more than operations on a row make what is collected, or a comment would be lost"


class PythonLoopOverTensor(Rule):
    """## What it does
    Finds loops and comprehensions of eager code that work on the rows or elements of a tensor one
    at a time, and stack the results again, or give them to NumPy. Where there are many rows, or a
    loop runs the code, also comprehensions that keep the results in a list, and `tf.map_fn` and its
    like, which run their function for each row in Python where no `tf.function` calls them.

    A few rows, turns that need what the turn before left behind, draws of random numbers, lists of
    tensors of other shapes, and code that is traced are left alone.

    ## Why is this bad?
    Each row costs a slice and every operation anew, some tens of microseconds each, however small
    the row is. One operation on the whole tensor costs that once. `tf.vectorized_map` finds these
    operations itself; called from eager code it traces the function each time, about as long as a
    thousand small operations take, and from a `tf.function` only once.

    ## Example
    ```python
    import tensorflow as tf

    points = tf.reshape(tf.range(3000.0), [1000, 3])
    lengths = tf.stack([tf.sqrt(tf.reduce_sum(tf.square(point))) for point in points])
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    points = tf.reshape(tf.range(3000.0), [1000, 3])
    lengths = tf.vectorized_map(lambda point: tf.sqrt(tf.reduce_sum(tf.square(point))), points)
    ```

    Better still, give the operations the axis: `tf.norm(points, axis=1)`. Where a turn needs the
    one before, `tf.scan` in a `tf.function` keeps the loop in the graph.

    ## Fix safety
    The fix puts `tf.vectorized_map` in the place of `tf.stack([...])` over all rows of a tensor
    that surely has enough of them to earn the trace, where TensorFlow operations alone make each
    member; also where a loop appends the members to a list that is stacked right below it and not
    read otherwise (in a module's own code only where the stack takes the name of the list). It is
    unsafe: sums in another order differ by rounding, and an operation that can't be vectorised runs
    in a loop all the same, with a warning. A `tf.map_fn` or `tf.vectorized_map` of an operation of
    `tf.image` that takes a batch as it takes each image of it becomes one call of that, which
    assumes that the rows are images, and not batches.

    ## References
    - [`tf.vectorized_map`](https://www.tensorflow.org/api_docs/python/tf/vectorized_map)
    - [`tf.scan`](https://www.tensorflow.org/api_docs/python/tf/scan)
    """

    code = "TXL103"
    name = "python-loop-over-tensor"
    summary = "The rows of a tensor are worked on one at a time and stacked again"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow", "@loops")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each stack of such results."""
        for rows in tensor_rows(model):
            head = rows.turning if isinstance(rows.turning, cst.For) else rows.turning.iter
            evidence = [Evidence(head, "once for each of these")]
            if isinstance(rows.turning, cst.For):
                evidence.append(Evidence(rows.element, "collected here"))
            number = rows.operations
            calls = f"{number} TensorFlow call{'s' if number > 1 else ''}"
            is_stacked = isinstance(rows.made, cst.Call)
            end = ", to stack the results again" if is_stacked else ""
            end = ", to give the results to NumPy" if rows.is_for_numpy(model) else end
            message = (
                f"Python takes `{excerpt(model, rows.tensor)}` apart and makes {calls} for each "
                f"slice of it{end}; operations on the whole tensor do it once"
            )
            rewrite = _rewrite(model, rows)
            if rewrite is None:
                from .fix import obstacle

                reason = obstacle(model, rows) or _OTHERWISE
                message += f"; no fix is offered, because {reason}"
            node = rows.call.func if is_stacked else rows.made
            yield Report(node, message, evidence, rewrite, at_stake=_at_stake(model, rows))
        for found in eager_maps(model):
            evidence = [Evidence(found.loop, called(found.loop))] if found.loop is not None else []
            yield Report(found.call.func, _of_map(model, found), evidence, _whole(model, found))


def _at_stake(model: SemanticModel, rows: TensorRows) -> Rows:
    """The rows, of which a loop takes as many as it turns."""
    turning = rows.turning
    if isinstance(turning, cst.For):
        count = rows.size if rows.size is not None else model.loops.info(turning).turns
        return Rows([turning.body], turning, count)
    return Rows([rows.element], rows.made, rows.size)


def _of_map(model: SemanticModel, found: EagerMap) -> str:
    name, rows = excerpt(model, found.call.func), excerpt(model, found.elements)
    if found.traces:
        return (
            f"`{name}` traces its function anew on each eager call; called by a `tf.function`, it "
            "does so once"
        )
    return (
        f"`{name}` runs eagerly, so that Python runs its function for each row of `{rows}`; in a "
        "`tf.function` the loop is part of the graph"
    )


def _whole(model: SemanticModel, found: EagerMap) -> Rewrite | None:
    edits = as_one_call(model, found)
    if edits is None:
        return None
    return Rewrite(
        "Give the operation all images at once",
        edits,
        Applicability.UNSAFE,
        assumption=f"assumes that each row of `{excerpt(model, found.elements)}` is one image",
        unit=model.unit(found.call).qualname,
    )


def _rewrite(model: SemanticModel, rows: TensorRows) -> Rewrite | None:
    from .fix import as_vectorized_map

    edits = as_vectorized_map(model, rows)
    if edits is None:
        return None
    return Rewrite(
        "Map all rows at once",
        edits,
        Applicability.UNSAFE,
        assumption="every operation on a row can be vectorised",
        unit=model.unit(rows.call).qualname,
    )
