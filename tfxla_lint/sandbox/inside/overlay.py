"""Lets files run as other texts than those on disk, where nothing is written."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from typing import Any, Callable


def replace_code(code_of: Callable[[str], Any]) -> Callable[[], None]:
    """Let imports run what `code_of` gives for a path, if anything; returns what undoes that."""
    plain = SourceFileLoader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        code = code_of(self.get_filename(fullname))
        return plain(self, fullname) if code is None else code

    def undo() -> None:
        SourceFileLoader.get_code = plain  # type: ignore[method-assign]

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    return undo
