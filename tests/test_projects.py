"""A file is reported the same, whichever files of its project are linted with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.running import Done, runs

STEPS = """import tensorflow as tf

weights = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss
"""
TRAIN = """import tensorflow as tf

from pkg.steps import train_step

for step in range(100):
    train_step(tf.ones([8, 4]), tf.ones([8, 1]))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose loop and step are in two files, with the working folder in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tfxla-lint.toml").touch()
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "pkg" / "steps.py").write_text(STEPS)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def lint(capfd: pytest.CaptureFixture[str], *arguments: str) -> Done:
    return runs(capfd)(*arguments)


def findings(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    done = lint(capfd, "--output-format", "json", *arguments)
    found = json.loads(done.out)
    rows = found["findings"] if isinstance(found, dict) else found
    assert isinstance(rows, list)
    return rows


@pytest.mark.usefixtures("project")
def test_one_file_and_all_files_say_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    every = findings(capfd, ".")
    alone = findings(capfd, "pkg/steps.py")
    assert [row["code"] for row in alone] == ["TXL101"]
    path = alone[0]["path"]
    assert [row for row in every if row["path"] == path] == alone
    assert findings(capfd, "-j", "2", ".") == every


@pytest.mark.usefixtures("project")
def test_evidence_names_the_other_file(capfd: pytest.CaptureFixture[str]) -> None:
    done = lint(capfd, "pkg/steps.py")
    assert "train.py:5:1: run by this loop" in done.out


def test_a_file_that_names_no_tensorflow_is_told_of_it_by_what_it_imports(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "pkg" / "net.py").write_text("""import tensorflow as tf

net = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
""")
    (project / "play.py").write_text("""import numpy as np

from pkg.net import net

for turn in range(500):
    scores = net(np.ones([1, 4]))
""")
    (project / "other.py").write_text("""from pkg.net import net


def tidy(table, rows):
    for row in rows:
        table.assign(row=row.numpy())
""")
    alone = findings(capfd, "play.py")
    assert [row["code"] for row in alone] == ["TXL110"]
    every = findings(capfd, ".")
    assert [row for row in every if row["path"] in ("play.py", "other.py")] == alone


def test_test_files_make_nothing_hot(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "tests").mkdir()
    moved = (project / "train.py").rename(project / "tests" / "train.py")
    assert [row["code"] for row in findings(capfd, ".")] == ["TXL101"]
    moved.write_text("import pytest\n" + TRAIN)
    assert findings(capfd, ".") == []


PLAIN = """import tensorflow as tf

w = tf.Variable(tf.ones([3, 1]))
RATE = 0.1


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y)) * RATE
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss
"""
RUNNING = """import tensorflow as tf
from plain import train_step

for i in range(30):
    loss = train_step(tf.ones([4, 3]), tf.zeros([4, 1]))
print(float(loss))
"""
PATCHING = """import plain


def test_rate(monkeypatch):
    monkeypatch.setattr(plain, "RATE", 1.0)
    assert float(plain.train_step([[1.0] * 3], [[0.0]])) == 9.0
"""


@pytest.mark.parametrize(
    ("test", "is_safe"),
    [
        ("", True),
        (PATCHING, False),
        (PATCHING.replace("plain", "running"), False),
        (PATCHING.replace("import plain", "import other"), True),
    ],
    ids=["no test", "sets a name", "by way of another file", "of something else"],
)
def test_what_tests_run_is_not_proved(
    test: str,
    is_safe: bool,
    project: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The cache has to know of tests that come and go.
    monkeypatch.delenv("TFXLA_LINT_NO_CACHE")
    (project / "plain.py").write_text(PLAIN)
    (project / "running.py").write_text(RUNNING)
    (project / "other.py").write_text("import tensorflow as tf\n")
    (project / "tests").mkdir()
    for name in ("test_first.py", "tests/test_plain.py"):
        (project / name).write_text(test)
        for files in (".", "plain.py"):
            done = lint(capfd, "--cache-dir", "kept", "--diff", files)
            assert ("@tf.function" in done.out) == is_safe, done.out
        (project / name).unlink()
    assert "tests may run it with other values" not in lint(capfd, "-v", "plain.py").out


@pytest.mark.parametrize(
    ("loader", "is_safe"),
    [
        ("import os\n\nos.system('python plain.py')\n", True),
        ("exec(open('./plain.py').read())\n", False),
        ("import sys\n\nsys.path.insert(0, sys.argv[1])\nimport plain\n", False),
        ("import importlib\nimport sys\n\nimportlib.import_module(sys.argv[1])\n", False),
        ("import subprocess\nimport sys\n\nsubprocess.run([sys.executable, *sys.argv])\n", True),
        ("import importlib\n\nimportlib.import_module('other')\n", True),
        ("from models import plain\n", True),
        ("import old.plain\n", True),
        ("# made by plain.py\nimport os\n", True),
        ("import sys\n\nsys.path.append(sys.argv[1])\nimport other\n", True),
    ],
    ids=[
        "a process",
        "exec",
        "one of two",
        "any module",
        "any process",
        "another by its name",
        "of a library",
        "the other one",
        "a comment",
        "another one",
    ],
)
def test_what_others_load_by_its_path_is_not_proved(
    loader: str,
    is_safe: bool,
    project: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TFXLA_LINT_NO_CACHE")
    (project / "old").mkdir()
    (project / "old" / "plain.py").write_text("# As it was.\n")
    (project / "plain.py").write_text(PLAIN)
    (project / "running.py").write_text(RUNNING)
    (project / "other.py").write_text("import tensorflow as tf\n")
    for text in ("", loader, ""):
        (project / "all.py").write_text(text)
        done = lint(capfd, "--cache-dir", "kept", "--diff", "plain.py")
        assert ("@tf.function" in done.out) == (is_safe or not text), done.out


def test_the_message_names_the_tests(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "plain.py").write_text(PLAIN)
    (project / "running.py").write_text(RUNNING)
    (project / "test_plain.py").write_text(PATCHING)
    assert "tests may run it with other values" in lint(capfd, "-v", "plain.py").out


def test_a_caller_that_traces_makes_the_step_silent(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = TRAIN.replace("import train_step", "import train_step as plain_step")
    wrapped = "\ntrain_step = tf.function(plain_step)\n"
    (project / "train.py").write_text(text.replace("\nfor", wrapped + "\nfor", 1))
    assert findings(capfd, ".") == []


@pytest.mark.parametrize(
    "taken", ["from shown import scaled", "from shown import *", "import shown"]
)
def test_an_import_gets_nothing_that_stands_below_the_main_guard(
    taken: str, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plain = """import matplotlib.pyplot as plt
import tensorflow as tf


def scaled(x):
    return tf.square(x)


"""
    shown = """    def scaled(x):
        plt.figure()
        return tf.square(x)

    scaled(tf.ones([2]))
"""
    name = "shown.scaled" if taken == "import shown" else "scaled"
    (project / "run.py").write_text(f"""import tensorflow as tf

{taken}


@tf.function
def step(x):
    return {name}(x)


step(tf.ones([2]))
""")
    (project / "shown.py").write_text(f'{plain}if __name__ == "__main__":\n\n{shown}')
    assert findings(capfd, "run.py", "shown.py") == []
    (project / "shown.py").write_text(f"{plain}if plt.isinteractive():\n\n{shown}")
    assert {row["code"] for row in findings(capfd, "run.py", "shown.py")} == {"TXL302"}


def test_a_neighbour_that_is_broken_costs_nothing_else(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "broken.py").write_text("from pkg.steps import train_step\nwhile True train_step()")
    codes = {row["code"] for row in findings(capfd, ".")}
    assert codes == {"TXL001", "TXL101"}


def test_a_fix_changes_one_file_and_settles(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert lint(capfd, "--fix", "--unsafe-fixes", ".").status == 0
    assert "@tf.function\ndef train_step" in (project / "pkg" / "steps.py").read_text()
    assert (project / "train.py").read_text() == TRAIN
    before = (project / "pkg" / "steps.py").read_text()
    assert lint(capfd, "--fix", "--unsafe-fixes", ".").status == 0
    assert (project / "pkg" / "steps.py").read_text() == before


def test_a_batch_made_in_one_file_feeds_a_step_in_another(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "pkg" / "steps.py").write_text(STEPS.replace("def train", "@tf.function\ndef train"))
    (project / "data.py").write_text(
        "import tensorflow as tf\n\n\ndef batches():\n"
        "    x = tf.random.normal([100, 4])\n"
        "    return tf.data.Dataset.from_tensor_slices(x).batch(32)\n"
    )
    loop = "from data import batches\n\nfor x in batches():\n    train_step(x, x[:, :1])\n"
    (project / "train.py").write_text(TRAIN.partition("for")[0] + loop)
    rows = findings(capfd, ".")
    assert [(row["code"], row["path"]) for row in rows] == [("TXL204", "data.py")]
    assert findings(capfd, "data.py") == rows


WEIGHTED = """import tensorflow as tf

weights = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


def weighted_step(x, y, factor):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
        total = factor * loss
    gradients = tape.gradient(total, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return total, loss
"""
ANNEALED = """import tensorflow as tf

from pkg.steps import weighted_step

for step in range(100):
    weighted_step(tf.ones([8, 4]), tf.ones([8, 1]), min(1.0, step / 50))
"""


def test_a_number_that_other_files_vary_becomes_a_tensor_beside_the_step(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "pkg" / "steps.py").write_text(WEIGHTED)
    (project / "train.py").write_text(ANNEALED)
    assert lint(capfd, "--fix", "--unsafe-fixes", ".").status == 0
    fixed = (project / "pkg" / "steps.py").read_text()
    assert (project / "train.py").read_text() == ANNEALED
    assert "@tf.function\ndef _weighted_step(x, y, factor):" in fixed
    assert fixed.endswith(
        "def weighted_step(x, y, factor):\n"
        "    return _weighted_step(x, y, tf.constant(factor, tf.float32))\n"
    )
    lint(capfd, "--fix", "--unsafe-fixes", ".")
    assert (project / "pkg" / "steps.py").read_text() == fixed


SETTINGS = """from types import SimpleNamespace

options = SimpleNamespace()
options.weight = 0.5
WEIGHT = 1.0
"""
SET_STEPS = """import tensorflow as tf

from pkg import settings
from pkg.settings import options

weights = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = WEIGHT * tf.reduce_mean(tf.square(x @ weights - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss
"""


@pytest.mark.parametrize(
    ("read", "between", "step"),
    [
        ("options.weight", "", "@tf.function\ndef train_step(x, y):"),
        ("options.weight", "options.weight *= 0.5", "\n\ndef train_step(x, y):"),
        ("settings.WEIGHT", "", "@tf.function\ndef train_step(x, y):"),
        # It is read anew for each call, and handed to the trace.
        (
            "settings.WEIGHT",
            "settings.WEIGHT *= 0.5",
            "(x, y, tf.constant(settings.WEIGHT, tf.float32))",
        ),
    ],
)
def test_settings_that_other_files_make_or_change(
    project: Path, capfd: pytest.CaptureFixture[str], read: str, between: str, step: str
) -> None:
    (project / "pkg" / "settings.py").write_text(SETTINGS)
    (project / "pkg" / "steps.py").write_text(SET_STEPS.replace("WEIGHT *", f"{read} *"))
    imports = "from pkg import settings\nfrom pkg.settings import options\n"
    (project / "train.py").write_text(imports + TRAIN + f"    {between}\n")
    lint(capfd, "--fix", "--unsafe-fixes", ".")
    assert step in (project / "pkg" / "steps.py").read_text()


MODEL_STEPS = """import tensorflow as tf


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
"""
FOLDS = """import tensorflow as tf

from pkg.steps import train_step


def run(rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(rate)
    for step in range(100):
        train_step(model, optimizer, tf.ones([8, 4]), tf.ones([8, 1]))


"""


@pytest.mark.parametrize(
    ("calls", "is_decorated"),
    [("run(0.1)\n", True), ("for rate in (0.1, 0.01):\n    run(rate)\n", False)],
)
def test_another_file_may_bring_one_optimizer_after_the_other(
    project: Path, capfd: pytest.CaptureFixture[str], calls: str, is_decorated: bool
) -> None:
    (project / "pkg" / "steps.py").write_text(MODEL_STEPS)
    (project / "train.py").write_text(FOLDS + calls)
    lint(capfd, "--fix", "--unsafe-fixes", ".")
    assert ("@tf.function" in (project / "pkg" / "steps.py").read_text()) is is_decorated


def test_what_an_import_may_mean_that_leads_nowhere_is_not_proved(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "libs" / "a").mkdir(parents=True)
    (project / "libs" / "a" / "plain.py").write_text(PLAIN)
    (project / "libs" / "a" / "running.py").write_text(RUNNING)
    (project / "apps").mkdir()
    for text, is_safe in (("import a.plain\n", False), ("import b.plain\n", True)):
        (project / "apps" / "main.py").write_text(text)
        assert ("@tf.function" in lint(capfd, "--diff", "libs").out) == is_safe


@pytest.mark.parametrize(
    ("starter", "is_safe"),
    [
        ("import os\n\nos.system('python rate.py')\n", False),
        ("import subprocess\nimport sys\n\nsubprocess.run([sys.executable, *sys.argv])\n", False),
        ("import os\n\nos.system('clear')\n", True),
    ],
    ids=["by its name", "any", "something else"],
)
def test_what_fails_where_another_file_starts_it_is_not_mended_unasked(
    starter: str, is_safe: bool, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "import tensorflow as tf\n\nprint(tf.keras.optimizers.SGD(lr=0.5))\n"
    (project / "rate.py").write_text(text)
    (project / "all.py").write_text(starter)
    assert ("learning_rate=0.5" in lint(capfd, "--diff", "rate.py").out) == is_safe
