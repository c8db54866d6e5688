"""Generic access to LibCST nodes: syntax children, without whitespace and punctuation.

LibCST's visitors rebuild the tree on every visit; these helpers only read it.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, get_origin

import libcst as cst


class _Kind(ABCMeta):
    """Tells nodes apart by what they inherit: nothing else is ever registered as one of them, and to
    look for that takes half of a question."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


for _kind in vars(cst).values():
    if type(_kind) is ABCMeta and issubclass(_kind, cst.CSTNode):
        _kind.__class__ = _Kind  # type: ignore[assignment,method-assign]

_PUNCTUATION = (
    "whitespace",
    "lines",
    "comma",
    "semicolon",
    "lpar",
    "rpar",
    "lbracket",
    "rbracket",
    "lbrace",
    "rbrace",
    "equal",
    "arrow",
    "colon",
    "header",
    "footer",
    "asynchronous",
    "operator",
    "star",
    "dot",
    "indent",
    "encoding",
    "newline",
    "type_comment",
    "has_trailing_newline",
)

_KEPT = ("star_arg", "star_kwarg")


@cache
def _may_hold_syntax(name: str) -> bool:
    return name in _KEPT or not any(word in name for word in _PUNCTUATION)


class _Below(dict[type, Callable[[Any], list[cst.CSTNode]]]):
    """For each kind of node what gives the syntax below one, the last child first.

    It is compiled when the first node of the kind is met, by what the fields are declared to hold.
    """

    def __missing__(self, kind: type) -> Callable[[Any], list[cst.CSTNode]]:
        below, lines = [], []
        for part in reversed([part for part in fields(kind) if _may_hold_syntax(part.name)]):
            value = f"node.{part.name}"
            if isinstance(part.type, type) and issubclass(part.type, cst.CSTNode):
                below.append(value)
            elif get_origin(part.type) is Sequence:
                below.append(f"*{value}[::-1]")
            elif part.type is not str:
                lines.append(f"found = [{', '.join(below)}]")
                lines.append(f"if {value} is not None: add(found, {value})")
                below = ["*found"]
        text = "\n ".join(["def below(node):", *lines, f"return [{', '.join(below)}]"])
        known: dict[str, Any] = {"add": _add}
        exec(text, known)
        self[kind] = known["below"]
        return self[kind]


def _add(found: list[cst.CSTNode], value: Any) -> None:
    held = type(value)
    if held is list or held is tuple:
        found += reversed(value)
    elif value is not None and held is not str and held is not cst.MaybeSentinel:
        found.append(value)


BELOW = _Below()


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The syntax children of a node, in the order of its fields."""
    kind = type(node)
    return BELOW[kind](node)[::-1] if kind not in LEAVES else []


#: The most frequent nodes that hold no syntax.
LEAVES = frozenset({cst.Name, cst.Integer, cst.Float, cst.SimpleString})

_CLOSED = LEAVES | {cst.FunctionDef, cst.Lambda, cst.ClassDef}


def walk(node: cst.CSTNode, *, into_scopes: bool = True) -> Iterator[cst.CSTNode]:
    """`node` and all syntax below it, parents first.

    With `into_scopes=False`, nested functions, lambdas and classes are yielded but not entered.
    """
    stack = [node]
    closed = LEAVES if into_scopes else _CLOSED
    while stack:
        current = stack.pop()
        yield current
        kind = type(current)
        if kind not in closed or (current is node and kind not in LEAVES):
            stack += BELOW[kind](current)


def block_statements(
    body: cst.BaseSuite | cst.Module,
) -> list[cst.SimpleStatementLine | cst.BaseCompoundStatement | cst.BaseSmallStatement]:
    """The statements of a block; a one-line suite gives its small statements."""
    return list(body.body)  # type: ignore[arg-type]


def dotted(node: cst.CSTNode | None) -> str | None:
    """`a.b.c` for a chain of names and attributes, else None."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is cst.Name:
        parts.append(node.value)
        return ".".join(reversed(parts))
    return None


def decorators_of(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """What stands as decorators of a function or class, of one that is called what is called."""
    made = [decorator.decorator for decorator in getattr(node, "decorators", ())]
    return [part.func if isinstance(part, cst.Call) else part for part in made]


def is_self(node: cst.CSTNode) -> bool:
    """Whether a node is the name `self`."""
    return isinstance(node, cst.Name) and node.value == "self"


def is_none(node: cst.CSTNode) -> bool:
    """Whether a node is `None`, written out."""
    return isinstance(node, cst.Name) and node.value == "None"


def target_names(target: cst.CSTNode) -> list[str]:
    """The plain names that an assignment target binds."""
    if type(target) is cst.Name:
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for element in target.elements for name in target_names(element.value)]
    if type(target) is cst.StarredElement:
        return target_names(target.value)
    return []


def bound_names(nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    for root in nodes:
        for node in walk(root, into_scopes=False):
            kind = type(node)
            if kind in _TARGETED:
                found.update(target_names(node.target))  # type: ignore[attr-defined]
            elif kind in _BINDING:
                found.update(_bound_by(node))
    return found


#: The nodes that bind what their `target` names, and the others that bind names.
_TARGETED = frozenset({cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr})
_BINDING = frozenset(
    {
        cst.WithItem,
        cst.FunctionDef,
        cst.ClassDef,
        cst.ExceptHandler,
        cst.ImportAlias,
        cst.MatchAs,
        cst.MatchStar,
        cst.MatchMapping,
    }
)


def imported_name(alias: cst.ImportAlias) -> str:
    """The name that an import binds: the first part of a dotted one that it gives no other."""
    bound = alias.asname.name if alias.asname is not None else alias.name
    return (dotted(bound) or "").partition(".")[0]


def _bound_by(node: cst.CSTNode) -> list[str]:
    if isinstance(node, cst.WithItem) and node.asname is not None:
        return target_names(node.asname.name)
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return [node.name.value]
    if isinstance(node, cst.ExceptHandler) and node.name is not None:
        return target_names(node.name.name)
    if isinstance(node, cst.ImportAlias):
        return [imported_name(node)]
    if isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
        return [node.name.value]
    if isinstance(node, cst.MatchMapping) and node.rest is not None:
        return [node.rest.value]
    return []


def asks_for_main(test: cst.BaseExpression) -> bool:
    """Whether a test is `__name__ == "__main__"`."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    only = test.comparisons[0]
    if not isinstance(only.operator, cst.Equal):
        return False
    sides = (test.left, only.comparator)
    names = {side.value for side in sides if isinstance(side, cst.Name)}
    texts = {side.evaluated_value for side in sides if isinstance(side, cst.SimpleString)}
    return names == {"__name__"} and texts == {"__main__"}
