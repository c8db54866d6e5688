"""NaNs that XLA loses, and integer divisions by zero that it lets pass, in compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.data_sources import compiled_source
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through, makers
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.guards import tests_around
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.xla.dynamic_shapes import dynamic_size, is_mask

_TF = "tensorflow."
_EXTREMES = frozenset(
    _TF + prefix + name for prefix in ("", "math.") for name in ("reduce_max", "reduce_min")
)
_ORDERING = frozenset({_TF + "argmin", _TF + "math.argmin", _TF + "sort", _TF + "argsort"})
_TESTING = frozenset(
    _TF + name
    for name in ("math.is_nan", "math.is_finite", "debugging.check_numerics",
                 "debugging.assert_all_finite")
)  # fmt: skip
_ELEMENTWISE = frozenset(
    _TF + name
    for name in ("abs", "square", "sqrt", "exp", "tanh", "sin", "cos", "negative", "identity",
                 "reshape", "transpose", "expand_dims", "concat", "stack", "math.log")
)  # fmt: skip
_NANS = frozenset({"numpy.nan", "numpy.NaN", "numpy.NAN", "math.nan"})
_COUNTS = frozenset({_TF + "math.count_nonzero"})
_SUMS = frozenset({_TF + "reduce_sum", _TF + "math.reduce_sum"})


@dataclass(frozen=True, slots=True)
class LostError:
    """A node that behaves otherwise under XLA; `proof` is what makes the case possible."""

    node: cst.BaseExpression
    proof: cst.BaseExpression
    message: str
    remark: str


def lost_errors(model: SemanticModel, unit: Unit) -> Iterator[LostError]:
    """The reductions, sorts, casts and divisions of a compiled unit that hide what went wrong."""
    for node in unit.nodes(into_scopes=False):
        found = None
        if isinstance(node, cst.Call):
            found = _call(model, unit, node)
        elif isinstance(node, cst.BinaryOperation):
            found = _division(model, node)
        if found is not None and surely_runs(model, node):
            yield found


def _call(model: SemanticModel, unit: Unit, node: cst.Call) -> LostError | None:
    name = model.names.one(node.func) or ""
    given = node.args[0].value if node.args and not node.args[0].star else None
    if given is None:
        return None
    shown = "tf." + name.removeprefix(_TF)
    if name in _EXTREMES:
        message = f"under XLA `{shown}` passes over NaN"
        tested = _tested(model, unit, node)
        if tested is not None:
            return LostError(node, tested, message, "a NaN is looked for here")
        return _holding_nan(model, node, given, message)
    if name in _ORDERING:
        message = f"under XLA `{shown}` puts NaN elsewhere"
        return _holding_nan(model, node, given, message)
    if name == _TF + "cast" and _is_integer(model, argument(node, "dtype", 1)):
        message = "under XLA the cast of NaN to an integer gives 0, not the smallest integer"
        return _holding_nan(model, node, given, message)
    return None


def _is_integer(model: SemanticModel, dtype: cst.BaseExpression | None) -> bool:
    name = (model.names.one(dtype) or "").rpartition(".")[2] if dtype is not None else ""
    return name.startswith("int")


def _holding_nan(
    model: SemanticModel, node: cst.Call, given: cst.BaseExpression, message: str
) -> LostError | None:
    nan = _nan_in(model, given)
    return LostError(node, nan, message, "the NaN comes from here") if nan is not None else None


def _tested(model: SemanticModel, unit: Unit, node: cst.Call) -> cst.Call | None:
    """The call that asks whether a result is NaN or finite, directly or by its name."""
    for call in unit.own(cst.Call):
        if model.names.one(call.func) not in _TESTING:
            continue
        given = call.args[0].value if call.args else None
        if given is node or (given is not None and makers(model.flow, given) == [node]):
            return call
    return None


def _nan_in(model: SemanticModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The literal NaN that surely can be among the members of an expression."""

    def judge(made: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        if isinstance(made, cst.BaseExpression) and _is_nan(model, made):
            return made
        if isinstance(made, cst.BinaryOperation):
            return question.any([made.left, made.right])
        if isinstance(made, cst.UnaryOperation):
            return question.of(made.expression)
        if isinstance(made, (cst.List, cst.Tuple)) and not path:
            return question.any([element.value for element in made.elements])
        if not isinstance(made, cst.Call):
            return THROUGH
        name = model.names.one(made.func)
        plain = [a.value for a in made.args if not a.star]
        if name == _TF + "where" and len(plain) == 3:
            return literal.any(plain[1:])
        return question.any(plain[:1]) if name in _ELEMENTWISE else None

    def written(made: cst.CSTNode, path: Path) -> cst.BaseExpression | Look:
        return made if isinstance(made, cst.BaseExpression) and _is_nan(model, made) else THROUGH

    literal = Origins(model.flow, Through(), written)
    question = Origins(model.flow, Through(), judge)
    return question.of(node)


def _is_nan(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression writes NaN out."""
    if model.names.one(node) in _NANS:
        return True
    if isinstance(node, cst.Call) and node.args:
        if model.names.one(node.func) == "builtins.float":
            word = model.value(node.args[0].value).constant
            return isinstance(word, str) and word.lower() == "nan"
        if model.names.one(node.func) == _TF + "constant":
            return _is_nan(model, node.args[0].value)
    return False


def _division(model: SemanticModel, node: cst.BinaryOperation) -> LostError | None:
    """`a // n` and `a % n` where `n` counts something that there may be none of."""
    if not isinstance(node.operator, (cst.FloorDivide, cst.Modulo)):
        return None
    counted = _count(model, node.right)
    if counted is None or any(tests_around(model, node)):
        return None
    message = "under XLA an integer division by zero gives a number and raises no error"
    return LostError(node, counted, message, "zero where there is nothing to count")


def _count(model: SemanticModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The expression that counts how many members of a tensor are true."""

    def judge(made: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        return _counting(model, made) if isinstance(made, (cst.Call, cst.Subscript)) else THROUGH

    return Origins(model.flow, Through(), judge).of(node)


def _counting(model: SemanticModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    if dynamic_size(model, node) is not None:
        return node
    if not isinstance(node, cst.Call) or not node.args:
        return None
    name = model.names.one(node.func)
    given = node.args[0].value
    if name in _COUNTS:
        return node if compiled_source(model, given) is not None else None
    if name in _SUMS and isinstance(given, cst.Call):
        is_cast = model.names.one(given.func) == _TF + "cast" and len(given.args) == 2
        if is_cast and _is_integer(model, given.args[1].value):
            mask = given.args[0].value
            if is_mask(model, mask) and compiled_source(model, mask) is not None:
                return node
    return None
