from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.api.shared.version_guards import depends_on_version, provided_names
from tests.semantics.conftest import expression
from tests.semantics.test_world import models
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
        "V = tuple(int(p) for p in tf.__version__.split('.'))\nOLD = V < (2, 5)\nif OLD:\n    tf.x\n",
        "def old():\n    return V < '2.5'\nV = tf.version.VERSION\nK = old()\nif K:\n    tf.x\n",
        "K = hasattr(tf, 'x')\nL = not K\ny = None if L else tf.x\n",
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
        "rate = getattr(args, 'rate')\nhalf = rate / 2\nif half > 1:\n    tf.x\n",
        "if flag:\n    tf.x\nelse:\n    tf.y\n",
    ],
)
def test_does_not_depend_on_version(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert not depends_on_version(model, expression(model, "tf.x"))


@pytest.mark.parametrize(
    "code",
    [
        "if flag:\n    tf.x\nelse:\n    tf.new\n",
        "if flag:\n    tf.new\nelif more:\n    tf.x\n",
        "y = tf.x if args.old else tf.new\n",
        "def f():\n    if flag:\n        return tf.x\n    return tf.new\n",
        "def f():\n    if flag:\n        return tf.new\n    return tf.x\n",
        "try:\n    y = tf.new\nexcept TypeError:\n    y = tf.x\n",
        "match flag:\n    case 1:\n        tf.new\n    case 2:\n        tf.x\n",
    ],
)
def test_a_side_with_the_new_name_asks_for_the_version(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert depends_on_version(model, expression(model, "tf.x"), "new")
    assert not depends_on_version(model, expression(model, "tf.x"), "other")


@pytest.mark.parametrize(
    "code", ["if flag:\n    tf.new\ntf.x\n", "if flag:\n    tf.new\n    tf.x\n", "tf.new\ntf.x\n"]
)
def test_the_new_name_on_the_same_way_asks_nothing(build: Build, code: str) -> None:
    model = build(HEAD + code)
    assert not depends_on_version(model, expression(model, "tf.x"), "new")


@pytest.mark.parametrize(
    "code",
    [
        "from compat import K\nif K:\n    tf.x\n",
        "import compat\ny = tf.x if compat.K else None\n",
        "from compat import *\nif not K:\n    tf.x\n",
        "from between import K as L\nM = L\nif M:\n    tf.x\n",
    ],
)
def test_a_name_of_another_file_may_tell_the_version(code: str) -> None:
    compat = HEAD + "K = tf.__version__ < '2.5'\n"
    world = models(compat=compat, between="from compat import K\n", train=HEAD + code)
    model = world["train"]
    assert depends_on_version(model, expression(model, "tf.x"))


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
