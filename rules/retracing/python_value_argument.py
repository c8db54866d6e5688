"""TXL202."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.evidence import of_nodes
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.measured import of_tracing
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.varying.python_arguments import (
    TracedCall,
    arithmetic_dtype,
    traced_calls,
    type_clashes,
    varies,
)

from .shared.measured_causes import measured_causes
from .shared.turn_counts import count_values, in_traces


class PythonValueArgument(Rule):
    """## What it does
    Finds Python numbers and strings that change from turn to turn of a loop (its target, a counter,
    a decayed rate) and are passed to a traced function.

    With `--profile` it finds, too, parameters whose values made a recorded run trace a function
    more than a handful of times.

    It also finds, as an error, equal numbers of different types (`1`, `1.0`, `True`) passed for one
    parameter of a function that computes something else from them.

    ## Why is this bad?
    A Python value is part of the trace's key: the function is traced again for every new value, and
    no option helps, `reduce_retracing` included. Traces are kept, so memory grows as well.

    Equal Python values are one key. `f(1)` and `f(1.0)` share the trace of whichever ran first, so
    the other one gets a result of the wrong dtype, silently.

    NumPy numbers and tensors are no part of the key, nor is what an `input_signature` casts.

    ## Example
    ```python
    import tensorflow as tf

    weights = tf.Variable(tf.ones([8], tf.float32))


    @tf.function
    def decay(rate):
        weights.assign(weights - rate * weights)


    for step in range(100):
        decay(0.1 / (step + 1))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    weights = tf.Variable(tf.ones([8], tf.float32))


    @tf.function
    def decay(rate):
        weights.assign(weights - rate * weights)


    for step in range(100):
        decay(tf.constant(0.1 / (step + 1), tf.float32))
    ```

    ## Fix safety
    The fix is unsafe. It is offered only where the function does nothing with the value but compute
    with tensors of one known dtype, which the value is cast to eagerly as well. A value that sizes,
    indexes, branches or is formatted stays a Python value: there the function itself must change.

    ## References
    - [Better performance with tf.function: pass tensors instead of Python literals](https://www.tensorflow.org/guide/function#pass_tensors_instead_of_python_literals)
    - [`tf.function`: retracing](https://www.tensorflow.org/api_docs/python/tf/function#retracing)
    """

    code = "TXL202"
    name = "python-value-argument"
    summary = "A Python value that varies from call to call is passed to a traced function"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report varying arguments, and equal ones of different types."""
        told: set[int] = set()
        for traced in traced_calls(model):
            for argument in traced.call.args:
                for report in self._check_argument(model, traced, argument):
                    told.add(id(traced.unit))
                    yield report
        yield from _measured(model, told)
        for clash in type_clashes(model):
            later, earlier = clash.later.value, clash.earlier.value
            message = (
                f"`{excerpt(model, later)}` and `{excerpt(model, earlier)}` are one value to "
                f"`{excerpt(model, clash.call.call.func)}`: both calls share one trace, and the "
                "type of the first one that runs decides for both"
            )
            evidence = [Evidence(earlier, "the same value, of another type")]
            yield Report(later, message, evidence, level=Level.ERROR)

    def _check_argument(
        self, model: SemanticModel, traced: TracedCall, argument: cst.Arg
    ) -> Iterator[Report]:
        value = model.value(argument.value)
        if not isinstance(value.loop, (cst.For, cst.While)) or not varies(model, argument.value):
            return
        if not model.loops.info(value.loop).is_certain:
            return
        kind = "string" if value.kind is Kind.STRING else "number"
        count = count_values(model, argument.value, value.loop, traced.call)
        message = (
            f"`{excerpt(model, argument.value)}` is a Python {kind} that changes from turn to turn "
            f"of a loop: `{excerpt(model, traced.call.func)}` is traced again for every value of it"
            f"{in_traces(count)}"
            f"{of_tracing(model, traced.unit)}"
        )
        evidence = [Evidence(value.loop, "the loop"), Evidence(traced.tracing.node, "traced here")]
        at_stake = Retraced(traced.unit, traced.call, count.number if count else None)
        rewrite = _rewrite(model, traced, argument)
        yield Report(argument.value, message, evidence, rewrite, at_stake=at_stake)


def _measured(model: SemanticModel, told: set[int]) -> Iterator[Report]:
    """What a recorded run shows and the code does not."""
    for found in measured_causes(model, "value", told):
        if "python" not in found.argument.kinds:
            continue
        message = (
            f"in the recorded run {found.was_traced}: `{found.parameter.name}` took "
            f"{found.argument.value_count} Python values, and each is traced for itself"
        )
        evidence = of_nodes([call.func for call in found.calls], "called here")
        at_stake = Retraced(found.unit, found.unit.node)
        yield Report(found.parameter.node.name, message, evidence, at_stake=at_stake)


def _rewrite(model: SemanticModel, traced: TracedCall, argument: cst.Arg) -> Rewrite | None:
    """`tf.constant(v, dtype)`, where the function only computes with tensors of this dtype."""
    parameter = traced.parameter(argument)
    if parameter is None or traced.unit is None:
        return None
    dtype = arithmetic_dtype(model, traced.unit, parameter)
    if dtype is None or (not dtype.startswith(("float", "bfloat")) and _is_float(model, argument)):
        return None
    constant = tensorflow_name(model, "constant", argument)
    spelled = tensorflow_name(model, dtype, argument)
    if constant is None or spelled is None:
        return None
    text = model.code(argument.value)
    return Rewrite(
        f"Pass `{text}` as a tensor",
        [Replace(argument.value, f"{constant}({text}, {spelled})")],
        Applicability.UNSAFE,
        assumption=f"assumes that the function computes in {dtype} with `{parameter.name}`",
        unit=model.unit(traced.call).qualname,
    )


def _is_float(model: SemanticModel, argument: cst.Arg) -> bool:
    return model.value(argument.value).kind is Kind.FLOAT
