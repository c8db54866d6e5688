"""Verdicts as one HTML page: a card per fix or file with the diff, the verdicts, bars of times."""

from __future__ import annotations

import base64
import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from tfxla_lint.semantics.measured_words import counted
from tfxla_lint.verify.pairs import Pair
from tfxla_lint.verify.reports import METHODS, grounds_of, remarks_on, tolerance_text
from tfxla_lint.verify.speed import milliseconds, times_faster
from tfxla_lint.verify.verdicts import PER, VARIANTS, Outcome, Timing, Verdict
from tfxla_lint.writing import write_atomically

_STYLE = """
:root { color-scheme: light dark; --line: #8883; --good: #1a7f37; --bad: #cf222e; --open: #9a6700;
  --soft: #6e7781; --card: #8881; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin: 0; }
section { border: 1px solid var(--line); border-radius: 8px; margin: 1.4rem 0; overflow: hidden; }
header { padding: .8rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
header p { margin: .2rem 0 0; } .place, .note, .soft { color: var(--soft); }
.unit { padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
.mark { border-radius: 4px; color: #fff; padding: .1rem .5rem; font-size: .85rem;
  white-space: nowrap; }
.equivalent { background: var(--good); } .differs { background: var(--bad); }
.not-checked { background: var(--open); }
table { border-collapse: collapse; margin: .5rem 0; width: 100%; }
td, th { text-align: left; padding: .15rem .8rem .15rem 0; vertical-align: top; }
th { font-weight: 600; white-space: nowrap; width: 1%; }
.over th { width: auto; } .over td, .over th { border-bottom: 1px solid var(--line); }
.over .n { text-align: right; } a { color: inherit; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; margin: 0; padding: .4rem 0; }
pre span { display: block; padding: 0 1rem; min-width: max-content; }
.add { background: #2da44e33; } .del { background: #cf222e2b; }
.hunk { color: var(--soft); background: var(--card); }
.track { width: 55%; vertical-align: middle; }
.bar { display: block; width: 100%; height: .8rem; fill: #8c959f; }
.bar.rewritten { fill: #2f81f7; } .bar.xla { fill: #8250df; }
.bar.off { opacity: .35; } .fast { color: var(--good); font-weight: 600; }
"""
#: The page runs nothing, loads nothing and looks as these lines say, whatever is in it.
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
_SHOWN = {name: "with XLA" if name == "xla" else name for name in VARIANTS}


@dataclass(frozen=True)
class Card:
    """What was judged together: the fixes of some findings, or two versions of a file.

    `texts` are lines below the heading; `place` is where it stands in the code.
    """

    title: str
    place: str
    texts: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    before: str
    after: str


def _shown(name: str) -> str:
    """A name of a file as the page shows it: what is no character of its own, or none at all, is spelled out."""
    return escape("".join(c if c.isprintable() else repr(c)[1:-1] for c in name))


def write_html(path: Path, pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> None:
    """Write the page on pairs of files; raises OSError."""
    write_atomically(path, render(pairs, verdicts).encode("utf-8"))


def render(pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> str:
    """The page on pairs of files."""
    cards = []
    for pair in pairs:
        own = tuple(verdict for verdict in verdicts if verdict.path == pair.shown)
        texts = () if own else ("No code differs.",)
        cards.append(Card(pair.shown, "", texts, own, pair.original, pair.rewritten))
    return page(cards)


def page(cards: Sequence[Card]) -> str:
    """The whole page; it loads nothing from elsewhere."""
    verdicts = [verdict for card in cards for verdict in card.verdicts]
    parts = "".join(_card(number, card) for number, card in enumerate(cards))
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>tfxla-lint: verification</title><style>{_STYLE}</style></head>\n<body>\n"
        f"<h1>Verification</h1>\n<p>{_counts(verdicts)}</p>\n{_overview(cards)}{parts}"
        '<p class="note">Equivalent means: on these inputs, within these tolerances. Times are'
        " medians on this machine.</p>\n</body>\n</html>\n"
    )


def _counts(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(verdict.outcome for verdict in verdicts)
    parts = [f"{_mark(o)} {counts[o]}" for o in Outcome if counts[o]]
    return " &nbsp; ".join(parts) or "Nothing was verified."


def _mark(outcome: Outcome) -> str:
    name = outcome.value
    return f'<span class="mark {name.replace(" ", "-")}">{name}</span>'


# ----------------------------------------------------------------------------------- overview


def _overview(cards: Sequence[Card]) -> str:
    """A row per verdict with a link to its card, where there are several."""
    rows = [
        _overview_row(number, card, verdict)
        for number, card in enumerate(cards)
        for verdict in card.verdicts
    ]
    if len(rows) < 2:
        return ""
    names = ("original", "rewritten", "with XLA", "per", "faster")
    head = "".join(f'<th class="n">{name}</th>' for name in names)
    return (
        '<table class="over"><tr><th>What</th><th>Where</th><th>Verdict</th>'
        f"{head}</tr>{''.join(rows)}</table>\n"
    )


def _overview_row(number: int, card: Card, verdict: Verdict) -> str:
    times = {timing.variant: timing for timing in verdict.timings}
    cells = [milliseconds(times[name].milliseconds) if name in times else "" for name in _SHOWN]
    cells.append(next((timing.per for timing in verdict.timings), ""))
    factor = times_faster(verdict)
    cells.append("" if factor is None else f"{factor:.1f} times")
    where = " ".join(part for part in (card.place, _unit_name(verdict)) if part)
    return (
        f'<tr><td><a href="#c{number}">{_shown(card.title)}</a></td><td>{escape(where)}</td>'
        f"<td>{_mark(verdict.outcome)}</td>"
        + "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)
        + "</tr>"
    )


def _unit_name(verdict: Verdict) -> str:
    return "" if verdict.unit == "<module>" else verdict.unit


# --------------------------------------------------------------------------------------- cards


def _card(number: int, card: Card) -> str:
    place = f' <span class="place">{_shown(card.place)}</span>' if card.place else ""
    texts = "".join(f"<p>{_prose(text)}</p>" for text in card.texts)
    units = "".join(_unit(verdict) for verdict in card.verdicts)
    return (
        f'<section id="c{number}"><header><h2>{_shown(card.title)}{place}</h2>{texts}</header>\n'
        f"{units}{_diff(card)}</section>\n"
    )


def _prose(text: str) -> str:
    """Text with code between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _unit(verdict: Verdict) -> str:
    """The verdict on a function or block: how it was reached, what differs, times."""
    name = f"<code>{escape(verdict.unit)}</code>" if _unit_name(verdict) else "module level"
    rows = [("How", METHODS[verdict.method])]
    if verdict.reason:
        rows.append(("Why", verdict.reason))
    if verdict.outcome is Outcome.EQUIVALENT:
        calls = counted(verdict.inputs, "call")
        rows.append(("Compared", f"{verdict.compared} values in {calls}"))
        rows.append(("Largest error", _error(verdict)))
    rows += [("Evidence", text) for text in grounds_of(verdict)]
    if verdict.tolerances:
        rows.append(("Tolerance", tolerance_text(verdict)))
    if verdict.called:
        rows.append(("Called with", verdict.called))
    if verdict.note:
        rows.append(("Note", verdict.note))
    lines = "".join(f"<tr><th>{k}</th><td>{escape(v)}</td></tr>" for k, v in rows)
    return (
        f'<div class="unit">{_mark(verdict.outcome)} {name}<table>{lines}</table>'
        f"{_evidence(verdict)}{_bars(verdict)}</div>\n"
    )


def _error(verdict: Verdict) -> str:
    return f"{verdict.error:.1e} of the largest element" if verdict.error else "none"


def _evidence(verdict: Verdict) -> str:
    if not verdict.evidence:
        return ""
    rows = "".join(
        f"<tr><td>{escape(e.path or e.kind)}</td><td><code>{escape(e.before)}</code></td>"
        f"<td><code>{escape(e.after)}</code></td></tr>"
        for e in verdict.evidence
    )
    head = "<tr><th>Where</th><th>Original</th><th>Rewritten</th></tr>"
    return f'<table class="over">{head}{rows}</table>'


def _bars(verdict: Verdict) -> str:
    """One bar per variant, as long as its median time."""
    timings = verdict.timings
    if not timings:
        return ""
    longest = max(timing.milliseconds for timing in timings) or 1.0
    rows = "".join(_bar(timing, longest) for timing in timings)
    factor = times_faster(verdict)
    fast = ""
    if factor is not None and factor >= 1.1:
        fast = f' <span class="fast">{factor:.1f} times faster</span>'
    return f'<div class="soft">Time {PER[timings[0].per].heading}{fast}</div><table>{rows}</table>'


def _bar(timing: Timing, longest: float) -> str:
    width = 100 * timing.milliseconds / longest
    kinds = f"bar {timing.variant}{' off' if timing.agrees is False else ''}"
    remarks = remarks_on(timing)
    note = f' <span class="note">({", ".join(remarks)})</span>' if remarks else ""
    return (
        f"<tr><th>{escape(_SHOWN.get(timing.variant, timing.variant))}</th>"
        f'<td class="track"><svg class="{kinds}"><rect width="{width:.1f}%" height="100%" rx="3"/></svg>'
        "</td>"
        f"<td>{milliseconds(timing.milliseconds)}{note}</td></tr>"
    )


# ---------------------------------------------------------------------------------------- diff


def _diff(card: Card) -> str:
    sides = (card.before.splitlines(), card.after.splitlines())
    lines = list(difflib.unified_diff(*sides, lineterm=""))[2:]
    return f"<pre>{''.join(_lines(lines))}</pre>" if lines else ""


def _lines(lines: Sequence[str]) -> Iterator[str]:
    kinds = {"+": "add", "-": "del", "@": "hunk"}
    for text in lines:
        line = text
        kind = kinds.get(line[:1], "same")
        if kind == "hunk":
            line = f"line {line.split()[1][1:].partition(',')[0]}"
        yield f'<span class="{kind}">{escape(line) or " "}</span>'
