"""What a program puts in the place of functions and classes of others, taken back afterwards.

`tf.square = tf.identity` would else hold for the next program, which is judged by it. Python code of the
user's goes with its modules; of all others every function, class and method is known from before.
"""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Any, Dict, Iterator, List, Tuple

#: What a class defines that is no value of its own.
_METHODS = (
    types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.WrapperDescriptorType,
    types.MethodDescriptorType, types.GetSetDescriptorType, property, staticmethod, classmethod, type,
)  # fmt: skip
#: A dict of names, what sets one of them, and what they stand for.
_Home = Tuple[Any, Any, List[Tuple[str, Any]]]
_homes: List[_Home] = []
#: The classes that are known, with how many names each has.
_sizes: Dict[type, int] = {}
_known: Dict[str, Any] = {}
_nothing = object()
# A program may give these names another meaning as well.
_set, _delete, _length, _get = type.__setattr__, type.__delattr__, len, dict.get


@contextlib.contextmanager
def taken_back() -> Iterator[None]:
    """Functions, classes and methods of others are afterwards what they were before, those that
    somebody else had replaced by then included."""
    _learn()
    before = {(id(names), name): now for names, _, name, now, _ in _changed()}
    try:
        yield
    finally:
        for names, owner, name, now, own in [*_changed()]:
            known = before.get((id(names), name), own)
            if known is not now:
                _put(names, owner, name, known)
        _forget_added()


def _learn() -> None:
    """Take note of modules that were imported since."""
    for name, module in list(sys.modules.items()):
        if _known.get(name) is module or type(module) is not types.ModuleType:
            continue
        _known[name] = module
        names = module.__dict__
        held = [(key, value) for key, value in names.items() if callable(value)]
        _homes.append((names, None, held))
        for _, value in held:
            if isinstance(value, type) and value not in _sizes:
                own = vars(value)
                methods = [(key, made) for key, made in own.items() if isinstance(made, _METHODS)]
                _homes.append((own, value, methods))
                _sizes[value] = len(own)


def _changed() -> Iterator[Tuple[Any, Any, str, Any, Any]]:
    """What is no more what it was: where, the class whose it is, its name, what it is now and was."""
    for names, owner, held in _homes:
        for name, value in held:
            now = names.get(name, _nothing)
            if now is not value:
                yield names, owner, name, now, value


def _put(names: Any, owner: Any, name: str, value: Any) -> None:
    with contextlib.suppress(TypeError, AttributeError):
        if owner is None and value is _nothing:
            names.pop(name, None)
        elif owner is None:
            names[name] = value
        elif value is _nothing:
            _delete(owner, name)
        else:
            _set(owner, name, value)


def _forget_added() -> None:
    """Take away the methods that a class did not have: they hide those of its bases."""
    for names, owner, held in _homes:
        if owner is None or _length(names) == _sizes[owner]:
            continue
        known = {name for name, _ in held}
        for name in [name for name in names if name not in known]:
            if isinstance(names[name], _METHODS):
                _put(names, owner, name, _nothing)
        _sizes[owner] = _length(names)
