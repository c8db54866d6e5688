"""The JSON of a notebook: what is read of it, and that nothing but the code of cells is written."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.notebooks.cases import cell, notebook
from tfxla_lint.notebooks.document import Document
from tfxla_lint.notebooks.module import NotebookSource
from tfxla_lint.source import SourceError, apply_edits

PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}


def texts(data: bytes) -> list[str]:
    return [c.text for c in Document.from_bytes(data, "a.ipynb").cells]


def test_only_code_cells_are_read() -> None:
    data = notebook(cell("# a", "markdown"), "b = 1\nc = 2", cell("raw", "raw"), "")
    assert texts(data) == ["b = 1\nc = 2", ""]
    assert [c.index for c in Document.from_bytes(data, "").cells] == [2, 4]


@pytest.mark.parametrize(
    ("metadata", "is_python"),
    [
        ({}, True),
        (PYTHON, True),
        ({"kernelspec": {"name": "conda_tensorflow_p36", "display_name": "x"}}, True),
        ({"kernelspec": {"name": "xpython", "language": "python"}}, True),
        ({"language_info": {"name": "python"}, "kernelspec": {"name": "mine"}}, True),
        ({"language_info": {"name": "R"}}, False),
        ({"kernelspec": {"name": "ir", "display_name": "R"}}, False),
        ({"kernelspec": {"name": "julia-1.9", "display_name": "Julia"}}, False),
        ({"kernelspec": {"name": "x", "language": "scala"}}, False),
    ],
)
def test_the_language_of_the_kernel(metadata: dict[str, Any], is_python: bool) -> None:
    assert texts(notebook("a = 1", metadata=metadata)) == (["a = 1"] if is_python else [])


def test_a_cell_in_another_language() -> None:
    sql = cell("select 1", metadata={"vscode": {"languageId": "sql"}})
    assert texts(notebook("a = 1", sql)) == ["a = 1"]


def broken(**changes: Any) -> bytes:
    document = json.loads(notebook("a = 1"))
    document.update(changes)
    return json.dumps({k: v for k, v in document.items() if v is not None}, indent=1).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "1:1: no notebook: it is no JSON: Expecting value"),
        (b'{"cells": [\n 1,\n}', "2:2: no notebook: an object should stand here"),
        (b'{"cells": []\n "a": 1}', "2:2: no notebook: it is no JSON: Expecting ',' delimiter"),
        (b'{"cells": [],\n', "2:1: no notebook: it is no JSON: Expecting property name"),
        (notebook("a") + b"x", "17:1: no notebook: it is no JSON: Extra data"),
        (b"[]", "1:1: no notebook: an object should stand here"),
        (b"[" * 100_000, "1:1: no notebook: "),
        (b'{"a": ' + b"[" * 100_000, "1:1: no notebook: its JSON is nested too deeply"),
        (b'{"a": "\xff"}', "1:8: byte 0xff is not valid utf-8"),
        (broken(nbformat=None), "1:1: no notebook: it has no `nbformat`"),
        (broken(nbformat=9), "14:14: no notebook: its format 9 is not known"),
        (broken(cells=None), "1:1: no notebook: it has no `cells`"),
        (broken(cells={}), "2:11: no notebook: a list should stand here"),
        (broken(cells=[{"source": ""}]), "3:3: no notebook: its cell 1 has no `cell_type`"),
        (broken(cells=[{"cell_type": "code"}]), "3:3: no notebook: its cell 1 has no `source`"),
        (
            broken(cells=[{"cell_type": "code", "source": [1]}]),
            "5:14: no notebook: the source of its cell 1 is not text",
        ),
        (
            broken(cells=[{"cell_type": "code", "source": "", "id": "x"}] * 2),
            "11:10: no notebook: its cells 1 and 2 have the same id 'x'",
        ),
    ],
)
def test_broken_notebooks(data: bytes, message: str) -> None:
    with pytest.raises(SourceError) as error:
        Document.from_bytes(data, "a.ipynb")
    found = error.value
    assert f"{found.line}:{found.column}: {found.message}".startswith(message)


def test_numbers_of_any_length_are_read() -> None:
    data = notebook("a = 1").replace(
        b'"nbformat": 4', b'"long": ' + b"7" * 5000 + b', "nbformat": 4'
    )
    assert b"7" * 5000 in data
    assert Document.from_bytes(data, "a.ipynb").source.path == "a.ipynb"


def test_a_huge_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tfxla_lint.notebooks.document._MOST", 10)
    with pytest.raises(SourceError, match="clear its outputs"):
        Document.from_bytes(notebook("a"), "a.ipynb")


def test_lines_of_the_file() -> None:
    data = notebook("a = 1\nb = 2", cell("c = 1\nd = 1", source="c = 1\nd = 1"))
    document = Document.from_bytes(data, "a.ipynb")
    rows = data.decode().split("\n")
    first, second = document.cells
    assert [rows[n - 1].strip() for n in document.lines(first)] == ['"a = 1\\n",', '"b = 2"']
    assert [rows[n - 1].strip() for n in document.lines(second)] == [
        '"source": "c = 1\\nd = 1"'
    ] * 2


def rewritten(data: bytes, code: str, clear: bool = False) -> str:
    document = Document.from_bytes(data, "a.ipynb")
    (written,) = document.cells
    edits = [document.edit(written, code), *(document.clearing(written) if clear else [])]
    return apply_edits(document.source.text, edits)


def test_lines_that_stay_keep_their_escapes() -> None:
    data = notebook("a = '/'\nb = 1\nc = 'ü'").replace(b"'/'", b"'\\/\\u00e9'")
    assert rewritten(data, "a = '/é'\nb = 'ä'\nc = 'ü'\nd = 3") == data.decode().replace(
        '"b = 1\\n",\n    "c = \'ü\'"', '"b = \'ä\'\\n",\n    "c = \'ü\'\\n",\n    "d = 3"'
    )


def test_a_file_in_ascii_stays_so() -> None:
    data = json.dumps(json.loads(notebook("a = 'é'\nb = 1"))).encode()
    assert rewritten(data, "a = 'é'\nb = 'ä'") == data.decode().replace('b = 1"', "b = '\\u00e4'\"")


def test_one_line_becomes_two() -> None:
    assert rewritten(notebook("a = 1"), "a = 1\nb = 1") == notebook("a = 1\nb = 1").decode()


def test_source_in_one_string() -> None:
    data = notebook(cell("", source="a = 1\nb = 1"))
    assert rewritten(data, "a = 2") == data.decode().replace("a = 1\\nb = 1", "a = 2")


@pytest.mark.parametrize(
    ("written", "code", "expected"),
    [
        (r"a = \u0031\nb = 1\n# \/\u00e9", "a = 1\nb = 2\n# /é", r"a = \u0031\nb = 2\n# \/\u00e9"),
        (r"a = '\\n'\n\nb = \"\u0031\"", "a = '\\n'\n\nc = 1", r"a = '\\n'\n\nc = 1"),
        (r"a = \u0031\u000ab = 1", "a = 1\nb = 2", r"a = \u0031\u000ab = 2"),
        (r"a = 1\n# \\u000a\u000Ab = 1", "a = 1\n# \\u000a\nc = 1", r"a = 1\n# \\u000a\u000Ac = 1"),
        ("", "a = 1", "a = 1"),
    ],
)
def test_lines_of_source_in_one_string_stay_as_they_are_written(
    written: str, code: str, expected: str
) -> None:
    data = notebook(cell("", source="THE SOURCE")).replace(b"THE SOURCE", written.encode())
    assert rewritten(data, code) == data.decode().replace(f'"{written}"', f'"{expected}"')


@pytest.mark.parametrize(
    ("written", "code", "expected"),
    [
        ('"a\\n",\n  "b\\n" , "c\\n" ,"d"', "a\nb\nC\nd", '"a\\n",\n  "b\\n" , "C\\n" ,"d"'),
        ('"a\\n",  "b\\n" , "c\\n" ,"d"', "a\nc\nd", '"a\\n",  "c\\n" ,"d"'),
        ('"a\\n",  "b\\n" , "c"', "a\nb\n", '"a\\n",  "b\\n"'),
        ('"a\\n",  "b\\n" , "c"', "x\na\nb\ny\nc", '"x\\n",  "a\\n",  "b\\n" , "y\\n",  "c"'),
        ('"a\\n" , "b\\n"', "a\nb\nc", '"a\\n" , "b\\n" , "c"'),
        ('"a", "b\\nc\\n", "d\\u000ae"', "ab\nC\nd\nE", '"a", "b\\nC\\n", "d\\u000aE"'),
        ('"a", "b\\nc\\n", "d"', "b\nc\nd", '"b\\nc\\n", "d"'),
        ('"a\\nb", "c\\nd"', "a\nb\nd", '"a\\nb\\nd"'),
        ('"a\\nb\\n", "c"', "a\nc", '"a\\n", "c"'),
        ('"a\\n", "b\\nc"', "a\nc", '"a\\n", "c"'),
        ('"", "a\\n" ,"", "b"', "a\nB", '"", "a\\n" ,"", "B"'),
        ('"" , ""', "a\nb", '"a\\n" , "b"'),
        ('"a"', "", ""),
    ],
)
def test_items_of_lines_that_stay_and_what_parts_them_stay_as_they_are_written(
    written: str, code: str, expected: str
) -> None:
    data = notebook(cell("", source="THE SOURCE"))
    data = data.replace(b'"THE SOURCE"', f"[ {written} ]".encode())
    wanted = f"[ {expected} ]" if expected else "[]"
    assert rewritten(data, code) == data.decode().replace(f"[ {written} ]", wanted)


def test_a_cell_of_very_many_equal_lines_is_rewritten_in_no_time() -> None:
    rows = ["a = '\\/'", *["b = 1"] * 5000, "c = 1", *["b = 1"] * 5000, "d = '\\/'"]
    data = notebook("\n".join(rows)).replace(b"\\\\/", b"\\/")
    code = "\n".join(rows).replace("\\/", "/")
    start = time.process_time()
    for new in (code.replace("c = 1", "c = 2"), code.replace("a =", "x = 1\na =") + "\ny = 1"):
        text = rewritten(data, new)
        assert "".join(json.loads(text)["cells"][0]["source"]) == new
        assert r"a = '\/'" in text
    assert time.process_time() - start < 2


def test_outputs_are_cleared_where_that_is_asked_for() -> None:
    output = {"name": "stdout", "output_type": "stream", "text": ["1\n"]}
    data = notebook(cell("print(1)", outputs=[output], execution_count=3))
    assert rewritten(data, "print(2)", clear=True) == notebook("print(2)").decode()


# Any JSON

SPACE = st.text(" \t\r\n", max_size=3)


@st.composite
def spelled(draw: st.DrawFn, value: Any) -> str:
    """A value as JSON, with whitespace and escapes as they may come."""
    space = [draw(SPACE) for _ in range(3)]
    if isinstance(value, dict):
        rows = [f"{draw(spelled(k))}:{draw(spelled(v))}" for k, v in value.items()]
        return f"{space[0]}{{{','.join(rows) or space[1]}}}{space[2]}"
    if isinstance(value, list):
        return f"{space[0]}[{','.join(draw(spelled(v)) for v in value) or space[1]}]{space[2]}"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=draw(st.booleans()))
        text = text.replace("/", draw(st.sampled_from(["/", "\\/"])))
        return f"{space[0]}{text}{space[2]}"
    return f"{space[0]}{json.dumps(value)}{space[2]}"


LINE = st.sampled_from(
    ["a = 1", "b = '/é'", "%time f()", "!ls $a", "", "# x", "if a:\n    !ls", "a?"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def notebooks(draw: st.DrawFn) -> tuple[bytes, str, list[str]]:
    """A notebook in any spelling: its bytes, and with a mark in the place of each source of code."""
    cells: list[dict[str, Any]] = []
    written: list[str] = []
    for _ in range(draw(st.integers(0, 4))):
        text = "\n".join(draw(st.lists(LINE, max_size=4)))
        kind = draw(st.sampled_from(["code", "markdown"]))
        lines = text.splitlines(keepends=True)
        source: Any = draw(st.sampled_from([text, lines, [text] if text else []]))
        own = {"cell_type": kind, "metadata": {}, "outputs": draw(JSON), "source": source}
        names = draw(st.permutations(list(own)))
        cells.append({name: own[name] for name in names})
    document = {"cells": cells, "nbformat": 4, "x": draw(JSON), "metadata": {}}
    marked = json.loads(json.dumps(document))
    for number, item in enumerate(marked["cells"]):
        if item["cell_type"] == "code":
            written.append(draw(spelled(item["source"])))
            item["source"] = f"@@{number}@@"
    names = draw(st.permutations(list(document)))
    frame = draw(spelled({name: marked[name] for name in names}))
    text = frame
    numbers = [n for n, item in enumerate(cells) if item["cell_type"] == "code"]
    for number, source in zip(numbers, written, strict=True):
        text = text.replace(f'"@@{number}@@"', source)
    return text.encode(), frame, written


@settings(max_examples=150, deadline=None)
@given(notebooks(), st.data())
def test_bytes_outside_of_changed_cells_stay(
    made: tuple[bytes, str, list[str]], data: st.DataObject
) -> None:
    raw, frame, written = made
    source = NotebookSource.from_bytes(raw, "a.ipynb")
    assert source.encode(source.text) == raw
    if not source.cells:
        return
    assert source.document is not None
    at = data.draw(st.integers(0, len(source.cells) - 1))
    place = source.cells[at].start
    changed = source.with_text(source.text[:place] + "new = 'ß'\n" + source.text[place:])
    after = source.encode(changed.text)
    number = [c.index for c in source.document.cells].index(source.cells[at].index)
    wanted = frame
    for index, spelling in enumerate(written):
        mark = f'"@@{source.document.cells[index].index - 1}@@"'
        if index != number:
            wanted = wanted.replace(mark, spelling)
        else:
            head, tail = wanted.split(mark)
    for index, spelling in enumerate(written):
        mark = f'"@@{source.document.cells[index].index - 1}@@"'
        head, tail = head.replace(mark, spelling), tail.replace(mark, spelling)
    text = after.decode()
    old = written[number]
    lead = old[: len(old) - len(old.lstrip(" \t\r\n"))]
    trail = old[len(old.rstrip(" \t\r\n")) :]
    assert text.startswith(head + lead)
    assert text.endswith(trail + tail)
    again = json.loads(text)
    new = again["cells"][source.cells[at].index - 1].pop("source")
    first = json.loads(raw)
    before = first["cells"][source.cells[at].index - 1].pop("source")
    assert again == first
    assert type(new) is type(before)
    assert "".join(new) == "new = 'ß'\n" + "".join(before)
