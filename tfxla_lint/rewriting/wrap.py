"""Wraps a model in `tf.function` once, where a loop calls it eagerly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from tfxla_lint.edits import Decorate, InsertAfter, InsertBefore, NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rewriting.array_reads import as_arrays
from tfxla_lint.rewriting.existing_wrapper import between, is_plain, made_already
from tfxla_lint.rewriting.naming import free_attribute, free_name
from tfxla_lint.rewriting.options import relaxing, with_option, wrapper
from tfxla_lint.rewriting.proved import judged
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.eager_models import EagerModel, eager_models, models_below_tapes
from tfxla_lint.semantics.safety.arrays import is_array_or_tensor
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.keys import method_blocker
from tfxla_lint.semantics.safety.open_sizes import needs_sizes
from tfxla_lint.semantics.safety.proof import CALL_CONDITIONS, Condition, call_gaps, unit_gaps
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.turns import is_run_once
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, leaves

_ARRAYS = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY})
#: Methods called and attributes set that change a model in a way that a trace does not see.
_CHANGING = behaviour.methods(Trait.REBUILDS, "model")
_HOLDING = (BindingKind.ASSIGNMENT, BindingKind.PARAMETER)
_PROBABLE = "tensorflow_probability.layers."
_BUILDING = _CHANGING | {"build", "compile"}


@dataclass(frozen=True)
class _Place:
    """Where the wrapper is made: its name as the calls spell it, and the edit that makes it.

    There is no edit where the code makes it already.
    """

    name: str
    edit: NodeEdit | None = None


def wrap(model: SemanticModel, group: EagerModel) -> Rewrite | None:
    """Make the wrapper before the loop, or beside the attribute, and call it in the loop."""
    if group.blockers or not _can_pass(model, group.calls) or _changes(model, group):
        return None
    function = group.calls[0].func
    spelled = tensorflow_name(model, "function", function)
    if spelled is None or not _returns_tensors(model, group.calls[0]):
        return None
    if _is_receiver(group.unit, function):
        return _decorated(model, group, spelled)
    text = model.code(function)
    code = [root for callee in model.callees(group.calls[0]) for root in callee.unit.body]
    option = None if needs_sizes(model, code, runs_keras=True) else relaxing(model)
    wrapped = wrapper(spelled, text, option)
    if isinstance(function, cst.Name):
        place = _before_loop(model, group, function, wrapped)
    else:
        assert isinstance(function, cst.Attribute)
        place = _in_constructor(model, group.unit, function, wrapped)
    if place is None:
        return None
    gaps = call_gaps(model, group.calls)
    applicability, said = judged(
        model,
        gaps,
        CALL_CONDITIONS,
        f"assumes that `{text}` gives tensors and stays the same object with the same layers",
    )
    return Rewrite(
        title=f"Wrap `{text}` in a tf.function once",
        edits=[
            *([place.edit] if place.edit is not None else []),
            *(Replace(call.func, place.name) for call in group.calls),
            *(edit for call in group.calls for edit in as_arrays(model, call)),
        ],
        applicability=applicability,
        assumption=said,
        unit=group.unit.qualname,
    )


def _is_receiver(unit: Unit, function: cst.BaseExpression) -> bool:
    """`self(inputs)` in a method of the model itself."""
    is_name = unit.is_method and isinstance(function, cst.Name)
    return is_name and dotted(function) == unit.parameters[0].name


def _decorated(model: SemanticModel, group: EagerModel, spelled: str) -> Rewrite | None:
    """The whole method traced, where nothing keeps it from that: one trace for each model."""
    unit = group.unit
    node = unit.node
    if not isinstance(node, cst.FunctionDef) or unit.is_decorated:
        return None
    if model.ask(Safety).unit_blockers(unit) or method_blocker(model, unit) is not None:
        return None
    option = None if needs_sizes(model, unit.body, runs_keras=True) else relaxing(model)
    applicability, said = judged(
        model,
        unit_gaps(model, unit),
        list(Condition),
        "assumes that all callers pass tensors, and that outer Python state stays",
    )
    return Rewrite(
        title=f"Decorate `{unit.name}` with tf.function",
        edits=[Decorate(node, with_option(spelled, option))],
        applicability=applicability,
        assumption=said,
        unit=unit.qualname,
    )


def wrap_one(model: SemanticModel, unit: Unit, loop: Loop | None = None) -> Rewrite | None:
    """Wrap a model that a function, or a loop of it, calls: for steps that can't move as a whole."""
    groups = (
        group
        for group in eager_models(model)
        if group.unit is unit and (loop is None or group.loop is loop)
    )
    found = next((found for group in groups if (found := wrap(model, group)) is not None), None)
    return replace(found, is_partial=True) if found is not None else None


def wrap_below_tapes(
    model: SemanticModel, unit: Unit, loop: Loop | None, blockers: Sequence[Blocker]
) -> Rewrite | None:
    """Wrap a model of a training step that can't move: the rest of the step stays eager.

    Not where a call of the model is among what keeps the step from being traced.
    """
    blocked = {id(blocker.node) for blocker in blockers}
    for group in models_below_tapes(model, unit, loop):
        nodes = (node for call in group.calls for node in walk(call))
        found = wrap(model, group) if not any(id(node) in blocked for node in nodes) else None
        if found is not None:
            return replace(found, applicability=Applicability.UNSAFE, is_partial=True)
    return None


def _can_pass(model: SemanticModel, calls: Sequence[cst.Call]) -> bool:
    """Whether all calls have arguments of one form that a trace takes as tensors or flags."""
    forms = set()
    for call in calls:
        forms.add(tuple(a.keyword.value if a.keyword else None for a in call.args))
        if any(argument.star for argument in call.args):
            return False
        if not all(_is_passable(model, call, argument) for argument in call.args):
            return False
    return len(forms) == 1


def _is_passable(model: SemanticModel, call: cst.Call, argument: cst.Arg) -> bool:
    value = model.value(argument.value)
    if argument.keyword is not None and argument.keyword.value == "training":
        return value.has_constant
    raw = model.value(call.func).kind is Kind.MODULE
    kinds = {leaf.kind for leaf in leaves(value)}
    if not raw and kinds == {Kind.UNKNOWN}:
        # Nothing else has a shape: `x[np.newaxis]`.
        return value.shape is not None or is_array_or_tensor(model, argument.value)
    return kinds <= (_ARRAYS - {Kind.NDARRAY} if raw else _ARRAYS)


def _changes(model: SemanticModel, group: EagerModel) -> bool:
    """Whether code that may run between the calls changes the layers or knobs of the model."""
    function = group.calls[0].func
    text = model.code(function)
    inside = {id(node) for node in walk(group.loop)} if isinstance(function, cst.Name) else None
    for node in model.nodes(cst.Attribute):
        if node.attr.value not in _CHANGING or (inside is not None and id(node) not in inside):
            continue
        is_changed = isinstance(model.parent(node), (cst.AssignTarget, cst.Call))
        if is_changed and model.code(node.value) == text:
            if model.unit(node).name != "__init__":
                return True
    return False


def _returns_tensors(model: SemanticModel, call: cst.Call) -> bool:
    """Whether the result is made of tensors (a distribution object could not leave a trace).

    What a model of unknown origin gives is taken for tensors, too.
    """
    if model.ask(_may_give_distributions):
        return False
    kinds = {leaf.kind for leaf in leaves(model.value(call))}
    is_model = model.value(call.func).kind is Kind.MODEL and model.value(call.func).by_use
    return kinds == {Kind.TENSOR} or (is_model and kinds <= {Kind.TENSOR, Kind.UNKNOWN})


def _may_give_distributions(model: Answers) -> bool:
    """Whether the project makes layers of TensorFlow Probability, some of which do."""
    names = (model.names.of(call.func) for call in model.everywhere(cst.Call))
    return any(name.startswith(_PROBABLE) for found in names for name in found)


def _before_loop(
    model: SemanticModel, group: EagerModel, function: cst.Name, wrapped: str
) -> _Place | None:
    """`traced = tf.function(model)` above the outermost loop that does not bind the model."""
    unit = group.unit
    bindings = model.binder.scope(function).lookup(function.value)
    if len(bindings) != 1 or unit.is_lambda:
        return None
    binding = bindings[0]
    if model.ask(Safety).state.is_set_from_outside(function.value, binding.scope):
        return None
    if binding.scope is model.binder.module_scope and not unit.is_module:
        return _beside_global(model, binding, function, wrapped)
    if binding.scope is not unit.scope or binding.kind not in _HOLDING:
        return None
    if not is_run_once(model, unit):
        return None
    around = model.loops.around(group.calls[0], unit)
    loops = [loop for loop in around if not _holds(loop, binding.node)]
    if not loops or loops[-1] is not around[-1] or not _stands_before(unit, binding.node, loops[0]):
        return None
    statement = statement_of(model, loops[0])
    assert isinstance(statement, cst.BaseCompoundStatement)
    above = between(model, statement_of(model, binding.node), statement, function.value)
    if (made := made_already(model, above, wrapped)) is not None:
        return _Place(made)
    name = free_name(model, f"traced_{function.value.lstrip('_')}")
    return _Place(name, InsertBefore(statement, [_line(f"{name} = {wrapped}")]))


def _beside_global(
    model: SemanticModel, binding: Binding, function: cst.Name, wrapped: str
) -> _Place | None:
    """`traced = tf.function(model)` below the line of the module that makes the model."""
    if binding.kind is not BindingKind.ASSIGNMENT:
        return None
    statement = statement_of(model, binding.node)
    if not is_plain(statement) or model.parent(statement) is not model.module:
        return None
    assert isinstance(statement, cst.SimpleStatementLine)
    last = _last_change(model, function, model.module.body, statement)
    body = list(model.module.body)
    made = body[body.index(statement) : body.index(last) + 1]
    if not all(isinstance(line, cst.SimpleStatementLine) for line in made):
        return None
    above = {id(node) for line in made for node in walk(line, into_scopes=False)}
    for node in model.nodes(cst.Attribute):
        if node.attr.value in _CHANGING and id(node) not in above:
            if isinstance(node.value, cst.Name) and node.value.value == function.value:
                return None
    if (there := made_already(model, body[body.index(last) + 1 :], wrapped)) is not None:
        return _Place(there)
    name = free_name(model, f"traced_{function.value.lstrip('_')}")
    return _Place(name, InsertAfter(last, [_line(f"{name} = {wrapped}")]))


def _holds(holder: cst.CSTNode, node: cst.CSTNode) -> bool:
    return any(inner is node for inner in walk(holder))


def _stands_before(unit: Unit, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    for node in walk(unit.node):
        if node is first or node is second:
            return node is first
    return False


def _in_constructor(
    model: SemanticModel, unit: Unit, function: cst.Attribute, wrapped: str
) -> _Place | None:
    """`self.traced = tf.function(self.model)` below the only place that sets `self.model`."""
    info = unit.class_
    receiver = unit.parameters[0].name if unit.is_method else None
    if info is None or info.role is not Kind.OBJECT or receiver is None:
        return None
    # What it is made of may be fixed: by slots, or by what decorates the class.
    if "__slots__" in info.scope.bindings or info.node.decorators:
        return None
    if not isinstance(function.value, cst.Name) or function.value.value != receiver:
        return None
    if _is_set_by_name(model, function.attr.value):
        return None
    places = [w.statement for w in model.flow.attributes.written(info, function.attr.value)]
    constructor = info.methods.get("__init__")
    if len(places) != 1 or constructor is None or info.bases or info.has_unknown_base:
        return None
    statement = statement_of(model, places[0])
    block = model.parent(statement)
    if not is_plain(statement) or block is None or model.parent(block) is not constructor.node:
        return None
    if constructor.parameters[0].name != receiver:
        return None
    assert isinstance(statement, cst.SimpleStatementLine)
    assert isinstance(constructor.node, cst.FunctionDef)
    lines = constructor.node.body.body
    last = _last_change(model, function, lines, statement)
    below = lines[next(i for i, s in enumerate(lines) if s is last) + 1 :]
    if (made := made_already(model, below, wrapped)) is not None:
        return _Place(made)
    name = free_attribute(model, f"traced_{function.attr.value.lstrip('_')}", info)
    line = _line(f"{receiver}.{name} = {wrapped}")
    return _Place(f"{receiver}.{name}", InsertAfter(last, [line]))


def _is_set_by_name(model: SemanticModel, attribute: str) -> bool:
    """Whether `setattr(x, "model", ...)` may set the attribute."""
    for call in model.everywhere(cst.Call):
        if model.names.of(call.func) == {"builtins.setattr"} and len(call.args) > 1:
            name = model.value(call.args[1].value)
            if not name.has_constant or name.constant == attribute:
                return True
    return False


def _last_change(
    model: SemanticModel,
    function: cst.Name | cst.Attribute,
    body: Sequence[cst.CSTNode],
    assignment: cst.SimpleStatementLine,
) -> cst.SimpleStatementLine:
    """The last line of a body that sets the model or goes on to build it."""
    text = model.code(function)
    last = assignment
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
            for node in walk(statement):
                if isinstance(node, cst.Attribute) and node.attr.value in _BUILDING:
                    if model.code(node.value) == text:
                        last = statement
    return last


def _line(text: str) -> cst.SimpleStatementLine:
    line = cst.parse_statement(text)
    assert isinstance(line, cst.SimpleStatementLine)
    return line
