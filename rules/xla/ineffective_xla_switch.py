"""TXL406."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertBefore, Remove, Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel

from .shared.xla_switches import (
    LateSetting,
    given_to_set_jit,
    hidden_gpus,
    is_misread,
    is_on,
    late_settings,
    mentions_cpu_flag,
    traces_nothing,
)


class IneffectiveXlaSwitch(Rule):
    """## What it does
    Finds switches of XLA that do nothing:

    - `tf.config.optimizer.set_jit(...)` with a value that TensorFlow takes for "off" (any but
      `True` and `"autoclustering"`);
    - `set_jit(True)` in a program that traces nothing, or that hides the GPUs: auto-clustering
      works on graphs, and leaves the CPU alone without `--tf_xla_cpu_global_jit`;
    - `TF_XLA_FLAGS` set after TensorFlow has looked at its devices, and `XLA_FLAGS` set after the
      first compilation. Setting them after `import tensorflow` is early enough.

    ## Why is this bad?
    Nothing is said, and the program runs as if the line were not there.

    ## Example
    ```python
    import tensorflow as tf

    tf.config.optimizer.set_jit("xla")
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    tf.config.optimizer.set_jit(True)
    ```

    Or `@tf.function(jit_compile=True)` at the functions that are worth it, which works on every
    device and fails where it cannot.

    ## Fix safety
    The value becomes `True`; a switch with nothing to act on is removed; a late setting moves up,
    to before what made TensorFlow read it. All are unsafe: once the switch works, results change
    within the tolerance of XLA.

    ## References
    - [tf.config.optimizer.set_jit](https://www.tensorflow.org/api_docs/python/tf/config/optimizer/set_jit)
    - [XLA: optimizing compiler](https://www.tensorflow.org/xla)
    """

    code = "TXL406"
    name = "ineffective-xla-switch"
    summary = "A switch of XLA has no effect: its value, its place or the program is wrong"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", ".set_jit|TF_XLA_FLAGS|XLA_FLAGS")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at `set_jit`, then at the environment."""
        for call, given in given_to_set_jit(model):
            if is_misread(model, given):
                text = model.code(given)
                message = (
                    f"`set_jit({text})` leaves XLA's auto-clustering off: only `True` and "
                    "`'autoclustering'` switch it on"
                )
                rewrite = Rewrite(
                    "Pass `True`", [Replace(given, "True")], assumption="it is wanted"
                )
                yield Report(call, message, rewrite=rewrite)
            elif is_on(model, given) and not mentions_cpu_flag(model):
                yield from _idle(model, call)
        for late in late_settings(model):
            yield _late(model, late)


def _idle(model: SemanticModel, call: cst.Call) -> Iterator[Report]:
    hidden = hidden_gpus(model)
    if traces_nothing(model):
        message = (
            "`set_jit` has nothing to act on: auto-clustering works on graphs, and nothing in this "
            "program is traced"
        )
        line = model.parent(model.parent(call) or call)
        rewrite = None
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            rewrite = Rewrite("Remove it", [Remove(line)], assumption="nothing is traced elsewhere")
        yield Report(call, message, rewrite=rewrite)
    elif hidden is not None:
        message = "`set_jit` does nothing here: auto-clustering leaves the CPU alone, and no GPU is visible"
        yield Report(call, message, [Evidence(hidden, "hides the GPUs")])


def _late(model: SemanticModel, late: LateSetting) -> Report:
    reader = model.code(late.reader.func)
    message = f"`{late.variable}` is set too late: TensorFlow has read it by then, for `{reader}`"
    rewrite = None
    if late.first is not None and len(late.statement.body) == 1:
        if isinstance(late.node.value, cst.SimpleString):
            moved = late.statement.with_changes(leading_lines=())
            rewrite = Rewrite(
                f"Set it before `{reader}`",
                [InsertBefore(late.first, [moved]), Remove(late.statement)],
                assumption="the flags are wanted",
            )
    return Report(late.node, message, [Evidence(late.reader, "TensorFlow reads it here")], rewrite)
