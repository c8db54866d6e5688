"""Which functions and blocks of a module were rewritten."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass

from tfxla_lint.differences import differences
from tfxla_lint.verify.trees import FUNCTIONS, Statement, Tree, names_read

MODULE = "<module>"
#: The line of something that only the rewritten version has.
AT_THE_END = 1 << 30


@dataclass(frozen=True)
class Changes:
    """What differs between two versions of a module.

    `functions` are the qualified names of functions and methods that both versions have and that
    differ, or whose class or module-level surroundings do; `block` says whether code that runs at
    module level differs, `lines` on which lines of the original, `is_plain` whether that code does
    no more than give names to values.
    """

    functions: tuple[str, ...] = ()
    block: bool = False
    lines: tuple[int, ...] = ()
    is_plain: bool = False

    @property
    def units(self) -> tuple[str, ...]:
        """All of them by name."""
        return (*self.functions, *((MODULE,) if self.block else ()))


def changes_between(old: Tree, new: Tree) -> Changes:
    """What differs between two versions, comments and docstrings aside."""
    shared = [name for name in old.functions if name in new.functions]
    functions = [n for n in shared if key_of(old.functions[n]) != key_of(new.functions[n])]
    functions += _of_changed_classes(old, new, set(functions))
    before, after = _changed_statements(old, new)
    names = set().union(*(s.binds for s in (*before, *after)))
    for name in names:
        if name in old.functions and name in new.functions and name not in functions:
            functions.append(name)
    left = [s for s in (*before, *after) if not s.binds or s.binds - set(functions)]
    if functions and not before and all(only_adds(s, old) for s in left):
        # What the functions use now; the functions are what is checked.
        left = []
    is_removed = bool(set(old.functions) - set(new.functions)) and not functions
    lines = tuple(s.node.lineno for s in before) or (AT_THE_END,)
    return Changes(
        tuple(functions),
        bool(left) or is_removed,
        lines if left else (),
        bool(left) and all(isinstance(s.node, (ast.Assign, ast.AnnAssign)) for s in left),
    )


def only_adds(statement: Statement, old: Tree) -> bool:
    """Whether a statement does no more than give a new name to something."""
    plain = isinstance(statement.node, (ast.Assign, ast.AnnAssign))
    return plain and not statement.binds & old.bound and not statement.changes


def affected_by(tree: Tree, names: set[str]) -> list[str]:
    """The functions of the module that read one of `names`, directly."""
    return [n for n, f in tree.functions.items() if names_read(f) & names]


def callers_of(tree: Tree, name: str) -> list[str]:
    """The functions of the module that call one of its functions, by its name alone."""
    short = name.rpartition(".")[2]
    return [
        other
        for other, function in tree.functions.items()
        if other != name
        and any(
            isinstance(part, ast.Call)
            and short == getattr(part.func, "attr", getattr(part.func, "id", ""))
            for part in ast.walk(function)
        )
    ]


def key_of(node: ast.AST) -> str:
    """The node's tree without docstrings and positions."""
    clone = copy.deepcopy(node)
    for part in ast.walk(clone):
        body = getattr(part, "body", None)
        if isinstance(part, (*FUNCTIONS, ast.ClassDef)) and body and _is_text(body[0]):
            part.body = part.body[1:] or [ast.Pass()]
    return ast.dump(clone)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _of_changed_classes(old: Tree, new: Tree, known: set[str]) -> list[str]:
    """The `__init__` of classes whose own level differs (bases, class attributes, new methods)."""
    found = []
    for name, node in old.classes.items():
        other = new.classes.get(name)
        if other is None or _class_key(node) == _class_key(other):
            continue
        if any(function.startswith(f"{name}.") for function in known):
            continue
        methods = [f for f in old.functions if f.startswith(f"{name}.") and f in new.functions]
        found += methods
    return found


def _class_key(node: ast.ClassDef) -> str:
    own = [part for part in node.body if not isinstance(part, FUNCTIONS) and not _is_text(part)]
    heads = [*node.bases, *node.keywords, *node.decorator_list]
    return "|".join(ast.dump(part) for part in [*heads, *own])


def _changed_statements(old: Tree, new: Tree) -> tuple[list[Statement], list[Statement]]:
    """The statements at module level that only the original has, and only the rewritten."""
    left, right = ([s for s in t.statements if _counts(s)] for t in (old, new))
    keys = [[key_of(s.node) for s in side] for side in (left, right)]
    before: list[Statement] = []
    after: list[Statement] = []
    for place in differences(*keys):
        before += left[place.start : place.end]
        after += right[place.new_start : place.new_end]
    return before, after


def _counts(statement: Statement) -> bool:
    return not statement.is_definition and not _is_text(statement.node)
