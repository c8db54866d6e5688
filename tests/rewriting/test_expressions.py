from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.edits import Replace
from tfxla_lint.rewriting.layout import RewriteRefused

from .tree import StandIn, fix_of, new, rewritten


def replace(text: str, old: str, code: str, kind: type[cst.CSTNode] = cst.BaseExpression) -> str:
    tree = StandIn(text)
    return rewritten(tree, Replace(tree.find(kind, old), code))


@pytest.mark.parametrize(
    ("text", "old", "code", "expected"),
    [
        pytest.param("x = a.b(1)\n", "a.b", "c.d", "x = c.d(1)\n", id="attribute"),
        pytest.param("x = (a\n  .b . c)\n", "a\n  .b . c", "a.b.d", "x = (a\n  .b . d)\n", id="last-of-a-name"),
        pytest.param("x = a. b \\\n .c\n", "a. b \\\n .c", "a.b.d", "x = a. b \\\n .d\n", id="continued-name"),
        pytest.param("x = (a)\n", "a", "b", "x = b\n", id="own-parentheses-go"),
        pytest.param("x = a + b\n", "a + b", "(c, d)", "x = (c, d)\n", id="own-stay"),
        pytest.param("x = a * b\n", "a", "c + d", "x = (c + d) * b\n", id="operator"),
        pytest.param("x = a.b\n", "a", "c + d", "x = (c + d).b\n", id="attribute-of"),
        pytest.param("x = a.b\n", "a", "1", "x = (1).b\n", id="attribute-of-number"),
        pytest.param("x = a.b\n", "a", "c[0]", "x = c[0].b\n", id="attribute-of-subscript"),
        pytest.param("x = a + b\n", "a", "1", "x = 1 + b\n", id="number"),
        pytest.param("x = -a\n", "a", "b ** c", "x = -(b ** c)\n", id="unary"),
        pytest.param("x = a\n", "a", "b if c else d", "x = b if c else d\n", id="value"),
        pytest.param("x = a\n", "a", "b, c", "x = (b, c)\n", id="tuple"),
        pytest.param("f(a, b)\n", "a", "(i for i in j)", "f((i for i in j), b)\n", id="generator"),
        pytest.param("f(a)\n", "a", "not b", "f(not b)\n", id="argument"),
        pytest.param("f(*a)\n", "a", "b or c", "f(*(b or c))\n", id="star"),
        pytest.param("f(a)\n", "a", "(b := c)", "f((b := c))\n", id="walrus"),
        pytest.param("x = y[a]\n", "a", "b + 1", "x = y[b + 1]\n", id="index"),
        pytest.param("x = y[a:b]\n", "a", "b + 1", "x = y[(b + 1):b]\n", id="slice"),
        pytest.param("if a: pass\n", "a", "b and c", "if b and c: pass\n", id="if"),
        pytest.param("if not a: pass\n", "a", "b and c", "if not (b and c): pass\n", id="not"),
        pytest.param("x = a + b + c\n", "a + b", "d + e", "x = d + e + c\n", id="same-operator"),
        pytest.param("x = a - (b - c)\n", "b - c", "d - e", "x = a - (d - e)\n", id="own-needed"),
        pytest.param("[i for i in a]\n", "a", "b if c else d", "[i for i in (b if c else d)]\n", id="for"),
        pytest.param("x = f('b')\n", "'b'", "'c' 'd'", "x = f('c' 'd')\n", id="strings"),
        pytest.param("return_ = a\n", "a", "lambda: 0", "return_ = lambda: 0\n", id="lambda"),
        pytest.param("a()\n", "a", "lambda: 0", "(lambda: 0)()\n", id="call-of"),
        pytest.param("def f(): return(a)\n", "a", "b", "def f(): return(b)\n", id="word-before"),
        pytest.param("x = (a)if(b)else c\n", "b", "d", "x = (a)if(d)else c\n", id="words-around"),
        pytest.param("x = (a) # c\n", "a", "b", "x = b # c\n", id="comment-behind"),
        pytest.param("f(a,  # c\n  b)\n", "b", "d(\n    1,\n)", "f(a,  # c\n  d(\n      1,\n  ))\n", id="lines"),
        pytest.param("x = a\r\n", "a", "[\n    1]", "x = [\r\n    1]\r\n", id="newlines"),
        pytest.param("x = f'{a}'\n", "a", "b.c", "x = f'{b.c}'\n", id="f-string"),
        pytest.param("x = f'{a:{w}}'\n", "w", "b or c", "x = f'{a:{(b or c)}}'\n", id="f-string-spec"),
    ],
)  # fmt: skip
def test_replace(text: str, old: str, code: str, expected: str) -> None:
    assert replace(text, old, code) == expected


def test_lines_that_brackets_joined_get_brackets() -> None:
    tree = StandIn("f(a +\n  b)\nx = c\ny = (d\n     .e)\n")
    moved = tree.find(cst.BinaryOperation)
    edits = [Replace(tree.find(cst.Name, "c"), moved)]
    assert rewritten(tree, *edits).splitlines()[2:4] == ["x = (a +", "  b)"]
    chain = tree.find(cst.Attribute).with_changes(lpar=(), rpar=())
    edits = [Replace(tree.find(cst.Name, "c"), chain)]
    assert rewritten(tree, *edits).splitlines()[2:4] == ["x = (d", "     .e)"]


def test_replace_by_a_changed_node() -> None:
    tree = StandIn("x = f(a,  # c\n      b)\n")
    call = tree.find(cst.Call)
    changed = call.with_changes(func=cst.Name("g"))
    assert rewritten(tree, Replace(call, changed)) == "x = g(a,  # c\n      b)\n"
    with pytest.raises(RewriteRefused, match="# c"):
        fix_of(tree, Replace(call, "g(a, b)"))


def test_replace_an_argument() -> None:
    tree = StandIn("f(a, b = 1 , *c)\n")
    first = tree.find(cst.Arg, "b = 1")
    assert rewritten(tree, Replace(first, "d=2")) == "f(a, d=2 , *c)\n"
    other = tree.find(cst.Arg, "a")
    assert rewritten(tree, Replace(other, first)) == "f(b = 1, b = 1 , *c)\n"


def test_replace_a_keyword() -> None:
    tree = StandIn("f(experimental_compile=True)\n")
    keyword = tree.find(cst.Name, "experimental_compile")
    assert rewritten(tree, Replace(keyword, "jit_compile")) == "f(jit_compile=True)\n"


def test_replace_a_small_statement() -> None:
    tree = StandIn("if a: b; c  # d\n")
    statement = cst.ensure_type(new("e = 1\n")[0], cst.SimpleStatementLine).body[0]
    assert rewritten(tree, Replace(tree.find(cst.Expr, "b"), statement)) == "if a: e = 1; c  # d\n"
    assert rewritten(tree, Replace(tree.find(cst.Expr, "c"), "e()")) == "if a: b; e()  # d\n"
    with pytest.raises(TypeError, match="small statement"):
        fix_of(tree, Replace(tree.find(cst.Expr, "b"), cst.Name("x")))


def test_replace_parameters() -> None:
    tree = StandIn("def f(a, b): pass\n")
    assert rewritten(tree, Replace(tree.find(cst.Parameters), "a, *, b=1")) == (
        "def f(a, *, b=1): pass\n"
    )
    tree = StandIn("def f(): pass\n")
    assert rewritten(tree, Replace(tree.find(cst.Parameters), "a")) == "def f(a): pass\n"


def test_replace_an_import() -> None:
    tree = StandIn("from a.b import (c, d as e)\n")
    assert rewritten(
        tree,
        Replace(tree.find(cst.Attribute), "x.y"),
    ).startswith("from x.y import")
    assert rewritten(tree, Replace(tree.find(cst.ImportAlias, "c"), "z as c")) == (
        "from a.b import (z as c, d as e)\n"
    )


def test_replace_whole_statements_is_a_mistake() -> None:
    tree = StandIn("a\n")
    with pytest.raises(TypeError, match="ReplaceStatements"):
        fix_of(tree, Replace(tree.statement("a"), "b"))
    with pytest.raises(TypeError, match="not an expression"):
        fix_of(tree, Replace(tree.find(cst.Name), "b c"))


def test_f_strings_take_simple_code_only() -> None:
    tree = StandIn("x = f'{a}' f'{b=}'\n")
    with pytest.raises(RewriteRefused, match="cannot stand in an f-string"):
        fix_of(tree, Replace(tree.find(cst.Name, "a"), "d['e']"))
    with pytest.raises(RewriteRefused, match="shows the code"):
        fix_of(tree, Replace(tree.find(cst.Name, "b"), "d"))


def test_nested_replacements_are_refused() -> None:
    tree = StandIn("f(g(x))\n")
    outer, inner = tree.find(cst.Call, "f(g(x))"), tree.find(cst.Call, "g(x)")
    with pytest.raises(RewriteRefused, match="overlap"):
        fix_of(tree, Replace(outer, "a"), Replace(inner, "b"))
    functions = [Replace(outer.func, "a"), Replace(inner.func, "b")]
    assert rewritten(tree, *functions) == "a(b(x))\n"


def test_edits_that_change_nothing_are_left_out() -> None:
    tree = StandIn("f(x)\n")
    assert fix_of(tree, Replace(tree.find(cst.Name, "x"), "x")).edits == ()
