"""Moves the making of a traced function out of the loop, or the function, that repeats it."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from tfxla_lint.edits import (
    InsertArgument,
    InsertBefore,
    NodeEdit,
    Remove,
    Replace,
    ReplaceStatements,
    Rewrite,
    Statement,
)
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.layout import without_blanks
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind

from .detect import MadeFunction

#: What lasts, and is known again where a `tf.function` gets it once more.
_LASTING = KERAS_CALLABLES | {Kind.MODULE}


def make_once(model: SemanticModel, made: MadeFunction) -> Rewrite | None:
    """Make the function above the outermost loop that may do without it, or at module level."""
    if made.captured or made.optimizers:
        return None
    anchor = _module_anchor(model, made) if made.calls else _loop_anchor(model, made)
    if anchor is None:
        return _given_objects(model, made) if made.calls else None
    parent = model.parent(made.node)
    if isinstance(parent, cst.Call) and parent.func is made.node:
        edits = _named(model, made, anchor)
    else:
        edits = _moved(model, made, anchor)
    if not edits:
        return None
    return Rewrite(
        title="Make the traced function once",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption="assumes that no turn needs variables of the function that are its own",
        unit=made.unit.qualname,
    )


def _given_objects(model: SemanticModel, made: MadeFunction) -> Rewrite | None:
    """A nested `def` at module level, given the models and the like that its maker is given.

    A `tf.function` traces once for each of such objects, which it knows again.
    """
    node, unit = made.node, made.unit
    if not isinstance(node, cst.FunctionDef) or unit.is_method or unit.is_decorated:
        return None
    anchor, scope = _def_of(model, made), unit.scope
    reads = [read for read in made.reads if read.value in scope.bindings]
    names = sorted({read.value for read in reads} - {node.name.value}, key=_order(unit))
    if anchor is None or node.params.star_kwarg is not None or not names:
        return None
    if any(model.value(read).kind not in _LASTING for read in reads if read.value in names):
        return None
    if any(unit.parameter(name) is None or len(scope.bindings[name]) != 1 for name in names):
        return None
    calls = [model.parent(read) for read in scope.reads.get(node.name.value, ())]
    if not all(isinstance(call, cst.Call) and _names(call.func, node) for call in calls):
        return None
    params = [*node.params.kwonly_params, *(cst.Param(cst.Name(name)) for name in names)]
    star = node.params.star_arg
    new = node.params.with_changes(kwonly_params=params)
    if isinstance(star, cst.MaybeSentinel) and not node.params.kwonly_params:
        params = [*node.params.params, *(cst.Param(cst.Name(name)) for name in names)]
        if any(param.default is not None for param in node.params.params):
            return None
        new = node.params.with_changes(params=params)
    given = ", ".join(f"{name}={name}" for name in names)
    moved = node.with_changes(params=new, leading_lines=without_blanks(node.leading_lines))
    text = ", ".join(f"`{name}`" for name in names)
    return Rewrite(
        title="Make the traced function once",
        edits=[
            InsertBefore(anchor, [moved]),
            _removal(model, node),
            *(InsertArgument(call, given) for call in calls if isinstance(call, cst.Call)),
        ],
        applicability=Applicability.UNSAFE,
        assumption=f"assumes that {text} are built when they come to it, and stay as they are",
        unit=unit.qualname,
    )


def _order(unit: Unit) -> Callable[[str], int]:
    names = [parameter.name for parameter in unit.parameters]
    return lambda name: names.index(name) if name in names else len(names)


def _names(function: cst.BaseExpression, node: cst.FunctionDef) -> bool:
    return isinstance(function, cst.Name) and function.value == node.name.value


def _loop_anchor(model: SemanticModel, made: MadeFunction) -> Statement | None:
    """The outermost loop of the unit in which no name that the function reads is bound."""
    names = {read.value for read in made.reads} - {_own_name(model, made)}
    chosen: cst.CSTNode | None = None
    for loop in reversed(model.loops.around(made.node, made.unit)):
        if any(_is_bound_in(made.unit.scope, name, loop) for name in names):
            break
        chosen = loop
    if chosen is None or not all(_is_ready(made, name, chosen) for name in names):
        return None
    statement = statement_of(model, chosen)
    return statement if isinstance(statement, cst.BaseCompoundStatement) else None


def _own_name(model: SemanticModel, made: MadeFunction) -> str | None:
    if isinstance(made.node, cst.FunctionDef):
        return made.node.name.value
    parent = model.parent(made.node)
    target = parent.targets[0].target if isinstance(parent, cst.Assign) else None
    return target.value if isinstance(target, cst.Name) else None


def _is_bound_in(scope: Scope, name: str, holder: cst.CSTNode) -> bool:
    inside = {id(node) for node in walk(holder)}
    return any(id(binding.node) in inside for binding in scope.bindings.get(name, ()))


def _is_ready(made: MadeFunction, name: str, anchor: cst.CSTNode) -> bool:
    """Whether a name of the unit is bound above the anchor."""
    bindings = {id(binding.node) for binding in made.unit.scope.bindings.get(name, ())}
    for node in walk(made.unit.node) if bindings else ():
        if node is anchor or id(node) in bindings:
            return node is not anchor
    return True


def _module_anchor(model: SemanticModel, made: MadeFunction) -> Statement | None:
    """The `def` that makes the function, where that reads names of the module only."""
    own = _own_name(model, made)
    reads = {read.value for read in made.reads if read.value != own}
    return _def_of(model, made) if not reads & set(made.unit.scope.bindings) else None


def _def_of(model: SemanticModel, made: MadeFunction) -> cst.FunctionDef | None:
    """The `def` of the module that makes the function, where that may stand above it."""
    unit, own = made.unit, _own_name(model, made)
    if unit.parent is not model.units.module or unit.class_ is not None:
        return None
    if own is not None and own in model.binder.module_scope.bindings:
        return None
    return unit.node if isinstance(unit.node, cst.FunctionDef) else None


def _named(model: SemanticModel, made: MadeFunction, anchor: Statement) -> list[NodeEdit]:
    """`tf.function(f)(x)`: give the function a name, and call that."""
    assert isinstance(made.node, cst.Call)
    target = made.node.args[0].value if made.node.args else None
    base = f"traced_{target.value.lstrip('_')}" if isinstance(target, cst.Name) else "traced"
    name = free_name(model, base)
    line = cst.parse_statement(f"{name} = {model.code(made.node)}")
    assert isinstance(line, cst.SimpleStatementLine)
    return [InsertBefore(anchor, [line]), Replace(made.node, name)]


def _moved(model: SemanticModel, made: MadeFunction, anchor: Statement) -> list[NodeEdit]:
    """`f = tf.function(g)` or a decorated `def`: move the statement."""
    statement = statement_of(model, made.node)
    own = _own_name(model, made)
    if not isinstance(statement, (cst.SimpleStatementLine, cst.FunctionDef)) or own is None:
        return []
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) != 1:
        return []
    if len(made.unit.scope.bindings.get(own, ())) != 1:
        return []
    return [InsertBefore(anchor, [_led_by_comments(statement)]), _removal(model, statement)]


def _removal(model: SemanticModel, statement: Statement) -> NodeEdit:
    """Takes a statement away together with the comments that lead it."""
    if all(line.comment is None for line in statement.leading_lines):
        return Remove(statement)
    block = model.parent(statement)
    siblings = list(block.body) if isinstance(block, cst.IndentedBlock) else [statement]
    following = siblings[1] if len(siblings) > 1 and siblings[0] is statement else None
    if isinstance(following, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        return ReplaceStatements(statement, following, [_led_by_comments(following)])
    return ReplaceStatements(statement, statement, [])


def _led_by_comments(statement: Statement) -> Statement:
    """The statement without the blank lines at the start of what leads it."""
    return statement.with_changes(leading_lines=without_blanks(statement.leading_lines))
