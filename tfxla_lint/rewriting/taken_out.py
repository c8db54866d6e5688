"""Python's statements below a tape: a `print` of the loss among the ops that are recorded.

They are taken out of the block, so that the rest of it can move, and follow the call of the step,
or go before it where they bind what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.semantics.flow.liveness import Liveness
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.turns import opens_tape


@dataclass
class TakenOut:
    """What is taken out of statements, by their ids, and what is left of these."""

    left: dict[int, cst.With] = field(default_factory=dict)
    out: dict[int, list[Statement]] = field(default_factory=dict)
    blockers: dict[int, list[Blocker]] = field(default_factory=dict)

    def rest(self, statements: Iterable[Statement]) -> list[Statement]:
        """The statements as they are to move."""
        return [self.left_of(statement) for statement in statements]

    def left_of(self, statement: Statement) -> Statement:
        """A statement without what is taken out of it."""
        return self.left.get(id(statement), statement)

    def of(self, statement: Statement) -> list[Statement]:
        """What is taken out of a statement."""
        return self.out.get(id(statement), [])

    def of_each(self, statements: Iterable[Statement]) -> list[Statement]:
        """What is taken out of any of some statements."""
        return [inner for statement in statements for inner in self.of(statement)]

    def of_all(self, statements: Iterable[Statement]) -> list[Blocker]:
        """What would keep the statements from being traced, were nothing taken out."""
        return [b for statement in statements for b in self.blockers.get(id(statement), ())]

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether a node is part of what is taken out."""
        statements = (statement for found in self.out.values() for statement in found)
        return any(inner is node for statement in statements for inner in walk(statement))


def take_out(
    model: SemanticModel,
    liveness: Liveness,
    body: Sequence[Statement],
    verdicts: Sequence[Sequence[Blocker]],
    *,
    to_end: bool = False,
) -> TakenOut:
    """Take out of each tape's block what keeps it from being traced, and what rests on that.

    With `to_end` all that follows goes along, in its order, unless the step itself is part of it.
    """
    taken = TakenOut()
    for statement, blockers in zip(body, verdicts, strict=True):
        if not blockers or not isinstance(statement, cst.With) or not opens_tape(model, statement):
            continue
        out = _holders(model, liveness, statement, blockers)
        if out and to_end:
            out = _end_from(model, statement, out[0])
        if out is None or any(_leaves(inner) for inner in out):
            continue
        kept = [inner for inner in statement.body.body if inner not in out]
        if kept:
            block = statement.body.with_changes(body=kept)
            taken.left[id(statement)] = statement.with_changes(body=block)
            taken.out[id(statement)] = out
            taken.blockers[id(statement)] = list(blockers)
    return taken


def _holders(
    model: SemanticModel, liveness: Liveness, block: cst.With, blockers: Sequence[Blocker]
) -> list[Statement] | None:
    """The statements of a block that hold the blockers, with those after them that read what they
    bind; None where one lies elsewhere."""
    inner = {id(statement): statement for statement in block.body.body}
    found: set[int] = set()
    for blocker in blockers:
        places = [id(node) for node in (blocker.node, *model.ancestors(blocker.node))]
        holder = next((place for place in places if place in inner), None)
        if holder is None:
            return None
        found.add(holder)
    bound: set[str] = set()
    holders: list[Statement] = []
    for statement in block.body.body:
        if not is_statement(statement):
            continue
        is_resting = not _computes(model, statement) and bound & liveness.reads(statement)
        if id(statement) in found or is_resting:
            holders.append(statement)
            bound |= bound_names([statement])
    return holders


def _end_from(model: SemanticModel, block: cst.With, first: Statement) -> list[Statement] | None:
    """The statements of a block from one on; None where they train, or are asked of the tape."""
    inner = [statement for statement in block.body.body if is_statement(statement)]
    end = inner[inner.index(first) :]
    work = model.works.of(end)
    trains = work.tapes or work.gradients or work.applies or work.losses or work.model_calls
    return None if trains else end


def _computes(model: SemanticModel, statement: Statement) -> bool:
    """Whether a statement does what belongs into the trace."""
    work = model.works.of([statement])
    return bool(work.total or work.tapes or work.traced_calls)


def _leaves(statement: Statement) -> bool:
    """Whether a statement leaves the block."""
    jumps = (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Await, cst.Raise)
    return any(isinstance(node, jumps) for node in walk(statement, into_scopes=False))
