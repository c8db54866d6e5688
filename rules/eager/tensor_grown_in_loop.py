"""TXL116."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.frequency import Condition, Often
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.turns import is_rare
from tfxla_lint.semantics.values import Kind

_JOINING = behaviour.names(Trait.JOINS)
_SCATTERING = behaviour.names(Trait.SCATTERS)
_ADDED = "to add a part; collect the parts in a list and join them once"
_SET = "to set a part of it; collect the indices and the values, and set them in one call"
#: To copy so few parts again and again takes less time than anybody notices.
_FEW = 8


@dataclass(frozen=True, slots=True)
class _Grown:
    """`made` copies what `target` held, to join a part to it or to set some places of it, on each
    turn of `loop`."""

    made: cst.Call
    target: cst.BaseExpression
    loop: Loop


class TensorGrownInLoop(Rule):
    """## What it does
    Finds eager loops that make a tensor longer on every turn, by `tf.concat` of all that was
    collected so far with one more part, or that set places of it by `tf.tensor_scatter_nd_update` and
    its like, and read it only when they are over.

    Loops of a few turns, and tensors that the turns need as far as they have grown (a sentence that
    a model goes on writing), are left alone, and so is traced code.

    ## Why is this bad?
    Each turn copies everything that was collected before it: for a thousand parts that is five
    hundred times the work of joining them once. A Python list keeps the parts for nothing, and one
    call sets all places. Of a place that is set twice, give that call the last value only: in which
    order it sets them is not defined.

    ## Example
    ```python
    import tensorflow as tf

    data = tf.data.Dataset.range(1000).batch(10)
    model = tf.keras.layers.CategoryEncoding(num_tokens=1000, output_mode="multi_hot")
    found = tf.zeros([0, 1000])
    for rows in data:
        found = tf.concat([found, model(rows[:, tf.newaxis])], axis=0)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    data = tf.data.Dataset.range(1000).batch(10)
    model = tf.keras.layers.CategoryEncoding(num_tokens=1000, output_mode="multi_hot")
    parts = []
    for rows in data:
        parts.append(model(rows[:, tf.newaxis]))
    found = tf.concat(parts, axis=0)
    ```

    ## References
    - [`tf.concat`](https://www.tensorflow.org/api_docs/python/tf/concat)
    - [`tf.tensor_scatter_nd_update`](https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_update)
    """

    code = "TXL116"
    name = "tensor-grown-in-loop"
    summary = "Each turn of an eager loop copies all that was collected before"
    needs = ("@imported", "for|while")
    quiet_in_tests = True

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such joining."""
        for found in _grown(model):
            name = excerpt(model, found.target)
            what = _SET if _is_scattering(model, found.made) else _ADDED
            message = f"every turn of the loop copies all of `{name}` {what}, behind the loop"
            yield Report(found.made.func, message, [Evidence(found.loop, "the loop")])


def _grown(model: SemanticModel) -> Iterator[_Grown]:
    for statement in model.nodes(cst.Assign):
        made = statement.value
        if len(statement.targets) != 1 or not isinstance(made, cst.Call):
            continue
        target = statement.targets[0].target
        names = model.names.of(made.func)
        if not (names and all(n.startswith("tensorflow.") for n in names)):
            continue
        if not (names <= _JOINING or names <= _SCATTERING):
            continue
        old = _old(model, made, target)
        loop = _collecting(model, statement, target) if old is not None else None
        if loop is None or old is None:
            continue
        start = _start(model, loop, statement, target)
        if not _is_read(model, loop, target, [old, *start]):
            yield _Grown(made, target, loop)


def _is_scattering(model: SemanticModel, made: cst.Call) -> bool:
    return model.names.of(made.func) <= _SCATTERING


def _old(
    model: SemanticModel, made: cst.Call, target: cst.BaseExpression
) -> cst.BaseExpression | None:
    """The one member of what is joined, or the tensor with other places, that the target holds."""
    first = made.args[0].value if made.args and made.args[0].keyword is None else None
    if _is_scattering(model, made):
        return first if first is not None and model.code(first) == model.code(target) else None
    if not isinstance(first, (cst.List, cst.Tuple)):
        return None
    text = model.code(target)
    same = [e.value for e in first.elements if model.code(e.value) == text]
    return same[0] if len(same) == 1 and len(first.elements) > 1 else None


def _collecting(
    model: SemanticModel, statement: cst.Assign, target: cst.BaseExpression
) -> Loop | None:
    """The outermost of the loops around that turn often, and do nothing else to the target."""
    unit = model.unit(statement)
    if not model.contexts.is_only_eager(unit):
        return None
    found: Loop | None = None
    for loop in reversed(model.loops.around(statement, unit)):
        if is_rare(model, statement, loop) or _is_set_in(model, loop, statement, target):
            break
        info = model.loops.info(loop)
        few = info.turns if info.turns is not None else info.most
        is_often = info.is_certain and (few is None or few > _FEW)
        if is_often and not _names(target) & _given(loop):
            found = loop
    return found


def _names(target: cst.BaseExpression) -> set[str]:
    return {node.value for node in walk(target) if isinstance(node, cst.Name)}


def _given(loop: Loop) -> set[str]:
    """The names by which each turn means something else."""
    return set(target_names(loop.target)) if isinstance(loop, cst.For) else set()


def _is_set_in(
    model: SemanticModel, loop: Loop, statement: cst.Assign, target: cst.BaseExpression
) -> bool:
    """Whether a turn may begin anew, or gives the target another meaning."""
    text, holder = model.code(target), _holder(target)
    start = [id(node) for root in _start(model, loop, statement, target) for node in walk(root)]
    for node in walk(loop.body):
        if not isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            continue
        if node is statement.targets[0] or id(node) in start:
            continue
        if model.code(node.target) == text:
            return True
        if holder is not None and _names(target) & set(target_names(node.target)):
            return True
    return False


def _start(
    model: SemanticModel, loop: Loop, statement: cst.Assign, target: cst.BaseExpression
) -> list[cst.CSTNode]:
    """What only the first turn does, in place of joining, and the test that tells it apart."""
    child: cst.CSTNode = statement
    for each in model.ancestors(statement):
        if each is loop:
            break
        if isinstance(each, cst.If) and isinstance(each.orelse, cst.Else):
            holds = child is each.orelse
            often = model.loops.frequency.holding(Condition(each.test, holds), loop)
            if often <= Often.FEW or _is_unset(model, each.test, target) is holds:
                return [each.test, each.body if holds else each.orelse]
        child = each
    return []


def _is_unset(
    model: SemanticModel, test: cst.BaseExpression, target: cst.BaseExpression
) -> bool | None:
    """Whether a test holds where the target is None, or where it is not; None for other tests."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    operator, other = test.comparisons[0].operator, test.comparisons[0].comparator
    if not isinstance(operator, (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual)):
        return None
    if model.value(other).kind is not Kind.NONE or model.code(test.left) != model.code(target):
        return None
    return isinstance(operator, (cst.Is, cst.Equal))


def _holder(target: cst.BaseExpression) -> cst.BaseExpression | None:
    """The object of which a target is an attribute or a member."""
    return target.value if isinstance(target, (cst.Attribute, cst.Subscript)) else None


def _is_read(
    model: SemanticModel, loop: Loop, target: cst.BaseExpression, adding: Sequence[cst.CSTNode]
) -> bool:
    """Whether a turn needs what was collected so far, for more than to add to it."""
    holder = target.value if isinstance(target, cst.Subscript) else None
    texts = {model.code(each) for each in (target, holder) if each is not None}
    known = {id(node) for root in (target, *adding) for node in walk(root)}
    tests = [loop.test] if isinstance(loop, cst.While) else []
    return any(
        id(node) not in known and model.code(node) in texts
        for root in (loop.body, *tests)
        for node in walk(root)
        if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript))
    )
