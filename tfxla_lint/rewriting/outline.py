"""The outliner: a region of statements, what goes in and comes out of it, and a place become a
function and a call.

What chooses the region fills an outline: the body of a loop, a function, a branch of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, ReplaceStatements, Statement
from tfxla_lint.rewriting.annotations import is_annotated, of_parameter, of_results
from tfxla_lint.rewriting.attribute_passing import method_edits, passing
from tfxla_lint.rewriting.host_values import HostValue
from tfxla_lint.rewriting.layout import without_blanks
from tfxla_lint.rewriting.options import relaxing, with_option
from tfxla_lint.rewriting.placement import Place
from tfxla_lint.rewriting.regions import is_declaration
from tfxla_lint.rewriting.signatures import with_signature
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics import api
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArgument
from tfxla_lint.semantics.retracing.declarable import signature_of_values
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.cells import comes_of_several_cells
from tfxla_lint.semantics.safety.conditions import Condition, Gap
from tfxla_lint.semantics.safety.open_sizes import needs_sizes, shared_trace
from tfxla_lint.semantics.safety.proof import region_gaps
from tfxla_lint.semantics.safety.remarks import changed_by_trace
from tfxla_lint.semantics.safety.unbuilt import builds_inside
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import (
    PYTHON_SCALARS,
    UNKNOWN,
    Kind,
    Value,
    join_all,
    may_vary_in_shape,
)

_HOLDING = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT})
_UNCHANGED = PYTHON_SCALARS | {
    Kind.TENSOR,
    Kind.NDARRAY,
    Kind.NUMPY_SCALAR,
    Kind.NONE,
    Kind.RANGE,
    Kind.SHAPE,
    Kind.DTYPE,
}


@dataclass
class Outline:
    """What moves into a function, what goes in and out, where the function stands.

    `moved` are the statements that become the new function and `rest` what of them moves; `early`
    are those that go before the call and `sunk` those that follow it although they stood between
    moved ones, or in them (what only declares `global` names goes before it). `attributes`
    are those that the function is passed, by the names in `attribute_names`; `values` are what it
    is passed by other names, `arrays` those of them that may be NumPy arrays, and `casts` the
    dtypes that eager execution casts arrays to; `resized` come in another size on many turns, and
    `is_relaxed` says that one trace is to serve them all. `given`
    are expressions that the call evaluates, and passes under the names in `given_names`. `kept`
    are reads of variables in what follows the call, each with the moved statement before which the
    step takes the value, to return it by the name in `kept_names`.
    `blockers` say why there is no function, where there is none, and `staying` why the gradients
    stay, where only the update of the variables moves.
    """

    moved: list[Statement] = field(default_factory=list)
    rest: list[Statement] = field(default_factory=list)
    early: list[Statement] = field(default_factory=list)
    sunk: list[Statement] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)
    staying: list[Blocker] = field(default_factory=list)
    place: Place | None = None
    values: dict[str, Value] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    casts: dict[str, str] = field(default_factory=dict)
    attributes: list[AttributeArgument] = field(default_factory=list)
    attribute_names: dict[str, str] = field(default_factory=dict)
    resized: set[str] = field(default_factory=set)
    is_relaxed: bool = False
    given: list[HostValue] = field(default_factory=list)
    given_names: dict[int, str] = field(default_factory=dict)
    kept: list[tuple[cst.BaseExpression, Statement]] = field(default_factory=list)
    kept_names: dict[int, str] = field(default_factory=dict)

    @property
    def hidden(self) -> set[int]:
        """The ids of the nodes among the moved ones that the call evaluates."""
        return {node for value in self.given for node in value.inside}

    @property
    def arguments(self) -> list[str]:
        """The names of all parameters, but for the receiver."""
        return [self.attribute_names[a.name] for a in self.attributes] + self.parameters

    @property
    def is_method(self) -> bool:
        """Whether the function becomes a method."""
        return self.place is not None and self.place.is_method

    @property
    def varies_in_shape(self) -> bool:
        """Whether an argument may come in many shapes."""
        return bool(self.resized) or any(may_vary_in_shape(v) for v in self.values.values())


def outlined(
    model: SemanticModel,
    outline: Outline,
    name: str,
    decorator: str,
    unit: Unit,
    returned: Statement | None = None,
) -> list[NodeEdit]:
    """The edits that move a region of `unit` into a function.

    `returned` is the statement behind the region, where that returns just the results.
    """
    assert outline.place is not None
    last = returned or outline.moved[-1]
    call = _call(model, outline, name, is_returned=returned is not None)
    declared = [statement for statement in outline.sunk if is_declaration(statement)]
    sunk = [statement for statement in outline.sunk if statement not in declared]
    sunk = passing(sunk, [], {}, outline.kept_names)
    return [
        InsertBefore(outline.place.before, [_definition(model, outline, name, decorator, unit)]),
        ReplaceStatements(outline.moved[0], last, [*declared, *outline.early, call, *sunk]),
        *method_edits(outline.attributes, outline.attribute_names),
    ]


def assumption_of(model: SemanticModel, outline: Outline) -> str:
    """What the fix rests on, in words that follow the title."""
    text = "assumes that the step depends on no Python state but its arguments"
    methods = sorted({m.name for attribute in outline.attributes for m in attribute.methods})
    if methods:
        text += f"; that no other code calls {', '.join(f'`{name}`' for name in methods)}"
    raising = next((n for s in _passed(outline) for n in _raised_by(model, s)), None)
    if raising is not None:
        text += (
            f"; that nothing reads what the step changed once `{excerpt(model, raising)}` raises"
        )
    return text + changed_by_trace(model, outline.moved)


def stay_behind(calls: Iterable[cst.Call], outlines: Iterable[Outline]) -> bool:
    """Whether some of these calls are in nothing that moves."""
    moved = {id(node) for each in outlines for line in each.moved for node in walk(line)}
    return any(id(call) not in moved for call in calls)


def gaps_of(model: SemanticModel, outline: Outline, unit: Unit) -> list[Gap]:
    """What is missing to a proof that the region does the same in a function of its own."""
    given = {name: outline.values.get(name, UNKNOWN) for name in outline.arguments}
    shared = [shared_trace(outline.moved[0])] if outline.is_relaxed else []
    stayed = [*outline.early, *outline.sunk]
    staying = {id(node) for statement in stayed for node in walk(statement)}
    later = _later_reads(model, outline, unit, staying)
    found = region_gaps(model, outline.moved, given, later)
    found = [*(gap for gap in found if id(gap.node) not in staying), *shared]
    for statement in outline.early:
        found.append(Gap(Condition.STATE, statement, "goes before the step"))
    found += [
        Gap(Condition.STATE, statement, "follows what stood behind it")
        for statement in _passed(outline)
        if not _only_shows(model, outline, statement)
    ]
    found += [
        Gap(Condition.EFFECTS, statement, "follows what may raise behind it")
        for statement in outline.sunk
        if not is_declaration(statement) and _may_raise_behind(model, outline, unit, statement)
    ]
    for value in outline.given:
        words = "what it is passed is evaluated before the step"
        found.append(Gap(Condition.STATE, value.node, words))
    for attribute in outline.attributes:
        words = f"`{attribute.text}` is passed to what reads it"
        found.append(Gap(Condition.STATE, outline.moved[0], words))
    assert outline.place is not None
    for line in outline.place.metrics:
        found.append(Gap(Condition.OBJECTS, line, "the metric is made once, and set back"))
    return found


def _passed(outline: Outline) -> list[Statement]:
    return [statement for statement in outline.sunk if _is_passed(outline, statement)]


def _raised_by(model: SemanticModel, statement: Statement) -> Iterator[cst.CSTNode]:
    """What raises where a statement runs, as far as that is written out."""
    called = model.calls.bodies_run_by([statement])
    for root in chain([statement], called):
        yield from (node for node in walk(root) if isinstance(node, (cst.Raise, cst.Assert)))


def _is_passed(outline: Outline, statement: Statement) -> bool:
    """Whether something of the step runs before a statement now that ran behind it."""
    stayed = {id(node) for each in (*outline.early, *outline.sunk) for node in walk(each)}
    is_behind = False
    for root in outline.moved:
        for node in walk(root):
            is_behind = is_behind or node is statement
            if is_behind and isinstance(node, cst.Call) and id(node) not in stayed:
                return True
    return not is_behind


def _may_raise_behind(
    model: SemanticModel, outline: Outline, unit: Unit, statement: Statement
) -> bool:
    """Whether the step computes anything behind a statement that follows it now.

    What is then raised comes before the statement that it came after.
    """
    stayed = {id(node) for each in (*outline.early, *outline.sunk) for node in walk(each)}
    moved = {id(node) for root in outline.moved for node in walk(root)} - stayed
    is_behind = False
    for node in walk(unit.node):
        is_behind = is_behind or node is statement
        if is_behind and id(node) in moved and _may_raise(model, node):
            return True
    return False


def _may_raise(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether an expression computes with tensors, which may not fit, or updates variables: there may
    be no gradients, or an optimizer may know other variables."""
    if isinstance(node, cst.Subscript):
        return model.value(node.value).kind is Kind.TENSOR
    if isinstance(node, cst.BinaryOperation):
        sides = (model.value(node.left), model.value(node.right))
        return not any(side.kind in PYTHON_SCALARS for side in sides)
    if not isinstance(node, cst.Call):
        return False
    if names := model.names.of(node.func):
        is_making = model.value(node).kind is Kind.TAPE
        return any(map(api.is_tensorflow, names)) and not is_making
    return True


def _only_shows(model: SemanticModel, outline: Outline, statement: Statement) -> bool:
    """Whether a statement only looks at tensors and Python's own values, which no step changes."""
    kept = {id(part) for node, _ in outline.kept for part in walk(node)}
    for node in walk(statement):
        if isinstance(node, (cst.Raise, cst.Assert)):
            return False
        if isinstance(node, cst.Name) and id(node) not in kept:
            names = model.names.of(node)
            is_read = model.binder.scope(node).is_read(node)
            if names and not all(map(_is_of_tensors, names)):
                return False
            if not names and is_read and not _is_unchanged(model.value(node)):
                return False
    return True


def _is_of_tensors(name: str) -> bool:
    """Whether a function, or the module of one, looks at nothing but what it is handed."""
    return name.startswith(("builtins.", "numpy")) or api.is_tensorflow(name)


def _is_unchanged(value: Value) -> bool:
    """Whether no step changes a value, nor what it holds."""
    members = [*(value.elements or ()), *([value.item] if value.item is not None else [])]
    if value.kind in _HOLDING:
        return bool(members) and all(map(_is_unchanged, members))
    return value.kind in _UNCHANGED and not value.mixed


def _later_reads(
    model: SemanticModel, outline: Outline, unit: Unit, staying: set[int]
) -> list[cst.Name]:
    """The reads of what the region gives back: behind it, or by what stays of it."""
    inside = {id(node) for statement in outline.moved for node in walk(statement)}
    found: dict[int, cst.Name] = {}
    for name in outline.results:
        for binding in unit.scope.bound_by(name, inside):
            found |= {id(read): read for read in model.flow.readers(binding)}
    return [read for key, read in found.items() if key not in inside or key in staying]


def _call(
    model: SemanticModel, outline: Outline, name: str, *, is_returned: bool
) -> cst.SimpleStatementLine:
    """The statement that calls the new function, and binds or returns its results.

    Arrays are made tensors there: that takes less time than leaving it to the traced function.
    """
    first = outline.moved[0]
    constant = tensorflow_name(model, "constant", first)
    arguments = [attribute.text for attribute in outline.attributes]
    made = {outline.given_names[id(value.node)]: value.node for value in outline.given}
    for parameter in outline.parameters:
        dtype = f", {outline.casts[parameter]}" if parameter in outline.casts else ""
        is_made = constant is not None and parameter in outline.arrays
        node = made.get(parameter)
        given = model.code(node.with_changes(lpar=(), rpar=())) if node is not None else parameter
        arguments.append(f"{constant}({given}{dtype})" if is_made else given)
    targets = f"{', '.join(outline.results)} = " if outline.results else ""
    receiver = "self." if outline.is_method else ""
    text = f"{receiver}{name}({', '.join(arguments)})"
    line = cst.parse_statement(f"return {text}" if is_returned else f"{targets}{text}")
    assert isinstance(line, cst.SimpleStatementLine)
    siblings = list(getattr(model.parent(first), "body", ()))
    above = siblings[: siblings.index(first)][-1:]
    is_apart = any(not isinstance(statement, cst.SimpleStatementLine) for statement in above)
    blanks = [line for line in first.leading_lines[:1] if is_apart and line.comment is None]
    return line.with_changes(leading_lines=blanks)


def _definition(
    model: SemanticModel, outline: Outline, name: str, decorator: str, unit: Unit
) -> cst.FunctionDef:
    """The new function below its decorator, annotated where the code of `unit` is."""
    hints = _hints(model, outline, unit) if is_annotated(model, unit) else None
    parameters = [
        *(["self"] if outline.is_method else []),
        *(f"{p}: {hints[0][p]}" if hints else p for p in outline.arguments),
    ]
    returns = f" -> {hints[1]}" if hints else ""
    stub = cst.parse_statement(
        f"@{decorator}\ndef {name}({', '.join(parameters)}){returns}:\n    pass\n",
        config=model.module.config_for_parsing,
    )
    assert isinstance(stub, cst.FunctionDef)
    body = passing(
        _with_kept(model, outline), outline.attributes, outline.attribute_names, outline.given_names
    )
    body[0] = body[0].with_changes(leading_lines=without_blanks(body[0].leading_lines))
    direct = _returning(body[-1], outline.results)
    if direct is not None:
        body[-1] = direct
    elif outline.results:
        body.append(cst.parse_statement(f"return {', '.join(outline.results)}"))
    return stub.with_changes(body=stub.body.with_changes(body=body))


def _with_kept(model: SemanticModel, outline: Outline) -> list[Statement]:
    """What moves, with the lines that take values of variables before they change."""
    found: list[Statement] = []
    identity = tensorflow_name(model, "identity", outline.moved[0]) if outline.kept else None
    made: set[str] = set()
    for moved, statement in zip(outline.moved, outline.rest, strict=True):
        for node, before in outline.kept:
            name = outline.kept_names[id(node)]
            if before is moved and name not in made:
                made.add(name)
                line = cst.parse_statement(f"{name} = {identity}({model.code(node)})")
                assert isinstance(line, cst.SimpleStatementLine)
                found.append(line)
        found.append(statement)
    return found


def _returning(last: cst.BaseStatement, results: Sequence[str]) -> Statement | None:
    """The last statement as a `return`, where it only binds the one result."""
    if not isinstance(last, cst.SimpleStatementLine) or len(last.body) > 1 or len(results) != 1:
        return None
    small = last.body[0]
    if not isinstance(small, cst.Assign) or len(small.targets) > 1:
        return None
    target = small.targets[0].target
    if not isinstance(target, cst.Name) or target.value != results[0]:
        return None
    return last.with_changes(body=[cst.Return(small.value)])


def _hints(model: SemanticModel, outline: Outline, unit: Unit) -> tuple[dict[str, str], str] | None:
    """The annotations of the parameters and of the result, where all are known."""
    inside = {id(node) for statement in outline.moved for node in walk(statement)}
    given: list[Value] = []
    for name in outline.results:
        reads = [node for node in unit.scope.reads.get(name, ()) if id(node) not in inside]
        given.append(join_all([model.value(node) for node in reads]) if reads else UNKNOWN)
    returned = of_results(model, unit, given)
    taken = {
        name: hint
        for name in outline.arguments
        if (hint := of_parameter(model, unit, name, outline.values.get(name))) is not None
    }
    return (taken, returned) if returned and len(taken) == len(outline.arguments) else None


def decorator_of(
    model: SemanticModel, outline: Outline, loops: Sequence[Loop], at: cst.CSTNode, ragged: bool
) -> str | None:
    """The decorator: with a signature or relaxed where the calls bring several shapes."""
    spelled = tensorflow_name(model, "function", at)
    reads_shape = not outline.resized and needs_sizes(model, outline.moved)
    if spelled is None or reads_shape:
        return spelled
    specs = None
    is_known = not ragged and all(name in outline.values for name in outline.arguments)
    sources = [loop.iter for loop in loops if isinstance(loop, cst.For)]
    is_known = is_known and not comes_of_several_cells(model, sources)
    if is_known and not builds_inside(model, outline.moved):
        values = [outline.values[name] for name in outline.arguments]
        specs = signature_of_values(model, values, loops)
    signed = with_signature(model, spelled, specs, at) if specs is not None else None
    if signed is None and (ragged or outline.varies_in_shape):
        outline.is_relaxed = True
        return with_option(spelled, relaxing(model))
    return signed or spelled
