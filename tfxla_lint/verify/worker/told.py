"""Whether arguments are such as a docstring, or what code does with them, tells of them."""

from __future__ import annotations

import inspect
from typing import Any, Mapping, Sequence


def is_told(
    parameters: Sequence[Mapping[str, Any]],
    function: Any,
    positional: Sequence[Any],
    keywords: Mapping[str, Any],
) -> bool:
    """Whether no number is larger than the argument that a docstring says it is not larger than, or than a
    size that code takes it from.
    """
    limits = {p["name"]: p["listed"]["most"] for p in parameters if "most" in p.get("listed", {})}
    sizes = {p["name"]: p["within"] for p in parameters if p.get("within")}
    if not (limits or sizes):
        return True
    given = inspect.signature(function).bind(*positional, **keywords)
    given.apply_defaults()
    values = given.arguments
    for name, most in limits.items():
        members, limit = values.get(name), values.get(most)
        if isinstance(members, (list, tuple)) and isinstance(limit, (int, float)):
            if any(isinstance(n, (int, float)) and n > limit for n in members):
                return False
    return all(_fits(values.get(name), around, values) for name, around in sizes.items())


def _fits(number: Any, around: Sequence[Sequence[Any]], values: Mapping[str, Any]) -> bool:
    if type(number) is not int:
        return True
    for owner, axis in around:
        shape = getattr(values.get(owner), "shape", None)
        if shape is not None and -len(shape) <= axis < len(shape) and number > shape[axis]:
            return False
    return True
