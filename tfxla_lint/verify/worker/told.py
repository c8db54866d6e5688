"""Whether arguments are such as a docstring, or what code does with them, tells of them."""

from __future__ import annotations

import inspect
from typing import Any, Dict, Mapping, Sequence


def is_told(
    parameters: Sequence[Mapping[str, Any]],
    function: Any,
    positional: Sequence[Any],
    keywords: Mapping[str, Any],
) -> bool:
    """Whether no number is larger than the argument that a docstring says it is not larger than, or than a
    size that code takes it from; nor odd, nor an array too short, where it says otherwise.
    """
    beyond = {p["name"]: p["not_beyond"] for p in parameters if p.get("not_beyond")}
    limits = {p["name"]: p["listed"]["most"] for p in parameters if "most" in p.get("listed", {})}
    sizes = {p["name"]: p["within"] for p in parameters if p.get("within")}
    if not (limits or sizes or beyond):
        return True
    given = inspect.signature(function).bind(*positional, **keywords)
    given.apply_defaults()
    values = given.arguments
    for name, most in limits.items():
        members, limit = values.get(name), values.get(most)
        if isinstance(members, (list, tuple)) and isinstance(limit, (int, float)):
            if any(isinstance(n, (int, float)) and n > limit for n in members):
                return False
    if not all(_keeps(values.get(name), said, values) for name, said in beyond.items()):
        return False
    return all(_fits(values.get(name), around, values) for name, around in sizes.items())


def in_order(parameters: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> Dict[str, Any]:
    """The values of parameters, those of one kind in the order of their defaults: no `low_share=0.4` is above
    `high_share=0.5`. Of one kind are those whose names end in the same word.
    """
    found = dict(values)
    defaults = {p["name"]: p["value"] for p in parameters if type(p.get("value")) is float}
    for below in defaults:
        for above in defaults:
            is_of_kind = "_" in below and below.rpartition("_")[2] == above.rpartition("_")[2]
            if not is_of_kind or defaults[below] >= defaults[above]:
                continue
            low, high = (found.get(name, defaults[name]) for name in (below, above))
            if type(low) is float and type(high) is float and low > high:
                # What is left out stays what it is.
                found.update({below: high} if below in found else {})
                found.update({above: low} if above in found else {})
    return found


def _keeps(given: Any, said: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Whether an argument is as a docstring says: odd or even, long enough, below a size."""
    if "parity" in said and type(given) is int and given % 2 != said["parity"]:
        return False
    if "times" in said:
        other, times = said["times"]
        shape, number = getattr(given, "shape", None), values.get(other)
        if shape is not None and len(shape) and type(number) is int and shape[0] < times * number:
            return False
    if "below" in said and type(given) is int:
        owner, axis, is_strict = said["below"]
        shape = getattr(values.get(owner), "shape", None)
        if shape is not None and axis < len(shape):
            return bool(given < shape[axis] if is_strict else given <= shape[axis])
    return True


def _fits(number: Any, around: Sequence[Sequence[Any]], values: Mapping[str, Any]) -> bool:
    if type(number) is not int:
        return True
    for owner, axis in around:
        shape = getattr(values.get(owner), "shape", None)
        if shape is not None and -len(shape) <= axis < len(shape) and number > shape[axis]:
            return False
    return True
