"""Dataclasses whose methods are compiled when they are called are as others are."""

from __future__ import annotations

import dataclasses
import enum
import sys
from typing import Any

import pytest

from tfxla_lint.deferred import defer_methods, look_up_members_at_once


@pytest.fixture
def deferring(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is put off until the test ends, where this Python puts anything off."""
    compiled = getattr(dataclasses, "_create_fn", None)
    if compiled is not None:
        monkeypatch.setattr(dataclasses, "_create_fn", compiled)
    defer_methods()


def _made(**options: bool) -> Any:
    @dataclasses.dataclass(**options)
    class Point:
        x: int
        y: list[int] = dataclasses.field(default_factory=list)

    return Point


@pytest.mark.usefixtures("deferring")
@pytest.mark.parametrize("options", [{"frozen": True}, {"frozen": True, "slots": True}, {}])
def test_a_class_does_what_its_fields_say(options: dict[str, bool]) -> None:
    point = _made(**options)
    one, other = point(1), point(1, y=[])
    assert (one.x, one.y) == (1, [])
    assert one == other
    assert one != point(2)
    assert repr(one).endswith("Point(x=1, y=[])")
    assert dataclasses.replace(one, x=3).x == 3
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        point()


@pytest.mark.usefixtures("deferring")
def test_what_is_frozen_stays_as_it_is() -> None:
    point = _made(frozen=True)(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        hash(point)


@pytest.mark.usefixtures("deferring")
def test_what_inherits_is_made_by_the_class_above() -> None:
    above = _made(frozen=True)
    below = type("Below", (above,), {})
    assert below(4).x == 4
    assert above(5).x == 5
    assert below(4) == below(4)


def test_members_of_enumerations_are_found_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    class Colour(enum.Enum):
        RED = "red"
        name = "name"
        OTHER = RED

    if hasattr(enum.EnumMeta, "__getattr__"):
        monkeypatch.setattr(enum.EnumMeta, "__getattr__", vars(enum.EnumMeta)["__getattr__"])
    look_up_members_at_once()
    assert hasattr(enum.EnumMeta, "__getattr__") is (sys.version_info < (3, 11))
    assert [Colour.RED, Colour.name] == list(Colour)
    assert Colour["OTHER"] is Colour.RED is Colour["RED"] is Colour("red")
    assert not hasattr(Colour, "BLUE")


@pytest.mark.usefixtures("deferring")
def test_a_method_that_was_put_aside_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """While LibCST parses, its constructors are others."""
    point = _made(frozen=True)
    own = vars(point)["__init__"]
    assert point(1).x == 1
    if hasattr(dataclasses, "_create_fn"):
        assert vars(point)["__init__"] is not own
    compiled: list[str] = []
    monkeypatch.setattr("builtins.exec", lambda text, *given: compiled.append(text))
    point.__init__ = own
    assert point(2).x == 2
    assert not compiled
