"""Whether what is computed of each row of a tensor has the same shape for all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols, xla
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.xla.dynamic_shapes import is_mask

_TF = "tensorflow."
#: Functions whose results have as many members as the data says.
_SELECTING = behaviour.names(Trait.PICKS)
_HOMES = ("sets.", "ragged.", "sparse.")


def keeps_shape(
    model: SemanticModel,
    nodes: Iterable[cst.CSTNode],
    slices: Collection[cst.BaseExpression],
    names: Collection[str],
) -> bool:
    """Whether no size, bound or mask in `nodes` is computed of the `slices` or is in `names`.

    `tf.vectorized_map` stacks what each operation gives, so all of it needs one shape.
    """
    rows = {id(node) for node in slices}

    def is_of_row(node: cst.CSTNode) -> bool:
        return any(
            id(part) in rows or (isinstance(part, cst.Name) and part.value in names)
            for part in walk(node)
        )

    for root in nodes:
        for node in walk(root):
            if any(is_of_row(size) for size in _sizes(model, node)):
                return False
    return True


def _sizes(model: SemanticModel, node: cst.CSTNode) -> list[cst.CSTNode]:
    """What decides the shape of the result of a call or a subscript."""
    if isinstance(node, cst.Subscript):
        parts = [element.slice for element in node.slice]
        ends = [p for p in parts if isinstance(p, cst.Slice)]
        masks = [p for p in parts if isinstance(p, cst.Index) and is_mask(model, p.value)]
        return [*ends, *masks]
    name = model.names.one(node.func) if isinstance(node, cst.Call) else None
    if not isinstance(node, cst.Call) or name is None or not name.startswith(_TF):
        return []
    short = name.removeprefix(_TF)
    verdict = xla.verdict(name, model.tf_version)
    symbol = symbols.find(name, model.tf_version)
    if verdict is None or symbol is None:
        return [node]
    if name in _SELECTING or short.startswith(_HOMES):
        return [node]
    if verdict.dynamic_shape and not (short == "where" and len(node.args) > 1):
        return [node]
    given = by_parameter(node, symbol)
    if short == "range":
        return list(given.values())
    return [given[parameter] for parameter in verdict.const_args if parameter in given]
