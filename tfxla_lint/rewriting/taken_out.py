"""Python's statements below a tape: a `print` of the loss among the ops that are recorded.

They are taken out of the block, so that the rest of it can move, and follow the call of the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.values import Kind


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
    model: SemanticModel, body: Sequence[Statement], verdicts: Sequence[Sequence[Blocker]]
) -> TakenOut:
    """Take out of each tape's block what keeps it from being traced, where that only acts."""
    taken = TakenOut()
    for statement, blockers in zip(body, verdicts, strict=True):
        if not blockers or not isinstance(statement, cst.With) or not _is_tape(model, statement):
            continue
        out = _holders(model, statement, blockers)
        if out is None or not all(_only_acts(model, inner) for inner in out):
            continue
        kept = [inner for inner in statement.body.body if inner not in out]
        if kept:
            block = statement.body.with_changes(body=kept)
            taken.left[id(statement)] = statement.with_changes(body=block)
            taken.out[id(statement)] = out
            taken.blockers[id(statement)] = list(blockers)
    return taken


def _is_tape(model: SemanticModel, node: cst.With) -> bool:
    return any(model.value(item.item).kind is Kind.TAPE for item in node.items)


def _holders(
    model: SemanticModel, block: cst.With, blockers: Sequence[Blocker]
) -> list[Statement] | None:
    """The statements of a block that hold the blockers; None where one lies elsewhere."""
    inner = {id(statement): statement for statement in block.body.body}
    found: set[int] = set()
    for blocker in blockers:
        places = [id(node) for node in (blocker.node, *model.ancestors(blocker.node))]
        holder = next((place for place in places if place in inner), None)
        if holder is None:
            return None
        found.add(holder)
    holders = [statement for statement in block.body.body if id(statement) in found]
    return [statement for statement in holders if is_statement(statement)]


def _only_acts(model: SemanticModel, statement: Statement) -> bool:
    """Whether a statement binds nothing and leaves models, variables and tapes alone."""
    work = model.works.of([statement])
    works = work.updates or work.metric_updates or work.model_calls or work.gradients
    if works or work.tapes or work.traced_calls or work.callees or bound_names([statement]):
        return False
    jumps = (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Await, cst.Raise)
    return not any(isinstance(node, jumps) for node in walk(statement, into_scopes=False))
