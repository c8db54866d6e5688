"""Rewrites control flow on tensors so that AutoGraph, or an op, can do it in the graph."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import NodeEdit, RemoveArgument, Replace, ReplaceStatements, is_statement
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk

from ..shared.loop_bodies import can_turn_in_graph
from ..shared.single_tensor import is_one_tensor
from .control import Control

#: The edits, a title, and what they assume.
Fix = tuple[list[NodeEdit], str, str]


def as_graph(model: SemanticModel, found: Control) -> Fix | None:
    """What makes it work in a trace, where that is mechanical."""
    if found.kind == "iterating":
        return _unstacked(model, found)
    if found.kind == "number":
        return _compared(model, found)
    if found.kind == "raise":
        return _asserted(model, found)
    if found.kind == "jump":
        return _turned(model, found)
    if found.kind == "switch":
        return _switched(model, found)
    return _without_else(found) if found.kind == "unconverted" else None


def _unstacked(model: SemanticModel, found: Control) -> Fix | None:
    """`tf.unstack`, which gives a list of tensors where the length is known while tracing."""
    tensor = found.tensor
    if tensor is None or tensor is not found.node:
        return None
    spelled = tensorflow_name(model, "unstack", at=tensor)
    number = _targets(model, tensor)
    if spelled is None:
        return None
    room = f", num={number}" if number is not None else ""
    tensors = [tensor] if number is not None else _beside(model, tensor)
    if number is None and not all(_has_known_length(model, other) for other in tensors):
        return None
    edits: list[NodeEdit] = [
        Replace(other, f"{spelled}({model.code(other)}{room})") for other in tensors
    ]
    return edits, "Unstack the tensor", "its length is known while tracing"


def _beside(model: SemanticModel, tensor: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The tensors that one call goes through together: those of `zip(a, b)`."""
    holder = model.parent(tensor)
    call = model.parent(holder) if isinstance(holder, cst.Arg) else None
    if not isinstance(call, cst.Call) or model.names.one(call.func) != "builtins.zip":
        return [tensor]
    return [argument.value for argument in call.args if is_one_tensor(model, argument.value)]


def _targets(model: SemanticModel, tensor: cst.CSTNode) -> int | None:
    """To how many names an assignment unpacks a tensor."""
    statement = model.parent(tensor)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    if not isinstance(target, (cst.Tuple, cst.List)):
        return None
    if any(isinstance(element, cst.StarredElement) for element in target.elements):
        return None
    return len(target.elements)


def _has_known_length(model: SemanticModel, tensor: cst.CSTNode) -> bool:
    """Whether a list takes the tensor's place: its length is known, and only lists go through it."""
    shape = model.value(tensor).shape
    if not shape or type(shape[0]) is not int:
        return False
    holder = model.parent(tensor)
    call = model.parent(holder) if isinstance(holder, cst.Arg) else None
    loop = model.parent(call) if isinstance(call, cst.Call) else holder
    if isinstance(loop, cst.CompFor) and loop.iter in (tensor, call):
        return isinstance(model.parent(loop), cst.ListComp) and not loop.ifs
    if not isinstance(loop, cst.For) or loop.iter is not call:
        return False
    return not any(isinstance(part, (cst.Break, cst.Return)) for part in walk(loop.body))


def _compared(model: SemanticModel, found: Control) -> Fix | None:
    holder, judged, operator = model.parent(found.node), found.node, "!="
    while isinstance(holder, cst.UnaryOperation):
        operator = "==" if operator == "!=" else "!="
        judged, holder = holder, model.parent(holder)
    if not isinstance(holder, (cst.If, cst.While, cst.IfExp)):
        return None
    code = model.code(found.node)
    edits: list[NodeEdit] = [Replace(judged, f"{code} {operator} 0")]
    return edits, "Compare the number with zero", "every number but zero counts as true"


def _asserted(model: SemanticModel, found: Control) -> Fix | None:
    """`if bad: raise E("text")` becomes an assertion of the graph, which XLA drops."""
    line = model.parent(found.node)
    branch = _only_statement_of(model, line)
    if branch is None or len(branch.orelse.body.body if branch.orelse else []) > 0:
        return None
    if isinstance(model.parent(branch), cst.If):
        return None
    if model.contexts.compiled(model.unit(branch)) is not None:
        return None
    text = _message(found.node)
    spelled = tensorflow_name(model, "debugging.assert_equal", at=branch)
    test, wanted = _negated(branch.test)
    if text is None or spelled is None or not _is_bool(model, test):
        return None
    arguments = [model.code(test), wanted, *([text] if text else [])]
    new = cst.parse_statement(f"{spelled}({', '.join(arguments)})")
    if not isinstance(new, cst.SimpleStatementLine):
        return None
    new = new.with_changes(**_comments_of(branch, line))
    edits: list[NodeEdit] = [ReplaceStatements(branch, branch, [new])]
    assumption = "an InvalidArgumentError may take the place of the exception"
    return edits, "Assert it in the graph", assumption


def _only_statement_of(model: SemanticModel, line: cst.CSTNode | None) -> cst.If | None:
    """The `if` below which a line is all there is, be it on a line of its own or not."""
    is_short = isinstance(line, cst.SimpleStatementSuite)
    block = line if line is None or is_short else model.parent(line)
    if not isinstance(block, (cst.IndentedBlock, cst.SimpleStatementSuite)):
        return None
    branch = model.parent(block)
    lines = isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and line.body
    if not isinstance(branch, cst.If) or len(block.body) != 1 or not lines or len(lines) != 1:
        return None
    return branch if branch.body is block else None


def _comments_of(branch: cst.If, line: cst.CSTNode | None) -> dict[str, object]:
    """The comments around the line below an `if`, for the line that takes the place of both."""
    above = list(branch.leading_lines)
    if isinstance(branch.body, cst.IndentedBlock) and branch.body.header.comment is not None:
        above.append(cst.EmptyLine(comment=branch.body.header.comment))
    if isinstance(line, cst.SimpleStatementLine):
        above += [row for row in line.leading_lines if row.comment is not None]
    assert isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite))
    return {"leading_lines": above, "trailing_whitespace": line.trailing_whitespace}


def _is_bool(model: SemanticModel, test: cst.BaseExpression) -> bool:
    """Whether a test surely is a boolean tensor."""
    if model.value(test).dtype == "bool":
        return True
    name = model.names.one(test.func) if isinstance(test, cst.Call) else None
    return name is not None and name.rpartition(".")[2] in _BOOLEAN and api.is_op(name)


_BOOLEAN = frozenset(
    {"reduce_any", "reduce_all", "equal", "not_equal", "less", "less_equal", "greater",
     "greater_equal", "logical_and", "logical_or", "logical_not", "is_nan", "is_inf", "is_finite"}
)  # fmt: skip


def _negated(test: cst.BaseExpression) -> tuple[cst.BaseExpression, str]:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression, "True"
    return test, "False"


def _message(node: cst.CSTNode) -> str | None:
    """The text with which an exception is raised; empty for none, None where it is not plain."""
    if not isinstance(node, cst.Raise) or node.cause is not None:
        return None
    if isinstance(node.exc, (cst.Name, cst.Attribute)):
        return ""
    if not isinstance(node.exc, cst.Call) or len(node.exc.args) > 1:
        return None
    if not node.exc.args:
        return ""
    given = node.exc.args[0]
    if isinstance(given.value, cst.SimpleString) and given.keyword is None and not given.star:
        return given.value.value if "\n" not in given.value.value else None
    return None


def _turned(model: SemanticModel, found: Control) -> Fix | None:
    """`for _ in range(n)` that a tensor leaves by `break` becomes a loop of the graph."""
    unit = model.unit(found.node)
    loops = model.loops.around(found.node, unit) if isinstance(found.node, cst.Break) else []
    loop = loops[-1] if loops else None
    if not isinstance(loop, cst.For) or not isinstance(loop.iter, cst.Call):
        return None
    spelled = tensorflow_name(model, "range", at=loop)
    if spelled is None or not can_turn_in_graph(model, unit, loop):
        return None
    edits: list[NodeEdit] = [Replace(loop.iter.func, spelled)]
    return edits, "Let the loop turn in the graph", "each turn leaves what it carries as it was"


def _switched(model: SemanticModel, found: Control) -> Fix | None:
    argument = model.parent(found.proofs[0][0])
    call = model.parent(argument) if argument is not None else None
    if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call):
        return None
    edits: list[NodeEdit] = [RemoveArgument(call, argument)]
    return edits, "Let AutoGraph convert the function", "nothing in it has to stay as it is"


def _without_else(found: Control) -> Fix | None:
    """`for ... else` without a `break`: what stands below `else` runs after the loop."""
    loop = found.proofs[0][0]
    if not isinstance(loop, (cst.For, cst.While)) or loop.orelse is None:
        return None
    if any(isinstance(part, (cst.Break, cst.Return)) for part in walk(loop.body)):
        return None
    below = loop.orelse.body
    lines = [*loop.orelse.leading_lines, *_footer(loop.body), *_footer(below)]
    if not isinstance(below, cst.IndentedBlock) or any(line.comment for line in lines):
        return None
    if below.header.comment is not None:
        return None
    after = [statement for statement in below.body if is_statement(statement)]
    edits: list[NodeEdit] = [
        ReplaceStatements(loop, loop, [loop.with_changes(orelse=None), *after])
    ]
    return edits, "Move what stands below `else` after the loop", "nothing leaves the loop early"


def _footer(block: cst.BaseSuite) -> Sequence[cst.EmptyLine]:
    return block.footer if isinstance(block, cst.IndentedBlock) else ()
