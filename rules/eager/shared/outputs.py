"""Whether a Keras model surely gives one tensor, or a list of them; whether it takes a list."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.origins import (
    PASSING,
    THROUGH,
    Agree,
    Look,
    Origins,
    Through,
    makers,
)
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

_SINGLE = frozenset({"tensorflow.keras.Sequential", "tensorflow.keras.models.Sequential"})
_FUNCTIONAL = frozenset({"tensorflow.keras.Model", "tensorflow.keras.models.Model"})


def has_one_output(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely gives one tensor, not a list or dict of them."""
    made = makers(model.flow, node)
    return bool(made) and all(_makes_one_output(model, expression) for expression in made)


def has_list_of_outputs(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely gives a list of several tensors."""
    made = makers(model.flow, node)
    return bool(made) and all(_makes_list(model, expression) for expression in made)


def takes_list(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely is one of layers, made for a list of inputs."""
    made = makers(model.flow, node)
    return bool(made) and all(_is_made_for_list(model, expression) for expression in made)


def _is_made_for_list(model: SemanticModel, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call) or not model.names.of(node.func) & _FUNCTIONAL:
        return False
    inputs = argument(node, "inputs", 0)
    return inputs is not None and model.value(inputs).kind is Kind.LIST


def may_be_outputs(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression may be all that a model or a data set gives, as a list, a tuple or a dict.

    What is done with a member proves nothing: a tensor has rows, and a list has tensors.
    """

    def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(made, PASSING):
            return THROUGH
        if isinstance(made, cst.Subscript) and isinstance(made.slice[0].slice, cst.Slice):
            return question.of(made.value)
        if isinstance(made, cst.For) and model.value(made.iter).kind is Kind.DATASET:
            # A data set of unknown elements may have tuples for them.
            element = model.value(made.target)
            return len(path) < 2 and element.dtype is None and element.shape is None
        if path or not isinstance(made, cst.Call):
            is_list = isinstance(made, cst.Call) and _gives_lists(model, made.func)
            return is_list or THROUGH if path else None
        function = model.value(made.func)
        called = function.receiver if function.kind is Kind.TRACED else function
        if called is not None and called.kind in (Kind.MODEL, Kind.LAYER):
            is_followed = called.layer is not None or any(model.flow.calls.at(made))
            if not is_followed and not has_one_output(model, made.func):
                return True
        return THROUGH

    through = Through(
        callers=model.calls.untraced, returns=lambda edge: True, attributes=True, agree=Agree.ANY
    )
    question = Origins(model.flow, through, judge)
    return question.of(node) is True


def _gives_lists(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a model is made with lists of outputs within the list of them."""
    made = [each for each in makers(model.flow, node) if isinstance(each, cst.Call)]
    given = (_outputs(each) for each in made if model.names.of(each.func) & _FUNCTIONAL)
    lists = (each.elements for each in given if isinstance(each, cst.List))
    return any(model.value(e.value).kind is Kind.LIST for members in lists for e in members)


def _makes_list(model: SemanticModel, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call) or not model.names.of(node.func) & _FUNCTIONAL:
        return False
    outputs = _outputs(node)
    if not isinstance(outputs, cst.List) or len(outputs.elements) < 2:
        return False
    return all(model.value(e.value).kind is Kind.KERAS_TENSOR for e in outputs.elements)


def _outputs(node: cst.Call) -> cst.BaseExpression | None:
    """What a call of `keras.Model` is given for outputs."""
    plain = [a.value for a in node.args if a.keyword is None]
    named = [a.value for a in node.args if a.keyword and a.keyword.value == "outputs"]
    return next(iter(named or plain[1:2]), None)


def _makes_one_output(model: SemanticModel, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call):
        return False
    names = model.names.of(node.func)
    if names & _FUNCTIONAL:
        outputs = _outputs(node)
        return outputs is not None and model.value(outputs).kind is Kind.KERAS_TENSOR
    if names & _SINGLE or any(n.startswith("tensorflow.keras.applications.") for n in names):
        return True
    info = model.value(node).class_
    method = info.method("call") if info is not None else None
    return method is not None and method.returns.is_tensor
