"""The lines that lead a statement: blank ones and comments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

import libcst as cst


def without_blanks(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """The lines above a statement from the first comment on."""
    return list(dropwhile(lambda line: line.comment is None, lines))
