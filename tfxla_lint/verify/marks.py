"""Marks code in a source text, so that the worker sees whether it runs and what it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.changes import MODULE
from tfxla_lint.verify.formats import with_values_marked
from tfxla_lint.verify.inside import has_place, statements_of
from tfxla_lint.verify.trees import Function, Tree, first_line, is_generator
from tfxla_lint.verify.turns import Loop

#: Keras looks at these methods itself; a stand-in for them could confuse it.
_KERAS_OWN = frozenset(
    {"call", "build", "train_step", "test_step", "predict_step", "get_config", "compute_loss"}
)
_WRAPPING = (Trait.PROPERTY, Trait.STATIC_METHOD, Trait.CLASS_METHOD)
_BINDING = frozenset(
    name.rpartition(".")[2] for trait in _WRAPPING for name in behaviour.names(trait)
) | {"setter"}


def can_be_watched(tree: Tree, name: str) -> bool:
    """Whether a function can be replaced by a stand-in that records its results."""
    function = tree.functions[name]
    short = name.rpartition(".")[2]
    owner = tree.classes.get(name.rpartition(".")[0])
    is_keras_own = owner is not None and bool(owner.bases) and short in _KERAS_OWN
    is_special = short.startswith("__") and short != "__call__"
    if is_keras_own or is_special or isinstance(function, ast.AsyncFunctionDef):
        return False
    words = {_last_word(decorator) for decorator in function.decorator_list}
    if words & _BINDING or is_generator(function):
        return False
    called = {id(n.func) for n in ast.walk(tree.module) if isinstance(n, ast.Call)}
    for node in ast.walk(tree.module):
        is_plain = isinstance(node, ast.Name) and node.id == short and "." not in name
        is_method = isinstance(node, ast.Attribute) and node.attr == short
        if (is_plain or is_method) and id(node) not in called and _is_load(node):
            return False
    return True


def has_same_parameters(old: Tree, new: Tree, name: str) -> bool:
    """Whether a function takes the same; else what its calls return says nothing by itself."""
    forms = []
    for tree in (old, new):
        args = tree.functions[name].args
        groups = (args.posonlyargs, args.args, args.kwonlyargs)
        names = [[arg.arg for arg in group] for group in groups]
        rest = [arg.arg if arg is not None else None for arg in (args.vararg, args.kwarg)]
        forms.append((names, rest))
    return forms[0] == forms[1]


def marked(
    tree: Tree,
    watched: Iterable[str],
    hit: Iterable[str],
    lines: Iterable[int],
    turns: Iterable[tuple[int, Loop]] = (),
    made: Iterable[Function] = (),
    units: Iterable[str] = (),
    places: Iterable[int] = (),
) -> str:
    """The text with stand-ins for the functions `watched` and notes in `hit` and before `lines`.

    The loops `turns` note when they begin and each turn, under a number; what decorators make of
    the functions `made` is handed over; each statement of `units` notes that a run comes to its line,
    as do those on the lines `places`.
    A mark takes a line of its own, so the lines below it move down.
    """
    text = with_values_marked(tree.text, tree.module).split("\n")
    inserts: list[tuple[int, str]] = []
    for name in watched:
        function = tree.functions[name]
        line = first_line(function)
        inserts.append((line, f'{_indent(text, line)}@__txl_boundary__("{name}")'))
    rest = []
    for name in hit:
        function = tree.functions[name]
        body = function.body[1:] if _starts_with_text(function) else function.body
        if body and body[0].lineno > function.lineno:
            line = first_line(body[0])
            owner = _owner(name, function)
            inserts.append((line, f'{_indent(text, line)}__txl_hit__("{name}"{owner})'))
        else:
            rest.append(name)
    inserts += [(line, f'__txl_hit__("{MODULE}")') for line in lines]
    for number, loop in turns:
        line, inner = loop.lineno, first_line(loop.body[0])
        if inner > line and not text[inner - 1][: loop.body[0].col_offset].strip():
            inserts.append((line, f"{_indent(text, line)}__txl_turns__({number})"))
            inserts.append((inner, f"{_indent(text, inner)}__txl_turn__({number})"))
    for function in made:
        line = first_line(function)
        inserts.append((line, f'{_indent(text, line)}@__txl_made__("{function.name}")'))
    # What comes last stands first: no mark may come between a function and its decorators.
    for line in sorted({*noted_lines(tree, units), *places}):
        inserts.append((line, f"{_indent(text, line)}__txl_ran__({line})"))
    for line, new in sorted(inserts, key=lambda insert: insert[0], reverse=True):
        text.insert(line - 1, new)
    text += [f'__txl_hit__("{name}")' for name in rest]
    return "\n".join(text)


def noted_lines(tree: Tree, units: Iterable[str]) -> list[int]:
    """The lines before which a note can say that a run comes there.

    None stands before `set_loop_options`: AutoGraph asks it to be the first of a loop's statements.
    """
    text = tree.text.split("\n")
    found = (s for unit in units for s in statements_of(tree, unit) if has_place(s, text))
    return sorted({first_line(statement) for statement in found if not _is_directive(statement)})


def _owner(name: str, function: Function) -> str:
    """The object of a method, as a further argument."""
    words = {_last_word(decorator) for decorator in function.decorator_list}
    first = [*function.args.posonlyargs, *function.args.args][:1]
    return f", {first[0].arg}" if "." in name and first and not words & _BINDING else ""


def _is_directive(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and _last_word(call.func) == "set_loop_options"


def _last_word(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_load(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _indent(text: list[str], line: int) -> str:
    found = text[line - 1]
    return found[: len(found) - len(found.lstrip())]


def _starts_with_text(function: Function) -> bool:
    first = function.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
