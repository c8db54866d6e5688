"""Verifies every rewrite of the test data in one go and counts the verdicts.

    python -m tools.verify_testdata [WORDS...]

For each CASE_bad.py with a CASE_fixed.py, and each program with a rewrite by hand, it prints the
verdict on each unit and the time it took; WORDS select by what the paths contain. The status is 1
where a right rewrite is refuted.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tfxla_lint.verify.process import Limits, Worker
from tfxla_lint.verify.verdicts import Outcome
from tfxla_lint.verify.verifier import Options, Pair, Verifier

TESTDATA = Path(__file__).parents[1] / "testdata"


def pairs() -> Iterator[tuple[Path, Path]]:
    """The originals with their rewrites."""
    for fixed in sorted(TESTDATA.glob("*/*/*_fixed.py")):
        yield fixed.with_name(fixed.name.removesuffix("_fixed.py") + "_bad.py"), fixed
    for handmade in sorted((TESTDATA / "handmade").glob("*.py")):
        program = handmade.stem.removesuffix("_fused")
        yield TESTDATA / "programs" / program / "train.py", handmade


def is_correcting(original: Path) -> bool:
    """Whether the first comments say that the original is wrong."""
    head = original.read_text("utf-8").split("\n\n")[0]
    return "# intent: correcting" in head


def main(words: list[str]) -> int:
    """Verify what the words select, print a line each and the sums."""
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    with Worker() as worker:
        for original, rewritten in pairs():
            shown = rewritten.relative_to(TESTDATA).as_posix()
            if words and not any(word in shown for word in words):
                continue
            started = time.perf_counter()
            options = Options(Limits(90), correcting=is_correcting(original))
            pair = Pair(original, shown, original.read_text("utf-8"), rewritten.read_text("utf-8"))
            verdicts = Verifier(worker, options).verify(pair)
            seconds = time.perf_counter() - started
            for verdict in verdicts:
                counts[verdict.outcome.value] += 1
                why = verdict.reason or (str(verdict.evidence[0]) if verdict.evidence else "")
                outcome = verdict.outcome.value
                print(
                    f"{seconds:6.1f} s  {outcome:<11}  {shown}  {verdict.unit}  {why}"[:300],
                    flush=True,
                )
    total = sum(counts.values())
    words_ = ", ".join(f"{counts[o.value]} {o.value}" for o in Outcome)
    print(f"{total} units: {words_}; {time.perf_counter() - began:.0f} s")
    return 1 if counts[Outcome.DIFFERS.value] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
