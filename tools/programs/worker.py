"""Runs programs on TensorFlow, in a process of the sandbox, and reports the state each leaves.

A job names the file, the seed and whether functions run eagerly; the answer holds a base64 pickle
of a dict: `state` (the final module globals as nested nodes), `stdout`, `stderr`, `error` (type and
message, or None) and `seconds`.
"""

from __future__ import annotations

import base64
import functools
import os
import pickle
import types
from time import perf_counter
from typing import Any

from tfxla_lint.sandbox.inside.service import Answer, Tell, serve


def main() -> None:
    serve(prepare)


def prepare() -> Answer:
    from tfxla_lint.sandbox.inside import draws, tuning

    draws.install()
    answer = answering()

    def untuned(job: dict[str, Any], tell: Tell) -> dict[str, Any]:
        with tuning.untuned():
            return answer(job, tell)

    return untuned


def answering(*, is_seeded: bool = True) -> Answer:
    """What answers jobs, with TensorFlow as it is; unless `is_seeded`, it draws what it likes."""

    def answer(job: dict[str, Any], tell: Tell) -> dict[str, Any]:
        report = run(job["path"], job["seed"], job["eager"], is_seeded)
        return {"report": base64.b64encode(pickle.dumps(report)).decode("ascii")}

    return answer


def run(path: str, seed: int, eager: bool, is_seeded: bool = True) -> dict[str, Any]:
    """What one run of a file as `__main__` leaves behind."""
    import tensorflow as tf

    from tfxla_lint.sandbox.inside.nodes import namespace_node
    from tfxla_lint.sandbox.inside.owners import own_modules
    from tfxla_lint.sandbox.inside.surroundings import ending, program_run

    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    with open(path, "rb") as file:
        source = file.read()
    with program_run(module, [path], [os.path.dirname(path)], seed=seed, eager=eager) as texts:
        if not is_seeded:
            tf.random.set_seed(None)
        # The true clock: only the program reads one of its own.
        started = perf_counter()
        # Not `runpy.run_path`: the globals of a program that raised are wanted too.
        code = functools.partial(compile, source, path, "exec", dont_inherit=True)
        error = ending(lambda: exec(code(), module.__dict__))
        seconds = perf_counter() - started
        state = namespace_node(module.__dict__, {"__main__"} | own_modules())
    shown = None if error is None else (type(error).__name__, str(error))
    return {"state": state, "error": shown, "seconds": seconds, **texts}
