"""Which calls of code, and of what it runs, are of one of certain names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def named_calls(
    model: Answers, nodes: Iterable[cst.CSTNode], names: Collection[str]
) -> Iterator[cst.Call]:
    """The calls among `nodes`."""
    for root in nodes:
        for node in walk(root):
            if isinstance(node, cst.Call) and not model.names.of(node.func).isdisjoint(names):
                yield node


def calls_run(
    model: Answers, nodes: Sequence[cst.CSTNode], names: Collection[str]
) -> Iterator[cst.Call]:
    """The calls among `nodes`, then those in the functions that a run of them runs."""
    below = model.calls.bodies_run_by(nodes)
    return named_calls(model, chain(nodes, below), names)
