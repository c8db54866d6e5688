"""TXL113."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Dear
from tfxla_lint.semantics.measured import of_loop
from tfxla_lint.semantics.model import SemanticModel

from .detect import fusable_loops
from .fit import fitted_models, several_steps
from .fix import fuse


class FusableLoop(Rule):
    """## What it does
    Finds loops over a range or a data set whose turns do nothing but call a traced step, and then
    keep or show what it gives: losses in a list, running means, a line every hundred turns. It also
    finds models that are compiled without `steps_per_execution` and trained by `fit` without
    callbacks and progress bar, on arrays or data sets.

    It is off unless it is selected. Left alone are loops that show something on every turn, that set
    what the next step reads (a learning rate, the step's own arguments), whose errors are caught
    around them, that are left early by anything but a value of the step or a counter of turns, and those
    whose steps loop over tensors or data themselves.

    ## Why is this bad?
    It is no fault, only speed left lying. A call of a traced function costs Python some tenths of
    a millisecond, which is more than many a small step takes. One call that runs a hundred
    steps pays that once.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    x, y = tf.random.normal([16, 8]), tf.ones([16, 1])
    optimizer = tf.keras.optimizers.SGD(0.1)


    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss


    for step in range(1000):
        loss = train_step()
        if step % 100 == 0:
            print(step, float(loss))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    x, y = tf.random.normal([16, 8]), tf.ones([16, 1])
    optimizer = tf.keras.optimizers.SGD(0.1)


    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss


    @tf.function
    def train_steps(count):
        loss_spec = train_step.get_concrete_function().structured_outputs
        last_loss = tf.TensorArray(loss_spec.dtype, 1, element_shape=loss_spec.shape)
        for _ in tf.range(count):
            loss = train_step()
            last_loss = last_loss.write(0, loss)
        return last_loss.read(0)


    left = 0
    for step in range(1000):
        if not left:
            left = min((0 - step) % 100 + 1, 1000 - step)
            loss = train_steps(tf.constant(left))
        left -= 1
        if step % 100 == 0:
            print(step, float(loss))
    ```

    ## Fix safety
    The fix is unsafe, and with `--verify` it stays only where a run computes and shows the same, and
    takes at least a tenth less time. A call ends with each turn that looks at what the steps change
    (`if step % 100 == 0`), so that lines are shown in their order, with their values, and when
    their steps are over. Values that the loop needs of each turn come back stacked, and what Python does
    with them it does afterwards, turn by turn.

    Where a value of the step ends the loop (`if loss < 1e-3: break`), the call asks for it after each
    step and stops there, so that no step too many is taken.
    Where a counter ends it that grows by one on a turn, or starts anew at 0 (`waited >= patience`), a
    call takes no more steps than the counter lacks; Python counts as it did.

    Data sets whose batches are all of one size are batched once more. Other batches, and arrays that
    Python slices for each turn, are collected, and those of one shape run together, the smaller
    last one by itself; what is shown of these may come up to 31 steps later. Where a seed is set, random
    operations in these steps draw other numbers, since calls of another size have a trace of their own.

    It assumes that nothing else looks at the variables between two steps, such as another thread, and
    that the collected batches fit into memory: 16, or what goes evenly into the rhythm, 32 at most.
    An error in a step is raised before Python has seen the values of the steps before it.

    ## References
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    - [AutoGraph: loops](https://www.tensorflow.org/guide/function#loops)
    """

    code = "TXL113"
    name = "fusable-loop"
    summary = "A loop that runs one traced step a turn, where one call could run many"
    level = Level.NOTE
    default = False
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs_measurement = True
    variant = "fused"
    needs = ("@tensorflow", "for|while|.fit")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each loop whose steps can be run several at a time."""
        for found in fusable_loops(model):
            rewrite = fuse(model, found)
            if rewrite is None:
                continue
            message = (
                f"every turn of this loop is a call of `{found.step.name}`, with Python between; "
                f"one call can run many steps{of_loop(model, found.loop)}"
            )
            evidence = [Evidence(found.call, "the step"), Evidence(found.step.node, "it is traced")]
            at_stake = Dear(found.call, "function", "nothing")
            yield Report(found.loop, message, evidence, rewrite, at_stake=at_stake)
        for fitted in fitted_models(model):
            message = (
                "Keras runs each step of `fit` by a call of its own; `steps_per_execution` lets one call "
                "run many"
            )
            evidence = [Evidence(fit, "trains it, and shows no step") for fit in fitted.fits]
            yield Report(fitted.compile, message, evidence, several_steps(model, fitted))
