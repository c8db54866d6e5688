"""What traced code does in Python, and hence once per trace instead of once per call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.guards import caught, excludes_tracing, in_init_scope, runs_once
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.printed import shown_tensors
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import NUMBERS, Kind

#: Methods in which an object is set up: what they store is meant to be stored once.
_SETTING_UP = behaviour.methods(Trait.SETS_UP)
_GROWING = behaviour.methods(Trait.GROWS)
_CONTAINERS = frozenset({Kind.LIST, Kind.DICT})
_LOG_METHODS = behaviour.methods(Effect.LOGS)
_LOGGERS = behaviour.prefixes(Effect.LOGS)
_WRITING = behaviour.prefixes(Effect.WRITES)
_WRITERS = behaviour.names(Effect.WRITES)


@dataclass(frozen=True, slots=True)
class SideEffect:
    """One effect: the node that has it, what it is ("print", "log", ...) and words for it.

    `proof` is a node that shows why it matters (where the stored value is read).
    """

    node: cst.CSTNode
    kind: str
    what: str
    proof: cst.CSTNode | None = field(default=None)


def side_effects(model: SemanticModel, unit: Unit) -> Iterator[SideEffect]:
    """The effects of a traced unit's own code."""
    for node in unit.nodes(into_scopes=False):
        found: SideEffect | None = None
        if isinstance(node, cst.Call):
            found = _call(model, node, unit)
        elif isinstance(node, (cst.AssignTarget, cst.AugAssign)):
            found = _assignment(model, node, unit)
        if found is not None and not _is_excused(model, node):
            yield found


def _is_excused(model: SemanticModel, node: cst.CSTNode) -> bool:
    return in_init_scope(model, node) or excludes_tracing(model, node)


def _call(model: SemanticModel, node: cst.Call, unit: Unit) -> SideEffect | None:
    name = model.names.one(node.func)
    if name == "builtins.print":
        return SideEffect(node, "print", "`print`") if _shows(model, node) else None
    if name is not None and (name in _WRITERS or name.startswith(_WRITING)):
        return SideEffect(node, "output", f"`{name}`")
    if not isinstance(node.func, cst.Attribute):
        return None
    method = node.func.attr.value
    if method in _LOG_METHODS and _is_logger(model, node.func.value, name):
        return SideEffect(node, "log", "logging") if _shows(model, node) else None
    if method in _GROWING:
        given = [argument.value for argument in node.args]
        return _stored(model, node, node.func.value, given, unit)
    return None


def _shows(model: SemanticModel, node: cst.Call) -> bool:
    """Whether a call is passed a tensor as something to show."""
    if caught(model, node, frozenset()):
        return False
    return any(shown_tensors(model, argument.value) for argument in node.args)


def _is_logger(model: SemanticModel, holder: cst.BaseExpression, name: str | None) -> bool:
    if name is not None:
        return name.startswith(_LOGGERS)
    if not isinstance(holder, cst.Name):
        return False
    for binding in model.binder.scope(holder).lookup(holder.value):
        made = binding.value
        if isinstance(made, cst.Call) and model.names.one(made.func) in (
            "logging.getLogger",
            "tensorflow.get_logger",
        ):
            return True
    return False


def _stored(
    model: SemanticModel,
    node: cst.CSTNode,
    holder: cst.BaseExpression,
    values: Iterable[cst.BaseExpression],
    unit: Unit,
) -> SideEffect | None:
    """A tensor put into a container that outlives the trace."""
    if model.value(holder).kind not in _CONTAINERS or not _is_outer(model, holder):
        return None
    if runs_once(model, node) or not any(is_symbolic(model, value) for value in values):
        return None
    what = _text(model, node.func if isinstance(node, cst.Call) else node)
    if isinstance(holder, cst.Name):
        return SideEffect(node, "container", f"`{what}`")
    if not isinstance(holder, cst.Attribute) or _is_renewed(model, holder):
        return None
    info = model.value(holder.value).class_
    read = _read_outside(model, info, holder.attr.value, unit) if info is not None else None
    return SideEffect(node, "container", f"`{what}`", read) if read is not None else None


def _is_renewed(model: SemanticModel, holder: cst.Attribute) -> bool:
    """Whether traced code gives the attribute a new container, which lives as long as the trace."""
    for node in model.nodes(cst.AssignTarget):
        target = node.target
        if isinstance(target, cst.Attribute) and target.attr.value == holder.attr.value:
            if model.contexts.traced(model.unit(node)) is not None:
                return True
    return False


def _assignment(
    model: SemanticModel, node: cst.AssignTarget | cst.AugAssign, unit: Unit
) -> SideEffect | None:
    target = node.target
    if runs_once(model, node) or unit.name in _SETTING_UP:
        return None
    if isinstance(target, cst.Name):
        return _rebinding(model, node, target, unit)
    if isinstance(target, cst.Subscript):
        value = _assigned(model, node)
        return _stored(model, target, target.value, [value] if value is not None else [], unit)
    if isinstance(target, cst.Attribute):
        return _attribute(model, node, target, unit)
    return None


def _assigned(
    model: SemanticModel, node: cst.AssignTarget | cst.AugAssign
) -> cst.BaseExpression | None:
    if isinstance(node, cst.AugAssign):
        return node.value
    parent = model.parent(node)
    return parent.value if isinstance(parent, cst.Assign) else None


def _rebinding(
    model: SemanticModel, node: cst.CSTNode, target: cst.Name, unit: Unit
) -> SideEffect | None:
    """`global step; step += 1`: the name belongs to code that is not traced."""
    home = model.binder.scope(target).home(target.value)
    if home is None or home is unit.scope:
        return None
    owner = model.units.of_scope(home)
    if owner is unit or model.contexts.traced(owner) is not None:
        return None
    if isinstance(node, cst.AugAssign) and _counts_traces(target.value):
        return None
    value = model.value(target)
    if isinstance(node, cst.AugAssign) and value.kind in NUMBERS:
        return SideEffect(target, "counter", f"`{target.value}`")
    assigned = _assigned(model, node) if isinstance(node, cst.AssignTarget) else None
    if assigned is not None and is_symbolic(model, assigned):
        return SideEffect(target, "name", f"`{target.value}`")
    return None


def _counts_traces(name: str) -> bool:
    """Whether a counter is meant to count traces."""
    return "trac" in name.lower()


def _attribute(
    model: SemanticModel,
    node: cst.AssignTarget | cst.AugAssign,
    target: cst.Attribute,
    unit: Unit,
) -> SideEffect | None:
    """`self.last = loss` and `self.step += 1`, where untraced code reads the attribute."""
    info = model.value(target.value).class_
    name = target.attr.value
    if info is None or info.method(name) is not None or not _is_outer(model, target):
        return None
    if _counts_traces(name):
        return None
    value = _assigned(model, node)
    is_counter = isinstance(node, cst.AugAssign) and model.value(target).kind in NUMBERS
    if not is_counter and (value is None or not is_symbolic(model, value)):
        return None
    read = _read_outside(model, info, name, unit)
    if read is None and not is_counter:
        return None
    kind = "counter" if is_counter else "attribute"
    return SideEffect(target, kind, f"`{_text(model, target)}`", read)


def _read_outside(
    model: SemanticModel, info: ClassInfo, name: str, writer: Unit
) -> cst.CSTNode | None:
    """A read of an attribute that no trace of `writer` runs."""
    for node in model.nodes(cst.Attribute):
        if node.attr.value != name or isinstance(model.parent(node), (cst.AssignTarget, cst.Del)):
            continue
        holder = model.value(node.value)
        if holder.class_ is not None and info in holder.class_.lineage():
            if _runs_apart(model, model.unit(node), writer):
                return node
    return None


def _runs_apart(model: SemanticModel, unit: Unit, writer: Unit) -> bool:
    """Whether a unit is run eagerly, or is the root of another trace that no trace calls."""
    if unit is writer:
        return False
    if unit.tracing is None:
        return model.contexts.traced(unit) is None and model.contexts.eager(unit) is not None
    calls = [c for c in model.nodes(cst.Call) if any(e.unit is unit for e in model.callees(c))]
    return not any(model.contexts.may_be_traced(model.unit(call)) for call in calls)


def _is_outer(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an object lives outside of the trace: it is not made by, or passed within, it."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    if not isinstance(node, cst.Name):
        return False
    home = model.binder.scope(node).home(node.value)
    if home is None:
        return False
    owner = model.units.of_scope(home)
    if owner.is_module or model.contexts.traced(owner) is None:
        return True
    return owner.is_method and bool(owner.parameters) and owner.parameters[0].name == node.value


def _text(model: SemanticModel, node: cst.CSTNode) -> str:
    return model.module.code_for_node(node)
