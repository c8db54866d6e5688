"""The module that a notebook is: places, and which edits its cells take."""

from __future__ import annotations

import ast
import json

import pytest

from tests.notebooks.cases import cell, notebook
from tfxla_lint.findings import Edit
from tfxla_lint.linter import syntax_error
from tfxla_lint.notebooks.module import NotebookSource
from tfxla_lint.source import apply_edits


def read(*codes: str) -> NotebookSource:
    return NotebookSource.from_bytes(notebook(cell("# Title", "markdown"), *codes), "a.ipynb")


def place(source: NotebookSource, word: str) -> tuple[int, int, int]:
    start = source.text.index(word)
    span = source.span(start, start + len(word))
    assert span.cell is not None
    return span.cell.index, span.cell.line, span.column


def test_cells_follow_one_another() -> None:
    source = read("a = 1", "%%bash\nls", "b = 2\nc = 3\n", "")
    assert source.text == ("a = 1\n# %% cell 4\n\n\nb = 2\nc = 3\n\n# %% cell 5\n\n\n\n")
    assert source.codes() == ["a = 1", "b = 2\nc = 3\n", ""]
    assert source.with_text(source.text) == source


def test_places() -> None:
    source = read("a = 1", "# %% cell 3\nb = 2\n  \n%time ccc = 3\nddd = 4")
    assert place(source, "a") == (2, 1, 1)
    assert place(source, "b") == (3, 2, 1)
    assert place(source, "ccc") == (3, 4, 7)
    assert place(source, "ddd") == (3, 5, 1)
    assert source.shown_line(source.position(source.text.index("ccc"))[0]) == "%time ccc = 3"


def test_a_comment_of_the_author_is_no_border() -> None:
    source = read("# %% cell 3", "# %% cell_ 3\n# magic 2.1.\n!ls")
    assert source.codes() == ["# %% cell 3", "# %% cell_ 3\n# magic 2.1.\n!ls"]


def test_lines_of_the_json() -> None:
    source = read("a = 1\nb = 2", "c = 3")
    rows = notebook(cell("# Title", "markdown"), "a = 1\nb = 2", "c = 3").decode().split("\n")
    span = source.span(source.text.index("a"), source.text.index("c") + 1)
    assert span.cell is not None
    assert rows[span.cell.file_line - 1].strip() == '"a = 1\\n",'
    assert (span.cell.end_line, rows[span.cell.file_end_line - 1].strip()) == (2, '"b = 2"')


def test_lines_of_the_json_are_those_of_the_changed_file() -> None:
    source = read("a = 1", "b = 2")
    changed = source.with_text("x = 0\n" + source.text)
    span = changed.span(changed.text.index("b"), changed.text.index("b"))
    assert span.cell is not None
    rows = source.encode(changed.text).decode().split("\n")
    assert rows[span.cell.file_line - 1].strip() == '"b = 2"'


def fixed(source: NotebookSource, *edits: Edit) -> list[str] | None:
    """The cells after the edits, in which each edit of the whole is also one of its cell."""
    kept = source.fitted(edits)
    if kept is None:
        return None
    changed = source.with_text(apply_edits(source.text, kept))
    apart = dict(enumerate(source.codes()))
    for edit in sorted(kept, key=lambda e: -e.start):
        own, base = source.own_edit(edit)
        number = source.cells.index(source.cell_at(edit.start))
        part = source.text[source.cells[number].start : source.cells[number].end]
        assert base == source.cells[number].start
        if not source.cells[number].masked.asides:
            assert part == apart[number] or number in apart
            moved = Edit(own.start - base, own.end - base, own.text)
            apart[number] = apply_edits(apart[number], [moved])
    codes = changed.codes()
    assert list(apart.values()) == codes
    assert NotebookSource.from_bytes(source.encode(changed.text), "a.ipynb").codes() == codes
    return codes


def test_an_insertion_below_the_last_line_of_a_cell() -> None:
    source = read("a = 1", "b = 2")
    at = source.text.index("# %%")
    assert fixed(source, Edit(at, at, "x = 0\n")) == ["a = 1\nx = 0", "b = 2"]


def test_an_insertion_above_the_first_line_of_a_cell() -> None:
    source = read("a = 1", "b = 2")
    at = source.text.index("b")
    assert fixed(source, Edit(at, at, "x = 0\n")) == ["a = 1", "x = 0\nb = 2"]


def test_the_last_line_of_a_cell_goes() -> None:
    source = read("a = 1\nb = 2", "c = 3")
    at = source.text.index("b")
    assert fixed(source, Edit(at, at + 6, "")) == ["a = 1", "c = 3"]


def test_the_only_line_of_a_cell_goes() -> None:
    source = read("a = 1", "c = 3")
    assert fixed(source, Edit(0, 6, "")) == ["", "c = 3"]


def test_what_leads_a_removed_line_may_be_the_border() -> None:
    source = read("a = 1", "b = 2\nc = 3")
    start = source.text.index("\nb")
    assert fixed(source, Edit(start, start + 7, "")) == ["a = 1", "c = 3"]


def test_a_replacement_may_begin_with_the_border() -> None:
    source = read("a = 1", "b = 2")
    start, end = source.text.index("# %%"), len(source.text)
    text = source.text[start:end].replace("b", "new = 0\nb")
    assert fixed(source, Edit(start, end, text)) == ["a = 1", "new = 0\nb = 2"]


def test_an_edit_over_a_border_is_not_taken() -> None:
    source = read("a = 1", "b = 2")
    assert fixed(source, Edit(0, len(source.text), "a = b = 1\n")) is None
    assert fixed(source, Edit(0, source.text.index("b"), "")) is None
    three = read("a = 1", "b = 2", "c = 3\nd = 4")
    start, end = three.text.index("# %%"), three.text.index("d")
    assert fixed(three, Edit(start, end, "")) is None


def test_a_fix_of_two_cells_is_not_taken_but_for_an_import() -> None:
    source = read("import a", "b = 2", "c = 3")
    b, c = source.text.index("b ="), source.text.index("c =")
    below = Edit(9, 9, "import x\nfrom y import z\n")
    assert fixed(source, below, Edit(b, b + 1, "d")) == [
        "import a\nimport x\nfrom y import z",
        "d = 2",
        "c = 3",
    ]
    assert fixed(source, Edit(b, b + 1, "d"), Edit(c, c + 1, "d")) is None


@pytest.mark.parametrize("offset", [0, 3, 10])
def test_commands_are_not_edited(offset: int) -> None:
    source = read("%time f()\na = 1")
    assert fixed(source, Edit(offset, offset + 1, "x")) is None


def test_a_line_beside_a_command_is_edited() -> None:
    source = read("a = 1\n%time f()\nb = 1")
    b = source.text.index("b =")
    assert source.fitted([Edit(0, 6, "")]) is not None
    assert source.fitted([Edit(6, 6, "c = 1\n")]) is not None
    assert source.fitted([Edit(b, b, "c = 1\n")]) is not None


@pytest.mark.parametrize(
    ("magic", "is_read"), [("%%capture", True), ("%%time", False), ("%%timeit -n 1", False)]
)
def test_functions_are_defined_where_their_source_can_be_read(magic: str, is_read: bool) -> None:
    source = read(f"{magic}\na = 1")
    at = source.text.index("a =")
    for text in ("@tf.function\n", "def f():\n    pass\n", "f = tf.function(f)\n"):
        assert (source.fitted([Edit(at, at, text)]) is not None) is is_read
    assert source.fitted([Edit(at, at + 1, "b")]) is not None


def test_an_indented_cell() -> None:
    source = read("\n  # why\n  if a:\n    b = 1\nc = 2", " %time d = 3", "e = 4")
    ast.parse(source.text)
    assert [place(source, word) for word in ("b", "c", "d", "e =")] == [
        (2, 4, 5),
        (2, 5, 1),
        (3, 1, 8),
        (4, 1, 1),
    ]
    at = source.text.index("  if a")
    assert fixed(source, Edit(at, at, "  x = 0\n")) == [
        "\n  # why\n  x = 0\n  if a:\n    b = 1\nc = 2",
        " %time d = 3",
        "e = 4",
    ]
    assert fixed(source, Edit(0, 0, "import x\n")) is None


def test_ids_come_along() -> None:
    document = json.loads(notebook(cell("a = 1", id="first"), cell("b", id="second")))
    document["nbformat_minor"] = 5
    source = NotebookSource.from_bytes(json.dumps(document).encode(), "a.ipynb")
    assert [c.id for c in source.cells] == ["first", "second"]


def test_new_lines_end_as_those_of_their_cell() -> None:
    source = read("a = 1\r\nb = 2\r\n", "c = 3\nd = 4\n", "e = 5\r\nf = 6\r\n")
    for line in ("b = 2", "d = 4", "f = 6"):
        at = source.text.index(line)
        cells = fixed(source, Edit(at, at, "x = 0\r\n"))
        assert cells is not None
        assert all(("\n" in c.replace("\r\n", "")) != ("\r" in c) for c in cells)


@pytest.mark.parametrize(
    "codes",
    [("'''\n", "a = 1", "'''\n"), ("a = 1", "@print", "def f(): pass"), ("a = (\n", "5)\n")],
)
def test_a_cell_that_python_cannot_parse_by_itself_is_found(codes: tuple[str, ...]) -> None:
    found = syntax_error(read(*codes))
    assert found is not None
    assert found.span.cell is not None


def test_each_cell_may_begin_as_a_file() -> None:
    assert syntax_error(read("a = 1", "from __future__ import annotations", "  b = 2")) is None
    found = syntax_error(read("a = 1", "  b = 2\n  c = ("))
    assert found is not None
    assert found.span.cell is not None
    assert (found.span.cell.index, found.span.cell.line, found.span.column) == (3, 2, 7)
