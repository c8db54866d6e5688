"""Trees come back from plain data as they were."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import libcst as cst
import pytest

from tfxla_lint.semantics.positions import Positions
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.trees import flattened, rebuilt

PROGRAMS = sorted((Path(__file__).parents[2] / "testdata" / "programs").rglob("*.py"))
EVERYTHING = '''\
#!/usr/bin/env python
"""A text."""
from __future__ import annotations
from . import (a as b, c,)
from ..d import *
import e.f as g, h; x = 1 ; y = 2;

@decorated(1, *more, key = 2, **rest)
async def function(p, /, q: int = 1, *, r: "str" = 'a' "b", **s) -> None:
    global x
    async with first() as one, second:
        async for i, [j, *k] in one:  # said
            await i
            continue
        else :
            pass
    with (a as b, c,):
        yield from (yield)
    def inner(*args, s=lambda z, *zs: (z, zs)):
        nonlocal p
        return not -p ** 2 // ~q @ r
    x += 1; x: int; y: int = 3; del x, y[0]

class A(B, metaclass=C):

    # said
    z = {1: 2, **rest}, {1, *more}, [*more], (), (1,), (i for i in a if i if not i for j in i)
    w = [i async for i in a], {i: j for i, j in a}, {i for i in a}

  # less indented
    while a if b else c and (d or e):
        if (n := 10) > 5 < 7 is not 3 not in y: break
        elif a: assert a, b
        else: raise E from f
    try:
        pass
    except (E, F) as error:
        raise
    except:
        ...
    else:
        pass
    finally:
        a[1:2, ::3, ...], a[b:], a.b.c(d)(e)
    t = f"{a!r:>{width}} {{b}} {c=}" '' and rb"\\x00" + 0x1F + 1_0.5e3 + 2j << 1 >> 2 ^ 3 | 4 & 5 % 6

match a:
    case [1, -2.0, *rest] | {"k": v, **others} if v: pass
    case A(b, c=d) as e: pass
    case (None | "s" | x.y | _): pass
try:
    pass
except* E: pass
type L[T: int, *Ts, **P] = list[T]
def generic[T](a: T): pass
print(a,
      b \\
      , c)
# the end
\t
'''


def test_every_syntax_comes_back() -> None:
    tree = cst.parse_module(EVERYTHING)
    again = rebuilt(json.loads(json.dumps(flattened(tree))))
    assert again.deep_equals(tree)
    assert again.code == EVERYTHING
    places = Positions(again, EVERYTHING), Positions(tree, EVERYTHING)
    for ours, theirs in zip(walk(again), walk(tree), strict=True):
        assert type(ours) is type(theirs)
        assert places[0].whole(ours) == places[1].whole(theirs)


def test_blanks_that_are_the_same_are_kept_once() -> None:
    tree = cst.parse_module("a = b  # said\nc = d  # and more\nf(a, b, c)\n")
    again = rebuilt(flattened(tree))
    assert again.deep_equals(tree)
    assert len(_distinct(again, cst.SimpleWhitespace)) == 3
    assert len(_distinct(again, cst.Comma)) == 1
    assert len(_distinct(again, cst.Name)) == len(_distinct(tree, cst.Name)) == 8
    assert flattened(again) == flattened(tree)


def _distinct(tree: cst.CSTNode, kind: type[cst.CSTNode]) -> set[int]:
    found = [tree]
    for node in found:
        found += node.children
    return {id(node) for node in found if type(node) is kind}


@pytest.mark.parametrize("path", PROGRAMS[:: max(1, len(PROGRAMS) // 8)], ids=lambda p: p.stem)
def test_programs_come_back(path: Path) -> None:
    text = path.read_text("utf-8")
    again = rebuilt(flattened(cst.parse_module(text)))
    assert again.code == text


def test_deep_code_needs_no_deep_stack() -> None:
    text = "x = " + "not " * 1_500 + "y\n"
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    tree = cst.parse_module(text)
    sys.setrecursionlimit(400)
    try:
        again = rebuilt(flattened(tree))
    finally:
        sys.setrecursionlimit(20_000)
    assert again.code == text
    sys.setrecursionlimit(limit)


FLAT = flattened(cst.parse_module("x = f(1)\n"))


@pytest.mark.parametrize(
    "flat",
    [
        None,
        7,
        [],
        {},
        [*FLAT[:3], 0],
        [*FLAT[:3], 10_000],
        [FLAT[0], FLAT[1], ["AQAAAA==", "ECcAAA=="], FLAT[3]],
        [FLAT[0], FLAT[1], ["AQAAAA==", "ECcAA"], FLAT[3]],
        [FLAT[0], FLAT[1], [[1], [10_000]], FLAT[3]],
        [FLAT[0], [["MatcherDecoratableVisitor", 1, []]], ["", ""], 4],
        [FLAT[0], [["parse_module", 1, []]], ["", ""], 4],
        [FLAT[0], [["CSTNode", 1, []]], ["", ""], 4],
        [FLAT[0], [["Module", 1, [1, 2]]], ["", ""], 4],
        [FLAT[0], [["Module", "1", []]], ["", ""], 4],
        [FLAT[0], [[k, n + 1, columns] for k, n, columns in FLAT[1]], FLAT[2], FLAT[3]],
    ],
)
def test_what_is_no_tree_is_refused(flat: Any) -> None:
    with pytest.raises(ValueError, match="no tree"):
        rebuilt(flat)
