"""What an executor's worker runs: it makes a function once, and applies it to many jobs.

The first message says under which name the function is known; a process that does not know it is
sent what makes it. So any number of processes may come and go.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from enum import Enum
from typing import Any


class Outcome(Enum):
    """How an answer begins: the result follows, or what went wrong; or the maker has to be sent."""

    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


_lock = threading.Lock()
_made: dict[str, Callable[[Any], Any]] = {}


def work(name: str, maker: bytes | None, job: bytes) -> bytes:
    """The pickled answer to one pickled job.

    One job at a time: what is made may keep something from one job to the next.
    """
    with _lock:
        try:
            answer = _answer(name, maker, job)
        except Exception as error:
            answer = Outcome.FAILED, f"{type(error).__name__}: {error}"
        return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def _answer(name: str, maker: bytes | None, job: bytes) -> tuple[Outcome, Any]:
    if name not in _made:
        if maker is None:
            return Outcome.UNKNOWN, None
        # What an earlier run has made is of no use to this one.
        _made.clear()
        _made[name] = pickle.loads(maker)()
    return Outcome.DONE, _made[name](pickle.loads(job))
