"""Suppressions that silence nothing (TXL002), and the edits that take them out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tfxla_lint.findings import Applicability, Edit, Finding, Fix, Intent, Level
from tfxla_lint.registry import SYNTAX_ERROR, UNUSED_SUPPRESSION
from tfxla_lint.source import Source
from tfxla_lint.suppressions import Directive, Item, Kind, Suppressions

NAME = "unused-suppression"
#: What parts a suppression from the remark behind it; a sign before a word is the word's.
_SEPARATORS = re.compile(r"[ \t]*(?:[:,;]|[-.\u2013\u2014]+(?=[ \t]|$))*[ \t]*")


def unused_suppressions(
    source: Source,
    suppressions: Suppressions,
    enabled: frozenset[str],
    nearest: Callable[[str], str | None],
) -> Iterator[Finding]:
    """A finding for each comment with a word that silenced none of the `enabled` rules.

    A word that speaks for a rule which did not run is left alone, and so is a comment without a
    list. `nearest` proposes a name for an unknown one.
    """
    for directive in suppressions.directives:
        idle = [item for item in directive.items if _is_idle(directive, item, enabled)]
        if not idle:
            continue
        finding = Finding(
            UNUSED_SUPPRESSION,
            NAME,
            Level.WARNING,
            _message(idle, nearest),
            source.path,
            source.span(directive.start, directive.end),
            fix=_fix(source, directive, idle, nearest),
        )
        if not suppressions.silences(finding):
            yield finding


def _is_idle(directive: Directive, item: Item, enabled: frozenset[str]) -> bool:
    if item.codes is None:
        return directive.kind is not Kind.NOQA or item.is_ours
    if UNUSED_SUPPRESSION in item.codes:
        return False
    return item.codes <= enabled and not item.codes & directive.used


def _message(idle: list[Item], nearest: Callable[[str], str | None]) -> str:
    unknown = [item.text for item in idle if item.codes is None]
    known = [item.text for item in idle if item.codes is not None]
    parts: list[str] = []
    if known:
        parts.append(f"this suppression of {', '.join(known)} silences nothing")
        if any(item.codes == frozenset({SYNTAX_ERROR}) for item in idle):
            parts.append(f"{SYNTAX_ERROR} cannot be suppressed")
    for word in unknown:
        proposal = nearest(word)
        hint = f" (did you mean {proposal}?)" if proposal else ""
        parts.append(f"no rule is called {word}{hint}")
    return "; ".join(parts)


def _fix(
    source: Source, directive: Directive, idle: list[Item], nearest: Callable[[str], str | None]
) -> Fix | None:
    """Takes the idle words out, but for a misspelt one, which its author should correct."""
    removed = [item for item in idle if item.codes is not None or not nearest(item.text)]
    if not removed:
        return None
    if len(removed) == len(directive.items):
        edits = [_without_directive(source, directive)]
    else:
        edits = list(_without_items(directive, removed))
    words = ", ".join(item.text for item in removed)
    return Fix(f"remove {words}", tuple(edits), Applicability.SAFE, Intent.CORRECTING)


def _without_items(directive: Directive, removed: list[Item]) -> Iterator[Edit]:
    """Edits that cut words out of a list, each with the separator that it no longer needs."""
    kept_before = False
    for index, item in enumerate(directive.items):
        if item not in removed:
            kept_before = True
        elif kept_before:
            yield Edit(directive.items[index - 1].end, item.end, "")
        else:
            yield Edit(item.start, directive.items[index + 1].start, "")


def _without_directive(source: Source, directive: Directive) -> Edit:
    """The edit that takes a suppression out of its comment, with the comment where it is empty."""
    text = source.text
    line_start = source.line_starts[directive.line - 1]
    before = text[line_start : directive.start]
    rest = _SEPARATORS.sub("", text[directive.end : directive.comment_end], count=1)
    if rest.strip():
        rest = rest if rest.startswith("#") else f"# {rest}"
        return Edit(directive.start, directive.comment_end, rest)
    if before.strip():
        return Edit(line_start + len(before.rstrip()), directive.comment_end, "")
    starts = source.line_starts
    end = starts[directive.line] if directive.line < len(starts) else len(text)
    return Edit(line_start, end, "")
