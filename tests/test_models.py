"""`[tool.tfxla-lint.models]`: what a project teaches of names that the tool cannot see through."""

from __future__ import annotations

from pathlib import Path

import pytest

import tfxla_lint

HEAD = "import tensorflow as tf\nimport fast\n"
MODEL = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.build([None, 3])
optimizer = tf.keras.optimizers.SGD()
"""
STEP = """\
{indent}with tf.GradientTape() as tape:
{indent}    loss = tf.reduce_mean((model(x) - y) ** 2)
{indent}gradients = tape.gradient(loss, model.trainable_variables)
{indent}optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
IN_FUNCTION, IN_METHOD = (STEP.format(indent=" " * n) for n in (4, 8))
READ = "def step(x):\n    y = tf.square(x)\n    print(y.numpy())\n    return y\n"

#: By what it shows: what is taught, the code, and what is reported because of it.
CASES = {
    "a decorator traces": ({"traces": ["fast.compiled"]}, f"@fast.compiled\n{READ}", "TXL301"),
    "with arguments of its own, too": (
        {"traces": ["fast.compiled"]},
        f"@fast.compiled('gpu', unroll=3)\n{READ}",
        "TXL301",
    ),
    "a wrapper traces": (
        {"traces": ["fast.compiled"]},
        f"{READ}step = fast.compiled(step)\n",
        "TXL301",
    ),
    "under any import": (
        {"traces": ["fast.tools.compiled"]},
        f"from fast.tools import compiled as quick\n\n\n@quick\n{READ}",
        "TXL301",
    ),
    "a driver calls what it is given in a loop": (
        {"loops": ["fast.drive"]},
        f"{MODEL}\n\ndef step(x, y):\n{IN_FUNCTION}\n\nfast.drive(step)\n",
        "TXL101",
    ),
    "a driver calls a method in a loop": (
        {"loops": ["fast.Trainer.step"]},
        f"{MODEL}\n\nclass Mine(fast.Trainer):\n    def step(self, x, y):\n{IN_METHOD}\n\nMine().run()\n",
        "TXL101",
    ),
    "a model": (
        {"models": ["fast.Net"]},
        "net = fast.Net(3)\nfound = []\nfor _ in range(100):\n    found.append(net(tf.ones([8, 3])))\n",
        "TXL110",
    ),
    "what a model has made": (
        {"models": ["fast.Net"]},
        "net = fast.Net.load('a')\nfound = []\nfor _ in range(100):\n    found.append(net(tf.ones([8, 3])))\n",
        "TXL110",
    ),
    "a class of models": (
        {"models": ["fast.Net"]},
        "class Mine(fast.Net):\n    def train_step(self, data):\n        total = tf.reduce_sum(data)\n"
        "        print(total.numpy())\n        return {}\n\n\nMine().fit(tf.ones([3, 3]))\n",
        "TXL301",
    ),
}


def codes(code: str, models: dict[str, list[str]]) -> list[str]:
    """The codes of what is found, TensorFlow's own options left alone."""
    result = tfxla_lint.check(code, models=models, isolated=True, select=["ALL"])
    assert result.problems == ()
    return [finding.code for finding in result]


@pytest.mark.parametrize("case", CASES)
def test_what_is_taught_is_reported(case: str) -> None:
    models, code, expected = CASES[case]
    assert codes(HEAD + code, models) == [expected]
    assert expected not in codes(HEAD + code, {})


def test_a_dataset_and_an_optimizer_are_known_as_such() -> None:
    step = IN_METHOD.replace("optimizer.", "given.")
    code = f"{HEAD}{MODEL}given = fast.Lamb(0.1)\n\n\ndef train():\n    for x, y in fast.records('a'):\n{step}"
    taught = {"datasets": ["fast.records"], "optimizers": ["fast.Lamb"]}
    (finding,) = tfxla_lint.check(code, models=taught, isolated=True)
    assert finding.code == "TXL102"
    assert "loop over a dataset" in finding.message


def test_nothing_is_asked_of_a_wrapper_that_only_tensorflow_has() -> None:
    """No signature, no XLA: nobody knows whether it takes such options."""
    code = f"{HEAD}\n\n@fast.compiled\ndef step(x):\n    return x @ x + tf.square(x)\n\n\nx = tf.ones([3, 3])\n"
    loop = "for _ in range(100):\n    step(x)\n"
    own = code.replace("fast.compiled", "tf.function")
    assert {"TXL208", "TXL405"} & set(codes(own + loop, {}))
    assert not {"TXL208", "TXL405"} & set(codes(code + loop, {"traces": ["fast.compiled"]}))


def test_names_of_the_project_itself_are_taught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tools = tmp_path / "src" / "fast" / "tools.py"
    tools.parent.mkdir(parents=True)
    (tools.parent / "__init__.py").touch()
    tools.write_text(
        "import registry\n\n\ndef compiled(function):\n    return registry.wrap(function)\n\n\n"
        "class Trainer:\n    def step(self, x, y):\n        raise NotImplementedError\n\n"
        "    def run(self):\n        registry.drive(self)\n"
    )
    trainer = f"class Mine(Trainer):\n    def step(self, x, y):\n{IN_METHOD}\n\nMine().run()\n"
    (tmp_path / "src" / "train.py").write_text(
        "import tensorflow as tf\nfrom fast.tools import Trainer, compiled\n"
        f"{MODEL}\n\n@compiled\n{READ}\n\n{trainer}"
    )
    assert [f.code for f in tfxla_lint.check(Path("src"))] == []
    (tmp_path / "pyproject.toml").write_text(
        "[tool.tfxla-lint.models]\ntraces = ['fast.tools.compiled']\n"
        "loops = ['fast.tools.Trainer.step']\n"
    )
    assert sorted(f.code for f in tfxla_lint.check(Path("src"))) == ["TXL101", "TXL301"]
    # The cache tells what is taught from what is not.
    assert len(tfxla_lint.check(Path("src"), cache=True)) == 2
    (tmp_path / "pyproject.toml").write_text("[tool.tfxla-lint]\n")
    assert len(tfxla_lint.check(Path("src"), cache=True)) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models = []", "'models' must be a table with the keys traces, loops"),
        (
            "[models]\ntrace = ['a.b']",
            ":2: unknown key 'trace' in 'models'; did you mean 'traces'?",
        ),
        ("[models]\nloops = 'a.b'", ":2: 'models.loops' must be a list of names"),
        ("[models]\nloops = [\n  'a.b',\n  'run']", ":4: 'run' in 'models.loops' is no full name"),
        ("[models]\ntraces = ['tf.function']", "is TensorFlow's own, which the tool knows"),
        ("[models]\nloops = ['a.b']\ntraces = ['a.b']", "is in 'loops' already"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tfxla-lint.toml"
    path.write_text(text + "\n")
    with pytest.raises(tfxla_lint.Error) as error:
        tfxla_lint.check("x = 1\n", filename=tmp_path / "a.py")
    assert message in str(error.value)
    assert str(error.value).startswith(str(path))
