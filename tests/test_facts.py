"""The command `facts`."""

from __future__ import annotations

import json

import pytest

from tests.running import Done, runs


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> Done:
    return runs(capfd, "facts", "--color", "never")(*arguments)


@pytest.mark.parametrize("name", ["tf.where", "where", "tensorflow.where", "MatMul"])
def test_known_names(capfd: pytest.CaptureFixture[str], name: str) -> None:
    status, out, err = run(capfd, name)
    assert (status, err) == (0, "")
    assert out.startswith("tf.where\n" if "where" in name else "tf.raw_ops.MatMul\n")
    assert "parameters" in out
    assert "every covered version" in out
    assert "compiles on CPU and GPU" in out


def test_as_one_version_has_it(capfd: pytest.CaptureFixture[str]) -> None:
    _, new, _ = run(capfd, "tf.keras.optimizers.Adam")
    _, old, _ = run(capfd, "tf.keras.optimizers.Adam", "--tf-version", "2.15")
    assert "loss_scale_factor" in new
    assert "loss_scale_factor" not in old


def test_a_name_of_another_version(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capfd, "tf.estimator", "--tf-version", "2.21")
    assert status == 0
    assert "in 2.12, 2.15" in out


def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capfd, "reduce_mean", "--output-format", "json")
    document = json.loads(out)
    assert document["version"] == 1
    facts = {row["label"]: row["value"] for row in document["facts"]}
    assert facts["name"] == "tf.reduce_mean"
    assert facts["same as"] == "tf.math.reduce_mean"


def test_unknown_names(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capfd, "tf.reduce_meen")
    assert (status, out) == (2, "")
    assert "did you mean" in err
    assert "tf.reduce_mean" in err


def test_a_wrong_version(capfd: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capfd, "tf.where", "--tf-version", "new")
    assert status == 2
    assert "'new' is no version" in err
