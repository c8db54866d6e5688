"""Reports of findings: one module per format, each with a function `render`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tfxla_lint.reporters.style import Style
    from tfxla_lint.results import RunResult

#: Formats that people read; their summary belongs to the report itself.
TEXT_FORMATS = ("full", "concise")


class Reporter(Protocol):
    """What each format's module has."""

    def render(self, result: RunResult, style: Style) -> str:
        """The report, ending in a line feed where it is not empty."""
        ...


def render(name: str, result: RunResult, style: Style) -> str:
    """The report of `result` in the format `name`."""
    module: Reporter = importlib.import_module(f"tfxla_lint.reporters.{name}_format")
    return module.render(result, style)
