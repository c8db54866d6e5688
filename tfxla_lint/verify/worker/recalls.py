"""Calls wrong versions of functions with what a program passed last, when it has ended.

All functions run eagerly in such a call, so that nothing is traced for it: what is asked is whether
the values that come out would be told from the right ones, not how they are computed.
"""

from __future__ import annotations

import ast
import contextlib
from dataclasses import replace
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional

from tfxla_lint.sandbox.inside.nodes import MISSING
from tfxla_lint.verify.worker.replays import Replay, Replaying
from tfxla_lint.verify.worker.variations import Last

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MARKS = ("__txl_boundary__", "__txl_made__")


class Recalls(NamedTuple):
    """The last calls of functions of a program that has ended, and what makes them again."""

    last: Mapping[str, Last]
    replaying: Replaying

    def right(self, name: str) -> List[Replay]:
        """What the last call of a function gives, and with values far out where that is asked for.

        Empty where it cannot be made again.
        """
        again = self.last.get(name)
        return self._all(again, True) if again is not None else []

    def _all(self, again: Last, has_far: bool) -> List[Replay]:
        first = self.replaying.eagerly_again(again)
        far = self.replaying.eagerly_far(again) if has_far and first is not None else []
        return [first, *far] if first is not None else []

    def wrong(self, name: str, changed: str, text: str, has_far: bool) -> List[Replay]:
        """The same with the function `changed` as it is in a text.

        Empty where it cannot be put into the place of the other.
        """
        again = self.last[name]
        node = definition(text, changed)
        namespace = getattr(again.plain, "__globals__", None)
        if node is None or namespace is None:
            return []
        try:
            with _put(node, changed, namespace) as function:
                if changed == name:
                    again = replace(again, function=_bound(function, again.owner))
                return self._all(again, has_far)
        except Exception:
            return []


def definition(text: str, name: str) -> Optional[ast.stmt]:
    """The definition of a function or method of a module, without the marks of the watch."""
    owner, _, short = name.rpartition(".")
    for node in ast.walk(ast.parse(text)):
        inside = node.body if isinstance(node, ast.ClassDef) and node.name == owner else ()
        for part in inside if owner else [node]:
            if isinstance(part, _FUNCTIONS) and part.name == short:
                part.decorator_list = [d for d in part.decorator_list if not _is_mark(d)]
                return part
    return None


def _bound(function: Any, owner: Any) -> Any:
    return function if owner is None else function.__get__(owner, type(owner))


def _is_mark(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in _MARKS


@contextlib.contextmanager
def _put(node: ast.stmt, name: str, namespace: Dict[str, Any]) -> Iterator[Any]:
    """Put a definition into the place of the one that has its name; yields what it defines."""
    owner, _, short = name.rpartition(".")
    made: Dict[str, Any] = {}
    exec(compile(ast.Module([node], []), "<wrong>", "exec"), namespace, made)
    function = made[short]
    if owner:
        cls = namespace[owner]
        before = vars(cls).get(short, MISSING)
        setattr(cls, short, function)
    else:
        before = namespace.get(short, MISSING)
        namespace[short] = function
    try:
        yield function
    finally:
        if owner:
            setattr(cls, short, before)
        else:
            namespace[short] = before
