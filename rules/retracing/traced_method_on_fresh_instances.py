"""TXL206."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.measured import of_tracing
from tfxla_lint.semantics.model import SemanticModel

from .shared.fresh_objects import traced_methods
from .shared.measured_causes import made_again


class TracedMethodOnFreshInstances(Rule):
    """## What it does
    Finds calls of methods that are decorated with `tf.function`, on objects that each turn of a
    loop makes anew; with `--profile`, also methods that a recorded run traced for more than a
    handful of objects.

    Objects that are made once are left alone, and so are those that run a loop of steps themselves,
    such as an agent for each seed: they earn their trace.

    ## Why is this bad?
    A traced method has graphs of its own for each instance. A new object on every turn means that
    the method is traced on every turn and its graph is used once, which takes far longer than
    running it eagerly would.

    ## Example
    ```python
    import tensorflow as tf


    class Shift:
        def __init__(self, by):
            self.by = tf.constant(by)

        @tf.function
        def apply(self, x):
            return tf.sin(x) + self.by


    x = tf.ones([4])
    for step in range(100):
        shift = Shift(0.1)
        x = shift.apply(x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    class Shift:
        def __init__(self, by):
            self.by = tf.constant(by)

        @tf.function
        def apply(self, x):
            return tf.sin(x) + self.by


    x = tf.ones([4])
    shift = Shift(0.1)
    for step in range(100):
        x = shift.apply(x)
    ```

    Where the objects differ, hand what differs to one traced function as a tensor.

    ## References
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    """

    code = "TXL206"
    name = "traced-method-on-fresh-instances"
    summary = "A traced method is called on an object that each turn of a loop makes anew"
    level = Level.WARNING
    quiet_in_tests = True
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each call of a traced method of an object of the turn."""
        told: set[int] = set()
        for found in traced_methods(model):
            told.add(id(found.method))
            message = (
                f"`{found.method.qualname}` is traced for each instance, "
                f"and every turn of the loop makes {found.made.what}"
                f"{of_tracing(model, found.method)}"
            )
            evidence = [
                Evidence(found.made.loop, "the loop"),
                Evidence(found.made.node, "made here"),
                Evidence(found.tracing.node, "traced here"),
            ]
            at_stake = Retraced(found.method, found.call, is_each_time=True)
            yield Report(found.call.func, message, evidence, at_stake=at_stake)
        for unit, message in made_again(model, told):
            if isinstance(unit.node, cst.FunctionDef) and unit.is_method:
                yield Report(unit.node.name, message, at_stake=Retraced(unit, unit.node))
