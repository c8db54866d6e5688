"""Positions against LibCST's own PositionProvider, and on files that LibCST does not give back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider

from tfxla_lint.semantics.parsing import parsed
from tfxla_lint.semantics.positions import Positions, PositionsError
from tfxla_lint.source import Source

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "tfxla_lint").rglob("*.py"))[::3] + sorted(
    (ROOT / "testdata" / "programs").rglob("*.py")
)

SNIPPETS = {
    "decorators": "@a\n# c\n@b(1)\n\n# d\ndef f(x, *, y: int = 1) -> int:\n    return x\n",
    "decorated_class": "@a\nclass A(B, metaclass=C):\n    @property\n    def x(self): return 1\n",
    "semicolons": "a = 1; b = 2;\nc = 3 ; d\n",
    "one_line_suites": "if x: a; b;\nelif y: c\nelse: d\nfor i in z: e\nwhile 1: break\n",
    "parentheses": "x = ((a + b)) * (c)\ny = ()\nz = (1, 2)\nw = (yield)\nf((i for i in j), 1)\n",
    "generator": "f(i for i in j)\n",
    "tabs": "def f():\n\tif x:\n\t\treturn 1\n\treturn 2\n",
    "carriage_returns": "def f():\r\n    # c\r\n    x = '''a\r\nb'''\r\n    return x\r\n",
    "mixed_newlines": "a = 1\r\nb = 2\nc = 3\r\n",
    "form_feed_line": "a = 1\n\f\nb = 2\n",
    "form_feed_inside": "a = [1,\n\f 2]\n",
    "no_final_newline": "def f():\n    return 1",
    "no_final_newline_comment": "x = 1\n    # c",
    "no_final_newline_blank": "x = 1\n    ",
    "continuation": "x = 1 + \\\n    2\nassert x, \\\n    'y'\nwith a as b, \\\n     c as d:\n  pass\n",
    "non_ascii": "ä = 'ü€😀'  # ß\nf(ä, 'ö')\n",
    "comments": "# h\n\n# i\nx = [  # j\n    1,  # k\n    # l\n]  # m\n\n# n\n",
    "dedent_comments": "def f():\n    x\n    # a\n  # b\n# c\ny\n",
    "try": "try:\n    a\nexcept (B, C) as d:\n    e\nelse:\n    f\nfinally:\n    g\n",
    "match": "match x:\n    case [1, *_]:\n        y\n    case {'a': b, **c} if d:\n        z\n",
    "fstring": "x = f'{a!r:>{w}} b' \"c\"\n",
    "lambda": "g = lambda *a, b=1, **c: (a, b)\n",
    "subscript": "x[1:2, ..., ::3] = y[(0)]\n",
    "async": "async def f():\n    async for i in x:\n        await (y)\n    async with a: pass\n",
    "comprehension": "[i for i in x if i if not i for j in (k)]\n{a: b for a, b in c}\n",
    "star": "f(*a, **(b), c = (d), )\n",
    "import": "from . import (a as b, c,)\nimport d.e as f, g\n",
    "empty": "",
    "blank": "\n\n",
    "only_comment": "# c",
}


@pytest.fixture(autouse=True, scope="module")
def _metadata_without_visits() -> Iterator[None]:
    """Positions come of writing code; LibCST visits the whole tree as well, for nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cst.Module, "visit", lambda self, visitor: self)
        yield


def check_against_libcst(text: str) -> None:
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    positions = Positions(wrapper.module, text)
    source = Source("x.py", text)
    assert positions.exact
    ours = {
        PositionProvider: positions.syntactic,
        WhitespaceInclusivePositionProvider: positions.whole,
    }
    for provider, lookup in ours.items():
        for node, expected in wrapper.resolve(provider).items():
            if type(node) is cst.SimpleWhitespace:
                continue  # Of blanks nobody asks where they stand.
            starts = [(p.line, p.column + 1) for p in (expected.start, expected.end)]
            found = [source.position(offset) for offset in lookup(node)]
            if lookup(node)[1] == len(text) and not text.endswith("\n"):
                # The newline that LibCST makes up at the end of the file has no place in it.
                starts, found = starts[:1], found[:1]
                if lookup(node)[0] == len(text):
                    continue
            assert found == starts, type(node).__name__


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_agrees_with_libcst_on_files(path: Path) -> None:
    check_against_libcst(Source.read(path).text)


@pytest.mark.parametrize("text", SNIPPETS.values(), ids=SNIPPETS.keys())
def test_agrees_with_libcst_on_snippets(text: str) -> None:
    check_against_libcst(text)


def positions_of(text: str) -> tuple[cst.Module, Positions]:
    module = cst.parse_module(text)
    return module, Positions(module, text)


def test_own_parentheses_are_whole_not_syntactic() -> None:
    text = "x = ( # c\n  a + b )\n"
    module, positions = positions_of(text)
    assign = cst.ensure_type(module.body[0], cst.SimpleStatementLine).body[0]
    value = cst.ensure_type(assign, cst.Assign).value
    start, end = positions.syntactic(value)
    assert text[start:end] == "a + b"
    start, end = positions.whole(value)
    assert text[start:end] == "( # c\n  a + b )"


def test_statements_lie_end_to_end() -> None:
    text = "# h\n\nx = 1\n\n# a\ny = 2  # b\n\n# c\ndef f():\n    pass\n    # d\n\nz = 3"
    module, positions = positions_of(text)
    ranges = [positions.whole(statement) for statement in module.body]
    assert [end for _, end in ranges[:-1]] == [start for start, _ in ranges[1:]]
    assert ranges[-1][1] == len(text)


def test_comments() -> None:
    text = "# a\nx = [\n    # b\n    f'# {y}',\n]  # c\n"
    _, positions = positions_of(text)
    assert [text[s:e] for s, e in positions.comments(0, len(text))] == ["# a", "# b", "# c"]
    assert [text[s:e] for s, e in positions.comments(4, len(text) - 2)] == ["# b"]


def test_form_feed_before_top_level_statement() -> None:
    text = "x = 1\n\fdef f():\n    return 1\n\f\fy = 2\n"
    module, positions = positions_of(text)
    assert positions.exact
    starts = [positions.syntactic(statement)[0] for statement in module.body]
    assert starts == [0, text.index("def"), text.index("y")]
    assert positions.whole(module.body[1])[0] == text.index("\f")


@pytest.mark.parametrize("end", ["\n   \t", "\n\n \f", "\r\n  ", "# d\n\n\n\t"])
def test_blanks_at_the_end_lose_no_line(end: str) -> None:
    text = f"def f():\n    return 1\n{end}"
    module = parsed(text)
    positions = Positions(module, text)
    assert positions.exact
    (function,) = module.body
    assert positions.syntactic(function) == (0, text.index("1") + 1)
    comments = [text[start:stop] for start, stop in positions.comments(0, len(text))]
    assert comments == [f"# {name}" for name in "d" if f"# {name}" in end]


@pytest.mark.parametrize("end", ["  # c\n", "\n\n  # c\n \f", "  # c\n  ", "\n # c\n# d\n"])
def test_lines_that_are_lost_at_the_end_move_nothing(end: str) -> None:
    text = f"def f():\n    return 1\n{end}"
    module = parsed(text)
    positions = Positions(module, text)
    assert positions.exact == text.startswith(module.code)
    (function,) = module.body
    assert positions.syntactic(function) == (0, text.index("1") + 1)
    assert positions.whole(function)[1] <= len(text)


def test_blanks_after_a_continued_line_are_part_of_it() -> None:
    text = "x = 1 \\\n   "
    assert parsed(text).code == cst.parse_module(text).code


def test_bare_carriage_returns() -> None:
    text = "x = 1\ry = 2\r"
    module, positions = positions_of(text)
    assert positions.exact
    assert positions.syntactic(module.body[1]) == (6, 11)
    assert positions.whole(module.body[1])[0] == 6


def test_repeated_form_feed_is_not_exact() -> None:
    text = "if x:\n\f  a\n\f  b\n  c\n"
    module, positions = positions_of(text)
    assert not positions.exact
    block = cst.ensure_type(cst.ensure_type(module.body[0], cst.If).body, cst.IndentedBlock)
    source = Source("x.py", text)
    assert [source.position(positions.syntactic(s)[0])[0] for s in block.body] == [2, 3, 4]


def test_lines_of_a_backslash_alone() -> None:
    text = "import a\n\\\nm = 1\n  \\\n# c\nk = 2\n"
    module, positions = positions_of(text)
    assert not positions.exact
    source = Source("x.py", text)
    assert [source.position(positions.syntactic(s)[0])[0] for s in module.body] == [1, 3, 6]


def test_another_text_is_refused() -> None:
    with pytest.raises(PositionsError):
        Positions(cst.parse_module("x = 1\n"), "x = 1\ny = 2\n")
    assert not Positions(cst.parse_module("x = 1\n"), "x = 2\n").exact
