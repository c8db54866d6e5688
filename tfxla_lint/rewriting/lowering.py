"""Lowers node edits to text edits: the bytes outside of an edit cannot change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import (
    Decorate,
    InsertAfter,
    InsertArgument,
    InsertBefore,
    NodeEdit,
    Remove,
    RemoveArgument,
    Replace,
    ReplaceDecorator,
    ReplaceStatements,
    Rewrite,
)
from tfxla_lint.findings import Edit, Fix
from tfxla_lint.rewriting.arguments import lower_arguments
from tfxla_lint.rewriting.comments import comment_texts, missing
from tfxla_lint.rewriting.expressions import replace
from tfxla_lint.rewriting.imports import import_edits
from tfxla_lint.rewriting.layout import Change, Layout, RewriteRefused, Tree
from tfxla_lint.rewriting.new_names import new_names
from tfxla_lint.rewriting.statements import StatementLowering
from tfxla_lint.rewriting.wrapping import wrapped


def lower(rewrite: Rewrite, tree: Tree) -> Fix:
    """The fix that a rewrite is: text edits, sorted and disjoint.

    Raises RewriteRefused where it cannot be written down here without harm, and TypeError where
    the rule asks for something that is no Python.
    """
    layout = Layout(tree)
    changes = _changes(layout, rewrite.edits)
    _check_comments(layout, changes)
    edits = [change.edit for change in changes]
    imports = import_edits(layout, rewrite.imports)
    if any(new.start > edit.start for new in imports for edit in edits):
        raise RewriteRefused("an import would stand below the code that needs it")
    merged = _merged(layout, imports + edits)
    if not all(map(_is_renaming, rewrite.edits)):
        merged = wrapped(tree.source, merged, tree.module.default_indent)
    return Fix(
        rewrite.title,
        tuple(merged),
        rewrite.applicability,
        rewrite.intent,
        rewrite.assumption,
        rewrite.unit,
        new_names=new_names(layout, rewrite.edits),
        is_partial=rewrite.is_partial,
    )


def _is_renaming(edit: NodeEdit) -> bool:
    """Whether a name is put in the place of a name.

    Its line stays one then, however long: what stands on one line decides which lambdas AutoGraph can tell
    apart, and logs say the numbers of lines.
    """
    if not isinstance(edit, Replace) or not isinstance(edit.node, (cst.Name, cst.Attribute)):
        return False
    if isinstance(edit.new, str):
        return all(part.isidentifier() for part in edit.new.split("."))
    return isinstance(edit.new, (cst.Name, cst.Attribute))


def _changes(layout: Layout, edits: Sequence[NodeEdit]) -> list[Change]:
    """Each edit's change; those of one call's arguments are made together."""
    statements = StatementLowering(layout, edits)
    calls: dict[int, list[InsertArgument | RemoveArgument]] = {}
    for edit in edits:
        if isinstance(edit, (InsertArgument, RemoveArgument)):
            calls.setdefault(id(edit.call), []).append(edit)
    found: list[Change] = []
    for edit in edits:
        if not isinstance(edit, (InsertArgument, RemoveArgument)):
            change = _change(layout, statements, edit)
            _check_f_string(layout, edit, change)
            found.append(change)
        elif id(edit.call) in calls:
            for change in lower_arguments(layout, edit.call, calls.pop(id(edit.call))):
                _check_f_string(layout, edit, change)
                found.append(change)
    return found


def _change(layout: Layout, statements: StatementLowering, edit: NodeEdit) -> Change:
    if isinstance(edit, Replace):
        return replace(layout, edit)
    if isinstance(edit, InsertBefore):
        return statements.insert_before(edit)
    if isinstance(edit, InsertAfter):
        return statements.insert_after(edit)
    if isinstance(edit, ReplaceStatements):
        return statements.replace(edit)
    if isinstance(edit, Remove):
        return statements.remove(edit)
    if isinstance(edit, Decorate):
        return statements.decorate(edit)
    if isinstance(edit, ReplaceDecorator):
        return statements.replace_decorator(edit)
    raise TypeError(f"no node edit: {edit!r}")


def _check_comments(layout: Layout, changes: Sequence[Change]) -> None:
    """No comment may be lost but those that an edit means to drop."""
    old = [
        layout.text[start:end]
        for change in changes
        for start, end in layout.positions.comments(change.edit.start, change.edit.end)
        if (start, end) not in change.dropped
    ]
    new = Counter[str]()
    for change in changes:
        new += comment_texts(change.edit.text)
    lost = missing(old, new.elements())
    if lost:
        raise RewriteRefused(f"the comment `{lost[0]}` would be lost")


def _check_f_string(layout: Layout, edit: NodeEdit, change: Change) -> None:
    """Before Python 3.12 an expression in an f-string holds no quotes, backslashes, comments."""
    if isinstance(edit, Replace):
        node = edit.node
    elif isinstance(edit, (InsertArgument, RemoveArgument)):
        node = edit.call
    else:
        return
    holder = _f_string_expression(layout, node)
    if holder is None:
        return
    if holder.equal is not None:
        raise RewriteRefused("an f-string shows the code that would be replaced")
    if any(char in change.edit.text for char in "\"'\\#{}\r\n"):
        raise RewriteRefused("the new code cannot stand in an f-string")


def _f_string_expression(layout: Layout, node: cst.CSTNode) -> cst.FormattedStringExpression | None:
    current = layout.tree.parent(node)
    while current is not None and not isinstance(current, (cst.BaseStatement, cst.Module)):
        if isinstance(current, cst.FormattedStringExpression):
            return current
        current = layout.tree.parent(current)
    return None


def _merged(layout: Layout, edits: Sequence[Edit]) -> list[Edit]:
    """`edits` in order, with the insertions at one place made one, without those that do nothing."""
    merged: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        last = merged[-1] if merged else None
        if last is not None and edit.start < last.end:
            raise RewriteRefused("two edits of the rewrite overlap")
        if last is not None and edit.start == edit.end == last.start == last.end:
            merged[-1] = Edit(last.start, last.end, last.text + edit.text)
        elif layout.text[edit.start : edit.end] != edit.text:
            merged.append(edit)
    return merged
