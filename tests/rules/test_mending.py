"""What makes code run that raised is safe where nothing may have lived on its failing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.cli import main
from tfxla_lint.findings import Applicability
from tfxla_lint.source import Source

from .cases import linter_of

HEAD = "import tensorflow as tf\n\n\n"
TOTAL = "def total(x):\n    return tf.reduce_sum(x, keep_dims=True)\n\n\n"
RATE = "optimizer = tf.keras.optimizers.SGD(0.5)\n"

SAFE = {
    "a call": TOTAL + "print(total(tf.ones([2])))\n",
    "something else is tried": (
        TOTAL
        + "try:\n    import json\nexcept ImportError:\n    json = None\nprint(total(tf.ones([2])))\n"
    ),
    "a rate is read": RATE + "print(optimizer.lr)\n",
}
UNSAFE = {
    "nobody in sight calls it": TOTAL,
    "a static method": (
        "class A:\n    @staticmethod\n    def total(x):\n"
        "        return tf.reduce_sum(x, keep_dims=True)\n\n\nprint(A.total(tf.ones([2])))\n"
    ),
    "a class that a library calls": (
        "import argparse\n\n\nclass Size:\n    def __init__(self, text):\n"
        "        self.size = int(tf.reduce_sum(tf.ones([int(text)]), keep_dims=True)[0])\n\n\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--size', type=Size)\nparser.parse_args(['--size', '3'])\n"
    ),
    "an example": (
        'def total(x):\n    """Add.\n\n    >>> total([1.0])\n    Traceback (most recent call last):\n    TypeError\n'
        '    """\n    return tf.reduce_sum(x, keep_dims=True)\n\n\nprint(total(tf.ones([2])))\n'
    ),
    "a process": (
        "import os\nimport sys\n\n\n" + TOTAL + "if len(sys.argv) > 1:\n    total(tf.ones([2]))\n"
        "elif os.system(f'{sys.executable} {sys.argv[0]} child'):\n    print('it failed')\n"
    ),
    "a caller tries": (
        TOTAL + "try:\n    print(total(tf.ones([2])))\nexcept TypeError:\n    print('other')\n"
    ),
    "a caller's caller tries": (
        TOTAL + "def twice(x):\n    return total(x) * 2.0\n\n\n"
        "try:\n    print(twice(tf.ones([2])))\nexcept ValueError:\n    print('other')\n"
    ),
    "a context": (
        "import unittest\n\n\n" + TOTAL + "class T(unittest.TestCase):\n    def test(self):\n"
        "        with self.assertRaises(TypeError):\n            total(tf.ones([2]))\n"
    ),
    "an end goes on": (
        TOTAL + "for _ in range(2):\n    try:\n        total(tf.ones([2]))\n    finally:\n        continue\n"
    ),
    "a decorator": (
        "def kept(f):\n    def run(x):\n        try:\n            return f(x)\n"
        "        except Exception:\n            return x\n    return run\n\n\n@kept\n"
        + TOTAL + "print(total(tf.ones([2])))\n"
    ),
    "an executor": (
        "from concurrent.futures import ThreadPoolExecutor\n\n\n" + TOTAL
        + "with ThreadPoolExecutor() as pool:\n    found = pool.submit(total, tf.ones([2]))\n"
        "print(found.exception())\n"
    ),
    "Python calls it": (
        "class A:\n    def __len__(self):\n        return int(tf.reduce_sum(tf.ones([2]), keep_dims=True)[0])"
        "\n\n\nprint(len(A()))\n"
    ),
    "an error is no attribute": (
        "class A:\n    @property\n    def loss(self):\n        return tf.keras.losses.mean_squared_error"
        "\n\n\nprint(hasattr(A(), 'loss'))\n"
    ),
    "a thread": (
        "import threading\n\n\nclass W(threading.Thread):\n    def run(self):\n"
        "        self.total = tf.reduce_sum(tf.ones([2]), keep_dims=True)\n\n\nw = W()\nw.start()\n"
        "w.join()\nprint(hasattr(w, 'total'))\n"
    ),
    "run by its name": (
        "class A:\n    def sum(self):\n        return tf.reduce_sum(tf.ones([2]), keep_dims=True)\n\n\n"
        "try:\n    print(getattr(A(), 's' + 'um')())\nexcept Exception:\n    print('other')\n"
    ),
    "run where it is asked for": (
        "sums = (tf.reduce_sum(x, keep_dims=True) for x in [tf.ones([2])])\n"
        "try:\n    print(next(sums))\nexcept TypeError:\n    print('other')\n"
    ),
    "an end of the program": (
        "import sys\n\n\ntry:\n    print(tf.reduce_sum(tf.ones([2]), keep_dims=True))\nfinally:\n    sys.exit(0)\n"
    ),
    "a hook": (
        "import sys\n\nsys.excepthook = lambda *error: print('other')\n"
        "print(tf.reduce_sum(tf.ones([2]), keep_dims=True))\n"
    ),
    "a name for an error": (
        "Refused = TypeError\n" + TOTAL
        + "try:\n    print(total(tf.ones([2])))\nexcept Refused:\n    print('other')\n"
    ),
    "a partial": (
        "import functools\n\ntotal = functools.partial(tf.reduce_sum, keep_dims=True)\n"
        "print(total.keywords['keep_dims'])\n"
    ),
    "another base comes between": (
        "class A(tf.keras.optimizers.SGD):\n    def __init__(self):\n        super().__init__(lr=0.5)\n\n\n"
        "class Twice(tf.keras.optimizers.SGD):\n    def __init__(self, lr):\n        super().__init__(lr * 2)\n\n\n"
        "class Both(A, Twice):\n    pass\n\n\nprint(float(Both().learning_rate))\n"
    ),
    "the function is replaced": (
        "from unittest import mock\n\nmock.patch('tensorflow.reduce_sum', lambda v, keep_dims: 'own').start()\n"
        "print(tf.reduce_sum(1.0, keep_dims=True))\n"
    ),
    "the name is bound unseen": (
        "globals()['tf'] = None\n" + TOTAL + "print(total(tf.ones([2])))\n"
    ),
    "a rate of one's own": (
        "class Slow(tf.keras.optimizers.SGD):\n    lr = 7\n\n\n"
        "model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])\n"
        "model.compile(Slow(0.5), 'mse')\nother = tf.keras.optimizers.SGD(0.5)\nprint(other.lr)\n"
    ),
    "an error of TensorFlow's": (
        "def wrong(x):\n    return tf.reduce_sum(x, keep_dims=True)\n\n\n"
        "try:\n    print(tf.py_function(wrong, [tf.ones([2])], tf.float32))\n"
        "except tf.errors.InvalidArgumentError:\n    print('other')\n"
    ),
    "a base calls it": (
        "class L(tf.keras.layers.Layer):\n    def get_config(self):\n"
        "        return {'all': tf.reduce_sum(tf.ones([2]), keep_dims=True)}\n\n\nprint(L().get_config())\n"
    ),
    "handed on": TOTAL + "print([t.shape for t in map(total, [tf.ones([2])])])\n",
    "a rate that a string may set": RATE
    + "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--lr')\n"
    "parser.parse_args(['--lr', '3'], namespace=optimizer)\nprint(optimizer.lr)\n",
    "a rate of what may be replaced": (
        "opts = {'a': tf.keras.optimizers.SGD(0.5)}\nprint(opts['a'].lr)\n"
    ),
    "a method that is lent": (
        "class C:\n    def show(self, x):\n        return tf.reduce_sum(x, keep_dims=True)\n\n\n"
        "print(C.show(None, tf.ones([2])))\n"
    ),
    "a rate is set by a loop": RATE + "for optimizer.lr in (0.1, 0.2):\n    print(optimizer.lr)\n",
    "a rate is set": RATE + "optimizer.lr = 0.1\n",
    "a rate is set and read": RATE + "optimizer.lr = 0.1\nprint(optimizer.lr)\n",
}  # fmt: skip
OWN = {
    "a constructor": (
        "def init(self, lr):\n    tf.keras.optimizers.SGD.__init__(self, lr * 2)\n\n\n"
        "class S(tf.keras.optimizers.SGD):\n    __init__ = init\n\n\nprint(float(S(lr=0.5).learning_rate))\n"
    ),
    "a class attribute": "class S(tf.keras.optimizers.SGD):\n    lr = 7\n\n\nprint(S(0.5).lr)\n",
    "a lambda": (
        "class M(tf.keras.metrics.Mean):\n    reset_states = lambda self: print('own')\n\n\n"
        "M().reset_states()\n"
    ),
}


def degrees(text: str, *codes: str) -> set[Applicability]:
    """How safe the fixes of some rules are, or of those of names that TensorFlow does not have."""
    source = Source.from_bytes((HEAD + text).encode(), "module.py")
    found = [
        f for code in codes or ("TXL501", "TXL502") for f in linter_of(code).lint(source).findings
    ]
    return {finding.fix.applicability for finding in found if finding.fix is not None}


@pytest.mark.parametrize("text", SAFE.values(), ids=SAFE)
def test_what_nothing_catches_is_safe(text: str) -> None:
    assert degrees(text) == {Applicability.SAFE}


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE)
def test_what_may_be_caught_or_has_no_effect_is_unsafe(text: str) -> None:
    assert degrees(text) == {Applicability.UNSAFE}


#: What works under both names, and whether the new one is written safely, unsafely, or not at all.
OLD_NAMES: dict[str, tuple[str, set[Applicability]]] = {
    "plain": ("print(tf.nn.l2_normalize(tf.ones([2]), dim=0))\n", {Applicability.SAFE}),
    "kept for a call that passes it again": (
        "import functools\n\nnormed = functools.partial(tf.nn.l2_normalize, dim=0)\n"
        "print(normed(tf.ones([1, 2]), dim=1))\n",
        {Applicability.UNSAFE},
    ),
    "passed by place too": ("print(tf.nn.l2_normalize(tf.ones([1, 2]), None, dim=1))\n", set()),
    "its warning is counted": (
        "import logging\n\n\nclass Count(logging.Handler):\n    def emit(self, record):\n        print('one')\n\n\n"
        "tf.get_logger().addHandler(Count())\nprint(tf.nn.l2_normalize(tf.ones([2]), dim=0))\n",
        {Applicability.UNSAFE},
    ),
    "its warning is kept": (
        "import logging\n\nlogging.basicConfig(filename='log')\nprint(tf.nn.l2_normalize(tf.ones([2]), dim=0))\n",
        {Applicability.UNSAFE},
    ),
    "a log of its own": (
        "import logging\n\nlogging.basicConfig(level='INFO')\nlog = logging.getLogger(__name__)\n"
        "log.addHandler(logging.FileHandler('log'))\nprint(tf.nn.l2_normalize(tf.ones([2]), dim=0))\n",
        {Applicability.SAFE},
    ),
    "replaced": (
        "tf.nn.l2_normalize = lambda v, dim: v\nprint(tf.nn.l2_normalize(1.0, dim=0))\n",
        set(),
    ),
    "a value that is worked out": (
        "@tf.function(experimental_follow_type_hints=print('kept') is None)\ndef f(x):\n    return x\n",
        set(),
    ),
}


@pytest.mark.parametrize(("text", "expected"), OLD_NAMES.values(), ids=OLD_NAMES)
def test_old_names_that_work(text: str, expected: set[Applicability]) -> None:
    assert degrees(text, "TXL504") == expected


def test_a_module_may_take_the_place_of_a_name_of_its_package(tmp_path: Path) -> None:
    (tmp_path / "tfxla-lint.toml").touch()
    (tmp_path / "pk").mkdir()
    init = "from tensorflow import nn\n\n\ndef f(x):\n    return nn.l2_normalize(x, dim=1)\n"
    (tmp_path / "pk" / "__init__.py").write_text(init, encoding="utf-8")
    (tmp_path / "pk" / "nn.py").write_text(
        "def l2_normalize(x, dim=0):\n    return x\n", encoding="utf-8"
    )
    main_file = "import pk\nfrom pk.nn import l2_normalize\n\nprint(pk.f([[1.0]]))\n"
    (tmp_path / "main.py").write_text(main_file, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["--fix", "--no-cache", str(tmp_path)])
    assert (tmp_path / "pk" / "__init__.py").read_text(encoding="utf-8") == init


def test_a_test_may_wait_for_the_failure(tmp_path: Path) -> None:
    (tmp_path / "tfxla-lint.toml").touch()
    (tmp_path / "ops.py").write_text(HEAD + TOTAL, encoding="utf-8")
    (tmp_path / "test_ops.py").write_text(
        "import unittest\nimport ops\n\n\nclass T(unittest.TestCase):\n    def test(self):\n"
        "        with self.assertRaises(TypeError):\n            ops.total()\n",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit):
        main(["--fix", "--no-cache", str(tmp_path)])
    assert "keep_dims" in (tmp_path / "ops.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_what_the_project_defines_is_its_own(text: str) -> None:
    assert degrees(text) == set()


@pytest.mark.parametrize(
    "other",
    [
        "import os\n\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\nimport ops\n\nprint(ops.rate())\n",
        "import tf_keras as keras\n\nimport ops\n\nprint(keras, ops.rate())\n",
    ],
)
def test_another_file_may_bring_the_keras_that_takes_the_old_name(
    tmp_path: Path, other: str
) -> None:
    (tmp_path / "tfxla-lint.toml").touch()
    ops = HEAD + "def rate():\n    return tf.keras.optimizers.SGD(lr=0.5).learning_rate\n"
    (tmp_path / "ops.py").write_text(ops, encoding="utf-8")
    (tmp_path / "main.py").write_text(other, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["--fix", "--unsafe-fixes", "--no-cache", "--select", "TXL502", str(tmp_path)])
    assert ended.value.code == 0
    assert (tmp_path / "ops.py").read_text(encoding="utf-8") == ops
