"""TXL102."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_blockers, whether_traceable
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Eager
from tfxla_lint.semantics.measured import of_loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import StepLoop

from .shared.many_ops import are_many_ops, calls_said

#: So many updates of metrics are worth a word where something keeps them from moving; each is many operations.
_MANY_UPDATES = 2
#: So many of the functions that a loop runs are named.
_PARTS = 3


class EagerLoopBody(Rule):
    """## What it does
    Finds loops over a dataset, batches, steps or time whose body is inline tensor work, at module
    level or in a function that nothing traces; also those that run a traced step and update metrics
    or apply gradients beside it, op by op.

    Left alone are eager loops that somebody has to ask for, by an option, a flag, a variable of the
    environment or an argument with another default, where training by `fit` or a traced step is
    what a plain start of the program runs.

    ## Why is this bad?
    Each operation of the body is dispatched from Python on every turn. A Keras optimizer alone
    spends more than ten milliseconds a step that way; in a `tf.function` the same step takes a
    fraction of one.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    optimizer = tf.keras.optimizers.SGD(0.1)
    data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 8]), tf.ones([64, 1]))).batch(16)

    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        gradients = tape.gradient(loss, [w])
        optimizer.apply_gradients(zip(gradients, [w]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    optimizer = tf.keras.optimizers.SGD(0.1)
    data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 8]), tf.ones([64, 1]))).batch(16)


    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        gradients = tape.gradient(loss, [w])
        optimizer.apply_gradients(zip(gradients, [w]))


    for x, y in data:
        train_step(x, y)
    ```

    ## Fix safety
    The fix is safe where all of this is proved: the code is plain, only tensors are passed, nothing
    but variables changes, no Python state that is read changes, nothing is drawn, no shape or dtype is read in
    Python, no object is made anew, the results are tensors, and the step is not relaxed
    (`reduce_retracing=True`). Where one of these is not proved the fix is unsafe: it assumes that the moved statements depend on no Python state but what they are
    passed, and names what is missing. What counts as known, and as plain, is told at `missing-tf-function`. A tensor that the loop keeps in an attribute (`self.batch`) is passed as well, also
    to the methods that read it. A metric that an outer loop makes anew on each turn is made once
    and set back there. Where the turns bring several shapes, the new function declares an
    `input_signature` if all are known, else `reduce_retracing=True`. A model that the loop around
    calls as well, to evaluate it, is wrapped for that. Printing, logging, counters and checkpoints
    stay in the loop; a statement that stood between two moved ones follows the call when it can't
    notice the difference, or goes before it where the step needs what it makes. What it shows of
    variables, the step returns as it was before the update. Expressions of Python's in the step
    (`rows[i : i + n]`, `np.array(states)`, `self.rate`) are evaluated by the call and passed. Where a
    method sets the attributes that its steps read, the step is made below, on each of its runs. A loss
    or model that nobody sees, and that a tape differentiates, is taken to trace. Where the
    tape has to stay, what applies the gradients moves alone, and the loop is still reported. Where nothing can move, a model that the loop calls is wrapped as
    `eager-model-call-in-loop` does it; a training step is still reported then. Else there is no fix
    and the finding says what blocks it.

    Results are the same but for rounding: graph optimisation may reorder and fold arithmetic, so
    that numbers at the edge of a dtype (overflow, cancellation, the sign of zero) may differ; and a `relu`
    behind a product and a bias, which the graph joins, may give 0 for NaN (no fix is safe in a program that
    asks for NaN).

    ## References
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    - [Writing a training loop from scratch](https://www.tensorflow.org/guide/keras/writing_a_training_loop_from_scratch)
    """

    code = "TXL102"
    name = "eager-loop-body"
    summary = "A loop body of inline tensor work runs op by op"
    level = Level.WARNING
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    speaks_for = ("TXL101", "TXL104", "TXL108", "TXL110")
    quiet_in_tests = True
    reports_steps = "loops"
    needs = ("@tensorflow", "for|while")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each loop that holds a step inline."""
        for step in model.steps.loops:
            from tfxla_lint.rewriting.hoist import hoist

            rewrite, blockers = hoist(model, step)
            work = step.work
            is_step = work.is_training_step or work.is_model_step or work.applies
            many = len(work.metric_updates) >= _MANY_UPDATES or are_many_ops(
                work, blockers, step.repeated
            )
            if blockers and not is_step and not many:
                continue
            yield Report(
                step.loop,
                _message(model, step, blockers) + of_loop(model, step.loop),
                evidence=[*_evidence(model, step), *of_blockers(model, blockers)],
                rewrite=rewrite or _wrapped(model, step, blockers),
                covers=[] if step.work.only_measures else [step.loop],
                at_stake=Eager([step.loop.body], step.loop.body, step.loop),
            )


def _wrapped(model: SemanticModel, step: StepLoop, blockers: Sequence[Blocker]) -> Rewrite | None:
    """What is left where nothing moves; a training step would still be eager with it."""
    from tfxla_lint.rewriting.wrap import wrap_below_tapes, wrap_one

    if step.work.is_training_step:
        return wrap_below_tapes(model, step.unit, step.loop, blockers)
    return wrap_one(model, step.unit, step.loop)


def _message(model: SemanticModel, step: StepLoop, blockers: list[Blocker]) -> str:
    trains, differentiates = bool(step.work.updates), bool(step.work.gradients)
    what = "training step" if trains else "gradient step" if differentiates else "computation"
    over = model.loops.info(step.loop).over
    kind = f"loop over a {over}" if over in ("dataset", "range") else "loop"
    if step.work.only_measures:
        does = "applies its gradients" if step.work.applies else "updates its metrics"
        instead = "the step can do that itself" if blockers else "both can be one tf.function"
        return f"this {kind} {does} eagerly on every turn, beside a step that is traced; {instead}"
    text = f"this {kind} runs its {what} eagerly: {calls_said(step)} on every turn"
    return text + whether_traceable(model, blockers, [step.loop.body])


def _evidence(model: SemanticModel, step: StepLoop) -> list[Evidence]:
    work = step.work
    outer = model.loops.hot_around(step.loop, step.unit)
    found = [Evidence(loop, "inside this loop") for loop in outer]
    if work.tapes:
        found.append(Evidence(work.tapes[0], "the tape records op by op"))
    elif work.model_calls:
        found.append(Evidence(work.model_calls[0], "the model runs op by op"))
    elif step.work.only_measures:
        found.append(Evidence([*work.applies, *work.metric_updates][0], "runs op by op"))
    parts = _parts(model, step)
    return found + [Evidence(n, f"`{n.value}`, called there, runs op by op too") for n in parts]


def _parts(model: SemanticModel, step: StepLoop) -> list[cst.Name]:
    """The names of the largest functions that a turn calls, each worth a trace by itself."""
    called = {id(unit): unit for _, units in step.work.calls for unit in units}
    worth = [unit for unit in called.values() if model.steps.has_enough(unit)]
    worth.sort(key=lambda unit: -model.works.of_unit(unit).total)
    nodes = (unit.node for unit in worth)
    return [node.name for node in nodes if isinstance(node, cst.FunctionDef)][:_PARTS]
