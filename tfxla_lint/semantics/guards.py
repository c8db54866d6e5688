"""Conditions around a node that decide in Python whether, and where, it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted, walk

_ABOUT_TRACING = re.compile(r"eager|debug|graph|symbolic|trac(e|ing)|inside_function|is_tensor")
_ABOUT_BUILDING = re.compile(r"buil[dt]|init|ready|creat|first|done|made|set_?up|start")
_TYPE_CHECKS = behaviour.names(Trait.INSPECTS)


_ROOTS = frozenset({cst.FunctionDef, cst.Lambda, cst.Module})


def tests_around(model: SemanticModel, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The tests within its function that decide whether `node` runs, nearest first."""
    child, parent = node, model.parent(node)
    while parent is not None and type(parent) not in _ROOTS:
        if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
            if child is not parent.test:
                yield parent.test
        elif isinstance(parent, cst.BooleanOperation) and child is parent.right:
            yield parent.left
        elif isinstance(parent, cst.Match) and child is not parent.subject:
            yield parent.subject
        child, parent = parent, model.parent(parent)


def python_tests_around(model: SemanticModel, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """Those of `tests_around` that are not surely tensors: a trace follows one side of them."""
    return [
        test
        for test in tests_around(model, node)
        if not model.value(test).is_tensor and not _is_true(test)
    ]


def _is_true(test: cst.BaseExpression) -> bool:
    return isinstance(test, cst.Name) and test.value == "True"


def exits_before(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a statement above `node` leaves its function, or its turn of a loop, on such a test."""
    child = node
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda, cst.Module)):
            return False
        if isinstance(parent, cst.IndentedBlock) and _exits_above(model, parent, child):
            return True
        child = parent
    return False


def _exits_above(model: SemanticModel, block: cst.IndentedBlock, child: cst.CSTNode) -> bool:
    for statement in block.body:
        if statement is child:
            return False
        if isinstance(statement, cst.If) and not model.value(statement.test).is_tensor:
            if any(isinstance(part, _EXITS) for part in walk(statement, into_scopes=False)):
                return True
    return False


_EXITS = (cst.Return, cst.Raise, cst.Break, cst.Continue)


def excludes_tracing(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a test around `node` asks for the mode (eager, debugging) or for a type."""
    for test in python_tests_around(model, node):
        for part in walk(test):
            if isinstance(part, cst.Name) and _ABOUT_TRACING.search(part.value.lower()):
                return True
            if isinstance(part, cst.Attribute) and _ABOUT_TRACING.search(part.attr.value.lower()):
                return True
            if isinstance(part, cst.Call) and model.names.of(part.func) & _TYPE_CHECKS:
                return True
    return False


def runs_once(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a test around `node` lets it run the first time only (`if self.w is None`)."""
    for test in python_tests_around(model, node):
        for part in walk(test):
            if isinstance(part, cst.ComparisonTarget):
                if isinstance(part.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)):
                    return True
            elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
                name = (dotted(part.expression) or "").rpartition(".")[2]
                if _ABOUT_BUILDING.search(name.lower()):
                    return True
    return False


def in_init_scope(model: SemanticModel, node: cst.CSTNode) -> bool:
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


def caught(model: SemanticModel, node: cst.CSTNode, errors: frozenset[str]) -> bool:
    """Whether `node` is tried and one of `errors` (or anything) is caught around it."""
    child, parent = node, model.parent(node)
    while parent is not None and not isinstance(parent, (cst.FunctionDef, cst.Lambda)):
        if isinstance(parent, cst.Try) and child is parent.body:
            if any(_catches(handler, errors) for handler in parent.handlers):
                return True
        child, parent = parent, model.parent(parent)
    return False


def _catches(handler: cst.ExceptHandler, errors: frozenset[str]) -> bool:
    if handler.type is None:
        return True
    caught_names = {part.value for part in walk(handler.type) if isinstance(part, cst.Name)}
    return bool(caught_names & (errors | {"Exception", "BaseException"}))
