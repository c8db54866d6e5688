"""Where a note stands that says whether changed statements of a function are come to."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.inside import changed_inside, crossed_conditions
from tfxla_lint.verify.trees import Tree

from .conftest import Verify

TEXT = '''\
def f(x, k=1):
    """Does it."""
    a = 1
    if x:
        b = 2
        c = 3
    elif k:
        d = 4
    else:
        e = 5
    try:
        g = 6
    except ValueError:
        h = 7
    finally:
        i = 8
    if a: j = 9
    match x:
        case 1:
            m = 10
    for n in x: \\
        p = 11
    return a
'''
CASES = {
    "a branch": ("b = 2", "b = 3", [5]),
    "another below elif": ("d = 4", "d = 5", [8]),
    "the last branch": ("e = 5", "e = 6", [10]),
    "a handler": ("h = 7", "h = 8", [14]),
    "a finally": ("i = 8", "i = 9", [16]),
    "a case": ("m = 10", "m = 11", [20]),
    "a statement that is new": ("        c = 3", "        c = 3\n        c += 1", [5]),
    "a statement that is gone": ("        b = 2\n", "", [5]),
    "another condition": ("if x:", "if not x:", [4]),
    "behind a condition on one line": ("j = 9", "j = 8", []),
    "below a continued line": ("p = 11", "p = 12", []),
    "another condition of elif": ("elif k", "elif not k", []),
    "a condition that has no else any more": ("    else:\n        e = 5\n", "", []),
    "a statement of the function itself": ("a = 1", "a = 2", [3]),
    "a statement that is new at the top": ("    a = 1", "    z = 1\n    a = 1", []),
    "the parameters": ("k=1", "k=2", []),
    "a decorator": ("def f", "@g\ndef f", []),
}


@pytest.mark.parametrize(("old", "new", "lines"), CASES.values(), ids=CASES)
def test_the_lines_of_what_changed(old: str, new: str, lines: list[int]) -> None:
    assert TEXT.count(old) == 1
    assert list(changed_inside(Tree(TEXT), Tree(TEXT.replace(old, new)), "f")) == lines


def test_an_exit_that_something_moved_past_has_to_be_taken(verify: Verify) -> None:
    text = (
        "def f(limit):\n    found = []\n    for i in range(4):\n        if i > limit:\n"
        "            break\n        found.append(i)\n    return found\nprint(f(9))\n"
    )
    lines = text.split("\n")
    lines[3:6] = [lines[5], *lines[3:5]]
    (verdict,) = verify(text, "\n".join(lines))
    assert verdict.outcome.value == "differs"
    blocked = text.replace("i > limit", "i > 9 and limit")
    lines = blocked.split("\n")
    lines[3:6] = [lines[5], *lines[3:5]]
    (verdict,) = verify(blocked, "\n".join(lines))
    assert verdict.outcome.value == "not checked"
    assert "was not run" in verdict.reason


LOADING = """\
def main(args, model):
    build(model)
    if args.resume:
        model.load()
    train(model)
    if args.verbose:
        say(args.name)
    rows = 1
"""


def test_a_condition_that_moved_past_what_it_is_about_has_to_come_true() -> None:
    late = LOADING.replace("    if args.resume:\n        model.load()\n", "").replace(
        "    rows", "    if args.resume:\n        model.load()\n    rows"
    )
    silent = LOADING.replace("    rows = 1\n", "").replace("    build", "    rows = 1\n    build")
    before, after, other = (Tree(text).functions["main"].body for text in (LOADING, late, silent))
    assert {s.lineno for s in crossed_conditions(before, after)} == {3, 6}
    assert not list(crossed_conditions(before, other))
