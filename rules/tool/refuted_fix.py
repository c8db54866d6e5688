"""TXL003 refuted-fix."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.findings import Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel


class RefutedFix(Rule):
    """
    ## What it does

    With `--verify`, reports a fix that computes something else than the original when both are
    run on TensorFlow. The message names the first value that differs, on both sides. The fix is
    withdrawn: the file keeps its code there.

    ## Why is this bad?

    Something that the linter takes for granted does not hold in this code: a Python value that
    changes between calls, an object that is shared, a result whose type matters. A rewrite by
    hand along the same lines would go wrong in the same way.

    ## Example

    ```python
    import tensorflow as tf

    counts = {"steps": 0}
    weights = tf.Variable(tf.ones([4, 1]))


    def step(x):
        counts["steps"] += 1
        weights.assign_sub(tf.reduce_mean(x, axis=0)[:, None] / counts["steps"])


    for _ in range(100):
        step(tf.random.normal([8, 4]))
    ```

    A `@tf.function` on `step` would keep dividing by 1. If a fix proposed that, running both
    versions would show it.

    ## References

    - [TensorFlow: better performance with tf.function](https://www.tensorflow.org/guide/function)
    """

    code = "TXL003"
    name = "refuted-fix"
    summary = "A fix that computes something else when it is run"
    level = Level.WARNING

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Yield nothing: only running both versions shows it."""
        return iter(())
