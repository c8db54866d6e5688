"""Watches XLA compile: TensorFlow logs each cluster's signature to standard error.

`prepare` must be called before TensorFlow is imported. In a signature an argument that XLA needs as
a compile-time constant is printed with its value, any other with its dtype and shape only; so one
compilation tells which arguments make the function compile again for every value.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from typing import IO

MARK = "ompiling for signature: "
ARGUMENT = re.compile(r"(?P<constant>Tensor<[^>]*>)|(?P<variable>[a-z_0-9]+ \[[\d,]*\])")

_log: IO[bytes] | None = None


def prepare() -> None:
    """Lets TensorFlow log what it compiles."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
    os.environ["TF_CPP_VMODULE"] = "device_compiler=3,xla_compilation_cache=3"


def start() -> None:
    """Sends the native log to a file of its own; Python's standard error goes nowhere."""
    global _log
    _log = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process lives)
    os.dup2(_log.fileno(), 2)
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def signatures() -> list[list[bool]]:
    """The clusters compiled since the last call: for each, which arguments were constants.

    What was read is forgotten, so the file stays small.
    """
    if _log is None:
        return []
    size = os.fstat(_log.fileno()).st_size
    text = os.pread(_log.fileno(), size, 0).decode("utf-8", "replace")
    os.ftruncate(_log.fileno(), 0)
    os.lseek(_log.fileno(), 0, os.SEEK_SET)
    return [parse(line.split(MARK, 1)[1]) for line in text.splitlines() if MARK in line]


def parse(signature: str) -> list[bool]:
    """Per argument whether it is a constant, from the text after the mark."""
    _, _, arguments = signature.partition("executor_type=")
    arguments = arguments.partition("]")[2] or signature
    return [match.group("constant") is not None for match in ARGUMENT.finditer(arguments)]
