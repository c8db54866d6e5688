"""TXL205."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.measured import of_tracing
from tfxla_lint.semantics.model import SemanticModel

from .detect import fresh_arguments


class FreshObjectArgument(Rule):
    """## What it does
    Finds arguments of traced functions that each turn of a loop makes anew: lambdas and nested
    functions, layers, optimizers, losses, tapes, instances of classes without `__eq__`, and lists
    of Python numbers that hold other numbers each time.

    Objects that are made once, or under a condition, are left alone, and so are tensors, arrays,
    variables and datasets, of which only shape and dtype count.

    ## Why is this bad?
    `tf.function` tells such objects apart by identity, and lists of Python numbers by their
    contents. Every new one is traced again, which takes far longer than running the function
    eagerly would, and the graphs of all of them are kept.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable(1.0)


    @tf.function
    def descend(loss):
        with tf.GradientTape() as tape:
            value = loss(w)
        w.assign_sub(0.1 * tape.gradient(value, w))


    for step in range(1000):
        descend(lambda v: tf.square(v - 3.0))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable(1.0)


    @tf.function
    def descend(loss):
        with tf.GradientTape() as tape:
            value = loss(w)
        w.assign_sub(0.1 * tape.gradient(value, w))


    def loss(v):
        return tf.square(v - 3.0)


    for step in range(1000):
        descend(loss)
    ```

    Pass numbers as one tensor, `tf.constant(numbers)`.

    ## References
    - [Better performance with tf.function: rules of tracing](https://www.tensorflow.org/guide/function#rules_of_tracing)
    """

    code = "TXL205"
    name = "fresh-object-argument"
    summary = "An object that is made for each call is passed to a traced function"
    level = Level.WARNING
    quiet_in_tests = True
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each argument that is another one on every turn."""
        for fresh in fresh_arguments(model):
            name = model.code(fresh.traced.call.func)
            message = f"this is {fresh.made.what} on every turn of a loop: `{name}` is traced again"
            evidence = [Evidence(fresh.made.loop, "the loop")]
            if fresh.made.node is not fresh.argument.value:
                evidence.append(Evidence(fresh.made.node, "made here"))
            evidence.append(Evidence(fresh.traced.tracing.node, "traced here"))
            measured = of_tracing(model, fresh.traced.unit)
            at_stake = Retraced(fresh.traced.unit, fresh.traced.call, is_each_time=True)
            message += f" for each of them{measured}"
            yield Report(fresh.argument.value, message, evidence, at_stake=at_stake)
