"""What the statements of a module bind, read and change, told from the `ast` tree alone."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: What text raises of which no tree can be made: it is no code of Python, or is nested too deeply.
UNPARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
_BLOCKS = (ast.If, ast.Try, ast.With, ast.AsyncWith)


class Tree:
    """The tree of one source text, with its functions and module-level statements."""

    def __init__(self, text: str) -> None:
        from tfxla_lint.linter import parse_quietly

        self.text = text
        self.module = parse_quietly(text)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions and methods at the top of the module, by qualified name."""
        found: dict[str, Function] = {}
        for node in flat(self.module.body):
            if isinstance(node, FUNCTIONS):
                found[node.name] = node
            elif isinstance(node, ast.ClassDef):
                methods = (part for part in flat(node.body) if isinstance(part, FUNCTIONS))
                found.update({f"{node.name}.{m.name}": m for m in methods})
        return found

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top of the module."""
        return {n.name: n for n in flat(self.module.body) if isinstance(n, ast.ClassDef)}

    @cached_property
    def statements(self) -> list[Statement]:
        """The statements at module level, in order."""
        return [Statement(node) for node in self.module.body]

    @cached_property
    def bound(self) -> set[str]:
        """The names that the module binds at its top level."""
        return set().union(*(statement.binds for statement in self.statements))

    @cached_property
    def modules(self) -> set[str]:
        """The names that only imports of modules bind at its top level."""
        imports = [s for s in flat(self.module.body) if isinstance(s, ast.Import)]
        others = (s for s in flat(self.module.body) if not isinstance(s, (ast.Import, *_BLOCKS)))
        return set(bound_names(imports)) - set(bound_names(list(others)))

    @cached_property
    def binding_counts(self) -> Counter[str]:
        """How many places at its top level bind each name."""
        return Counter(name for s in self.statements for name in bound_names([s.node]))

    @cached_property
    def turned(self) -> set[str]:
        """The names that loops at its top level bind to what they go through, and nothing else."""
        loops = (n for s in self.statements for n in outside_functions(s.node))
        targets = [n.target for n in loops if isinstance(n, (ast.For, ast.AsyncFor))]
        counts = Counter(name for target in targets for name in bound_names([target]))
        return {name for name, count in counts.items() if count == self.binding_counts[name]}

    @cached_property
    def attributes(self) -> set[str]:
        """The attributes that any of its code assigns."""
        return attributes_in(self.module, ast.Store)

    @cached_property
    def properties(self) -> set[str]:
        """The names that classes give by properties."""
        known = {name.rpartition(".")[2] for name in behaviour.names(Trait.PROPERTY)}
        body = (part for node in self.classes.values() for part in flat(node.body))
        methods = (part for part in body if isinstance(part, FUNCTIONS))
        return {m.name for m in methods for d in m.decorator_list if _last_word(d) in known}


@dataclass(frozen=True)
class Statement:
    """One statement at module level."""

    node: ast.stmt

    @cached_property
    def binds(self) -> set[str]:
        """The names that it binds in the module, blocks included."""
        return set(bound_names([self.node]))

    @cached_property
    def reads(self) -> set[str]:
        """The names that it, or a function it defines, looks up in the module."""
        return names_read(self.node)

    @cached_property
    def changes(self) -> set[str]:
        """The names whose objects it changes: by a method call, an item, an attribute."""
        return set(_changed_roots(self.node))

    @property
    def is_definition(self) -> bool:
        """Whether it is a function, a class or an import."""
        return isinstance(self.node, (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom))

    @property
    def is_main_guard(self) -> bool:
        """Whether it is `if __name__ == "__main__"`."""
        node = self.node
        return isinstance(node, ast.If) and "__name__" in names_read(node.test)


def flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block and of the `if`, `try` and `with` blocks in it."""
    for node in body:
        yield node
        if isinstance(node, _BLOCKS):
            for name in ("body", "orelse", "finalbody"):
                yield from flat(getattr(node, name, []))
            for handler in getattr(node, "handlers", []):
                yield from flat(handler.body)


def pairs_of(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment sets, each with what it is set to: `a, b = 1, 2` sets two."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def bound_names(body: Sequence[ast.AST]) -> Iterator[str]:
    """The names that statements bind in their own scope."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
            continue
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp)):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        pending += ast.iter_child_nodes(node)


def names_read(node: ast.AST) -> set[str]:
    """The names that code looks up outside of its own functions' locals, roughly: all it loads."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, (ast.Load, ast.Del)):
            found.add(part.id)
        elif isinstance(part, ast.Global):
            found.update(part.names)
    return found


def attributes_in(node: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    """The attributes that code loads, assigns or deletes, or one of these."""
    parts = (part for part in ast.walk(node) if isinstance(part, ast.Attribute))
    return {part.attr for part in parts if isinstance(part.ctx, context)}


#: Methods that change nothing that other code needs, or that train.
_QUIET = frozenset(
    {"fit", "evaluate", "predict", "summary", "save", "save_weights", "print", "info", "write"}
)


def _changed_roots(node: ast.stmt) -> Iterator[str]:
    for part in outside_functions(node):
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            function = part.value.func
            if isinstance(function, ast.Attribute) and function.attr not in _QUIET:
                yield from root_of(function)
        elif isinstance(part, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            for target in part.targets if isinstance(part, ast.Assign) else [part.target]:
                if isinstance(target, (ast.Attribute, ast.Subscript)) or isinstance(
                    part, ast.AugAssign
                ):
                    yield from root_of(target)


def outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """The node with what lies in it, functions and classes aside."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from outside_functions(child)


def is_generator(function: Function) -> bool:
    """Whether a function itself yields, and not one that is defined in it."""
    inside = (part for statement in function.body for part in outside_functions(statement))
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in inside)


def root_of(node: ast.AST) -> Iterator[str]:
    """The name that what is read of it, or called on it, begins with, if it is one."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(int(d.lineno) for d in decorators)])


def defaults_of(function: Function) -> list[tuple[ast.arg, ast.expr]]:
    """The parameters of a function that have a default, with it."""
    args = function.args
    every = [*args.posonlyargs, *args.args]
    pairs = [*zip(reversed(every), reversed(args.defaults), strict=False)]
    return pairs + [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d]
