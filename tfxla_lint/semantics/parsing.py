"""LibCST's parser, with less work for each node that it makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from typing import Any

import libcst as cst

from tfxla_lint.budgets import check_size
from tfxla_lint.semantics.trees import FILLING, setters

_BLANK_END = re.compile(r"(?<=[\r\n])(?<!\\\n)(?<!\\\r)(?<!\\\r\n)[ \t\f]+\Z")
_INIT, _HASH = "__init__", "__hash__"
#: What blanks and punctuation are made of.
_HASHED: tuple[type, ...] = (*FILLING, cst.Comment, cst.EmptyLine)


def parsed(text: str) -> cst.Module:
    """The tree of a file; raises ParserSyntaxError, and TooMuchError where it is too large.

    LibCST loses the lines between the last statement and a last line of blanks without an end, so
    it is not shown those blanks.
    """
    check_size(text)
    constructors = _constructors()
    for kind, (_, quick) in constructors.items():
        setattr(kind, _INIT, quick)
    # The parser asks the package for what makes each node: of blanks and punctuation that are the
    # same it is given one, as in trees that are rebuilt.
    for kind in FILLING:
        setattr(cst, kind.__name__, lru_cache(maxsize=None)(kind))
    own_hash = cst.CSTNode.__hash__
    for held in _HASHED:
        # It hashes by identity as well, but in Python.
        setattr(held, _HASH, object.__hash__)
    try:
        return cst.parse_module(_BLANK_END.sub("", text))
    finally:
        for kind, (own, _) in constructors.items():
            setattr(kind, _INIT, own)
        for kind in FILLING:
            setattr(cst, kind.__name__, kind)
        for held in _HASHED:
            setattr(held, _HASH, own_hash)


@cache
def _constructors() -> dict[type, tuple[Any, Any]]:
    """Each kind of node with its constructor, and with one that takes a third less of a parse.

    A node's own looks for each field by its name, since nothing else may set it, and then holds what
    it was given to what the grammar has seen to.
    """
    kinds = [k for k in vars(cst).values() if isinstance(k, type) and issubclass(k, cst.CSTNode)]
    concrete = [
        k for k in kinds if is_dataclass(k) and _INIT in vars(k) and all(map(_is_plain, fields(k)))
    ]
    return {kind: (vars(kind)[_INIT], _quick_when_called(kind)) for kind in concrete}


def _is_plain(part: Any) -> bool:
    return bool(part.init)


def _quick_when_called(kind: type) -> Callable[..., None]:
    """The quick constructor of a kind, which is compiled when a file has such a node."""

    def make(self: object, **given: Any) -> None:
        constructors = _constructors()
        quick = _quick(kind)
        constructors[kind] = constructors[kind][0], quick
        setattr(kind, _INIT, quick)
        quick(self, **given)

    return make


def _quick(kind: type) -> Callable[..., None]:
    known: dict[str, Any] = {"missing": MISSING}
    parameters, lines = ["self", "*"], []
    for i, (part, put) in enumerate(zip(fields(kind), setters(kind), strict=True)):
        name = value = part.name
        known[f"put_{i}"] = put
        if part.default_factory is not MISSING:
            known[f"make_{i}"] = part.default_factory
            parameters.append(f"{name}=missing")
            value = f"make_{i}() if {name} is missing else {name}"
        elif part.default is not MISSING:
            known[f"default_{i}"] = part.default
            parameters.append(f"{name}=default_{i}")
        else:
            parameters.append(name)
        lines.append(f"    put_{i}(self, {value})")
    head = ", ".join(parameters if lines else parameters[:1])
    exec(f"def make({head}):\n" + "\n".join(lines or ["    pass"]), known)
    made: Callable[..., None] = known["make"]
    return made
