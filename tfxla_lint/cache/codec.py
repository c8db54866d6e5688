"""Plain data as JSON and back: dataclasses of plain fields, enumerations, tuples, mappings.

What comes back is checked against the types: a cache may hold anything.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin

_Decoder = Callable[[Any], Any]


def encode(value: object) -> Any:
    """What JSON can hold of `value`; raises TypeError for what is no plain data."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return [encode(getattr(value, part.name)) for part in fields(value)]
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(encode(item) for item in value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{type(value).__name__} is no plain data")


def decode(hint: Any, data: Any) -> Any:
    """The value of the type `hint` that `encode` made `data` of; raises ValueError."""
    return _decoder(hint)(data)


def hint_of(owner: type, part: Field[Any]) -> Any:
    """The type of a field, whose annotation is text; raises TypeError where it is no plain data."""
    try:
        return eval(str(part.type), vars(sys.modules[owner.__module__]))
    except NameError as error:
        raise TypeError(f"{part.name} is no plain data") from error


@cache
def _decoder(hint: Any) -> _Decoder:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _optional(*(_decoder(part) for part in arguments if part is not type(None)))
    if origin is tuple and arguments[-1] is Ellipsis:
        return _sequence(_decoder(arguments[0]))
    if origin is frozenset:
        members = _sequence(_decoder(arguments[0]))
        return lambda data: frozenset(members(data))
    if origin is tuple:
        return _record(tuple, tuple(_decoder(part) for part in arguments))
    if isinstance(hint, type) and is_dataclass(hint):
        parts = tuple(_decoder(hint_of(hint, part)) for part in fields(hint))
        return _record(lambda values: hint(*values), parts)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if hint in (str, int, bool, float):
        return _plain(hint)
    raise TypeError(f"{hint} is no plain data")


def _optional(inner: _Decoder) -> _Decoder:
    return lambda data: None if data is None else inner(data)


def _sequence(inner: _Decoder) -> _Decoder:
    def decode(data: Any) -> Any:
        return tuple([inner(item) for item in _list(data)])

    return decode


def _record(make: Callable[[Any], Any], parts: tuple[_Decoder, ...]) -> _Decoder:
    def decode(data: Any) -> Any:
        return make([part(item) for part, item in zip(parts, _list(data), strict=True)])

    return decode


def _plain(kind: type) -> _Decoder:
    def decode(data: Any) -> Any:
        if type(data) is not kind:
            raise ValueError(f"{data!r} is no {kind.__name__}")
        return data

    return decode


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError("not a list")
    return data
