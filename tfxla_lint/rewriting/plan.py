"""What a hoisting is to do, and the code of it: the new function, the call of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.rewriting.attribute_passing import passing
from tfxla_lint.rewriting.habits import Hints, docstring_for, is_annotated
from tfxla_lint.rewriting.leading_lines import without_blanks
from tfxla_lint.rewriting.options import relaxing, with_option
from tfxla_lint.rewriting.placement import Place
from tfxla_lint.rewriting.signatures import with_signature
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArgument
from tfxla_lint.semantics.retracing.declarable import signature_of_values
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import UNKNOWN, Value, join_all, may_vary_in_shape


@dataclass
class HoistPlan:
    """What moves and what stays.

    `moved` are the statements that become the new function and `rest` what of them moves; `sunk`
    are those that follow the call although they stood between moved ones, or in them. `attributes`
    are those that the step is passed, by the names in `attribute_names`; `values` are what the step
    is passed by other names, `arrays` those of them that may be NumPy arrays, and `casts` the dtypes
    that eager execution casts arrays to; `resized` come in another size on many turns. `blockers`
    say why there is no plan, where there is none.
    """

    moved: list[Statement] = field(default_factory=list)
    rest: list[Statement] = field(default_factory=list)
    sunk: list[Statement] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)
    place: Place | None = None
    values: dict[str, Value] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    casts: dict[str, str] = field(default_factory=dict)
    attributes: list[AttributeArgument] = field(default_factory=list)
    attribute_names: dict[str, str] = field(default_factory=dict)
    resized: set[str] = field(default_factory=set)

    @property
    def arguments(self) -> list[str]:
        """The names of all parameters, but for the receiver."""
        return [self.attribute_names[a.name] for a in self.attributes] + self.parameters

    def vary_in_shape(self) -> bool:
        """Whether an argument may come in many shapes."""
        return bool(self.resized) or any(may_vary_in_shape(v) for v in self.values.values())


def assumption_of(model: SemanticModel, plan: HoistPlan) -> str:
    """What the fix rests on, in words that follow the title."""
    text = "assumes that the step depends on no Python state but its arguments"
    methods = sorted({m.name for attribute in plan.attributes for m in attribute.methods})
    if methods:
        text += f"; that no other code calls {', '.join(f'`{name}`' for name in methods)}"
    if model.safety.random_calls(plan.moved):
        text += "; draws other random numbers from the same seed"
    return text


def call_of(
    model: SemanticModel, plan: HoistPlan, name: str, at: cst.CSTNode, is_returned: bool = False
) -> cst.SimpleStatementLine:
    """The statement that calls the new function, and binds or returns its results.

    Arrays are made tensors there: that takes less time than leaving it to the traced function.
    """
    receiver = "self." if plan.place is not None and plan.place.is_method else ""
    attributes = [attribute.text for attribute in plan.attributes]
    constant = tensorflow_name(model, "constant", at)
    arguments = [
        f"{constant}({', '.join([parameter, *_dtype(plan, parameter)])})"
        if constant and parameter in plan.arrays
        else parameter
        for parameter in plan.parameters
    ]
    targets = f"{', '.join(plan.results)} = " if plan.results else ""
    if is_returned:
        targets = "return "
    line = cst.parse_statement(f"{targets}{receiver}{name}({', '.join([*attributes, *arguments])})")
    assert isinstance(line, cst.SimpleStatementLine)
    return line.with_changes(leading_lines=_blanks_after_block(model, plan.moved[0]))


def _blanks_after_block(model: SemanticModel, statement: Statement) -> list[cst.EmptyLine]:
    """The blank lines that set a statement off from the indented block above it."""
    siblings = getattr(model.parent(statement), "body", ())
    index = next(i for i, sibling in enumerate(siblings) if sibling is statement)
    if index == 0 or isinstance(siblings[index - 1], cst.SimpleStatementLine):
        return []
    return [line for line in statement.leading_lines[:1] if line.comment is None]


def _dtype(plan: HoistPlan, parameter: str) -> list[str]:
    return [plan.casts[parameter]] if parameter in plan.casts else []


def definition_of(
    model: SemanticModel, plan: HoistPlan, name: str, decorator: str, unit: Unit
) -> cst.FunctionDef:
    """The new function below its decorator, after the habits of the code of `unit`."""
    place = plan.place
    assert place is not None
    hints = _hints(model, plan, unit)
    parameters = [
        *(["self"] if place.is_method else []),
        *(f"{p}: {hints[0][p]}" if hints else p for p in plan.arguments),
    ]
    returns = f" -> {hints[1]}" if hints else ""
    stub = cst.parse_statement(
        f"@{decorator}\ndef {name}({', '.join(parameters)}){returns}:\n    pass\n",
        config=model.module.config_for_parsing,
    )
    assert isinstance(stub, cst.FunctionDef)
    body = passing(plan.rest, plan.attributes, plan.attribute_names)
    body[0] = body[0].with_changes(leading_lines=without_blanks(body[0].leading_lines))
    docstring = docstring_for(model, name)
    if docstring is not None:
        body.insert(0, docstring)
    direct = _returning(body[-1], plan.results)
    if direct is not None:
        body[-1] = direct
    elif plan.results:
        body.append(cst.parse_statement(f"return {', '.join(plan.results)}"))
    return stub.with_changes(body=stub.body.with_changes(body=body))


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


def _hints(model: SemanticModel, plan: HoistPlan, unit: Unit) -> tuple[dict[str, str], str] | None:
    """The annotations of the parameters and of the result, where the code has them and all are
    known."""
    if not is_annotated(model, unit):
        return None
    hints = Hints(model, unit)
    of_parameters = {
        name: hint
        for name in plan.arguments
        if (hint := hints.parameter(name, plan.values.get(name))) is not None
    }
    of_results = hints.results([_value_after(model, unit, plan, name) for name in plan.results])
    if of_results is None or len(of_parameters) < len(plan.arguments):
        return None
    return of_parameters, of_results


def _value_after(model: SemanticModel, unit: Unit, plan: HoistPlan, name: str) -> Value:
    """What a name holds when the moved statements are done."""
    inside = {id(node) for statement in plan.moved for node in walk(statement)}
    reads = [node for node in unit.scope.reads.get(name, ()) if id(node) not in inside]
    return join_all([model.value(node) for node in reads]) if reads else UNKNOWN


def made_once(lines: Sequence[cst.SimpleStatementLine]) -> list[Statement]:
    """The lines that make metrics, without the comments of where they stood."""
    return [cst.SimpleStatementLine(line.body) for line in lines]


def set_back(line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
    """What stands in the place of a line that makes a metric: it is emptied there."""
    assignment = line.body[0]
    assert isinstance(assignment, cst.Assign)
    target = assignment.targets[0].target
    reset = cst.Call(cst.Attribute(target, cst.Name("reset_state")))
    return line.with_changes(body=[cst.Expr(reset)])


def decorator_of(
    model: SemanticModel, plan: HoistPlan, loops: Sequence[Loop], at: cst.CSTNode, ragged: bool
) -> str | None:
    """The decorator: with a signature or relaxed where the calls bring several shapes."""
    spelled = tensorflow_name(model, "function", at)
    reads_shape = not plan.resized and model.safety.reads_static_shape(plan.moved)
    if spelled is None or reads_shape:
        return spelled
    specs = None
    if not ragged and all(name in plan.values for name in plan.arguments):
        values = [plan.values[name] for name in plan.arguments]
        specs = signature_of_values(model, values, loops)
    signed = with_signature(model, spelled, specs, at) if specs is not None else None
    if signed is None and (ragged or plan.vary_in_shape()):
        return with_option(spelled, relaxing(model))
    return signed or spelled
