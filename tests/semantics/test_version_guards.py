from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.api.shared.version_guards import depends_on_version, provided_names
from tests.semantics.conftest import expression
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly

Build = Callable[[str], SemanticModel]
HEAD = "import tensorflow as tf\n"
SWITCH = "tf.config.run_functions_eagerly(True)\n"


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    tf.x\nexcept AttributeError:\n    pass\n",
        "try:\n    pass\nexcept Exception:\n    tf.x\n",
        "if hasattr(tf, 'x'):\n    tf.x\n",
        "y = tf.x if hasattr(tf, 'x') else None\n",
        "y = hasattr(tf, 'x') and tf.x\n",
        "if tf.__version__ < '2.4':\n    pass\nelse:\n    tf.x\n",
        "NEW = tf.__version__ > '2'\nif NEW:\n    tf.x\n",
        "def f():\n    if tf.__version__ < '2':\n        return None\n    return tf.x\n",
        "if tf.version.VERSION < '2':\n    def f():\n        return tf.x\n",
        "@skipif(tf.__version__ < '2')\ndef test():\n    tf.x\n",
        "with pytest.raises(AttributeError):\n    tf.x\n",
    ],
)
def test_depends_on_version(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert depends_on_version(model, expression(model, "tf.x"))


@pytest.mark.parametrize(
    "code",
    [
        "tf.x\n",
        "if flag:\n    tf.x\n",
        "try:\n    tf.x\nexcept ValueError:\n    pass\n",
        "if tf.__version__ < '2':\n    print('old')\ntf.x\n",
        "with open('a') as f:\n    tf.x\n",
    ],
)
def test_does_not_depend_on_version(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert not depends_on_version(model, expression(model, "tf.x"))


def test_provided_names(build: Build) -> None:
    model = build(HEAD + "tf.own = 1\nhasattr(tf, 'asked')\nother = tf.math\n")
    assert provided_names(model) == {"tensorflow.own", "asked"}


@pytest.mark.parametrize(
    "code",
    [
        SWITCH,
        "if __name__ == '__main__':\n    " + SWITCH,
        "def main():\n    " + SWITCH + "main()\n",
        "tf.config.run_functions_eagerly(False)\n" + SWITCH,
    ],
)
def test_switch_is_left_on(build: Build, code: str) -> None:
    assert functions_run_eagerly(build(HEAD + code)) is not None


@pytest.mark.parametrize(
    "code",
    [
        "tf.config.run_functions_eagerly(False)\n",
        "tf.config.run_functions_eagerly(flag)\n",
        "if flag:\n    " + SWITCH,
        SWITCH + "tf.config.run_functions_eagerly(False)\n",
        "def debug():\n    " + SWITCH,
        "def on():\n    " + SWITCH + "if flag:\n    on()\n",
        "def test_it():\n    " + SWITCH + "test_it()\n",
    ],
)
def test_switch_is_not_left_on(build: Build, code: str) -> None:
    assert functions_run_eagerly(build(HEAD + code)) is None
