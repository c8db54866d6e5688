"""Which statements may run earlier or later than the steps that they stand beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted, is_self, walk
from tfxla_lint.semantics.values import Kind, leaves

#: What depends on nothing that a traced step changes, and changes nothing that one reads.
_ORDINARY = frozenset(
    {EffectKind.READ_NAME, EffectKind.READ_VALUE, EffectKind.PYTHON, EffectKind.NUMPY,
     EffectKind.MUTATE, EffectKind.COUNT, EffectKind.STORE, EffectKind.INSPECT, EffectKind.REBIND,
     EffectKind.READ_ATTRIBUTE, EffectKind.LOOK_UP}
)  # fmt: skip
_AHEAD = frozenset({EffectKind.DRAW, EffectKind.SET})
_SHOWING = frozenset({EffectKind.PRINT, EffectKind.LOG})
#: What is a container, or may hold one.
_HOLDING = frozenset(
    {Kind.UNBOUND, Kind.UNKNOWN, Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.NDARRAY, Kind.OBJECT,
     Kind.ITERATOR, Kind.METHOD}
)  # fmt: skip
_CHANGING = frozenset({EffectKind.MUTATE, EffectKind.STORE})
#: What steps change, or what changes them.
_STATE = frozenset(
    {Kind.VARIABLE, Kind.MODEL, Kind.LAYER, Kind.METRIC, Kind.OPTIMIZER, Kind.MODULE,
     Kind.CHECKPOINT, Kind.OBJECT, Kind.LOSS, Kind.TRACED, Kind.CALLBACK, Kind.WRITER,
     Kind.STRATEGY, Kind.ITERATOR, Kind.GENERATOR}
)  # fmt: skip


def is_ordinary(
    model: SemanticModel, statement: cst.CSTNode, *, may_show: bool = False, is_ahead: bool = False
) -> bool:
    """Whether a piece of code works on Python's values and on tensors, and on nothing that steps change.

    With `may_show`, it may print or log them as well; what goes ahead of steps may draw random numbers
    and set attributes.
    """
    allowed = _ORDINARY | (_SHOWING if may_show else set()) | (_AHEAD if is_ahead else set())
    if any(effect.kind not in allowed for effect in model.ask(Effects).below(statement)):
        return False
    for node in walk(statement):
        if isinstance(node, (cst.Break, cst.Continue, cst.Return, cst.Del, cst.FunctionDef)):
            return False
        if isinstance(node, cst.BaseExpression) and _is_state(model, node):
            return False
        if isinstance(node, cst.Call) and model.callees(node):
            return False
    return True


def _is_state(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether steps may change what an expression gives, or something in it."""
    if is_self(node) and isinstance(model.parent(node), cst.Attribute):
        return False
    return any(leaf.kind in _STATE for leaf in leaves(model.value(node)))


def attributes_set(model: SemanticModel, statements: Iterable[Statement]) -> set[str]:
    """The attributes that statements set, as they are written: `self.batch`."""
    effects = (e for s in statements for e in model.ask(Effects).below(s))
    nodes = [n for e in effects if e.kind is EffectKind.SET for n in walk(e.node)]
    return {text for n in nodes if isinstance(n, cst.Attribute) and (text := dotted(n))}


def changed_by(model: SemanticModel, statements: Iterable[cst.CSTNode]) -> list[cst.BaseExpression]:
    """The containers that statements change in place."""
    effects = (e for s in statements for e in model.ask(Effects).below(s))
    return [e.subject for e in effects if e.kind in _CHANGING and e.subject is not None]


def are_apart(
    model: SemanticModel, nodes: Iterable[cst.CSTNode], changed: Sequence[cst.BaseExpression]
) -> bool:
    """Whether what some code reads is surely none of the containers that are `changed`, and holds
    none of them: they may have other names, `same = kept`, or lie in others, `{"kept": kept}`."""
    reads = [read for node in nodes for read in _reads_in(model, node)]
    return not any(_may_share(model, read, each) for read in reads for each in changed)


def _reads_in(model: SemanticModel, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What a piece of code reads that may be a container: names, and attributes of names."""
    for inner in walk(node):
        if isinstance(inner, (cst.Name, cst.Attribute)) and dotted(inner):
            parent = model.parent(inner)
            is_part = isinstance(parent, cst.Attribute) and dotted(parent)
            is_bound = isinstance(parent, (cst.AssignTarget, cst.Arg)) and _binds(parent, inner)
            if not is_part and not is_bound:
                yield inner


def _binds(parent: cst.AssignTarget | cst.Arg, node: cst.CSTNode) -> bool:
    """Whether a name is what an assignment binds, or the keyword of an argument."""
    return isinstance(parent, cst.AssignTarget) or parent.keyword is node


def _may_share(model: SemanticModel, read: cst.BaseExpression, changed: cst.BaseExpression) -> bool:
    value = model.value(read)
    if value.kind not in _HOLDING or model.names.of(read):
        return False
    while isinstance(changed, cst.Subscript):
        changed = changed.value
    if value.kind is Kind.NDARRAY and model.value(changed).kind in (Kind.LIST, Kind.DICT):
        return False
    made, others = makers(model.flow, read), makers(model.flow, changed)
    if not made or not others or any(m is other for m in made for other in others):
        return True
    name = (dotted(changed) or "").partition(".")[0]
    return not all(_is_flat(model, each, name) for each in made)


def _is_flat(model: SemanticModel, made: cst.BaseExpression, name: str) -> bool:
    """Whether what makes a container puts no other container in it, and none of some name."""
    if isinstance(made, cst.Call):
        return not any(isinstance(n, cst.Name) and n.value == name for n in walk(made))
    value = model.value(made)
    members = value.elements or ((value.item,) if value.item is not None else ())
    is_display = isinstance(made, (cst.List, cst.Tuple, cst.Dict, cst.ListComp, cst.DictComp))
    is_known = is_display or bool(members)
    return is_known and all(member.kind not in _HOLDING for member in members)


def reads_of(model: SemanticModel, nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The names that some code mentions, but those that an assignment binds anew."""
    found: set[str] = set()
    for root in nodes:
        for node in walk(root):
            if isinstance(node, cst.Name):
                parent = model.parent(node)
                is_bound = isinstance(parent, cst.AssignTarget)
                is_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
                is_keyword = isinstance(parent, cst.Arg) and parent.keyword is node
                if not (is_bound or is_attribute or is_keyword):
                    found.add(node.value)
    return found
