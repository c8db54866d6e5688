"""Names that a rewrite gave to what the original calls otherwise, told by how they are used."""

from __future__ import annotations

import ast
import copy
import difflib
import re
from collections.abc import Iterator

from tfxla_lint.verify.inside import blocks_of
from tfxla_lint.verify.trees import FUNCTIONS, Tree

#: This share of the uses of two names has to be alike.
_ALIKE = 0.7
_WORDS = re.compile(r"\w+|\S")
#: Of more names it is not tried which is which.
_MOST = 40


def renamed(old: Tree, new: Tree) -> dict[str, str]:
    """What globals and attributes that only the original has are called in the rewritten version."""
    left, right = _only_in(old, new), _only_in(new, old)
    if not left or not right or len(left) > _MOST or len(right) > _MOST:
        return {}
    hidden = left | right
    before = {name: _uses(old, name, hidden) for name in sorted(left)}
    after = {name: _uses(new, name, hidden) for name in sorted(right)}
    before, after = ({n: u for n, u in rows.items() if u} for rows in (before, after))
    found = {}
    for name, uses in before.items():
        likely = [other for other, theirs in after.items() if _share(uses, theirs) >= _ALIKE]
        rivals = [
            n for n, mine in before.items() for o in likely if _share(mine, after[o]) >= _ALIKE
        ]
        if len(likely) == 1 and rivals == [name]:
            found[name] = likely[0]
    return found


def _only_in(tree: Tree, other: Tree) -> set[str]:
    # What a loop goes through is nothing that a program leaves behind.
    names = set(tree.binding_counts) - set(other.binding_counts) - tree.turned
    functions = {name.rpartition(".")[2] for name in (*tree.functions, *tree.classes)}
    return (names | (tree.attributes - other.attributes)) - functions


def _uses(tree: Tree, name: str, hidden: set[str]) -> list[list[str]]:
    """The words of the statements that mention a name, which is left blank, as are `hidden` ones."""
    found = []
    for statement in _heads(tree):
        names = (getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(statement))
        if name in names:
            text = ast.unparse(_Blank(name, hidden).visit(copy.deepcopy(statement)))
            found.append(_WORDS.findall(text))
    return found


def _heads(tree: Tree) -> Iterator[ast.AST]:
    """All statements but definitions, without what lies in them."""
    for node in ast.walk(tree.module):
        if isinstance(node, ast.stmt) and not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if not any(blocks_of(node)):
                yield node
            else:
                yield from (p for p in ast.iter_child_nodes(node) if isinstance(p, ast.expr))


class _Blank(ast.NodeTransformer):
    """Blanks a name, and marks others of which it is not known what they are called."""

    def __init__(self, name: str, hidden: set[str]) -> None:
        self._name = name
        self._hidden = hidden

    def _blank(self, name: str) -> str:
        return "_" if name == self._name else "?" if name in self._hidden else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Blank a name."""
        node.id = self._blank(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Blank an attribute."""
        self.generic_visit(node)
        node.attr = self._blank(node.attr)
        return node


def _share(a: list[list[str]], b: list[list[str]]) -> float:
    """How alike the uses of two names are: those of either, each beside its likest."""
    sides = [[max(_ratio(x, y) for y in there) for x in here] for here, there in ((a, b), (b, a))]
    return min(sum(side) / len(side) for side in sides)


def _ratio(x: list[str], y: list[str]) -> float:
    return difflib.SequenceMatcher(None, x, y, autojunk=False).ratio()
