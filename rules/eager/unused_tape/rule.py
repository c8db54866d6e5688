"""TXL109."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_nodes
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.cost.at_stake import Recorded
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.plain import not_plain
from tfxla_lint.semantics.syntax import block_statements

from .detect import UnusedTape, unused_tapes
from .fix import without_with


class UnusedTapeRule(Rule):
    """## What it does
    Finds gradient tapes that record and are then never asked for a gradient, on no path.

    Tapes that are handed on (`optimizer.minimize(loss, variables, tape=tape)`), returned, stored,
    or asked anything else than to watch are left alone, and so are tapes around or inside of other
    tapes.

    ## Why is this bad?
    A tape keeps every intermediate result of what it records in memory, and slows each operation
    down. If no gradient is wanted, as in an evaluation step that was copied from a training step,
    that is for nothing. As likely the gradient and the update have been forgotten, and the code
    trains nothing at all.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable([[1.0], [2.0]])


    def validate(x, y):
        with tf.GradientTape() as tape:
            error = x @ w - y
            loss = tf.reduce_mean(tf.square(error))
        return loss
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable([[1.0], [2.0]])


    def validate(x, y):
        error = x @ w - y
        loss = tf.reduce_mean(tf.square(error))
        return loss
    ```

    ## Fix safety
    The fix drops the `with` and dedents its block, which computes the same: it is safe where
    something that the block computes is used behind it, what the tape watches are tensors (it
    refuses anything else), the block runs no traced function (under a tape that is another graph, which draws
    other numbers), and nothing in the program may find the tape without naming it: by
    frames, namespaces, the garbage collector, or a library that is not known. Where nothing is used,
    the gradient may have been forgotten; the fix is unsafe then.

    ## References
    - [Introduction to gradients and automatic differentiation](https://www.tensorflow.org/guide/autodiff)
    """

    code = "TXL109"
    name = "unused-tape"
    summary = "A gradient tape records for nothing: no gradient is ever taken from it"
    level = Level.WARNING
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    quiet_in_tests = True
    needs = ("@imported", ".GradientTape")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each tape that nothing asks for a gradient."""
        for tape in unused_tapes(model):
            name = f"`{tape.name}`" if tape.name is not None else "this tape"
            message = (
                f"no gradient is ever taken from {name}: it records for nothing, "
                "or the gradient and the update have been forgotten"
            )
            evidence = of_nodes(tape.watches, "told what to watch")
            at_stake = Recorded([tape.statement.body], tape.statement)
            yield Report(tape.call, message, evidence, _rewrite(model, tape), at_stake=at_stake)


def _rewrite(model: SemanticModel, tape: UnusedTape) -> Rewrite | None:
    edit = without_with(tape.statement, tape.watches)
    if edit is None or not tape.takes_constants(model):
        return None
    is_read = tape.is_read(model)
    may_trace = is_read and tape.may_run_traces(model)
    is_shown = bool(model.home.source.cell_lines) and _ends_in_value(tape.statement)
    is_meant = is_read and not may_trace and not is_shown and tape.watches_tensors(model)
    is_loaded = model.unit(tape.statement).is_module and model.world.is_run_unseen(model.home)
    seen = model.ask(not_plain) if is_meant else None
    is_safe = is_meant and not is_loaded and seen is None
    said = "proved: nothing asks the tape, and what it records is used without a gradient"
    assumed = "what it watches are tensors" if is_read else "no gradient was meant to be taken here"
    if may_trace:
        assumed = "no traced function runs here: under a tape it is another graph, with other draws"
    if is_loaded:
        assumed = "nothing that loads the file asks for the tape"
    if is_shown:
        assumed = "no cell ends with the block: it would show what the last line gives"
    if seen is not None:
        assumed = (
            f"nothing finds the tape that does not name it: {seen[1]} (line {model.line(seen[0])})"
        )
    return Rewrite(
        "Drop the tape",
        [edit],
        Applicability.SAFE if is_safe else Applicability.UNSAFE,
        assumption=said if is_safe else assumed,
        unit=model.unit(tape.statement).qualname,
    )


def _ends_in_value(statement: cst.With) -> bool:
    """Whether the last line of a block is an expression, which a notebook shows outside of blocks."""
    last = block_statements(statement.body)[-1]
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Expr)
