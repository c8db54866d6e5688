"""Measures what TensorFlow asks for a call of each kind: eagerly, below a tape, and in a graph.

Everything is tiny, so that dispatch is what is measured; kernels are measured by themselves, at
sizes at which they are all there is. A figure is the fastest of many short stretches of the process'
own time, so that what else a machine does adds little. All times are microseconds.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import process_time, thread_time
from typing import Any

#: So long a stretch of calls is; so many are made of each kind.
STRETCH, STRETCHES = 0.002, 40

#: So often a small difference of two large figures is measured.
ROUNDS = 5

Thunk = Callable[[], Any]
Price = dict[str, float]


def timed(thunk: Thunk, clock: Callable[[], float] = process_time) -> float:
    """Microseconds of one call, of the fastest stretch of calls."""
    for _ in range(3):
        thunk()
    start = clock()
    thunk()
    calls = max(1, int(STRETCH / max(clock() - start, 1e-7)))
    best = float("inf")
    for _ in range(STRETCHES):
        start = clock()
        for _ in range(calls):
            thunk()
        best = min(best, (clock() - start) / calls)
    return best * 1e6


def timed_here(thunk: Thunk) -> float:
    """The same of what one thread does, as eager calls of tiny things are."""
    return timed(thunk, thread_time)


def once(thunk: Thunk) -> float:
    """Microseconds of one call, which no later one is like."""
    start = process_time()
    thunk()
    return (process_time() - start) * 1e6


def nodes_of(function: Any) -> int:
    """How many nodes a concrete function's graph has, but for what is no work."""
    idle = ("Placeholder", "Const", "NoOp", "Identity")
    return sum(op.type not in idle for op in function.graph.get_operations())


class Prices:
    """Measures kinds of calls, on a TensorFlow that is imported already."""

    def __init__(self) -> None:
        import tensorflow as tf

        self.tf = tf

    # One kind of call

    def of(self, call: Callable[[Any], Any], x: Any, *, is_taped: bool = True) -> Price:
        """What a call on `x` takes, and what it takes with its gradients; the nodes of its graph."""
        price = {"eager": timed_here(lambda: call(x)), "nodes": self._nodes(call, x)}
        if is_taped:
            bare = timed_here(lambda: self._gradient(lambda y: y, x))
            price["taped"] = timed_here(lambda: self._gradient(call, x)) - bare
            price["nodes_taped"] = self._nodes(lambda y: self._gradient(call, y), x)
        return price

    def _gradient(self, call: Callable[[Any], Any], x: Any) -> Any:
        with self.tf.GradientTape() as tape:
            tape.watch(x)
            made = call(x)
        return tape.gradient(made, [x, *tape.watched_variables()])

    def _nodes(self, call: Callable[[Any], Any], x: Any) -> int:
        return nodes_of(self.tf.function(call).get_concrete_function(x))

    # Kinds

    def ops(self) -> Iterator[tuple[str, Price]]:
        """Plain ops, by the last part of their names; operators by what LibCST calls them, those of
        one shape by themselves: their gradients have nothing to add up."""
        tf = self.tf
        x, row = tf.random.uniform([16, 16]) + 0.5, tf.ones([16])
        whole = tf.constant([3, 1, 2])
        whole_rank, groups = x + 9.0 * tf.eye(16), tf.range(16) % 4
        smooth: dict[str, Callable[[Any], Any]] = {
            "operator": lambda y: y + x,
            "subscript": lambda y: y[0],
            "matmul": lambda y: tf.matmul(y, x),
            "Add": lambda y: y + row,
            "Subtract": lambda y: row - y,
            "Multiply": lambda y: y * row,
            "Divide": lambda y: y / row,
            "Add+same": lambda y: y + x,
            "Subtract+same": lambda y: y - x,
            "Multiply+same": lambda y: y * x,
            "Power": lambda y: y**2,
            "MatrixMultiply": lambda y: y @ x,
            "matvec": lambda y: tf.linalg.matvec(x, y),
            "reduce_mean": tf.reduce_mean,
            "reduce_mean+axis": lambda y: tf.reduce_mean(y, axis=1),
            "reduce_sum": tf.reduce_sum,
            "reduce_sum+axis": lambda y: tf.reduce_sum(y, axis=1),
            "reduce_max": lambda y: tf.reduce_max(y, axis=1),
            "square": tf.square,
            "exp": tf.exp,
            "log": tf.math.log,
            "sqrt": tf.sqrt,
            "sin": tf.sin,
            "cos": tf.cos,
            "tanh": tf.tanh,
            "sigmoid": tf.sigmoid,
            "relu": tf.nn.relu,
            "softmax": tf.nn.softmax,
            "softplus": tf.nn.softplus,
            "log_softmax": tf.nn.log_softmax,
            "abs": tf.abs,
            "maximum": lambda y: tf.maximum(y, x),
            "minimum": lambda y: tf.minimum(y, x),
            "multiply": lambda y: tf.multiply(y, x),
            "squared_difference": lambda y: tf.math.squared_difference(y, x),
            "clip_by_value": lambda y: tf.clip_by_value(y, 0.1, 0.9),
            "clip_by_norm": lambda y: tf.clip_by_norm(y, 1.0),
            "reshape": lambda y: tf.reshape(y, [4, 64]),
            "transpose": tf.transpose,
            "expand_dims": lambda y: tf.expand_dims(y, 0),
            "squeeze": lambda y: tf.squeeze(y[None]),
            "concat": lambda y: tf.concat([y, x], 1),
            "stack": lambda y: tf.stack([y, x]),
            "split": lambda y: tf.split(y, 2, axis=1)[0],
            "tile": lambda y: tf.tile(y, [2, 1]),
            "gather": lambda y: tf.gather(y, whole),
            "where": lambda y: tf.where(y > 0.7, y, x),
            "cast": lambda y: tf.cast(y, tf.float64),
            "einsum": lambda y: tf.einsum("ij,jk->ik", y, x),
            "tensordot": lambda y: tf.tensordot(y, x, 1),
            "cumsum": tf.cumsum,
            "l2_loss": tf.nn.l2_loss,
            "norm": tf.norm,
            "l2_normalize": lambda y: tf.math.l2_normalize(y, axis=1),
            "inv": tf.linalg.inv,
            "solve": lambda y: tf.linalg.solve(whole_rank, y),
            "diag_part": tf.linalg.diag_part,
            "trace": tf.linalg.trace,
            "unsorted_segment_sum": lambda y: tf.math.unsorted_segment_sum(y, groups, 4),
            "pad": lambda y: tf.pad(y, [[1, 1], [0, 0]]),
            "roll": lambda y: tf.roll(y, 1, 0),
            "bias_add": lambda y: tf.nn.bias_add(y, row),
            "reduce_logsumexp": tf.reduce_logsumexp,
            "reduce_variance": tf.math.reduce_variance,
            "softmax_cross_entropy_with_logits": lambda y: tf.nn.softmax_cross_entropy_with_logits(
                x, y
            ),
            "sigmoid_cross_entropy_with_logits": lambda y: tf.nn.sigmoid_cross_entropy_with_logits(
                x, y
            ),
        }
        still: dict[str, Callable[[Any], Any]] = {
            "normal": lambda y: tf.random.normal([16, 16]),
            "uniform": lambda y: tf.random.uniform([16, 16]),
            "constant": lambda y: tf.constant(1.0),
            "convert_to_tensor": lambda y: tf.convert_to_tensor(y),
            "zeros": lambda y: tf.zeros([16, 16]),
            "ones": lambda y: tf.ones([16, 16]),
            "zeros_like": tf.zeros_like,
            "range": lambda y: tf.range(8),
            "one_hot": lambda y: tf.one_hot(whole, 4),
            "argmin": lambda y: tf.argmin(y, axis=1),
            "eye": lambda y: tf.eye(16),
            "ones_like": tf.ones_like,
            "top_k": lambda y: tf.math.top_k(y, 2)[0],
            "argmax": lambda y: tf.argmax(y, axis=1),
            "shape": tf.shape,
            "equal": lambda y: tf.equal(y, x),
            "greater": lambda y: tf.greater(y, x),
            "categorical": lambda y: tf.random.categorical(y, 1),
            "stop_gradient": tf.stop_gradient,
            "identity": tf.identity,
        }
        for name, call in smooth.items():
            yield name, self.of(call, x)
        for name, call in still.items():
            yield name, self.of(call, x, is_taped=False)
        picture, kernel = tf.ones([2, 8, 8, 4]), tf.ones([3, 3, 4, 4])
        yield "conv2d", self.of(lambda y: tf.nn.conv2d(y, kernel, 1, "SAME"), picture)
        yield "max_pool2d", self.of(lambda y: tf.nn.max_pool2d(y, 2, 2, "SAME"), picture)
        yield "moments", self.of(lambda y: tf.nn.moments(y, axes=[1, 2, 3]), picture)
        image, colours = tf.image, tf.ones([2, 8, 8, 3])
        pictured: dict[str, Callable[[Any], Any]] = {
            "flip_left_right": image.flip_left_right,
            "random_flip_left_right": image.random_flip_left_right,
            "random_flip_up_down": image.random_flip_up_down,
            "random_crop": lambda y: tf.image.random_crop(y, [2, 6, 6, 3]),
            "random_brightness": lambda y: image.random_brightness(y, 0.2),
            "random_contrast": lambda y: image.random_contrast(y, 0.5, 1.5),
            "random_saturation": lambda y: image.random_saturation(y, 0.5, 1.5),
            "random_hue": lambda y: image.random_hue(y, 0.1),
            "adjust_brightness": lambda y: image.adjust_brightness(y, 0.1),
            "adjust_contrast": lambda y: image.adjust_contrast(y, 0.5),
            "resize": lambda y: image.resize(y, [4, 4]),
            "rgb_to_grayscale": image.rgb_to_grayscale,
            "per_image_standardization": image.per_image_standardization,
            "pad_to_bounding_box": lambda y: image.pad_to_bounding_box(y, 1, 1, 10, 10),
            "resize_with_crop_or_pad": lambda y: image.resize_with_crop_or_pad(y, 10, 10),
        }
        for name, call in pictured.items():
            yield name, self.of(call, colours, is_taped=False)

    def updates(self) -> Iterator[tuple[str, Price]]:
        """Writing to variables."""
        variable = self.tf.Variable(self.tf.ones([16, 16]))
        x = self.tf.ones([16, 16])
        yield "assign", self.of(lambda y: variable.assign(y), x, is_taped=False)
        yield "assign_add", self.of(lambda y: variable.assign_add(y), x, is_taped=False)

    def layers(self) -> Iterator[tuple[str, Price]]:
        """Layers of Keras, by class; below a tape they train. What goes through time says what a step
        adds.
        """
        layers = self.tf.keras.layers
        rows, picture = self.tf.ones([8, 16]), self.tf.ones([2, 8, 8, 4])
        words = self.tf.ones([2, 6, 8])
        for layer, x in (
            *((layer, rows) for layer in (
                layers.Dense(16), layers.Dense(16, activation="relu"), layers.Activation("relu"),
                layers.ReLU(), layers.LeakyReLU(), layers.Softmax(), layers.Dropout(0.1),
                layers.BatchNormalization(), layers.LayerNormalization(), layers.Flatten(),
                layers.Reshape([4, 4]), layers.Rescaling(0.5), layers.GaussianNoise(0.1),
            )),
            *((layer, picture) for layer in (
                layers.Conv2D(4, 3, padding="same"), layers.Conv2D(4, 3, padding="same",
                activation="relu"), layers.Conv2DTranspose(4, 3, padding="same"),
                layers.DepthwiseConv2D(3), layers.SeparableConv2D(4, 3), layers.MaxPooling2D(),
                layers.AveragePooling2D(2), layers.GlobalAveragePooling2D(), layers.UpSampling2D(),
                layers.ZeroPadding2D(), layers.GlobalMaxPooling2D(),
            )),
            *((layer, words) for layer in (
                layers.Conv1D(8, 3, padding="same"), layers.MaxPooling1D(),
                layers.GlobalAveragePooling1D(), layers.Attention(), layers.MultiHeadAttention(2, 8),
                layers.LSTM(8), layers.GRU(8), layers.SimpleRNN(8),
            )),
        ):  # fmt: skip
            name = type(layer).__name__
            name += (
                "+activation"
                if getattr(layer, "activation", None) is not None
                and (layer.activation.__name__ not in ("linear", "tanh") and name != "Activation")
                else ""
            )
            yield name, self._layer(layer, x)
        several = {"Add": layers.Add(), "Concatenate": layers.Concatenate(),
                   "Multiply": layers.Multiply()}  # fmt: skip
        for name, layer in several.items():
            yield name, self.of(lambda y, layer=layer: layer([y, rows]), rows)
        for name, cell in (("LSTMCell", layers.LSTMCell(16)), ("GRUCell", layers.GRUCell(16))):
            state = [rows, rows] if name == "LSTMCell" else [rows]
            price = self.of(lambda y, cell=cell, state=state: cell(y, state)[0], rows)
            yield name, {**price, "variables": len(cell.trainable_variables)}
        lookup, numbers = layers.Embedding(10, 8), self.tf.constant([[1, 2, 3]])
        price = self.of(lookup, numbers, is_taped=False)
        taped = timed_here(lambda: self._of_weights(lookup, numbers))
        price["taped"] = taped - timed_here(lambda: self._gradient(lambda y: y, rows))
        price["nodes_taped"] = self._nodes(lambda z: self._of_weights(lookup, z), numbers)
        yield "Embedding", {**price, "variables": 1}

    def _layer(self, layer: Any, x: Any) -> Price:
        name = type(layer).__name__
        call = (lambda y: layer([y, y])) if name == "Attention" else layer
        call = (lambda y: layer(y, y)) if name == "MultiHeadAttention" else call
        call(x)
        price = self.of(call, x)
        if name in ("Dropout", "BatchNormalization", "GaussianNoise"):
            trained = self.of(lambda y: layer(y, training=True), x)
            price |= {part: trained[part] for part in ("taped", "nodes_taped")}
        price["variables"] = len(layer.trainable_variables)
        if name in ("LSTM", "GRU", "SimpleRNN"):
            # Another length tells what a step takes from what a call takes.
            longer = self.tf.ones([x.shape[0], 4 * x.shape[1], x.shape[2]])
            more = self.of(call, longer)
            steps = 3 * x.shape[1]
            for part in ("eager", "taped"):
                price[f"{part}_step"] = max(more[part] - price[part], 0.0) / steps
                price[part] = max(price[part] - price[f"{part}_step"] * x.shape[1], 0.0)
            for part, one in (("graph", call), ("graph_taped", lambda y: self._gradient(call, y))):
                step = self.tf.function(one)
                grown = timed(lambda: step(longer)) - timed(lambda: step(x))  # noqa: B023
                price[f"{part}_step"] = max(grown, 0.0) / steps
        return price

    def _of_weights(self, layer: Any, x: Any) -> Any:
        with self.tf.GradientTape() as tape:
            made = layer(x)
        return tape.gradient(made, layer.trainable_variables)

    def models(self) -> Iterator[tuple[str, Price]]:
        """What a model asks around its layers."""
        keras, tf = self.tf.keras, self.tf
        dense = [keras.layers.Dense(16) for _ in range(4)]
        x = tf.ones([8, 16])

        class Own(keras.Model):
            def __init__(self) -> None:
                super().__init__()
                self.dense = dense

            def call(self, inputs: Any) -> Any:
                return run(inputs)

        def run(inputs: Any) -> Any:
            for layer in dense:
                inputs = layer(inputs)
            return inputs

        symbolic = keras.Input([16])
        models = {
            "Sequential": keras.Sequential([keras.Input([16]), *dense]),
            "Functional": keras.Model(symbolic, run(symbolic)),
            "Model": Own(),
        }
        for name, model in models.items():
            rounds = []
            for _ in range(ROUNDS):
                inner = self.of(run, x)
                whole = self.of(lambda y, model=model: model(y, training=True), x)
                rounds.append({part: max(whole[part] - inner[part], 0.0) for part in whole})
            yield name, {part: statistics.median(r[part] for r in rounds) for part in rounds[0]}

    def losses(self) -> Iterator[tuple[str, Price]]:
        """Losses of Keras, by class."""
        losses, tf = self.tf.keras.losses, self.tf
        x, classes = tf.random.uniform([8, 4]), tf.constant([0, 1, 2, 3, 0, 1, 2, 3])
        for loss in (losses.MeanSquaredError(), losses.MeanAbsoluteError(), losses.Huber(),
                     losses.BinaryCrossentropy(from_logits=True),
                     losses.CategoricalCrossentropy(from_logits=True)):  # fmt: skip
            yield type(loss).__name__, self.of(lambda y, loss=loss: loss(x, y), x)
        sparse = losses.SparseCategoricalCrossentropy(from_logits=True)
        yield type(sparse).__name__, self.of(lambda y: sparse(classes, y), x)

    def metrics(self) -> Iterator[tuple[str, Price]]:
        """Updates of Keras' metrics, by class."""
        metrics, tf = self.tf.keras.metrics, self.tf
        x, classes = tf.random.uniform([8, 4]), tf.constant([0, 1, 2, 3, 0, 1, 2, 3])
        mean = metrics.Mean()
        yield "Mean", self.of(lambda y: mean.update_state(y), x, is_taped=False)
        for metric, y in ((metrics.SparseCategoricalAccuracy(), classes),
                          (metrics.MeanSquaredError(), x), (metrics.CategoricalAccuracy(), x),
                          (metrics.BinaryAccuracy(), x)):  # fmt: skip
            price = self.of(
                lambda z, metric=metric, y=y: metric.update_state(y, z), x, is_taped=False
            )
            yield type(metric).__name__, price

    def optimizers(self) -> Iterator[tuple[str, Price]]:
        """Steps of Keras' optimizers, by class: `_variable` is what each variable adds."""
        optimizers = self.tf.keras.optimizers
        makers: dict[str, Callable[[], Any]] = {
            "SGD": lambda: optimizers.SGD(0.01),
            "SGD+momentum": lambda: optimizers.SGD(0.01, momentum=0.9),
            "Adam": lambda: optimizers.Adam(0.01),
            "AdamW": lambda: optimizers.AdamW(0.01),
            "RMSprop": lambda: optimizers.RMSprop(0.01),
            "Adagrad": lambda: optimizers.Adagrad(0.01),
        }
        for name, make in makers.items():
            few, many = self._optimizer(make(), 2), self._optimizer(make(), 12)
            price = {}
            for part in few:
                each = max(many[part] - few[part], 0.0) / 10
                price[part], price[f"{part}_variable"] = max(few[part] - 2 * each, 0.0), each
            yield name, price

    def _optimizer(self, optimizer: Any, count: int) -> Price:
        variables = [self.tf.Variable(self.tf.ones([8, 8])) for _ in range(count)]
        gradients = [self.tf.ones([8, 8])] * count
        eager = timed_here(
            lambda: optimizer.apply_gradients(zip(gradients, variables, strict=True))
        )

        def apply(*given: Any) -> None:
            optimizer.apply_gradients(zip(given, variables, strict=True))

        step = self.tf.function(apply)
        concrete = step.get_concrete_function(*gradients)
        return {"eager": eager, "nodes": nodes_of(concrete)}

    def _call_with(self, count: int) -> float:
        given = [self.tf.ones([8, 8])] * count
        nothing = self.tf.function(lambda *given: None)
        return timed(lambda: nothing(*given))

    # What is no op

    def gradients(self) -> Iterator[tuple[str, Price]]:
        """What asks a tape for more than a gradient, by method: each eager call traces, `_node` is what
        each node adds that was recorded with its gradient."""
        for name, shape in (("jacobian", [6]), ("batch_jacobian", [4, 6])):
            few, many = (self._chained(name, shape, steps) for steps in (2, 12))
            added = many["recorded"] - few["recorded"]
            price = {}
            for part in ("eager", "nodes"):
                each = (many[part] - few[part]) / added
                price[part] = max(few[part] - few["recorded"] * each, 0.0)
                price[f"{part}_node"] = each
            yield name, price

    def _chained(self, name: str, shape: list[int], steps: int) -> Price:
        tf = self.tf

        def asked(method: str, y: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(y)
                made = y
                for _ in range(steps):
                    made = tf.tanh(made * 0.5 + 0.1)
            return getattr(tape, method)(made, y)

        x = tf.ones(shape)
        return {
            "eager": min(once(lambda: asked(name, x)) for _ in range(ROUNDS)),
            "nodes": self._nodes(lambda y: asked(name, y), x),
            "recorded": self._nodes(lambda y: asked("gradient", y), x),
        }

    def calls(self) -> Iterator[tuple[str, float]]:
        """What else a turn waits for: the call of a graph, a tape, reading a value, Keras' loops."""
        tf, keras = self.tf, self.tf.keras
        x, row = tf.ones([16, 16]), tf.ones([8, 16])
        scalar = tf.constant(1.0)
        bare = self._call_with(0)
        yield "function", bare
        yield "function_argument", max(self._call_with(8) - bare, 0.0) / 8
        yield "tape", timed_here(lambda: self._gradient(lambda y: y, x))
        opened, share = self._recording(x)
        yield "tape_opened", opened
        yield "recording_share", share
        yield "numpy", timed_here(lambda: scalar.numpy())
        yield "float", timed_here(lambda: float(scalar))
        data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 8]), tf.ones([64]))).repeat()
        made = {
            "dataset": data.batch(8),
            "dataset_prefetched": data.batch(8).prefetch(2),
            "dataset_shuffled": data.shuffle(64).batch(8).prefetch(2),
            "dataset_mapped": data.map(lambda a, b: (a * 2.0, b)).batch(8).prefetch(2),
        }
        for name, each in made.items():
            turns = iter(each)
            yield name, timed(lambda turns=turns: next(turns))
        yield from self._elements()
        yield "dataset_begun", timed(lambda: next(iter(data.batch(8))))
        model = keras.Sequential([keras.Input([16]), keras.layers.Dense(16)])
        model.compile("sgd", "mse")
        given = row.numpy()
        weights = model.get_weights()
        calls: dict[str, Thunk] = {
            "predict": lambda: model.predict(given, verbose=0),
            "predict_on_batch": lambda: model.predict_on_batch(given),
            "fit": lambda: model.fit(given, given, verbose=0),
            "evaluate": lambda: model.evaluate(given, given, verbose=0),
            "train_on_batch": lambda: model.train_on_batch(given, given),
            "test_on_batch": lambda: model.test_on_batch(given, given),
            "get_weights": model.get_weights,
            "set_weights": lambda: model.set_weights(weights),
        }
        for name, thunk in calls.items():
            yield name, timed(thunk)

    def _recording(self, x: Any) -> tuple[float, float]:
        """What a tape takes of which nobody asks anything, and what it adds to each op, as a share."""

        def nothing() -> None:
            with self.tf.GradientTape() as tape:
                tape.watch(x)

        def chain(y: Any) -> Any:
            for _ in range(20):
                y = self.tf.nn.relu(y * 0.5 + 0.1)
            return y

        def recorded() -> None:
            with self.tf.GradientTape() as tape:
                tape.watch(x)
                chain(x)

        opened, bare = timed_here(nothing), timed_here(lambda: chain(x))
        return opened, max(timed_here(recorded) - opened - bare, 0.0) / bare

    def _elements(self) -> Iterator[tuple[str, float]]:
        """What each element of a data set takes that a map of one op, or of Python, is called for."""
        tf, count = self.tf, 256
        data = tf.data.Dataset.from_tensor_slices(tf.ones([count, 8]))

        def python(a: Any) -> Any:
            return tf.numpy_function(lambda b: b, [a], tf.float32)

        def gone_through(each: Any) -> float:
            return timed(lambda: [None for _ in each.batch(count)]) / count

        bare = gone_through(data)
        yield "mapped_element", max(gone_through(data.map(lambda a: a * 2.0)) - bare, 0.0)
        yield "python_element", max(gone_through(data.map(python)) - bare, 0.0)
        spec = tf.TensorSpec([8], tf.float32)
        rows = [[1.0] * 8] * count
        made = tf.data.Dataset.from_generator(lambda: iter(rows), output_signature=spec)
        yield "generated_element", max(gone_through(made) - bare, 0.0)

    def traces(self) -> Iterator[tuple[str, float]]:
        """What a trace takes, and what each node of it adds; the same for XLA."""
        few, few_nodes = self._traced(4, compiled=False)
        many, many_nodes = self._traced(104, compiled=False)
        each = max(many - few, 0.0) / (many_nodes - few_nodes)
        yield "trace_node", each
        yield "trace", max(few - few_nodes * each, 0.0)
        few, few_nodes = self._traced(4, compiled=True)
        many, many_nodes = self._traced(104, compiled=True)
        each = max(many - few, 0.0) / (many_nodes - few_nodes)
        yield "compile_node", each
        yield "compile", max(few - few_nodes * each, 0.0)

    def _traced(self, steps: int, *, compiled: bool) -> tuple[float, int]:
        """The first call of a new function of so many steps; the nodes of its graph."""
        tf = self.tf
        w = tf.ones([16, 16])
        best, nodes = float("inf"), 0
        for _ in range(4):

            def run(y: Any) -> Any:
                for _ in range(steps):
                    y = tf.nn.relu(tf.matmul(y, w) + 0.1)
                return y

            function = tf.function(run, jit_compile=True if compiled else None)
            best = min(best, once(lambda function=function: function(w)))
            nodes = nodes_of(function.get_concrete_function(w))
        return best, nodes

    def graphs(self) -> Iterator[tuple[str, float]]:
        """What a node takes in a graph, of whole training steps and of a chain of small ops."""
        yield from self._by_nodes(compiled=False)

    def compiled(self) -> Iterator[tuple[str, float]]:
        """The same where XLA compiles the graphs; nodes are counted as they were before."""
        yield from self._by_nodes(compiled=True)

    def _by_nodes(self, *, compiled: bool) -> Iterator[tuple[str, float]]:
        tf, keras = self.tf, self.tf.keras
        layers = keras.layers
        models = {
            "dense": (keras.Sequential([layers.Dense(16, "relu") for _ in range(4)]), (8, 16)),
            "conv": (
                keras.Sequential([layers.Conv2D(4, 3, activation="relu"), layers.BatchNormalization(),
                                  layers.MaxPooling2D(), layers.Flatten(), layers.Dense(4)]),
                (2, 8, 8, 3),
            ),
        }  # fmt: skip
        for name, (model, shape) in models.items():
            for optimizer in (keras.optimizers.SGD(0.01), keras.optimizers.Adam(0.01)):
                x = tf.random.normal(shape)

                def step(x: Any, model: Any = model, optimizer: Any = optimizer) -> Any:
                    with tf.GradientTape() as tape:
                        loss = tf.reduce_mean(tf.square(model(x, training=True)))
                    gradients = tape.gradient(loss, model.trainable_variables)
                    optimizer.apply_gradients(
                        zip(gradients, model.trainable_variables, strict=True)
                    )
                    return loss

                kind = type(optimizer).__name__.lower()
                yield f"{name}, {kind}", self._by_node(step, x, compiled)

        def chain(y: Any) -> Any:
            for _ in range(40):
                y = tf.nn.relu(y * 0.5 + 0.1)
            return y

        yield "chain", self._by_node(chain, tf.ones([16, 16]), compiled)

    def _by_node(self, call: Callable[[Any], Any], x: Any, compiled: bool) -> float:
        step = self.tf.function(call, jit_compile=True if compiled else None)
        step(x)
        nodes = nodes_of(step.get_concrete_function(x))
        return max(timed(lambda: step(x)) - self._call_with(1), 0.0) / nodes

    def kernels(self) -> Iterator[tuple[str, float]]:
        """What kernels do in a microsecond: multiplications and additions, or elements; what is
        called taped counts the gradients' work in, three times that of the product itself. `each` are
        the microseconds that a convolution takes in a graph however small it is.
        """
        tf = self.tf
        a = tf.random.normal([256, 256])
        work = 2 * 256**3
        yield "matmul", work / timed(lambda: tf.matmul(a, a))
        taped = timed(lambda: self._two_gradients(tf.matmul, a, a))
        yield "matmul_taped", 3 * work / taped
        picture, kernel = tf.random.normal([16, 28, 28, 16]), tf.random.normal([3, 3, 16, 16])
        work = 2 * 16 * 28 * 28 * 9 * 16 * 16

        def conv(x: Any, y: Any) -> Any:
            return tf.nn.conv2d(x, y, 1, "SAME")

        yield "conv", work / timed(lambda: conv(picture, kernel))
        yield "conv_taped", 3 * work / timed(lambda: self._two_gradients(conv, picture, kernel))
        tiny, few = tf.ones([8, 8, 8, 4]), tf.ones([3, 3, 4, 4])
        bare = self._call_with(1)
        alone = tf.function(conv)
        yield "conv_each", max(timed(lambda: alone(tiny, few)) - bare, 0.0)
        both = tf.function(lambda x, y: self._two_gradients(conv, x, y))
        yield "conv_each_taped", max(timed(lambda: both(tiny, few)) - bare, 0.0)
        long = tf.random.normal([1 << 20])
        yield "elementwise", (1 << 20) / timed(lambda: long + long)
        yield "reduce", (1 << 20) / timed(lambda: tf.reduce_sum(long))

    def _two_gradients(self, call: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
        with self.tf.GradientTape() as tape:
            tape.watch([x, y])
            made = call(x, y)
        return tape.gradient(made, [x, y])


def rounded(prices: Mapping[str, Any]) -> dict[str, Any]:
    """The figures with three digits, which is more than they hold."""
    return {
        key: rounded(value) if isinstance(value, Mapping) else float(f"{value:.3g}")
        for key, value in prices.items()
    }


def told(kind: str, found: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    made = {}
    for name, price in found:
        print(kind, name, price, file=sys.stderr, flush=True)
        made[name] = price
    return made


def machine() -> str:
    """The processor, by the name that it gives itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def measured() -> dict[str, Any]:
    """All prices, with what they were measured on."""
    import tensorflow as tf

    prices = Prices()
    parts = ("ops", "updates", "layers", "models", "losses", "metrics", "optimizers", "gradients",
             "calls", "graphs", "compiled", "traces", "kernels")  # fmt: skip
    found = {part: rounded(told(part, getattr(prices, part)())) for part in parts}
    about = {
        "machine": f"{machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "tensorflow": tf.__version__,
        "keras": tf.keras.__version__,
    }
    return {"about": about, **found}


def main(target: str) -> None:
    Path(target).write_text(json.dumps(measured(), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
