"""TXL108."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertBefore, Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Dear
from tfxla_lint.semantics.model import SemanticModel

from .detect import Restart, restarts
from .fix import anchor_of, moved_ahead


class IteratorInLoop(Rule):
    """## What it does
    Finds datasets that each turn of a step loop starts again (`next(iter(ds))`,
    `next(ds.as_numpy_iterator())`, `for x in ds.take(1)`), and datasets that each turn builds anew
    from the same arrays. Loops of epochs, which go through a dataset once a turn, are left alone,
    and so is what depends on the turn.

    ## Why is this bad?
    A new iterator sets up the whole pipeline, with its threads and its shuffle buffer, to read one
    element of it. And it begins at the front: a dataset that is not shuffled yields the same batch
    each time, so the loop trains on one batch only.

    ## Example
    ```python
    import tensorflow as tf

    images = tf.data.Dataset.from_tensor_slices(tf.ones([64, 8])).batch(16)
    total = tf.zeros([])
    for step in range(100):
        batch = next(iter(images))
        total += tf.reduce_sum(batch)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    images = tf.data.Dataset.from_tensor_slices(tf.ones([64, 8])).batch(16)
    total = tf.zeros([])
    batch = next(iter(images))
    for step in range(100):
        total += tf.reduce_sum(batch)
    ```

    Or, where a new batch is wanted each time, `for batch in images.repeat().take(100)`.

    ## Fix safety
    The fix moves the construction of the dataset, or the one batch that every turn reads, in front
    of the loop. It is unsafe: it keeps what the program does now, which is seldom what was meant.
    Where the elements may differ from start to start (a shuffled dataset, files, a `map`), the fix
    is shown and not applied: one iterator that goes on gives other batches.

    ## References
    - [tf.data: build TensorFlow input pipelines](https://www.tensorflow.org/guide/data)
    """

    code = "TXL108"
    name = "iterator-in-loop"
    summary = "Each turn of a loop starts a dataset again, or builds it anew"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE, Applicability.DISPLAY)
    quiet_in_tests = True
    needs = ("@tensorflow", "for|while", "iter|take|as_numpy_iterator|data")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each start and each construction that a step loop repeats."""
        for restart in restarts(model):
            evidence = [Evidence(restart.loop, "the loop")]
            route = model.contexts.eager(model.unit(restart.node))
            if route is not None and not model.loops.around(restart.node, model.unit(restart.node)):
                evidence += [Evidence(call, "called here") for call in route.calls]
            yield Report(
                restart.node,
                _message(model, restart),
                evidence,
                _rewrite(model, restart),
                at_stake=Dear(restart.node, "dataset_begun", "nothing"),
            )


def _message(model: SemanticModel, restart: Restart) -> str:
    text = model.code(restart.node).strip()
    if restart.is_made:
        return "each turn of the loop builds this dataset anew, from the same data"
    message = f"`{text}` sets up the dataset's pipeline on every turn of the loop"
    if restart.is_steady:
        message += ", and yields its first element each time"
    return message


def _rewrite(model: SemanticModel, restart: Restart) -> Rewrite | None:
    """Move the dataset or its first batch ahead; where starts differ, show one iterator."""
    assign = model.parent(restart.node)
    unit = model.unit(restart.node).qualname
    if isinstance(assign, cst.Assign) and (restart.is_made or restart.is_steady):
        what = "dataset" if restart.is_made else "batch"
        edits = moved_ahead(model, assign, restart.loop)
        is_same = restart.is_steady and (restart.is_made or not restart.gives_arrays)
        use = Applicability.UNSAFE if is_same else Applicability.DISPLAY
        assumption = f"every turn is meant to use the same {what}"
        title = f"Make the {what} once, in front of the loop"
        return Rewrite(title, edits, use, assumption=assumption, unit=unit) if edits else None
    anchor = anchor_of(model, restart.dataset)
    if anchor is None or restart.is_made or isinstance(model.parent(restart.node), cst.For):
        return None
    name = free_name(model, "batches")
    text = model.code(restart.dataset)
    line = cst.ensure_type(
        cst.parse_statement(f"{name} = iter({text}.repeat())"), cst.SimpleStatementLine
    )
    return Rewrite(
        "Go on with one iterator",
        [InsertBefore(anchor, [line]), Replace(restart.node, f"next({name})")],
        Applicability.DISPLAY,
        assumption="batches are meant to be drawn one after the other",
        unit=unit,
    )
