"""What `self.method()` may run: the method of the class, or of any that derives from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import decorators_of, is_self, walk
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_ABSTRACT = "abc.abstractmethod"


def may_run(model: Answers, call: cst.Call) -> list[Unit]:
    """The functions that a call runs, with the methods that override them in the project.

    Where it is known on which objects the calling method is called, so are the methods. A method
    that is there to be overridden, and is, does not run itself.
    """
    units = [callee.unit for callee in model.callees(call)]
    return with_overriding(model, units, model.unit(call)) if _is_of_self(call) else units


def with_overriding(model: Answers, units: list[Unit], caller: Unit) -> list[Unit]:
    """Methods that `caller` finds by `self`, with those that override them."""
    if _knows_objects(caller):
        return units
    units = list(units)
    for unit in list(units):
        units += [other for other in _overriding(model, unit) if other not in units]
    concrete = [unit for unit in units if not is_abstract(model, unit)]
    return concrete if concrete and len(units) > 1 else units


def _knows_objects(unit: Unit) -> bool:
    """Whether all objects that a method is called on are of derived classes that were seen."""
    return bool(unit.receivers) and unit.class_ not in unit.receivers


def _is_of_self(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and is_self(call.func.value)


def _overriding(model: Answers, unit: Unit) -> list[Unit]:
    if unit.class_ is None or unit.name not in unit.class_.methods:
        return []
    return [
        info.methods[unit.name]
        for info in model.every_class
        if info is not unit.class_ and unit.name in info.methods and unit.class_ in info.lineage()
    ]


def is_abstract(model: Answers, unit: Unit) -> bool:
    """Whether a method does nothing but to ask for another one, or says that it is there for that."""
    if not isinstance(unit.node, cst.FunctionDef):
        return False
    if any(model.names.one(each) == _ABSTRACT for each in decorators_of(unit.node)):
        return True
    *others, last = unit.node.body.body or [None]
    if others and not (len(others) == 1 and unit.node.get_docstring() is not None):
        return False
    small = last.body[0] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(small, cst.Raise) and any(
        isinstance(n, cst.Name) and n.value == "NotImplementedError" for n in walk(small)
    )
