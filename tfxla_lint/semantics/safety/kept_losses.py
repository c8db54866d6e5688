"""The losses that layers add in a call, and that their model is asked for afterwards.

`add_loss` keeps a tensor. Of a trace that is one of its own: what reads it in the same trace gets what
eager code gets, and what reads it elsewhere gets what it cannot use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.safety.unbuilt import is_surely_built
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import LAYERED, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_ADDING, _LOSSES = "add_loss", "losses"
_REGULARIZER, _OF_CALLS = "regularizer", "activity_regularizer"
_LAYER_OF_CALLS = "ActivityRegularization"


def reads_of_losses(model: Answers) -> list[cst.Attribute]:
    """Where models are asked for the losses that their last call left with them."""
    return [
        node
        for node in model.everywhere(cst.Attribute)
        if node.attr.value == _LOSSES and not model.names.of(node)
        if model.value(node.value).kind in LAYERED | {Kind.UNKNOWN}
    ]


def are_read_within(model: Answers, node: cst.CSTNode, inside: Collection[int]) -> bool:
    """Whether a node adds a loss that nothing reads but code whose nodes are `inside`."""
    func = node.func if isinstance(node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or func.attr.value != _ADDING:
        return False
    adder = model.value(func.value)
    reads = [read for read in model.ask(reads_of_losses) if id(read) not in inside]
    return adder.kind in LAYERED and all(_are_apart(model, adder, read.value) for read in reads)


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


class When(Enum):
    """How losses of one call get to code of which a trace of that call, or of other code, is no part."""

    BEFORE_ANY = "reads `{}` before the first call makes any"
    OF_ANOTHER = "reads `{}`, in which an earlier call left its own"
    ELSEWHERE = "leaves losses of the trace, and `{}` is read elsewhere"


@dataclass(frozen=True, slots=True)
class Stray:
    """A `read` of losses at a `place`, by itself or in a function that is called there, before which no
    model runs there: it gets what an earlier call left."""

    read: cst.Attribute
    place: cst.CSTNode
    when: When = When.OF_ANOTHER


def stray_losses(model: Answers, nodes: Sequence[cst.CSTNode]) -> Iterator[Stray]:
    """What of the losses that calls leave a trace of the nodes would make something else.

    Read in the trace, those of calls that are no part of it stay what they were when it was made; read
    elsewhere, those of calls in it are tensors of the trace.
    """
    reads = [r for r in model.ask(reads_of_losses) if model.value(r.value).kind in LAYERED]
    if not reads or not model.ask(_regularizing):
        return
    leaves = any(model.ask(_regularizing))
    known = {id(read) for read in reads}
    called = [*model.calls.bodies_run_by(nodes)]
    inside = {id(node) for root in (*nodes, *called) for node in walk(root)}
    for stray in _strays(model, nodes, known):
        if leaves:
            yield stray
        elif not is_surely_built(model, stray.read, stray.read.value, inside):
            yield replace(stray, when=When.BEFORE_ANY)
    if leaves and _runs(model, (*nodes, *called)):
        asking = {id(unit): unit for read in reads for unit in _asking(model, read)}
        for unit in asking.values():
            for stray in _strays(model, unit.body, known, inside):
                if id(stray.place) not in inside:
                    yield replace(stray, when=When.ELSEWHERE)


def _asking(model: Answers, read: cst.Attribute) -> Iterator[Unit]:
    """The code that asks for losses: the level of a module, or what calls the function that does."""
    unit = model.unit(read)
    if unit.is_module:
        yield unit
    yield from (edge.caller for edge in model.calls.callers(unit))


def _strays(
    model: Answers,
    nodes: Sequence[cst.CSTNode],
    reads: Set[int],
    but: Collection[int] = frozenset(),
) -> Iterator[Stray]:
    """The reads before which no model runs in these nodes, each once, in the order of their text.

    What runs in code `but` that, does not count, nor does a call of all of it.
    """
    seen = set[int]()
    run = [root for root in nodes if not isinstance(root, (cst.FunctionDef, cst.ClassDef))]
    for node in (node for root in run for node in walk(root, into_scopes=False)):
        if isinstance(node, cst.Attribute) and id(node) in reads:
            yield Stray(node, node)
        elif isinstance(node, cst.Call):
            roots = [*model.calls.bodies_run_by([node])]
            if any(_runs(model, [root]) and id(root) in but for root in roots):
                continue
            if _runs(model, [node, *roots], but):
                return
            within = [n for root in roots for n in walk(root) if id(n) in reads - seen]
            seen.update(map(id, within))
            yield from (Stray(cst.ensure_type(n, cst.Attribute), node) for n in within)


def _runs(model: Answers, nodes: Iterable[cst.CSTNode], but: Collection[int] = frozenset()) -> bool:
    """Whether the nodes themselves, `but` some, run a model or a layer, by a call or a method of it."""
    for call in (n for root in nodes for n in walk(root) if isinstance(n, cst.Call)):
        func = call.func
        holder = func.value if isinstance(func, cst.Attribute) else func
        is_run = any(model.value(each).kind in LAYERED for each in (func, holder))
        if is_run and id(call) not in but:
            return True
    return False


def _regularizing(model: Answers) -> list[bool]:
    """For each place that may give models losses: whether their calls leave them, each its own."""
    found = [
        argument.keyword.value == _OF_CALLS
        for argument in model.everywhere(cst.Arg)
        if argument.keyword is not None and argument.keyword.value.endswith(_REGULARIZER)
        if model.value(argument.value).kind is not Kind.NONE
    ]
    names = (node.attr.value for node in model.everywhere(cst.Attribute))
    return [*found, *(True for name in names if name in (_ADDING, _LAYER_OF_CALLS))]
