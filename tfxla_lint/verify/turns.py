"""The loops around rewritten code, whose turns both versions take: a turn is what is timed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tfxla_lint.verify.changes import MODULE, key_of
from tfxla_lint.verify.trees import Tree, flat

Loop = ast.For | ast.AsyncFor | ast.While
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
#: The headings of the loops from the outermost to this one, each with a number among its like.
_Path = tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    """A loop of a unit that has the same heading in both versions and another body."""

    unit: str
    path: _Path

    @property
    def depth(self) -> int:
        """How many loops of the unit it is in, itself included."""
        return len(self.path)


def turns_between(old: Tree, new: Tree, units: Iterable[str]) -> list[Turn]:
    """The loops of the units whose turns can be timed in both versions."""
    found = []
    for unit in units:
        before, after = loops_of(old, unit), loops_of(new, unit)
        for path, loop in before.items():
            if path not in after or key_of(loop) == key_of(after[path]):
                continue
            if _beside(before, path) == _beside(after, path):
                found.append(Turn(unit, path))
    return found


def _beside(loops: Mapping[_Path, Loop], path: _Path) -> set[_Path]:
    """The loops in the block of one: what a turn did may have moved to others there."""
    return {other for other in loops if other[:-1] == path[:-1]}


def loops_of(tree: Tree, unit: str) -> Mapping[_Path, Loop]:
    """The loops of a unit outside of functions in it."""
    if unit == MODULE:
        return dict(_loops(tree.module.body, ()))
    function = tree.functions.get(unit)
    return dict(_loops(function.body, ())) if function is not None else {}


def _loops(body: list[ast.stmt], path: _Path) -> Iterator[tuple[_Path, Loop]]:
    counts: Counter[str] = Counter()
    for loop in (node for node in flat(body) if isinstance(node, _LOOPS)):
        heading = _heading(loop)
        counts[heading] += 1
        inner = (*path, f"{heading} #{counts[heading]}")
        yield inner, loop
        yield from _loops(loop.body, inner)


def _heading(loop: Loop) -> str:
    """What is the same where the loop goes over something else, as over batches prefetched."""
    return ast.dump(loop.test if isinstance(loop, ast.While) else loop.target)
