from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.edits import (
    Decorate,
    InsertAfter,
    InsertBefore,
    NodeEdit,
    Remove,
    ReplaceDecorator,
    ReplaceStatements,
)
from tfxla_lint.rewriting.layout import RewriteRefused

from .tree import StandIn, fix_of, new, rewritten


def before(text: str, statement: str, code: str) -> str:
    tree = StandIn(text)
    return rewritten(tree, InsertBefore(tree.statement(statement), new(code)))


def after(text: str, statement: str, code: str) -> str:
    tree = StandIn(text)
    return rewritten(tree, InsertAfter(tree.statement(statement), new(code)))


def remove(text: str, *statements: str) -> str:
    tree = StandIn(text)
    return rewritten(tree, *(Remove(tree.statement(s)) for s in statements))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\ny = 2\n", "a\nnew()\ny = 2\n", id="plain"),
        pytest.param("a\n\ny = 2\n", "a\n\nnew()\ny = 2\n", id="below-blank-lines"),
        pytest.param(
            "a\n\n# on y\n# more\ny = 2\n",
            "a\n\nnew()\n# on y\n# more\ny = 2\n",
            id="above-comments-that-touch",
        ),
        pytest.param(
            "a\n# on a\n\ny = 2\n", "a\n# on a\n\nnew()\ny = 2\n", id="below-comments-apart"
        ),
        pytest.param("# head\ny = 2\n", "# head\nnew()\ny = 2\n", id="below-the-header"),
        pytest.param("y = 2", "new()\ny = 2", id="no-final-newline"),
        pytest.param(
            "def f():\n    a\n\n    # c\n    y = 2\n",
            "def f():\n    a\n\n    new()\n    # c\n    y = 2\n",
            id="indented",
        ),
        pytest.param("if a:\n\ty = 2\n", "if a:\n\tnew()\n\ty = 2\n", id="tabs"),
        pytest.param("a\r\ny = 2\r\n", "a\r\nnew()\r\ny = 2\r\n", id="carriage-returns"),
        pytest.param("a\n\fy = 2\n", "a\nnew()\n\fy = 2\n", id="form-feed"),
    ],
)
def test_insert_before(text: str, expected: str) -> None:
    assert before(text, "y = 2", "new()\n") == expected


def test_insert_before_a_decorated_function() -> None:
    text = "a\n\n\n# on f\n@d\n# mid\n@e\ndef f():\n    pass\n"
    expected = "a\n\n\nnew()\n\n\n# on f\n@d\n# mid\n@e\ndef f():\n    pass\n"
    assert before(text, "def f", "new()\n") == expected


def test_insert_definition_before_a_loop() -> None:
    text = "a\nfor x in y:\n    b\n"
    expected = "a\n\n\n@d\ndef g():\n    pass\n\n\nfor x in y:\n    b\n"
    assert before(text, "for", "@d\ndef g():\n    pass\n") == expected
    text = "def f():\n  a\n\n  for x in y:\n    b\n"
    expected = "def f():\n  a\n\n  def g():\n    pass\n\n  for x in y:\n    b\n"
    assert before(text, "for", "def g():\n    pass\n") == expected


def test_insert_definition_first_in_block() -> None:
    text = "class A:\n    x = 1\n"
    assert before(text, "x", "def g(): pass\n") == "class A:\n    def g(): pass\n\n    x = 1\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x = 1\ny\n", "x = 1\nnew()\ny\n", id="plain"),
        pytest.param("x = 1  # c\n# on y\ny\n", "x = 1  # c\nnew()\n# on y\ny\n", id="comment"),
        pytest.param("x = 1", "x = 1\nnew()", id="no-final-newline"),
        pytest.param("x = 1\r\na\r\nb", "x = 1\r\nnew()\r\na\r\nb", id="carriage-returns"),
        pytest.param("a\r\nx = 1", "a\r\nx = 1\r\nnew()", id="carriage-returns-end"),
        pytest.param("a\rx = 1\r", "a\rx = 1\rnew()\r", id="bare-carriage-returns"),
        pytest.param(
            "if a:\n    x = 1\n    # end\nb\n",
            "if a:\n    x = 1\n    new()\n    # end\nb\n",
            id="above-the-footer",
        ),
        pytest.param("x = 1\n# end\n", "x = 1\nnew()\n# end\n", id="above-the-last-comment"),
        pytest.param("x = 1\n# end", "x = 1\nnew()\n# end", id="above-the-last-comment-open"),
        pytest.param("x = 1\n    ", "x = 1\nnew()\n    ", id="above-whitespace"),
    ],
)
def test_insert_after(text: str, expected: str) -> None:
    assert after(text, "x = 1", "new()\n") == expected


def test_insert_after_a_block_at_the_end() -> None:
    assert after("if a:\n    b", "if", "c\n") == "if a:\n    b\nc"
    assert after("if a: b\n# c\nd\n", "if", "c\n") == "if a: b\nc\n# c\nd\n"


def test_insert_after_a_definition() -> None:
    text = "def f():\n    pass\n\n\n# on x\nx = 1\n"
    expected = "def f():\n    pass\n\n\nf()\n\n\n# on x\nx = 1\n"
    assert after(text, "def f", "f()\n") == expected
    expected = "def f():\n    pass\n\n\ndef g():\n    pass\n\n\n# on x\nx = 1\n"
    assert after(text, "def f", "def g():\n    pass\n") == expected


def test_new_code_takes_on_the_files_indentation_and_newlines() -> None:
    text = "if a:\r\n\tif b:\r\n\t\tx = 1\r\n"
    code = "for i in j:\n    # c\n\n    k('''1\n2''', (\n        3,\n    ))\n"
    expected = (
        "if a:\r\n\tif b:\r\n\t\tfor i in j:\r\n\t\t\t# c\r\n\r\n"
        "\t\t\tk('''1\r\n2''', (\r\n\t\t\t    3,\r\n\t\t\t))\r\n\t\tx = 1\r\n"
    )
    assert before(text, "x = 1", code) == expected


def test_mixed_newlines_stay_in_moved_strings() -> None:
    text = "a\r\nif b:\n    x = '''1\n2\r\n'''\n"
    tree = StandIn(text)
    moved = tree.statement("x")
    result = rewritten(tree, ReplaceStatements(tree.statement("if"), tree.statement("if"), [moved]))
    assert result == "a\r\nx = '''1\n2\r\n'''\n"


def test_replace_statements_moves_them_to_another_indentation() -> None:
    text = (
        "for a in b:\n"
        "    # first\n"
        "    x = f(\n"
        "        a,  # arg\n"
        "\n"
        "        '''one\n"
        "    two''',\n"
        "    )\n"
        "\n"
        "    # second\n"
        "    if x:\n"
        "        y = 1 + \\\n"
        "            2  # sum\n"
        "        # end\n"
        "z\n"
    )
    tree = StandIn(text)
    loop = tree.find(cst.For)
    block = cst.ensure_type(loop.body, cst.IndentedBlock)
    result = rewritten(tree, ReplaceStatements(loop, loop, list(block.body)))  # type: ignore[arg-type]
    assert result == (
        "# first\n"
        "x = f(\n"
        "    a,  # arg\n"
        "\n"
        "    '''one\n"
        "    two''',\n"
        ")\n"
        "\n"
        "# second\n"
        "if x:\n"
        "    y = 1 + \\\n"
        "            2  # sum\n"
        "    # end\n"
        "z\n"
    )


def test_replace_a_stretch_in_the_middle() -> None:
    text = "def f():\n    a\n\n    # c\n    b\n    c  # d\n    e"
    tree = StandIn(text)
    first, last = tree.statement("b"), tree.statement("c  # d")
    keep = last.with_changes(leading_lines=first.leading_lines)
    result = rewritten(tree, ReplaceStatements(first, last, [keep]))
    assert result == "def f():\n    a\n\n    # c\n    c  # d\n    e"
    last = tree.statement("e")
    result = rewritten(tree, ReplaceStatements(last, last, new("g\nh\n")))
    assert result == "def f():\n    a\n\n    # c\n    b\n    c  # d\n    g\n    h"


def test_replace_refuses_to_lose_comments() -> None:
    tree = StandIn("# h\n\na\nb  # c\n")
    with pytest.raises(RewriteRefused, match="# c"):
        fix_of(tree, ReplaceStatements(tree.statement("b"), tree.statement("b"), new("d\n")))


def test_replace_by_nothing() -> None:
    tree = StandIn("if a:\n    b\n    c\nd\n")
    b, c = tree.statement("b"), tree.statement("c")
    assert rewritten(tree, ReplaceStatements(b, b, [])) == "if a:\n    c\nd\n"
    assert rewritten(tree, ReplaceStatements(b, c, [])) == "if a:\n    pass\nd\n"
    both: list[NodeEdit] = [ReplaceStatements(b, c, []), InsertBefore(b, new("e\n"))]
    assert rewritten(tree, *both) == "if a:\n    e\nd\n"


def test_a_step_moves_out_of_its_loop() -> None:
    text = (
        "model = 1\n\n"
        "# train\n"
        "for x in data:\n"
        "    # the step\n"
        "    with tape:\n"
        "        loss = x  # loss\n"
        "    print(loss)\n"
    )
    tree = StandIn(text)
    step, loop = tree.find(cst.With), tree.find(cst.For)
    stub = cst.ensure_type(new("@tf.function\ndef step(x):\n    pass\n")[0], cst.FunctionDef)
    body = [step, *new("return loss\n")]
    definition = stub.with_changes(body=stub.body.with_changes(body=body))
    edits: list[NodeEdit] = [
        ReplaceStatements(step, step, new("loss = step(x)\n")),
        InsertBefore(loop, [definition]),
    ]
    assert rewritten(tree, *edits) == (
        "model = 1\n\n\n"
        "@tf.function\n"
        "def step(x):\n"
        "    # the step\n"
        "    with tape:\n"
        "        loss = x  # loss\n"
        "    return loss\n\n\n"
        "# train\n"
        "for x in data:\n"
        "    loss = step(x)\n"
        "    print(loss)\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nx = 1\nb\n", "a\nb\n", id="plain"),
        pytest.param("a\n# on x\nx = 1  # c\nb\n", "a\n# on x\nb\n", id="comments"),
        pytest.param("a\n\nx = 1\n\nb\n", "a\n\nb\n", id="blank-lines-on-both-sides"),
        pytest.param("a\n\n\nx = 1\n\nb\n", "a\n\n\nb\n", id="more-blank-lines-above"),
        pytest.param("a\n\nx = 1\nb\n", "a\n\nb\n", id="blank-line-above"),
        pytest.param("def f():\n    x = 1\n\n    b\n", "def f():\n    b\n", id="first"),
        pytest.param(
            "def f():\n    a\n\n    x = 1\n\n\nb\n", "def f():\n    a\n\n\nb\n", id="last"
        ),
        pytest.param("def f():\n    x = 1  # c\nb\n", "def f():\n    pass\nb\n", id="only"),
        pytest.param("def f():\n    # a\n    x = 1", "def f():\n    # a\n    pass", id="only-open"),
        pytest.param("a\nx = 1", "a\n", id="end"),
        pytest.param("x = 1\n", "", id="all"),
        pytest.param("a\r\nx = 1\r\nb\r\n", "a\r\nb\r\n", id="carriage-returns"),
        pytest.param("a\n\n# c\n\nx = 1\n\nb\n", "a\n\n# c\n\nb\n", id="comment-apart"),
    ],
)
def test_remove(text: str, expected: str) -> None:
    assert remove(text, "x = 1") == expected


def test_remove_neighbours() -> None:
    assert remove("if a:\n    x\n\n    y\n\n    z\n", "x", "y") == "if a:\n    z\n"
    assert remove("if a:\n    x\n    y\nb\n", "x", "y") == "if a:\n    pass\nb\n"
    assert remove("a\n\nx\n\ny\n\nz\n", "x", "y") == "a\n\nz\n"


def test_remove_and_insert() -> None:
    tree = StandIn("if a:\n    x\n\n    y\n")
    x = tree.statement("x")
    assert rewritten(tree, Remove(x), InsertBefore(x, new("z\n"))) == "if a:\n    z\n\n    y\n"
    tree = StandIn("if a:\n    x\n")
    x = tree.statement("x")
    assert rewritten(tree, Remove(x), InsertAfter(x, new("z\n"))) == "if a:\n    z\n"


def test_remove_compound() -> None:
    assert remove("a\n@d\ndef f():\n    x  # c\nb\n", "def f") == "a\nb\n"
    tree = StandIn("a\nif b:  # c\n    d\n")
    with pytest.raises(RewriteRefused, match="# c"):
        fix_of(tree, Remove(tree.statement("if")))
    tree = StandIn("a\nb(  # c\n)\n")
    with pytest.raises(RewriteRefused, match="# c"):
        fix_of(tree, Remove(tree.statement("b")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("def f(): pass\n", "@tf.function\ndef f(): pass\n", id="plain"),
        pytest.param(
            "# c\n@d  # e\n\n# g\nasync def f():\n    pass",
            "# c\n@d  # e\n\n# g\n@tf.function\nasync def f():\n    pass",
            id="below-others",
        ),
        pytest.param(
            "class A:\r\n\t# c\r\n\tdef f(self): pass\r\n",
            "class A:\r\n\t# c\r\n\t@tf.function\r\n\tdef f(self): pass\r\n",
            id="method",
        ),
        pytest.param("\n\fdef f(): pass\n", "\n\f@tf.function\ndef f(): pass\n", id="form-feed"),
    ],
)
def test_decorate(text: str, expected: str) -> None:
    tree = StandIn(text)
    assert rewritten(tree, Decorate(tree.find(cst.FunctionDef), "tf.function")) == expected


def test_decorate_with_several_lines() -> None:
    tree = StandIn("if a:\n    def f(): pass\n")
    text = "tf.function(\n    jit_compile=True,\n)"
    assert rewritten(tree, Decorate(tree.find(cst.FunctionDef), text)) == (
        "if a:\n    @tf.function(\n        jit_compile=True,\n    )\n    def f(): pass\n"
    )


def test_replace_decorator() -> None:
    tree = StandIn("@tf.function  # c\ndef f(): pass\n")
    edit = ReplaceDecorator(tree.find(cst.Decorator), "tf.function(jit_compile=True)")
    assert rewritten(tree, edit) == "@tf.function(jit_compile=True)  # c\ndef f(): pass\n"
    with pytest.raises(TypeError, match="not a decorator"):
        fix_of(tree, ReplaceDecorator(tree.find(cst.Decorator), "tf.function)("))


def test_one_line_suite_is_refused() -> None:
    tree = StandIn("if a: x\n")
    suite = tree.find(cst.Expr)
    with pytest.raises(RewriteRefused, match="shares its line"):
        fix_of(tree, InsertBefore(suite, new("y\n")))  # type: ignore[arg-type]
    with pytest.raises(RewriteRefused, match="shares its line"):
        fix_of(tree, Remove(suite))  # type: ignore[arg-type]


def test_several_statements_on_a_line_are_refused() -> None:
    tree = StandIn("a\nx; y\nb\n")
    line = tree.statement("x")
    for edit in (
        Remove(line),
        InsertBefore(line, new("z\n")),
        InsertAfter(line, new("z\n")),
        ReplaceStatements(line, line, new("x\n")),
        ReplaceStatements(tree.statement("a"), tree.statement("b"), new("x\n")),
    ):
        with pytest.raises(RewriteRefused, match="several statements"):
            fix_of(tree, edit)
    result = rewritten(tree, ReplaceStatements(tree.statement("a"), line, [line]))
    assert result == "x; y\nb\n"


def test_elif_is_refused() -> None:
    tree = StandIn("if a:\n    b\nelif c:\n    d\n")
    branch = tree.find(cst.If).orelse
    assert isinstance(branch, cst.If)
    with pytest.raises(RewriteRefused, match="elif"):
        fix_of(tree, InsertBefore(branch, new("e\n")))


def test_overlapping_edits_are_refused() -> None:
    tree = StandIn("a\nb\nc\n")
    a, b, c = (tree.statement(s) for s in "abc")
    with pytest.raises(RewriteRefused, match="overlap"):
        fix_of(tree, ReplaceStatements(a, b, new("d\n")), ReplaceStatements(b, c, new("e\n")))
    with pytest.raises(RewriteRefused, match="overlap"):
        fix_of(tree, ReplaceStatements(a, b, new("d\n")), InsertBefore(b, new("e\n")))


def test_edits_inside_of_replaced_statements_are_refused() -> None:
    tree = StandIn("def f():\n    a\n")
    function, a = tree.find(cst.FunctionDef), tree.statement("a")
    whole = ReplaceStatements(function, function, [function])
    edits: list[NodeEdit] = [InsertAfter(a, new("b\n")), Decorate(function, "d")]
    for edit in edits:
        with pytest.raises(RewriteRefused, match="overlap"):
            fix_of(tree, whole, edit)
        with pytest.raises(RewriteRefused, match="overlap"):
            fix_of(tree, edit, Remove(function))
    beside = InsertAfter(function, new("b\n"))
    assert rewritten(tree, whole, beside) == "def f():\n    a\n\n\nb\n"


def test_insertions_at_one_place_are_one_edit() -> None:
    tree = StandIn("a\nb\n")
    a, b = tree.statement("a"), tree.statement("b")
    edits = (InsertAfter(a, new("c\n")), InsertBefore(b, new("d\n")))
    assert len(fix_of(tree, *edits).edits) == 1
    assert rewritten(tree, *edits) == "a\nc\nd\nb\n"


def test_a_text_that_libcst_changes_is_refused() -> None:
    tree = StandIn("if x:\n\f  a\n\f  b\n  c\n")
    with pytest.raises(RewriteRefused, match="exactly"):
        fix_of(tree, Remove(tree.statement("a")))
