"""TXL104."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.measured import of_loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.options import is_met_by_default
from tfxla_lint.semantics.repeated.eager_models import eager_models
from tfxla_lint.semantics.turns import is_rare, runs_steps, works
from tfxla_lint.semantics.twins import has_graph_twin
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import ARRAYS, NUMBERS, Kind

from .freshness import Freshness
from .syncs import Sync, Syncs

#: What the values of tensors are read as.
_READ = NUMBERS | ARRAYS | {Kind.STRING, Kind.NONE}


class HostSyncInLoop(Rule):
    """## What it does
    Finds loops that read the value of a tensor on every turn, right after TensorFlow computed it:
    `.numpy()`, `float(t)`, `int(t)`, `print(t)`, an f-string of `t`, `if t > c`. Also the steps that
    an optimizer counts (`if optimizer.iterations.numpy() % 100 == 0`). The same in a function that
    each turn calls, where it only shows or keeps what it reads, and no other code needs a value.

    ## Why is this bad?
    TensorFlow hands work to the device and goes on. Reading a value stops Python until the device
    is done with everything that the value needs, so the device idles while Python prepares the next
    step. Kept as tensors, the values cost nothing until they are read, all at once.

    Left alone are reads under a condition that thins them out (`if step % 100 == 0`), once per
    epoch or after a traced walk that goes on until a tensor ends it, tensors given to the `Progbar`
    of Keras, which reads them now and then, and values that the loop needs to go on, such as the
    action that an environment is given, or the loss whose test leads to a `break`, and of what a
    model gives that is called eagerly (`eager-model-call-in-loop` speaks of it). Where nothing is
    read but to tell whether a loop is at its end, and its turns go on with what they computed
    (tokens, a state), it is reported: such a loop can run on the device as a whole.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    x, y = tf.ones([16, 8]), tf.ones([16, 1])
    optimizer = tf.keras.optimizers.SGD(0.1)


    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss


    losses = []
    for step in range(200):
        loss = train_step()
        losses.append(float(loss))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    x, y = tf.ones([16, 8]), tf.ones([16, 1])
    optimizer = tf.keras.optimizers.SGD(0.1)


    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss


    losses = []
    for step in range(200):
        loss = train_step()
        losses.append(loss)
    losses = [float(loss) for loss in losses]
    ```

    Sums and means fit a `tf.keras.metrics.Mean`, updated each step and read once per epoch.

    ## Fix safety
    Where a list collects the values, the fix appends the tensors and reads them when the loop is
    over, by the very expression that stood in it, so that the values and their types stay. Where
    whole numbers are added up, it adds up the tensors and makes the sum a Python number behind the
    loop. Sums of floats are left alone: tensors would round them differently.

    A list that is read and emptied again every so many turns is read there, right before its first
    use, and may get a list of values on each turn, of what one traced call gives.

    It is offered where that takes every wait out of the loop, and where nothing sees the list or
    the total in between: a plain name, set before the loop, that no other function knows and that
    the loop does not read (but for values such as `losses[-1]` every few turns, which are read on
    the spot).

    It is unsafe since the tensors of a list stay on the device until then, since tensors of whole
    numbers may overflow where Python's do not, and since a program that is interrupted leaves
    tensors behind.

    ## References
    - [Optimize TensorFlow GPU performance](https://www.tensorflow.org/guide/gpu_performance_analysis)
    - [Metrics in a training loop from scratch](https://www.tensorflow.org/guide/keras/writing_a_training_loop_from_scratch)
    """

    code = "TXL104"
    name = "host-sync-in-loop"
    summary = "A loop that waits for the device on every turn"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow", "for|while")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at each loop that surely turns many times, or that runs a training step."""
        loops: list[Loop] = [*model.nodes(cst.For), *model.nodes(cst.While)]
        for loop in loops:
            if _is_hot(model, loop):
                yield from self._check_loop(model, loop)
        for unit in model.units.all[1:]:
            if any(model.value(call).kind in _READ for call in unit.own(cst.Call)):
                yield from _check_function(model, unit)

    def _check_loop(self, model: SemanticModel, loop: Loop) -> Iterator[Report]:
        fresh = Freshness(model, loop)
        waits = list(Syncs(model, loop, fresh).find())
        syncs = [sync for sync in waits if _every_turn(model, sync.node, loop, fresh)]
        if syncs and all(sync.ends for sync in syncs) and fresh.feeds_itself:
            yield _asked_whether_to_go_on(model, loop, syncs[0])
        if not syncs or not all(sync.is_recorded for sync in syncs):
            return
        wrapped = {id(call) for each in eager_models(model) for call in each.calls}
        if all(id(fresh.source(sync.tensor)) in wrapped for sync in syncs):
            return  # All that a turn waits for is a model that TXL110 wants wrapped.
        first, *others = sorted(syncs, key=lambda sync: fresh.is_of_count(sync.tensor))
        text = f"`{excerpt(model, first.node)}`"
        if first.node is first.tensor:
            text = f"reading the value of {text}"
        source = fresh.source(first.tensor)
        evidence = [Evidence(loop, "the loop")]
        if source is not None:
            evidence.append(Evidence(source, "the tensor is computed here"))
        evidence += [Evidence(sync.node, "waits too") for sync in others]
        remedy = "keep the tensor and read it after the loop or every few steps"
        if fresh.is_of_count(first.tensor):
            remedy = "a number that Python counts tells as much"
        message = (
            f"{text} makes every turn of the loop wait for the device; "
            f"{remedy}{of_loop(model, loop)}"
        )
        often = [sync for sync in waits if not is_rare(model, sync.node, loop)]
        from .fix import read_after_loop

        yield Report(first.node, message, evidence, read_after_loop(model, often))


def _asked_whether_to_go_on(model: SemanticModel, loop: Loop, sync: Sync) -> Report:
    """What is said of a loop whose turns go on with what they computed until a tensor ends it."""
    message = (
        f"`{excerpt(model, sync.node)}` makes every turn of the loop wait for the device to tell "
        f"whether to go on; a loop on tensors inside of a tf.function needs no answer"
        f"{of_loop(model, loop)}"
    )
    return Report(sync.node, message, [Evidence(loop, "the loop")])


def _runs_long(model: SemanticModel, call: cst.Call) -> bool:
    """Whether the function turns a loop until a tensor says so: an episode, a decoding."""
    loops = (loop for callee in model.callees(call) for loop in callee.unit.own(cst.While))
    return any(not model.value(loop.test).has_constant and works(model, loop) for loop in loops)


def _check_function(model: SemanticModel, unit: Unit) -> Iterator[Report]:
    """Whether a function waits for what each turn of a loop computes, to record it, and nothing
    else on such a turn waits."""
    if not model.contexts.is_only_eager(unit):
        return
    for edge in model.calls.direct(unit):
        around = model.loops.around(edge.node, edge.caller)[-1:]
        if edge.how != "call" or not around or not _is_hot(model, around[0]):
            continue
        loop, fresh = around[0], Freshness(model, around[0], edge)
        waits = _waits_below(model, loop, edge)
        if not waits or not _is_unthinned(model, edge.node, loop, fresh):
            continue
        if not all(wait.is_recorded for wait in waits) or _waits_beside(model, loop, edge):
            continue
        message = (
            f"`{excerpt(model, waits[0].node)}` makes every turn of the loop that runs "
            f"`{unit.name}` wait for the device; keep the tensor and read it every few steps"
            f"{of_loop(model, loop)}"
        )
        evidence = [Evidence(loop, "the loop"), Evidence(edge.node, "called here")]
        yield Report(waits[0].node, message, evidence)
        return


def _waits_below(model: SemanticModel, loop: Loop, edge: Edge) -> list[Sync]:
    """Where a function that a loop calls waits, each time it is called."""
    if len(list(model.calls.at(edge.node))) > 1 or edge.tracing is not None:
        return []
    fresh, unit = Freshness(model, loop, edge), edge.callee
    found = Syncs(model, loop, fresh, unit).find()
    return [sync for sync in found if _is_unthinned(model, sync.node, unit.node, fresh)]


def _waits_beside(model: SemanticModel, loop: Loop, edge: Edge) -> bool:
    """Whether a turn waits in the loop itself, or for a value that another function needs."""
    fresh = Freshness(model, loop)
    if any(_every_turn(model, s.node, loop, fresh) for s in Syncs(model, loop, fresh).find()):
        return True
    calls = (call for call, _ in model.works.of_body(loop).calls if call is not edge.node)
    others = (other for call in calls for other in model.calls.at(call))
    return any(
        not wait.is_recorded for other in others for wait in _waits_below(model, loop, other)
    )


def _is_hot(model: SemanticModel, loop: Loop) -> bool:
    """Whether a loop surely turns many times, or runs a training step, and is no loop of epochs."""
    info = model.loops.info(loop)
    if info.is_short or not model.contexts.is_only_eager(model.unit(loop)):
        return False
    if has_graph_twin(model, loop) or runs_steps(model, loop):
        return False
    work = model.works.of_body(loop)
    if any(_runs_long(model, call) for call in work.traced_calls):
        return False
    if info.is_certain or work.traced_calls or work.is_training_step:
        return True
    return any(model.works.of_unit(unit).is_training_step for unit in work.callees)


def _every_turn(model: SemanticModel, node: cst.CSTNode, loop: Loop, fresh: Freshness) -> bool:
    """Whether each turn of this very loop comes to a node."""
    if model.loops.around(node, model.unit(loop))[-1:] != [loop]:
        return False
    return _is_unthinned(model, node, loop, fresh)


def _is_unthinned(
    model: SemanticModel, node: cst.CSTNode, top: cst.CSTNode, fresh: Freshness
) -> bool:
    """Whether no test keeps from a node; that of a fresh tensor thins nothing, unless it asks how
    many steps were taken, or comes true once in a period, and neither does an option that is on by
    default."""
    frequency = model.loops.frequency
    loop = top if isinstance(top, (cst.For, cst.While)) else None
    for test in frequency.conditions(node, top):
        if is_met_by_default(model, test):
            continue
        if not fresh.is_fresh(test.node) or fresh.is_of_count(test.node):
            return False
        if frequency.holding(test, loop) < Often.PERHAPS:
            return False
    return True
