"""Switches that make TensorFlow or Keras run functions eagerly, and whether they are left on."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.guards import tests_around
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import asks_for_main
from tfxla_lint.semantics.units import Unit

SWITCHES = behaviour.names(Trait.EAGER_SWITCH)
_TEST_CASES = frozenset({"tensorflow.test.TestCase", "unittest.TestCase"})


def function_switches(model: SemanticModel) -> list[cst.Call]:
    """The calls of `tf.config.run_functions_eagerly`, in the order of the text."""
    return model.once(
        "function_switches",
        lambda: [c for c in model.nodes(cst.Call) if model.names.one(c.func) in SWITCHES],
    )


def switches_on(call: cst.Call) -> bool:
    """Whether a switch is given a plain `True`."""
    return len(call.args) == 1 and is_true(call.args[0].value)


def is_true(node: cst.CSTNode) -> bool:
    """Whether an expression is the word `True`."""
    return isinstance(node, cst.Name) and node.value == "True"


def functions_run_eagerly(model: SemanticModel) -> cst.Call | None:
    """The call that leaves `tf.config.run_functions_eagerly` on in this module, or None."""
    switches = function_switches(model)
    for index, call in enumerate(switches):
        if switches_on(call) and is_unconditional(model, call):
            if not any(_undoes(model, other, call) for other in switches[:index]):
                if all(switches_on(other) for other in switches[index + 1 :]):
                    return call
    return None


def _undoes(model: Answers, other: cst.Call, call: cst.Call) -> bool:
    """Whether an earlier switch belongs to another function, which may run later."""
    return not switches_on(other) and model.unit(other) is not model.unit(call)


def is_unconditional(model: Answers, node: cst.CSTNode) -> bool:
    """Whether `node` surely runs when the module does, outside of tests and without a condition."""
    unit = model.unit(node)
    if _has_condition(model, node) or _is_test(unit):
        return False
    if unit.is_module:
        return True
    route = model.contexts.eager(unit)
    return route is not None and not any(_has_condition(model, call) for call in route.calls)


def _has_condition(model: Answers, node: cst.CSTNode) -> bool:
    return any(not asks_for_main(test) for test in tests_around(model, node))


def _is_test(unit: Unit) -> bool:
    if unit.name.startswith(("test", "setUp", "pytest_")):
        return True
    info = unit.class_
    return info is not None and bool(_TEST_CASES & set(info.base_names))
