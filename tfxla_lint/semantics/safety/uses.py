"""What is done, anywhere, with the objects that steps read: each use has to be of a known kind.

A trace keeps what it reads in Python of models, layers, optimizers, objects of the project and its
functions. Who calls such an object, asks it for what the table knows, or hands it to code that is seen
or known shows all that it does. In every other use the object may be changed, kept or told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.safety.passed_on import is_left_alone
from tfxla_lint.semantics.safety.plain import Place, is_plain
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_KERAS = frozenset({Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.SCHEDULE, Kind.LOSS, Kind.METRIC})
_OBJECTS = _KERAS | {Kind.MODULE, Kind.VARIABLE}
#: What matters if it is the project's own.
_OWN = frozenset({Kind.OBJECT, Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.TRACED})
_UNSEEN = frozenset({Kind.UNKNOWN, Kind.OBJECT})
_CONTAINERS = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT})
#: What gives on what it is made of.
_PASSING = (cst.Element, cst.Tuple, cst.List, cst.Dict, cst.DictElement, cst.BooleanOperation)
#: What names a value, computes with it, asks for its truth or shows it.
_PLAIN_USES = (
    cst.AnnAssign, cst.NamedExpr, cst.Return, cst.Call, cst.BinaryOperation, cst.UnaryOperation,
    cst.If, cst.While, cst.For, cst.CompFor, cst.FormattedStringExpression, cst.Expr, cst.Assert,
    cst.Annotation, cst.AugAssign, cst.Index, cst.Slice, cst.Decorator, cst.Raise,
    cst.ExceptHandler, cst.ListComp, cst.GeneratorExp,
)  # fmt: skip


def uses(model: Answers) -> list[Place]:
    """The places, anywhere, that do with an object what is not known, with words for each."""
    found = (*_of_objects(model), *_of_code(model), *_of_unknown(model))
    return [each for each in found if not is_left_alone(model, model.unit(each[0]))]


def _of_objects(model: Answers) -> Iterator[Place]:
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        if not model.names.of(node) and _is_read(model, node) and _is_kept(model.value(node)):
            words = _other_use(model, node)
            if words is not None:
                yield node, f"`{model.code(node)}` {words}"


def _of_unknown(model: Answers) -> Iterator[Place]:
    """Methods of what is not known, which may be a Keras object, where Keras has such a method."""
    for call in model.everywhere(cst.Call):
        node = call.func
        if isinstance(node, cst.Attribute) and not model.names.of(node):
            holder = model.value(node.value)
            is_open = not holder.is_known and holder.class_ is None
            if is_open and not model.calls.at(call) and _is_untold(node.attr.value):
                yield node, f"`{model.code(node)}` may be a method of a Keras object"


@cache
def _is_untold(name: str) -> bool:
    """Whether an object of Keras' has a method of which the table says nothing."""
    rows = (behaviour.of(f"@{kind.name.lower()}.{name}") for kind in _OBJECTS)
    if any(row.words or row.result for row in rows) or behaviour.of(f"@keras.{name}").words:
        return False
    bases = (base for base, kind in api.ROLES.items() if kind in _OBJECTS)
    return any(symbols.find(f"{base}.{name}") is not None for base in bases)


def _of_code(model: Answers) -> Iterator[Place]:
    """Functions of the project that TensorFlow is handed, and may run whenever it likes."""
    named = (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute))
    nodes: tuple[cst.BaseExpression, ...] = (*named, *model.everywhere(cst.Call))
    functions = [n for n in nodes if _is_code(model.value(n)) and not model.names.of(n)]
    for node in (*functions, *model.everywhere(cst.Lambda)):
        argument = model.parent(node)
        call = model.parent(argument) if isinstance(argument, cst.Arg) else None
        if isinstance(call, cst.Call) and not model.calls.at(call):
            if _may_keep_code(model, call):
                what = "a lambda" if isinstance(node, cst.Lambda) else f"`{model.code(node)}`"
                yield node, f"`{model.code(call.func)}` may run {what} at any time"


def _is_code(value: Value) -> bool:
    """Whether a value is a function of the project, or an object of it that can be called."""
    is_called = value.class_ is not None and value.class_.method("__call__") is not None
    return value.unit is not None or (value.kind not in _KERAS and is_called)


def _may_keep_code(model: Answers, call: cst.Call) -> bool:
    """Whether a function or a method of TensorFlow may keep the callables that it is given."""
    names = model.names.of(call.func)
    if names:
        return any(map(api.is_tensorflow, names)) and not all(map(_is_running, names))
    holder = model.value(call.func).receiver
    if holder is None or holder.kind not in _OBJECTS or not isinstance(call.func, cst.Attribute):
        return False
    return call.func.attr.value not in behaviour.methods(Trait.HOST, "model")


def _is_running(name: str) -> bool:
    """Whether it is known how a function runs the callables that it is given."""
    return bool(behaviour.of(name).callables) or behaviour.holds(Trait.RUNS_BESIDE, name)


def _is_read(model: Answers, node: cst.BaseExpression) -> bool:
    holder = model.parent(node)
    if isinstance(node, cst.Name):
        is_part = isinstance(holder, cst.Attribute) and holder.attr is node
        return not is_part and model.binder.scope(node).is_read(node)
    return not isinstance(holder, (cst.AssignTarget, cst.Del))


def _is_kept(value: Value) -> bool:
    """Whether a trace keeps a value, or what it holds, as the Python object that it is."""
    if value.kind in _CONTAINERS:
        return any(map(_is_kept, _members(value)))
    is_own = value.unit is not None or value.class_ is not None
    return value.kind in _OBJECTS or (value.kind in _OWN and is_own)


def _members(container: Value) -> list[Value]:
    """What is known of the members of a container."""
    return [*(container.elements or ()), *([container.item] if container.item is not None else [])]


def _other_use(model: Answers, node: cst.BaseExpression) -> str | None:
    """What is done with the value of an expression that is not known; None where all is."""
    value = model.value(node)
    holder = model.parent(node)
    while isinstance(holder, _PASSING) or (
        isinstance(holder, cst.IfExp) and holder.test is not node
    ):
        node = holder if isinstance(holder, cst.BaseExpression) else node
        if not _is_kept(model.value(node)):
            return f"is kept in `{model.code(node)}`, of which it is not known what it gives"
        holder = model.parent(holder)
    if isinstance(holder, cst.Attribute):
        return _asked(model, value, holder)
    if isinstance(holder, cst.Arg):
        return _handed(model, value, holder)
    if isinstance(holder, cst.Assign):
        return _bound(model, holder, is_written_out=isinstance(node, (cst.Tuple, cst.List)))
    if isinstance(holder, cst.Subscript):
        return None
    if isinstance(holder, (cst.Comparison, cst.ComparisonTarget)):
        is_told = value.kind is Kind.VARIABLE or _is_none_asked(model, holder)
        return None if is_told else "is compared"
    if isinstance(holder, (*_PLAIN_USES, cst.IfExp)):
        return None
    return f"stands where it is not known what becomes of it ({type(holder).__name__})"


def _bound(model: Answers, assign: cst.Assign, *, is_written_out: bool) -> str | None:
    for target in assign.targets:
        if isinstance(target.target, cst.Subscript):
            return f"is kept in `{model.code(target.target.value)}`"
        if not isinstance(target.target, (cst.Name, cst.Attribute)) and not is_written_out:
            if not model.value(assign.value).elements:
                return "is taken apart"
    return None


def _is_none_asked(model: Answers, holder: cst.CSTNode) -> bool:
    comparison = model.parent(holder) if isinstance(holder, cst.ComparisonTarget) else holder
    return isinstance(comparison, cst.Comparison) and all(
        model.value(target.comparator).kind is Kind.NONE for target in comparison.comparisons
    )


def _asked(model: Answers, value: Value, node: cst.Attribute) -> str | None:
    """What is asked of an object that neither its own class nor the table knows."""
    name = node.attr.value
    words = f"is asked for `{name}`"
    if value.kind in (Kind.FUNCTION, Kind.METHOD):
        return words
    if value.class_ is not None or value.kind is Kind.VARIABLE or value.kind in _CONTAINERS:
        return None
    if model.value(node).is_known and model.value(node).kind is not Kind.METHOD:
        return None
    rows = (
        behaviour.of(f"@{kind}.{name}") for kind in ("keras", *(k.name.lower() for k in _OBJECTS))
    )
    return None if any(row.words for row in rows) else words


def _handed(model: Answers, value: Value, argument: cst.Arg) -> str | None:
    call = model.parent(argument)
    if isinstance(call, cst.ClassDef):
        return None
    assert isinstance(call, cst.Call)
    names = model.names.of(call.func)
    words = f"is passed to `{model.code(call.func)}`, which is not known here"
    if names:
        if not all(map(is_plain, names)):
            return words
        is_told = model.value(call).is_known or isinstance(model.parent(call), cst.Expr)
        if not is_told and _is_python_object(value):
            return f"is passed to `{model.code(call.func)}`, and it is not known what that gives"
        return None
    function = model.value(call.func)
    if model.calls.at(call) or function.kind in _KERAS or function.kind is Kind.CLASS:
        return None
    holder = function.receiver.kind if function.receiver is not None else Kind.UNKNOWN
    if holder in _CONTAINERS and _is_python_object(value):
        return f"is kept by `{model.code(call.func)}`"
    return None if holder not in _UNSEEN else words


def _is_python_object(value: Value) -> bool:
    """Whether a value, or what it holds, can be set up otherwise in Python."""
    if value.kind in _CONTAINERS:
        return any(map(_is_python_object, _members(value)))
    return value.kind in _KERAS or (value.kind is Kind.OBJECT and value.class_ is not None)
