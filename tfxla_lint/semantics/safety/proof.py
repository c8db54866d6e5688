"""What is proved of code that is to be traced: that its trace does what it does now.

`verdict` lists what keeps code from being traced, and lets pass what nobody knows. Here the burden
of proof is the other way round: a condition holds only where the code shows that it does, and what
is not known is a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Runs, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.effects.effect import Effect, EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.safety.known_objects import draws_nothing
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import TENSOR_LIKE, Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge


class Condition(Enum):
    """What has to be known of code so that its trace surely does what it does eagerly."""

    CALLERS = "all calls are known"
    ARGUMENTS = "only tensors are passed"
    EFFECTS = "nothing but variables changes"
    STATE = "no Python state that is read changes"
    DRAWS = "nothing is drawn"
    SHAPES = "no shape or dtype is read in Python"
    OBJECTS = "no object is made anew"
    RESULTS = "the results are tensors"


#: What is asked of statements that move into a function: their calls are where they stood.
REGION_CONDITIONS = tuple(c for c in Condition if c is not Condition.CALLERS)
#: What is asked of a model that is wrapped.
CALL_CONDITIONS = (Condition.ARGUMENTS, Condition.EFFECTS, Condition.STATE, Condition.DRAWS)


@dataclass(frozen=True, slots=True)
class Gap:
    """What is missing to a proof: the condition, and where and why it is not known to hold."""

    condition: Condition
    node: cst.CSTNode
    words: str


#: Effects that a trace has as eager code has them.
_KEPT = frozenset(
    {EffectKind.RUN, EffectKind.RUN_KERAS, EffectKind.TAPE, EffectKind.MUTATE, EffectKind.STORE,
     EffectKind.READ_NAME, EffectKind.READ_ATTRIBUTE, EffectKind.RETURN, EffectKind.JUMP}
)  # fmt: skip
_RESULTS = frozenset({Kind.TENSOR, Kind.NONE})
#: What Python may decide by.
_DECIDING = frozenset({Kind.SHAPE, Kind.DTYPE})
#: What holds values of its own that a trace would not see change.
_CHANGEABLE = frozenset({Kind.NDARRAY, Kind.DICT, Kind.ITERATOR, Kind.DATASET, Kind.GENERATOR})
#: What has no variables before it is built.
_GROWING = frozenset({Kind.MODEL, Kind.LAYER})
_STATIC = behaviour.names(Trait.NEEDS_STATIC)
#: Builtins that give back what they are given, whose kinds are known already.
_THROUGH = frozenset({"builtins.zip", "builtins.enumerate", "builtins.reversed"})


def unit_gaps(model: Answers, unit: Unit) -> list[Gap]:
    """What is missing to a proof that a function does the same as a `tf.function`."""
    prover = _Prover(model)
    prover.callers(unit)
    prover.unit(unit)
    if not all(value.kind in _RESULTS for value in leaves(unit.returns)):
        prover.miss(Condition.RESULTS, unit.node, f"`{unit.name}` may return no tensor")
    return prover.gaps


def region_gaps(
    model: Answers,
    statements: Sequence[cst.CSTNode],
    given: dict[str, Value],
    results: Iterable[cst.BaseExpression],
) -> list[Gap]:
    """What is missing to a proof that statements do the same in a `tf.function` of their own.

    `given` are the values that it is passed, `results` reads of the names that it gives back.
    """
    prover = _Prover(model)
    for name, value in given.items():
        if not _is_tensor(value):
            prover.miss(Condition.ARGUMENTS, statements[0], f"`{name}` may be no tensor")
    prover.caught(statements[0])
    prover.code(statements, bound_names(statements) | set(given))
    for read in results:
        if not all(_is_tensor(value) for value in leaves(model.value(read))):
            prover.miss(Condition.RESULTS, read, f"`{model.code(read)}` may be no tensor")
    return prover.gaps


def call_gaps(model: Answers, calls: Sequence[cst.Call]) -> list[Gap]:
    """What is missing to a proof that calls of one model do the same through a `tf.function`.

    Keras' own models make of an array, whatever its dtype, the tensor that they make of the tensor
    which a `tf.function` makes of it.
    """
    prover = _Prover(model)
    for call in calls:
        for argument in call.args:
            value = model.value(argument.value)
            is_cast = value.kind is Kind.NDARRAY and not model.calls.at(call)
            if not (_is_tensor(value) or value.has_constant or is_cast):
                words = f"`{model.code(argument.value)}` may be no tensor"
                prover.miss(Condition.ARGUMENTS, argument, words)
        prover.caught(call)
        prover.code([call.func], set())
        prover.keras(call, call.func)
        for edge in model.calls.at(call):
            prover.unit(edge.callee)
    return prover.gaps


def _passed_on(model: Answers) -> frozenset[int]:
    """The units that code does more with than to call them: stores them, hands them on."""
    found = set()
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        unit = model.value(node).unit
        if unit is not None:
            holder = model.parent(node)
            is_called = isinstance(holder, cst.Call) and holder.func is node
            is_named = isinstance(holder, (cst.FunctionDef, cst.ImportAlias))
            is_part = isinstance(holder, cst.Attribute) and holder.attr is node
            if not (is_called or is_named or is_part):
                found.add(id(unit))
    return frozenset(found)


def _is_tensor(value: Value) -> bool:
    return value.kind is Kind.TENSOR and not value.mixed and not value.maybe_none


class _Prover:
    """Goes through code, and through the functions that it runs, each once."""

    def __init__(self, model: Answers) -> None:
        self.gaps: list[Gap] = []
        self._model = model
        self._seen: set[int] = set()

    def miss(self, condition: Condition, node: cst.CSTNode, words: str) -> None:
        """Note what is not known."""
        self.gaps.append(Gap(condition, node, words))

    def callers(self, unit: Unit) -> None:
        """That all calls of a function are in sight, and pass tensors."""
        edges = self._model.calls.untraced(unit)
        is_open = self._model.calls.handed(unit) or id(unit) in self._model.ask(_passed_on)
        if is_open or not edges or self._is_offered(unit):
            self.miss(Condition.CALLERS, unit.node, f"other code may call `{unit.name}`")
        for edge in edges:
            self._call(unit, edge)

    def _is_offered(self, unit: Unit) -> bool:
        """Whether programs that are not seen may import a function: one of a package's module."""
        is_inner = unit.parent is not None and not unit.parent.is_module
        is_private = unit.name.startswith("_") and not unit.name.endswith("__")
        return not (is_inner or is_private) and self._model.world.is_in_package(unit.node)

    def _call(self, unit: Unit, edge: Edge) -> None:
        if edge.is_relayed or not isinstance(edge.node, cst.Call):
            self.miss(Condition.CALLERS, edge.node, "what it passes is not known")
            return
        self.caught(edge.node)
        for parameter in unit.parameters[1 if unit.is_method else 0 :]:
            node = edge.passed(parameter.name).node
            value = self._model.value(node) if node is not None else None
            if value is None or not (_is_tensor(value) or value.kind is Kind.VARIABLE):
                what = self._model.code(node) if node is not None else parameter.name
                self.miss(Condition.ARGUMENTS, node or edge.node, f"`{what}` may be no tensor")

    def caught(self, node: cst.CSTNode) -> None:
        """That nothing tells the exceptions of a trace, which are others, from those of now."""
        for ancestor in self._model.ancestors(node):
            if isinstance(ancestor, (cst.Try, cst.TryStar)):
                self.miss(Condition.EFFECTS, ancestor, "what it raises may be caught")

    def unit(self, unit: Unit) -> None:
        """All code of a function."""
        if id(unit) not in self._seen:
            self._seen.add(id(unit))
            self.code(unit.body, bound_names(unit.body) | {p.name for p in unit.parameters})

    def code(self, nodes: Sequence[cst.CSTNode], local: set[str]) -> None:
        """Some code, in which the names `local` are bound."""
        for effect in self._model.ask(Effects).of_all(nodes):
            self._effect(effect)
        called: set[str] = set()
        for root in nodes:
            for node in walk(root):
                if isinstance(node, cst.Call):
                    called.add(self._model.code(node.func))
                    self._computed(node)
                elif isinstance(node, cst.Attribute):
                    self._attribute(node, called)
                elif isinstance(node, cst.Name):
                    self._name(node, local)

    def _effect(self, effect: Effect) -> None:
        if effect.kind not in _KEPT:
            self.miss(Condition.EFFECTS, effect.node, f"it {effect.words}")
        for unit in effect.units:
            self.unit(unit)
        if effect.kind is EffectKind.RUN_KERAS:
            self.keras(effect.node, effect.subject)
        elif effect.kind is EffectKind.READ_ATTRIBUTE:
            self._held(cst.ensure_type(effect.node, cst.Attribute))

    def keras(self, node: cst.CSTNode, holder: cst.BaseExpression | None) -> None:
        """What a Keras object does when it is run."""
        if isinstance(node, cst.Call) and self._model.calls.at(node):
            return
        if holder is None or not draws_nothing(self._model, holder):
            what = self._model.code(holder) if holder is not None else "what it runs"
            words = f"`{what}` may draw, or run code that is not seen"
            self.miss(Condition.DRAWS, node, words)
        if holder is not None:
            kind = self._model.value(holder).kind
            for setting in sorted(self._model.ask(Safety).state.settings.turned(kind)):
                self.miss(Condition.STATE, node, f"`{setting}` is changed")

    def _held(self, node: cst.Attribute) -> None:
        """What an object holds: of a known class, set by nothing after its making."""
        holder = self._model.value(node.value)
        if holder.kind is Kind.OBJECT:
            info = holder.class_
            if info is None or info.is_open or info.has_unknown_base:
                words = f"`{self._model.code(node)}` may be set anywhere"
                self.miss(Condition.STATE, node, words)
        if self._model.value(node).kind in _CHANGEABLE:
            self.miss(Condition.STATE, node, f"`{self._model.code(node)}` may change in place")

    def _attribute(self, node: cst.Attribute, called: set[str]) -> None:
        holder = self._model.value(node.value).kind
        text = self._model.code(node)
        value = self._model.value(node)
        if value.kind in _DECIDING or (holder in TENSOR_LIKE and value.is_python_scalar):
            self.miss(Condition.SHAPES, node, f"`{text}` is read in Python")
        elif self._model.ask(Safety).state.attribute_changes(node):
            self.miss(Condition.STATE, node, f"`{text}` is set elsewhere")
        elif holder in _GROWING and value.kind is Kind.LIST:
            if self._model.code(node.value) not in called:
                words = f"`{text}` is read before the model is sure to be built"
                self.miss(Condition.STATE, node, words)

    def _computed(self, node: cst.Call) -> None:
        name = self._model.names.one(node.func)
        text = self._model.code(node.func)
        if name in api.STATEFUL_RANDOM:
            self.miss(Condition.DRAWS, node, f"`{text}` draws")
        elif name in behaviour.names(Runs.EAGER):
            self.miss(Condition.EFFECTS, node, f"`{text}` runs Python")
        elif name is not None and api.is_tensorflow(name) and name in _STATIC:
            self.miss(Condition.SHAPES, node, f"`{text}` needs static shapes")
        is_used = not isinstance(self._model.parent(node), cst.Expr)
        if is_used and not self._model.value(node).is_known and name not in _THROUGH:
            self.miss(Condition.ARGUMENTS, node, f"what `{text}` gives is not known")

    def _name(self, node: cst.Name, local: set[str]) -> None:
        """A read of a name: of a known kind, and from outside only if nothing changes it."""
        scope = self._model.binder.scope(node)
        if node not in scope.reads.get(node.value, ()) or self._model.names.of(node):
            return
        value = self._model.value(node)
        if not value.is_known and not value.choices:
            self.miss(Condition.ARGUMENTS, node, f"what `{node.value}` is is not known")
        elif node.value not in local and value.kind in _CHANGEABLE:
            self.miss(Condition.STATE, node, f"`{node.value}` may change in place")
