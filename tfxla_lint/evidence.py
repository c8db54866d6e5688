"""Evidence that several rules give: how traced or compiled code is reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from tfxla_lint.rule import Evidence
from tfxla_lint.semantics.compiled import Compiled
from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.recorded import taken_on_trust
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import opens_tape


def of_route(route: Route, what: str = "traced") -> list[Evidence]:
    """Where a route begins, and each call on the way."""
    return list(_steps(route, what))


def _steps(route: Route, what: str) -> Iterator[Evidence]:
    yield Evidence(_shown(route.root), _start(route, what))
    for call in route.calls:
        yield Evidence(call, f"{what} through this call")


def _start(route: Route, what: str) -> str:
    if isinstance(route.root, cst.Decorator):
        return f"{what} by this decorator"
    if isinstance(route.root, cst.FunctionDef):
        return f"{what}: {route.reason}"
    return f"{what} by this call"


def _shown(node: cst.CSTNode) -> cst.CSTNode:
    return node.name if isinstance(node, (cst.FunctionDef, cst.ClassDef)) else node


def of_compiled(compiled: Compiled) -> list[Evidence]:
    """What asks for XLA, and each call from there to the compiled unit."""
    calls = [Evidence(call, "compiled through this call") for call in compiled.calls]
    return [Evidence(_shown(compiled.root), "compiled by XLA because of this"), *calls]


def of_nodes(nodes: Sequence[cst.CSTNode], message: str) -> list[Evidence]:
    """The same remark on several nodes."""
    return [Evidence(_shown(node), message) for node in nodes]


#: So many of the things that block tracing are shown; what is sure to block stands first.
_MOST_BLOCKERS = 5
_MOST_LINES = 3


def of_blockers(model: SemanticModel, blockers: Iterable[Blocker]) -> list[Evidence]:
    """What keeps code from being traced, each place once, what is sure to before what may."""
    places: dict[int, Blocker] = {}
    for blocker in sorted(blockers, key=lambda blocker: blocker.is_doubt):
        places.setdefault(id(blocker.node), blocker)
    return [
        Evidence(
            blocker.node,
            f"{'may block' if blocker.is_doubt else 'blocks'} tracing: {_told(model, blocker)}",
            is_further=index >= _MOST_BLOCKERS,
            is_decisive=index == 0 and not blocker.is_doubt,
        )
        for index, blocker in enumerate(places.values())
    ]


def _told(model: SemanticModel, blocker: Blocker) -> str:
    """What blocks, and on which lines that stands which it speaks of."""
    lines = sorted({(model.path(n) or "", model.line(n)) for n in blocker.places if model.line(n)})
    if not lines:
        return blocker.message
    shown = [f"{path}:{line}" if path else str(line) for path, line in lines[:_MOST_LINES]]
    last = shown.pop() if len(lines) <= _MOST_LINES else f"{len(lines) - _MOST_LINES} more"
    listed = f"{', '.join(shown)} and {last}" if shown else last
    what = "" if lines[0][0] else "line " if len(lines) == 1 else "lines "
    return f"{blocker.message} (see {what}{listed})"


def whether_traceable(
    model: SemanticModel, blockers: Iterable[Blocker], code: Sequence[cst.CSTNode]
) -> str:
    """The end of a message on code that runs eagerly: what stands in the way of a trace."""
    found = list(blockers)
    sure = {id(blocker.node) for blocker in found if not blocker.is_doubt}
    doubts = {id(blocker.node) for blocker in found} - sure
    parts = []
    if sure:
        parts.append(f"{_places(len(sure))} {'keeps' if len(sure) == 1 else 'keep'}")
    if doubts:
        count = "one" if len(doubts) == 1 else str(len(doubts))
        parts.append(f"{count if sure else _places(len(doubts))} may keep")
    if not parts:
        blocks = (part for root in code for part in walk(root) if isinstance(part, cst.With))
        tapes = [block.body for block in blocks if opens_tape(model, block)]
        what = "nothing that is in sight" if taken_on_trust(model, tapes) else "nothing"
        return f", and {what} keeps it from being a tf.function"
    return f"; {' and '.join(parts)} it from being traced as it stands"


def _places(count: int) -> str:
    return "one place" if count == 1 else f"{count} places"
