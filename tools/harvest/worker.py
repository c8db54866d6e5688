"""Probes one name after the other in the interpreter that has TensorFlow.

A job names the task, the inventory, the kernel list and the endpoint; what is known so far is told
at each step, since the next one may end the process.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

from tfxla_lint.sandbox.inside.service import Answer, Tell, serve
from tools.harvest import compilelog

SECONDS = 90

Emit = Callable[[dict[str, Any]], None]
Probe = Callable[[str, Emit], dict[str, Any]]


def main() -> None:
    # No thread pools: what is probed is small, and several workers may run.
    for name in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ[name] = "1"
    compilelog.prepare()
    serve(prepare)


def prepare() -> Answer:
    compilelog.start()
    quieten()
    probes: dict[str, Probe] = {}

    def answer(job: dict[str, Any], tell: Tell) -> dict[str, Any]:
        task = job["task"]
        if task not in probes:
            probes[task] = probe_for(job)
        return {"record": record_of(probes[task], job["name"], tell)}

    return answer


def quieten() -> None:
    import logging
    import warnings

    import tensorflow as tf

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    warnings.simplefilter("ignore")
    tf.get_logger().setLevel("ERROR")
    logging.disable(logging.CRITICAL)


def probe_for(job: dict[str, Any]) -> Probe:
    """What probes a name for a task."""
    if job["task"] == "constants":
        from tools.harvest.constants import probe_op

        return lambda name, emit: probe_op(name)
    if job["task"] == "kernels":
        from tools.harvest import kernels

        return lambda name, emit: kernels.harvest()
    from tools.harvest.probe import Prober

    prober = Prober(job)
    if job["task"] == "arguments":
        from tools.harvest import graph_arguments

        return lambda name, emit: graph_arguments.probe(prober, name)
    if job["task"] == "continuity":
        from tools.harvest import continuity

        return lambda name, emit: continuity.probe(prober, name)
    if job["task"] == "behaviour":
        from tools.harvest import behaviours

        return lambda name, emit: behaviours.probe(prober, name)
    return prober.probe


def record_of(probe: Probe, name: str, tell: Tell) -> dict[str, Any]:
    from tools.harvest.analyse import OutOfTime, message

    part: dict[str, Any] = {}

    def emit(known: dict[str, Any]) -> None:
        part.update(known)
        tell("phase", part=known)

    def expired(*_: Any) -> None:
        raise OutOfTime

    signal.signal(signal.SIGALRM, expired)
    signal.alarm(SECONDS)
    try:
        return probe(name, emit)
    except OutOfTime:
        return {**part, "failed": "took too long"}
    except Exception as problem:
        return {**part, "failed": message(problem)}
    finally:
        signal.alarm(0)
