"""Probes many names, one after the other, and survives the crashes and hangs of their probes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from tfxla_lint.sandbox import jobs, spawn
from tfxla_lint.sandbox.limits import Limits

ROOT = Path(__file__).resolve().parents[2]
#: So long a probe may be silent; its own alarm rings before.
LIMITS = Limits(110.0, 32 << 30)
#: A busy machine may read TensorFlow from a cold disk.
START_UP = 500.0


def run_module(python: str, module: str, argument: str) -> str:
    """What `main` of a module of this folder prints in the interpreter that has TensorFlow."""
    words = [*spawn.command(python, f"tools.harvest.{module}", root=ROOT), argument]
    return subprocess.check_output(words, env=spawn.environment(), text=True)


def done_names(results: Path) -> set[str]:
    if not results.exists():
        return set()
    lines = results.read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["name"] for line in lines}


def prober(python: str) -> jobs.Worker:
    """What probes names in an interpreter, for whatever tasks."""
    return jobs.Worker("tools.harvest.worker", python, ROOT, start_seconds=START_UP)


def run(worker: jobs.Worker, job: Mapping[str, Any], names: Iterable[str], results: Path) -> None:
    """Probes every name that `results` does not have yet; appends one line for each."""
    done = done_names(results)
    with results.open("a", encoding="utf-8") as out:
        for name in names:
            if name not in done:
                write(out, {"name": name, **record_of(worker, {**job, "name": name})})


def record_of(worker: jobs.Worker, job: Mapping[str, Any]) -> dict[str, Any]:
    """The record of one name; where its probe died or hung, what was known and how it ended."""
    part: dict[str, Any] = {}
    try:
        answer = worker.run(job, LIMITS, lambda message: part.update(message["part"]))
    except jobs.Death as death:
        return {**part, "failed": "hung" if death.kind == "timeout" else death.reason}
    record: dict[str, Any] = answer["record"]
    return record


def write(out: IO[str], record: Mapping[str, Any]) -> None:
    out.write(json.dumps(dict(record)) + "\n")
    out.flush()
