"""The harvester's command line: see docs/knowledge.md.

python -m tools.harvest symbols   --python PY --out RAW   # and kernels, renames
python -m tools.harvest constants --python PY --out RAW
python -m tools.harvest verdicts  --python PY --out RAW
python -m tools.harvest prices    --python PY --out RAW   # on a machine that does little else
python -m tools.harvest behaviour --python PY --out RAW   # holds behaviour.json against it
python -m tools.harvest arguments --python PY --out RAW   # says what graphs need the values of
python -m tools.harvest continuity --python PY --out RAW  # says which arguments move results a little
python -m tools.harvest tables    --raw RAW...
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.harvest import pool

KNOWLEDGE = pool.ROOT / "tfxla_lint" / "knowledge"


def harvest_with(module: str, name: str) -> Callable[[argparse.Namespace], None]:
    """A command that runs one module in the interpreter that has TensorFlow."""

    def command(options: argparse.Namespace) -> None:
        options.out.mkdir(parents=True, exist_ok=True)
        target = options.out / f"{name}.json"
        pool.run_module(options.python, module, str(target.resolve()))

    return command


def constants(options: argparse.Namespace) -> None:
    kernels = json.loads((options.out / "kernels.json").read_text(encoding="utf-8"))
    names = [op for op in sorted(kernels["kernels"]["CPU"]) if not op.startswith("_")]
    results = options.out / "constants.jsonl"
    with pool.prober(options.python) as worker:
        pool.run(worker, {"task": "constants"}, names, results)
    records = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    found = {r["name"]: r["constant"] for r in records if r.get("constant")}
    text = json.dumps(found, indent=0, sort_keys=True)
    (options.out / "constants.json").write_text(text, encoding="utf-8")


def verdicts(options: argparse.Namespace) -> None:
    out = options.out.resolve()
    files = {name: str(out / f"{name}.json") for name in ("kernels", "constants")}
    job = {"task": "verdicts", "inventory": str(out / "symbols.json"), **files}
    names = options.names or list_endpoints(options.python, job)
    with pool.prober(options.python) as worker:
        pool.run(worker, job, names, out / "verdicts.jsonl")


def behaviour(options: argparse.Namespace) -> None:
    """Calls the endpoints, and says where the table of behaviour says something else."""
    from tools.harvest import behaviour_table

    out = options.out.resolve()
    files = {name: str(out / f"{name}.json") for name in ("kernels", "constants")}
    job = {"task": "behaviour", "inventory": str(out / "symbols.json"), **files}
    listed = options.names or list_endpoints(options.python, job)
    names = [name for name in listed if not name.startswith("compat.")]
    with pool.prober(options.python) as worker:
        pool.run(worker, job, names, out / "behaviour.jsonl")
    lines = (out / "behaviour.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = list(behaviour_table.disagreements(json.loads(line) for line in lines))
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


def arguments(options: argparse.Namespace) -> None:
    """Calls the endpoints of which graphs compute the same, and writes what has to be static in them."""
    from tools.harvest import behaviour_table as table

    _write_column(options, "arguments", table.same_in_graphs(), table.with_static)


def continuity(options: argparse.Namespace) -> None:
    """Calls the endpoints of which arithmetic is told, and writes in which arguments they are smooth."""
    from tools.harvest import behaviour_table as table

    _write_column(options, "continuity", table.told_of(), table.with_smooth)


def _write_column(
    options: argparse.Namespace, task: str, known: list[str], written: Callable[..., Any]
) -> None:
    from tools.harvest import behaviour_table

    out = options.out.resolve()
    files = {name: str(out / f"{name}.json") for name in ("kernels", "constants")}
    job = {"task": task, "inventory": str(out / "symbols.json"), **files}
    results = out / f"{task}.jsonl"
    with pool.prober(options.python) as worker:
        pool.run(worker, job, options.names or known, results)
    lines = results.read_text(encoding="utf-8").splitlines()
    target = KNOWLEDGE / "behaviour.json"
    rows = written(json.loads(target.read_text(encoding="utf-8")), map(json.loads, lines))
    target.write_text(behaviour_table.write(rows), encoding="utf-8")


def list_endpoints(python: str, job: dict[str, str]) -> list[str]:
    """All endpoints of that TensorFlow: its functions, and what there are recipes for."""
    return pool.run_module(python, "probe", json.dumps(job)).splitlines()[-1].split("\t")


def tables(options: argparse.Namespace) -> None:
    from tools.harvest import tables as writer

    writer.write_all(options.raw, options.knowledge)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m tools.harvest", description=__doc__)
    commands = made.add_subparsers(required=True)
    simple = {
        "symbols": harvest_with("inventory", "symbols"),
        "kernels": harvest_with("kernels", "kernels"),
        "renames": harvest_with("renames", "renames"),
        "prices": harvest_with("prices", "prices"),
        "constants": constants,
        "verdicts": verdicts,
        "behaviour": behaviour,
        "arguments": arguments,
        "continuity": continuity,
    }
    for name, command in simple.items():
        sub = commands.add_parser(name)
        sub.add_argument("--python", default=sys.executable, help="interpreter with TensorFlow")
        sub.add_argument("--out", type=Path, required=True, help="folder for raw results")
        if name in ("verdicts", "behaviour", "arguments", "continuity"):
            sub.add_argument("names", nargs="*", help="endpoints (default: all)")
        sub.set_defaults(command=command)
    sub = commands.add_parser("tables")
    sub.add_argument("--raw", type=Path, nargs="+", required=True, help="folders of raw results")
    sub.add_argument("--knowledge", type=Path, default=KNOWLEDGE)
    sub.set_defaults(command=tables)
    return made


def main() -> None:
    options = parser().parse_args()
    options.command(options)


if __name__ == "__main__":
    main()
