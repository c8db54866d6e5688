"""NumPy arrays as arguments of a trace: where one means what it means eagerly.

Passed to a `tf.function` an array becomes a tensor of its own dtype. Eagerly it stays an array until
an op takes it, and then may be cast to the dtype of the op's other arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour, dtypes
from tfxla_lint.knowledge.behaviour import Dtype, Shape, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.calls import Edge, Passing
from tfxla_lint.semantics.kinds.indexing import is_new_axis
from tfxla_lint.semantics.safety.usual_origin import UsualOrigin
from tfxla_lint.semantics.syntax import target_names
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, NUMBERS, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: Keras' own dtype: arrays of it meet other tensors without a cast, as a rule.
_DEFAULT = "float32"
_FLOAT_NAMES = dtypes.spellings(dtypes.FLOATS - {_DEFAULT})
_OTHER_DTYPES = behaviour.names(Trait.OTHER_DTYPES) | {
    f"tensorflow.{name}" for name in _FLOAT_NAMES | dtypes.COMPLEX
}
_NUMPY_FLOATS = frozenset(f"numpy.{name}" for name in _FLOAT_NAMES)
_POLICIES = behaviour.prefixes(Trait.OTHER_DTYPES)
_SETTERS = frozenset(
    {"tensorflow.keras.backend.set_floatx", "tensorflow.keras.config.set_floatx"}
)  # fmt: skip
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.MatrixMultiply, cst.Power)
_LOSSES = ("tensorflow.keras.losses.", "tensorflow.losses.")
_INDICES = behaviour.places("indices")

#: Ops that take the array which they are given first in its own dtype, eagerly and traced alike.
_ALONE = behaviour.names(Trait.OWN_DTYPE)
_RESHAPING = (Shape.EXPAND, Shape.RESHAPE, Shape.SQUEEZE, Shape.TRANSPOSE)
#: Those of them that hand it on in that dtype.
_HANDING_ON = (
    _ALONE & behaviour.names(Trait.HANDS_ON).union(*map(behaviour.names, _RESHAPING))
) - behaviour.names(Dtype.ARGUMENT)
_JOINING = frozenset({"tensorflow.concat", "tensorflow.stack"})
#: Ops all of whose tensors have one dtype.
_OF_ONE_DTYPE = behaviour.names(Trait.ONE_DTYPE)
_MAY_BE_FLOAT = (None, "float32", "float64")

#: The arguments of a call, by the names of parameters.
Given: TypeAlias = "Mapping[str, cst.BaseExpression]"
NOTHING_GIVEN: Given = {}
Asked: TypeAlias = "dict[tuple[int, str], bool]"


def is_array_or_tensor(model: Answers, node: cst.BaseExpression) -> bool:
    """`x + noise` with an array `x`: whatever `noise` is, it gives an array or a tensor."""
    if isinstance(node, cst.BinaryOperation):
        return any(is_array_or_tensor(model, side) for side in (node.left, node.right))
    return model.value(node).kind in (Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY)


def usual_dtype(model: Answers) -> str | None:
    """The dtype of weights and of what Keras casts to; None where the project sets several."""
    return model.ask(_usual_dtype)


def _usual_dtype(model: Answers) -> str | None:
    if not any("set_floatx" in module.source.text for module in model.world.modules):
        return _DEFAULT
    values = [
        model.value(call.args[0].value)
        for call in model.everywhere(cst.Call)
        if len(call.args) == 1 and model.names.of(call.func) & _SETTERS
    ]
    if not values:
        return _DEFAULT
    set_to = {value.constant if value.has_constant else None for value in values}
    only = set_to.pop() if len(set_to) == 1 else None
    return only if isinstance(only, str) else None


def is_taken_as_is(model: Answers, read: cst.CSTNode) -> bool:
    """Whether a read of an array gives an op the same tensor eagerly and in a trace."""
    parent = model.parent(read)
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is read else parent.left
        return isinstance(parent.operator, _ARITHMETIC) and _fits(model, read, [other])
    if not isinstance(parent, cst.Arg) or parent.star:
        return False
    call = model.parent(parent)
    if not isinstance(call, cst.Call):
        return False
    names = model.names.of(call.func)
    if not names or not all(api.is_op(name) for name in names):
        return False
    if _is_alone(names, call, parent) or _keeps_dtype(model, read, call, parent):
        return True
    if all(name.startswith(_LOSSES) or _is_index(name, call, parent) for name in names):
        return True
    return _fits(model, read, [a.value for a in call.args if a is not parent])


def _is_alone(names: frozenset[str], call: cst.Call, argument: cst.Arg) -> bool:
    """Whether no dtype but the array's own has a part in what the call makes of it."""
    if call.args[0] is not argument or argument.keyword is not None:
        return False
    return names <= _ALONE or (names == {"tensorflow.convert_to_tensor"} and len(call.args) == 1)


def _keeps_dtype(model: Answers, read: cst.CSTNode, call: cst.Call, argument: cst.Arg) -> bool:
    """Whether a conversion names the dtype that the array has: a tensor of it passes as well."""
    given = model.value(read).dtype if call.args[0] is argument else None
    is_conversion = model.names.of(call.func) == {"tensorflow.convert_to_tensor"}
    return is_conversion and given is not None and model.value(call).dtype == given


def _is_index(name: str, call: cst.Call, argument: cst.Arg) -> bool:
    """Whether an argument of the call is its indices, whose dtype is their own."""
    keyword, position = _INDICES.get(name, (None, 0))
    if argument.keyword is not None:
        return argument.keyword.value == keyword
    return keyword is not None and argument in call.args[position : position + 1]


def _fits(model: Answers, read: cst.CSTNode, others: list[cst.BaseExpression]) -> bool:
    """Whether an array surely has the usual dtype, and nothing beside it is known to differ."""
    usual = usual_dtype(model)
    if usual is None or model.value(read).dtype != usual:
        return False
    values = [model.value(other) for other in others]
    return any(v.is_tensor or v.kind in NUMBERS for v in values) and not any(
        v.is_tensor and v.dtype not in (None, usual) for v in values
    )


def arrays_read(model: Answers, reads: Iterable[cst.CSTNode]) -> list[cst.CSTNode]:
    """The reads of arrays that a structure holds, where these are reads of it: `batch["x"]`, and `x`
    where `x, y = batch` unpacks them."""
    found: list[cst.CSTNode] = []
    for read in reads:
        holder = model.parent(read)
        if isinstance(holder, cst.Subscript) and holder.value is read:
            found.append(holder)
        elif isinstance(holder, cst.Assign):
            targets = [target.target for target in holder.targets]
            scope = model.unit(read).scope
            for name in (name for target in targets for name in target_names(target)):
                found += scope.reads.get(name, ())
    return [node for node in found if model.value(node).kind is Kind.NDARRAY]


def sliced(model: Answers, read: cst.CSTNode) -> cst.CSTNode:
    """The slice of an array that a read is taken for, or the read itself: `x` of `x[:, None]`."""
    parent = model.parent(read)
    if not isinstance(parent, cst.Subscript) or parent.value is not read:
        return read
    parts = [element.slice for element in parent.slice]
    is_plain = all(isinstance(part, cst.Slice) or is_new_axis(part) for part in parts)
    return parent if is_plain else read


def is_joined_as_is(model: Answers, call: cst.Call, members: cst.CSTNode | None) -> bool:
    """Whether a list of arrays and tensors of one dtype is all that an op joins."""
    if not isinstance(members, (cst.List, cst.Tuple)) or not model.names.of(call.func) <= _JOINING:
        return False
    if not call.args or call.args[0].value is not members:
        return False
    dtypes = {model.value(element.value).dtype for element in members.elements}
    return len(dtypes) == 1 and None not in dtypes


def asks_for_none(node: cst.CSTNode | None) -> bool:
    """Whether this is `x is None` or `x is not None`."""
    return isinstance(node, cst.Comparison) and all(
        isinstance(target.operator, (cst.Is, cst.IsNot)) for target in node.comparisons
    )


def is_cast_to_usual(
    model: Answers,
    unit: Unit,
    name: str,
    asked: Asked | None = None,
    given: Given = NOTHING_GIVEN,
) -> bool:
    """Whether all that a function does with an array parameter casts it to the usual dtype.

    One that it is only handed, and does nothing with, is as good. `given` are the arguments of one
    call of it, if it is asked of that call only. `asked` are the calls that hand it on and have been
    gone through, with whether that has come to its end: what goes round in a circle does not.
    """
    reads = unit.scope.reads.get(name, ())
    if usual_dtype(model) is None:
        return False
    if not (reads or asked) or len(unit.scope.bindings.get(name, ())) != 1:
        return False
    asked = {} if asked is None else asked
    return all(_meets_usual(model, read, asked, given) for read in reads)


def are_cast_to_usual(model: Answers, reads: Sequence[cst.CSTNode]) -> bool:
    """Whether eager execution casts an array or number to the usual dtype wherever it is read.

    Never in a project that speaks of other dtypes of tensors: they may be met where no dtype is
    known.
    """
    if usual_dtype(model) is None or not reads or _has_other_dtypes(model):
        return False
    return all(_meets_usual(model, read, {}) and _shares_dtype(model, read) for read in reads)


def _shares_dtype(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an op that takes an array asks for the dtype of its other arguments: no index."""
    parent = model.parent(node)
    call = model.parent(parent) if isinstance(parent, cst.Arg) else None
    names = model.names.of(call.func) if isinstance(call, cst.Call) else frozenset()
    if call is None or not names or all(name.startswith(_LOSSES) for name in names):
        return True
    return names <= _OF_ONE_DTYPE or (names <= _HANDING_ON and _shares_dtype(model, call))


def _has_other_dtypes(model: Answers) -> bool:
    """Whether the project asks TensorFlow anywhere for floats of another size than the usual one."""
    return model.ask(_names_other_dtypes)


def _names_other_dtypes(model: Answers) -> bool:
    for node in model.everywhere(cst.Attribute):
        names = model.names.of(node)
        if any(name in _OTHER_DTYPES or name.startswith(_POLICIES) for name in names):
            return True
        if names & _NUMPY_FLOATS and _is_given_to_tensorflow(model, node):
            return True
    for name in model.everywhere(cst.Name):
        if any(n in _OTHER_DTYPES or n.startswith(_POLICIES) for n in model.names.of(name)):
            return True
    return any(
        isinstance(model.parent(text), (cst.Arg, cst.Comparison, cst.Param, cst.Assign))
        and text.value.strip("\"'") in _FLOAT_NAMES
        for text in model.everywhere(cst.SimpleString)
    )


def _is_given_to_tensorflow(model: Answers, node: cst.CSTNode) -> bool:
    argument = model.parent(node)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    return isinstance(call, cst.Call) and any(map(api.is_tensorflow, model.names.of(call.func)))


def _meets_usual(
    model: Answers, node: cst.CSTNode, asked: Asked, given: Given = NOTHING_GIVEN
) -> bool:
    """Whether eager execution casts an array, as given or handed on, to the usual dtype."""
    parent = model.parent(node)
    if isinstance(parent, cst.Attribute):
        return parent.attr.value == "shape"
    if asks_for_none(parent):
        return True
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is node else parent.left
        return isinstance(parent.operator, _ARITHMETIC) and _is_usual(model, [other], given)
    call = model.parent(parent) if isinstance(parent, cst.Arg) and not parent.star else None
    if not isinstance(call, cst.Call) or not isinstance(parent, cst.Arg):
        return False
    names = model.names.of(call.func)
    if names & _HANDING_ON:
        return call.args[0] is parent and _meets_usual(model, call, asked, given)
    if names:
        others = [a.value for a in call.args if a is not parent]
        is_loss = all(name.startswith(_LOSSES) for name in names)
        return is_loss or (names <= _OF_ONE_DTYPE and _is_usual(model, others, given))
    return _is_cast_by_call(model, call, parent, asked)


def _is_cast_by_call(model: Answers, call: cst.Call, argument: cst.Arg, asked: Asked) -> bool:
    if model.value(call.func).kind in (*KERAS_CALLABLES, Kind.METRIC):
        return True
    edges = model.calls.at(call)
    return bool(edges) and all(_is_cast_at(model, edge, argument, asked) for edge in edges)


def _is_cast_at(model: Answers, edge: Edge, argument: cst.Arg, asked: Asked) -> bool:
    taking = edge.parameter(argument)
    if taking is None:
        return False
    key = id(edge), taking.name
    if key not in asked:
        asked[key] = False
        asked[key] = is_cast_to_usual(model, edge.callee, taking.name, asked, _given_by(edge))
    return asked[key]


def _given_by(edge: Edge) -> Given:
    """The arguments of a call by the names of the parameters that keep them."""
    return {
        name: passed.node
        for name, passed in edge.arguments.items()
        if passed.how is Passing.ARGUMENT
        and passed.node is not None
        and len(edge.callee.scope.bindings.get(name, ())) == 1
    }


def _is_usual(
    model: Answers, others: list[cst.BaseExpression], given: Given = NOTHING_GIVEN
) -> bool:
    """Whether a tensor of the usual dtype is beside an array, and none known to have another."""
    others = [given.get(o.value, o) if isinstance(o, cst.Name) else o for o in others]
    tensors = [other for other in others if model.value(other).is_tensor]
    usual = usual_dtype(model)
    if usual is None or any(model.value(t).dtype not in (None, usual) for t in tensors):
        return False
    origin = model.ask(UsualOrigin, usual)
    return any(origin.of(tensor) for tensor in tensors)


def is_float_array(model: Answers, node: cst.CSTNode) -> bool:
    """Whether nothing says that an array holds anything but floats."""
    return model.value(node).dtype in _MAY_BE_FLOAT
