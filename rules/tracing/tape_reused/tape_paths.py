"""The paths of a function on which one gradient tape is asked more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind, Scope
from tfxla_lint.semantics.syntax import walk


def asked_again(
    model: SemanticModel, scope: Scope, name: str, asking: Sequence[cst.Call]
) -> Iterator[tuple[cst.Call, cst.Call]]:
    """Pairs of calls of which the second may find the tape that the first has used up.

    `asking` are the calls in the code of `scope` that use up what `name` holds; no path between the
    two binds the name anew. A call that a loop or comprehension repeats is a pair with itself.
    """
    graph = model.flow.graph(scope)
    at: dict[int, list[cst.Call]] = {}
    for call in asking:
        index = graph.point(call)
        if index is not None:
            at.setdefault(index, []).append(call)
    bits = {id(call): 1 << number for number, call in enumerate(asking)}
    every = (1 << len(asking)) - 1
    made: dict[int, int] = {}
    ended: dict[int, int] = {}
    for binding in scope.bindings.get(name, ()):
        index = graph.point(binding.node)
        if index is not None and binding.kind is not BindingKind.ANNOTATION:
            ended[index] = every
    for index, calls in at.items():
        at[index] = calls = _in_order(graph.points[index].node, calls)
        made[index], ended[index] = bits[id(calls[-1])], every
    before = model.flow.sparse(scope).solve(made, ended)
    for index in sorted(at):
        used = [asking[number] for number in _numbers(before(index))]
        for call in at[index]:
            if _is_repeated_in_place(model, call) and call not in used:
                used.append(call)
            for first in used:
                yield first, call
            used = [call]


def _numbers(state: int) -> Iterator[int]:
    """The members of a set that is kept as bits."""
    while state:
        low = state & -state
        yield low.bit_length() - 1
        state ^= low


def _in_order(node: cst.CSTNode, calls: Sequence[cst.Call]) -> list[cst.Call]:
    """Calls of one point in the order of their evaluation: what is nested comes first."""
    if len(calls) == 1:
        return list(calls)
    places = {id(inner): place for place, inner in enumerate(walk(node))}
    return sorted(calls, key=lambda call: (len(list(walk(call))), places.get(id(call), 0)))


def _is_repeated_in_place(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a comprehension runs a call again and again."""
    child: cst.CSTNode = call
    for parent in model.ancestors(call):
        if isinstance(parent, cst.BaseStatement):
            return False
        if isinstance(parent, cst.BaseComp):
            return child is not parent.for_in or parent.for_in.inner_for_in is not None
        child = parent
    return False
