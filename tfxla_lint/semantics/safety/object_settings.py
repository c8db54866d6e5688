"""Settings of Keras objects that a program changes while it trains: a trace keeps the first ones.

`learning_rate` is a variable behind the scenes; `clipnorm`, `momentum`, a layer's `rate`,
`trainable` or `activation` and the list of a model's layers are plain Python
(https://keras.io/api/optimizers/, https://keras.io/api/layers/base_layer/).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.repetition import exclude
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.loops import Loop
    from tfxla_lint.semantics.safety.state import OuterState

#: Settings of layers and models by whatever name these go.
_KNOBS = behaviour.methods(Trait.SETTING)
#: What models and optimizers have for the code around them, or keep in variables.
_OUTSIDE = behaviour.methods(Trait.SURROUNDS)
_RATES = behaviour.methods(Trait.RATE)
_WHOLE = (Kind.MODEL, Kind.LAYER)
_HAVING = frozenset({*_WHOLE, Kind.LOSS, Kind.OPTIMIZER})


class ObjectSettings:
    """Answers which settings of Keras objects change."""

    def __init__(self, model: Answers, state: OuterState) -> None:
        self._model = model
        self._state = state

    def turned(self, kind: Kind) -> frozenset[str]:
        """The settings that change and are read by calls of objects of a kind.

        They change on turns of a loop, or to and fro.
        """
        kinds = _WHOLE if kind in _WHOLE else (kind,)
        return frozenset().union(*(self._turned.get(k, frozenset()) for k in kinds))

    @cached_property
    def _turned(self) -> dict[Kind, set[str]]:
        knobs = [
            (target, kind)
            for target in self._state.targets
            if isinstance(target, cst.Attribute)
            and (kind := self._kind(target)) is not None
            and not self._state.constructs(self._model.unit(target))
        ]
        alike: dict[str, list[cst.Attribute]] = {}
        for target, _ in knobs:
            alike.setdefault(self._model.code(target), []).append(target)
        found: dict[Kind, set[str]] = {}
        for target, kind in knobs:
            others = alike[self._model.code(target)]
            if self._is_set_again(target) or self._is_set_otherwise(target, others):
                found.setdefault(kind, set()).add(target.attr.value)
                if self._model.value(target.value).kind is Kind.UNKNOWN:
                    found.setdefault(Kind.OPTIMIZER, set()).add(target.attr.value)
        for call, name in self._state.set_by_name:
            holder = self._model.value(call.args[0].value)
            is_plain = name is None or name not in _OUTSIDE | _RATES
            if holder.kind in _HAVING and is_plain and self._repeats(call):
                found.setdefault(holder.kind, set()).add(name or "setattr")
        if any(map(self._grows, self._model.everywhere(cst.Call))):
            found.setdefault(Kind.MODEL, set()).add("layers")
        return found

    def _kind(self, target: cst.Attribute) -> Kind | None:
        """What kind of objects an assigned attribute is a setting of; None if of none."""
        name, holder = target.attr.value, self._model.value(target.value)
        if name in _KNOBS and not _is_plain(holder, name):
            return Kind.OPTIMIZER if holder.kind is Kind.OPTIMIZER else Kind.MODEL
        if holder.kind not in _HAVING or holder.class_ is not None or name in _OUTSIDE:
            return None
        if holder.kind is Kind.OPTIMIZER and name in _RATES:
            value = self._set_value(target)
            return holder.kind if value is not None and value.kind is Kind.SCHEDULE else None
        return holder.kind

    def _grows(self, call: cst.Call) -> bool:
        """Whether a model gets or loses layers on the turns of a loop that also runs it."""
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in ("add", "pop"):
            return False
        if self._model.value(func.value).kind is not Kind.MODEL:
            return False
        name = func.value.value if isinstance(func.value, cst.Name) else None
        return any(
            self._runs(loop, func.value) and name not in _bound_in(loop)
            for loop in self._model.loops.around(call, self._model.unit(call))
        )

    def _runs(self, loop: Loop, network: cst.BaseExpression) -> bool:
        return any(
            isinstance(node, cst.Call) and node.func.deep_equals(network) for node in walk(loop)
        )

    def _is_set_otherwise(self, target: cst.Attribute, alike: list[cst.Attribute]) -> bool:
        """Whether an attribute of one object is set to other values, too, such as for fine-tuning.

        `alike` are the attributes that are set under the same words.

        `base.trainable = False` for a first part of the training, `base.trainable = True` for the
        second; or a function that is called to set it, each time to what it is given.
        """
        unit, value = self._model.unit(target), self._set_value(target)
        if value is None or not value.has_constant:
            is_given = isinstance(target.value, cst.Name) and unit.parameter(target.value.value)
            return bool(is_given) and len(self._model.calls.untraced(unit)) > 1
        return any(
            other is not target
            and self._is_same(other, target)
            and ((given := self._set_value(other)) is None or given != value)
            and not exclude(self._model, other.value, target.value, of_try=True)
            for other in alike
        )

    def _is_same(self, first: cst.Attribute, second: cst.Attribute) -> bool:
        """Whether two attributes under the same words are one: of a name, or of `self` in a class."""
        root: cst.CSTNode = first
        other: cst.CSTNode = second
        while isinstance(root, cst.Attribute) and isinstance(other, cst.Attribute):
            root, other = root.value, other.value
        if not isinstance(root, cst.Name) or not isinstance(other, cst.Name):
            return False
        units = self._model.unit(first), self._model.unit(second)
        if units[0].is_method and root.value == "self":
            return units[0].class_ is units[1].class_
        homes = [
            self._state.home(name.value, self._model.binder.scope(name))[0]
            for name in (root, other)
        ]
        return homes[0] is not None and homes[0] is homes[1]

    def _set_value(self, target: cst.Attribute) -> Value | None:
        """What an assignment puts there."""
        assign = self._model.parent(self._model.parent(target) or target)
        return self._model.value(assign.value) if isinstance(assign, cst.Assign) else None

    def _is_set_again(self, target: cst.Attribute) -> bool:
        """Whether turns of a loop set an attribute of the same object several times.

        `for layer in model.layers: layer.trainable = False` sets it once for each layer, and what each
        turn makes has settings of its own, from before it is used.
        """
        unit, value = self._model.unit(target), self._set_value(target)
        loops = self._model.loops.around(target, unit)
        is_fixed = value is not None and value.has_constant
        if is_fixed or target.attr.value not in _KNOBS:
            loops = _without_own(loops, target)
        made = self._made_for(target) if is_fixed else None
        if made is not None:
            return any(made not in walk(loop) for loop in loops)
        return bool(loops) or self._is_called_again(target)

    def _made_for(self, target: cst.Attribute) -> cst.Call | None:
        """The call, in the same function, that makes the object of which an attribute is set, and that
        nothing uses between."""
        root = target.value
        while isinstance(root, (cst.Attribute, cst.Subscript, cst.Call)):
            root = root.func if isinstance(root, cst.Call) else root.value
        binding = self._model.flow.reached(root).only if isinstance(root, cst.Name) else None
        made = binding.value if binding is not None else None
        if not isinstance(made, cst.Call) or self._model.unit(made) is not self._model.unit(target):
            return None
        if binding is None or self._model.value(made.func).kind is not Kind.CLASS:
            return None
        order = {id(node): at for at, node in enumerate(walk(self._model.unit(made).node))}
        between = range(order[id(made)], order[id(target)])
        reads = (r for r in binding.scope.reads[binding.name] if order.get(id(r), -1) in between)
        return made if not any(map(self._uses, reads)) else None

    def _uses(self, read: cst.Name) -> bool:
        """Whether code of the program may run the object that a name holds."""
        holder = self._model.parent(read)
        while isinstance(holder, (cst.Attribute, cst.Subscript)):
            holder = self._model.parent(holder)
        call = self._model.parent(holder) if isinstance(holder, cst.Arg) else holder
        if not isinstance(call, cst.Call):
            return not isinstance(holder, cst.AssignTarget)
        return call is holder or not self._model.names.of(call.func)

    def _repeats(self, call: cst.Call) -> bool:
        loops = self._model.loops.around(call, self._model.unit(call))
        return bool(loops) or self._is_called_again(call)

    def _is_called_again(self, node: cst.CSTNode) -> bool:
        """Whether a loop calls the function that sets the attribute of an object given to it."""
        unit = self._model.unit(node)
        return any(
            bool(self._model.loops.around(edge.node, edge.caller))
            for edge in self._model.calls.untraced(unit)
        )


def _is_plain(holder: Value, name: str) -> bool:
    """Whether an object is one of the project's own that merely keeps what it is set to."""
    info = holder.class_
    if info is None or info.role is not Kind.OBJECT or info.has_unknown_base:
        return False
    return info.method(name) is None and info.method("__setattr__") is None


def _without_own(loops: list[Loop], target: cst.Attribute) -> list[Loop]:
    """The loops but for the last if it gives another object on each turn."""
    if loops and isinstance(loops[-1], cst.For) and isinstance(target.value, cst.Name):
        if target.value.value in target_names(loops[-1].target):
            return loops[:-1]
    return loops


def _bound_in(loop: Loop) -> set[str]:
    names: set[str] = set()
    for node in walk(loop):
        if isinstance(node, cst.AssignTarget):
            names.update(target_names(node.target))
    return names
