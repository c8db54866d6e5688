"""Output shapes of Keras layers, where the layer's arguments say them."""

from __future__ import annotations

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.kinds.shapes import Shape, is_ranked
from tfxla_lint.semantics.kinds.tensor_ops import Given
from tfxla_lint.semantics.values import Arguments, LayerOutput

_LAYERS = "tensorflow.keras.layers."
_SAME = behaviour.leaves("tensorflow.keras.layers", Trait.LAYER_KEEPS_SHAPE)


def output_of(name: str, arguments: Arguments) -> LayerOutput | None:
    """What a layer made by this call does to a shape; None where that is not known."""
    if not name.startswith(_LAYERS):
        return None
    kind = name[len(_LAYERS) :]
    if kind in _SAME:
        return LayerOutput("same")
    if kind == "Flatten":
        return LayerOutput("flat")
    for how in ("last", "appended"):
        if name in behaviour.places(how):
            keyword, position = behaviour.places(how)[name]
            size = Given(arguments).at(position, keyword)
            known = size.constant if size is not None and type(size.constant) is int else None
            return LayerOutput(how, known)
    return None


def applied(output: LayerOutput | None, shape: Shape) -> Shape:
    """The shape that a layer makes of an input's."""
    if output is None or shape is None or not is_ranked(shape) or not shape:
        return None
    if output.how == "same":
        return shape
    if output.how == "last":
        return (*shape[:-1], output.size)
    if output.how == "appended":
        return (*shape, output.size)
    rest: int | None = 1
    for size in shape[1:]:
        rest = rest * size if type(size) is int and rest is not None else None
    return (shape[0], rest)


def input_shape(arguments: Arguments) -> Shape:
    """The shape of `tf.keras.Input(...)`: the batch first, unknown unless given."""
    given = Given(arguments)
    shape, batch = given.at(0, "shape"), given.at(1, "batch_size")
    if given.at(None, "batch_shape", "tensor") is not None or shape is None:
        return None
    if shape.elements is None:
        return None
    sizes = (e.constant if type(e.constant) is int else None for e in shape.elements)
    first = batch.constant if batch is not None and type(batch.constant) is int else None
    return (first, *sizes)
