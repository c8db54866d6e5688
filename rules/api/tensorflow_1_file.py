"""TXL506."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .shared.eras import tensorflow_1

_SHOWN = 3


class TensorFlow1File(Rule):
    """## What it does
    Says once that a file is TensorFlow 1: that it calls `disable_v2_behavior` or
    `disable_eager_execution`, or that placeholders, sessions, variable scopes and the like make
    up most of what it uses of TensorFlow. All other findings of the families 1 to 6 are then
    withheld for this file.

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

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the file once, at what shows it best."""
        era = tensorflow_1(model)
        if era is None:
            return
        if era.switch is not None:
            name = model.code(era.switch.func)
            message = f"`{name}` turns TensorFlow 2 off"
            yield Report(era.switch, message + _REST, covers=[model.module])
            return
        first, *others = sorted(era.places, key=lambda place: model.span(place.node).start)
        name = model.code(first.node)
        message = f"this file is TensorFlow 1 (`{name}`" + _more(len(others))
        evidence = [Evidence(place.node, "TensorFlow 1") for place in others[:_SHOWN]]
        yield Report(first.node, message + _REST, evidence, covers=[model.module])


def _more(count: int) -> str:
    return f" and {count} more)" if count else ")"


_REST = ", so findings about TensorFlow 2 code are withheld"
