"""Decorators of the program that run what they decorate as it stands (timers, retries, logs), or
only note it somewhere (registries)."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import Kind

_WRAPS = "functools.wraps"
#: Its functions look at what they are given, and run none of it.
_LOOKING = "inspect."
_GROWING = behaviour.methods(Trait.GROWS)


def preserves(evaluator: Evaluator, decorator: cst.Decorator) -> bool:
    """Whether a decorator gives the decorated function, or one that calls it in its own context."""
    unit = applied(evaluator, decorator)
    return unit is not None and (_registers(evaluator, unit) or _hands_through(evaluator, unit))


def applied(evaluator: Evaluator, decorator: cst.Decorator) -> Unit | None:
    """The function that gets the decorated one: what a decorator names, or what calling it gives."""
    expression = decorator.decorator
    made = isinstance(expression, cst.Call)
    value = evaluator.seen(expression.func if isinstance(expression, cst.Call) else expression)
    unit = value.unit
    if value.kind not in (Kind.FUNCTION, Kind.METHOD) or unit is None or not _is_plain(unit):
        return None
    inner = _returned(evaluator, unit) if made else unit
    return inner if inner is not None and _is_plain(inner) else None


def _registers(evaluator: Evaluator, unit: Unit) -> bool:
    """Whether all that is done with the one argument is to store it, and it is what is returned."""
    if len(unit.parameters) != 1 or unit.syntactic_method is not MethodKind.NONE:
        return False
    name = unit.parameters[0].name
    returned = [
        node.value for node in unit.nodes(into_scopes=False) if isinstance(node, cst.Return)
    ]
    uses = list(_uses(evaluator, unit))
    if not returned or len(unit.scope.bindings[name]) != 1:
        return False
    if not all(any(value is use for use in uses) for value in returned):
        return False
    others = [use for use in uses if not any(use is value for value in returned)]
    return all(_is_harmless(evaluator, use) or _is_stored(evaluator, use) for use in others)


def _is_stored(evaluator: Evaluator, use: cst.Name) -> bool:
    """Whether a use puts the function into a container."""
    parent = evaluator.binder.parent(use)
    if isinstance(parent, cst.Assign):
        return all(isinstance(target.target, cst.Subscript) for target in parent.targets)
    call = evaluator.binder.parent(parent) if isinstance(parent, cst.Arg) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return False
    return call.func.attr.value in _GROWING


def _is_plain(unit: Unit) -> bool:
    is_function = isinstance(unit.node, cst.FunctionDef) and not unit.node.decorators
    return is_function and not (unit.is_async or unit.is_generator)


def _hands_through(evaluator: Evaluator, unit: Unit) -> bool:
    """Whether the only thing that is done with the one argument is that the result calls it."""
    wrapper = _returned(evaluator, unit)
    if wrapper is None or len(unit.parameters) != 1 or unit.syntactic_method is not MethodKind.NONE:
        return False
    if wrapper.is_async or wrapper.is_generator or not _only_wraps(evaluator, wrapper):
        return False
    uses = list(_uses(evaluator, unit))
    called = [use for use in uses if _is_called_by(evaluator, use, wrapper)]
    harmless = [use for use in uses if _is_harmless(evaluator, use)]
    assert isinstance(wrapper.node, cst.FunctionDef)
    is_run = _surely_runs(wrapper.node.body, {id(use) for use in called})
    return is_run and len(called) + len(harmless) == len(uses)


def _surely_runs(suite: cst.BaseSuite, calls: set[int]) -> bool:
    """Whether every run of a block that ends runs one of the calls; `once` does not."""
    for statement in suite.body:
        if isinstance(statement, cst.If):
            other = statement.orelse
            sides = (statement.body, other.body if isinstance(other, cst.Else) else None)
            missing = [s for s in sides if s is None or not _surely_runs(s, calls)]
            if not missing:
                return True
            if any(isinstance(n, cst.Return) for s in missing if s is not None for n in walk(s)):
                return False
        elif isinstance(statement, (cst.With, cst.Try, cst.For, cst.While)):
            if _surely_runs(statement.body, calls):
                return True
        elif any(id(node) in calls for node in walk(statement)):
            return True
    return False


def _returned(evaluator: Evaluator, unit: Unit) -> Unit | None:
    """The function defined in `unit` that is all it ever returns, and used for nothing else."""
    returns = unit.own(cst.Return)
    if len(returns) != 1 or not isinstance(returns[0].value, cst.Name):
        return None
    name = returns[0].value.value
    bindings = unit.scope.bindings.get(name, [])
    reads = [node for node in unit.own(cst.Name) if node.value == name]
    if len(bindings) != 1 or len(reads) != 1:
        return None
    return evaluator.units.of(bindings[0].node)


def _only_wraps(evaluator: Evaluator, wrapper: Unit) -> bool:
    decorators = wrapper.node.decorators if isinstance(wrapper.node, cst.FunctionDef) else ()
    heads = (d.decorator.func for d in decorators if isinstance(d.decorator, cst.Call))
    return sum(_WRAPS in evaluator.names.of(head) for head in heads) == len(decorators)


def _uses(evaluator: Evaluator, unit: Unit, index: int = 0) -> Iterator[cst.Name]:
    """All places that name an argument, in the function and those nested in it."""
    name = unit.parameters[index].name
    for root in unit.body:
        for node in walk(root):
            if isinstance(node, cst.Name) and node.value == name:
                parent = evaluator.binder.parent(node)
                is_own = not isinstance(parent, (cst.Attribute, cst.Arg)) or (node is parent.value)
                if is_own and evaluator.binder.scope(node).home(name) is unit.scope:
                    yield node


def _is_called_by(evaluator: Evaluator, use: cst.Name, wrapper: Unit) -> bool:
    call = evaluator.binder.parent(use)
    is_call = isinstance(call, cst.Call) and call.func is use
    return is_call and evaluator.units.containing(use) is wrapper


def _is_harmless(evaluator: Evaluator, use: cst.Name) -> bool:
    """Whether a use looks at the function, or gives it to another one of the module that does."""
    argument = evaluator.binder.parent(use)
    call = evaluator.binder.parent(argument) if isinstance(argument, cst.Arg) else None
    if _looks(evaluator, use):
        return True
    return (
        isinstance(argument, cst.Arg)
        and isinstance(call, cst.Call)
        and _only_looks(evaluator, call, argument)
    )


def _looks(evaluator: Evaluator, use: cst.Name) -> bool:
    """Whether a use asks for the name of the function, shows it, or is that of `functools.wraps`."""
    parent = evaluator.binder.parent(use)
    if isinstance(parent, cst.FormattedStringExpression):
        return True
    if isinstance(parent, cst.Attribute):
        return parent.attr.value.startswith("__") and parent.attr.value != "__call__"
    call = evaluator.binder.parent(parent) if isinstance(parent, cst.Arg) else None
    names = evaluator.names.of(call.func) if isinstance(call, cst.Call) else frozenset[str]()
    return _WRAPS in names or (bool(names) and all(n.startswith(_LOOKING) for n in names))


def _only_looks(evaluator: Evaluator, call: cst.Call, given: cst.Arg) -> bool:
    """Whether the function of the module that is called makes harmless use of an argument."""
    if not isinstance(call.func, cst.Name):
        return False
    bindings = evaluator.binder.scope(call.func).lookup(call.func.value)
    unit = evaluator.units.of(bindings[0].node) if len(bindings) == 1 else None
    index = list(call.args).index(given)
    if unit is None or not _is_plain(unit):
        return False
    if any(a.star or a.keyword is not None for a in call.args[: index + 1]):
        return False
    if index >= len(unit.parameters) or unit.syntactic_method is not MethodKind.NONE:
        return False
    if unit.parameters[index].form not in ("positional", "either"):
        return False
    if len(unit.scope.bindings[unit.parameters[index].name]) != 1:
        return False
    return all(_looks(evaluator, use) for use in _uses(evaluator, unit, index))
