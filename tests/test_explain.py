from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.running import Done, runs
from tfxla_lint.semantics.safety.blockers import Reason

ROOT = Path(__file__).parents[1]
PROGRAM = """
import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))
log = []


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


@tf.function(jit_compile=True)
def compiled(x):
    return tf.sin(x)


class Owner:
    def noted(self, x):
        log.append(x)

    async def later(self):
        def inner():
            return 1
        return inner


for _ in range(50):
    step(tf.ones((2, 3)))
    compiled(tf.ones(2))
    Owner().noted(1)
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    return runs(capsys, "explain")(*arguments)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.lstrip("\n"), "utf-8")
    return path


def test_json_has_an_object_for_each_function(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, str(program), "--output-format", "json")
    assert status == 0
    found = {item["function"]: item for item in json.loads(out)}
    loop = found.pop("<module>")
    assert (loop["line"], loop["hot"], loop["worthwhile"]) == (29, "yes", "no")
    assert set(found) == {"step", "compiled", "Owner.noted", "Owner.later", "Owner.later.inner"}
    assert found["step"] == {
        "function": "step",
        "line": 7,
        "traced": "no",
        "xla": "no",
        "hot": "yes",
        "tensor_work": 6,
        "decoratable": "yes",
        "worthwhile": "yes",
        "blockers": [],
    }
    assert found["compiled"]["line"] == 15
    assert (found["compiled"]["traced"], found["compiled"]["xla"]) == ("yes", "yes")
    assert found["compiled"]["worthwhile"] == "no"
    assert found["Owner.noted"]["decoratable"] == "no"
    assert [b["reason"] for b in found["Owner.noted"]["blockers"]] == ["python-side-effect"]
    assert found["Owner.later"]["decoratable"] == "no"


def test_one_function_as_text(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, f"{program}:step")
    assert status == 0
    assert out.startswith("step (line 7)\n")
    assert "reported as TXL101" in out
    assert "can be decorated: yes" in out
    assert "Owner" not in out


def test_a_loop_of_the_module(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loop.py"
    lines = PROGRAM.lstrip("\n").splitlines()
    body = [*lines[7:11], "    print(loss)"]
    path.write_text("\n".join([*lines[:3], "x = tf.ones((2, 3))", "for _ in range(50):", *body]))
    status, out, _ = run(capsys, f"{path}:<module>")
    assert status == 0
    assert out.startswith("<module> loop (line 5)\n  over: range\n  traced: no (it stands in")
    assert "  worthwhile: yes\n  reported as TXL102 eager-loop-body, line 5\n" in out


@pytest.mark.parametrize("name", ["nothing", "Owner.nothing"])
def test_an_unknown_function_is_status_2(
    program: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, f"{program}:{name}")
    assert (status, out) == (2, "")
    assert name in err


def test_a_syntax_error_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def f(:\n", "utf-8")
    status, _, err = run(capsys, str(path))
    assert status == 2
    assert "broken.py:1:" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(x): int = 1\n", "it cannot be analysed: Syntax Error"),
        (f"x = f{'()' * 2000}\n", "nested more than 1000 levels deep"),
        ("x = 1\n" * 120_000, "more than 100000 lines"),
        ("def f():\n    return 1\n\\\nf()\n", "does not give back the lines"),
    ],
)
def test_what_cannot_be_analysed_is_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    path = tmp_path / "train.py"
    path.write_text(text)
    done = runs(capsys)("explain", str(path))
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert "internal error" not in done.err


def test_the_documentation_lists_every_reason() -> None:
    text = (ROOT / "docs" / "explain.md").read_text("utf-8")
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert {reason.value for reason in Reason} <= listed


def test_names_no_rule_that_says_nothing_of_the_function(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = program.read_text("utf-8")
    program.write_text(text.replace("def step(x):", "def step(x):  # noqa: TXL101"), "utf-8")
    _, out, _ = run(capsys, f"{program}:step")
    assert "worthwhile: yes" in out
    assert "reported as" not in out


def test_names_what_is_reported_of_a_file_that_takes_tensorflow_from_another(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (program.parent / "common.py").write_text("import tensorflow as tf\n", "utf-8")
    text = program.read_text("utf-8").replace("import tensorflow as tf", "from common import *")
    program.write_text(text, "utf-8")
    _, out, _ = run(capsys, f"{program}:step")
    said = runs(capsys, "check", "--no-cache")(str(program)).out
    assert "reported as TXL101 missing-tf-function, line 7" in out
    assert "program.py:7:5: warning TXL101" in said
