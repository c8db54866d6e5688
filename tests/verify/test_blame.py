"""Where several changes were made, only those that are wrong differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify.blame import blamed
from tfxla_lint.verify.changes import changes_between
from tfxla_lint.verify.mixing import Unmixable, mixed
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.verdicts import Evidence, Outcome, Verdict
from tfxla_lint.verify.verifier import Verifier

from .conftest import Verify, outcomes

CHAIN = """\
import tensorflow as tf

weights = tf.Variable([1.0, 2.0, 3.0])


def scaled(x):
    return x * weights


def update(x):
    y = scaled(x)
    weights.assign_sub(0.1 * y)
    return tf.reduce_sum(y)


def mean(x):
    return tf.reduce_mean(x)
"""
PROGRAM = f"""{CHAIN}

for i in range(3):
    loss = update(tf.ones([3]) * float(i))
    print(float(mean(weights)), float(loss))
"""
DECORATED = ("scaled", "update", "mean")


def decorated(text: str) -> str:
    for name in DECORATED:
        text = text.replace(f"def {name}(", f"@tf.function\ndef {name}(")
    return text


def one_wrong(text: str) -> str:
    return decorated(text).replace("x * weights", "x * weights * 1.5")


@pytest.mark.parametrize("text", [PROGRAM, CHAIN], ids=["program", "calls"])
def test_only_the_wrong_function_differs(text: str, verify: Verify) -> None:
    verdicts = verify(text, one_wrong(text))
    assert outcomes(verdicts) == {
        "scaled": "differs",
        "update": "equivalent",
        "mean": "equivalent",
    }


def test_a_command_blames_only_the_wrong_function(
    verify: Verify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    library = tmp_path / "library.py"
    library.write_text(CHAIN)
    (tmp_path / "train.py").write_text(
        "import tensorflow as tf\nimport library\n\n"
        "for i in range(3):\n    library.update(tf.ones([3]) * float(i))\n"
        "    library.mean(library.weights)\n"
    )
    run = {"command": ("train.py",), "folder": str(tmp_path)}
    verdicts = verify(CHAIN, one_wrong(CHAIN), library, **run)
    assert outcomes(verdicts) == {
        "scaled": "differs",
        "update": "equivalent",
        "mean": "equivalent",
    }
    assert {verdict.method for verdict in verdicts} == {"run"}


INPUTS = "import tensorflow as tf\n\n\ndef batch(i):\n    return tf.ones([3]) * float(i)\n"
MODEL = """\
import tensorflow as tf
from inputs import batch

w = tf.Variable(tf.ones([3]))


def step(x):
    w.assign_add(x)
    return tf.reduce_sum(w)


def train():
    for i in range(3):
        print(float(step(batch(i))))


if __name__ == "__main__":
    train()
"""


@pytest.mark.parametrize("command", [(), ("model.py",)], ids=["alone", "run"])
def test_what_another_file_got_wrong_is_not_this_ones(
    command: tuple[str, ...], worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    old = {"inputs.py": INPUTS, "model.py": MODEL}
    new = {
        "inputs.py": INPUTS.replace("float(i)", "float(i + 1)"),
        "model.py": MODEL.replace("def step", "@tf.function\ndef step"),
    }
    for name, text in old.items():
        (tmp_path / name).write_text(text)
    both = tuple({str(tmp_path / n): t for n, t in side.items()} for side in (old, new))
    options = Options(Limits(), command, str(tmp_path) if command else "", measure=False)
    pairs = [Pair(tmp_path / n, n, old[n], new[n], (both[0], both[1])) for n in old]
    verdicts = Verifier(worker, options).verify_all(pairs)
    assert outcomes(verdicts) == {"batch": "differs", "step": "equivalent"}


COUPLED = """\
import tensorflow as tf


class Counter:
    def __init__(self):
        self.steps = 0

    def advance(self):
        self.steps += 1
        return tf.constant(self.steps)

    def double(self, x):
        return 2.0 * x
"""


def test_changes_that_need_each_other_are_not_told_apart(verify: Verify) -> None:
    new = COUPLED.replace("self.steps = 0", "self.steps = tf.Variable(1)").replace(
        "        self.steps += 1\n        return tf.constant(self.steps)",
        "        self.steps.assign_add(1)\n        return tf.identity(self.steps)",
    )
    verdicts = verify(COUPLED, new.replace("    def double", "    @tf.function\n    def double"))
    found = outcomes(verdicts)
    assert found["Counter.double"] == "equivalent"
    assert "differs" in found.values()


# What runs no TensorFlow


def test_a_text_with_some_of_the_changes() -> None:
    old, new = Tree(PROGRAM), Tree(one_wrong(PROGRAM))
    changes = changes_between(old, new)
    text = mixed(old, new, changes, ["update"])
    assert text.count("@tf.function") == 1
    assert "@tf.function\ndef update" in text
    assert "1.5" not in text


def test_statements_and_methods_go_back_too() -> None:
    old = Tree(
        "rate = 1.0\n\n\nclass A:\n    def f(self):\n        return self.g()\n\n    def g(self):\n        return rate\n"
    )
    new = Tree("rate = 2.0\n\n\nclass A:\n    def f(self):\n        return rate\n")
    changes = changes_between(old, new)
    assert changes.units == ("A.f", "<module>")
    only = mixed(old, new, changes, ["<module>"])
    assert "rate = 2.0" in only
    assert "self.g()" in only
    assert "def g" in only
    assert "rate = 1.0" in mixed(old, new, changes, ["A.f"])


def test_a_name_defined_twice_cannot_be_told_apart() -> None:
    text = "def f():\n    return 1\n\n\ndef f():\n    return 2\n\n\ndef g():\n    return 1\n"
    old, new = Tree(text), Tree(text.replace("return", "return 1 +"))
    with pytest.raises(Unmixable):
        mixed(old, new, changes_between(old, new), ["g"])


def test_groups_are_halved() -> None:
    whole = Verdict(
        "a.py", "<module>", Outcome.DIFFERS, evidence=(Evidence("value", "x", "1", "2"),)
    )
    runs = []

    def run(group: object) -> tuple[Verdict, dict[str, object]]:
        assert isinstance(group, list)
        runs.append(group)
        is_wrong = "f5" in group
        return Verdict("a.py", "", Outcome.DIFFERS if is_wrong else Outcome.EQUIVALENT), {}

    names = [f"f{i}" for i in range(8)]
    found = blamed(names, whole, run, 60.0, False)
    assert [n for n, (v, _) in found.items() if v.outcome is Outcome.DIFFERS] == ["f5"]
    assert set(found) == set(names)
    assert len(runs) == 6
