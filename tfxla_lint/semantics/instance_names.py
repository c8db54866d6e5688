"""Names that instances of a class of the project have already, or may be given."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour, classes, symbols, tables
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.units import ClassInfo

#: What Keras has beside a public name that has the same name without the underscore.
_PRIVATE = frozenset({"_compute_loss"})
_BY_NAME = behaviour.leaves("builtins", Trait.BY_NAME)


def relatives(model: Answers, info: ClassInfo) -> list[ClassInfo]:
    """The classes of the project, this one among them, whose methods one object may have."""
    found = [info]
    for other in model.every_class:
        lineage = other.lineage()
        if info in lineage:
            found += [member for member in lineage if member not in found]
    return found


def instance_names(model: Answers, info: ClassInfo) -> set[str]:
    """The attributes and methods of the instances of a class, whoever defines or uses them.

    Of objects that are not known to be of another class, all attributes count.
    """
    kin = relatives(model, info)
    found = {name for member in kin for name in (*member.methods, *member.attributes)}
    for member in kin:
        for base in member.base_names:
            found |= _defined_by(base)
    used = model.ask(_used)
    return found.union(model.ask(_asked_by_name), *(used.get(each, ()) for each in (None, *kin)))


def _used(model: Answers) -> dict[ClassInfo | None, set[str]]:
    """The attributes that code names, by the class whose own they are, None where that is open."""
    found: dict[ClassInfo | None, set[str]] = {}
    for node in model.everywhere(cst.Attribute):
        found.setdefault(_class_of_receiver(model, node), set()).add(node.attr.value)
    return found


def _class_of_receiver(model: Answers, node: cst.Attribute) -> ClassInfo | None:
    """The class whose method names an attribute of its own instance."""
    unit = model.unit(node)
    if not unit.is_method or not unit.parameters or not isinstance(node.value, cst.Name):
        return None
    return unit.class_ if node.value.value == unit.parameters[0].name else None


def _asked_by_name(model: Answers) -> set[str]:
    """The attributes that `hasattr(x, "name")` and its like look for."""
    found = set()
    for call in model.everywhere(cst.Call):
        name = call.args[1].value if len(call.args) > 1 else None
        is_asking = isinstance(call.func, cst.Name) and call.func.value in _BY_NAME
        if is_asking and isinstance(name, cst.SimpleString):
            found.add(str(name.evaluated_value))
    return found


def _defined_by(base: str) -> set[str]:
    """The public names that instances of a class of TensorFlow have, in any version of it."""
    symbol = symbols.find(base)
    if symbol is None or symbol.class_key is None:
        return set()
    names = {name for v in tables.covered() for name in classes.members(symbol.class_key, v)}
    return names | _PRIVATE
