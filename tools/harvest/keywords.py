"""Which keywords a function with ``**kwargs`` really makes use of.

Many functions of TensorFlow and Keras take ``**kwargs`` and then read a few names from it, check
it against a list, or pass it on to another function that does. This module reads their source:
the answer is the set of keywords that mean something, or None where any keyword may (the mapping
is stored, returned, or handed to code that cannot be found).
"""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Iterator
from functools import cache
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef

READERS = {"pop", "get", "setdefault"}
HARMLESS_METHODS = {"keys", "copy", "items", "values"}
HARMLESS_CALLS = {"list", "sorted", "len", "bool", "set", "tuple", "str", "repr", "next", "iter"}
DEEPEST = 12


@cache
def functions_of_file(path: str) -> dict[int, Function]:
    """Every function of a source file by its first line, decorators included."""
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return {}
    found: dict[int, Function] = {}
    for node in statements(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[first] = node
    return found


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement below a tree: no expression holds one."""
    pending = [tree]
    while pending:
        node = pending.pop()
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field, None)
            # Those of lambdas and conditional expressions are no lists.
            if isinstance(inner, list):
                yield from inner
                pending += inner


def tree_of(function: Any) -> Function | None:
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    return functions_of_file(code.co_filename).get(code.co_firstlineno)


def known(function: Any, owner: type | None = None, depth: int = 0) -> set[str] | None:
    """The keywords that `function` (a method of `owner`) reads from its ``**kwargs``."""
    tree = tree_of(function)
    if tree is None or tree.args.kwarg is None or depth > DEEPEST:
        return None
    if is_abstract(tree):
        return None
    return Reader(function, tree, owner, depth).read(tree.args.kwarg.arg)


def is_abstract(tree: Function) -> bool:
    """Whether the body does nothing but stand for what subclasses do."""
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, (ast.Pass, ast.Raise)):
            continue
        return False
    return True


class Reader:
    """Follows one mapping through one function."""

    def __init__(self, function: Any, tree: Function, owner: type | None, depth: int) -> None:
        self.function = function
        self.tree = tree
        self.owner = owner
        self.depth = depth
        self.parents = {
            child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)
        }

    def read(self, name: str) -> set[str] | None:
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id == name:
                names = self.use(node)
                if names is None:
                    return None
                found |= names
        return found

    def use(self, node: ast.Name) -> set[str] | None:
        """The keywords that one mention of the mapping asks for, None when it escapes."""
        parent = self.parents[node]
        if isinstance(parent, ast.keyword) and parent.arg is None:
            return self.forwarded(parent)
        if isinstance(parent, ast.Attribute):
            return self.method(parent)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            return literal(parent.slice)
        if isinstance(parent, ast.Compare):
            return self.compared(parent, node)
        if isinstance(parent, ast.Call) and node in parent.args:
            return self.passed(parent, parent.args.index(node))
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
            return self.iterated(parent)
        if isinstance(parent, (ast.If, ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.While)):
            return set()
        return set() if self.inside_message(node) else None

    def method(self, attribute: ast.Attribute) -> set[str] | None:
        call = self.parents[attribute]
        if not isinstance(call, ast.Call) or call.func is not attribute:
            return None
        if attribute.attr in READERS and call.args:
            return literal(call.args[0])
        if attribute.attr not in HARMLESS_METHODS:
            return None
        user = self.parents[call]
        if isinstance(user, (ast.For, ast.comprehension)):
            return self.iterated(user)
        if isinstance(user, ast.Compare):
            return self.compared(user, call)
        if isinstance(user, ast.Call) and isinstance(user.func, ast.Name):
            is_kept = isinstance(self.parents.get(user), ast.Assign)
            return set() if user.func.id in HARMLESS_CALLS and not is_kept else None
        return set() if self.inside_message(call) else None

    def compared(self, comparison: ast.Compare, node: ast.expr) -> set[str] | None:
        if node in comparison.comparators and isinstance(comparison.left, ast.Constant):
            return literal(comparison.left)
        return set()

    def iterated(self, loop: ast.For | ast.comprehension) -> set[str] | None:
        """A loop over the keys is a check when each is compared with a list of allowed names."""
        keys = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        scope = loop if isinstance(loop, ast.For) else self.parents[loop]
        found: set[str] = set()
        checked = False
        for node in ast.walk(scope):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
                if node.left.id in keys and isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Eq)):
                    names = self.strings(node.comparators[0])
                    if names is not None:
                        found |= names
                        checked = True
        return found if checked else None

    def passed(self, call: ast.Call, position: int) -> set[str] | None:
        """The mapping handed on as an ordinary argument."""
        if isinstance(call.func, ast.Name) and call.func.id in HARMLESS_CALLS:
            return self.taken_off(call)
        if self.inside_message(call):
            return set()
        if ast.unparse(call.func).endswith("validate_kwargs"):
            allowed = call.args[1] if len(call.args) > 1 else keyword_value(call, "allowed_kwargs")
            return None if allowed is None else self.strings(allowed)
        target, owner = self.resolve(call.func)
        tree = tree_of(target)
        if tree is None or self.depth > DEEPEST:
            return None
        names = [a.arg for a in [*tree.args.posonlyargs, *tree.args.args]]
        if owner is not None and names and names[0] in ("self", "cls"):
            position += 1
        if position >= len(names):
            return None
        return Reader(target, tree, owner, self.depth + 1).read(names[position])

    def taken_off(self, names: ast.Call) -> set[str]:
        """What a check leaves out: the strings in `set(kwargs) - {"mode"}`."""
        user = self.parents[names]
        if isinstance(user, ast.BinOp) and isinstance(user.op, ast.Sub) and user.left is names:
            return self.strings(user.right) or set()
        return set()

    def forwarded(self, keyword: ast.keyword) -> set[str] | None:
        """The mapping spread into another call: that function's parameters, and so on."""
        call = self.parents[keyword]
        if not isinstance(call, ast.Call):
            return None
        if isinstance(call.func, ast.Name) and call.func.id == "dict":
            return None
        target, owner = self.resolve(call.func)
        if target is None:
            return None
        return accepted(target, owner, self.depth + 1)

    def strings(self, node: ast.expr) -> set[str] | None:
        """The strings of a literal collection, or of a name bound to one."""
        if isinstance(node, (ast.Set, ast.List, ast.Tuple)):
            return union(literal(element) for element in node.elts)
        if isinstance(node, ast.Constant):
            return literal(node)
        if isinstance(node, ast.Name):
            for other in ast.walk(self.tree):
                if isinstance(other, ast.Assign) and any(
                    isinstance(t, ast.Name) and t.id == node.id for t in other.targets
                ):
                    return self.strings(other.value)
        value = self.value(node)
        if isinstance(value, (set, frozenset, list, tuple)):
            return {item for item in value if isinstance(item, str)}
        return None

    def value(self, node: ast.expr) -> Any:
        """What a dotted name means inside the function, where modules and closures tell."""
        if isinstance(node, ast.Name):
            closure = inspect_closure(self.function)
            if node.id in closure:
                return closure[node.id]
            return getattr(self.function, "__globals__", {}).get(node.id)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                return getattr(self.owner, node.attr, None) if self.owner else None
            return getattr(self.value(node.value), node.attr, None)
        return None

    def resolve(self, func: ast.expr) -> tuple[Any, type | None]:
        """The function that an expression calls, and the class whose method it is."""
        if isinstance(func, ast.Attribute) and self.owner is not None:
            if isinstance(func.value, ast.Call) and ast.unparse(func.value.func) == "super":
                return above(self.owner, func.attr)
            if isinstance(func.value, ast.Name) and func.value.id in ("self", "cls"):
                return from_class(self.owner, func.attr)
        value = self.value(func)
        if isinstance(value, type):
            return from_class(value, "__init__")
        if isinstance(func, ast.Attribute):
            base = self.value(func.value)
            if isinstance(base, type):
                return from_class(base, func.attr)
        return value, None

    def inside_message(self, node: ast.AST) -> bool:
        """Whether the mention only serves an error or a log line."""
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, ast.Raise):
                return True
            if isinstance(node, ast.Call):
                text = ast.unparse(node.func)
                if text.startswith(("logging.", "warnings.", "tf_logging.")):
                    return True
        return False


def accepted(target: Any, owner: type | None, depth: int) -> set[str] | None:
    """Every keyword that calling `target` may be given."""
    from tools.harvest.signatures import signature_of, unwrap

    signature = signature_of(target)
    if signature is None:
        return None
    names: set[str] = set()
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            more = known(unwrap(target), owner, depth)
            if more is None:
                return None
            names |= more
        elif parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            names.add(parameter.name)
    return names - {"self", "cls"}


def above(owner: type, name: str) -> tuple[Any, type | None]:
    return search(owner.__mro__[1:], name)


def from_class(owner: type, name: str) -> tuple[Any, type | None]:
    return search(owner.__mro__, name)


def search(classes: Any, name: str) -> tuple[Any, type | None]:
    for cls in classes:
        if name in vars(cls):
            value = vars(cls)[name]
            return getattr(value, "__func__", value), cls
    return None, None


def keyword_value(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def literal(node: ast.expr) -> set[str] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    return None


def union(sets: Iterator[set[str] | None]) -> set[str] | None:
    found: set[str] = set()
    for names in sets:
        if names is None:
            return None
        found |= names
    return found


def inspect_closure(function: Any) -> dict[str, Any]:
    try:
        return dict(inspect.getclosurevars(function).nonlocals)
    except (TypeError, ValueError):
        return {}
