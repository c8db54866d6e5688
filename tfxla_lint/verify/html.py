"""Verdicts as one HTML page: per file the diff, per unit the verdict, the error, bars of times."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from html import escape
from pathlib import Path

from tfxla_lint.verify.reports import METHODS, remarks_on, summary, tolerance_text
from tfxla_lint.verify.verdicts import Outcome, Timing, Verdict
from tfxla_lint.verify.verifier import Pair
from tfxla_lint.writing import write_atomically

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --open: #9a6700; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
section { border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: 1rem 0; }
.mark { border-radius: 4px; color: #fff; padding: .1rem .5rem; font-size: .85rem; }
.equivalent { background: var(--good); } .differs { background: var(--bad); }
.not-checked { background: var(--open); }
table { border-collapse: collapse; margin: .6rem 0; width: 100%; }
td, th { text-align: left; padding: .2rem .6rem .2rem 0; vertical-align: top; }
th { font-weight: 600; } code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; border-top: 1px solid var(--line); padding-top: .6rem; }
.add { background: #2da44e33; display: block; } .del { background: #cf222e2b; display: block; }
.hunk { color: #57606a; display: block; }
.bar { background: #4c8dd6; height: .8rem; border-radius: 3px; min-width: 2px; }
.bar.off { background: #8888; } .note { color: #777; }
"""


def write_html(path: Path, pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> None:
    """Write the page; raises OSError."""
    write_atomically(path, render(pairs, verdicts).encode("utf-8"))


def render(pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> str:
    """The whole page; it loads nothing from elsewhere."""
    parts = [_file(pair, [v for v in verdicts if v.path == pair.shown]) for pair in pairs]
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>tfxla-lint verify</title><style>{_STYLE}</style></head>\n<body>\n"
        f"<h1>Verification</h1>\n<p>{escape(summary(verdicts))}</p>\n"
        f"{''.join(parts)}</body>\n</html>\n"
    )


def _file(pair: Pair, verdicts: Sequence[Verdict]) -> str:
    units = "".join(_unit(verdict) for verdict in verdicts) or "<p>No code differs.</p>"
    return f"<h2>{escape(pair.shown)}</h2>\n{units}{_diff(pair)}\n"


def _unit(verdict: Verdict) -> str:
    name = verdict.outcome.value
    head = (
        f'<p><span class="mark {name.replace(" ", "-")}">{name}</span> '
        f"<code>{escape(verdict.unit)}</code></p>"
    )
    rows = [("How", METHODS[verdict.method])]
    if verdict.reason:
        rows.append(("Why", verdict.reason))
    if verdict.outcome is Outcome.EQUIVALENT:
        rows.append(("Compared", f"{verdict.compared} values in {verdict.inputs} calls"))
        rows.append(("Largest error", f"{verdict.error:.2e} of the largest element"))
    if verdict.tolerances:
        rows.append(("Tolerance", tolerance_text(verdict)))
    if verdict.note:
        rows.append(("Note", verdict.note))
    lines = "".join(f"<tr><th>{k}</th><td>{escape(v)}</td></tr>" for k, v in rows)
    return (
        f"<section>{head}<table>{lines}</table>{_evidence(verdict)}{_bars(verdict.timings)}"
        "</section>\n"
    )


def _evidence(verdict: Verdict) -> str:
    if not verdict.evidence:
        return ""
    rows = "".join(
        f"<tr><td>{escape(e.path or e.kind)}</td><td><code>{escape(e.before)}</code></td>"
        f"<td><code>{escape(e.after)}</code></td></tr>"
        for e in verdict.evidence
    )
    return f"<table><tr><th>Where</th><th>Original</th><th>Rewritten</th></tr>{rows}</table>"


def _bars(timings: Sequence[Timing]) -> str:
    """One bar per variant, as long as its median time."""
    if not timings:
        return ""
    longest = max(timing.milliseconds for timing in timings) or 1.0
    rows = []
    for timing in timings:
        width = 100 * timing.milliseconds / longest
        off = " off" if timing.agrees is False else ""
        rows.append(
            f'<tr><th>{escape(timing.variant)}</th><td style="width:60%">'
            f'<div class="bar{off}" style="width:{width:.1f}%"></div></td>'
            f"<td>{timing.milliseconds:.3g} ms{_remarks(timing)}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _remarks(timing: Timing) -> str:
    parts = remarks_on(timing)
    return f' <span class="note">({", ".join(parts)})</span>' if parts else ""


def _diff(pair: Pair) -> str:
    lines = difflib.unified_diff(
        pair.original.splitlines(),
        pair.rewritten.splitlines(),
        "original",
        "rewritten",
        lineterm="",
    )
    return f"<pre>{''.join(map(_line, lines))}</pre>"


def _line(line: str) -> str:
    kinds = {"+": "add", "-": "del", "@": "hunk"}
    if line.startswith(("+++", "---")):
        return ""
    kind = kinds.get(line[:1])
    text = escape(line)
    return f'<span class="{kind}">{text}</span>' if kind else f"{text}\n"
