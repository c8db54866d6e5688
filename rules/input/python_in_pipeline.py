"""TXL603."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel

from .shared.python_stages import PythonStage, python_stages
from .shared.stages import elements_at


class PythonInPipeline(Rule):
    """## What it does
    Finds `tf.py_function`, `tf.numpy_function` and `Dataset.from_generator` that run Python for
    each single element of a pipeline which `fit` or a training loop goes through.

    Python that makes whole batches, whose results `cache` or `snapshot` keeps, or of which `take`
    wants a few only, is left alone.

    ## Why is this bad?
    Python runs under one lock, the one that the training loop needs as well, so that
    `num_parallel_calls` speeds up only what waits for files. Each element costs about a tenth of a
    millisecond before the function itself does anything: more than many steps take for it. The
    graph can't be moved to another process either.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf


    def scale(row):
        return np.float32(row / 255.0)


    def train(model, rows):
        data = tf.data.Dataset.from_tensor_slices(rows)
        data = data.map(lambda row: tf.numpy_function(scale, [row], tf.float32))
        model.fit(data.batch(32))
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    def scale(row):
        return tf.cast(row, tf.float32) / 255.0


    def train(model, rows):
        data = tf.data.Dataset.from_tensor_slices(rows)
        model.fit(data.map(scale).batch(32))
    ```

    Where TensorFlow has no such operation: put `cache` after it, write the results to TFRecord
    files once, or make whole batches in Python.

    ## References
    - [tf.data: applying arbitrary Python logic](https://www.tensorflow.org/guide/data#applying_arbitrary_python_logic)
    - [`tf.data.Dataset.from_generator`](https://www.tensorflow.org/api_docs/python/tf/data/Dataset#from_generator)
    """

    code = "TXL603"
    name = "python-in-pipeline"
    summary = "A training pipeline runs Python for each single element"
    level = Level.NOTE
    quiet_in_tests = True
    needs = ("@tensorflow", ".py_function|.numpy_function|.py_func|.from_generator")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each stage that does."""
        for found in python_stages(model):
            evidence = [Evidence(reader.node, "trains on it") for reader in found.readers]
            runs = found.calls[0].func if found.calls else found.stage.call.func
            node = runs
            if not model.is_own(runs):
                node = found.stage.call.func
                evidence.append(Evidence(runs, "runs Python here"))
            elif found.calls:
                evidence.append(Evidence(found.stage.call, "mapped here"))
            kind = "python_element" if found.calls else "generated_element"
            at_stake = elements_at(model, found.stage, found.readers, kind, None)
            yield Report(node, _message(model, runs, found), evidence, at_stake=at_stake)


def _message(model: SemanticModel, node: cst.CSTNode, found: PythonStage) -> str:
    reader = "`fit`" if isinstance(found.readers[0].node, cst.Call) else "the training loop"
    name = excerpt(model, node).rpartition(".")[2]
    remedy = (
        "yield whole batches"
        if not found.calls
        else "use TensorFlow operations, or `cache` what stays the same"
    )
    return (
        f"`{name}` runs Python for each element, under the lock that {reader} needs too, before "
        f"the batches are made; {remedy}"
    )
