"""`tape.jacobian` in the place of gradients that are stacked row by row."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import NodeEdit, Remove, Replace, is_statement
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import walk

from .detect import RowGradient


def as_jacobian(model: SemanticModel, gradient: RowGradient) -> list[NodeEdit]:
    """The edits for `tf.stack([... for ...])`, or for a loop that appends and a stack right after.

    Empty where the gradients go anywhere else.
    """
    assert isinstance(gradient.call.func, cst.Attribute)
    code = model.code
    tape, tensor = code(gradient.call.func.value), code(gradient.tensor)
    new = f"{tape}.jacobian({tensor}, {code(gradient.sources)})"
    if isinstance(gradient.turning, cst.CompFor):
        stacked = _stack_of(model, model.parent(gradient.turning), gradient.call)
        return [Replace(stacked, new)] if stacked is not None else []
    return _of_loop(model, gradient, gradient.turning, new)


def _stack_of(
    model: SemanticModel, comprehension: cst.CSTNode | None, element: cst.Call
) -> cst.Call | None:
    if not isinstance(comprehension, (cst.ListComp, cst.GeneratorExp)):
        return None
    if comprehension.elt is not element:
        return None
    return _stacking(model, comprehension)


def _stacking(model: SemanticModel, node: cst.CSTNode) -> cst.Call | None:
    """`tf.stack(node)`, along the first axis."""
    argument = model.parent(node)
    call = model.parent(argument) if argument is not None else None
    if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call) or len(call.args) != 1:
        return None
    return call if model.names.one(call.func) == "tensorflow.stack" else None


def _of_loop(
    model: SemanticModel, gradient: RowGradient, loop: cst.For, new: str
) -> list[NodeEdit]:
    rows = _appended_to(gradient.call, loop)
    block = getattr(model.parent(loop), "body", ())
    if rows is None or loop.orelse is not None or loop not in block:
        return []
    scope = model.binder.scope(rows)
    bindings, reads = scope.lookup(rows.value), scope.reads.get(rows.value, [])
    if len(bindings) != 1 or bindings[0].scope is not scope or len(reads) != 2:
        return []
    later = next(read for read in reads if read is not rows)
    stacked, start = _stacking(model, later), statement_of(model, bindings[0].node)
    position = list(block).index(loop)
    is_next = position + 1 < len(block) and block[position + 1] is statement_of(model, later)
    empty = bindings[0].value
    if stacked is None or not is_next or not isinstance(empty, cst.List) or empty.elements:
        return []
    if not is_statement(start) or start not in block or _outlives(model, loop):
        return []
    return [Remove(start), Remove(loop), Replace(stacked, new)]


def _appended_to(call: cst.Call, loop: cst.For) -> cst.Name | None:
    """The list to which a loop that does nothing else appends the result of `call`."""
    if not isinstance(loop.body, cst.IndentedBlock) or len(loop.body.body) != 1:
        return None
    line = loop.body.body[0]
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    small = line.body[0]
    append = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(append, cst.Call) or not isinstance(append.func, cst.Attribute):
        return None
    is_append = append.func.attr.value == "append" and len(append.args) == 1
    rows = append.func.value
    return (
        rows if is_append and append.args[0].value is call and isinstance(rows, cst.Name) else None
    )


def _outlives(model: SemanticModel, loop: cst.For) -> bool:
    """Whether the target of a loop is read outside of it."""
    inside = {id(node) for node in walk(loop)}
    scope = model.binder.scope(loop)
    names = [node.value for node in walk(loop.target) if isinstance(node, cst.Name)]
    return any(id(read) not in inside for name in names for read in scope.reads.get(name, ()))
