"""Tensors among what a call shows: arguments of `print`, parts of an f-string."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.repetition import repeating
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_CALLED = (Kind.LAYER, Kind.MODEL)


def shown_tensors(model: Answers, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The symbolic tensors whose text an expression gives.

    A tensor with a format specification is none: that fails while tracing.
    """
    if is_symbolic(model, node) or _is_input(model, node):
        return [node]
    found: list[cst.BaseExpression] = []
    for part in _parts(model, node):
        found.extend(shown_tensors(model, part))
    return found


def may_show_tracing(model: Answers, call: cst.Call, unit: Unit, is_root: bool) -> bool:
    """Whether a print may be there to show when a function is traced, and with what.

    It shows no tensors but arguments of the function that is traced, the root of the trace, which
    decide about it; or other prints of the function are `tf.print` already, and this one is not.
    """
    tensors = [t for argument in call.args for t in shown_tensors(model, argument.value)]
    if is_root and all(_is_argument(model, tensor, unit) for tensor in tensors):
        return True
    calls = unit.own(cst.Call)
    return any(model.names.of(inner.func) == {"tensorflow.print"} for inner in calls)


def shows_tracing(model: Answers, call: cst.Call, unit: Unit, is_root: bool) -> bool:
    """Whether a print is surely there to show when a function is traced, and with what.

    Each tensor that it shows is shown by a `tf.print` beside it, on every call; or these are
    arguments, and the function is there to be called a few times, with several signatures.
    """
    tensors = [t for argument in call.args for t in shown_tensors(model, argument.value)]
    calls = (node for node in unit.nodes(into_scopes=False) if isinstance(node, cst.Call))
    beside = [c for c in calls if model.names.of(c.func) == {"tensorflow.print"}]
    shown = [argument.value for each in beside for argument in each.args]
    if tensors and all(any(t.deep_equals(other) for other in shown) for t in tensors):
        return True
    edges = model.calls.direct(unit)
    if not is_root or not all(_is_argument(model, tensor, unit) for tensor in tensors):
        return False
    if any(not edge.caller.is_module or repeating(model, edge.node) for edge in edges):
        return False
    return len({s for edge in edges if None not in (s := _signature(model, edge))}) > 1


def _signature(model: Answers, edge: Edge) -> tuple[object, ...]:
    """What a call passes as `tf.function` tells traces apart; None for what is not known."""
    arguments = edge.node.args if isinstance(edge.node, cst.Call) else ()
    values = [model.value(argument.value) for argument in arguments]
    return tuple(
        (value.constant if value.has_constant else None)
        if value.is_python_scalar
        else (value.dtype and (value.dtype, value.shape))
        for value in values
    )


def _is_argument(model: Answers, tensor: cst.BaseExpression, unit: Unit) -> bool:
    """Whether a tensor is a parameter of the function as it was passed."""
    if not isinstance(tensor, cst.Name):
        return False
    binding = model.flow.reached(tensor).only
    if binding is None or binding.scope is not unit.scope:
        return False
    return binding.kind is BindingKind.PARAMETER


def _is_input(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether this is what Keras passes to the `call` of a layer or model: tensors, in whatever they are held."""
    unit = model.unit(node)
    if unit.class_ is None or unit.name != "call" or unit.class_.role not in _CALLED:
        return False
    is_first = len(unit.parameters) > 1 and _is_argument(model, node, unit)
    return is_first and isinstance(node, cst.Name) and node.value == unit.parameters[1].name


def _parts(model: Answers, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, cst.FormattedString):
        return [
            part.expression
            for part in node.parts
            if isinstance(part, cst.FormattedStringExpression) and not part.format_spec
        ]
    if isinstance(node, cst.ConcatenatedString):
        return [node.left, node.right]
    if isinstance(node, (cst.Tuple, cst.List)):
        return [element.value for element in node.elements]
    if isinstance(node, cst.BinaryOperation):
        return _operands(model, node)
    if isinstance(node, cst.Call):
        return _arguments(model, node)
    return []


def _operands(model: Answers, node: cst.BinaryOperation) -> list[cst.BaseExpression]:
    """Both sides of text + text, what fills the text of text % values."""
    if model.value(node).kind is not Kind.STRING:
        return []
    if isinstance(node.operator, cst.Modulo):
        plain = isinstance(node.left, cst.SimpleString) and "%s" in node.left.value
        return [node.right] if plain else []
    return [node.left, node.right]


def _arguments(model: Answers, node: cst.Call) -> list[cst.BaseExpression]:
    """What `str(x)` and `"{}".format(x)` turn into text."""
    arguments = [argument.value for argument in node.args]
    if model.names.one(node.func) in ("builtins.str", "builtins.repr"):
        return arguments
    if isinstance(node.func, cst.Attribute) and node.func.attr.value == "format":
        pattern = node.func.value
        if isinstance(pattern, cst.SimpleString) and ":" not in pattern.value.replace(": ", ""):
            return arguments
    return []
