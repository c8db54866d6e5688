"""What a turn takes beside the work that a graph would do: the next batch, and plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import prices
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.cost.amounts import NOTHING, Amount
from tfxla_lint.semantics.syntax import children
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.loops import Turning

#: How much dearer a batch is than in a tight loop; other threads make it ready.
_BATCH = Amount(1.0, 2.0, 4.0)
#: What a turn of Python takes by itself, and each call and selection of NumPy's that it makes.
_TURN, _EACH = Amount(5.0, 60.0, 250.0), Amount(1.0, 14.0, 60.0)


def beside(model: Answers, loop: Turning | None) -> Amount:
    """What a turn of a loop takes beside its tensor work; None stands for one that is not known."""
    if not isinstance(loop, (cst.For, cst.While)):
        return _TURN
    batch = NOTHING
    if model.loops.info(loop).over == "dataset":
        batch = _BATCH * prices.figure("calls", "dataset_prefetched")
    return _TURN + batch + _EACH * float(sum(1 for _ in _python(model, loop)))


def _python(model: Answers, loop: cst.For | cst.While) -> Iterator[cst.CSTNode]:
    """What Python calls, and selects from arrays, on a turn; what is written within an op goes with it."""
    work = model.works.of([loop.body])
    ours = {id(call) for call, _ in work.calls}
    ours |= {id(call) for call in (*work.traced_calls, *work.batch_runs)}
    parts = (work.ops, work.losses, work.model_calls, work.gradients, work.updates)
    ops = {id(node) for part in (*parts, work.metric_updates, work.tapes) for node in part}
    stack: list[cst.CSTNode] = [loop.body]
    while stack:
        node = stack.pop()
        if id(node) in ops or isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        if (isinstance(node, cst.Call) and id(node) not in ours) or (
            isinstance(node, cst.Subscript) and model.value(node.value).kind is Kind.NDARRAY
        ):
            yield node
        stack += children(node)
