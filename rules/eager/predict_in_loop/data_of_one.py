"""Data sets of one batch of one: `tf.data.Dataset.from_tensors(x).batch(1)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_OF_ONE = "tensorflow.data.Dataset.from_tensors"


@dataclass(frozen=True, slots=True)
class DataOfOne:
    """The one element of a data set, and the lines that make what else nobody reads."""

    element: cst.BaseExpression
    lines: tuple[cst.SimpleStatementLine, ...]


def data_of_one(model: SemanticModel, node: cst.BaseExpression) -> DataOfOne | None:
    """The data set that an expression is, if that holds one element in a batch of its own."""
    lines: list[cst.SimpleStatementLine] = []
    batched = _made(model, node, lines)
    function = batched.func if batched is not None else None
    if batched is None or not isinstance(function, cst.Attribute):
        return None
    size = argument(batched, "batch_size", 0)
    if function.attr.value != "batch" or size is None or model.value(size).constant != 1:
        return None
    made = _made(model, function.value, lines)
    if made is None or _OF_ONE not in model.names.of(made.func) or len(made.args) != 1:
        return None
    return DataOfOne(made.args[0].value, tuple(lines))


def _made(
    model: SemanticModel, node: cst.BaseExpression, lines: list[cst.SimpleStatementLine]
) -> cst.Call | None:
    """The call that an expression is, or that makes what a name stands for; the line of the latter
    is among `lines` then, if nothing else reads what it makes."""
    if not isinstance(node, cst.Name):
        return node if isinstance(node, cst.Call) else None
    binding = model.flow.reached(node).only
    made = binding.value if binding is not None else None
    if binding is None or not isinstance(made, cst.Call):
        return None
    reads = binding.scope.reads.get(node.value, ())
    seeing = [read for read in reads if binding in model.flow.reached(read).bindings]
    line = model.parent(model.parent(made) or made)
    is_alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    if is_alone and isinstance(line, cst.SimpleStatementLine) and len(seeing) == 1:
        unit, scope = model.unit(made), binding.scope
        comments = [line.trailing_whitespace.comment, *(b.comment for b in line.leading_lines)]
        is_kept = unit.is_module or node.value in scope.deleted or any(comments)
        if unit is model.unit(node) and scope is unit.scope and not is_kept:
            lines.append(line)
    return made
