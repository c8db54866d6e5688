"""Measures how the cost of linting grows with a program.

    python -m tools.measure_growth [--sizes 25,50,100,200] [SHAPE...]

For each shape (what there is more and more of: statements, loops, functions, ...) it writes
programs of growing size, lints them with every rule, and prints the seconds of CPU for each size
and the fitted exponent: the slope of the line through the logarithms of sizes and seconds. An
exponent above the target of 1.2 is marked, and ends the tool with status 1.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tfxla_lint.batches import collecting_between
from tfxla_lint.linter import Linter
from tfxla_lint.project.projects import Project, Projects
from tfxla_lint.registry import read_catalogue
from tfxla_lint.work import LintOptions
from tfxla_lint.worlds import Worlds

TARGET = 1.2
_SIZES = (25, 50, 100, 200)
_HEAD = "import tensorflow as tf\n\n"
_LOOP = """
weights_{i} = tf.Variable(tf.zeros([4, 1]))
optimizer_{i} = tf.keras.optimizers.SGD(0.1)
for step_{i} in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.ones([8, 4]) @ weights_{i}))
    gradients = tape.gradient(loss, [weights_{i}])
    optimizer_{i}.apply_gradients(zip(gradients, [weights_{i}]))
    print(float(loss))
"""
_STEP = """
def step_{i}(x):
    y = tf.nn.relu(x) * 2.0 + {i}.0
    if tf.reduce_sum(y) > 0.0:
        y = y - 1.0
    return tf.reduce_mean(y)
"""
_MODEL = """
for x in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model_{i}(x, training=True)))
    gradients = tape.gradient(loss, model_{i}.trainable_variables)
    optimizer_{i}.apply_gradients(zip(gradients, model_{i}.trainable_variables))
model_{i}.trainable = False
"""

Files = dict[str, str]


def statements(size: int) -> Files:
    """One long script: each statement uses what the one before made."""
    lines = ["x_0 = tf.ones([4, 4])"]
    lines += [f"x_{i + 1} = tf.nn.relu(x_{i}) + {i}.0" for i in range(4 * size)]
    return {"main.py": _HEAD + "\n".join(lines) + "\n"}


def loops(size: int) -> Files:
    """Small training loops, one after the other, in one file."""
    return {"main.py": _HEAD + "".join(_LOOP.format(i=i) for i in range(size))}


def models(size: int) -> Files:
    """Models that are trained and then frozen, one after the other: each may change what others do."""
    made = "".join(
        f"model_{i} = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        f"optimizer_{i} = tf.keras.optimizers.Adam(0.01)\n"
        for i in range(size)
    )
    data = "data = tf.data.Dataset.from_tensor_slices(tf.ones([64, 3])).batch(4)\n"
    return {"main.py": _HEAD + data + made + "".join(_MODEL.format(i=i) for i in range(size))}


def functions(size: int) -> Files:
    """Functions that one loop calls, one after the other."""
    calls = "\n".join(f"    x = x + step_{i}(x)" for i in range(size))
    made = "".join(_STEP.format(i=i) for i in range(size))
    return {"main.py": f"{_HEAD}{made}\nx = tf.ones([4, 4])\nfor turn in range(10):\n{calls}\n"}


def methods(size: int) -> Files:
    """Methods of one class that set and read attributes of their own, called one by one."""
    made = "".join(
        f"\n    def step_{i}(self, x):\n        self.total_{i} = tf.reduce_sum(x) + {i}.0\n"
        f"        return self.total_{i} * 2.0\n"
        for i in range(size)
    )
    calls = "\n".join(f"    x = x + trainer.step_{i}(x)" for i in range(size))
    head = f"{_HEAD}\nclass Trainer:{made}\n\ntrainer = Trainer()\nx = tf.ones([4, 4])\n"
    return {"main.py": f"{head}for turn in range(10):\n{calls}\n"}


def depth(size: int) -> Files:
    """A chain of functions, each of which calls the next."""
    made = f"\ndef f_{8 * size}(x):\n    return tf.reduce_sum(x)\n"
    for i in reversed(range(8 * size)):
        made += f"\ndef f_{i}(x):\n    return f_{i + 1}(x + 1.0)\n"
    return {"main.py": f"{_HEAD}{made}\nfor turn in range(10):\n    f_0(tf.ones([4]))\n"}


def files(size: int) -> Files:
    """Modules with a step each, of which each uses the one before."""
    made = {"part_0.py": _HEAD + _STEP.format(i=0)}
    for i in range(1, size):
        head = f"import tensorflow as tf\n\nfrom part_{i - 1} import step_{i - 1}\n"
        loop = f"\nfor turn in range(10):\n    step_{i}(step_{i - 1}(tf.ones([4, 4])))\n"
        made[f"part_{i}.py"] = head + _STEP.format(i=i) + loop
    return made


SHAPES: dict[str, Callable[[int], Files]] = {
    shape.__name__: shape for shape in (statements, loops, models, functions, methods, depth, files)
}


def seconds(program: Files) -> float:
    """The seconds of CPU that it takes to lint a program with all rules."""
    catalogue = read_catalogue()
    options = LintOptions(catalogue.codes, catalogue.codes)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in program.items():
            (root / name).write_text(text)
        paths = [root / name for name in program]
        worlds = Worlds(Projects([Project.of(root, paths)]))
        linter = Linter(catalogue, options, worlds)
        gc.collect()
        with collecting_between() as collect:
            start = time.process_time()
            for path in paths:
                collect(worlds.let_go)
                result, _ = linter.lint_bytes(path.read_bytes(), path.name, path)
                for crash in result.crashed:
                    raise SystemExit(f"{crash.code} failed: {crash.message}")
            return time.process_time() - start


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the line that fits the logarithms of sizes and times best."""
    xs, ys = [math.log(size) for size in sizes], [math.log(time) for time in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((a - x) ** 2 for a in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each shape; 1 if one grows faster than the target."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--sizes", default=",".join(map(str, _SIZES)))
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.shapes) - SHAPES.keys()
    if unknown:
        parser.error(f"no such shape: {', '.join(sorted(unknown))}")
    sizes = [int(size) for size in chosen.sizes.split(",")]
    seconds(loops(2))
    print("| shape |", " | ".join(map(str, sizes)), "| exponent |")
    print("|---" * (len(sizes) + 2) + "|")
    status = 0
    for name in chosen.shapes or SHAPES:
        times = [seconds(SHAPES[name](size)) for size in sizes]
        slope = exponent(sizes, times)
        mark = " (!)" if slope > TARGET else ""
        status |= bool(mark)
        row = " | ".join(f"{time:.2f} s" for time in times)
        print(f"| {name} | {row} | {slope:.2f}{mark} |", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
