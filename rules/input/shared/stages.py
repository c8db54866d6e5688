"""tf.data pipelines as chains of stages: what comes before and after a stage, and who reads the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.cost.at_stake import Elements
from tfxla_lint.semantics.effects.overriding import is_abstract
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import works
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

_PASSING = behaviour.names(Trait.PASSES_MEMBERS)
#: The stage in which a strategy takes a data set over, for its replicas.
SPREAD = "experimental_distribute_dataset"
_BATCHING = behaviour.methods(Trait.BATCHES, "dataset")


@dataclass(frozen=True, slots=True)
class Stage:
    """A call of a method of a dataset, or of what makes one, where `is_source`."""

    name: str
    call: cst.Call
    is_source: bool = False

    @property
    def fed_by(self) -> cst.BaseExpression:
        """The data set that a stage goes on from."""
        if self.name == SPREAD:
            return self.call.args[0].value
        assert isinstance(self.call.func, cst.Attribute)
        return self.call.func.value

    @property
    def is_applied(self) -> bool:
        """Whether it is what `apply` is given."""
        return isinstance(self.call.func, cst.Attribute) and self.call.func.attr.value == "apply"

    @property
    def is_batching(self) -> bool:
        """Whether it makes batches."""
        return self.name in _BATCHING


@dataclass(frozen=True, slots=True)
class Reader:
    """What goes through a pipeline again and again: a loop, or a call of `fit`."""

    node: cst.CSTNode
    what: str


def elements_at(
    model: SemanticModel, stage: Stage, readers: Sequence[Reader], kind: str, unit: Unit | None
) -> Elements:
    """What a stage does to each element, of which there are as many as its data set is known to have
    whenever a loop reads it; how often `fit` does is not looked into."""
    reader = readers[0].node if readers else stage.call
    pipeline = model.value(stage.call).pipeline
    is_known = isinstance(reader, cst.For) and pipeline is not None and not pipeline.repeated
    count = pipeline.size if is_known and pipeline is not None else None
    return Elements(kind, unit, reader, count)


@dataclass(frozen=True)
class _Links:
    """The stage that surely feeds each, and those that each feeds, surely or perhaps, by their calls."""

    before: dict[int, Stage | None] = field(default_factory=dict)
    after: dict[int, list[Stage]] = field(default_factory=dict)
    perhaps_after: dict[int, list[Stage]] = field(default_factory=dict)


class Pipelines:
    """The dataset stages of all modules, linked where it is sure which one feeds which; where options
    choose, or several are put together, one may."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(
            model.calls.direct, returns=lambda edge: True, attributes=True, agree=Agree.ONE
        )
        self._results = Origins(model.flow, through, self._judge)
        self._ends = Origins(model.flow, replace(through, agree=Agree.ALL), self._judge_end)
        self._stages: dict[int, Stage] = {}
        for call in model.everywhere(cst.Call):
            stage = self._stage(call)
            if stage is not None:
                self._stages[id(call)] = stage

    def stages(self, model: SemanticModel) -> list[Stage]:
        """The stages that stand in one module."""
        calls = model.nodes(cst.Call)
        return [self._stages[id(call)] for call in calls if id(call) in self._stages]

    def before(self, stage: Stage) -> list[Stage]:
        """The stages that feed a stage, nearest first, as far as they are known."""
        found: dict[int, Stage] = {}
        before = self._links.before
        current = before.get(id(stage.call))
        while current is not None and id(current.call) not in found:
            found[id(current.call)] = current
            current = before.get(id(current.call))
        return list(found.values())

    def starts_here(self, stage: Stage) -> bool:
        """Whether all that feeds a stage is known, from the source on."""
        chain = [stage, *self.before(stage)]
        return chain[-1].is_source

    def after(self, stage: Stage) -> list[Stage]:
        """The stages that a stage surely feeds, on all ways."""
        return _following(stage, self._links.after)

    def perhaps_after(self, stage: Stage) -> list[Stage]:
        """The stages that a stage may feed: options choose, or data sets are put together."""
        return _following(stage, self._links.perhaps_after)

    def readers(self, stage: Stage) -> list[Reader]:
        """What goes through the pipeline that a stage is part of."""
        ends = [stage, *self.perhaps_after(stage)]
        return [reader for end in ends for reader in self._readers.get(id(end.call), ())]

    def resolve(self, node: cst.BaseExpression | None) -> Stage | None:
        """The stage whose result an expression surely is."""
        return self._results.of(node)

    def _judge(self, node: cst.CSTNode, path: Path) -> Stage | Look | None:
        if not isinstance(node, cst.Call):
            return THROUGH
        if self._gone_through(node) is not None:
            return self._results.of(self._gone_through(node), path)
        stage = self._stage(node) if not path else None
        return stage if stage is not None else THROUGH

    def _judge_end(self, node: cst.CSTNode, path: Path) -> frozenset[int] | Look | None:
        """What may be read, whichever of several callers hands it over."""
        if isinstance(node, cst.Call) and self._gone_through(node) is not None:
            return self._ends.of(self._gone_through(node), path)
        found = self._judge(node, path)
        return frozenset({id(found.call)}) if isinstance(found, Stage) else found

    def _gone_through(self, call: cst.Call) -> cst.BaseExpression | None:
        """The one thing whose members a call passes on, as `enumerate` and progress bars do."""
        given = [a.value for a in call.args if a.keyword is None and not a.star]
        is_passing = bool(self._model.names.of(call.func) & _PASSING)
        return given[0] if is_passing and len(given) == 1 else None

    # Construction

    @cached_property
    def _readers(self) -> dict[int, list[Reader]]:
        """What reads the end of a pipeline, by the call that is its last stage."""
        found: dict[int, list[Reader]] = {}
        for reader, node in self._reading() if self._stages else ():
            for end in self._ends.of(node) or ():
                found.setdefault(end, []).append(reader)
        return found

    def _stage(self, call: cst.Call) -> Stage | None:
        if self._model.value(call).kind is not Kind.DATASET:
            return None
        if isinstance(call.func, cst.Attribute):
            if self._model.value(call.func.value).kind is Kind.DATASET:
                return Stage(self._applied(call) or call.func.attr.value, call)
            if self._model.value(call.func.value).kind is Kind.STRATEGY and call.args:
                return Stage(SPREAD, call)
        name = self._model.names.one(call.func)
        is_source = name is not None and name.startswith("tensorflow")
        return Stage(name.rpartition(".")[2], call, True) if name and is_source else None

    def _applied(self, call: cst.Call) -> str | None:
        """What `apply` is given: `dataset.apply(tf.data.experimental.bucket_by_sequence_length(f))`."""
        given = call.args[0].value if call.args and Stage("", call).is_applied else None
        bound = self._model.flow.reached(given).only if isinstance(given, cst.Name) else None
        given = bound.value if bound is not None else given
        made = given.func if isinstance(given, cst.Call) else None
        name = self._model.names.one(made) if made is not None else None
        return name.rpartition(".")[2] if name is not None else None

    @cached_property
    def _links(self) -> _Links:
        """Which stages feed which, in all modules; no file asks that has none."""
        links = _Links()
        for stage in self._stages.values():
            feeding = list(self._given(stage.call))
            if not stage.is_source:
                before = links.before[id(stage.call)] = self.resolve(stage.fed_by)
                if before is not None:
                    links.after.setdefault(id(before.call), []).append(stage)
                feeding.append(stage.fed_by)
            for end in {end for node in feeding for end in self._ends.of(node) or ()}:
                links.perhaps_after.setdefault(end, []).append(stage)
        return links

    def _given(self, call: cst.Call) -> Iterator[cst.BaseExpression]:
        """The data sets among the arguments, as of `Dataset.zip((images, labels))`."""
        for given in (part for argument in call.args for part in walk(argument.value)):
            if isinstance(given, (cst.Name, cst.Attribute, cst.Call)):
                if self._model.value(given).kind is Kind.DATASET:
                    yield given

    def _reading(self) -> Iterator[tuple[Reader, cst.BaseExpression]]:
        model = self._model
        for loop in model.everywhere(cst.For):
            if works(model, loop) or any(model.callees(c) for c in _calls(loop)):
                yield Reader(loop, "the loop"), loop.iter
        for call in model.everywhere(cst.Call):
            taken = self._taken_from(call)
            turning = self._turning(call) if taken is not None else None
            if taken is not None and turning is not None:
                yield Reader(turning, "the loop"), taken
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "fit":
                first = next((a for a in call.args if not a.star), None)
                if first is not None and (first.keyword is None or first.keyword.value == "x"):
                    yield Reader(call, "`fit`"), first.value

    def _taken_from(self, call: cst.Call) -> cst.BaseExpression | None:
        """The iterator of which a call takes the next element."""
        if "builtins.next" in self._model.names.of(call.func):
            return call.args[0].value if call.args else None
        is_method = isinstance(call.func, cst.Attribute) and call.func.attr.value == "get_next"
        return call.func.value if is_method and isinstance(call.func, cst.Attribute) else None

    def _turning(self, call: cst.Call) -> Loop | None:
        """The innermost loop that makes a call on each of its turns, here or through calls."""
        unit = self._model.unit(call)
        route = self._model.contexts.eager(unit)
        around = [
            *(route.loops if route is not None else ()),
            *self._model.loops.around(call, unit),
        ]
        loops = [loop for loop in around if isinstance(loop, (cst.For, cst.While))]
        return loops[-1] if loops else None


def _following(stage: Stage, following: dict[int, list[Stage]]) -> list[Stage]:
    found: dict[int, Stage] = {}
    pending = [stage]
    while pending:
        next_ones = following.get(id(pending.pop().call), [])
        more = {id(each.call): each for each in next_ones if id(each.call) not in found}
        found |= more
        pending += more.values()
    return [*found.values()]


def _calls(loop: cst.For) -> Iterator[cst.Call]:
    return (node for node in walk(loop.body) if isinstance(node, cst.Call))


def mapped_unit(model: Answers, stage: Stage) -> Unit | None:
    """The first-party function that a `map` runs; the first that overrides a method which is there for it."""
    units = (use.unit for use in model.uses if use.node is stage.call)
    return next((unit for unit in units if not is_abstract(model, unit)), None)
