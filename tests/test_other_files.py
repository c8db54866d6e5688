"""What one file passes to a function of another one: no rule may fail on it, no fix go astray."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.cli import main
from tfxla_lint.session import unified_diff
from tfxla_lint.source import Source

NORMALISE = """import tensorflow as tf


@tf.function
def normalise(x):
    return x - tf.reduce_mean(x, axis=0)


@tf.function
def scaled(x, factor):
    if factor > 2:
        return x * factor
    return x


@tf.function(jit_compile=True)
def jittered(x):
    return x + tf.random.normal(x.shape) + tf.cast(tf.size(tf.where(x > 0.0)), tf.float32)


@tf.function
def listed(parts):
    return tf.add_n(parts)


@tf.function
def counted(count):
    total = 0.0
    for i in range(count):
        total += tf.sqrt(tf.cast(i, tf.float32))
    return total
"""
LOOPS = {
    "slices": "normalise(rows[:i])",
    "python numbers": "scaled(rows, i)",
    "compiled": "jittered(rows[:i])",
    "lists": "listed([rows] * i)",
    "counts": "counted(i)",
    "fresh objects": "scaled(rows, lambda: i)",
    "wrapped": "tf.function(normalise)(rows)",
}
HEAD = """import tensorflow as tf

from lib import counted, jittered, listed, normalise, scaled

rows = tf.reshape(tf.range(60.0), [20, 3])
for i in range(1, 20):
    """


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with traced functions in a file of their own, with the working folder in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tfxla-lint.toml").touch()
    (tmp_path / "lib.py").write_text(NORMALISE)
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main(["-v", *arguments])
    out, err = capfd.readouterr()
    assert "failed" not in err
    assert "failed" not in out
    return out


@pytest.mark.parametrize("call", LOOPS.values(), ids=LOOPS.keys())
def test_no_rule_fails_on_what_another_file_passes(
    project: Path, capfd: pytest.CaptureFixture[str], call: str
) -> None:
    (project / "main.py").write_text(HEAD + call + "\n")
    run(capfd, ".")
    run(capfd, "--fix", "--unsafe-fixes", ".")
    compile((project / "lib.py").read_text(), "lib.py", "exec")


def test_shapes_from_another_file_are_mended_where_the_decorator_stands(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = HEAD + "normalise(rows[:i])\n"
    (project / "main.py").write_text(text)
    out = run(capfd, "--select", "TXL203", ".")
    assert "main.py:7:15: warning TXL203" in out
    assert "lib.py:5:15: warning TXL203" in out
    assert "lib.py:4:1: traced here" in out
    run(capfd, "--select", "TXL203", "--fix", ".")
    assert (project / "lib.py").read_text() == NORMALISE
    run(capfd, "--select", "TXL203", "--fix", "--unsafe-fixes", ".")
    assert (project / "main.py").read_text() == text
    mended = NORMALISE.replace("@tf.function\n", "@tf.function(reduce_retracing=True)\n", 1)
    assert (project / "lib.py").read_text() == mended


SEED = "import tensorflow as tf\nimport feeding\n\ntf.random.set_seed(3)\nfeeding.batches()\n"
PIPES = """import tensorflow as tf


def augment(image):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.2)


def batches(images=None):
    return tf.data.Dataset.from_tensor_slices(images).map(augment).batch(4)
"""


def test_a_seed_of_another_file_keeps_maps_sequential(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "feeding.py").write_text(PIPES)
    (project / "main.py").write_text(SEED)
    out = run(capfd, "--fix", "--unsafe-fixes", "--select", "TXL602", ".")
    assert "never applied by the tool" in out
    assert "main.py:4:1: fixes the seed" in out
    assert (project / "feeding.py").read_text() == PIPES
    (project / "main.py").write_text(SEED.replace("tf.random.set_seed(3)\n", ""))
    run(capfd, "--fix", "--unsafe-fixes", "--select", "TXL602", ".")
    assert "num_parallel_calls" in (project / "feeding.py").read_text()


STEP = """import tensorflow as tf


def step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def run_epoch(model, optimizer, data):
    for x in data:
        loss = step(model, optimizer, x)
    return loss


def train(model, optimizer, data):
    for _ in range(3):
        loss = run_epoch(model, optimizer, data)
    return loss
"""
TRAINER = """import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.1)

    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - 1.0))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss
"""
DRIVER = """import tensorflow as tf
from {name} import {imported}


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


data = tf.data.Dataset.from_tensor_slices(tf.ones([8, 3])).batch(2)
"""
TWICE = """train(build(), tf.keras.optimizers.Adam(0.1), data)
train(build(), tf.keras.optimizers.Adam(0.2), data)
"""
ONCE = """train(build(), tf.keras.optimizers.Adam(0.1), data)
"""
RENEWED = """def renew(trainer: Trainer):
    trainer.optimizer = tf.keras.optimizers.Adam(0.1)


def run(trainer):
    for x in data:
        trainer.step(x)


trainer = Trainer(build())
run(trainer)
renew(trainer)
run(trainer)
"""


@pytest.mark.parametrize("name", ["before_main", "of_steps"])
def test_networks_that_another_file_trains_one_after_the_other_share_no_step(
    project: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    (project / f"{name}.py").write_text(STEP)
    (project / "main.py").write_text(DRIVER.format(name=name, imported="train") + TWICE)
    out = run(capfd, "--fix", "--unsafe-fixes", "--select", "TXL101", ".")
    assert "is called with different objects as `model`" in out
    assert "is called with different objects as `optimizer`" in out
    assert (project / f"{name}.py").read_text() == STEP
    (project / "main.py").write_text(DRIVER.format(name=name, imported="train") + ONCE)
    run(capfd, "--fix", "--unsafe-fixes", "--select", "TXL101", ".")
    assert "@tf.function\ndef step(" in (project / f"{name}.py").read_text()


@pytest.mark.parametrize("name", ["before_main", "of_steps"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_optimizer_that_another_file_renews_stays_outside_of_the_trace(
    project: Path, capfd: pytest.CaptureFixture[str], name: str, order: tuple[int, int]
) -> None:
    (project / f"{name}.py").write_text(TRAINER)
    (project / "main.py").write_text(DRIVER.format(name=name, imported="Trainer") + RENEWED)
    files = [f"{name}.py", "main.py"]
    asked = [files[index] for index in order]
    out = run(capfd, "--select", "TXL101", *asked)
    assert "reads the attribute `optimizer`, which is set elsewhere" in out
    run(capfd, "--fix", "--unsafe-fixes", "--select", "TXL101", *asked)
    mended = (project / f"{name}.py").read_text()
    traced = mended.partition("@tf.function")[2].partition("def step(")[0]
    assert "tape.gradient" in traced
    assert "apply_gradients" not in traced


MEMORY = """import tensorflow as tf


class Memory:
    def __init__(self):
        self.last = None
        self.rate = 0.5

    @tf.function
    def step(self, x):
        self.last = tf.reduce_sum(x)
        return x * self.rate
"""
PROGRAM = """

memory = Memory()
for i in range(20):
    memory.step(tf.ones([3]))
    print(memory.last)
    memory.rate *= 0.9
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("TXL302", ["11:9: error TXL302", "read outside of the trace"]),
        ("TXL309", ["12:20: error TXL309", "changed here", "and run here, with the old value"]),
    ],
)
def test_a_class_is_seen_with_the_loop_of_another_file_as_with_its_own(
    project: Path, capfd: pytest.CaptureFixture[str], code: str, said: list[str]
) -> None:
    (project / "memory.py").write_text(MEMORY + PROGRAM)
    alone = run(capfd, "--select", code, ".")
    (project / "memory.py").write_text(MEMORY)
    head = "import tensorflow as tf\nfrom memory import Memory\n"
    (project / "main.py").write_text(head + PROGRAM)
    apart = run(capfd, "--select", code, ".")
    for words in said:
        assert words in alone
        assert words in apart
    assert "main.py:" in apart


def test_a_setting_that_another_file_changes_is_stale_where_it_is_read(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "lib.py").write_text(
        "import tensorflow as tf\n\nrate = 0.5\n\n\n"
        "@tf.function\ndef scaled(x):\n    return x * rate\n"
    )
    (project / "main.py").write_text(
        "import tensorflow as tf\nimport lib\n\n"
        "for i in range(20):\n    lib.scaled(tf.ones([3]))\n    lib.rate *= 0.9\n"
    )
    out = run(capfd, "--select", "TXL309", ".")
    assert "lib.py:8:16: error TXL309" in out
    assert "main.py:6:5: changed here" in out


PARSING = """import numpy as np
import tensorflow as tf


def load(path):
    return np.fromfile(path, np.float32)


def parse(path, label):
    return tf.py_function(load, [path], tf.float32), label
"""
FEEDING = """import tensorflow as tf

from parsing import parse


def batches(paths, labels):
    return tf.data.Dataset.from_tensor_slices((paths, labels)).map(parse).batch(8)
"""
FITTING = """import tensorflow as tf

from feeding import batches

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")


def train(data):
    model.fit(data, epochs=3)


train(batches(["rows"] * 30, [0.0] * 30))
"""


def test_python_of_another_file_in_a_pipeline_that_a_third_one_trains_on(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {"parsing": PARSING, "feeding": FEEDING, "fitting": FITTING}
    for name, text in files.items():
        (project / f"{name}.py").write_text(text)
    out = run(capfd, "--select", "TXL603", ".")
    assert "feeding.py:7:12: note TXL603" in out
    assert "fitting.py:10:5: trains on it" in out
    assert "parsing.py:10:12: runs Python here" in out


STEPPING = """import tensorflow as tf


def step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    gradients = tape.gradient(loss, model.weights)
    optimizer.apply_gradients(zip(gradients, model.weights), noise_of=loss)
"""


@pytest.mark.parametrize("package", ["tensorflow.keras.optimizers", "noisy_optimizers"])
def test_an_optimizer_of_another_package_may_take_arguments_of_its_own(
    project: Path, capfd: pytest.CaptureFixture[str], package: str
) -> None:
    (project / "stepping.py").write_text(STEPPING)
    made = f"from {package} import Adam\nfrom stepping import step\n\nstep(None, Adam(), None)\n"
    (project / "main.py").write_text(made)
    assert ("noise_of" in run(capfd, "--select", "TXL502", ".")) is (package[0] == "t")


ASKED = """{above}net = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
x = tf.ones([8, 4])
{below}for _ in range(100):
    y = net(x)
"""


@pytest.mark.parametrize("shared", ["import tensorflow as tf\n", "tf = None\n"])
def test_a_fix_spells_tensorflow_as_a_star_import_brings_it(
    project: Path, capfd: pytest.CaptureFixture[str], shared: str
) -> None:
    (project / "shared.py").write_text(shared)
    star = "from shared import *\n"
    for name, above, below in (("one", star, ""), ("two", "import tensorflow as tf\n", star)):
        (project / f"{name}.py").write_text(ASKED.format(above=above, below=below))
    run(capfd, "--fix", "--unsafe-fixes", "one.py", "two.py")
    assert ("tf.function(net" in (project / "one.py").read_text()) is (shared[0] == "i")
    assert "tf.function(net" in (project / "two.py").read_text()


STEPS = """import tensorflow as tf


def step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
"""
TRAIN = """import tensorflow as tf

from steps import step

{model} = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
adam = tf.keras.optimizers.Adam()
for _ in range(300):
    step({model}, adam, tf.ones([4, 3]))
"""


@pytest.mark.parametrize("imports", ["", "import large\n"])
def test_programs_that_share_no_process_share_no_trace(
    project: Path, capfd: pytest.CaptureFixture[str], imports: str
) -> None:
    (project / "steps.py").write_text(STEPS)
    (project / "small.py").write_text(imports + TRAIN.format(model="model"))
    (project / "large.py").write_text(TRAIN.format(model="network"))
    out = run(capfd, "--select", "TXL101", ".")
    assert "steps.py:4:5: warning TXL101" in out
    assert ("is called with different objects as `model`" in out) is bool(imports)


GRADIENTS = """import tensorflow as tf

w = tf.Variable([[0.5], [-1.0]])


def gradients_of(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.tanh(x @ w) - 0.3))
    return tape.gradient(loss, [w]), loss
"""
UPDATES = """import tensorflow as tf

import steps

optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.ones([640, 2])).batch(8)
for x in data:
    grads, loss = steps.gradients_of(x)
    optimizer.apply_gradients(zip(grads, [steps.w]))
"""


def test_what_is_shown_is_what_would_be_written(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    texts = {"a.py": UPDATES, "steps.py": GRADIENTS}
    for name, text in texts.items():
        (project / name).write_text(text)
    shown = run(capfd, "--fix", "--unsafe-fixes", "--diff", ".")
    assert {name: (project / name).read_text() for name in texts} == texts
    run(capfd, "--fix", "--unsafe-fixes", ".")
    # What is fixed in one file lets something be fixed in another that was done before it.
    for name, text in texts.items():
        written = (project / name).read_text()
        assert written != text
        assert unified_diff(Source(name, text), Source(name, written)) in shown
