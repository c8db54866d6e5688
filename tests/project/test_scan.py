"""What a file's bytes say, without parsing it."""

from __future__ import annotations

import time

import pytest

from tfxla_lint.project.scan import uses_tensorflow


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\n",
        "def f():\n    from tf_keras import layers\n",
        "from . import (\n    keras,\n)\n",
        "def f(keras):\n    return keras.Input([1])\n",
        "tf = __import__('tensorflow')\n",
        "tf = importlib.import_module(\n    'tensorflow'\n)\n",
        "tf = LazyLoader('tf', globals(), 'tensorflow')\n",
        "'''It's \"said\".''' ; keras.Input\n",
    ],
)
def test_code_that_names_tensorflow_uses_it(code: str) -> None:
    assert uses_tensorflow(code)
    assert uses_tensorflow(code.encode())


@pytest.mark.parametrize(
    "code",
    [
        "import torch\n",
        "# as keras has it\n",
        "HUGE = {'tensorflow', \"keras\"}\n",
        "'''What keras\nhas, and isn't \"here\".'''\n",
        "import_module('torch')  # not tensorflow\n",
        "class LazyValue: pass\nNAME = 'tensorflow'\n",
        "x = 'an open tensorflow\n",
        '"""an open tensorflow\n',
    ],
)
def test_words_for_tensorflow_are_no_use_of_it(code: str) -> None:
    assert not uses_tensorflow(code)
    assert not uses_tensorflow(code.encode())


@pytest.mark.parametrize("piece", ['"', "'", '"""\\', "lazy", "lazy(", "import ", "#\n", "\\'"])
def test_odd_files_are_looked_through_in_a_moment(piece: str) -> None:
    began = time.process_time()
    uses_tensorflow(f"'keras'\n{piece * 200_000}")
    assert time.process_time() - began < 1.0
