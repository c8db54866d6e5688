"""The habits of a file that a new function follows: docstrings, annotations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

#: How much of a file has to follow a habit, where a new function is to follow it as well.
_MOST = 0.75
_PURPOSES = {
    "train_step": "Run one training step.",
    "gradient_step": "Compute the gradients of one step.",
    "test_step": "Evaluate one batch.",
    "measured_step": "Run one step and update the metrics.",
}
_TYPES = {
    Kind.TENSOR: "Tensor",
    Kind.NDARRAY: "Tensor",
    Kind.VARIABLE: "Variable",
    Kind.MODEL: "keras.Model",
    Kind.OPTIMIZER: "keras.optimizers.Optimizer",
}


def docstring_for(model: SemanticModel, name: str) -> cst.SimpleStatementLine | None:
    """One line on a new function, in a file where most functions have such."""
    public = [f for f in _functions(model) if not f.name.value.startswith("__")]
    documented = [f for f in public if f.get_docstring() is not None]
    if len(documented) < 2 or len(documented) < _MOST * len(public):
        return None
    text = model.source.text
    quotes = "'''" if "'''" in text and '"""' not in text else '"""'
    literal = cst.SimpleString(f"{quotes}{_purpose(name)}{quotes}")
    return cst.SimpleStatementLine([cst.Expr(literal)])


def _purpose(name: str) -> str:
    verb, _, what = name.partition("_")
    if name in _PURPOSES:
        return _PURPOSES[name]
    if verb in ("update", "compute"):
        return f"{verb.capitalize()} `{what}`."
    if name.endswith("_step") and name != "compute_step":
        return f"Run one training step of the {name.removesuffix('_step').replace('_', ' ')}."
    return "Run one step."


def is_annotated(model: SemanticModel, unit: Unit) -> bool:
    """Whether the code around a new function annotates what it takes and gives."""
    if isinstance(unit.node, cst.FunctionDef):
        return _annotates_all(unit.node)
    functions = _functions(model)
    return bool(functions) and all(map(_annotates_all, functions))


def _functions(model: SemanticModel) -> list[cst.FunctionDef]:
    return list(model.nodes(cst.FunctionDef))


def _annotates_all(function: cst.FunctionDef) -> bool:
    parameters = [p for p in function.params.params if p.name.value not in ("self", "cls")]
    return function.returns is not None and all(p.annotation is not None for p in parameters)


class Hints:
    """Writes the types of values as annotations, in the file's own spelling."""

    def __init__(self, model: SemanticModel, unit: Unit) -> None:
        self._model = model
        self._unit = unit

    def parameter(self, name: str, value: Value | None) -> str | None:
        """The annotation of a parameter; one that the function around has keeps its own."""
        parameter = self._unit.parameter(name)
        if parameter is not None and parameter.node.annotation is not None:
            return self._model.module.code_for_node(parameter.node.annotation.annotation)
        return self._of(value) if value is not None else None

    def results(self, values: Sequence[Value]) -> str | None:
        """The annotation of what a trace returns, in which numbers have become tensors."""
        hints = [self._of(v) if v.kind not in NUMBERS else self._spelled("Tensor") for v in values]
        if len(hints) < 2:
            return hints[0] if hints else "None"
        holder = self._container("tuple")
        return f"{holder}[{', '.join(h for h in hints if h)}]" if holder and all(hints) else None

    def _of(self, value: Value) -> str | None:
        if value.mixed or value.maybe_none:
            return None
        if value.kind is Kind.LIST:
            members: Iterable[Value] = value.elements or ([value.item] if value.item else [])
            inner = {self._of(member) for member in members}
            only = inner.pop() if len(inner) == 1 else None
            holder = self._container("list")
            return f"{holder}[{only}]" if only and holder else None
        return self._spelled(_TYPES[value.kind]) if value.kind in _TYPES else None

    def _spelled(self, name: str) -> str | None:
        return tensorflow_name(self._model, name, self._unit.node)

    def _container(self, name: str) -> str | None:
        """`list`, or `List` where the file imports that."""
        names = self._model.names
        for local in self._model.binder.module_scope.bindings:
            if names.lookup(local, self._model.binder.module_scope) == {
                f"typing.{name.capitalize()}"
            }:
                return local
        text = self._model.source.text
        is_modern = f"{name}[" in text or "from __future__ import annotations" in text
        return name if is_modern else None
