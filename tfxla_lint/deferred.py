"""Lets dataclasses wait with compiling their methods until these are called, and enumerations say at
once what their members are.

Before Python 3.13 each method of a dataclass is a text that is compiled by itself when its class is
made. LibCST and this tool have four hundred of such classes, of whose methods a run calls few.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from enum import EnumMeta
from typing import Any


def look_up_members_at_once() -> None:
    """Do without what looks for members of enumerations where there are none, in this process, which is
    to be ours.

    In Python 3.11 the members stand in their classes already; that there is a `__getattr__` makes
    each look-up of one take three times as long. Before, it is needed, and later it is gone.
    """
    if sys.version_info[:2] == (3, 11) and "__getattr__" in vars(EnumMeta):
        del EnumMeta.__getattr__  # type: ignore[attr-defined]


def defer_methods() -> None:
    """Do so for all dataclasses that are made from here on in this process, which is to be ours."""
    compiled: Callable[..., Any] | None = getattr(dataclasses, "_create_fn", None)
    if compiled is None:
        return

    def deferred(name: str, *text: Any, **places: Any) -> Callable[..., Any]:
        made: Callable[..., Any] | None = None

        def method(self: object, *given: Any, **named: Any) -> Any:
            nonlocal made
            # Who has put this method aside may put it back again, as is done around each parse.
            if made is None:
                made = compiled(name, *text, **places)
                made.__qualname__ = method.__qualname__
            for kind in type(self).__mro__:
                if vars(kind).get(name) is method:
                    setattr(kind, name, made)
            return made(self, *given, **named)

        method.__name__ = name
        return method

    setattr(dataclasses, "_create_fn", deferred)  # noqa: B010
