"""The binder's scopes, with LibCST's own ScopeProvider as the oracle."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from libcst import metadata

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.scopes import ScopeKind
from tfxla_lint.semantics.syntax import children, walk

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("tfxla_lint/**/*.py"), *ROOT.glob("testdata/programs/*/*.py")])

SNIPPETS = """
x = 1
import os.path as p, sys
from a.b import c as d, e
import tensorflow.keras.layers
def f(a, b=x, *args, c: int = 2, **kwargs):
    global g
    g = a
    def inner():
        nonlocal b
        b = c
        return [y for y in args if y > a], {k: v for k, v in kwargs.items()}
    return lambda z, w=a: (z, w, g)
class C(Base, metaclass=Meta):
    attr = x
    other = attr
    def method(self):
        return self.attr, attr
try:
    import ujson as json
except ImportError as error:
    json = None
    print(error)
with open(p) as fh, lock:
    (first, *rest), last = fh
for i, (j, k) in enumerate(rest):
    if (n := len(rest)) > i:
        del first
match last:
    case [one, *others]:
        print(one, others)
    case {"key": value, **more}:
        print(value, more)
    case C(attr=captured) as whole:
        print(captured, whole)
total += n
""".strip()


#: No scope hangs on them, and half of a visit would go there.
LAYOUT = (
    cst.Comma,
    cst.Comment,
    cst.EmptyLine,
    cst.Newline,
    cst.ParenthesizedWhitespace,
    cst.SimpleWhitespace,
    cst.TrailingWhitespace,
)


@functools.cache
def fields_of(kind: type[cst.CSTNode]) -> list[str]:
    """The fields of a kind of node, what a handler binds before its body, as it is visited."""
    names = [field.name for field in dataclasses.fields(kind)]
    return sorted(names, key=lambda name: name == "body") if "type" in names else names


def visit(node: cst.CSTNode, visitor: cst.CSTVisitor) -> cst.CSTNode:
    if visitor.on_visit(node):
        for name in fields_of(type(node)):
            part = getattr(node, name)
            for below in part if isinstance(part, (list, tuple)) else [part]:
                if isinstance(below, cst.CSTNode) and not isinstance(below, LAYOUT):
                    below.visit(visitor)
    visitor.on_leave(node)
    return node


@pytest.fixture(autouse=True, scope="module")
def _oracle_only_looks() -> Iterator[None]:
    """LibCST makes each node anew that it visits, for nothing where none is changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cst.CSTNode, "visit", visit)
        yield


def oracle_reads(module: cst.Module) -> dict[int, frozenset[int]]:
    """For each name that is read: the scopes in which LibCST finds its assignments."""
    wrapper = metadata.MetadataWrapper(module, unsafe_skip_copy=True)
    scopes = wrapper.resolve(metadata.ScopeProvider)
    found: dict[int, frozenset[int]] = {}
    for scope in {s for s in scopes.values() if s is not None}:
        for access in scope.accesses:
            node = access.node
            if isinstance(node, cst.Name):
                owners = {
                    id(referent.scope.node if hasattr(referent.scope, "node") else module)
                    for referent in access.referents
                    if isinstance(referent, metadata.Assignment)
                }
                found[id(node)] = frozenset(owners)
    return found


def check_against_oracle(text: str) -> int:
    module = cst.parse_module(text)
    expected = oracle_reads(module)
    binder = Binder(module)
    checked = 0
    for name in binder.nodes(cst.Name):
        owners = expected.get(id(name))
        scope = binder.scope(name)
        if owners is None or not any(read is name for read in scope.reads.get(name.value, ())):
            continue
        home = scope.home(name.value)
        if home is not None and any(
            isinstance(binder.parent(b.node), cst.NamedExpr) for b in home.bindings[name.value]
        ):
            continue  # LibCST leaves a walrus in the comprehension, PEP 572 takes it out.
        if (
            home is not None
            and home.kind is ScopeKind.COMPREHENSION
            and _has_two_clauses(home.node)
        ):
            continue  # LibCST misses what the second clause binds, and looks further out.
        # LibCST drops assignments that stand later in the same scope; the binder keeps them all.
        if len(owners) == 1:
            assert home is not None, f"{name.value} is bound somewhere"
            node = home.node
            assert id(node) in owners or node is module, name.value
        checked += 1
    return checked


def _has_two_clauses(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.BaseComp) and node.for_in.inner_for_in is not None


def test_what_a_second_clause_binds_stays_in_the_comprehension() -> None:
    module = cst.parse_module("b = [c for a in x for c in a if c]\nfor c in b:\n    print(c)\n")
    binder = Binder(module)
    homes = [binder.scope(n).home(n.value) for n in binder.nodes(cst.Name) if n.value == "c"]
    kinds = [home.kind for home in homes if home is not None]
    assert kinds.count(ScopeKind.COMPREHENSION) == 3
    assert kinds.count(ScopeKind.MODULE) == 2


def test_agrees_with_libcst_on_every_binding_form() -> None:
    assert check_against_oracle(SNIPPETS + "\n") > 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_agrees_with_libcst_on_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert check_against_oracle(text) > 0 or "def " not in text


LINES = st.sampled_from(
    [
        "x = y",
        "y = x + z",
        "import os as z",
        "def f(x, y=z):\n    z = x\n    return z, y, w",
        "class K:\n    x = y\n    def m(self):\n        return x",
        "w = [x for x in y if z]",
        "w = lambda x: x + y",
        "for x, y in z:\n    w = x",
        "with x as (y, z):\n    pass",
        "def g():\n    global x\n    x = y",
        "x += 1",
        "del z",
        "z = {a: b for a, b in y}",
    ]
)


@given(st.lists(LINES, min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_agrees_with_libcst_on_random_programs(lines: list[str]) -> None:
    check_against_oracle("\n".join(lines) + "\n")


def test_every_syntax_node_has_a_parent() -> None:
    module = cst.parse_module(SNIPPETS + "\n")
    binder = Binder(module)
    for name in binder.nodes(cst.Name):
        node: cst.CSTNode | None = name
        while node is not None and node is not module:
            node = binder.parent(node)
        assert node is module


def test_walk_visits_parents_before_children() -> None:
    module = cst.parse_module(SNIPPETS + "\n")
    seen: set[int] = set()
    for node in walk(module):
        assert all(id(child) not in seen for child in children(node))
        seen.add(id(node))


def test_a_walrus_in_a_comprehension_binds_around_it() -> None:
    module = cst.parse_module("def f(x):\n    return any((y := v) for v in x), y\n")
    binder = Binder(module)
    read = [name for name in binder.nodes(cst.Name) if name.value == "y"][-1]
    home = binder.scope(read).home("y")
    assert home is not None
    assert isinstance(home.node, cst.FunctionDef)
