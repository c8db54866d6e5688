"""TXL303 frozen-python-value."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_nodes, of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from ..shared.keras_calls import left_to_keras
from .detect import FrozenValue, frozen_values

_MESSAGES = {
    "time": "`{name}` is read once, {when}, and is the same on every call",
    "random": "`{name}` draws once, {when}, and is the same on every call",
    "fresh": "`{name}` is made once, {when}, and is the same on every call",
}


class FrozenPythonValue(Rule):
    """## What it does
    Finds the time, Python's and NumPy's random numbers, and fresh names (`uuid`) in code that is
    proved to be traced: `time.time()`, `random.*`, `np.random.*`, `datetime.now()`. Random numbers
    are also found in the `call` of a layer or model that nothing is seen to run, and in what it calls:
    `fit` and functional models trace it.

    Seeds and names of ops are left alone, which are meant to be one per trace; so are the starting
    values of variables, what `__init__` and `build` do, what a test lets happen once
    (`if self.w is None`), and the bodies of `tf.py_function` and `tf.numpy_function`.

    ## Why is this bad?
    Python code in a `tf.function` runs while tracing. What it returns becomes a constant in the
    graph: every later call gets the same time, the same noise and the same coin flip. Nothing
    fails; augmentation that is the same for each image only trains a worse model.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf

    @tf.function
    def noisy(x):
        scaled = tf.cast(x, tf.float32)
        return scaled + np.random.normal(0.0, 0.1, size=(4, 3))
    ```

    ## Use instead
    ```python
    import numpy as np
    import tensorflow as tf

    @tf.function
    def noisy(x):
        scaled = tf.cast(x, tf.float32)
        return scaled + tf.random.normal((4, 3), mean=0.0, stddev=0.1)
    ```

    ## Fix safety
    The fix is unsafe: it changes what the code computes, as is meant, and takes the numbers from
    another generator with other seeds. There is one for `time.time()` in code that XLA does not
    compile, and for `np.random.uniform`, `normal`, `rand`, `randn` and their like with a size,
    both only where the tensor that takes the place has the type that its uses need.

    ## References
    - [Better performance with tf.function: executing Python side effects](https://www.tensorflow.org/guide/function#executing_python_side_effects)
    - [Random number generation](https://www.tensorflow.org/guide/random_numbers)
    - [tf.timestamp](https://www.tensorflow.org/api_docs/python/tf/timestamp)
    """

    code = "TXL303"
    name = "frozen-python-value"
    summary = "The time or a random number is frozen into the graph while tracing"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing|call")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced, and those that only Keras runs."""
        for unit, route in running_traces(model):
            for value in frozen_values(model, unit):
                message = _MESSAGES[value.kind].format(name=value.name, when="while tracing")
                rewrite = _rewrite(model, value, unit)
                yield Report(value.node, message, of_route(route), rewrite)
        for unit, call in left_to_keras(model):
            for value in frozen_values(model, unit):
                if value.kind == "random":
                    when = "when Keras traces `call`"
                    message = _MESSAGES[value.kind].format(name=value.name, when=when)
                    yield Report(value.node, message, of_nodes([call.node], "traced by `fit`"))


def _rewrite(model: SemanticModel, value: FrozenValue, unit: Unit) -> Rewrite | None:
    if value.kind == "time" and model.contexts.compiled(unit) is not None:
        return None
    from .fix import as_op

    edits = as_op(model, value)
    if edits is None:
        return None
    return Rewrite(
        "Compute the value in the graph",
        edits,
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "another value on each call is wanted, from TensorFlow's own generator",
        unit.qualname,
    )
