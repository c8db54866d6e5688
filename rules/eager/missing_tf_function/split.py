"""Splitting: the tensor part of a function becomes a `tf.function` of its own.

For functions that can't be traced as a whole: they count steps in Python, draw from a replay buffer,
return early or return Python numbers. Those parts stay where they are.
"""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import Rewrite, Statement
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.blocks import Block, statements_of
from tfxla_lint.rewriting.hoister import outline_of
from tfxla_lint.rewriting.inner_steps import inner_blocks
from tfxla_lint.rewriting.live_names import surely_bound
from tfxla_lint.rewriting.naming import free_attribute, free_name
from tfxla_lint.rewriting.outline import Outline, assumption_of, decorator_of, outlined, stay_behind
from tfxla_lint.rewriting.placement import Place, beside
from tfxla_lint.rewriting.step_names import step_name
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.steps import StepFunction
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit

#: What keeps a part of the function from being traced as much as all of it.
_LASTING = frozenset({Reason.STRATEGY, Reason.GENERATOR, Reason.UNKNOWN_DECORATOR, Reason.TAPE})
#: What no longer counts where an argument becomes a tensor at the call.
_LIFTED_BY_CASTS = frozenset({Reason.PYTHON_ARGUMENT, Reason.NUMPY_ARGUMENT})


def _block(model: SemanticModel, unit: Unit, suite: cst.BaseSuite) -> Block:
    """The body of a function, or a branch in it: each call has all names of its own."""
    receiver = _receiver(unit)
    return Block(
        unit,
        statements_of(suite),
        unit.node,
        changing=set(unit.scope.bindings) - {receiver},
        was_bound={parameter.name for parameter in unit.parameters}.__contains__,
        targets=(),
        find_place=lambda outline: _place(model, unit, outline),
    )


def _place(model: SemanticModel, unit: Unit, outline: Outline) -> Place:
    """Beside the function: at module level, or as a method of the same class."""
    place = beside(model, unit)
    given = set(outline.given_names.values()) | _bound_before(model, outline)
    for name in outline.parameters:
        parameter = unit.parameter(name)
        if parameter is not None and name not in given:
            found = model.ask(Safety).parameter_blockers(unit, parameter)
            lifted = _LIFTED_BY_CASTS if name in outline.casts else ()
            place.blockers += [b for b in found if b.reason not in lifted]
    return place


def _bound_before(model: SemanticModel, outline: Outline) -> set[str]:
    """The names that the function binds anew, in any case, before what moves."""
    first = outline.moved[0]
    siblings = list(getattr(model.parent(first), "body", ()))
    return surely_bound(siblings[: siblings.index(first)])


def split(model: SemanticModel, step: StepFunction, blockers: list[Blocker]) -> Rewrite | None:
    """The rewrite that moves the tensor part of a function out of it, or None."""
    unit = step.unit
    node = unit.node
    if not isinstance(node, cst.FunctionDef) or beside(model, unit).blockers:
        return None
    if any(blocker.reason in _LASTING for blocker in blockers):
        return None
    outline = _outline(model, unit, node.body)
    order = {parameter.name: index for index, parameter in enumerate(unit.parameters)}
    outline.parameters.sort(key=lambda name: order.get(name, len(order)))
    decorator = decorator_of(model, outline, _loops_calling(model, unit), node, ragged=False)
    if outline.blockers or outline.place is None or decorator is None:
        return None
    if _lines(outline) < 2 and not outline.staying:
        return None
    returned = _returned(model, outline)
    name = None
    if returned is not None:
        outline.results = returned[1]
        name = _twin(model, unit, outline)
    name = name or _name(model, step, outline)
    line = returned[0] if returned is not None else None
    return Rewrite(
        title=f"Move the tensor work of `{unit.name}` into a tf.function `{name}`",
        edits=outlined(model, outline, name, decorator, unit, line),
        applicability=Applicability.UNSAFE,
        assumption=assumption_of(model, outline),
        unit=f"{unit.qualname}:{name}",
        # Variables that are still changed eagerly are reported of what is left.
        is_partial=bool(outline.staying) or stay_behind(step.work.updates, [outline]),
    )


def _name(model: SemanticModel, step: StepFunction, outline: Outline) -> str:
    name = step_name(
        model,
        model.works.of(outline.moved) if outline.staying else step.work,
        outline.results,
        step.unit,
        is_method=outline.is_method,
        parameters=outline.arguments,
    )
    return name.free(model)


def _outline(model: SemanticModel, unit: Unit, body: cst.BaseSuite) -> Outline:
    """That of a function, or else of a branch in it (`if len(memory) >= batch_size:`)."""
    outline = outline_of(model, _block(model, unit, body))
    if outline.blockers or outline.staying or _lines(outline) < 2:
        for suite in inner_blocks(model, body):
            narrow = outline_of(model, _block(model, unit, suite))
            if narrow.place is not None and not (narrow.blockers or narrow.staying):
                if _lines(narrow) > 1:
                    return narrow
    return outline


def _lines(outline: Outline) -> int:
    """The number of simple statements that move."""
    nodes = (node for statement in outline.rest for node in walk(statement))
    return sum(isinstance(node, cst.SimpleStatementLine) for node in nodes)


def _returned(model: SemanticModel, outline: Outline) -> tuple[Statement, list[str]] | None:
    """The statement that returns just what the new function gives, and that in its order."""
    siblings = list(getattr(model.parent(outline.moved[-1]), "body", ()))
    following = siblings[siblings.index(outline.moved[-1]) + 1 :]
    line = following[0] if following and not outline.sunk else None
    if not isinstance(line, cst.SimpleStatementLine) or not isinstance(line.body[0], cst.Return):
        return None
    comments = [line.trailing_whitespace.comment, *(blank.comment for blank in line.leading_lines)]
    value = line.body[0].value
    several = isinstance(value, cst.Tuple) and len(value.elements) > 1
    parts = [e.value for e in value.elements] if isinstance(value, cst.Tuple) else [value]
    names = [part.value for part in parts if isinstance(part, cst.Name)]
    if any(comments) or len(names) < len(parts) or (len(names) > 1) is not several:
        return None
    return (line, names) if sorted(names) == sorted(outline.results) else None


def _twin(model: SemanticModel, unit: Unit, outline: Outline) -> str | None:
    """The name of a function that takes over all that another one does; None where it does not."""
    assert isinstance(unit.node, cst.FunctionDef)
    body = list(unit.node.body.body)
    stays = body[: body.index(outline.moved[0])] if outline.moved[0] in body else body
    rest = stays[1:] if unit.node.get_docstring() is not None else stays
    if rest or outline.place is None:
        return None
    name = f"_{unit.name.strip('_')}"
    if outline.is_method:
        return free_attribute(model, name, unit.class_)
    return free_name(model, name)


def _loops_calling(model: SemanticModel, unit: Unit) -> list[Loop]:
    """The loops around the calls of a function, in the functions that call it."""
    edges = model.calls.untraced(unit)
    return [loop for edge in edges for loop in model.loops.around(edge.node, edge.caller)]


def _receiver(unit: Unit) -> str:
    return unit.parameters[0].name if unit.method is MethodKind.INSTANCE else ""
