"""Recipes for Keras classes: a class is judged by calling an instance of it.

Layers are built with arguments guessed from their parameters' names and called, with their
weights, on the first input that they accept. Losses, metrics, initializers, regularizers and
constraints are called on what they expect; optimizers apply one gradient.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import tensorflow as tf

from tools.harvest.calls import Call
from tools.harvest.recipes.registry import RECIPES, floats

C = tf.constant

#: Constructor arguments by parameter name, where the parameter has no default.
ARGUMENTS: dict[str, Any] = {
    "units": 4,
    "filters": 4,
    "kernel_size": 2,
    "pool_size": 2,
    "rate": 0.5,
    "stddev": 0.5,
    "input_dim": 10,
    "output_dim": 4,
    "num_heads": 2,
    "key_dim": 4,
    "head_dim": 4,
    "num_query_heads": 2,
    "num_key_value_heads": 1,
    "dims": (2, 1),
    "target_shape": (-1,),
    "n": 2,
    "size": 2,
    "axes": -1,
    "axis": -1,
    "num_tokens": 10,
    "num_bins": 4,
    "height": 4,
    "width": 4,
    "factor": 0.2,
    "height_factor": 0.2,
    "width_factor": 0.2,
    "value_range": (0.0, 1.0),
    "scale": 2.0,
    "bands": 1,
    "num_classes": 3,
    "max_value": 2.0,
    "shift_factor": 0.2,
    "function": tf.abs,
    "target_class_ids": [0],
    "recall": 0.5,
    "precision": 0.5,
    "sensitivity": 0.5,
    "specificity": 0.5,
    "l1": 0.1,
    "initial_learning_rate": 0.1,
    "delta": 1.0,
    "activation": "relu",
    "output_size": 2,
    "decay_steps": 10,
    "first_decay_steps": 10,
    "decay_rate": 0.5,
    "boundaries": [10],
    "values": [0.1, 0.01],
}

#: Parameters that must be given although they have a default.
WANTED = ("factor", "shift_factor")

#: Arguments for classes that the names above do not fit.
SPECIAL: dict[str, Callable[[], dict[str, Any]]] = {
    "TimeDistributed": lambda: {"layer": tf.keras.layers.Dense(3)},
    "Bidirectional": lambda: {"layer": tf.keras.layers.LSTM(3)},
    "SpectralNormalization": lambda: {"layer": tf.keras.layers.Dense(3)},
    "RNN": lambda: {"cell": tf.keras.layers.LSTMCell(3)},
    "EinsumDense": lambda: {"equation": "ab,bc->ac", "output_shape": 3},
    "Discretization": lambda: {"bin_boundaries": [0.3, 0.7]},
    "CategoryEncoding": lambda: {"num_tokens": 5},
    "Normalization": lambda: {"axis": None, "mean": 0.5, "variance": 1.0},
    "StringLookup": lambda: {"vocabulary": ["a", "b"]},
    "IntegerLookup": lambda: {"vocabulary": [1, 2]},
    "TextVectorization": lambda: {"vocabulary": ["a", "b"]},
    "MeanMetricWrapper": lambda: {"fn": tf.keras.losses.MSE},
    "MeanRelativeError": lambda: {"normalizer": [1.0, 1.0, 1.0]},
    "SumOverBatchSizeMetricWrapper": lambda: {"fn": tf.keras.losses.MSE},
    "Hashing": lambda: {"num_bins": 4},
    "HashedCrossing": lambda: {"num_bins": 4},
    "MelSpectrogram": lambda: {"fft_length": 64, "sequence_stride": 16},
    "STFTSpectrogram": lambda: {"frame_length": 64, "frame_step": 16, "fft_length": 64},
    "RandomPosterization": lambda: {"factor": 4},
    "RandomColorJitter": lambda: {
        "value_range": (0, 1),
        "brightness_factor": 0.5,
        "contrast_factor": 0.5,
        "saturation_factor": 0.5,
        "hue_factor": 0.5,
    },
    "L1L2": lambda: {"l1": 0.1, "l2": 0.1},
    "MaxNumBoundingBoxes": lambda: {"max_number": 2},
}

#: Not layers to be called by themselves.
LEFT_OUT = {
    *("Layer", "Wrapper", "InputLayer", "InputSpec", "TFSMLayer", "TorchModuleWrapper"),
    *("FlaxLayer", "JaxLayer", "StackedRNNCells", "AbstractRNNCell", "Pipeline", "Lambda"),
    *("Loss", "Metric", "Optimizer", "Initializer", "Regularizer", "Constraint"),
    *("LossScaleOptimizer", "LossFunctionWrapper", "DenseFeatures", "SequenceFeatures"),
    *("LearningRateSchedule", "MultiOptimizer"),
}


def instance(cls: type) -> Any:
    """An object of the class, with guessed arguments."""
    if cls.__name__ in SPECIAL:
        return cls(**SPECIAL[cls.__name__]())
    given: dict[str, Any] = {}
    for parameter in inspect.signature(cls.__init__).parameters.values():
        if parameter.name == "self" or parameter.kind in (
            parameter.VAR_KEYWORD,
            parameter.VAR_POSITIONAL,
        ):
            continue
        needed = parameter.default is parameter.empty
        if needed or (parameter.name in WANTED and parameter.default is None):
            given[parameter.name] = ARGUMENTS[parameter.name]
    return cls(**given)


def layer_inputs() -> Iterator[list[Any]]:
    """Positional inputs that layers may accept, the commonest first."""
    yield [floats(2, 4)]
    yield [floats(2, 8, 4)]
    yield [floats(2, 8, 8, 3)]
    yield [floats(2, 4, 4, 4, 2)]
    yield [C([[1, 2], [3, 4]])]
    yield [[floats(2, 4), floats(2, 4)]]
    yield [floats(2, 3, 8, 8, 3)]
    yield [C([["a"], ["b"]])]
    yield [C([1, 2])]
    yield [[floats(2, 4, 4), floats(2, 4, 4), floats(2, 4, 4)]]
    yield [[floats(2, 4, 4), floats(2, 4, 4)]]
    yield [floats(2, 4, 4), floats(2, 4, 4)]
    yield [floats(2, 3, 4, 4, 4, 2)]
    yield [floats(2, 256)]
    yield [(C(["a", "b"]), C(["c", "d"]))]


#: Inputs that suit a layer better than the first one that it happens to accept.
PREFERRED: dict[str, Callable[[], list[Any]]] = {
    "Embedding": lambda: [C([[1, 2], [3, 4]])],
    "CategoryEncoding": lambda: [C([1, 2])],
    "IntegerLookup": lambda: [C([1, 2], tf.int64)],
    "StringLookup": lambda: [C(["a", "c"])],
    "TextVectorization": lambda: [C(["a b", "c"])],
    "Hashing": lambda: [C(["a", "b"])],
    "MelSpectrogram": lambda: [floats(2, 256)],
    "STFTSpectrogram": lambda: [floats(2, 256, 1)],
}


def picture_layer(name: str) -> bool:
    words = (
        "Random",
        "CenterCrop",
        "Resizing",
        "Rescaling",
        "Auto",
        "Equalization",
        "Solarization",
    )
    return name.startswith(words) or name in ("CutMix", "MixUp", "AugMix", "RandAugment")


def layer_calls(cls: type) -> Iterator[Call]:
    inputs = layer_inputs()
    if cls.__name__ in PREFERRED:
        inputs = iter([PREFERRED[cls.__name__]()])
    elif picture_layer(cls.__name__):
        inputs = iter([[floats(2, 8, 8, 3)]])
    for given in inputs:
        layer = instance(cls)
        if has_states(layer):
            given = [*given, layer.get_initial_state(batch_size=2)]
        call = layer_call(layer, given)
        if call is not None:
            yield call
            return


def has_states(layer: Any) -> bool:
    return type(layer).__name__.endswith("Cell") and hasattr(layer, "get_initial_state")


def layer_call(layer: Any, given: list[Any]) -> Call | None:
    """A call that works eagerly, after which the layer is built; None if there is none."""
    parameters = inspect.signature(layer.call).parameters
    takes_training = "training" in parameters
    usual = bool(takes_training and parameters["training"].default)

    def with_training(*args: Any, training: bool = usual) -> Any:
        return layer(*args, training=training)

    def plain(*args: Any) -> Any:
        return layer(*args)

    function = with_training if takes_training else plain
    try:
        function(*given)
    except Exception:
        return None
    return Call(function, tuple(given), variables=list(layer.trainable_variables))


def loss_calls(cls: type) -> Iterator[Call]:
    loss = instance(cls)
    if "Sparse" in cls.__name__:
        yield Call(loss.__call__, (C([1, 0]), floats(2, 3)))
    elif cls.__name__ == "CTC":
        yield Call(loss.__call__, (C([[1, 2]]), floats(1, 4, 4)))
    else:
        yield Call(loss.__call__, (tf.one_hot([1, 0], 3), tf.nn.softmax(floats(2, 3))))


def metric_arguments(name: str) -> tuple[Any, ...]:
    if name in ("Mean", "Sum", "MeanTensor"):
        return (floats(4),)
    if "Sparse" in name:
        return (C([1, 0]), tf.nn.softmax(floats(2, 3)))
    if name in ("MeanIoU", "IoU"):
        return (C([0, 1, 2]), C([0, 2, 2]))
    if name in ("BinaryIoU", "AUC") or "At" in name or "Positives" in name or "Negatives" in name:
        return (C([0.0, 1.0, 1.0]), C([0.2, 0.6, 0.9]))
    return (tf.one_hot([1, 0], 3), tf.nn.softmax(floats(2, 3)))


def metric_calls(cls: type) -> Iterator[Call]:
    metric = instance(cls)

    def update_and_read(*args: Any) -> Any:
        metric.update_state(*args)
        return metric.result()

    given = metric_arguments(cls.__name__)
    update_and_read(*given)
    yield Call(update_and_read, given, stateful=True)


def optimizer_calls(cls: type) -> Iterator[Call]:
    optimizer = instance(cls)
    weights = tf.Variable(floats(4, 4))
    if hasattr(optimizer, "build"):
        optimizer.build([weights])

    def step(gradient: Any) -> Any:
        optimizer.apply_gradients([(gradient, weights)])
        return tf.identity(weights)

    step(floats(4, 4))
    yield Call(step, (floats(4, 4),), stateful=True)


def simple_calls(*given: Any) -> Callable[[type], Iterator[Call]]:
    def calls(cls: type) -> Iterator[Call]:
        yield Call(instance(cls).__call__, given)

    return calls


FAMILIES: dict[str, Callable[[type], Iterable[Call]]] = {
    "layers": layer_calls,
    "losses": loss_calls,
    "metrics": metric_calls,
    "optimizers": optimizer_calls,
    "initializers": simple_calls((4, 4)),
    "regularizers": simple_calls(floats(4, 4)),
    "constraints": simple_calls(floats(4, 4)),
    "optimizers.schedules": simple_calls(C(3)),
}

#: Bases that every class of a family has, where the module holds other things too.
BASES = {"layers": "Layer", "losses": "Loss", "metrics": "Metric", "optimizers": "Optimizer"}


def family_classes(module: str) -> Iterator[tuple[str, type]]:
    home = tf.keras
    for part in module.split("."):
        home = getattr(home, part)
    base = getattr(home, BASES[module], object) if module in BASES else object
    seen: set[int] = set()
    for name in sorted(dir(home)):
        cls = getattr(home, name)
        if not inspect.isclass(cls) or name in LEFT_OUT or id(cls) in seen:
            continue
        if issubclass(cls, base):
            seen.add(id(cls))
            yield name, cls


def register() -> None:
    for module, calls in FAMILIES.items():
        for name, cls in family_classes(module):
            full = f"keras.{module}.{name}"
            if module == "optimizers":
                full += ".apply_gradients"
            RECIPES.add({full: lambda calls=calls, cls=cls: calls(cls)})


register()
