"""Choosing the region of a block that becomes a `tf.function` of its own.

The choice follows what a careful engineer does by hand: the longest run of statements that can be
traced moves into a function; what belongs to Python (printing, logging, counters, checkpoints)
stays in the loop, after the call where it stood between two moved statements. Names that change
from turn to turn are parameters, never closures; what later code reads is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfxla_lint.rewriting.blocks import Block
from tfxla_lint.rewriting.host_values import HostValue, host_values
from tfxla_lint.rewriting.live_names import LiveNames
from tfxla_lint.rewriting.outline import Outline
from tfxla_lint.rewriting.placement import again
from tfxla_lint.rewriting.regions import Regions
from tfxla_lint.rewriting.taken_out import take_out
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArguments
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.values import Kind, leaves
from tfxla_lint.semantics.work import Work

#: What may give a trace other variables or another optimizer than the first time.
_OF_OBJECTS = frozenset(
    {Reason.CHANGING_STATE, Reason.DIFFERENT_OBJECTS, Reason.UNHASHABLE, Reason.CREATION}
)


def outline_of(model: SemanticModel, block: Block) -> Outline:
    """The outline of what moves out of a block, with blockers where nothing can.

    Where the updates of variables have to stay in Python, the tape and the gradients may still
    move.
    """
    found = _outline(model, block)
    if any(blocker.is_of_attribute for blocker in (*found.blockers, *found.staying)):
        lasting = block.lasting()
        other = _outline(model, lasting) if lasting is not None else found
        return other if not (other.blockers or other.staying) else found
    return found


def _outline(model: SemanticModel, block: Block) -> Outline:
    chooser = _Chooser(model, block)
    found = chooser.outline()
    if chooser.takes_out and (found.blockers or found.staying):
        # What Python does at the end of a tape's block can follow the step as it stands.
        other = _Chooser(model, block, to_end=True).outline()
        if other.moved and not (other.blockers or other.staying):
            return other
    return found


class _Chooser:
    """Tries the regions of a block, the best first."""

    def __init__(self, model: SemanticModel, block: Block, *, to_end: bool = False) -> None:
        self._model = model
        self._block = block
        attributes = AttributeArguments(model, block.unit)
        self._verdicts = _verdicts(model, block, attributes)
        self._values = host_values(model, block.body, block.changing, self._verdicts)
        for index, statement in enumerate(block.body):
            hidden = self._values.hide(statement)
            self._verdicts[index] = [b for b in self._verdicts[index] if id(b.node) not in hidden]
        liveness = model.flow.liveness(block.unit.scope)
        self._taken = take_out(model, liveness, block.body, self._verdicts, to_end=to_end)
        for index, statement in enumerate(block.body):
            if self._taken.of(statement):
                self._verdicts[index] = []
        self._regions = Regions(
            model, liveness, block.body, block.changing, self._taken, self._values
        )
        self._names = LiveNames(model, block, self._taken, attributes)

    @property
    def takes_out(self) -> bool:
        """Whether anything is taken out of the block of a tape."""
        return bool(self._taken.out)

    def outline(self) -> Outline:
        core = self._regions.core()
        if not core:
            return Outline(blockers=[b for found in self._verdicts for b in found])
        tried = []
        choices = self._regions.choices(core)
        for needed in [*choices[:1], *map(self._beginning, choices), *choices[1:]]:
            outline = self._around(core, needed) if needed else None
            if outline is not None and not outline.blockers:
                return outline
            tried += [outline] if outline is not None else []
        # What can't be taken out after all is what keeps the step from moving.
        is_bound = bool(bound_names(self._taken.of_each(self._block.body)))
        found = [] if is_bound else tried[0].blockers
        found = [blocker for blocker in found if not self._taken.holds(blocker.node)]
        found += self._taken.of_all(self._block.body)
        update = self._update(core, found)
        if update is not None:
            return update
        tried[0].blockers = found
        return tried[0]

    def _update(self, core: list[int], staying: list[Blocker]) -> Outline | None:
        """The outline of what applies the gradients, where `staying` keeps the rest in Python.

        What may change the variables or the optimizer keeps that as well.
        """
        region = self._regions.update(core)
        if not region or any(blocker.reason in _OF_OBJECTS for blocker in staying):
            return None
        outline = self._of(region)
        passed = [leaf for value in outline.values.values() for leaf in leaves(value)]
        if outline.blockers or not passed or any(leaf.kind is not Kind.TENSOR for leaf in passed):
            return None
        outline.staying = staying
        return outline

    def _beginning(self, needed: list[int]) -> list[int]:
        """What stands above the first statement that can't move: a whole step, or nothing."""
        first = next((i for i in needed if self._verdicts[i]), None)
        if first is None or first == needed[0]:
            return []
        found = [i for i in needed if i < first]
        work = self._block_work(found)
        return found if work.is_training_step and work.updates else []

    def _block_work(self, indices: list[int]) -> Work:
        return self._model.works.of([self._block.body[i] for i in indices])

    def _around(self, core: list[int], needed: list[int]) -> Outline:
        """The outline of the widest stretch around the needed statements that can move.

        Where statements that stay would have to let others pass them, less moves.
        """
        blockers = [b for index in needed for b in self._verdicts[index]]
        if blockers:
            return Outline(blockers=blockers)
        simple = [i for i in core if i in needed or not self._regions.is_conditional(i)]
        wide: Outline | None = None
        for movable, past_others in ((core, True), (core, False), (simple, False)):
            region = self._regions.grow(movable, needed, self._verdicts, past_others=past_others)
            outline = self._of(region)
            if not outline.blockers:
                return outline
            wide = wide or outline
        assert wide is not None
        return wide

    def _of(self, region: list[int]) -> Outline:
        body = self._block.body
        outline = Outline(moved=[body[i] for i in region])
        outline.rest = self._taken.rest(outline.moved)
        order = self._regions.order(region)
        outline.early, outline.sunk, outline.blockers = order.early, order.sunk, order.blockers
        outline.kept = order.kept
        between = body[region[0] : region[-1] + 1]
        early = self._values.early(between, order.early, order.sunk)
        outline.given = [value for value in early if not self._leaves_other(value, region)]
        if not outline.blockers:
            self._names.fill(outline)
        if not outline.blockers:
            self._put(outline)
        return outline

    def _leaves_other(self, value: HostValue, region: Sequence[int]) -> bool:
        """Whether the module would be left with another value under the name of one."""
        if not self._block.unit.is_module or value.bound is None:
            return False
        inside = {id(node) for index in region for node in walk(self._block.body[index])}
        return any(id(b.node) not in inside for b in self._block.bindings(value.bound))

    def _put(self, outline: Outline) -> None:
        """Find the place, and let the function take what it asks for."""
        outline.place = self._block.find_place(outline)
        outline.blockers += outline.place.blockers
        extra = outline.place.extra_parameters
        signature = [p.name for p in self._block.unit.parameters if p.name in extra]
        others = [name for name in extra if name not in signature]
        outline.parameters = [*signature, *outline.parameters, *others]
        if not self._names.cast_extra(outline):
            outline.blockers.append(again(outline.moved[0]))


def _verdicts(
    model: SemanticModel, block: Block, attributes: AttributeArguments
) -> list[list[Blocker]]:
    """For each statement of a block, what keeps it from being traced."""
    verdicts: list[list[Blocker]] = [[] for _ in block.body]
    index = {id(statement): i for i, statement in enumerate(block.body)}
    found = model.ask(Safety).region_blockers(block.unit, block.body, block.changing, block.within)
    for blocker in found:
        if attributes.lifts(blocker):
            continue
        for node in (blocker.node, *model.ancestors(blocker.node)):
            if id(node) in index:
                verdicts[index[id(node)]].append(blocker)
                break
    return verdicts
