"""What a recorded run says, in a few lines: the functions that trace and those that take time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfxla_lint.recording import FunctionRecord, LoopRecord, Recording
from tfxla_lint.semantics.measured_words import counted, duration, tracing

_ROWS = 8

#: Loops that took less than this are not worth a line.
_WORTHWHILE = 0.05

_Row = tuple[str, FunctionRecord] | tuple[str, LoopRecord]


def summary(recording: Recording) -> Iterator[str]:
    """Lines for the terminal: what was traced the most, then what ran eagerly the longest."""
    rows = [(path, f) for path, found in recording.functions.items() for f in found]
    traced = sorted((row for row in rows if row[1].graph), key=lambda row: -row[1].traces)
    if traced:
        yield "Calls of tf.functions:"
        yield from _table([(_place(row), _traced(row[1])) for row in traced])
    eager = [row for row in rows if row[1].eager_seconds.count and not row[1].graph]
    eager.sort(key=lambda row: -row[1].eager_seconds.total)
    if eager:
        yield "Eager calls, with the time of what they call:"
        yield from _table([(_place(row), _eager(row[1])) for row in eager])
    loops = [(path, loop) for path, found in recording.loops.items() for loop in found]
    loops = [row for row in loops if row[1].seconds.total >= _WORTHWHILE]
    loops.sort(key=lambda row: -row[1].seconds.total)
    if loops:
        yield "Loops that ran eagerly:"
        yield from _table([(_place(row), _turns(row[1])) for row in loops])


def _table(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    shown = rows[:_ROWS]
    width = max(len(place) for place, _ in shown)
    for place, text in shown:
        yield f"  {place:<{width}}  {text}"
    if len(rows) > _ROWS:
        yield f"  and {len(rows) - _ROWS} more"


def _place(row: _Row) -> str:
    return f"{row[0]}:{row[1].line} {row[1].qualname}"


def _traced(record: FunctionRecord) -> str:
    text = tracing(record)
    if record.tracing_seconds.count:
        text += f"; {duration(record.tracing_seconds.median)} to trace"
    if record.graph_seconds.count:
        text += f", {duration(record.graph_seconds.median)} to run"
    return text


def _eager(record: FunctionRecord) -> str:
    calls = counted(record.eager, "call")
    total = duration(record.eager_seconds.total)
    return f"{calls}, {duration(record.eager_seconds.median)} each, {total} in all"


def _turns(record: LoopRecord) -> str:
    total = duration(record.seconds.total)
    return (
        f"{counted(record.turns, 'turn')}, {duration(record.seconds.median)} each, {total} in all"
    )
