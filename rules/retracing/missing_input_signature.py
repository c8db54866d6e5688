"""TXL208."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics import measured
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.seen_signatures import Unsigned, unsigned_functions

from .shared.relax import signed, signed_as_recorded
from .shared.static_shapes import Reliance, reliance_of

_SHOWN = 3


class MissingInputSignature(Rule):
    """## What it does
    Finds public traced functions and methods that take tensors and declare no `input_signature`.
    It is off unless it is selected.

    Private and nested functions, those that only traced code calls, and those with
    `reduce_retracing=True` are left alone, and so are functions that also take what no signature can
    declare: models, optimizers, flags, texts.

    ## Why is this bad?
    Without a signature, a caller's shapes and Python values decide how often the function is
    traced. A signature makes it one trace, says what the function takes, refuses what does not fit,
    and is what exporting by `tf.saved_model.save` needs.

    ## Example
    ```python
    import tensorflow as tf


    @tf.function
    def scale(x):
        return 2.0 * x


    scale(tf.zeros([8, 4], tf.float32))
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    @tf.function(input_signature=[tf.TensorSpec([8, 4], tf.float32)])
    def scale(x):
        return 2.0 * x


    scale(tf.zeros([8, 4], tf.float32))
    ```

    Give `None` for a dimension that may be of any size.

    ## Fix safety
    The fix declares what all calls in the file pass, where every parameter is a tensor of known
    rank and dtype; a dimension in which the calls differ, or that is not known, becomes `None`. Where
    the calls do not show that, it declares what a recorded run passed (`--profile`). It is unsafe:
    calls from elsewhere with other shapes or dtypes then fail, and numbers and NumPy arrays are cast
    without a word. Where the function reads a size that would become `None` (`x.shape[0]`,
    `len(x)`), there is no fix.

    ## References
    - [Better performance with tf.function: controlling retracing](https://www.tensorflow.org/guide/function#controlling_retracing)
    - [`tf.function`: input signatures](https://www.tensorflow.org/api_docs/python/tf/function#input_signatures)
    """

    code = "TXL208"
    name = "missing-input-signature"
    summary = "A public traced function takes tensors and declares no input signature"
    level = Level.NOTE
    default = False
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such function."""
        for found in unsigned_functions(model):
            assert isinstance(found.unit.node, cst.FunctionDef)
            names = ", ".join(f"`{parameter.name}`" for parameter in found.tensors)
            many = "are tensors" if len(found.tensors) > 1 else "is a tensor"
            message = (
                f"`{found.unit.qualname}` declares no `input_signature`, though {names} {many}: "
                "every new shape and dtype is traced again"
            )
            evidence = [Evidence(call, "called here") for call in found.calls[:_SHOWN]]
            evidence.append(Evidence(found.tracing.node, "traced here"))
            yield Report(found.unit.node.name, message, evidence, _rewrite(model, found))


def _rewrite(model: SemanticModel, found: Unsigned) -> Rewrite | None:
    specs = found.specs if found.specs is not None else measured.specs(model, found.unit)
    relied = reliance_of(model, found.unit, specs or ())
    if relied is Reliance.READS:
        return None
    if found.specs is None:
        return signed_as_recorded(model, found.unit, found.tracing)
    edit = signed(model, found.tracing, found.specs)
    if edit is None:
        return None
    return Rewrite(
        "Declare what the calls pass",
        [edit],
        Applicability.UNSAFE,
        assumption="assumes that no other code passes other shapes or dtypes"
        + (", and that nothing needs the open sizes while tracing" if relied else ""),
        unit=found.unit.qualname,
    )
