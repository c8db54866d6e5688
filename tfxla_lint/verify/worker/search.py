"""Looks for arguments that the original accepts: first guesses, then what its errors ask for."""

from __future__ import annotations

import re
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from tfxla_lint.verify.worker.guessing import Choice, Guesses
from tfxla_lint.verify.worker.mending import answers

#: Tries a choice: the error's type, its message, and the line of the user's code that it came to.
Try = Callable[[Choice], Tuple[str, str, int]]

TRIES = 120
_SECONDS = 25.0
_TURNS = 3
#: What a choice gives for which all calls come out the same; so many others are tried then.
CONSTANT = "constant"
#: What a choice gives for which there are many results where one number is meant.
MANY = "many"
ACCEPTED = ("", CONSTANT, MANY)
_MORE = 30
_ABSENT = re.compile(r"module '[\w.]+' has no attribute|No module named|name '\w+' is not defined")


class Search:
    """A bounded best-first search over choices of arguments."""

    def __init__(
        self, job: Mapping[str, Any], namespace: Mapping[str, Any], most: int = TRIES
    ) -> None:
        self._most = most
        self._guesses = Guesses(job, namespace)
        self._parameters: List[Dict[str, Any]] = job["parameters"]
        self._seen: Dict[str, None] = {}
        self._deadline = time.monotonic() + _SECONDS
        self.tries = 0
        self.last_error = ""

    def run(self, attempt: Try) -> Optional[Choice]:
        """A choice that the original accepts, or None."""
        first = list(self._guesses.first())
        #: What errors ask for, with how far the choice came that failed so.
        pending: List[Tuple[int, Choice]] = []
        fallback: Optional[Choice] = None
        while (first or pending) and self.tries < self._most and self._has_time:
            # What an error asks for may lead astray: first guesses take turns with it.
            is_first = first and (not pending or self.tries % _TURNS == 0)
            choice = first.pop(0) if is_first else pending.pop(0)[1]
            if self._known(choice):
                continue
            self.tries += 1
            kind, message, line = attempt(choice)
            if kind == "":
                return choice
            if kind in (CONSTANT, MANY):
                # It may be that what is passed fits together by chance only.
                fallback = fallback or choice
                self._most = min(self._most, self.tries + _MORE)
            if kind == "NaN":
                fallback = fallback or choice
                pending.insert(0, (line, _positive(choice)))
                continue
            self.last_error = f"{kind}: {message}" if message else self.last_error
            if _ABSENT.match(message):
                # No argument helps where TensorFlow itself lacks something.
                break
            pending[:0] = [
                (line, other) for other in list(answers(self._parameters, choice, message))[:8]
            ]
            # What comes farther is nearer to what is asked for.
            pending.sort(key=lambda row: -row[0])
        return fallback

    @property
    def _has_time(self) -> bool:
        return time.monotonic() < self._deadline

    def _known(self, choice: Choice) -> bool:
        key = repr(sorted(choice.items()))
        if key in self._seen:
            return True
        self._seen[key] = None
        return False


def _positive(choice: Choice) -> Choice:
    return {
        name: {**spec, "low": 0.1, "high": 0.9}
        if spec.get("dtype", "").startswith("float") and spec["k"] in ("tensor", "variable")
        else spec
        for name, spec in choice.items()
    }
