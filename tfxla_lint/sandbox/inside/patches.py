"""What a program puts in the place of functions, classes and modules of others, taken back afterwards.

`tf.square = tf.identity` would else hold for the next program, which is judged by it. Python code of the
user's goes with its modules; of all others every function, class and method is known from before.
"""

from __future__ import annotations

import contextlib
import operator
import os
import re
import sys
import types
from typing import Any, Dict, Iterator, List, Tuple

#: What a class defines that is no value of its own.
_METHODS = (
    types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.WrapperDescriptorType,
    types.MethodDescriptorType, types.GetSetDescriptorType, property, staticmethod, classmethod, type,
)  # fmt: skip
#: A dict of names, the class whose it is, those that count with what they stand for, and all values.
_Home = Tuple[Any, Any, List[Tuple[str, Any]], List[Any]]
_homes: List[_Home] = []
#: Parts of the names of modules whose classes no program names: there are very many.
_INNER = re.compile(r"\b(?:python|src|core|compiler|lite)\b")
#: The classes that are known, with how many names each has.
_sizes: Dict[type, int] = {}
_known: Dict[str, Any] = {}
_nothing = object()
#: Where the tool's own code lies.
_TOOL = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
# A program may give these names another meaning as well.
_set, _delete, _length = type.__setattr__, type.__delattr__, len
_all, _map, _is = all, map, operator.is_


@contextlib.contextmanager
def taken_back() -> Iterator[None]:
    """Functions, classes, methods and modules of others are afterwards what they were when they were
    imported, but for what the tool itself has put in their place."""
    _learn()
    try:
        yield
    finally:
        for names, owner, name, now, known in [*_changed()]:
            if not _is_ours(now):
                _put(names, owner, name, known)
        _forget_added()


def _is_ours(value: Any) -> bool:
    code = getattr(value, "__code__", None) or vars(type(value)).get("__call__")
    code = getattr(code, "__code__", code)
    return getattr(code, "co_filename", "").startswith(_TOOL)


def _learn() -> None:
    """Take note of modules that were imported since."""
    for name, module in list(sys.modules.items()):
        if _known.get(name) is module or type(module) is not types.ModuleType:
            continue
        _known[name] = module
        names = module.__dict__
        held = [
            (key, value)
            for key, value in names.items()
            if callable(value) or type(value) is types.ModuleType
        ]
        _homes.append((names, None, held, [*names.values()]))
        if not _INNER.search(name):
            for _, value in held:
                if isinstance(value, type):
                    _learn_class(value)


def _learn_class(shown: type) -> None:
    """Take note of a class that programs can name, of its bases and of those that derive from it."""
    if shown in (object, type):
        return
    for kind in {*shown.__mro__, *type.__subclasses__(shown)}:
        if kind not in _sizes:
            own = vars(kind)
            methods = [(key, made) for key, made in own.items() if isinstance(made, _METHODS)]
            _homes.append((own, kind, methods, [*own.values()]))
            _sizes[kind] = len(own)


def _changed() -> Iterator[Tuple[Any, Any, str, Any, Any]]:
    """What is no more what it was: where, the class whose it is, its name, what it is now and was."""
    for names, owner, held, values in _homes:
        # That of most is as it was: to look at each name takes ten times as long.
        if _length(names) == _length(values) and _all(_map(_is, names.values(), values)):
            continue
        for name, value in held:
            now = names.get(name, _nothing)
            if now is not value:
                yield names, owner, name, now, value


def _put(names: Any, owner: Any, name: str, value: Any) -> None:
    if owner is None:
        names[name] = value
        return
    with contextlib.suppress(TypeError, AttributeError):
        _set(owner, name, value)


def _forget_added() -> None:
    """Take away the methods that a class did not have: they hide those of its bases."""
    for names, owner, held, _ in _homes:
        if owner is None or _length(names) == _sizes[owner]:
            continue
        known = {name for name, _ in held}
        for name in [name for name in names if name not in known]:
            if isinstance(names[name], _METHODS):
                with contextlib.suppress(TypeError, AttributeError):
                    _delete(owner, name)
        _sizes[owner] = _length(names)
