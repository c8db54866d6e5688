"""TXL301 eager-only-call."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.effects.eager_only import eager_only_calls, symbolic_argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces


class EagerOnlyCall(Rule):
    """## What it does
    Finds calls that only work eagerly in code that is traced: `.numpy()`, `.item()` and
    `.tolist()` of a tensor, `fit`, `predict`, `evaluate` and the like of a Keras model,
    `tf.config` functions that change settings, and operations whose `name` is no name: in
    `tf.sqrt(x, 2)` it is the 2, which eager execution ignores. It finds symbolic tensors of Keras,
    too, that the building of a model hands to a `tf.function`.

    Code counts as traced where that is proved: it is decorated with or wrapped by `tf.function`,
    mapped over a dataset, a `train_step` that Keras runs, or called from such code. A value that
    the trace captures from outside may be read (`.numpy()` of an eager constant works), and so may
    anything in `tf.init_scope` or in the body of a `tf.py_function`.

    ## Why is this bad?
    While `tf.function` traces, a tensor is a place in a graph and has no value yet, so `.numpy()`
    raises `AttributeError` or `NotImplementedError`. `model.predict` and its kin run a Python loop
    that makes datasets and callbacks, which a graph can't hold. A `tf.config` call takes effect
    while tracing and never again. An operation of a graph needs a name, a text without blanks or
    colons: anything else raises `TypeError` or `ValueError`.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def step(x):
        loss = tf.reduce_mean(tf.square(x))
        return loss.numpy()
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def step(x):
        return tf.reduce_mean(tf.square(x))

    loss = step(tf.ones([4])).numpy()
    ```

    ## References
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    - [Introduction to graphs and tf.function](https://www.tensorflow.org/guide/intro_to_graphs)
    """

    code = "TXL301"
    name = "eager-only-call"
    summary = "A call that only works eagerly stands in traced code"
    level = Level.ERROR
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for call in eager_only_calls(model, unit):
                yield Report(
                    call.node,
                    f"{call.name} {call.why}; `{unit.name}` is traced",
                    of_route(route),
                )
        for node in model.nodes(cst.Call):
            traced = [edge for edge in model.calls.at(node) if edge.tracing is not None]
            given = symbolic_argument(model, traced[0]) if len(traced) == 1 else None
            if given is not None and traced[0].tracing is not None:
                message = (
                    f"`{model.code(given)}` is a symbolic tensor of Keras, which no trace takes; "
                    f"`{traced[0].callee.name}` is traced"
                )
                yield Report(given, message, [Evidence(traced[0].tracing.node, "traced by this")])
