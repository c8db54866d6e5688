"""Takes jobs as JSON lines on standard input and answers with JSON lines."""

from __future__ import annotations

import ctypes
import io
import json
import os
import signal
import sys
from typing import Any, Callable, Dict

Tell = Callable[..., None]
#: What answers one job; it may tell of events before.
Answer = Callable[[Dict[str, Any], Tell], Dict[str, Any]]


def serve(prepare: Callable[[], Answer]) -> None:
    """Answer jobs until standard input ends, by what `prepare` makes, which imports TensorFlow."""
    die_with_parent()
    jobs, answers = own_streams()

    def tell(event: str, **fields: Any) -> None:
        print(json.dumps({"event": event, **fields}, default=str), file=answers)

    try:
        answer = prepare()
        import tensorflow as tf
    except Exception as error:
        tell("broken", reason=f"{type(error).__name__}: {error}")
        return
    tell("ready", tensorflow=tf.__version__)
    for line in jobs:
        tell("answer", **answer(json.loads(line), tell))


def die_with_parent() -> None:
    """On Linux: be killed when the parent is, however it ends."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)


def own_streams() -> Any:
    """Private streams for jobs and answers, so that nothing a program prints or reads mixes in."""
    jobs = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = io.TextIOWrapper(os.fdopen(os.dup(1), "wb", 0), encoding="ascii", write_through=True)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return jobs, answers
