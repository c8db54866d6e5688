"""Which argument feeds which parameter, for every way in which Python lets a function be called."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.flow.calls import Passing
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]

CLASS = """
import functools

class Base:
    def f(self, x, y=7):
        return x

    @classmethod
    def make(cls, x, y=7):
        return cls(x)

    @staticmethod
    def static(x, y=7):
        return x

class Cls(Base):
    def __init__(self, x=0):
        self.x = x

    def __call__(self, x, y=7):
        return x

    def f(self, x, y=7):
        return super().f(x, y)

    def own(self, x):
        return self.static(x)

    @classmethod
    def other(cls, x):
        return cls(x)

obj = Cls()
"""


def passed(model: SemanticModel, qualname: str, where: str) -> dict[str, str] | None:
    """What the call that is written like `where` passes each parameter of a function."""
    unit = unit_named(model, qualname)
    for edge in model.calls.callers(unit):
        if model.code(edge.node) == where:
            return {
                name: (
                    model.code(given.node)
                    if given.how in (Passing.ARGUMENT, Passing.RECEIVER) and given.node is not None
                    else given.how.name
                )
                for name, given in edge.arguments.items()
            }
    return None


@pytest.mark.parametrize(
    ("call", "callee", "expected"),
    [
        ("obj.f(1)", "Cls.f", {"self": "obj", "x": "1", "y": "DEFAULT"}),
        ("obj.f(y=2, x=1)", "Cls.f", {"self": "obj", "x": "1", "y": "2"}),
        ("obj.f(1, 2)", "Cls.f", {"self": "obj", "x": "1", "y": "2"}),
        ("obj.f(*c)", "Cls.f", {"self": "obj"}),
        ("obj.f(1, *c)", "Cls.f", {"self": "obj", "x": "1"}),
        ("obj.f(1, **c)", "Cls.f", {"self": "obj", "x": "1"}),
        ("obj.f(y=2, *c)", "Cls.f", {"self": "obj", "y": "2"}),
        ("Cls.f(obj, 1)", "Cls.f", {"self": "obj", "x": "1", "y": "DEFAULT"}),
        ("Cls.f(x=1, self=obj)", "Cls.f", {"self": "obj", "x": "1", "y": "DEFAULT"}),
        ("Cls.make(1)", "Base.make", {"cls": "Cls", "x": "1", "y": "DEFAULT"}),
        ("obj.make(1, 2)", "Base.make", {"cls": "obj", "x": "1", "y": "2"}),
        ("Base.make(y=2, x=1)", "Base.make", {"cls": "Base", "x": "1", "y": "2"}),
        ("Cls.static(1)", "Base.static", {"x": "1", "y": "DEFAULT"}),
        ("obj.static(1, y=2)", "Base.static", {"x": "1", "y": "2"}),
        ("Cls(1)", "Cls.__init__", {"self": "MADE", "x": "1"}),
        ("obj(1)", "Cls.__call__", {"self": "obj", "x": "1", "y": "DEFAULT"}),
        ("Cls()(1)", "Cls.__call__", {"self": "Cls()", "x": "1", "y": "DEFAULT"}),
        ("functools.partial(obj.f, 1)(2)", "Cls.f", {"x": "1", "y": "2"}),
        ("functools.partial(obj.f, y=2)(1)", "Cls.f", {"x": "1", "y": "2"}),
        ("functools.partial(Cls.static, 1)(2)", "Base.static", {"x": "1", "y": "2"}),
        ("functools.partial(Cls.make, 1)(y=2)", "Base.make", {"x": "1", "y": "2"}),
        ("functools.partial(Cls.f, obj)(1)", "Cls.f", {"self": "obj", "x": "1", "y": "DEFAULT"}),
        ("functools.partial(functools.partial(obj.f, 1), 2)()", "Cls.f", {"x": "1", "y": "2"}),
    ],
)
def test_calls_from_outside(build: Build, call: str, callee: str, expected: dict[str, str]) -> None:
    found = passed(build(f"{CLASS}\n{call}\n"), callee, call)
    assert found == expected


@pytest.mark.parametrize(
    ("call", "callee", "expected"),
    [
        ("super().f(x, y)", "Base.f", {"self": "super()", "x": "x", "y": "y"}),
        ("self.static(x)", "Base.static", {"x": "x", "y": "DEFAULT"}),
        ("cls(x)", "Cls.__init__", {"self": "MADE", "x": "x"}),
    ],
)
def test_calls_of_a_class_by_itself(
    build: Build, call: str, callee: str, expected: dict[str, str]
) -> None:
    found = passed(build(CLASS + "\nCls.other(1)\n"), callee, call)
    assert found == expected


@pytest.mark.parametrize(
    ("signature", "arguments", "expected"),
    [
        ("a, b, *, c", "1, 2, c=3", {"a": "1", "b": "2", "c": "3"}),
        ("a, /, b", "1, b=2", {"a": "1", "b": "2"}),
        ("a, *rest, c=0", "1, 2, 3", {"a": "1", "c": "DEFAULT"}),
        ("a, **rest", "a=1, b=2", {"a": "1"}),
        ("a, b=0", "*c, b=2", {"b": "2"}),
        ("a, b=0", "1, *c", {"a": "1"}),
        ("a, b=0", "*c, 2", {}),
        ("a, b=0", "1, **c", {"a": "1"}),
    ],
)
def test_forms_of_parameters(
    build: Build, signature: str, arguments: str, expected: dict[str, str]
) -> None:
    call = f"f({arguments})"
    assert passed(build(f"def f({signature}):\n    pass\n{call}\n"), "f", call) == expected


def test_an_argument_knows_its_parameter(build: Build) -> None:
    model = build(CLASS + "\nobj.f(1, y=2)\nCls.make(3)\nobj.static(4)\n")
    found = {
        model.code(argument.value): edge.parameter(argument)
        for qualname in ("Cls.f", "Base.make", "Base.static")
        for edge in model.calls.direct(unit_named(model, qualname))
        if edge.caller.is_module
        for argument in cst.ensure_type(edge.node, cst.Call).args
    }
    names = {text: parameter and parameter.name for text, parameter in found.items()}
    assert names == {"1": "x", "2": "y", "3": "x", "4": "x"}
