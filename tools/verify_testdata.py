"""Verifies every rewrite of the test data in one go and counts the verdicts.

    python -m tools.verify_testdata [--run] [--cost] [--jobs N] [--every N [--first N]] [WORDS...]

The rewrites are each CASE_fixed.py of a CASE_bad.py, the programs' rewrites by hand, and what the
tool itself makes of the programs with all its fixes. With `--run` each original is what the user
would name: it is run as a program, before anything else is tried. It prints the verdict on each
unit and how long its file took; WORDS select by what the paths contain, `--every 4` takes one in
four, and `--first` says with which it begins. The status is 1 where a right rewrite is refuted, and
where fewer than the share that is promised could be checked.

`--cost` prints a Markdown table of what verifying the programs takes, in runs of the original:
how long it runs in a process that has TensorFlow loaded, and what goes into each part.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tfxla_lint.fixer import fix_text
from tfxla_lint.linter import Linter
from tfxla_lint.registry import read_catalogue
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.source import Source
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Outcome, Verdict
from tfxla_lint.verify.verifier import Verifier
from tfxla_lint.work import LintOptions

TESTDATA = Path(__file__).parents[1] / "testdata"
#: The percentage that has to be equivalent or to differ, with a program to run and without.
WITH_RUN, WITHOUT = 95.0, 70.0


@dataclass(frozen=True)
class Case:
    """One file with its rewritten text."""

    shown: str
    original: Path
    rewritten: str

    @property
    def is_correcting(self) -> bool:
        """Whether the first comments say that the original is wrong."""
        head = self.original.read_text("utf-8").split("\n\n")[0]
        return "# intent: correcting" in head


def cases(words: list[str]) -> list[Case]:
    """The cases that the words select."""
    every = [*_written_down(), *_proposed()]
    return [case for case in every if not words or any(word in case.shown for word in words)]


def _written_down() -> Iterator[Case]:
    for fixed in sorted(TESTDATA.glob("*/*/*_fixed.py")):
        bad = fixed.with_name(fixed.name.removesuffix("_fixed.py") + "_bad.py")
        yield Case(fixed.relative_to(TESTDATA).as_posix(), bad, fixed.read_text("utf-8"))
    for handmade in sorted((TESTDATA / "handmade").glob("*.py")):
        program = TESTDATA / "programs" / handmade.stem.removesuffix("_fused") / "train.py"
        yield Case(f"handmade/{handmade.name}", program, handmade.read_text("utf-8"))


def _proposed() -> Iterator[Case]:
    catalogue = read_catalogue()
    linter = Linter(catalogue, LintOptions(catalogue.defaults, catalogue.codes))
    for program in sorted(TESTDATA.glob("programs/*/train.py")):
        source = Source.read(program)
        text = fix_text(source, linter.lint, unsafe=True).text
        if text != source.text:
            yield Case(f"{program.relative_to(TESTDATA).as_posix()}, fixed", program, text)


class Metered(Worker):
    """A worker that adds up how long each part of its jobs takes, and notes how long programs run."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: Counter[str] = Counter()
        self.once = 0.0

    def run(
        self,
        job: Mapping[str, Any],
        limits: Limits,
        on_event: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """The report for one job."""
        self.start()
        part, began = "calls", time.perf_counter()

        def note(message: dict[str, Any]) -> None:
            nonlocal part, began
            if message["event"] == "phase":
                now = time.perf_counter()
                self.parts[part] += now - began
                part, began = _part(message), now
            if on_event is not None:
                on_event(message)

        try:
            report = super().run(job, limits, note)
        finally:
            self.parts[part] += time.perf_counter() - began
        self.once = max(self.once, *report.get("seconds", [0.0])[:1])
        return report


#: What takes time, as the table names it.
PARTS = ("original", "rewritten", "again", "power", "calls")


def _part(phase: Mapping[str, Any]) -> str:
    """The part that a phase of a job belongs to."""
    if phase["what"] == "power":
        return "power"
    if phase["what"] == "script":
        return str(phase["side"])
    return "again" if phase["what"] == "script again" else "calls"


def cost_table(chosen: list[Case]) -> Iterator[str]:
    """The lines of a table of what verifying each case takes, in runs of its original."""
    yield f"| program | one run | {' | '.join(PARTS)} | runs in all | verdicts |"
    yield "|---|" + "---:|" * (len(PARTS) + 2) + "---|"
    sums = []
    workers = Workers(1, False, is_full=True)
    try:
        for case in chosen:
            worker = workers.of_one()
            worker.parts.clear()
            worker.once = 0.0
            _, verdicts = workers.verify(case)
            if not worker.once:
                continue
            runs = {part: worker.parts[part] / worker.once for part in PARTS}
            sums.append(sum(runs.values()))
            counts = Counter(verdict.outcome.value for verdict in verdicts)
            cells = [f"{worker.once:.2f} s", *(f"{runs[part]:.2f}" for part in PARTS)]
            cells += [f"{sums[-1]:.1f}", ", ".join(f"{n} {word}" for word, n in counts.items())]
            yield f"| {case.shown} | {' | '.join(cells)} |"
    finally:
        workers.stop()
    yield f"| median | | {' | ' * len(PARTS)}{statistics.median(sums):.1f} | |"


class Workers:
    """Verifies cases side by side, each with a worker that no other uses."""

    def __init__(self, jobs: int, runs: bool, is_full: bool = False) -> None:
        self._runs = runs
        #: Whether wrong versions are run and times taken, as the command does.
        self._is_full = is_full
        self._free: SimpleQueue[Metered] = SimpleQueue()
        self._all = [Metered() for _ in range(jobs)]
        for worker in self._all:
            self._free.put(worker)

    def of_one(self) -> Metered:
        """The first worker."""
        return self._all[0]

    def verify(self, case: Case) -> tuple[float, list[Verdict]]:
        """The seconds that it took, and the verdicts."""
        worker = self._free.get()
        began = time.perf_counter()
        try:
            with tempfile.TemporaryDirectory(prefix="verify-") as folder:
                options = Options(
                    Limits(90),
                    (str(case.original),) if self._runs else (),
                    folder if self._runs else "",
                    correcting=case.is_correcting,
                    measure=self._is_full,
                    power=self._is_full,
                )
                before = Source.read(case.original).text
                pair = Pair(case.original, case.shown, before, case.rewritten)
                verdicts = Verifier(worker, options).verify(pair)
        finally:
            self._free.put(worker)
        return time.perf_counter() - began, verdicts

    def stop(self) -> None:
        """End the workers."""
        for worker in self._all:
            worker.stop()


def _line(seconds: float, shown: str, verdict: Verdict) -> str:
    why = verdict.reason or (str(verdict.evidence[0]) if verdict.evidence else "")
    outcome = f"{verdict.outcome.value:<11}  {verdict.method:<9}"
    return f"{seconds:6.1f} s  {outcome}  {shown}  {verdict.unit}  {why}"[:300]


def _summary(counts: Counter[Outcome], files: int, took: list[float], seconds: float) -> float:
    """Print the sums; the percentage that was checked."""
    total = sum(counts.values())
    share = 100.0 * (total - counts[Outcome.NOT_CHECKED]) / max(total, 1)
    words = ", ".join(f"{counts[o]} {o.value}" for o in Outcome)
    print(f"{total} units of {files} files: {words}; {share:.1f} % checked")
    middle = sorted(took)[len(took) // 2] if took else 0.0
    print(
        f"{seconds:.0f} s in all; a file takes {middle:.1f} s in the middle, {max(took, default=0.0):.1f} s at most"
    )
    return share


def main() -> int:
    """Verify what the words select, print a line each and the sums."""
    parser = argparse.ArgumentParser(description="Verify the rewrites of the test data.")
    parser.add_argument("--run", action="store_true", help="run the originals as programs")
    parser.add_argument("--cost", action="store_true", help="a table of what it takes, in runs")
    parser.add_argument("--jobs", type=int, default=1, help="so many at once")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one in so many")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="beginning with this one")
    parser.add_argument("words", nargs="*", metavar="WORDS")
    given = parser.parse_args()
    counts: Counter[Outcome] = Counter()
    took = []
    began = time.perf_counter()
    chosen = cases(given.words)[given.first % given.every :: given.every]
    if given.cost:
        for line in cost_table(chosen):
            print(line, flush=True)
        return 0
    workers = Workers(given.jobs, given.run)
    try:
        with ThreadPoolExecutor(given.jobs) as pool:
            for case, (seconds, verdicts) in zip(
                chosen, pool.map(workers.verify, chosen), strict=True
            ):
                took.append(seconds)
                for verdict in verdicts:
                    counts[verdict.outcome] += 1
                    print(_line(seconds, case.shown, verdict), flush=True)
    finally:
        workers.stop()
    share = _summary(counts, len(chosen), took, time.perf_counter() - began)
    is_enough = share >= (WITH_RUN if given.run else WITHOUT)
    return 0 if is_enough and not counts[Outcome.DIFFERS] else 1


if __name__ == "__main__":
    sys.exit(main())
