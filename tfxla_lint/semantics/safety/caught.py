"""What may tell the exceptions of a trace, and how far a step that failed had come.

A trace raises other exceptions than eager code does, and where it fails it has set no variable: code that
catches them, or that runs since they were raised, may show that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: Exceptions that come from outside, at any moment.
_STOPPING = frozenset({"builtins.KeyboardInterrupt", "builtins.SystemExit"})
#: What shows how far a step that failed had come.
_STATEFUL = frozenset(
    {Kind.VARIABLE, Kind.MODEL, Kind.LAYER, Kind.MODULE, Kind.OPTIMIZER, Kind.METRIC, Kind.TENSOR,
     Kind.OBJECT, Kind.FUNCTION, Kind.METHOD, Kind.UNKNOWN}
)  # fmt: skip
#: Contexts of TensorFlow, which catch nothing.
_OPEN_CONTEXTS = frozenset({Kind.TAPE, Kind.CONTEXT, Kind.WRITER})
_LETTING_OUT = behaviour.names(Trait.LETS_OUT)


def ways_out(
    model: Answers,
    node: cst.CSTNode,
    left: set[int],
    runs: Callable[[Unit], Sequence[Edge]],
) -> Iterator[tuple[Unit, cst.CSTNode]]:
    """What an exception that is raised at `node` meets on its way out: statements that may catch it.

    A function that it leaves is given as its own node; `runs` tells what runs that, and `left` keeps those
    that were left before.
    """
    pending = [node]
    while pending:
        inner = pending.pop()
        unit = model.unit(inner)
        for ancestor in model.ancestors(inner):
            if ancestor is unit.node:
                break
            if catches(model, ancestor, inner):
                yield unit, ancestor
            inner = ancestor
        if id(unit) not in left:
            left.add(id(unit))
            yield unit, unit.node
            pending += [edge.node for edge in runs(unit)]


def catches(model: Answers, node: cst.CSTNode, inner: cst.CSTNode) -> bool:
    """Whether a statement may catch what is raised in the part of it that is `inner`."""
    if isinstance(node, cst.With):
        return not all(lets_out(model, item.item) for item in node.items)
    if not isinstance(node, (cst.Try, cst.TryStar)) or node.body is not inner:
        return False
    return (
        _shows_state(model, node.finalbody)
        or _ends_in_a_jump(node)
        or any(
            handler.type is None or model.names.one(handler.type) not in _STOPPING
            for handler in node.handlers
        )
    )


def _ends_in_a_jump(node: cst.Try | cst.TryStar) -> bool:
    """Whether a `finally` goes on elsewhere, and drops what was raised."""
    final = walk(node.finalbody) if node.finalbody is not None else ()
    return any(isinstance(part, (cst.Return, cst.Break, cst.Continue)) for part in final)


def _shows_state(model: Answers, final: cst.CSTNode | None) -> bool:
    """Whether what ends a `try` may look at variables, of which a trace that fails sets none."""
    names = (node for node in walk(final) if isinstance(node, cst.Name)) if final else ()
    return any(
        model.value(name).kind in _STATEFUL
        for name in names
        if model.binder.scope(name).is_read(name) and not model.names.of(name)
    )


def lets_out(model: Answers, context: cst.BaseExpression) -> bool:
    """Whether a context is known to let out all that is raised in it."""
    value = model.value(context)
    if value.kind in _OPEN_CONTEXTS and value.class_ is None:
        return True
    return all(
        isinstance(made, cst.Call) and model.names.one(made.func) in _LETTING_OUT
        for made in makers(model.flow, context) or [context]
    )
