"""The commands: `verify` with files, with git and with `--run`; `check --verify`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.running import Run

from .conftest import Verify, outcomes

LIBRARY = """\
import tensorflow as tf

weights = tf.Variable([1.0, 2.0])


def step(x):
    weights.assign_sub(0.1 * x)
    return tf.reduce_sum(weights)
"""
GOOD = LIBRARY.replace("def step", "@tf.function\ndef step")
BAD = GOOD.replace("0.1", "0.2")
TEST = """\
import tensorflow as tf

import library


def test_step():
    for i in range(3):
        assert library.step(tf.constant([1.0, float(i)])).shape == ()
"""
TRAIN = """\
import argparse
import time

import tensorflow as tf
from library import step

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int)
began = time.time()
for i in range(parser.parse_args().steps):
    print(i, float(step(tf.constant([1.0, float(i)]))))
print("it took", time.time() - began)
"""
PROGRAM = """\
import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(8)
for epoch in range(2):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
"""
STATUS = {"equivalent": 0, "differs": 1, "failed": 2, "not checked": 3}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"library": LIBRARY, "good": GOOD, "bad": BAD, "test_library": TEST, "train": TRAIN}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "command", ["-m pytest test_library.py", "train.py --steps 3", "-m train --steps 2"]
)
@pytest.mark.parametrize("name", ["good", "bad"])
def test_run(
    name: str, command: str, folder: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shlex

    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    words = tuple(shlex.split(command))
    text = (folder / f"{name}.py").read_text()
    verdicts = verify(LIBRARY, text, folder / "library.py", command=words, folder=str(folder))
    assert outcomes(verdicts) == {"step": "equivalent" if name == "good" else "differs"}
    assert verdicts[0].method == "run"
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_declared_examples_are_called(verify: Verify) -> None:
    text = "# tfxla-lint: verify odd(tf.ones([2, 7]), mode='b')\nimport tensorflow as tf\n\n\ndef odd(x, *, mode):\n    assert x.shape == (2, 7) and mode == 'b'\n    return x * 2.0\n"
    (verdict,) = verify(text, text.replace("x * 2.0", "x + x"))
    assert (verdict.outcome.value, verdict.method) == ("equivalent", "examples")
    (verdict,) = verify(text, text.replace("x * 2.0", "x * x"))
    assert verdict.outcome.value == "differs"


def test_nothing_that_runs_is_not_checked(verify: Verify) -> None:
    text = "import tensorflow as tf\n\n\ndef f(thing):\n    return thing.sesame(open('none')) + 1\n"
    (verdict,) = verify(text, text.replace("+ 1", "+ 2"))
    assert verdict.outcome.value == "not checked"
    assert "no arguments found" in verdict.reason


def test_correcting_rewrites_agree_with_the_eager_original(verify: Verify) -> None:
    old = "import tensorflow as tf\n\ncount = 0\n\n\n@tf.function\ndef f(x):\n    global count\n    count += 1\n    return x * float(count)\n\n\nvalues = [float(f(tf.constant(1.0))) for _ in range(3)]\n"
    new = old.replace("@tf.function\n", "")
    assert outcomes(verify(old, new))["f"] == "differs"
    assert outcomes(verify(old, new, correcting=True))["f"] == "equivalent"


def test_verify_two_files_and_write_reports(folder: Path, run: Run) -> None:
    files = ["--original", "library.py", "--rewritten", "bad.py"]
    done = run("verify", *files, "--output-format", "json", "--html", "report.html")
    assert done.status == STATUS["differs"], done.err
    report = json.loads(done.out)
    assert report["counts"] == {"equivalent": 0, "differs": 1, "not checked": 0}
    assert report["verdicts"][0]["unit"] == "step"
    page = (folder / "report.html").read_text()
    assert '<span class="mark differs">differs</span>' in page
    assert "@tf.function" in page


def commit(folder: Path) -> None:
    """Make a repository of a folder, with all that lies in it."""
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)


def test_verify_a_working_tree(folder: Path, run: Run) -> None:
    commit(folder)
    (folder / "library.py").write_text(GOOD)
    done = run("verify", "--git", "HEAD", "--run", "train.py --steps 2")
    assert done.status == STATUS["equivalent"], done.out + done.err
    assert "library.py: step: equivalent (run by the command, 2 calls" in done.out
    assert run("verify", "--git", "no-such-revision").status == STATUS["failed"]


def test_what_is_gone_since_a_revision_is_not_checked(folder: Path, run: Run) -> None:
    commit(folder)
    (folder / "library.py").unlink()
    for paths in ([], ["library.py"]):
        done = run("verify", "--git", "HEAD", *paths)
        assert done.status == STATUS["not checked"], done.out + done.err
        assert "library.py: <module>: not checked: the file is gone\n" in done.out
    done = run("verify", "--git", "HEAD", "no_such_file.py")
    assert (done.status, done.out) == (STATUS["failed"], "")
    assert done.err == "error: no_such_file.py: there is no such file\n"


def test_what_a_program_prints_cannot_speak_to_the_terminal(folder: Path, run: Run) -> None:
    text = "import tensorflow as tf\n\nprint('\\x1b[31m', float(tf.ones([])) * 2.0)\n"
    (folder / "a.py").write_text(text)
    (folder / "b.py").write_text(text.replace("2.0", "3.0"))
    done = run("verify", "--original", "a.py", "--rewritten", "b.py")
    assert done.status == STATUS["differs"]
    assert "\\x1b[31m 2.0 in the original" in done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "--original", "library.py"],
        ["verify", "--git", "HEAD", "--original", "library.py", "--rewritten", "good.py"],
        ["verify", "--original", "library.py", "--rewritten", "good.py", "--python", "./none"],
        ["verify", "--original", "library.py", "--rewritten", "good.py", "--run", "none.py"],
        ["check", "--run", "train.py", "."],
        ["check", "--verify", "--add-noqa", "."],
    ],
)
def test_what_cannot_be_done_ends_with_status_2(
    folder: Path, run: Run, arguments: list[str]
) -> None:
    done = run(*arguments)
    assert done.status == STATUS["failed"]
    assert "rror" in done.err


def test_fix_verify_writes_what_is_equivalent(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    done = run("--isolated", "--select", "TXL102", "--verify", "train.py")
    assert "Verified: 1 equivalent." in done.err
    assert path.read_text() == PROGRAM
    done = run("--isolated", "--select", "TXL102", "--fix", "--verify", "train.py")
    assert done.status == 0, done.out + done.err
    assert "@tf.function" in path.read_text()


def test_the_settings_can_ask_for_a_run_of_each_fix(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    (tmp_path / "tfxla-lint.toml").write_text("verify = true\n")
    assert "Verified" not in run("--select", "TXL102", "train.py").err
    done = run("--select", "TXL102", "--fix", "--diff", "train.py")
    assert "Verified" not in done.err
    done = run("--select", "TXL102", "--fix", "train.py")
    assert "Verified: 1 equivalent." in done.err
    assert "@tf.function" in path.read_text()


def test_what_shows_nothing_is_not_checked(verify: Verify) -> None:
    text = "import tensorflow as tf\n\n\ndef f(x):\n    tf.square(x)\n"
    (verdict,) = verify(text, text.replace("square", "sqrt"))
    assert verdict.outcome.value == "not checked"
    assert "nothing that could be compared" in verdict.reason


def test_a_program_that_takes_too_long_is_shortened(verify: Verify) -> None:
    text = "import time\nimport tensorflow as tf\n\nEPOCHS = 90000\nw = tf.Variable(1.0)\nfor _ in range(EPOCHS):\n    time.sleep(0.01)\n    w.assign_sub(0.1 * w)\n"
    (verdict,) = verify(text, text.replace("0.1 * w", "w * 0.1"), seconds=5.0)
    assert verdict.outcome.value == "equivalent"
    assert "fewer epochs" in verdict.note
    (verdict,) = verify(text, text.replace("0.1 * w", "w * 0.2"), seconds=5.0)
    assert verdict.outcome.value == "differs"


def test_a_module_of_a_package_is_run_in_it(tmp_path: Path, verify: Verify) -> None:
    package = tmp_path / "src" / "nets"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "layers.py").write_text("def double(x):\n    return x * 2.0\n")
    text = "import tensorflow as tf\n\nfrom .layers import double\n\n\ndef f(x):\n    return double(x) + 1.0\n"
    path = package / "model.py"
    (verdict,) = verify(text, text.replace("double(x) + 1.0", "1.0 + double(x)"), path)
    assert verdict.outcome.value == "equivalent"
    (verdict,) = verify(text, text.replace("+ 1.0", "+ 2.0"), path)
    assert verdict.outcome.value == "differs"


def test_tests_in_another_folder_see_the_rewritten_module(
    folder: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "checks").mkdir()
    (folder / "test_library.py").rename(folder / "checks" / "test_library.py")
    monkeypatch.chdir(folder)
    words = ("-m", "pytest", "checks/test_library.py")
    verdicts = verify(LIBRARY, BAD, folder / "library.py", command=words, folder=str(folder))
    assert outcomes(verdicts) == {"step": "differs"}
    assert verdicts[0].method == "run"


def test_a_loop_that_cannot_run_is_not_vouched_for_by_functions(verify: Verify) -> None:
    text = "import tensorflow as tf\n\nrate = 0.1\ndata = open('none').read()\nfor x in data:\n    rate = rate * 0.5\n\n\ndef f(x):\n    return x * rate\n"
    verdicts = verify(text, text.replace("0.5", "0.7"))
    assert set(outcomes(verdicts).values()) == {"not checked"}


def test_names_that_became_locals_are_not_missed(verify: Verify) -> None:
    loop = "    for _ in range(3):\n        loss = w * 2.0\n        w.assign_sub(loss * 0.1)\n"
    text = (
        "import tensorflow as tf\n\nw = tf.Variable(1.0)\nif True:\n"
        + loop
        + "else:\n    loss = None\n"
    )
    step = "    @tf.function\n    def step():\n        loss = w * 2.0\n        w.assign_sub(loss * 0.1)\n\n    for _ in range(3):\n        step()\n"
    assert outcomes(verify(text, text.replace(loop, step))) == {"<module>": "equivalent"}


def test_packages_that_are_not_installed_are_done_without(verify: Verify) -> None:
    text = "import tensorflow as tf\nimport no_such_gym as gym\nfrom no_such_log.handlers import Log\n\n\nclass Net(gym.Env):\n    def value(self, x):\n        Log.info('x')\n        return x * 2.0\n"
    (verdict,) = verify(text, text.replace("x * 2.0", "x + x"))
    assert verdict.outcome.value == "equivalent"
    assert verdict.note == "run without packages that are not installed: no_such_gym, no_such_log"
    (verdict,) = verify(text, text.replace("x * 2.0", "x * 3.0"))
    assert verdict.outcome.value == "differs"
