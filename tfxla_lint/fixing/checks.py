"""The checks L0 to L3 that the result of a set of fixes must pass before it is accepted."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfxla_lint.findings import Edit, Finding
from tfxla_lint.fixing.comments import lost_comment
from tfxla_lint.fixing.confinement import Tree, first_difference
from tfxla_lint.fixing.places import EditMap
from tfxla_lint.fixing.progress import Progress
from tfxla_lint.linter import parse_quietly
from tfxla_lint.source import Source, SourceError, apply_edits

if TYPE_CHECKING:
    from tfxla_lint.linter import LintResult

Lint = Callable[[Source], "LintResult"]


@dataclass(frozen=True)
class State:
    """A text with its tree and its findings."""

    source: Source
    tree: ast.Module
    result: LintResult


class Refused(Exception):
    """The result of a set of fixes fails a check; the message says which."""


class Refuted(Refused):
    """The result of a fix computes something else when it is run."""


def applied(state: State, findings: Sequence[Finding], lint: Lint) -> State:
    """The state after the fixes of `findings`, which do not overlap.

    Raises Refused where the result fails a check.
    """
    edits = EditMap(edits_of(findings))
    text = apply_edits(state.source.text, edits.edits)
    source = with_text(state.source, text)
    _check_encoding(source)
    tree = _parsed(text)
    _check_confinement(state, source, tree, edits)
    _check_comments(state, text, edits, findings)
    result = lint(source)
    _check_progress(state, result, source, edits, findings)
    return State(source, tree, result)


def edits_of(findings: Sequence[Finding]) -> list[Edit]:
    """The edits of the findings' fixes, each of them once."""
    fixes = [finding.fix for finding in findings if finding.fix is not None]
    return list(dict.fromkeys(edit for fix in fixes for edit in fix.edits))


def with_text(source: Source, text: str) -> Source:
    """The same file with another text; raises Refused where it cannot have that."""
    try:
        return source.with_text(text)
    except ValueError as error:
        raise Refused(str(error)) from None


def _check_encoding(source: Source) -> None:
    """The text must come back when the file is written and read."""
    try:
        data = source.encode(source.text)
    except UnicodeEncodeError as error:
        char = source.text[error.start]
        raise Refused(f"the file's encoding {source.encoding} has no {char!r}") from None
    except ValueError as error:
        raise Refused(str(error)) from None
    try:
        again = source.reread(data)
    except SourceError as error:
        raise Refused(f"the file could not be read again: {error.message}") from None
    if (again.text, again.has_bom) != (source.text, source.has_bom):
        raise Refused("the file would be read in another encoding")


def _parsed(text: str) -> ast.Module:
    """L0: both parsers accept the text."""
    try:
        tree = parse_quietly(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise Refused(f"the result does not parse: {reason}") from None
    import libcst

    try:
        libcst.parse_module(text)
    except Exception as error:
        reason = str(error).strip().split("\n")[0]
        raise Refused(f"LibCST does not parse the result: {reason}") from None
    return tree


def _check_confinement(state: State, source: Source, tree: ast.Module, edits: EditMap) -> None:
    line = first_difference(
        Tree(state.source.text, state.tree, edits.old), Tree(source.text, tree, edits.new)
    )
    if line is not None:
        start = state.source.line_starts[line - 1]
        line = state.source.span(start, start).shown_line
        raise Refused(f"it would change the code around it, at line {line}")


def _check_comments(state: State, text: str, edits: EditMap, findings: Sequence[Finding]) -> None:
    codes: dict[Edit, set[str]] = {edit: set() for edit in edits.edits}
    for finding in findings:
        for edit in finding.fix.edits if finding.fix is not None else ():
            codes[edit].add(finding.code)
    lost = lost_comment(state.source, state.tree, text, edits, codes)
    if lost is not None:
        raise Refused(f"it would lose the comment `{lost}`")


def _check_progress(
    state: State,
    result: LintResult,
    source: Source,
    edits: EditMap,
    findings: Sequence[Finding],
) -> None:
    broken = {crash.code for crash in result.crashed} - {c.code for c in state.result.crashed}
    if broken:
        raise Refused(f"{min(broken)} fails on the result")
    progress = Progress(state.result.findings, result.findings, edits)
    error = progress.new_error(findings)
    if error is not None:
        raise Refused(f"it would bring {error.code} on: {error.message}")
    if progress.remaining(findings) is not None:
        raise Refused("the problem would still be there")
