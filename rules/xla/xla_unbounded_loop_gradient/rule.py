"""TXL408."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, InsertBefore, NodeEdit, Rewrite
from tfxla_lint.evidence import of_compiled
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .loop_gradients import LoopGradient, loop_gradients


class XlaUnboundedLoopGradient(Rule):
    """## What it does
    Finds gradients through a `while` on tensors, or a `tf.while_loop` without
    `maximum_iterations`, in code that XLA compiles.

    `for i in tf.range(n)`, `tf.scan` and `tf.map_fn` know the number of turns, also a `for` with a
    `break`; they are left alone, and so are loops whose gradient needs nothing of what they
    computed (sums, counters).

    ## Why is this bad?
    For the gradient, every turn keeps what it computed, and XLA has to know for how many turns it
    must find room: `InvalidArgumentError: XLA compilation requires a fixed tensor list size`. The
    function works without XLA, and with it as long as nothing asks for a gradient.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def slope(x: tf.Tensor):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, i = x, 0
            while i < 20 and y < 100.0:
                y = y * y
                i += 1
        return tape.gradient(y, x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def slope(x: tf.Tensor):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, i = x, 0
            while i < 20 and y < 100.0:
                tf.autograph.experimental.set_loop_options(maximum_iterations=20)
                y = y * y
                i += 1
        return tape.gradient(y, x)
    ```

    ## Fix safety
    Offered where the condition bounds the turns by a counter that starts at 0 and grows by 1. It
    corrects code that fails, and does not change what the loop computes.

    ## References
    - [tf.while_loop](https://www.tensorflow.org/api_docs/python/tf/while_loop)
    - [set_loop_options](https://www.tensorflow.org/api_docs/python/tf/autograph/experimental/set_loop_options)
    """

    code = "TXL408"
    name = "xla-unbounded-loop-gradient"
    summary = "XLA cannot compile the gradient of a loop whose number of turns nothing bounds"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", "jit_compile|experimental_compile")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such loop once."""
        for found in loop_gradients(model):
            message = (
                "XLA cannot compile the gradient of this loop: nothing bounds the number of its "
                "turns (`maximum_iterations`)"
            )
            gradient = Evidence(found.gradient, "the gradient is taken here")
            evidence = [gradient, *of_compiled(found.compiled)]
            yield Report(found.loop.node, message, evidence, _rewrite(model, found))


def _rewrite(model: SemanticModel, found: LoopGradient) -> Rewrite | None:
    loop, limit = found.loop.node, found.loop.limit
    if limit is None:
        return None
    bound = f"maximum_iterations={model.code(limit)}"
    edit: NodeEdit
    if isinstance(loop, cst.Call):
        edit = InsertArgument(loop, bound)
    else:
        name = tensorflow_name(model, "autograph.experimental.set_loop_options", at=loop)
        first = loop.body.body[0]
        if name is None or not isinstance(
            first, (cst.SimpleStatementLine, cst.BaseCompoundStatement)
        ):
            return None
        edit = InsertBefore(first, [cst.parse_statement(f"{name}({bound})")])
    return Rewrite(
        "Bound the number of turns",
        [edit],
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "the counter is not changed elsewhere",
        found.compiled.unit.qualname,
    )
