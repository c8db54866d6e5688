"""Functions that call themselves until a tensor says so, which a trace never sees."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.guards import exits_before, tests_around
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit

from ..shared.branch_tests import is_tensor_test


def endless_calls(model: SemanticModel, unit: Unit) -> Iterator[tuple[cst.Call, cst.CSTNode]]:
    """The calls by which a unit runs itself, and the test on a tensor that is meant to end it."""
    for call in unit.own(cst.Call):
        if not any(callee.unit is unit for callee in model.callees(call)):
            continue
        tests = list(tests_around(model, call))
        if exits_before(model, call) or not all(is_tensor_test(model, test) for test in tests):
            continue
        ending = tests or [
            node.test
            for node in unit.nodes(into_scopes=False)
            if isinstance(node, (cst.If, cst.IfExp)) and is_tensor_test(model, node.test)
        ]
        if ending:
            yield call, ending[0]
