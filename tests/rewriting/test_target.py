"""What a rewrite writes is what the targeted TensorFlow has."""

from __future__ import annotations

import pytest

from tfxla_lint.knowledge.renamed import lacks, spelled_in
from tfxla_lint.linter import Linter
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

HEAD = "import tensorflow as tf\n\n\n"
MAPPED = """images = tf.random.stateless_uniform([6, 8, 8, 3], seed=[2, 5])


def jitter(image):
    image = image + tf.random.normal([8, 8, 3])
    return tf.reverse(image, axis=[1])


def pipeline():
    data = tf.data.Dataset.from_tensor_slices(images)
    return data.map(jitter).batch(2)


means = []
for batch in pipeline():
    means.append(tf.reduce_mean(batch))
"""
LISTED = """@tf.function
def rows(x):
    found = []
    for row in x:
        found.append(row * 2.0)
    return tf.stack(found, axis=1)

rows(tf.ones([3, 2]))
"""
DRAWN = """@tf.function(jit_compile=True)
def noisy(x):
    return x + tf.random.stateless_normal([8], seed=[1, 2])

noisy(tf.ones([8]))
"""
RELAXED = """@tf.function
def total(x):
    return tf.reduce_sum(x)

for i in range(1, 9):
    total(tf.ones([9])[:i])
"""


def written(code: str, text: str, target: tuple[int, int] | None) -> set[str]:
    """What the fixes of one rule write."""
    catalogue = read_catalogue()
    options = LintOptions(frozenset({code}), catalogue.codes, target)
    findings = Linter(catalogue, options).lint(Source("example.py", HEAD + text)).findings
    assert {finding.code for finding in findings} == {code}
    fixes = [finding.fix for finding in findings if finding.fix is not None]
    return {edit.text.strip(" ,()") for fix in fixes for edit in fix.edits}


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ((2, 3), "num_parallel_calls=tf.data.experimental.AUTOTUNE"),
        ((2, 4), "num_parallel_calls=tf.data.AUTOTUNE"),
        (None, "num_parallel_calls=tf.data.AUTOTUNE"),
    ],
)
def test_a_name_is_spelt_as_the_target_has_it(target: tuple[int, int] | None, text: str) -> None:
    assert written("TXL602", MAPPED, target) == {text}


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ((2, 3), "experimental_relax_shapes=True"),
        ((2, 8), "experimental_relax_shapes=True"),
        ((2, 9), "reduce_retracing=True"),
        ((2, 0), None),
    ],
)
def test_an_option_is_called_as_the_target_calls_it(
    target: tuple[int, int], text: str | None
) -> None:
    found = written("TXL203", RELAXED, target)
    options = ("experimental_relax_shapes=True", "reduce_retracing=True")
    assert [option for option in options if any(option in new for new in found)] == [
        option for option in options if option == text
    ]


def test_no_fix_where_the_target_has_no_such_argument() -> None:
    assert written("TXL404", DRAWN, (2, 6)) == set()
    assert written("TXL404", DRAWN, (2, 7)) == {'alg="philox"'}


def test_no_fix_where_the_target_has_no_such_function() -> None:
    assert written("TXL312", LISTED, (2, 3)) == set()
    assert any("moveaxis" in text for text in written("TXL312", LISTED, (2, 4)))


def test_old_names_stay_where_the_target_has_no_other() -> None:
    called = "tf.config.experimental_run_functions_eagerly(True)\n"
    catalogue = read_catalogue()

    def codes(target: tuple[int, int]) -> list[str]:
        options = LintOptions(frozenset({"TXL504"}), catalogue.codes, target)
        found = Linter(catalogue, options).lint(Source("example.py", HEAD + called)).findings
        return [finding.code for finding in found]

    assert codes((2, 2)) == []
    assert codes((2, 3)) == ["TXL504"]


@pytest.mark.parametrize(
    ("name", "argument", "since"),
    [
        ("data.AUTOTUNE", "", (2, 4)),
        ("config.run_functions_eagerly", "", (2, 3)),
        ("experimental.numpy.moveaxis", "", (2, 4)),
        ("function", "jit_compile", (2, 5)),
        ("function", "reduce_retracing", (2, 9)),
        ("map_fn", "fn_output_signature", (2, 3)),
        ("random.stateless_uniform", "alg", (2, 7)),
        ("function", "autograph", (2, 0)),
    ],
)
def test_since_when_there_is_what_fixes_write(
    name: str, argument: str, since: tuple[int, int]
) -> None:
    lacking = {minor for minor in range(22) if lacks(f"tensorflow.{name}", (2, minor), argument)}
    assert lacking == set(range(since[1]))


def test_names_without_an_older_spelling_stay_as_they_are() -> None:
    assert spelled_in("tensorflow.function", (2, 0)) == "tensorflow.function"
    assert spelled_in("tensorflow.experimental.numpy", (2, 0)) == "tensorflow.experimental.numpy"
