"""What runs slow code again and again: findings in the tree of the loops and functions around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tfxla_lint.findings import Applicability, Finding, Repeated, Stake
from tfxla_lint.reporters.cost import dearest_first, in_words, spoken, words_of
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import counted, harmless_start, place_of, visible

#: So many findings are named ahead of the tree.
_FIRST = 5
_BLOCKS = "blocks tracing: "


@dataclass
class Branch:
    """A loop or function that repeats what is below it; a file stands at the root."""

    path: str
    repeated: Repeated | None = None
    findings: list[Finding] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)

    @property
    def every(self) -> Iterator[Finding]:
        """The findings in it, at any depth."""
        yield from self.findings
        for branch in self.branches:
            yield from branch.every

    @property
    def weight(self) -> float:
        """What all in it is worth."""
        return sum(finding.weight for finding in self.every)

    @property
    def saved(self) -> float | None:
        """The seconds that mending all in it saves, as far as is known how often things run."""
        return saved(self.every)

    def ordered(self) -> Iterator[Branch | Finding]:
        """What stands in it, the dearest first."""
        both: list[Branch | Finding] = [*self.branches, *dearest_first(self.findings)]
        yield from sorted(both, key=lambda each: -each.weight)


def saved(findings: Iterable[Finding]) -> float | None:
    """The seconds that mending findings saves, None where it is known of none how often it runs."""
    found = [f.stake.saved for f in findings if f.stake is not None and f.stake.saved is not None]
    return sum(found) if found else None


def foremost(roots: Iterable[Branch], most: int) -> list[tuple[Finding, int]]:
    """The dearest findings, and how many others say the same of a copy of the file elsewhere."""
    found: dict[tuple[object, ...], list[Finding]] = {}
    for finding in dearest_first(f for root in roots for f in root.every):
        name = finding.path.rpartition("/")[2]
        key = (name, finding.code, finding.span, finding.message, finding.stake and finding.weight)
        found.setdefault(key, []).append(finding)
    return [(same[0], len(same) - 1) for same in list(found.values())[:most]]


def tree(findings: Sequence[Finding]) -> list[Branch]:
    """The files from which findings are run, the dearest first, with what runs them below."""
    roots: dict[str, Branch] = {}
    known: dict[tuple[str, ...], Branch] = {}
    for finding in findings:
        if finding.stake is None:
            continue
        within = finding.stake.within
        places = [(each.path or finding.path, each) for each in within]
        first = places[0][0] if places else finding.path
        branch = roots.setdefault(first, Branch(first))
        way: tuple[str, ...] = (first,)
        for path, repeated in places:
            way = (*way, f"{path}:{repeated.span.start}")
            if way not in known:
                known[way] = Branch(path, repeated)
                branch.branches.append(known[way])
            branch = known[way]
        branch.findings.append(finding)
    return sorted(roots.values(), key=lambda root: -root.weight)


def blocks(finding: Finding) -> list[str]:
    """What keeps a finding's code from being traced, with the place of each."""
    found = []
    for item in finding.related:
        if item.message.startswith(_BLOCKS):
            path = item.path if item.path is not None else finding.path
            found.append(f"{place_of(path, item.span)}: {item.message.removeprefix(_BLOCKS)}")
    return found


def way_out(finding: Finding) -> str:
    """How a finding is mended: by which fix, or by whom."""
    if finding.fix is None or finding.fix.applicability is Applicability.DISPLAY:
        return "to be mended by hand"
    option = " --unsafe-fixes" if finding.fix.applicability is Applicability.UNSAFE else ""
    return f"{finding.fix.title}: --fix{option}"


def state(stake: Stake) -> str:
    """How what a finding speaks of runs now."""
    return words_of(stake.spent).state


def traced_in(repeated: Repeated) -> str:
    """What the turns of a loop call that is traced already."""
    return f"traced already: {', '.join(repeated.traced)}"


def also(copies: int) -> str:
    """That files of the same name and code have the same finding."""
    return f"the same in {counted(copies, 'file')} of this name elsewhere"


def turns_of(repeated: Repeated) -> str:
    """How often something turns, in words; "" where that is not known."""
    at_most = "up to " if repeated.is_most else ""
    return f"{at_most}{repeated.turns:,} turns" if repeated.turns is not None else ""


def summary(findings: Sequence[Finding]) -> str:
    """What there is, and what mending all of it saves."""
    priced = [finding for finding in findings if finding.stake is not None]
    total = saved(priced)
    if total is None:
        found = counted(len(priced), "finding")
        return f"{found} with a price. How often they run is not known, so there is no sum."
    known = sum(f.stake is not None and f.stake.saved is not None for f in priced)
    others = len(priced) - known
    if not others:
        what = "it" if known == 1 else f"all {known}"
        return f"Mending {what} saves about {spoken(total)} a run."
    rest = "the other one" if others == 1 else f"the other {others}"
    return (
        f"Mending {known} of {counted(len(priced), 'finding')} saves about {spoken(total)} a run; how "
        f"often {rest} may run, or how long kernels take there, is not known."
    )


def render(findings: Sequence[Finding], style: Style) -> str:
    """The dearest findings, the tree and the sum, for a terminal."""
    roots = tree(findings)
    if not roots:
        return "No hot loop runs what has a price.\n"
    lines = [style.bold("The dearest")]
    for number, (finding, copies) in enumerate(foremost(roots, _FIRST), 1):
        lines += _told(finding, style, f"{number}. ", full=True)
        if copies:
            lines.append(f"   {also(copies)}")
    lines += ["", style.bold("Hot loops")]
    for root in roots:
        lines.append(harmless_start(root.path))
        lines += _below(root, style, "  ")
    return "\n".join([*lines, "", summary(findings)]) + "\n"


def _below(branch: Branch, style: Style, indent: str) -> Iterator[str]:
    for each in branch.ordered():
        if isinstance(each, Finding):
            yield from (f"{indent}{line}" for line in _told(each, style, "", full=False))
            continue
        assert each.repeated is not None
        where = f"line {each.repeated.span.shown_line}"
        if each.path != branch.path:
            where = f"{each.path}, {where}"
        notes = [visible(where), *([turns] if (turns := turns_of(each.repeated)) else [])]
        yield f"{indent}{visible(each.repeated.text)}  {style.dim(', '.join(notes))}"
        if each.repeated.traced:
            yield f"{indent}  {visible(traced_in(each.repeated))}"
        yield from _below(each, style, f"{indent}  ")


def _told(finding: Finding, style: Style, head: str, *, full: bool) -> Iterator[str]:
    assert finding.stake is not None
    place = place_of(finding.path, finding.span) if full else f"line {finding.span.shown_line}"
    rule = style.level(finding.level, f"{finding.code} {finding.name}")
    yield f"{head}{rule}  {style.dim(f'{visible(place)}, {state(finding.stake)}')}"
    indent = " " * (len(head) or 2)
    yield f"{indent}{in_words(finding.stake)}"
    if full:
        yield f"{indent}{way_out(finding)}"
        yield from (f"{indent}in the way: {visible(each)}" for each in blocks(finding)[:1])
