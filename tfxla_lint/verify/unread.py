"""Which statements make values that nothing reads: another value there would be no mistake."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfxla_lint.verify.inside import blocks_of
from tfxla_lint.verify.trees import FUNCTIONS, Function, Tree, bound_names, names_read


def unread_in(tree: Tree) -> set[int]:
    """The ids of assignments to local names that nothing reads, and of returns that nobody takes."""
    found: set[int] = set()
    for function in (node for node in ast.walk(tree.module) if isinstance(node, FUNCTIONS)):
        read = _read_in(function)
        own = (s for s in ast.walk(function) if isinstance(s, ast.Assign))
        found |= {id(s) for s in own if _names(s) and not _names(s) & read}
    taken = set(_taken(tree.module, found))
    inner = (part for f in ast.walk(tree.module) for part in _functions_in(f))
    for function in inner:
        if function.name not in taken:
            found |= {id(s) for s in ast.walk(function) if isinstance(s, ast.Return)}
    return found


def begun_in(old: Tree, new: Tree) -> set[int]:
    """The ids of assignments that are read only where a loop behind them makes no turn, and the original fails.

    A loop variable has to have a value before a loop that is traced.
    """
    found: set[int] = set()
    for name in [name for name in new.functions if name in old.functions]:
        known = set(_bound_outside_loops(old.functions[name]))
        nodes = (n for n in ast.walk(new.functions[name]) if isinstance(n, ast.stmt))
        for block in (block for node in nodes for block in blocks_of(node)):
            for place, statement in enumerate(block):
                names = _names(statement) if isinstance(statement, ast.Assign) else set()
                following = block[place + 1 :]
                if len(names - known) == 1 == len(names):
                    begun = all(_is_for_a_loop(bound, following) for bound in names)
                    found |= {id(statement)} if begun else set()
    return found


def _bound_outside_loops(function: Function) -> Iterator[str]:
    nodes: list[ast.AST] = [function.args, *function.body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, (ast.For, ast.While)):
            nodes += ast.iter_child_nodes(node)


def _is_for_a_loop(name: str, following: list[ast.stmt]) -> bool:
    """Whether what comes next of a name is a loop that binds it in each turn before it reads it."""
    for statement in following:
        if isinstance(statement, (ast.For, ast.While)):
            head = statement.iter if isinstance(statement, ast.For) else statement.test
            return name not in names_read(head) and _binds_first(name, statement.body)
        if name in names_read(statement) | set(bound_names([statement])):
            return False
    return False


def _binds_first(name: str, body: list[ast.stmt]) -> bool:
    for statement in body:
        if isinstance(statement, ast.Assign) and name in bound_names([statement]):
            return name not in names_read(statement.value)
        ends = any(
            isinstance(n, (ast.Break, ast.Continue, ast.Return)) for n in ast.walk(statement)
        )
        if ends or name in names_read(statement) | set(bound_names([statement])):
            return False
    return False


def _read_in(function: Function) -> set[str]:
    """The names that a function reads of its own scope, by itself or in functions within it."""
    found: set[str] = set()
    nodes: list[ast.AST] = [*function.body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, FUNCTIONS):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            own = {arg.arg for arg in every} | set(bound_names(node.body))
            shared = {n for p in ast.walk(node) if isinstance(p, ast.Nonlocal) for n in p.names}
            found |= _read_in(node) - (own - shared)
            nodes += [*node.decorator_list, *node.args.defaults]
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        nodes += ast.iter_child_nodes(node)
    return found


def _functions_in(node: ast.AST) -> list[ast.FunctionDef]:
    """The functions that a function defines; others may be called from elsewhere."""
    if not isinstance(node, FUNCTIONS):
        return []
    return [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef) and part != node]


def _names(statement: ast.Assign) -> set[str]:
    """The names that a plain assignment binds, if it binds nothing else."""
    parts = [p for t in statement.targets for p in (t.elts if isinstance(t, ast.Tuple) else [t])]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names if len(names) == len(parts) else set()


def _taken(module: ast.Module, unread: set[int]) -> Iterator[str]:
    """The functions whose results somebody takes, or that are not just called."""
    passed = {
        id(s.value.func)
        for s in ast.walk(module)
        if (isinstance(s, ast.Expr) or (isinstance(s, ast.Assign) and id(s) in unread))
        and isinstance(s.value, ast.Call)
    }
    for node in ast.walk(module):
        is_load = isinstance(getattr(node, "ctx", None), ast.Load)
        if isinstance(node, ast.Name) and is_load and id(node) not in passed:
            yield node.id


def begun_otherwise(tree: Tree, unit: str, statement: ast.stmt) -> bool:
    """Whether variables that a method puts into an attribute are all given other values at its end.

    It does so itself, or calls a method of the object that does: `self.reset()`.
    """
    function, owner = tree.functions.get(unit), unit.rpartition(".")[0]
    if function is None or not owner or statement not in function.body:
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    held = {
        t.attr for t in targets if isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name)
    }
    if not held or len(held) != len(targets):
        return False
    following = list(function.body[function.body.index(statement) + 1 :])
    for later in list(following):
        called = getattr(getattr(later, "value", None), "func", None)
        if isinstance(later, ast.Expr) and isinstance(called, ast.Attribute):
            own = tree.functions.get(f"{owner}.{called.attr}")
            following += own.body if own is not None else []
    return held <= {name for later in following for name in _assigned(later)}


def _assigned(statement: ast.stmt) -> Iterator[str]:
    """The attributes whose variable, or each of whose variables, a statement gives a new value."""
    if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
        over = getattr(statement.iter, "attr", "")
        if any(statement.target.id == name for s in statement.body for name in _assigned(s)):
            yield over
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        if isinstance(called, ast.Attribute) and called.attr == "assign":
            yield getattr(called.value, "attr", getattr(called.value, "id", ""))
