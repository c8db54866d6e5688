"""A plug-in of the recorder that keeps the first calls of some functions, with all their values.

It runs in the program's interpreter. `Plan(plugin=SAMPLER, plugin_options=...)` starts it; the
options are {"file": path, "functions": [[path, qualname], ...], "calls": n, "seed": n or null}.

The file is a pickle of plain data, which needs NumPy and no TensorFlow to be read: a list with one
row for each call, `{"path", "qualname", "mode", "arguments", "result", "changed", "failed"}`.
`arguments` maps names to nodes, `result` is a node (None if the call raised), `changed` holds the
arguments that are others after the call. A node is a tuple of a kind
and its content:

    ("python", value)                       None, numbers, strings, bytes
    ("array", array)                        of NumPy; no objects in it
    ("tensor", dtype, array)                an eager tensor
    ("variable", name, dtype, array)
    ("ragged" | "sparse", [node, ...])      the parts of a composite tensor
    ("list" | "tuple" | "set", type, [node, ...])
    ("dict", type, [(key node, node), ...])
    ("object", type, {attribute: node})     the variables and plain values in an object
    ("opaque", type)                        what none of these can hold
"""

from __future__ import annotations

import pickle
from typing import Any

from tfxla_lint.sandbox.inside.seeds import seed_all

_DEPTH = 4
_MEMBERS = 1000
_PLAIN = (bool, int, float, complex, str, bytes)


class Plugin:
    """Writes the samples when the program ends."""

    def __init__(self, options: Any) -> None:
        self._file = str(options["file"])
        self._wanted = {(path, qualname) for path, qualname in options["functions"]}
        self._calls = int(options.get("calls", 8))
        self._seed = options.get("seed")
        self._counts: dict[tuple[str, str], int] = {}
        self._rows: list[dict[str, Any]] = []
        self._seed_all()

    def _seed_all(self) -> None:
        if self._seed is not None:
            seed_all(self._seed)

    def tensorflow_imported(self, tensorflow: Any) -> None:
        """Seed what is to be seeded."""
        self._seed_all()

    def wants(self, path: str, qualname: str) -> bool:
        """Whether the options name this function."""
        return (path, qualname) in self._wanted

    def entered(self, path: str, qualname: str, mode: str, arguments: dict[str, Any]) -> Any:
        """Keep the arguments as they are before the call."""
        key = (path, qualname)
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] > self._calls:
            return None
        nodes = {name: encode(value) for name, value in arguments.items()}
        row = {"path": path, "qualname": qualname, "mode": mode, "arguments": nodes}
        return Token(row, arguments)

    def left(self, token: Token) -> None:
        """Keep the result, and what the call changed of its arguments."""
        after = {name: encode(value) for name, value in token.arguments.items()}
        before = token.row["arguments"]
        changed = {name: node for name, node in after.items() if not same(node, before[name])}
        result = encode(token[0]) if token else None
        self._rows.append({**token.row, "result": result, "changed": changed, "failed": not token})

    def finished(self, main: dict[str, Any], error: Any) -> None:
        """Write the file."""
        with open(self._file, "wb") as file:
            pickle.dump(self._rows, file)


class Token(list):  # type: ignore[type-arg]
    """One call that is under way; its result is put into it."""

    def __init__(self, row: dict[str, Any], arguments: dict[str, Any]) -> None:
        super().__init__()
        self.row = row
        self.arguments = arguments


def encode(value: Any, depth: int = _DEPTH) -> Any:
    """A value as plain data."""
    kind = type(value)
    if value is None or kind in _PLAIN:
        return ("python", value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    try:
        found = _array(value, kind) or (_container(value, name, depth) if depth else None)
        return found or (_object(value, name, depth) if depth else None) or ("opaque", name)
    except Exception:
        return ("opaque", name)


def _array(value: Any, kind: type) -> Any:
    import numpy

    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return None if value.dtype.hasobject else ("array", numpy.array(value))
    package = kind.__module__.partition(".")[0]
    if package not in ("tensorflow", "keras", "tf_keras"):
        return None
    if hasattr(value, "flat_values") and hasattr(value, "nested_row_splits"):
        return ("ragged", [encode(part) for part in (value.flat_values, *value.nested_row_splits)])
    if hasattr(value, "indices") and hasattr(value, "dense_shape"):
        return ("sparse", [encode(p) for p in (value.indices, value.values, value.dense_shape)])
    if not hasattr(value, "numpy") or not hasattr(value, "dtype"):
        return None
    dtype = getattr(value.dtype, "name", None) or str(value.dtype)
    array = numpy.array(value.numpy())
    if hasattr(value, "assign"):
        return ("variable", str(getattr(value, "name", "")), dtype, array)
    return ("tensor", dtype, array)


def _container(value: Any, name: str, depth: int) -> Any:
    if isinstance(value, dict):
        rows = list(value.items())[:_MEMBERS]
        return ("dict", name, [(encode(k, depth - 1), encode(v, depth - 1)) for k, v in rows])
    for kind in (list, tuple, set):
        if isinstance(value, kind):
            members = list(value)[:_MEMBERS]
            return (kind.__name__, name, [encode(member, depth - 1) for member in members])
    return None


def _object(value: Any, name: str, depth: int) -> Any:
    """The variables of a layer, model or optimizer, else the plain attributes of an object."""
    variables = getattr(value, "variables", None)
    if isinstance(variables, (list, tuple)):
        return ("object", name, {str(i): encode(v) for i, v in enumerate(variables)})
    attributes = getattr(value, "__dict__", None)
    if not isinstance(attributes, dict) or callable(value):
        return None
    shown = {key: encode(member, depth - 1) for key, member in attributes.items()}
    return ("object", name, shown)


def same(left: Any, right: Any) -> bool:
    """Whether two nodes hold the same, bit for bit."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(same(left[i], right[i]) for i in range(len(left)))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if hasattr(left, "tobytes"):
        alike = (left.dtype, left.shape) == (right.dtype, right.shape)
        return alike and bool(left.tobytes() == right.tobytes())
    return bool(left == right or (left != left and right != right))
