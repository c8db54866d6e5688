"""Objects that cannot stand for themselves: they have no hash, or no weak reference to them.

`tf.function` keeps the traces of a method by its instance, in a dictionary of weak references, and
those of a call by its arguments. It refuses objects that Python cannot put there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.syntax import is_none, walk
from tfxla_lint.semantics.units import ClassInfo, MethodKind, Unit
from tfxla_lint.semantics.values import Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: Each with whether its instances can be compared without further options, and are then frozen.
_RECORDS = {
    name: name in behaviour.names(Trait.FROZEN_RECORD) for name in behaviour.names(Trait.RECORD)
}
#: Containers that a trace takes apart where they are arguments.
_STRUCTURES = behaviour.names(Trait.STRUCTURE)
_UNHASHABLE = _STRUCTURES | behaviour.names(Trait.UNHASHABLE)
_UNREFERABLE = behaviour.names(Trait.UNREFERABLE)


def method_blocker(model: Answers, unit: Unit) -> Blocker | None:
    """What keeps a traced function from being a method of the class that a unit is a method of."""
    for info in classes_of(model, unit):
        if _is_unhashable(model, info):
            what = "have no hash"
        elif _is_unreferable(info):
            what = "cannot be referred to weakly"
        else:
            continue
        message = f"is a method of `{info.name}`, whose instances {what}, as tf.function asks"
        return Blocker(Reason.UNHASHABLE, unit.node, message)
    return None


def classes_of(model: Answers, unit: Unit) -> list[ClassInfo]:
    """The classes whose instances a method may be called on; none for what is no method of those."""
    own = unit.class_
    if own is None or unit.method is not MethodKind.INSTANCE:
        return []
    derived = (info for info in model.every_class if own in info.lineage())
    return list(dict.fromkeys((own, *unit.receivers, *derived)))


def argument_blocker(model: Answers, name: str, value: Value, node: cst.CSTNode) -> Blocker | None:
    """What keeps an object from being an argument of a traced function."""
    info = value.class_
    if info is None or not _is_unhashable(model, info):
        return None
    if any(member.base_names and set(member.base_names) & _STRUCTURES for member in info.lineage()):
        return None
    message = f"takes `{name}`, an instance of `{info.name}`, which has no hash to find a trace by"
    return Blocker(Reason.UNHASHABLE, node, message)


def _is_unhashable(model: Answers, info: ClassInfo) -> bool:
    for member in info.lineage():
        has_hash = _own_hash(model, member)
        if has_hash is not None:
            return not has_hash
    return any(set(member.base_names) & _UNHASHABLE for member in info.lineage())


def _own_hash(model: Answers, info: ClassInfo) -> bool | None:
    """Whether a class gives its instances a hash or takes it; None where its bases decide."""
    bindings = info.scope.bindings
    if "__hash__" in bindings:
        value = bindings["__hash__"][-1].value
        return value is None or not is_none(value)
    for decorator in info.node.decorators:
        found = _hash_of_record(model, decorator.decorator)
        if found is not None:
            return found
    return False if "__eq__" in bindings else None


def compares_fields(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a decorator makes records of a class whose fields say which of them are equal."""
    return _hash_of_record(model, node) is not None


def _hash_of_record(model: Answers, node: cst.BaseExpression) -> bool | None:
    """What the decorator that makes a record does to the hash of its instances."""
    head, arguments = (node.func, node.args) if isinstance(node, cst.Call) else (node, ())
    name = next((n for n in model.names.of(head) if n in _RECORDS), None)
    if name is None:
        return None
    options = {
        argument.keyword.value: model.value(argument.value).constant
        for argument in arguments
        if argument.keyword is not None
    }
    if options.get("eq", True) is False:
        return None
    return bool(
        options.get("frozen", _RECORDS[name]) or options.get("unsafe_hash") or options.get("hash")
    )


def _is_unreferable(info: ClassInfo) -> bool:
    """Whether there can be no weak references to the instances of a class."""
    if any(set(member.base_names) & _UNREFERABLE for member in info.lineage()):
        return True
    return not info.has_foreign_base and all(_is_slotted(member) for member in info.lineage())


def _is_slotted(info: ClassInfo) -> bool:
    """Whether a class lists the slots of its instances, and none for weak references."""
    for decorator in info.node.decorators:
        if isinstance(decorator.decorator, cst.Call):
            options = _constants(decorator.decorator.args)
            if options.get("slots") == "True":
                return options.get("weakref_slot") != "True"
    bindings = info.scope.bindings.get("__slots__", ())
    values = [binding.value for binding in bindings]
    return bool(values) and not any(_names_weakref(value) for value in values)


def _constants(arguments: Iterable[cst.Arg]) -> dict[str, str]:
    return {
        a.keyword.value: a.value.value
        for a in arguments
        if a.keyword is not None and isinstance(a.value, cst.Name)
    }


def _names_weakref(node: cst.BaseExpression | None) -> bool:
    """Whether the slots may hold one for weak references."""
    if not isinstance(node, (cst.List, cst.Tuple, cst.Set, cst.SimpleString)):
        return True
    return any(
        not isinstance(inner, cst.SimpleString) or "__weakref__" in inner.value
        for inner in walk(node)
        if isinstance(inner, (cst.SimpleString, cst.Name, cst.Call))
    )
