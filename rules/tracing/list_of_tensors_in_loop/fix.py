"""Makes a `tf.TensorArray` of a list that a loop of the graph fills and `tf.stack` puts together."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

from .detect import FilledList

_RANGES = frozenset({"builtins.range", "tensorflow.range"})
_STACKING = frozenset({"tensorflow.stack", "tensorflow.convert_to_tensor"})
_JOINING = "tensorflow.concat"
_SKIPPING = (cst.Break, cst.Continue, cst.Return)


def as_array(model: SemanticModel, unit: Unit, found: FilledList) -> list[NodeEdit] | None:
    """The edits, or None where the list is used for more than to be stacked after one loop."""
    value = _appended(model, found)
    made = found.made.value
    if value is None or not isinstance(made, cst.List) or made.elements:
        return None
    dtype = _dtype(model, value, found.control)
    array = tensorflow_name(model, "TensorArray", at=found.grown)
    spelled = tensorflow_name(model, dtype, at=found.grown) if dtype is not None else None
    uses = [_stacked(model, found, read) for read in found.reads]
    if array is None or spelled is None or not uses or any(use is None for use in uses):
        return None
    size, index = _size(model, unit, found)
    if size is None and model.contexts.compiled(unit) is not None:
        return None
    room = f"size={size}" if size is not None else "size=0, dynamic_size=True"
    edits: list[NodeEdit] = [Replace(made, f"{array}({spelled}, {room})")]
    statement = model.parent(found.grown)
    assert isinstance(statement, cst.Expr)
    assert isinstance(found.grown, cst.Call)
    edits.append(Replace(statement, _written(found.name, found.grown, index)))
    return edits + [use for use in uses if use is not None]


def obstacle(model: SemanticModel, unit: Unit, found: FilledList) -> str:
    """What keeps the array out, where there are no edits, in words that follow "because"."""
    made = found.made.value
    if not isinstance(made, cst.List) or made.elements:
        return f"`{found.name}` does not begin as an empty list"
    value = _appended(model, found)
    if value is None:
        return f"not each turn appends one member to `{found.name}`, in one place"
    if not all(_stacked(model, found, read) for read in found.reads):
        return f"`{found.name}` is read for more than to be stacked"
    if _dtype(model, value, found.control) is None:
        return f"the dtype of the members of `{found.name}` is not known here"
    if model.contexts.compiled(unit) is not None:
        return "XLA compiles the function, and the number of turns is not written out"
    return "the file has no name for `tf.TensorArray` there"


def _written(name: str, append: cst.Call, index: str) -> cst.Assign:
    """`parts = parts.write(i, x)` laid out like `parts.append(x)`."""
    before = append.whitespace_before_args
    space = before if isinstance(before, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace(" ")
    first = cst.Arg(cst.parse_expression(index), comma=cst.Comma(whitespace_after=space))
    write = append.with_changes(
        func=cst.Attribute(cst.Name(name), cst.Name("write")), args=[first, *append.args]
    )
    return cst.Assign([cst.AssignTarget(cst.Name(name))], write)


def _appended(model: SemanticModel, found: FilledList) -> cst.BaseExpression | None:
    """What is appended, on each turn of a loop that stands beside the making of the list."""
    call, loop = found.grown, found.control
    if not isinstance(call, cst.Call) or not isinstance(loop, (cst.For, cst.While)):
        return None
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "append":
        return None
    if len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        return None
    line = model.parent(model.parent(call) or call)
    if not isinstance(line, cst.SimpleStatementLine) or model.parent(line) is not loop.body:
        return None
    holder = _line_of(model, found.made.node)
    if holder is None or model.parent(holder) is not model.parent(loop):
        return None
    uses = [n for n in walk(loop) if isinstance(n, cst.Name) and n.value == found.name]
    return call.args[0].value if len(uses) == 1 else None


def _dtype(model: SemanticModel, node: cst.BaseExpression, loop: cst.CSTNode) -> str | None:
    """The dtype of what is appended; the counter of `tf.range(n)` is of int32 where `n` is."""
    known = model.value(node).dtype
    if known is not None:
        return known
    if isinstance(node, cst.BinaryOperation) and not isinstance(node.operator, cst.Divide):
        sides = {_dtype(model, side, loop) for side in (node.left, node.right) if not _is_int(side)}
        return sides.pop() if len(sides) == 1 else None
    if not isinstance(loop, cst.For) or not isinstance(loop.iter, cst.Call):
        return None
    if not isinstance(node, cst.Name) or not isinstance(loop.target, cst.Name):
        return None
    if node.value != loop.target.value:
        return None
    if model.names.one(loop.iter.func) not in _RANGES or _is_rebound(loop, node.value):
        return None
    given = [model.value(argument.value) for argument in loop.iter.args if not argument.keyword]
    whole = all(v.kind is Kind.INT or (v.is_tensor and v.dtype == "int32") for v in given)
    return "int32" if whole and len(given) == len(loop.iter.args) else None


def _is_int(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer)


def _line_of(model: SemanticModel, node: cst.CSTNode) -> cst.CSTNode | None:
    lines = (a for a in model.ancestors(node) if isinstance(a, cst.SimpleStatementLine))
    return next(lines, None)


def _stacked(model: SemanticModel, found: FilledList, read: cst.Name) -> Replace | None:
    """`tf.stack(parts)` as `parts.stack()`, `tf.concat(parts, 0)` as `parts.concat()`."""
    holder = model.parent(read)
    call = model.parent(holder) if isinstance(holder, cst.Arg) else None
    if not isinstance(call, cst.Call) or call.args[0] is not holder or holder.star:
        return None
    name = model.names.one(call.func)
    axis = argument(call, "axis", 1)
    if name == _JOINING and axis is not None and len(call.args) == 2:
        is_first = model.value(axis).constant == 0
        return Replace(call, f"{found.name}.concat()") if is_first else None
    if name not in _STACKING or len(call.args) > (2 if axis is not None else 1):
        return None
    if axis is None or model.value(axis).constant == 0:
        return Replace(call, f"{found.name}.stack()")
    place = model.value(axis).constant
    move = tensorflow_name(model, "experimental.numpy.moveaxis", at=call)
    if type(place) is not int or place < 0 or move is None or name != "tensorflow.stack":
        return None
    return Replace(call, f"{move}({found.name}.stack(), 0, {place})")


def _size(model: SemanticModel, unit: Unit, found: FilledList) -> tuple[str | None, str]:
    """The number of turns where the loop counts them, and the index of each turn's member."""
    growing = (None, f"{found.name}.size()")
    loop = found.control
    if not isinstance(loop, cst.For) or not isinstance(loop.target, cst.Name):
        return growing
    call = loop.iter
    if not isinstance(call, cst.Call) or model.names.one(call.func) not in _RANGES:
        return growing
    if any(isinstance(node, _SKIPPING) for node in walk(loop.body, into_scopes=False)):
        # A turn left out would leave a member of zeros.
        return growing
    if len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        return growing
    bound = call.args[0].value
    if not _is_lasting(model, unit, bound) or _is_rebound(loop, loop.target.value):
        return growing
    if model.value(bound).is_tensor and model.value(bound).dtype != "int32":
        return growing
    return model.code(bound), loop.target.value


def _is_lasting(model: SemanticModel, unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether an expression is the same where the list is made: a number, or a name bound once."""
    if isinstance(node, cst.Integer):
        return True
    if not isinstance(node, cst.Name):
        return False
    home = model.binder.scope(node).home(node.value)
    bindings = home.bindings[node.value] if home is not None else []
    if len(bindings) != 1:
        return False
    return home is not unit.scope or bindings[0].kind is BindingKind.PARAMETER


def _is_rebound(loop: cst.For, name: str) -> bool:
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign)):
            if any(isinstance(n, cst.Name) and n.value == name for n in walk(node.target)):
                return True
    return False
