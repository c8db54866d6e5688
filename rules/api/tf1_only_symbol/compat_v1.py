"""What `tf.compat.v1` still has of TensorFlow 1's names."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.semantics.model import SemanticModel

from ..shared.imported import Reference
from ..shared.target import versions

_ROOT = "tensorflow."
_V1 = _ROOT + "compat.v1."


def in_compat_v1(
    model: SemanticModel, reference: Reference
) -> tuple[cst.CSTNode, symbols.Symbol | None]:
    """The longest dotted name around the reference that `tf.compat.v1` has, with its symbol."""
    chain = [reference.node]
    parent = model.parent(reference.node)
    while isinstance(parent, cst.Attribute):
        chain.append(parent)
        parent = model.parent(parent)
    here = versions(model, reference.name)[-1]
    for node in reversed(chain):
        name = reference.name if node is reference.node else model.names.one(node) or ""
        symbol = symbols.find(_V1 + name.removeprefix(_ROOT), here)
        if symbol is not None and (node is reference.node or symbol.kind != "method"):
            return node, symbol
    return reference.node, None


def needs_tf_keras(symbol: symbols.Symbol) -> bool:
    """Whether it is one of the modules that Keras 2 takes with it."""
    oldest = symbols.find(symbol.name, tables.covered()[0])
    return symbol.opaque and oldest is not None and not oldest.opaque
