"""A stand-in for the semantic model: just what lowering reads of it; and ways to find nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise
from textwrap import dedent
from typing import TypeVar

import libcst as cst

from tfxla_lint.edits import NodeEdit, Rewrite, Statement
from tfxla_lint.findings import Fix
from tfxla_lint.rewriting.lowering import lower
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.positions import Positions
from tfxla_lint.source import Source, apply_edits

N = TypeVar("N", bound=cst.CSTNode)


class StandIn:
    def __init__(self, text: str) -> None:
        self.module = cst.parse_module(text)
        self.source = Source("x.py", text)
        self.positions = Positions(self.module, text)
        self.binder = Binder(self.module)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self.binder.parent(node)

    def walk(self) -> Iterator[cst.CSTNode]:
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def find(self, kind: type[N], code: str | None = None) -> N:
        """The first node of a type, whose code is `code` where that is given."""
        for node in self.walk():
            if isinstance(node, kind):
                start, end = self.positions.syntactic(node)
                if code is None or self.source.text[start:end] == code:
                    return node
        raise AssertionError(f"no {kind.__name__} {code or ''}")

    def statement(self, start: str) -> Statement:
        """The first statement whose code begins with `start`."""
        for node in self.walk():
            if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
                if self.source.text.startswith(start, self.positions.syntactic(node)[0]):
                    return node
        raise AssertionError(f"no statement {start}")


def new(text: str) -> list[Statement]:
    """Statements that are in no tree yet."""
    body = cst.parse_module(dedent(text)).body
    return [s for s in body if isinstance(s, (cst.SimpleStatementLine, cst.BaseCompoundStatement))]


def fix_of(tree: StandIn, *edits: NodeEdit, imports: Sequence[tuple[str, str]] = ()) -> Fix:
    return lower(Rewrite("fix", edits, imports=imports), tree)


def rewritten(tree: StandIn, *edits: NodeEdit, imports: Sequence[tuple[str, str]] = ()) -> str:
    """The text after the edits, which are in order, disjoint and leave Python."""
    fix = fix_of(tree, *edits, imports=imports)
    places = [(edit.start, edit.end) for edit in fix.edits]
    assert places == sorted(places)
    for (_, end), (start, _) in pairwise(places):
        assert end <= start
    text = apply_edits(tree.source.text, fix.edits)
    ast.parse(text)
    cst.parse_module(text)
    return text
