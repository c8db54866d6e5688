"""Turns the objects that code returns or leaves behind into plain nested nodes."""

from __future__ import annotations

import collections
import contextlib
import dis
import enum
import functools
import gc
import inspect
import pathlib
import types
from collections.abc import Mapping
from typing import Any, Collection, Counter, Dict, Iterable, Iterator, List, Optional, Set, Tuple

import numpy as np
import tensorflow as tf
from tensorflow.python.util.object_identity import Reference

#: The kind, the type's name, and a value or [(label, node), ...].
Node = Tuple[str, str, Any]

MISSING: Node = ("missing", "", None)
#: What the labels of an object's variables begin with; a number follows.
VARIABLES_LABEL = ".variables["
#: More objects than this are not looked at in one recording.
LIMIT = 40_000
#: So many elements of a data set are looked at.
ELEMENTS = 40
#: Nothing that Python made lies below it.
_LEAST_ADDRESS = 1 << 24

_CALLABLES: Tuple[Any, ...] = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    type,
    functools.partial,
    np.ufunc,
    type(tf.function(lambda: None)),
    *([tf.types.experimental.ConcreteFunction] if hasattr(tf.types, "experimental") else []),
)
_NAMED_VALUES = (range, slice, enum.Enum, pathlib.PurePath, tf.DType, tf.TensorShape, np.dtype)
_PLAIN = (bool, int, float, complex, str, bytes)
_COMPOSITES = (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)
_OWN_FLOATS = ("bfloat16", "float8_e5m2", "float8_e4m3fn")


@functools.lru_cache(maxsize=None)
def _keras_fields() -> frozenset[str]:
    """The attributes that Keras itself gives layers and models, when they are made and when they run."""
    model = tf.keras.Model
    running = (inspect.unwrap(run) for run in (model.fit, model.evaluate, model.predict))
    stored = {
        instruction.argval
        for run in running
        for instruction in dis.get_instructions(run)
        if instruction.opname == "STORE_ATTR"
    }
    # The callback of that name puts itself there.
    return frozenset({*stored, "history", *vars(model()), *vars(tf.keras.layers.Layer())})


#: The names of properties that are read like attributes; see `reading`.
_read: List[Collection[str]] = [()]


@contextlib.contextmanager
def reading(properties: Collection[str]) -> Iterator[None]:
    """Let objects be recorded with what properties of these names give."""
    before, _read[0] = _read[0], properties
    try:
        yield
    finally:
        _read[0] = before


class Recorder:
    """Records values as nodes.

    Kinds of leaves: python, numpy, tensor, variable, callable, module, opaque (nothing but the
    type is recorded) and cycle. A branch lists its parts as (label, node). Objects of classes
    that `own_modules` define are looked into; others are opaque. With `takes_elements`
    data sets are iterated, which a mere look at the state must not do.
    """

    def __init__(self, own_modules: Set[str], takes_elements: bool = False) -> None:
        self._own_modules = own_modules
        self._takes_elements = takes_elements
        self._open: List[int] = []
        self._known: Dict[int, Node] = {}
        self._kept: List[Any] = []

    def record(self, value: Any) -> Node:
        """The node of a value."""
        # NumPy's float64 is a float, too.
        if value is None or (isinstance(value, _PLAIN) and not isinstance(value, np.generic)):
            return ("python", type(value).__name__, value)
        key = id(value)
        if key in self._open:
            return ("cycle", type(value).__name__, len(self._open) - self._open.index(key))
        if key in self._known:
            return self._known[key]
        if len(self._known) > LIMIT or len(self._open) > 60:
            return ("opaque", type(value).__name__, None)
        self._open.append(key)
        try:
            node = self._record(value)
        finally:
            self._open.pop()
        self._known[key] = node
        # An object that dies would leave its id to another one.
        self._kept.append(value)
        return node

    def _record(self, value: Any) -> Node:
        name = type(value).__name__
        if isinstance(value, (np.ndarray, np.generic)):
            return _array_node("numpy", np.asarray(value))
        if isinstance(value, types.ModuleType):
            return ("module", name, None)
        tensor = self._tensor(value)
        if tensor is not None:
            return tensor
        if isinstance(value, _CALLABLES) or self._stands_for_a_function(value):
            return ("callable", name, None)
        if isinstance(value, _NAMED_VALUES):
            return ("python", name, repr(value))
        if isinstance(value, tf.data.Dataset):
            return self._dataset(value)
        parts = self._parts(value)
        if parts is None:
            return ("opaque", name, None)
        return ("branch", name, [(label, self.record(part)) for label, part in parts])

    def _stands_for_a_function(self, value: Any) -> bool:
        """Whether it is what a library's decorator, such as `tf.custom_gradient`, made of a function."""
        if type(value).__module__ in self._own_modules or not callable(value):
            return False
        return callable(getattr(value, "__dict__", {}).get("__wrapped__"))

    def _dataset(self, value: Any) -> Node:
        """A data set's first elements: which class of the library it is has no meaning."""
        if not self._takes_elements:
            return ("opaque", "Dataset", None)
        parts = [(f"[{i}]", self.record(part)) for i, part in enumerate(value.take(ELEMENTS))]
        return ("branch", "list", parts)

    def _tensor(self, value: Any) -> Optional[Node]:
        if isinstance(value, tf.Variable) or _is_keras_variable(value):
            return _array_node("variable", np.asarray(value))
        if not isinstance(value, tf.Tensor):
            return None
        if not hasattr(value, "numpy") or value.dtype in (tf.variant, tf.resource):
            return ("opaque", "symbolic tensor", None)
        return _array_node("tensor", np.asarray(value.numpy()), value.dtype.name)

    def _parts(self, value: Any) -> Optional[List[Tuple[str, Any]]]:
        if isinstance(value, Mapping):
            keys = _stood_for(value)
            labels = labels_of(keys)
            # What a key is that is known by its place alone is told beside what it leads to.
            objects = [(f"{n} as key", k) for n, k in zip(labels, keys) if not _is_telling(k)]
            return [*zip(labels, value.values()), *objects]
        if isinstance(value, Reference):
            return [(".deref()", value.deref())]
        if isinstance(value, (set, frozenset)):
            members = sorted(value, key=self._in_order)
            return [(f"{{{i}}}", part) for i, part in enumerate(members)]
        if isinstance(value, (list, tuple, collections.deque)):
            return [(f"[{i}]", part) for i, part in enumerate(value)]
        if isinstance(value, tf.keras.callbacks.History):
            return [(".epoch", value.epoch), (".history", value.history)]
        if isinstance(value, np.random.RandomState):
            return [(".state", value.get_state(legacy=False))]
        if isinstance(value, np.random.Generator):
            return [(".state", value.bit_generator.state)]
        if isinstance(value, _COMPOSITES):
            flat = tf.nest.flatten(value, expand_composites=True)
            return [(f"<{i}>", part) for i, part in enumerate(flat)]
        tracked = self._tracked(value)
        return self._attributes(value) if tracked is None else tracked

    def _in_order(self, member: Any) -> str:
        """What the members of a set are sorted by: what they are, or else about what they hold."""
        if _is_telling(member):
            return repr(member)
        return _said(member) + _roughly(self.record(member))

    def _tracked(self, value: Any) -> Optional[List[Tuple[str, Any]]]:
        """The variables of layers, models, metrics, optimizers and modules, and users' fields."""
        kinds = (tf.keras.layers.Layer, tf.keras.metrics.Metric, tf.keras.optimizers.Optimizer)
        if not isinstance(value, (*kinds, tf.Module)):
            return None
        parts = [(f"{VARIABLES_LABEL}{i}]", part) for i, part in enumerate(variables_of(value))]
        if isinstance(value, tf.keras.Model):
            if getattr(value, "optimizer", None) is not None:
                parts.append((".optimizer", value.optimizer))
            parts += [(f".metrics[{i}]", part) for i, part in enumerate(value.metrics)]
        if type(value).__module__ in self._own_modules:
            known = _keras_fields() | {"optimizer"}
            own = [
                (key, part)
                for key, part in vars(value).items()
                if key not in known or _is_of_the_user(key, part)
            ]
            parts += [(f".{key}", part) for key, part in own if not key.startswith("_")]
            parts += _of_properties(value)
        return parts

    def _attributes(self, value: Any) -> Optional[List[Tuple[str, Any]]]:
        kind = type(value)
        plain = isinstance(value, types.SimpleNamespace) or kind.__qualname__ == "Namespace"
        if not plain and kind.__module__ not in self._own_modules:
            return None
        fields = dict(getattr(value, "__dict__", {}))
        for cls in kind.__mro__:
            slots = getattr(cls, "__slots__", ())
            for slot in (slots,) if isinstance(slots, str) else slots:
                if hasattr(value, slot) and not slot.startswith("__"):
                    fields[slot] = getattr(value, slot)
        return [*((f".{key}", part) for key, part in fields.items()), *_of_properties(value)]


def labels_of(keys: Iterable[Any]) -> List[str]:
    """What the members of a dict are called, by keys that are values, or else by their order.

    What says where an object lies, or what it holds by now, is another text in each version.
    """
    counts: Counter[str] = collections.Counter()
    labels = []
    for key in _stood_for(keys):
        said = _said(key)
        counts[said] += 1
        labels.append(f"[{said}]" if counts[said] == 1 else f"[{said} {counts[said]}]")
    return labels


def _said(key: Any) -> str:
    if _is_telling(key):
        return repr(key)
    if isinstance(key, tuple):
        return f"({', '.join(map(_said, key))})"
    return f"<{getattr(key, '__qualname__', type(key).__name__)}>"


def _roughly(node: Node) -> str:
    kind, name, value = node
    if kind == "branch":
        return name + "".join(label + _roughly(part) for label, part in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return f"{name} {value.shape} {float(np.sum(value, dtype=np.float64)):.2g}"
    return f"{name} {value!r}"


def _stood_for(keys: Iterable[Any]) -> List[Any]:
    """Keys, with the objects whose addresses some of them are in the place of these.

    What `id` gives is another number in each run; it stands for the object that lies there.
    """
    found = list(keys)
    asked = {
        part for key in found for part in (key if type(key) is tuple else (key,)) if _may_lie(part)
    }
    if not asked:
        return found
    living = {id(known): known for known in gc.get_objects() if id(known) in asked}

    def meant(key: Any) -> Any:
        if type(key) is tuple:
            return tuple(map(meant, key))
        return living.get(key, key) if _may_lie(key) else key

    return list(map(meant, found))


def _may_lie(key: Any) -> bool:
    """Whether a key is a whole number that may say where an object lies."""
    return type(key) is int and key >= _LEAST_ADDRESS


def _is_telling(key: Any) -> bool:
    """Whether what stands for a key is the same wherever it is equal."""
    if isinstance(key, (tuple, frozenset)):
        return all(map(_is_telling, key))
    return key is None or isinstance(key, (*_PLAIN, np.generic, *_NAMED_VALUES))


def _of_properties(value: Any) -> List[Tuple[str, Any]]:
    found = []
    for name in _read[0]:
        if isinstance(getattr(type(value), name, None), property):
            # One that fails has nothing to show.
            with contextlib.suppress(Exception):
                found.append((f".{name}", getattr(value, name)))
    return found


def _is_of_the_user(key: str, value: Any) -> bool:
    """Whether an attribute that Keras has a use for was given another one."""
    return key == "history" and not isinstance(value, tf.keras.callbacks.History)


def variables_of(value: Any) -> List[Any]:
    """The variables of a Keras object or a module; optimizers of Keras 2 have a method there."""
    found = value.variables
    return list(found() if callable(found) else found)


def namespace_node(namespace: Mapping[str, Any], own_modules: Set[str]) -> Node:
    """The globals of a module."""
    recorder = Recorder(own_modules)
    parts = [
        (name, recorder.record(value))
        for name, value in list(namespace.items())
        if not name.startswith("__")
    ]
    return ("branch", "module", parts)


def _array_node(kind: str, array: Any, dtype: Optional[str] = None) -> Node:
    name = dtype or array.dtype.name
    if array.dtype.kind in "OV" and name not in _OWN_FLOATS:
        return (kind, name, np.array(array.tolist(), dtype=object))
    if array.dtype.kind == "V" or name in _OWN_FLOATS:
        return (kind, name, array.astype(np.float32))
    return (kind, name, np.array(array))


def _is_keras_variable(value: Any) -> bool:
    return bool(hasattr(tf.keras, "Variable") and isinstance(value, tf.keras.Variable))
