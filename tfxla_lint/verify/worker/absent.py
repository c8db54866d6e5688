"""Stand-ins for packages that are not installed: a function may not need what its module imports."""

from __future__ import annotations

import builtins
import contextlib
import dis
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
import types
from typing import Any, Iterator, Optional, Set, Tuple
from unittest import mock

import tensorflow as tf

_NEVER = ("tensorflow", "keras", "numpy", "tf_keras")


class Anything:
    """Can be called, indexed, iterated, derived from and used as a decorator, to no effect.

    One that is made of something that can be gone through, as a progress bar, goes through that.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._shown: Any = args[0] if args else None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Another one; a lone function comes back as it is, as from a decorator."""
        is_decorator = len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType)
        return args[0] if is_decorator else Anything(*args)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __getitem__(self, key: Any) -> Any:
        return Anything()

    def __iter__(self) -> Iterator[Any]:
        """What it shows, or nothing, or as many of them as the code that asks unpacks."""
        frame = sys._getframe(1)
        code = frame.f_code.co_code
        if dis.opname[code[frame.f_lasti]] == "UNPACK_SEQUENCE":
            return iter([Anything() for _ in range(code[frame.f_lasti + 1])])
        if type(self._shown) is int:
            return iter(range(self._shown))
        if isinstance(self._shown, str) or not hasattr(self._shown, "__iter__"):
            return iter(())
        return iter(self._shown)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def __mro_entries__(self, bases: Any) -> Tuple[Any, ...]:
        return ()


class _StandIn(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names: Set[str], used: Set[str]) -> None:
        self.names = names
        self.used = used

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """A spec for what is one of the absent packages or lies in one."""
        if not any(fullname == name or fullname.startswith(name + ".") for name in self.names):
            return None
        self.used.add(fullname.partition(".")[0])
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        """The stand-in."""
        return _StandIn(spec.name)

    def exec_module(self, module: Any) -> None:
        """Nothing to run."""


@contextlib.contextmanager
def _plain_summaries(used: Set[str]) -> Iterator[None]:
    """Let summaries be written as they are where TensorBoard is not there to word them."""
    if importlib.util.find_spec("tensorboard") is not None:
        yield
        return

    def write(name: str, data: Any, step: Any = None, *_: Any, **__: Any) -> Any:
        used.add("tensorboard")
        return tf.summary.write(name, tf.convert_to_tensor(data), step)

    names = [n for n in ("audio", "histogram", "image", "scalar", "text") if hasattr(tf.summary, n)]
    plain = tf.autograph.experimental.do_not_convert(write)
    with mock.patch.multiple(tf.summary, **dict.fromkeys(names, plain)):
        yield


@contextlib.contextmanager
def in_notebook() -> Iterator[None]:
    """Let code find what IPython gives it, to no effect, and draw where nobody sees it."""
    space, before = vars(builtins), os.environ.get("MPLBACKEND")
    names = [name for name in ("get_ipython", "display") if name not in space]
    space.update({name: Anything() for name in names})
    os.environ["MPLBACKEND"] = "Agg"
    try:
        yield
    finally:
        for name in names:
            del space[name]
        del os.environ["MPLBACKEND"]
        if before is not None:
            os.environ["MPLBACKEND"] = before


def absent_package(kind: str, message: str) -> Optional[str]:
    """The package whose absence an exception reports, if a stand-in may take its place."""
    found = re.search(r"No module named '(\w+)", message)
    if kind != "ModuleNotFoundError" or found is None or found.group(1) in _NEVER:
        return None
    return found.group(1)


@contextlib.contextmanager
def standing_in(names: Set[str], used: Set[str]) -> Iterator[None]:
    """Let imports of the packages `names`, which may grow, find stand-ins; say which were `used`."""
    finder = _Finder(names, used)
    sys.meta_path.append(finder)
    try:
        with _plain_summaries(used):
            yield
    finally:
        sys.meta_path.remove(finder)
        made = [n for n, m in sys.modules.items() if isinstance(m, _StandIn)] if used else []
        for name in made:
            del sys.modules[name]
