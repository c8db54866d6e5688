"""TXL402."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.evidence import of_compiled
from tfxla_lint.findings import Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.compiled import compiled_units
from tfxla_lint.semantics.model import SemanticModel

from .detect import dynamic_uses


class XlaDynamicShape(Rule):
    """## What it does
    Finds results whose shape depends on data (`tf.boolean_mask`, `x[mask]`, `tf.where` with one
    argument, `tf.unique`) where compiled code uses them in a way that XLA gets wrong: an element
    counted from the end, a roll, a running sum, an identity matrix of that size.

    The masks themselves compile, and most uses are right: sums, means, `v[:3]`, `tf.concat`, a
    gradient. They are left alone.

    ## Why is this bad?
    XLA compiles for the largest possible size and carries the true one beside it. Some operations
    look at the wrong one. `v[-1]` then returns padding, `tf.roll` rolls padding in, and
    `tf.ones_like(v)` has too many ones, all without a word; `v[::-1]` and `tf.split` are refused;
    `tf.cumsum` ends the process with a segmentation fault.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def last_positive(x):
        return tf.boolean_mask(x, x > 0)[-1]
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def last_positive(x):
        positive = tf.boolean_mask(x, x > 0)
        return tf.gather(positive, tf.size(positive) - 1)
    ```

    Or keep the shape and put a neutral value where the mask is false:
    `tf.cumsum(tf.where(x > 0, x, 0.0))`.

    ## References
    - [Known issues of XLA](https://www.tensorflow.org/xla/known_issues)
    - [Use XLA with tf.function](https://www.tensorflow.org/xla/tutorials/jit_compile)
    """

    code = "TXL402"
    name = "xla-dynamic-shape"
    summary = "Compiled code uses a result of data-dependent shape in a way that XLA gets wrong"
    level = Level.ERROR
    needs = ("@imported", "jit_compile|experimental_compile")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be compiled."""
        for compiled in compiled_units(model):
            for use in dynamic_uses(model, compiled.unit):
                message = f"a size depends on data here, and under XLA this {use.outcome}"
                source = Evidence(use.source, "the size depends on data here")
                yield Report(use.node, message, [source, *of_compiled(compiled)])
