from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.notebooks.cases import Done, Tool
from tfxla_lint.cli import main


@pytest.fixture
def tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Tool:
    """Runs the command line in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def tool(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        out, err = capfd.readouterr()
        assert isinstance(stop.value.code, int)
        return Done(stop.value.code, out, err)

    return tool
