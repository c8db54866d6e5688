"""Node edits: what a rule asks to change, in terms of the tree that it read.

`tfxla_lint.rewriting` lowers them to text edits, so a rule never handles offsets, indentation or
line endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

import libcst as cst

from tfxla_lint.findings import Applicability, Intent

Statement: TypeAlias = cst.SimpleStatementLine | cst.BaseCompoundStatement


def is_statement(node: cst.CSTNode) -> TypeGuard[Statement]:
    """Whether a node is a whole statement, as blocks hold them."""
    return isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))


@dataclass(frozen=True)
class Replace:
    """Puts an expression (a node, or its source text) in the place of `node`.

    Whitespace and comments around `node` stay; parentheses that `node` owns go with it.
    """

    node: cst.CSTNode
    new: cst.CSTNode | str


@dataclass(frozen=True)
class InsertArgument:
    """Adds an argument, given as source text (`persistent=True`), at the end of a call."""

    call: cst.Call
    text: str


@dataclass(frozen=True)
class RemoveArgument:
    """Takes an argument out of a call, with its comma."""

    call: cst.Call
    argument: cst.Arg


@dataclass(frozen=True)
class InsertBefore:
    """Puts statements before `statement`, above the comments that lead it, in its indentation."""

    statement: Statement
    new: Sequence[Statement]


@dataclass(frozen=True)
class InsertAfter:
    """Puts statements after `statement`, in its indentation."""

    statement: Statement
    new: Sequence[Statement]


@dataclass(frozen=True)
class ReplaceStatements:
    """Puts `new` in the place of the sibling statements from `first` to `last`.

    The comments and blank lines that lead `first` and the trailing comment of `last` belong to
    the replaced stretch: `new` carries those that are to stay.
    """

    first: Statement
    last: Statement
    new: Sequence[Statement]


@dataclass(frozen=True)
class Remove:
    """Takes a statement away, with its trailing comment.

    Comments on the lines above stay. A block that would be left empty gets `pass`.
    """

    statement: Statement


@dataclass(frozen=True)
class Decorate:
    """Puts a decorator (source text without the `@`) directly above a `def`."""

    function: cst.FunctionDef
    text: str


@dataclass(frozen=True)
class ReplaceDecorator:
    """Puts source text (without the `@`) in the place of a decorator's expression."""

    decorator: cst.Decorator
    text: str


NodeEdit: TypeAlias = (
    Replace
    | InsertArgument
    | RemoveArgument
    | InsertBefore
    | InsertAfter
    | ReplaceStatements
    | Remove
    | Decorate
    | ReplaceDecorator
)


def place_of(edit: NodeEdit) -> cst.CSTNode:
    """The node that an edit changes, or beside which it puts others."""
    if isinstance(edit, Replace):
        return edit.node
    if isinstance(edit, (InsertArgument, RemoveArgument)):
        return edit.call
    if isinstance(edit, ReplaceStatements):
        return edit.first
    if isinstance(edit, Decorate):
        return edit.function
    return edit.decorator if isinstance(edit, ReplaceDecorator) else edit.statement


@dataclass(frozen=True)
class Rewrite:
    """A fix as a rule gives it; the fields are those of `tfxla_lint.findings.Fix`.

    `imports` lists modules that the new text needs under a given name, as (module, name):
    `("tensorflow", "tf")`.
    """

    title: str
    edits: Sequence[NodeEdit]
    applicability: Applicability = Applicability.UNSAFE
    intent: Intent = Intent.PRESERVING
    assumption: str = ""
    unit: str = ""
    imports: Sequence[tuple[str, str]] = field(default=())
    is_partial: bool = False
