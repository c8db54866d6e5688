"""Runs workers one after the other over many names, and survives their crashes and hangs."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
PER_WORKER = 60
#: Seconds without a word after which a worker counts as hung: in the midst of a name, and before
#: its first one, while it imports TensorFlow, which a busy machine may read from a cold disk.
SILENCE = 110.0
START_UP = 500.0


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a process of another interpreter that imports `tools.harvest`."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_ENABLE_ONEDNN_OPTS": "0",
        **(extra or {}),
    }


def done_names(results: Path) -> set[str]:
    if not results.exists():
        return set()
    lines = results.read_text(encoding="utf-8").splitlines()
    return {json.loads(line)["name"] for line in lines}


def run(python: str, job: Mapping[str, Any], names: Iterable[str], results: Path) -> None:
    """Probes every name that `results` does not have yet; appends one line for each."""
    done = done_names(results)
    pending = [name for name in names if name not in done]
    with results.open("a", encoding="utf-8") as out:
        while pending:
            batch = pending[:PER_WORKER]
            answered = run_batch(python, {**job, "names": batch}, out)
            pending = [name for name in pending if name not in answered]


def run_batch(python: str, job: Mapping[str, Any], out: IO[str]) -> set[str]:
    """One worker; the name during which it died or hung gets a record that says so."""
    answered: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "job.json"
        file.write_text(json.dumps(dict(job)), encoding="utf-8")
        process = subprocess.Popen(
            [python, "-m", "tools.harvest.worker", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            cwd=folder,
        )
        assert process.stdout is not None
        current, part, why = follow(process, process.stdout, answered, out)
        process.stdout.close()
    if current is None and not answered:
        raise RuntimeError(f"the worker died before its first name: {why}")
    if current is not None:
        write(out, {"name": current, **part, "failed": why})
        answered.add(current)
    return answered


def follow(
    process: subprocess.Popen[bytes], stream: IO[bytes], answered: set[str], out: IO[str]
) -> tuple[str | None, dict[str, Any], str]:
    """Copies answers until the worker ends: the name left open, its part, how it ended."""
    current: str | None = None
    part: dict[str, Any] = {}
    while True:
        has_begun = current is not None or bool(answered)
        ready, _, _ = select.select([stream], [], [], SILENCE if has_begun else START_UP)
        if not ready:
            process.kill()
            process.wait()
            return current, part, "hung"
        line = stream.readline().decode("utf-8", "replace")
        if not line:
            status = process.wait()
            return current, part, f"crashed with status {status}"
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "START":
            current, part = rest, {}
        elif word == "PART":
            part = json.loads(rest)
        elif word == "DONE":
            record = json.loads(rest)
            write(out, record)
            answered.add(record["name"])
            current = None


def write(out: IO[str], record: Mapping[str, Any]) -> None:
    out.write(json.dumps(dict(record)) + "\n")
    out.flush()
