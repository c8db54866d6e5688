"""Reads a file as what its name says: a notebook, or Python."""

from __future__ import annotations

from pathlib import Path

from tfxla_lint.project.scan import NOTEBOOK
from tfxla_lint.regular import regular_bytes
from tfxla_lint.source import Source, SourceError


def is_notebook(path: str) -> bool:
    """Whether a path is that of a notebook."""
    return path.endswith(NOTEBOOK)


def source_of(data: bytes, path: str) -> Source:
    """The source that the bytes of a file are; raises SourceError where they are none."""
    if not is_notebook(path):
        return Source.from_bytes(data, path)
    from tfxla_lint.notebooks.module import NotebookSource

    return NotebookSource.from_bytes(data, path)


def source_for_report(data: bytes, path: str) -> Source:
    """The source that shows lines of a file; one byte is one character where it can't be decoded."""
    try:
        return source_of(data, path)
    except SourceError:
        return Source(path, data.decode("latin-1"), "latin-1")


def read_source(path: Path, shown: str | None = None) -> Source:
    """The source in the file `path`; OSError passes through. `shown` is what findings name."""
    return source_of(regular_bytes(path), shown if shown is not None else str(path))
