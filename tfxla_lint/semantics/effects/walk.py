"""The one walk over a function's code that yields its effects, in document order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.calls import effect_of_call
from tfxla_lint.semantics.effects.converted import is_converted
from tfxla_lint.semantics.effects.effect import Autograph, Effect, EffectKind
from tfxla_lint.semantics.effects.hidden_calls import hidden_units, is_looked_up
from tfxla_lint.semantics.effects.inspected import is_pythons
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.guards import exits_before
from tfxla_lint.semantics.handlers import caught_names, is_of_graphs
from tfxla_lint.semantics.parts import gone_through, judged
from tfxla_lint.semantics.scopes import BindingKind, Scope
from tfxla_lint.semantics.syntax import bound_names, is_self, walk
from tfxla_lint.semantics.values import TENSOR_LIKE, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_CONTAINERS = frozenset({Kind.LIST, Kind.DICT, Kind.NDARRAY})
#: What an attribute may hold for good, so that a trace that keeps it keeps the right thing.
_LASTING = frozenset({Kind.FUNCTION, Kind.TRACED, Kind.CLASS, Kind.STRATEGY})
#: What a method calls that an attribute holds: a trace keeps calling the first.
_CALLED = frozenset({Kind.MODEL, Kind.MODULE})
#: Values whose truth Python knows while tracing.
_DECIDED = frozenset(
    {Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STRING, Kind.NONE, Kind.LIST, Kind.TUPLE, Kind.DICT,
     Kind.SHAPE, Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.FUNCTION, Kind.OBJECT}
)  # fmt: skip
_LEAVING = (cst.Return, cst.Break, cst.Continue)


def effects_below(model: Answers, root: cst.CSTNode) -> Iterator[Effect]:
    """The effects of a statement or expression and all below it, nested functions included."""
    for node in walk(root):
        yield from effects_at(model, node)


def effects_at(model: Answers, node: cst.CSTNode) -> Iterator[Effect]:
    """The effects of a statement or expression itself, without those of what stands below it."""
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        yield from handler(model, node)
    hidden = hidden_units(model, node)
    if hidden:
        yield Effect(EffectKind.RUN, node, "runs", units=tuple(hidden))


def _limit(
    node: cst.CSTNode,
    words: str,
    is_sure: bool = True,
    subject: cst.BaseExpression | None = None,
    autograph: Autograph = Autograph.NO_MATTER,
) -> Effect:
    """What AutoGraph does not convert, or does only where the values are not what they may be."""
    return Effect(EffectKind.PYTHON, node, words, is_sure, subject, autograph=autograph)


def _call(model: Answers, node: cst.Call) -> Iterator[Effect]:
    effect = effect_of_call(model, node)
    if effect is not None:
        yield effect
    if any(behaviour.holds(Trait.AGREES, name) for name in model.names.of(node.func)):
        # Eager code runs what it comes to, whatever the other branch or the next turn would give.
        called = excerpt(model, node.func)
        words = (
            f"runs `{called}`, where a graph asks all branches and turns for one shape and dtype"
        )
        yield Effect(EffectKind.PYTHON, node, words, is_sure=False)


def _target(
    model: Answers, node: cst.AssignTarget | cst.AugAssign | cst.AnnAssign
) -> Iterator[Effect]:
    pending: list[cst.CSTNode] = [node.target]
    while pending:
        target = pending.pop()
        if isinstance(target, (cst.Tuple, cst.List)):
            pending += [element.value for element in reversed(target.elements)]
        elif isinstance(target, cst.Attribute):
            words = f"sets the attribute `{target.attr.value}`"
            yield Effect(EffectKind.SET, target, words, subject=target.value)
        elif isinstance(target, cst.Subscript):
            words = f"stores into `{excerpt(model, target.value)}`"
            yield Effect(EffectKind.STORE, target, words, subject=target.value)
        elif isinstance(target, cst.Name) and isinstance(node, cst.AugAssign):
            if model.value(target).kind in _CONTAINERS:
                words = f"changes `{target.value}` in place"
                yield Effect(EffectKind.STORE, target, words, subject=target)


def _shared(model: Answers, node: cst.Global | cst.Nonlocal) -> Iterator[Effect]:
    """A name that the function declares and does not bind is only read."""
    here = model.binder.scope(node)
    bound = [item.name.value for item in node.names if _binds(model, here, item.name.value)]
    if bound:
        names = ", ".join(f"`{name}`" for name in bound)
        yield Effect(EffectKind.REBIND, node, f"rebinds {names} of the code around")


def _binds(model: Answers, scope: Scope, name: str) -> bool:
    home = scope.home(name)
    if home is None:
        return True
    return any(model.binder.scope(b.node).function is scope.function for b in home.bindings[name])


def _try(model: Answers, node: cst.Try | cst.TryStar) -> Iterator[Effect]:
    """What Python raises while tracing is caught there; what an op raises comes when the graph runs."""
    if node.handlers:
        names = [name for handler in node.handlers for name in caught_names(model, handler)]
        is_sure = any(is_of_graphs(name) for name in names)
        words = f"catches exceptions, which a trace {'does' if is_sure else 'may'} not raise"
        yield Effect(EffectKind.CATCH, node, words, is_sure)


def _raise(model: Answers, node: cst.Raise) -> Iterator[Effect]:
    """Below a test that Python decides, or behind one that leaves the function, it does what it does
    eagerly, while tracing.

    Where nothing decides, the code may be there to be overridden by what is not seen.
    """
    tests: list[cst.BaseExpression] = []
    for ancestor in model.ancestors(node):
        if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)):
            break
        if isinstance(ancestor, (cst.If, cst.While)):
            tests += judged(ancestor.test)
    is_last = not tests and exits_before(model, node)
    if (not tests and not is_last) or any(model.value(t).kind in TENSOR_LIKE for t in tests):
        yield Effect(EffectKind.RAISE, node, "raises an exception", is_sure=False)


def _assert(model: Answers, node: cst.Assert) -> Iterator[Effect]:
    are_python = all(
        model.value(part).is_python_scalar or is_pythons(model, part) for part in judged(node.test)
    )
    if not (are_python or _compares_shapes(node.test)):
        yield _limit(node, "asserts on a value that may be a tensor", False, node.test)


def _generate(model: Answers, node: cst.CSTNode) -> Iterator[Effect]:
    yield Effect(EffectKind.GENERATE, node, "yields or awaits")


def _test(model: Answers, node: cst.If | cst.While | cst.IfExp | cst.CompIf) -> Iterator[Effect]:
    parts = [*judged(node.test)]
    by_tensor = [part for part in parts if model.value(part).kind in TENSOR_LIKE]
    converts = bool(by_tensor) and is_converted(model, node)
    for part in parts:
        only_acts = part in by_tensor and isinstance(node, cst.If) and _only_acts(model, node, part)
        yield from _judge(model, part, converts or only_acts)


def _only_acts(model: Answers, node: cst.If, test: cst.BaseExpression) -> bool:
    """Whether all that depends on a tensor is which ops on variables run.

    AutoGraph makes a `tf.cond` of it that yields nothing, so that nothing can be undefined
    afterwards or differ in dtype between the branches.
    """
    branches = [node.body, *([node.orelse] if node.orelse is not None else [])]
    return (
        model.value(test).kind in TENSOR_LIKE
        and not _asks_members(model, test)
        and not bound_names(branches)
        and not any(isinstance(n, _LEAVING) for branch in branches for n in walk(branch))
    )


def _judge(model: Answers, test: cst.BaseExpression, converts: bool) -> Iterator[Effect]:
    value = model.value(test)
    if value.kind in TENSOR_LIKE:
        # AutoGraph converts it, unless the branches do not agree.
        autograph = Autograph.CONVERTS if converts else Autograph.MAY_CONVERT
        yield _limit(test, "branches on a tensor", False, test, autograph)
    elif value.kind not in _DECIDED and not (
        _is_flag(test)
        or _compares_shapes(test)
        or _compares_setting(test)
        or is_pythons(model, test)
    ):
        yield _limit(test, "branches on a value that may be a tensor", False, test)


def _is_flag(test: cst.CSTNode) -> bool:
    """Whether a test is the argument by which Keras says whether it trains."""
    return isinstance(test, cst.Name) and test.value in ("training", "is_training")


def _asks_members(model: Answers, test: cst.CSTNode) -> bool:
    """Whether a comparison asks `in` of a tensor, or whether a tensor is in something."""
    if not isinstance(test, cst.Comparison):
        return False
    sides = [test.left, *(target.comparator for target in test.comparisons)]
    asks = any(isinstance(t.operator, (cst.In, cst.NotIn)) for t in test.comparisons)
    return asks and any(model.value(side).kind in TENSOR_LIKE for side in sides)


def _compares_shapes(test: cst.BaseExpression) -> bool:
    """Whether a test compares static shapes, which are Python objects of tensors and arrays alike."""
    if not isinstance(test, cst.Comparison):
        return False
    sides = (test.left, *(target.comparator for target in test.comparisons))
    return all(
        isinstance(side, cst.Attribute) and side.attr.value in ("shape", "ndim") for side in sides
    )


def _compares_setting(test: cst.BaseExpression) -> bool:
    """Whether a test compares what `self` holds with texts: `self.mode == "batch"`."""
    if not isinstance(test, cst.Comparison):
        return False
    holder = test.left
    while isinstance(holder, cst.Attribute):
        holder = holder.value
    is_own = holder is not test.left and is_self(holder)
    return is_own and all(isinstance(t.comparator, cst.SimpleString) for t in test.comparisons)


def _boolean(model: Answers, node: cst.BooleanOperation) -> Iterator[Effect]:
    """`x or default` gives one of its sides, which a graph takes for truth values."""
    if any(model.value(part).kind in TENSOR_LIKE for part in judged(node)):
        autograph = Autograph.CONVERTS if is_converted(model, node) else Autograph.NO_MATTER
        yield _limit(node, "chooses by the truth of a tensor", autograph=autograph)


def _not(model: Answers, node: cst.UnaryOperation) -> Iterator[Effect]:
    """`not x` by itself, which eager code makes a bool of; what it is a part of asks it, too.

    A graph computes it of truth values alone, and makes a tensor.
    """
    parent, combined = model.parent(node), (cst.UnaryOperation, cst.BooleanOperation)
    if not isinstance(node.operator, cst.Not) or isinstance(node.expression, combined):
        return
    value = model.value(node.expression)
    is_asked = isinstance(parent, combined) or getattr(parent, "test", None) is node
    if value.kind in TENSOR_LIKE and not is_asked:
        yield _limit(node, "makes a Python bool of a tensor", value.dtype != "bool")


def _match(model: Answers, node: cst.Match) -> Iterator[Effect]:
    if model.value(node.subject).kind in (*TENSOR_LIKE, Kind.UNKNOWN):
        yield _limit(node.subject, "matches a value that may be a tensor", False)


def _subscript(model: Answers, node: cst.Subscript) -> Iterator[Effect]:
    """A Python list or NumPy array indexed by a tensor."""
    if model.value(node.value).kind not in _CONTAINERS:
        return
    for element in node.slice:
        index = element.slice
        if isinstance(index, cst.Index) and model.value(index.value).kind in TENSOR_LIKE:
            yield _limit(node, "indexes a Python container by a tensor")


def _comparison(model: Answers, node: cst.Comparison) -> Iterator[Effect]:
    if _asks_members(model, node):
        yield _limit(node, "looks for a tensor by `in`")


def _starred(model: Answers, node: cst.StarredElement) -> Iterator[Effect]:
    holder = model.parent(node)
    is_target = isinstance(model.parent(holder) if holder else None, cst.AssignTarget)
    if model.value(node.value).kind in TENSOR_LIKE and not is_target:
        yield _limit(node.value, "unpacks a tensor")


def _assign(model: Answers, node: cst.Assign) -> Iterator[Effect]:
    """A row of a tensor unpacked; what a model gives may as well be a tuple."""
    value = model.value(node.value)
    if value.kind in TENSOR_LIKE and (value.dtype is not None or value.shape is not None):
        if any(isinstance(target.target, (cst.Tuple, cst.List)) for target in node.targets):
            yield _limit(node.value, "unpacks a tensor")


def _may_hide_tensor(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether nothing is known of a parameter, which may be passed a tensor."""
    if model.value(node).kind is not Kind.UNKNOWN or not isinstance(node, cst.Name):
        return False
    bindings = model.binder.scope(node).lookup(node.value)
    return any(binding.kind is BindingKind.PARAMETER for binding in bindings)


def _for(model: Answers, node: cst.For) -> Iterator[Effect]:
    if node.asynchronous is not None:
        yield Effect(EffectKind.GENERATE, node, "awaits")
    value = model.value(node.iter)
    may_be = "loops over a value that may be a tensor"
    if value.kind in TENSOR_LIKE or value.kind is Kind.DATASET:
        autograph = Autograph.CONVERTS if is_converted(model, node) else Autograph.MAY_CONVERT
        yield _limit(node.iter, "loops over a tensor or dataset", False, node.iter, autograph)
    elif value.kind is Kind.UNKNOWN:
        if not is_pythons(model, node.iter):
            yield _limit(node.iter, may_be, False)
    elif isinstance(node.iter, cst.Call):
        name = model.names.one(node.iter.func) or ""
        if any(_may_hide_tensor(model, part) for part in gone_through(name, node.iter)):
            yield _limit(node.iter, may_be, False)


def _comp_for(model: Answers, node: cst.CompFor) -> Iterator[Effect]:
    if model.value(node.iter).kind in (*TENSOR_LIKE, Kind.DATASET):
        yield _limit(node.iter, "iterates over a tensor in a comprehension")
    elif _may_hide_tensor(model, node.iter):
        words = "iterates over a value that may be a tensor in a comprehension"
        yield _limit(node.iter, words, False)


def _formatted(model: Answers, node: cst.FormattedStringExpression) -> Iterator[Effect]:
    if model.value(node.expression).kind in TENSOR_LIKE:
        yield _limit(node.expression, "formats a tensor as text")


def _binary(model: Answers, node: cst.BinaryOperation) -> Iterator[Effect]:
    if isinstance(node.operator, cst.Modulo):
        if model.value(node.left).kind is Kind.STRING:
            value = model.value(node.right)
            if any(part.kind in TENSOR_LIKE for part in (value, *(value.elements or ()))):
                yield _limit(node, "formats a tensor as text")


def _with(model: Answers, node: cst.With) -> Iterator[Effect]:
    for item in node.items:
        kind = model.value(item.item).kind
        if kind in (Kind.METHOD, Kind.TAPE, Kind.CONTEXT, Kind.WRITER):
            continue
        if not isinstance(item.item, cst.Call):
            words = "enters a context that is not known here"
            yield Effect(EffectKind.UNKNOWN, item.item, words)


def _return(model: Answers, node: cst.Return) -> Iterator[Effect]:
    yield Effect(EffectKind.RETURN, node, "returns from the enclosing function")


def _jump(model: Answers, node: cst.CSTNode) -> Iterator[Effect]:
    yield Effect(EffectKind.JUMP, node, "leaves the loop body")


def _name(model: Answers, node: cst.Name) -> Iterator[Effect]:
    parent = model.parent(node)
    if isinstance(parent, cst.Attribute) and parent.attr is node:
        return
    if isinstance(parent, cst.Arg) and parent.keyword is node:
        return
    if parent is None:  # `global` declares it.
        return
    yield Effect(EffectKind.READ_NAME, node, name=node.value)


def _attribute(model: Answers, node: cst.Attribute) -> Iterator[Effect]:
    if model.names.of(node):
        return
    value = model.value(node)
    parent = model.parent(node)
    if isinstance(parent, cst.Call) and parent.func is node and value.kind not in _CALLED:
        return
    if value.kind in _LASTING or isinstance(
        parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)
    ):
        return
    if is_looked_up(model, node):
        yield Effect(EffectKind.LOOK_UP, node, f"looks up `{node.attr.value}` when it runs")
    words = f"reads the attribute `{node.attr.value}`, which is set elsewhere"
    yield Effect(EffectKind.READ_ATTRIBUTE, node, words, subject=node.value)


_HANDLERS: dict[type, Callable[[Answers, Any], Iterator[Effect]]] = {
    cst.Call: _call,
    cst.AssignTarget: _target,
    cst.AugAssign: _target,
    cst.AnnAssign: _target,
    cst.Global: _shared,
    cst.Nonlocal: _shared,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Yield: _generate,
    cst.Await: _generate,
    cst.If: _test,
    cst.While: _test,
    cst.IfExp: _test,
    cst.CompIf: _test,
    cst.BooleanOperation: _boolean,
    cst.UnaryOperation: _not,
    cst.BinaryOperation: _binary,
    cst.Comparison: _comparison,
    cst.Match: _match,
    cst.StarredElement: _starred,
    cst.Subscript: _subscript,
    cst.Assign: _assign,
    cst.For: _for,
    cst.CompFor: _comp_for,
    cst.FormattedStringExpression: _formatted,
    cst.With: _with,
    cst.Return: _return,
    cst.Break: _jump,
    cst.Continue: _jump,
    cst.Name: _name,
    cst.Attribute: _attribute,
}
