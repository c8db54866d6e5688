"""Where the two sides of an `if` return, as AutoGraph sees it.

What follows an `if` in the same block belongs to the side that does not return; what follows the
block does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk


class _Ends(Enum):
    """Whether statements return: on every path, on none, or on some or who knows."""

    ALWAYS = "always"
    NEVER = "never"
    SOMETIMES = "sometimes"


def falls_off(model: SemanticModel, node: cst.If) -> cst.Return | None:
    """A `return` of an `if` whose other side surely ends without one; None where all is well."""
    then = _ends(node.body.body)
    rest = _rest(model, node)
    other = _other(node, rest)
    whole_then = then if then is not _Ends.NEVER else _ends(rest)
    if {whole_then, other} != {_Ends.ALWAYS, _Ends.NEVER}:
        return None
    side = node.body if other is _Ends.NEVER else node.orelse
    return _first_return(side) if side is not None else None


def returned(model: SemanticModel, node: cst.If) -> tuple[cst.Return, cst.Return] | None:
    """The two `return`s between which a test decides, where each stands at the end of its side."""
    then = _last_return(node.body.body)
    if node.orelse is None:
        other = _last_return(_rest(model, node))
    elif isinstance(node.orelse, cst.Else):
        other = _last_return(node.orelse.body.body)
    else:
        other = None
    return (then, other) if then is not None and other is not None else None


def _rest(model: SemanticModel, node: cst.If) -> Sequence[cst.CSTNode]:
    """The statements after an `if` in its own block; none after an `elif`."""
    block = model.parent(node)
    body = getattr(block, "body", None)
    if isinstance(block, (cst.IndentedBlock, cst.Module)) and isinstance(body, (list, tuple)):
        index = next(i for i, statement in enumerate(body) if statement is node)
        return body[index + 1 :]
    return ()


def _other(node: cst.If, rest: Sequence[cst.CSTNode]) -> _Ends:
    if node.orelse is None:
        return _ends(rest)
    if isinstance(node.orelse, cst.If):
        ends = _ends([node.orelse])
    else:
        ends = _ends(node.orelse.body.body)
    return ends if ends is not _Ends.NEVER else _ends(rest)


def _ends(statements: Sequence[cst.CSTNode]) -> _Ends:
    for statement in statements:
        found = _ends_one(statement)
        if found is not _Ends.NEVER:
            return found
    return _Ends.NEVER


def _ends_one(node: cst.CSTNode) -> _Ends:
    if isinstance(node, cst.SimpleStatementLine):
        leaves = any(isinstance(small, (cst.Return, cst.Raise)) for small in node.body)
        return _Ends.ALWAYS if leaves else _Ends.NEVER
    if isinstance(node, (cst.Return, cst.Raise)):
        return _Ends.ALWAYS
    if isinstance(node, cst.With):
        return _ends(node.body.body)
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return _Ends.NEVER
    if isinstance(node, cst.If):
        other = node.orelse
        below = _Ends.NEVER
        if other is not None:
            below = _ends_one(other) if isinstance(other, cst.If) else _ends(other.body.body)
        ends = {_ends(node.body.body), below}
        return ends.pop() if len(ends) == 1 else _Ends.SOMETIMES
    leaves = any(isinstance(n, (cst.Return, cst.Raise)) for n in walk(node, into_scopes=False))
    return _Ends.SOMETIMES if leaves else _Ends.NEVER


def _first_return(node: cst.CSTNode) -> cst.Return | None:
    return next((n for n in walk(node, into_scopes=False) if isinstance(n, cst.Return)), None)


def _last_return(statements: Sequence[cst.CSTNode]) -> cst.Return | None:
    """The `return` with which statements end, where nothing in them returns earlier."""
    if not statements or _ends(statements[:-1]) is not _Ends.NEVER:
        return None
    last = statements[-1]
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return small if isinstance(small, cst.Return) else None
