"""Which public endpoints get a verdict, and how to reach them in the running TensorFlow."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

#: Parts of the API that make no tensors, change the process, or need more than a call.
NO_COMPUTE = re.compile(
    r"^(raw_ops|config|distribute|tpu|test|profiler|lite|saved_model|train|mlir|sysconfig|version"
    r"|types|estimator|autograph|graph_util|standalone|data|feature_column|__internal__"
    r"|experimental\.(numpy\.experimental_enable|dtensor|tensorrt"
    r"|register|unregister|enable|dispatch|function_executor)"
    r"|debugging\.(experimental|enable|disable|set)|io\.(gfile|write|TFRecord)|summary\.(trace|create)"
    r"|random\.set_|load_|keras\.(applications|datasets|saving|models|config|utils|distribution"
    r"|export|tree|callbacks|mixed_precision|dtype_policies|quantizers|wrappers|visualization"
    r"|preprocessing|estimator|experimental|legacy)|xla\.experimental\.jit_scope"
    r"|compat\.v1\.(keras|raw_ops|app|flags|logging|gfile|train|saved_model|estimator|summary|config"
    r"|distribute|tpu|test|profiler|lite|mlir|sysconfig|types|autograph|graph_util|resource_loader"
    r"|user_ops|python_io|manip|layers|nn\.rnn_cell|data|feature_column|disable|enable"
    r"|experimental|set_random|load_|debugging\.(enable|disable)))"
    r"|(^|\.)(set|get|enable|disable|clear|register|reset|is|in)_\w+$|_backend$|^keras\.\S*\.(get|serialize|deserialize)$"
)

#: Of the parts left out above, what computes after all.
COMPUTE = re.compile(
    r"^(keras\.utils\.(normalize|to_categorical|pad_sequences|split_dataset)"
    r"|keras\.applications\.\w+\.preprocess_input|math\.(in|is|set)_\w+|debugging\.is_\w+"
    r"|nn\.in_\w+|linalg\.set_diag|sparse\.reset_shape|keras\.utils\.bounding_boxes\.\w+|keras\.ops\.\S+|experimental\.numpy\.is\w+|is_\w+|tensor_scatter\w*"
    r"|compat\.v1\.(is_\w+|math\.is_\w+)|io\.is_jpeg|nest\.\w+|keras\.backend\.(is|in)_\w+)$"
)


@dataclass
class Endpoint:
    """A public function by its canonical name, with every name of the same object."""

    name: str
    aliases: list[str] = field(default_factory=list)

    def places(self) -> list[tuple[Any, str]]:
        """The modules and attributes that hold it."""
        found = []
        for alias in self.aliases:
            parent, _, leaf = alias.rpartition(".")
            try:
                found.append((resolve(parent), leaf))
            except AttributeError:
                continue
        return found


def resolve(name: str) -> Any:
    """The object of a name without its leading ``tensorflow.``."""
    if name.startswith("standalone.keras"):
        import keras

        value: Any = keras
        parts = name.split(".")[2:]
    else:
        import tensorflow as tf

        value = tf
        parts = [part for part in name.split(".") if part]
    for part in parts:
        value = getattr(value, part)
    return value


def wanted(name: str) -> bool:
    return bool(COMPUTE.match(name)) or not NO_COMPUTE.search(name)


def functions(inventory: dict[str, Any]) -> list[Endpoint]:
    """Every public function worth a verdict, TensorFlow 2 names before `compat.v1`."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, symbol in inventory["symbols"].items():
        if symbol["kind"] == "function":
            groups[symbol["canonical"]].append(name)
    found = [Endpoint(name, sorted(aliases)) for name, aliases in groups.items() if wanted(name)]
    return sorted(found, key=lambda e: (e.name.startswith("compat."), e.name))


def classes(inventory: dict[str, Any], module: str) -> list[str]:
    """Canonical names of the public classes directly in a module."""
    return sorted(
        name
        for name, symbol in inventory["symbols"].items()
        if symbol["kind"] == "class"
        and symbol["canonical"] == name
        and name.rpartition(".")[0] == module
    )
