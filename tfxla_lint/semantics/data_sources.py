"""Which argument or variable of compiled code an expression gets its value from.

What is known while compiling (Python numbers, shapes, literal tensors) has no such source, and
neither has anything that is not understood.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.compiled import compiled_units
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.reaching import assigned_value, definition
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import children
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_DEPTH = 12
#: Functions whose results do not depend on what their tensors hold.
_STATIC = behaviour.names(Trait.VALUE_FREE)
#: Functions that pass a number on as it is.
_PLAIN = behaviour.names(Trait.HANDS_ON) | behaviour.names(Trait.NUMBER_THROUGH)
_BUILTINS = behaviour.names(Trait.CONVERTS) | {"builtins.abs"}


@dataclass(frozen=True, slots=True)
class DataSource:
    """An argument or variable that `node` reads.

    `binding` is the parameter's, None for a variable or a tensor from outside. `is_direct` says
    that its own number is used, not one that is computed from what a tensor holds.
    """

    node: cst.BaseExpression
    binding: Binding | None = None
    is_direct: bool = True


def compiled_source(model: SemanticModel, node: cst.CSTNode) -> DataSource | None:
    """As `data_source`, followed through the callers of a helper to what compiled code is given."""
    source = data_source(model, node)
    return followed(model, source) if source is not None else None


def followed(model: SemanticModel, source: DataSource, depth: int = _DEPTH) -> DataSource | None:
    """The argument of a compiled function, or the variable, that a helper's argument comes from."""
    if source.binding is None:
        return source
    unit = model.units.containing(source.binding.node)
    if is_compiled_root(model, unit):
        return source
    if depth == 0:
        return None
    for edge in model.calls.direct(unit):
        given = edge.argument(source.binding.name)
        outer = data_source(model, given) if given is not None else None
        if outer is not None:
            merged = replace(outer, is_direct=outer.is_direct and source.is_direct)
            found = followed(model, merged, depth - 1)
            if found is not None:
                return found
    return None


def data_source(model: SemanticModel, node: cst.CSTNode, depth: int = _DEPTH) -> DataSource | None:
    """The first argument or variable that an expression depends on, or None.

    An argument need not be a tensor where nothing is known of it.
    """
    if depth == 0:
        return None
    if isinstance(node, cst.Name):
        return _of_name(model, node, depth - 1)
    if isinstance(node, cst.Attribute):
        return _of_attribute(model, node, depth - 1)
    if isinstance(node, cst.Call):
        return _of_call(model, node, depth - 1)
    if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation)):
        return _first(model, children(node), depth - 1)
    if isinstance(node, (cst.Comparison, cst.Subscript)) and not _is_identity(node):
        return _computed(_first(model, _operands(node), depth - 1))
    if isinstance(node, (cst.List, cst.Tuple)):
        return _first(model, [element.value for element in node.elements], depth - 1)
    return None


def is_compiled_root(model: SemanticModel, unit: Unit) -> bool:
    """Whether a unit is itself wrapped with `jit_compile=True`."""
    return any(c.unit is unit and not c.calls for c in compiled_units(model))


def surely_tensor(model: SemanticModel, source: DataSource) -> bool:
    """Whether a source is known to be a tensor; an argument of unknown kind may be a number."""
    if source.binding is None or model.value(source.node).is_tensor:
        return True
    unit = model.units.containing(source.binding.node)
    parameter = unit.parameter(source.binding.name)
    return parameter is not None and declaration(model, unit, parameter.node) is not None


def declaration(model: SemanticModel, unit: Unit, parameter: cst.Param) -> cst.CSTNode | None:
    """The annotation or the spec in the signature that makes a parameter a tensor."""
    annotation = parameter.annotation
    if annotation is not None and "tensorflow.Tensor" in model.names.of(annotation.annotation):
        return annotation.annotation
    signature = unit.tracing.option("input_signature") if unit.tracing is not None else None
    if not isinstance(signature, (cst.List, cst.Tuple)):
        return None
    names = [p.name for p in unit.parameters][1 if unit.is_method else 0 :]
    if parameter.name.value not in names:
        return None
    index = names.index(parameter.name.value)
    return signature.elements[index].value if index < len(signature.elements) else None


def _is_identity(node: cst.Comparison | cst.Subscript) -> bool:
    """`x is None`, `x in y`: Python answers while tracing."""
    if isinstance(node, cst.Subscript):
        return False
    kinds = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
    return any(isinstance(target.operator, kinds) for target in node.comparisons)


def _operands(node: cst.Comparison | cst.Subscript) -> list[cst.CSTNode]:
    if isinstance(node, cst.Comparison):
        return [node.left, *(target.comparator for target in node.comparisons)]
    found: list[cst.CSTNode] = [node.value]
    for element in node.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            found.append(part.value)
        elif isinstance(part, cst.Slice):
            found += [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
    return found


def _first(model: SemanticModel, nodes: list[cst.CSTNode], depth: int) -> DataSource | None:
    found = (data_source(model, node, depth) for node in nodes)
    return next((source for source in found if source is not None), None)


def _computed(source: DataSource | None) -> DataSource | None:
    return replace(source, is_direct=False) if source is not None else None


def _of_name(model: SemanticModel, node: cst.Name, depth: int) -> DataSource | None:
    value = model.value(node)
    if value.is_python_scalar or value.kind in (Kind.NDARRAY, Kind.NUMPY_SCALAR, Kind.NONE):
        return None
    binding = definition(model, node)
    if binding is None:
        return None
    if model.units.of_scope(binding.scope) is not model.unit(node):
        return DataSource(node) if value.is_tensor else None
    if binding.kind is BindingKind.PARAMETER:
        is_data = value.is_tensor or not value.is_known
        return DataSource(node, binding) if is_data else None
    if binding.kind is BindingKind.ASSIGNMENT:
        if binding.value is not None:
            return data_source(model, binding.value, depth)
        unpacked = assigned_value(model, binding)
        return data_source(model, unpacked[0], depth) if unpacked is not None else None
    statement = model.parent(binding.node)
    if binding.kind is BindingKind.AUGMENTED and isinstance(statement, cst.AugAssign):
        return _first(model, [statement.target, statement.value], depth)
    return None


def _of_attribute(model: SemanticModel, node: cst.Attribute, depth: int) -> DataSource | None:
    if node.attr.value in ("shape", "dtype", "ndim"):
        return None
    value = model.value(node)
    if value.is_tensor:
        return DataSource(node)
    if isinstance(node.value, cst.Call):
        return data_source(model, node.value, depth)
    return None


def _of_call(model: SemanticModel, node: cst.Call, depth: int) -> DataSource | None:
    given: list[cst.CSTNode] = [argument.value for argument in node.args]
    function = model.value(node.func)
    if function.kind is Kind.METHOD and isinstance(node.func, cst.Attribute):
        receiver = function.receiver
        is_read = node.func.attr.value in ("read_value", "value")
        if receiver is not None and receiver.kind is Kind.VARIABLE and is_read:
            return data_source(model, node.func.value, depth)
        return None
    name = model.names.one(node.func)
    if name is None or name in _STATIC or name in api.STATEFUL_RANDOM or ".random." in name:
        return None
    if name in _PLAIN:
        return _first(model, given, depth)
    if name in _BUILTINS or api.is_op(name):
        return _computed(_first(model, given, depth))
    return None
