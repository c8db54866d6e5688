"""The losses that layers add in a call, and that their model is asked for afterwards.

`add_loss` keeps a tensor. Of a trace that is one of its own: what reads it in the same trace gets what
eager code gets, and what reads it elsewhere gets what it cannot use.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_ADDING, _LOSSES = "add_loss", "losses"
_LAYERED = frozenset({Kind.MODEL, Kind.LAYER})


def reads_of_losses(model: Answers) -> list[cst.Attribute]:
    """Where models are asked for the losses that their last call left with them."""
    return [
        node
        for node in model.everywhere(cst.Attribute)
        if node.attr.value == _LOSSES and not model.names.of(node)
        if model.value(node.value).kind in _LAYERED | {Kind.UNKNOWN}
    ]


def are_read_within(model: Answers, node: cst.CSTNode, inside: Collection[int]) -> bool:
    """Whether a node adds a loss that nothing reads but code whose nodes are `inside`."""
    func = node.func if isinstance(node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or func.attr.value != _ADDING:
        return False
    adder = model.value(func.value)
    reads = [read for read in model.ask(reads_of_losses) if id(read) not in inside]
    return adder.kind in _LAYERED and all(_are_apart(model, adder, read.value) for read in reads)


def _are_apart(model: Answers, adder: Value, holder: cst.BaseExpression) -> bool:
    """Whether an object is of a class that is not that of what adds losses, and makes none of it."""
    adding, asked = adder.class_, model.value(holder).class_
    if adding is None or asked is None or asked.has_unknown_base:
        return False
    if adding in asked.lineage() or asked in adding.lineage():
        return False
    names = (n for info in asked.lineage() for n in walk(info.node) if isinstance(n, cst.Name))
    return not any(adding in _made(model, name) for name in names)


def _made(model: Answers, name: cst.Name) -> list[ClassInfo]:
    """The classes of which a name may make objects, or hold one."""
    info = model.value(name).class_
    return info.lineage() if info is not None else []
