"""Images of which only eager code knows how many dimensions they have: `decode_image` gives moving
pictures as well, so that a graph knows no rank of its result, and `tf.image.resize` asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.flow.origins import makers

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_RESIZE = "tensorflow.image.resize"
_OPEN_RANK = behaviour.names(Trait.OPEN_RANK)
_SET = "set_shape"
#: What gives the same image in other numbers.
_RETYPING = {"tensorflow.cast", "tensorflow.image.convert_image_dtype"}


def refused_image(model: Answers, call: cst.Call, function: str) -> str | None:
    """What a graph may refuse of a call, in words after "it"."""
    symbol = symbols.find(function) if function == _RESIZE else None
    image = by_parameter(call, symbol).get("images") if symbol is not None else None
    if image is None or not _is_open(model, image):
        return None
    return "resizes what `decode_image` gives, of which a graph does not know the dimensions"


def _is_open(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an image, as it is or as other numbers, is decoded, and nobody sets its shape."""
    if isinstance(node, cst.Name):
        binding = model.flow.reached(node).only
        reads = model.flow.readers(binding) if binding is not None else ()
        parents = (model.parent(read) for read in reads)
        if any(isinstance(p, cst.Attribute) and p.attr.value == _SET for p in parents):
            return False
    for made in makers(model.flow, node):
        if isinstance(made, cst.BinaryOperation) and _is_open(model, made.left):
            return True
        if isinstance(made, cst.Call):
            if model.names.of(made.func) & _OPEN_RANK:
                return not any(
                    a.keyword and a.keyword.value == "expand_animations" for a in made.args
                )
            if model.names.of(made.func) & _RETYPING and made.args:
                return _is_open(model, made.args[0].value)
    return False
