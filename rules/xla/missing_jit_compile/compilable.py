"""Whether XLA compiles all that a function does, with nothing left to doubt."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols, xla
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.data_sources import data_source
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value
from tfxla_lint.semantics.xla.dynamic_shapes import is_mask

from ..shared.tensor_loops import is_tensor_condition

_TF = "tensorflow."
_TAPE = _TF + "GradientTape"
_WHILE = frozenset({_TF + "while_loop"})
#: Slower under XLA on a CPU: convolutions and pools.
_SLOW = ("conv", "pool", "depthwise", "separable", "resize", "image.")
_BUILTINS = behaviour.names(Trait.COMPILES_WELL)
_METHODS: dict[Kind, frozenset[str]] = {
    Kind.VARIABLE: frozenset({"assign", "assign_add", "assign_sub", "read_value", "value"}),
    Kind.TENSOR_ARRAY: frozenset({"write", "read", "stack", "unstack", "size", "gather"}),
    Kind.TAPE: frozenset({"watch", "gradient"}),
    Kind.OPTIMIZER: frozenset({"apply_gradients", "apply"}),
    Kind.METRIC: frozenset({"update_state"}),
    Kind.LIST: frozenset({"append"}),
}
_LAYERS = behaviour.names(Trait.COMPILES_WELL)
_SEQUENTIAL = frozenset({_TF + "keras.Sequential", _TF + "keras.models.Sequential"})


def compiles_whole(model: SemanticModel, unit: Unit) -> bool:
    """Whether everything that a unit does, through calls, surely compiles, and is worth it."""
    return all(
        _compiles(model, inner) and all(run is not inner for run in model.calls.run_by(inner.body))
        for inner in model.calls.below(unit)
    )


def _compiles(model: SemanticModel, unit: Unit) -> bool:
    if unit.is_generator or unit.is_async:
        return False
    nodes = list(unit.nodes(into_scopes=False))
    has_tape = any(
        isinstance(node, cst.Call) and model.names.one(node.func) == _TAPE for node in nodes
    )
    for node in nodes:
        if isinstance(node, cst.Call) and not _call(model, node, has_tape):
            return False
        if isinstance(node, (cst.For, cst.While)) and not _loop(model, node, has_tape):
            return False
        if isinstance(node, cst.Subscript) and not _index(model, node):
            return False
        if isinstance(node, _PYTHON):
            return False
    return True


def _index(model: SemanticModel, node: cst.Subscript) -> bool:
    """Whether an index is no mask, and no tensor that every value of would be compiled."""
    for element in node.slice:
        part = element.slice
        bounds = [part.lower, part.upper] if isinstance(part, cst.Slice) else []
        for bound in [part.value] if isinstance(part, cst.Index) else bounds:
            if bound is not None and (is_mask(model, bound) or data_source(model, bound)):
                return False
    return True


_PYTHON = (cst.Try, cst.Raise, cst.Global, cst.Nonlocal, cst.FormattedString, cst.Yield, cst.Await,
           cst.ClassDef, cst.BaseComp, cst.Import, cst.ImportFrom)  # fmt: skip


def _loop(model: SemanticModel, node: cst.For | cst.While, has_tape: bool) -> bool:
    """A loop on tensors, or a short one in Python, which is unrolled."""
    if isinstance(node, cst.While):
        return is_tensor_condition(model, node.test) and not has_tape
    return model.value(node.iter).is_tensor or model.loops.info(node).is_short


def _call(model: SemanticModel, node: cst.Call, has_tape: bool) -> bool:
    if any(argument.star for argument in node.args):
        return False
    if model.callees(node):
        return True
    name = model.names.one(node.func)
    if name is not None:
        return _named(model, node, name, has_tape)
    function = model.value(node.func)
    if function.kind is Kind.METHOD and function.receiver is not None:
        return function.name in _METHODS.get(function.receiver.kind, frozenset())
    return _keras(model, node.func, function)


def _keras(model: SemanticModel, node: cst.BaseExpression, function: Value) -> bool:
    if function.kind in (Kind.LOSS, Kind.METRIC):
        return function.class_ is None
    if function.kind is Kind.LAYER and function.class_ is None:
        return function.name in _LAYERS
    if function.kind is not Kind.MODEL or function.class_ is not None:
        return False
    made = makers(model.flow, node)
    return bool(made) and all(_is_plain_model(model, expression) for expression in made)


def _is_plain_model(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """`tf.keras.Sequential([...])` of layers that compile well."""
    if not isinstance(node, cst.Call) or not model.names.of(node.func) & _SEQUENTIAL:
        return False
    layers = node.args[0].value if len(node.args) == 1 else None
    if not isinstance(layers, (cst.List, cst.Tuple)):
        return False
    return all(
        isinstance(e.value, cst.Call) and bool(model.names.of(e.value.func) & _LAYERS)
        for e in layers.elements
    )


def _named(model: SemanticModel, node: cst.Call, name: str, has_tape: bool) -> bool:
    if name in _BUILTINS or name == _TAPE:
        return True
    if name == _TF + "TensorArray":
        return not any(
            a.keyword is not None and a.keyword.value == "dynamic_size" for a in node.args
        )
    if name in _WHILE and has_tape and not _is_bounded(node):
        return False
    if not name.startswith(_TF) or any(word in name for word in _SLOW):
        return False
    verdict = xla.verdict(name, model.tf_version)
    symbol = symbols.find(name, model.tf_version)
    if verdict is None or symbol is None:
        return False
    given = by_parameter(node, symbol)
    verdict = verdict.when({}, given)
    if not verdict.compiles or verdict.modes:
        return False
    if verdict.dynamic_shape or verdict.random or verdict.checks or verdict.differs:
        return False
    constants = [given[parameter] for parameter in verdict.const_args if parameter in given]
    return all(data_source(model, constant) is None for constant in constants)


def _is_bounded(node: cst.Call) -> bool:
    return any(a.keyword and a.keyword.value == "maximum_iterations" for a in node.args)
