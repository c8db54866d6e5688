"""The uses of `tf.function` that a rewrite made, and the same rewrite compiled by XLA."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tfxla_lint.verify.changes import MODULE, key_of
from tfxla_lint.verify.trees import FUNCTIONS, Function, Tree, attributes_in, names_read


@dataclass(frozen=True)
class Made:
    """A use of `tf.function`: the expression, and the function that it decorates, if it does."""

    expression: ast.expr
    function: Function | None = None

    @cached_property
    def name(self) -> str:
        """The name of the function that it decorates."""
        return self.function.name if self.function is not None else ""

    @property
    def has_choice(self) -> bool:
        """Whether it says by itself what is compiled."""
        call = self.expression
        words = {k.arg for k in call.keywords} if isinstance(call, ast.Call) else set()
        return bool(words & {"jit_compile", "experimental_compile", None})


def made_in(old: Tree, new: Tree) -> list[Made]:
    """The uses of `tf.function` in functions and calls that only the rewritten version has."""
    known = Counter(key_of(n) for n in ast.walk(old.module) if _is_site(n, old))
    found = []
    for site in ast.walk(new.module):
        if not _is_site(site, new):
            continue
        key = key_of(site)
        if known[key]:
            known[key] -= 1
        elif isinstance(site, FUNCTIONS):
            found += [Made(d, site) for d in site.decorator_list if _makes(d, new)]
        elif isinstance(site, ast.Call):
            found.append(Made(site))
    decorators = {id(made.expression) for made in found if made.function is not None}
    return [m for m in found if m.function is not None or id(m.expression) not in decorators]


def users_of(made: Sequence[Made], new: Tree, units: Sequence[str]) -> dict[str, list[str]]:
    """For each unit the names of the decorated functions that it is, holds or calls."""
    found: dict[str, list[str]] = {}
    for unit in units:
        node = new.module if unit == MODULE else new.functions.get(unit)
        if node is None:
            continue
        inner = {id(part) for part in ast.walk(node)} if unit != MODULE else set()
        read = names_read(node) | attributes_in(node)
        found[unit] = [
            m.name for m in made if m.name and (m.name in read or id(m.function) in inner)
        ]
    return found


def compiled(tree: Tree, made: Sequence[Made]) -> str:
    """The text with `jit_compile=True` for what the rewrite made, its lines where they were."""
    lines = tree.text.encode("utf-8").split(b"\n")
    chosen = [m.expression for m in made if not m.has_choice]
    for node in sorted(chosen, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        if node.end_lineno is None or node.end_col_offset is None:
            continue
        call = copy.deepcopy(node) if isinstance(node, ast.Call) else ast.Call(node, [], [])
        call.keywords.append(ast.keyword("jit_compile", ast.Constant(True)))
        first, last = node.lineno - 1, node.end_lineno - 1
        text = ast.unparse(ast.fix_missing_locations(call))[:-1] + "\n" * (last - first) + ")"
        rest = lines[last][node.end_col_offset :]
        stretch = lines[first][: node.col_offset] + text.encode("utf-8") + rest
        lines[first : last + 1] = stretch.split(b"\n")
    return b"\n".join(lines).decode("utf-8")


def _is_site(node: ast.AST, tree: Tree) -> bool:
    if isinstance(node, FUNCTIONS):
        return any(_makes(decorator, tree) for decorator in node.decorator_list)
    return isinstance(node, ast.Call) and bool(node.args) and _makes(node, tree)


def _makes(node: ast.expr, tree: Tree) -> bool:
    """Whether an expression is `tf.function`, with options or without, by any name of it."""
    found = node.func if isinstance(node, ast.Call) else node
    if isinstance(found, ast.Attribute):
        root = found.value
        is_root = isinstance(root, ast.Name) and root.id in _names(tree, ast.Import, "tensorflow")
        return found.attr == "function" and is_root
    return isinstance(found, ast.Name) and found.id in _names(tree, ast.ImportFrom, "function")


def _names(tree: Tree, kind: type[ast.Import | ast.ImportFrom], wanted: str) -> set[str]:
    """The names under which the module imports TensorFlow, or something from it."""
    imports = (node for node in ast.walk(tree.module) if isinstance(node, kind))
    own = (i for i in imports if getattr(i, "module", "tensorflow") == "tensorflow")
    aliases = (alias for node in own for alias in node.names)
    return {alias.asname or alias.name for alias in aliases if alias.name == wanted}
