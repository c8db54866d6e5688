"""Questions for the type of a value: a trace has tensors of another class, and no arrays as arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.values import PYTHON_SCALARS, SEQUENCES, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What may be a tensor in a trace and nothing of the kind outside, or the other way round.
_TURNED = frozenset(
    {Kind.NDARRAY, Kind.NUMPY_SCALAR, Kind.KERAS_TENSOR, Kind.UNKNOWN, Kind.UNBOUND}
)
_OF_PYTHON = PYTHON_SCALARS | SEQUENCES | {Kind.DICT, Kind.RANGE, Kind.NONE}
_NUMBERS = behaviour.names(Trait.CONVERTS)
_EAGER_TENSOR = "EagerTensor"
_VALUE_METHODS = behaviour.methods(Effect.READS_VALUE, "tensor")


def is_pythons(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether all that calls pass for a parameter are values of Python's, of whatever kinds."""

    def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
        is_known = isinstance(made, cst.BaseExpression) and model.value(made).kind in _OF_PYTHON
        return True if is_known and not path else THROUGH

    origins = Origins(model.flow, Through(model.calls.callers), judge)
    return isinstance(node, cst.Name) and bool(origins.of(node))


def asked_of_type(model: Answers, call: cst.Call, name: str) -> str | None:
    """What a call of a builtin asks of its first argument that a trace answers otherwise, in words
    after "it"; None where the answer is the same."""
    if not call.args or name in ("callable", "issubclass"):
        return None
    given = call.args[0].value
    value = model.value(given)
    subject = f"`{excerpt(model, given)}`"
    is_tensor = value.kind is Kind.TENSOR
    if name == "isinstance" and len(call.args) == 2:
        turned = (value.kind in _TURNED or value.mixed) and not is_pythons(model, given)
        for known, wanted in _types(model, call.args[1].value):
            if _is_of_eager(known) if is_tensor and not turned else turned and _tells(known):
                return f"asks whether {subject} is of the type `{wanted}`"
        return None
    if name == "type":
        turned = is_tensor or value.kind in _TURNED
        return f"asks for the type of {subject}" if turned else None
    if name == "hasattr" and is_tensor and len(call.args) == 2:
        attribute = model.value(call.args[1].value).constant
        if isinstance(attribute, str) and attribute not in _VALUE_METHODS:
            return None
    return f"asks by `{name}` what {subject} is or has"


def _types(model: Answers, node: cst.BaseExpression) -> Iterator[tuple[str, str]]:
    """The types that a call of `isinstance` names: by their dotted name, and as they are written."""
    if isinstance(node, cst.Tuple):
        for element in node.elements:
            yield from _types(model, element.value)
    elif isinstance(node, cst.BinaryOperation):
        yield from (*_types(model, node.left), *_types(model, node.right))
    elif model.value(node).kind is not Kind.CLASS:
        yield model.names.one(node) or "", excerpt(model, node)


def _is_of_eager(name: str) -> bool:
    """Whether a tensor is of this type outside of a trace alone."""
    return not name or name.endswith(_EAGER_TENSOR)


def _tells(name: str) -> bool:
    """Whether an array, or what nothing is known of, may change between being of a type and not."""
    if name in _NUMBERS or not name or name.startswith(("numpy.", "numbers.")):
        return True
    return name.endswith(_EAGER_TENSOR) or name in ("tensorflow.Tensor", "tensorflow.Variable")
