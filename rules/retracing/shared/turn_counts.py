"""How many different values an expression takes over the turns of a loop, where one can count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.varying.turn_values import values_over

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


@dataclass(frozen=True, slots=True)
class Count:
    """A number of values or shapes; `is_exact` where no condition or `break` lowers it."""

    number: int
    is_exact: bool

    @property
    def text(self) -> str:
        """The number in words for a message: "20", "up to 20"."""
        return str(self.number) if self.is_exact else f"up to {self.number}"


def in_traces(count: Count | None) -> str:
    """What a count adds to a message: ", 20 traces in all"."""
    return f", {count.text} traces in all" if count is not None and count.number > 1 else ""


def count_values(
    model: Answers, node: cst.BaseExpression, loop: Loop, at: cst.CSTNode
) -> Count | None:
    """The number of values of a Python expression that the turns of `loop` bring to `at`."""
    values = values_over(model, node, loop)
    if values is None:
        return _counted(model, node, loop, at)
    try:
        return Count(len(set(values)), not is_cut_short(model, loop, at))
    except TypeError:
        return None


def count_turns(model: Answers, loop: Loop, at: cst.CSTNode) -> Count | None:
    """The number of turns of `loop` that reach `at`."""
    turns = model.loops.info(loop).turns
    return Count(turns, not is_cut_short(model, loop, at)) if turns is not None else None


def is_cut_short(model: Answers, loop: Loop, at: cst.CSTNode) -> bool:
    """Whether fewer turns than the loop's iterable has members may reach `at`."""
    if loop not in model.ancestors(at) or any(model.loops.frequency.conditions(at, loop)):
        return True
    return model.ask(_may_end_early, loop)


def _may_end_early(model: Answers, loop: Loop) -> bool:
    inner = [n for n in walk(loop.body) if isinstance(n, (cst.Break, cst.Return, cst.Raise))]
    return any(_leaves(model, node, loop) for node in inner)


def _leaves(model: Answers, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether `break`, `return` or `raise` ends `loop`, not an inner loop or function."""
    for ancestor in model.ancestors(node):
        if ancestor is loop:
            return True
        if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(node, cst.Break) and isinstance(ancestor, (cst.For, cst.While)):
            return False
    return False


def _counted(model: Answers, node: cst.BaseExpression, loop: Loop, at: cst.CSTNode) -> Count | None:
    """A counter that every turn of the only loop around it moves on."""
    if not isinstance(node, cst.Name) or loop not in model.ancestors(at):
        return None
    turned = [b for b in model.flow.reached(node).bindings if loop in model.ancestors(b.node)]
    move = next((b.node for b in turned if _moves_on(model, b, loop)), None)
    unit = model.unit(at)
    if not isinstance(move, cst.Name) or model.loops.around(at, unit) != [loop]:
        return None
    before = model.flow.reached(move).bindings
    if any(b.node is not move and loop in model.ancestors(b.node) for b in (*turned, *before)):
        return None
    return count_turns(model, loop, at) if not model.contexts.hot_loops(unit) else None


def _moves_on(model: Answers, binding: Binding, loop: Loop) -> bool:
    if binding.kind is not BindingKind.AUGMENTED:
        return False
    statement = model.parent(model.parent(binding.node) or binding.node)
    return statement is not None and model.parent(statement) is loop.body
