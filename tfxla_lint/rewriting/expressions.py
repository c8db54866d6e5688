"""Lowers the replacement of expressions and other parts of a statement."""

from __future__ import annotations

import ast

import libcst as cst

from tfxla_lint.edits import Replace
from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.layout import Change, Layout
from tfxla_lint.semantics.syntax import dotted

#: Expressions that hold together without parentheses, wherever an expression can stand.
_TIGHT = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.ListComp,
    cst.DictComp,
    cst.SetComp,
    cst.SimpleString,
    cst.FormattedString,
    cst.Float,
    cst.Imaginary,
    cst.Ellipsis,
)
#: Expressions that bind tighter than the `if` and `else` of a conditional.
_OPERATIONS = (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Comparison)
#: Expressions that need parentheses even where nothing binds tighter.
_LOOSE = (cst.Tuple, cst.Yield, cst.NamedExpr, cst.GeneratorExp)

#: Where an expression ends only at a bracket, a comma, a keyword or the end of the statement.
_OPEN: dict[type[cst.CSTNode], frozenset[str]] = {
    cst.Expr: frozenset({"value"}),
    cst.Return: frozenset({"value"}),
    cst.Assign: frozenset({"value"}),
    cst.AnnAssign: frozenset({"value"}),
    cst.AugAssign: frozenset({"value"}),
    cst.Arg: frozenset({"value"}),
    cst.Element: frozenset({"value"}),
    cst.DictElement: frozenset({"value"}),
    cst.Index: frozenset({"value"}),
    cst.If: frozenset({"test"}),
    cst.While: frozenset({"test"}),
    cst.Assert: frozenset({"test", "msg"}),
    cst.For: frozenset({"iter"}),
    cst.Param: frozenset({"default"}),
    cst.Decorator: frozenset({"decorator"}),
}
#: What is no code by itself, in the code that it can be a part of.
_FORMS: dict[type[cst.CSTNode], str] = {cst.Arg: "f({})", cst.Param: "def f({}): pass"}


def replace(layout: Layout, edit: Replace) -> Change:
    """The edit that puts `edit.new` in the place of `edit.node`."""
    node = edit.node
    if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement, cst.BaseSuite)):
        raise TypeError("Replace is for parts of a statement; use ReplaceStatements")
    if isinstance(node, cst.BaseExpression):
        return _replace_expression(layout, *_narrowed(node, edit.new))
    start, end = layout.syntactic(node)
    indent = layout.indent_at(start)
    return Change(Edit(start, end, _part(layout, node, edit.new, indent)))


def _narrowed(
    old: cst.BaseExpression, new: cst.CSTNode | str
) -> tuple[cst.BaseExpression, cst.CSTNode | str]:
    """The part of a dotted name that another replaces, however the rest of it is written."""
    if isinstance(old, cst.Attribute) and isinstance(new, str):
        base, _, leaf = new.rpartition(".")
        if leaf.isidentifier() and dotted(old.value) == base:
            return old.attr, leaf
    return old, new


def brought(edit: Replace) -> cst.CSTNode:
    """The tree of the code that a replacement brings; raises TypeError where it is no Python."""
    new = edit.new
    if not isinstance(new, str):
        return new
    if isinstance(edit.node, cst.BaseExpression):
        return parse_expression(new)
    if isinstance(edit.node, cst.BaseSmallStatement):
        return _parse_small_statement(new)
    form = _FORMS.get(type(edit.node))
    if form is None:
        raise TypeError(f"nothing that text can replace: {type(edit.node).__name__}")
    return _parse_statement(form.format(new))


def _parse_small_statement(text: str) -> cst.BaseSmallStatement:
    line = _parse_statement(text)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise TypeError(f"not a small statement: {text}")
    return line.body[0]


def _parse_statement(text: str) -> cst.CSTNode:
    try:
        return cst.parse_statement(text.strip())
    except cst.ParserSyntaxError as error:
        raise TypeError(f"not a statement: {text}") from error


def _part(layout: Layout, old: cst.CSTNode, new: cst.CSTNode | str, indent: str) -> str:
    """The code of what is no expression: an argument, a small statement, a parameter."""
    if isinstance(new, str) and "\n" in new and isinstance(old, cst.BaseSmallStatement):
        # Written without the indentation of the block that it stands in.
        new = _parse_small_statement(new)
    if isinstance(new, str):
        return layout.with_newlines(new.strip())
    if isinstance(new, cst.Arg):
        bare = cst.SimpleWhitespace("")
        new = new.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=bare)
    elif isinstance(new, cst.BaseSmallStatement):
        new = new.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    elif isinstance(old, cst.BaseSmallStatement):
        raise TypeError("a small statement can be replaced by a small statement only")
    return layout.code([new], indent)


def _replace_expression(layout: Layout, old: cst.BaseExpression, new: cst.CSTNode | str) -> Change:
    start, end = layout.whole(old)
    expression = parse_expression(new) if isinstance(new, str) else new
    if not isinstance(expression, cst.BaseExpression):
        raise TypeError("an expression can be replaced by an expression only")
    code = layout.code([expression], layout.indent_at(start))
    if needs_parentheses(layout, old, expression, code):
        code = f"({code})"
    if _touches_word(layout.text, start, end, code):
        code = f"({code})"
    return Change(Edit(start, end, code))


def parse_expression(text: str) -> cst.BaseExpression:
    """The tree of an expression that a rule wrote as text."""
    try:
        return cst.parse_expression(text.strip())
    except cst.ParserSyntaxError as error:
        raise TypeError(f"not an expression: {text}") from error


def needs_parentheses(
    layout: Layout, old: cst.BaseExpression, new: cst.BaseExpression, code: str
) -> bool:
    """Whether `new` would fall apart, or swallow what follows, in the place of `old`."""
    if new.lpar:
        return False
    if "\n" in code or "\r" in code:
        # Its lines were joined by brackets that it had around it.
        if not _is_expression(code):
            return True
    parent = layout.tree.parent(old)
    if isinstance(new, cst.Integer):
        return isinstance(parent, cst.Attribute)
    if isinstance(new, _TIGHT):
        return False
    if not isinstance(new, _LOOSE) and _is_open(parent, old):
        return False
    if isinstance(new, _OPERATIONS) and isinstance(parent, cst.IfExp):
        return False
    return not _binds_alike(old, new)


def _is_expression(code: str) -> bool:
    try:
        ast.parse(code, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _is_open(parent: cst.CSTNode | None, old: cst.BaseExpression) -> bool:
    if isinstance(parent, cst.Arg) and parent.star:
        return False
    names = _OPEN.get(type(parent), ()) if parent is not None else ()
    return any(getattr(parent, name) is old for name in names)


def _binds_alike(old: cst.BaseExpression, new: cst.BaseExpression) -> bool:
    """Whether an operation without parentheses makes room for one with the same operator."""
    if old.lpar or type(old) is not type(new):
        return False
    if isinstance(old, (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation)):
        operator = getattr(new, "operator", None)
        return type(old.operator) is type(operator)
    return isinstance(old, (cst.Comparison, cst.Await))


def _touches_word(text: str, start: int, end: int, code: str) -> bool:
    """Whether a keyword or name beside the stretch would run into the new code."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return bool(
        (_is_word(before) and (_is_word(code[:1]) or code[:1] in "\"'"))
        or (_is_word(after) and _is_word(code[-1:]))
    )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
