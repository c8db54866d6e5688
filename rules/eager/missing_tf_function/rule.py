"""TXL101."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.evidence import of_blockers, whether_traceable
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Eager
from tfxla_lint.semantics.effects.excuses import SETTING_UP
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.loops import Turning, is_loop
from tfxla_lint.semantics.measured import of_eager
from tfxla_lint.semantics.measured_words import counted, duration
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.steps import StepFunction
from tfxla_lint.semantics.units import Unit

from ..shared.many_ops import are_many_ops, calls_said
from .measured_steps import MeasuredStep, measured_steps


class MissingTfFunction(Rule):
    """## What it does
    Finds functions that do real tensor work (a tape step, a model call with losses or updates,
    several operations, an update of all variables of a model), are run in a loop, and are never
    traced; with `--profile`, also steps that
    a recorded run made eagerly, whatever runs them.

    ## Why is this bad?
    Without `tf.function` each operation is dispatched from Python, one by one, on every call.
    For training steps the difference is a factor of 3 to 30, for loops of small operations more.

    ## Example
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    optimizer = tf.keras.optimizers.SGD(0.1)


    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        gradients = tape.gradient(loss, [w])
        optimizer.apply_gradients(zip(gradients, [w]))
        return loss


    for step in range(100):
        train_step(tf.ones([16, 8]), tf.ones([16, 1]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    w = tf.Variable(tf.zeros([8, 1]))
    optimizer = tf.keras.optimizers.SGD(0.1)


    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        gradients = tape.gradient(loss, [w])
        optimizer.apply_gradients(zip(gradients, [w]))
        return loss


    for step in range(100):
        train_step(tf.ones([16, 8]), tf.ones([16, 1]))
    ```

    ## Fix safety
    The decorator is a safe fix where all of this is proved: the code is plain and in no package, all
    calls are known (none handed on), only tensors are passed, nothing but variables changes, no Python
    state that is read changes, nothing is drawn, no shape or dtype is read in Python, no object is made
    anew, the results are tensors, and it is not relaxed (`reduce_retracing=True`): a trace for all
    shapes knows no size of any, and may know no rank. Where one of these is not proved the fix is
    unsafe, and names what is missing. What is not known is missing.

    *Plain code* is a closed part of Python. All files that take part (those of the project that the
    file imports, or that import it, directly or by way of others) are written in it:

    - of statements there are assignments, calls, `if`, `for`, `while`, `with`, `try`, `assert`,
      `raise`, `return`, `break`, `continue`, `pass`, `del` of a name, functions, classes, and imports
      that write out their names and stand in no loop, function or class; of expressions all but `:=`,
      `await`, `yield`, and generators that no builtin such as `sum` takes at once. There is no
      `match`, `global`, `nonlocal`, `async`, `except*`, type alias or type parameter. The body of a
      class holds methods, assignments and docstrings. No name is of the kind `__x` or spelled with
      letters that Python replaces;
    - each module that is imported, and each name of Python, of a library or of TensorFlow that is
      used, is known to leave alone the objects that it is not given: not `exec`, `globals`, `vars`,
      `getattr`, `setattr`, `copy`, `pickle`, `inspect`, `gc`, `atexit`, `importlib`, threads, mocks
      or `tf.config.run_functions_eagerly`. Nothing is set of a module, a function or a class, and
      nothing of what is not known;
    - of special methods `__init__`, `__call__`, `__len__`, `__getitem__`, `__iter__`, `__repr__` and
      `__str__` may be defined; `__init__` is asked for once where it is, and in no loop. Classes
      derive from what is known, with no metaclass but `ABCMeta`. Decorators are those that are known
      (`tf.function`, `staticmethod`, `property`, `dataclass`, `lru_cache`, `click.command` and the
      like), and none of the project's own;
    - what the step, or a function that it runs, reads from outside is bound for good: a name that
      Python has not itself, by one statement that runs once, in no loop and no other function (or by
      lines of one block that stand before the step in it); an attribute of an object of the project's
      by one statement in `__init__` or `build` of its class, in no loop, or once in the body of its
      class. A list that is read so has no other name: wherever its name stands it is indexed, gone
      through, computed with, printed, or handed to a tape, an operation or `len`, `zip` and the like.
      The defaults of parameters are constants;
    - in the step, objects of the project's are only asked for attributes, called, and handed to
      functions that are seen; it calls builtins, `math`, and of NumPy what the table names, and no
      other library but TensorFlow. Annotations name types.

    Beyond that:

    - models, layers, optimizers, variables, and the project's own objects and functions may be called,
      asked for what is known of them, and handed to code that is seen or known: nothing else;
    - the instances of a method's class have to equal nothing but themselves, for a `tf.function` keeps
      its traces by that, and something has to hold the instance while the method runs, for the trace
      does not (`Learner().step(x)` fails);
    - a layer that the step may be the first to call is built in the trace: a `build` of the project's own
      may add weights, build layers and compute with Python's numbers, and nothing else;
    - `model.losses` is read behind a call of the model that the trace has, and nowhere else: before one it
      holds what an earlier call left, and outside of the trace what the trace cannot give;
    - in the step, each kind of syntax, each operation, layer, loss and optimizer has to be one that
      computes the same in a graph, and a tensor that goes in or comes out may not be one of which
      Keras knows more than its values (masks, logits). Of symbolic tensors nothing is computed anywhere
      but by layers, and no dtype of sixteen bits is named;
    - arithmetic has to be of a form that TensorFlow's graph optimizer leaves alone but for rounding:
      no constant is added to a sum (of `(high - low) + 1e-8` it makes `high - (low - 1e-8)`, which is
      0 where both are equal), none is of a size that leaves the range of a dtype, powers are whole,
      logarithms are not those of `1 + x` or of a softmax, and what jumps or has a pole (comparisons,
      `argmax`, casts, `//`, divisors, roots) is not asked of a quotient or the like, which may come
      out just below the number that eager code has;
    - a loss that an optimizer of Keras minimises may not be linear in a variable, as that of a
      Wasserstein critic or a product of means is: TensorFlow 2.21 drops the order between the read
      of such a variable and its update, and such a graph trains otherwise from run to run. This
      holds of every graph, written by hand too.

    `knowledge/behaviour.json` has the lists (`plain`, `same-in-a-graph`, `even`, `moves`, `mixes`,
    `sharp`). All other rewrites of this rule are unsafe. Where the calls are seen to bring
    several shapes, such as that of a smaller last batch, the decorator declares an
    `input_signature` if all shapes and dtypes are known, else `reduce_retracing=True`. A Python
    number that varies from call to call becomes a tensor where the function is called, if it is
    only computed with, and so does a NumPy array that eager execution casts to float32 at each of
    its uses. A number that the function makes of its result is made by its calls, where all of them
    are in the module. Where counters, a replay buffer, printing or an early return keep the
    function from being traced, its tensor work moves into a traced function beside it and they
    stay, or the model that it calls is wrapped as `eager-model-call-in-loop` does it. Where the
    function is called with one model or optimizer after the other (folds, seeds, learning rates),
    each of which needs a trace of its own, what is run once for each makes the traced function.
    Where a method sets the attributes that the function reads (`self.optimizer` in `train`), it makes
    the traced function below, on each of its runs. A loss or model that nobody sees, and that a tape
    differentiates, is taken to trace.
    Where the tape itself has to stay eager, the update or the model alone is traced, and the finding
    stays with what remains. Where none of these will do, the finding lists what is in the way: of a
    step that runs a model or trains always, of plain operations where these are many and little is.

    Results are the same but for rounding: graph optimisation may reorder and fold arithmetic, so
    that numbers at the edge of a dtype (overflow, cancellation, the sign of zero) may differ; and a `relu`
    behind a product and a bias, which the graph joins, may give 0 for NaN (no fix is safe in a program that
    asks for NaN). A
    program that decides by the last places of a number, as early stopping without a least change does,
    may decide some turns earlier or later.

    ## References
    - [Better performance with tf.function](https://www.tensorflow.org/guide/function)
    """

    code = "TXL101"
    name = "missing-tf-function"
    summary = "A function of tensor work is run in a loop and never traced"
    level = Level.WARNING
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    speaks_for = ("TXL104", "TXL110")
    quiet_in_tests = True
    reports_steps = "functions"
    needs = ("@tensorflow", "@loops")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each function that holds a step and is run by loops."""
        told: set[int] = set()
        for step in model.steps.functions:
            from .rewrites import decorated, otherwise

            told.add(id(step.unit))
            blockers = model.ask(Safety).unit_blockers(step.unit)
            node = step.unit.node
            assert isinstance(node, cst.FunctionDef)
            decorator = decorated(model, step, blockers)
            if blockers and decorator is None and not _is_step(model, step, blockers):
                continue
            yield Report(
                node.name,
                _message(model, step, blockers) + of_eager(model, step.unit),
                evidence=[*_evidence(step), *of_blockers(model, blockers)],
                rewrite=decorator or otherwise(model, step, blockers),
                covers=[node],
                at_stake=Eager(step.unit.body, step.unit.body[0], node),
            )
        for measured in measured_steps(model, told):
            yield _measured(model, measured)


def _is_step(model: SemanticModel, step: StepFunction, blockers: list[Blocker]) -> bool:
    """Whether it is worth saying where something is in the way of a trace: also where a helper, that
    is no step itself, runs the model, and of many operations that little keeps from being traced."""
    work = step.work
    if work.is_training_step or work.is_model_step or work.is_spread_update:
        return True
    if work.is_optimizer_step or are_many_ops(work, blockers, step.repeated):
        return not work.traced_calls
    below = closure([step.unit], lambda unit: _helpers(model, unit))
    steps = (model.works.of_unit(unit) for unit in below)
    return not work.traced_calls and any(each.is_model_step for each in steps)


def _helpers(model: SemanticModel, unit: Unit) -> list[Unit]:
    """What the work of a function calls, but for what sets up an object that it makes."""
    called = model.works.of_unit(unit, into_loops=False).callees
    return [callee for callee in called if callee.name not in SETTING_UP]


def _measured(model: SemanticModel, step: MeasuredStep) -> Report:
    """What a recorded run shows and the code does not."""
    node = step.unit.node
    assert isinstance(node, cst.FunctionDef)
    blockers = model.ask(Safety).unit_blockers(step.unit)
    message = (
        f"`{step.unit.name}` ran eagerly {counted(step.record.eager, 'time')} in the recorded run, "
        f"{duration(step.record.eager_seconds.median)} each: {step.work.total} TensorFlow calls on "
        f"every call of it{whether_traceable(model, blockers, step.unit.body)}"
    )
    rewrite = None
    if not blockers and not step.varies_in_value:
        from .rewrites import decorate

        rewrite = decorate(model, step.unit, node, varies=step.varies_in_shape)
    return Report(
        node.name,
        message,
        of_blockers(model, blockers),
        rewrite,
        covers=[node],
        at_stake=Eager(step.unit.body, step.unit.body[0], node),
    )


def _message(model: SemanticModel, step: StepFunction, blockers: list[Blocker]) -> str:
    loops = [each for each in step.route.loops if is_loop(each)]
    where = "in a loop" if len(loops) == 1 else f"in {len(loops)} nested loops"
    if len(loops) < len(step.route.loops):
        where = f"{where}, and many times" if loops else "many times"
    text = f"`{step.unit.name}` runs eagerly {where}: {calls_said(step)} on every call of it"
    return text + whether_traceable(model, blockers, step.unit.body)


def _evidence(step: StepFunction) -> list[Evidence]:
    found = [Evidence(loop, _runs(loop)) for loop in step.route.loops]
    if step.route.calls:
        found.append(Evidence(step.route.calls[-1], "called here"))
    return found


def _runs(loop: Turning) -> str:
    if isinstance(loop, cst.BaseComp):
        return "run by this comprehension"
    return "run by this loop" if is_loop(loop) else "run many times from outside"
