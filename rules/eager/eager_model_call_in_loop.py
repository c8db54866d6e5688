"""TXL110."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.evidence import of_blockers, whether_traceable
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Eager
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.loops import called, each_turn
from tfxla_lint.semantics.measured import of_loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.eager_models import eager_models
from tfxla_lint.semantics.values import Kind


class EagerModelCallInLoop(Rule):
    """## What it does
    Finds Keras models, layers of many ops (recurrent cells, attention, layers of your own) and
    `tf.Module` objects that are called eagerly on every turn of a loop or comprehension: an agent that asks its policy,
    a generator that samples token by token, an evaluation loop. The call may stand in a function or
    method that the loop runs.

    ## Why is this bad?
    Called from Python, a model runs op by op, with Keras' own bookkeeping around every layer. A
    small dense network takes 1.5 ms that way and 0.3 ms in a `tf.function`; deep and recurrent ones
    gain more.

    Left alone are models that something traces already, calls under a `GradientTape` (they belong
    to a training step, which is reported as a whole), calls that build a functional model, and
    models whose own code can't be traced: it runs NumPy on tensors, reads their values, or changes
    Python objects. What of that code is not known here is named.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    state = np.zeros(4, dtype=np.float32)

    for step in range(500):
        values = model(state[None], training=False)
        state = np.roll(state, 1) + values.numpy().max()
    ```

    ## Use instead
    ```python
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    state = np.zeros(4, dtype=np.float32)

    traced_model = tf.function(model, reduce_retracing=True)
    for step in range(500):
        values = traced_model(state[None], training=False)
        state = np.roll(state, 1) + values.numpy().max()
    ```

    ## Fix safety
    The fix is safe where it is proved that the code is plain, that only tensors are passed (or arrays, to a model of Keras'
    own layers), that nothing but variables changes, no Python state that is read changes,
    nothing is drawn, and the model has no `call` of its own, which might ask for the sizes that one
    trace for all leaves open;
    else it is unsafe, and names what is missing
    (`missing-tf-function` tells what counts as known, and as plain). It is offered where the model is a name of the loop's function or of the
    module, or an attribute that only methods of its class set, and no turn of the loop: each of them
    wraps what it sets (a method of the model that calls the model itself is
    decorated, or calls it by a new traced method where something keeps it in Python), and every call passes tensors, arrays, by
    position whatever a model of Keras takes, or fixed flags; it assumes that the model stays the same object and that its layers, `trainable` flags
    and other Python settings do not change while the loop runs (new weights are seen). Draws of an
    unseeded dropout differ as they do from run to run.

    Results are the same but for rounding: graph optimisation may reorder and fold arithmetic, so
    that numbers at the edge of a dtype (overflow, cancellation, the sign of zero) may differ; and a `relu`
    behind a product and a bias, which the graph joins, may give 0 for NaN (no fix is safe in a program that
    asks for NaN).

    ## References
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    - [`tf.function`](https://www.tensorflow.org/api_docs/python/tf/function)
    """

    code = "TXL110"
    name = "eager-model-call-in-loop"
    summary = "A model is called eagerly on every turn of a loop"
    level = Level.WARNING
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    quiet_in_tests = True
    needs = ("@tensorflow", "@loops")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each model that a loop calls eagerly, at its first call."""
        for group in eager_models(model):
            from tfxla_lint.rewriting.wrap import wrap

            first, *others = group.calls
            text = excerpt(model, first)
            evidence = [Evidence(group.loop, called(group.loop))]
            route = model.contexts.eager(group.unit)
            evidence += [Evidence(node, "called here") for node in route.calls] if route else []
            evidence += [Evidence(call, "called again") for call in others]
            evidence += of_blockers(model, group.blockers)
            advice = "; wrap the model in a tf.function once"
            if model.value(first).kind is Kind.OBJECT:
                # No trace gives one back.
                advice = "; it gives an object, so trace it together with what is asked of that"
            advice = whether_traceable(model, group.blockers, ()) if group.blockers else advice
            message = f"`{text}` runs eagerly, op by op, on {each_turn(group.loop)}{advice}"
            message += of_loop(model, group.loop)
            at_stake = Eager(group.calls, first)
            yield Report(first, message, evidence, wrap(model, group), at_stake=at_stake)
