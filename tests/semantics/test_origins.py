"""Where values come from: what the one walk looks through, and how it comes to an end."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tests.semantics.conftest import unit_named
from tests.semantics.test_world import models
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through, makers
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
MADE = "def made():\n    return 1\n"


def asked(model: SemanticModel) -> cst.BaseExpression:
    """The argument of the call of `use`."""
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    return call.args[0].value


def roots(model: SemanticModel, through: Through) -> tuple[list[str], bool]:
    """The numbers and binders that a value comes from, and whether the question has an answer."""
    found: list[str] = []

    def judge(node: cst.CSTNode, path: Path) -> bool | Look:
        if isinstance(node, (cst.Integer, cst.Param, cst.For, cst.AugAssign)):
            found.append(f"{model.code(node).strip().splitlines()[0]}{path or ''}")
            return isinstance(node, cst.Integer)
        return THROUGH

    answer = Origins(model.flow, through, judge).of(asked(model))
    return found, bool(answer)


ALL = Through(returns=lambda edge: True, attributes=True, members=True, items=True)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\nuse(x)", (["1"], True)),
        ("x = 1\ny = x\nx = 2\nuse(y)", (["1"], True)),
        ("x = 1\nif c:\n    x = 2\nuse(x)", (["1", "2"], True)),
        ("a, x = 1, 2\nuse(x)", (["2"], True)),
        ("p = 1, (2, 3)\na, (b, x) = p\nuse(x)", (["3"], True)),
        ("use((y := 1))", (["1"], True)),
        ("use(1 if c else 2)", (["1", "2"], True)),
        ("use(1 or 2)", (["1", "2"], True)),
        ("xs = [1, 2]\nuse(xs[1])", (["2"], True)),
        ("xs = [1, 2]\nuse(xs[i])", (["1", "2"], True)),
        ("for x in [1, 2]:\n    use(x)", (["1", "2"], True)),
        ("for a, x in [(1, 2), (3, 4)]:\n    use(x)", (["2", "4"], True)),
        ("def f():\n    return 1\nuse(f())", (["1"], True)),
        ("def f():\n    return 1, 2\na, x = f()\nuse(x)", (["2"], True)),
        ("def f():\n    if c:\n        return 1\n    return 2\nuse(f())", (["1", "2"], True)),
        ("f = lambda: 1\nuse(f())", (["1"], True)),
        ("def f():\n    yield 1\nuse(f())", ([], False)),
        ("class A:\n    def __init__(self):\n        self.x = 1\na = A()\nuse(a.x)", (["1"], True)),
        ("x = 1\nx += 2\nuse(x)", (["x += 2"], False)),
        ("x = c()\nuse(x)", ([], False)),
    ],
)
def test_what_is_looked_through(build: Build, code: str, expected: tuple[list[str], bool]) -> None:
    assert roots(build(code + "\n"), ALL) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for x in [1, 2]:\n    use(x)", ["for x in [1, 2]:(None,)"]),
        ("def f():\n    return 1\nuse(f())", []),
        ("def f(x):\n    use(x)\nf(1)", ["x"]),
    ],
)
def test_what_is_not_asked_for_is_where_a_walk_ends(
    build: Build, code: str, expected: list[str]
) -> None:
    assert roots(build(code + "\n"), Through()) == (expected, False)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(x):\n    use(x)\nf(1)\nf(x=2)", (["1", "2"], True)),
        ("def f(x=1):\n    use(x)\nf()", (["1"], True)),
        ("def f(x):\n    use(x)\nf(*c)", ([], False)),
        ("class A:\n    def f(self, x):\n        use(x)\nA().f(1)", (["1"], True)),
    ],
)
def test_parameters_take_what_the_callers_pass(
    build: Build, code: str, expected: tuple[list[str], bool]
) -> None:
    model = build(code + "\n")
    assert roots(model, Through(callers=model.calls.direct)) == expected


def test_a_call_is_left_by_the_way_on_which_it_was_entered(build: Build) -> None:
    model = build("def same(x):\n    return x\nuse(same(1))\nsame(2)\n")
    through = Through(callers=model.calls.direct, returns=lambda edge: True)
    assert roots(model, through) == (["1"], True)


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("x = 1\nwhile c:\n    y = x\n    x = y\nuse(x)", True),
        ("x = 1\nwhile c:\n    y = x\n    x = y\n    if d:\n        x = c()\nuse(x)", False),
        ("def f(n):\n    return f(n) if n else 1\nuse(f(c))", False),
    ],
)
def test_a_way_back_into_itself_adds_nothing(build: Build, loop: str, expected: bool) -> None:
    assert roots(build(loop + "\n"), ALL)[1] is expected


def test_how_several_origins_agree(build: Build) -> None:
    def answer(agree: Agree, text: str) -> bool:
        model = build(f"x = {text}\nuse(x)\n")
        values = {"1": 1, "2": 2}

        def judge(node: cst.CSTNode, path: Path) -> int | Look | None:
            return values.get(node.value) if isinstance(node, cst.Integer) else THROUGH

        return Origins(model.flow, Through(agree=agree), judge).of(asked(model)) is not None

    one, two, some = "1 if c else 1", "1 if c else 2", "1 if c else 3"
    assert [answer(Agree.ANY, text) for text in (one, two, some)] == [True, True, True]
    assert [answer(Agree.EVERY, text) for text in (one, two, some)] == [True, True, False]
    assert [answer(Agree.ONE, text) for text in (one, two, some)] == [True, False, False]


def test_what_all_origins_say_adds_up(build: Build) -> None:
    def judge(node: cst.CSTNode, path: Path) -> frozenset[str] | Look | None:
        return frozenset({node.value}) if isinstance(node, cst.Integer) else THROUGH

    model = build("x = 1\nwhile c:\n    x = 2 if d else c()\n    y = x\n    x = y\nuse(x)\n")
    assert Origins(model.flow, Through(agree=Agree.ALL), judge).of(asked(model)) == frozenset("12")


def test_a_judge_knows_the_call_that_hands_a_value_over(build: Build) -> None:
    model = build("def f(x):\n    use(x)\ndef g(y):\n    f(y)\nfor _ in c:\n    g(1)\ng(2)\nf(3)\n")
    found: list[tuple[str, str]] = []

    def judge(node: cst.CSTNode, path: Path) -> bool | Look:
        if isinstance(node, cst.Param):
            edges = model.calls.direct(model.unit(node))
            return all(asking.handed(e, e.argument(node.name.value)) for e in edges)
        if isinstance(node, cst.Integer):
            assert asking.call is not None
            found.append((node.value, model.code(asking.call.node)))
        return isinstance(node, cst.Integer) or THROUGH

    asking = Origins(model.flow, Through(), judge)
    assert asking.of(asked(model)) is True
    assert found == [("1", "g(1)"), ("2", "g(2)"), ("3", "f(3)")]
    assert asking.call is None


def test_calls_are_followed_up_and_down(build: Build) -> None:
    model = build("def a():\n    b()\ndef b():\n    c()\n    a()\ndef c():\n    pass\na()\n")
    a, b, c = (unit_named(model, name) for name in "abc")
    assert [unit.name for unit in model.calls.below(a)] == ["a", "b", "c"]
    assert [unit.name for unit in model.calls.run_by(c.body)] == []
    callers = [edge.caller.name for edge in model.calls.leading_to(c)]
    assert callers == ["b", "a", "b", a.parent.name if a.parent is not None else ""]
    assert {unit.name for unit in model.calls.run_by(b.body)} == {"a", "b", "c"}


def test_a_long_chain_costs_its_length(build: Build) -> None:
    chain = "".join(f"x{i + 1} = x{i} if c else x{i}\n" for i in range(60))
    assert roots(build(f"x0 = 1\n{chain}use(x60)\n"), Through()) == (["1"], True)


def test_makers_go_through_names_attributes_and_returns(build: Build) -> None:
    model = build(
        f"{MADE}class A:\n    def __init__(self):\n        self.x = other() if c else made()\n"
        "a = A()\nuse(a.x)\n"
    )
    found = makers(model.flow, asked(model))
    assert [model.code(each) for each in found] == ["other()", "1"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("self.x = a()\n        self.x = b()\n        use(self.x)", {"b()"}),
        ("self.x = a()\n        use(self.x)\n        self.x = b()", {"a()"}),
        (
            "self.x = a()\n        if c:\n            self.x = b()\n        use(self.x)",
            {"a()", "b()"},
        ),
        ("self.x = a()\n        self.plain()\n        use(self.x)", {"a()"}),
        ("self.x = a()\n        self.change()\n        use(self.x)", {"a()", "d()"}),
        ("self.x = a()\n        unknown(self)\n        use(self.x)", {"a()", "d()"}),
        ("if c:\n            self.x = a()\n        use(self.x)", {"a()", "d()"}),
    ],
)
def test_a_read_sees_the_last_write_of_its_function(
    build: Build, body: str, found: set[str]
) -> None:
    model = build(
        f"class A:\n    def __init__(self, other):\n        {body}\n"
        "    def plain(self):\n        return 1\n"
        "    def change(self):\n        self.x = d()\n"
    )
    made = makers(model.flow, asked(model))
    assert {model.code(each) for each in made} == found


@pytest.mark.parametrize(
    "code",
    [
        "from lib import x\nuse(x)",
        "from lib import x as y\nuse(y)",
        "import lib\nuse(lib.x)",
        "from lib import *\nuse(x)",
        "import lib\nuse(lib.give())",
        "from lib import A\nuse(A().x)",
        "import lib\ndef f(y):\n    use(y)\nlib.run(f)\nf(lib.x)",
    ],
)
def test_other_files_are_looked_into(code: str) -> None:
    lib = "x = 2\nx = 1\ndef give():\n    return x\nclass A:\n    def __init__(self):\n        self.x = x\n"
    world = models(lib=lib, main=code + "\n")
    through = Through(world["main"].calls.direct, lambda edge: True, attributes=True)
    assert roots(world["main"], through) == (["1"], True)


def test_callers_in_other_files_are_asked() -> None:
    world = models(lib="def f(x):\n    use(x)\n", main="import lib\nlib.f(1)\nlib.f(x=2)\n")
    through = Through(world["lib"].calls.direct)
    assert roots(world["lib"], through) == (["1", "2"], True)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("x = 1", "from first import x", (["1"], True)),
        ("from first import x", "from first import x", ([], False)),
        ("from second import x", "from first import x", ([], False)),
        (
            "try:\n    from second import x\nexcept E:\n    x = 1",
            "from first import x",
            (["1"], True),
        ),
        ("from second import *", "from first import x", ([], False)),
    ],
)
def test_modules_that_have_a_name_from_each_other(
    first: str, second: str, expected: tuple[list[str], bool]
) -> None:
    world = models(first=first + "\n", second=second + "\n", main="from second import x\nuse(x)\n")
    assert roots(world["main"], ALL) == expected
