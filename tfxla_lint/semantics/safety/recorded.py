"""Calls of what is not in sight, between a model and the gradients that are taken of its loss.

What a tape differentiates is made of operations of TensorFlow: a loss that is handed in, the model of
another library. Nobody can prove that such a function traces well, but it has to be one that does
something with tensors alone, and gives a tensor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import is_self, walk
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, TENSOR_LIKE, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfxla_lint.semantics.answers import Answers

_DIFFERENTIATING = behaviour.methods(Trait.DIFFERENTIATES, "tape")
_WATCHING = "watch"
#: So many of what is taken on trust are named.
_SHOWN = 3
_OF_KERAS = (Kind.MODEL, Kind.LAYER)


def is_differentiated(model: Answers, call: cst.CSTNode) -> bool:
    """Whether a call stands in a tape, and what is differentiated is computed from its result."""
    if not isinstance(call, cst.Call) or not inside_tape(model, call):
        return False
    return id(call) in model.ask(_feeding_gradients, model.unit(call))


def is_given_back(model: Answers, call: cst.CSTNode) -> bool:
    """Whether what a function returns is computed from the result of a call in it."""
    return id(call) in model.ask(_feeding_results, model.unit(call))


def takes_tensors(model: Answers, call: cst.CSTNode) -> bool:
    """Whether a call hands over a tensor, what a tape watches, or what such a call or a model gives."""
    given = [argument.value for argument in call.args] if isinstance(call, cst.Call) else []
    origins = model.ask(_Tensors).origins
    return any(bool(origins.of(node)) for node in given)


class _Tensors:
    """Which expressions are computed by operations, as far as one sees."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self.origins = Origins(model.flow, Through(agree=Agree.ANY), self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        model = self._model
        if model.value(node).kind in TENSOR_LIKE:
            return True
        if isinstance(node, cst.Name):
            watched = model.ask(_watched, model.unit(node))
            bindings = model.flow.reached(node).bindings
            return True if any(id(b.node) in watched for b in bindings) else THROUGH
        if not isinstance(node, cst.Call):
            return None
        is_model = model.value(node.func).kind in KERAS_CALLABLES
        return is_model or any(self.origins.of(argument.value) for argument in node.args)


def _watched(model: Answers, unit: Unit) -> frozenset[int]:
    """What tapes of a function watch: the bindings of its names, by the identity of their nodes."""
    found = set[int]()
    for node in (inner for root in unit.body for inner in walk(root)):
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            continue
        if node.func.attr.value == _WATCHING and model.value(node.func.value).kind is Kind.TAPE:
            names = (argument.value for argument in node.args)
            reached = (model.flow.reached(n) for n in names if isinstance(n, cst.Name))
            found |= {id(binding.node) for each in reached for binding in each.bindings}
    return frozenset(found)


def is_part_of_keras(model: Answers, call: cst.CSTNode) -> bool:
    """Whether the `call` of a Keras model or layer runs a part of its own: Keras itself traces that."""
    unit = model.unit(call)
    if unit.class_ is None or unit.class_.role not in _OF_KERAS or unit.name != "call":
        return False
    function = call.func if isinstance(call, cst.Call) else None
    return isinstance(function, cst.Attribute) and is_self(function.value)


def taken_on_trust(model: Answers, nodes: Sequence[cst.CSTNode]) -> list[str]:
    """What code that can be traced as far as one sees calls, itself or through others, without its
    being known."""
    units = model.calls.run_by(nodes)
    code = [*nodes, *(root for unit in units for root in unit.body)]
    effects = model.ask(Effects).of_all(code)
    calls = (e.node for e in effects if e.kind is EffectKind.UNKNOWN)
    named = (excerpt(model, call.func) for call in calls if isinstance(call, cst.Call))
    return list(dict.fromkeys(named))


def on_trust(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """That in words that follow what else a rewrite assumes; none where all is known."""
    names = [f"`{name}`" for name in taken_on_trust(model, nodes)]
    others = len(names) - _SHOWN
    if others > 0:
        names = [*names[:_SHOWN], f"{others} more"]
    return f"; that {' and '.join(names)} can be traced" if names else ""


def _feeding_gradients(model: Answers, unit: Unit) -> frozenset[int]:
    targets: list[cst.BaseExpression] = []
    for root in unit.body:
        for node in walk(root):
            if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
                continue
            if node.func.attr.value in _DIFFERENTIATING and node.args:
                if model.value(node.func.value).kind is Kind.TAPE:
                    targets.append(node.args[0].value)
    return _feeding(model, targets)


def _feeding_results(model: Answers, unit: Unit) -> frozenset[int]:
    return _feeding(model, [node for node in model.flow.returns(unit) if node is not None])


def _feeding(model: Answers, roots: list[cst.BaseExpression]) -> frozenset[int]:
    """The calls, by identity, from whose results expressions are computed, in their own function."""
    code: Iterator[cst.CSTNode] = closure([*roots], lambda part: _computed_from(model, part))
    nodes = (node for part in code for node in walk(part))
    return frozenset(id(node) for node in nodes if isinstance(node, cst.Call))


def _computed_from(model: Answers, code: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The lines that bind what some code reads."""
    for node in walk(code):
        for binding in model.flow.reached(node).bindings if isinstance(node, cst.Name) else ():
            line = statement_of(model, binding.node)
            if isinstance(line, cst.SimpleStatementLine):
                yield line
