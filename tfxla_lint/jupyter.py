"""The cell magic `%%tfxla`: what the tool says of a cell, in the context of those run before it."""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tfxla_lint.depth import kept_limit
from tfxla_lint.findings import Applicability, Finding
from tfxla_lint.fixer import fix_text
from tfxla_lint.linter import Linter, LintResult, syntax_error
from tfxla_lint.notebooks.module import NotebookSource
from tfxla_lint.planning import Planner
from tfxla_lint.registry import read_catalogue
from tfxla_lint.reporters.text import counted
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.source import Source

_FIX, _UNSAFE = "--fix", "--unsafe-fixes"
_MAGIC = "%%tfxla"


def register(ipython: Any) -> None:
    """Give a running IPython the magic."""
    ipython.register_magic_function(partial(tfxla, ipython), "cell", "tfxla")


def tfxla(ipython: Any, line: str, cell: str) -> None:
    """Show the findings of a cell and run it; with `--fix`, where that changes it, rewrite it
    instead. `--unsafe-fixes` counts and applies unsafe fixes too.
    """
    from IPython import display

    show: Callable[[Table], None] = display.display
    options = line.split()
    unknown = [option for option in options if option not in (_FIX, _UNSAFE)]
    if unknown:
        print(f"{_MAGIC} knows {_FIX} and {_UNSAFE}, not {unknown[0]}", file=sys.stderr)
        return
    with kept_limit():
        checked = _Checked([*_earlier(ipython, cell), cell], _UNSAFE in options)
        fixed = checked.fixed() if _FIX in options else cell
        table = checked.table()
    if fixed != cell:
        ipython.set_next_input(f"{_MAGIC}\n{fixed}".removesuffix("\n"), replace=True)
        print("The cell is rewritten, and was not run.")
        return
    show(table)
    if not ipython.run_cell(cell).success:
        raise CellFailedError


class CellFailedError(Exception):
    """The code of a cell failed, and its traceback has been shown."""

    def _render_traceback_(self) -> list[str]:
        return []


@dataclass(frozen=True)
class Table:
    """Findings (place, rule, message) as Jupyter and a terminal show them, with a note below."""

    rows: Sequence[tuple[str, str, str]]
    note: str

    def __repr__(self) -> str:
        widths = [max((len(row[i]) for row in self.rows), default=0) for i in range(2)]
        lines = [f"{a:>{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in self.rows]
        return "\n".join([*lines, self.note])

    def _repr_html_(self) -> str:
        cells = ["".join(f"<td>{html.escape(text)}</td>" for text in row) for row in self.rows]
        body = "".join(f'<tr style="text-align: left">{row}</tr>' for row in cells)
        return f"<table>{body}</table>{html.escape(self.note)}"


def _earlier(ipython: Any, cell: str) -> list[str]:
    """The cells that were run before, each text once; those that are no Python are left out."""
    texts = [text for _, _, text in ipython.history_manager.get_range(raw=True)]
    bare = [text.split("\n", 1)[-1] if text.startswith(_MAGIC) else text for text in texts]
    last = {text.strip(): number for number, text in enumerate(bare)}
    last.pop(cell.strip(), None)
    return [bare[n] for n in sorted(last.values()) if syntax_error(_notebook([bare[n]])) is None]


def _notebook(codes: Sequence[str]) -> NotebookSource:
    cells = [{"cell_type": "code", "source": code} for code in codes]
    return NotebookSource.from_bytes(json.dumps({"cells": cells, "nbformat": 4}).encode(), "cell")


class _Checked:
    """The last of some cells, linted with the settings of the working folder."""

    def __init__(self, codes: Sequence[str], unsafe: bool) -> None:
        self._source = _notebook(codes)
        self._own = len(codes)
        self._unsafe = unsafe
        path = Path.cwd() / "cell.ipynb"
        settings = SettingsResolver(Layer(Path.cwd())).for_folder(path.parent)
        catalogue = read_catalogue()
        self._linter = Linter(catalogue, Planner(catalogue).options(path, settings))

    def _lint(self, source: Source) -> LintResult:
        """The findings of the cell, with the fixes that change nothing else."""
        result = self._linter.lint(source)
        found = tuple(self._with_own_fix(f, source) for f in result.findings if self._is_own(f))
        return replace(result, findings=found)

    def _is_own(self, finding: Finding) -> bool:
        """Whether a finding, or what proves it, stands in the cell."""
        spans = [finding.span, *(item.span for item in finding.related)]
        return any(span.cell is not None and span.cell.index == self._own for span in spans)

    def _with_own_fix(self, finding: Finding, source: Source) -> Finding:
        edits = finding.fix.edits if finding.fix is not None else ()
        cells = {c.index for e in edits if (c := source.span(e.start, e.end).cell) is not None}
        return finding if cells <= {self._own} else replace(finding, fix=None)

    def fixed(self) -> str:
        """The cell after its fixes."""
        outcome = fix_text(self._source, self._lint, unsafe=self._unsafe)
        return self._source.with_text(outcome.text).codes()[-1]

    def table(self) -> Table:
        """The findings, and what can be done about them."""
        findings = self._lint(self._source).findings
        rows = [(self._place(f), f"{f.code} {f.name}", f.message) for f in findings]
        levels = [f.fix.applicability for f in findings if f.fix is not None]
        safe, more = levels.count(Applicability.SAFE), levels.count(Applicability.UNSAFE)
        notes = [f"{counted(len(rows), 'finding')}."]
        if safe:
            notes.append(f"{safe} fixable with {_MAGIC} {_FIX}.")
        if more:
            notes.append(f"{more} fixable with {_MAGIC} {_FIX} {_UNSAFE}.")
        return Table(rows, " ".join(notes))

    def _place(self, finding: Finding) -> str:
        place = f"{finding.span.shown_line}:{finding.span.column}"
        is_here = finding.span.cell is not None and finding.span.cell.index == self._own
        return place if is_here else "an earlier cell"
