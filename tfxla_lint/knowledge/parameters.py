"""Parameters of functions, as the tables write them: one line of blank-separated tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ParamKind = Literal["positional-only", "ordinary", "keyword-only", "variadic", "keywords"]


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter.

    `default` is its source text (``"..."`` where too long to keep), None where it must be given.
    `known` belongs to ``**kwargs``: the keywords that its function makes use of, None if any may
    be meant.
    """

    name: str
    kind: ParamKind = "ordinary"
    default: str | None = None
    known: frozenset[str] | None = None

    def __str__(self) -> str:
        if self.kind == "variadic":
            return "*" + self.name
        if self.kind == "keywords":
            return "**" + self.name
        return self.name if self.default is None else f"{self.name}={self.default}"


def parse(line: str) -> tuple[Param, ...] | None:
    """The parameters that a line of tokens describes; None where nothing is known."""
    if line == "?":
        return None
    found: list[Param] = []
    kind: ParamKind = "ordinary"
    for token in line.split():
        if token == "*":
            kind = "keyword-only"
        elif token == "/":
            found = [Param(p.name, "positional-only", p.default) for p in found]
        elif token.startswith("**"):
            found.append(_keywords(token[2:]))
        elif token.startswith("*"):
            found.append(Param(token[1:], "variadic"))
            kind = "keyword-only"
        else:
            name, equals, default = token.partition("=")
            found.append(Param(name, kind, default if equals else None))
    return tuple(found)


def _keywords(token: str) -> Param:
    name, bracket, rest = token.partition("(")
    if not bracket:
        return Param(name, "keywords")
    return Param(name, "keywords", known=frozenset(filter(None, rest.rstrip(")").split(","))))


def render(params: tuple[Param, ...] | None) -> str:
    """The parameters as in a ``def``, without the parentheses."""
    if params is None:
        return "..."
    parts: list[str] = []
    kinds = [p.kind for p in params]
    for position, param in enumerate(params):
        if param.kind == "keyword-only" and not {"keyword-only", "variadic"} & {*kinds[:position]}:
            parts.append("*")
        parts.append(str(param))
        if param.kind == "positional-only" and "positional-only" not in kinds[position + 1 :]:
            parts.append("/")
    return ", ".join(parts)
