"""TXL403."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, Replace, Rewrite
from tfxla_lint.evidence import of_compiled
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.compiled import Compiled, compiled_units
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.pipelines.partial_batches import partial_batches

from .compile_constants import CompileConstant, constants_by_source
from .index_bounds import is_within
from .varying_calls import varying_calls
from .varying_values import Variation, variation


class XlaRecompile(Rule):
    """## What it does
    Finds what makes XLA compile a function again and again:

    - arguments whose shape changes from call to call (a slice that grows, a list that is appended
      to, batches that are padded to their own longest member, a smaller last batch);
    - tensors that XLA must know while compiling: indices and ends of slices, sizes, axes, depths,
      the `k` of `tf.math.top_k`, the bound of `for i in tf.range(n)`. Where they come from an
      argument or a variable, every value is compiled; where they are computed from what an argument
      holds (`x[tf.argmax(x)]`, `tf.sequence_mask(lengths)`), every content of it is.

    ## Why is this bad?
    A compilation takes from a tenth of a second to minutes. `reduce_retracing=True` and `None` in
    an input signature save traces, never compilations.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def best(scores: tf.Tensor):
        return scores[tf.argmax(scores)]
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def best(scores: tf.Tensor):
        return tf.gather(scores, tf.argmax(scores))
    ```

    Pad to a few fixed lengths and pass the true one in a tensor; give sizes as Python numbers
    (`maxlen=`, `num_classes=`); write loops to a bound that varies as `while i < n`.

    ## Fix safety
    `x[n]` becomes `tf.gather(x, n)`, whose index may vary freely, where it is shown that `n` is not
    negative and within `x`; the fix is unsafe since callers outside of the module could pass
    others. `drop_remainder=True` is only shown: it loses examples.

    ## References
    - [Use XLA with tf.function](https://www.tensorflow.org/xla/tutorials/jit_compile)
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    """

    code = "TXL403"
    name = "xla-recompile"
    summary = "XLA compiles a function again for every shape or value that it is called with"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE, Applicability.DISPLAY)
    speaks_for = ("TXL203", "TXL204")
    needs = ("@imported", "jit_compile|experimental_compile")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report constants that vary, then shapes that vary, then smaller last batches."""
        for compiled in compiled_units(model):
            for constants in constants_by_source(model, compiled.unit):
                change = variation(model, constants[0].source)
                if change is not None:
                    yield _constant(model, compiled, constants, change)
        yield from _shapes(model)
        yield from _batches(model)


def _constant(
    model: SemanticModel, compiled: Compiled, constants: list[CompileConstant], change: Variation
) -> Report:
    constant = constants[0]
    code = model.code
    source, node = code(constant.source.node), code(constant.node)
    what = "value" if constant.source.is_direct else "content"
    message = f"XLA compiles again for every {what} of `{source}`: `{node}` is {constant.role}"
    others = [Evidence(other.node, f"{other.role}, too") for other in constants[1:]]
    evidence = [Evidence(change.node, change.remark), *others, *of_compiled(compiled)]
    rewrite = _gather(model, compiled, constant) if not others else None
    at_stake = Retraced(compiled.unit, constant.node, is_compiled=True)
    place = constant.indexed or constant.node
    return Report(place, message, evidence, rewrite, at_stake=at_stake)


def _gather(model: SemanticModel, compiled: Compiled, constant: CompileConstant) -> Rewrite | None:
    indexed = constant.indexed
    if indexed is None or not is_within(model, indexed.value, constant.node):
        return None
    name = tensorflow_name(model, "gather", at=indexed)
    if name is None:
        return None
    code = model.code
    return Rewrite(
        "Gather the element",
        [Replace(indexed, f"{name}({code(indexed.value)}, {code(constant.node)})")],
        assumption="no caller passes a negative index or one past the end",
        unit=compiled.unit.qualname,
    )


def _shapes(model: SemanticModel) -> Iterator[Report]:
    for found in varying_calls(model):
        text = model.code(found.argument)
        message = f"XLA compiles `{found.name}` again for every shape of `{text}`, which {found.shape.reason}"
        evidence = [
            Evidence(found.shape.node, "changes the shape"),
            Evidence(found.shape.loop, "the loop"),
            Evidence(found.tracing.node, "compiled by XLA because of this"),
        ]
        yield Report(found.argument, message, evidence, covers=[found.call])


def _batches(model: SemanticModel) -> Iterator[Report]:
    for partial in partial_batches(model):
        if not partial.is_compiled:
            continue
        name = model.code(partial.step.func)
        rewrite = Rewrite(
            "Leave the last, smaller batch out",
            [InsertArgument(partial.batch, "drop_remainder=True")],
            Applicability.DISPLAY,
            assumption="the examples of the last batch are lost to each epoch",
        )
        evidence = [
            Evidence(partial.loop, "this loop hands over the batches"),
            Evidence(partial.step, "the compiled step"),
            Evidence(partial.tracing.node, "compiled by XLA because of this"),
        ]
        message = (
            f"XLA compiles `{name}` a second time for the last batch, which is smaller unless "
            "the batch size divides the number of examples"
        )
        node = partial.batch.func
        assert isinstance(node, cst.Attribute)
        yield Report(node.attr, message, evidence, rewrite, covers=[partial.batch])
