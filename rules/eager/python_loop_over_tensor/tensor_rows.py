"""Rows of a tensor that eager code works on one at a time, and stacks again or keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.frequency import FEW_TURNS
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.values import Kind, range_turns
from tfxla_lint.semantics.varying.growing import growth

from ..shared.many_rows import are_many, most_rows
from ..shared.outputs import may_be_outputs

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

Turning: TypeAlias = "cst.For | cst.CompFor"
_SLICING = "tensorflow.data.Dataset.from_tensor_slices"
_STACKING = frozenset(
    {"tensorflow.stack", "tensorflow.convert_to_tensor", "tensorflow.concat", _SLICING}
)
#: Functions of NumPy to which the same is given, read row by row.
_COLLECTING = behaviour.names(Trait.TO_ARRAY)
_ARRAYS = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY})
_LEAVING = (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Await, cst.Raise)
_ONE_AT_A_TIME = behaviour.names(Trait.ONE_AT_A_TIME)
_HOST = behaviour.methods(Effect.READS_VALUE, "tensor")


@dataclass(frozen=True, slots=True)
class TensorRows:
    """`made` stacks what the turns of `turning` make, by `element`, of the slices of `tensor`.

    It is a list of them where they are not stacked; `read` is the call that reads each for NumPy.

    `slices` are the expressions of the slice of the turn. `is_whole` says that the turns take all
    rows of the tensor, in order; `size` is how many rows it has, where that is known.
    """

    made: cst.Call | cst.ListComp
    turning: Turning
    element: cst.BaseExpression
    tensor: cst.BaseExpression
    slices: list[cst.BaseExpression]
    operations: int
    is_whole: bool
    size: int | None
    read: cst.Call | None = None

    @property
    def call(self) -> cst.Call:
        """What stacks them."""
        assert isinstance(self.made, cst.Call)
        return self.made

    def is_for_numpy(self, model: SemanticModel) -> bool:
        """Whether NumPy takes what the turns make."""
        return isinstance(self.made, cst.Call) and bool(
            model.names.of(self.made.func) & _COLLECTING
        )


def tensor_rows(model: SemanticModel) -> Iterator[TensorRows]:
    """Those of code that only runs eagerly, where no turn needs the one before."""
    stacked: set[int] = set()
    for call in model.nodes(cst.Call):
        name = model.names.one(call.func)
        if not call.args or (name not in _STACKING and name not in _COLLECTING):
            continue
        if not model.contexts.is_only_eager(model.unit(call)):
            continue
        found = next(_stacked(model, call, call.args[0].value), None)
        if found is None or id(found.turning) in stacked:
            continue
        if name in _STACKING or _are_many(model, found):
            stacked.add(id(found.turning))
            yield found
    for made in model.nodes(cst.ListComp):
        clause = made.for_in
        if id(clause) in stacked or clause.ifs or clause.inner_for_in is not None:
            continue
        if model.contexts.is_only_eager(model.unit(made)):
            found = _judge(model, made, clause, made.elt)
            if found is not None and found.read is None and _are_many(model, found):
                yield found


def _stacked(
    model: SemanticModel, call: cst.Call, given: cst.BaseExpression
) -> Iterator[TensorRows]:
    """The rows behind what a call stacks; a dataset may be given several lists at once."""
    if isinstance(given, cst.Tuple) and model.names.one(call.func) == _SLICING:
        for element in given.elements:
            yield from _stacked(model, call, element.value)
    turns = _turns_of(model, call, given)
    found = _judge(model, call, *turns) if turns is not None else None
    if found is not None:
        yield found


def _are_many(model: SemanticModel, rows: TensorRows) -> bool:
    """Whether so many rows of a tensor are gone through that this is worth a word by itself."""
    if model.value(rows.tensor).kind is not Kind.TENSOR or not model.value(rows.element).is_tensor:
        if rows.read is None:
            return False
    return are_many(model, rows.turning, most_rows(model, rows.tensor, rows.turning.iter))


def _turns_of(
    model: SemanticModel, call: cst.Call, node: cst.BaseExpression
) -> tuple[Turning, cst.BaseExpression] | None:
    """The comprehension, or the loop that fills the list, and the member made on each turn."""
    if isinstance(node, (cst.ListComp, cst.GeneratorExp)):
        clause = node.for_in
        is_plain = not clause.ifs and clause.inner_for_in is None
        return (clause, node.elt) if is_plain else None
    if not isinstance(node, cst.Name) or model.value(node).kind is not Kind.LIST:
        return None
    binding = model.flow.reached(node).only
    empty = model.flow.given(binding)
    if not isinstance(empty, cst.List) or empty.elements:
        return None
    for loop in model.nodes(cst.For):
        if model.unit(loop) is not model.unit(call) or loop in model.ancestors(call):
            continue
        append = growth(model, node, loop)
        if append is not None and _is_every_turn(model, append, loop) and len(append.args) == 1:
            return (loop, append.args[0].value) if not _carries(model, loop) else None
    return None


def _is_every_turn(model: SemanticModel, append: cst.Call, loop: cst.For) -> bool:
    """Whether the `append` stands in the body of the loop itself."""
    statement = model.parent(append)
    line = model.parent(statement) if statement is not None else None
    return line is not None and model.parent(line) is loop.body


def _carries(model: SemanticModel, loop: cst.For) -> bool:
    """Whether a turn leaves something behind for the next one, or may end the loop."""
    written: set[str] = set()
    for node in walk(loop.body):
        if isinstance(node, _LEAVING):
            return True
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            names = target_names(node.target)
            if not names:
                return True
            written |= set(names)
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value.startswith("assign"):
                return True
    steps = (step for step in model.steps.loops if step.loop is loop)
    if loop.orelse is not None or any(steps) or not isinstance(loop.body, cst.IndentedBlock):
        return True
    live = model.flow.liveness(model.unit(loop).scope).before(loop.body.body, set())
    return bool(live & written)


def _judge(
    model: SemanticModel,
    made: cst.Call | cst.ListComp,
    turning: Turning,
    element: cst.BaseExpression,
) -> TensorRows | None:
    element, read = _read(element)
    source = _source(model, turning, element)
    if source is None or may_be_outputs(model, source[0]):
        return None
    tensor, slices, is_whole = source
    body = turning.body if isinstance(turning, cst.For) else element
    work = model.works.of([body])
    operations = work.total + len(work.slices)
    size = _size(model, tensor)
    if operations == 0 or (size is not None and size <= FEW_TURNS) or _is_bound(tensor, body):
        return None
    known = {id(read.func)} if read is not None else set()
    if any(_is_host(model, node) for node in walk(body) if id(node) not in known):
        return None
    if any(_takes_one(model, node) for root in _run(model, body) for node in walk(root)):
        return None
    return TensorRows(made, turning, element, tensor, slices, operations, is_whole, size, read)


def _read(element: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.Call | None]:
    """What `.numpy()` is asked of at the end of an expression, and that call."""
    if isinstance(element, cst.Call) and isinstance(element.func, cst.Attribute):
        if element.func.attr.value == "numpy" and not element.args:
            return element.func.value, element
    return element, None


def _source(
    model: SemanticModel, turning: Turning, element: cst.BaseExpression
) -> tuple[cst.BaseExpression, list[cst.BaseExpression], bool] | None:
    """The tensor whose slices the turns take, these slices, and whether they are all its rows."""
    over, target = turning.iter, turning.target
    body = turning.body if isinstance(turning, cst.For) else element
    if model.value(over).kind in _ARRAYS and isinstance(target, cst.Name):
        reads = [n for n in walk(body) if isinstance(n, cst.Name) and n.value == target.value]
        return (over, list(reads), True) if reads else None
    if not isinstance(over, cst.Call) or not over.args:
        return None
    name = model.names.one(over.func)
    first = over.args[0].value
    if name == "builtins.enumerate" and model.value(first).kind in _ARRAYS:
        return first, [], False
    if name == "builtins.zip" and isinstance(target, cst.Tuple):
        return _zipped(model, over, target, body)
    if name != "builtins.range" or not isinstance(target, cst.Name):
        return None
    return _indexed(model, turning, body, target.value)


def _zipped(
    model: SemanticModel, over: cst.Call, target: cst.Tuple, body: cst.CSTNode
) -> tuple[cst.BaseExpression, list[cst.BaseExpression], bool] | None:
    """`for a, b in zip(x, y)`, where one of these is a tensor whose slices the turns use."""
    if len(over.args) != len(target.elements):
        return None
    used = {n.value for n in walk(body) if isinstance(n, cst.Name)}
    for given, part in zip(over.args, target.elements, strict=True):
        if isinstance(part.value, cst.Name) and part.value.value in used:
            if model.value(given.value).kind is Kind.TENSOR:
                return given.value, [], False
    return None


def _indexed(
    model: SemanticModel, turning: Turning, body: cst.CSTNode, index: str
) -> tuple[cst.BaseExpression, list[cst.BaseExpression], bool] | None:
    """`x[i]` and `x[:, i]`, where `i` runs through a range."""
    found: list[cst.Subscript] = []
    for node in walk(body):
        if isinstance(node, cst.Subscript) and _takes(node, index):
            if model.value(node.value).kind in _ARRAYS:
                found.append(node)
    if not found:
        return None
    tensor = found[0].value
    turns = range_turns(model.value(turning.iter))
    if turns is not None and turns <= FEW_TURNS:
        return None
    reads = [n for n in walk(body) if isinstance(n, cst.Name) and n.value == index]
    is_only = len(reads) == len(found) and all(
        len(node.slice) == 1 and node.value.deep_equals(tensor) for node in found
    )
    return tensor, list(found), is_only and _runs_through(model, turning.iter, tensor)


def _takes(node: cst.Subscript, index: str) -> bool:
    parts = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
    return any(isinstance(part, cst.Name) and part.value == index for part in parts)


def _runs_through(
    model: SemanticModel, over: cst.BaseExpression, tensor: cst.BaseExpression
) -> bool:
    """Whether a `range` goes through all rows of a tensor."""
    if not isinstance(over, cst.Call) or len(over.args) != 1:
        return False
    bound = over.args[0].value
    code = model.code
    if code(bound) in (f"{code(tensor)}.shape[0]", f"len({code(tensor)})"):
        return True
    size = _size(model, tensor)
    return size is not None and model.value(bound).constant == size


def _size(model: SemanticModel, tensor: cst.BaseExpression) -> int | None:
    shape = model.value(tensor).shape
    return shape[0] if shape and type(shape[0]) is int else None


def _is_bound(tensor: cst.BaseExpression, body: cst.CSTNode) -> bool:
    """Whether the turns give the tensor another meaning."""
    names = {n.value for n in walk(tensor) if isinstance(n, cst.Name)}
    for node in walk(body):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.NamedExpr)):
            if names & set(target_names(node.target)):
                return True
    return False


def _run(model: SemanticModel, body: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Some code, and the functions that it calls."""
    yield body
    yield from (unit.node for unit in model.calls.run_by([body]))


def _takes_one(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether an operation takes one file or text, and nothing runs it for several at once."""
    return isinstance(node, cst.Call) and bool(model.names.of(node.func) & _ONE_AT_A_TIME)


def _is_host(model: SemanticModel, node: cst.CSTNode) -> bool:
    """What can't run for all rows at once: draws, tapes, Python that wants values."""
    if isinstance(node, cst.Call):
        name = model.names.one(node.func) or ""
        if name in api.STATEFUL_RANDOM or name.startswith(("numpy.", "random.")):
            return True
        receiver = model.value(node.func).receiver
        if receiver is not None and receiver.kind in (Kind.TAPE, Kind.GENERATOR, Kind.OPTIMIZER):
            return True
    return isinstance(node, cst.Attribute) and node.attr.value in _HOST
