"""Writes what the tool makes of testdata/notebooks: `python -m tests.notebooks.update`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tests.notebooks.cases import NOTEBOOKS, report
from tests.running import Done


def tool(*words: str) -> Done:
    command = [sys.executable, "-m", "tfxla_lint", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for path in NOTEBOOKS:
            text, fixed = report(path, tool)
            path.with_suffix(".txt").write_text(text, "utf-8")
            target = path.with_name(f"{path.stem}_fixed.ipynb")
            if fixed != path.read_bytes():
                target.write_bytes(fixed)
            else:
                target.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
