"""TXL601."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .detect import Unprefetched, unprefetched


class MissingPrefetch(Rule):
    """## What it does
    Finds batched datasets without `prefetch` that a training loop or `fit` goes through, where
    tf.data adds none by itself: the options switch that off, or the targeted TensorFlow is 2.9 or
    older.

    Left alone are pipelines whose stages are not all known, and those that run Python code.

    ## Why is this bad?
    The step waits while the next batch is made, and the pipeline rests while the step runs.

    Newer TensorFlow ends each pipeline in a `prefetch` of its own, and adding one changes nothing
    there: so the rule is off unless it is asked for.

    ## Example
    ```python
    import tensorflow as tf

    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False


    def train(model, images):
        data = tf.data.Dataset.from_tensor_slices(images).with_options(options).batch(32)
        model.fit(data)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False


    def train(model, images):
        data = tf.data.Dataset.from_tensor_slices(images).with_options(options).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(data)
    ```

    ## Fix safety
    The fix is unsafe: batches are made before they are asked for, so that a map that reads a
    variable sees an older value, and memory for some more batches is needed.

    ## References
    - [Better performance with the tf.data API: prefetching](https://www.tensorflow.org/guide/data_performance#prefetching)
    """

    code = "TXL601"
    name = "missing-prefetch"
    summary = "A training pipeline makes no batch ahead of time"
    level = Level.NOTE
    default = False
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the last stage of each such pipeline."""
        for found in unprefetched(model):
            because = (
                "the options keep tf.data from adding one"
                if found.switch is not None
                else "the targeted TensorFlow adds none"
            )
            message = (
                f"{found.reader.what} waits while the next batch is made: the pipeline has no "
                f"`prefetch`, and {because}"
            )
            evidence = [Evidence(found.reader.node, "goes through the pipeline")]
            if found.switch is not None:
                evidence.append(Evidence(found.switch, "switches tf.data's own prefetching off"))
            yield Report(found.stage.call, message, evidence, _rewrite(model, found))


def _rewrite(model: SemanticModel, found: Unprefetched) -> Rewrite | None:
    call = found.stage.call
    autotune = tensorflow_name(model, "data.AUTOTUNE", at=call)
    if autotune is None:
        return None
    code = model.code(call)
    return Rewrite(
        "Make batches ahead of time",
        [Replace(call, f"{code}.prefetch({autotune})")],
        Applicability.UNSAFE,
        assumption="no map reads a variable that training changes",
        unit=model.unit(call).qualname,
    )
