"""Reaching definitions, dominators and liveness over every kind of statement."""

from __future__ import annotations

import contextlib
import random
import textwrap
from collections.abc import Callable
from typing import Any

import libcst as cst
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.flow.dominators import Dominators
from tfxla_lint.semantics.flow.graph import circles
from tfxla_lint.semantics.flow.solver import Direction, solve
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.source import Source

Build = Callable[[str], SemanticModel]


def calls_of(model: SemanticModel, name: str) -> list[cst.Call]:
    return [c for c in model.nodes(cst.Call) if model.code(c.func) == name]


def seen(model: SemanticModel) -> set[str]:
    """What the read `use(x)` may see: the values assigned, "unbound" and other kinds of binding."""
    read = cst.ensure_type(calls_of(model, "use")[0].args[0].value, cst.Name)
    reached = model.flow.reached(read)
    found = {
        model.code(b.value)
        if b.value is not None and b.kind is not BindingKind.WITH
        else b.kind.value
        for b in reached.bindings
    }
    return found | ({"unbound"} if reached.may_be_unbound else set())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 1\ntry:\n    x = 2\n    c()\n    x = 3\nexcept E:\n    use(x)", {"1", "2", "3"}),
        ("try:\n    x = 1\nexcept E:\n    x = 2\nuse(x)", {"1", "2"}),
        ("try:\n    x = 1\nexcept E:\n    return\nuse(x)", {"1"}),
        ("try:\n    x = 1\nexcept E:\n    x = 2\nelse:\n    x = 3\nuse(x)", {"2", "3"}),
        ("x = 1\ntry:\n    x = 2\nfinally:\n    use(x)", {"1", "2"}),
        ("x = 1\ntry:\n    c()\nfinally:\n    x = 2\nuse(x)", {"2"}),
        ("x = 1\nwith suppress(E):\n    c()\n    x = 2\nuse(x)", {"1", "2"}),
        ("x = 1\nwith c():\n    x = 2\nuse(x)", {"2"}),
        ("with c() as x:\n    use(x)", {"with target"}),
        ("x = 1\nmatch c:\n    case 1:\n        x = 2\n    case _:\n        x = 3\nuse(x)",
         {"1", "2", "3"}),
        ("match c:\n    case [x]:\n        use(x)", {"match capture", "unbound"}),
        ("x = 1\nwhile c():\n    x = 2\nelse:\n    x = 3\nuse(x)", {"3"}),
        ("x = 1\nwhile c():\n    if c():\n        x = 2\n        break\nelse:\n    x = 3\nuse(x)",
         {"2", "3"}),
        ("x = 1\nfor i in c():\n    if i:\n        x = 2\n        continue\n    use(x)\n    x = 3",
         {"1", "2", "3"}),
        ("while True:\n    x = 1\n    if c():\n        break\nuse(x)", {"1"}),
        ("x = 1\nwhile True:\n    if c():\n        x = 2\n        break\n    x = 3\nuse(x)", {"2"}),
        ("x = 1\nfor x in c():\n    pass\nuse(x)", {"1", "for target"}),
        ("x = 1\nif c():\n    del x\nuse(x)", {"1", "del"}),
        ("if (x := 1):\n    use(x)", {"1"}),
        ("x = 1\nc() and (x := 2)\nuse(x)", {"1", "2"}),
        ("x = 1\n[c() for i in c() if (x := i)]\nuse(x)", {"1", "i"}),
        ("if c():\n    x = 1\nuse(x)", {"1", "unbound"}),
        ("x = 1\nx += 2\nuse(x)", {"augmented assignment"}),
        ("x: int\nuse(x)", {"unbound"}),
        ("import x\nuse(x)", {"import"}),
        ("try:\n    c()\nexcept E as x:\n    use(x)", {"except target"}),
        ("x = 1\nwhile c():\n    try:\n        x = 2\n        break\n    finally:\n        c()\n"
         "use(x)", {"1", "2"}),
    ],
)  # fmt: skip
def test_reaching_definitions(build: Build, body: str, expected: set[str]) -> None:
    code = "from contextlib import suppress\ndef f(c):\n" + textwrap.indent(body, "    ")
    assert seen(build(code + "\n")) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\ndef f():\n    global x\n    x = 2\n    use(x)\n", {"2"}),
        ("x = 1\ndef f():\n    global x\n    x = 2\nf()\nuse(x)\n", {"1", "2"}),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    g()\n    use(x)\n",
         {"1", "2"}),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        use(x)\n    g()\n    x = 2\n",
         {"1"}),
        ("x = 1\nclass A:\n    x = 2\n    def f(self):\n        use(x)\n", {"1"}),
    ],
)  # fmt: skip
def test_names_that_functions_share(build: Build, code: str, expected: set[str]) -> None:
    assert expected <= seen(build(code))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("first()\nthen()", True),
        ("if c:\n    first()\nthen()", False),
        ("if first():\n    then()", True),
        ("for i in c:\n    first()\nthen()", False),
        ("for i in first():\n    then()", True),
        ("while c:\n    first()\n    then()", True),
        ("while True:\n    first()\n    if c:\n        break\nthen()", True),
        ("while c:\n    if d:\n        continue\n    first()\nelse:\n    then()", False),
        ("try:\n    first()\nexcept E:\n    then()", False),
        ("try:\n    first()\nfinally:\n    then()", False),
        ("try:\n    c()\nfinally:\n    first()\nthen()", True),
        ("with c:\n    first()\nthen()", True),
        ("with suppress(E):\n    first()\nthen()", False),
        ("match c:\n    case 1:\n        first()\n    case _:\n        first()\nthen()", False),
        ("if c:\n    return\nfirst()\nthen()", True),
        ("return\nfirst()\nthen()", False),
    ],
)
def test_dominators(build: Build, body: str, expected: bool) -> None:
    code = "from contextlib import suppress\ndef f(c, d):\n" + textwrap.indent(body, "    ")
    model = build(code + "\n")
    graph = model.flow.graph(unit_named(model, "f").scope)
    points = [graph.point(calls_of(model, name)[0]) for name in ("first", "then")]
    assert points[0] is not None
    assert points[1] is not None
    assert Dominators(graph).dominates(points[0], points[1]) is expected


@pytest.mark.parametrize(
    ("body", "alive"),
    [
        ("mark()\nuse(x)", True),
        ("mark()\nx = 1\nuse(x)", False),
        ("mark()\nif c:\n    x = 1\nuse(x)", True),
        ("mark()\nif c:\n    x = 1\nelse:\n    x = 2\nuse(x)", False),
        ("for i in c:\n    use(x)\n    mark()", True),
        ("for i in c:\n    x = i\n    use(x)\n    mark()", False),
        ("for i in c:\n    x = i\n    mark()\nuse(x)", True),
        ("while c:\n    x = 1\n    mark()\n    break\nelse:\n    use(x)", False),
        ("while c:\n    mark()\n    continue\nelse:\n    use(x)", True),
        ("try:\n    mark()\n    x = 1\nexcept E:\n    use(x)", True),
        ("try:\n    mark()\n    return\nfinally:\n    use(x)", True),
        ("with suppress(E):\n    mark()\n    c()\n    x = 1\nuse(x)", True),
        ("mark()\ndel x", True),
        ("mark()\nx += 1", True),
        ("mark()\nmatch c:\n    case 1:\n        x = 1\nuse(x)", True),
        ("mark()\nc and (x := 1)\nuse(x)", True),
        ("mark()\n(x := 1)\nuse(x)", False),
        ("mark()\ndef g():\n    use(x)\ng()", True),
        ("mark()", False),
    ],
)
def test_liveness_after_a_statement(build: Build, body: str, alive: bool) -> None:
    code = "from contextlib import suppress\ndef f(x, c):\n" + textwrap.indent(body, "    ")
    model = build(code + "\n")
    node: cst.CSTNode = calls_of(model, "mark")[0]
    while not isinstance(node, cst.SimpleStatementLine):
        node = model.parent(node) or model.module
    assert ("x" in model.flow.liveness(unit_named(model, "f").scope).after(node)) is alive


def test_globals_and_nonlocals_are_always_alive(build: Build) -> None:
    model = build("def f():\n    global x\n    x = 1\n    mark()\n")
    assert "x" in model.flow.liveness(unit_named(model, "f").scope).always_live()


# What really runs is among what is reached.

NAMES = ("a", "b", "c")
_Lines = list[str]


def _indented(lines: _Lines) -> _Lines:
    return [f"    {line}" for line in lines] or ["    pass"]


def _blocks(inner: st.SearchStrategy[_Lines]) -> st.SearchStrategy[_Lines]:
    """Compound statements around blocks; `choose()` says whether a branch is taken."""

    def build(kind: str, first: _Lines, then: _Lines, last: _Lines, name: str) -> _Lines:
        body, other, end = _indented(first), _indented(then), _indented(last)
        return {
            "if": ["if choose():", *body, "else:", *other],
            "for": [f"for {name} in numbers():", *body, "else:", *other],
            "while": ["while choose():", *body, "else:", *other],
            "try": ["try:", *body, "except ValueError:", *other],
            "else": ["try:", *body, "except ValueError:", *other, "else:", *end],
            "finally": ["try:", *body, "finally:", *end],
            "all": ["try:", *body, "except ValueError:", *other, "finally:", *end],
            "with": ["with suppress(ValueError):", *body],
            "match": ["match number():", "    case 0:", *_indented(body), f"    case {name}:",
                      *_indented(other)],
        }[kind]  # fmt: skip

    kinds = ("if", "for", "while", "try", "else", "finally", "all", "with", "match")
    name = st.sampled_from(NAMES)
    return st.builds(build, st.sampled_from(kinds), inner, inner, inner, name)


_SIMPLE = st.sampled_from(
    [f"{n} = number()" for n in NAMES]
    + [f"read({n!r}, {n})" for n in NAMES] * 2
    + [f"choose() and ({n} := number())" for n in NAMES]
    + [f"{n} = read({n!r}, {n}) and number()" for n in NAMES]
    + [f"del {n}" for n in NAMES]
    + ["fail()", "if choose(): break", "if choose(): continue", "if choose(): return"]
)
_BLOCK = st.recursive(
    st.lists(_SIMPLE, min_size=1, max_size=4).map(list),
    lambda inner: st.lists(
        st.one_of(_SIMPLE.map(lambda line: [line]), _blocks(inner)), min_size=1, max_size=4
    ).map(lambda parts: [line for part in parts for line in part]),
    max_leaves=8,
)


def _outside_of_loops(lines: _Lines) -> _Lines:
    """The lines, but for a `break` or `continue` that no loop is around."""
    found: _Lines = []
    for index, line in enumerate(lines):
        if line.strip() in ("if choose(): break", "if choose(): continue"):
            depth, around = len(line) - len(line.lstrip()), False
            for earlier in reversed(lines[:index]):
                inner = len(earlier) - len(earlier.lstrip())
                if inner < depth:
                    depth = inner
                    around = around or earlier.lstrip().startswith(("for ", "while "))
            if not around:
                line = line[: len(line) - len(line.lstrip())] + "choose()"
        found.append(line)
    return found


class _Stop(Exception):
    """A run that goes on for too long."""


class _Traced:
    """Runs a program whose constants and reads are numbered by their lines."""

    def __init__(self, choices: list[bool]) -> None:
        self.choices = choices
        self.at = 0
        self.steps = 0
        self.observed: set[tuple[int, str, int]] = set()

    def choose(self) -> bool:
        self.steps += 1
        if self.steps > 200:
            raise _Stop
        self.at += 1
        return self.choices[self.at % len(self.choices)]

    def fail(self) -> None:
        if self.choose():
            raise ValueError

    def read(self, line: int, name: str, value: int) -> int:
        self.observed.add((line, name, value))
        return value


def _numbered(lines: _Lines) -> str:
    """The program, each made number and each read with the number of its line."""
    head = ["def f():", *(f"    {name} = {-i - 1}" for i, name in enumerate(NAMES))]
    found = list(head)
    for line in lines:
        number = len(found) + 1
        for word, after in (("number()", f"int({number})"), ("numbers()", f"some({number})")):
            line = line.replace(word, after)
        found.append("    " + line.replace("read(", f"read({number}, "))
    return "\n".join(found) + "\n"


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=_BLOCK, choices=st.lists(st.booleans(), min_size=3, max_size=12))
def test_what_a_read_finds_when_it_runs_is_reached(lines: _Lines, choices: list[bool]) -> None:
    text = "from contextlib import suppress\n" + _numbered(_outside_of_loops(lines))
    run = _Traced(choices)
    names: dict[str, Any] = {
        "choose": run.choose, "fail": run.fail, "read": run.read,
        "some": lambda number: [number] * (1 + run.choose()) if run.choose() else [],
    }  # fmt: skip
    try:
        exec(compile(text, "program.py", "exec"), names)
    except SyntaxError:
        assume(False)
    with contextlib.suppress(ValueError, UnboundLocalError, _Stop):
        names["f"]()
    model = SemanticModel.build(cst.parse_module(text), Source("program.py", text))
    reads: dict[tuple[int, str], set[int]] = {}
    for call in calls_of(model, "read"):
        number, _, read = (argument.value for argument in call.args)
        name = cst.ensure_type(read, cst.Name)
        bindings = model.flow.reached(name).bindings
        key = int(cst.ensure_type(number, cst.Integer).value), name.value
        reads[key] = {_written(model, binding.node) for binding in bindings}
    for line, label, value in run.observed:
        assert value in reads[line, label], (text, line, label, value)


def _written(model: SemanticModel, node: cst.CSTNode) -> int:
    """The number that a binding gives: that of its line, or of the name in the first lines."""
    around = (node, *model.ancestors(node)[:2])
    is_captured = any(isinstance(each, (cst.MatchPattern, cst.MatchStar)) for each in around)
    match = next((n for n in model.ancestors(node) if isinstance(n, cst.Match)), node)
    line = model.line(match if is_captured else node) - 1
    return -(line - 1) if line <= len(NAMES) + 1 else line


WAYS = """
a = 1
for i in c:
    with c:
        a = 2
    if c:
        try:
            a = 3
            c()
        except E:
            continue
        finally:
            a = 4
    elif d:
        while c:
            a = 5
            if d:
                break
        else:
            a = 6
    else:
        for j in d:
            for k in d:
                a = 7
            a
match c:
    case 1:
        a = 8
    case [a]:
        pass
if c:
    {}
a
"""


@pytest.mark.parametrize("end", ["a = 9", "return", "while True:\n        a = 9"])
def test_states_at_few_points_are_those_of_the_whole_graph(build: Build, end: str) -> None:
    """Whichever points make and end facts, of code that is all reached and of code that is not."""
    model = build("def f(c, d):\n" + textwrap.indent(WAYS.format(end), "    "))
    scope = unit_named(model, "f").scope
    graph, sparse = model.flow.graph(scope), model.flow.sparse(scope)
    places = range(len(graph.points))
    for seed in range(200):
        draw = random.Random(seed)
        made = {draw.choice(places): 1 << draw.randrange(4) for _ in range(draw.randrange(6))}
        ended = {
            draw.choice([*made, *places]): draw.randrange(16) for _ in range(draw.randrange(6))
        }
        makes, ends = ([rows.get(place, 0) for place in places] for rows in (made, ended))
        expected, _ = solve(graph, Direction.FORWARD, makes, ends)
        before = sparse.solve(made, ended)
        assert [before(place) for place in places] == expected


@pytest.mark.parametrize("end", ["a = 9", "return", "while True:\n        a = 9"])
def test_points_of_one_circle_lead_to_each_other(build: Build, end: str) -> None:
    model = build("def f(c, d):\n" + textwrap.indent(WAYS.format(end), "    "))
    graph = model.flow.graph(unit_named(model, "f").scope)
    places = range(len(graph.points))
    after = [{place} for place in places]
    for _ in places:
        for place in places:
            after[place].update(*(after[then] for then in graph.points[place].successors))
    numbers = circles(graph)
    assert len(set(numbers)) < len(numbers)
    for one in places:
        for other in places:
            is_circle = one in after[other] and other in after[one]
            assert (numbers[one] == numbers[other]) is is_circle
