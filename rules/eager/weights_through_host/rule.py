"""TXL114."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Dear
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.frequency import Condition, Often
from tfxla_lint.semantics.loops import Turning, called, each_turn, turned_code
from tfxla_lint.semantics.measured import of_loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.options import is_met_by_default
from tfxla_lint.semantics.syntax import children, walk
from tfxla_lint.semantics.turns import step_loop
from tfxla_lint.semantics.values import Kind

from ..shared.step_loops import environment_loop, steps_environment

_CONDITIONS = (cst.If, cst.IfExp, cst.Try, cst.TryStar, cst.Match)


class WeightsThroughHost(Rule):
    """## What it does
    Finds `set_weights` that a loop runs on each of its steps with what `get_weights` gave on the same
    step, copied or mixed in NumPy: the usual slow update of a target network. Likewise `set_weights`
    with tensors, such as those that are mixed of the variables in `model.weights` one by one, and
    `assign` to a variable, of what `.numpy()` of a tensor gave there:
    `optimizer.learning_rate.assign(rate.numpy())`.

    An update on each eighth step, or more often, counts. Rarer ones, those once in an epoch or an
    episode, and weights that were read before the loop are left alone.

    ## Why is this bad?
    `get_weights` copies each weight to the host as an array, NumPy mixes them there one by one, and
    `set_weights` copies them back: the device waits for all three, on every step. Between variables
    the same is one operation each, and nothing leaves the device. Tensors are made op by op from
    Python there, and `set_weights` of Keras 2 makes arrays of them first.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf

    online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    online.compile("sgd", "mse")
    tau = 0.01

    for step in range(500):
        online.train_on_batch(np.ones([8, 4]), np.ones([8, 2]))
        pairs = zip(online.get_weights(), target.get_weights())
        target.set_weights([tau * new + (1 - tau) * old for new, old in pairs])
    ```

    ## Use instead
    ```python
    import numpy as np
    import tensorflow as tf

    online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    online.compile("sgd", "mse")
    tau = 0.01


    @tf.function
    def follow():
        for new, old in zip(online.weights, target.weights):
            old.assign(tau * new + (1 - tau) * old)


    for step in range(500):
        online.train_on_batch(np.ones([8, 4]), np.ones([8, 2]))
        follow()
    ```

    ## Fix safety
    The fix is unsafe. Where the statements that read the weights, mix them (by a loop over indices,
    pairs or a comprehension, or as `np.array(weights)`) and set them stand side by side, a loop over pairs of variables takes their
    place. It assumes that both models are built alike, are not the same one, and have weights that
    are floats. `missing-tf-function` decorates the function of such a loop, where it can.

    ## References
    - [`Layer.get_weights`: the weights as NumPy arrays](https://www.tensorflow.org/api_docs/python/tf/keras/layers/Layer#get_weights)
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    """

    code = "TXL114"
    name = "weights-through-host"
    summary = "All weights of a model go to the host and back on every step"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    speaks_for = ("TXL115",)
    quiet_in_tests = True
    needs = ("@tensorflow", ".set_weights|.assign")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report the `get_weights` of a function that a step loop runs, where `set_weights` takes
        what they give on the same step."""
        groups: dict[tuple[int, int], list[_Copy]] = {}
        for call in model.nodes(cst.Call):
            copy = _copy(model, call)
            if copy is not None:
                groups.setdefault((id(model.unit(call)), id(copy.loop)), []).append(copy)
            else:
                yield from _check_assignment(model, call)
        for first, *others in groups.values():
            message = (
                f"{_what(model, first)} on {_turns(model, first)}; "
                f"assign variables to variables instead, in a tf.function"
                f"{of_loop(model, first.loop)}"
            )
            route = model.contexts.eager(model.unit(first.call))
            is_read = isinstance(first.read, cst.Call) and _is_read(model, first.read)
            evidence = [Evidence(first.loop, called(first.loop))]
            evidence.append(Evidence(first.call, "copied back here" if is_read else "set here"))
            evidence += [Evidence(node, "called here") for node in route.calls] if route else []
            text = "copied too" if is_read else "set too"
            evidence += [Evidence(other.call, text) for other in others]
            at_stake = Dear(first.call, "set_weights", "nothing")
            from .fix import in_place, replaced

            rewrite = in_place(model, [copy.call for copy in (first, *others)])
            gone = replaced(model, rewrite) if rewrite is not None else []
            yield Report(first.read, message, evidence, rewrite, covers=gone, at_stake=at_stake)


def _turns(model: SemanticModel, copy: _Copy) -> str:
    """On which turns of its loop a copy is made, in words."""
    unit = model.unit(copy.call)
    top = (*model.loops.around(copy.call, unit)[-1:], unit.node)[0]
    is_always = (step_loop(model, copy.call) or environment_loop(model, copy.call)) is copy.loop
    loop = top if isinstance(top, (cst.For, cst.While)) else None
    for condition in model.loops.frequency.conditions(copy.call, top):
        if model.loops.frequency.holding(condition, loop) is Often.REGULARLY:
            is_always = False
    return each_turn(copy.loop) if is_always else "one turn in a few of the loop"


def _what(model: SemanticModel, copy: _Copy) -> str:
    setting = excerpt(model, copy.call.func)
    if isinstance(copy.read, cst.Call) and _is_read(model, copy.read):
        reading = excerpt(model, copy.read.func)
        return f"`{reading}` copies all weights to the host, and `{setting}` copies them back,"
    return f"`{setting}` sets weights that TensorFlow computes op by op"


def _check_assignment(model: SemanticModel, call: cst.Call) -> Iterator[Report]:
    """A variable that each step of a loop sets to what it reads of tensors for nothing else."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "assign":
        return
    if len(call.args) != 1 or model.value(call.func.value).kind is not Kind.VARIABLE:
        return
    read, loop = _value_read(model, call.args[0].value), step_loop(model, call)
    if read is None or loop is None or _is_of_turn(model, call, loop):
        return
    message = (
        f"`{excerpt(model, read)}` copies the value to the host, for `assign` to copy it back, on "
        f"{each_turn(loop)}; assign the tensor itself{of_loop(model, loop)}"
    )
    yield Report(call, message, [Evidence(loop, called(loop))])


def _value_read(model: SemanticModel, node: cst.BaseExpression) -> cst.Call | None:
    """The `t.numpy()` of a tensor that an expression is, or that arithmetic makes it of."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        is_tensor = model.value(node.func.value).is_tensor
        return node if node.func.attr.value == "numpy" and is_tensor else None
    if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation)):
        parts = (p for p in children(node) if isinstance(p, cst.BaseExpression))
        return next((r for r in (_value_read(model, part) for part in parts) if r), None)
    return None


@dataclass(frozen=True, slots=True)
class _Copy:
    """A `set_weights` on each step of `loop`, of what `read` gave on the same step: a call of
    `get_weights`, or an expression that gives a tensor."""

    call: cst.Call
    loop: Turning
    read: cst.BaseExpression


def _copy(model: SemanticModel, call: cst.Call) -> _Copy | None:
    if not _is_method(model, call, "set_weights") or len(call.args) != 1:
        return None
    unit = model.unit(call)
    loop = step_loop(model, call, Often.REGULARLY) or environment_loop(model, call)
    read = _read(model, call.args[0].value) if loop is not None else None
    if loop is None or read is None or not _run_together(model, call, read):
        return None
    if unit.name == "__init__" or _is_of_turn(model, call, loop):
        return None
    is_of_environment = isinstance(loop, (cst.For, cst.While)) and steps_environment(
        model, call, loop
    )
    if not is_of_environment and _holds_steps(model, loop):
        return None
    top = (*model.loops.around(call, unit)[-1:], unit.node)[0]
    tests = model.loops.frequency.conditions(call, top)
    is_often = all(_is_usual(model, test, top) for test in tests)
    return _Copy(call, loop, read) if is_often else None


def _is_usual(model: SemanticModel, condition: Condition, top: cst.CSTNode) -> bool:
    """Whether a condition is met on every step, or once in a few: always, by default, or once there are enough
    members in what nothing empties here (`if len(memory) < 64: return` before)."""
    loop = top if isinstance(top, (cst.For, cst.While)) else None
    if model.loops.frequency.holding(condition, loop) in (Often.ALWAYS, Often.REGULARLY):
        return True
    if is_met_by_default(model, condition):
        return True
    calls = [node for node in walk(condition.node) if isinstance(node, cst.Call)]
    counted = {
        model.code(argument.value)
        for call in calls
        if "builtins.len" in model.names.of(call.func)
        for argument in call.args
    }
    inside = walk(model.unit(condition.node).node, into_scopes=False)
    bound = {model.code(n.target) for n in inside if isinstance(n, cst.AssignTarget)}
    return bool(counted) and condition.holds is False and not counted & bound


def _is_of_turn(model: SemanticModel, call: cst.Call, loop: Turning) -> bool:
    """Whether each turn sets the weights of another object: all of them are copied once, then."""
    inside = {id(node) for node in walk(loop)}
    for each in model.loops.around(call, model.unit(call)):
        is_part = each is not loop and model.loops.info(each).over == "structure"
        if is_part and isinstance(each, cst.For):
            inside -= {id(node) for node in walk(each.target)}
    names = (n for n in walk(call.func) if isinstance(n, cst.Name))
    bindings = (b for name in names for b in model.flow.reached(name).bindings)
    return any(id(binding.node) in inside for binding in bindings)


def _is_method(model: SemanticModel, node: cst.CSTNode, name: str) -> bool:
    """Whether a node calls this method of Keras on a model or a layer."""
    if not isinstance(node, cst.Call):
        return False
    function = model.value(node.func)
    receiver = function.receiver
    is_keras = receiver is not None and receiver.kind in (Kind.MODEL, Kind.LAYER)
    return is_keras and function.name == name and function.unit is None


def _is_read(model: SemanticModel, node: cst.CSTNode) -> bool:
    return _is_method(model, node, "get_weights")


def _read(model: SemanticModel, weights: cst.BaseExpression) -> cst.BaseExpression | None:
    """The `get_weights` that some weights come from, through names, lists and arithmetic; or else
    what computes a tensor for them."""

    def reads(node: cst.CSTNode) -> cst.BaseExpression | None:
        return node if isinstance(node, cst.Call) and _is_read(model, node) else None

    def computes(node: cst.CSTNode) -> cst.BaseExpression | None:
        if not isinstance(node, (cst.Call, cst.BinaryOperation)):
            return None
        return node if model.value(node).is_tensor else None

    return _found(model, weights, reads) or _found(model, weights, computes)


def _found(
    model: SemanticModel,
    weights: cst.BaseExpression,
    wanted: Callable[[cst.CSTNode], cst.BaseExpression | None],
) -> cst.BaseExpression | None:
    """The first of what is wanted that some weights come from."""

    def judge(node: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        found = wanted(node)
        if found is not None:
            return found
        return THROUGH if isinstance(node, cst.Name) else origins.any(children(node))

    through = Through(items=True, agree=Agree.ANY)
    origins: Origins[cst.BaseExpression] = Origins(model.flow, through, judge)
    found = origins.of(weights)
    if found is not None or not isinstance(weights, cst.Name):
        return found
    return origins.any(_appended(model, weights))


def _holds_steps(model: SemanticModel, loop: Turning) -> bool:
    """Whether a loop is one of episodes: another loop in it calls more than NumPy and builtins."""
    for inner in walk(turned_code(loop), into_scopes=False):
        if isinstance(inner, (cst.For, cst.While)) and not model.loops.info(inner).is_short:
            calls = (n for n in walk(inner.body, into_scopes=False) if isinstance(n, cst.Call))
            if any(not _is_plain(model, call) for call in calls):
                return True
    return False


def _is_plain(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call works on arrays and lists alone."""
    names = model.names.of(call.func)
    receiver = model.value(call.func).receiver
    if receiver is not None and receiver.kind in (Kind.LIST, Kind.NDARRAY):
        return True
    return bool(names) and all(name.startswith(("numpy.", "builtins.")) for name in names)


def _appended(model: SemanticModel, holder: cst.Name) -> Iterator[cst.BaseExpression]:
    """What the function appends to a list of this name."""
    for read in model.unit(holder).scope.reads.get(holder.value, ()):
        method = model.parent(read)
        call = model.parent(method) if isinstance(method, cst.Attribute) else None
        if isinstance(call, cst.Call) and len(call.args) == 1 and call.func is method:
            yield call.args[0].value


def _run_together(model: SemanticModel, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether the same conditions and loops of one function stand around two nodes."""
    unit = model.unit(first)
    if model.unit(second) is not unit:
        return False
    # A tensor for each of the variables is made in a loop over these, and set behind it.
    loops = model.loops.around if _is_read(model, second) else model.loops.hot_around
    if loops(first, unit) != loops(second, unit):
        return False
    conditions = (
        [id(a) for a in model.ancestors(node) if isinstance(a, _CONDITIONS)]
        for node in (first, second)
    )
    return next(conditions) == next(conditions)
