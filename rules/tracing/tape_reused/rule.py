"""TXL311."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, InsertBefore, NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .tapes import (
    Reuse,
    Tape,
    repeating,
    reuses,
    simple_tapes,
    unwatched_sources,
)


class TapeReused(Rule):
    """## What it does
    Finds gradient tapes that are asked for gradients more than once on one path though they are
    not persistent, and tapes that are asked for the gradient by a constant that they do not watch.

    A tape is left alone where it is handed on, reset or entered again, where its calls stand in
    branches that exclude each other, and where each turn of a loop has its own tape. Tapes inside
    of other tapes are different tapes, and so are those that one name holds one after the other. A
    call that may be there to fail (`try`, `with pytest.raises(...)`, also around the function), or
    whose result is compared with None, is left alone.

    ## Why is this bad?
    A tape frees what it has recorded when `gradient`, `jacobian` or `batch_jacobian` is called. The
    second call raises `RuntimeError: A non-persistent GradientTape can only be used to compute one
    set of gradients (or jacobians)`.

    A tape watches trainable variables by itself, but no constants: without `tape.watch(x)` the
    gradient by a constant `x` is None.

    ## Example
    ```python
    import tensorflow as tf

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        z = y * y
    dz_dx = tape.gradient(z, x)
    dy_dx = tape.gradient(y, x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = y * y
    dz_dx = tape.gradient(z, x)
    dy_dx = tape.gradient(y, x)
    ```

    Or ask once, `tape.gradient([z, y], x)`, where the sum of the gradients is wanted.

    ## Fix safety
    The fix corrects code that fails, and is unsafe: it makes the tape persistent, which keeps what
    it recorded in memory until the tape is dropped, or makes it watch the constant. Where one set
    of gradients was meant, remove the second call instead.

    ## References
    - [Introduction to gradients: getting a gradient of `None`](https://www.tensorflow.org/guide/autodiff)
    - [tf.GradientTape](https://www.tensorflow.org/api_docs/python/tf/GradientTape)
    """

    code = "TXL311"
    name = "tape-reused"
    summary = "A gradient tape is asked for what it no longer has, or never watched"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", ".GradientTape")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at every non-persistent tape whose uses are all known."""
        for tape in simple_tapes(model):
            reused = reuses(model, tape)
            if reused:
                yield _reused(model, tape, reused)
            for call, source in unwatched_sources(model, tape):
                yield _unwatched(tape, call, source)


def _reused(model: SemanticModel, tape: Tape, reused: list[Reuse]) -> Report:
    first, second = reused[0].first, reused[0].second
    name = tape.name.value
    evidence = [Evidence(tape.call, f"`{name}` is not persistent")]
    if first is second:
        message = f"`{name}` is used up in the first turn of the loop and asked again in the next"
        loop = repeating(model, tape, first)
        if loop is not None:
            evidence.append(Evidence(_head(loop), "asked again on each turn"))
    else:
        message = f"`{name}` has been used up when it is asked again"
        evidence.append(Evidence(first, "used up by this call"))
    later = [r.second for r in reused[1:] if r.second is not second]
    evidence += [Evidence(call, "asked again") for call in dict.fromkeys(later)]
    return Report(second, message, evidence, _persistent(tape))


def _head(loop: cst.CSTNode) -> cst.CSTNode:
    if isinstance(loop, cst.For):
        return loop.target
    return loop.test if isinstance(loop, cst.While) else loop


def _persistent(tape: Tape) -> Rewrite:
    edit: NodeEdit = InsertArgument(tape.call, "persistent=True")
    if tape.call.args:
        first = tape.call.args[0]
        if first.keyword is None or first.keyword.value == "persistent":
            edit = Replace(first.value, "True")
    return Rewrite(
        "Make the tape persistent",
        [edit],
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "all the gradients are wanted, at the price of keeping what the tape recorded",
    )


def _unwatched(tape: Tape, call: cst.Call, source: cst.Name) -> Report:
    message = f"`{source.value}` is a constant that the tape does not watch: this gradient is None"
    evidence = [Evidence(tape.call, "watches trainable variables only")]
    rewrite = None
    first = tape.statement.body.body[0]
    if isinstance(first, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        watch = cst.parse_statement(f"{tape.name.value}.watch({source.value})")
        rewrite = Rewrite(
            f"Watch `{source.value}`",
            [InsertBefore(first, [watch])],
            Applicability.UNSAFE,
            Intent.CORRECTING,
            f"the gradient by `{source.value}` is wanted",
        )
    return Report(call, message, evidence, rewrite)
