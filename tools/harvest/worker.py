"""Probes endpoints in the TensorFlow that runs it; one process of many, which may crash.

    python -m tools.harvest.worker JOB.json

The job names the inventory, the kernel list and the endpoints. Each is announced on standard
output as ``START name``, ``PART`` with what is known so far, and ``DONE`` with its record, each
as one line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

SECONDS = 90

Emit = Callable[[dict[str, Any]], None]
Probe = Callable[[str, Emit], dict[str, Any]]


def one_thread() -> None:
    """No thread pools: what is probed is small, and several workers may run."""
    for name in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ[name] = "1"


def private_output() -> TextIO:
    """A stream to the parent that nothing printed by the probed code can reach."""
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return stream


def quieten() -> None:
    import logging
    import warnings

    import tensorflow as tf

    warnings.simplefilter("ignore")
    tf.get_logger().setLevel("ERROR")
    logging.disable(logging.CRITICAL)


def alarm(seconds: int) -> None:
    from tools.harvest.analyse import OutOfTime

    def expired(*_: Any) -> None:
        raise OutOfTime

    signal.signal(signal.SIGALRM, expired)
    signal.alarm(seconds)


def work(names: list[str], probe: Probe, out: TextIO) -> None:
    from tools.harvest.analyse import OutOfTime, message

    for name in names:
        print("START", name, file=out, flush=True)
        part: dict[str, Any] = {}

        def emit(known: dict[str, Any], name: str = name, part: dict[str, Any] = part) -> None:
            part.update(known)
            print("PART", json.dumps({"name": name, **known}), file=out, flush=True)

        alarm(SECONDS)
        try:
            record = probe(name, emit)
        except OutOfTime:
            record = {**part, "failed": "took too long"}
        except Exception as problem:
            record = {**part, "failed": message(problem)}
        finally:
            signal.alarm(0)
        print("DONE", json.dumps({"name": name, **record}), file=out, flush=True)


def main(job_file: str) -> None:
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    one_thread()
    out = private_output()
    from tools.harvest import compilelog

    compilelog.start()
    quieten()
    if job["task"] == "constants":
        from tools.harvest.constants import probe_op

        work(job["names"], lambda name, emit: probe_op(name), out)
        return
    from tools.harvest.probe import Prober

    prober = Prober(job)
    if job["task"] == "behaviour":
        from tools.harvest import behaviours

        work(job["names"], lambda name, emit: behaviours.probe(prober, name), out)
    else:
        work(job["names"], prober.probe, out)


if __name__ == "__main__":
    main(sys.argv[1])
