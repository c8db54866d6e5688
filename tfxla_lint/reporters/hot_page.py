"""Hot loops as one HTML page: what is dearest, who runs what how often, and what mending it saves.

It loads nothing, runs nothing, and shows whatever stands in code as text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tfxla_lint.findings import Applicability, Finding, Repeated, Stake
from tfxla_lint.knowledge import prices
from tfxla_lint.links import page_of
from tfxla_lint.reporters.cost import in_words, spoken
from tfxla_lint.reporters.hot_loops import (
    Branch,
    also,
    blocks,
    foremost,
    saved,
    state,
    summary,
    traced_in,
    tree,
    turns_of,
    way_out,
)
from tfxla_lint.reporters.text import place_of, visible
from tfxla_lint.source import Source

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #6e7781; --card: #8881; --hot: #d1480f;
  --warm: #b7791f; --fix: #1a7f37; --link: #0969da; }
@media (prefers-color-scheme: dark) { :root { --soft: #9198a1; --hot: #ff8a4c; --warm: #e3b341;
  --fix: #3fb950; --link: #58a6ff; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.soft { color: var(--soft); } .num { font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre { font: 13px/1.45 ui-monospace, monospace; } a { color: var(--link); }
ol.top { list-style: none; margin: 0; padding: 0; }
.cards { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0 .6rem; }
.cards div { background: var(--card); border-radius: 8px; padding: .6rem 1.1rem; }
.cards b { display: block; font-size: 1.5rem; line-height: 1.3; } .cards .first b { color: var(--hot); }
ol.top li { display: grid; grid-template-columns: 9rem 1fr 9rem; gap: 0 1rem; padding: .6rem 0;
  border-top: 1px solid var(--line); }
.axis { position: relative; height: .45rem; margin-top: .55rem; border-radius: 3px; background:
  var(--card); } .axis i { position: absolute; top: 0; bottom: 0; border-radius: 3px; background:
  var(--fix); opacity: .5; } .axis b { position: absolute; top: -.15rem; bottom: -.15rem; width: 3px;
  background: var(--fix); } .scale { display: flex; justify-content: space-between; }
.gain { text-align: right; font-weight: 600; color: var(--hot); }
.gain.soft { font-weight: 400; color: var(--soft); }
.bar { height: .45rem; border-radius: 3px; background: var(--hot); min-width: 2px; margin: .2rem 0 0
  auto; }
details { border-left: 2px solid var(--line); margin: .2rem 0 .2rem .3rem; padding-left: .8rem; }
details.file { border: 1px solid var(--line); border-radius: 8px; margin: .8rem 0; padding: .5rem
  .9rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } summary code { font-weight: 600; }
.finding { background: var(--card); border-radius: 6px; margin: .4rem 0; padding: .5rem .8rem;
  border-left: 3px solid var(--warm); overflow-wrap: anywhere; }
.finding p { margin: .15rem 0; } pre { margin: .3rem 0; overflow-x: auto; }
.way { color: var(--fix); } .tag { border: 1px solid var(--line); border-radius: 4px; padding: 0
  .35rem; font-size: .8rem; margin-left: .4rem; white-space: nowrap; }
@media (max-width: 40rem) { ol.top li { grid-template-columns: 1fr; } .gain { text-align: left; }
  .bar { margin-left: 0; } }
"""
#: So many findings stand ahead of the tree.
_FIRST = 10


def page(findings: Sequence[Finding], sources: Mapping[str, Source]) -> str:
    """The whole page."""
    roots = tree(findings)
    body = "".join(_file(root, sources) for root in roots)
    if not roots:
        body = "<p>No hot loop runs what has a price.</p>"
    about = prices.about()
    measured = (
        f"Prices were measured on TensorFlow {about['tensorflow']} with Keras {about['keras']}, "
        f"{about['machine']}; on another machine they differ, and ranges allow for that. What is "
        "marked as measured comes from a recorded run."
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>tfxla-lint: hot loops</title><style>{_STYLE}</style></head>\n<body>\n"
        f"<h1>Hot loops</h1>\n{_cards(roots)}<p>{escape(summary(findings))}</p>\n{_top(roots)}"
        f"{'<h2>Who runs what</h2>' if roots else ''}\n{body}\n"
        f'<p class="soft">{escape(measured)}</p>\n</body>\n</html>\n'
    )


def _cards(roots: Sequence[Branch]) -> str:
    """The figures that one wants to see first."""
    every = [finding for root in roots for finding in root.every]
    if not every:
        return ""
    total, fixed = saved(every), sum(map(_can_fix, every))
    cards = [] if total is None else [f'<div class="first"><b>{spoken(total)}</b> less a run</div>']
    cards.append(f"<div><b>{len(every)}</b> places that cost time</div>")
    cards.append(f"<div><b>{fixed}</b> that a fix mends</div>")
    return f'<div class="cards num">{"".join(cards)}</div>\n'


def _top(roots: Sequence[Branch]) -> str:
    every = foremost(roots, _FIRST)
    if not every:
        return ""
    most = every[0][0].weight or 1.0
    rows = "".join(_row(finding, copies, finding.weight / most) for finding, copies in every)
    return f'<h2>Mend these first</h2>\n<ol class="top">{rows}</ol>\n'


def _row(finding: Finding, copies: int, share: float) -> str:
    assert finding.stake is not None
    seconds = finding.stake.saved
    each = finding.stake.saved_each
    gain = f"{spoken(each)} a turn" if each is not None else ""
    gain = f"{spoken(seconds)} a run" if seconds is not None else gain
    faint = "" if gain else " soft"
    gain = gain or "not known"
    more = f'<br><span class="soft">{also(copies)}</span>' if copies else ""
    return (
        f'<li><div class="num"><div class="gain{faint}">{escape(gain)}</div>'
        f'<div class="bar" style="width:{100 * share:.0f}%"></div></div>'
        f'<div><a href="#{_anchor(finding)}">{_rule(finding)}</a> '
        f'<span class="soft">{_place(finding)}</span><br>{escape(in_words(finding.stake))}{more}</div>{_axis(finding.stake)}</li>'
    )


def _axis(stake: Stake) -> str:
    """How many times quicker it can be, from once to a hundred times, on a scale of tenfolds."""
    factor = stake.factor
    if factor is None:
        return "<div></div>"

    def place(value: float) -> float:
        return 50.0 * math.log10(min(max(value, 1.0), 100.0))

    low, high = place(factor.low), place(factor.high or 100.0)
    mark = f'<b style="left:{place(factor.likely):.0f}%"></b>' if factor.likely is not None else ""
    return (
        '<div class="num soft"><div class="axis" title="times quicker">'
        f'<i style="left:{low:.0f}%;width:{max(high - low, 2.0):.0f}%"></i>{mark}</div>'
        '<div class="scale"><span>1×</span><span>10×</span><span>100×</span></div></div>'
    )


def _file(root: Branch, sources: Mapping[str, Source]) -> str:
    head = f"<code>{escape(visible(root.path))}</code>{_gain(root)}"
    return f'<details class="file" open><summary>{head}</summary>{_below(root, sources)}</details>'


def _below(branch: Branch, sources: Mapping[str, Source]) -> str:
    return "".join(_parts(branch, sources))


def _parts(branch: Branch, sources: Mapping[str, Source]) -> Iterator[str]:
    for each in branch.ordered():
        if isinstance(each, Finding):
            own = f"line {each.span.shown_line}" if each.path == branch.path else _place(each)
            yield _finding(each, own, sources.get(each.path))
            continue
        assert each.repeated is not None
        where = f"line {each.repeated.span.shown_line}"
        if each.path != branch.path:
            where = f"{each.path}, {where}"
        turns = turns_of(each.repeated)
        tag = f'<span class="tag num">{escape(turns)}</span>' if turns else ""
        yield (
            f"<details open><summary><code>{escape(visible(each.repeated.text))}</code> "
            f'<span class="soft">{escape(visible(where))}</span>{tag}{_gain(each)}</summary>'
            f"{_traced(each.repeated)}{_below(each, sources)}</details>"
        )


def _traced(repeated: Repeated) -> str:
    text = escape(visible(traced_in(repeated)))
    return f'<p class="way">{text}</p>' if repeated.traced else ""


def _gain(branch: Branch) -> str:
    seconds = saved(branch.every)
    if seconds is None:
        return ""
    return f'<span class="tag num">{escape(f"saves about {spoken(seconds)} a run")}</span>'


def _finding(finding: Finding, where: str, source: Source | None) -> str:
    assert finding.stake is not None
    line = source.line_text(finding.span.line).strip() if source is not None else ""
    code = f"<pre>{escape(visible(line))}</pre>" if line else ""
    way = '<p class="way">' if _can_fix(finding) else '<p class="soft">'
    obstacles = "".join(
        f'<p class="soft">in the way: {escape(visible(each))}</p>' for each in blocks(finding)
    )
    tag = f'<span class="tag">{state(finding.stake)}</span>'
    tag += '<span class="tag">measured</span>' if finding.stake.is_measured else ""
    return (
        f'<div class="finding" id="{_anchor(finding)}"><p>{_linked(finding)} '
        f'<span class="soft">{where}</span>{tag}</p>{code}'
        f"<p>{escape(visible(finding.message))}</p>"
        f"<p><strong>{escape(in_words(finding.stake))}</strong></p>"
        f"{way}{escape(visible(way_out(finding)))}</p>{obstacles}</div>"
    )


def _can_fix(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY


def _rule(finding: Finding) -> str:
    return escape(f"{finding.code} {finding.name}")


def _linked(finding: Finding) -> str:
    address = page_of(finding.code)
    return f'<a href="{escape(address)}">{_rule(finding)}</a>' if address else _rule(finding)


def _place(finding: Finding) -> str:
    return escape(visible(place_of(finding.path, finding.span)))


def _anchor(finding: Finding) -> str:
    """A name for the place, of letters that need no escape."""
    path = "".join(c if c.isascii() and c.isalnum() else "-" for c in finding.path)
    return f"{finding.code}-{path}-{finding.span.start}"
