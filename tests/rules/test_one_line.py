"""Code that stood on several lines, on one."""

from __future__ import annotations

import ast

import pytest

from rules.eager.shared.one_line import one_line


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a+b", "a+b"),
        (
            "tau * new  # the new ones\n    + (1 - tau) * old  # and the rest",
            "tau * new + (1 - tau) * old",
        ),
        ("0.1 \\\n        ", "0.1"),
        ("f(\n    x,\n    '#'\n)", "f( x, '#' )"),
        ("name=0.1 \\\n, ", "name=0.1 ,"),
    ],
)
def test_comments_and_line_ends_go(code: str, expected: str) -> None:
    assert one_line(code) == expected


def test_texts_of_several_lines_stay() -> None:
    code = "f('''a\n#b''',  # c\n  x)"
    assert ast.dump(ast.parse(one_line(code))) == ast.dump(ast.parse(code))
