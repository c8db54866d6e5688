"""What is aligned below a bracket stays so where an edit moves the bracket."""

from __future__ import annotations

import pytest

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.alignment import aligned
from tfxla_lint.rewriting.wrapping import wrapped
from tfxla_lint.source import Source, apply_edits


def renamed(text: str, old: str = "name", new: str = "longer.name", wraps: bool = False) -> str:
    start = text.index(old)
    source = Source("x.py", text)
    edits = aligned(source, [Edit(start, start + len(old), new)])
    return apply_edits(text, wrapped(source, edits, "    ") if wraps else edits)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = name(1,\n         2)\n", "x = longer.name(1,\n                2)\n"),
        (
            "x = name(1,\n         # why\n         f(2,\n           3))\n",
            "x = longer.name(1,\n                # why\n                f(2,\n"
            "                  3))\n",
        ),
        ("x = name(g(1,\n           2), 3)\n", "x = longer.name(g(1,\n                  2), 3)\n"),
        ("x = name(1,\n    2)\n", "x = longer.name(1,\n    2)\n"),
        ("x = name(\n    1,\n    2)\n", "x = longer.name(\n    1,\n    2)\n"),
        ("x = f(1, name,\n      2)\n", "x = f(1, longer.name,\n      2)\n"),
        ('x = name("""1\n         2""")\n', 'x = longer.name("""1\n         2""")\n'),
        ("x = name(1,\n\t 2)\n", "x = longer.name(1,\n\t 2)\n"),
        ("x = name(1)\ny = (2,\n     3)\n", "x = longer.name(1)\ny = (2,\n     3)\n"),
    ],
)
def test_aligned_lines_move_along(text: str, expected: str) -> None:
    assert renamed(text) == expected


def test_a_shorter_name_pulls_them_back() -> None:
    text = "x = name(1,\n         2)\n"
    assert renamed(text, "name", "n") == "x = n(1,\n      2)\n"


def test_lines_below_a_break_go_with_what_it_moves() -> None:
    text = (
        "result = name(first_argument=some_function(the_first_value, another_value_of_it),\n"
        "              second_argument=other_value)\n"
    )
    assert renamed(text, new="a_rather_longer_name", wraps=True) == (
        "result = a_rather_longer_name(\n"
        "    first_argument=some_function(the_first_value, another_value_of_it),\n"
        "    second_argument=other_value)\n"
    )
