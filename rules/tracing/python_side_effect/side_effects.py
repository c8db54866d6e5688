"""What traced code does in Python, and hence once per trace instead of once per call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics import host
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.effects.calls import effect_of_call
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import SETTING_UP, is_excused
from tfxla_lint.semantics.flow.attributes import Write
from tfxla_lint.semantics.scopes import BindingKind, Scope
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import NUMBERS, Kind

from .printed import shown_tensors

_GROWING = behaviour.methods(Trait.GROWS)
_CONTAINERS = frozenset({Kind.LIST, Kind.DICT})
_LOG_METHODS = behaviour.methods(Effect.LOGS)
_WRITING = behaviour.prefixes(Effect.WRITES)
_WRITERS = behaviour.names(Effect.WRITES)
#: Comparisons that hold from some number on.
_ORDERING = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)


@dataclass(frozen=True, slots=True)
class SideEffect:
    """One effect: the node that has it, its kind and words for it.

    `proof` is a node that shows why it matters: where the stored value is read outside of the trace,
    or `is_within` it, by what computes a tensor with it.
    """

    node: cst.CSTNode
    kind: EffectKind
    what: str
    proof: cst.CSTNode | None = field(default=None)
    is_within: bool = False


def side_effects(model: Answers, unit: Unit) -> Iterator[SideEffect]:
    """The effects of a traced unit's own code."""
    for node in unit.own(cst.Call, cst.AssignTarget, cst.AugAssign):
        found: SideEffect | None = None
        if isinstance(node, cst.Call):
            found = _call(model, node, unit)
        else:
            found = _assignment(model, node, unit)
        if found is not None and not is_excused(model, found.kind, node):
            yield found


def _call(model: Answers, node: cst.Call, unit: Unit) -> SideEffect | None:
    name = model.names.one(node.func)
    if name == "builtins.print":
        return SideEffect(node, EffectKind.PRINT, "`print`") if _shows(model, node) else None
    if name is not None and (name in _WRITERS or name.startswith(_WRITING)):
        return SideEffect(node, EffectKind.OUTPUT, f"`{name}`")
    if not isinstance(node.func, cst.Attribute):
        return None
    method = node.func.attr.value
    effect = effect_of_call(model, node) if method in _LOG_METHODS else None
    if effect is not None and effect.kind is EffectKind.LOG:
        return SideEffect(node, EffectKind.LOG, "logging") if _shows(model, node) else None
    if method in _GROWING:
        given = [argument.value for argument in node.args]
        return _stored(model, node, node.func.value, given, unit)
    return None


def _shows(model: Answers, node: cst.Call) -> bool:
    """Whether a call is passed a tensor as something to show."""
    return any(shown_tensors(model, argument.value) for argument in node.args)


def _stored(
    model: Answers,
    node: cst.CSTNode,
    holder: cst.BaseExpression,
    values: Iterable[cst.BaseExpression],
    unit: Unit,
) -> SideEffect | None:
    """A tensor put into a container that outlives the trace."""
    if model.value(holder).kind not in _CONTAINERS or not _is_outer(model, holder):
        return None
    if not any(is_symbolic(model, value) for value in values):
        return None
    what = _text(model, node.func if isinstance(node, cst.Call) else node)
    if isinstance(holder, cst.Name):
        return SideEffect(node, EffectKind.MUTATE, f"`{what}`")
    if not isinstance(holder, cst.Attribute) or _is_renewed(model, holder):
        return None
    info = model.value(holder.value).class_
    read = _read_outside(model, info, holder.attr.value, unit) if info is not None else None
    return SideEffect(node, EffectKind.MUTATE, f"`{what}`", read) if read is not None else None


def _is_renewed(model: Answers, holder: cst.Attribute) -> bool:
    """Whether traced code gives the attribute a new container, which lives as long as the trace."""
    return any(
        isinstance(write.statement, cst.Assign)
        and model.contexts.traced(model.unit(write.target)) is not None
        for write in model.flow.attributes.writes(holder.attr.value)
    )


def _assignment(
    model: Answers, node: cst.AssignTarget | cst.AugAssign, unit: Unit
) -> SideEffect | None:
    target = node.target
    if unit.name in SETTING_UP:
        return None
    if isinstance(target, cst.Name):
        return _rebinding(model, node, target, unit)
    if isinstance(target, cst.Subscript):
        value = _assigned(model, node)
        return _stored(model, target, target.value, [value] if value is not None else [], unit)
    if isinstance(target, cst.Attribute):
        return _attribute(model, node, target, unit)
    return None


def _assigned(model: Answers, node: cst.AssignTarget | cst.AugAssign) -> cst.BaseExpression | None:
    if isinstance(node, cst.AugAssign):
        return node.value
    parent = model.parent(node)
    return parent.value if isinstance(parent, cst.Assign) else None


def _rebinding(
    model: Answers, node: cst.CSTNode, target: cst.Name, unit: Unit
) -> SideEffect | None:
    """`global step; step += 1`: the name belongs to code that is not traced."""
    home = model.binder.scope(target).home(target.value)
    if home is None or home is unit.scope:
        return None
    owner = model.unit_of_scope(home)
    if owner is unit or model.contexts.traced(owner) is not None:
        return None
    value = model.value(target)
    if isinstance(node, cst.AugAssign) and value.kind in NUMBERS:
        read = _name_read_outside(model, home, target.value, unit)
        own = _computed_with(model, model.flow.reads(home, target.value)) if read is None else None
        if own is not None and _is_only_changed(model, home, target.value):
            return SideEffect(target, EffectKind.COUNT, f"`{target.value}`", own, is_within=True)
        return SideEffect(target, EffectKind.COUNT, f"`{target.value}`", read) if read else None
    assigned = _assigned(model, node) if isinstance(node, cst.AssignTarget) else None
    if assigned is not None and is_symbolic(model, assigned):
        return SideEffect(target, EffectKind.REBIND, f"`{target.value}`")
    return None


def _name_read_outside(model: Answers, home: Scope, name: str, writer: Unit) -> cst.CSTNode | None:
    """A read of a name that no trace of `writer` runs, and that goes on from the number."""
    for node in model.flow.reads(home, name):
        if _runs_apart(model, model.unit(node), writer) and not _is_only_shown(model, node):
            return node
    return None


def _is_only_shown(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a number is only printed, logged or asserted on, as the count of traces is."""
    for ancestor in model.ancestors(node):
        if isinstance(ancestor, cst.Assert):
            return True
        if isinstance(ancestor, cst.Call):
            effect = effect_of_call(model, ancestor)
            if effect is not None and effect.kind in (EffectKind.PRINT, EffectKind.LOG):
                return True
            if isinstance(ancestor.func, cst.Attribute):
                return ancestor.func.attr.value.startswith("assert")
        if isinstance(ancestor, cst.BaseStatement):
            return False
    return False


def _attribute(
    model: Answers,
    node: cst.AssignTarget | cst.AugAssign,
    target: cst.Attribute,
    unit: Unit,
) -> SideEffect | None:
    """`self.last = loss` and `self.step += 1`, where untraced code reads the attribute."""
    info = model.value(target.value).class_
    name = target.attr.value
    if info is None or info.method(name) is not None or not _is_outer(model, target):
        return None
    value = _assigned(model, node)
    is_counter = isinstance(node, cst.AugAssign) and model.value(target).kind in NUMBERS
    is_counter = is_counter or (value is not None and _goes_on(model, value, target, unit))
    if not is_counter and (value is None or not is_symbolic(model, value)):
        return None
    read = _read_outside(model, info, name, unit, is_counter=is_counter)
    if read is None and is_counter and not _is_set_within(model, info, name):
        read = _computed_with(model, _reads_of(model, info, name))
        if read is not None:
            what = f"`{_text(model, target)}`"
            return SideEffect(target, EffectKind.COUNT, what, read, is_within=True)
    if read is None and not is_counter and _is_handed_on(model, info, name):
        own = next((n for n in _reads_of(model, info, name) if value in model.ancestors(n)), None)
        if own is not None:
            what = f"`{_text(model, target)}`"
            return SideEffect(target, EffectKind.SET, what, own, is_within=True)
    if read is None:
        return None
    kind = EffectKind.COUNT if is_counter else EffectKind.SET
    return SideEffect(target, kind, f"`{_text(model, target)}`", read)


def _goes_on(model: Answers, value: cst.BaseExpression, target: cst.Attribute, unit: Unit) -> bool:
    """Whether an attribute is set to a number that is made of what it was: `self.n = self.n + 1`, also by
    a name of the function's own."""
    if model.value(value).kind not in NUMBERS or model.value(target).kind not in NUMBERS:
        return False
    made = [value]
    if isinstance(value, cst.Name):
        bindings = unit.scope.bindings.get(value.value, ())
        made += [binding.value for binding in bindings if binding.value is not None]
    nodes = (node for root in made for node in walk(root))
    return any(isinstance(node, cst.Attribute) and node.deep_equals(target) for node in nodes)


def _read_outside(
    model: Answers, info: ClassInfo, name: str, writer: Unit, *, is_counter: bool = False
) -> cst.CSTNode | None:
    """A read of an attribute, in its class or one above or below, that no trace of `writer` runs;
    of a counter, one that does more than show it."""
    for node in _reads_of(model, info, name):
        if not (is_counter and _is_only_shown(model, node)):
            if _runs_apart(model, model.unit(node), writer):
                return node
    return None


def _reads_of(model: Answers, info: ClassInfo, name: str) -> Iterator[cst.Attribute]:
    """The reads of an attribute of a class, or of one above or below."""
    for node in model.flow.attributes.named(name):
        if isinstance(model.parent(node), (cst.AssignTarget, cst.AugAssign, cst.Del)):
            continue
        holder = model.value(node.value).class_
        if holder is not None and (info in holder.lineage() or holder in info.lineage()):
            yield node


def _computed_with(model: Answers, reads: Iterable[cst.Name | cst.Attribute]) -> cst.CSTNode | None:
    """A read in traced code of a number that a tensor is computed with, or that decides which are
    computed, be it by what is made of the number first: the trace keeps the number."""
    pending = list(reads)
    seen: set[int] = set()
    while pending:
        node = pending.pop(0)
        if id(node) in seen or model.contexts.traced(model.unit(node)) is None:
            continue
        seen.add(id(node))
        made: cst.CSTNode = node
        holder = model.parent(node)
        while isinstance(holder, (cst.BinaryOperation, cst.UnaryOperation)):
            if is_symbolic(model, holder):
                return node
            made, holder = holder, model.parent(holder)
        if _decides(model, made):
            return node
        if isinstance(holder, cst.Arg) and _is_taken(model, holder):
            return node
        if isinstance(holder, cst.Assign) and holder.value is made:
            for target in holder.targets:
                pending += _reads_of_target(model, target.target)
    return None


def _decides(model: Answers, number: cst.CSTNode) -> bool:
    """Whether a number decides, every so often or from some turn on, which tensors are computed.

    What a first turn does (`if self.n == 0`) is done once in a trace as well.
    """
    holder = model.parent(number)
    if isinstance(holder, cst.ComparisonTarget):
        holder = model.parent(holder)
    test, is_ordered = number, False
    if isinstance(holder, cst.Comparison):
        test = holder
        is_ordered = any(isinstance(each.operator, _ORDERING) for each in holder.comparisons)
    is_period = isinstance(number, cst.BinaryOperation) and isinstance(number.operator, cst.Modulo)
    if not is_period and not is_ordered:
        return False
    while isinstance(parent := model.parent(test), (cst.BooleanOperation, cst.UnaryOperation)):
        test = parent
    if not isinstance(parent, (cst.If, cst.IfExp)) or parent.test is not test:
        return False
    sides = (parent.body, parent.orelse)
    return any(_computes(model, node) for side in sides if side is not None for node in walk(side))


def _computes(model: Answers, node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.Call, cst.BinaryOperation)) and is_symbolic(model, node)


def _is_taken(model: Answers, argument: cst.Arg) -> bool:
    """Whether a function of TensorFlow takes an argument, to do more than print it."""
    call = model.parent(argument)
    if not isinstance(call, cst.Call):
        return False
    effect = effect_of_call(model, call)
    is_printed = effect is not None and effect.kind is EffectKind.PRINT
    return not is_printed and (model.names.one(call.func) or "").startswith("tensorflow.")


def _reads_of_target(model: Answers, target: cst.BaseExpression) -> list[cst.Name | cst.Attribute]:
    """The reads of what a statement sets, a name or an attribute."""
    if isinstance(target, cst.Name):
        home = model.binder.scope(target).home(target.value)
        return list(model.flow.reads(home, target.value)) if home is not None else []
    info = model.value(target.value).class_ if isinstance(target, cst.Attribute) else None
    if info is None or not isinstance(target, cst.Attribute):
        return []
    return list(_reads_of(model, info, target.attr.value))


def _traced_writes(model: Answers, info: ClassInfo, name: str) -> Iterator[Write]:
    """Where traced code sets an attribute of a class, apart from what sets an object up."""
    for write in model.flow.attributes.written(info, name):
        unit = model.unit(write.target)
        if model.contexts.traced(unit) is not None and unit.name not in SETTING_UP:
            yield write


def _is_set_within(model: Answers, info: ClassInfo, name: str) -> bool:
    """Whether traced code begins with a number of its own: it sets the attribute as a whole."""
    return any(_begins(model, write) for write in _traced_writes(model, info, name))


def _begins(model: Answers, write: Write) -> bool:
    """Whether an attribute is assigned what is not made of what it was."""
    if not isinstance(write.statement, cst.Assign):
        return False
    target, value = write.target, write.value
    if value is None or not isinstance(target, cst.Attribute):
        return True
    return not _goes_on(model, value, target, model.unit(target))


def _is_handed_on(model: Answers, info: ClassInfo, name: str) -> bool:
    """Whether traced code only sets an attribute to what it computes of it: the next trace finds there a
    tensor of the one before."""
    for write in _traced_writes(model, info, name):
        reads = _reads_of(model, info, name)
        if write.value is None or not any(write.value in model.ancestors(n) for n in reads):
            return False
    return True


def _is_only_changed(model: Answers, home: Scope, name: str) -> bool:
    """Whether a name outside is bound once, and then counted up or down, or multiplied."""
    bindings = home.bindings[name]
    return sum(b.kind is not BindingKind.AUGMENTED for b in bindings) == 1


def _runs_apart(model: Answers, unit: Unit, writer: Unit) -> bool:
    """Whether a unit is run eagerly, or is the root of another trace that no trace calls."""
    if unit is writer:
        return False
    if unit.tracing is None:
        is_eager = model.contexts.eager(unit) is not None
        is_eager = is_eager or host.evidence(unit, model.evaluator) is not None
        return model.contexts.traced(unit) is None and is_eager
    return not any(model.contexts.may_be_traced(e.caller) for e in model.calls.direct(unit))


def _is_outer(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an object lives outside of the trace: it is not made by, or passed within, it."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    if not isinstance(node, cst.Name):
        return False
    home = model.binder.scope(node).home(node.value)
    if home is None:
        return False
    owner = model.unit_of_scope(home)
    if owner.is_module or model.contexts.traced(owner) is None:
        return True
    return owner.is_method and bool(owner.parameters) and owner.parameters[0].name == node.value


def _text(model: Answers, node: cst.CSTNode) -> str:
    return model.code(node)
