"""Compiles the program's own modules with the recorder's calls in them; nothing on disk changes."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import SourceFileLoader
from typing import TYPE_CHECKING, Any

from tfxla_lint.profile.recorder.instrumenting import Hook, Instrumenter
from tfxla_lint.profile.recorder.observing import Observer
from tfxla_lint.sandbox.inside.overlay import replace_code

#: Folders that hold no code of the project.
_FOREIGN = frozenset(
    {"site-packages", "dist-packages", "node_modules", "__pypackages__", ".tox", ".nox", ".eggs"}
)

#: The standard library, which a root as wide as the home folder would hold.
_LIBRARY = os.path.dirname(os.path.realpath(os.__file__))

if TYPE_CHECKING:
    Hooks = Mapping[str, Callable[[Any], None]]


def _is_inside(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(os.path.join(root, ""))


class Compiler:
    """Compiles the source files below a folder."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._root = os.path.realpath(observer.root)
        self._folders: dict[str, bool] = {}

    def owns(self, path: str) -> bool:
        """Whether a file belongs to the program."""
        folder, name = os.path.split(path)
        if not name.endswith(".py"):
            return False
        if folder not in self._folders:
            self._folders[folder] = self._owns_folder(os.path.realpath(folder))
        return self._folders[folder]

    def _owns_folder(self, folder: str) -> bool:
        if not _is_inside(folder, self._root) or _is_inside(folder, _LIBRARY):
            return False
        parts = os.path.relpath(folder, self._root).split(os.sep)
        if not _FOREIGN.isdisjoint(parts):
            return False
        levels = [os.sep.join(parts[:count]) for count in range(len(parts) + 1)]
        marks = (os.path.join(self._root, level, "pyvenv.cfg") for level in levels)
        return not any(os.path.exists(mark) for mark in marks)

    def text(self, path: str) -> str:
        """The source of a file, with the newlines of Python."""
        with open(path, "rb") as file:
            return importlib.util.decode_source(file.read())

    def code(self, path: str) -> Any:
        """The code of a file, instrumented; as it stands where it is too deep for more."""
        text = self.text(path)
        tree: Any = compile(text, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        try:
            self.instrument(tree, text, path)
            return compile(tree, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return compile(text, path, "exec", dont_inherit=True)

    def instrument(self, tree: ast.Module, text: str, path: str) -> None:
        """Put the calls into a tree."""
        shown = os.path.relpath(os.path.realpath(path), self._root).replace(os.sep, "/")
        Instrumenter(self._observer, path, shown, text).run(tree)


def install(observer: Observer, compiler: Compiler, hooks: Hooks) -> None:
    """Compile the program's modules with `compiler`, and call each hook after its module."""
    # What pytest compiles of the instrumented code it would keep for runs without the recorder.
    sys.dont_write_bytecode = True
    for hook in Hook:
        setattr(builtins, hook.global_name, getattr(observer, hook.value))
    hooks = {**hooks, "_pytest.assertion.rewrite": functools.partial(_teach_pytest, compiler)}
    replace_code(lambda path: compiler.code(path) if compiler.owns(path) else None)
    create_module = SourceFileLoader.create_module

    def our_create_module(self: Any, spec: Any) -> Any:
        hook = hooks.get(spec.name)
        if hook is not None:
            # For this loader only: it shows in the tracebacks of all that its module imports.
            self.exec_module = functools.partial(_exec_module, type(self).exec_module, self, hook)
        return create_module(self, spec)

    SourceFileLoader.create_module = our_create_module  # type: ignore[method-assign]


def _exec_module(original: Any, loader: Any, hook: Callable[[Any], None], module: Any) -> None:
    """Run a module and then its hook; where TensorFlow is not as it should be, go on without."""
    original(loader, module)
    try:
        hook(module)
    except Exception as error:
        sys.stderr.write(f"tfxla-lint: cannot watch {module.__name__}: {error!r}\n")


def _teach_pytest(compiler: Compiler, module: Any) -> None:
    """pytest compiles test modules itself: instrument these, and keep no compiled file of them."""
    rewrite, read = module.rewrite_asserts, module._read_pyc

    def rewrite_asserts(tree: ast.Module, source: bytes, *args: Any, **kwargs: Any) -> None:
        path = str(args[0] if args else kwargs.get("module_path"))
        if not compiler.owns(path):
            rewrite(tree, source, *args, **kwargs)
            return
        text = compiler.text(path)
        tree.body[:] = ast.parse(text, filename=path).body
        rewrite(tree, text.encode("utf-8"), *args, **kwargs)
        compiler.instrument(tree, text, path)

    def read_pyc(source: Any, *args: Any, **kwargs: Any) -> Any:
        return None if compiler.owns(str(source)) else read(source, *args, **kwargs)

    module.rewrite_asserts = rewrite_asserts
    module._read_pyc = read_pyc
    module._write_pyc = lambda *args, **kwargs: False
