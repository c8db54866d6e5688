"""What things are by what is asked of them: nothing but a variable has `assign_add`.

A thing is a name in its scope, or an attribute or member as it is read through such a name or
through `self` (`agent.model`, `self.model`, `optimizers["actor"]`). All that is asked of it has to go with one kind. What the
project defines under such a name itself tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.kinds.annotations import role_of
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.scopes import BindingKind, Scope
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Units
from tfxla_lint.semantics.values import TENSOR, Kind, Value, list_of

#: The identity of a scope or of a `class` statement, and the names that are read from there on.
Thing = tuple[int, str]

_OF_KERAS = behaviour.methods(Trait.GIVES_AWAY, "keras")
_SUGGESTING = behaviour.methods(Trait.SUGGESTS, "model")
_METHODS = {
    name: kind
    for kind in (
        Kind.DATASET,
        Kind.METRIC,
        Kind.MODEL,
        Kind.OPTIMIZER,
        Kind.STRATEGY,
        Kind.VARIABLE,
    )
    for name in behaviour.methods(Trait.GIVES_AWAY, kind.name.lower())
}
#: What tells a model from a layer, and from what is no part of Keras nothing.
_LOOPING = behaviour.methods(Trait.KERAS_LOOP, "model") - _METHODS.keys()
_TRAINING, _SPEC = "training", "element_spec"
#: What is asked of the shape of a tensor alone.
_OF_SHAPES = "as_list"
_ASKED = frozenset({*_METHODS, *_OF_KERAS, *_SUGGESTING, *_LOOPING, _SPEC, _OF_SHAPES})
_DEFINED = (BindingKind.IMPORT, BindingKind.CLASS, BindingKind.FUNCTION)


def inferred(value: Value) -> Value:
    """`value` and its members, marked as inferred from use."""
    item = inferred(value.item) if value.item is not None else None
    elements = tuple(map(inferred, value.elements)) if value.elements is not None else None
    return value._replace(by_use=True, item=item, elements=elements)


class ByUse:
    """What the uses in some modules say of names and attributes."""

    def __init__(self, binders: Sequence[Binder], names: Names, modules: Sequence[Units]) -> None:
        self._binder, self._names, self._units = binders[0], names, modules[0]
        self._said: dict[Thing, list[Value]] = {}
        self._suggested: dict[Thing, set[str]] = {}
        self._looping: set[Thing] = set()
        self._tapes: dict[tuple[int, str], bool] = {}
        self._inputs: dict[tuple[int, str], bool] = {}
        self._defined: dict[tuple[int, str], bool] = {}
        own = self._own_names(binders, modules)
        for binder in binders:
            for attribute in binder.nodes(cst.Attribute):
                name = attribute.attr.value
                if name in _ASKED and name not in own:
                    self._attribute(attribute, name)
            for call in binder.nodes(cst.Call):
                self._call(call, own)
        for thing, suggested in self._suggested.items():
            if len(suggested) > 1:
                self._said.setdefault(thing, []).append(Value(Kind.MODEL))
        self._called = set(self._things_called(binders))
        self._known = {thing: found for thing in self._said if (found := self._kind(thing))}
        self._words = frozenset(path.rpartition(".")[2] for _, path in self._known)

    def __bool__(self) -> bool:
        """Whether the use of anything says what it is."""
        return bool(self._known)

    def of(self, node: cst.CSTNode) -> Value | None:
        """What a name or attribute is by its use, None where that says nothing."""
        last = _last(node)
        thing = self._thing(node) if last in self._words else None
        return self._known.get(thing) if thing is not None else None

    def _own_names(self, binders: Sequence[Binder], modules: Sequence[Units]) -> set[str]:
        """The names that mean something of the project's own; "training" where a function takes
        that."""
        own = {name for binder in binders for name in binder.attributes_set}
        for units in modules:
            for info in units.classes:
                named = {m for m in info.methods if m in _ASKED or _is_of_variables(m)}
                if named and not self._is_of_keras(info.node):
                    own |= named
            for unit in units.all:
                if unit.class_ is None and any(p.name == _TRAINING for p in unit.parameters):
                    own.add(_TRAINING)
        return own

    def _is_of_keras(self, node: cst.ClassDef) -> bool:
        return any(role_of(self._names.of(base.value)) is not None for base in node.bases)

    def _thing(self, node: cst.CSTNode) -> Thing | None:
        path: list[str] = []
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            last = _last(node)
            if last is None:
                return None
            path.insert(0, last)
            node = node.value
        if not isinstance(node, cst.Name):
            return None
        home = self._binder.scope(node).home(node.value)
        if home is None or self._is_defined(home, node.value):
            return None
        owner = self._owner(home, node.value) if path else None
        if owner is not None:
            return id(owner), ".".join(path)
        return id(home), ".".join([node.value, *path])

    def _is_defined(self, home: Scope, name: str) -> bool:
        key = id(home), name
        if key not in self._defined:
            self._defined[key] = any(b.kind in _DEFINED for b in home.bindings[name])
        return self._defined[key]

    def _owner(self, home: Scope, name: str) -> cst.ClassDef | None:
        """The class of whose objects a name is one: `self`, in a method."""
        unit = self._units.of_scope(home)
        if unit.class_ is None or unit.syntactic_method is not MethodKind.INSTANCE:
            return None
        first = unit.parameters[0].name if unit.parameters else None
        return unit.class_.node if first == name else None

    def _say(self, node: cst.CSTNode, value: Value) -> None:
        thing = self._thing(node)
        if thing is not None:
            self._said.setdefault(thing, []).append(value)

    def _attribute(self, node: cst.Attribute, name: str) -> None:
        call = self._binder.parent(node)
        if name in _OF_KERAS:
            self._say(node.value, Value(Kind.MODULE))
        elif name == _SPEC:
            self._say(_source(node.value), Value(Kind.DATASET))
        elif not isinstance(call, cst.Call) or call.func is not node:
            return
        elif name == _OF_SHAPES:
            if isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape":
                self._say(node.value, Value(Kind.SHAPE))
        elif name in _LOOPING:
            thing = self._thing(node.value)
            if thing is not None:
                self._looping.add(thing)
        elif name in _SUGGESTING:
            thing = self._thing(node.value)
            if thing is not None:
                self._suggested.setdefault(thing, set()).add(name)
        elif _METHODS[name] is Kind.DATASET:
            self._say(_source(node.value), Value(Kind.DATASET))
        elif call.args and call.args[0].keyword is None:
            # By keyword alone Flax has `apply_gradients`, and pandas `assign`.
            self._say(node.value, Value(_METHODS[name]))

    def _call(self, node: cst.Call, own: set[str]) -> None:
        func = node.func
        if _TRAINING not in own and any(_is_for_training(argument) for argument in node.args):
            thing = self._thing(func)
            if thing is not None and "." not in thing[1]:
                self._said.setdefault(thing, []).append(Value(Kind.MODEL))
        if self._is_applied(node):
            self._say(func, Value(Kind.MODULE))
        if not isinstance(func, cst.Attribute) or not node.args or node.args[0].keyword:
            return
        given = node.args[0].value
        if func.attr.value == "gradient" and self._is_tape(func.value):
            self._say(given, TENSOR)
            self._sources(node.args[1:], own)
        elif func.attr.value == "apply_gradients" and isinstance(given, cst.Call):
            if given.args and "builtins.zip" in self._names.of(given.func):
                self._say(given.args[0].value, list_of(TENSOR))

    def _sources(self, arguments: Sequence[cst.Arg], own: set[str]) -> None:
        """What a tape is asked for: optimizers have variables as well, but none to train."""
        for argument in arguments[:1]:
            for node in walk(argument.value):
                if isinstance(node, cst.Attribute) and _is_of_variables(node.attr.value):
                    if node.attr.value not in own:
                        self._say(node.value, Value(Kind.MODULE))

    def _things_called(self, binders: Sequence[Binder]) -> Iterator[Thing]:
        """The things that some call runs, of those of which something else is asked."""
        words = frozenset(path.rpartition(".")[2] for _, path in self._said)
        for binder in binders:
            for call in binder.nodes(cst.Call):
                func = call.func
                thing = self._thing(func) if _last(func) in words else None
                if thing is not None and not self._is_applied(call):
                    yield thing

    def _is_tape(self, node: cst.CSTNode) -> bool:
        return self._all_bound(node, self._tapes, self._makes_tape)

    def _is_applied(self, call: cst.Call) -> bool:
        """Whether a call is given what only Keras takes: a symbolic tensor, by the name of an input."""
        given = call.args[0].value if len(call.args) == 1 else None
        return self._all_bound(given, self._inputs, self._makes_input)

    def _all_bound(
        self,
        node: cst.CSTNode | None,
        known: dict[tuple[int, str], bool],
        makes: Callable[[cst.CSTNode], bool],
    ) -> bool:
        """Whether all that binds a name makes something."""
        if not isinstance(node, cst.Name):
            return False
        home = self._binder.scope(node).home(node.value)
        if home is None:
            return False
        key = id(home), node.value
        if key not in known:
            known[key] = all(makes(binding.node) for binding in home.bindings[node.value])
        return known[key]

    def _makes_input(self, target: cst.CSTNode) -> bool:
        """Whether a target is that of `x = tf.keras.Input(...)`."""
        around = self._binder.parent(target)
        value = self._binder.parent(around) if isinstance(around, cst.AssignTarget) else None
        if not isinstance(value, cst.Assign) or not isinstance(value.value, cst.Call):
            return False
        names = self._names.of(value.value.func)
        return any(behaviour.of(name).result == "keras_tensor" for name in names)

    def _makes_tape(self, target: cst.CSTNode) -> bool:
        """Whether a target is that of `with tf.GradientTape() as tape`."""
        around = self._binder.parent(target)
        item = self._binder.parent(around) if isinstance(around, cst.AsName) else None
        if not isinstance(item, cst.WithItem) or not isinstance(item.item, cst.Call):
            return False
        return "tensorflow.GradientTape" in self._names.of(item.item.func)

    def _kind(self, thing: Thing) -> Value | None:
        kinds = {value.kind: value for value in self._said[thing]}
        if kinds.keys() == {Kind.MODULE, Kind.MODEL}:
            del kinds[Kind.MODULE]
        if len(kinds) > 1:
            return None
        found = next(iter(kinds.values()))
        told = (self._suggested, self._looping, self._called)
        if found.kind is Kind.MODULE and any(thing in things for things in told):
            found = Value(Kind.MODEL)
        return inferred(found)


def _last(node: cst.CSTNode) -> str | None:
    """The last part of what names a thing: that of a member is its key, written out or by a name."""
    if type(node) is cst.Name:
        return node.value
    if type(node) is cst.Attribute:
        return node.attr.value
    if type(node) is not cst.Subscript or len(node.slice) != 1:
        return None
    index = node.slice[0].slice
    key = index.value if isinstance(index, cst.Index) else None
    if not isinstance(key, (cst.Name, cst.SimpleString, cst.Integer)) or "." in key.value:
        return None
    return f"[{key.value}]"


def _source(node: cst.BaseExpression) -> cst.BaseExpression:
    """What a chain of the stages of a pipeline starts from."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if behaviour.of(f"@dataset.{node.func.attr.value}").result != "dataset":
            break
        node = node.func.value
    return node


def _is_of_variables(name: str) -> bool:
    """Whether what Keras makes has its variables under a name."""
    return behaviour.of(f"@keras.{name}").of == "variable"


def _is_for_training(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == _TRAINING


#: What gives the parts of an expression whose kinds its own follows from.
PARTS: dict[type[cst.CSTNode], Callable[[Any], Sequence[cst.CSTNode]]] = {
    cst.Attribute: lambda node: (node.value,),
    cst.Call: lambda node: (node.func,),
    cst.Subscript: lambda node: (node.value,),
    cst.BinaryOperation: lambda node: (node.left, node.right),
    cst.UnaryOperation: lambda node: (node.expression,),
    cst.Comparison: lambda node: (node.left, *(to.comparator for to in node.comparisons)),
}
