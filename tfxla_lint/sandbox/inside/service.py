"""Takes jobs as JSON lines on standard input and answers with JSON lines."""

from __future__ import annotations

import ctypes
import gc
import io
import json
import os
import signal
import sys
from typing import Any, Callable, Dict, Iterator, Tuple

from tfxla_lint.sandbox.inside import kept

#: A program that prints without end must not fill the disk.
_LONGEST_FILE = 2 << 30
_SET_CHILD_SUBREAPER = 36
Tell = Callable[..., None]
#: What answers one job; it may tell of events before.
Answer = Callable[[Dict[str, Any], Tell], Dict[str, Any]]


def serve(prepare: Callable[[], Answer]) -> None:
    """Answer jobs until standard input ends, by what `prepare` makes, which imports TensorFlow."""
    die_with_parent()
    kept.limit_files(_LONGEST_FILE)
    jobs, answers = own_streams()
    number = 0

    def tell(event: str, **fields: Any) -> None:
        kept.leave_if_forked()
        told = {"event": event, "job": number, **fields}
        print(json.dumps(told, default=str), file=answers)

    # Importing makes very many objects, of which none goes away again: to look for some that do, over
    # and over, takes a fifth of the time.
    gc.disable()
    try:
        answer = prepare()
        import tensorflow as tf

        version = tf.__version__
    except BaseException as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        tell("broken", reason=reason, versions=dict(installed()))
        return
    gc.freeze()
    gc.enable()
    tell("ready", tensorflow=version)
    for line in jobs:
        job = json.loads(line)
        number = job.pop("job", 0)
        report = answer(job, tell)
        tell("answer", **{**report, "spoiled": kept.is_spoiled()})


def installed() -> Iterator[Tuple[str, str]]:
    """The versions of what is installed of TensorFlow and NumPy, whether it can be imported or not."""
    from importlib import metadata

    for package in ("numpy", "tensorflow"):
        for variant in ("", "-cpu", "-macos", "-intel"):
            try:
                yield package, metadata.version(package + variant)
                break
            except metadata.PackageNotFoundError:
                continue


def die_with_parent() -> None:
    """On Linux: be killed when the parent is, however it ends; and be the parent of all that is started from
    here whose own has ended, so that nothing gets away."""
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(1, signal.SIGKILL)
        libc.prctl(_SET_CHILD_SUBREAPER, 1)


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
