"""Measures the programs of testdata/: as they stand, as the tool fixes them, as written by hand.

    python -m tools.benchmark_programs [--repeats 5] [--versions original hand] [--best] [PROGRAM ...]

prints a Markdown table of milliseconds per step. The versions of a program are `original`
(testdata/programs/NAME/train.py), `tool` (a copy of it after `--fix --unsafe-fixes`), `tool_fused` (the same with TXL113 on), `hand`
(testdata/handmade/NAME.py: the same loop, each step as fast as its author could make it) and, for
some, `fused` (testdata/handmade/NAME_fused.py: many steps, or all of an epoch, in one call, where
the program shows nothing in between).

`length` in a program's expected.json names its outer training loop, the constant or command line
option that sets the number of turns, how many turns to run and how many steps each makes;
`fused_length` holds what is different for the fused version. A copy takes the time between turns
and is otherwise left alone; the first turns, which trace, are dropped, and the median of the rest
is one run's result. The versions take turns in one warm TensorFlow process, so that a slow spell
of the machine hits all of them, and the median of the repeats is shown. `--best` shows the fastest
repeat instead, for a machine that others use as well, and takes the fastest turn of each run;
`--cpu` takes the time that the processors compute, which does not count the work of others. A
step is one update; for the programs of reinforcement learning, one episode. The original, whose
steps are long, makes fewer turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.programs.client import Worker
from tools.programs.tool import TESTDATA, fixed_copy

HANDMADE = TESTDATA / "handmade"
VERSIONS = ("original", "tool", "tool_fused", "hand", "fused")
#: What is on for `tool_fused` besides.
FUSING = frozenset({"TXL113"})
WARM_UP = 3
#: Programs under test are shown a clock of the tool's own, which goes by reads: below it is the true
#: one.
CLOCK = """\
import inspect as benchmark_inspect
import time as benchmark_time

benchmark_now = benchmark_inspect.unwrap(benchmark_time.WHICH)
benchmark_marks = []

def benchmark_turns(turns):
    for turn in turns:
        benchmark_marks.append(benchmark_now())
        yield turn
    benchmark_marks.append(benchmark_now())

def benchmark_epochs():
    import tensorflow
    mark = lambda epoch, logs: benchmark_marks.append(benchmark_now())
    return tensorflow.keras.callbacks.LambdaCallback(on_epoch_begin=mark)

"""


@dataclass(frozen=True)
class Length:
    """Where and how long a program loops: `units` turns of `loop`, `steps` steps in each.

    `constant` is a global name or an option (`--epochs`); "" where it stays as it is. Where Keras' `fit` is the loop, `loop` is
    its argument: `epochs=EPOCHS`.
    """

    constant: str
    loop: str
    steps: int
    units: int
    #: So many turns have one call among them, which makes the steps of all.
    turns: int = 1


@dataclass(frozen=True)
class Result:
    """Milliseconds per step of the repeats, for each version that there is."""

    name: str
    times: Mapping[str, Sequence[float]]
    is_best: bool = False

    def time(self, version: str) -> float | None:
        """The middle one of a version's repeats, or the best."""
        values = self.times.get(version)
        if not values:
            return None
        return min(values) if self.is_best else statistics.median(values)

    def ratio(self, version: str, to: str) -> float | None:
        """How many times the speed of `to` a version has."""
        times = self.time(version), self.time(to)
        return None if times[0] is None or times[1] is None else times[1] / times[0]

    @property
    def spread(self) -> float:
        """The largest range of a version's repeats, relative to their median."""
        return max(
            (max(values) - min(values)) / statistics.median(values)
            for values in self.times.values()
        )


def with_clock(source: str, length: Length, which: str = "perf_counter") -> str:
    """The program at its benchmark length, noting the time at each turn of its loop."""
    clock = CLOCK.replace("WHICH", which)
    if length.constant.startswith("--"):
        clock += f"import sys\nsys.argv += [{length.constant!r}, '{length.units}']\n"
    else:
        source = _with_constant(source, length)
    if length.loop.startswith("epochs="):
        old, new = length.loop, f"{length.loop}, callbacks=[benchmark_epochs()]"
    else:
        old, new = f"in {length.loop}:", f"in benchmark_turns({length.loop}):"
    if source.count(old) != 1:
        raise SystemExit(f"{length.loop} is not there exactly once")
    return _after_future_imports(clock, source.replace(old, new))


def _with_constant(source: str, length: Length) -> str:
    if not length.constant:
        return source
    lines = source.splitlines(keepends=True)
    places = [i for i, line in enumerate(lines) if line.startswith(f"{length.constant} = ")]
    if len(places) != 1:
        raise SystemExit(f"{length.constant} is not set exactly once")
    lines[places[0]] = f"{length.constant} = {length.units}\n"
    return "".join(lines)


def _after_future_imports(clock: str, source: str) -> str:
    future = "from __future__ import annotations\n"
    return future + clock + source if future in source else clock + source


def timed(worker: Worker, path: Path, length: Length, is_best: bool = False) -> float:
    """Milliseconds per step of one run: the median (or best) turn after the warm-up."""
    snapshot = worker.run(path, timeout=300)
    if snapshot.error is not None:
        raise SystemExit(f"{path}: {': '.join(snapshot.error)}")
    marks = [node[2] for _, node in dict(snapshot.state[2])["benchmark_marks"][2]]
    marks = [*marks[:WARM_UP], *marks[WARM_UP :: length.turns]]
    turns = [end - start for start, end in pairwise(marks)]
    turn = min(turns[WARM_UP:]) if is_best else statistics.median(turns[WARM_UP:])
    return 1000 * float(turn) / (length.steps * length.turns)


def sources(program: Path, chosen: Sequence[str], folder: Path) -> dict[str, Path]:
    """The chosen versions of a program that there are; one that the tool leaves alone has none."""
    name = program.parent.name
    found = {"original": program, "hand": HANDMADE / f"{name}.py"}
    found["fused"] = HANDMADE / f"{name}_fused.py"
    for version, others in (("tool", frozenset[str]()), ("tool_fused", FUSING)):
        if version in chosen:
            place = folder / version
            place.mkdir()
            found[version] = fixed_copy(program, place, others)
    return {version: found[version] for version in chosen if found[version].exists()}


def measure(
    worker: Worker,
    program: Path,
    chosen: Sequence[str],
    repeats: int,
    is_best: bool,
    which: str = "perf_counter",
) -> Result:
    """Time the versions of a program, in turns."""
    facts: dict[str, Any] = json.loads(program.with_name("expected.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        copies: dict[str, tuple[Path, Length]] = {}
        for version, path in sources(program, chosen, Path(folder)).items():
            other = facts.get("fused_length", {}) if version == "fused" else {}
            length = Length(**{**facts["length"], **other})
            if version == "original":
                length = replace(length, units=max(length.units // 3, WARM_UP + 4))
            if version == "tool_fused" and length.steps == 1:
                turns = facts.get("fused_length", {}).get("steps", 1)
                length = replace(length, turns=turns, units=max(length.units, 10 * turns))
            copy = Path(folder) / f"{version}.py"
            copy.write_text(with_clock(path.read_text(), length, which))
            copies[version] = (copy, length)
        times: dict[str, list[float]] = {version: [] for version in copies}
        for _ in range(repeats):
            for version, (copy, length) in copies.items():
                times[version].append(timed(worker, copy, length, is_best))
    return Result(program.parent.name, times, is_best)


def header(chosen: Sequence[str]) -> str:
    """The head of the table."""
    cells = ["program", *(f"{version}, ms per step" for version in chosen)]
    cells += [f"{version}, times faster" for version in chosen if version != "original"]
    cells += [f"{version} / {other}" for version, other in _pairs(chosen)]
    cells.append("spread")
    return f"| {' | '.join(cells)} |\n|{'---|' * len(cells)}"


def row(result: Result, chosen: Sequence[str]) -> str:
    """A program's line of the table."""
    cells = [result.name]
    cells += [_shown(result.time(version), ".2f") for version in chosen]
    faster = [version for version in chosen if version != "original"]
    cells += [_shown(result.ratio(version, "original"), ".1f") for version in faster]
    cells += _shares([result], chosen)
    cells.append(f"{result.spread:.0%}")
    return f"| {' | '.join(cells)} |"


def last_row(results: Sequence[Result], chosen: Sequence[str]) -> str:
    """The geometric means over the programs."""
    cells = ["geometric mean", *("" for _ in chosen)]
    for version in chosen:
        if version != "original":
            cells.append(_shown(_mean(results, version, "original"), ".1f"))
    return f"| {' | '.join([*cells, *_shares(results, chosen), ''])} |"


def _shares(results: Sequence[Result], chosen: Sequence[str]) -> list[str]:
    return [_shown(_mean(results, *pair), ".0%") for pair in _pairs(chosen)]


def _pairs(chosen: Sequence[str]) -> list[tuple[str, str]]:
    """The versions that are compared: the tool's with those made by hand."""
    pairs = (("tool", "hand"), ("tool", "fused"), ("tool_fused", "fused"))
    return [pair for pair in pairs if set(pair) <= set(chosen)]


def _mean(results: Sequence[Result], version: str, to: str) -> float | None:
    ratios = [ratio for result in results if (ratio := result.ratio(version, to)) is not None]
    return statistics.geometric_mean(ratios) if ratios else None


def _shown(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Times the versions of the programs.")
    parser.add_argument("programs", nargs="*", help="names of folders in testdata/programs")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="what the process computes, not waits")
    parser.add_argument("--best", action="store_true", help="the fastest of the repeats")
    parser.add_argument("--versions", nargs="+", choices=VERSIONS, default=VERSIONS)
    options = parser.parse_args(arguments)
    programs = sorted((TESTDATA / "programs").glob("*/train.py"))
    chosen = [p for p in programs if not options.programs or p.parent.name in options.programs]
    print(header(options.versions))
    results = []
    with Worker() as worker:
        for program in chosen:
            which = "process_time" if options.cpu else "perf_counter"
            result = measure(
                worker, program, options.versions, options.repeats, options.best, which
            )
            results.append(result)
            print(row(results[-1], options.versions), flush=True)
    print(last_row(results, options.versions))


if __name__ == "__main__":
    main()
