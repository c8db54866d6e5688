"""Takes jobs as JSON lines on standard input and answers with JSON lines."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import ctypes
import io
import json
import signal
import sys
import traceback
from typing import Any, Dict


def die_with_parent() -> None:
    """On Linux: be killed when the parent is, however it ends."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)


def own_streams() -> Any:
    """Private streams for jobs and answers, so that nothing a snippet prints or reads mixes in."""
    jobs = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = io.TextIOWrapper(os.fdopen(os.dup(1), "wb", 0), encoding="ascii", write_through=True)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return jobs, answers


def main() -> None:
    """Answer jobs until standard input ends."""
    die_with_parent()
    jobs, answers = own_streams()

    def tell(event: str, **fields: Any) -> None:
        print(json.dumps({"event": event, **fields}, default=str), file=answers)

    try:
        import tensorflow as tf
    except Exception as error:
        tell("broken", reason=f"{type(error).__name__}: {error}")
        return
    from tfxla_lint.verify.worker.draws import Draws, follow_set_seed, replace_random_ops

    draws = Draws()
    replace_random_ops(draws)
    follow_set_seed(draws)
    tell("ready", tensorflow=tf.__version__, python=sys.version.split()[0])
    for line in jobs:
        tell("answer", **_answer(json.loads(line), draws, tell))


def _answer(job: Dict[str, Any], draws: Any, tell: Any) -> Dict[str, Any]:
    """The report for one job; what fails here is the worker's own fault."""
    from tfxla_lint.verify.worker import calls, scripts

    scenario = calls.check_calls if job["scenario"] == "calls" else scripts.check_script
    try:
        return scenario(job, draws, tell)
    except BaseException as error:
        reason = f"the worker failed: {type(error).__name__}: {error}"
        return {"verdict": "not checked", "reason": reason, "traceback": traceback.format_exc()}
