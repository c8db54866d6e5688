"""Tensors that grow in an explicit `tf.while_loop`, which is not told that they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit

from .carried import grown_shape

_WHILE_LOOP = "tensorflow.while_loop"


def growing_variables(
    model: SemanticModel, unit: Unit
) -> Iterator[tuple[cst.CSTNode, str, cst.CSTNode, cst.Call]]:
    """What a turn gives for a variable that it makes longer, the variable, its start and the loop."""
    for call in unit.nodes(into_scopes=False):
        if not isinstance(call, cst.Call) or model.names.one(call.func) != _WHILE_LOOP:
            continue
        if any(a.star for a in call.args) or argument(call, "shape_invariants", 3) is not None:
            continue
        body, starts = argument(call, "body", 1), argument(call, "loop_vars", 2)
        turn = _turn(model, body) if body is not None else None
        if turn is None or not isinstance(starts, (cst.List, cst.Tuple)):
            continue
        names, results = turn
        if len(names) != len(results) or len(names) != len(starts.elements):
            continue
        for name, result, start in zip(names, results, starts.elements, strict=True):
            value = _given(model, result)
            if grown_shape(model, start.value, name, value) is not None:
                yield value, name, start.value, call


def _turn(
    model: SemanticModel, body: cst.BaseExpression
) -> tuple[list[str], list[cst.BaseExpression]] | None:
    """The parameters of a turn and what it returns for each, in one place only."""
    function: cst.CSTNode | None = body
    if isinstance(body, cst.Name):
        binding = model.flow.reached(body).only
        is_def = binding is not None and binding.kind is BindingKind.FUNCTION
        function = binding.node if binding is not None and is_def else None
        while function is not None and not isinstance(function, cst.FunctionDef):
            function = model.parent(function)
    if isinstance(function, cst.Lambda):
        returned: Sequence[cst.BaseExpression | None] = [function.body]
    elif isinstance(function, cst.FunctionDef):
        returned = [
            n.value for n in walk(function.body, into_scopes=False) if isinstance(n, cst.Return)
        ]
    else:
        return None
    if len(returned) != 1 or not isinstance(returned[0], (cst.List, cst.Tuple)):
        return None
    names = [param.name.value for param in function.params.params]
    return names, [element.value for element in returned[0].elements]


def _given(model: SemanticModel, result: cst.BaseExpression) -> cst.BaseExpression:
    """What a name that is returned was surely given."""
    binding = model.flow.reached(result).only if isinstance(result, cst.Name) else None
    return binding.value if binding is not None and binding.value is not None else result
