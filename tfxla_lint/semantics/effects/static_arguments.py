"""Arguments of which a graph needs the value while it is made: axes, flags, numbers of parts.

Eager code reads the value of a tensor there. `behaviour.json` names the parameters, as
`python -m tools.harvest arguments` saw them: each was given a tensor, eagerly and in a graph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.knowledge.symbols import find
from tfxla_lint.semantics.call_arguments import argument, by_parameter
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.values import Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: Stands for all parameters, of which it is not known.
_ANY = "*"
_TRAINING = "training"
_ARRAYS = (Kind.NDARRAY, Kind.NUMPY_SCALAR)
_SEQUENCES = (Kind.LIST, Kind.TUPLE)
#: The parameters of what is computed, or chosen, of two tensors, element by element.
_PAIR = re.compile("x y|x1 x2")


def refused_argument(model: Answers, call: cst.Call, name: str) -> tuple[str, bool] | None:
    """What a graph refuses of a call of an operation, in words after "it", and whether that is sure."""
    static, shape = behaviour.of(name).static, behaviour.places("shape").get(name)
    is_of_one = behaviour.holds(Trait.ONE_DTYPE, name)
    symbol = find(name) if static or shape is not None or is_of_one else None
    if symbol is None:
        return None
    given = by_parameter(call, symbol)
    sizes = given.get(shape[0]) if shape is not None else None
    if sizes is not None and any(_is_reversed(made) for made in makers(model.flow, sizes)):
        return "reverses a shape, of which a graph then infers nothing", False
    if is_of_one and takes_number_first(model, call, name, surely=True):
        words = f"gives `{excerpt(model, call.func)}` a number before a tensor of another dtype"
        return f"{words}, which a graph does not cast", True
    for parameter, value in given.items():
        asked = parameter if _is_tensor(model.value(value)) else f"{parameter}[]"
        is_sure = bool({parameter, asked} & static)
        is_doubt = bool({_ANY, f"{parameter}?", f"{asked}?"} & static)
        if (is_sure or is_doubt) and _is_of_trace(model, value):
            need = "needs" if is_sure else "may need"
            words = f"gives `{parameter}` of `{excerpt(model, call.func)}` a tensor"
            return f"{words}, of which a trace {need} the value", is_sure
    return None


def takes_number_first(model: Answers, call: cst.Call, name: str, *, surely: bool = False) -> bool:
    """Whether an operation is given a number of Python's, or an array, before a tensor that may be of another
    dtype than TensorFlow makes of it, or `surely` is: eager code takes that of the tensor, and a graph raises.
    """
    symbol = find(name)
    given = by_parameter(call, symbol) if symbol is not None else {}
    ordered = [p.name for p in (symbol.params if symbol is not None else None) or ()]
    places = [name for name in ordered if name in given]
    values = [model.value(given[name]) for name in places]
    if len(values) < len(call.args):
        values = [model.value(each.value) for each in call.args]
    for place, value in enumerate(values):
        member = next(leaves(value), value) if value.kind in _SEQUENCES else value
        made = {Kind.INT: "int32", Kind.FLOAT: "float32"}.get(member.kind)
        made = value.dtype if value.kind in _ARRAYS else made
        # A list of whole numbers is mostly a shape, where it is no side of a pair.
        is_side = _PAIR.fullmatch(" ".join(places[place : place + 2]))
        if member is not value and member.kind is Kind.INT and not is_side:
            continue
        if made is None and (surely or value.kind not in _ARRAYS):
            continue
        others = [other.dtype for other in values[place + 1 :] if other.is_tensor]
        if any(dtype != made and not (surely and dtype is None) for dtype in others):
            return True
    return False


def refused_flag(model: Answers, call: cst.Call) -> str | None:
    """What the layers of a Keras object may refuse in a graph, in words after "it"."""
    value = argument(call, _TRAINING, -1)
    if value is None or not _is_of_trace(model, value):
        return None
    return "passes a tensor as `training`, of which a trace may need the value"


def _is_of_trace(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a value, or a member of it, is a tensor that a trace knows no value of."""
    value = model.value(node)
    if isinstance(node, cst.Name) and value.kind is Kind.TENSOR:
        home = model.binder.scope(node).home(node.value)
        # What the module made before a trace of a function is a constant to it.
        if home is not None and model.unit_of_scope(home).is_module:
            return model.unit(node).is_module
    return any(map(_is_tensor, leaves(value)))


def _is_reversed(node: cst.CSTNode) -> bool:
    """Whether a part is taken with a step below zero, as in `sizes[::-1]`."""
    parts = [e.slice for e in node.slice] if isinstance(node, cst.Subscript) else []
    steps = [part.step for part in parts if isinstance(part, cst.Slice)]
    return any(isinstance(s, cst.UnaryOperation) and type(s.operator) is cst.Minus for s in steps)


def _is_tensor(value: Value) -> bool:
    return value.kind in (Kind.TENSOR, Kind.VARIABLE)
