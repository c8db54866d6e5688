"""Fixes generated programs, and runs them before and after; gives odd bytes to what reads files, and odd
constants to what computes with them.

    python -m tools.fuzz programs --count N --seed S [--unsafe] [--jobs 2] [--keep DIR]
                                   [--extend-select CODE ...] [--rows 22]
    python -m tools.fuzz bytes [TARGET...] [--seconds 60] [--seed S] [--keep DIR]
    python -m tools.fuzz odd [--seconds 60] [--seed S] [--keep DIR]

Programs: each seed from S on makes one program. `--fix` is applied to it, and with `--unsafe` also
`--fix --unsafe-fixes` to another copy; whatever was changed is run before and after, and what is
printed has to be the same: numbers with a fraction up to 1e-4 of the larger, all else exactly. Of
unsafe fixes it counts only what is left when random numbers come from stateless operations. It also checks
that what is written parses, keeps all comments, and is left alone by a second run.

It prints how many programs were rewritten by which rules, how many failed before they were fixed
(they say nothing), and each difference with its seed; `--keep` writes these programs to a folder. The
status is 1 where a safe fix changed what is printed, or something else must never be.

Bytes: sources, suppressions, settings, notebooks, baselines, profiles, caches, and whole lints are
given mutations of what they know; an input that reaches new lines is mutated further. Each target has
its share of the seconds. The status is 1 where one raised what is no message; `--keep` writes these
inputs to a folder.

Odd: calls of TensorFlow with arguments that nobody expects, and test data of which some expressions are
replaced, are linted with all rules and fixed in memory. The status is 1 where something failed or took
longer than ten seconds.
"""

from __future__ import annotations

import argparse
import random
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path

from tools.fuzz.campaign import Plan, Summary, trials
from tools.fuzz.grammar import ROWS
from tools.fuzz.mutation import fuzz
from tools.fuzz.oddities import Odd, Oddities
from tools.fuzz.targets import targets

#: A program of some lines takes a hundredth of that.
_LONGEST = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    commands = parser.add_subparsers(dest="command", required=True)
    programs = commands.add_parser("programs", help="execute programs before and after --fix")
    programs.add_argument("--count", type=int, default=100, help="how many programs")
    programs.add_argument("--seed", type=int, default=0, help="the seed of the first")
    programs.add_argument("--seeds", type=int, nargs="+", help="these seeds, and no others")
    programs.add_argument("--unsafe", action="store_true", help="try unsafe fixes too")
    programs.add_argument("--jobs", type=int, default=2, help="processes")
    programs.add_argument("--keep", type=Path, help="a folder for the programs that differ")
    programs.add_argument("--extend-select", nargs="+", default=[], help="rules that are off else")
    programs.add_argument(
        "--rows", type=int, default=ROWS, help="of the data: more make more turns"
    )
    given = commands.add_parser("bytes", help="give odd bytes to what reads files")
    given.add_argument("targets", nargs="*", metavar="TARGET", help="these, and no others")
    given.add_argument("--seconds", type=float, default=60.0, help="for all of them together")
    given.add_argument("--seed", type=int, default=0, help="the seed of the mutations")
    given.add_argument("--keep", type=Path, help="a folder for the inputs that raise")
    odd = commands.add_parser("odd", help="lint and fix programs with odd constants")
    odd.add_argument("--seconds", type=float, default=60.0)
    odd.add_argument("--seed", type=int, default=0)
    odd.add_argument(
        "--keep", type=Path, help="a folder for the programs on which something failed"
    )
    options = parser.parse_args(arguments)
    if options.command == "odd":
        return _odd(options.seconds, options.seed, options.keep)
    if options.command == "bytes":
        return _bytes(options.targets, options.seconds, options.seed, options.keep)
    seeds = options.seeds or range(options.seed, options.seed + options.count)
    modes = ("safe", "unsafe") if options.unsafe else ("safe",)
    summaries = {mode: Summary(mode) for mode in modes}
    keep = options.keep.resolve() if options.keep is not None else None
    started = time.monotonic()
    plan = Plan(modes, keep, tuple(options.extend_select), options.rows)
    for trial in trials(seeds, plan, options.jobs):
        summary = summaries[trial.mode]
        summary.add(trial)
        if summary.tried % 100 == 0:
            print(f"{summary.mode}: {summary.tried} tried", file=sys.stderr, flush=True)
        if trial.difference is not None or trial.problems:
            print(
                f"{trial.mode} {trial.seed}: {trial.problems} {trial.difference}", file=sys.stderr
            )
    for summary in summaries.values():
        print("\n".join(summary.lines()))
    print(f"{time.monotonic() - started:.0f} seconds")
    safe = summaries["safe"]
    broken = any(summary.problems for summary in summaries.values())
    return 1 if safe.differences or broken else 0


def _bytes(names: Sequence[str], seconds: float, seed: int, keep: Path | None) -> int:
    faults = 0
    with targets() as known:
        chosen = names or list(known)
        for name in chosen:
            target = known[name]
            dice = random.Random(f"{seed} {name}")
            share = seconds / len(chosen)
            outcome = fuzz(name, target.run, target.seeds, target.words, dice, share)
            print(outcome.told(), flush=True)
            for number, (place, (data, said)) in enumerate(outcome.faults.items()):
                print(f"  {place}\n{textwrap.indent(said, '    ')}")
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{name}_{number}").write_bytes(data)
            faults += len(outcome.faults)
    return 1 if faults else 0


def _odd(seconds: float, seed: int, keep: Path | None) -> int:
    oddities, tried, faults = Oddities(seed), 0, dict[str, Odd]()
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        text, started = oddities.program(), time.monotonic()
        failure = oddities.failure(text)
        took = time.monotonic() - started
        if failure is None and took > _LONGEST:
            failure = Odd(text, f"it took {took:.0f} seconds")
        tried += 1
        if failure is not None:
            faults.setdefault(failure.place, failure)
    print(f"{tried} programs with odd constants, {len(faults)} places where something failed")
    for number, (place, fault) in enumerate(faults.items()):
        print(f"  {place}\n{textwrap.indent(fault.said, '    ')}")
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"odd_{number}.py").write_text(fault.text, encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
