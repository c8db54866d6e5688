"""`tfxla_lint.verify` and `verify_patch`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import tfxla_lint
from tfxla_lint.verify import running
from tfxla_lint.verify.process import Worker

OLD = "import tensorflow as tf\n\n\ndef double(x):\n    return x + x\n\n\nprint(double(tf.ones([3])))\n"


@pytest.fixture
def warm(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let verification use the worker that the tests keep."""

    @contextmanager
    def one(python: str) -> Iterator[Worker]:
        yield worker

    monkeypatch.setattr(running, "Worker", one)


@pytest.mark.usefixtures("warm")
def test_code_and_patches_are_verified(tmp_path: Path) -> None:
    new = OLD.replace("def double", "@tf.function\ndef double")
    found = tfxla_lint.verify(OLD, new, filename=tmp_path / "a.py", power=False)
    assert found.outcome == "equivalent"
    assert [v.unit for v in found.verdicts] == ["double"]
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text(OLD)
    patch = "@@ -5 +5 @@\n-    return x + x\n+    return 3 * x\n"
    for heads in (("a/", "b/"), ("", "")):
        head = "--- {}pkg/a.py\n+++ {}pkg/a.py\n".format(*heads)
        found = tfxla_lint.verify_patch(head + patch, tmp_path, power=False)
        assert found.outcome == "differs"
        assert found.as_json()["verdicts"][0]["path"] == "pkg/a.py"
    assert (tmp_path / "pkg" / "a.py").read_text() == OLD


@pytest.mark.usefixtures("warm")
def test_assistants_get_the_verdicts(tmp_path: Path) -> None:
    assistant = pytest.importorskip("tfxla_lint.assistant", reason="mcp is not installed")
    wrong = OLD.replace("x + x", "3 * x")
    found = asyncio.run(assistant.verify(OLD, wrong, filename=str(tmp_path / "a.py")))
    (verdict,) = found["verdicts"]
    assert (found["status"], verdict["unit"], verdict["outcome"]) == (1, "double", "differs")
    assert verdict["evidence"]
