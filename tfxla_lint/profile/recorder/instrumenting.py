"""Puts calls of the recorder into a module's tree: where functions start and end, and loops turn."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING, Any

from tfxla_lint.profile.recorder.records import Function, Loop
from tfxla_lint.recording import LAMBDA, digest, digest_of, first_line, split_lines

if TYPE_CHECKING:
    from tfxla_lint.profile.recorder.observing import Observer


#: Decorators of numba and TorchScript.
_COMPILERS = frozenset({"jit", "njit", "vectorize", "guvectorize", "cfunc", "stencil", "script"})


class Hook(Enum):
    """What instrumented code calls, by the method of `Observer` that it stands for."""

    ENTER = "enter"
    LEAVE = "leave"
    COUNT = "count"
    LOOP = "loop"
    TURN = "turn"

    @property
    def global_name(self) -> str:
        """The builtin by which instrumented code calls it."""
        return f"__tfxla_{self.value}__"


class Instrumenter:
    """Puts the calls into the tree of one module; `shown` is its path as it is recorded."""

    def __init__(self, observer: Observer, path: str, shown: str, text: str) -> None:
        self._observer = observer
        self._file = path
        self._path = shown
        self._lines = split_lines(text)
        self._scopes: list[str] = []

    def run(self, tree: ast.Module) -> None:
        """Change the tree in place."""
        self._note_lambdas(tree, ())
        self._block(tree, "body")

    def _note_lambdas(self, node: ast.AST, scopes: tuple[str, ...]) -> None:
        """Let lambdas be known where they are traced; their code stays as it is.

        Of two on one line it can't be told which one is meant.
        """
        for child in ast.iter_child_nodes(node):
            inner = scopes
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = (*scopes, child.name)
            elif isinstance(child, ast.Lambda):
                mark, names = digest_of(child, self._lines), _parameters(child.args)
                qualname = ".".join((*scopes, LAMBDA))
                record = Function(self._path, qualname, child.lineno, mark, names)
                self._observer.add_lambda(record, (self._file, child.lineno, LAMBDA))
            self._note_lambdas(child, inner)

    def _block(self, node: Any, field: str) -> None:
        """Rewrite the statements of one block."""
        new: list[ast.stmt] = []
        for statement in getattr(node, field):
            if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
                index = self._loop(statement)
                new.append(self._call(Hook.LOOP, statement, index))
                self._inner(statement)
                statement.body.insert(0, self._call(Hook.TURN, statement, index))
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not _is_compiled_elsewhere(statement):
                    self._function(statement)
            elif isinstance(statement, ast.ClassDef):
                self._scopes.append(statement.name)
                self._block(statement, "body")
                self._scopes.pop()
            else:
                self._inner(statement)
            new.append(statement)
        setattr(node, field, new)

    def _inner(self, statement: Any) -> None:
        for field in ("body", "orelse", "finalbody"):
            if isinstance(getattr(statement, field, None), list):
                self._block(statement, field)
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            self._block(part, "body")

    def _loop(self, node: Any) -> int:
        qualname = ".".join(self._scopes) or "<module>"
        mark = digest(self._lines, node.lineno, node.end_lineno)
        return self._observer.add_loop(Loop(self._path, qualname, node.lineno, mark))

    def _function(self, node: Any) -> None:
        self._scopes.append(node.name)
        first = first_line(node)
        mark = digest(self._lines, first, node.end_lineno)
        names = _parameters(node.args)
        record = Function(self._path, ".".join(self._scopes), node.lineno, mark, names)
        index = self._observer.add_function(record, (self._file, first, node.name))
        plain = isinstance(node, ast.FunctionDef) and not _yields(node)
        self._block(node, "body")
        self._scopes.pop()
        loads: list[ast.expr] = [ast.Name(id=name.lstrip("*"), ctx=ast.Load()) for name in names]
        values = ast.Tuple(elts=loads, ctx=ast.Load())
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        kept, body = node.body[:start], node.body[start:] or [ast.copy_location(ast.Pass(), node)]
        if plain:
            leave = [self._call(Hook.LEAVE, node, index)]
            guarded: Any = ast.Try(body=body, handlers=[], orelse=[], finalbody=leave)
            body = [ast.copy_location(guarded, node)]
        node.body = [
            *kept,
            self._call(Hook.ENTER if plain else Hook.COUNT, node, index, values),
            *body,
        ]

    def _call(self, hook: Hook, at: ast.AST, index: int, *given: ast.expr) -> ast.stmt:
        call = ast.Call(
            func=ast.Name(id=hook.global_name, ctx=ast.Load()),
            args=[ast.Constant(value=index), *given],
            keywords=[],
        )
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(value=call), at))


def _parameters(arguments: ast.arguments) -> list[str]:
    """The parameters in the order of a code object's names; starred ones keep their stars."""
    plain = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    names = [argument.arg for argument in plain]
    names += ["*" + arguments.vararg.arg] if arguments.vararg else []
    return names + (["**" + arguments.kwarg.arg] if arguments.kwarg else [])


def _is_compiled_elsewhere(node: Any) -> bool:
    """Whether a decorator compiles the bytecode to something that cannot call the recorder."""
    for decorator in node.decorator_list:
        while isinstance(decorator, ast.Call):
            decorator = decorator.func
        name = getattr(decorator, "attr", None) or getattr(decorator, "id", None)
        if name in _COMPILERS:
            return True
    return False


def _yields(node: ast.AST) -> bool:
    pending: list[ast.AST] = list(ast.iter_child_nodes(node))
    while pending:
        inner = pending.pop()
        if isinstance(inner, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(inner))
    return False
