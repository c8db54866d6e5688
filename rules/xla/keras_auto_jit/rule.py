"""TXL409."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.findings import Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .detect import left_to_keras


class KerasAutoJit(Rule):
    """## What it does
    Notes `model.compile(...)` without `jit_compile`, for TensorFlow 2.16 and later, whose Keras is
    Keras 3. It is off unless it is selected: whether XLA helps is a choice that most programs leave
    to Keras.

    It says nothing where Keras does without XLA: with `run_eagerly`, with a distribution strategy,
    with op determinism, with layers that do not support it (`LSTM` and `GRU` on cuDNN, lookups of
    strings, random transformations), and where the program hides its GPUs.

    ## Why is this bad?
    `jit_compile` is `"auto"` by default: on a machine with a GPU, Keras compiles the training,
    test and prediction steps with XLA, on one without it does not. What the family `xla` says of
    compiled code then holds for the model: random numbers differ, checks vanish, every new batch
    shape is compiled, and the two machines compute different things.

    ## Example
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse", jit_compile=False)
    ```

    Or `jit_compile=True`, once it has been seen to compute the same and to be faster.

    ## References
    - [Model.compile](https://keras.io/api/models/model_training_apis/#compile-method)
    - [Migrating to Keras 3](https://keras.io/guides/migrating_to_keras_3/)
    """

    code = "TXL409"
    name = "keras-auto-jit"
    summary = "Keras 3 compiles the model with XLA on a GPU unless `jit_compile` says otherwise"
    level = Level.NOTE
    default = False
    needs = (".compile",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Note the calls that leave it open."""
        for call in left_to_keras(model):
            message = (
                "Keras 3 compiles this model with XLA where there is a GPU, and only there; "
                "`jit_compile` says whether it should"
            )
            yield Report(call, message)
