"""`tf.vectorized_map` in the place of a comprehension or a loop over the rows of a tensor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import libcst as cst

from tfxla_lint.edits import NodeEdit, Remove, Replace, ReplaceStatements
from tfxla_lint.rewriting.comments import comment_texts
from tfxla_lint.rewriting.layout import without_blanks
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics import api
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.values import Kind

from .row_lists import FilledByLoop, filled_list
from .row_shapes import keeps_shape
from .tensor_rows import TensorRows

_Node = TypeVar("_Node", bound=cst.CSTNode)
#: `tf.vectorized_map` traces anew on each eager call, for as long as this many calls take.
_WORTH_TRACING = 1000
#: How long a line that takes the place of several may be.
_LINE = 79
#: What an element may be made of besides calls of operations.
_PLAIN = (
    cst.Name, cst.Attribute, cst.Call, cst.Arg, cst.BinaryOperation, cst.UnaryOperation,
    cst.Subscript, cst.SubscriptElement, cst.Index, cst.Slice, cst.BaseNumber, cst.List, cst.Tuple,
    cst.Element, cst.BaseBinaryOp, cst.BaseUnaryOp, cst.SimpleString, cst.ComparisonTarget,
    cst.BaseCompOp,
)  # fmt: skip


def as_vectorized_map(model: SemanticModel, rows: TensorRows) -> list[NodeEdit] | None:
    """The edits, where nothing but operations make the element, each from its own row."""
    if obstacle(model, rows) is not None:
        return None
    name = tensorflow_name(model, "vectorized_map", at=rows.call)
    if name is None:
        return None
    filled = filled_list(model, rows) if isinstance(rows.turning, cst.For) else None
    if filled is not None:
        return _of_loop(model, rows, filled, name)
    if not _are_plain(model, [rows.element]):
        return None
    return [_mapped(model, rows, name, _row_name(model, rows))]


def obstacle(model: SemanticModel, rows: TensorRows) -> str | None:
    """What keeps `tf.vectorized_map` out, in words that follow "because"; None where nothing that
    a look at the loop as a whole shows."""
    if not isinstance(rows.made, cst.Call):
        return "the results are kept one by one"
    if rows.is_for_numpy(model):
        return "NumPy takes the results, and not TensorFlow"
    if not rows.is_whole:
        return "the turns do not take all rows in their order"
    if not _stacks_rows(model, rows.call):
        return "the results are not stacked along a new first dimension"
    if model.value(rows.tensor).kind is not Kind.TENSOR:
        return "what is taken apart may be something else than a tensor"
    if not model.value(rows.element).is_tensor:
        return "what is collected may be something else than a tensor"
    if rows.size is None:
        return "the number of rows is not known, and for few the loop takes less time"
    if rows.size * (rows.operations + 1) < _WORTH_TRACING:
        return f"for {rows.size} rows the loop takes less time than tracing the function of a row"
    if not keeps_shape(model, [_body(rows)], rows.slices, _bound_names(rows)):
        return "the results may differ in shape from row to row"
    if isinstance(rows.turning, cst.For) and filled_list(model, rows) is None:
        return "the list, or what the turns bind, is used elsewhere too"
    return None


def _body(rows: TensorRows) -> cst.CSTNode:
    return rows.turning.body if isinstance(rows.turning, cst.For) else rows.element


def _bound_names(rows: TensorRows) -> set[str]:
    """The names that a turn binds."""
    targets = (n.target for n in walk(_body(rows)) if isinstance(n, cst.AssignTarget))
    return {name for target in targets for name in target_names(target)}


def _stacks_rows(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call makes rows of the members of its list, and takes no more arguments."""
    name = model.names.one(call.func)
    if any(given.star for given in call.args) or call.args[0].keyword is not None:
        return False
    if name == "tensorflow.convert_to_tensor":
        return len(call.args) == 1
    axis = argument(call, "axis", 1)
    if name != "tensorflow.stack" or len(call.args) != (2 if axis is not None else 1):
        return False
    return axis is None or model.value(axis).constant == 0


def _are_plain(model: SemanticModel, nodes: Iterable[cst.CSTNode]) -> bool:
    return all(_is_plain(model, node) for root in nodes for node in walk(root))


def _mapped(model: SemanticModel, rows: TensorRows, name: str, row: str) -> Replace:
    """The call of a lambda for each row."""
    element = rows.element
    if isinstance(rows.slices[0], cst.Subscript):
        element = _renamed(element, rows.slices, row)
    code = model.code
    function, tensor = f"lambda {row}: {code(element)}", code(rows.tensor)
    return Replace(rows.call, _laid_out(model, rows, name, function, tensor))


def _laid_out(model: SemanticModel, rows: TensorRows, name: str, function: str, tensor: str) -> str:
    """The new call on one line, or on as many as it takes where the old one took several."""
    code = model.code
    old, flat = code(rows.call), f"{name}({function}, {tensor})"
    if "\n" not in old:
        return flat
    room = max(len(line) for line in code(statement_of(model, rows.call)).splitlines())
    if "\n" not in flat and len(flat) <= max(room, _LINE):
        return flat
    indent = model.module.default_indent
    before = old[: old.find(code(rows.element))].rpartition("\n")[2]
    moved = len(before) - len(before.lstrip()) - len(indent)
    first, *others = function.split("\n")
    lines = [first, *(_shifted(line, moved) for line in others)]
    return f"{name}(\n{indent}" + "\n".join(lines) + f",\n{indent}{tensor},\n)"


def _shifted(line: str, left: int) -> str:
    """A line moved to the left, as far as there is room."""
    room = len(line) - len(line.lstrip())
    return line[min(left, room) :] if left > 0 else line


def _of_loop(
    model: SemanticModel, rows: TensorRows, filled: FilledByLoop, name: str
) -> list[NodeEdit] | None:
    """The loop and its list go; where the turns bind names, they become a function."""
    made = [assignment.value for assignment in filled.assignments]
    if not _are_plain(model, [*made, rows.element]):
        return None
    if filled.empty.trailing_whitespace.comment is not None:
        return None
    lines, row = filled.lines, _row_name(model, rows)
    named = _named_row(rows, filled)
    if named is not None:
        lines, row = lines[1:], named
        if lines:
            above = without_blanks(lines[0].leading_lines)
            lines[0] = lines[0].with_changes(leading_lines=above)
    block = filled.loop.body
    assert isinstance(block, cst.IndentedBlock)
    if not lines and not comment_texts(model.code(block)):
        return [Remove(filled.empty), Remove(filled.loop), _mapped(model, rows, name, row)]
    append = cst.ensure_type(block.body[-1], cst.SimpleStatementLine)
    last = append.with_changes(body=[cst.Return(rows.element)])
    function = free_name(model, "of_row")
    body: cst.IndentedBlock = block.with_changes(body=[*lines, last])
    if named is None and isinstance(rows.slices[0], cst.Subscript):
        swapped = body.visit(_Renaming(rows.slices, row))
        assert isinstance(swapped, cst.IndentedBlock)
        body = swapped
    definition = cst.FunctionDef(
        cst.Name(function), cst.Parameters([cst.Param(cst.Name(row))]), body
    )
    tensor = model.code(rows.tensor)
    call = Replace(rows.call, f"{name}({function}, {tensor})")
    return [*_in_place(model, filled, definition), call]


def _in_place(
    model: SemanticModel, filled: FilledByLoop, definition: cst.FunctionDef
) -> list[NodeEdit]:
    """Puts the function where the loop was, with the comments above it."""
    empty, loop = filled.empty, filled.loop
    siblings = list(getattr(model.parent(loop), "body", ()))
    if siblings.index(loop) != siblings.index(empty) + 1:
        new = definition.with_changes(leading_lines=loop.leading_lines)
        return [Remove(empty), ReplaceStatements(loop, loop, [new])]
    above = without_blanks(empty.leading_lines)
    new = definition.with_changes(leading_lines=[*above, *loop.leading_lines])
    return [ReplaceStatements(empty, loop, [new])]


def _named_row(rows: TensorRows, filled: FilledByLoop) -> str | None:
    """The name that the first line of the turns gives to the slice, and only that line takes it."""
    if len(rows.slices) != 1 or not filled.assignments:
        return None
    line, first = filled.lines[0], filled.assignments[0]
    if first.value is not rows.slices[0] or not isinstance(first.value, cst.Subscript):
        return None
    if line.trailing_whitespace.comment or any(row.comment for row in line.leading_lines):
        return None
    target = first.targets[0].target
    return target.value if isinstance(target, cst.Name) else None


def _row_name(model: SemanticModel, rows: TensorRows) -> str:
    target = rows.turning.target
    if isinstance(target, cst.Name) and isinstance(rows.slices[0], cst.Name):
        return target.value
    return free_name(model, "row")


class _Renaming(cst.CSTTransformer):
    """Puts a name in the place of some nodes."""

    def __init__(self, old: list[cst.BaseExpression], name: str) -> None:
        super().__init__()
        self._old = {id(node) for node in old}
        self._name = name

    def on_leave(self, original_node: _Node, updated_node: _Node) -> _Node | cst.Name:  # type: ignore[override]
        """The name for one of the nodes; any other node as it is by now."""
        return cst.Name(self._name) if id(original_node) in self._old else updated_node


def _renamed(
    element: cst.BaseExpression, slices: list[cst.BaseExpression], row: str
) -> cst.BaseExpression:
    changed = element.visit(_Renaming(slices, row))
    assert isinstance(changed, cst.BaseExpression)
    return changed


def _is_plain(model: SemanticModel, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Comparison):
        return len(node.comparisons) == 1 and model.value(node).is_tensor
    if not isinstance(node, _PLAIN):
        return False
    if not isinstance(node, cst.Call):
        return True
    name = model.names.one(node.func)
    is_op = name is not None and api.is_op(name) and name not in api.STATEFUL_RANDOM
    return is_op and name is not None and not name.startswith(api.KERAS)
