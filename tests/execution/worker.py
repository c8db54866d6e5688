"""Runs programs on TensorFlow, one request after the other, and reports the state each leaves.

Reads one JSON request per line on standard input:

    {"path": "train.py", "seed": 0, "run_functions_eagerly": false}

and answers each with one JSON line `{"report": ...}` holding a base64 pickle of a dict: `state`
(the final module globals as nested nodes, see `Recorder`), `stdout`, `stderr`, `error`
(type and message, or None) and `seconds`. The file stands alone: it imports nothing but the
standard library, NumPy and TensorFlow.

So that two versions of a program draw the same random numbers however they are run, TensorFlow's
stateful random ops are replaced by stateless ones fed from one counter variable, which advances
alike in eager and in traced code. The stateless ones are replaced too: XLA's Philox gives the
same random bits as the CPU kernels but makes other floats of them (with a constant seed they agree
only because Grappler folds them), so floats are made of the bits by ordinary ops here.

So that they see the same time however fast they run and whenever the machine was started, the
clocks of `time` that a program reads are one counter, which each read moves on.
"""

from __future__ import annotations

import base64
import collections
import contextlib
import ctypes
import enum
import functools
import gc
import inspect
import io
import json
import linecache
import logging
import os
import pathlib
import pickle
import random
import sys
import sysconfig
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1")

import numpy as np
import tensorflow as tf

# A node of the recorded state: its kind, the type's name, and a value or [(label, node), ...].
Node = tuple[str, str, Any]


# ---------------------------------------------------------------------------- random numbers


class Draws:
    """Hands out the seeds of all stateful draws: (global seed, how many draws came before)."""

    def __init__(self) -> None:
        self.state = tf.Variable([0, 0], dtype=tf.int64, trainable=False)

    def reset(self, seed: int) -> None:
        with tf.init_scope():
            self.state.assign([int(seed) % 2**31, 0])

    def next(self, op_seed: int | None) -> Any:
        current = self.state.assign_add([0, 1], read_value=True)
        return tf.convert_to_tensor(current) + tf.constant([0, (op_seed or 0) << 32], tf.int64)


full_range_integers = tf.random.stateless_uniform


def random_bits(shape: Any, seed: Any, stream: int = 0) -> Any:
    seed = tf.cast(seed, tf.int64) + tf.constant([stream, 0], tf.int64)
    return full_range_integers(shape, seed, None, None, tf.uint32, alg="philox")


def unit_interval(shape: Any, seed: Any, dtype: Any, stream: int = 0) -> Any:
    """Uniform in the open interval from 0 to 1, every step exact in float32."""
    high = tf.bitwise.right_shift(random_bits(shape, seed, stream), tf.constant(9, tf.uint32))
    wide = tf.float64 if dtype == tf.float64 else tf.float32
    return (tf.cast(high, wide) + 0.5) * 2.0**-23


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = tf.float32,
    name: str | None = None,
    alg: str = "",
) -> Any:
    dtype = tf.as_dtype(dtype)
    angle = 2 * np.pi * unit_interval(shape, seed, dtype, stream=1 << 40)
    radius = tf.sqrt(-2.0 * tf.math.log(unit_interval(shape, seed, dtype)))
    return tf.cast(radius * tf.cos(angle), dtype) * stddev + mean


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = tf.float32,
    name: str | None = None,
    alg: str = "",
) -> Any:
    dtype = tf.as_dtype(dtype)
    # The quantiles of the normal distribution between -2 and 2.
    quantile = 0.02275013 + (0.97724987 - 0.02275013) * unit_interval(shape, seed, dtype)
    return tf.cast(np.sqrt(2) * tf.math.erfinv(2 * quantile - 1), dtype) * stddev + mean


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = tf.float32,
    name: str | None = None,
    alg: str = "",
) -> Any:
    dtype = tf.as_dtype(dtype)
    if dtype.is_floating:
        low, high = (tf.cast(v, dtype) for v in (minval, 1 if maxval is None else maxval))
        return tf.cast(unit_interval(shape, seed, dtype), dtype) * (high - low) + low
    if maxval is None:
        return full_range_integers(shape, seed, minval, maxval, dtype, alg="philox")
    low, high = tf.cast(minval, tf.int64), tf.cast(maxval, tf.int64)
    return tf.cast(tf.cast(random_bits(shape, seed), tf.int64) % (high - low) + low, dtype)


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = tf.int64, name: str | None = None
) -> Any:
    logits = tf.convert_to_tensor(logits)
    shape = tf.concat([tf.shape(logits)[:1], [num_samples], tf.shape(logits)[1:]], axis=0)
    gumbel = -tf.math.log(-tf.math.log(unit_interval(shape, seed, logits.dtype)))
    return tf.argmax(logits[:, None] + tf.cast(gumbel, logits.dtype), axis=-1, output_type=dtype)


def stateless_shuffle(value: Any, seed: Any, alg: str = "", name: str | None = None) -> Any:
    value = tf.convert_to_tensor(value)
    return tf.gather(value, tf.argsort(random_bits(tf.shape(value)[:1], seed)))


STATELESS: dict[str, Callable[..., Any]] = {
    "stateless_normal": stateless_normal,
    "stateless_truncated_normal": stateless_truncated_normal,
    "stateless_uniform": stateless_uniform,
    "stateless_categorical": stateless_categorical,
    "stateless_shuffle": stateless_shuffle,
}


def replace_random_ops(draws: Draws) -> None:
    """Replace TensorFlow's random ops, also where its own code (tf.nn.dropout) calls them."""
    from tensorflow.python.ops import random_ops, stateless_random_ops

    public = (tf.random, tf.compat.v2.random, tf.compat.v1.random)
    internal = {"normal": "random_normal", "uniform": "random_uniform", "shuffle": "random_shuffle"}
    for name in ("normal", "truncated_normal", "uniform", "categorical", "shuffle"):
        stateful = _stateful(getattr(tf.random, name), STATELESS[f"stateless_{name}"], draws)
        put(stateful, name, *public)
        put(stateful, internal.get(name, name), random_ops)
    for name, function in STATELESS.items():
        pure = tf.autograph.experimental.do_not_convert(function)
        put(pure, name, *public)
        # The internal module knows some under a longer name: stateless_random_normal.
        put(pure, name, stateless_random_ops)
        put(pure, name.replace("stateless_", "stateless_random_"), stateless_random_ops)


def put(function: Callable[..., Any], name: str, *modules: Any) -> None:
    for module in modules:
        if hasattr(module, name):
            setattr(module, name, function)


def _stateful(
    original: Callable[..., Any], stateless: Callable[..., Any], draws: Draws
) -> Callable[..., Any]:
    """The function as users call it, its numbers drawn by a stateless one."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if inside_dataset():
            return original(*args, **kwargs)
        given = dict(signature.bind(*args, **kwargs).arguments)
        given["seed"] = draws.next(given.get("seed"))
        return stateless(**{name: value for name, value in given.items() if value is not None})

    converted: Callable[..., Any] = tf.autograph.experimental.do_not_convert(draw)
    return converted


def inside_dataset() -> bool:
    """Whether a function of a tf.data pipeline is being traced.

    Those are graphs whichever way the program runs, and a captured counter would make parallel
    maps draw in no fixed order, so they keep TensorFlow's own random ops.
    """
    graph: Any = tf.compat.v1.get_default_graph()
    while graph is not None:
        if getattr(graph, "name", "").startswith("Dataset_"):
            return True
        graph = getattr(graph, "outer_graph", None)
    return False


def follow_set_seed(draws: Draws) -> None:
    """Let the program's own tf.random.set_seed start the draws anew, as it does in TensorFlow."""
    original = tf.random.set_seed

    @functools.wraps(original)
    def set_seed(seed: int) -> None:
        original(seed)
        draws.reset(seed)

    for module in (tf.random, tf.compat.v2.random):
        module.set_seed = set_seed


# ------------------------------------------------------------------------------------ clocks


CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
#: The seconds of a tick; sums of them are exact.
TICK = 1.0 / 64.0
LIBRARIES = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), "<frozen")
AUTOGRAPH = os.path.join("tensorflow", "python", "autograph", "")


class Clock:
    """A clock that nothing moves on but the program's own reads and its `time.sleep`."""

    def __init__(self) -> None:
        self.ticks = 0
        self.reads = 0

    def reset(self) -> None:
        self.ticks = self.reads = 0

    def seconds(self) -> float:
        """The seconds since the program began; no two spans of time are alike, as in truth."""
        self.reads += 1
        self.ticks += 1 + self.reads % 7
        return self.ticks * TICK

    def replace_clocks(self) -> None:
        """Let programs read this clock; what they import from elsewhere reads the true ones."""
        for name in CLOCKS:
            for form in (name, f"{name}_ns"):
                replaced = self._read(getattr(time, form))
                setattr(time, form, tf.autograph.experimental.do_not_convert(replaced))
        time.sleep = tf.autograph.experimental.do_not_convert(self._sleep(time.sleep))

    def _read(self, truth: Callable[[], Any]) -> Callable[[], Any]:
        @functools.wraps(truth)
        def read() -> Any:
            if not is_the_programs():
                return truth()
            seconds = self.seconds()
            return int(seconds * 1e9) if truth.__name__.endswith("_ns") else seconds

        return read

    def _sleep(self, truth: Callable[[float], None]) -> Callable[[float], None]:
        @functools.wraps(truth)
        def sleep(seconds: float) -> None:
            if is_the_programs():
                self.ticks += int(seconds / TICK)
            truth(seconds)

        return sleep


def is_the_programs() -> bool:
    """Whether a clock is read by the program itself, in a trace as well."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and AUTOGRAPH in frame.f_code.co_filename:
        frame = frame.f_back
    path = frame.f_code.co_filename if frame is not None else __file__
    is_installed = "site-packages" in path or "dist-packages" in path
    return path != __file__ and not is_installed and not path.startswith(LIBRARIES)


# --------------------------------------------------------------------------------- recording


CALLABLES = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    type,
    functools.partial,
    np.ufunc,
    tf.types.experimental.PolymorphicFunction,
    tf.types.experimental.ConcreteFunction,
)
NAMED_VALUES = (range, slice, enum.Enum, pathlib.PurePath, tf.DType, tf.TensorShape, np.dtype)
KERAS_OWN = frozenset(vars(tf.keras.Model())) | frozenset(vars(tf.keras.layers.Layer()))


class Recorder:
    """Turns the objects that a program leaves behind into plain nested nodes.

    Kinds of leaves: python, numpy, tensor, variable, callable, module, opaque (nothing but the
    type is recorded) and cycle. A branch lists its parts as (label, node).
    """

    def __init__(self, own_modules: set[str]) -> None:
        self.own_modules = own_modules
        self.open: list[int] = []

    def record(self, value: Any) -> Node:
        if id(value) in self.open:
            return ("cycle", type(value).__name__, len(self.open) - self.open.index(id(value)))
        self.open.append(id(value))
        try:
            return self._record(value)
        finally:
            self.open.pop()

    def _record(self, value: Any) -> Node:
        name = type(value).__name__
        if isinstance(value, np.ndarray | np.generic):
            return array_node("numpy", np.asarray(value))
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return ("python", name, value)
        if isinstance(value, types.ModuleType):
            return ("module", name, None)
        tensor = self._tensor(value)
        if tensor is not None:
            return tensor
        if isinstance(value, CALLABLES):
            return ("callable", name, None)
        if isinstance(value, NAMED_VALUES):
            return ("python", name, repr(value))
        parts = self._parts(value)
        if parts is None:
            return ("opaque", name, None)
        return ("branch", name, [(label, self.record(part)) for label, part in parts])

    def _tensor(self, value: Any) -> Node | None:
        if isinstance(value, tf.Variable) or is_keras_variable(value):
            return array_node("variable", np.asarray(value))
        if not isinstance(value, tf.Tensor):
            return None
        if not hasattr(value, "numpy") or value.dtype in (tf.variant, tf.resource):
            return ("opaque", type(value).__name__, None)
        array = np.asarray(value.numpy())
        return array_node("tensor", array, value.dtype.name)

    def _parts(self, value: Any) -> list[tuple[str, Any]] | None:
        if isinstance(value, Mapping):
            return [(f"[{key!r}]", part) for key, part in value.items()]
        if isinstance(value, set | frozenset):
            return [(f"{{{i}}}", part) for i, part in enumerate(sorted(value, key=repr))]
        if isinstance(value, list | tuple | collections.deque):
            return [(f"[{i}]", part) for i, part in enumerate(value)]
        if isinstance(value, tf.keras.callbacks.History):
            return [(".epoch", value.epoch), (".history", value.history)]
        if isinstance(value, np.random.RandomState):
            return [(".state", value.get_state(legacy=False))]
        if isinstance(value, np.random.Generator):
            return [(".state", value.bit_generator.state)]
        if isinstance(value, tf.RaggedTensor | tf.SparseTensor | tf.IndexedSlices):
            flat = tf.nest.flatten(value, expand_composites=True)
            return [(f"<{i}>", part) for i, part in enumerate(flat)]
        tracked = self._tracked(value)
        return self._attributes(value) if tracked is None else tracked

    def _tracked(self, value: Any) -> list[tuple[str, Any]] | None:
        """The variables of layers, models, metrics, optimizers and modules, and users' fields."""
        kinds = (tf.keras.layers.Layer, tf.keras.metrics.Metric, tf.keras.optimizers.Optimizer)
        if not isinstance(value, (*kinds, tf.Module)):
            return None
        parts = [(f".variables[{i}]", part) for i, part in enumerate(value.variables)]
        if isinstance(value, tf.keras.Model) and getattr(value, "optimizer", None) is not None:
            parts.append((".optimizer", value.optimizer))
        if isinstance(value, tf.keras.Model):
            parts += [(f".metrics[{i}]", part) for i, part in enumerate(value.metrics)]
        if type(value).__module__ in self.own_modules:
            known = KERAS_OWN | {"optimizer"}
            parts += [
                (f".{key}", part)
                for key, part in vars(value).items()
                if key not in known and not key.startswith("_")
            ]
        return parts

    def _attributes(self, value: Any) -> list[tuple[str, Any]] | None:
        plain = isinstance(value, types.SimpleNamespace) or name_of(value) == "argparse.Namespace"
        if not plain and type(value).__module__ not in self.own_modules:
            return None
        fields = dict(getattr(value, "__dict__", {}))
        for cls in type(value).__mro__:
            slots = getattr(cls, "__slots__", ())
            for slot in (slots,) if isinstance(slots, str) else slots:
                if hasattr(value, slot) and not slot.startswith("__"):
                    fields[slot] = getattr(value, slot)
        return [(f".{key}", part) for key, part in fields.items()]


def array_node(kind: str, array: Any, dtype: str | None = None) -> Node:
    name = dtype or array.dtype.name
    if array.dtype.kind in "OV" and name not in ("bfloat16", "float8_e5m2", "float8_e4m3fn"):
        return (kind, name, np.array(array.tolist(), dtype=object))
    if array.dtype.kind == "V" or name == "bfloat16":
        return (kind, name, array.astype(np.float32))
    return (kind, name, np.array(array))


def is_keras_variable(value: Any) -> bool:
    return bool(hasattr(tf.keras, "Variable") and isinstance(value, tf.keras.Variable))


def name_of(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def record_globals(namespace: Mapping[str, Any], own_modules: set[str]) -> Node:
    recorder = Recorder(own_modules)
    parts = [
        (name, recorder.record(value))
        for name, value in list(namespace.items())
        if not (name.startswith("__") and name.endswith("__"))
    ]
    return ("branch", "module", parts)


# ----------------------------------------------------------------------------------- running


def flush_all() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)


@contextlib.contextmanager
def captured() -> Iterator[dict[str, str]]:
    """Catch what is written to file descriptors 1 and 2: tf.print does not pass Python's streams."""
    texts: dict[str, str] = {}
    flush_all()
    with contextlib.ExitStack() as stack:
        files = {}
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            files[name] = stack.enter_context(tempfile.TemporaryFile())
            saved = os.dup(descriptor)
            stack.callback(os.close, saved)
            stack.callback(os.dup2, saved, descriptor)
            os.dup2(files[name].fileno(), descriptor)
        try:
            yield texts
        finally:
            flush_all()
            for name, file in files.items():
                file.seek(0)
                texts[name] = file.read().decode("utf-8", "replace")


@contextlib.contextmanager
def own_place(path: str) -> Iterator[None]:
    """A temporary working directory, and argv, path, modules, environment put back afterwards."""
    saved = (list(sys.argv), list(sys.path), dict(sys.modules), dict(os.environ), os.getcwd())
    streams = (sys.stdout, sys.stderr, sys.stdin)
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    with tempfile.TemporaryDirectory(prefix="program-") as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            argv, import_path, modules, environment, cwd = saved
            os.chdir(cwd)
            sys.argv, sys.path[:] = argv, import_path
            sys.stdout, sys.stderr, sys.stdin = streams
            sys.modules["__main__"] = modules["__main__"]
            for name in first_party(path):
                sys.modules.pop(name, None)
            os.environ.clear()
            os.environ.update(environment)


def first_party(path: str) -> set[str]:
    """The names of the loaded modules that lie beside the program."""
    folder = os.path.join(os.path.dirname(path), "")
    files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
    return {name for name, file in files.items() if file.startswith(folder)}


def reset(draws: Draws, seed: int, run_functions_eagerly: bool) -> None:
    """Bring Python, NumPy, TensorFlow and Keras to the state a fresh process would be in."""
    tf.keras.backend.clear_session()
    tf.keras.backend.set_floatx("float32")
    tf.keras.mixed_precision.set_global_policy("float32")
    tf.config.run_functions_eagerly(run_functions_eagerly)
    tf.config.optimizer.set_jit(False)
    tf.summary.experimental.set_step(None)
    tf.get_logger().setLevel("ERROR")
    root = logging.getLogger()
    root.handlers.clear()
    root.setLevel(logging.WARNING)
    linecache.clearcache()
    gc.collect()
    # What outlives its program (TensorFlow keeps graphs) and what is loaded stays for good; the next
    # collections, which would else take longer than most programs, need not look at it.
    gc.freeze()
    random.seed(seed)
    np.random.seed(seed)
    tf.keras.utils.set_random_seed(seed)
    draws.reset(seed)


def execute(path: str, module: types.ModuleType) -> tuple[str, str] | None:
    """Run the file as `__main__`; the exception's type and message if it fails.

    Not `runpy.run_path`: the globals of a program that raised are wanted too.
    """
    with open(path, "rb") as file:
        source = file.read()
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except SystemExit as exit_:
        return None if not exit_.code else ("SystemExit", str(exit_.code))
    except Exception as error:
        return (type(error).__name__, str(error))
    return None


def run(request: Mapping[str, Any], draws: Draws, clock: Clock) -> dict[str, Any]:
    path = os.path.abspath(request["path"])
    reset(draws, int(request.get("seed", 0)), bool(request.get("run_functions_eagerly", False)))
    clock.reset()
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    with contextlib.ExitStack() as stack:
        texts = stack.enter_context(captured())
        stack.enter_context(own_place(path))
        stack.enter_context(np.printoptions())
        stack.enter_context(np.errstate())
        stack.enter_context(warnings.catch_warnings())
        # A library warns once per process, so the second of two programs would look different.
        warnings.simplefilter("ignore")
        sys.modules["__main__"] = module
        started = time.perf_counter()
        error = execute(path, module)
        seconds = time.perf_counter() - started
        state = record_globals(module.__dict__, {"__main__"} | first_party(path))
    return {"state": state, "error": error, "seconds": seconds, **texts}


def main() -> None:
    # Replies leave by a private descriptor; whatever else is printed must not mix with them.
    replies = io.TextIOWrapper(os.fdopen(os.dup(1), "wb", 0), encoding="ascii", write_through=True)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    draws = Draws()
    replace_random_ops(draws)
    follow_set_seed(draws)
    clock = Clock()
    clock.replace_clocks()
    print(json.dumps({"ready": tf.__version__}), file=replies)
    for line in sys.stdin:
        report = run(json.loads(line), draws, clock)
        text = base64.b64encode(pickle.dumps(report)).decode("ascii")
        print(json.dumps({"report": text}), file=replies)


if __name__ == "__main__":
    main()
