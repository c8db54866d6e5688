"""TXL105."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import NodeEdit, Remove, ReplaceStatements, Rewrite, Statement
from tfxla_lint.evidence import of_nodes
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.switches import (
    function_switches,
    functions_run_eagerly,
    switches_on,
)
from tfxla_lint.semantics.tracing.symbolic import traced_units

_SHOWN = 3


class FunctionsRunEagerly(Rule):
    """## What it does
    Finds `tf.config.run_functions_eagerly(True)` left in a program, and the same used in a `with`
    statement. A switch behind a condition or in a test is left alone, and so is one that is
    switched off again.

    ## Why is this bad?
    Every `tf.function` of the process runs eagerly from there on, in imported libraries too, and
    nothing says so: the decorators stay and do nothing. Functions mapped over a dataset are not
    concerned; those have `tf.data.experimental.enable_debug_mode`.

    `run_functions_eagerly` is no context manager: `with` raises `TypeError` after the switch has
    been set, and it stays on.

    ## Example
    ```python
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)

    @tf.function
    def square(x):
        return tf.square(x)

    result = square(tf.range(4.0))
    ```

    ## Use instead
    ```python
    import tensorflow as tf


    @tf.function
    def square(x):
        return tf.square(x)

    result = square(tf.range(4.0))
    ```

    ## Fix safety
    The fix removes the switch. It is unsafe: it assumes that no traced function, here or in
    another module, relies on running eagerly. It is not offered where one of this module does;
    the finding names the place.

    ## References
    - [tf.config.run_functions_eagerly](https://www.tensorflow.org/api_docs/python/tf/config/run_functions_eagerly)
    - [Debugging tf.function](https://www.tensorflow.org/guide/function#debugging)
    """

    code = "TXL105"
    name = "functions-run-eagerly"
    summary = "Every tf.function is switched to run eagerly"
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@imported", "@switches")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the switches that stand in `with`, and the one that is left on."""
        left_on = functions_run_eagerly(model)
        for call in function_switches(model):
            item = model.parent(call)
            if isinstance(item, cst.WithItem) and switches_on(call):
                message = "this is no context manager: `with` raises and the switch stays on"
                yield _report(model, call, message)
            elif call is left_on:
                yield _report(model, call, "every `tf.function` runs eagerly from here on")


def _report(model: SemanticModel, call: cst.Call, message: str) -> Report:
    units = traced_units(model)
    traced = [unit.tracing.node for unit in units if unit.tracing is not None]
    evidence = of_nodes(traced[:_SHOWN], "does nothing while the switch is on")
    judged = (found for unit in units for found in model.ask(Safety).unit_blockers(unit))
    blockers = [found.node for found in judged if not found.of_unknown]
    if blockers:
        evidence.append(Evidence(blockers[0], "relies on running eagerly"))
        return Report(call, message, evidence)
    return Report(call, message, evidence, _rewrite(model, call))


def _rewrite(model: SemanticModel, call: cst.Call) -> Rewrite | None:
    parent = model.parent(call)
    edit: NodeEdit | None = None
    intent = Intent.PRESERVING
    if isinstance(parent, cst.WithItem):
        edit = _without_with(model.parent(parent), parent)
        intent = Intent.CORRECTING
    elif isinstance(parent, cst.Expr):
        line = model.parent(parent)
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            edit = Remove(line)
    if edit is None:
        return None
    assumption = "no traced function relies on running eagerly"
    unit = model.unit(call).qualname
    return Rewrite("Remove the switch", [edit], Applicability.UNSAFE, intent, assumption, unit)


def _without_with(statement: cst.CSTNode | None, item: cst.WithItem) -> NodeEdit | None:
    """The body of a `with` that holds nothing but the switch, in the place of the `with`."""
    if not isinstance(statement, cst.With) or len(statement.items) != 1 or item.asname is not None:
        return None
    body = statement.body
    if not isinstance(body, cst.IndentedBlock) or body.header.comment or body.footer:
        return None
    moved: list[Statement] = [
        inner
        for inner in body.body
        if isinstance(inner, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    ]
    lines = [*statement.leading_lines, *moved[0].leading_lines]
    moved[0] = moved[0].with_changes(leading_lines=lines)
    return ReplaceStatements(statement, statement, moved)
