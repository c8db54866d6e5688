"""TXL112."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Rows
from tfxla_lint.semantics.model import SemanticModel

from .detect import (
    RowGradient,
    head_of,
    is_single_source,
    recorded_before,
    row_gradients,
)


class GradientPerRow(Rule):
    """## What it does
    Finds loops and comprehensions that ask a tape for the gradient of one row of a tensor after
    the other, by the same sources: `tape.gradient(y[i], x)`.

    A few rows, gradients of separate losses in a Python list, and gradients of each row by sources
    of its own are left alone.

    ## Why is this bad?
    Each call walks back through everything that the tape recorded, so that n rows take n times as
    long. `tape.jacobian(y, x)` goes back once, for all rows together, and `tape.batch_jacobian`
    where each row depends on its own row of `x` only.

    ## Example
    ```python
    import tensorflow as tf

    x = tf.Variable(tf.ones([20]))
    with tf.GradientTape(persistent=True) as tape:
        y = tf.square(x)
        jacobian = tf.stack([tape.gradient(y[i], x) for i in range(y.shape[0])])
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    x = tf.Variable(tf.ones([20]))
    with tf.GradientTape(persistent=True) as tape:
        y = tf.square(x)
        jacobian = tape.jacobian(y, x)
    ```

    ## Fix safety
    The fix puts `tape.jacobian` in the place of the loop, where the gradients of all the numbers
    of a vector are stacked in order. It is unsafe: sums in another order differ by rounding, and
    an operation that cannot be vectorised makes `jacobian` fail until it is told
    `experimental_use_pfor=False`.

    ## References
    - [Advanced automatic differentiation: Jacobians](https://www.tensorflow.org/guide/advanced_autodiff)
    """

    code = "TXL112"
    name = "gradient-per-row"
    summary = "The rows of a Jacobian are taken by one gradient after the other"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@imported", ".gradient", "for")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each gradient of the row of a turn."""
        for gradient in row_gradients(model):
            turning = gradient.turning
            head = turning if isinstance(turning, cst.For) else turning.iter
            code = model.code
            message = (
                f"the tape goes back once for each slice of `{code(gradient.tensor)}`; "
                "`jacobian` goes back once for all of them"
            )
            evidence = [Evidence(head, "once for each of these")]
            yield Report(
                gradient.call,
                message,
                evidence,
                _rewrite(model, gradient),
                at_stake=_at_stake(model, gradient),
            )


def _at_stake(model: SemanticModel, gradient: RowGradient) -> Rows | None:
    """What the tape recorded, through which each row goes back."""
    recorded = recorded_before(model, gradient)
    if not recorded:
        return None
    return Rows(recorded, head_of(gradient), gradient.count, is_backward=True)


def _rewrite(model: SemanticModel, gradient: RowGradient) -> Rewrite | None:
    if not gradient.is_whole or not is_single_source(model, gradient):
        return None
    from .fix import as_jacobian

    edits = as_jacobian(model, gradient)
    if not edits:
        return None
    return Rewrite(
        "Take the Jacobian",
        edits,
        Applicability.UNSAFE,
        assumption="every operation between the sources and the rows can be vectorised",
        unit=model.unit(gradient.call).qualname,
    )
