"""TXL106."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import NodeEdit, Remove, RemoveArgument, Replace, Rewrite
from tfxla_lint.evidence import of_nodes
from tfxla_lint.findings import Applicability
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics.api import KERAS_LOOP_METHODS
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.options import by_default
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.switches import is_true, is_unconditional
from tfxla_lint.semantics.values import Kind

from .keras_code import relying

_SHOWN = 3


class KerasRunEagerly(Rule):
    """## What it does
    Finds Keras models that are told to run eagerly: `model.compile(..., run_eagerly=True)` and
    `model.run_eagerly = True`; also by an option of the command line or a parameter that is `True`
    unless somebody says otherwise. What stands behind a condition, in a test, or takes its value from
    another variable is left alone.

    ## Why is this bad?
    `fit`, `evaluate` and `predict` then dispatch each operation from Python instead of running one
    graph per batch. The option is there for debugging; small models run several times slower with
    it.

    ## Example
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", run_eagerly=True)
    model.fit(tf.ones([32, 4]), tf.ones([32, 1]), verbose=0)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(tf.ones([32, 4]), tf.ones([32, 1]), verbose=0)
    ```

    ## Fix safety
    The fix removes the option, or makes `False` the default of a parameter that nothing else reads. It
    is unsafe: it assumes that no layer, loss or metric of the model
    relies on eager execution, and with Keras 3 it can turn XLA on for a GPU (`jit_compile="auto"`).
    It is not offered where code of the project that Keras may run in a step relies on it; the finding
    names the place.

    ## References
    - [Model.compile](https://www.tensorflow.org/api_docs/python/tf/keras/Model#compile)
    """

    code = "TXL106"
    name = "keras-run-eagerly"
    summary = "A Keras model is told to run eagerly"
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow", "run_eagerly")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at calls of `compile` and at assignments to `run_eagerly`."""
        for argument in model.nodes(cst.Arg):
            call = model.parent(argument)
            if isinstance(call, cst.Call) and _compiles_eagerly(model, call, argument):
                is_said = is_true(argument.value)
                removal = RemoveArgument(call, argument) if is_said else None
                edit = removal or _as_default(model, argument.value)
                text = f"run_eagerly={model.code(argument.value)}"
                yield from _report(model, argument, call.func, text, edit)
        for target in model.nodes(cst.AssignTarget):
            assign = model.parent(target)
            if isinstance(assign, cst.Assign) and _sets_run_eagerly(model, target, assign):
                text = model.code(target.target) + " = True"
                line = _removal(model, assign)
                yield from _report(model, assign, target.target, text, line)


def _as_default(model: SemanticModel, node: cst.BaseExpression) -> NodeEdit | None:
    """`run_eagerly=False` as the default of a parameter that serves nothing else."""
    binding = model.flow.reached(node).only if isinstance(node, cst.Name) else None
    if binding is None or binding.kind is not BindingKind.PARAMETER:
        return None
    unit = model.unit_of_scope(binding.scope)
    parameter, reads = unit.parameter(binding.name), binding.scope.reads.get(binding.name, ())
    default = parameter.node.default if parameter is not None else None
    if default is None or not is_true(default) or any(read is not node for read in reads):
        return None
    return Replace(default, "False")


def _compiles_eagerly(model: SemanticModel, call: cst.Call, argument: cst.Arg) -> bool:
    if argument.keyword is None or argument.keyword.value != "run_eagerly":
        return False
    if not isinstance(call.func, cst.Attribute):
        return False
    if not is_true(argument.value) and not _is_true_unless_set(model, argument.value):
        return False
    kind = model.value(call.func.value).kind
    return call.func.attr.value == "compile" and kind in (Kind.MODEL, Kind.UNKNOWN)


def _is_true_unless_set(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an option is on by default, or a parameter for which no call in sight gives anything
    else: one that passes `**options` on is out of sight."""
    if by_default(model, node).constant is True:
        return True
    binding = model.flow.reached(node).only if isinstance(node, cst.Name) else None
    if binding is None or binding.kind is not BindingKind.PARAMETER:
        return False
    unit = model.unit_of_scope(binding.scope)
    parameter = unit.parameter(binding.name)
    default = parameter.node.default if parameter is not None else None
    given = (edge.argument(binding.name) for edge in model.calls.direct(unit))
    return (
        default is not None
        and is_true(default)
        and all(value is None or is_true(value) for value in given)
    )


def _sets_run_eagerly(model: SemanticModel, target: cst.AssignTarget, assign: cst.Assign) -> bool:
    attribute = target.target
    if not isinstance(attribute, cst.Attribute) or attribute.attr.value != "run_eagerly":
        return False
    return is_true(assign.value) and model.value(attribute.value).kind is Kind.MODEL


def _removal(model: SemanticModel, assign: cst.Assign) -> NodeEdit | None:
    line = model.parent(assign)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return None
    return Remove(line) if len(assign.targets) == 1 else None


def _report(
    model: SemanticModel,
    node: cst.CSTNode,
    attribute: cst.CSTNode,
    text: str,
    edit: NodeEdit | None,
) -> Iterator[Report]:
    if not is_unconditional(model, node) or _is_reset(model, node, attribute):
        return
    message = f"Keras runs this model op by op; `{text}` keeps its steps from being traced"
    if isinstance(node, cst.Arg) and not is_true(node.value):
        message = f"Keras runs this model op by op: `{text}`, which is True if nobody sets it"
    evidence = of_nodes(_runs(model, attribute)[:_SHOWN], "runs op by op")
    assert isinstance(attribute, cst.Attribute)
    blockers = relying(model, attribute.value)
    evidence += of_nodes(blockers[:_SHOWN], "may rely on running eagerly")
    rewrite = None
    if edit is not None and not blockers:
        rewrite = Rewrite(
            f"Remove `{text}`" if not isinstance(edit, Replace) else "Make `False` the default",
            [edit],
            Applicability.UNSAFE,
            assumption="no layer, loss or metric of the model relies on running eagerly",
            unit=model.unit(node).qualname,
        )
    yield Report(node, message, evidence, rewrite)


def _is_reset(model: SemanticModel, node: cst.CSTNode, attribute: cst.CSTNode) -> bool:
    """Whether the same model is compiled again behind `node`, or set back, and runs as Keras likes then."""
    assert isinstance(attribute, cst.Attribute)
    unit, holder = model.unit(node), attribute.value
    for assign in model.nodes(cst.Assign):
        if model.unit(assign) is not unit or model.line(assign) <= model.line(node):
            continue
        for target in (target.target for target in assign.targets):
            if isinstance(target, cst.Attribute) and target.attr.value == "run_eagerly":
                if _is_same(model, target.value, holder) and not is_true(assign.value):
                    return True
    for call in model.nodes(cst.Call):
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "compile":
            continue
        if model.unit(call) is not unit or model.line(call) <= model.line(node):
            continue
        if any(_compiles_eagerly(model, call, argument) for argument in call.args):
            continue
        if _is_same(model, call.func.value, holder) and is_unconditional(model, call):
            return True
    return False


def _is_same(model: SemanticModel, first: cst.BaseExpression, second: cst.BaseExpression) -> bool:
    """Whether two expressions are one name or attribute, of one and the same binding."""
    if isinstance(first, cst.Name) and isinstance(second, cst.Name):
        return model.flow.reached(first).bindings == model.flow.reached(second).bindings
    return first.deep_equals(second)


def _runs(model: SemanticModel, attribute: cst.CSTNode) -> list[cst.CSTNode]:
    """The calls of `fit` and the like on what is written as the holder of `attribute`."""
    if not isinstance(attribute, cst.Attribute):
        return []
    holder = model.code(attribute.value)
    return [
        call.func
        for call in model.nodes(cst.Call)
        if isinstance(call.func, cst.Attribute)
        and call.func.attr.value in KERAS_LOOP_METHODS
        and model.code(call.func.value) == holder
    ]
