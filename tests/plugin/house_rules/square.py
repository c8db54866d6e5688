"""HSE001 square-by-power."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel


class SquareByPower(Rule):
    """Squares that are computed as powers.

    ## What it does
    Finds `tf.pow(x, 2)`.

    ## Why is this bad?
    `tf.square` says what is meant, and multiplies once.

    ## Example
    ```python
    import tensorflow as tf

    y = tf.pow(tf.ones([3]), 2)
    ```

    ## Use instead
    `tf.square(x)`.

    ## Fix safety
    The fix is safe.
    """

    code = "HSE001"
    name = "square-by-power"
    summary = "A square is computed as a power"
    level = Level.NOTE
    fixes = (Applicability.SAFE,)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each call of `tf.pow` with the exponent 2."""
        for call in model.nodes(cst.Call):
            if model.names.one(call.func) != "tensorflow.pow" or len(call.args) != 2:
                continue
            base, exponent = call.args
            is_plain = not any(arg.keyword or arg.star for arg in call.args)
            if is_plain and model.value(exponent.value).constant == 2:
                edits = [Replace(call, f"tf.square({model.code(base.value)})")]
                rewrite = Rewrite("Write `tf.square`", edits, Applicability.SAFE)
                yield Report(call, "`tf.pow(x, 2)` is `tf.square(x)`", rewrite=rewrite)
