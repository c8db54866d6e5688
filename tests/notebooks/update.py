"""Writes what the tool makes of testdata/notebooks: `python -m tests.notebooks.update`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.notebooks.cases import NOTEBOOKS, report


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for path in NOTEBOOKS:
            text, fixed = report(path, Path(scratch))
            path.with_suffix(".txt").write_text(text, "utf-8")
            target = path.with_name(f"{path.stem}_fixed.ipynb")
            if fixed != path.read_bytes():
                target.write_bytes(fixed)
            else:
                target.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
