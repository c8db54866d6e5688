"""TXL407."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import NodeEdit, RemoveArgument, Replace, Rewrite
from tfxla_lint.evidence import of_compiled
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.compiled import compiled_units
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit

from .detect import GrowingArray, growing_arrays


class XlaTruncatedTensorArray(Rule):
    """## What it does
    Finds a `tf.TensorArray` with `dynamic_size=True` that compiled code writes past the size with
    which it is made. One that is large enough from the start is left alone, and so is one that is
    filled by `unstack`.

    ## Why is this bad?
    XLA has no arrays that grow. TensorFlow 2.21 cuts the array to its initial size without a
    word: with `size=0`, `stack()` returns an empty tensor; TensorFlow 2.15 raises an error.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def squares(x: tf.Tensor):
        out = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(tf.shape(x)[0]):
            out = out.write(i, tf.square(x[i]))
        return out.stack()
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def squares(x: tf.Tensor):
        out = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
        for i in tf.range(tf.shape(x)[0]):
            out = out.write(i, tf.square(x[i]))
        return out.stack()
    ```

    ## Fix safety
    Offered where every turn of one loop over `tf.range(n)` writes one member: the array is made
    with `size=n`. It corrects a wrong result. It is unsafe since a tensor that is no shape makes
    XLA compile again for each `n`.

    ## References
    - [tf.TensorArray](https://www.tensorflow.org/api_docs/python/tf/TensorArray)
    - [Known issues of XLA](https://www.tensorflow.org/xla/known_issues)
    """

    code = "TXL407"
    name = "xla-truncated-tensor-array"
    summary = "XLA cuts a TensorArray that grows to the size with which it is made"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", "jit_compile|experimental_compile")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be compiled."""
        for compiled in compiled_units(model):
            for array in growing_arrays(model, compiled.unit):
                message = (
                    f"XLA cuts this array to the size with which it is made, {array.size}: what is "
                    "written past that is lost"
                )
                write = Evidence(array.write, "written past that size here")
                evidence = [write, *of_compiled(compiled)]
                yield Report(array.call, message, evidence, _rewrite(model, compiled.unit, array))


def _rewrite(model: SemanticModel, unit: Unit, array: GrowingArray) -> Rewrite | None:
    size, growing = array.size_argument, array.growing_argument
    if array.length is None or size is None or growing is None:
        return None
    length = model.code(array.length)
    edits: list[NodeEdit] = [Replace(size.value, length), RemoveArgument(array.call, growing)]
    return Rewrite(
        "Make the array with its final size",
        edits,
        Applicability.UNSAFE,
        Intent.CORRECTING,
        f"`{length}` does not change often",
        unit.qualname,
    )
