"""Properties of lowering and fixing over random programs and random edits."""

from __future__ import annotations

import ast
import random
import re
from itertools import pairwise
from textwrap import indent

import libcst as cst
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfxla_lint.edits import (
    Decorate,
    InsertAfter,
    InsertArgument,
    InsertBefore,
    NodeEdit,
    Remove,
    RemoveArgument,
    Replace,
    ReplaceStatements,
    Rewrite,
    Statement,
    is_statement,
)
from tfxla_lint.findings import Applicability, Finding, Fix, Level
from tfxla_lint.fixer import fix_text
from tfxla_lint.fixing.confinement import Tree, first_difference
from tfxla_lint.fixing.places import EditMap
from tfxla_lint.linter import LintResult, parse_quietly, syntax_error
from tfxla_lint.rewriting.comments import comments_in
from tfxla_lint.rewriting.layout import RewriteRefused
from tfxla_lint.rewriting.lowering import lower
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.source import Source, apply_edits

SIMPLE = [
    "x = f(a, b)",
    "y = g(  # open\n    a,\n    *b,  # last\n)",
    "f(\n    # only\n)",
    "f(i for i in a)",
    "s = '''one\n  two'''",
    "total += x * (y + z)  # sum",
    "if a: b = 1",
    "p; q  # both",
    "ä = 'ü' if ö else {}",
    "print(f'{x} {y!r:>{w}}', end='')",
    "z = a + \\\n    b ** -c",
    "assert x < y, 'no'",
    "with f(p) as q: pass",
    "k = lambda v, *w: v or w",
    "d = {1: a, **b, 'c': [u for u in v if u.w[0]]}",
    "a.b.c(d)(e, k=(1, 2))[f(g)]",
    "pass",
    "del m, n",
    "t = (yield_)",
    "@f(a)\ndef inner(a, *, b=f(c)) -> h: pass",
]
BLOCKS = [
    ("for i in f(r):", ()),
    ("while x:  # loop", ("else:",)),
    ("def f(a, b=1):", ()),
    ("# on f\n@tf.function\n# below\n\ndef f(a):", ()),
    ("async def f():", ()),
    ("if x:", ("elif f(y):", "# otherwise\nelse:")),
    ("class A(B, metaclass=C):", ()),
    ("with f(a) as b, c:", ()),
    ("try:", ("except E as e:", "finally:")),
]
NEWLINE = re.compile(r"\r\n?|\n")
LEADING = ["", "", "", "\n", "\n\n", "# note\n", "\n# note\n", "# apart\n\n", "    \n"]


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0) -> str:
    """Statements, one after the other, at no indentation."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 4 if depth else 6))):
        parts.append(draw(st.sampled_from(LEADING)))
        if depth < 3 and draw(st.integers(0, 2)) == 0:
            head, clauses = draw(st.sampled_from(BLOCKS))
            for clause in (head, *clauses):
                parts.append(f"{clause}\n" + indent(draw(blocks(depth + 1)), "    "))
                parts.append(draw(st.sampled_from(["", "", "    # end\n"])))
        else:
            parts.append(draw(st.sampled_from(SIMPLE)) + "\n")
    return "".join(parts)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Programs as bytes, in several indentations, line endings and encodings."""
    text = draw(blocks())
    unit = draw(st.sampled_from(["    ", "  ", "\t"]))
    text = "".join(_with_unit(line, unit) for line in text.splitlines(keepends=True))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    encoding, head = draw(
        st.sampled_from(
            [
                ("utf-8", ""),
                ("utf-8-sig", ""),
                ("latin-1", "# coding: latin-1\n"),
                ("utf-8", "# h\n\n"),
            ]
        )
    )
    newlines = ["\n", "\n", "\r\n", "\r"]
    # Python looks for the coding comment up to a line feed.
    newline = draw(st.sampled_from(newlines[:3] if encoding == "latin-1" else newlines))
    return (head + text).replace("\n", newline).encode(encoding)


def _with_unit(line: str, unit: str) -> str:
    depth = (len(line) - len(line.lstrip(" "))) // 4
    return unit * depth + line[4 * depth :]


def new_statements(dice: random.Random) -> list[Statement]:
    code = dice.choice(
        ["new()\n", "def new():\n    '''Doc\n    more.'''\n    return 1\n", "# c\nn = 1\n"]
    )
    body = cst.parse_module(code * dice.randint(1, 2)).body
    return [s for s in body if is_statement(s)]


def random_edit(
    dice: random.Random, nodes: list[cst.CSTNode], model: SemanticModel
) -> NodeEdit | None:
    """An edit of a random node, of a kind that suits it."""
    node = dice.choice(nodes)
    if isinstance(node, cst.FunctionDef) and dice.random() < 0.5:
        return Decorate(node, "tf.function(\n    jit_compile=True,\n)")
    if is_statement(node):
        parent = model.parent(node)
        siblings = list(parent.body) if isinstance(parent, (cst.IndentedBlock, cst.Module)) else []
        following = (
            [s for s in siblings[siblings.index(node) :] if is_statement(s)] if siblings else []
        )
        last = dice.choice(following) if following else node
        edits: list[NodeEdit] = [
            InsertBefore(node, new_statements(dice)),
            InsertAfter(node, new_statements(dice)),
            Remove(node),
            ReplaceStatements(node, last, new_statements(dice)),
            ReplaceStatements(node, node, [*new_statements(dice), node]),
        ]
        return dice.choice(edits)
    if isinstance(node, cst.Call) and dice.random() < 0.7:
        if node.args and dice.random() < 0.5:
            return RemoveArgument(node, dice.choice(node.args))
        return InsertArgument(node, dice.choice(["new=1", "**new", "new=[\n    1,\n]"]))
    if isinstance(node, cst.BaseExpression):
        text = dice.choice(
            ["n", "n.m", "n + m", "n, m", "n if m else o", "not n", "n[0]", "n(\n    1,\n)"]
        )
        return Replace(node, text)
    return None


def lowered(model: SemanticModel, seed: int) -> Fix | None:
    """The fix of a few random edits that go together."""
    dice = random.Random(seed)
    nodes = list(walk(model.module))[1:]
    chosen: list[NodeEdit] = []
    best: Fix | None = None
    for _ in range(dice.randint(1, 8)):
        edit = random_edit(dice, nodes, model)
        if edit is None or (isinstance(edit, Replace) and not _is_value(edit.node, model)):
            continue
        try:
            best = lower(Rewrite("fix", [*chosen, edit]), model)
        except RewriteRefused:
            continue
        chosen.append(edit)
    return best


def _is_value(node: cst.CSTNode, model: SemanticModel) -> bool:
    """Whether any expression may stand in the place of a node."""
    places = (
        cst.Arg,
        cst.BinaryOperation,
        cst.Call,
        cst.Comparison,
        cst.Return,
        cst.Expr,
        cst.Assign,
    )
    parent = model.parent(node)
    is_keyword = isinstance(parent, cst.Arg) and parent.keyword is node
    return isinstance(parent, places) and not is_keyword


def model_of(data: bytes) -> SemanticModel:
    source = Source.from_bytes(data, "x.py")
    return SemanticModel.build(cst.parse_module(source.text), source)


relaxed = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@relaxed
@given(files(), st.integers(0, 2**32))
def test_lowered_edits_change_nothing_else(data: bytes, seed: int) -> None:
    model = model_of(data)
    source = model.source
    fix = lowered(model, seed)
    if fix is None:
        return
    assert all(a.end <= b.start for a, b in pairwise(fix.edits))
    text = apply_edits(source.text, fix.edits)
    tree = parse_quietly(text)
    cst.parse_module(text)
    edits = EditMap(fix.edits)
    old = Tree(source.text, parse_quietly(source.text), edits.old)
    assert first_difference(old, Tree(text, tree, edits.new)) is None
    # What lies between the edits is the same, and encodes to the same bytes.
    ends = [
        (0, 0),
        *((edit.end, new[1]) for edit, new in zip(fix.edits, edits.new.ranges, strict=True)),
    ]
    starts = [
        *((edit.start, new[0]) for edit, new in zip(fix.edits, edits.new.ranges, strict=True))
    ]
    starts.append((len(source.text), len(text)))
    for (old_start, new_start), (old_end, new_end) in zip(ends, starts, strict=True):
        assert source.text[old_start:old_end] == text[new_start:new_end]
    again = Source.from_bytes(source.encode(text), "x.py")
    assert (again.text, again.encoding, again.has_bom) == (text, source.encoding, source.has_bom)


@relaxed
@given(files(), st.integers(0, 2**32), st.randoms())
def test_edits_apply_in_any_order(data: bytes, seed: int, dice: random.Random) -> None:
    model = model_of(data)
    fix = lowered(model, seed)
    if fix is None:
        return
    text = model.source.text
    shuffled = list(fix.edits)
    dice.shuffle(shuffled)
    assert apply_edits(text, shuffled) == apply_edits(text, fix.edits)
    # One at a time from the end, no edit moves another one's place.
    one_by_one = text
    for edit in reversed(fix.edits):
        one_by_one = apply_edits(one_by_one, [edit])
    assert one_by_one == apply_edits(text, fix.edits)


@relaxed
@given(files(), st.integers(0, 2**32))
def test_line_endings_and_comments_are_kept(data: bytes, seed: int) -> None:
    model = model_of(data)
    text = model.source.text
    fix = lowered(model, seed)
    if fix is None:
        return
    result = apply_edits(text, fix.edits)
    endings = set(NEWLINE.findall(text))
    if len(endings) == 1:
        assert set(NEWLINE.findall(result)) <= endings
    lost = _texts(text)
    for comment in _texts(result):
        if comment in lost:
            lost.remove(comment)
    assert all(_stands_behind_code(text, comment) for comment in lost)


def _texts(text: str) -> list[str]:
    return [text[start:end] for start, end in comments_in(text)]


def _stands_behind_code(text: str, comment: str) -> bool:
    lines = text.replace("\r", "\n").split("\n")
    return any(comment in line and line.strip() != comment for line in lines)


class Rules:
    """Made-up rules: each of them replaces one name by another, which may be the next one's."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(seed)
        names = ["a", "b", "x", "y", "f", "g", "new", "other"]
        self.renames = {
            name: (dice.choice(names), dice.choice(list(Applicability)))
            for name in dice.sample(names, dice.randint(1, 6))
        }
        self.seed = seed

    def lint(self, source: Source) -> LintResult:
        error = syntax_error(source)
        if error is not None:
            return LintResult((error,), has_syntax_error=True)
        model = SemanticModel.build(cst.parse_module(source.text), source)
        found = [f for node in model.nodes(cst.Name) for f in self.findings(model, node)]
        return LintResult(tuple(sorted(found, key=lambda f: f.sort_key)))

    def findings(self, model: SemanticModel, node: cst.Name) -> list[Finding]:
        if node.value not in self.renames:
            return []
        new, applicability = self.renames[node.value]
        edits: list[NodeEdit] = [Replace(node, new)]
        statement: cst.CSTNode | None = node
        while statement is not None and not isinstance(statement, cst.SimpleStatementLine):
            statement = model.parent(statement)
        if isinstance(statement, cst.SimpleStatementLine) and len(node.value) % 2 == 0:
            edits = [Remove(statement)]
        try:
            fix = lower(Rewrite("fix", edits, applicability), model)
        except RewriteRefused:
            fix = None
        code, span = f"N{node.value}", model.span(node)
        return [Finding(code, "name", Level.WARNING, "message", "x.py", span, fix=fix)]


@settings(parent=relaxed, max_examples=30)
@given(files(), st.integers(0, 2**32))
def test_a_second_run_changes_nothing(data: bytes, seed: int) -> None:
    source = Source.from_bytes(data, "x.py")
    rules = Rules(seed)
    outcome = fix_text(source, rules.lint, unsafe=True)
    ast.parse(outcome.text)
    fixed = Source.from_bytes(source.encode(outcome.text), "x.py")
    assert fixed.text == outcome.text
    again = fix_text(fixed, rules.lint, unsafe=True)
    assert again.text == outcome.text
    assert not again.applied
    assert again.blocked == outcome.blocked
    if not outcome.applied:
        assert outcome.text == source.text
