"""Questions for the type of a value: a trace has tensors of another class, and no arrays as arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
_SINGLE = PYTHON_SCALARS | {Kind.NONE}
_NUMBERS = behaviour.names(Trait.CONVERTS)
_EAGER_TENSOR = "EagerTensor"
_SAYING = behaviour.names(Trait.TEXTS)
_VALUE_METHODS = behaviour.methods(Effect.READS_VALUE, "tensor")


def is_pythons(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether all that an expression may be are values of Python's, of whatever kinds: what calls pass
    for a parameter, and what a file or a command line says (`args.rate`, `settings["rate"]`)."""
    return model.ask(_Pythons).holds(node)


class _Pythons:
    """Follows expressions to what makes them."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._passed = Origins(model.flow, Through(model.calls.callers), self._judge)
        through = Through(model.calls.callers, lambda edge: True, attributes=True)
        self._said = Origins(model.flow, through, self._judge_said)

    def holds(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Comparison):
            sides = [node.left, *(compared.comparator for compared in node.comparisons)]
            return all(self._is_known(side) or self.holds(side) for side in sides)
        if isinstance(node, cst.Name) and self._passed.of(node):
            return True
        return bool(self._said.of(node))

    def _is_known(self, node: cst.CSTNode) -> bool:
        return isinstance(node, cst.BaseExpression) and self._model.value(node).kind in _OF_PYTHON

    def _judge(self, made: cst.CSTNode, path: Path) -> bool | Look | None:
        return True if self._is_known(made) and not path else THROUGH

    def _judge_said(self, made: cst.CSTNode, path: Path) -> bool | Look | None:
        """What a text says, a member of that, or what a method of it gives."""
        if self._model.names.of(made) & _SAYING:
            return True
        if isinstance(made, cst.Call):
            if self._model.names.of(made.func) & _SAYING:
                return True
            is_method = isinstance(made.func, cst.Attribute) and not self._model.callees(made)
            return bool(self._said.of(made.func)) or THROUGH if is_method else THROUGH
        if isinstance(made, (cst.Attribute, cst.Subscript)):
            is_set = self._model.ask(_set_members)(made)
            return (not is_set and bool(self._said.of(made.value))) or THROUGH
        return THROUGH


def _set_members(model: Answers) -> Callable[[cst.CSTNode], bool]:
    """Tells whether code sets an attribute of that name, or a member of what has that name, to
    anything but a value of Python's or settings."""
    targets: list[cst.CSTNode] = [n.target for n in model.everywhere(cst.AugAssign)]
    for assign in model.everywhere(cst.Assign):
        value = assign.value
        is_said = isinstance(value, cst.Call) and bool(model.names.of(value.func) & _SAYING)
        if not is_said and model.value(value).kind not in _SINGLE:
            targets += [target.target for target in assign.targets]
    attributes = {t.attr.value for t in targets if isinstance(t, cst.Attribute)}
    containers = {_root(t) for t in targets if isinstance(t, cst.Subscript)}

    def is_set(node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Attribute):
            return node.attr.value in attributes
        return _root(node) in containers

    return is_set


def _root(node: cst.CSTNode) -> str:
    """The name of what a member is taken of, or its last part."""
    while isinstance(node, (cst.Subscript, cst.Call)):
        node = node.value if isinstance(node, cst.Subscript) else node.func
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


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
