"""Runs programs on TensorFlow, in a process of the sandbox, and reports the state each leaves.

A job names the file, the seed and whether functions run eagerly; the answer holds a base64 pickle
of a dict: `state` (the final module globals as nested nodes), `stdout`, `stderr`, `error` (type and
message, or None) and `seconds`.
"""

from __future__ import annotations

import base64
import os
import pickle
import types
from time import perf_counter
from typing import Any

from tfxla_lint.sandbox.inside.service import Answer, Tell, serve


def main() -> None:
    serve(prepare)


def prepare() -> Answer:
    from tfxla_lint.sandbox.inside import draws

    draws.install()

    def answer(job: dict[str, Any], tell: Tell) -> dict[str, Any]:
        return {"report": base64.b64encode(pickle.dumps(run(**job))).decode("ascii")}

    return answer


def run(path: str, seed: int, eager: bool) -> dict[str, Any]:
    """What one run of a file as `__main__` leaves behind."""
    from tfxla_lint.sandbox.inside.nodes import namespace_node
    from tfxla_lint.sandbox.inside.owners import own_modules
    from tfxla_lint.sandbox.inside.surroundings import program_run

    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    with program_run(module, [path], [os.path.dirname(path)], seed=seed, eager=eager) as texts:
        # The true one: only the program reads a clock of its own.
        started = perf_counter()
        error = execute(path, module)
        seconds = perf_counter() - started
        state = namespace_node(module.__dict__, {"__main__"} | own_modules())
    return {"state": state, "error": error, "seconds": seconds, **texts}


def execute(path: str, module: types.ModuleType) -> tuple[str, str] | None:
    """Run the file in the module; the exception's type and message if it fails.

    Not `runpy.run_path`: the globals of a program that raised are wanted too.
    """
    with open(path, "rb") as file:
        source = file.read()
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except SystemExit as exit_:
        return None if not exit_.code else ("SystemExit", str(exit_.code))
    except Exception as error:
        return (type(error).__name__, str(error))
    return None
