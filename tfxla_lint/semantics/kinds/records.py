"""Fields that a class body declares by annotations, as dataclasses do."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.kinds.annotations import annotation
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.syntax import decorators_of
from tfxla_lint.semantics.values import Value

_MAKING = behaviour.names(Trait.RECORD)
_BASES = frozenset({"typing.NamedTuple"})


def declared(
    evaluator: Evaluator, node: cst.ClassDef, body: dict[str, Value]
) -> Iterator[tuple[str, Value]]:
    """What annotations say of the attributes of instances, where that adds to the class `body`.

    Whoever makes a record sets its fields: a default is one value among others.
    """
    is_record = _is_record(evaluator, node)
    for field in _fields(node):
        assert isinstance(field.target, cst.Name)
        hint = annotation(evaluator, field.annotation.annotation)
        if is_record or (hint.is_known and field.target.value not in body):
            yield field.target.value, hint


def _fields(node: cst.ClassDef) -> Iterator[cst.AnnAssign]:
    for line in node.body.body:
        if isinstance(line, cst.SimpleStatementLine):
            for statement in line.body:
                if isinstance(statement, cst.AnnAssign) and isinstance(statement.target, cst.Name):
                    yield statement


def _is_record(evaluator: Evaluator, node: cst.ClassDef) -> bool:
    if any(evaluator.names.of(made) & _MAKING for made in decorators_of(node)):
        return True
    return any(evaluator.names.of(base.value) & _BASES for base in node.bases)
