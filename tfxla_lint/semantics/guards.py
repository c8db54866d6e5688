"""Conditions around a node that decide in Python whether, and where, it runs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.counters import leaves
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.left_out import is_left_out
from tfxla_lint.semantics.parts import judged
from tfxla_lint.semantics.scopes import ScopeKind
from tfxla_lint.semantics.supposed import outcome
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value

#: What tells a trace from eager running, or what kind of value there is.
_TELLING = behaviour.names(Trait.INSPECTS)
#: The attribute by which Keras says that a layer has its weights.
_KERAS_BUILT = "built"


_ROOTS = (cst.FunctionDef, cst.Lambda, cst.Module)


def tests_around(model: Answers, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The tests within its function that decide whether `node` runs, nearest first."""
    child, parent = node, model.parent(node)
    while parent is not None and type(parent) not in _ROOTS:
        if type(parent) is cst.If or type(parent) is cst.While or type(parent) is cst.IfExp:
            if child is not parent.test:
                yield parent.test
        elif type(parent) is cst.BooleanOperation and child is parent.right:
            yield parent.left
        elif type(parent) is cst.Match and child is not parent.subject:
            yield parent.subject
        child, parent = parent, model.parent(parent)


def python_tests_around(model: Answers, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """Those of `tests_around` that are not surely tensors: a trace follows one side of them."""
    return [
        test
        for test in tests_around(model, node)
        if not model.value(test).is_tensor and not _is_true(test)
    ]


def _is_true(test: cst.BaseExpression) -> bool:
    return isinstance(test, cst.Name) and test.value == "True"


def exits_before(model: Answers, node: cst.CSTNode, *, by_tensor: bool = False) -> bool:
    """Whether a statement above `node` leaves its function, or its turn of a loop, on such a test,
    or `by_tensor`, on one that is surely a tensor."""
    child = node
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda, cst.Module)):
            return False
        if isinstance(parent, cst.IndentedBlock) and _exits_above(model, parent, child, by_tensor):
            return True
        child = parent
    return False


def _exits_above(
    model: Answers, block: cst.IndentedBlock, child: cst.CSTNode, by_tensor: bool
) -> bool:
    for statement in block.body:
        if statement is child:
            return False
        if isinstance(statement, cst.If) and model.value(statement.test).is_tensor is by_tensor:
            if any(isinstance(part, _EXITS) for part in walk(statement, into_scopes=False)):
                return True
    return False


_EXITS = (cst.Return, cst.Raise, cst.Break, cst.Continue)


def hangs_on_size(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a test around `node`, or one above it on which its turn or function is left, asks how large
    something is: `if len(x) < size: continue`."""
    child = node
    for parent in model.ancestors(node):
        if isinstance(parent, _ROOTS):
            return False
        tests = [parent.test] if isinstance(parent, cst.If) and parent.test is not child else []
        if isinstance(parent, cst.IndentedBlock):
            above = itertools.takewhile(lambda s: s is not child, parent.body)  # noqa: B023
            branches = (statement for statement in above if isinstance(statement, cst.If))
            tests += [b.test for b in branches if any(isinstance(p, _EXITS) for p in walk(b.body))]
        if any(_asks_size(model, part) for test in tests for part in walk(test)):
            return True
        child = parent
    return False


def _asks_size(model: Answers, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Call):
        return "builtins.len" in model.names.of(node.func)
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def excludes_tracing(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a test around `node` asks for the mode or for a type, or for a switch of the
    program's whose value is not known: it may be there to keep traces away. Likewise one that an
    argument decides which every trace leaves out."""
    for test in python_tests_around(model, node):
        if _may_exclude(model, test) and not _holds_usually(model, test, node):
            return True
    if any(_tells(model, test) for test in _left_on(model, node)):
        return True
    if model.loops.often(node, model.unit(node).node) is Often.NEVER:
        return True
    return is_left_out(model, node)


def _left_on(model: Answers, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The tests above `node` on which its function is left: `if not eager: raise ...`."""
    child = node
    for parent in model.ancestors(node):
        if isinstance(parent, _ROOTS):
            return
        for statement in parent.body if isinstance(parent, cst.IndentedBlock) else ():
            if statement is child:
                break
            if isinstance(statement, cst.If) and leaves(statement.body):
                yield statement.test
        child = parent


def _may_exclude(model: Answers, test: cst.BaseExpression) -> bool:
    return any(_is_switch(model, part) for part in judged(test)) or _tells(model, test)


def _tells(model: Answers, test: cst.BaseExpression) -> bool:
    """Whether a test asks how the code is run, or of which type something is."""
    for part in walk(test):
        if isinstance(part, cst.Call) and model.names.of(part.func) & _TELLING:
            return True
        if isinstance(part, cst.Name):
            binding = model.flow.reached(part).only
            made = binding.value if binding is not None else None
            if isinstance(made, cst.Call) and model.names.of(made.func) & _TELLING:
                return True
    return False


def _holds_usually(model: Answers, test: cst.BaseExpression, node: cst.CSTNode) -> bool:
    """Whether `node` stands where a test leads that holds unless some maker of the object says
    otherwise: `if not self.mean_only`, where `mean_only=False` is the default."""
    branch = model.parent(test)
    if not isinstance(branch, cst.If) or branch.body not in model.ancestors(node):
        return False
    return outcome(test, lambda read: _usual(model, read)) is True


def _usual(model: Answers, test: cst.BaseExpression) -> Value:
    """What a switch is by default, as the parameter says that it is set from."""
    info = model.value(test.value).class_ if isinstance(test, cst.Attribute) else None
    if info is None or not isinstance(test, cst.Attribute):
        return UNKNOWN
    defaults = {
        _default(model, write.value)
        for write in model.flow.attributes.written(info, test.attr.value)
    }
    return defaults.pop() if len(defaults) == 1 else UNKNOWN


def _default(model: Answers, node: cst.BaseExpression | None) -> Value:
    """The default of the parameter which an expression reads."""
    found = model.flow.reached(node).only if isinstance(node, cst.Name) else None
    made = found.node if found is not None else None
    given = made.default if isinstance(made, cst.Param) else None
    return model.evaluator.value(given, {}) if given is not None else UNKNOWN


def _is_switch(model: Answers, test: cst.BaseExpression) -> bool:
    """Whether a test is a plain attribute or global of which nobody says that it holds, or compares
    what a class keeps for all of its objects, and code sets: the one whose turn it is.

    An argument is none: some call may pass either.
    """
    value = model.value(test)
    if value.has_constant or value.kind not in (Kind.BOOL, Kind.UNKNOWN):
        return False
    if isinstance(test, cst.Comparison):
        return any(_is_shared(model, side) for side in _sides(test))
    if isinstance(test, cst.Attribute):
        return True
    if not isinstance(test, cst.Name):
        return False
    home = model.binder.scope(test).home(test.value)
    return home is None or home.kind is ScopeKind.MODULE


def _sides(test: cst.Comparison) -> list[cst.BaseExpression]:
    return [test.left, *(target.comparator for target in test.comparisons)]


def _is_shared(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an expression is an attribute of a class itself that some code sets."""
    if not isinstance(node, cst.Attribute):
        return False
    holder = model.value(node.value)
    if holder.kind is not Kind.CLASS or holder.class_ is None:
        return False
    return any(True for _ in model.flow.attributes.written(holder.class_, node.attr.value))


def runs_once(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a test around `node` lets it run the first time only (`if self.w is None`)."""
    for test in python_tests_around(model, node):
        for part in walk(test):
            if isinstance(part, cst.ComparisonTarget):
                if isinstance(part.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)):
                    return True
            elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
                if _is_set_below(model, part.expression, test):
                    return True
    return False


def _is_set_below(model: Answers, flag: cst.BaseExpression, test: cst.BaseExpression) -> bool:
    """Whether what runs while a flag is not set sets it: `if not self.ready: ...; self.ready = True`.

    Keras sets `built` itself.
    """
    name = dotted(flag)
    if name is None:
        return False
    if isinstance(flag, cst.Attribute) and flag.attr.value == _KERAS_BUILT:
        return True
    block = next((n for n in model.ancestors(test) if isinstance(n, (cst.If, cst.While))), None)
    return block is not None and any(
        isinstance(node, cst.AssignTarget) and dotted(node.target) == name
        for node in walk(block.body)
    )


def in_init_scope(model: Answers, node: cst.CSTNode) -> bool:
    """Whether `node` stands in `with tf.init_scope()`, which leaves the trace."""
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(parent, cst.With):
            for item in parent.items:
                call = item.item
                if isinstance(call, cst.Call):
                    if "tensorflow.init_scope" in model.names.of(call.func):
                        return True
    return False


def caught(model: Answers, node: cst.CSTNode, errors: frozenset[str]) -> bool:
    """Whether `node` is tried and one of `errors` (or anything) is caught around it."""
    child, parent = node, model.parent(node)
    while parent is not None and not isinstance(parent, (cst.FunctionDef, cst.Lambda)):
        if isinstance(parent, cst.Try) and child is parent.body:
            if any(_catches(handler, errors) for handler in parent.handlers):
                return True
        child, parent = parent, model.parent(parent)
    return False


def expects(model: Answers, node: cst.CSTNode, errors: frozenset[str]) -> bool:
    """Whether what stands right around `node` is there for one of `errors`, which it names.

    It is tried, not in a loop, or in a `with` that is given the error, or any:
    `pytest.raises(TypeError)`, `self.assertRaises(Exception)`.
    """
    child, parent = node, model.parent(node)
    while parent is not None and not isinstance(parent, (cst.For, cst.While, *_ROOTS)):
        if isinstance(parent, cst.Try) and child is parent.body:
            types = (handler.type for handler in parent.handlers if handler.type is not None)
            if any(_names(part, errors) for part in types):
                return True
        if isinstance(parent, cst.With):
            calls = (item.item for item in parent.items if isinstance(item.item, cst.Call))
            given = [argument.value for call in calls for argument in call.args]
            if any(_names(value, errors | {"Exception"}) for value in given):
                return True
        child, parent = parent, model.parent(parent)
    return False


def _names(node: cst.CSTNode, errors: frozenset[str]) -> bool:
    return any(isinstance(part, cst.Name) and part.value in errors for part in walk(node))


def may_be_caught(model: Answers, node: cst.CSTNode, errors: frozenset[str]) -> bool:
    """As `caught`, or in a `with` whose context is not known to hand exceptions on.

    `pytest.raises(...)`, `self.assertRaises(...)` and `contextlib.suppress(...)` take them.
    """
    if caught(model, node, errors):
        return True
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(parent, cst.With) and not all(_hands_on(model, i) for i in parent.items):
            return True
    return False


def _hands_on(model: Answers, item: cst.WithItem) -> bool:
    if model.value(item.item).kind in (Kind.TAPE, Kind.CONTEXT, Kind.WRITER):
        return True
    head = item.item.func if isinstance(item.item, cst.Call) else item.item
    names = model.names.of(head)
    return bool(names) and all(n.startswith("tensorflow.") or n == "builtins.open" for n in names)


def _catches(handler: cst.ExceptHandler, errors: frozenset[str]) -> bool:
    if handler.type is None:
        return True
    return _names(handler.type, errors | {"Exception", "BaseException"})
