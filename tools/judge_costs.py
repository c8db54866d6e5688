"""Holds what the tool says a finding is worth against what mending it was measured to bring.

    python -m tools.judge_costs [--measure] [--repeats 3] [PROGRAM ...]

The programs are those of testdata/programs, mended by hand in testdata/handmade, and those of
testdata/costs, each beside its mended twin. `--measure` times both on TensorFlow, in turns, and
keeps the times in testdata/costs/measured.json; a time is the processor's, of the fastest turn of
the program's loop, so that other work on the machine matters little. Predicted is the factor of the
dearest finding of the program as it stands. Every other program, by name, was looked at when the
model's few assumptions were chosen ("fitted"); the rest judge it. The table and the plot are written
to docs/costs.md and docs/costs.svg.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from tests.execution.client import Worker
from tests.execution.tool import TESTDATA
from tools.benchmark_programs import HANDMADE, WARM_UP, Length, timed, with_clock

COSTS = TESTDATA / "costs"
MEASURED = COSTS / "measured.json"
DOCS = Path(__file__).resolve().parents[1] / "docs"


@dataclass(frozen=True)
class Program:
    """A program with its mended twin, and where both loop."""

    name: str
    original: Path
    mended: Path
    length: Length


def programs() -> list[Program]:
    """All programs, by name."""
    found = []
    for path in sorted((TESTDATA / "programs").glob("*/train.py")):
        facts: dict[str, Any] = json.loads(path.with_name("expected.json").read_text())
        name = path.parent.name
        found.append(Program(name, path, HANDMADE / f"{name}.py", Length(**facts["length"])))
    lengths: dict[str, Any] = json.loads((COSTS / "lengths.json").read_text())
    for name, length in lengths.items():
        mended = COSTS / f"{name}_mended.py"
        found.append(Program(name, COSTS / f"{name}.py", mended, Length(**length)))
    return sorted(found, key=lambda program: program.name)


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
            own_time = clocked.replace("CLOCK_MONOTONIC", "CLOCK_PROCESS_CPUTIME_ID")
            copies[version][0].write_text(own_time)
        for _ in range(repeats):
            for version, (copy, length) in copies.items():
                best[version] = min(best[version], timed(worker, copy, length, is_best=True))
    return {version: float(f"{time:.4g}") for version, time in best.items()}


def measure_all(chosen: Sequence[Program], repeats: int) -> None:
    """Time the programs and keep the times, each as soon as it is known."""
    with Worker() as worker:
        for program in chosen:
            times = measured()
            times[program.name] = measure(worker, program, repeats)
            MEASURED.write_text(json.dumps(dict(sorted(times.items())), indent=1) + "\n")
            print(program.name, times[program.name], flush=True)


def measured() -> dict[str, dict[str, float]]:
    """The times that were kept."""
    if not MEASURED.exists():
        return {}
    times: dict[str, dict[str, float]] = json.loads(MEASURED.read_text())
    return times


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Holds predicted factors against measured ones.")
    parser.add_argument("programs", nargs="*", help="those to measure; all if none is named")
    parser.add_argument("--measure", action="store_true", help="time the programs anew")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    every = programs()
    if options.measure:
        chosen = [p for p in every if not options.programs or p.name in options.programs]
        measure_all(chosen, options.repeats)


if __name__ == "__main__":
    main()
