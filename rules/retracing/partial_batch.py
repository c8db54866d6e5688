"""TXL204."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.signatures import declares_signature
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.pipelines.partial_batches import PartialBatch, partial_batches
from tfxla_lint.semantics.retracing.declarable import signature_of_unit


class PartialBatchRule(Rule):
    """## What it does
    Finds datasets batched without `drop_remainder` that a loop feeds to a traced training step, or
    to one that `missing-tf-function` or `eager-loop-body` would have traced.

    ## Why is this bad?
    The last batch of each epoch is smaller unless the batch size divides the number of examples. It
    is another shape, so the step is traced a second time; a step with `jit_compile=True` is
    compiled a second time as well, which can take minutes (`xla-recompile` says so). The rule is off by
    default and its finding a note where nothing is compiled, since one more trace is a small price for
    seeing every example.

    Left alone are datasets known to divide, repeated before they are batched, or made by a
    generator, steps with an `input_signature` or to which the fix of those rules gives one, and
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
    default = False
    fixes = (Applicability.DISPLAY,)
    quiet_in_tests = True
    needs = ("@tensorflow", "@batches|batch_size", "for")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each `.batch` that leaves a remainder to a training step."""
        for partial in partial_batches(model):
            if partial.tracing is None and not _will_retrace(model, partial):
                continue
            assert isinstance(partial.batch.func, cst.Attribute)
            evidence = [Evidence(partial.loop, "this loop hands its batches to a training step")]
            if partial.step is not None:
                evidence.append(Evidence(partial.step, "the step"))
            rewrite = Rewrite(
                "Leave the last, smaller batch out",
                [InsertArgument(partial.batch, "drop_remainder=True")],
                Applicability.DISPLAY,
                assumption="the examples of the last batch are lost to each epoch",
                unit=model.unit(partial.batch).qualname,
            )
            level = Level.WARNING if partial.is_compiled else Level.NOTE
            message = _message(model, partial)
            yield Report(partial.batch.func.attr, message, evidence, rewrite, level)


def _message(model: SemanticModel, partial: PartialBatch) -> str:
    cause = "unless the batch size divides the number of examples, the last batch is smaller"
    if partial.step is None:
        return f"{cause}: the step of the loop, once traced, is traced a second time for it"
    name = excerpt(model, partial.step.func)
    if partial.is_compiled:
        return f"{cause}: XLA compiles `{name}` a second time for it"
    if partial.tracing is None:
        return f"{cause}: `{name}`, once traced, is traced a second time for it"
    return f"{cause}: `{name}` is traced a second time for it"


def _will_retrace(model: SemanticModel, partial: PartialBatch) -> bool:
    """Whether the step that is eager yet can be traced, and no signature would take all shapes."""
    if partial.step is not None:
        return all(signature_of_unit(model, c.unit) is None for c in model.callees(partial.step))
    from tfxla_lint.rewriting.hoist import hoist

    steps = (step for step in model.steps.loops if step.loop is partial.loop)
    rewrites = (hoist(model, step)[0] for step in steps)
    return any(rewrite is not None and not declares_signature(rewrite) for rewrite in rewrites)
