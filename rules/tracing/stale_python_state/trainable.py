"""`trainable` that is set where Keras does not see it.

Keras reads it while it traces the first training of a model, and keeps what it has read until the next
`compile` (https://keras.io/guides/transfer_learning/). Keras 2 keeps what `compile` has seen; Keras 3
looks at the first training, so that a model which is frozen between the two learns nothing: that is how
GANs were written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.effects.excuses import SETTING_UP
from tfxla_lint.semantics.flow.attributes import Write
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import exclude
from tfxla_lint.semantics.safety.lifetimes import is_made
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import LAYERED, NUMBERS, Kind

_TRAINABLE = "trainable"
_TRAINING = behaviour.methods(Trait.TRAINS, "model")
_COMPILE, _OWN_STEP = "compile", "train_step"
#: What has no weights that Keras trains.
_PLAIN = NUMBERS | {Kind.STRING, Kind.TENSOR, Kind.NDARRAY, Kind.VARIABLE}


@dataclass(frozen=True, slots=True)
class Unseen:
    """A training that does not see a setting of `trainable`, and an earlier one that has read it; none
    where the setting is the first that is ever read."""

    training: cst.Call
    setting: cst.Attribute
    earlier: cst.Call | None = None


def unseen_settings(model: SemanticModel) -> Iterator[Unseen]:
    """The settings of `trainable` that trainings of this module do not see, or see too early."""
    writes = model.flow.attributes.writes(_TRAINABLE)
    own = [call for call in model.nodes(cst.Call) if _trains(model, call)] if writes else []
    if not own:
        return
    models = model.ask(_Models)
    told: set[int] = set()
    for call in own:
        frozen = models.frozen_before(call) if model.world.runs_keras_3(call) else None
        maker = models.maker(_holder(call))
        if frozen is not None and maker not in told:
            told.add(maker or 0)
            yield Unseen(call, frozen)
    for call in own:
        yield from _set_between(model, call, own, writes)


def _trains(model: Answers, call: cst.Call) -> bool:
    return _is_asked(model, call, _TRAINING)


def _is_asked(model: Answers, call: cst.Call, methods: frozenset[str]) -> bool:
    """Whether a call is one of some methods of a model, as Keras has them."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in methods:
        return False
    value = model.value(call.func.value)
    if value.kind is not Kind.MODEL or value.choices:
        return False
    info, own = value.class_, (call.func.attr.value, _OWN_STEP)
    return info is None or not any(map(info.method, own))


def _holder(call: cst.Call) -> cst.BaseExpression:
    assert isinstance(call.func, cst.Attribute)
    return call.func.value


def _constant(model: Answers, write: Write) -> bool | None:
    value = model.value(write.value) if write.value is not None else None
    constant = value.constant if value is not None and value.has_constant else None
    return constant if isinstance(constant, bool) else None


# Frozen before the first training


class _Models:
    """Which models are frozen when they are first trained."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(
            model.calls.untraced, returns=lambda edge: True, attributes=True, agree=Agree.ONE
        )
        self._made = Origins(model.flow, through, self._judge)
        calls = [*model.everywhere(cst.Call)]
        self._trainings = self._by_maker(calls, _TRAINING)
        self._compilings = self._by_maker(calls, frozenset({_COMPILE}))
        self._writes = model.flow.attributes.writes(_TRAINABLE)

    def maker(self, node: cst.BaseExpression) -> int | None:
        """The one place that makes an object, None where that is not known."""
        return self._made.of(node)

    def frozen_before(self, training: cst.Call) -> cst.Attribute | None:
        """Where a model is frozen for good, between its last `compile` and its first training."""
        maker = self.maker(_holder(training))
        if maker is None:
            return None
        writes = [write for write in self._writes if self._may_concern(write, maker)]
        if not writes or any(_constant(self._model, write) is not False for write in writes):
            return None
        for write in writes:
            if self.maker(write.target.value) != maker:
                continue
            order = _Order(self._model, write.target)
            trainings = [*self._trainings[maker], *self._trainings.get(None, ())]
            if not all(map(order.is_before, trainings)):
                continue
            if not any(map(order.is_before, self._compilings.get(maker, ()))):
                return write.target
        return None

    def _may_concern(self, write: Write, maker: int) -> bool:
        holder = write.target.value
        if self._model.value(holder).kind in _PLAIN:
            return False
        return self.maker(holder) in (maker, None)

    def _by_maker(
        self, calls: list[cst.Call], methods: frozenset[str]
    ) -> dict[int | None, list[cst.Call]]:
        """The calls of some methods by what makes their models, None where that is not known."""
        found: dict[int | None, list[cst.Call]] = {}
        for call in calls:
            if _is_asked(self._model, call, methods):
                found.setdefault(self.maker(_holder(call)), []).append(call)
        return found

    def _judge(self, node: cst.CSTNode, path: Path) -> int | Look | None:
        if path:
            return None
        if isinstance(node, cst.Call):
            return id(node) if is_made(self._model, node) else THROUGH
        return THROUGH


class _Order:
    """What surely comes after a place has been run: the place itself, and the calls that always run it."""

    def __init__(self, model: Answers, place: cst.CSTNode) -> None:
        self._model = model
        self._firsts = list(closure([place], self._always_run_by))

    def is_before(self, node: cst.CSTNode) -> bool:
        """Whether a node is run only when the place has been."""
        return self._is_before(node, set())

    def _is_before(self, node: cst.CSTNode, asked: set[int]) -> bool:
        if any(first is not node and self._dominates(first, node) for first in self._firsts):
            return True
        unit = self._model.unit(node)
        if unit.is_module or id(unit) in asked:
            return False
        asked.add(id(unit))
        if self._is_set_up_before(unit):
            return True
        edges = self._model.calls.untraced(unit)
        if not edges or self._model.calls.handed(unit):
            return False
        return all(self._is_before(edge.node, asked) for edge in edges)

    def _dominates(self, first: cst.CSTNode, node: cst.CSTNode) -> bool:
        if not self._model.flow.always_before(first, node):
            return False
        if self._statement(first) is not self._statement(node):
            return True
        # In one statement, what a call is given is worked out before it.
        return any(around is node for around in self._model.ancestors(first))

    def _statement(self, node: cst.CSTNode) -> cst.CSTNode:
        ancestors = (node, *self._model.ancestors(node))
        return next(
            a for a in ancestors if isinstance(a, (cst.BaseSmallStatement, cst.BaseStatement))
        )

    def _always_run_by(self, place: cst.CSTNode) -> list[cst.CSTNode]:
        """The calls that run a place, if they do so always."""
        unit = self._model.unit(place)
        if unit.is_module or self._model.loops.often(place, unit.node) is not Often.ALWAYS:
            return []
        return [edge.node for edge in self._model.calls.untraced(unit)]

    def _is_set_up_before(self, unit: Unit) -> bool:
        """Whether the object of a method has run the place when it was set up."""
        if not unit.is_method or unit.class_ is None or unit.name in SETTING_UP:
            return False
        edges = self._model.calls.untraced(unit)
        if any(edge.caller.name in SETTING_UP for edge in edges):
            return False
        kin = set(unit.class_.lineage())
        units = (self._model.unit(first) for first in self._firsts)
        return any(each.name == "__init__" and each.class_ in kin for each in units)


# Set between two trainings


def _set_between(
    model: SemanticModel, call: cst.Call, trainings: list[cst.Call], writes: Sequence[Write]
) -> Iterator[Unseen]:
    """The first setting between a training and the one before it in its function, without a `compile`."""
    unit, holder = model.unit(call), model.code(_holder(call))
    scope = [
        each
        for each in trainings
        if model.unit(each) is unit and model.code(_holder(each)) == holder and each is not call
    ]
    before = [each for each in scope if model.flow.always_before(each, call)]
    if not before:
        return
    earlier = max(before, key=lambda each: model.span(each).start)
    for write in writes:
        target = write.target
        if not model.is_own(target) or model.unit(target) is not unit:
            continue
        if not model.flow.always_before(earlier, target) or not _is_past(model, target, call):
            continue
        if not _is_part(model, target.value, _holder(call), unit):
            continue
        if _is_other(model, write, writes, earlier) and not _is_renewed(model, target, call, unit):
            yield Unseen(call, target, earlier)
            return


def _is_past(model: SemanticModel, target: cst.Attribute, call: cst.Call) -> bool:
    """Whether all ways to a training lead past a setting, or past the loop that sets the layers."""
    if model.flow.always_before(target, call):
        return True
    inside = takewhile(lambda a: not isinstance(a, cst.FunctionDef), model.ancestors(target))
    loops = [around for around in inside if isinstance(around, cst.For)]
    return len(loops) == 1 and model.flow.always_before(loops[0].iter, call)


def _is_part(
    model: SemanticModel, holder: cst.BaseExpression, network: cst.BaseExpression, unit: Unit
) -> bool:
    """Whether a setting is one of a model, or of layers that are asked of it."""
    whole = model.code(network)
    root: cst.BaseExpression | None = holder
    if isinstance(root, cst.Name):
        bindings = model.flow.reached(root).bindings
        source = model.flow.source(bindings[0]) if len(bindings) == 1 else None
        if source is not None and model.code(root) != whole:
            root = source
    while root is not None:
        if model.code(root) == whole:
            return True
        if isinstance(root, cst.Call):
            root = root.func
        elif isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
        else:
            break
    return _is_built_in(model, holder, network, unit)


def _is_built_in(
    model: SemanticModel, holder: cst.BaseExpression, network: cst.BaseExpression, unit: Unit
) -> bool:
    """Whether a model is made, or made larger, by one call that is given the layer itself."""
    if not isinstance(holder, cst.Name) or not isinstance(network, cst.Name):
        return False
    if model.value(holder).kind not in LAYERED:
        return False
    makers = [b.value for b in model.flow.reached(network).bindings if b.value is not None]
    added = [
        call
        for call in unit.own(cst.Call)
        if isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "add"
        and model.code(call.func.value) == network.value
    ]
    return any(
        isinstance(node, cst.Name) and node.value == holder.value
        for maker in (*makers, *added)
        for node in walk(maker)
    )


def _is_other(
    model: SemanticModel, write: Write, writes: Sequence[Write], earlier: cst.Call
) -> bool:
    """Whether a setting changes what the training before it has read: it was set to the other value, or
    not at all, and is taken away."""
    value = _constant(model, write)
    if value is None:
        return False
    unit, place = model.unit(write.target), model.span(earlier).start
    past = [
        each
        for each in writes
        if model.is_own(each.target)
        and model.unit(each.target) is unit
        and model.span(each.target).start < place
        and not exclude(model, each.target, write.target)
    ]
    text = model.code(write.target)
    alike = [each for each in past if model.code(each.target) == text]
    if alike:
        last = max(alike, key=lambda each: model.span(each.target).start)
        return _constant(model, last) is (not value)
    # Whether the same layers were set by other words, nobody knows.
    network = _holder(earlier)
    return not value and not any(_is_part(model, e.target.value, network, unit) for e in past)


def _is_renewed(model: SemanticModel, target: cst.Attribute, call: cst.Call, unit: Unit) -> bool:
    """Whether something between may compile the model: a call that it is handed to, or whose object holds
    it."""
    first, last = model.span(target).start, model.span(call).start
    network = _holder(call)
    root = network
    while isinstance(root, cst.Attribute):
        root = root.value
    names = {model.code(network), model.code(root)}
    for each in unit.own(cst.Call):
        if not first <= model.span(each).start < last:
            continue
        func = each.func
        if isinstance(func, cst.Attribute) and model.code(func.value) in names:
            if func.attr.value == _COMPILE or model.code(func.value) != model.code(network):
                return True
        given = {model.code(argument.value) for argument in each.args}
        if given & names and not model.names.of(func):
            return True
    return False
