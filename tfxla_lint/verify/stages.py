"""Names that a program binds again and again on its way, and in which each version leaves another stage."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from tfxla_lint.verify.inside import blocks_of, nested
from tfxla_lint.verify.renames import renamed
from tfxla_lint.verify.trees import FUNCTIONS, Tree, bound_names, outside_functions, pairs_of


def stages_between(old: Tree, new: Tree, changed: Sequence[Sequence[ast.stmt]]) -> set[str]:
    """The globals that hold what is left of a way that was rewritten, and are no result.

    The versions bind them unequally often, in statements that `changed` only, and each reads them after
    that for something else: what they hold at the end is another step of the way. What other loops lie
    around is bound unequally often, too, also what the rewritten version seems to call otherwise, and what
    one version fills piece by piece and the other makes at once.
    """
    both = (old, new)
    counts = [tree.binding_counts for tree in both]
    names = {n: n for n in counts[0] if n in counts[1] and counts[0][n] != counts[1][n]}
    loops = [_loops_around(tree) for tree in both]
    called = {**{n: n for n in loops[0] if n in loops[1]}, **renamed(old, new)}
    names |= {n: o for n, o in called.items() if loops[0].get(n) != loops[1].get(o)}
    filled = [_filled(tree) for tree in both]
    names |= {n: n for n in counts[0] if n in counts[1] and (n in filled[0]) != (n in filled[1])}
    if not names:
        return set()
    parts = [
        _passing(tree, own, {id(f) for n, f in tree.functions.items() if n not in other.functions})
        for tree, other, own in zip(both, both[::-1], changed, strict=True)
    ]
    return {name for name, other in names.items() if name in parts[0] and other in parts[1]}


def _filled(tree: Tree) -> set[str]:
    """The globals that begin with nothing in them."""
    found: set[str] = set()
    for statement in nested([s.node for s in tree.statements if not s.is_definition]):
        for target, value in pairs_of(statement) if isinstance(statement, ast.Assign) else ():
            is_empty = isinstance(value, ast.List) and not value.elts
            is_empty = is_empty or (isinstance(value, ast.Dict) and not value.keys)
            found |= {target.id} if is_empty and isinstance(target, ast.Name) else set()
    return found


def _loops_around(tree: Tree) -> dict[str, int]:
    """The globals with how many loops lie around what binds them."""
    found: dict[str, int] = {}
    pending = [(s.node, 0) for s in tree.statements if not s.is_definition]
    while pending:
        statement, depth = pending.pop()
        for name in bound_names([n for n in _own(statement) if isinstance(n, ast.Name)]):
            found[name] = max(found.get(name, 0), depth)
        inner = depth + isinstance(statement, (ast.For, ast.While))
        pending += [(part, inner) for block in blocks_of(statement) for part in block]
    return found


def _passing(tree: Tree, changed: Iterable[ast.stmt], own_functions: set[int]) -> set[str]:
    """The globals that only changed statements mention, and that are read after they are bound.

    `own_functions` are those, by their ids, that only this version has.
    """
    own = {id(node) for statement in changed for node in _own(statement)}
    outer: set[str] = set()
    bound: dict[str, int] = {}
    read: dict[str, int] = {}
    top = [s.node for s in tree.statements if not s.is_definition]
    for statement in nested(top):
        names = [n for n in _own(statement) if isinstance(n, ast.Name)]
        binds = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        outer |= {n.id for n in names if id(n) not in own}
        for name in names:
            if name.id in binds:
                bound[name.id] = max(bound.get(name.id, 0), statement.lineno)
            else:
                read[name.id] = max(read.get(name.id, 0), statement.lineno)
    for node in ast.walk(tree.module):
        if isinstance(node, FUNCTIONS) and id(node) not in own_functions:
            args = [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)]
            inner = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            outer |= inner - {*args, *bound_names(node.body)}
        elif isinstance(node, ast.Global):
            outer |= set(node.names)
    return {name for name, line in bound.items() if read.get(name, 0) > line} - outer


def _own(statement: ast.stmt) -> list[ast.AST]:
    """The parts of a statement outside of the blocks in it, and of functions."""
    inner = {id(n) for block in blocks_of(statement) for s in block for n in ast.walk(s)}
    return [n for n in outside_functions(statement) if id(n) not in inner]
