"""TXL308 unrolled-loop."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from ..shared.loop_bodies import can_turn_in_graph
from .detect import UnrolledLoop, unrolled_loops


class LongLoop(Rule):
    """## What it does
    Finds loops over a Python `range` or list, in code that is proved to be traced, whose turns
    put a thousand TensorFlow calls or more into the graph (five hundred where XLA compiles it).

    Loops over tensors, `tf.range` and datasets turn in the graph and are left alone, and so are
    short loops, loops over the layers of a model, and loops whose number of turns is not known.

    ## Why is this bad?
    A Python loop turns while `tf.function` traces, once per trace: each turn adds its own ops.
    Two thousand turns of two ops take a dozen seconds to trace, where a loop in the graph takes a
    tenth of one; XLA needs minutes for what it compiles in the same time otherwise. Once traced,
    the unrolled graph is no slower, and often faster, so that short loops are better unrolled.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def decay(x):
        for _ in range(2000):
            x = x * 0.999 + 0.001
        return x

    decay(tf.constant([1.0, 2.0]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def decay(x):
        for _ in tf.range(2000):
            x = x * 0.999 + 0.001
        return x

    decay(tf.constant([1.0, 2.0]))
    ```

    What a turn hands to the next has to be a tensor that keeps its dtype and shape.

    ## Fix safety
    The fix makes `tf.range` of `range` where the body only assigns tensors to names, each name that
    is carried surely keeps its dtype and shape, and the counter indexes tensors only. It is
    unsafe: each call may take longer, and a loop in the graph holds on to more for its gradient.

    ## References
    - [Better performance with tf.function: loops](https://www.tensorflow.org/guide/function#loops)
    - [AutoGraph: control flow](https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/control_flow.md)
    """

    code = "TXL308"
    name = "unrolled-loop"
    summary = "A long Python loop puts each of its turns into the graph"
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing", "for|while")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            for found in unrolled_loops(model, unit):
                message = f"the loop turns {found.turns} times while tracing, and puts about "
                message += f"{found.calls} TensorFlow calls into the graph; `{unit.name}` is traced"
                yield Report(found.loop, message, of_route(route), _rewrite(model, found, unit))


def _rewrite(model: SemanticModel, found: UnrolledLoop, unit: Unit) -> Rewrite | None:
    spelled = tensorflow_name(model, "range", at=found.loop)
    if spelled is None or not isinstance(found.loop.iter, cst.Call):
        return None
    if not can_turn_in_graph(model, unit, found.loop):
        return None
    return Rewrite(
        "Let the loop turn in the graph",
        [Replace(found.loop.iter.func, spelled)],
        Applicability.UNSAFE,
        Intent.PRESERVING,
        "tracing takes longer than the turns of a loop in the graph cost",
        unit.qualname,
    )
