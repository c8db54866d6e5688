"""What TensorFlow's own copy of Keras 2 says of a project: of the files that its objects may come to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import runs
from tfxla_lint.knowledge import tables

LAYERS = """import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dropout = tf.keras.layers.Dropout(0.5)

    def call(self, x, training=False):
        return self.dropout(x, training)
"""
TRAIN = """import tensorflow as tf

from net.layers import Block

print(Block()(tf.ones([2, 3]), True))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files in which layers are passed by position what Keras 3 refuses, of a package with others."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tfxla-lint.toml").touch()
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "__init__.py").touch()
    (tmp_path / "net" / "layers.py").write_text(LAYERS)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def refused(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """The files with calls that Keras 3 refuses."""
    out = runs(capfd)("--output-format", "json", "--select", "TXL508", ".").out
    return sorted(row["path"] for row in json.loads(out)["findings"])


@pytest.mark.parametrize(
    "copied",
    [
        "",
        "from tensorflow.python.keras import layers\n",
        "from tensorflow.python.keras.layers import Dense, Dropout\n",
        "from tensorflow.python import keras\n",
        "import tensorflow.python.keras as keras\n",
        "from tensorflow.python.keras import backend as K\nprint(K.epsilon())\n",
        "from tensorflow.python.keras.utils.np_utils import to_categorical\nprint(to_categorical([1]))\n",
        "from tensorflow.python import keras\nprint(keras.backend.epsilon())\n",
    ],
)
def test_a_name_by_which_nothing_is_made_says_nothing(
    project: Path, capfd: pytest.CaptureFixture[str], copied: str
) -> None:
    (project / "train.py").write_text(copied + TRAIN)
    assert refused(capfd) == ["net/layers.py", "train.py"]


@pytest.mark.parametrize(
    "copied",
    [
        "from tensorflow.python.keras import layers\nprint(layers.Dense(2))\n",
        "from tensorflow.python.keras.layers import Dense\n\n\nclass Own(Dense):\n    pass\n",
        "from tensorflow.python.keras.engine.base_layer import Layer\nprint(Layer())\n",
        "from tensorflow.python import keras\nprint(keras.Model())\n",
        "from tensorflow.python import keras\nlibrary = keras\n",
        "import tensorflow.python.keras as keras\nprint(keras.Input([2]))\n",
        "import tensorflow.python.keras.layers\nprint(tensorflow.python.keras.layers.Dense(2))\n",
        "from tensorflow.python.keras.layers import *\n",
    ],
)
def test_what_the_copy_makes_is_of_keras_2_wherever_it_may_come_to(
    project: Path, capfd: pytest.CaptureFixture[str], copied: str
) -> None:
    (project / "train.py").write_text(copied + TRAIN)
    assert refused(capfd) == ["train.py"], "what derives from public classes alone is of Keras 3"
    (project / "net" / "layers.py").write_text(copied + LAYERS)
    assert refused(capfd) == []


def test_files_that_only_share_an_import_are_apart(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "shared.py").write_text("import tensorflow as tf\n\nSIZE = tf.constant(2)\n")
    shares = "from shared import SIZE\n"
    (project / "train.py").write_text(shares + TRAIN)
    copied = "from tensorflow.python.keras import layers\nprint(layers.Dense(2))\n"
    (project / "other.py").write_text(shares + copied)
    assert refused(capfd) == ["net/layers.py", "train.py"]
    (project / "other.py").write_text("import train\n" + shares + copied)
    assert refused(capfd) == ["train.py"]


def test_what_the_maker_hands_on_is_not_seen_as_keras_3(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "net" / "made.py").write_text(
        "from tensorflow.python.keras import layers\n\ndropout = layers.Dropout(0.5)\n"
    )
    (project / "train.py").write_text(
        "import tensorflow as tf\n\nfrom net.made import dropout\n\n"
        "print(dropout(tf.ones([2, 3]), True))\n"
    )
    assert refused(capfd) == ["net/layers.py"]


ASKING = """
import importlib, inspect, sys
from tensorflow.python.keras.engine.base_layer import Layer
from tensorflow.python.keras.metrics import Metric
from tensorflow.python.keras.optimizer_v2.optimizer_v2 import OptimizerV2

for name in sys.argv[1:]:
    try:
        module = importlib.import_module("tensorflow.python.keras." + name)
    except ModuleNotFoundError:
        continue
    classes = filter(inspect.isclass, vars(module).values())
    print(*(each.__name__ for each in classes if issubclass(each, (Layer, Metric, OptimizerV2))))
"""


def test_the_installed_copy_makes_nothing_by_its_plain_modules() -> None:
    plain = tables.load("spellings")["plain_keras"]
    done = subprocess.run([sys.executable, "-c", ASKING, *plain], capture_output=True, text=True)
    if done.returncode:
        pytest.skip("TensorFlow is not installed")
    assert len(done.stdout.splitlines()) >= 7
    assert not done.stdout.split()
