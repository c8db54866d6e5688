"""TXL314 frozen-summary."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.evidence import of_nodes, of_route
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces

from .detect import frozen_summaries


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

    @tf.function
    def train_step(x):
        loss = tf.reduce_mean(tf.square(x))
        tf.summary.scalar("loss", loss)
        return loss

    with tf.summary.create_file_writer("logs").as_default():
        summary_step = tf.Variable(0, dtype=tf.int64)
        tf.summary.experimental.set_step(summary_step)
        for i in range(100):
            summary_step.assign(i)
            train_step(tf.ones([4]))
    ```

    Or pass `step=` a tensor that is an argument of the traced function.

    ## Fix safety
    The fix makes a variable the default step, ahead of the loop, and assigns to it where the loop
    called `set_step`. It is offered where that is the only call of it, in loops that run once. It
    is unsafe: it changes what is written, as is meant, and code elsewhere that asks for the default
    step gets the variable.

    ## References
    - [tf.summary.scalar](https://www.tensorflow.org/api_docs/python/tf/summary/scalar)
    - [tf.summary.experimental.set_step](https://www.tensorflow.org/api_docs/python/tf/summary/experimental/set_step)
    """

    code = "TXL314"
    name = "frozen-summary"
    summary = "A summary in traced code is written at the step of the first call"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing", ".summary")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for found in frozen_summaries(model, unit):
                message = f"{found.step} is a Python number, which tracing reads once: "
                message += "every call writes this summary at the same step"
                sources = of_nodes(found.sources, "gives a Python number")
                evidence = [*of_route(route), *sources]
                setter = found.sources[0] if len(found.sources) == 1 else None
                from .fix import step_in_variable

                rewrite = step_in_variable(model, setter) if setter is not None else None
                yield Report(found.node, message, evidence, rewrite)
