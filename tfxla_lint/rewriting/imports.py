"""Adds the imports that new code needs, at module level, where the module has no such name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.layout import Layout, RewriteRefused
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import dotted


def import_edits(layout: Layout, imports: Iterable[tuple[str, str]]) -> list[Edit]:
    """The edits that make each module known under its name, in the order of the imports.

    Raises RewriteRefused where a name means something else anywhere in the module.
    """
    needed = [pair for pair in dict.fromkeys(imports) if not _is_known(layout, *pair)]
    return [_edit(layout, module, name) for module, name in needed]


def import_line(module: str, name: str) -> str:
    """The statement that imports `module` as `name`."""
    parent, _, last = module.rpartition(".")
    if module == name:
        return f"import {module}"
    return (
        f"from {parent} import {name}" if parent and last == name else f"import {module} as {name}"
    )


def _is_known(layout: Layout, module: str, name: str) -> bool:
    """Whether the module imports this at module level; refuses what else the name may mean."""
    binder = layout.tree.binder
    scopes = (binder.module_scope, *binder.inner_scopes.values())
    bindings = [binding for scope in scopes for binding in scope.bindings.get(name, ())]
    imports = [binding for binding in bindings if binding.kind is BindingKind.IMPORT]
    is_known = any(binding.scope is binder.module_scope for binding in imports)
    is_other = any(binding.imported != module for binding in imports)
    if is_other or (not is_known and len(imports) < len(bindings)):
        raise RewriteRefused(f"`{name}` is the name of something else here")
    return is_known


def _edit(layout: Layout, module: str, name: str) -> Edit:
    """A line of its own below the imports; with a blank line where none of them are there."""
    body = layout.tree.module.body
    line = import_line(module, name) + layout.newline
    above = _line_above(body, module)
    if above is None:
        first = body[0]
        offset = layout.whole(first)[0] if body else len(layout.text)
        return Edit(offset, offset, line + _blank_before(layout, first))
    if _goes_above(body[above], module):
        offset = layout.line_start(layout.syntactic(body[above])[0])
        return Edit(offset, offset, line)
    offset = layout.whole(body[above])[1]
    if not _is_import(body[above]):
        line = layout.newline + line
    if not layout.ends_line(offset):
        line = layout.newline + line[: -len(layout.newline)]
    return Edit(offset, offset, line)


def _goes_above(statement: cst.BaseStatement, module: str) -> bool:
    """Whether `import module as name` comes before a line that imports from the package.

    So it is usually written: the package first, then what is taken out of it.
    """
    if not isinstance(statement, cst.SimpleStatementLine) or "." in module:
        return False
    return any(
        isinstance(small, cst.ImportFrom)
        and not small.relative
        and (dotted(small.module) or "").partition(".")[0] == module
        for small in statement.body
    )


def _blank_before(layout: Layout, first: cst.BaseStatement) -> str:
    is_apart = _is_import(first) or bool(getattr(first, "leading_lines", ()))
    is_definition = isinstance(first, (cst.FunctionDef, cst.ClassDef))
    return "" if is_apart else layout.newline * (2 if is_definition else 1)


def _line_above(body: Sequence[cst.BaseStatement], module: str) -> int | None:
    """The index of the statement below which the import goes, None for the top of the file.

    That is the first import of the same package, else the last one of the imports that open the
    file, else the docstring.
    """
    package = module.partition(".")[0]
    opening: int | None = None
    is_opening = True
    for index, statement in enumerate(body):
        imported = _packages(statement)
        if package in imported:
            return index
        is_opening = is_opening and (
            bool(imported) or (index == 0 and _is_docstring(statement)) or _is_pass(statement)
        )
        if is_opening:
            opening = index
    return opening


def _is_import(statement: cst.BaseStatement) -> bool:
    return bool(_packages(statement))


def _packages(statement: cst.BaseStatement) -> set[str]:
    """The top-level packages that a line imports from ("" for the module's own)."""
    found: set[str] = set()
    if not isinstance(statement, cst.SimpleStatementLine):
        return found
    for small in statement.body:
        if isinstance(small, cst.Import):
            found.update(alias.evaluated_name.partition(".")[0] for alias in small.names)
        elif isinstance(small, cst.ImportFrom):
            name = "" if small.relative else dotted(small.module) or ""
            found.add(name.partition(".")[0])
    return found


def _is_pass(statement: cst.BaseStatement) -> bool:
    """Whether a line does nothing, as one that stands for a command of a notebook."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    return all(isinstance(small, cst.Pass) for small in statement.body)


def _is_docstring(statement: cst.BaseStatement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    small = statement.body[0]
    return isinstance(small, cst.Expr) and isinstance(
        small.value, (cst.SimpleString, cst.ConcatenatedString)
    )
