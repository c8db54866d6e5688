"""TXL204."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.pipelines.partial_batches import partial_batches


class PartialBatchRule(Rule):
    """## What it does
    Finds datasets batched without `drop_remainder` that a loop feeds to a traced training step,
    itself or through functions that hand the batch on. A step that is eager yet is first to be traced
    (`missing-tf-function`, `eager-loop-body`).

    ## Why is this bad?
    The last batch of each epoch is smaller unless the batch size divides the number of examples. It
    is another shape, so the step is traced a second time; a step with `jit_compile=True` is
    compiled a second time as well, which can take minutes (`xla-recompile` says so). The
    finding is a note where nothing is compiled, since one more trace may be a fair price for seeing every
    example.

    Left alone are datasets known to divide, repeated before they are batched, or made by a
    generator, steps with an `input_signature`, and
    evaluation, which needs every example.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    data = tf.data.Dataset.from_tensor_slices((tf.ones([100, 8]), tf.ones([100, 1]))).batch(32)


    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        w.assign_sub(0.1 * tape.gradient(loss, w))


    for x, y in data:
        train_step(x, y)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    data = tf.data.Dataset.from_tensor_slices((tf.ones([100, 8]), tf.ones([100, 1])))
    data = data.shuffle(100).batch(32, drop_remainder=True)


    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        w.assign_sub(0.1 * tape.gradient(loss, w))


    for x, y in data:
        train_step(x, y)
    ```

    ## Fix safety
    The fix is shown and never applied: `drop_remainder=True` leaves the examples of the last batch
    out, in each epoch others if the dataset is shuffled.

    ## References
    - [`tf.data.Dataset.batch`](https://www.tensorflow.org/api_docs/python/tf/data/Dataset#batch)
    - [XLA: use static shapes](https://openxla.org/xla/tf2xla)
    """

    code = "TXL204"
    name = "partial-batch"
    summary = "The last batch of a dataset is smaller and makes a traced step trace again"
    level = Level.WARNING
    fixes = (Applicability.DISPLAY,)
    quiet_in_tests = True
    needs = ("@tensorflow", "@batches|batch_size", "for")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each `.batch` that leaves a remainder to a training step."""
        for partial in partial_batches(model):
            assert isinstance(partial.batch.func, cst.Attribute)
            evidence = [
                Evidence(partial.loop, "this loop hands its batches to a training step"),
                Evidence(partial.step, "the step"),
            ]
            rewrite = Rewrite(
                "Leave the last, smaller batch out",
                [InsertArgument(partial.batch, "drop_remainder=True")],
                Applicability.DISPLAY,
                assumption="the examples of the last batch are lost to each epoch",
                unit=model.unit(partial.batch).qualname,
            )
            level = Level.WARNING if partial.is_compiled else Level.NOTE
            name = excerpt(model, partial.step.func)
            again = (
                f"XLA compiles `{name}` a second time for it"
                if partial.is_compiled
                else f"`{name}` is traced a second time for it"
            )
            message = (
                "unless the batch size divides the number of examples, the last batch is smaller: "
                + again
            )
            yield Report(partial.batch.func.attr, message, evidence, rewrite, level)
