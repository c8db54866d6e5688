"""TXL314 frozen-summary."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.evidence import of_nodes, of_route
from tfxla_lint.findings import Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.frozen_summaries import frozen_summaries
from tfxla_lint.semantics.tracing.symbolic import running_traces


class FrozenSummary(Rule):
    """## What it does
    Finds summaries (`tf.summary.scalar` and its like) in traced code whose step is a Python number
    that changes: a global, a variable of an enclosing function, an attribute, or what
    `tf.summary.experimental.set_step` is given everywhere in the module.

    Steps that are a `tf.Variable` (`optimizer.iterations`) or an argument of the traced function
    are left alone, and so are constants.

    ## Why is this bad?
    Tracing reads a Python number once. Every later call writes its summary at the step of the first
    one, so that the whole curve falls on one point, and nothing fails. The same holds for a
    number, or a constant tensor, that is the default step.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def train_step(x):
        loss = tf.reduce_mean(tf.square(x))
        tf.summary.scalar("loss", loss)
        return loss

    with tf.summary.create_file_writer("logs").as_default():
        for i in range(100):
            tf.summary.experimental.set_step(i)
            train_step(tf.ones([4]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    step = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def train_step(x):
        loss = tf.reduce_mean(tf.square(x))
        tf.summary.scalar("loss", loss, step=step)
        return loss

    with tf.summary.create_file_writer("logs").as_default():
        for i in range(100):
            step.assign(i)
            train_step(tf.ones([4]))
    ```

    ## References
    - [tf.summary.scalar](https://www.tensorflow.org/api_docs/python/tf/summary/scalar)
    - [tf.summary.experimental.set_step](https://www.tensorflow.org/api_docs/python/tf/summary/experimental/set_step)
    """

    code = "TXL314"
    name = "frozen-summary"
    summary = "A summary in traced code is written at the step of the first call"
    level = Level.ERROR

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for found in frozen_summaries(model, unit):
                message = f"{found.step} is a Python number, which tracing reads once: "
                message += "every call writes this summary at the same step"
                sources = of_nodes(found.sources, "gives a Python number")
                yield Report(found.node, message, [*of_route(route), *sources])
