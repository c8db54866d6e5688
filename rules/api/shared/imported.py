"""References to names of TensorFlow: attributes, and names in import statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.names import canonical, spelled
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import dotted

_PACKAGE = "tensorflow"
_PRIVATE, _KERAS = "tensorflow.python", "tensorflow.keras."


@dataclass(frozen=True, slots=True)
class Reference:
    """A node that stands for `name`, as the code writes it but for the spellings of a module.

    `whole` is the longest name that the code writes there, of which `name` is the beginning.
    `within` is the node or the import statement that it is part of.
    """

    node: cst.CSTNode
    name: str
    whole: str
    within: cst.CSTNode


def tensorflow_references(model: SemanticModel) -> list[Reference]:
    """Every reference, each prefix of a dotted name apart; what is rooted at `keras` is none."""
    return model.once("tensorflow_references", lambda: list(_references(model)))


def may_be_private(model: SemanticModel, name: str, node: cst.BaseExpression) -> bool:
    """Whether what an expression names or holds of Keras may be of the copy that TensorFlow keeps to
    itself, which stayed as it was."""
    if not name.startswith(_KERAS) or not model.world.may_hold_copies(model.home):
        return False
    info = model.value(node.value).class_ if isinstance(node, cst.Attribute) else None
    if info is not None and model.world.runs_keras_3(node, info):
        return False  # A class is what its bases are.
    return not _is_public(model, node)


def _is_public(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is a name of TensorFlow that leads through nothing private."""
    root = node
    while isinstance(root, cst.Attribute):
        if root.attr.value == _PRIVATE.rpartition(".")[2]:
            return False
        root = root.value
    return isinstance(root, cst.Name) and _is_tensorflow(model, root, {})


def _references(model: SemanticModel) -> Iterator[Reference]:
    roots: dict[int, bool] = {}
    wholes: dict[int, str] = {}
    for node in model.nodes(cst.Attribute):
        name = _as_written(model, node)
        parent = model.parent(node)
        is_part = isinstance(parent, cst.Attribute) and parent.value is node
        # Parents come before what they are made of.
        whole = (wholes.get(id(parent)) if is_part else None) or name
        if whole is not None:
            wholes[id(node)] = whole
        if name is None or whole is None or not name.startswith(_PACKAGE + "."):
            continue
        root: cst.BaseExpression = node
        while isinstance(root, cst.Attribute):
            root = root.value
        if isinstance(root, cst.Name) and _is_tensorflow(model, root, roots):
            yield Reference(node, name, whole, node)
    for plain in model.nodes(cst.Import):
        yield from _imported(plain)
    for statement in model.nodes(cst.ImportFrom):
        yield from _imported(statement)


def _as_written(model: SemanticModel, node: cst.BaseExpression) -> str | None:
    """The name that the code writes; what `compat.v1` shows of TensorFlow 2 keeps that home."""
    name = model.names.one(node)
    written = None
    if name is not None and isinstance(node, cst.Attribute):
        holder = _as_written(model, node.value)
        written = spelled(f"{holder}.{node.attr.value}") if holder is not None else None
    elif name is not None and isinstance(node, cst.Name):
        bindings = model.binder.scope(node).lookup(node.value)
        imported = {binding.imported for binding in bindings}
        written = spelled(imported.pop() or "") if len(imported) == 1 else None
    return written if written is not None and canonical(written) == name else name


def _is_tensorflow(model: SemanticModel, root: cst.Name, known: dict[int, bool]) -> bool:
    bindings = model.binder.scope(root).lookup(root.value)
    return bool(bindings) and all(_binds_tensorflow(model, b, known) for b in bindings)


def _binds_tensorflow(model: SemanticModel, binding: Binding, known: dict[int, bool]) -> bool:
    key = id(binding)
    if key not in known:
        known[key] = False
        value = binding.value
        while isinstance(value, cst.Attribute):
            value = value.value
        if binding.kind is BindingKind.IMPORT and binding.imported is not None:
            is_public = not binding.imported.startswith(_PRIVATE)
            known[key] = binding.imported.partition(".")[0] == _PACKAGE and is_public
        elif isinstance(value, cst.Name):
            known[key] = _is_tensorflow(model, value, known)
    return known[key]


def _imported(statement: cst.Import | cst.ImportFrom) -> Iterator[Reference]:
    if isinstance(statement, cst.Import):
        for alias in statement.names:
            name = dotted(alias.name) or ""
            yield from _prefixes(statement, alias.name, name, name)
        return
    module = dotted(statement.module) or ""
    if statement.relative or module.partition(".")[0] != _PACKAGE or statement.module is None:
        return
    aliases = [] if isinstance(statement.names, cst.ImportStar) else list(statement.names)
    names = [f"{module}.{dotted(alias.name)}" for alias in aliases]
    yield from _prefixes(statement, statement.module, module, names[0] if names else module)
    for alias, name in zip(aliases, names, strict=True):
        yield Reference(alias.name, name, name, statement)


def _prefixes(
    statement: cst.CSTNode, node: cst.CSTNode, name: str, whole: str
) -> Iterator[Reference]:
    """The module of an import and the packages around it."""
    parts = name.split(".")
    if parts[0] == _PACKAGE:
        for end in range(2, len(parts) + 1):
            yield Reference(node, ".".join(parts[:end]), whole, statement)
