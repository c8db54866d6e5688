"""Which argument feeds which parameter: Python's own rules, for whatever stands for arguments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tfxla_lint.semantics.units import Parameter, Unit

_Given = TypeVar("_Given")


@dataclass(slots=True)
class Bound(Generic[_Given]):
    """What a call gives the parameters of a function, by their names.

    `several` holds what `*args` and `**kwargs` gather; `is_open` says that starred arguments may
    feed any of the parameters that nothing else feeds; `missing` are those left to their defaults.
    """

    single: dict[str, _Given] = field(default_factory=dict)
    several: dict[str, list[_Given]] = field(default_factory=dict)
    missing: list[Parameter] = field(default_factory=list)
    is_open: bool = False


def bind(
    unit: Unit, arguments: Iterable[tuple[str | None, _Given]], skip: int = 0
) -> Bound[_Given]:
    """Bind arguments to parameters; `skip` leading parameters are bound already.

    An argument comes with its keyword: None where it is positional, "*" or "**" where it is starred.
    """
    signature = unit.signature
    ordered = signature.positional[skip:]
    bound: Bound[_Given] = Bound()
    position = 0
    for keyword, given in arguments:
        if keyword in ("*", "**"):
            bound.is_open = True
        elif keyword is not None:
            if keyword in signature.by_keyword:
                bound.single[keyword] = given
            elif signature.extra is not None:
                bound.several.setdefault(signature.extra.name, []).append(given)
        elif bound.is_open:
            # How many arguments a star gave is unknown, and with it the place of this one.
            continue
        elif position < len(ordered):
            bound.single[ordered[position].name] = given
            position += 1
        elif signature.rest is not None:
            bound.several.setdefault(signature.rest.name, []).append(given)
    bound.missing = [
        parameter
        for parameter in (*ordered, *signature.keyword_only)
        if parameter.name not in bound.single
    ]
    return bound
