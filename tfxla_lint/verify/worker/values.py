"""Makes arguments from their descriptions: the same for both sides, other values in each call.

A description ("spec") is a plain dict. `k` names the kind: tensor, numpy, int, float, bool, text,
default (the parameter is left out), lengths, ragged, dataset, list, dict, record (of fields), model, optimizer,
metric, loss, function, variable, variables, pairs (gradients with their variables), word (a text as it
is), none, own (an object of one of the module's classes). A model or an optimizer may have a `config`,
which Keras makes it of.
"""

from __future__ import annotations

import functools
import json
import types
import zlib
from types import MappingProxyType
from typing import Any, Callable, Dict, List, Mapping, Sequence

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.draws import nudged

Spec = Dict[str, Any]

_DEFAULT = object()
#: Kinds with a state, of which one is made for all calls.
#: The shapes of variables of which a list is asked for.
VARIABLES = ([3, 2], [2])
_LASTING = "model optimizer metric loss function variable variables own record"
_TEXT = "The cat, sat!\nÄ dog\n\n12 and 0.5\nover there: a Dog a dog\nx"
_WORDS = _TEXT.splitlines()
#: The words in them.
WORDS = list(dict.fromkeys(_TEXT.lower().split()))
#: Texts with numbers in them.
_NUMBERS = "1.5,2,3\n0.25,-4,1\n7,0.5,0\n-2.5,1,2".splitlines()

BATCH = 4
OTHER_BATCH = 6
#: What a data set holds: the last batch is smaller.
ROWS = 10


def as_flags(spec: Spec) -> Spec:
    """The description with flags, 0 or 1, in the place of its numbers."""
    return {**spec, "low": 0, "high": 1, "counted": True, "bounded": True}


def tensor(shape: List[int], dtype: str = "float32", low: float = -2.0, high: float = 2.0) -> Spec:
    """The description of a tensor with values between `low` and `high`."""
    return {"k": "tensor", "shape": list(shape), "dtype": dtype, "low": low, "high": high}


class Maker:
    """Makes the arguments of one side; objects with state are made once and used in each call."""

    def __init__(self, namespace: Mapping[str, Any], own: Mapping[str, Any]) -> None:
        self._namespace = namespace
        #: How objects of the module's classes are made: what each parameter gets.
        self._own = own
        self._lasting: Dict[str, Any] = {}

    def make(self, name: str, spec: Spec, call: int) -> Any:
        """The argument of the parameter `name` in the call number `call`."""
        kind = spec["k"]
        if kind in _LASTING.split():
            key = f"{name} {sorted(spec.items())!r}"
            if key not in self._lasting:
                self._lasting[key] = self._object(name, spec)
            return self._lasting[key]
        if kind == "pairs":
            plain = {"k": "variables", "dtype": spec["dtype"]}
            variables = self.make(f"{name} variables", plain, 0)
            rows = [{**spec, "k": "tensor", "shape": v.shape.as_list()} for v in variables]
            gradients = [self._value(f"{name}{i}", row, call) for i, row in enumerate(rows)]
            return list(zip(gradients, variables))
        return self._value(name, spec, call)

    def lasting(self) -> List[Any]:
        """The objects with a state that were made."""
        return list(self._lasting.values())

    def stir(self, instance: Any, call: int, own: Sequence[str] = ()) -> None:
        """Move the weights of the models that are held, and variables, as training elsewhere does.

        `own` names the object's own variables that it moves.
        """
        held = [*self._lasting.values(), *getattr(instance, "__dict__", {}).values()]
        models = [m for m in held if isinstance(m, tf.keras.Model)]
        moved = [v for m in models for v in m.trainable_variables]
        lists = [value for value in self._lasting.values() if isinstance(value, list)]
        moved += [v for part in lists for v in part if isinstance(v, tf.Variable)]
        named = [getattr(instance, name, None) for name in own]
        moved += [value for value in named if isinstance(value, tf.Variable)]
        for number, variable in enumerate(moved):
            value = np.asarray(variable)
            if value.dtype.kind != "f":
                continue
            steps = np.arange(value.size).reshape(value.shape) + number + call
            variable.assign(value + (0.05 * np.sin(steps)).astype(value.dtype))

    def _of_variables(self, differentiates: bool = False) -> Any:
        """One number that hangs on all variables that were made; with its gradients, too."""
        parts = [part for value in self._lasting.values() for part in tf.nest.flatten(value)]
        variables = [part for part in parts if isinstance(part, tf.Variable)]
        with tf.GradientTape() as tape:
            squares = [tf.reduce_sum(p * p) for p in variables]
            value = tf.add_n(squares) if squares else 1.0
        return (value, tape.gradient(value, variables)) if differentiates else value

    def object_of(self, name: str, otherwise: Mapping[str, Spec] = MappingProxyType({})) -> Any:
        """An object of one of the module's classes, some parameters given `otherwise`."""
        own = {**self._own[name], **otherwise}
        given = {p: self.make(f"{name}.{p}", s, 0) for p, s in own.items()}
        return self._namespace[name](**{p: v for p, v in given.items() if v is not _DEFAULT})

    def _value(self, name: str, spec: Spec, call: int) -> Any:
        kind = spec["k"]
        if kind in ("tensor", "numpy"):
            array = numbers(name, spec, call)
            return array if kind == "numpy" else tf.convert_to_tensor(array)
        if kind == "default":
            return _DEFAULT
        if kind == "lengths":
            return tf.constant(np.roll(spec["values"], call), spec["dtype"])
        if kind == "text":
            known = WORDS if spec.get("of") == "words" else _WORDS
            return known[(call + spec.get("place", 0)) % len(known)]
        if kind == "ragged":
            lengths = np.roll(spec["values"], call + spec.get("turn", 0))
            rows = {**spec, "shape": [int(lengths.sum()), *spec["shape"][1:]]}
            flat = tf.convert_to_tensor(numbers(name, rows, call))
            return tf.RaggedTensor.from_row_lengths(flat, lengths)
        if kind == "sparse":
            array = numbers(name, spec, call)
            return tf.sparse.from_dense(tf.convert_to_tensor(array * (array > 0)))
        if kind == "record":
            fields = {k: self._value(name + k, s, 0) for k, s in spec["parts"].items()}
            make = self._namespace[spec["class"]] if spec.get("class") else Record
            return make(**fields)
        if kind == "dataset":
            return self._dataset(name, spec, call)
        if kind == "list":
            return [self.make(f"{name}{i}", part, call) for i, part in enumerate(spec["parts"])]
        if kind == "tuple":
            return tuple(self.make(f"{name}{i}", p, call) for i, p in enumerate(spec["parts"]))
        if kind == "dict":
            return {k: self.make(name + k, part, call) for k, part in spec["parts"].items()}
        return python_value(spec, call)

    def _dataset(self, name: str, spec: Spec, call: int) -> Any:
        parts = []
        for i, part in enumerate(spec["parts"]):
            rows = {**part, "shape": [ROWS, *part["shape"][1:]]}
            parts.append(numbers(f"{name}{i}", rows, call))
        data = tf.data.Dataset.from_tensor_slices(tuple(parts) if len(parts) > 1 else parts[0])
        return data.batch(BATCH)

    def _object(self, name: str, spec: Spec) -> Any:
        kind = spec["k"]
        if "config" in spec:
            return of_config(spec)
        if kind == "optimizer":
            return tf.keras.optimizers.SGD(0.1)
        if kind == "metric":
            return tf.keras.metrics.Mean()
        if kind == "loss":
            return getattr(tf.keras.losses, spec.get("loss", "MeanSquaredError"))()
        if kind == "function":
            return functools.partial(_answer, spec, self._of_variables)
        if kind == "record":
            return self._value(name, spec, 0)
        if kind == "own":
            return self.object_of(spec["class"])
        if kind == "variables":
            return [
                tf.Variable(numbers(f"{name}{i}", {**spec, "shape": s}, 0))
                for i, s in enumerate(VARIABLES)
            ]
        if kind == "variable":
            return tf.Variable(numbers(name, spec, 0))
        return _model(spec)


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]
def _answer(spec: Spec, of_nothing: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """What is passed, as often as it is asked for; or scores of several classes for each number, or row.

    Where nothing is passed it is what hangs on the variables, as a loss does.
    """
    given = [*arguments, *keywords.values()]
    if spec.get("differentiates"):
        return of_nothing(True)
    value = _of_all(given) if given else of_nothing()
    if spec.get("classes"):
        numbers_ = tf.cast(tf.convert_to_tensor(value), tf.float32)
        if spec.get("of_rows"):
            # It hangs on each in its place.
            places = tf.range(1, tf.shape(numbers_)[-1] + 1)
            numbers_ = tf.reduce_sum(numbers_ * tf.sqrt(tf.cast(places, tf.float32)), axis=-1)
        numbers_ = numbers_[..., None]
        value = tf.sin(1.0 + numbers_ * tf.range(1.0, 1.0 + spec["classes"]))
    if spec.get("sums"):
        # One number, which is least somewhere.
        value = tf.cast(tf.convert_to_tensor(value), tf.float32)
        flat = tf.reshape(value, [-1])
        places = tf.sqrt(tf.range(1.0, 1.0 + tf.cast(tf.size(flat), tf.float32)))
        value = tf.reduce_sum(places * tf.square(flat - 0.5) + 0.25 * tf.sin(3.0 * flat))
    value = value * spec["scale"] if "scale" in spec else value
    return tuple([value] * spec["returns"]) if spec.get("returns") else value


def _of_all(given: List[Any]) -> Any:
    """What hangs on all the numbers that are passed, and is like the one with the most dimensions."""
    first = given[0]
    given = [part if type(part) not in (list, tuple) else _of_numbers(part) for part in given]
    arrays = [part for part in given if isinstance(part, (tf.Tensor, tf.Variable))]
    value = max(arrays, key=lambda part: part.shape.rank or 0, default=None)
    if value is None or not value.dtype.is_floating:
        return first
    base = value
    for part in given:
        is_number = isinstance(part, (float, tf.Tensor, tf.Variable)) and part is not base
        shape = getattr(part, "shape", None)
        if is_number and shape is not None and shape.rank == 1 and shape[:1] == base.shape[:1]:
            # A number for each row.
            part = tf.reshape(part, [-1] + [1] * (base.shape.rank - 1))
            value = value + 0.5 * tf.sin(tf.cast(part, base.dtype))
        elif is_number and shape in ((), base.shape, None):
            value = value + 0.5 * tf.sin(tf.cast(part, base.dtype))
    return value


def _of_numbers(parts: Sequence[Any]) -> Any:
    """One number that hangs on each of several in its place, such as a pair of seeds; else what they are."""
    if not parts or not all(isinstance(part, (int, float)) for part in parts):
        return parts
    return float(sum(np.sqrt(place) * part for place, part in enumerate(parts, 1)))


class Record(types.SimpleNamespace):
    """Holds what it is given; a trace takes it as it takes any object of a user's class."""

    __hash__ = object.__hash__  # type: ignore[assignment]


class _Training(tf.keras.layers.Layer):  # type: ignore[misc]
    """Tells training from what is not; it has no state."""

    def call(self, x: Any, training: Any = False) -> Any:
        """Something else in training."""
        return 1.25 * x if training else x


def of_config(spec: Spec) -> Any:
    """What Keras makes of the configuration of a model or an optimizer."""
    if spec["k"] == "model":
        return tf.keras.models.model_from_json(spec["config"])
    return tf.keras.optimizers.deserialize(json.loads(spec["config"]))


def _model(spec: Spec) -> Any:
    layers = [
        tf.keras.layers.Dense(5, activation="tanh"),
        _Training(),
        tf.keras.layers.Dense(spec.get("out", 1)),
    ]
    return tf.keras.Sequential([tf.keras.Input(tuple(spec.get("in", [3]))), *layers])


#: What is above something else is so by this at least.
_APART = 0.25


def numbers(name: str, spec: Spec, call: int) -> Any:
    """The array of a tensor's description."""
    random = np.random.RandomState(zlib.crc32(f"{name}:{call}".encode()) % 2**31)
    shape, dtype = tuple(spec["shape"]), spec["dtype"]
    low, high = spec.get("low", -2.0), spec.get("high", 2.0)
    if dtype == "bool":
        # Where all is to be zero, nothing is true, and all where all is one.
        share = 1.0 if low >= 1 else 0.5 if high > 0 else 0.0
        return random.uniform(size=shape) < share
    if dtype == "string":
        words = {"numbers": _NUMBERS, "tokens": WORDS}.get(spec.get("words", ""), _WORDS)
        return np.array(words)[random.randint(0, len(words), size=shape)]
    if "odd" in spec and spec.get("place") is None:
        return np.full(shape, spec["odd"]).astype(tf.as_dtype(dtype).as_numpy_dtype)
    if dtype.startswith(("int", "uint")):
        numbered = random.randint(int(low), max(int(high), int(low) + 1), size=shape)
        if "member" in spec and numbered.size:
            numbered.flat[call % numbered.size] = spec["member"]
        numbered = np.sort(numbered, axis=0) if spec.get("ascending") else numbered
        return numbered.astype(dtype)
    values = np.asarray(nudged(np.asarray(random.uniform(low, high, size=shape))))
    if "levels" in spec:
        few = np.array([*spec["levels"], low, 0.5 * (low + high), high])
        values = few[random.randint(0, len(few), size=shape)]
    if spec.get("counted"):
        values = np.floor(values * (1 + 1 / max(high, 1)))
    if spec.get("shares") and values.size:
        values = np.exp(values - values.max(axis=-1, keepdims=True))
        values = values / values.sum(axis=-1, keepdims=True)
    if spec.get("onehot") and values.size:
        values = np.eye(shape[-1])[np.argmax(_with_absent(values, random), axis=-1)]
    if spec.get("definite"):
        values = values @ np.swapaxes(values, -1, -2) + np.eye(shape[-1])
    if spec.get("zeros") and not spec.get("shares"):
        values = values * (random.uniform(size=shape) < 0.5)
    if spec.get("ascending"):
        values = np.sort(values, axis=0)
    for below, above in spec.get("ordered", ()) if max(shape, default=0) else ():
        pair = values[..., [below, above]]
        values[..., below], values[..., above] = pair.min(axis=-1), pair.max(axis=-1) + _APART
    if "odd" in spec and values.size:
        values.flat[spec["place"] % values.size] = spec["odd"]
    if dtype.startswith("complex"):
        values = values + 1j * random.uniform(low, high, size=shape)
    return np.asarray(values).astype(tf.as_dtype(dtype).as_numpy_dtype)


def _with_absent(values: Any, random: Any) -> Any:
    """Numbers the largest of which say a class, so that some of the rows lack some of the classes."""
    if values.ndim < 2:
        return values
    rows = values.shape[:1] + (1,) * (values.ndim - 2) + values.shape[-1:]
    absent = random.uniform(size=rows) < 0.5
    # Of each row one is there, and in some rows all are.
    absent &= (np.arange(rows[0]) % 2 == 0).reshape((-1,) + (1,) * (len(rows) - 1))
    absent &= np.arange(rows[-1]) != random.randint(rows[-1])
    return np.where(absent, values.min() - 1.0, values)


def moved_by_training(instance: Any) -> List[str]:
    """The attributes of an object that hold arrays of floats which training moves."""
    held = {
        n: v for n, v in getattr(instance, "__dict__", {}).items() if isinstance(v, tf.Variable)
    }
    return [n for n, v in held.items() if v.trainable and v.dtype.is_floating and v.shape.rank]


def turns_of(spec: Spec) -> int:
    """In so many calls all that there is to it has come up; 0 where that is not told."""
    if spec["k"] == "text":
        return len(_WORDS)
    parts = spec.get("parts", ())
    inner = parts.values() if isinstance(parts, dict) else parts
    return max(map(turns_of, inner), default=0)


def python_value(spec: Spec, call: int) -> Any:
    """A Python number or text; numbers change from call to call unless they are fixed."""
    kind, value = spec["k"], spec.get("value")
    step = 0 if spec.get("fixed") else call
    if kind == "int":
        return int(value if value is not None else 2) + spec.get("stride", 1) * (step % 3)
    if kind == "float":
        # Nothing times anything is nothing.
        some = 0.25 * (step % 3) if value == 0 else 0.0
        return some + larger(float(value if value is not None else 0.1), 1.0 + 0.25 * step)
    if kind == "bool":
        return bool(value) if step % 2 == 0 else not bool(value)
    return value


def as_many(parts: Sequence[Any], count: int) -> List[Any]:
    """So many of some parts, which come again where there are not as many."""
    return [parts[place % len(parts)] for place in range(count)]


def larger(value: float, factor: float) -> float:
    """A number so many times as large; smaller where it was below one and would not be, as a share may be."""
    return value / factor if 0 < value < 1 <= value * factor else value * factor


def with_batch(spec: Spec, batch: int) -> Spec:
    """The description with another size of the first dimension, where that is the batch's."""
    shape = spec.get("shape")
    more = spec.get("more", 0)
    if spec["k"] in ("tensor", "numpy") and shape and shape[0] == BATCH + more:
        rest = [batch + more] * (len(shape) - 1) if spec.get("square") else shape[1:]
        return {**spec, "shape": [batch + more, *rest]}
    if spec["k"] in ("lengths", "ragged"):
        return {**spec, "values": (2 * spec["values"])[:batch]}
    if spec["k"] == "list" and "rows" in spec:
        return {**spec, "parts": as_many(spec["parts"], batch)}
    if spec["k"] in ("list", "tuple"):
        return {**spec, "parts": [with_batch(part, batch) for part in spec["parts"]]}
    if spec["k"] == "dict":
        return {**spec, "parts": {k: with_batch(p, batch) for k, p in spec["parts"].items()}}
    return spec
