"""Calls of the abstract interpreter."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Runs, Trait
from tfxla_lint.semantics import api, call_arguments, runners
from tfxla_lint.semantics.binding import bind
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.kinds import (
    arrays,
    attributes,
    command_line,
    datasets,
    files,
    layers,
    methods,
)
from tfxla_lint.semantics.kinds.by_use import inferred
from tfxla_lint.semantics.kinds.callees import Reception
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.kinds.handed_back import handed_back
from tfxla_lint.semantics.kinds.iteration import item_of, over
from tfxla_lint.semantics.kinds.operators import arithmetic
from tfxla_lint.semantics.kinds.protocol import member_of
from tfxla_lint.semantics.kinds.tensor_ops import Given
from tfxla_lint.semantics.taught_names import PREFIX, TRACES
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import (
    ARRAYS,
    DRAWN,
    FILE,
    INT,
    NDARRAY,
    NUMBERS,
    PYTHON_SCALARS,
    TENSOR,
    UNBOUND,
    UNKNOWN,
    Arguments,
    Kind,
    Tracing,
    Value,
    dict_of,
    holds_keras_tensor,
    join_all,
    list_of,
    sequence,
    with_leaves,
)


def call(evaluator: Evaluator, node: cst.Call, environment: Environment) -> Value:
    """The value of a call."""
    function = evaluator.value(node.func, environment)
    arguments: Arguments = []
    for argument in node.args:
        value = evaluator.value(argument.value, environment)
        keyword = argument.keyword.value if argument.keyword is not None else argument.star or None
        arguments.append((keyword, value))
    evaluator.environment = environment
    key = id(node)
    if key not in evaluator.called:
        evaluator.called[key] = evaluator.names.one(node.func)
    name = evaluator.called[key]
    if name is not None:
        return _named(evaluator, node, name, arguments)
    return apply(evaluator, node, function, arguments)


#: The argument that layers hand on to those that they run.
TRAINING = "training"
#: The layer that runs a function.
LAMBDA = "tensorflow.keras.layers.Lambda"
#: Those of other packages that show how far a loop over what they are given has got.
_JOINING = "os.path.join"
_PROGRESS = {n for n in behaviour.names(Trait.PASSES_MEMBERS) if not n.startswith("builtins.")}


def apply(evaluator: Evaluator, node: cst.Call, function: Value, arguments: Arguments) -> Value:
    """The value of calling `function`."""
    if function.kind is Kind.UNBOUND:
        return UNBOUND
    if function.choices:
        return join_all([apply(evaluator, node, one, arguments) for one in function.choices])
    kind = function.kind
    if kind in (Kind.FUNCTION, Kind.TRACED):
        if function.unit is not None:
            return _first_party(evaluator, node, function, function.unit, arguments)
        _hand_over(evaluator, node, arguments, "unknown")
        return _traced_outside(function, arguments)
    if kind is Kind.METHOD:
        if function.unit is not None:
            return _first_party(evaluator, node, function, function.unit, arguments)
        return methods.call(evaluator, node, function, arguments)
    if kind is Kind.CLASS and function.class_ is not None:
        return _construct(evaluator, node, function, arguments)
    if kind is Kind.TRACER:
        return _wrap(evaluator, node, function.tracing or Tracing(node), arguments)
    if kind in (Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC, Kind.MODULE, Kind.OBJECT):
        return _call_instance(evaluator, node, function, arguments)
    if kind in (Kind.INITIALIZER, Kind.SCHEDULE):
        return TENSOR
    if kind is Kind.UNKNOWN and function.name is not None:
        return _named(evaluator, node, function.name, arguments)
    _hand_over(evaluator, node, arguments, "unknown")
    if type(node.func) is cst.Call and any(holds_keras_tensor(v) for _, v in arguments):
        # `Norm()(h)`: what is made and called on a symbolic tensor at once is a layer of some kind.
        return Value(Kind.KERAS_TENSOR)
    if isinstance(node.func, cst.Attribute) and node.func.attr.value == "reshape":
        return Value(Kind.UNKNOWN, shape=methods.sizes(arguments))
    return UNKNOWN


def _traced_outside(function: Value, arguments: Arguments) -> Value:
    """The result of a traced callable: models and layers give tensors."""
    receiver = function.receiver
    if receiver is None or receiver.kind not in (Kind.MODEL, Kind.LAYER, Kind.LOSS):
        return UNKNOWN
    return UNKNOWN if receiver.by_use else Value(Kind.TENSOR, shape=_shape(receiver, arguments))


def _shape(layer: Value, arguments: Arguments) -> tuple[object, ...] | None:
    """The shape of what a layer or model makes of its first argument."""
    first = arguments[0][1].shape if arguments and layer.layer is not None else None
    return layers.applied(layer.layer, first)


def _hand_over(evaluator: Evaluator, node: cst.Call, arguments: Arguments, how: str) -> None:
    for _, value in arguments:
        evaluator.use(value, node, how)


def _first_party(
    evaluator: Evaluator, node: cst.Call, function: Value, unit: Unit, arguments: Arguments
) -> Value:
    skip = function.bound + (1 if function.kind is Kind.METHOD else 0)
    results: list[Value] = []
    for target, receivers in _targets(evaluator, function, unit):
        evaluator.add_callee(
            node, target, function.tracing, skip, _reception(node, function), function.partial
        )
        given = arguments
        is_traced = function.tracing is not None or evaluator.decoration(target).tracing is not None
        if is_traced:
            given = [(key, as_traced(value)) for key, value in arguments]
        result = evaluator.invoke(target, given, skip=skip, receivers=receivers)
        result = _of_this_call(evaluator, target, given, skip, result)
        results.append(as_traced(result) if is_traced else result)
    result = join_all(results)
    if result.name == DRAWN and result.kind in NUMBERS and evaluator.loops:
        return result._replace(loop=evaluator.loops[-1], name=None)
    return result


_HANDED_BACK = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.TRACED})


def _of_this_call(
    evaluator: Evaluator, unit: Unit, arguments: Arguments, skip: int, result: Value
) -> Value:
    """What a call gives: the function that this very call passes, where a function gives back what it
    is given, or `tf.function` of it; `result` is what is known of all calls."""
    if not any(value.kind in _HANDED_BACK for _, value in arguments):
        return result
    given = bind(unit, arguments, skip).single
    found: list[Value] = []
    for parameter, wrapper in handed_back(unit):
        value = given.get(parameter, UNKNOWN)
        if value.kind not in _HANDED_BACK:
            return result
        if wrapper is not None:
            # What it is called with is known to the function's own runs alone, hence the syntax.
            made = wrapper.func.func if isinstance(wrapper.func, cst.Call) else wrapper.func
            if evaluator.names.of(made) != {"tensorflow.function"}:
                return result
            given_before = wrapper.func.args if isinstance(wrapper.func, cst.Call) else ()
            options = [(a.keyword.value, a.value) for a in given_before if a.keyword is not None]
            value = _wrap(evaluator, wrapper, Tracing(wrapper, (*options,)), [(None, value)])
        found.append(value)
    return join_all(found) if found else result


def _reception(node: cst.Call, function: Value) -> Reception:
    """What stands for the first parameter of a function that is called."""
    if function.kind is Kind.METHOD:
        return Reception.DOTTED if isinstance(node.func, cst.Attribute) else Reception.BOUND
    return Reception.BOUND if function.receiver is not None else Reception.NOTHING


def _targets(
    evaluator: Evaluator, function: Value, unit: Unit
) -> list[tuple[Unit, Sequence[ClassInfo]]]:
    """The functions that a call of `function` runs, with the classes of the objects called on."""
    receiver, name = function.receiver, function.name
    if unit.is_method and function.kind is not Kind.METHOD and not function.bound:
        # `Class.method(self, x)`: no other method of the name is run, whatever the object.
        return [(unit, [info for info in [unit.class_] if info is not None])]
    if function.kind is not Kind.METHOD or receiver is None or receiver.class_ is None or not name:
        return [(unit, [])]
    classes = evaluator.classes(receiver)
    if receiver.name == "super":
        return [(unit, classes)]
    found: dict[Unit, list[ClassInfo]] = {}
    for info in classes:
        target = evaluator.method(info, name)
        if target is not None:
            found.setdefault(target, []).append(info)
    return list(found.items()) or [(unit, classes)]


def as_traced(value: Value) -> Value:
    """A value on its way into or out of a traced function: arrays become tensors."""
    if value.kind in ARRAYS:
        return Value(Kind.TENSOR, dtype=value.dtype, shape=value.shape)
    if value.kind in (Kind.TUPLE, Kind.LIST) and value.elements is not None:
        return sequence(value.kind, tuple(as_traced(e) for e in value.elements))
    if value.entries is not None:
        return dict_of({key: as_traced(member) for key, member in value.entries})
    return value


def _as_run(value: Value) -> Value:
    """A value on its way into the `call` of a layer or model, which Keras gives a tensor of a graph for
    a symbolic one."""

    def inside(member: Value) -> Value:
        is_symbolic = member.kind is Kind.KERAS_TENSOR
        return member._replace(kind=Kind.TENSOR, name=None) if is_symbolic else member

    return with_leaves(as_traced(value), inside)


def _as_symbolic(value: Value) -> Value:
    """What comes out of a layer or model that is called on symbolic tensors, or a member of that."""
    if value.kind in (Kind.TENSOR, Kind.UNKNOWN):
        return Value(Kind.KERAS_TENSOR, shape=value.shape)
    return value


def _construct(
    evaluator: Evaluator, node: cst.Call, function: Value, arguments: Arguments
) -> Value:
    info = function.class_
    assert info is not None
    init = evaluator.method(info, "__init__")
    if init is not None:
        evaluator.add_callee(node, init, None, 1, Reception.MADE)
        evaluator.invoke(init, arguments, skip=1, receivers=[info])
    else:
        _hand_over(evaluator, node, arguments, "unknown")
    return evaluator.instance(info)


def _call_instance(
    evaluator: Evaluator, node: cst.Call, function: Value, arguments: Arguments
) -> Value:
    """Calling a model, layer, loss or an object with `__call__`."""
    kind = function.kind
    info = function.class_
    if info is not None:
        name = "call" if kind in (Kind.MODEL, Kind.LAYER, Kind.LOSS) else "__call__"
        run = arguments
        if kind in (Kind.MODEL, Kind.LAYER):
            run = [(key, _as_run(value)) for key, value in arguments]
        results: list[Value] = []
        for member in evaluator.classes(function):
            unit = evaluator.method(member, name) or evaluator.method(member, "__call__")
            if unit is not None:
                evaluator.add_callee(node, unit, None, 1, Reception.CALLED)
                given = [*run, *_passed_by_keras(evaluator, unit, run)]
                results.append(evaluator.invoke(unit, given, skip=1, receivers=[member]))
        if results:
            result = join_all(results)
            if kind is not Kind.OBJECT and any(holds_keras_tensor(v) for _, v in arguments):
                return with_leaves(result, _as_symbolic)
            builds = builds_model(node, kind, [value for _, value in arguments])
            return UNKNOWN if builds else result
        if kind is Kind.OBJECT or evaluator.ancestry(info).is_unknown:
            return UNKNOWN
    if kind is Kind.OBJECT or kind is Kind.MODULE:
        return UNKNOWN
    if function.name == LAMBDA:
        _run_lambda(evaluator, node, arguments)
    symbolic = any(holds_keras_tensor(value) for _, value in arguments)
    if not symbolic and builds_model(node, kind, [value for _, value in arguments]):
        is_sure = function.name in behaviour.names(Trait.WITH_WEIGHTS)
        return Value(Kind.KERAS_TENSOR, by_use=True) if is_sure else UNKNOWN
    if function.by_use and not symbolic:
        # A model that is not known may give a list or a dict.
        return UNKNOWN
    shape = _shape(function, arguments)
    return Value(Kind.KERAS_TENSOR if symbolic else Kind.TENSOR, shape=shape)


def _passed_by_keras(evaluator: Evaluator, unit: Unit, arguments: Arguments) -> Arguments:
    """What Keras hands on to the `call` of a layer that runs within another, where nothing is given."""
    around = evaluator.unit.class_
    if around is None or evaluator.ancestry(around).role not in (Kind.MODEL, Kind.LAYER):
        return []
    missing = bind(unit, arguments, 1).missing
    return [(TRAINING, Value(Kind.BOOL)) for parameter in missing if parameter.name == TRAINING]


def builds_model(node: cst.Call, kind: Kind, given: Iterable[Value]) -> bool:
    """`Dense(8)(x)`: a layer that is made where it is called, as code that builds a model does.

    Nobody makes weights for one eager use of them: what is given is symbolic unless it is known.
    """
    if kind not in (Kind.LAYER, Kind.MODEL) or type(node.func) is not cst.Call:
        return False
    return not any(v.kind in (Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY) for v in given)


def _run_lambda(evaluator: Evaluator, node: cst.Call, arguments: Arguments) -> None:
    """The function that a `Lambda` layer is made of and called at once."""
    layer = node.func
    given = call_arguments.argument(layer, "function", 0) if isinstance(layer, cst.Call) else None
    function = evaluator.values.get(id(given), UNKNOWN)
    if function.unit is not None and function.kind in (Kind.FUNCTION, Kind.METHOD):
        skip = function.bound + (1 if function.kind is Kind.METHOD else 0)
        if any(value.kind is Kind.TENSOR for _, value in arguments):
            # On a tensor it runs where the layer is called, as any function does.
            evaluator.add_callee(node, function.unit, None, skip, Reception.NOTHING)
        run = [(key, _as_run(value)) for key, value in arguments]
        evaluator.invoke(function.unit, [*run, ("**", UNKNOWN)], skip=skip)


def _wrap(evaluator: Evaluator, node: cst.Call, tracing: Tracing, arguments: Arguments) -> Value:
    """`tf.function(f)`, or calling a partial of it."""
    target = Given(arguments).at(0, "func")
    options = dict(tracing.options)
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value != "func":
            options[argument.keyword.value] = argument.value
    merged = replace(tracing, node=node, options=tuple(options.items()))
    if target is None:
        return Value(Kind.TRACER, tracing=merged)
    choices = target.choices or (target,)
    return join_all([_wrapped(evaluator, node, merged, choice) for choice in choices])


def _wrapped(evaluator: Evaluator, node: cst.Call, merged: Tracing, target: Value) -> Value:
    if target.kind in (Kind.FUNCTION, Kind.METHOD, Kind.TRACED) and target.unit is not None:
        evaluator.use(target._replace(tracing=merged), node, "traced")
        return target._replace(
            kind=Kind.TRACED,
            tracing=merged,
            bound=target.bound + (1 if target.kind is Kind.METHOD else 0),
        )
    if target.class_ is not None and target.kind in (Kind.MODEL, Kind.LAYER, Kind.MODULE):
        info = target.class_
        unit = evaluator.method(info, "call") or evaluator.method(info, "__call__")
        if unit is not None:
            wrapped = Value(Kind.METHOD, unit=unit, receiver=target, tracing=merged)
            evaluator.use(wrapped, node, "traced")
            return Value(Kind.TRACED, unit=unit, receiver=target, tracing=merged, bound=1)
    return Value(Kind.TRACED, receiver=target, tracing=merged)


def _named(evaluator: Evaluator, node: cst.Call, name: str, arguments: Arguments) -> Value:
    """Calling a function or class of an outside module or a builtin."""
    if name in ("tensorflow.function", TRACES):
        tracing = Tracing(node, takes_options=name != TRACES)
        return _wrap(evaluator, node, tracing, arguments)
    if name == "functools.partial":
        return _partial(evaluator, node, arguments)
    if behaviour.holds(Trait.DEFERS, name) and arguments:
        return arguments[0][1]
    runs = Runs.EAGER if name in runners.STARTING else behaviour.of(name).runs
    if runs is not None:
        _hand_over(evaluator, node, arguments, runs.value)
    else:
        how = "unknown" if not name.startswith("builtins.") else ""
        if how and not api.is_op(name):
            _hand_over(evaluator, node, arguments, how)
    found = files.made(name)
    if found is not None:
        return found
    if name.startswith("builtins."):
        return _builtin(evaluator, node, name[9:], arguments)
    if name.startswith(("numpy.", "math.", "random.", "time.")):
        around = evaluator.loops[-1] if evaluator.loops else None
        return arrays.call(name, node, arguments, around)
    if name in ("logging.getLogger", "tensorflow.get_logger", "absl.logging.get_absl_logger"):
        return Value(Kind.OBJECT, name="logging.Logger")
    if name == command_line.PARSER:
        return Value(Kind.OBJECT, name=name)
    if name == _JOINING and any(value.name == FILE for _, value in arguments):
        return files.FOUND
    if name in _PROGRESS or name.startswith(("tqdm.", "absl.logging")):
        return _progress(name, arguments)
    if name.startswith(("tensorflow.data.", "tensorflow_datasets.", "tensorflow.keras.datasets.")):
        return datasets.construct(name, arguments)
    if behaviour.holds(Trait.MAPS_LEAVES, name) and len(arguments) > 1:
        return _mapped(evaluator, arguments[0][1], [value for _, value in arguments[1:]])
    if api.is_tensorflow(name) or name.startswith(("tensorflow_addons.", "tensorflow_hub.")):
        return _tensorflow(evaluator, name, node, arguments)
    if api.result_of(name).kind is Kind.DISTRIBUTION:
        return _tensorflow(evaluator, name, node, arguments)
    if name in runners.POOLS or name in runners.SERVERS:
        return Value(Kind.OBJECT, name=name)
    if name.startswith(PREFIX):
        row = behaviour.of(name)
        return Value(api.kind_of(row if row.result else behaviour.home(name)), name=name)
    if name in ("copy.copy", "copy.deepcopy"):
        return Given(arguments).at(0, "x") or UNKNOWN
    kind = api.kind_of(behaviour.of(name))
    if kind is Kind.DICT:
        return _dict(evaluator, node, arguments)
    if kind is Kind.STRING:
        return Value(kind, loop=next((value.loop for _, value in arguments if value.loop), None))
    return Value(kind) if kind is Kind.CONTEXT else UNKNOWN


def _mapped(evaluator: Evaluator, function: Value, structures: list[Value]) -> Value:
    """A structure of what a function makes of the members of others; of one it is known what that is."""

    def made(member: Value) -> Value:
        if function.unit is not None and function.kind in (Kind.FUNCTION, Kind.METHOD):
            skip = function.bound + (1 if function.kind is Kind.METHOD else 0)
            given: Arguments = [(None, member), *((None, UNKNOWN) for _ in structures[1:])]
            return evaluator.invoke(function.unit, given, skip=skip)
        is_op = function.name is not None and api.is_op(function.name)
        return TENSOR if is_op and member.is_tensor else UNKNOWN

    return with_leaves(structures[0], made) if structures[0].is_known else UNKNOWN


def _dict(evaluator: Evaluator, node: cst.Call, arguments: Arguments) -> Value:
    """A dict of some make: what is written of it, or members that `list` makes where they are missed."""
    if node.args and "builtins.list" in evaluator.names.of(node.args[0].value):
        return Value(Kind.DICT, item=_builtin(evaluator, node, "list", []))
    return _builtin(evaluator, node, "dict", arguments)


def _progress(name: str, arguments: Arguments) -> Value:
    if name.endswith("trange"):
        return Value(Kind.RANGE, item=INT)
    wrapped = Given(arguments).at(0, "iterable")
    return wrapped if wrapped is not None else Value(Kind.OBJECT, name=name)


def _partial(evaluator: Evaluator, node: cst.Call, arguments: Arguments) -> Value:
    if not arguments:
        return UNKNOWN
    target = arguments[0][1]
    for choice in target.choices:
        evaluator.use(choice, node, "unknown")
    first = node.args[0].value
    if "tensorflow.function" in evaluator.names.of(first):
        options = tuple((a.keyword.value, a.value) for a in node.args if a.keyword is not None)
        return Value(Kind.TRACER, tracing=Tracing(node, options))
    if target.unit is not None and target.kind in (Kind.FUNCTION, Kind.METHOD, Kind.TRACED):
        positional = sum(1 for key, _ in arguments[1:] if key is None)
        evaluator.invoke(
            target.unit,
            [*arguments[1:], ("*", UNKNOWN)],
            skip=target.bound + (1 if target.kind is Kind.METHOD else 0),
        )
        given = (*target.partial, *node.args[1:])
        return target._replace(bound=target.bound + positional, partial=given)
    return UNKNOWN


def _tensorflow(evaluator: Evaluator, name: str, node: cst.Call, arguments: Arguments) -> Value:
    result = api.result_of(name)
    symbolic = any(holds_keras_tensor(value) for _, value in arguments)
    if name == "tensorflow.clip_by_global_norm":
        return sequence(Kind.TUPLE, (list_of(TENSOR), TENSOR))
    if result.kind is Kind.TENSOR:
        if symbolic:
            return Value(Kind.KERAS_TENSOR)
        return arrays.tensor_result(name, node, arguments)
    if result.kind is Kind.TUPLE:
        return sequence(Kind.TUPLE, (TENSOR,) * result.count)
    if result.kind is Kind.LIST:
        return list_of(TENSOR)
    if result.kind is Kind.VARIABLE:
        return arrays.tensor_result(name, node, arguments, Kind.VARIABLE)
    if result.kind is Kind.UNKNOWN or (symbolic and result.kind is Kind.DISTRIBUTION):
        return Value(Kind.UNKNOWN)
    if result.kind is Kind.LAYER:
        return Value(Kind.LAYER, name=name, layer=layers.output_of(name, arguments))
    if result.kind is Kind.KERAS_TENSOR:
        return Value(Kind.KERAS_TENSOR, name=name, shape=layers.input_shape(arguments))
    if result.kind is Kind.CHECKPOINT:
        tracked = {key: value for key, value in arguments if key is not None and key != "**"}
        return Value(result.kind, name=name, entries=dict_of(tracked).entries)
    return Value(result.kind, name=name)


def _picked(evaluator: Evaluator, module: cst.BaseExpression) -> Value:
    """One of the classes of a module, by a name that nobody knows, where all of them are models."""
    place = evaluator.names.place(module)
    scope = evaluator.names.scope_of(place) if place is not None else None
    values = [evaluator.member(Member(scope, name)) for name in scope.bindings] if scope else []
    infos = [value.class_ for value in values if value.kind is Kind.CLASS]
    roles = {evaluator.ancestry(info).role for info in infos if info is not None}
    if roles == {Kind.MODEL}:
        return join_all([inferred(value) for value in values if value.kind is Kind.CLASS])
    return UNKNOWN


def _makes_arrays(evaluator: Evaluator, function: cst.BaseExpression) -> bool:
    names = evaluator.names.of(function)
    return bool(names) and names <= behaviour.making_arrays()


def _of_numbers(name: str, values: list[Value]) -> Value:
    """What `sum`, `max`, `min`, `abs` and `pow` give: a number that varies with those given."""
    first = values[0] if values else UNKNOWN
    if name not in ("abs", "pow") and len(values) == 1:
        first = item_of(first)
    elif len(values) > 1 and all(value.kind in NUMBERS for value in values):
        first = functools.reduce(arithmetic, values)
    loop = next((value.loop for value in values if value.loop is not None), first.loop)
    return first._replace(constant=UNKNOWN.constant, loop=loop) if first.is_known else UNKNOWN


def _builtin(evaluator: Evaluator, node: cst.Call, name: str, arguments: Arguments) -> Value:
    first = arguments[0][1] if arguments else UNKNOWN
    if name == "super":
        unit = evaluator.unit
        while unit.class_ is None and unit.parent is not None:
            unit = unit.parent
        info = unit.class_
        if info is None:
            return UNKNOWN
        return evaluator.instance(info)._replace(name="super")
    if name == "range":
        return Value(Kind.RANGE, item=Value(Kind.INT), elements=tuple(v for _, v in arguments))
    if name == "enumerate":
        return over(first, sequence(Kind.TUPLE, (INT, member_of(evaluator, first))))
    if name == "zip":
        members = tuple(member_of(evaluator, value) for _, value in arguments)
        known = (value for _, value in arguments if value.is_known)
        return over(next(known, UNKNOWN), sequence(Kind.TUPLE, members))
    if name in ("list", "tuple"):
        kind = Kind.LIST if name == "list" else Kind.TUPLE
        if first.kind in (Kind.LIST, Kind.TUPLE):
            return first._replace(kind=kind)
        return list_of(item_of(first) if arguments else UNKNOWN, kind)
    if name in ("reversed", "iter", "sorted"):
        if name == "sorted":
            return list_of(item_of(first))
        return over(first, member_of(evaluator, first))
    if name == "next":
        return join_all([member_of(evaluator, first), *(value for _, value in arguments[1:])])
    if name == "dict":
        is_written = all(key not in (None, "*", "**") for key, _ in arguments)
        return dict_of({key or "": v for key, v in arguments}) if is_written else Value(Kind.DICT)
    if name in ("sum", "max", "min", "abs", "pow"):
        return _of_numbers(name, [value for _, value in arguments])
    kind = api.kind_of(behaviour.of(f"builtins.{name}"))
    if kind in PYTHON_SCALARS:
        return Value(kind, loop=first.loop)
    if name == "print":
        return Value(Kind.NONE, constant=None)
    if name == "vars" and command_line.is_told(first):
        return evaluator.command_line.all
    if name == "getattr" and len(node.args) == 2:
        asked = arguments[-1][1].constant
        if isinstance(asked, str) and first.is_known:
            return attributes.of_value(evaluator, first, asked)
        return _picked(evaluator, node.args[0].value)
    if name == "setattr" and first.class_ is not None:
        evaluator.open(first.class_)
    if name == "map" and node.args and _makes_arrays(evaluator, node.args[0].value):
        return Value(Kind.ITERATOR, item=NDARRAY)
    if name not in ("map", "filter"):
        _hand_over(evaluator, node, arguments, "unknown" if name != "type" else "inherits")
    return UNKNOWN
