"""Walks the public API of the TensorFlow that runs it, and writes what it finds as JSON.

    python -m tools.harvest symbols --python PY --out RAW

The walk imports TensorFlow: only the live objects say which names are one object, what a class
inherits, and what a decorator did to a signature. Names are written without the leading
``tensorflow.``; the stand-alone package ``keras`` is written with its own name in front.
"""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import json
import os
import pkgutil
import textwrap
import types
from typing import Any

from tools.harvest import deprecations, signatures

PLAIN = (bool, int, float, str, type(None))
SPECIAL = {"__init__", "__call__"}
EXTRA_NAMES = {"__version__", "__git_version__", "__compiler_version__"}
LONGEST_VALUE = 40


def is_withdrawn(method: types.FunctionType) -> bool:
    """Whether a method does nothing but raise that it is deprecated: it is there to say so."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, TypeError, SyntaxError):
        return False
    body = getattr(tree.body[0], "body", [])
    return (
        len(body) == 1
        and isinstance(body[0], ast.Raise)
        and "NotImplementedError" in ast.unparse(body[0])
        and "deprecated" in ast.unparse(body[0])
    )


def is_module(value: Any) -> bool:
    return isinstance(value, types.ModuleType) or "LazyLoader" in type(value).__name__


def is_api_module(module: Any) -> bool:
    """Whether a module lists public names, rather than being code that leaked into sight."""
    path = str(getattr(module, "__file__", None) or "").replace(os.sep, "/")
    name = str(getattr(module, "__name__", ""))
    if "/tensorflow/_api/" in path or path.endswith("/tensorflow/__init__.py"):
        return True
    if name.startswith("tensorboard.summary._tf"):
        return True
    if name == "keras" or name.startswith(("keras.", "tf_keras.", "tensorflow_estimator.")):
        return is_keras_api(name, path)
    return False


def is_keras_api(name: str, path: str) -> bool:
    if "/api/" in path or "/_tf_keras/" in path or "/_api/" in path:
        return True
    parts = name.split(".")
    return "src" not in parts and "_impl" not in parts and path.endswith("/__init__.py")


def import_api(name: str) -> Any:
    """The API module of that name, which its package may fail to show as an attribute."""
    if "._tf_keras." not in f".{name}.":
        return None
    try:
        module = importlib.import_module(name)
    except Exception:
        return None
    return module if is_api_module(module) else None


def type_name(value: Any) -> str:
    return type(value).__name__


class Inventory:
    """Collects symbols, the classes behind them, and deprecations."""

    def __init__(self) -> None:
        self.symbols: dict[str, dict[str, Any]] = {}
        self.classes: dict[str, dict[str, Any]] = {}
        self.deprecated: dict[str, dict[str, Any]] = {}
        self.objects: dict[str, Any] = {}
        self.failed: dict[str, str] = {}
        self.walked: set[str] = set()
        self.keyed: dict[str, type] = {}

    def walk(self, module: Any, path: str) -> None:
        self.walked.add(path)
        for name in sorted(set(dir(module))):
            full = f"{path}.{name}" if path else name
            if (name.startswith("_") and name not in EXTRA_NAMES) or is_repeated(full):
                continue
            try:
                value = getattr(module, name)
            except Exception as error:
                self.failed[full] = repr(error)[:100]
                self.symbols[full] = {"kind": "opaque"}
                continue
            self.add(full, value)
        self.add_hidden_submodules(module, path)

    def add(self, full: str, value: Any) -> None:
        if is_module(value):
            self.add_module(full, value)
        elif inspect.isclass(value):
            key = self.add_class(value)
            self.symbols[full] = {"kind": "class", "class": key}
            self.objects[full] = value
        elif callable(value) and type_name(value) != "DType":
            self.symbols[full] = {"kind": "function", "params": signatures.describe(value)}
            self.objects[full] = value
        else:
            self.symbols[full] = {"kind": "constant", "value": constant_text(value)}

    def add_module(self, full: str, module: Any) -> None:
        try:
            dir(module)
        except Exception as error:
            self.failed[full] = repr(error)[:100]
            self.symbols[full] = {"kind": "opaque"}
            return
        if not is_api_module(module):
            self.symbols[full] = {"kind": "opaque"}
            return
        if full == "compat.v1.compat":
            self.symbols[full] = {"kind": "opaque"}
            return
        self.symbols[full] = {"kind": "module"}
        if full not in self.walked and full.count(".") < 9:
            self.walk(module, full)

    def add_hidden_submodules(self, module: Any, path: str) -> None:
        """Packages on disk that an import statement reaches although no attribute shows them."""
        folders = list(getattr(module, "__path__", []))
        if path == "" or path.startswith("lite"):
            folders.append(os.path.join(package_root(), *path.split(".")) if path else "")
        for entry in pkgutil.iter_modules([f for f in folders if f] or None):
            if not folders or entry.name.startswith("_"):
                continue
            full = f"{path}.{entry.name}" if path else entry.name
            if is_repeated(full):
                continue
            if self.symbols.get(full, {"kind": "opaque"})["kind"] != "opaque":
                continue
            hidden = import_api(f"{getattr(module, '__name__', '')}.{entry.name}")
            if hidden is None:
                self.symbols[full] = {"kind": "opaque"}
            else:
                self.add_module(full, hidden)

    def add_class(self, cls: type) -> str:
        key = f"{cls.__module__}.{cls.__qualname__}"
        while self.keyed.setdefault(key, cls) is not cls:
            key += "_"  # a named tuple below a class of the same name
        if key in self.classes:
            return key
        record: dict[str, Any] = {"bases": [], "members": {}}
        self.classes[key] = record
        record["bases"] = [self.add_class(b) for b in cls.__bases__ if b is not object]
        if "__getattr__" in vars(cls) or "__getattribute__" in vars(cls):
            record["dynamic"] = True
        for name, value in sorted(vars(cls).items()):
            if not name.startswith("_") or name in SPECIAL:
                text = self.member(cls, name, value)
                if text:
                    record["members"][name] = text
        if "__init__" not in vars(cls) and "__new__" in vars(cls):
            constructor = vars(cls)["__new__"]
            function = getattr(constructor, "__func__", constructor)
            if inspect.isfunction(function):
                record["members"]["__new__"] = "m " + signatures.describe(
                    function, owner=cls, skip_first=True
                )
        for name in instance_attributes(cls):
            record["members"].setdefault(name, "i")
        return key

    def member(self, cls: type, name: str, value: Any) -> str:
        """One member as a letter for its kind and, for methods, its parameters."""
        if isinstance(value, property) or type_name(value) in ("cached_property", "classproperty"):
            return "p"
        if isinstance(value, staticmethod):
            return "s " + signatures.describe(value.__func__, owner=cls)
        if isinstance(value, classmethod):
            return "k " + signatures.describe(value.__func__, owner=cls, skip_first=True)
        if inspect.isclass(value):
            return "c " + self.add_class(value)
        if inspect.isfunction(value) and is_withdrawn(value):
            return ""
        if callable(value) and not isinstance(value, types.GetSetDescriptorType):
            return "m " + signatures.describe(value, owner=cls, skip_first=True)
        if isinstance(value, cls):  # an enumeration's member
            return ("a " + constant_text(getattr(value, "value", None))).rstrip()
        return ("a " + constant_text(value)).rstrip()

    def finish(self) -> None:
        """Name each object's canonical symbol, and read deprecations from docstrings."""
        groups: dict[int, list[str]] = {}
        for full, value in self.objects.items():
            groups.setdefault(id(value), []).append(full)
        for names in groups.values():
            value = self.objects[names[0]]
            canonical = choose_canonical(names, value)
            for name in names:
                self.symbols[name]["canonical"] = canonical
            found = deprecations.read(inspect.getdoc(value) or "")
            if found:
                for name in names:
                    self.deprecated[name] = found
        self.read_method_deprecations()

    def read_method_deprecations(self) -> None:
        for full, value in self.objects.items():
            if not inspect.isclass(value) or self.symbols[full]["canonical"] != full:
                continue
            for name, member in vars(value).items():
                if name.startswith("_") and name != "__init__":
                    continue
                found = deprecations.read(own_doc(member))
                if found:
                    target = full if name == "__init__" else f"{full}.{name}"
                    self.deprecated.setdefault(target, found)

    def as_json(self) -> dict[str, Any]:
        import keras
        import tensorflow as tf

        return {
            "tensorflow": tf.__version__,
            "keras": str(getattr(keras, "__version__", "")),
            "symbols": self.symbols,
            "classes": self.classes,
            "deprecated": self.deprecated,
            "failed": self.failed,
        }


def own_doc(member: Any) -> str:
    if isinstance(member, (staticmethod, classmethod)):
        member = member.__func__
    return inspect.cleandoc(getattr(member, "__doc__", None) or "") if callable(member) else ""


def is_repeated(full: str) -> bool:
    """`compat.v2` repeats the whole API but for a switch; the compat modules contain each other."""
    if full == "compat.v2.enable_v2_behavior":
        return False
    return full.startswith(("compat.v2.", "compat.v1.compat."))


def constant_text(value: Any) -> str:
    if isinstance(value, PLAIN):
        text = repr(value)
        return text if len(text) <= LONGEST_VALUE and "\n" not in text else ""
    return ""


def choose_canonical(names: list[str], value: Any) -> str:
    """The name TensorFlow calls canonical where it is among `names`, else the shortest."""
    from tensorflow.python.util import tf_export

    current = [n for n in names if not n.startswith("compat.")] or names
    try:
        declared = tf_export.get_canonical_name_for_symbol(signatures.unwrap(value))
    except Exception:
        declared = None
    if declared in current:
        return str(declared)
    keras_names = [n for n in current if n.startswith(("keras.", "compat.v1.keras."))]
    return min(keras_names or current, key=lambda n: (n.count("."), len(n), n))


def instance_attributes(cls: type) -> list[str]:
    """Public attributes that the methods of a class set on `self`."""
    import ast

    names: set[str] = set()
    for value in vars(cls).values():
        from tools.harvest.keywords import tree_of

        tree = tree_of(signatures.unwrap(value)) if inspect.isfunction(value) else None
        if tree is None or not tree.args.args:
            continue
        me = tree.args.args[0].arg
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name) and node.value.id == me:
                    names.add(node.attr)
    return sorted(n for n in names if not n.startswith("_"))


def package_root() -> str:
    import tensorflow as tf

    return os.path.dirname(str(tf.__file__))


def main(out: str) -> None:
    import tensorflow as tf

    # The trees of syntax are all kept: looking for some that nobody needs takes as long as the rest.
    gc.disable()
    inventory = Inventory()
    inventory.walk(tf, "")
    import keras

    # Before Keras 2.13 the package shows its implementation: nothing there is known to be missing.
    if hasattr(keras, "src"):
        inventory.symbols["standalone.keras"] = {"kind": "module"}
        inventory.walk(keras, "standalone.keras")
    else:
        inventory.symbols["standalone.keras"] = {"kind": "opaque"}
    inventory.finish()
    with open(out, "w", encoding="utf-8") as stream:
        json.dump(inventory.as_json(), stream, indent=0, sort_keys=True)
