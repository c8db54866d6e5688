"""TXL506."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .shared.eras import Era, tensorflow_1
from .shared.target import label

_SHOWN = 3
_OLDEST = (1, 0)


class TensorFlow1File(Rule):
    """## What it does
    Says once that a file is TensorFlow 1: that the project requires nothing newer, that the file
    calls `disable_v2_behavior` or `disable_eager_execution`, that placeholders, sessions, variable
    scopes and the like make up most of what it uses of TensorFlow, or that it has old names and
    most files of the project that it is used with are TensorFlow 1. All other findings of the
    families 1 to 6 are then withheld for this file. A project gets one line for all its files;
    `-v` lists each.

    What `tf.compat.v1` has that works without a graph too (optimizers, losses, `get_variable`)
    does not make a file of TensorFlow 2 one of TensorFlow 1.

    ## Why is this bad?
    Such a file builds graphs by hand. Nothing in it runs op by op, so advice about `tf.function`,
    tracing and XLA would be beside the point, and each name that TensorFlow 2 lacks is a
    consequence of the one decision to migrate or not. Without `tf.compat.v1` it does not run on
    TensorFlow 2 at all; with it, it runs as it always did.

    ## Example
    ```python
    import tensorflow as tf

    a = tf.placeholder(tf.float32)
    b = tf.placeholder(tf.float32)
    total = a + b

    with tf.Session() as session:
        print(session.run(total, feed_dict={a: 1.0, b: 2.0}))
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    @tf.function
    def add(a, b):
        return a + b


    print(add(tf.constant(1.0), tf.constant(2.0)))
    ```

    ## References
    - [Migrate to TensorFlow 2](https://www.tensorflow.org/guide/migrate)
    - [TF1.x vs TF2: behaviours](https://www.tensorflow.org/guide/migrate/tf1_vs_tf2)
    """

    code = "TXL506"
    name = "tensorflow-1-file"
    summary = "The file is TensorFlow 1; its other findings are withheld"
    level = Level.NOTE
    withholds_others = True
    gathered = "files of TensorFlow 1"
    is_of_project = True
    needs = ("@imported",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the file once, at what shows it best."""
        era = tensorflow_1(model)
        if era is None:
            return
        first, *others = sorted(era.places, key=lambda place: model.span(place).start)
        evidence = [Evidence(place, "TensorFlow 1") for place in others[:_SHOWN]]
        message = _message(model, era, first, len(others))
        yield Report(first, message + _REST, evidence, covers=[model.module])


def _message(model: SemanticModel, era: Era, first: cst.CSTNode, more: int) -> str:
    if era.by == "project":
        return f"the project requires TensorFlow {label(model.tf_version or _OLDEST)}"
    if isinstance(first, cst.Call) and era.by == "switch":
        return f"`{model.code(first.func)}` turns TensorFlow 2 off"
    what = "this file" if era.by == "file" else "this file, like most that it is used with,"
    others = f" and {more} more" if more else ""
    return f"{what} is TensorFlow 1 (`{model.code(first)}`{others})"


_REST = ", so findings about TensorFlow 2 code are withheld"
