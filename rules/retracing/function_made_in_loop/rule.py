"""TXL201."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.measured import of_tracing
from tfxla_lint.semantics.model import SemanticModel

from ..shared.measured_causes import made_again
from .detect import MadeFunction, made_functions, traced_unit


class FunctionMadeInLoop(Rule):
    """## What it does
    Finds `tf.function` objects (decorated functions, `tf.function(f)`, traced lambdas) that are
    made on every turn of a loop, or on every call of a function that a loop runs, and called there.

    ## Why is this bad?
    Traces belong to the function object. A new object starts with none, so each turn traces again,
    and under XLA compiles again, what the turn before had ready: from a tenth of a second to many
    seconds, instead of a fraction of a millisecond.

    With `--profile` it finds, too, functions of which a recorded run made more than a handful of
    objects.

    Left alone are functions that need what the turn makes (a new model or optimizer per fold) or read
    what it sets (`self.beta` of an epoch), that are made under a condition or in a cached function, and
    factories whose result is kept. An optimizer alone that each turn of a `while`, or of more than 50
    turns, makes anew is no fold: the function and the optimizer are better made once, which no fix does.

    ## Example
    ```python
    import tensorflow as tf


    def scaled(x):
        return 2.0 * x + 1.0


    x = tf.ones([4])
    for step in range(100):
        step_fn = tf.function(scaled)
        x = step_fn(x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    def scaled(x):
        return 2.0 * x + 1.0


    x = tf.ones([4])
    step_fn = tf.function(scaled)
    for step in range(100):
        x = step_fn(x)
    ```

    Where the function closes over a number or tensor of the turn, pass that as an argument instead.

    ## Fix safety
    The fix is unsafe: it moves the making above the loop, or to module level, where nothing that
    the function reads is bound inside, and assumes that no turn needs variables of its own, which a
    `tf.function` makes on its first call. Models, layers, losses and modules that the function around
    gets as arguments become arguments of a nested `def` that moves to module level: it is traced once
    for each of them, and assumes that they are built by then.

    ## References
    - [Better performance with tf.function: rules of tracing](https://www.tensorflow.org/guide/function#rules_of_tracing)
    - [`tf.function`: retracing](https://www.tensorflow.org/api_docs/python/tf/function#retracing)
    """

    code = "TXL201"
    name = "function-made-in-loop"
    summary = "A traced function is made anew on every turn of a loop"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each function that is made in a loop and could be made once."""
        told: set[int] = set()
        for made in made_functions(model):
            told.add(id(traced_unit(model, made.node)))
            node = made.node.name if isinstance(made.node, cst.FunctionDef) else made.node
            evidence = [Evidence(made.loop, "the loop")]
            evidence += [Evidence(call, "called here") for call in made.calls]
            at_stake = Retraced(traced_unit(model, made.node), made.node, is_each_time=True)
            from .fix import make_once

            rewrite = make_once(model, made)
            yield Report(node, _message(model, made), evidence, rewrite, at_stake=at_stake)
        for unit, message in made_again(model, told):
            if isinstance(unit.node, cst.FunctionDef) and not unit.is_method:
                yield Report(unit.node.name, message, at_stake=Retraced(unit, unit.node))


def _message(model: SemanticModel, made: MadeFunction) -> str:
    node = made.node.name if isinstance(made.node, cst.FunctionDef) else made.node
    text = excerpt(model, node)
    when = f"call of `{made.unit.name}`, which a loop runs" if made.calls else "turn of the loop"
    message = f"`{text}` is a new function on every {when}: each one is traced again"
    if made.captured:
        names = ", ".join(f"`{name}`" for name in made.captured)
        message += f"; pass {names} as an argument and make it once"
    if made.optimizers:
        names = ", ".join(f"`{name}`" for name in made.optimizers)
        message += (
            f"; so is the optimizer {names} that it applies: make both once, and set what changes"
        )
    return message + of_tracing(model, traced_unit(model, made.node))
