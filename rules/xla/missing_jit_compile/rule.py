"""TXL405."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, ReplaceDecorator, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.options import compiling, with_option
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Graph
from tfxla_lint.semantics.model import SemanticModel

from .candidates import Candidate, candidates


class MissingJitCompile(Rule):
    """## What it does
    Finds functions that are traced, run in a loop on arguments of fixed shapes, and do nothing but
    what XLA compiles: most of all those that hold a loop of small operations on tensors.

    It is off unless it is selected. Functions with Python loops that are unrolled, with
    convolutions, with random numbers or runtime checks, and those that are not understood to the
    last call are left alone.

    ## Why is this bad?
    It is no fault, only speed left lying. A graph runs its operations one by one; XLA makes one
    kernel of many. On a CPU, loops over `tf.range` ran 3 to 11 times faster, other steps about as
    fast as before; convolutions and unrolled loops ran slower, which is why they are not reported.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def diffuse(heat):
        for _ in tf.range(100):
            heat += 0.1 * (tf.roll(heat, 1, 0) - 2.0 * heat + tf.roll(heat, -1, 0))
        return heat

    heat = tf.ones([64])
    for step in range(1000):
        heat = diffuse(heat)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(jit_compile=True)
    def diffuse(heat):
        for _ in tf.range(100):
            heat += 0.1 * (tf.roll(heat, 1, 0) - 2.0 * heat + tf.roll(heat, -1, 0))
        return heat

    heat = tf.ones([64])
    for step in range(1000):
        heat = diffuse(heat)
    ```

    ## Fix safety
    Whether it pays off depends on sizes and on the device, so it has to be measured. The fix is
    only shown, but with `--fix --unsafe-fixes --verify`: then both versions are run, and it is
    applied where XLA computes the same and takes at least a tenth less time per call. What was
    measured on one device says little about another.

    ## References
    - [Use XLA with tf.function](https://www.tensorflow.org/xla/tutorials/jit_compile)
    """

    code = "TXL405"
    name = "missing-jit-compile"
    summary = "A traced function that runs often does nothing but what XLA compiles"
    level = Level.NOTE
    default = False
    fixes = (Applicability.DISPLAY,)
    needs_measurement = True
    variant = "xla"
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such function at its name."""
        for found in candidates(model):
            node = found.unit.node
            assert isinstance(node, cst.FunctionDef)
            evidence = [
                Evidence(found.loop, "this loop runs it"),
                Evidence(found.call, "on arguments of fixed shapes"),
            ]
            what = f"`{node.name.value}` runs {found.operations} TensorFlow calls"
            if found.inner is not None:
                what = f"`{node.name.value}` loops over tensors"
                evidence.append(Evidence(found.inner, "its loop on tensors"))
            message = f"{what}, and XLA compiles all of it: `jit_compile=True` may make it faster"
            yield Report(
                node.name,
                message,
                evidence,
                _rewrite(model, found),
                at_stake=Graph(found.unit, found.call),
            )


def _rewrite(model: SemanticModel, found: Candidate) -> Rewrite | None:
    decorator = found.tracing.node
    option = compiling(model)
    if not isinstance(decorator, cst.Decorator) or option is None:
        return None
    expression = decorator.decorator
    if isinstance(expression, cst.Call):
        edit: NodeEdit = InsertArgument(expression, option)
    else:
        text = model.code(expression)
        edit = ReplaceDecorator(decorator, with_option(text, option))
    return Rewrite(
        "Compile it with XLA",
        [edit],
        Applicability.DISPLAY,
        unit=found.unit.qualname,
    )
