"""Labels of another shape than the predictions: eager execution broadcasts them, a graph may not.

A binary cross-entropy of Keras 2 computes, in a graph, with what went into the sigmoid that made its
predictions, by an operation that takes labels of the very same shape alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.kinds.shapes import is_ranked
from tfxla_lint.semantics.values import KERAS_CALLABLES

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_ONE_SHAPE = behaviour.names(Trait.ONE_SHAPE)
_MARKS = behaviour.names(Trait.MARKS)
_WORDS = (
    "compares labels and predictions of different shapes, which Keras 2 refuses in a graph "
    "where a sigmoid made the predictions"
)


def refused_labels(model: Answers, call: cst.Call, function: str) -> tuple[str, bool] | None:
    """What a graph of Keras 2 refuses of a call, in words after "it", and whether that is sure."""
    symbol = symbols.find(function) if function in _ONE_SHAPE else None
    if symbol is None or model.world.runs_keras_3(call):
        return None
    given = by_parameter(call, symbol)
    logits = given.get("from_logits")
    pair = [given[p.name] for p in (symbol.params or ())[:2] if p.name in given]
    if len(pair) < 2 or (logits is not None and model.value(logits).constant is not False):
        return None
    labels, predictions = (model.value(node).shape for node in pair)
    if labels is None or not is_ranked(labels):
        return None
    if predictions is not None and is_ranked(predictions):
        is_other = len(labels) != len(predictions)
        return (_WORDS, True) if is_other else None
    # What a model gives has a dimension for the rows and one for the members of each.
    if len(labels) < 2 and _is_of_model(model, pair[1]):
        return _WORDS.replace("compares", "may compare"), False
    return None


def _is_of_model(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether predictions are, as they stand, what a model or layer gives."""
    made = makers(model.flow, node, model.calls.untraced)
    calls = [each for each in made if isinstance(each, cst.Call)]
    inner = [c.args[0].value for c in calls if c.args and model.names.of(c.func) & _MARKS]
    given = any(model.value(call.func).kind in KERAS_CALLABLES for call in calls)
    return given or any(_is_of_model(model, each) for each in inner)
