"""What a statement is, whatever its layout, and where it stands."""

from __future__ import annotations

import pytest

from tfxla_lint.outline import Outline
from tfxla_lint.source import Source

TEXT = """\
class Net:
    @tf.function(
        jit_compile=True,  # fast
    )
    def call(self, x):
        def inner():
            return f"a {x}" % \\
                'b'
        return inner()

    async def later(self): return 1
    size = 3
total = Net()
"""


def at(text: str, line: int) -> tuple[str, str]:
    found = Outline(Source("a.py", text)).at(line)
    return found.scope, found.text


@pytest.mark.parametrize(
    ("line", "scope", "text"),
    [
        (1, "", "class Net:"),
        (3, "Net", "@tf.function(jit_compile=True)"),
        (5, "Net", "def call(self,x):"),
        (8, "Net.call.inner", 'return f"a{x}"%"b"'),
        (9, "Net.call", "return inner()"),
        (11, "Net", "async def later(self):return 1"),
        (12, "Net", "size=3"),
        (13, "", "total=Net()"),
    ],
)
def test_statements(line: int, scope: str, text: str) -> None:
    assert at(TEXT, line) == (scope, text)
    assert at(TEXT.replace("\n", "\r\n"), line) == (scope, text)


LAYOUTS = [
    "if a:\n    step(x, y)\n",
    "if a:\n\tstep(x,   y) # often\n",
    "if a:\n        step(\n            x,  # this\n            y,\n        )\n",
    "\n\n\nif a:\n    step(x, \\\n  y)\n",
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_every_layout_of_a_statement_says_the_same(text: str) -> None:
    assert at(text, text[: text.index("step")].count("\n") + 1) == ("", "step(x,y)")


def test_what_python_cannot_read_is_taken_by_lines() -> None:
    assert at("x = = 1\ny = (\n", 2) == ("", "y=(")


def test_a_long_statement_is_told_by_its_beginning_and_a_digest() -> None:
    one, other = (at(f"x = [{'1, ' * 300}{last}]\n", 1)[1] for last in (2, 3))
    assert len(one) == len(other) == 200
    assert one != other
    assert one.startswith("x=[1,1,")
