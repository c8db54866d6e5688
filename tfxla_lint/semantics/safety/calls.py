"""Calls inside code that is to be traced: which are safe, and what is wrong with the others."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.autograph.parts import judged
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.overriding import may_run
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.safety.scan import Scan

_PURE_BUILTINS = behaviour.leaves("builtins", Trait.PURE)
#: Builtins that fail on a symbolic tensor, or give a Python value that a trace does not have.
_PYTHON_BUILTINS = _PURE_BUILTINS - behaviour.leaves("builtins", Trait.TAKES_TENSORS)
#: Those of them that ask each member of a list for its truth, or compare members.
_JUDGING = behaviour.leaves("builtins", Trait.COMPARES)
#: Those that go through what they are given: a list of tensors is as good to them.
_ITERATING = behaviour.leaves("builtins", Trait.GOES_THROUGH)
#: What tells a trace from eager running.
_ASKING = frozenset({"tensorflow.executing_eagerly", "tensorflow.inside_function"})
_INSPECTING = behaviour.leaves("builtins", Trait.INSPECTS) | {"getattr", "id"}
_FROZEN = behaviour.prefixes(Effect.FRESH)
_OUTPUT = behaviour.prefixes(Effect.OUTPUTS)
_MADE = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.VARIABLE, Kind.DATASET,
     Kind.GENERATOR, Kind.STRATEGY, Kind.MODULE}
)  # fmt: skip
_HARMLESS_TF = behaviour.names(Trait.IN_A_TRACE)
_SAFE_MODEL_METHODS = behaviour.methods(Trait.IN_A_TRACE, "model")


def check(scan: Scan, call: cst.Call) -> Blocker | None:
    """What keeps a call from being traced, or None."""
    names = scan.model.names.of(call.func)
    if names:
        if len(names) > 1:
            return _unresolved(call, "may mean several things")
        return _named(scan, call, next(iter(names)))
    function = scan.model.value(call.func)
    callees = scan.model.callees(call)
    if function.kind is Kind.TRACED or any(c.tracing is not None for c in callees):
        return None
    if callees:
        return _first_party(scan, call)
    if function.kind in (
        Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC, Kind.INITIALIZER, Kind.SCHEDULE,
    ):  # fmt: skip
        if function.class_ is not None and function.class_.has_unknown_base:
            return _unresolved(call, "runs code of a class whose bases are not known")
        return _frozen_setting(scan, call, function)
    if function.kind is Kind.METHOD and function.receiver is not None:
        return _method(scan, call, function.receiver, function.name or "")
    if function.kind is Kind.CLASS:
        return Blocker(Reason.CREATION, call, "makes an object on each call")
    return _unresolved(call, "calls code that is not known here")


def _unresolved(call: cst.Call, why: str) -> Blocker:
    return Blocker(Reason.UNRESOLVED_CALL, call, why)


def _frozen_setting(scan: Scan, call: cst.Call, owner: Value) -> Blocker | None:
    """A Keras object whose settings change: a trace would keep the first ones."""
    settings = sorted(scan.safety.state.settings.turned(owner.kind))
    if not settings:
        return None
    kind = Kind.MODEL if owner.kind is Kind.LAYER else owner.kind
    message = f"runs {kind.with_article} while `{settings[0]}` is changed, which a trace freezes"
    return Blocker(Reason.CHANGING_STATE, call, message)


def _first_party(scan: Scan, call: cst.Call) -> Blocker | None:
    for unit in may_run(scan.model, call):
        inner = scan.safety.callee_blockers(unit)
        if inner:
            first = inner[0]
            message = f"calls `{unit.name}`, and that {first.message}"
            return Blocker(first.reason, call, message, first.of_unknown)
    return None


def _arguments(scan: Scan, call: cst.Call) -> list[Value]:
    return [scan.model.value(argument.value) for argument in call.args]


def _may_be_tensor(value: Value) -> bool:
    return value.kind in (Kind.TENSOR, Kind.VARIABLE)


def _named(scan: Scan, call: cst.Call, name: str) -> Blocker | None:
    if name.startswith("builtins."):
        return _builtin(scan, call, name[9:])
    if api.is_tensorflow(name):
        return _tensorflow(scan, call, name)
    if name.startswith(_FROZEN):
        return Blocker(Reason.FROZEN_VALUE, call, f"calls `{name}`, whose value a trace freezes")
    if name.startswith(_OUTPUT):
        return Blocker(Reason.SIDE_EFFECT, call, f"calls `{name}`, which a trace runs only once")
    if name.startswith(("numpy.", "math.")):
        return _numpy(scan, call, name)
    if name == "functools.partial":
        return None
    return _unresolved(call, f"calls `{name}`, which is not known to be safe to trace")


def _numpy(scan: Scan, call: cst.Call, name: str) -> Blocker | None:
    values = _arguments(scan, call)
    if all(v.is_python_scalar or v.kind in _STATIC for v in values):
        return None
    message = f"calls `{name}`, which can't take a traced tensor"
    is_sure = any(_may_be_tensor(v) or _holds_tensors(v) for v in values)
    return Blocker(Reason.NUMPY, call, message, of_unknown=not is_sure)


def _summary(scan: Scan, call: cst.Call, name: str) -> Blocker | None:
    """A summary that the trace writes at a step of its own, to a writer that it enters itself."""
    step = next((a.value for a in call.args if a.keyword and a.keyword.value == "step"), None)
    if step is not None and _may_be_tensor(scan.model.value(step)) and _is_in_writer(scan, call):
        return None
    return Blocker(Reason.SUMMARY, call, f"writes a summary by `{name}`")


def _enters_writer(scan: Scan, item: cst.BaseExpression) -> bool:
    if not isinstance(item, cst.Call):
        return False
    receiver = scan.model.value(item.func).receiver
    return receiver is not None and receiver.kind is Kind.WRITER


def _is_in_writer(scan: Scan, call: cst.Call) -> bool:
    for ancestor in scan.model.ancestors(call):
        if isinstance(ancestor, cst.With):
            if any(_enters_writer(scan, item.item) for item in ancestor.items):
                return True
        if ancestor in scan.nodes:
            return False
    return False


_STATIC = frozenset({Kind.NONE, Kind.SHAPE, Kind.DTYPE})


def _builtin(scan: Scan, call: cst.Call, name: str) -> Blocker | None:
    if name == "print":
        return Blocker(Reason.SIDE_EFFECT, call, "calls `print`, which a trace runs only once")
    if name in _INSPECTING:
        return Blocker(Reason.AUTOGRAPH, call, f"inspects a value by `{name}`")
    if _is_exception(name):
        return None
    if name not in _PURE_BUILTINS:
        return _unresolved(call, f"calls `{name}`, which is not known to be safe to trace")
    tensors = [v for v in _arguments(scan, call) if _may_be_tensor(v)]
    if name in _PYTHON_BUILTINS and tensors:
        # What a model gives may as well be a list.
        is_doubt = name in _ITERATING and all(v.dtype is None and v.shape is None for v in tensors)
        return Blocker(Reason.AUTOGRAPH, call, f"calls `{name}` on a tensor", is_doubt)
    if name in _JUDGING and any(_holds_tensors(v) for v in _arguments(scan, call)):
        return Blocker(Reason.AUTOGRAPH, call, f"calls `{name}` on tensors")
    return None


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _holds_tensors(value: Value) -> bool:
    """Whether a list or tuple holds a tensor."""
    members = value.elements or ((value.item,) if value.item is not None else ())
    return value.kind in (Kind.LIST, Kind.TUPLE) and any(_may_be_tensor(v) for v in members)


def _tensorflow(scan: Scan, call: cst.Call, name: str) -> Blocker | None:
    if name in _HARMLESS_TF:
        return _handed_over(scan, call)
    if name in _ASKING:
        return Blocker(Reason.AUTOGRAPH, call, "asks whether it runs eagerly")
    if name == "tensorflow.function":
        return Blocker(Reason.CREATION, call, "makes a tf.function on each call")
    if name.startswith("tensorflow.summary."):
        return _summary(scan, call, name)
    kind = api.result_of(name).kind
    if kind in _MADE:
        return Blocker(Reason.CREATION, call, f"makes {kind.with_article} on each call")
    if kind in (Kind.LOSS, Kind.INITIALIZER, Kind.SCHEDULE, Kind.CONTEXT, Kind.SPEC):
        return None
    if kind in (Kind.WRITER, Kind.CHECKPOINT, Kind.CALLBACK):
        return Blocker(Reason.SIDE_EFFECT, call, f"calls `{name}`, which belongs to Python")
    if api.is_op(name):
        return _handed_over(scan, call)
    return Blocker(Reason.EAGER_ONLY_CALL, call, f"calls `{name}`, which belongs outside a trace")


def _handed_over(scan: Scan, call: cst.Call) -> Blocker | None:
    """First-party functions given to `tf.cond`, `tf.map_fn` and the like run in the trace."""
    for use in scan.model.uses:
        if use.node is call and use.how == "inherits":
            inner = scan.safety.callee_blockers(use.unit)
            if inner:
                message = f"runs `{use.unit.name}`, and that {inner[0].message}"
                return Blocker(inner[0].reason, call, message, inner[0].of_unknown)
    return None


def _method(scan: Scan, call: cst.Call, receiver: Value, name: str) -> Blocker | None:
    kind = receiver.kind
    if kind in (Kind.TENSOR, Kind.VARIABLE, Kind.KERAS_TENSOR):
        if name in ("numpy", "item", "tolist"):
            return Blocker(
                Reason.EAGER_ONLY_CALL, call, f"calls `.{name}()`, which only works eagerly"
            )
        return None
    if kind is Kind.TAPE:
        holder = call.func.value if isinstance(call.func, cst.Attribute) else None
        if isinstance(holder, cst.Name) and holder.value in scan.local_names:
            return None
        return Blocker(Reason.TAPE, call, "uses a gradient tape that is opened outside")
    if kind in (Kind.MODEL, Kind.LAYER, Kind.MODULE):
        if name in _SAFE_MODEL_METHODS:
            return None
        if name in api.KERAS_HOST_METHODS:
            return Blocker(
                Reason.EAGER_ONLY_CALL, call, f"calls `.{name}()`, which only works eagerly"
            )
        return _unresolved(call, f"calls `.{name}()`, which is not known to be safe to trace")
    if kind in (Kind.LIST, Kind.DICT):
        return _container(scan, call, name)
    if kind in (Kind.OPTIMIZER, Kind.METRIC, Kind.LOSS, Kind.TENSOR_ARRAY, Kind.GENERATOR,
                Kind.SHAPE, Kind.TUPLE, Kind.RANGE, Kind.SCHEDULE):  # fmt: skip
        if name in ("get_weights", "set_weights", "get_config"):
            return Blocker(Reason.EAGER_ONLY_CALL, call, f"calls `.{name}()` outside of a trace")
        return _frozen_setting(scan, call, receiver)
    if kind is Kind.DATASET:
        return Blocker(Reason.CREATION, call, "builds a dataset on each call")
    if kind in (Kind.NDARRAY, Kind.NUMPY_SCALAR):
        return Blocker(Reason.NUMPY, call, f"calls `.{name}()` of a NumPy array")
    if kind is Kind.STRING:
        if any(_may_be_tensor(v) for v in _arguments(scan, call)):
            return Blocker(Reason.AUTOGRAPH, call, "formats a tensor as text")
        return None
    if kind is Kind.WRITER and name in ("as_default", "flush"):
        return None
    if kind in (Kind.CHECKPOINT, Kind.WRITER, Kind.CALLBACK):
        return Blocker(Reason.SIDE_EFFECT, call, f"calls `.{name}()` of {kind.with_article}")
    if receiver.name == "logging.Logger":
        return Blocker(Reason.SIDE_EFFECT, call, "writes a log, which a trace does only once")
    return _unresolved(call, f"calls `.{name}()` of an object that is not known here")


def below_tensor_test(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether an `if` or `while` around a node asks a tensor: a trace runs what is below anyway."""
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(parent, (cst.If, cst.While)):
            if any(_may_be_tensor(model.value(part)) for part in judged(parent.test)):
                return True
    return False


_READING = behaviour.methods(Trait.READS)


def _container(scan: Scan, call: cst.Call, name: str) -> Blocker | None:
    if name in _READING:
        return None
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    if isinstance(holder, cst.Name) and holder.value in scan.local_names:
        if scan.in_tensor_loop(call):
            return Blocker(Reason.AUTOGRAPH, call, "grows a list in a loop over a tensor")
        if below_tensor_test(scan.model, call):
            return Blocker(Reason.AUTOGRAPH, call, "grows a list where a tensor decides")
        return None
    return Blocker(Reason.SIDE_EFFECT, call, f"changes an outer list or dict by `.{name}()`")
