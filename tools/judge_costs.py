"""Holds what the tool says a finding is worth against what mending it was measured to bring.

    python -m tools.judge_costs [--measure] [--repeats 3] [--outside FILE] [PROGRAM ...]

The programs are those of testdata/programs, mended by hand in testdata/handmade, and those of
testdata/costs, each beside its mended twin. Those of testdata/costs/second and testdata/costs/third
were written later, and have been learnt from since; those of testdata/costs/unseen and, around steps that are
traced already, testdata/costs/traced were written when the model was frozen: the tool ran on them only then. `--measure` times both on TensorFlow,
in turns, and keeps the times in testdata/costs/measured.json; a time is the processor's, of the
fastest turn of the program's loop, so that other work on the machine matters little. Predicted is the
factor of the dearest finding of the program as it stands. Every other program of the first ones, by
name, was looked at when the model's few assumptions were chosen ("fitted"); the others judge it.
The table and the plot are written
to docs/costs.md and docs/costs.svg.

`--outside` judges programs that lie elsewhere, and only prints what it finds: FILE is JSON with their
`path` and length (`loop`, `steps`, `units`, and `constant`, "" where the program turns so often as it is),
by name; the tool's own fixes mend them.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from tfxla_lint.findings import Range
from tfxla_lint.source import Source
from tools.benchmark_programs import HANDMADE, WARM_UP, Length, timed, with_clock
from tools.programs.client import Worker
from tools.programs.tool import TESTDATA, fixed_copy, lint

COSTS = TESTDATA / "costs"
#: What was written later, in folders of its own: nothing was chosen by the last of them.
LATER = ("second", "third", "unseen", "traced")
MEASURED = COSTS / "measured.json"
DOCS = Path(__file__).resolve().parents[1] / "docs"
#: What the programs were for, in the order in which the page tells the scores.
GROUPS = ("traced", "unseen", "third", "second", "judged", "fitted")
#: Between these the page has the table.
_BEGIN, _END = "<!-- table -->", "<!-- end of table -->"


@dataclass(frozen=True)
class Program:
    """A program with its mended twin, and where both loop."""

    name: str
    original: Path
    mended: Path
    length: Length
    group: str


def programs() -> list[Program]:
    """All programs, by name: first those that were there when the model was made."""
    first = sorted(_first_programs(), key=lambda program: program[0])
    halves = [
        Program(*parts, "judged" if place % 2 else "fitted") for place, parts in enumerate(first)
    ]
    later = [Program(*parts, name) for name in LATER for parts in _beside_twins(COSTS / name)]
    return halves + later


def _first_programs() -> Iterator[tuple[str, Path, Path, Length]]:
    for path in sorted((TESTDATA / "programs").glob("*/train.py")):
        facts: dict[str, Any] = json.loads(path.with_name("expected.json").read_text())
        name = path.parent.name
        yield name, path, HANDMADE / f"{name}.py", Length(**facts["length"])
    yield from _beside_twins(COSTS)


def _beside_twins(folder: Path) -> Iterator[tuple[str, Path, Path, Length]]:
    lengths: dict[str, Any] = json.loads((folder / "lengths.json").read_text())
    for name, length in sorted(lengths.items()):
        yield name, folder / f"{name}.py", folder / f"{name}_mended.py", Length(**length)


def measure(worker: Worker, program: Program, repeats: int) -> dict[str, float]:
    """Milliseconds of a step of both versions."""
    versions = {"original": program.original, "mended": program.mended}
    best = dict.fromkeys(versions, math.inf)
    with tempfile.TemporaryDirectory() as folder:
        copies = {}
        for version, path in versions.items():
            length = program.length
            if version == "original":
                length = replace(length, units=max(length.units // 3, WARM_UP + 4))
            copies[version] = Path(folder) / f"{version}.py", length
            clocked = with_clock(path.read_text(), length)
            own_time = clocked.replace("benchmark_time.perf_counter", "benchmark_time.process_time")
            copies[version][0].write_text(own_time)
        for _ in range(repeats):
            for version, (copy, length) in copies.items():
                best[version] = min(best[version], timed(worker, copy, length, is_best=True))
    return {version: float(f"{time:.4g}") for version, time in best.items()}


def measure_all(chosen: Sequence[Program], repeats: int) -> None:
    """Time the programs and keep the times, each as soon as it is known."""
    with Worker(of_time=True) as worker:
        for program in chosen:
            times = measured()
            times[program.name] = measure(worker, program, repeats)
            MEASURED.write_text(json.dumps(dict(sorted(times.items())), indent=1) + "\n")
            print(program.name, times[program.name], flush=True)


def judged_outside(listed: Path, repeats: int) -> list[Row]:
    """What is predicted of programs elsewhere, and what mending them by the tool brings."""
    entries: dict[str, dict[str, Any]] = json.loads(listed.read_text("utf-8"))
    found = []
    with Worker(of_time=True) as worker, tempfile.TemporaryDirectory() as folder:
        for name, entry in entries.items():
            path = Path(entry.pop("path"))
            place = Path(folder) / name
            place.mkdir()
            mended = fixed_copy(path, place)
            assert mended is not None
            program = Program(name, path, mended, Length(**entry), "outside")
            row = _row(program, measure(worker, program, repeats))
            found += [row] if row is not None else []
    return found


def measured() -> dict[str, dict[str, float]]:
    """The times that were kept."""
    if not MEASURED.exists():
        return {}
    times: dict[str, dict[str, float]] = json.loads(MEASURED.read_text())
    return times


# ------------------------------------------------------------------------------------ prediction


@dataclass(frozen=True)
class Row:
    """What was predicted of a program, and what was measured."""

    name: str
    code: str
    predicted: Range
    original: float
    mended: float
    group: str

    @property
    def factor(self) -> float:
        """How many times quicker mending made it."""
        return self.original / self.mended

    @property
    def is_within(self) -> bool:
        """Whether that lies in the stated range."""
        return self.predicted.low <= self.factor <= (self.predicted.high or math.inf)

    @property
    def is_near(self) -> bool | None:
        """Whether the likeliest factor is right within a factor of two; None where there is none."""
        likely = self.predicted.likely
        return None if likely is None else 0.5 <= likely / self.factor <= 2.0


def rows(group: str | None = None) -> list[Row]:
    """The programs of which something is predicted and measured: all, or those of a group."""
    times, found = measured(), []
    for program in programs():
        if group not in (None, program.group):
            continue
        row = _row(program, times[program.name]) if program.name in times else None
        found += [row] if row is not None else []
    return found


def _row(program: Program, known: Mapping[str, float]) -> Row | None:
    """What is predicted of a program and what was measured; None where nothing is predicted."""
    priced = [f for f in lint(Source.read(program.original)).findings if f.stake is not None]
    dearest = max(priced, key=lambda finding: finding.weight, default=None)
    if dearest is None or dearest.stake is None or dearest.stake.factor is None:
        return None
    factor, times = dearest.stake.factor, (known["original"], known["mended"])
    return Row(program.name, dearest.code, factor, *times, program.group)


@dataclass(frozen=True)
class Shares:
    """How many measured factors lie in the stated range, and how many points are near them."""

    within: int
    near: int
    points: int
    count: int


def shares(chosen: Sequence[Row]) -> Shares:
    """The counts over some programs."""
    points = [row.is_near for row in chosen if row.is_near is not None]
    return Shares(sum(row.is_within for row in chosen), sum(points), len(points), len(chosen))


# ------------------------------------------------------------------------------------------ docs


def table(found: Sequence[Row], groups: Sequence[str] = GROUPS) -> str:
    """The rows in Markdown, with the counts of each group."""
    lines = [
        "| program | rule | ms a step | mended | times quicker | predicted | likeliest | group |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in found:
        mark = "" if row.is_within else " (outside)"
        likely = "" if row.predicted.likely is None else f"{row.predicted.likely:.1f}"
        lines.append(
            f"| {row.name} | {row.code} | {row.original:.2f} | {row.mended:.2f} "
            f"| {row.factor:.1f} | {row.predicted.low:.1f} to {row.predicted.high or 0:.1f}{mark} "
            f"| {likely} | {row.group} |"
        )
    lines.append("")
    for group in groups:
        of = shares([row for row in found if row.group == group])
        lines.append(
            f"- {group}: {of.within} of {of.count} measured factors lie in the stated range; of "
            f"{of.points} likeliest factors {of.near} are right within a factor of two"
        )
    return "\n".join(lines) + "\n"


_MARKS = {
    "traced": " *****",
    "unseen": " ****",
    "third": " ***",
    "second": " **",
    "judged": " *",
    "fitted": "",
}
_WIDTH, _ROW, _LEFT, _TOP = 760, 20, 190, 30


def plot(found: Sequence[Row]) -> str:
    """The predicted ranges as bars, with the likeliest and the measured factor as marks."""
    most = max(max(row.predicted.high or 1.0, row.factor) for row in found) * 1.1
    height = _TOP + _ROW * len(found) + 34

    def x(factor: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 20) * math.log(max(factor, 1.0)) / math.log(most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        "<style>text{fill:#444}.grid{stroke:#8884}.range{fill:#2f81f7;opacity:.35}"
        ".likely{stroke:#2f81f7;stroke-width:3}.in{fill:#1a7f37}.out{fill:#cf222e}"
        "@media (prefers-color-scheme:dark){text{fill:#ccc}.in{fill:#3fb950}.out{fill:#f85149}}"
        "</style>",
        f'<text x="{_LEFT}" y="16">times quicker when mended: predicted (bar, line), '
        "measured (dot)</text>",
    ]
    for factor in (1, 2, 5, 10, 20, 50, 100):
        if factor < most:
            parts.append(
                f'<line class="grid" x1="{x(factor):.1f}" y1="{_TOP}" x2="{x(factor):.1f}" '
                f'y2="{height - 26}"/><text x="{x(factor):.1f}" y="{height - 10}" '
                f'text-anchor="middle">{factor}</text>'
            )
    for place, row in enumerate(found):
        y = _TOP + _ROW * place + _ROW / 2
        low, high = x(row.predicted.low), x(row.predicted.high or most)
        parts.append(
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{escape(row.name)}'
            f"{_MARKS[row.group]}</text>"
            f'<rect class="range" x="{low:.1f}" y="{y - 5}" width="{max(high - low, 2):.1f}" '
            'height="10" rx="3"/>'
        )
        if row.predicted.likely is not None:
            at = x(row.predicted.likely)
            parts.append(
                f'<line class="likely" x1="{at:.1f}" y1="{y - 6}" x2="{at:.1f}" y2="{y + 6}"/>'
            )
        kind = "in" if row.is_within else "out"
        parts.append(f'<circle class="{kind}" cx="{x(row.factor):.1f}" cy="{y}" r="4"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def page(text: str, found: Sequence[Row]) -> str:
    """The page with its table renewed."""
    head, _, rest = text.partition(_BEGIN)
    return f"{head}{_BEGIN}\n\n{table(found)}\n{_END}{rest.partition(_END)[2]}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Holds predicted factors against measured ones.")
    parser.add_argument("programs", nargs="*", help="those to measure; all if none is named")
    parser.add_argument("--measure", action="store_true", help="time the programs anew")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--outside", type=Path, help="judge programs that this file lists instead")
    options = parser.parse_args(arguments)
    if options.outside is not None:
        print(table(judged_outside(options.outside, options.repeats), ("outside",)))
        return
    every = programs()
    if options.measure:
        chosen = [p for p in every if not options.programs or p.name in options.programs]
        measure_all(chosen, options.repeats)
    found = rows()
    path = DOCS / "costs.md"
    path.write_text(page(path.read_text("utf-8"), found), "utf-8")
    (DOCS / "costs.svg").write_text(plot(found), "utf-8")
    print(table(found))


if __name__ == "__main__":
    main()
