"""Measures memory and time of a run over a large project: of the parent, and of its workers.

    python -m tools.measure_memory [--lines 1000000] [-j 2]

Writes a project of files of 250 lines, in packages of ten that import each other, lints it with the
command line, and prints the peak memory of the parent and of the largest worker, with seconds of CPU.
Works where there is `/proc`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LINES = 250
_TOGETHER = 10
_TICK = 0.05
_HEAD = """\
import numpy as np
import tensorflow as tf
{imports}

"""
_STEP = """
def scale_{i}(x, rate=0.5):
    \"\"\"A piece of a model, of the usual length, with a branch and a loop of its own.\"\"\"
    y = tf.nn.relu(x) * rate
    if rate > 1.0:
        y = y - tf.reduce_mean(y)
    for turn in range(3):
        y = y + tf.cast(turn, tf.float32)
    return tf.reduce_sum(y, axis=-1)


class Reader_{i}:
    \"\"\"Code that says little to this tool.\"\"\"

    def __init__(self, path):
        self.path = path
        self.rows = []

    def read(self):
        with open(self.path) as file:
            for line in file:
                self.rows.append(np.array([float(word) for word in line.split()]))
        return len(self.rows)

"""
_LOOP = """
def train_{i}(model, data, optimizer):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        print(float(loss))

"""


def write(root: Path, lines: int) -> int:
    """Write a project of about so many lines; the number of its files."""
    (root / "pyproject.toml").touch()
    count = max(1, lines // _LINES)
    for i in range(count):
        package = root / f"part_{i // _TOGETHER}"
        package.mkdir(exist_ok=True)
        above = f"from part_{i // _TOGETHER}.file_{i - 1} import scale_0" if i % _TOGETHER else ""
        text = _HEAD.format(imports=above) + _LOOP.format(i=0) + _LOOP.format(i=1)
        steps = (_LINES - text.count("\n")) // _STEP.count("\n")
        text += "".join(_STEP.format(i=number) for number in range(steps))
        text += "".join(f"rate_{n} = {n}\n" for n in range(_LINES - text.count("\n")))
        (package / "__init__.py").touch()
        (package / f"file_{i}.py").write_text(text)
    return count


def _peaks(process: int) -> Iterator[tuple[int, int]]:
    """The peak so far, in kilobytes, of a process and of those that it started, by their numbers."""
    pending = [process]
    while pending:
        each = pending.pop()
        with suppress(OSError, StopIteration, ValueError):
            status = Path(f"/proc/{each}/status").read_text()
            row = next(line for line in status.splitlines() if line.startswith("VmHWM"))
            yield each, int(row.split()[1])
            for task in Path(f"/proc/{each}/task").iterdir():
                pending += [int(word) for word in (task / "children").read_text().split()]


def main() -> None:
    """Print a line for one run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        files = write(root, asked.lines)
        command = [sys.executable, "-m", "tfxla_lint", "-q", "-j", str(asked.jobs), "."]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TFXLA_LINT")}
        with (root / "report.txt").open("wb") as report:
            process = subprocess.Popen(command, cwd=root, stdout=report, env=environment)
            peaks: dict[int, int] = {}
            began = time.monotonic()
            while process.poll() is None:
                peaks |= dict(_peaks(process.pid))
                time.sleep(_TICK)
        used = os.times()
        parent = peaks.pop(process.pid, 0) / 1024
        worker = max(peaks.values(), default=0) / 1024
        size = (root / "report.txt").stat().st_size >> 20
        print(
            f"{files} files, {files * _LINES} lines: parent {parent:.0f} MB, worker {worker:.0f} MB,"
            f" {used.children_user + used.children_system:.0f} s of CPU,"
            f" {time.monotonic() - began:.0f} s, a report of {size} MB, status {process.returncode}"
        )


if __name__ == "__main__":
    main()
