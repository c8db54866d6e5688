"""TXL302 python-side-effect."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.options import is_off_by_default
from tfxla_lint.semantics.tracing.symbolic import running_traces
from tfxla_lint.semantics.units import Unit

from .printed import may_show_tracing, shows_tracing
from .side_effects import SideEffect, side_effects

_MESSAGES = {
    EffectKind.PRINT: "{what} shows a tensor once, while tracing, and then only its name in the graph",
    EffectKind.LOG: "{what} shows a tensor once, while tracing, and then only its name in the graph",
    EffectKind.OUTPUT: "{what} writes once, while tracing, and not on every call",
    EffectKind.MUTATE: "{what} keeps a tensor of the trace, which has no value outside of it",
    EffectKind.REBIND: "{what} is bound to a tensor of the trace, which has no value outside of it",
    EffectKind.SET: "{what} is set to a tensor of the trace, which has no value outside of it",
    EffectKind.COUNT: "{what} changes once, while tracing, and not on every call",
}


class PythonSideEffect(Rule):
    """## What it does
    Finds Python side effects in traced code: `print` and logging of tensors, tensors put into
    lists, dicts, globals and attributes that outlive the call, counters, plots and written files.

    Prints and log lines without a tensor are left alone, since "tracing ..." is what they are
    good for; so are local lists and dicts, what `__init__` and `build` store, what a test lets
    happen once (`if self.w is None`), counters that are named after traces, and attributes that
    nothing untraced reads, unless they count and tensors are computed with them.

    ## Why is this bad?
    Python code in a `tf.function` runs while tracing: on the first call, and again for each new
    signature, but not on later calls. What it prints is
    `Tensor("add:0", shape=(), dtype=float32)`; a counter stays at 1; a list holds one symbolic
    tensor, whose use outside raises `TypeError: ... is out of scope and cannot be used here`.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function
    def step(x):
        loss = tf.reduce_mean(tf.square(x))
        print(f"loss: {loss}")
        return loss
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function
    def step(x):
        loss = tf.reduce_mean(tf.square(x))
        tf.print("loss:", loss)
        return loss
    ```

    Return a value instead of storing it, and count in a `tf.Variable`.

    ## Fix safety
    Only `print` has a fix, and it is unsafe: `tf.print` prints on every call, to standard error,
    and elides the middle of long arrays. There is none in code that XLA compiles, where `tf.print`
    has no kernel, none where the text can't be kept (`file=`, `flush=`, `%`, `.format`, a
    conversion), and none where the print may be there to show a trace: it shows arguments of the
    traced function only, or stands beside a `tf.print`.

    ## References
    - [Better performance with tf.function: executing Python side effects](https://www.tensorflow.org/guide/function#executing_python_side_effects)
    - [tf.print](https://www.tensorflow.org/api_docs/python/tf/print)
    """

    code = "TXL302"
    name = "python-side-effect"
    summary = "A Python side effect in traced code happens once per trace, not once per call"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@tensorflow", "@imported|@keras-loops", "@tracing")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the units that are proved to be traced."""
        for unit, route in running_traces(model):
            if any(is_off_by_default(model, call) for call in route.calls):
                continue  # a picture, a text for those who look for a defect
            for effect in side_effects(model, unit):
                evidence = of_route(route)
                if effect.proof is not None:
                    words = (
                        "computed with here" if effect.is_within else "read outside of the trace"
                    )
                    evidence.append(Evidence(effect.proof, words))
                if _is_demonstration(model, effect, unit, is_root=not route.calls):
                    continue
                message = _MESSAGES[effect.kind].format(what=effect.what)
                rewrite = _rewrite(model, effect, unit, is_root=not route.calls)
                yield Report(effect.node, message, evidence, rewrite)


def _is_demonstration(
    model: SemanticModel, effect: SideEffect, unit: Unit, *, is_root: bool
) -> bool:
    call = effect.node
    if effect.kind is not EffectKind.PRINT or not isinstance(call, cst.Call):
        return False
    return shows_tracing(model, call, unit, is_root)


def _rewrite(
    model: SemanticModel, effect: SideEffect, unit: Unit, *, is_root: bool
) -> Rewrite | None:
    call = effect.node
    if effect.kind is not EffectKind.PRINT or not isinstance(call, cst.Call):
        return None
    if model.contexts.compiled(unit) is not None or not isinstance(model.parent(call), cst.Expr):
        return None
    if may_show_tracing(model, call, unit, is_root):
        return None
    from .fix import as_tf_print

    edits = as_tf_print(model, call)
    if edits is None:
        return None
    return Rewrite(
        "Print with tf.print",
        edits,
        Applicability.UNSAFE,
        Intent.CORRECTING,
        "printing on every call, to standard error, is wanted",
        unit.qualname,
    )
