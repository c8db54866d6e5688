"""Names that calls pass by position to what takes them by keyword only today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.symbols import Symbol
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

from ..shared.arguments import is_prepared
from ..shared.by_keyword import by_keyword
from ..shared.imported import may_be_private
from ..shared.outside import outside_call
from ..shared.target import versions

_NAME = "name"


@dataclass(frozen=True)
class NameByPosition:
    """A call that begins with a string which was the name once, and is none for `symbol`.

    `keywords` are what its arguments by position were called.
    """

    call: cst.Call
    symbol: Symbol
    keywords: tuple[str, ...]

    @property
    def can_be_named(self) -> bool:
        """Whether the call means the same with all arguments given by keyword."""
        given = {a.keyword.value for a in self.call.args if a.keyword is not None}
        return not given & {*self.keywords} and all(map(self.symbol.accepts, self.keywords))

    def with_names(self) -> cst.Call:
        """The call with all of its arguments given by keyword."""
        return by_keyword(self.call, dict(enumerate(self.keywords)))


def names_by_position(model: SemanticModel) -> Iterator[NameByPosition]:
    """The calls that the target's TensorFlow refuses for it, or takes the name for something else."""
    for call in model.nodes(cst.Call):
        placed = [a for a in call.args if a.keyword is None]
        if not placed or any(a.star for a in call.args):
            continue
        if model.value(placed[0].value).kind is not Kind.STRING:
            continue
        outside = outside_call(model, call)
        if outside is None or any(may_be_private(model, name, call.func) for name in outside.names):
            continue
        found = [_moved(model, name, len(placed)) for name in outside.names]
        if found and found[0] is not None and None not in found and not is_prepared(model, call):
            yield NameByPosition(call, *found[0])


def _moved(model: SemanticModel, name: str, count: int) -> tuple[Symbol, tuple[str, ...]] | None:
    """A function whose first parameter was its name, as the target has it, and what its first
    parameters were."""
    old = symbols.find(name, tables.covered()[0])
    before = _ordinary(old) if old is not None else []
    if before[:1] != [_NAME] or len(before) < count:
        return None
    now = [symbols.find(name, version) for version in versions(model, name)]
    for symbol in now:
        if symbol is None or _NAME in _ordinary(symbol) or not symbol.accepts(_NAME):
            return None
    return (now[0], tuple(before[:count])) if now and now[0] is not None else None


def _ordinary(symbol: Symbol) -> list[str]:
    return [p.name for p in symbol.params or () if p.kind == "ordinary"]
