"""What keeps a stretch of code from being traced: its effects, but for those that nothing notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.effects.calls import may_be_tensor
from tfxla_lint.semantics.effects.effect import Autograph, Effect, EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.effects.raw import WITHOUT_AUTOGRAPH, is_kept_raw, runs_raw
from tfxla_lint.semantics.guards import exits_before, python_tests_around, tests_around
from tfxla_lint.semantics.parts import judged
from tfxla_lint.semantics.repetition import repeating
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.held_code import code_inside, constraints
from tfxla_lint.semantics.safety.kept_losses import are_read_within
from tfxla_lint.semantics.safety.made_here import makers_outside
from tfxla_lint.semantics.safety.recorded import (
    is_differentiated,
    is_given_back,
    is_part_of_keras,
    takes_tensors,
)
from tfxla_lint.semantics.safety.scratch import scratch_of
from tfxla_lint.semantics.safety.state import MUTATING
from tfxla_lint.semantics.safety.unbuilt import finds_none
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import ARRAYS, NUMBERS, TENSOR_LIKE, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge
    from tfxla_lint.semantics.safety.verdict import Safety

_CONTAINERS = frozenset({Kind.LIST, Kind.DICT, Kind.NDARRAY})
#: What a NumPy array takes as a member, in a trace too.
_OF_ARRAYS = NUMBERS | ARRAYS

#: The effects that keep code from being traced wherever it stands, with the reason.
_ALWAYS = {
    EffectKind.PRINT: Reason.SIDE_EFFECT,
    EffectKind.LOG: Reason.SIDE_EFFECT,
    EffectKind.OUTPUT: Reason.SIDE_EFFECT,
    EffectKind.SET: Reason.SIDE_EFFECT,
    EffectKind.REBIND: Reason.SIDE_EFFECT,
    EffectKind.CLOCK: Reason.FROZEN_VALUE,
    EffectKind.DRAW: Reason.FROZEN_VALUE,
    EffectKind.FRESH: Reason.FROZEN_VALUE,
    EffectKind.READ_VALUE: Reason.EAGER_ONLY_CALL,
    EffectKind.EAGER_ONLY: Reason.EAGER_ONLY_CALL,
    EffectKind.MAKE: Reason.CREATION,
    EffectKind.NUMPY: Reason.NUMPY,
    EffectKind.PYTHON: Reason.AUTOGRAPH,
    EffectKind.INSPECT: Reason.AUTOGRAPH,
    EffectKind.CATCH: Reason.AUTOGRAPH,
    EffectKind.RAISE: Reason.AUTOGRAPH,
    EffectKind.GENERATE: Reason.GENERATOR,
    EffectKind.LOOK_UP: Reason.UNRESOLVED_CALL,
}


#: What the code that a Keras object is made of may not do: Python state is out of its sight.
_OF_STATE = frozenset({Reason.SIDE_EFFECT, Reason.CHANGING_STATE, Reason.FROZEN_VALUE})


class Scan:
    """Judges statements of `unit` that are to be traced together.

    `local_names` are the names that the statements bind themselves; `passed_names` those that the
    traced function gets as arguments: neither is outer state. `is_called` says that traced code
    calls the function, `is_raw` that it runs without AutoGraph. `within` is the code that each
    trace is made for one run of.
    """

    def __init__(
        self,
        safety: Safety,
        unit: Unit,
        nodes: Iterable[cst.CSTNode],
        *,
        local_names: set[str],
        passed_names: set[str],
        is_region: bool,
        is_called: bool = False,
        is_raw: bool = False,
        within: cst.CSTNode | None = None,
    ) -> None:
        self._safety = safety
        self._model: Answers = safety.model
        self._unit = unit
        self._nodes = list(nodes)
        self._local_names = local_names
        self._passed_names = passed_names
        self._is_region = is_region
        self._is_called = is_called
        self._is_raw = is_raw
        self._within = within

    @cached_property
    def _own(self) -> set[int]:
        return {id(node) for root in self._nodes for node in walk(root)}

    def run(self) -> list[Blocker]:
        """All blockers, in document order."""
        effects = self._model.ask(Effects).of_all(self._nodes)
        return [blocker for effect in effects if (blocker := self._judge(effect)) is not None]

    def _judge(self, effect: Effect) -> Blocker | None:
        if self._is_left_eager(effect.node):
            return None
        reason = _ALWAYS.get(effect.kind)
        if self._is_raw and effect.autograph is not Autograph.NO_MATTER:
            why = WITHOUT_AUTOGRAPH
            if is_kept_raw(self._model, self._unit):
                why = "a decorator keeps AutoGraph from it"
            words = f"{effect.words}, and {why}"
            return Blocker(Reason.AUTOGRAPH, effect.node, words)
        if effect.autograph is Autograph.CONVERTS:
            return None
        if effect.kind in (EffectKind.SET, EffectKind.READ_ATTRIBUTE):
            if self._is_scratch(effect.node):
                return None
        if effect.kind is EffectKind.SET and self._begins(effect.node):
            made = frozenset({self._unit.parameters[0].name})
            return Blocker(Reason.SIDE_EFFECT, effect.node, effect.words, changes=made)
        if reason is not None:
            is_doubt = not effect.is_sure or (reason is Reason.NUMPY and self._is_kept(effect.node))
            return Blocker(reason, effect.node, effect.words, of_unknown=is_doubt)
        return _JUDGES[effect.kind](self, effect)

    def _is_scratch(self, node: cst.CSTNode) -> bool:
        """Whether this code, all of a function, sets the attribute before anything in it reads it."""
        carrier = scratch_of(self._model, cst.ensure_type(node, cst.Attribute))
        return carrier is self._unit and not self._is_region

    def _begins(self, node: cst.CSTNode) -> bool:
        """Whether the constructor of a plain object of the project's own sets an attribute of it."""
        unit, info = self._unit, self._unit.class_
        if info is None or unit.name != "__init__" or not unit.parameters or not self._is_called:
            return False
        if info.role is not Kind.OBJECT or info.has_unknown_base or info.method("__setattr__"):
            return False
        holder = node.value if isinstance(node, cst.Attribute) else None
        return isinstance(holder, cst.Name) and holder.value == unit.parameters[0].name

    def _is_kept(self, node: cst.CSTNode) -> bool:
        """Whether NumPy computes of what comes from outside alone: each trace keeps what it gave then."""
        is_method = self._unit.method is MethodKind.INSTANCE
        receiver = [p.name for p in self._unit.parameters[:1]] if is_method else []
        names = {part.value for part in walk(node) if isinstance(part, cst.Name)}
        return not names.difference(receiver) & {*self._local_names, *self._passed_names}

    def _is_left_eager(self, node: cst.CSTNode) -> bool:
        """Whether code stands in a function of its own that `tf.py_function` or its like runs, which
        is eager whatever is traced around it."""
        unit = self._model.unit(node)
        while unit is not self._unit and not unit.is_module:
            if self._model.ask(_run_beside, unit):
                return True
            unit = unit.parent or self._unit
        return False

    def _run(self, effect: Effect) -> Blocker | None:
        if self._is_endless(effect):
            words = (
                "calls itself until a tensor says that it is done, and a trace follows each call"
            )
            return Blocker(Reason.AUTOGRAPH, effect.node, words)
        found: list[Blocker] = []
        for inner, unit in self._inside(effect):
            changed = self._changed_by_call(effect.node, unit, inner)
            if changed is None or self._is_bound_here(inner) or self._stays_within(inner):
                continue
            if inner.is_of_attribute and self._is_scratch(inner.read):
                continue
            if are_read_within(self._model, inner.read, self._own):
                continue
            if inner.is_recorded and is_differentiated(self._model, effect.node):
                continue
            message = f"{effect.words} `{unit.name}`, and that {inner.message}"
            found.append(
                Blocker(
                    inner.reason,
                    effect.node,
                    message,
                    inner.of_unknown,
                    inner.places or (inner.node,),
                    changed,
                    is_recorded=inner.is_recorded and self._gives_back(effect.node),
                )
            )
            if not found[-1].may_be_lifted:
                break
        if not found or found[-1].may_be_lifted:
            settings = self._run_keras(effect)
            found += [settings] if settings is not None else []
        return replace(found[0], behind=tuple(found[1:])) if found else None

    def _inside(self, effect: Effect) -> Iterator[tuple[Blocker, Unit]]:
        """What keeps the functions that are called from being traced, with each of them."""
        for unit in effect.units:
            is_raw = self._is_raw or runs_raw(self._model, effect.node)
            for inner in self._safety.callee_blockers(unit, is_raw=is_raw):
                yield inner, unit
                yield from ((other, unit) for other in inner.behind)

    def _gives_back(self, call: cst.CSTNode) -> bool:
        return self._is_called and is_given_back(self._model, call)

    def _call_unknown(self, effect: Effect) -> Blocker | None:
        """But for one that computes, of tensors, what a tape differentiates or Keras traces."""
        call = effect.node
        is_tensors, gives_back = takes_tensors(self._model, call), self._gives_back(call)
        if is_tensors and is_differentiated(self._model, call):
            return None
        if gives_back and is_part_of_keras(self._model, call):
            return None
        return Blocker(
            Reason.UNRESOLVED_CALL,
            call,
            effect.words,
            of_unknown=not effect.is_sure,
            is_recorded=is_tensors and gives_back,
        )

    def _is_endless(self, effect: Effect) -> bool:
        """Whether a function runs itself again, and nothing that a trace knows ends that."""
        model, call = self._model, effect.node
        if model.unit(call) not in effect.units:
            return False
        if python_tests_around(model, call) or exits_before(model, call):
            return False
        if repeating(model, call):
            return False
        by_tensor = any(model.value(test).is_tensor for test in tests_around(model, call))
        return by_tensor or exits_before(model, call, by_tensor=True)

    def _is_bound_here(self, inner: Blocker) -> bool:
        """Whether a called function reads a name of this code, which each trace binds again."""
        name = inner.node
        if inner.reason is not Reason.CHANGING_STATE or not isinstance(name, cst.Name):
            return False
        home = self._model.binder.scope(name).home(name.value)
        if home is None or not self._is_region or home is not self._unit.scope:
            return home is not None and self._is_inner(home.node)
        reader = self._model.unit(name)
        moves = reader is not self._unit and self._is_inner(reader.node)
        return moves and name.value in (self._local_names | self._passed_names)

    def _stays_within(self, inner: Blocker) -> bool:
        """Whether nothing sets the attribute that a called function reads while this trace lasts."""
        read = inner.read
        if not inner.is_of_attribute or not isinstance(read, cst.Attribute):
            return False
        state = self._safety.state
        return state.attribute_changes(read) and not self._changes(read)

    def _changes(self, read: cst.Attribute) -> bool:
        return self._safety.state.attribute_changes(read, self._within)

    def _changed_by_call(
        self, call: cst.CSTNode, unit: Unit, inner: Blocker
    ) -> frozenset[str] | None:
        """The own parameters that a called function changes by a blocker of it, where it is one
        for what the parameters get alone; None where all that it changes is made here."""
        if not inner.changes:
            return inner.changes
        edges = [edge for edge in self._model.calls.at(call) if edge.callee is unit]
        found: list[frozenset[str] | None] = [
            frozenset() if self._makes(edge, name) else self._outside(edge.argument(name))
            for edge in edges
            for name in inner.changes
        ]
        if not found or None in found:
            return frozenset()
        changed = frozenset().union(*(names for names in found if names is not None))
        return changed or None

    def _makes(self, edge: Edge, name: str) -> bool:
        """Whether a call makes the object that a constructor gets as a parameter: who else is to know it, where no
        tensor decides whether it is made?
        """
        callee = edge.callee
        if callee.name != "__init__" or not callee.parameters or callee.parameters[0].name != name:
            return False
        is_class = isinstance(edge.node, cst.Call) and self._kind(edge.node.func) is Kind.CLASS
        return (
            is_class
            and not self._in_tensor_loop(edge.node)
            and not self._below_tensor_test(edge.node)
        )

    def _run_keras(self, effect: Effect) -> Blocker | None:
        """A Keras object whose settings change, of which a trace would keep the first, or that is made
        of code which surely does something else in a trace."""
        owner = self._model.value(effect.subject) if effect.subject is not None else None
        settings = sorted(self._safety.state.settings.turned(owner.kind)) if owner else []
        if owner is None:
            return None
        if not settings:
            return self.held(effect)
        kind = Kind.MODEL if owner.kind is Kind.LAYER else owner.kind
        message = (
            f"runs {kind.with_article} while `{settings[0]}` is changed, which a trace freezes"
        )
        return Blocker(Reason.CHANGING_STATE, effect.node, message)

    def held(self, effect: Effect) -> Blocker | None:
        """What keeps the code that a Keras object is made of from being traced, where the object is run."""
        assert isinstance(effect.subject, cst.BaseExpression)
        held = code_inside(self._model, effect.subject)
        raw = self._run_raw(effect, held)
        if raw is not None:
            return raw
        for unit in held:
            for inner in self._safety.callee_blockers(unit):
                if inner.reason in _OF_STATE and not (inner.of_unknown or inner.changes):
                    message = f"runs `{unit.name}`, of which it is made, and that {inner.message}"
                    places = inner.places or (inner.node,)
                    return Blocker(inner.reason, effect.node, message, places=places)
            for read in self._model.ask(Effects).of_all(unit.body):
                if self._is_set_between(read, effect):
                    message = f"runs `{unit.name}`, of which it is made, and that {read.words}"
                    places = (read.node,)
                    return Blocker(Reason.CHANGING_STATE, effect.node, message, places=places)
        return None

    def _run_raw(self, effect: Effect, held: list[Unit]) -> Blocker | None:
        """What Keras 3 runs as it is, though only AutoGraph would trace it."""
        if not self._model.world.may_run_keras_3:
            return None
        is_optimizer = self._kind(effect.subject) is Kind.OPTIMIZER
        bound = self._model.ask(constraints) if is_optimizer else []
        for unit in [*held, *bound]:
            for inner in self._safety.callee_blockers(unit, is_raw=True):
                if inner.reason is Reason.AUTOGRAPH and not inner.of_unknown:
                    is_doubt = not self._model.world.runs_keras_3(effect.node) or unit in bound
                    whose = "of which it is made" if unit in held else "a constraint"
                    message = f"runs `{unit.qualname}`, {whose}, and that {inner.message}"
                    places = inner.places or (inner.node,)
                    return Blocker(inner.reason, effect.node, message, is_doubt, places)
        return None

    def _is_set_between(self, read: Effect, run: Effect) -> bool:
        """Whether an attribute that the code of an object reads is set between two runs of the object."""
        if read.kind is not EffectKind.READ_ATTRIBUTE or not isinstance(read.node, cst.Attribute):
            return False
        return self._safety.state.attribute_changes(read.node, self._within, run.node)

    def _is_local(self, node: cst.CSTNode | None) -> bool:
        return isinstance(node, cst.Name) and node.value in self._local_names

    def _tape(self, effect: Effect) -> Blocker | None:
        if self._is_local(effect.subject):
            return None
        return Blocker(Reason.TAPE, effect.node, effect.words)

    def _outside(self, container: cst.CSTNode | None) -> frozenset[str] | None:
        """The parameters that decide whether a container is made here; None where it is not."""
        found = makers_outside(self._model, self._nodes, container)
        return found if self._is_called or not found else None

    def _mutate(self, effect: Effect) -> Blocker | None:
        outside = self._outside(effect.subject)
        if outside is None:
            return Blocker(Reason.SIDE_EFFECT, effect.node, effect.words)
        if self._in_tensor_loop(effect.node):
            return Blocker(Reason.AUTOGRAPH, effect.node, "grows a list in a loop over a tensor")
        if self._below_tensor_test(effect.node):
            return Blocker(Reason.AUTOGRAPH, effect.node, "grows a list where a tensor decides")
        return self._if_outside(effect, outside)

    def _if_outside(self, effect: Effect, outside: frozenset[str]) -> Blocker | None:
        if not outside:
            return None
        return Blocker(Reason.SIDE_EFFECT, effect.node, effect.words, changes=outside)

    def _store(self, effect: Effect) -> Blocker | None:
        outside, kind = self._outside(effect.subject), self._kind(effect.subject)
        if outside is None or kind not in _CONTAINERS:
            return Blocker(Reason.SIDE_EFFECT, effect.node, effect.words)
        if self._in_tensor_loop(effect.node):
            message = "fills a container in a loop over a tensor"
            return Blocker(Reason.AUTOGRAPH, effect.node, message)
        if self._below_tensor_test(effect.node):
            message = "fills a container where a tensor decides"
            return Blocker(Reason.AUTOGRAPH, effect.node, message)
        if kind is Kind.NDARRAY and self._kind(effect.node) not in _OF_ARRAYS:
            message = "stores what may be a tensor into a NumPy array"
            is_unknown = not self._model.value(effect.node).is_known
            return Blocker(Reason.NUMPY, effect.node, message, is_unknown)
        return self._if_outside(effect, outside)

    def _kind(self, node: cst.CSTNode | None) -> Kind:
        return self._model.value(node).kind if node is not None else Kind.UNKNOWN

    def _in_tensor_loop(self, node: cst.CSTNode) -> bool:
        """Whether a loop of the code around `node` runs over a tensor or dataset."""
        for ancestor in self._model.ancestors(node):
            if isinstance(ancestor, cst.For):
                if self._kind(ancestor.iter) in (*TENSOR_LIKE, Kind.DATASET):
                    return True
            elif isinstance(ancestor, cst.While):
                if any(may_be_tensor(self._model.value(p)) for p in judged(ancestor.test)):
                    return True
            if ancestor in self._nodes:
                break
        return False

    def _below_tensor_test(self, node: cst.CSTNode) -> bool:
        """Whether an `if` or `while` around a node asks a tensor: a trace runs what is below anyway."""
        for parent in self._model.ancestors(node):
            if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
                return False
            if isinstance(parent, (cst.If, cst.While)):
                if any(may_be_tensor(self._model.value(part)) for part in judged(parent.test)):
                    return True
        return False

    def _summary(self, effect: Effect) -> Blocker | None:
        """But for one that the trace writes at a step of its own, to a writer that it enters itself."""
        step = effect.subject
        if step is not None and may_be_tensor(self._model.value(step)):
            if self._is_in_writer(effect.node):
                return None
        return Blocker(Reason.SUMMARY, effect.node, effect.words)

    def _is_in_writer(self, node: cst.CSTNode) -> bool:
        for ancestor in self._model.ancestors(node):
            if isinstance(ancestor, cst.With):
                if any(self._enters_writer(item.item) for item in ancestor.items):
                    return True
            if ancestor in self._nodes:
                return False
        return False

    def _enters_writer(self, item: cst.BaseExpression) -> bool:
        receiver = self._model.value(item.func).receiver if isinstance(item, cst.Call) else None
        return receiver is not None and receiver.kind is Kind.WRITER

    def _return(self, effect: Effect) -> Blocker | None:
        if not self._is_region or self._model.unit(effect.node) is not self._unit:
            return None
        return Blocker(Reason.CONTROL, effect.node, effect.words)

    def _jump(self, effect: Effect) -> Blocker | None:
        if not self._is_region:
            return None
        for ancestor in self._model.ancestors(effect.node):
            if isinstance(ancestor, (cst.For, cst.While)):
                return None
            if ancestor in self._nodes:
                break
        return Blocker(Reason.CONTROL, effect.node, effect.words)

    def _read_name(self, effect: Effect) -> Blocker | None:
        name, node = effect.name, effect.node
        assert isinstance(node, cst.Name)
        if name in self._local_names or name in self._passed_names:
            return None
        scope = self._model.binder.scope(node)
        home = scope.home(name)
        if home is None or self._is_inner(home.node):
            return None
        state = self._safety.state
        if self._is_region and home is self._unit.scope:
            # What the loop rebinds is passed; the rest can change only from another function.
            changes = state.is_set_elsewhere(name, scope)
        else:
            changes = state.name_changes(node)
        if changes:
            message = f"reads `{name}`, which is bound anew"
            places = tuple(binding.node for binding in home.bindings[name])
            return Blocker(Reason.CHANGING_STATE, node, message, places=places)
        if self._is_changed_here(node):
            return None
        kinds = (*_CONTAINERS, Kind.UNKNOWN)
        if (
            self._kind(node) in kinds and state.is_mutated(name, scope, node)
        ) or state.is_partial_of_mutated(name, scope, node):
            message = f"reads `{name}`, which is changed in place elsewhere"
            return Blocker(Reason.CHANGING_STATE, node, message)
        return None

    def _is_changed_here(self, node: cst.CSTNode) -> bool:
        """Whether this read is the change itself (`names.append(x)`), which is said already."""
        holder = self._model.parent(node)
        call = self._model.parent(holder) if isinstance(holder, cst.Attribute) else None
        if not isinstance(call, cst.Call) or not isinstance(holder, cst.Attribute):
            return False
        return call.func is holder and holder.attr.value in MUTATING

    def _is_inner(self, owner: cst.CSTNode) -> bool:
        """Whether a scope opens inside of the code."""
        if owner is self._unit.node:
            return not self._is_region
        return any(a in self._nodes for a in (owner, *self._model.ancestors(owner)))

    def _lists_by_setting(self, node: cst.Attribute) -> bool:
        """Whether an attribute lists the variables of a model by a setting of its layers that changes."""
        kind = self._kind(node.value)
        if kind not in (Kind.MODEL, Kind.LAYER) or not node.attr.value.startswith(f"{_TRAINABLE}_"):
            return False
        if _TRAINABLE not in self._safety.state.settings.turned(kind):
            return False
        effects = self._model.ask(Effects).of_all(self._nodes)
        run = (each for each in effects if each.kind is EffectKind.RUN_KERAS)
        return all(self._run_keras(each) is None for each in run)  # Else that is said already.

    def _read_attribute(self, effect: Effect) -> Blocker | None:
        assert isinstance(effect.node, cst.Attribute)
        if finds_none(self._model, effect.node):
            words = f"reads `{effect.node.attr.value}` before the first call makes any"
            return Blocker(Reason.CHANGING_STATE, effect.node, words)
        if self._lists_by_setting(effect.node):
            words = f"reads `{effect.node.attr.value}` while `trainable` is changed"
            return Blocker(Reason.CHANGING_STATE, effect.node, words)
        if not self._changes(effect.node):
            return None
        return Blocker(Reason.CHANGING_STATE, effect.node, effect.words)


_TRAINABLE = "trainable"


def _run_beside(model: Answers, unit: Unit) -> bool:
    """Whether nothing runs a function but calls that have it run eagerly beside the trace."""
    edges = [*model.calls.callers(unit), *model.calls.handed(unit)]
    return bool(edges) and all(edge.how == "eager" for edge in edges)


#: The effects that keep code from being traced where something notices them.
_JUDGES: dict[EffectKind, Callable[[Scan, Effect], Blocker | None]] = {
    EffectKind.RUN: Scan._run,
    EffectKind.UNKNOWN: Scan._call_unknown,
    EffectKind.RUN_KERAS: Scan._run_keras,
    EffectKind.TAPE: Scan._tape,
    EffectKind.MUTATE: Scan._mutate,
    EffectKind.STORE: Scan._store,
    EffectKind.SUMMARY: Scan._summary,
    EffectKind.RETURN: Scan._return,
    EffectKind.JUMP: Scan._jump,
    EffectKind.READ_NAME: Scan._read_name,
    EffectKind.READ_ATTRIBUTE: Scan._read_attribute,
}
