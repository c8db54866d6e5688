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
from functools import cache
from math import isfinite, log2, log10, prod
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.composition import Composition, Expression, sides_of
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import PYTHON_SCALARS, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


class Standing(IntEnum):
    """How far a number of a graph is from the one that eager code computes."""

    SAME = 0  #: not at all
    ROUNDED = 1  #: by rounding, and only by chance does it lie near a step
    NOISY = 2  #: by rounding of numbers that may cancel: a gradient
    SHIFTED = 3  #: by rounding, or more, and it may well lie right on a step


_SUMS = (cst.Add, cst.Subtract, cst.AddAssign, cst.SubtractAssign)
_PRODUCTS = (cst.Multiply, cst.MultiplyAssign)
_QUOTIENTS = (cst.Divide, cst.DivideAssign)
_MATRICES = (cst.MatrixMultiply, cst.MatrixMultiplyAssign)
_POWERS = (cst.Power, cst.PowerAssign)
#: Products of so many powers of ten stay within all dtypes of floating-point numbers but the halves.
_MOST, _MOST_OF_HALVES = 18.0, 2.0
_HALVES = ("float16", "half")
#: Data that are so many powers of ten large, or small, are no tolerances.
_USUAL = 3.0
#: Powers that a graph computes as products, which they are.
_WHOLE_POWERS = (1, 2, 3)
#: So many members a tensor has at most that a graph takes for a constant.
_LARGEST = 128
_LOGS = behaviour.names(Trait.LOGARITHM)
_EXPONENTIALS = behaviour.names(Trait.EXPONENTIAL)
_NEGATIONS = behaviour.names(Trait.NEGATES)
_COMPARING = behaviour.names(Trait.TELLS_GREATER)
_ADDING = behaviour.names(Trait.ADDS)
_MULTIPLYING = behaviour.names(Trait.MULTIPLIES)
_DIVIDING = behaviour.names(Trait.DIVIDES)
_RAISING = behaviour.names(Trait.RAISES)
_SHARES = behaviour.names(Trait.GIVES_SHARES)
_MIXING = behaviour.names(Trait.MIXES)
_GREATEST = behaviour.names(Trait.FINDS_GREATEST)
_CHOOSING = behaviour.names(Trait.CHOOSES_GREATER)
_EVEN = behaviour.names(Trait.EVEN)
_VALUE_FREE = behaviour.names(Trait.VALUE_FREE)
_STEPS = behaviour.names(Trait.STEPS) | _COMPARING
#: What has a kink or a pole.
_SHARP = behaviour.names(Trait.SHARP) | behaviour.names(Trait.BOUNDS) | _CHOOSING | _LOGS
_FLOATING = behaviour.names(Trait.FLOATING)
_WITH_WEIGHTS = behaviour.names(Trait.WITH_WEIGHTS)
_ASSIGNING = behaviour.methods(behaviour.Effect.ASSIGNS, "variable")
_LAYERED = (Kind.MODEL, Kind.LAYER)
#: What Keras and the tape compute is joined of so many numbers that none lies on a step.
_COMPUTING = frozenset(
    {*_LAYERED, Kind.LOSS, Kind.METRIC, Kind.OPTIMIZER, Kind.SCHEDULE, Kind.TAPE}
)
_TENSORS = (Kind.TENSOR, Kind.VARIABLE)
#: What holds no tensor that a graph computes.
_NO_TENSORS = frozenset(
    {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STRING, Kind.NONE, Kind.SHAPE, Kind.DTYPE, Kind.RANGE,
     Kind.TAPE, Kind.CONTEXT, Kind.VARIABLE, Kind.OPTIMIZER, Kind.NDARRAY, *_COMPUTING}
)  # fmt: skip
#: Where the activations stand that texts name.
_ACTIVATIONS = "tensorflow.keras.activations"
_TOLD = frozenset(
    {Trait.EVEN, Trait.MOVES, Trait.PASSES_MEMBERS, Trait.MIXES, Trait.GIVES_SHARES, Trait.VALUE_FREE, Trait.STEPS,
     Trait.TELLS_GREATER, Trait.SHARP, Trait.FINDS_GREATEST, Trait.CHOOSES_GREATER,
     Trait.LOGARITHM, Trait.EXPONENTIAL, Trait.NEGATES, Trait.ADDS, Trait.MULTIPLIES, Trait.DIVIDES,
     Trait.RAISES}
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
        self._given = given
        self._standings: dict[int, Standing] = {}
        #: What is known of operations whatever their sides are.
        self._operations: dict[int, Standing | bool] = {}
        self._constants: dict[int, bool] = {}

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
        if isinstance(source, cst.BaseExpression) and _is_whole(self._model.value(source)):
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
        return _joined(worst) if fixed else worst

    def _judged(self, node: cst.BinaryOperation | cst.AugAssign) -> Standing | bool:
        """The standing of an operation, or whether a graph joins it with what it is made of."""
        left, right = sides_of(node)
        if isinstance(node.operator, _MATRICES):
            return Standing.ROUNDED
        if isinstance(node.operator, _SUMS):
            sides = ((left, right), (right, left))
            if any(
                self._is_data(one) and not self._is_no_sum_at_all(other) for one, other in sides
            ):
                return Standing.SHIFTED
            return self._is_regrouped(node)
        if isinstance(node.operator, _PRODUCTS):
            is_shifted = self._is_joined_product(left, right)
            return Standing.SHIFTED if is_shifted else self._is_regrouped(node)
        if isinstance(node.operator, _QUOTIENTS):
            return False if self._is_power_of_two(right) else Standing.SHIFTED
        return isinstance(node.operator, _POWERS)

    def _standing_of_call(self, call: cst.Call) -> Standing:
        names, holder = self._code.names(call), self._code.holder(call)
        if not names:
            if holder is Kind.VARIABLE:
                return Standing.SAME
            if holder is Kind.TAPE:
                return Standing.NOISY
            return Standing.ROUNDED if holder in _COMPUTING else Standing.SHIFTED
        if names <= _MIXING:
            return Standing.ROUNDED
        worst = self._worst_part(call)
        if names <= _VALUE_FREE:
            return worst
        if names <= _ADDING:
            return _joined(worst)
        if names <= _MULTIPLYING | _DIVIDING | _RAISING:
            return Standing.SHIFTED
        is_told = all(map(_is_told, names))
        return worst if is_told else Standing.SHIFTED

    def _is_regrouped(self, node: cst.BinaryOperation | cst.AugAssign) -> bool:
        """Whether sums of sums, products of products or sums of two products are computed."""
        made = [self._code.through(side) for side in sides_of(node)]
        if any(each is None for each in made):
            return True
        if isinstance(node.operator, _PRODUCTS):
            return any(self._is_product(inner) for each in made for inner in each or ())
        is_of_products = all(any(map(self._is_product, each or ())) for each in made)
        inner = [not self._is_no_sum(inner) for each in made for inner in each or ()]
        return is_of_products or any(inner)

    def _is_joined_product(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """Whether one side of a product may be a constant that a graph moves into the other."""
        for constant, other in ((left, right), (right, left)):
            if self._is_constant(constant) and not self._is_power_of_two(constant):
                made = self._code.through(other)
                if made is None or any(self._is_product(each) for each in made):
                    return True
        return False

    def _is_power_of_two(self, node: cst.BaseExpression) -> bool:
        constant = self._model.value(node).constant
        is_number = isinstance(constant, (int, float)) and constant and isfinite(constant)
        return bool(is_number) and log2(abs(constant)).is_integer()

    def _is_written_inside(self, node: cst.Attribute) -> bool:
        info = self._model.value(node.value).class_
        written = self._model.flow.attributes.written(info, node.attr.value) if info else ()
        return any(id(write.statement) in self._inside for write in written)

    # What is known to come out alike

    def _is_known(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.BinaryOperation, cst.AugAssign)):
            return self._is_known_operation(node)
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.Minus) or not self._compares(node.expression)
        if isinstance(node, cst.Comparison):
            sides = (node.left, *(target.comparator for target in node.comparisons))
            is_tensor = any(self._model.value(side).kind in _TENSORS for side in sides)
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
        if all(_is_whole(value) or value.kind is Kind.FLOAT for value in values):
            return not isinstance(node.operator, _QUOTIENTS) or values[1].constant != 0
        if not any(value.kind in _TENSORS for value in values):
            return all(value.is_known for value in values)
        if isinstance(node.operator, _SUMS):
            return self._is_known_sum(left, right)
        if isinstance(node.operator, _PRODUCTS):
            return self._is_known_product(left, right)
        if isinstance(node.operator, _QUOTIENTS):
            return self._is_known_product(left, right) and self._is_even([right])
        if isinstance(node.operator, _POWERS):
            return self._is_known_power(right)
        if isinstance(node.operator, _MATRICES):
            return True
        return self._are_settled((left, right))

    def _is_known_sum(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """No constant is added to what is a sum, or less one an exponential, itself."""
        for constant, other in ((left, right), (right, left)):
            if self._is_constant(constant) and not self._is_no_sum_at_all(other):
                if not self._is_data(constant) or self._has_constant(other):
                    return False
        return True

    def _is_no_sum_at_all(self, node: cst.BaseExpression) -> bool:
        made = self._code.through(node)
        return made is not None and all(map(self._is_no_sum, made))

    def _has_constant(self, node: cst.BaseExpression) -> bool:
        """Whether what a value is made of may have a constant for one of its sides."""
        made = self._code.through(node)
        return made is None or any(
            not isinstance(each, (cst.BinaryOperation, cst.AugAssign))
            or any(map(self._is_constant, sides_of(each)))
            for each in made
        )

    def _is_data(self, node: cst.BaseExpression) -> bool:
        """Whether a constant is made of an array or a list: as large as what it is compared with."""
        sources = self._code.sources(node)
        made = [each for s in sources if isinstance(s, cst.Name) for each in self._makers(s)]
        return len(made) >= len(sources) > 0 and all(
            isinstance(each, cst.Call) and bool(each.args) and self._is_listed(each.args[0].value)
            for each in made
        )

    def _is_listed(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is an array, or numbers written out that are neither small nor large."""
        if not isinstance(node, (cst.List, cst.Tuple)):
            return self._model.value(node).kind is Kind.NDARRAY
        members = [element.value for element in node.elements]
        scales = [self._scale(each) for each in members if self._model.value(each).constant != 0]
        return all(
            isinstance(each, (cst.List, cst.Tuple)) and self._is_listed(each) for each in members
        ) or all(scale is not None and scale <= _USUAL for scale in scales)

    def _makers(self, node: cst.BaseExpression) -> Sequence[cst.BaseExpression | None]:
        return makers(self._model.flow, node) or [None]

    def _is_no_sum(self, made: Expression) -> bool:
        if isinstance(made, cst.BaseExpression) and _is_whole(self._model.value(made)):
            return True
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            return not isinstance(made.operator, _SUMS)
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if names:
                is_sum = bool(names & (_ADDING | _EXPONENTIALS))
                return not is_sum and all(map(_is_told, names))
            if self._code.holder(made) in _LAYERED:
                ends = self._ends(made.func)
                return ends is not None and not ends & _EXPONENTIALS and all(map(_is_told, ends))
            return self._code.holder(made) in _COMPUTING | {Kind.VARIABLE}
        return isinstance(made, (cst.Name, cst.Attribute, cst.BaseNumber, cst.UnaryOperation))

    def _is_known_product(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """The constants that a graph multiplies first neither vanish nor leave the range."""
        for constant, other in ((left, right), (right, left)):
            if not self._is_constant(constant):
                continue
            scale = self._scale(constant)
            made = self._code.through(other)
            if scale is None and (made is None or any(map(self._is_scaled, made))):
                return False
            inner = [self._scale_of(each) for each in made or ()]
            most = _MOST_OF_HALVES if self._model.value(other).dtype in _HALVES else _MOST
            if scale is not None and any(scale + more > most for more in [0.0, *inner]):
                return False
        return True

    def _is_scaled(self, made: Expression) -> bool:
        return self._is_product(made) and any(map(self._is_constant, self._code.parts(made)))

    def _is_product(self, made: Expression) -> bool:
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            return bool(names & (_MULTIPLYING | _DIVIDING | _RAISING)) or not all(
                map(_is_told, names)
            )
        return isinstance(made, (cst.BinaryOperation, cst.AugAssign)) and isinstance(
            made.operator, (*_PRODUCTS, *_QUOTIENTS, *_POWERS)
        )

    def _scale(self, node: cst.BaseExpression) -> float | None:
        """How far, in powers of ten, a constant lies from one; None where that is not known."""
        constant = self._model.value(node).constant
        if not isinstance(constant, (int, float)):
            return None
        return abs(log10(abs(constant))) if constant and isfinite(constant) else _MOST + 1

    def _scale_of(self, made: Expression) -> float:
        """How far the constants of a product lie from one."""
        if not self._is_product(made):
            return 0.0
        parts = self._code.parts(made)
        found = [self._scale(part) for part in parts if self._is_constant(part)]
        return sum(_MOST if scale is None else scale for scale in found)

    def _is_known_power(self, exponent: cst.BaseExpression) -> bool:
        return self._model.value(exponent).constant in _WHOLE_POWERS

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
        if names & _ADDING and len(given) > 1:
            return self._is_known_sum(given[0], given[1])
        if names & _ADDING:
            return not any(map(self._is_constant, self._members(given)))
        if names & (_MULTIPLYING | _DIVIDING) and len(given) > 1:
            is_even = not names & _DIVIDING or self._is_even([given[1]])
            return is_even and self._is_known_product(given[0], given[1])
        if names & _RAISING and len(given) > 1:
            return self._is_known_power(given[1])
        if names & _LOGS:
            made = self._code.through(given[0]) if given else None
            is_plain = made is not None and all(map(self._is_no_logarithm, made))
            return is_plain and self._is_even(given)
        if names & _NEGATIONS:
            return not any(map(self._compares, given))
        if names & _GREATEST:
            return self._are_settled(tensors) and all(map(self._is_ranked, tensors[:1]))
        if names & _CHOOSING:
            return self._is_even(tensors) and self._are_unlike(tensors)
        if names & _STEPS:
            return self._is_cast(call) or self._are_settled(tensors)
        if names & _SHARP:
            return self._is_even(tensors)
        if all(_is_whole(self._model.value(each)) for each in tensors):
            return True
        return all(map(_is_told, names))

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
        if holder not in (Kind.METRIC, Kind.LOSS) or not call.args:
            return True
        is_method = holder is Kind.METRIC and isinstance(function, cst.Attribute)
        asked = cst.ensure_type(function, cst.Attribute).value if is_method else function
        made = self._makers(asked)
        names = [self._code.names(s) if isinstance(s, cst.Call) else frozenset() for s in made]
        given = [argument.value for argument in call.args]
        if all(each and each <= _EVEN - _STEPS for each in names):
            return True
        if holder is Kind.LOSS:
            return all(each and each <= _EVEN for each in names) and self._are_settled(given)
        if not self._are_settled(given):
            return False
        is_comparing = names and all(each and each <= _STEPS for each in names)
        return bool(is_comparing) or all(map(self._is_ranked, given))

    def _is_ranked(self, node: cst.BaseExpression) -> bool:
        """Whether the order of numbers is what a graph asks for: it drops increasing functions."""
        made = self._code.through(node)
        return made is not None and all(map(self._is_no_function, made))

    def _is_no_function(self, made: Expression) -> bool:
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            return isinstance(made.operator, (*_SUMS, *_PRODUCTS, *_MATRICES))
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if names:
                reduces = all(n not in behaviour.keeping_shape() and _is_told(n) for n in names)
                return names <= _SHARES or reduces
            if self._code.holder(made) in _LAYERED:
                ends = self._ends(made.func)
                return ends is not None and ends <= _SHARES
            return self._code.holder(made) in (Kind.TAPE, Kind.VARIABLE)
        return isinstance(made, (cst.Name, cst.Attribute, cst.BaseNumber, cst.Comparison))

    def _is_no_logarithm(self, made: Expression) -> bool:
        """Whether a logarithm of this is no function of its own: of one and more, or of shares."""
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            if not isinstance(made.operator, (cst.Add, cst.AddAssign)):
                return True
            constants = [side for side in sides_of(made) if self._is_constant(side)]
            return all(self._scale(side) for side in constants)
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if names:
                return not names & (_SHARES | _ADDING) and all(map(_is_told, names))
            if self._code.holder(made) in _LAYERED:
                ends = self._ends(made.func)
                return ends is not None and not ends & _SHARES and all(map(_is_told, ends))
            return self._code.holder(made) in _COMPUTING | {Kind.VARIABLE}
        return isinstance(made, (cst.Name, cst.Attribute, cst.BaseNumber))

    def _are_unlike(self, tensors: Sequence[cst.BaseExpression]) -> bool:
        """Whether neither of two tensors is a multiple of the other."""
        if any(self._scale(each) is not None for each in tensors):
            return True
        made = [self._code.through(each) for each in tensors]
        return all(each is not None and not any(map(self._may_be_multiple, each)) for each in made)

    def _may_be_multiple(self, made: Expression) -> bool:
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            return not isinstance(made.operator, _MATRICES)
        return isinstance(made, cst.UnaryOperation) or (
            isinstance(made, cst.Call)
            and bool(self._code.names(made) & (_ADDING | _MULTIPLYING | _DIVIDING))
        )

    def _compares(self, node: cst.BaseExpression) -> bool:
        made = self._code.through(node)
        return made is None or any(
            (isinstance(each, cst.Comparison) and self._model.value(each).kind in _TENSORS)
            or (isinstance(each, cst.Call) and bool(self._code.names(each) & _COMPARING))
            for each in made
        )

    def _is_constant(self, node: cst.BaseExpression) -> bool:
        """Whether a graph may know what a value is: all but what it is passed, reads or computes of
        such."""
        return self._code.settled(node, self._constants, True, self._is_constant_now)

    def _is_constant_now(self, node: cst.BaseExpression) -> bool:
        value = self._model.value(node)
        if value.has_constant or value.kind in PYTHON_SCALARS:
            return True
        sources = self._code.sources(node)
        return not sources or any(map(self._may_be_known, sources))

    def _may_be_known(self, source: Expression) -> bool:
        value = self._model.value(source) if isinstance(source, cst.BaseExpression) else None
        if value is not None and (value.has_constant or value.kind in PYTHON_SCALARS):
            return True
        if value is not None and value.kind is Kind.VARIABLE:
            return False
        if isinstance(source, cst.Name):
            if value is not None and _is_large(value):
                return False
            bindings = self._model.flow.reached(source).bindings
            is_passed = any(b.kind is BindingKind.PARAMETER for b in bindings)
            return not is_passed and source.value not in self._given
        if isinstance(source, cst.Call):
            if not self._code.names(source) or self._code.names(source) & _VALUE_FREE:
                return bool(self._code.names(source))
        return all(self._constants[id(part)] for part in self._code.parts(source))

    def _ends(self, layer: cst.BaseExpression) -> frozenset[str] | None:
        """The functions, of the activations that layers end in; None where one is not known."""
        made = makers(self._model.flow, layer)
        ends = [self._end(each) for each in made]
        known = [each for each in ends if each is not None]
        return frozenset().union(*known) if known and len(known) == len(ends) else None

    def _end(self, made: cst.BaseExpression) -> frozenset[str] | None:
        if not isinstance(made, cst.Call) or not made.args:
            return None
        names = self._code.names(made)
        first = made.args[0].value
        if isinstance(first, cst.List) and first.elements:
            return self._end(first.elements[-1].value)
        if self._model.value(made).kind is Kind.MODEL:
            return self._end_of_outputs(made)
        if not names & _WITH_WEIGHTS:
            return None
        ends: set[str] = set()
        for argument in made.args[1:] if made.args[0].keyword is None else made.args:
            constant = self._model.value(argument.value).constant
            is_named = argument.keyword is not None and argument.keyword.value != "activation"
            if is_named or constant in (None, "linear"):
                continue
            told = self._model.names.of(argument.value)
            ends |= told or {f"{_ACTIVATIONS}.{constant}"}
        return frozenset(ends)

    def _end_of_outputs(self, made: cst.Call) -> frozenset[str] | None:
        given = [a for a in made.args if a.keyword is not None and a.keyword.value == "outputs"]
        for argument in given or [a for a in made.args[1:2] if a.keyword is None]:
            sources = makers(self._model.flow, argument.value)
            calls = [source for source in sources if isinstance(source, cst.Call)]
            if len(calls) == 1 == len(sources):
                return self._ends(calls[0].func)
        return None


def _joined(standing: Standing) -> Standing:
    """The standing of what a graph computes in another order."""
    return Standing.SHIFTED if standing is Standing.SAME else standing


def _last_name(function: cst.BaseExpression) -> str:
    return function.attr.value if isinstance(function, cst.Attribute) else ""


def _is_whole(value: Value) -> bool:
    """Whether a value has no fraction: graphs compute with those as eager code does."""
    if value.kind in (Kind.INT, Kind.BOOL, Kind.STRING, Kind.NONE):
        return True
    is_float = value.dtype is None or value.dtype.startswith(("float", "bfloat", "complex", "half"))
    return value.kind in _TENSORS and not is_float


def _is_large(value: Value) -> bool:
    """Whether a tensor surely has more members than those that a graph holds as constants."""
    sizes = value.shape or ()
    return all(isinstance(size, int) for size in sizes) and prod(sizes) > _LARGEST


@cache
def _is_told(name: str) -> bool:
    """Whether the table says how a function goes with rounding."""
    words = behaviour.of(name).words
    return not words.isdisjoint(_TOLD)
