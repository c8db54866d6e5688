"""Which argument or variable of compiled code an expression gets its value from.

What is known while compiling (Python numbers, shapes, literal tensors) has no such source, and
neither has anything that is not understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.compiled import compiled_everywhere
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.syntax import children
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import ARRAYS, Kind

#: Functions whose results do not depend on what their tensors hold.
_STATIC = behaviour.names(Trait.VALUE_FREE)
#: Functions that pass a number on as it is.
_PLAIN = behaviour.names(Trait.HANDS_ON) | behaviour.names(Trait.NUMBER_THROUGH)
_BUILTINS = behaviour.names(Trait.CONVERTS) | {"builtins.abs"}


@dataclass(frozen=True, slots=True)
class DataSource:
    """An argument or variable that `node` reads.

    `parameter` is None for a variable or a tensor from outside. `is_direct` says that its own number
    is used, not one that is computed from what a tensor holds.
    """

    node: cst.BaseExpression
    parameter: Parameter | None = None
    is_direct: bool = True


def compiled_source(model: Answers, node: cst.CSTNode) -> DataSource | None:
    """As `data_source`, followed through the callers of a helper to what compiled code is given."""
    return model.ask(_Sources, is_compiled=True).of(node)


def data_source(model: Answers, node: cst.CSTNode) -> DataSource | None:
    """The first argument or variable that an expression depends on, or None.

    An argument need not be a tensor where nothing is known of it.
    """
    return model.ask(_Sources, is_compiled=False).of(node)


def is_compiled_root(model: Answers, unit: Unit) -> bool:
    """Whether a unit is itself wrapped with `jit_compile=True`."""
    return any(c.unit is unit and not c.calls for c in compiled_everywhere(model))


def surely_tensor(model: Answers, source: DataSource) -> bool:
    """Whether a source is known to be a tensor; an argument of unknown kind may be a number."""
    parameter = source.parameter
    if parameter is None or parameter.value.is_tensor:
        return True
    return declaration(model, model.unit(parameter.node), parameter.node) is not None


def declaration(model: Answers, unit: Unit, parameter: cst.Param) -> cst.CSTNode | None:
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


class _Sources:
    """The question, asked within one function or up to the compiled function that runs it."""

    def __init__(self, model: Answers, *, is_compiled: bool) -> None:
        self._model = model
        self._is_compiled = is_compiled
        through = Through(self._callers if is_compiled else None, agree=Agree.ANY)
        self._origins = Origins(model.flow, through, self._judge)

    def of(self, node: cst.CSTNode) -> DataSource | None:
        """The source of an expression."""
        return self._origins.of(node)

    def _callers(self, unit: Unit) -> Sequence[Edge]:
        return [] if is_compiled_root(self._model, unit) else self._model.calls.direct(unit)

    def _judge(self, node: cst.CSTNode, path: Path) -> DataSource | Look | None:
        if isinstance(node, cst.Param):
            return self._of_parameter(node)
        if isinstance(node, cst.Name):
            return self._of_name(node)
        if isinstance(node, cst.Attribute):
            return self._of_attribute(node)
        if isinstance(node, cst.Call):
            return self._of_call(node)
        if isinstance(node, cst.AugAssign):
            return self._origins.any([node.target, node.value])
        if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation)):
            return self._origins.any(children(node))
        if isinstance(node, (cst.Comparison, cst.Subscript)) and not _is_identity(node):
            return self._computed(_operands(node))
        if isinstance(node, (cst.List, cst.Tuple)) and not path:
            return self._origins.any([element.value for element in node.elements])
        return THROUGH

    def _computed(self, nodes: Sequence[cst.CSTNode]) -> DataSource | None:
        source = self._origins.any(nodes)
        return replace(source, is_direct=False) if source is not None else None

    def _of_parameter(self, node: cst.Param) -> DataSource | None:
        unit = self._model.unit(node)
        parameter = unit.parameter(node.name.value)
        if parameter is None or (self._is_compiled and not is_compiled_root(self._model, unit)):
            return None
        is_data = parameter.value.is_tensor or not parameter.value.is_known
        return DataSource(node.name, parameter) if is_data else None

    def _of_name(self, node: cst.Name) -> DataSource | Look | None:
        value = self._model.value(node)
        home = self._model.binder.scope(node).home(node.value)
        if value.is_python_scalar or value.kind in ARRAYS or value.kind is Kind.NONE:
            return None
        if home is None or self._model.unit_of_scope(home) is self._model.unit(node):
            return THROUGH
        return DataSource(node) if value.is_tensor else None

    def _of_attribute(self, node: cst.Attribute) -> DataSource | None:
        if node.attr.value in ("shape", "dtype", "ndim"):
            return None
        if self._model.value(node).is_tensor:
            return DataSource(node)
        return self._origins.of(node.value) if isinstance(node.value, cst.Call) else None

    def _of_call(self, node: cst.Call) -> DataSource | None:
        given = [argument.value for argument in node.args]
        function = self._model.value(node.func)
        if function.kind is Kind.METHOD and isinstance(node.func, cst.Attribute):
            receiver = function.receiver
            is_read = node.func.attr.value in ("read_value", "value")
            is_variable = receiver is not None and receiver.kind is Kind.VARIABLE
            return self._origins.of(node.func.value) if is_variable and is_read else None
        name = self._model.names.one(node.func)
        if name is None or name in _STATIC or name in api.STATEFUL_RANDOM or ".random." in name:
            return None
        if name in _PLAIN:
            return self._origins.any(given)
        return self._computed(given) if name in _BUILTINS or api.is_op(name) else None
