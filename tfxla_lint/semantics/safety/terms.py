"""What an expression is made of, as a graph sees it: sums, products, constants, and how large those are.

A graph joins them anew, as `arithmetic` says; a value stands here for whatever may have made it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from math import isfinite, log2, log10, prod
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape, Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.composition import Composition, Expression, sides_of
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import PYTHON_SCALARS, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

SUMS = (cst.Add, cst.Subtract, cst.AddAssign, cst.SubtractAssign)
PRODUCTS = (cst.Multiply, cst.MultiplyAssign)
QUOTIENTS = (cst.Divide, cst.DivideAssign)
MATRICES = (cst.MatrixMultiply, cst.MatrixMultiplyAssign)
POWERS = (cst.Power, cst.PowerAssign)
#: Products of so many powers of ten stay within all dtypes of floating-point numbers but the halves.
_MOST, _MOST_OF_HALVES = 18.0, 2.0
_HALVES = ("float16", "half")
#: Data that are so many powers of ten large, or small, are no tolerances.
_USUAL = 3.0
#: Powers that a graph computes as products, which they are.
_WHOLE_POWERS = (1, 2, 3)
#: So many members a tensor has at most that a graph takes for a constant.
_LARGEST = 128
_EXPONENTIALS = behaviour.names(Trait.EXPONENTIAL)
COMPARING = behaviour.names(Trait.TELLS_GREATER)
ADDING = behaviour.names(Trait.ADDS)
MULTIPLYING = behaviour.names(Trait.MULTIPLIES)
DIVIDING = behaviour.names(Trait.DIVIDES)
RAISING = behaviour.names(Trait.RAISES)
_SHARES = behaviour.names(Trait.GIVES_SHARES)
#: What no function of single numbers is: sums and products of many.
_SUMMING = behaviour.names(Shape.REDUCE) | behaviour.names(Trait.MIXES)
#: What makes of a sum the sum of what it makes of its terms, one by one.
_SPREADING = behaviour.names(Trait.LINEAR) - _SUMMING - ADDING
VALUE_FREE = behaviour.names(Trait.VALUE_FREE)
_WITH_WEIGHTS = behaviour.names(Trait.WITH_WEIGHTS)
LAYERED = (Kind.MODEL, Kind.LAYER)
#: The layers that multiply by matrices of their own.
_OF_WEIGHTS = re.compile(r"\.layers\.(Einsum)?(Dense|Conv\dD|Conv\dDTranspose)$")
#: Names and words by which weights begin as nothing drawn by chance.
_BEGINNING, _BEGUN = (
    re.compile("initializer|set_weights", re.IGNORECASE),
    re.compile("(identity|eye|ones?|zeros?|constant)$", re.IGNORECASE),
)
_ASSIGNING = behaviour.methods(behaviour.Effect.ASSIGNS, "variable")
#: What Keras and the tape compute is joined of so many numbers that none lies on a step.
COMPUTING = frozenset({*LAYERED, Kind.LOSS, Kind.METRIC, Kind.OPTIMIZER, Kind.SCHEDULE, Kind.TAPE})
TENSORS = (Kind.TENSOR, Kind.VARIABLE)
#: Where the activations stand that texts name.
_ACTIVATIONS = "tensorflow.keras.activations"


class Terms:
    """What the expressions are made of that are to be traced; `given` are the names that these are passed."""

    def __init__(self, model: Answers, code: Composition, given: frozenset[str]) -> None:
        self._model = model
        self._code = code
        self._given = given
        self._constants: dict[int, bool] = {}

    def is_regrouped(self, node: cst.BinaryOperation | cst.AugAssign) -> bool:
        """Whether sums of sums, products of products or sums of two products are computed."""
        made = [self._code.through(side) for side in sides_of(node)]
        if any(each is None for each in made):
            return True
        if isinstance(node.operator, PRODUCTS):
            return any(self._is_product(inner) for each in made for inner in each or ())
        is_of_products = all(any(map(self._is_product, each or ())) for each in made)
        inner = [not self._is_no_sum(inner) for each in made for inner in each or ()]
        return is_of_products or any(inner)

    def is_joined_product(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """Whether one side of a product may be a constant that a graph moves into the other."""
        for constant, other in ((left, right), (right, left)):
            if self.is_constant(constant) and not self.is_power_of_two(constant):
                made = self._code.through(other)
                if made is None or any(self._is_product(each) for each in made):
                    return True
        return False

    def is_power_of_two(self, node: cst.BaseExpression) -> bool:
        """Whether a value is a constant by which a product is exact."""
        constant = self._model.value(node).constant
        is_number = isinstance(constant, (int, float)) and constant and isfinite(constant)
        return bool(is_number) and log2(abs(constant)).is_integer()

    def is_known_sum(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """No constant is added to what is a sum, or less one an exponential, itself."""
        for constant, other in ((left, right), (right, left)):
            if self.is_constant(constant) and not self.is_no_sum_at_all(other):
                if not self.is_data(constant) or self._has_constant(other):
                    return False
        return True

    def is_no_sum_at_all(self, node: cst.BaseExpression) -> bool:
        """Whether nothing that a value may be made of is a sum, or an exponential."""
        made = self._code.through(node)
        return made is not None and all(map(self._is_no_sum, made))

    def _has_constant(self, node: cst.BaseExpression) -> bool:
        """Whether what a value is made of may have a constant for one of its sides."""
        made = self._code.through(node)
        return made is None or any(
            not isinstance(each, (cst.BinaryOperation, cst.AugAssign))
            or any(map(self.is_constant, sides_of(each)))
            for each in made
        )

    def is_data(self, node: cst.BaseExpression) -> bool:
        """Whether a constant is made of an array or a list: as large as what it is compared with."""
        sources = self._code.sources(node)
        made = [each for s in sources if isinstance(s, cst.Name) for each in self.makers(s)]
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

    def makers(self, node: cst.BaseExpression) -> Sequence[cst.BaseExpression | None]:
        """What makes a value; None where that is not known."""
        return makers(self._model.flow, node) or [None]

    def _is_no_sum(self, made: Expression) -> bool:
        if isinstance(made, cst.BaseExpression) and is_whole(self._model.value(made)):
            return True
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            return not isinstance(made.operator, SUMS)
        if isinstance(made, cst.UnaryOperation):
            return self.is_no_sum_at_all(made.expression)
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if names and names <= _SPREADING and made.args:
                return self.is_no_sum_at_all(made.args[0].value)
            if names:
                is_sum = bool(names & (ADDING | _EXPONENTIALS))
                return not is_sum and all(map(is_told, names))
            if self._code.holder(made) in LAYERED:
                ends = self._ends(made.func)
                return ends is not None and not ends & _EXPONENTIALS and all(map(is_told, ends))
            return self._code.holder(made) in COMPUTING | {Kind.VARIABLE}
        return isinstance(made, (cst.Name, cst.Attribute, cst.BaseNumber))

    def is_known_product(self, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
        """The constants that a graph multiplies first neither vanish nor leave the range."""
        for constant, other in ((left, right), (right, left)):
            if not self.is_constant(constant):
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
        return self._is_product(made) and any(map(self.is_constant, self._code.parts(made)))

    def _is_product(self, made: Expression) -> bool:
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if self._code.holder(made) in LAYERED:
                return self._ends(made.func) is None
            return bool(names & (MULTIPLYING | DIVIDING | RAISING)) or not all(map(is_told, names))
        return isinstance(made, (cst.BinaryOperation, cst.AugAssign)) and isinstance(
            made.operator, (*PRODUCTS, *QUOTIENTS, *POWERS)
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
        found = [self._scale(part) for part in parts if self.is_constant(part)]
        return sum(_MOST if scale is None else scale for scale in found)

    def is_quotient(self, node: cst.BaseExpression) -> bool:
        """Whether a value may be what something is divided by, perhaps of several."""
        made = self._code.through(node)
        return made is None or any(
            (
                isinstance(each, (cst.BinaryOperation, cst.AugAssign))
                and isinstance(each.operator, QUOTIENTS)
            )
            or (isinstance(each, cst.Call) and bool(self._code.names(each) & DIVIDING))
            for each in made
        )

    def is_blended(self, layer: cst.BaseExpression) -> bool:
        """Whether a layer or model multiplies by weights of its own, which begin as they do by default: what
        is made of many numbers by them lies on no step but by chance."""
        made = makers(self._model.flow, layer)
        every = [
            any(map(self._is_product_of_weights, walk(each))) for each in made if each is not None
        ]
        return bool(every) and all(every) and not self._model.ask(_sets_weights)

    def _is_product_of_weights(self, node: cst.CSTNode) -> bool:
        names = self._code.names(node) if isinstance(node, cst.Call) else frozenset()
        return any(_OF_WEIGHTS.search(name) for name in names)

    def is_known_power(self, exponent: cst.BaseExpression) -> bool:
        """Whether a graph computes a power as the product that it is."""
        return self._model.value(exponent).constant in _WHOLE_POWERS

    def is_ranked(self, node: cst.BaseExpression) -> bool:
        """Whether the order of numbers is what a graph asks for: it drops increasing functions."""
        made = self._code.through(node)
        return made is not None and all(map(self._is_no_function, made))

    def _is_no_function(self, made: Expression) -> bool:
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            return isinstance(made.operator, (*SUMS, *PRODUCTS, *MATRICES))
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if names:
                return names <= _SHARES or names <= _SUMMING | VALUE_FREE
            if self._code.holder(made) in LAYERED:
                ends = self._ends(made.func)
                return ends is not None and ends <= _SHARES
            return self._code.holder(made) in (Kind.TAPE, Kind.VARIABLE)
        return isinstance(made, (cst.Name, cst.Attribute, cst.BaseNumber, cst.Comparison))

    def is_no_logarithm(self, made: Expression) -> bool:
        """Whether a logarithm of this is no function of its own: of one and more, or of shares."""
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            if not isinstance(made.operator, (cst.Add, cst.AddAssign)):
                return True
            constants = [side for side in sides_of(made) if self.is_constant(side)]
            return all(self._scale(side) for side in constants)
        if isinstance(made, cst.Call):
            names = self._code.names(made)
            if names:
                return not names & (_SHARES | ADDING) and all(map(is_told, names))
            if self._code.holder(made) in LAYERED:
                ends = self._ends(made.func)
                return ends is not None and not ends & _SHARES and all(map(is_told, ends))
            return self._code.holder(made) in COMPUTING | {Kind.VARIABLE}
        return isinstance(made, (cst.Name, cst.Attribute, cst.BaseNumber))

    def are_unlike(self, tensors: Sequence[cst.BaseExpression]) -> bool:
        """Whether neither of two tensors is a multiple of the other."""
        if any(self._scale(each) is not None for each in tensors):
            return True
        made = [self._code.through(each) for each in tensors]
        return all(each is not None and not any(map(self._may_be_multiple, each)) for each in made)

    def _may_be_multiple(self, made: Expression) -> bool:
        if isinstance(made, (cst.BinaryOperation, cst.AugAssign)):
            return not isinstance(made.operator, MATRICES)
        if isinstance(made, cst.Call) and self._code.holder(made) in LAYERED:
            return self._ends(made.func) is None
        return isinstance(made, cst.UnaryOperation) or (
            isinstance(made, cst.Call)
            and bool(self._code.names(made) & (ADDING | MULTIPLYING | DIVIDING))
        )

    def compares(self, node: cst.BaseExpression) -> bool:
        """Whether a value may be what a comparison of tensors gives."""
        made = self._code.through(node)
        return made is None or any(
            (isinstance(each, cst.Comparison) and self._model.value(each).kind in TENSORS)
            or (isinstance(each, cst.Call) and bool(self._code.names(each) & COMPARING))
            for each in made
        )

    def is_constant(self, node: cst.BaseExpression) -> bool:
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
            if not self._code.names(source) or self._code.names(source) & VALUE_FREE:
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


def _sets_weights(model: Answers) -> bool:
    """Whether any code says how weights begin, or sets those of a layer."""
    asked = (node.attr.value for node in model.everywhere(cst.Attribute))
    named = (node.value for node in model.everywhere(cst.Name))
    passed = (node.keyword.value for node in model.everywhere(cst.Arg) if node.keyword is not None)
    if any(map(_BEGINNING.search, chain(asked, named, passed))):
        return True
    if any(_BEGUN.match(text.value.strip("\"'")) for text in model.everywhere(cst.SimpleString)):
        return True
    calls = (call.func for call in model.everywhere(cst.Call))
    return any(
        isinstance(function, cst.Attribute)
        and function.attr.value in _ASSIGNING
        and not _is_own_variable(model, function.value)
        for function in calls
    )


def _is_own_variable(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether what is assigned to is surely a variable that the program makes, and no layer."""
    made = makers(model.flow, node)
    own = (isinstance(each, cst.Call) and bool(model.names.of(each.func)) for each in made)
    return bool(made) and all(own)


def is_whole(value: Value) -> bool:
    """Whether a value has no fraction: graphs compute with those as eager code does."""
    if value.kind in (Kind.INT, Kind.BOOL, Kind.STRING, Kind.NONE):
        return True
    is_float = value.dtype is None or value.dtype.startswith(("float", "bfloat", "complex", "half"))
    return value.kind in TENSORS and not is_float


def _is_large(value: Value) -> bool:
    """Whether a tensor surely has more members than those that a graph holds as constants."""
    sizes = value.shape or ()
    return all(isinstance(size, int) for size in sizes) and prod(sizes) > _LARGEST


@cache
def is_told(name: str) -> bool:
    """Whether the table says how a function goes with rounding."""
    words = behaviour.of(name).words
    return not words.isdisjoint(behaviour.OF_ARITHMETIC)
