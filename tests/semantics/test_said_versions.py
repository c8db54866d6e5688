"""The version that a program asks for itself bounds what is written into it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.api.renamed_argument import RenamedArgument
from rules.api.unknown_symbol.rule import UnknownSymbol
from rules.retracing.varying_shape_argument.rule import VaryingShapeArgument
from tests.semantics.test_world import models
from tfxla_lint.findings import Applicability
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.testing import findings, fixed

Build = Callable[[str], SemanticModel]
HEAD = "import sys\nimport tensorflow as tf\n"
#: More digits than Python reads as a number.
LONG = "9" * 5_000
PINNED = "assert tf.__version__ == '2.4.1'\n"


@pytest.mark.parametrize(
    ("code", "oldest", "newest"),
    [
        (PINNED, (2, 4), (2, 4)),
        ("assert tf.version.VERSION.startswith('2.4')\n", (2, 4), (2, 4)),
        ("assert tf.__version__ in ('2.3.0', '2.4.1')\n", (2, 3), (2, 4)),
        ("assert tf.__version__ >= '2.0'\n", (2, 0), (2, 21)),
        ("if tf.__version__ != '2.4.1':\n    raise RuntimeError\n", (2, 4), (2, 4)),
        ("if not tf.__version__.startswith('2.4'):\n    sys.exit(1)\n", (2, 4), (2, 4)),
        ("def check():\n    if V != W:\n        exit()\nV = tf.__version__\nW = '2.4'\n", (2, 4), (2, 4)),
        ("if tf.__version__ == '2.6.0':\n    run()\nelse:\n    raise ImportError\n", (2, 6), (2, 6)),
        ("from packaging.version import parse\nassert parse(tf.__version__) >= parse('2.10')\n", (2, 10), (2, 21)),
        ("from importlib.metadata import version\nassert version('tensorflow') == '2.5.0'\n", (2, 5), (2, 5)),
        ("assert int(tf.__version__.split('.')[1]) < 5\n", (2, 0), (2, 21)),
        ("V = V\nassert V == tf.__version__\n", (2, 0), (2, 21)),
        ("if tf.__version__ != '2.4.1':\n    print('untested')\n", None, (2, 21)),
        ("assert tf.__version__.startswith('1.')\n", None, (2, 21)),
        (f"assert tf.__version__ == '2.{LONG}'\n", None, (2, 21)),
        (f"from packaging.version import parse\nassert parse(tf.__version__) < parse('2.{LONG}')\n", (2, 0), (2, 21)),
        ("assert len(sys.argv) == 2\nprint(tf.__version__)\n", None, (2, 21)),
    ],
)  # fmt: skip
def test_a_program_says_its_version(
    build: Build, code: str, oldest: tuple[int, int] | None, newest: tuple[int, int]
) -> None:
    model = build(HEAD + code)
    assert (model.oldest_target, model.newest_target) == (oldest, newest)


def test_one_program_speaks_for_what_it_imports() -> None:
    world = models(ops="import tensorflow as tf\n", train=HEAD + PINNED + "import ops\n")
    assert world["ops"].oldest_target == (2, 4)
    assert world["ops"].newest_target > (2, 4)


def test_a_newer_target_of_the_project_counts_where_the_program_takes_it() -> None:
    world = models(train=HEAD + "assert tf.__version__ >= '2.0'\n")
    model = world["train"]
    assert SemanticModel(model.world, model.home, (2, 15)).oldest_target == (2, 15)
    world = models(train=HEAD + PINNED)
    model = world["train"]
    assert SemanticModel(model.world, model.home, (2, 15)).oldest_target == (2, 4)


METRIC = "mean = tf.keras.metrics.Mean()\nmean.update_state(3.0)\nmean.reset_states()\n"
COMPILED = """
@tf.function(experimental_compile=True)
def spread(x):
    return tf.reduce_max(x) - tf.reduce_min(x)

print(spread(tf.ones([3])))
"""
GROWING = """
@tf.function
def spread(x):
    return tf.reduce_max(x) - tf.reduce_min(x)

for day in range(1, 41):
    print(float(spread(tf.ones([40])[:day])))
"""


def test_no_new_name_is_written_into_it() -> None:
    for rule, code in ((UnknownSymbol, METRIC), (RenamedArgument, COMPILED)):
        assert findings(rule, HEAD + code)
        assert not findings(rule, HEAD + PINNED + code)
    assert "reduce_retracing=True" in fixed(VaryingShapeArgument, HEAD + GROWING)
    assert "experimental_relax_shapes=True" in fixed(VaryingShapeArgument, HEAD + PINNED + GROWING)


def test_a_name_that_its_oldest_version_lacks_is_no_safe_fix() -> None:
    (found,) = findings(UnknownSymbol, HEAD + "assert tf.__version__ >= '2.0'\n" + METRIC)
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE
