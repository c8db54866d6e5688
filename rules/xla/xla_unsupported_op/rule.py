"""TXL401."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import NodeEdit, RemoveArgument, ReplaceDecorator, Rewrite
from tfxla_lint.evidence import of_compiled
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.compiled import Compiled, compiled_units
from tfxla_lint.semantics.model import SemanticModel

from .detect import unsupported_ops


class XlaUnsupportedOp(Rule):
    """## What it does
    Finds operations for which XLA has no kernel in code that is compiled: a function with
    `jit_compile=True`, a model of this module that is compiled with it, and what they call, through
    any depth, nested `tf.function`s included. The finding names the operation and the chain.

    What stands behind a Python condition, or after one that leaves the function, may not be part
    of the trace and is left alone.

    ## Why is this bad?
    XLA compiles a function as a whole or not at all: the first call raises
    `InvalidArgumentError: Detected unsupported operations when trying to compile graph`. Nothing
    falls back to the usual kernels, neither for strings nor for `tf.print` or `tf.py_function`.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def volume(basis):
        return tf.abs(tf.linalg.det(basis))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def volume(basis):
        return tf.abs(tf.linalg.det(basis))
    ```

    Or move the operation out of the compiled function, and compile the rest.

    ## Fix safety
    The fix drops `jit_compile=True` where it is written at the function that asks for it. It
    corrects code that fails, and is unsafe because the rest of the function then loses XLA too.

    ## References
    - [Use XLA with tf.function](https://www.tensorflow.org/xla/tutorials/jit_compile)
    - [Known issues of XLA](https://www.tensorflow.org/xla/known_issues)
    """

    code = "TXL401"
    name = "xla-unsupported-op"
    summary = "Compiled code uses an operation for which XLA has no kernel"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", "jit_compile|experimental_compile")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be compiled."""
        for compiled in compiled_units(model):
            name = "this lambda" if compiled.unit.is_lambda else f"`{compiled.unit.name}`"
            for found in unsupported_ops(model, compiled.unit):
                message = f"XLA has no kernel for {found.what}, and {name} is compiled"
                yield Report(found.node, message, of_compiled(compiled), _rewrite(model, compiled))


def _rewrite(model: SemanticModel, compiled: Compiled) -> Rewrite | None:
    """Drop `jit_compile=True` from the decorator, or from the call of `tf.function`."""
    root = compiled.root
    call = root.decorator if isinstance(root, cst.Decorator) else root
    if not isinstance(call, cst.Call) or "tensorflow.function" not in model.names.of(call.func):
        return None
    written = [a for a in call.args if a.keyword is not None and a.keyword.value in _ARGUMENTS]
    if len(written) != 1:
        return None
    edit: NodeEdit = RemoveArgument(call, written[0])
    if isinstance(root, cst.Decorator) and len(call.args) == 1:
        edit = ReplaceDecorator(root, model.code(call.func))
    return Rewrite(
        "Drop `jit_compile=True`",
        [edit],
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "running without XLA will do",
    )


_ARGUMENTS = ("jit_compile", "experimental_compile")
