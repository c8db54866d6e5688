"""How objects of a module's classes are made, and filled by their methods."""

from __future__ import annotations

import ast
import contextlib
import functools
from collections.abc import Iterable
from typing import Any

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.verify.hints import NoHints, bases_of, finish, parameters_of
from tfxla_lint.verify.trees import Function, Tree, attributes_in, names_read, pairs_of
from tfxla_lint.verify.uses import is_name, note_uses

#: So many methods are called before the one that is checked.
_BEFORE = 2
#: So many others are called between two calls of it.
_BETWEEN = 4
#: What built-in functions ask of an object.
_SPECIAL = {"len": "__len__", "iter": "__iter__"}


def instances_of(tree: Tree, name: str) -> list[str]:
    """Expressions that may give the object whose method is to be called."""
    cls = name.partition(".")[0]
    if name.endswith(".__init__"):
        raise NoHints("it makes an object, and no program was given that does")
    function = tree.functions[name]
    decorators = {d.id for d in function.decorator_list if isinstance(d, ast.Name)}
    if decorators & {"staticmethod", "classmethod"}:
        return [cls]
    found: list[str] = []
    for statement in tree.statements:
        node = statement.node
        made = isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if made and isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if is_name(node.value.func, cls) and isinstance(node.targets[0], ast.Name):
                found.append(node.targets[0].id)
    for part in ast.walk(tree.module):
        if isinstance(part, ast.Call) and is_name(part.func, cls):
            found.append(ast.unparse(part))
    return [*dict.fromkeys([*found, f"{cls}()"])]


def makers_of(tree: Tree) -> dict[str, list[dict[str, Any]]]:
    """For each class of the module what making an object of it asks for.

    What a method does with an attribute says what the parameter is that `__init__` puts there.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for name, node in tree.classes.items():
        makers = (c.name for c in (node, *bases_of(tree, name)))
        maker = next((c for c in makers if f"{c}.__init__" in tree.functions), None)
        if maker is None:
            found[name] = []
            continue
        try:
            parameters = parameters_of(tree, f"{maker}.__init__", None)
        except NoHints:
            continue
        kept = _kept_in(tree, maker)
        for parameter in parameters:
            for attribute in kept.get(parameter["name"], ()):
                for code in (node, *bases_of(tree, name)):
                    note_uses(code, parameter, functools.partial(_is_own, attribute))
            finish(tree, parameter)
        found[name] = parameters
    return found


def classes_asked(parameters: Iterable[dict[str, Any]]) -> set[str]:
    """The classes of the module of which arguments are to be objects."""
    found: set[str] = set()
    for parameter in parameters:
        record = parameter.get("record", {})
        found |= {*parameter.get("own", ()), *([record["class"]] if record else [])}
        found |= classes_asked(record.get("fields", ()))
    return found


def _kept_in(tree: Tree, name: str) -> dict[str, list[str]]:
    """The attributes that hold each parameter of a class, also of those that it passes to its base."""
    init = tree.functions[f"{name}.__init__"]
    found = _kept_as(init)
    inits = (
        (base.name, tree.functions.get(f"{base.name}.__init__")) for base in bases_of(tree, name)
    )
    above, theirs = next(((n, i) for n, i in inits if i is not None), ("", None))
    if theirs is None or above == name:
        return found
    known = _kept_in(tree, above)
    order = [a.arg for a in theirs.args.args][1:]
    for node in ast.walk(init):
        # `super().__init__(...)`
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
            passed = [
                *zip(order, node.args, strict=False),
                *((k.arg, k.value) for k in node.keywords),
            ]
            for parameter, value in passed:
                if isinstance(value, ast.Name) and parameter is not None:
                    found.setdefault(value.id, []).extend(known.get(parameter, ()))
    return found


def _kept_as(init: Function) -> dict[str, list[str]]:
    """The attributes that hold each parameter."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(init):
        if isinstance(node, ast.Assign):
            for part, value in pairs_of(node):
                if isinstance(value, ast.Call) and len(value.args) == 1:
                    # A list of what it is given.
                    is_listed = is_name(value.func, "list") or is_name(value.func, "tuple")
                    value = value.args[0] if is_listed else value
                if isinstance(part, ast.Attribute) and isinstance(value, ast.Name):
                    found.setdefault(value.id, []).append(part.attr)
    return found


def _is_own(attribute: str, node: ast.AST) -> bool:
    is_self = isinstance(node, ast.Attribute) and is_name(node.value, "self")
    return is_self and isinstance(node, ast.Attribute) and node.attr == attribute


def methods_before(tree: Tree, name: str) -> dict[str, list[dict[str, Any]]]:
    """Other methods that put something into the object that the method reads; what they ask for."""
    cls, _, method = name.rpartition(".")
    reads = attributes_in(tree.functions[name], ast.Load)
    inner = [tree.functions[f"{cls}.{n}"] for n in reads if f"{cls}.{n}" in tree.functions]
    reads = reads.union(*(attributes_in(function, ast.Load) for function in inner))
    for special, method_ in _SPECIAL.items():
        if (
            cls
            and f"{cls}.{method_}" in tree.functions
            and special in names_read(tree.functions[name])
        ):
            reads |= attributes_in(tree.functions[f"{cls}.{method_}"], ast.Load)
    if not reads:
        # What it sets must hold something else before.
        reads = attributes_in(tree.functions[name], ast.Store)
    found: dict[str, list[dict[str, Any]]] = {}
    for other, function in tree.functions.items():
        owner, _, short = other.rpartition(".")
        if not cls or owner != cls or short == method or short.startswith("__"):
            continue
        stored = attributes_in(function, ast.Store) - _set_only(tree, cls, function)
        stored |= _updated(function)
        # What is only switched shows when it is switched between two calls.
        stored -= _switched(function)
        # Compiling a model is not for this.
        is_filled = bool(stored & reads) and not function.decorator_list and short != "compile"
        if is_filled and len(found) < _BEFORE:
            with contextlib.suppress(NoHints):
                found[other] = parameters_of(tree, other, None)
    return found


def _set_only(tree: Tree, cls: str, function: Function) -> set[str]:
    """The attributes that a method only sets to what it is passed, and that hold something before."""
    init = tree.functions.get(f"{cls}.__init__")
    assigned = [n for n in ast.walk(init) if isinstance(n, ast.Assign)] if init is not None else []
    known = {
        target.attr
        for node in assigned
        for target in node.targets
        if isinstance(target, ast.Attribute)
        and isinstance(node.value, ast.Constant)
        and node.value.value is not None
    }
    return known & {attribute for kept in _kept_as(function).values() for attribute in kept}


def _switched(function: Function) -> set[str]:
    """The attributes that a function only sets to constants, or to empty containers."""
    stored: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            value = node.value
            is_empty = (
                isinstance(value, (ast.List, ast.Dict))
                and not list(ast.iter_child_nodes(value))[1:]
            )
            is_plain = isinstance(value, ast.Constant) or is_empty
            (stored if is_plain else others).update(
                t.attr for t in node.targets if isinstance(t, ast.Attribute)
            )
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
            others.add(node.target.attr)
    return stored - others


def methods_between(tree: Tree, name: str) -> dict[str, list[dict[str, Any]]]:
    """Other methods that other code may call between two calls of one, as it reads what they change."""
    cls, _, method = name.rpartition(".")
    reached = [name, *(f"{cls}.{n}" for n in attributes_in(tree.functions[name], ast.Load))]
    codes = [tree.functions[n] for n in reached if n in tree.functions]
    reads = set().union(*(attributes_in(code, ast.Load) for code in codes))
    found: dict[str, list[dict[str, Any]]] = {}
    for other, function in tree.functions.items() if cls else ():
        owner, _, short = other.rpartition(".")
        if owner != cls or short in (method, "compile") or short.startswith("_"):
            continue
        is_plain = not any(
            isinstance(d, (ast.Name, ast.Attribute)) for d in function.decorator_list
        )
        stored = attributes_in(function, ast.Store) | _updated(function)
        if is_plain and stored & reads and len(found) < _BETWEEN:
            with contextlib.suppress(NoHints):
                found[other] = parameters_of(tree, other, None)
    return found


def filled_between(tree: Tree, name: str) -> list[str]:
    """The attributes whose objects the methods change that other code may call between two calls of one."""
    units = methods_between(tree, name)
    return sorted(set().union(*(_updated(tree.functions[unit]) for unit in units)))


def periods_of(tree: Tree, name: str) -> list[str | int]:
    """By what the function divides to find every so many-th call, or how far it counts: attributes,
    globals, numbers.
    """
    function = tree.functions[name]
    rests = [n.right for n in ast.walk(function) if _is_rest(n)]  # type: ignore[attr-defined]
    rests += _limits(function)
    found: list[str | int] = [n.attr for n in rests if isinstance(n, ast.Attribute)]
    found += [n.id for n in rests if isinstance(n, ast.Name)]
    return found + [n.value for n in rests if isinstance(n, ast.Constant) and type(n.value) is int]


def _limits(function: Function) -> list[ast.expr]:
    """What an attribute is compared with, by size, that the function itself changes."""
    counted = _updated(function) | {
        n.target.attr
        for n in ast.walk(function)
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Attribute)
    }
    found: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            if isinstance(node.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE)):
                sides = [node.left, node.comparators[0]]
                for side, other in (sides, sides[::-1]):
                    found += [other] if getattr(side, "attr", "") in counted else []
    return found


def _is_rest(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _updated(function: Function) -> set[str]:
    """The attributes whose objects a function changes by a method: `self.total.assign_add(x)`."""
    known = behaviour.methods(Effect.ASSIGNS) | behaviour.methods(Effect.MUTATES)
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    changing = [f.value for f in calls if isinstance(f, ast.Attribute) and f.attr in known]
    parts = (node for node in ast.walk(function) if isinstance(node, ast.Subscript))
    changing += [part.value for part in parts if not isinstance(part.ctx, ast.Load)]
    return {value.attr for value in changing if isinstance(value, ast.Attribute)}
