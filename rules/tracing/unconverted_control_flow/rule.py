"""TXL307 unconverted-control-flow."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.effects.excuses import is_shown_to_fail
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from ..shared.keras_calls import left_to_keras
from .control import Control, left_unconverted, unconverted_control


class UnconvertedControlFlow(Rule):
    """## What it does
    Finds control flow on tensors, in code that is proved to be traced, that AutoGraph does not
    convert (and with Keras 3, which converts nothing, in the `call` of layers that nothing in sight
    runs):

    - comprehensions, generator expressions, `enumerate`, `zip`, `reversed`, `map`, `filter`, `*`
      and unpacking (`a, b = t`) that go through a tensor;
    - `raise` below an `if` on a tensor;
    - `break` and `return` that depend on a tensor, from a loop that turns in Python, and `return`
      from a loop that turns in the graph;
    - numbers as conditions (`if n:` for a tensor of integers), a `while` whose condition begins as
      a Python value and becomes a tensor, and functions that call themselves until a tensor says
      so;
    - `except tf.errors...` around ops, and `except StopIteration` around `next(iterator)`;
    - any `if`, `while`, `for`, `and`, `or`, `not` on a tensor in code that is not converted at all:
      with `autograph=False`, in a function that uses `:=`, `for ... else` or `while ... else`, in
      generators, below `tf.vectorized_map`, `tf.custom_gradient` and `tf.recompute_grad`, and in
      layers, losses and `train_step` that Keras 3 runs.

    Loops over Python lists and ranges, over tensors and over datasets are left alone where they
    work, and so is code that asks whether it runs eagerly, or guards itself by `try`.

    ## Why is this bad?
    While `tf.function` traces, a tensor has no value. AutoGraph turns `if`, `while` and `for`
    statements on tensors into ops of the graph, and nothing else: Python is left with
    `OperatorNotAllowedInGraphError: Iterating over a symbolic tf.Tensor is not allowed`, or
    `NotImplementedError`. A `raise` fails on every trace, whatever the data; an `except` around ops
    never runs. Eagerly, the same code works.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def area(image):
        height, width, _ = tf.shape(image)
        return height * width

    area(tf.zeros([4, 5, 3]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def area(image):
        height, width, _ = tf.unstack(tf.shape(image), num=3)
        return height * width

    area(tf.zeros([4, 5, 3]))
    ```

    Use `tf.map_fn`, `tf.vectorized_map` or a plain `for` with a `tf.TensorArray` for
    comprehensions, `tf.debugging.assert_*` for `raise`, and make the condition of a loop a tensor
    where it is left early. Put `@tf.function` on the `call` of a layer that branches on tensors.

    ## Fix safety
    There is a fix where it is mechanical: `tf.unstack` for a tensor of known length, `!= 0` for
    numbers, an assertion for a lone `raise`, `tf.range` for a `range` that a tensor leaves by
    `break` and whose turns keep dtypes and shapes, `autograph=False` taken away, the `else` of a
    loop that nothing leaves put after it. Each is unsafe: it corrects what fails while tracing, and
    assumes that the code was meant to work as it does eagerly.

    ## References
    - [AutoGraph: limitations](https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md)
    - [Better performance with tf.function: AutoGraph transformations](https://www.tensorflow.org/guide/function#autograph_transformations)
    """

    code = "TXL307"
    name = "unconverted-control-flow"
    summary = "A traced tensor drives control flow that AutoGraph does not convert"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    speaks_at_node_for = ("TXL301",)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing|call")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced, and those that only Keras runs."""
        for unit, route in running_traces(model):
            if is_shown_to_fail(model, unit):
                continue
            for found in unconverted_control(model, unit):
                message = f"{found.what}; `{unit.name}` is traced"
                evidence = [Evidence(node, remark) for node, remark in found.proofs]
                evidence += of_route(route)
                yield Report(found.node, message, evidence, _rewrite(model, found, unit))
        for unit, call in left_to_keras(model):
            is_keras_3 = model.world.runs_keras_3(call.node, call.class_)
            left = left_unconverted(model, unit, call) if is_keras_3 else None
            if left is not None:
                evidence = [Evidence(node, remark) for node, remark in left.proofs]
                yield Report(left.node, f"{left.what}, and so fails where it traces it", evidence)


def _rewrite(model: SemanticModel, found: Control, unit: Unit) -> Rewrite | None:
    from .fix import as_graph

    fix = as_graph(model, found)
    if fix is None:
        return None
    edits, title, assumption = fix
    return Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption, unit.qualname)
