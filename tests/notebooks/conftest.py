from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks.cases import Tool
from tests.running import runs


@pytest.fixture
def tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Tool:
    """Runs the command line in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return runs(capfd)
