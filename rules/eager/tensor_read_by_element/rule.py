"""TXL115."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk

from .detect import ElementReads, element_reads, turned


class TensorReadByElement(Rule):
    """## What it does
    Finds loops and comprehensions of eager code that go through a tensor of many elements and read
    each as a Python number or array: `[int(i) for i in indices]`, `x.numpy()` on each row,
    `float(table[i, j])` in two loops.

    Tensors of a few elements or of unknown size, and code that is traced, are left alone.

    ## Why is this bad?
    Each element costs a slice, an operation of its own, and a copy to the host that waits for the
    device: tens of microseconds for a number. One `.numpy()` copies the whole tensor, and Python goes
    through the array.

    ## Example
    ```python
    import tensorflow as tf

    logits = tf.random.normal([1000, 10])
    indices = tf.argmax(logits, axis=1)
    labels = [int(index) for index in indices]
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    logits = tf.random.normal([1000, 10])
    indices = tf.argmax(logits, axis=1)
    labels = [int(index) for index in indices.numpy()]
    ```

    ## Fix safety
    The fix reads the tensor once, in front of the turns that go through it, where they do nothing
    with its elements but read them, and no code behind the loop sees the last one. It is unsafe: it assumes that what is gone through is a dense
    tensor, and that the arrays of rows are not written to.

    ## References
    - [Customization basics: NumPy compatibility](https://www.tensorflow.org/tutorials/customization/basics#numpy_compatibility)
    """

    code = "TXL115"
    name = "tensor-read-by-element"
    summary = "Python reads the elements of a tensor one at a time"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such loop or comprehension, at its first read."""
        seen: set[int] = set()
        for found in element_reads(model):
            first, *others = found.reads
            if id(first) in seen:
                continue
            seen.update(id(read) for read in found.reads)
            message = (
                f"`{excerpt(model, first)}` slices `{excerpt(model, found.tensor)}` and waits for the "
                "device for each element; read the whole tensor once, by `.numpy()`"
            )
            head = found.turning if isinstance(found.turning, cst.For) else found.turning.iter
            evidence = [Evidence(head, "once for each of these")]
            evidence += [Evidence(other, "read here too") for other in others]
            yield Report(first, message, evidence, _rewrite(model, found))


def _rewrite(model: SemanticModel, found: ElementReads) -> Rewrite | None:
    """The whole array in the place of the tensor that is gone through, if its members are only read."""
    target = found.turning.target
    if not found.is_whole or not isinstance(target, cst.Name) or _stays(model, found.turning):
        return None
    reads = {id(read) for read in found.reads}
    roots = turned(model, found.turning)
    for name in (n for root in roots for n in walk(root) if isinstance(n, cst.Name)):
        if name.value == target.value and _call_of(model, name) not in reads:
            return None
    text = model.code(found.tensor)
    whole = (
        f"({text})" if not isinstance(found.tensor, (cst.Name, cst.Attribute, cst.Call)) else text
    )
    edits: list[NodeEdit] = [Replace(found.tensor, f"{whole}.numpy()")]
    edits += [
        Replace(read, target.value) for read in found.reads if isinstance(read.func, cst.Attribute)
    ]
    return Rewrite(
        "Read the whole tensor once",
        edits,
        Applicability.UNSAFE,
        assumption="the tensor is dense, and the arrays of its rows are not written to",
        unit=model.unit(found.turning).qualname,
    )


def _stays(model: SemanticModel, turning: cst.For | cst.CompFor) -> bool:
    """Whether what a turn was given may be seen when the loop is over."""
    if not isinstance(turning, cst.For):
        return False
    assert isinstance(turning.target, cst.Name)
    unit, name = model.unit(turning), turning.target.value
    inside = {id(node) for node in walk(turning)}
    reads = unit.scope.reads.get(name, ())
    return unit.is_module or any(id(read) not in inside for read in reads)


def _call_of(model: SemanticModel, name: cst.Name) -> int:
    """The call that has a name as its only argument or receiver."""
    parent = model.parent(name)
    call = model.parent(parent) if parent is not None else None
    return id(call)
