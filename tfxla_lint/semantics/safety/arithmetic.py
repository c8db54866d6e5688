"""Arithmetic of which it is known that a graph computes it as eager code does, but for rounding.

TensorFlow's graph optimizer takes expressions apart and joins them anew: it makes `log1p(x)` of
`log(1 + x)`, `x - (y - c)` of `(x - y) + c`, a product of a quotient, `argmax(x)` of
`argmax(sigmoid(x))`. Most of that is rounding. It is more where numbers cancel, leave the range of
their dtype or lie on a step. So this asks of each expression whether it is one of those that are
known to come out alike; what the table does not tell of is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.knowledge.symbols import find
from tfxla_lint.semantics import api
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.safety.composition import Composition, Expression, sides_of
from tfxla_lint.semantics.safety.terms import (
    ADDING,
    COMPARING,
    COMPUTING,
    DIVIDING,
    LAYERED,
    MATRICES,
    MULTIPLYING,
    POWERS,
    PRODUCTS,
    QUOTIENTS,
    RAISING,
    SUMS,
    TENSORS,
    VALUE_FREE,
    Terms,
    is_told,
    is_whole,
)
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


class Standing(IntEnum):
    """How far a number of a graph is from the one that eager code computes."""

    SAME = 0  #: not at all
    ROUNDED = 1  #: by rounding, and only by chance does it lie near a step
    NOISY = 2  #: by rounding of numbers that may cancel: a gradient
    SHIFTED = 3  #: by rounding, or more, and it may well lie right on a step


#: What no other number lies right on.
_BLURRED = frozenset({Standing.ROUNDED, Standing.NOISY})
_LOGS = behaviour.names(Trait.LOGARITHM)
_NEGATIONS = behaviour.names(Trait.NEGATES)
_MIXING = behaviour.names(Trait.MIXES)
_GREATEST = behaviour.names(Trait.FINDS_GREATEST)
_CHOOSING = behaviour.names(Trait.CHOOSES_GREATER)
_EVEN = behaviour.names(Trait.EVEN)
_STEPS = behaviour.names(Trait.STEPS) | COMPARING
#: From where on an activation gives nought, which is a step.
_THRESHOLD = "threshold"
#: What losses, and most metrics, are given.
_LABELLED = ("y_true", "y_pred")
#: What has a kink or a pole.
_SHARP = behaviour.names(Trait.SHARP) | behaviour.names(Trait.BOUNDS) | _CHOOSING | _LOGS
_FLOATING = behaviour.names(Trait.FLOATING)
_ASSIGNING = behaviour.methods(behaviour.Effect.ASSIGNS, "variable")
#: What holds no tensor that a graph computes.
_NO_TENSORS = frozenset(
    {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STRING, Kind.NONE, Kind.SHAPE, Kind.DTYPE, Kind.RANGE,
     Kind.TAPE, Kind.CONTEXT, Kind.VARIABLE, Kind.OPTIMIZER, Kind.NDARRAY, *COMPUTING}
)  # fmt: skip


class Arithmetic:
    """Judges the arithmetic of some code that is to be traced.

    `inside` are the nodes of that code, and `given` the names that it is passed.
    """

    def __init__(
        self, model: Answers, code: Composition, inside: set[int], given: frozenset[str]
    ) -> None:
        self._model = model
        self._inside = inside
        self._code = code
        self._standings: dict[int, Standing] = {}
        #: What is known of operations whatever their sides are.
        self._operations: dict[int, Standing | bool] = {}
        self._terms = Terms(model, code, given)

    def faults(
        self, nodes: Sequence[cst.CSTNode], results: Iterable[cst.BaseExpression]
    ) -> Iterator[tuple[cst.CSTNode, str]]:
        """The expressions of which it is not known that they come out alike, with words for each."""
        for node in nodes:
            if not self._is_known(node):
                yield node, f"a graph may compute `{self._text(node)}` in other steps"
        measured = {self._model.code(each) for node in nodes for each in self._differentiated(node)}
        for result in [*results, *(each for node in nodes for each in self._kept(node))]:
            text = self._model.code(result)
            if text not in measured and self._is_inside(result) and not self._is_even([result]):
                yield result, f"`{text}` may come out on the other side of a step"

    def _text(self, node: cst.CSTNode) -> str:
        return self._model.code(node.func if isinstance(node, cst.Call) else node)

    def _differentiated(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """What a tape is asked the gradients of: a loss, which is looked at and not stepped on."""
        if isinstance(node, cst.Call) and node.args and self._code.holder(node) is Kind.TAPE:
            yield node.args[0].value

    def _kept(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """What code leaves behind in variables and metrics."""
        if isinstance(node, cst.Call) and node.args:
            holder, name = self._code.holder(node), _last_name(node.func)
            if holder is Kind.METRIC or (holder is Kind.VARIABLE and name in _ASSIGNING):
                yield from (argument.value for argument in node.args)

    def _is_inside(self, node: cst.BaseExpression) -> bool:
        return any(id(source) in self._inside for source in self._code.sources(node) or [node])

    # How far a value is from the one of eager code

    def _standing(self, node: cst.BaseExpression) -> Standing:
        return self._code.settled(node, self._standings, Standing.SAME, self._standing_now)

    def _standing_now(self, node: cst.BaseExpression) -> Standing:
        return max(map(self._standing_of, self._code.sources(node)), default=Standing.SHIFTED)

    def _worst_part(self, source: Expression) -> Standing:
        return max(
            (self._standings[id(each)] for each in self._code.parts(source)), default=Standing.SAME
        )

    def _worst(self, nodes: Iterable[cst.BaseExpression]) -> Standing:
        return max(map(self._standing, nodes), default=Standing.SAME)

    def _standing_of(self, source: Expression) -> Standing:
        if isinstance(source, cst.BaseExpression) and is_whole(self._model.value(source)):
            return Standing.SAME
        if isinstance(source, (cst.BinaryOperation, cst.AugAssign)):
            return self._standing_of_operation(source)
        if isinstance(source, (cst.UnaryOperation, cst.Subscript, cst.Tuple, cst.List, cst.Dict)):
            return self._worst_part(source)
        if isinstance(source, cst.Attribute):
            return Standing.SHIFTED if self._is_written_inside(source) else Standing.SAME
        if isinstance(source, cst.Call):
            return self._standing_of_call(source)
        is_plain = isinstance(source, (cst.Name, cst.BaseNumber, cst.SimpleString, cst.Comparison))
        return Standing.SAME if is_plain else Standing.SHIFTED

    def _standing_of_operation(self, node: cst.BinaryOperation | cst.AugAssign) -> Standing:
        fixed = self._operations.get(id(node))
        if fixed is None:
            fixed = self._operations[id(node)] = self._judged(node)
        if isinstance(fixed, Standing):
            return fixed
        worst = self._worst_part(node)
        if isinstance(node.operator, MATRICES):
            return _mixed(worst)
        return _joined(worst) if fixed else worst

    def _judged(self, node: cst.BinaryOperation | cst.AugAssign) -> Standing | bool:
        """The standing of an operation, or whether a graph joins it with what it is made of."""
        left, right = sides_of(node)
        if isinstance(node.operator, SUMS):
            sides = ((left, right), (right, left))
            if any(
                self._terms.is_data(one) and not self._terms.is_no_sum_at_all(other)
                for one, other in sides
            ):
                return Standing.SHIFTED
            return self._terms.is_regrouped(node)
        if isinstance(node.operator, PRODUCTS):
            is_shifted = self._terms.is_joined_product(left, right)
            return Standing.SHIFTED if is_shifted else self._terms.is_regrouped(node)
        if isinstance(node.operator, QUOTIENTS):
            return False if self._terms.is_power_of_two(right) else Standing.SHIFTED
        return isinstance(node.operator, POWERS)

    def _standing_of_call(self, call: cst.Call) -> Standing:
        names, holder = self._code.names(call), self._code.holder(call)
        if not names:
            if holder is Kind.VARIABLE:
                return Standing.SAME
            if holder is Kind.TAPE:
                return Standing.NOISY
            if holder in LAYERED and not self._terms.is_blended(call.func):
                return _mixed(self._worst_part(call))
            return Standing.ROUNDED if holder in COMPUTING else Standing.SHIFTED
        worst = self._worst_part(call)
        if names <= _MIXING:
            return _mixed(worst)
        if names <= VALUE_FREE:
            return worst
        if names <= ADDING:
            return _joined(worst)
        if names <= MULTIPLYING | DIVIDING | RAISING:
            return Standing.SHIFTED
        return worst if all(map(is_told, names)) else Standing.SHIFTED

    def _is_written_inside(self, node: cst.Attribute) -> bool:
        info = self._model.value(node.value).class_
        written = self._model.flow.attributes.written(info, node.attr.value) if info else ()
        return any(id(write.statement) in self._inside for write in written)

    # What is known to come out alike

    def _is_known(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.BinaryOperation, cst.AugAssign)):
            return self._is_known_operation(node)
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.Minus) or not self._terms.compares(node.expression)
        if isinstance(node, cst.Comparison):
            sides = (node.left, *(target.comparator for target in node.comparisons))
            is_tensor = any(self._model.value(side).kind in TENSORS for side in sides)
            return not is_tensor or self._are_settled(sides)
        if isinstance(node, cst.Call):
            return self._is_known_call(node)
        return True

    def _are_settled(self, nodes: Iterable[cst.BaseExpression]) -> bool:
        """Whether a step may be asked of values."""
        return self._worst(nodes) <= Standing.ROUNDED

    def _is_even(self, nodes: Iterable[cst.BaseExpression]) -> bool:
        """Whether a kink, a pole or code elsewhere may be asked of values."""
        return self._worst(nodes) <= Standing.NOISY

    def _is_known_operation(self, node: cst.BinaryOperation | cst.AugAssign) -> bool:
        left, right = sides_of(node)
        values = [self._model.value(side) for side in (left, right)]
        if all(is_whole(value) or value.kind is Kind.FLOAT for value in values):
            return not isinstance(node.operator, QUOTIENTS) or values[1].constant != 0
        if not any(value.kind in TENSORS for value in values):
            return all(value.is_known for value in values)
        if isinstance(node.operator, SUMS):
            return self._is_known_sum(left, right)
        if isinstance(node.operator, PRODUCTS):
            return self._terms.is_known_product(left, right)
        if isinstance(node.operator, QUOTIENTS):
            return self._terms.is_known_product(left, right) and self._is_even([right])
        if isinstance(node.operator, POWERS):
            return self._terms.is_known_power(right)
        if isinstance(node.operator, MATRICES):
            return True
        return self._are_settled((left, right))

    def _is_known_sum(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """Whether a sum is known, and nothing is taken from what may lie right on it: where that is nought
        in one way and not in the other, a kink far behind products may tell."""
        sides = ((left, right), (right, left))
        return self._terms.is_known_sum(left, right) and not any(
            self._standing(other) is Standing.SHIFTED
            and self._standing(one) not in _BLURRED
            and (self._terms.is_constant(one) or self._terms.is_quotient(other))
            for one, other in sides
        )

    def _is_known_call(self, call: cst.Call) -> bool:
        names = self._code.names(call)
        given = [argument.value for argument in call.args]
        if not names:
            return self._is_known_object(call)
        kind = self._model.value(call).kind
        if kind in _NO_TENSORS or isinstance(self._model.parent(call), cst.Expr):
            return True
        if kind is not Kind.TENSOR and not any(map(api.is_tensorflow, names)):
            return True
        if any(argument.star for argument in call.args):
            return False
        tensors = [argument.value for argument in self._code.tensors(call)]
        if names & ADDING and len(given) > 1:
            return self._is_known_sum(given[0], given[1])
        if names & ADDING:
            return not any(map(self._terms.is_constant, self._members(given)))
        if names & (MULTIPLYING | DIVIDING) and len(given) > 1:
            is_even = not names & DIVIDING or self._is_even([given[1]])
            return is_even and self._terms.is_known_product(given[0], given[1])
        if names & RAISING and len(given) > 1:
            return self._terms.is_known_power(given[1])
        if names & _LOGS:
            made = self._code.through(given[0]) if given else None
            is_plain = made is not None and all(map(self._terms.is_no_logarithm, made))
            return is_plain and self._is_even(given)
        if names & _NEGATIONS:
            return self._are_settled(tensors) and not any(map(self._terms.compares, given))
        if names & _GREATEST:
            return self._are_settled(tensors) and all(map(self._terms.is_ranked, tensors[:1]))
        if names & _CHOOSING:
            return self._is_even(tensors) and self._terms.are_unlike(tensors)
        if names & _STEPS:
            return self._is_cast(call) or self._are_settled(tensors)
        if names & _SHARP:
            return self._is_even(tensors)
        if all(is_whole(self._model.value(each)) for each in tensors):
            return True
        return all(is_told(name) and self._is_smooth(call, name) for name in names)

    def _is_smooth(self, call: cst.Call, name: str) -> bool:
        """Whether what is known but for rounding is given only where a function neither jumps nor bends."""
        symbol = find(name)
        given = by_parameter(call, symbol) if symbol is not None else {}
        smooth = {id(node) for place, node in given.items() if place in behaviour.of(name).smooth}
        tensors = (argument.value for argument in self._code.tensors(call))
        return self._are_settled(each for each in tensors if id(each) not in smooth)

    def _members(self, given: Sequence[cst.BaseExpression]) -> list[cst.BaseExpression]:
        listed = given[0] if given else None
        if not isinstance(listed, (cst.List, cst.Tuple)):
            return []
        return [element.value for element in listed.elements]

    def _is_cast(self, call: cst.Call) -> bool:
        """Whether a cast is to a dtype of floating-point numbers."""
        told = [a.value for a in call.args[1:]]
        return any(
            bool(self._model.names.of(each) & _FLOATING)
            or str(self._model.value(each).constant).startswith("float")
            for each in told
        )

    def _is_known_object(self, call: cst.Call) -> bool:
        """A call of a Keras object: those that compare ask of settled numbers, or greatest ones."""
        function, holder = call.func, self._code.holder(call)
        if holder in (Kind.LAYER, Kind.MODEL) and self._model.ask(has_stepping_layers):
            return self._are_settled(argument.value for argument in call.args)
        if holder not in (Kind.METRIC, Kind.LOSS) or not call.args:
            return True
        is_method = holder is Kind.METRIC and isinstance(function, cst.Attribute)
        asked = cst.ensure_type(function, cst.Attribute).value if is_method else function
        made = self._terms.makers(asked)
        names = [self._code.names(s) if isinstance(s, cst.Call) else frozenset() for s in made]
        given = [argument.value for argument in call.args]
        rough = [a.value for at, a in enumerate(call.args) if not _is_smooth_at(names, a, at)]
        if all(each and each <= _EVEN - _STEPS for each in names) and self._are_settled(rough):
            return True
        if holder is Kind.LOSS:
            return all(each and each <= _EVEN for each in names) and self._are_settled(given)
        if not self._are_settled(given):
            return False
        is_comparing = names and all(each and each <= _STEPS for each in names)
        return bool(is_comparing) or all(map(self._terms.is_ranked, given))


def _is_smooth_at(names: Sequence[frozenset[str]], argument: cst.Arg, place: int) -> bool:
    """Whether losses or metrics, by the names of their classes, are smooth in what they are given there."""
    said = argument.keyword.value if argument.keyword is not None else ""
    for each in (name for of_one in names for name in of_one):
        smooth = behaviour.of(each).smooth
        # `Mean` and its like are given one thing.
        order = _LABELLED if smooth <= {*_LABELLED} else tuple(smooth)
        if (said or "".join(order[place : place + 1])) not in smooth:
            return False
    return True


def has_stepping_layers(model: Answers) -> bool:
    """Whether any layer of the program jumps where what it is given changes a little."""
    for call in model.everywhere(cst.Call):
        if model.names.of(call.func) & _STEPS and model.value(call).kind is Kind.LAYER:
            return True
        words = (a.keyword.value for a in call.args if a.keyword is not None)
        if _THRESHOLD in words and model.value(call).kind is Kind.LAYER:
            return True
    return False


def _joined(standing: Standing) -> Standing:
    """The standing of what a graph computes in another order."""
    return Standing.SHIFTED if standing is Standing.SAME else standing


def _mixed(standing: Standing) -> Standing:
    """The standing of what is made of many numbers, which lie on no step but by chance; where they
    may lie right on one, layers that only move them leave them there, and so do zeros and ones."""
    return standing if standing is Standing.SHIFTED else Standing.ROUNDED


def _last_name(function: cst.BaseExpression) -> str:
    return function.attr.value if isinstance(function, cst.Attribute) else ""
