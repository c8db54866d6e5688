"""What calls do, by what is called: one classification for all who ask."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect as Effects
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.effects.effect import Autograph, Effect, EffectKind
from tfxla_lint.semantics.effects.image_ranks import refused_image
from tfxla_lint.semantics.effects.inspected import asked_of_type
from tfxla_lint.semantics.effects.label_shapes import refused_labels
from tfxla_lint.semantics.effects.op_names import refused_name
from tfxla_lint.semantics.effects.overriding import may_run
from tfxla_lint.semantics.effects.static_arguments import refused_argument, refused_flag
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through, makers
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.syntax import decorators_of, walk
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import ARRAYS, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_PURE_BUILTINS = behaviour.leaves("builtins", Trait.PURE)
#: Builtins that a tensor, or a list of tensors, has no answer for while it is traced.
_PYTHON_BUILTINS = _PURE_BUILTINS - behaviour.leaves("builtins", Trait.TAKES_TENSORS)
#: Those of them that ask each member of a list for its truth, or compare members.
_JUDGING = behaviour.leaves("builtins", Trait.COMPARES)
#: Those that go through what they are given: a list of tensors is as good to them.
_ITERATING = behaviour.leaves("builtins", Trait.GOES_THROUGH)
#: Those that AutoGraph has an own function for.
_COUNTING = behaviour.leaves("builtins", Trait.READS_SIZE)
_IN_GRAPHS = behaviour.leaves("builtins", Trait.IN_GRAPHS)
_ASKING = behaviour.names(Trait.INSPECTS)
_INSPECTING = behaviour.leaves("builtins", Trait.INSPECTS) | {"getattr"}
_OUTPUT = behaviour.prefixes(Effects.OUTPUTS)
_LOGGING = behaviour.prefixes(Effects.LOGS)
_CLOCKS = behaviour.names(Effects.CLOCK)
_DRAWS = behaviour.names(Effects.DRAWS_IN_PYTHON)
#: The modules whose functions give something new on each call.
_FRESH = behaviour.prefixes(Effects.FRESH)
_MADE = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.VARIABLE, Kind.DATASET,
     Kind.GENERATOR, Kind.STRATEGY, Kind.MODULE}
)  # fmt: skip
_HARMLESS = behaviour.names(Trait.IN_A_TRACE)
_SAFE_MODEL_METHODS = behaviour.methods(Trait.IN_A_TRACE, "model")
_COMPUTING = ("numpy.", "math.")
_STATIC = frozenset({Kind.NONE, Kind.SHAPE, Kind.DTYPE})
_RUN_BY_KERAS = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC, Kind.INITIALIZER, Kind.SCHEDULE}
)
_TENSORS = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.KERAS_TENSOR})
#: Objects whose methods a trace runs as eager code does.
_TRACEABLE = frozenset(
    {Kind.OPTIMIZER, Kind.METRIC, Kind.LOSS, Kind.GENERATOR, Kind.SHAPE,
     Kind.TUPLE, Kind.RANGE, Kind.SCHEDULE}
)  # fmt: skip
_RECORDS = behaviour.names(Trait.RECORD)
_IN_MAKING = ("__new__", "__post_init__")
_WEIGHT_METHODS = behaviour.methods(Effects.EAGER_ONLY, "optimizer")
_VALUE_METHODS = behaviour.methods(Effects.READS_VALUE, "tensor")
#: The method that nothing but a tensor has.
_OF_TENSORS_ALONE = "numpy"
_READING = behaviour.methods(Trait.READS)
_NAMES_AFTER = behaviour.names(Trait.NAMES_AFTER)
_VARIABLE = "tensorflow.Variable"


def effect_of_call(model: Answers, call: cst.Call) -> Effect | None:
    """What a call does, None where it only computes."""
    names = model.names.of(call.func)
    if names:
        if len(names) > 1:
            return _unknown(
                call, f"calls `{excerpt(model, call.func)}`, which may be several things"
            )
        return _named(model, call, min(names))
    function = model.value(call.func)
    outside = [v.name for v in function.choices or (function,) if v.kind is Kind.UNKNOWN and v.name]
    for name in outside:
        effect = _named(model, call, name)
        if effect is not None:
            return effect
    callees = model.callees(call)
    if function.kind is Kind.TRACED or any(c.tracing is not None for c in callees):
        return None
    if callees:
        # One of several objects may be one of Keras' own, which runs no code in sight.
        subject = call.func if any(one.kind in _RUN_BY_KERAS for one in function.choices) else None
        units = tuple(may_run(model, call))
        return Effect(EffectKind.RUN, call, "calls", units=units, subject=subject)
    if outside:
        return None
    if function.kind in _RUN_BY_KERAS:
        if function.class_ is not None and function.class_.has_unknown_base:
            return _unknown(call, "runs code of a class whose bases are not known")
        if (flag := refused_flag(model, call)) is not None:
            return Effect(EffectKind.EAGER_ONLY, call, flag, False)
        return Effect(EffectKind.RUN_KERAS, call, subject=call.func)
    if function.kind is Kind.METHOD and function.receiver is not None:
        return _method(model, call, function.receiver, function.name or "")
    if function.kind is Kind.CLASS:
        if function.class_ is not None and _is_record(model, function.class_):
            return None
        return Effect(EffectKind.MAKE, call, "makes an object on each call")
    if isinstance(call.func, cst.Attribute) and call.func.attr.value == _OF_TENSORS_ALONE:
        words = "calls `.numpy()`, which only works eagerly"
        return Effect(EffectKind.READ_VALUE, call, words, subject=call.func.value)
    return _unknown(call, f"calls `{excerpt(model, call.func)}`, which is not known here")


def _is_record(model: Answers, info: ClassInfo) -> bool:
    """Whether no code makes the objects of a class, which just hold what they are given."""
    if info.role is not Kind.OBJECT or info.has_unknown_base or info.node.keywords:
        return False
    if any(info.method(name) is not None for name in _IN_MAKING):
        return False
    if not all(model.names.of(made) & _RECORDS for made in decorators_of(info.node)):
        return False
    # A factory of defaults is code.
    return not any(isinstance(part, cst.Call) for part in walk(info.node.body, into_scopes=False))


def _unknown(call: cst.Call, why: str) -> Effect:
    return Effect(EffectKind.UNKNOWN, call, why)


def _values(model: Answers, call: cst.Call) -> list[Value]:
    return [model.value(argument.value) for argument in call.args]


def may_be_tensor(value: Value) -> bool:
    """Whether a value is a tensor or variable, at least on one path."""
    return value.kind in (Kind.TENSOR, Kind.VARIABLE)


def holds_tensors(value: Value) -> bool:
    """Whether a list or tuple holds a tensor."""
    members = value.elements or ((value.item,) if value.item is not None else ())
    return value.kind in (Kind.LIST, Kind.TUPLE) and any(may_be_tensor(v) for v in members)


def _named(model: Answers, call: cst.Call, name: str) -> Effect | None:
    if name == "builtins.getattr" and model.names.of(call):
        return None
    if name.startswith("builtins."):
        return _builtin(model, call, name[9:])
    if api.is_tensorflow(name):
        return _tensorflow(model, call, name)
    if name.startswith(_FRESH):
        return Effect(_fresh_kind(name), call, f"calls `{name}`, whose value a trace freezes")
    if name in _HARMLESS:
        return None
    once = f"calls `{name}`, which a trace runs only once"
    if name.startswith(_LOGGING):
        return Effect(EffectKind.LOG, call, once, name=name)
    if name.startswith(_OUTPUT):
        return Effect(EffectKind.OUTPUT, call, once, name=name)
    if name.startswith(_COMPUTING):
        return _numpy(model, call, name)
    if name == "functools.partial":
        return None
    if api.result_of(name).kind is Kind.DISTRIBUTION:
        return None
    return _unknown(call, f"calls `{name}`, which is not known to be safe to trace")


def _fresh_kind(name: str) -> EffectKind:
    if name in _CLOCKS:
        return EffectKind.CLOCK
    return EffectKind.DRAW if name in _DRAWS else EffectKind.FRESH


def _numpy(model: Answers, call: cst.Call, name: str) -> Effect | None:
    values = _values(model, call)
    if model.ask(_Static).origins.of(call):
        return None
    is_sure = any(may_be_tensor(v) or holds_tensors(v) for v in values)
    words = f"calls `{name}`, which can't take a traced tensor"
    return Effect(EffectKind.NUMPY, call, words, is_sure, name=name)


class _Static:
    """What is computed of static shapes and Python numbers alone, which a trace knows."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self.origins = Origins(model.flow, Through(), self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = self._model.value(node)
        name = (self._model.names.one(node.func) or "") if isinstance(node, cst.Call) else ""
        is_known = value.is_python_scalar or value.kind in _STATIC or value.kind is Kind.RANGE
        # The number that `math.exp` gives may be that of a tensor.
        if is_known and not name.startswith(_COMPUTING):
            return True
        parts: list[cst.BaseExpression] = []
        if isinstance(node, cst.Call):
            parts = [argument.value for argument in node.args]
            if not name.startswith(_COMPUTING):
                holder = node.func.value if isinstance(node.func, cst.Attribute) else node
                return self._model.value(holder).kind is Kind.SHAPE
        elif isinstance(node, cst.BinaryOperation):
            parts = [node.left, node.right]
        elif isinstance(node, cst.Subscript):
            parts = [node.value]
        elif isinstance(node, cst.List) and not isinstance(self._model.parent(node), cst.Arg):
            return False  # Other code may fill it.
        elif isinstance(node, (cst.List, cst.Tuple)):
            parts = [element.value for element in node.elements]
        elif isinstance(node, cst.Attribute):
            return (self._model.names.one(node) or "").startswith(_COMPUTING)
        else:
            return THROUGH if isinstance(node, cst.Name) else None
        return all(self.origins.of(part) for part in parts)


def _builtin(model: Answers, call: cst.Call, name: str) -> Effect | None:
    if name == "print":
        words = "calls `print`, which a trace runs only once"
        return Effect(EffectKind.PRINT, call, words, name="builtins.print")
    if name in _INSPECTING:
        asked = asked_of_type(model, call, name)
        is_sure = not call.args or model.value(call.args[0].value).is_known
        return Effect(EffectKind.INSPECT, call, asked, is_sure) if asked is not None else None
    if _is_exception(name):
        return None
    if name not in _PURE_BUILTINS:
        return _unknown(call, f"calls `{name}`, which is not known to be safe to trace")
    tensors = [v for v in _values(model, call) if may_be_tensor(v)]
    if name in _PYTHON_BUILTINS and tensors:
        # What a model gives may as well be a list.
        is_sure = name not in _ITERATING or any(v.dtype or v.shape is not None for v in tensors)
        words = f"calls `{name}` on a tensor"
        if name in _IN_GRAPHS:
            # What Python then does with a tensor may be as good.
            return Effect(EffectKind.PYTHON, call, words, False, autograph=Autograph.MAY_CONVERT)
        return Effect(EffectKind.PYTHON, call, words, is_sure)
    if name in _COUNTING and any(v.kind in _TENSORS for v in tensors):
        words = f"calls `{name}` on a tensor"
        return Effect(EffectKind.PYTHON, call, words, autograph=Autograph.CONVERTS)
    if name in _JUDGING and any(holds_tensors(v) for v in _values(model, call)):
        return Effect(EffectKind.PYTHON, call, f"calls `{name}` on tensors")
    return None


def _is_exception(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _tensorflow(model: Answers, call: cst.Call, name: str) -> Effect | None:
    if name in _HARMLESS:
        return _handed_over(model, call)
    if name in _ASKING:
        return Effect(EffectKind.INSPECT, call, "asks whether it runs eagerly")
    if name == "tensorflow.function":
        return Effect(EffectKind.MAKE, call, "makes a tf.function on each call", name=name)
    if name.startswith("tensorflow.summary."):
        step = next((a.value for a in call.args if a.keyword and a.keyword.value == "step"), None)
        words = f"writes a summary by `{name}`"
        return Effect(EffectKind.SUMMARY, call, words, subject=step, name=name)
    kind = api.result_of(name).kind
    if kind in _MADE:
        words = f"makes {kind.with_article} on each call"
        return Effect(EffectKind.MAKE, call, words, name=name)
    if kind in (Kind.LOSS, Kind.INITIALIZER, Kind.SCHEDULE, Kind.CONTEXT, Kind.SPEC):
        return None
    if kind in (Kind.WRITER, Kind.CHECKPOINT, Kind.CALLBACK):
        return Effect(EffectKind.OUTPUT, call, f"calls `{name}`, which belongs to Python")
    labels = refused_labels(model, call, name)
    if labels is not None:
        words, is_sure = labels
        return Effect(EffectKind.EAGER_ONLY, call, words, is_sure, name=name)
    if (image := refused_image(model, call, name)) is not None:
        return Effect(EffectKind.EAGER_ONLY, call, image, False, name=name)
    if api.is_op(name):
        refused = refused_name(model, call, name)
        if refused is not None:
            return Effect(EffectKind.EAGER_ONLY, call, refused, name=name)
        if (static := refused_argument(model, call, name)) is not None:
            words, is_sure = static
            return Effect(EffectKind.EAGER_ONLY, call, words, is_sure, name=name)
        return _handed_over(model, call)
    if name.startswith(api.FIRST_API):
        return _unknown(call, f"calls `{name}`, which is not known to be safe to trace")
    words = f"calls `{name}`, which belongs outside a trace"
    return Effect(EffectKind.EAGER_ONLY, call, words, name=name)


def _handed_over(
    model: Answers, call: cst.Call, subject: cst.BaseExpression | None = None
) -> Effect | None:
    """First-party functions given to `tf.cond`, `tf.map_fn` and the like run in the trace; `subject` is
    what runs them.

    What a lambda does that is written in the call is seen there.
    """
    written = {id(argument.value) for argument in call.args}
    handed = (edge for edge in model.calls.handed_at(call) if edge.how == "inherits")
    edges = [edge for edge in handed if id(edge.callee.node) not in written]
    if not edges:
        return None
    units = tuple(edge.callee for edge in edges)
    return Effect(EffectKind.RUN, call, "runs", units=units, subject=subject)


def _method(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    eager = f"calls `.{name}()`, which only works eagerly"
    if receiver.kind in _TENSORS:
        if name not in _VALUE_METHODS:
            return None
        return Effect(EffectKind.READ_VALUE, call, eager, subject=holder, name=name)
    for kinds, judge in _BY_RECEIVER:
        if receiver.kind in kinds:
            return judge(model, call, receiver, name)
    if receiver.name == "logging.Logger":
        words = "writes a log, which a trace does only once"
        return Effect(EffectKind.LOG, call, words, subject=holder, name=name)
    return _unknown(call, f"calls `.{name}()` of an object that is not known here")


def _of_tape(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    words = "uses a gradient tape that is opened outside"
    return Effect(EffectKind.TAPE, call, words, subject=holder, name=name)


def _of_model(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if name in _SAFE_MODEL_METHODS:
        return None
    if name in api.KERAS_HOST_METHODS:
        words = f"calls `.{name}()`, which only works eagerly"
        return Effect(EffectKind.EAGER_ONLY, call, words, name=name)
    return _unknown(call, f"calls `.{name}()`, which is not known to be safe to trace")


def _of_container(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if name in _READING:
        return None
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    words = f"changes an outer list or dict by `{excerpt(model, call.func)}()`"
    return Effect(EffectKind.MUTATE, call, words, subject=holder, name=name)


def _of_traceable(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if name in _WEIGHT_METHODS:
        words = f"calls `.{name}()` outside of a trace"
        return Effect(EffectKind.EAGER_ONLY, call, words, name=name)
    holder = call.func.value if isinstance(call.func, cst.Attribute) else None
    if receiver.kind is Kind.OPTIMIZER and holder is not None:
        made = (model.names.one(m.func) for m in makers(model.flow, holder) if type(m) is cst.Call)
        is_meant = bool(_NAMES_AFTER & {*made}) and model.world.may_run_keras_3
        if is_meant and _takes_variable(model, call):
            words = (
                "has the optimizer make variables of names that graphs refuse, like `Variable:0`"
            )
            is_sure = model.world.runs_keras_3(call)
            return Effect(EffectKind.EAGER_ONLY, call, words, is_sure, name=name)
    handed = _handed_over(model, call, holder)
    return handed or Effect(EffectKind.RUN_KERAS, call, subject=holder)


def _takes_variable(model: Answers, call: cst.Call) -> bool:
    """Whether a call is passed variables of TensorFlow's own, which Keras 3 has none of."""
    parts = (part for argument in call.args for part in walk(argument.value))
    named = [p for p in parts if isinstance(p, (cst.Name, cst.Attribute))]
    return any(
        type(made) is cst.Call and model.names.one(made.func) == _VARIABLE
        for part in named
        if model.value(part).kind is Kind.VARIABLE
        for made in makers(model.flow, part)
    )


def _of_tensor_array(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    """Eagerly `write` changes the array that it is called on; in a graph it gives a new one."""
    is_changed = behaviour.of(f"@tensor_array.{name}").result == Kind.TENSOR_ARRAY.name.lower()
    if is_changed and isinstance(model.parent(call), cst.Expr):
        words = f"throws away the TensorArray that `.{name}()` gives in a trace"
        return Effect(EffectKind.PYTHON, call, words, name=name)
    return None


def _of_distribution(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if behaviour.of(f"@distribution.{name}").result is not None:
        return None
    return _unknown(call, f"calls `.{name}()`, which is not known to be safe to trace")


def _of_strategy(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if name in behaviour.methods(Trait.IN_A_TRACE, "strategy"):
        return None
    return _unknown(call, f"calls `.{name}()`, which is not known to be safe to trace")


def _of_dataset(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    return Effect(EffectKind.MAKE, call, "builds a dataset on each call", name=name)


def _of_array(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    return Effect(EffectKind.NUMPY, call, f"calls `.{name}()` of a NumPy array", name=name)


def _of_text(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if any(may_be_tensor(v) for v in _values(model, call)):
        return Effect(EffectKind.PYTHON, call, "formats a tensor as text")
    return None


def _of_host(model: Answers, call: cst.Call, receiver: Value, name: str) -> Effect | None:
    if receiver.kind is Kind.WRITER and name in ("as_default", "flush"):
        return None
    words = f"calls `.{name}()` of {receiver.kind.with_article}"
    return Effect(EffectKind.OUTPUT, call, words, name=name)


_Judge = Callable[["Answers", cst.Call, Value, str], "Effect | None"]

#: What the methods of TensorFlow's, NumPy's and Python's own objects do, by the object's kind.
_BY_RECEIVER: tuple[tuple[frozenset[Kind], _Judge], ...] = (
    (frozenset({Kind.TAPE}), _of_tape),
    (frozenset({Kind.MODEL, Kind.LAYER, Kind.MODULE}), _of_model),
    (frozenset({Kind.LIST, Kind.DICT}), _of_container),
    (_TRACEABLE, _of_traceable),
    (frozenset({Kind.TENSOR_ARRAY}), _of_tensor_array),
    (frozenset({Kind.DATASET}), _of_dataset),
    (frozenset({Kind.DISTRIBUTION}), _of_distribution),
    (frozenset({Kind.STRATEGY}), _of_strategy),
    (ARRAYS, _of_array),
    (frozenset({Kind.STRING}), _of_text),
    (frozenset({Kind.CHECKPOINT, Kind.WRITER, Kind.CALLBACK}), _of_host),
)
