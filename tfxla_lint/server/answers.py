"""What an editor is told of what is known: diagnostics, code actions, hovers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from lsprotocol import types
from pygls.uris import from_fs_path

from tfxla_lint.findings import Applicability, Finding, Fix, Level, Related
from tfxla_lint.noqa import add_noqa
from tfxla_lint.notebooks.module import NotebookSource
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.server.analysis import Known
from tfxla_lint.server.texts import Text
from tfxla_lint.settings.shown import report_root
from tfxla_lint.source import Source, apply_edits

SOURCE = "tfxla-lint"
FIX_ALL = "source.fixAll.tfxla-lint"

_SEVERITIES = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.NOTE: types.DiagnosticSeverity.Information,
}

#: Turns texts with their edits into what the editor takes.
ToEdit = Callable[[Sequence[tuple[Text, Sequence[types.TextEdit]]]], types.WorkspaceEdit]


def diagnostics(known: Known) -> dict[str, list[types.Diagnostic]]:
    """The findings of each text, which may be none."""
    found: dict[str, list[types.Diagnostic]] = {text.uri: [] for text in known.opened.texts}
    for finding in known.result.findings:
        place = known.opened.location(finding.span)
        found[place.uri].append(_diagnostic(known, finding, place.range))
    return found


def _diagnostic(known: Known, finding: Finding, place: types.Range) -> types.Diagnostic:
    related = [_related(known, item) for item in finding.related if not item.is_further]
    return types.Diagnostic(
        place,
        finding.message,
        _SEVERITIES[finding.level],
        finding.code,
        source=SOURCE,
        related_information=related or None,
    )


def _related(known: Known, item: Related) -> types.DiagnosticRelatedInformation:
    if item.path is None:
        return types.DiagnosticRelatedInformation(known.opened.location(item.span), item.message)
    # Nobody has that file's text at hand: its columns are taken for what the protocol counts.
    uri = from_fs_path(str(report_root() / item.path)) or ""
    start = types.Position(item.span.line - 1, item.span.column - 1)
    end = types.Position(item.span.end_line - 1, item.span.end_column - 1)
    location = types.Location(uri, types.Range(start, end))
    return types.DiagnosticRelatedInformation(location, item.message)


def _findings_in(
    known: Known, uri: str, where: types.Range
) -> Iterator[tuple[Finding, types.Range]]:
    """The findings of a text that a range touches, with their places."""
    for finding in known.result.findings:
        place = known.opened.location(finding.span)
        if place.uri == uri and place.range.start <= where.end and where.start <= place.range.end:
            yield finding, place.range


def actions(
    known: Known, uri: str, where: types.Range, to_edit: ToEdit
) -> Iterator[types.CodeAction]:
    """What can be done about the findings at a place: each fix, then comments that silence them."""
    source = known.source
    if source is None:
        return
    found = list(_findings_in(known, uri, where))
    for finding, place in found:
        fix = finding.fix
        if fix is None or not fix.edits or fix.applicability is Applicability.DISPLAY:
            continue
        edit = _edit(known, source, apply_edits(source.text, fix.edits), to_edit)
        is_safe = fix.applicability is Applicability.SAFE
        title = f"{finding.code}: {_title(fix)}"
        yield _quick_fix(known, finding, place, title, edit, is_safe)
    for finding, place in found:
        text, count = add_noqa(source, [finding])
        if count:
            edit = _edit(known, source, text, to_edit)
            title = f"{finding.code}: silence it here (# noqa)"
            yield _quick_fix(known, finding, place, title, edit, False)


def _title(fix: Fix) -> str:
    """What a fix does, whether it is safe, and what it rests on if it is not."""
    assumes = f": {fix.assumption}" if fix.assumption else ""
    return f"{fix.title} ({fix.applicability.value}{assumes})"


def _quick_fix(
    known: Known,
    finding: Finding,
    place: types.Range,
    title: str,
    edit: types.WorkspaceEdit | None,
    is_preferred: bool,
) -> types.CodeAction:
    return types.CodeAction(
        title,
        types.CodeActionKind.QuickFix,
        [_diagnostic(known, finding, place)],
        is_preferred=is_preferred,
        edit=edit,
    )


def _edit(known: Known, source: Source, text: str, to_edit: ToEdit) -> types.WorkspaceEdit | None:
    try:
        return to_edit(list(known.opened.edits(source, text)))
    except ValueError:
        return None


def fix_all(known: Known, fixed: bytes | None, to_edit: ToEdit) -> types.WorkspaceEdit | None:
    """The edit that makes the texts what the safe fixes make of them."""
    source = known.source
    if source is None or fixed is None:
        return None
    after = source_of(fixed, source.path)
    if isinstance(source, NotebookSource) and isinstance(after, NotebookSource):
        # The cells that are Python are the same: fixes take none away and add none.
        codes = zip(source.cells, after.codes(), strict=True)
        texts = {cell.index: code for cell, code in codes}
        rows = [
            (text, list(known.opened.between(text, texts[text.cell])))
            for text in known.opened.texts
            if text.cell in texts and texts[text.cell] != text.text
        ]
        return to_edit(rows)
    return _edit(known, source, after.text, to_edit)


def hover(known: Known, uri: str, at: types.Position) -> types.Hover | None:
    """What is known of the TensorFlow symbol at a place, and the pages of what is found there."""
    parts: list[str] = []
    source = known.source
    offset = known.opened.offset(source, uri, at) if source is not None else None
    facts = known.symbol_at(offset) if offset is not None else []
    if facts:
        parts.append("\n".join(f"- {label}: {_escaped(value)}" for label, value in facts))
    for finding, _ in _findings_in(known, uri, types.Range(at, at)):
        info = known.catalogue.by_code.get(finding.code)
        if info is not None:
            said = _in_markdown(finding.message)
            parts.append(f"**{info.code} {info.name}**: {said}\n\n{info.page}")
    if not parts:
        return None
    text = "\n\n---\n\n".join(dict.fromkeys(parts))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


#: What Markdown and HTML would read as more than a character.
_MARKUP = re.compile(r"[\\`*_{}\[\]()<>#+\-!|~$&]")
_CODE = re.compile(r"`([^`\n]+)`")


def _in_markdown(message: str) -> str:
    """A message in one paragraph, its code as code; the user's own words in it are no markup."""
    parts = _CODE.split(" ".join(message.split()))
    return "".join(
        f"`{part}`" if number % 2 else _MARKUP.sub(r"\\\g<0>", part)
        for number, part in enumerate(parts)
    )


def _escaped(value: str) -> str:
    """A value that Markdown shows as it is."""
    return f"`{value}`" if "*" in value or "_" in value or "<" in value else value
