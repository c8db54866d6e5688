from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.edits import InsertArgument, NodeEdit, RemoveArgument, Replace
from tfxla_lint.rewriting.layout import RewriteRefused

from .tree import StandIn, fix_of, rewritten


def insert(text: str, *arguments: str) -> str:
    tree = StandIn(text)
    call = tree.find(cst.Call)
    return rewritten(tree, *(InsertArgument(call, argument) for argument in arguments))


def remove(text: str, *arguments: str, add: str | None = None) -> str:
    tree = StandIn(text)
    call = tree.find(cst.Call)
    edits = [RemoveArgument(call, tree.find(cst.Arg, argument)) for argument in arguments]
    return rewritten(tree, *edits, *([InsertArgument(call, add)] if add else []))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("f()\n", "f(z=1)\n", id="none"),
        pytest.param("f( )\n", "f(z=1)\n", id="blank"),
        pytest.param("f(a)\n", "f(a, z=1)\n", id="one"),
        pytest.param("f(a,)\n", "f(a, z=1,)\n", id="trailing-comma"),
        pytest.param("f( a )\n", "f( a, z=1 )\n", id="spaces"),
        pytest.param("f(a, **k)\n", "f(a, **k, z=1)\n", id="stars"),
        pytest.param("f(i for i in j)\n", "f((i for i in j), z=1)\n", id="generator"),
        pytest.param("f((i for i in j))\n", "f((i for i in j), z=1)\n", id="own-generator"),
        pytest.param("f(\n    a,\n    b,\n)\n", "f(\n    a,\n    b,\n    z=1,\n)\n", id="lines"),
        pytest.param("f(\n    a,\n    b\n)\n", "f(\n    a,\n    b,\n    z=1\n)\n", id="no-comma"),
        pytest.param(
            "f(\n    a,\n    b,  # c\n)\n", "f(\n    a,\n    b,  # c\n    z=1,\n)\n", id="comment"
        ),
        pytest.param(
            "f(\n    a,\n    b  # c\n)\n", "f(\n    a,\n    b,  # c\n    z=1,\n)\n", id="comment-no-comma"
        ),
        pytest.param(
            "f(\n    a,\n    # c\n)\n", "f(\n    a,\n    # c\n    z=1,\n)\n", id="comment-at-the-end"
        ),
        pytest.param("f(a,\n  b)\n", "f(a,\n  b,\n  z=1)\n", id="aligned"),
        pytest.param("f(\n    a, b\n)\n", "f(\n    a, b, z=1\n)\n", id="hanging"),
        pytest.param("f(a, # c\n  b, )\n", "f(a, # c\n  b,\n  z=1, )\n", id="aligned-comma"),
        pytest.param(
            "f(\r\n    a,\r\n    b,\r\n)\r\n",
            "f(\r\n    a,\r\n    b,\r\n    z=1,\r\n)\r\n",
            id="carriage-returns",
        ),
        pytest.param("(f)(a)\n", "(f)(a, z=1)\n", id="parenthesised-function"),
        pytest.param("(f(a))\n", "(f(a, z=1))\n", id="parenthesised-call"),
        pytest.param("f(a, \\\n  b)\n", "f(a, \\\n  b,\n  z=1)\n", id="continued"),
        pytest.param("f('''a\nb''')\n", "f('''a\nb''', z=1)\n", id="string"),
        pytest.param("f(a)(b)\n", "f(a)(b, z=1)\n", id="call-of-call"),
    ],
)  # fmt: skip
def test_insert(text: str, expected: str) -> None:
    assert insert(text, "z=1") == expected


def test_insert_several() -> None:
    assert insert("f(a)\n", "y=1", "z=2") == "f(a, y=1, z=2)\n"
    assert insert("f(\n    a,\n)\n", "y=1", "z=2") == "f(\n    a,\n    y=1,\n    z=2,\n)\n"


def test_insert_positional() -> None:
    assert insert("f(a)\n", "b") == "f(a, b)\n"
    assert insert("f(*a)\n", "b") == "f(*a, b)\n"
    for text in ("f(a=1)\n", "f(**a)\n"):
        with pytest.raises(RewriteRefused, match="positional"):
            insert(text, "b")


def test_insert_a_known_keyword_is_refused() -> None:
    with pytest.raises(RewriteRefused, match="has an argument `a`"):
        insert("f(a=1)\n", "a=2")


def test_insert_a_generator() -> None:
    assert insert("f(a)\n", "i for i in j") == "f(a, (i for i in j))\n"


def test_insert_no_argument_is_a_mistake() -> None:
    for text in ("a b", ""):
        with pytest.raises(TypeError, match="not an argument"):
            insert("f()\n", text)


def test_insert_into_nested_calls() -> None:
    tree = StandIn("f(g(a), h())\n")
    calls = [tree.find(cst.Call, code) for code in ("f(g(a), h())", "g(a)", "h()")]
    edits = [InsertArgument(call, "z=1") for call in calls]
    assert rewritten(tree, *edits) == "f(g(a, z=1), h(z=1), z=1)\n"
    edits_and_names: list[NodeEdit] = [*edits, Replace(calls[1].func, "k.l")]
    assert rewritten(tree, *edits_and_names) == "f(k.l(a, z=1), h(z=1), z=1)\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("f(x)\n", "f()\n", id="only"),
        pytest.param("f( x, )\n", "f()\n", id="only-with-comma"),
        pytest.param("f(\n    x,\n)\n", "f()\n", id="only-on-a-line"),
        pytest.param("f(x, b)\n", "f(b)\n", id="first"),
        pytest.param("f(a, x)\n", "f(a)\n", id="last"),
        pytest.param("f(a, x,)\n", "f(a,)\n", id="last-with-comma"),
        pytest.param("f(a, x, b)\n", "f(a, b)\n", id="middle"),
        pytest.param("f(\n    a,\n    x,\n    b,\n)\n", "f(\n    a,\n    b,\n)\n", id="line"),
        pytest.param("f(\n    a,\n    x,\n)\n", "f(\n    a,\n)\n", id="last-line"),
        pytest.param("f(\n    a,\n    x\n)\n", "f(\n    a\n)\n", id="last-line-without-comma"),
        pytest.param("f(a,\n  x)\n", "f(a)\n", id="aligned-last"),
        pytest.param("f(x,\n  a)\n", "f(a)\n", id="aligned-first"),
        pytest.param("f(a, x,\n  b)\n", "f(a,\n  b)\n", id="end-of-line"),
        pytest.param("f(a,\n  x, b)\n", "f(a, b)\n", id="start-of-line"),
        pytest.param("f(a,  # a\n  x,\n  b)\n", "f(a,  # a\n  b)\n", id="comment-above"),
        pytest.param("f(a, x,\n  # b\n  b)\n", "f(a,\n  # b\n  b)\n", id="comment-below"),
        pytest.param("f(\n    # x\n    x,\n    b,\n)\n", "f(\n    # x\n    b,\n)\n", id="own-comment"),
        pytest.param("f(a, x)  # c\n", "f(a)  # c\n", id="comment-behind-the-call"),
        pytest.param("f(a,\r\n  x,\r\n  b)\r\n", "f(a,\r\n  b)\r\n", id="carriage-returns"),
    ],
)  # fmt: skip
def test_remove(text: str, expected: str) -> None:
    assert remove(text, "x") == expected


def test_remove_several() -> None:
    assert remove("f(a, b, c)\n", "a", "b") == "f(c)\n"
    assert remove("f(a, b, c)\n", "b", "c") == "f(a)\n"
    assert remove("f(a, b, c)\n", "a", "c") == "f(b)\n"
    assert remove("f(a, b, c)\n", "a", "b", "c") == "f()\n"
    assert remove("f(\n    a,\n    b,\n    c,\n)\n", "a", "c") == "f(\n    b,\n)\n"


def test_remove_and_insert() -> None:
    assert remove("f(a, b)\n", "b", add="c=1") == "f(a, c=1)\n"
    assert remove("f(a, b)\n", "a", add="c=1") == "f(b, c=1)\n"
    assert remove("f(a)\n", "a", add="c=1") == "f(c=1)\n"
    assert remove("f(a=1)\n", "a=1", add="a=2") == "f(a=2)\n"
    text = "f(\n    a,\n    b=1,\n)\n"
    assert remove(text, "b=1", add="c=1") == "f(\n    a,\n    c=1,\n)\n"


@pytest.mark.parametrize(
    "text",
    [
        "f(\n    a,\n    x,  # c\n)\n",
        "f(\n    x,  # c\n    b,\n)\n",
        "f(x  # c\n)\n",
        "f(a, x(  # c\n))\n",
        "f(\n    # c\n    x\n)\n",
    ],
)
def test_remove_refuses_to_lose_comments(text: str) -> None:
    tree = StandIn(text)
    call = tree.find(cst.Call)
    argument = next(a for a in call.args if "x" in tree.module.code_for_node(a))
    with pytest.raises(RewriteRefused, match="comment"):
        fix_of(tree, RemoveArgument(call, argument))


def test_remove_of_another_calls_argument_is_a_mistake() -> None:
    tree = StandIn("f(a)\ng(b)\n")
    with pytest.raises(TypeError, match="not one of the call's"):
        fix_of(tree, RemoveArgument(tree.find(cst.Call, "f(a)"), tree.find(cst.Arg, "b")))


def test_f_string() -> None:
    tree = StandIn("x = f'{f(a)}'\n")
    call = tree.find(cst.Call)
    assert rewritten(tree, InsertArgument(call, "b=1")) == "x = f'{f(a, b=1)}'\n"
    with pytest.raises(RewriteRefused, match="f-string"):
        fix_of(tree, InsertArgument(call, "b='c'"))
