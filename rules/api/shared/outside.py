"""Which function, class or method of TensorFlow a call passes its arguments to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.api import is_tensorflow
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through, makers
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import Kind, Value

_PARTIAL = "functools.partial"
_FUNCTION = "tensorflow.function"
_APPLICATIONS = "tensorflow.keras.applications."
_OPTIMIZER = "tensorflow.keras.optimizers.Optimizer"
_ANY_OPTIMIZER = (_OPTIMIZER, "tensorflow.compat.v1.train.Optimizer")
_NO_BASES = behaviour.names(Trait.PLAIN_BASE)
#: The class of a kind where one that derives from it is as likely.
_BASES: dict[Kind, tuple[str, ...]] = {Kind.OPTIMIZER: (_OPTIMIZER,)}


@dataclass(frozen=True)
class OutsideCall:
    """A call of one of `names`, full names of TensorFlow, with `arguments`."""

    call: cst.Call
    names: tuple[str, ...]
    arguments: Sequence[cst.Arg]

    @property
    def is_general(self) -> bool:
        """Whether it is a method of a base class, which the object's own class may override."""
        return any(is_general(name) for name in self.names)

    @property
    def is_opaque(self) -> bool:
        """Whether it passes arguments that the code does not spell out."""
        return any(argument.star for argument in self.arguments)


def is_general(name: str) -> bool:
    """Whether `name` is a method of a base class from which an object's class surely derives."""
    return name.startswith(_OPTIMIZER + ".")


def outside_call(model: Answers, call: cst.Call) -> OutsideCall | None:
    """What of TensorFlow a call surely runs; None where that is unknown or something else."""
    names = model.names.of(call.func)
    if names == {_PARTIAL}:
        target = model.names.of(call.args[0].value) if call.args and not call.args[0].star else ()
        return _known(call, tuple(target), call.args[1:])
    if not names:
        return _known(call, _unnamed(model, call), call.args)
    return _known(call, tuple(names), call.args)


def optimizer_call(model: Answers, call: cst.Call) -> OutsideCall | None:
    """The call of a method of what is an optimizer by its use, of whichever TensorFlow's classes."""
    value = model.value(call.func)
    receiver = value.receiver
    if receiver is None or receiver.kind is not Kind.OPTIMIZER or receiver.class_ is not None:
        return None
    if value.kind is not Kind.METHOD or value.unit is not None or not receiver.by_use:
        return None
    if isinstance(call.func, cst.Attribute) and _may_be_foreign(model, call.func.value):
        return None
    return _known(call, tuple(f"{o}.{value.name}" for o in _ANY_OPTIMIZER), call.args)


def _may_be_foreign(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether some caller hands over what another package makes, perhaps of a class of its own, or
    what a callable makes that is handed over itself."""

    def judge(made: cst.CSTNode, path: Path) -> bool | Look:
        if not isinstance(made, cst.Call):
            return THROUGH
        names = model.names.of(made.func)
        if not names and not any(model.calls.at(made)):
            return not model.value(made.func).is_known
        return bool(names) and not all(is_tensorflow(name) for name in names)

    through = Through(
        model.calls.direct, returns=lambda edge: True, attributes=True, agree=Agree.ANY
    )
    return bool(Origins(model.flow, through, judge).of(node))


def _known(
    call: cst.Call, names: tuple[str, ...], arguments: Sequence[cst.Arg]
) -> OutsideCall | None:
    if names and all(is_tensorflow(name) for name in names):
        return OutsideCall(call, names, arguments)
    return None


def _unnamed(model: Answers, call: cst.Call) -> tuple[str, ...]:
    """What a call runs whose function has no dotted name of its own."""
    value = model.value(call.func)
    if value.kind is Kind.TRACER:
        return (_FUNCTION,)
    if value.kind is Kind.METHOD and value.unit is None and value.receiver is not None:
        return _methods(call, value.receiver, value.name or "")
    if value.kind is Kind.CLASS and value.class_ is not None:
        return _constructor(value.class_)
    return _through_partial(model, call.func)


def _methods(call: cst.Call, receiver: Value, name: str) -> tuple[str, ...]:
    """The methods that a call of `name` on `receiver` can run."""
    if name == "__init__":
        return _next_constructor(call, receiver)
    return tuple(f"{owner}.{name}" for owner in classes_of(receiver))


@cache
def _classes() -> dict[Kind, tuple[str, ...]]:
    """The classes of which all values of a kind are instances, one or the other."""
    found: dict[Kind, tuple[str, ...]] = {}
    for name in sorted(behaviour.names(Trait.WHOLE_KIND)):
        symbol = symbols.find(name)
        if symbol is not None and symbol.canonical == name:
            kind = api.kind_of(behaviour.of(name))
            found[kind] = (*found.get(kind, ()), name)
    return found


def classes_of(value: Value) -> tuple[str, ...]:
    """The TensorFlow classes of one of which a value is an instance; empty where unknown."""
    if value.mixed or value.by_use:
        return ()
    if value.class_ is not None:
        return _outside_bases(value.class_)
    if value.kind in _classes():
        return _classes()[value.kind]
    if value.name is None:
        return _BASES.get(value.kind, ())
    if value.kind is Kind.MODEL and value.name.startswith(_APPLICATIONS):
        return ("tensorflow.keras.Model",)
    symbol = symbols.find(value.name)
    is_class = symbol is not None and symbol.kind == "class"
    return (value.name,) if is_class else _BASES.get(value.kind, ())


def _outside_bases(info: ClassInfo) -> tuple[str, ...]:
    """The one class of TensorFlow from which a class of the module derives; empty if unclear."""
    names = tuple(dict.fromkeys(n for n in info.base_names if n not in _NO_BASES))
    if any(base.has_unknown_base or base.is_open for base in info.lineage()):
        return ()
    return names if len(names) == 1 and is_tensorflow(names[0]) else ()


def _constructor(info: ClassInfo) -> tuple[str, ...]:
    """The constructor that making an instance of a class of the module runs."""
    for member in info.lineage():
        if member.node.decorators or member.node.keywords:
            return ()
        if {*member.methods, *member.attributes} & {"__init__", "__new__"}:
            return ()
    return _outside_bases(info)


def _next_constructor(call: cst.Call, receiver: Value) -> tuple[str, ...]:
    """What `super().__init__(...)` runs."""
    info = receiver.class_
    if receiver.name != "super" or info is None or info.bases or len(info.node.bases) != 1:
        return ()
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    if isinstance(holder, cst.Call) and holder.args:
        first = holder.args[0].value
        if not (isinstance(first, cst.Name) and first.value == info.name):
            return ()
    return _outside_bases(info)


def _through_partial(model: Answers, function: cst.BaseExpression) -> tuple[str, ...]:
    """The target of a name that is bound once, to a `functools.partial`."""
    if not isinstance(function, cst.Name):
        return ()
    made = makers(model.flow, function)
    call = made[0] if len(made) == 1 else None
    if not isinstance(call, cst.Call) or model.names.of(call.func) != {_PARTIAL}:
        return ()
    return tuple(model.names.of(call.args[0].value)) if call.args else ()
