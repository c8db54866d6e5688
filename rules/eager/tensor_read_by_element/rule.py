"""TXL115."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Replace, Rewrite, is_statement
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import target_names, walk

from .detect import (
    ElementReads,
    TakenApart,
    element_of,
    element_reads,
    is_made_in,
    taken_apart,
    turned,
)


class TensorReadByElement(Rule):
    """## What it does
    Finds loops and comprehensions of eager code that go through a tensor of many elements, by itself
    or within `enumerate` and `zip`, and need the value of each: `[int(i) for i in indices]`,
    `x.numpy()` on each row, `if guess == truth`, `names[index]`, `float(table[i, j])` in two loops.
    Also calls that take such a tensor apart: `list(indices)`, `map(int, indices)`, `max(scores)`,
    `rows.extend(scores)`.

    Tensors of a few elements, tensors of unknown size where no loop runs the code, and code that is
    traced, are left alone.

    ## Why is this bad?
    Each element costs a slice, an operation of its own, and a copy to the host that waits for the
    device: tens of microseconds for a number. One `.numpy()` copies the whole tensor, and Python goes
    through the array. `tf.unstack` makes tensors of all rows in one operation, in a two hundredth of
    the time that `list` takes.

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
    with its elements but read them, and no code behind the loop sees the last one; elements that are
    taken by indices are taken of an array that is read in front of the loops; for `list(x)` it
    writes `tf.unstack(x)`. It is unsafe: it assumes that what is gone through is a dense tensor, and
    that the arrays of rows are not written to.

    ## References
    - [Customization basics: NumPy compatibility](https://www.tensorflow.org/tutorials/customization/basics#numpy_compatibility)
    """

    code = "TXL115"
    name = "tensor-read-by-element"
    summary = "Python reads the elements of a tensor one at a time"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each such loop or comprehension, at its first read, and each such call."""
        seen: set[int] = set()
        for found in element_reads(model):
            first, *others = {id(read.node): read.node for read in found.reads}.values()
            if id(first) in seen:
                continue
            seen.update(id(read.node) for read in found.reads)
            names = " and ".join(f"`{excerpt(model, tensor)}`" for tensor in found.tensors)
            message = (
                f"`{excerpt(model, first)}` slices {names} and waits for the device for each "
                "element; read the whole tensor once, by `.numpy()`"
            )
            head = found.turning if isinstance(found.turning, cst.For) else found.turning.iter
            evidence = [Evidence(head, "once for each of these")]
            evidence += [Evidence(other, "read here too") for other in others]
            yield Report(first, message, evidence, _rewrite(model, found))
        for call in taken_apart(model):
            yield Report(call.call, _message(model, call), [], _whole(model, call))


def _message(model: SemanticModel, found: TakenApart) -> str:
    text = f"`{excerpt(model, found.call)}` slices `{excerpt(model, found.tensor)}`"
    if found.reads:
        return (
            f"{text} and waits for the device for each element; read the whole tensor once, by "
            "`.numpy()`"
        )
    return (
        f"{text} once for each element; `tf.unstack` takes it apart in one operation, and "
        "`.numpy()` reads the whole"
    )


def _whole(model: SemanticModel, found: TakenApart) -> Rewrite | None:
    """`tf.unstack` in the place of `list`, the whole array where numbers are made of the elements."""
    name = tensorflow_name(model, "unstack", at=found.call)
    made = model.names.of(found.call.func)
    text = model.code(found.tensor)
    if "builtins.map" in made:
        edit = Replace(found.tensor, f"{_in_brackets(model, found.tensor)}.numpy()")
    elif name is None or found.reads:
        return None
    elif "builtins.list" in made:
        edit = Replace(found.call, f"{name}({text})")
    else:
        edit = Replace(found.tensor, f"{name}({text})")
    return Rewrite(
        "Take the whole tensor at once",
        [edit],
        Applicability.UNSAFE,
        assumption="the tensor is dense",
        unit=model.unit(found.call).qualname,
    )


def _in_brackets(model: SemanticModel, tensor: cst.BaseExpression) -> str:
    text = model.code(tensor)
    is_plain = isinstance(tensor, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) or tensor.lpar
    return text if is_plain else f"({text})"


def _rewrite(model: SemanticModel, found: ElementReads) -> Rewrite | None:
    """The whole arrays in the place of what is gone through, if its members are only read."""
    if any(read.is_handed for read in found.reads):
        return None
    if any((model.value(tensor).dtype or "").startswith("uint") for tensor in found.tensors):
        return None  # NumPy compares these with numbers that TensorFlow would wrap around.
    if not found.is_whole:
        return _before_turns(model, found)
    names = set(target_names(found.turning.target))
    if _stays(model, found.turning, names):
        return None
    known = {id(element_of(read.of)) for read in found.reads}
    elements = (element_of(read.of) for read in found.reads)
    members = {name.value for name in elements if isinstance(name, cst.Name)}
    for root in turned(model, found.turning):
        for name in walk(root):
            if isinstance(name, cst.Name) and name.value in members and id(name) not in known:
                return None
    edits: list[NodeEdit] = [
        Replace(tensor, f"{_in_brackets(model, tensor)}.numpy()") for tensor in found.tensors
    ]
    edits += [
        Replace(read.node, model.code(read.of))
        for read in found.reads
        if isinstance(read.node, cst.Call) and isinstance(read.node.func, cst.Attribute)
    ]
    return Rewrite(
        "Read the whole tensor once",
        edits,
        Applicability.UNSAFE,
        assumption="the tensor is dense, and the arrays of its rows are not written to",
        unit=model.unit(found.turning).qualname,
    )


def _before_turns(model: SemanticModel, found: ElementReads) -> Rewrite | None:
    """The whole array in front of the outermost loop that does not make the tensor, and its elements
    in the place of the tensor's."""
    (tensor,) = found.tensors
    value = model.value(tensor)
    if not isinstance(tensor, cst.Name) or value.maybe_none or value.mixed:
        return None
    outermost: cst.CSTNode = found.turning
    for loop in reversed(model.loops.around(found.turning, model.unit(found.turning))):
        if is_made_in(model, tensor, loop):
            break
        outermost = loop
    before = statement_of(model, outermost)
    if not is_statement(before) or is_made_in(model, tensor, before):
        return None
    if not isinstance(model.parent(before), (cst.IndentedBlock, cst.Module)):
        return None
    name = free_name(model, f"{tensor.value}_array")
    edits: list[NodeEdit] = [
        InsertBefore(before, [cst.parse_statement(f"{name} = {tensor.value}.numpy()")])
    ]
    for read in found.reads:
        element = element_of(read.of)
        is_call = isinstance(read.node, cst.Call) and isinstance(read.node.func, cst.Attribute)
        text = model.code(read.of)
        if not is_call:
            edits.append(Replace(element, name))
        elif text.startswith(tensor.value):
            edits.append(Replace(read.node, name + text[len(tensor.value) :]))
        else:
            return None
    return Rewrite(
        "Read the whole tensor once",
        edits,
        Applicability.UNSAFE,
        assumption="the tensor is dense, and the arrays of its rows are not written to",
        unit=model.unit(found.turning).qualname,
    )


def _stays(model: SemanticModel, turning: cst.For | cst.CompFor, names: set[str]) -> bool:
    """Whether a turn's own names may be seen when the loop is over."""
    if not isinstance(turning, cst.For):
        return False
    unit = model.unit(turning)
    inside = {id(node) for node in walk(turning)}
    reads = (read for name in names for read in unit.scope.reads.get(name, ()))
    return unit.is_module or any(id(read) not in inside for read in reads)
