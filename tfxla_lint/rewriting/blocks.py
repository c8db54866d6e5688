"""Blocks of statements that run again and again, from which a region may move into a function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.rewriting.outline import Outline
from tfxla_lint.rewriting.placement import Place, find_place
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import bound_names, target_names, walk
from tfxla_lint.semantics.units import Unit


@dataclass(frozen=True)
class Block:
    """Statements of a unit, and what is known of each of their runs.

    `repeated` is the code whose every run calls the new function. `changing` are the names that
    a run may find bound anew, `was_bound` says which have a value before any. `targets` are those
    whose parameters come first. `find_place` says where the function of an outline goes; `within` is
    the loop for which it is made anew, if the attributes that it reads stay the same there alone;
    `lasting` gives the same block for such a loop, if there is one.
    """

    unit: Unit
    body: Sequence[Statement]
    repeated: cst.CSTNode
    changing: set[str]
    was_bound: Callable[[str], bool]
    targets: Sequence[str]
    find_place: Callable[[Outline], Place]
    within: cst.CSTNode | None = None
    lasting: Callable[[], Block | None] = lambda: None

    def bindings(self, name: str) -> Sequence[Binding]:
        """What binds a name of the unit, there or by `global` and `nonlocal`."""
        home = self.unit.scope.home(name)
        return home.bindings.get(name, ()) if home is not None else ()

    def bound_by(self, name: str, nodes: Collection[int]) -> Sequence[Binding]:
        """The bindings of a name of the unit by the nodes with these ids."""
        home = self.unit.scope.home(name)
        return home.bound_by(name, nodes) if home is not None else ()


def statements_of(suite: cst.BaseSuite) -> list[Statement]:
    """The statements of a suite, each on lines of its own."""
    body = suite.body if isinstance(suite, cst.IndentedBlock) else ()
    return [statement for statement in body if is_statement(statement)]


def block_of_loop(
    model: SemanticModel,
    step: StepLoop,
    suite: cst.BaseSuite | None = None,
    within: cst.CSTNode | None = None,
) -> Block:
    """The body of a step loop, or a block in it; the state that it reads stays in the loop `within`."""
    unit, loop = step.unit, step.loop

    def was_bound(name: str) -> bool:
        home = unit.scope.home(name)
        bindings = home.bindings.get(name, ()) if home is not None else ()
        return any(id(binding.node) not in inside for binding in bindings)

    body = statements_of(loop.body if suite is None else suite)
    around = model.loops.around(body[0], unit) if body else []
    inside = {id(node) for node in walk(loop)}
    return Block(
        unit,
        body,
        loop,
        changing=bound_names(around[:1]),
        was_bound=was_bound,
        targets=target_names(loop.target) if isinstance(loop, cst.For) else [],
        find_place=lambda outline: find_place(
            model, step, outline.moved, outline.parameters, outline.hidden, within
        ),
        within=within,
        lasting=lambda: _lasting(model, step, suite) if within is None else None,
    )


def _lasting(model: SemanticModel, step: StepLoop, suite: cst.BaseSuite | None) -> Block | None:
    """The same for the outermost loop in which nothing sets the attributes that a step reads."""
    block = block_of_loop(model, step, suite)
    for loop in (*model.loops.around(step.loop, step.unit), step.loop):
        found = model.ask(Safety).region_blockers(block.unit, block.body, block.changing, loop)
        if not step.unit.is_module and not any(blocker.is_of_attribute for blocker in found):
            return block_of_loop(model, step, suite, loop)
    return None
