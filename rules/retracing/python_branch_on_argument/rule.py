"""TXL207."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Retraced
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel

from ..shared.turn_counts import in_traces
from .python_branches import Branch, PythonBranch, python_branches
from .tensor_branches import can_be_tensor


class PythonBranchOnArgument(Rule):
    """## What it does
    Finds `if`, `while`, conditional expressions and `range` of traced code that a Python parameter
    decides, where a loop calls the function with another number or string on every turn.

    Parameters that take fewer than five values, flags, tests for `None`, and branches on tensors
    are left alone.

    ## Why is this bad?
    Such a branch is taken while the function is traced, so that its result belongs to one value of
    the parameter. Every value has a trace of its own, and each `range(n)` is unrolled into as many
    copies of its body. No option of `tf.function` changes that: the code asks for it. On a tensor,
    AutoGraph makes the branch or the loop part of one graph.

    A finding speaks for `python-value-argument` at the same argument.

    ## Example
    ```python
    import tensorflow as tf


    @tf.function
    def warm_up(step):
        rate = tf.constant(0.1, tf.float32)
        if step < 100:
            rate = rate * 0.01
        return rate


    for step in range(1000):
        warm_up(step)
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    @tf.function
    def warm_up(step):
        rate = tf.constant(0.1, tf.float32)
        if step < 100:
            rate = rate * 0.01
        return rate


    for step in range(1000):
        warm_up(tf.constant(step))
    ```

    Or decide in Python, outside of the function, and pass what was decided: `warm_up(step < 100)`
    has two traces.

    ## Fix safety
    The fix passes the number as a tensor, where every use of it is a branch or a loop that
    AutoGraph surely converts: both sides give tensors of one dtype to the same names, and a loop's
    turns keep dtypes and shapes. It is unsafe: a branch that is not taken is traced all the same,
    so that what only runs for some values must not fail or have effects for others.

    ## References
    - [Better performance with tf.function: conditionals](https://www.tensorflow.org/guide/function#conditionals)
    - [AutoGraph reference: control flow](https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/control_flow.md)
    """

    code = "TXL207"
    name = "python-branch-on-argument"
    summary = (
        "A branch of traced code is decided by a Python argument that varies from call to call"
    )
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    speaks_for = ("TXL202",)
    quiet_in_tests = True
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the first branch of each parameter, with the others and the calls as evidence."""
        for found in python_branches(model):
            first, *others = found.branches
            evidence = [Evidence(_place(branch), "and this, too") for branch in others]
            for call in found.calls:
                evidence.append(Evidence(call.argument.value, "passes another value on every turn"))
            evidence.append(Evidence(found.calls[0].loop, "the loop"))
            evidence.append(Evidence(found.calls[0].traced.tracing.node, "traced here"))
            covered = [call.argument.value for call in found.calls]
            message, rewrite = _message(model, found, first), _rewrite(model, found)
            call = found.calls[0]
            at_stake = Retraced(
                found.unit, call.traced.call, call.count.number if call.count else None
            )
            yield Report(_place(first), message, evidence, rewrite, None, covered, at_stake)


def _place(branch: Branch) -> cst.CSTNode:
    node = branch.node
    return node.test if isinstance(node, (cst.If, cst.While, cst.IfExp)) else node


def _message(model: SemanticModel, found: PythonBranch, branch: Branch) -> str:
    name = found.parameter.name
    text = excerpt(model, _place(branch))
    does = "is unrolled" if isinstance(branch.node, cst.Call) else "is decided"
    return (
        f"`{text}` {does} while tracing, by the Python value of `{name}`: "
        f"`{found.unit.qualname}` is traced again for every value of it"
        f"{in_traces(found.calls[0].count)}"
    )


def _rewrite(model: SemanticModel, found: PythonBranch) -> Rewrite | None:
    """`tf.constant(n)` at the calls that vary it, where AutoGraph turns all its uses."""
    first = found.calls[0]
    if first.traced.tracing.is_compiled or first.traced.tracing.option("autograph") is not None:
        return None
    if not can_be_tensor(model, found):
        return None
    edits = []
    for call in found.calls:
        constant = tensorflow_name(model, "constant", call.argument)
        if constant is None:
            return None
        text = model.code(call.argument.value)
        edits.append(Replace(call.argument.value, f"{constant}({text})"))
    return Rewrite(
        f"Pass `{found.parameter.name}` as a tensor",
        edits,
        Applicability.UNSAFE,
        assumption="assumes that tracing both sides of the branch does no harm",
        unit=model.unit(first.traced.call).qualname,
    )
