"""The probe's command line, in an environment that has TensorFlow.

python -m tools.probe_endpoints draw SEED          # the endpoints to write calls for
python -m tools.probe_endpoints run SEED           # runs the calls, compares, counts
python -m tools.probe_endpoints coverage SEED      # shares of the public surface
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tfxla_lint.knowledge import symbols, tables, xla
from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.limits import Limits
from tools.probe_endpoints import draw, judge

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Limits(100.0, 32 << 30)


def show_draw(options: argparse.Namespace) -> None:
    print("\n".join(draw.draw(draw.claimed(tables.newest()), options.seed)))


def coverage(options: argparse.Namespace) -> None:
    names = draw.surface(tables.newest())
    covered = {n for n in names if xla.verdict(symbols.ROOT + n, tables.newest())}
    total, have = Counter(map(group, names)), Counter(map(group, covered))
    for part, count in sorted(total.items()):
        print(f"{part}: {have[part]} of {count}")
    print(f"all: {len(covered)} of {len(names)} ({len(covered) / len(names):.1%})")
    drawn = draw.draw(names, options.seed)
    print(f"of {len(drawn)} drawn: {sum(name in covered for name in drawn)}")


def group(name: str) -> str:
    symbol = symbols.find(symbols.ROOT + name, tables.newest())
    parts = name.split(".")
    place = "compat.v1" if parts[0] == "compat" else "keras" if parts[0] == "keras" else "tf"
    return f"{place} {symbol.kind if symbol else ''}"


def run(options: argparse.Namespace) -> None:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
    os.environ["TF_CPP_VMODULE"] = "device_compiler=2"
    outcomes: dict[str, Any] = {}
    if options.results.exists():
        outcomes = json.loads(options.results.read_text(encoding="utf-8"))
    with jobs.Worker("tools.probe_endpoints.observe", root=ROOT) as worker:
        names = worker.run({"seed": options.seed}, LIMITS)["names"]
        for name in options.names or [name for name in names if name not in outcomes]:
            try:
                job = {"seed": options.seed, "name": name}
                outcomes[name] = worker.run(job, LIMITS)["outcome"]
            except jobs.Death as death:
                outcomes[name] = {"crashed": death.reason}
            options.results.write_text(json.dumps(outcomes, indent=0), encoding="utf-8")
    report(outcomes)


def report(outcomes: dict[str, Any]) -> None:
    version = tables.newest()
    judged = coarse = exact = 0
    for name, outcome in sorted(outcomes.items()):
        verdict = judge.claim(name, outcome, version)
        if "broken" in outcome or verdict is None:
            print("not comparable:", name, outcome.get("broken", "no verdict"))
            continue
        judged += 1
        gross = judge.gross(verdict, outcome)
        faults = [gross] if gross else list(judge.fine(verdict, outcome))
        coarse += not gross
        exact += not faults
        for fault in faults:
            print(f"{name} [{verdict.status}]: {fault}")
    print(f"compared {judged}; compiles or not: {coarse}; every claim: {exact}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.probe_endpoints")
    commands = parser.add_subparsers(required=True)
    for name, command in {"draw": show_draw, "run": run, "coverage": coverage}.items():
        sub = commands.add_parser(name)
        sub.add_argument("seed", type=int)
        sub.set_defaults(command=command)
        if name == "run":
            sub.add_argument("names", nargs="*", help="run only these, again")
            sub.add_argument("--results", type=Path, required=True)
    options = parser.parse_args(sys.argv[1:])
    options.command(options)


if __name__ == "__main__":
    main()
