"""Generic access to LibCST nodes: syntax children, without whitespace and punctuation.

LibCST's visitors rebuild the tree on every visit; these helpers only read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

import libcst as cst

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

_FIELDS: dict[type, tuple[str, ...]] = {}


def syntax_fields(kind: type) -> tuple[str, ...]:
    """The names of a node class' fields that can hold syntax."""
    known = _FIELDS.get(kind)
    if known is None:
        known = tuple(
            field.name
            for field in fields(kind)
            if field.name in _KEPT or not any(word in field.name for word in _PUNCTUATION)
        )
        _FIELDS[kind] = known
    return known


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The syntax children of a node, in the order of its fields."""
    found: list[cst.CSTNode] = []
    kind = type(node)
    if kind not in _LEAVES:
        _add_children(node, kind, found)
    return found


def _add_children(node: cst.CSTNode, kind: type, found: list[cst.CSTNode]) -> None:
    for name in _FIELDS.get(kind) or syntax_fields(kind):
        value = getattr(node, name)
        held = type(value)
        if held is list or held is tuple:
            found.extend(value)
        elif value is not None and held is not str and held is not cst.MaybeSentinel:
            found.append(value)


#: The most frequent nodes that hold no syntax.
_LEAVES = frozenset({cst.Name, cst.Integer, cst.Float, cst.SimpleString})

_NESTED_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)


def walk(node: cst.CSTNode, *, into_scopes: bool = True) -> Iterator[cst.CSTNode]:
    """`node` and all syntax below it, parents first.

    With `into_scopes=False`, nested functions, lambdas and classes are yielded but not entered.
    """
    stack = [node]
    closed = () if into_scopes else _NESTED_SCOPES
    while stack:
        current = stack.pop()
        yield current
        kind = type(current)
        if kind in _LEAVES or (kind in closed and current is not node):
            continue
        below: list[cst.CSTNode] = []
        _add_children(current, kind, below)
        below.reverse()
        stack += below


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


def is_self(node: cst.CSTNode) -> bool:
    """Whether a node is the name `self`."""
    return isinstance(node, cst.Name) and node.value == "self"


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
_BINDING = frozenset({cst.WithItem, cst.FunctionDef, cst.ClassDef, cst.ExceptHandler})


def _bound_by(node: cst.CSTNode) -> list[str]:
    if isinstance(node, cst.WithItem) and node.asname is not None:
        return target_names(node.asname.name)
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return [node.name.value]
    if isinstance(node, cst.ExceptHandler) and node.name is not None:
        return target_names(node.name.name)
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
