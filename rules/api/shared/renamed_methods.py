"""Methods and attributes of Keras objects that go by another name today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.renamed import ATTRIBUTES, METHODS
from tfxla_lint.semantics.api import kind_of
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import Value

from .imported import may_be_private
from .version_guards import depends_on_version

#: By old name: the class that has it, and the new name.
RENAMED = {
    old.rpartition(".")[2]: (old.rpartition(".")[0], new)
    for old, new in (METHODS | ATTRIBUTES).items()
}
_KERAS = "keras"
#: The first version with the new names of methods.
_METHODS_SINCE = (2, 5)


@dataclass(frozen=True, slots=True)
class RenamedMethod:
    """A reference to the method or attribute `old`, a full name, that is called `new` today."""

    node: cst.Attribute
    old: str
    new: str

    @property
    def is_warned_of(self) -> bool:
        """Whether TensorFlow warned of the old name while it had it."""
        return self.old in METHODS

    def is_known(self, version: tuple[int, int] | None) -> bool:
        """Whether a version knows the new name, which other attributes always had."""
        return not self.is_warned_of or version is None or version >= _METHODS_SINCE


def renamed_methods(model: SemanticModel) -> list[RenamedMethod]:
    """The references to renamed members of objects whose class is surely TensorFlow's own, in code
    that is not there for some versions alone.

    None where the module imports `keras` by itself: that has versions of its own.
    """
    return model.once("renamed_methods", lambda: list(_renamed_methods(model)))


def _renamed_methods(model: SemanticModel) -> Iterator[RenamedMethod]:
    nodes = [n for n in model.nodes(cst.Attribute) if n.attr.value in RENAMED]
    if not nodes or imports_keras(model):
        return
    for node in nodes:
        name = node.attr.value
        owner, new = RENAMED[name]
        holder = model.value(node.value)
        if not holder.is_sure or holder.kind is not kind_of(behaviour.of(owner)):
            continue
        if may_be_own(model, holder, name) or may_be_private(model, owner, node):
            continue
        if not depends_on_version(model, node, new):
            yield RenamedMethod(node, f"{owner}.{name}", new)


def may_be_own(model: SemanticModel, holder: Value, name: str) -> bool:
    """Whether an object may be of a class of the project that has a method of this name."""
    if holder.class_ is not None:
        return _may_define(holder.class_, name)
    is_made_here = holder.name is not None
    return not is_made_here and any(unit.name == name for unit in model.units.all)


def _may_define(class_: ClassInfo, name: str) -> bool:
    """Whether a first-party class has a method or attribute of its own by this name, seen or not."""
    own = class_.method(name) or class_.attribute(name)
    return own is not None or any(c.has_unknown_base for c in class_.lineage())


def imports_keras(model: SemanticModel) -> bool:
    """Whether a module imports `keras` by itself."""
    modules = [node.module for node in model.nodes(cst.ImportFrom)]
    for statement in model.nodes(cst.Import):
        modules += [alias.name for alias in statement.names]
    return any((dotted(module) or "").split(".")[0] == _KERAS for module in modules if module)
