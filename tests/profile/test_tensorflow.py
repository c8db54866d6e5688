"""What the recorder sees of TensorFlow: one program, run once."""

from __future__ import annotations

import subprocess

import pytest

from tests.profile.programs import functions, loops, run, write
from tfxla_lint.profile.launch import Outcome
from tfxla_lint.recording import FunctionRecord, Retrace

HELPER = """
    import tensorflow as tf

    def scale(x, by):
        if tf.reduce_sum(x) > 0:
            x = x * by
        return x

    @tf.autograph.experimental.do_not_convert
    def plain(x):
        return x + 1.0
"""
PROGRAM = """
    import functools
    import numpy as np
    import tensorflow as tf
    from helper import plain, scale

    class Trainer:
        def __init__(self):
            self.w = tf.Variable(1.0)

        @tf.function
        def step(self, x):
            return plain(scale(x, self.w))

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1)

        def call(self, inputs):
            return self.dense(inputs)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(x) - y) ** 2)
            variables = self.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return {"loss": loss}

    def logged(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        return wrapper

    @tf.function
    def by_value(x, n):
        return x * n

    @tf.function
    def by_shape(x, *, flag=False):
        return tf.reduce_sum(x)

    @tf.function
    def by_object(x, thing):
        return x

    @tf.function
    @logged
    def decorated(x):
        return scale(x, 2.0)

    @tf.function(jit_compile=True)
    def compiled(x):
        return x + 1.0

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def signed(x):
        return x + 1.0

    @tf.function
    def outer(x):
        return signed(x)

    def fails(x):
        tf.reshape(x, [7])

    def eager(x):
        return scale(x, 3.0)

    def mapped(x):
        return scale(x, 1.0)

    def from_graph(x):
        return np.float32(x)

    def remade(n):
        @tf.function
        def inner(x):
            return x + n
        return inner

    doubled = tf.function(lambda x, by: x * by)
    def unadorned(x):
        return x + 1.0

    wrapped = tf.function(unadorned)
    pair = tf.function(lambda x: x), tf.function(lambda x: -x)

    def main():
        for n in range(8):
            doubled(tf.ones([2, n]), tf.constant(2.0))
            wrapped(tf.ones([2]))
            pair[0](tf.ones([2]))
            by_value(tf.ones([2]), n)
            by_shape(tf.ones([n + 1]), flag=True)
            by_object(tf.ones([2]), object())
            signed(tf.ones([n]))
            eager(tf.ones([2]))
            remade(n)(tf.ones([2]))
        for n in range(3):
            trainer = Trainer()
            for _ in range(2):
                trainer.step(tf.ones([2]))
        decorated(tf.ones([2]))
        compiled(tf.ones([2]))
        compiled(np.ones([2], np.float32))
        outer(tf.ones([4]))
        try:
            fails(tf.ones([2]))
        except tf.errors.InvalidArgumentError:
            pass
        for _ in tf.data.Dataset.range(3).map(lambda x: mapped(tf.cast(x, tf.float32))):
            pass
        tf.function(lambda x: tf.numpy_function(from_graph, [x], tf.float32))(tf.ones([]))
        net = Net()
        net.compile(optimizer="sgd")
        net.fit(np.ones([8, 2], np.float32), np.ones([8, 1], np.float32), batch_size=4, verbose=0)
        tf.config.run_functions_eagerly(True)
        by_value(tf.ones([2]), 99)

    main()
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The program's run; it is the same with the recorder as without, so it must end well."""
    folder = tmp_path_factory.mktemp("program")
    write(folder, train=PROGRAM, helper=HELPER)
    found = run(folder, "train.py", time_limit=120, stderr=subprocess.PIPE)
    assert found.status == 0
    return found


@pytest.fixture(scope="module")
def found(outcome: Outcome) -> dict[str, FunctionRecord]:
    return functions(outcome)


@pytest.mark.parametrize(
    ("name", "graph", "traces", "cause"),
    [
        ("by_value", 8, 8, Retrace("n", "value", 7)),
        ("by_shape", 8, 8, Retrace("x", "shape", 7)),
        ("by_object", 8, 8, Retrace("thing", "object", 7)),
        ("remade.inner", 8, 8, Retrace(None, "new function", 7)),
        ("Trainer.step", 6, 3, Retrace(None, "new function", 2)),
        ("signed", 8, 1, None),
        ("decorated", 1, 1, None),
        ("outer", 1, 1, None),
        ("unadorned", 8, 1, None),
        ("<lambda>", 8, 8, Retrace("x", "shape", 7)),
    ],
)
def test_traces_and_what_caused_them(
    found: dict[str, FunctionRecord], name: str, graph: int, traces: int, cause: Retrace | None
) -> None:
    record = found[name]
    assert (record.graph, record.traces) == (graph, traces)
    assert record.retraces == ((cause,) if cause is not None else ())
    assert record.tracing_seconds.count == traces
    assert record.graph_seconds.count == graph - traces


def test_bodies_are_told_apart_by_how_they_run(found: dict[str, FunctionRecord]) -> None:
    assert (found["eager"].eager, found["eager"].traced) == (8, 0)
    assert found["scale"].eager == 8
    assert found["scale"].traced == found["plain"].traced + 2 == 5
    assert (found["mapped"].eager, found["mapped"].traced) == (0, 1)
    assert (found["from_graph"].eager, found["from_graph"].traced) == (1, 0)
    assert (found["fails"].eager, found["fails"].eager_seconds.count) == (1, 1)
    assert (found["by_value"].eager, found["by_value"].traced) == (1, 8)
    assert found["Net.train_step"].eager == 0
    assert found["Net.train_step"].traced > 0
    assert found["Net.call"].traced > 0
    assert found["compiled"].compiled == 2


def test_arguments_are_described(found: dict[str, FunctionRecord]) -> None:
    x, flag = found["by_shape"].arguments
    assert (x.name, x.kinds, x.dtypes) == ("x", {"tensor": 8}, {"float32": 8})
    assert (x.shape_count, x.shapes["[3]"]) == (8, 1)
    assert (flag.name, flag.kinds, flag.values) == ("flag", {"python": 8}, {"True": 8})
    x, by = found["<lambda>"].arguments
    assert (x.shape, by.shape) == ((2, None), ())
    thing = found["by_object"].argument("thing")
    assert thing is not None
    assert (thing.kinds, thing.object_count) == ({"object": 8}, 8)
    (given,) = found["compiled"].arguments
    assert given.kinds == {"tensor": 1, "array": 1}
    assert [a.name for a in found["Trainer.step"].arguments] == ["x"]
    scaled = found["scale"].argument("by")
    assert scaled is not None
    assert scaled.values == {"3.0": 8}


def test_loops_are_counted_where_they_run_eagerly(outcome: Outcome) -> None:
    turns = sorted((loop.entries, loop.turns) for loop in loops(outcome))
    assert turns == [(1, 3), (1, 3), (1, 8), (3, 6)]
