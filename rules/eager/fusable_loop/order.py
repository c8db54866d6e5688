"""Which statements may run earlier or later than the steps that they stand beside."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
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
_CHANGING = frozenset({EffectKind.MUTATE, EffectKind.STORE})
#: What steps change, or what changes them.
_STATE = frozenset(
    {Kind.VARIABLE, Kind.MODEL, Kind.LAYER, Kind.METRIC, Kind.OPTIMIZER, Kind.MODULE,
     Kind.CHECKPOINT, Kind.OBJECT, Kind.LOSS, Kind.TRACED, Kind.CALLBACK, Kind.WRITER,
     Kind.STRATEGY, Kind.ITERATOR, Kind.GENERATOR}
)  # fmt: skip


def is_ordinary(
    model: SemanticModel, statement: Statement, *, may_show: bool = False, is_ahead: bool = False
) -> bool:
    """Whether a statement works on Python's values and on tensors, and on nothing that steps change.

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


def is_left_alone(model: SemanticModel, statement: Statement, names: Collection[str]) -> bool:
    """Whether a statement changes no container that something behind one of some names may be."""
    for effect in model.ask(Effects).below(statement):
        if effect.kind in _CHANGING:
            if any(isinstance(n, cst.Name) and n.value in names for n in walk(effect.node)):
                return False
    return True


def with_other_names(model: SemanticModel, names: Collection[str]) -> set[str]:
    """Names, and those that an assignment somewhere gives to the same object: `same = kept`."""
    found, groups = set(names), []
    for node in walk(model.module):
        if isinstance(node, cst.Assign):
            same = [node.value, *(target.target for target in node.targets)]
            groups.append({each.value for each in same if isinstance(each, cst.Name)})
    growing = True
    while growing:
        near = [group for group in groups if group & found and not group <= found]
        growing = bool(near)
        found.update(*near)
    return found


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
