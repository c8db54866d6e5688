"""The worker reports what a program leaves behind, however the program behaves."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.forked import forking
from tfxla_lint.sandbox import jobs
from tools.programs.client import Node, Snapshot, Worker

from .compare import Comparison, Tolerance

EXACT = Comparison(tolerances={"float32": Tolerance(0.0, 0.0)})

DRAWING = """
import tensorflow as tf

tf.random.set_seed(3)
dropout = tf.keras.layers.Dropout(0.5)

{decorator}
def draw(x):
    total = tf.random.normal([3]) + tf.random.uniform([3], -1, 1, seed=5)
    for _ in tf.range(2):
        total += tf.random.truncated_normal([3])
    picked = tf.random.categorical(tf.math.log([[0.2, 0.3, 0.5]]), 4)
    integers = tf.random.uniform([4], 0, 100, tf.int32)
    dropped = tf.nn.dropout(x, 0.5), dropout(x, training=True), tf.keras.random.normal([2], seed=1)
    return total, tf.random.shuffle(x), picked, integers, dropped

results = [draw(tf.range(6.0)) for _ in range(3)]
tf.random.set_seed(3)
again = draw(tf.range(6.0))
"""


def run(worker: Worker, folder: Path, source: str, **options: Any) -> Snapshot:
    path = folder / "program.py"
    path.write_text(textwrap.dedent(source))
    return worker.run(path, **options)


def child(node: Node, *labels: str) -> Node:
    for label in labels:
        node = dict(node[2])[label]
    return node


@pytest.mark.parametrize("decorator", ["@tf.function", "@tf.function(jit_compile=True)"])
def test_draws_agree_however_the_program_runs(
    worker: Worker, tmp_path: Path, decorator: str
) -> None:
    eager = run(worker, tmp_path, DRAWING.format(decorator=""))
    other = run(worker, tmp_path, DRAWING.format(decorator=decorator))
    assert eager.error is None
    assert Comparison().differences(eager, other) == []
    first, second = (child(eager.state, "results", f"[{i}]", "[0]")[2] for i in range(2))
    assert not np.array_equal(first, second)
    assert np.array_equal(first, child(eager.state, "again", "[0]")[2])


def test_runs_do_not_touch_each_other(worker: Worker, tmp_path: Path) -> None:
    source = """
    import logging, os, random, sys
    import numpy as np, tensorflow as tf

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.info("once")
    before = "leak" in os.environ, sys.argv[1:], tf.config.functions_run_eagerly()
    os.environ["leak"] = "1"
    sys.argv.append("leak")
    tf.config.run_functions_eagerly(True)
    np.set_printoptions(precision=2)
    open("leak.txt", "x").close()
    drawn = random.random(), np.random.rand(), tf.random.normal([2])
    layer = tf.keras.layers.Dense(2)
    layer.build((None, 3))
    name = layer.name
    print(np.float32([1 / 3]))
    """
    first = run(worker, tmp_path, source)
    second = run(worker, tmp_path, source)
    assert first.error is None
    assert first.stderr == "once\n"
    assert EXACT.differences(first, second) == []
    other = run(worker, tmp_path, source, seed=1)
    assert len(EXACT.differences(first, other)) == 4


#: What a program may put in the place of what belongs to others.
PATCHES = [
    "tf.square = tf.identity",
    "del tf.square",
    "type(tf.ones([])).__mul__ = lambda a, b: a",
    "tf.Tensor.__mul__ = lambda a, b: a",
    "tf.constant = lambda value, *a, **k: tf.zeros([])",
    "import tensorflow.python.ops.math_ops as m; m.multiply = lambda *a, **k: tf.zeros([])",
    "tf.keras.layers.Dense.call = lambda self, x: x",
    "np.abs = np.array = lambda *a, **k: np.float32(0.0)",
    "import builtins; builtins.abs = lambda x: 0.0",
    "tf.math = tf.nn",
    "tf.keras.backend.set_epsilon(0.5)",
    "tf.keras.backend.set_image_data_format('channels_first')",
    "import sys; sys.modules['numpy'] = None",
    "import sys; del sys.modules['json']",
]


@pytest.mark.parametrize("patch", PATCHES)
def test_what_a_program_patches_is_taken_back(worker: Worker, tmp_path: Path, patch: str) -> None:
    """The next program is not judged by it."""
    program = """
    import json
    import numpy as np
    import tensorflow as tf

    x = tf.constant([-2.0, 1.0])
    dense = tf.keras.layers.Dense(1, kernel_initializer="ones")
    results = [tf.square(x) * 3.0, dense(x[None]), abs(-2.0), np.abs(np.array([-1.0])), json.dumps(1)]
    results += [tf.math.abs(x), tf.keras.backend.epsilon(), tf.keras.backend.image_data_format()]
    """
    before = run(worker, tmp_path, program)
    run(worker, tmp_path, f"import numpy as np\nimport tensorflow as tf\n\n{patch}\n")
    after = run(worker, tmp_path, program)
    assert before.error is None
    assert after.error is None
    assert EXACT.differences(before, after) == []


@pytest.mark.parametrize("name", ["KeyboardInterrupt", "GeneratorExit", "BaseException"])
def test_an_interrupt_of_the_programs_own_is_its_end(
    worker: Worker, tmp_path: Path, name: str
) -> None:
    snapshot = run(worker, tmp_path, f"import tensorflow as tf\nraise {name}('mine')\n")
    assert snapshot.error == (name, "mine")


def test_no_pipeline_is_tuned_that_does_not_ask_for_it(worker: Worker, tmp_path: Path) -> None:
    """An iterator that goes away would be waited for."""
    source = """
    import tensorflow as tf

    options = tf.data.Options()
    options.autotune.enabled = True
    plain = tf.data.Dataset.range(4).map(lambda x: x + 1, tf.data.AUTOTUNE).batch(3)
    iterators = [iter(data) for data in (plain, plain.with_options(options))]
    told = [iterator._dataset.options().autotune.enabled for iterator in iterators]
    rows = [[batch.numpy().tolist() for batch in iterator] for iterator in iterators]
    own = plain.options().autotune.enabled
    print(told, rows, own)
    """
    left = run(worker, tmp_path, source)
    assert left.stderr == ""
    assert left.stdout == "[False, True] [[[1, 2, 3], [4]], [[1, 2, 3], [4]]] None\n"


def test_what_is_recorded(worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("class Box:\n    def __init__(self): self.value = 7\n")
    source = """
    import collections
    import numpy as np, tensorflow as tf
    from beside import Box

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1)
            self.seen = []

        def call(self, x):
            self.seen.append(1)
            return self.dense(x)

    box = Box()
    box.itself = box
    point = collections.namedtuple("Point", "x y")(1, 2)
    half = tf.constant(0.5, tf.bfloat16)
    ragged = tf.ragged.constant([[1], [2, 3]])
    text = tf.constant(["a"])
    net = Net()
    net(tf.ones((2, 3)))
    leaks = []
    tf.function(lambda x: leaks.append(x))(tf.ones(1))
    """
    left = run(worker, tmp_path, source)
    assert left.error is None
    state = left.state
    assert child(state, "box", ".value") == ("python", "int", 7)
    assert child(state, "box", ".itself") == ("cycle", "Box", 1)
    assert child(state, "point")[:2] == ("branch", "Point")
    assert child(state, "half")[:2] == ("tensor", "bfloat16")
    assert child(state, "half")[2] == 0.5
    assert child(state, "ragged", "<0>")[2].tolist() == [1, 2, 3]
    assert child(state, "text")[2].tolist() == [b"a"]
    assert [label for label, _ in child(state, "net")[2]] == [
        ".variables[0]",
        ".variables[1]",
        ".dense",
        ".seen",
    ]
    assert child(state, "leaks", "[0]")[0] == "opaque"


def test_output_and_exception(worker: Worker, tmp_path: Path) -> None:
    source = """
    import tensorflow as tf

    reached = []

    @tf.function
    def step(x):
        tf.print("graph", x)
        reached.append(1)
        return x.numpy()

    print("python")
    step(tf.constant(1))
    """
    traced = run(worker, tmp_path, source)
    assert traced.error is not None
    assert traced.error[0] == "AttributeError"
    assert (traced.stdout, traced.stderr) == ("python\n", "")
    assert child(traced.state, "reached")[2] == [("[0]", ("python", "int", 1))]
    eager = run(worker, tmp_path, source, run_functions_eagerly=True)
    assert eager.error is None
    assert eager.stderr == "graph 1\n"


def test_hangs_and_crashes_are_survived(worker: Worker, tmp_path: Path) -> None:
    with Worker(kind=forking(jobs.Worker)) as fragile:
        crash = run(fragile, tmp_path, "import os\nos.abort()\n")
        assert crash.error is not None
        assert crash.error[0] == "Crash"
        hang = run(fragile, tmp_path, "while True: pass\n", timeout=1.0)
        assert hang.error is not None
        assert hang.error[0] == "Timeout"
        assert run(fragile, tmp_path, "import sys\nx = 1\nsys.exit(0)\n").error is None
        assert run(fragile, tmp_path, "raise SystemExit('no')\n").error == ("SystemExit", "no")


FROZEN = """
import tensorflow as tf

steps = 0
w = tf.Variable([1.0, -2.0])
m = tf.Variable([0.0, 0.0])

{decorator}
def step(x):
    global steps
    steps += 1
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    m.assign(0.9 * m + 0.1 * tape.gradient(loss, w))
    w.assign_sub(0.01 * m / (1 - 0.9**steps))
    return loss

losses = [float(step(tf.constant([0.5, 0.25]) * i)) for i in range(8)]
"""


def test_a_wrong_rewrite_is_seen(worker: Worker, tmp_path: Path) -> None:
    """Tracing freezes the Python counter of a hand-made Adam at its first value."""
    right = run(worker, tmp_path, FROZEN.format(decorator=""))
    wrong = run(worker, tmp_path, FROZEN.format(decorator="@tf.function"))
    found = Comparison().differences(right, wrong)
    assert {text.split(":")[0].split("[")[0] for text in found} == {"steps", "w", "m", "losses"}


CLOCKS = """
import time
import tensorflow as tf

times = [time.time(), time.perf_counter(), time.monotonic()]
times += [time.time_ns(), time.process_time(), time.thread_time_ns()]
sum(range({work}))
time.sleep(0.25)
waited = time.monotonic() - times[2]

@tf.function
def traced():
    return tf.constant(time.perf_counter(), tf.float64)

frozen = [traced(), traced()]
spans = [time.perf_counter() - time.perf_counter() for _ in range(3)]
"""


def test_the_time_is_the_same_however_fast_a_program_runs(worker: Worker, tmp_path: Path) -> None:
    fast = run(worker, tmp_path, CLOCKS.format(work=0))
    slow = run(worker, tmp_path, CLOCKS.format(work=10**6))
    assert fast.error is None
    assert EXACT.differences(fast, slow) == []
    assert child(fast.state, "waited")[2] > 0.25
    assert child(fast.state, "frozen", "[0]")[2] == child(fast.state, "frozen", "[1]")[2]
    assert len({span[2] for _, span in child(fast.state, "spans")[2]}) == 3
    assert fast.seconds > 0.25
