"""Wraps a model in `tf.function` once, where a loop calls it eagerly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

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
from tfxla_lint.semantics.flow.attributes import Write
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop, Turning
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.eager_models import (
    EagerModel,
    eager_models,
    is_entry,
    models_below_tapes,
)
from tfxla_lint.semantics.safety.arrays import is_array_or_tensor
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.conditions import CALL_CONDITIONS, UNIT_CONDITIONS
from tfxla_lint.semantics.safety.keys import method_blocker
from tfxla_lint.semantics.safety.open_sizes import needs_sizes, shared_trace
from tfxla_lint.semantics.safety.proof import call_gaps, unit_gaps
from tfxla_lint.semantics.safety.remarks import changed_by_trace
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.turns import is_run_once
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import Kind, Value, leaves

_ARRAYS = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY})
#: Methods called and attributes set that change a model in a way that a trace does not see.
_CHANGING = behaviour.methods(Trait.REBUILDS, "model")
_HOLDING = (BindingKind.ASSIGNMENT, BindingKind.PARAMETER)
_PROBABLE = "tensorflow_probability.layers."
_BUILDING = _CHANGING | {"build", "compile"}


@dataclass(frozen=True)
class _Place:
    """Where the wrapper is made: its name as the calls spell it, and the edits that make it.

    There are none where the code makes it already.
    """

    name: str
    edits: tuple[NodeEdit, ...] = ()


def wrap(model: SemanticModel, group: EagerModel) -> Rewrite | None:
    """Make the wrapper before the loop, or beside the attribute, and call it in the loop."""
    if group.blockers or not _can_pass(model, group.calls) or _changes(model, group):
        return None
    if _is_source(model, group.calls):
        return None
    function = group.calls[0].func
    if is_entry(function):
        return None
    spelled = tensorflow_name(model, "function", function)
    if spelled is None or not _returns_tensors(model, group.calls[0]):
        return None
    is_own = _is_receiver(group.unit, function)
    if is_own and (decorated := _decorated(model, group, spelled)) is not None:
        return decorated
    text = model.code(function).strip()
    code = [root for callee in model.callees(group.calls[0]) for root in callee.unit.body]
    asks_sizes = needs_sizes(model, code, runs_keras=True)
    if asks_sizes and any(_is_unknown(model, a.value) for call in group.calls for a in call.args):
        return None  # each turn may bring another size, and a trace for it
    # TensorFlow fails to relax a trace for a call that leaves arguments out which another one names.
    option = None if asks_sizes or len(_forms(model, text, spelled)) > 1 else relaxing(model)
    is_of_one_rank = option is None or _are_of_one_rank(model, group.calls)
    is_own_code = any(model.calls.at(call) for call in group.calls)
    if is_of_one_rank is False and not is_own_code:
        return None  # The trace for all would know no rank, which Keras' layers ask for.
    if is_own:
        place = _beside_method(model, group, with_option(spelled, option))
    else:
        place = _before_loop(model, group, function, wrapper(spelled, text, option))
    if place is None and isinstance(function, cst.Attribute):
        place = _beside_attribute(model, group, function, option)
    if place is None:
        return None
    gaps = call_gaps(model, group.calls)
    if option is not None and (is_own_code or not is_of_one_rank):
        gaps.append(shared_trace(function))
    applicability, said = judged(
        model,
        gaps,
        CALL_CONDITIONS,
        f"assumes that `{text}` gives tensors and stays the same object with the same layers",
    )
    return Rewrite(
        title=f"Call `{text}` in a tf.function"
        if is_own
        else f"Wrap `{text}` in a tf.function once",
        edits=[
            *place.edits,
            *(Replace(call.func, place.name) for call in group.calls),
            *(edit for call in group.calls for edit in as_arrays(model, call)),
        ],
        applicability=applicability,
        assumption=said,
        unit=group.unit.qualname,
    )


def _forms(model: SemanticModel, text: str, spelled: str) -> set[tuple[int, frozenset[str]]]:
    """How a module calls a model, or a `tf.function` of it: with so many arguments by position, and
    these by name. `predict` counts as the call that it becomes where a loop makes it."""
    names, forms = {text}, set()
    for assignment in model.nodes(cst.Assign):
        value = assignment.value
        if isinstance(value, cst.Call) and value.args and model.code(value.func) == spelled:
            if model.code(value.args[0].value) == text:
                names.update(model.code(target.target) for target in assignment.targets)
    for call in model.nodes(cst.Call):
        named = [a.keyword.value for a in call.args if a.keyword is not None]
        if model.code(call.func).strip() in names:
            forms.add((len(call.args) - len(named), frozenset(named)))
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "predict":
            if model.code(call.func.value).strip() == text:
                forms.add((1, frozenset({"training"})))
    return forms


def _is_source(model: SemanticModel, calls: Sequence[cst.Call]) -> bool:
    """Whether a tape is asked for the gradient by what one of these calls gives.

    The outputs of a `tf.function` are made at once: none has a gradient by another.
    """
    made = {id(call) for call in calls}

    def judge(node: cst.CSTNode, path: Path) -> bool | Look:
        return True if id(node) in made else THROUGH

    origins = Origins(model.flow, Through(members=True, agree=Agree.ANY), judge)
    return any(
        bool(origins.of(part))
        for unit in {id(unit): unit for unit in map(model.unit, calls)}.values()
        for asked in model.works.of_unit(unit).gradients
        for argument in asked.args[1:2]
        for part in _parts(argument.value)
    )


def _parts(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The members of a list that is written out, or the expression itself."""
    if isinstance(node, (cst.List, cst.Tuple)):
        return [element.value for element in node.elements]
    return [node]


def _are_of_one_rank(model: SemanticModel, calls: Sequence[cst.Call]) -> bool | None:
    """Whether all calls that may share a trace pass tensors of one rank in the same place; None where a
    rank is not known, which may be another one on another turn."""
    is_known = True
    for given in zip_longest(*([argument.value for argument in call.args] for call in calls)):
        values = [model.value(node) for node in given if node is not None]
        ranks = {_rank(value) for value in values if not value.is_python_scalar}
        if len(ranks - {None}) > 1:
            return False
        is_known = is_known and None not in ranks
    return is_known or None


def _rank(value: Value) -> int | None:
    shape = value.shape if not value.mixed else None
    return len(shape) if shape is not None and ... not in shape else None


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
        [*unit_gaps(model, unit), *([shared_trace(node)] if option is not None else [])],
        UNIT_CONDITIONS,
        "assumes that all callers pass tensors, and that outer Python state stays"
        + changed_by_trace(model, unit.body),
    )
    return Rewrite(
        title=f"Decorate `{unit.name}` with tf.function",
        edits=[Decorate(node, with_option(spelled, option))],
        applicability=applicability,
        assumption=said,
        unit=unit.qualname,
    )


def _beside_method(model: SemanticModel, group: EagerModel, decorator: str) -> _Place | None:
    """A traced method that does no more than call the model, for a method that has to stay in Python."""
    unit, receiver = group.unit, group.unit.parameters[0].name
    if unit.class_ is None or not isinstance(unit.node, cst.FunctionDef):
        return None
    if method_blocker(model, unit) is not None:
        return None
    names: list[str] = []
    passed: list[str] = []
    for argument in group.calls[0].args:
        given = argument.value.value if isinstance(argument.value, cst.Name) else "inputs"
        name = argument.keyword.value if argument.keyword is not None else given
        passed.append(f"{name}={name}" if argument.keyword is not None else name)
        names.append(name)
    if len({receiver, *names}) <= len(names):
        return None
    name = free_attribute(model, "traced_call", unit.class_)
    definition = cst.parse_statement(
        f"@{decorator}\ndef {name}({', '.join([receiver, *names])}):\n"
        f"{model.module.default_indent}return {receiver}({', '.join(passed)})\n",
        config=model.module.config_for_parsing,
    )
    return _Place(f"{receiver}.{name}", (InsertBefore(unit.node, [definition]),))


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
            assumption = found.assumption
            if found.applicability is Applicability.SAFE:
                assumption = (
                    "assumes that nothing asks the tape for what the model computes on its way"
                )
            return replace(
                found,
                applicability=Applicability.UNSAFE,
                assumption=assumption,
                is_partial=True,
            )
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
    function = model.value(call.func)
    raw = function.kind is Kind.MODULE
    kinds = {leaf.kind for leaf in leaves(value)}
    if Kind.VARIABLE in kinds and _is_made_with(model, call, argument.value):
        return False  # A `tf.function` may trace anew for each variable.
    if not raw and kinds == {Kind.UNKNOWN}:
        if function.kind is Kind.MODEL and not function.by_use and argument.keyword is None:
            return True  # a model takes nothing but tensors and arrays by position
        # Nothing else has a shape: `x[np.newaxis]`.
        return value.shape is not None or is_array_or_tensor(model, argument.value)
    return kinds <= (_ARRAYS - {Kind.NDARRAY} if raw else _ARRAYS)


def _is_made_with(model: SemanticModel, call: cst.Call, given: cst.BaseExpression) -> bool:
    """Whether the function, or loop, that makes a call makes what it is given as well."""
    binding = model.flow.reached(given).only if isinstance(given, cst.Name) else None
    made = binding.value if binding is not None else given
    unit, loops = model.unit(call), model.loops.around(call, model.unit(call))
    if not isinstance(made, cst.Call) or model.unit(made) is not unit:
        return False
    return not unit.is_module or any(made in walk(loop) for loop in loops)


def _is_unknown(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether nothing is known of an argument, of which the size may change as well."""
    value = model.value(node)
    is_open = {leaf.kind for leaf in leaves(value)} == {Kind.UNKNOWN} and value.shape is None
    return is_open and not is_array_or_tensor(model, node)


def _changes(model: SemanticModel, group: EagerModel) -> bool:
    """Whether code that may run between the calls changes the layers or knobs of the model.

    An attribute of that name is the model, whatever its object is called there.
    """
    function = group.calls[0].func
    attribute = function.attr.value if isinstance(function, cst.Attribute) else None
    text = model.code(function)
    inside = {id(node) for node in walk(group.loop)} if isinstance(function, cst.Name) else None
    for node in model.nodes(cst.Attribute):
        if node.attr.value not in _CHANGING or (inside is not None and id(node) not in inside):
            continue
        is_changed = isinstance(model.parent(node), (cst.AssignTarget, cst.Call))
        is_held = isinstance(node.value, cst.Attribute) and node.value.attr.value == attribute
        if is_changed and (is_held or model.code(node.value) == text):
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
    model: SemanticModel, group: EagerModel, function: cst.BaseExpression, wrapped: str
) -> _Place | None:
    """`traced = tf.function(model)` above the outermost loop that does not bind the model.

    An attribute stays the same there where only its object's `__init__` sets it.
    """
    unit = group.unit
    root = function.value if isinstance(function, cst.Attribute) else function
    if not isinstance(root, cst.Name) or unit.is_lambda:
        return None
    around = model.loops.around(group.calls[0], unit)
    bindings = model.binder.scope(root).lookup(root.value)
    binding = bindings[0] if len(bindings) == 1 else None
    if len(bindings) > 1 and around and all(b.scope is unit.scope for b in bindings):
        binding = model.flow.reached_at(root, around[0]).only
    if binding is None:
        return None
    if model.ask(Safety).state.is_set_from_outside(root.value, binding.scope):
        return None
    if root is not function and not (unit.is_module and _stays_with_object(model, function)):
        return None
    if binding.scope is model.binder.module_scope and not unit.is_module:
        return _beside_global(model, binding, root, wrapped)
    if binding.scope is not unit.scope or binding.kind not in _HOLDING:
        return None
    if not is_run_once(model, unit):
        return None
    loops = [loop for loop in around if not any(_holds(loop, b.node) for b in bindings)]
    if not loops or loops[-1] is not around[-1] or not _stands_before(unit, binding.node, loops[0]):
        return None
    statement = statement_of(model, loops[0])
    assert isinstance(statement, cst.BaseCompoundStatement)
    above = between(model, statement_of(model, binding.node), statement, root.value)
    if (made := made_already(model, above, wrapped)) is not None:
        return _Place(made)
    last = function.attr.value if isinstance(function, cst.Attribute) else root.value
    name = free_name(model, f"traced_{last.lstrip('_')}")
    return _Place(name, (InsertBefore(statement, [_line(f"{name} = {wrapped}")]),))


def _stays_with_object(model: SemanticModel, function: cst.BaseExpression) -> bool:
    """Whether the model that an object holds is set by nothing but the `__init__` of its class."""
    assert isinstance(function, cst.Attribute)
    value, attribute = model.value(function.value), function.attr.value
    if (
        value.class_ is None
        or value.class_.role is not Kind.OBJECT
        or value.class_.has_unknown_base
    ):
        return False
    if value.mixed or value.maybe_none or _is_set_by_name(model, attribute):
        return False
    writes = _own_writes(model, value.class_, attribute)
    return bool(writes) and all(unit.name == "__init__" for unit in _units(model, writes or ()))


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
    return _Place(name, (InsertAfter(last, [_line(f"{name} = {wrapped}")]),))


def _holds(holder: cst.CSTNode, node: cst.CSTNode) -> bool:
    return any(inner is node for inner in walk(holder))


def _stands_before(unit: Unit, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    for node in walk(unit.node):
        if node is first or node is second:
            return node is first
    return False


def _beside_attribute(
    model: SemanticModel, group: EagerModel, function: cst.Attribute, option: str | None
) -> _Place | None:
    """`self.traced = tf.function(self.model)` below each place that sets `self.model` to a model.

    Not where the loop that calls it runs such a place, too: each turn might need a trace.
    """
    holder, attribute = function.value, function.attr.value
    value = model.value(holder)
    info = value.class_
    if info is None or info.role is not Kind.OBJECT or value.mixed or value.maybe_none:
        return None
    # What it is made of may be fixed: by slots, or by what decorates the class.
    if "__slots__" in info.scope.bindings or info.node.decorators or info.has_unknown_base:
        return None
    if not isinstance(holder, cst.Name) or _is_set_by_name(model, attribute):
        return None
    writes = _own_writes(model, info, attribute) if model.is_own(info.node) else None
    if any(_runs_in(model, write, group.loop) for write in writes or ()):
        return None
    made = [
        w for w in writes or () if w.value is None or model.value(w.value).kind is not Kind.NONE
    ]
    found = [_below_write(model, write, option) for write in made]
    places = [place for place in found if place is not None]
    if not places or len(places) < len(found):
        return None
    known = {made_already(model, below, wrapped, len(places)) for _, _, wrapped, below in places}
    there = known.pop() if len(known) == 1 else None
    if there is not None:
        return _Place(f"{model.code(holder)}.{there.rpartition('.')[2]}")
    name = free_attribute(model, f"traced_{attribute.lstrip('_')}", info)
    edits = (
        InsertAfter(line, [_line(f"{receiver}.{name} = {wrapped}")])
        for line, receiver, wrapped, _ in places
    )
    return _Place(f"{model.code(holder)}.{name}", tuple(edits))


def _own_writes(model: SemanticModel, info: ClassInfo, attribute: str) -> list[Write] | None:
    """The places that set an attribute of a class's objects; None where it can't be told, or where
    a class that derives from it sets it.

    What the `__init__` of a base sets is set anew by that of the class, if this always does.
    """
    own: list[Write] = []
    others: list[Write] = []
    for write in model.flow.attributes.written(info, attribute):
        holder = write.target.value
        unit = model.unit(write.target)
        if not unit.is_method or dotted(holder) != unit.parameters[0].name:
            return None
        (own if unit.class_ is info else others).append(write)
    if not own or (others and not _sets_last(model, info, own)):
        return None
    if any(w.class_ not in info.lineage() or w.name != "__init__" for w in _units(model, others)):
        return None
    return own


def _runs_in(model: SemanticModel, write: Write, loop: Turning) -> bool:
    """Whether a loop holds what sets an attribute, or is seen to run its function on each turn."""
    route = model.contexts.eager(model.unit(write.target))
    is_run = route is not None and loop in route.loops
    return is_run or loop in model.ancestors(write.target)


def _units(model: SemanticModel, writes: Sequence[Write]) -> list[Unit]:
    return [model.unit(write.target) for write in writes]


def _sets_last(model: SemanticModel, info: ClassInfo, writes: Sequence[Write]) -> bool:
    """Whether the `__init__` of a class sets an attribute in any case, and calls no other after."""
    constructor = info.methods.get("__init__")
    if constructor is None or not isinstance(constructor.node, cst.FunctionDef):
        return False
    lines = list(constructor.node.body.body)
    at = [
        i for w in writes for i, line in enumerate(lines) if line is statement_of(model, w.target)
    ]
    return bool(at) and not any(
        isinstance(node, cst.Attribute) and node.attr.value == "__init__"
        for line in lines[max(at) + 1 :]
        for node in walk(line)
    )


def _below_write(
    model: SemanticModel, write: Write, option: str | None
) -> tuple[cst.SimpleStatementLine, str, str, Sequence[cst.CSTNode]] | None:
    """Where the wrapper of what is set goes: below what sets and builds it, the name of the receiver
    there, the wrapper as it is written there, and the lines that follow."""
    statement = statement_of(model, write.statement)
    spelled = tensorflow_name(model, "function", statement)
    block = model.parent(statement)
    if not is_plain(statement) or spelled is None or not isinstance(block, cst.IndentedBlock):
        return None
    assert isinstance(statement, cst.SimpleStatementLine)
    last = _last_change(model, write.target, block.body, statement)
    below = block.body[next(i for i, s in enumerate(block.body) if s is last) + 1 :]
    wrapped = wrapper(spelled, model.code(write.target), option)
    return last, model.unit(write.target).parameters[0].name, wrapped, below


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
