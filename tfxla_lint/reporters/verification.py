"""What running the fixes showed: a table with a row per fix, what there is to add, JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tfxla_lint.findings import Finding
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import file_of, harmless_start, lines_of, visible
from tfxla_lint.results import RunResult
from tfxla_lint.verify.checked import Checked
from tfxla_lint.verify.reports import as_json
from tfxla_lint.verify.speed import megabytes, milliseconds, times_faster
from tfxla_lint.verify.verdicts import Outcome, Timing, Verdict


class _Column(NamedTuple):
    """A column of the table: of numbers or words, left out or not where it holds nothing."""

    head: str
    is_number: bool
    is_optional: bool


_COLUMNS = (
    _Column("rule", False, False),
    _Column("place", False, False),
    _Column("verdict", False, False),
    _Column("error", True, True),
    _Column("lines", True, True),
    _Column("values", True, True),
    _Column("seen", True, True),
    _Column("original", True, True),
    _Column("graph", True, True),
    _Column("fused", True, True),
    _Column("XLA", True, True),
    _Column("ms per", False, True),
    _Column("faster", True, True),
    _Column("first ms", True, True),
    _Column("MB", True, True),
    _Column("traces", True, True),
)
_HEAD = tuple(column.head for column in _COLUMNS)
_VERDICT = _HEAD.index("verdict")


def render_text(result: RunResult, style: Style) -> str:
    """The table, then what the verdicts have to add to it, then the counts."""
    checked = result.checked
    if not checked:
        return "Verified: nothing to verify.\n"
    lines = [*_table(table_of(result), style), *remarks(result)]
    counts = Counter(verdict.outcome for item in checked for verdict in item.verdicts)
    words = ", ".join(f"{counts[o]} {o.value}" for o in Outcome if counts[o])
    return "".join(f"{line}\n" for line in [*lines, f"Verified: {words}."])


def table_of(result: RunResult) -> list[tuple[str, ...]]:
    """The heads of the columns that hold something, and a row for each verdict."""
    rows = [_row(item, verdict) for item in result.checked for verdict in item.verdicts]
    columns = [
        i for i, column in enumerate(_COLUMNS) if not column.is_optional or any(r[i] for r in rows)
    ]
    return [tuple(row[i] for i in columns) for row in (_HEAD, *rows)]


def remarks(result: RunResult) -> Iterator[str]:
    """What the verdicts have to add to the table."""
    return (line for item in result.checked for line in _remarks(item))


def _row(item: Checked, verdict: Verdict) -> tuple[str, ...]:
    times = {timing.variant: timing for timing in verdict.timings}
    brought = {f.fix.variant for f in item.findings if f.fix is not None and f.fix.variant}
    if "rewritten" in times and brought:
        times[min(brought)] = times.pop("rewritten")
    factor = times_faster(verdict)
    return (
        rules_of(item),
        visible(place_of(item, verdict)),
        verdict.outcome.value,
        _error(verdict),
        *_evidence(verdict),
        _time(times, "original"),
        _time(times, "rewritten"),
        _time(times, "fused"),
        _time(times, "xla"),
        next((timing.per for timing in verdict.timings), ""),
        f"{factor:.1f}x" if factor is not None else "",
        *_beginnings(times),
    )


def _beginnings(times: Mapping[str, Timing]) -> tuple[str, str, str]:
    """What tracing and compiling cost each new version, where several compete: the time of the first
    call or turn, memory, and how many traces."""
    if not {"fused", "xla"} & times.keys():
        return "", "", ""
    new = [times[name] for name in ("rewritten", "fused", "xla") if name in times]
    first = [milliseconds(t.first_milliseconds) for t in new if t.first_milliseconds is not None]
    traces = [str(timing.traces) for timing in new if timing.traces is not None]
    memory = [megabytes(t.megabytes).removesuffix(" MB") for t in new if t.megabytes is not None]
    times_told = ", ".join(text.removesuffix(" ms") for text in first)
    return times_told, ", ".join(memory), ", ".join(traces)


def _error(verdict: Verdict) -> str:
    if verdict.outcome is not Outcome.EQUIVALENT:
        return ""
    return f"{verdict.error:.1e}" if verdict.error else "0"


def _evidence(verdict: Verdict) -> tuple[str, str, str]:
    """How many changed lines ran, values were compared and wrong versions would have been seen."""
    if verdict.outcome is Outcome.DIFFERS:
        return "", "", ""
    ran, changed = (len(x.original) + len(x.rewritten) for x in (verdict.ran, verdict.changed))
    power = f"{verdict.power.seen}/{verdict.power.tried}" if verdict.power is not None else ""
    values = sum(verdict.values.values())
    return f"{ran}/{changed}" if changed else "", str(values) if values else "", power


def _time(times: Mapping[str, Timing], variant: str) -> str:
    timing = times.get(variant)
    if timing is None:
        return ""
    wrong = " (differs)" if timing.agrees is False else ""
    return f"{milliseconds(timing.milliseconds).removesuffix(' ms')}{wrong}"


def rules_of(item: Checked) -> str:
    """The codes of the rules whose fixes were run together."""
    return ", ".join(dict.fromkeys(finding.code for finding in item.findings))


def place_of(item: Checked, verdict: Verdict) -> str:
    """Where the fixes are, and in which function."""
    unit = "" if verdict.unit == "<module>" else f" {verdict.unit}"
    return f"{fixed_lines(verdict.path, item)}{unit}"


def fixed_lines(path: str, item: Checked) -> str:
    """A path with the lines of the fixes, which lie in one cell where it is that of a notebook."""
    spans = [finding.span for finding in item.findings]
    lines = ",".join(dict.fromkeys(str(span.shown_line) for span in spans))
    return f"{file_of(path, spans[0].cell)}:{lines}" if lines else path


def _table(rows: Sequence[Sequence[str]], style: Style) -> Iterator[str]:
    numbers = {column.head for column in _COLUMNS if column.is_number}
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = []
        for i, (head, width) in enumerate(zip(rows[0], widths, strict=True)):
            cell = row[i].rjust(width) if head in numbers else row[i].ljust(width)
            cells.append(_painted(cell, style) if number and i == _VERDICT else cell)
        line = "  ".join(cells).rstrip()
        yield line if number else style.dim(line)


def _painted(cell: str, style: Style) -> str:
    paint = {Outcome.EQUIVALENT.value: style.added, Outcome.DIFFERS.value: style.removed}
    return paint.get(cell.strip(), style.bold)(cell)


def _remarks(item: Checked) -> Iterator[str]:
    """What does not fit into the table: why, what differs, notes, why it is withdrawn."""
    for verdict in item.verdicts:
        said = [verdict.reason, *map(str, verdict.evidence[:3]), verdict.note]
        if len(verdict.evidence) > 3:
            said.insert(4, f"and {len(verdict.evidence) - 3} more differences")
        head = harmless_start(f"{place_of(item, verdict)}: {rules_of(item)}:")
        # What a program printed is among them.
        yield from (f"{head} {lines_of(text)}" for text in said if text)


def render_json(result: RunResult) -> dict[str, Any]:
    """The counts, and a row for each verdict with the fixes that it is on."""
    pairs = [(item, verdict) for item in result.checked for verdict in item.verdicts]
    document = as_json([verdict for _, verdict in pairs])
    rows = []
    for (item, verdict), row in zip(pairs, document["verdicts"], strict=True):
        fixes = [_fix(finding) for finding in item.findings]
        more = {"times_faster": times_faster(verdict), "refused": item.refused}
        rows.append({"fixes": fixes, **row, **more})
    return {"counts": document["counts"], "verdicts": rows}


def _fix(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "line": finding.span.shown_line,
        "column": finding.span.column,
        "title": finding.fix.title if finding.fix is not None else "",
    }
