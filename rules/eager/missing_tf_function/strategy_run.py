"""A step that a distribution strategy runs is traced by a function around `strategy.run`.

Decorating the step itself would trace it for each replica and aggregate nothing; what is decorated
is the function that calls `run`, together with the reduction of its result where that is next.
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import (
    InsertBefore,
    NodeEdit,
    Remove,
    Replace,
    Rewrite,
    Statement,
    is_statement,
)
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit


@dataclass(frozen=True)
class _Reduction:
    """`name = strategy.run(...)` and the one use of `name`, `strategy.reduce(..., name, ...)`."""

    assign: Statement
    name: str
    call: cst.Call

    @property
    def told(self) -> list[cst.BaseExpression]:
        """What it is told beside the name."""
        values = [argument.value for argument in self.call.args]
        return [v for v in values if not (isinstance(v, cst.Name) and v.value == self.name)]


def trace_the_run(model: SemanticModel, unit: Unit, blockers: list[Blocker]) -> Rewrite | None:
    """The rewrite that puts the `run` of a step into a traced function, or None."""
    if len(blockers) != 1 or blockers[0].reason is not Reason.STRATEGY:
        return None
    run = blockers[0].node
    if not isinstance(run, cst.Call) or not _is_plain(model, unit, run):
        return None
    arguments = _arguments(run, len(unit.parameters))
    before = _top_level(model, run)
    if arguments is None or before is None:
        return None
    decorator = tensorflow_name(model, "function", before)
    reduction = _reduction(model, run)
    written = [run.func, *((reduction.call.func, *reduction.told) if reduction is not None else ())]
    if decorator is None or not all(_can_stand(model, unit, before, node) for node in written):
        return None
    name = free_name(model, f"distributed_{unit.name}")
    call = f"{name}({', '.join(model.code(a) for a in arguments)})"
    edits: list[NodeEdit] = [Replace(run, call)]
    if reduction is not None:
        edits = [Remove(reduction.assign), Replace(reduction.call, call)]
    definition = _definition(model, unit, run, reduction, f"@{decorator}\ndef {name}")
    edits.append(InsertBefore(before, [definition]))
    return Rewrite(
        title=f"Run `{unit.name}` from a tf.function `{name}`",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption="assumes that the step depends on no Python state but its arguments",
        unit=unit.qualname,
    )


def _is_plain(model: SemanticModel, unit: Unit, run: cst.Call) -> bool:
    """Whether a function of the module is run by a strategy that the module holds, once."""
    holder = run.func.value if isinstance(run.func, cst.Attribute) else None
    if not isinstance(holder, cst.Name) or unit.parent is not model.units.module:
        return False
    uses = [use for use in model.uses if use.unit is unit]
    module_scope = model.binder.module_scope
    return (
        len(uses) == 1
        and model.is_own(run)
        and len(module_scope.bindings.get(holder.value, ())) == 1
        and model.binder.scope(run).home(holder.value) is module_scope
        and all(p.form in ("positional", "either") for p in unit.parameters)
    )


def _arguments(run: cst.Call, count: int) -> list[cst.BaseExpression] | None:
    """What `run` passes to the step, written out: `args=(x, y)`."""
    if not run.args or run.args[0].keyword is not None or run.args[0].star:
        return None
    if not isinstance(run.args[0].value, cst.Name) or len(run.args) > 2:
        return None
    found: list[cst.BaseExpression] = []
    for argument in run.args[1:]:
        if argument.keyword is not None and argument.keyword.value != "args":
            return None
        if not isinstance(argument.value, (cst.Tuple, cst.List)):
            return None
        found = [element.value for element in argument.value.elements]
        if any(isinstance(e, cst.StarredElement) for e in argument.value.elements):
            return None
    return found if len(found) == count else None


def _can_stand(
    model: SemanticModel, unit: Unit, before: Statement, node: cst.BaseExpression
) -> bool:
    """Whether what is written on one line means the same in a function above `before` that has the
    parameters of the step: all its names are of the module, and bound further up."""
    hidden = {parameter.name for parameter in unit.parameters}
    inside = {id(part) for part in walk(before)}
    module = model.binder.module_scope
    for part in walk(node):
        if isinstance(part, cst.Name) and _is_read(model, part):
            bindings = module.bindings.get(part.value, ())
            if part.value in hidden or model.binder.scope(part).home(part.value) is not module:
                return part.value == "None"
            if any(id(binding.node) in inside for binding in bindings):
                return False
    return "\n" not in model.code(node)


def _is_read(model: SemanticModel, name: cst.Name) -> bool:
    """Whether a name stands for itself, and is no attribute's or argument's."""
    parent = model.parent(name)
    return not (
        (isinstance(parent, cst.Attribute) and parent.attr is name)
        or (isinstance(parent, cst.Arg) and parent.keyword is name)
    )


def _top_level(model: SemanticModel, node: cst.CSTNode) -> Statement | None:
    """The statement of the module that holds `node`."""
    found = node
    for ancestor in model.ancestors(node):
        if isinstance(ancestor, cst.Module):
            break
        found = ancestor
    return found if is_statement(found) else None


def _reduction(model: SemanticModel, run: cst.Call) -> _Reduction | None:
    """The reduction of the result in the next statement, where that is all that it is for."""
    assign = model.parent(run)
    line = statement_of(model, run)
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not is_statement(line):
        return None
    target = assign.targets[0].target
    following = _next(model, line)
    if not isinstance(target, cst.Name) or following is None:
        return None
    scope = model.unit(run).scope
    reads = [
        node
        for node in model.nodes(cst.Name)
        if node.value == target.value and node is not target and _is_read(model, node)
    ]
    if len(reads) != 1 or len(scope.bindings.get(target.value, ())) != 1:
        return None
    argument = model.parent(reads[0])
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call) or not _is_reduce(model, run, call, reads[0]):
        return None
    if not any(node is call for node in walk(following)):
        return None
    return _Reduction(line, target.value, call)


def _next(model: SemanticModel, line: cst.CSTNode) -> cst.SimpleStatementLine | None:
    body = getattr(model.parent(line), "body", ())
    index = next((i for i, statement in enumerate(body) if statement is line), None)
    following = body[index + 1] if index is not None and index + 1 < len(body) else None
    return following if isinstance(following, cst.SimpleStatementLine) else None


def _is_reduce(model: SemanticModel, run: cst.Call, call: cst.Call, read: cst.CSTNode) -> bool:
    """Whether the same strategy reduces, told how by constants and names of TensorFlow."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value != "reduce":
        return False
    assert isinstance(run.func, cst.Attribute)
    if not func.value.deep_equals(run.func.value):
        return False
    return all(argument.value is read or _is_fixed(model, argument.value) for argument in call.args)


def _is_fixed(model: SemanticModel, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name):
        return node.value == "None"
    return isinstance(node, (cst.SimpleString, cst.Integer)) or bool(model.names.of(node))


def _definition(
    model: SemanticModel, unit: Unit, run: cst.Call, reduction: _Reduction | None, head: str
) -> cst.FunctionDef:
    names = [parameter.name for parameter in unit.parameters]
    args = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
    assert isinstance(run.func, cst.Attribute)
    strategy = model.code(run.func)
    passed = f", args={args}" if names else ""
    text = f"{strategy}({unit.name}{passed})"
    lines = [f"return {text}"]
    if reduction is not None:
        reduce = model.code(reduction.call)
        lines = [f"{reduction.name} = {text}", f"return {reduce}"]
    body = "".join(f"    {line}\n" for line in lines)
    node = cst.parse_statement(f"{head}({', '.join(names)}):\n{body}")
    assert isinstance(node, cst.FunctionDef)
    return node
