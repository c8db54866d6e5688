"""Runs programs on TensorFlow, each in a process of its own that is forked where it is loaded.

Reads one JSON request a line, `{"folder": ..., "output": ..., "seconds": ..., "same_draws": ...}`:
runs `main.py` in the folder with what it prints in the output file, and answers with
`{"status": ...}`: "ended", "raised TYPE", "died" or "late". With `same_draws` random numbers come from
stateless operations, so that eager code and traces draw the same.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
import traceback
import warnings
from typing import Any

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1")
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
os.environ.setdefault("TF_NUM_INTEROP_THREADS", "1")


def _let_draws_agree() -> None:
    """Replace what draws, as the sandbox does it."""
    from tfxla_lint.sandbox.inside import draws

    draws.install()
    draws.restart(0)


def _execute(request: dict[str, Any]) -> str:
    """Run the program in this process."""
    if request["same_draws"]:
        _let_draws_agree()
    os.chdir(request["folder"])
    sys.path.insert(0, request["folder"])
    sys.argv = ["main.py"]
    main = type(sys)("__main__")
    main.__file__ = "main.py"
    sys.modules["__main__"] = main
    with open("main.py", encoding="utf-8") as file:
        source = file.read()
    status = "ended"
    warnings.simplefilter("ignore")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    try:
        exec(compile(source, "main.py", "exec"), main.__dict__)
    except Exception as error:
        traceback.print_exc(file=sys.__stdout__)
        status = f"raised {type(error).__name__}"
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _fork(request: dict[str, Any]) -> str:
    """Run the program in a child, and say how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(output, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.write(writing, _execute(request).encode())
        os._exit(0)
    os.close(writing)
    deadline = time.monotonic() + request["seconds"]
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(reading)
            return "late"
        time.sleep(0.005)
    with os.fdopen(reading) as answer:
        return answer.read() or "died"


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.dont_write_bytecode = True
    import numpy
    import tensorflow

    # The attribute is what loads Keras; nothing of TensorFlow may run before a fork.
    assert numpy is not None
    assert tensorflow.keras.layers is not None
    for line in sys.stdin:
        print(json.dumps({"status": _fork(json.loads(line))}), file=answers, flush=True)


if __name__ == "__main__":
    main()
