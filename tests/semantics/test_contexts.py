from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety

Build = Callable[[str], SemanticModel]
HEAD = "import functools\nimport tensorflow as tf\n"
STEP = "def f(x):\n    return x\n"


@pytest.mark.parametrize(
    "code",
    [
        "@tf.function\n" + STEP,
        "@tf.function(jit_compile=True)\n" + STEP,
        "jit = functools.partial(tf.function, jit_compile=True)\n@jit\n" + STEP,
        STEP + "g = tf.function(f)\n",
        STEP + "f = tf.function(f)\n",
        STEP + "tf.data.Dataset.range(3).map(f)\n",
        STEP + "tf.vectorized_map(f, tf.zeros([3]))\n",
        STEP + "@tf.function\ndef outer(x):\n    return f(x)\n",
        STEP + "@tf.function\ndef outer(x):\n    return tf.map_fn(f, x)\n",
        STEP + "g = tf.function(lambda x: f(x))\n",
    ],
)
def test_is_traced(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert model.contexts.traced(unit_named(model, "f")) is not None


@pytest.mark.parametrize(
    "code",
    [
        STEP + "f(1)\n",
        STEP + "def main():\n    f(1)\nmain()\n",
        STEP + "if __name__ == '__main__':\n    f(1)\n",
        STEP + "tf.map_fn(f, tf.zeros([3]))\n",
        STEP + "strategy = tf.distribute.MirroredStrategy()\nstrategy.run(f, args=(1,))\n",
        STEP + "@tf.function\ndef g(x):\n    return tf.py_function(f, [x], tf.float32)\ng(1)\n",
    ],
)
def test_is_only_eager(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert model.contexts.is_only_eager(unit_named(model, "f"))


@pytest.mark.parametrize(
    "code",
    [
        STEP,
        STEP + "f(1)\nregister(f)\n",
        "@unknown\n" + STEP + "f(1)\n",
        STEP + "f(1)\nif unknown:\n    f = tf.function(f)\n",
        STEP + "table = {'f': f}\ntable['f'](1)\nsend(table)\n",
    ],
)
def test_unknown_is_not_called_eager(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert not model.contexts.is_only_eager(unit_named(model, "f"))


def test_keras_traces_the_steps_of_models_but_not_with_run_eagerly(build: Build) -> None:
    code = "class M(tf.keras.Model):\n    def train_step(self, data):\n        return {}\n"
    model = build(HEAD + code)
    assert model.contexts.traced(unit_named(model, "M.train_step")) is not None
    model = build(HEAD + code + "M().compile(run_eagerly=True)\n")
    assert model.contexts.traced(unit_named(model, "M.train_step")) is None


def test_loops_add_up_along_the_chain_of_calls(build: Build) -> None:
    model = build(
        HEAD
        + """
def step(x):
    return x

def epoch(data):
    for x in data:
        step(x)

for _ in range(10):
    epoch(tf.data.Dataset.range(100))
"""
    )
    assert len(model.contexts.hot_loops(unit_named(model, "step"))) == 2
    assert len(model.contexts.hot_loops(unit_named(model, "epoch"))) == 1


@pytest.mark.parametrize("head", ["range(2)", "model.layers", "[1, 2]", "zip(g, model.weights)"])
def test_short_loops_and_loops_over_parts_heat_nothing(build: Build, head: str) -> None:
    code = f"model = tf.keras.Sequential([])\ng = []\nfor v in {head}:\n    f(v)\n"
    if head == "[1, 2]":
        code = "for v in range(0, 4, 2):\n    f(v)\n"
    model = build(HEAD + STEP + code)
    assert model.contexts.hot_loops(unit_named(model, "f")) == ()


def test_host_only_code_proves_eager_running(build: Build) -> None:
    model = build(HEAD + "def train():\n    x = tf.zeros([2])\n    return x.numpy()\n")
    route = model.contexts.eager(unit_named(model, "train"))
    assert route is not None
    assert "numpy" in route.reason


TRAINER = """
    import tensorflow as tf

    class Trainer:
        def __init__(self):
            self.setup()

        def setup(self):
            self.scale = 1.0

        def train(self, data):
            for batch in range(100):
                self.step(tf.zeros([3]))

    class Own(Trainer):
        def step(self, x):
            return tf.reduce_sum(x) * self.scale

    class Other(Trainer):
        def step(self, x):
            return tf.reduce_mean(x)

    Own().train(1)
"""


def test_a_call_on_self_runs_the_methods_of_the_classes_that_are_made(
    build: Build,
) -> None:
    model = build(TRAINER)
    assert model.contexts.hot_loops(unit_named(model, "Own.step"))
    assert model.contexts.eager(unit_named(model, "Other.step")) is None


def test_what_constructors_call_sets_attributes_once(
    build: Build,
) -> None:
    model = build(TRAINER)
    reads = [n for n in model.nodes(cst.Attribute) if n.attr.value == "scale"]
    assert len(reads) == 2
    assert not any(model.ask(Safety).state.attribute_changes(node) for node in reads)


def test_attributes_of_unrelated_classes_do_not_mix(build: Build) -> None:
    model = build("""
        class A:
            def __init__(self):
                self.rate = 1.0

            def read(self):
                return self.rate

        class B:
            def change(self):
                self.rate = 2.0

            def read(self):
                return self.rate
    """)
    changes = {
        model.unit(node).qualname: model.ask(Safety).state.attribute_changes(node)
        for node in model.nodes(cst.Attribute)
    }
    assert changes["A.read"] is False
    assert changes["B.read"] is True


WORKER = """
import threading
import multiprocessing as mp
import gym

class Worker(BASE):
    def step(self, x):
        return x

    def run(self):
        while True:
            self.step(1)
"""


@pytest.mark.parametrize("base", ["threading.Thread", "mp.Process"])
def test_a_thread_runs_its_method_in_python(build: Build, base: str) -> None:
    model = build(HEAD + WORKER.replace("BASE", base) + "Worker().start()\n")
    step = unit_named(model, "Worker.step")
    assert model.contexts.is_only_eager(step)
    assert len(model.contexts.hot_loops(step)) == 1


@pytest.mark.parametrize("base", ["gym.Env", "dict", "threading.local"])
def test_other_bases_without_tensorflow_run_nothing(build: Build, base: str) -> None:
    model = build(HEAD + WORKER.replace("BASE", base))
    assert model.contexts.eager(unit_named(model, "Worker.run")) is None
    model = build(HEAD + WORKER.replace("BASE", base) + "Worker().run()\n")
    assert model.contexts.is_only_eager(unit_named(model, "Worker.run"))


@pytest.mark.parametrize("base", ["unknown.Base", "BASES[0]", "tf_agents.TFAgent"])
def test_an_unknown_base_may_trace_methods(build: Build, base: str) -> None:
    code = "import unknown, tf_agents\n" + WORKER.replace("BASE", base) + "Worker().run()\n"
    model = build(HEAD + code)
    assert not model.contexts.is_only_eager(unit_named(model, "Worker.run"))


@pytest.mark.parametrize(
    "code",
    [
        "import threading\n" + STEP + "threading.Thread(target=f, args=(1,)).start()\n",
        "from multiprocessing import Process\n" + STEP + "Process(target=f).start()\n",
        "import click\n@click.command()\n@click.option('--x')\n" + STEP,
        "import click\n@click.group()\ndef cli():\n    pass\n@cli.command()\n" + STEP,
        "import hydra\n@hydra.main(config_path='conf')\n" + STEP + "f()\n",
        "import ray\n@ray.remote\n" + STEP + "f.remote(1)\n",
        "import ray\n@ray.remote(num_gpus=1)\n" + STEP + "f.remote(1)\n",
    ],
)
def test_what_threads_processes_and_command_lines_run_is_eager(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert model.contexts.is_only_eager(unit_named(model, "f"))


def test_what_leaves_one_trace_may_be_called_in_another(build: Build) -> None:
    code = (
        "@tf.function\ndef g(x):\n    tf.py_function(f, [x], tf.float32)\n    return f(x)\ng(1)\n"
    )
    model = build(HEAD + STEP + code)
    assert model.contexts.traced(unit_named(model, "f")) is not None
    assert model.contexts.eager(unit_named(model, "f")) is not None


CHOICES = """
class A:
    def learn(self, x):
        return x

class B:
    def learn(self, x):
        return x

def first(x):
    return x

def second(x):
    return x

"""


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("TABLE = {'a': first, 'b': second}\ndef run(key): TABLE[key](1)\n", "first second"),
        ("def run(key):\n    f = first if key else second\n    f(1)\n", "first second"),
        ("TABLE = [first, second]\ndef run(key):\n    for f in TABLE: f(1)\n", "first second"),
        ("TABLE = {'a': A, 'b': B}\ndef run(key): TABLE[key]().learn(1)\n", "A.learn B.learn"),
        ("def run(key):\n    a = A() if key else B()\n    a.learn(1)\n", "A.learn B.learn"),
        ("def make(key):\n    if key: return A()\n    return B()\ndef run(key): make(key).learn(1)\n",
         "A.learn B.learn"),
        ("class T:\n    def __init__(self, key):\n        self.a = B()\n        if key:\n"
         "            self.a = A()\ndef run(key): T(key).a.learn(1)\n", "A.learn B.learn"),
    ],
)  # fmt: skip
def test_each_of_several_that_may_be_called_is_run(build: Build, code: str, names: str) -> None:
    model = build(HEAD + CHOICES + code + "while True:\n    run(input('?'))\n")
    for name in names.split():
        assert model.contexts.is_only_eager(unit_named(model, name))


@pytest.mark.parametrize(
    "code",
    [
        "f = tf.function(first if unknown else second)\nfirst(1)\nsecond(1)\n",
        "TABLE = {'a': first, 'b': second}\ntf.data.Dataset.range(2).map(TABLE[unknown])\n",
        "@tf.function\ndef g(x):\n    f = first if unknown else second\n    return f(x)\n",
    ],
)
def test_each_of_several_that_may_be_traced_is(build: Build, code: str) -> None:
    model = build(HEAD + CHOICES + code)
    for name in ("first", "second"):
        assert model.contexts.traced(unit_named(model, name)) is not None


def test_too_many_choices_are_none(build: Build) -> None:
    table = ", ".join(f"lambda x: {number}" for number in range(9))
    model = build(f"{HEAD}{CHOICES}TABLE = [first, {table}]\nfor f in TABLE:\n    f(1)\n")
    assert model.contexts.eager(unit_named(model, "first")) is None


@pytest.mark.parametrize(
    "code",
    [
        "with ThreadPoolExecutor(4) as pool:\n    pool.map(f, [1])\n",
        "pool = ThreadPoolExecutor(4)\npool.submit(f, 1)\n",
        "class T:\n    def __init__(self):\n        self.pool = mp.Pool()\n    def go(self):\n"
        "        self.pool.apply_async(f, (1,))\nT().go()\n",
    ],
)
def test_a_pool_runs_what_it_is_given(build: Build, code: str) -> None:
    imports = "from concurrent.futures import ThreadPoolExecutor\nimport multiprocessing as mp\n"
    model = build(HEAD + imports + STEP + code)
    assert model.contexts.is_only_eager(unit_named(model, "f"))


def test_keras_calls_callbacks_from_python(build: Build) -> None:
    code = "class C(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs):\n"
    model = build(HEAD + STEP + code + "        f(1)\n    def other(self):\n        pass\n")
    assert model.contexts.is_only_eager(unit_named(model, "f"))
    assert model.contexts.eager(unit_named(model, "C.other")) is None


def test_a_class_method_makes_what_it_is_called_on(build: Build) -> None:
    code = """
class A:
    @classmethod
    def make(cls):
        return cls()

    def learn(self):
        pass

class B(A):
    def learn(self):
        pass

while True:
    B.make().learn()
"""
    model = build(HEAD + code)
    assert model.contexts.is_only_eager(unit_named(model, "B.learn"))
    assert model.contexts.eager(unit_named(model, "A.learn")) is None


DRIVER = """
class Trainer:
    def run(self, data):
        for x in data:
            self.step(x)
    def step(self, x):
        raise NotImplementedError
class Linear(Trainer):
    def __init__(self):
        self.w = tf.Variable(1.0)
        self.optimizer = tf.keras.optimizers.SGD()
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = self.w * x
        gradients = tape.gradient(loss, [self.w])
        self.optimizer.apply_gradients(zip(gradients, [self.w]))
"""


def test_a_base_class_that_nobody_runs_here_runs_what_derives_from_it(build: Build) -> None:
    model = build(HEAD + DRIVER)
    step = next(unit for unit in model.units.all if unit.qualname == "Linear.step")
    assert model.contexts.is_only_eager(step)
    assert len(model.contexts.hot_loops(step)) == 1


def test_a_loop_that_trains_nothing_may_be_part_of_a_trace(build: Build) -> None:
    model = build(HEAD + DRIVER.replace("self.optimizer.apply_gradients", "print"))
    assert not model.contexts.is_only_eager(unit_named(model, "Trainer.run"))


SEARCH = """
class Attack:
    def __init__(self, model, steps=40):
        self.model, self.steps = model, steps
    def generate(self, x):
        for _ in LOOP:
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_sum(self.model(x))
            x = x + 0.1 * tape.gradient(loss, x)
        return x
"""


def test_a_loop_that_turns_often_and_has_a_tape_of_its_own_is_a_whole_search(build: Build) -> None:
    model = build(HEAD + SEARCH.replace("LOOP", "range(self.steps)"))
    assert model.contexts.is_only_eager(unit_named(model, "Attack.generate"))


@pytest.mark.parametrize("loop", ["range(2)", "self.parts"])
def test_a_few_tapes_may_be_part_of_a_trace(build: Build, loop: str) -> None:
    model = build(HEAD + SEARCH.replace("LOOP", loop))
    assert not model.contexts.is_only_eager(unit_named(model, "Attack.generate"))


def test_tf_data_traces_an_object_by_its_call(build: Build) -> None:
    code = "class A:\n    def __call__(self, x):\n        return x\n"
    model = build(HEAD + code + "tf.data.Dataset.range(3).map(A())\n")
    assert model.contexts.traced(unit_named(model, "A.__call__")) is not None


@pytest.mark.parametrize(
    "code",
    [
        "class C(tf.keras.callbacks.Callback):\n    def on_train_batch_end(self, batch, logs=None):\n"
        "        f(1)\n",
        "class C(tf.keras.callbacks.ModelCheckpoint):\n    def on_batch_end(self, batch, logs):\n"
        "        f(1)\n",
        "class C(tf.keras.utils.Sequence):\n    def __getitem__(self, i):\n        return f(i)\n",
        "import socketserver\nclass C(socketserver.BaseRequestHandler):\n    def handle(self):\n"
        "        f(1)\n",
        "from flask import Flask\napp = Flask(__name__)\n@app.route('/')\ndef home():\n    f(1)\n",
        "import fastapi\napp = fastapi.FastAPI()\n@app.post('/')\nasync def home():\n    f(1)\n",
        "import flask\ndef make():\n    app = flask.Flask('x')\n    @app.route('/')\n"
        "    def home():\n        f(1)\n    return app\n",
        "from scipy.optimize import minimize\nminimize(f, [1.0])\n",
        "import scipy.optimize\nscipy.optimize.minimize(lambda x: f(x), [1.0])\n",
    ],
)
def test_what_a_framework_runs_many_times_is_hot(build: Build, code: str) -> None:
    model = build(HEAD + STEP + code)
    step = unit_named(model, "f")
    assert model.contexts.is_only_eager(step)
    assert [model.loops.info(turn).over for turn in model.contexts.hot_loops(step)] == ["framework"]


@pytest.mark.parametrize(
    "code",
    [
        "class C(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n"
        "        f(1)\n",
        "class C(tf.keras.callbacks.Callback):\n    def on_train_batch_end(self, batch, logs=None):\n"
        "        if batch % 100 == 0:\n            f(1)\n",
        "class C:\n    def on_train_batch_end(self, batch):\n        f(1)\n",
        "import threading\nthreading.Thread(target=f).start()\n",
    ],
)
def test_what_a_framework_runs_now_and_then_is_not_hot(build: Build, code: str) -> None:
    model = build(HEAD + STEP + code)
    assert model.contexts.hot_loops(unit_named(model, "f")) == ()


def test_a_function_is_eager_that_runs_an_inner_one_on_values(build: Build) -> None:
    model = build(
        """
        import tensorflow as tf

        def attack(x):
            def gradient(x):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = tf.reduce_sum(x * x)
                return tape.gradient(y, x).numpy()
            return gradient(x)
        """
    )
    assert model.contexts.is_only_eager(unit_named(model, "attack"))
    assert model.contexts.is_only_eager(unit_named(model, "attack.gradient"))


@pytest.mark.parametrize(
    ("decorator", "is_eager"),
    [("", True), ("    @pytest.mark.slow\n", True), ("    @in_both_modes\n", False)],
)
def test_a_runner_of_tests_runs_its_cases_eagerly(
    build: Build, decorator: str, is_eager: bool
) -> None:
    model = build(
        "import pytest\nimport tensorflow as tf\nfrom helpers import in_both_modes\n"
        "class LossTest(tf.test.TestCase):\n"
        f"{decorator}    def test_loss(self):\n        self.assertEqual(tf.abs(-1.0), 1.0)\n"
    )
    assert model.contexts.is_only_eager(unit_named(model, "LossTest.test_loss")) is is_eager


@pytest.mark.parametrize(("name", "is_eager"), [("TestRun", True), ("Runner", False)])
def test_cases_with_bases_out_of_sight_trace_nothing(
    build: Build, name: str, is_eager: bool
) -> None:
    model = build(
        "import pytest\nimport tensorflow as tf\nfrom elsewhere import Base\n"
        "def run(x):\n    return tf.abs(x)\n"
        f"class {name}(Base):\n    def made(self):\n        return run(-1.0)\n"
        "run(2.0)\n"
    )
    assert model.contexts.is_only_eager(unit_named(model, "run")) is is_eager


TUNED = """import tensorflow as tf
from elsewhere import minimise

w = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.1)


def step(x):
    with tf.GradientTape() as tape:
        loss = w * x
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


def train(rate):
    for _ in range(1000):
        step(tf.constant(rate))


def objective(rate):
    train(rate)
    return float(w)


"""


def test_a_search_runs_whole_trainings_in_python(build: Build) -> None:
    model = build(TUNED + "minimise(objective)\n")
    assert model.contexts.is_only_eager(unit_named(model, "objective"))
    assert model.contexts.is_only_eager(unit_named(model, "step"))


@pytest.mark.parametrize("handed", ["step", "lambda x: step(x)"])
def test_what_nobody_knows_may_trace_a_step(build: Build, handed: str) -> None:
    text = TUNED.replace("    for _ in range(1000):\n        step", "    step")
    model = build(f"{text}step(0.1)\nminimise({handed})\n")
    assert not model.contexts.is_only_eager(unit_named(model, "step"))


def test_what_a_loop_runs_is_eager_there_whoever_is_handed_it(build: Build) -> None:
    model = build(f"{TUNED}train(0.1)\nminimise(step)\n")
    assert model.contexts.is_only_eager(unit_named(model, "step"))


def test_a_training_that_only_some_calls_run_may_be_traced(build: Build) -> None:
    text = TUNED.replace("    train(rate)\n", "    if rate > unknown:\n        train(rate)\n")
    model = build(text + "minimise(objective)\n")
    assert not model.contexts.is_only_eager(unit_named(model, "objective"))
