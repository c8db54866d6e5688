"""TXL309 stale-python-state."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces

from .detect import stale_reads
from .trainable import Unseen, unseen_settings


class StalePythonState(Rule):
    """## What it does
    Finds Python state that traced code reads and untraced code changes between its calls: global
    names, names of an enclosing function and attributes that hold numbers, strings, tensors or
    arrays and are rebound (or nobody knows what, and are calculated anew), and lists, dicts and
    arrays that are changed in place.

    The change has to be proved to come between two calls: a loop runs both, or the change stands
    between two equal calls. Variables, models and other objects that TensorFlow tracks are left
    alone, and so are functions that are made anew on each turn, and what `__init__` sets.

    Of Keras, `trainable` is such state: what is set between two trainings of a model, without another
    `compile`, and a model that is frozen for good between `compile` and its first training, where
    Keras is Keras 3.

    ## Why is this bad?
    `tf.function` reads Python state while it traces. The value becomes a constant of the graph, and
    later changes go unseen: a learning rate that decays in Python stays at its first value, a step
    counter in an optimizer written by hand stays at one. Nothing fails.

    Keras reads `trainable` when it traces the first training, and keeps that until the next `compile`.
    In the way that GANs were written for Keras 2 (compile the discriminator, freeze it, compile
    what stands on it) the discriminator is frozen when it is first trained, and with Keras 3
    learns nothing. Set `trainable` to what each model needs before each training, or write a
    `train_step` (https://keras.io/examples/generative/dcgan_overriding_train_step/).

    ## Example
    ```python
    import tensorflow as tf

    rate = 0.1
    weight = tf.Variable(4.0)

    @tf.function
    def step():
        weight.assign_sub(rate * weight)

    for epoch in range(10):
        step()
        rate *= 0.5
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    rate = tf.Variable(0.1)
    weight = tf.Variable(4.0)

    @tf.function
    def step():
        weight.assign_sub(rate * weight)

    for epoch in range(10):
        step()
        rate.assign(rate * 0.5)
    ```

    Or pass the value as an argument, as a tensor: a Python number would be traced anew each time.

    ## References
    - [Better performance with tf.function: changing Python global and free variables](https://www.tensorflow.org/guide/function#changing_python_global_and_free_variables)
    - [Better performance with tf.function: depending on Python objects](https://www.tensorflow.org/guide/function#depending_on_python_objects)
    """

    code = "TXL309"
    name = "stale-python-state"
    summary = "Traced code keeps the first value of Python state that the program changes later"
    level = Level.ERROR
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for found in stale_reads(model, unit, route):
                message = f"`{found.text}` is read while tracing, and keeps the value that it has "
                message += f"then; `{unit.name}` is traced"
                evidence = [
                    Evidence(found.change, "changed here"),
                    Evidence(found.call, "and run here, with the old value"),
                    *of_route(route),
                ]
                yield Report(found.node, message, evidence)
        for unseen in unseen_settings(model):
            yield _unseen(model, unseen)


def _unseen(model: SemanticModel, unseen: Unseen) -> Report:
    holder = model.code(unseen.training.func).rpartition(".")[0]
    if unseen.earlier is None:
        message = (
            f"`{holder}` is frozen before its first training, and learns nothing: Keras 3 reads "
        )
        message += "`trainable` there, not in `compile`"
        return Report(unseen.training, message, [Evidence(unseen.setting, "frozen here")])
    message = (
        f"`{model.code(unseen.setting)}` has no effect on the next training of `{holder}`: Keras "
    )
    message += "reads it when that is first trained after `compile`"
    evidence = [
        Evidence(unseen.earlier, "trained here"),
        Evidence(unseen.training, "and here, without a `compile` between"),
    ]
    return Report(unseen.setting, message, evidence)
