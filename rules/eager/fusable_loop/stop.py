"""Conditions on what a step gives that end a loop early: `if loss < 1e-3: break`.

The function that runs several steps asks them as well, and stops where one holds; the loop has the last
word. So what is asked in the graph may hold a little more often than what Python asks, never less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.values import NUMBERS, Kind

#: Comparisons that a number equal to the other one does not pass: rounded to the tensor's dtype, the
#: other one may be just that.
_STRICT = (cst.LessThan, cst.GreaterThan)
_OPEN = (cst.LessThanEqual, cst.GreaterThanEqual)
Asked: TypeAlias = "Callable[[Mapping[str, str]], str]"
_LEAVING = (cst.Break, cst.Continue, cst.Return, cst.Raise)


@dataclass(frozen=True)
class Stop:
    """The statement that ends the loop, where its test holds of what a step gave.

    `asked` spells the test for the graph; `uses` are the functions of TensorFlow in that. It may hold
    a little more often than the test itself, unless that `is_exact`.
    """

    statement: cst.If
    asked: Asked
    uses: frozenset[str] = frozenset()
    is_exact: bool = True


def leaves_early(statement: cst.CSTNode) -> bool:
    """Whether something in a statement ends the turn, or the loop."""
    return any(True for _ in leaving_in(statement))


def leaving_in(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What ends the turn, or the loop, in a piece of code."""
    return (n for n in walk(node, into_scopes=False) if isinstance(n, _LEAVING))


def stop_of(
    model: SemanticModel, loop: cst.For, after: Sequence[Statement], results: Collection[str]
) -> Stop | None:
    """The one statement behind a step that leaves its loop, as soon as its results are so."""
    leaving = [s for s in after if leaves_early(s)]
    if len(leaving) != 1:
        return None
    (found,) = leaving
    if not isinstance(found, cst.If) or found.orelse is not None:
        return None
    *others, last = found.body.body
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    if not isinstance(small, (cst.Break, cst.Return, cst.Raise)) or any(map(leaves_early, others)):
        return None
    return _Asking(model, loop, set(results)).stop(found)


class _Asking:
    """Asks in the graph what a test asks."""

    def __init__(self, model: SemanticModel, loop: cst.For, results: set[str]) -> None:
        self._model = model
        self._results = results
        self._uses: set[str] = set()
        self._is_exact = True
        around = model.loops.around(loop, model.unit(loop))
        self._rebound = bound_names([*around, loop])

    def stop(self, statement: cst.If) -> Stop | None:
        """The statement as one that ends the loop, if the graph can ask its test."""
        asked = self._asked(statement.test)
        if asked is None:
            return None
        return Stop(statement, asked, frozenset(self._uses), self._is_exact)

    def _asked(self, test: cst.BaseExpression) -> Asked | None:
        if isinstance(test, cst.BooleanOperation):
            first, second = self._asked(test.left), self._asked(test.right)
            if first is None or second is None:
                return None
            word = self._model.code(test.operator)
            left, right = "(" * len(test.lpar), ")" * len(test.rpar)
            return lambda tf: f"{left}{first(tf)}{word}{second(tf)}{right}"
        inner = test
        while isinstance(inner, cst.UnaryOperation) and isinstance(inner.operator, cst.Not):
            inner = inner.expression
        if self._is_asked_of_tensors(inner):
            text = self._model.code(test)
            return lambda _: text
        return self._of_number(test)

    def _is_asked_of_tensors(self, node: cst.BaseExpression) -> bool:
        """Whether an expression computes a truth of the results, by TensorFlow alone."""
        value = self._model.value(node)
        if not value.is_tensor or value.maybe_none or value.by_use or value.shape not in (None, ()):
            return False
        inside = list(walk(node))
        names = {n.value for n in inside if isinstance(n, cst.Name)}
        if not names & self._results or names & (self._rebound - self._results):
            return False
        calls = [n for n in inside if isinstance(n, cst.Call)]
        called = [self._model.names.of(call.func) for call in calls]
        return all(each and all(map(api.is_op, each)) for each in called)

    def _of_number(self, test: cst.BaseExpression) -> Asked | None:
        """`float(loss) < 1e-3`, `loss.numpy() < limit`: Python compares with all its digits, or NumPy
        with those of the tensor."""
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return None
        compared = test.comparisons[0]
        sides = (test.left, compared.comparator)
        read = [self._read(side) for side in sides]
        fixed = [self._is_fixed(side) for side in sides]
        place = next((i for i in (0, 1) if read[i] is not None and fixed[1 - i]), None)
        if place is None or not isinstance(compared.operator, (*_STRICT, *_OPEN)):
            return None
        is_float = not isinstance(cst.ensure_type(sides[place], cst.Call).func, cst.Attribute)
        is_cast = is_float or isinstance(compared.operator, _STRICT)
        self._is_exact = self._is_exact and is_float
        self._uses |= {"cast", "float64"} if is_cast else set()
        texts = [self._model.code(side) for side in sides]
        sign = self._model.code(compared.operator)

        def asked(tf: Mapping[str, str]) -> str:
            name = read[place] or ""
            text = f"{tf['cast']}({name}, {tf['float64']})" if is_cast else name
            return sign.join([text, texts[1]] if place == 0 else [texts[0], text])

        return asked

    def _read(self, node: cst.BaseExpression) -> str | None:
        """The result that is read as a number: `float(loss)`, `loss.numpy()`."""
        if not isinstance(node, cst.Call):
            return None
        name: cst.BaseExpression | None = None
        if isinstance(node.func, cst.Attribute) and not node.args:
            name = node.func.value if node.func.attr.value == "numpy" else None
        elif self._model.names.one(node.func) == "builtins.float" and len(node.args) == 1:
            name = node.args[0].value
        if not isinstance(name, cst.Name) or name.value not in self._results:
            return None
        value = self._model.value(name)
        is_float = value.kind is Kind.TENSOR and (value.dtype or "float").startswith("float")
        return name.value if is_float and value.shape in (None, ()) else None

    def _is_fixed(self, node: cst.BaseExpression) -> bool:
        """Whether this is one and the same number on all turns of all loops around."""
        if isinstance(node, cst.UnaryOperation):
            return self._is_fixed(node.expression)
        if isinstance(node, (cst.Integer, cst.Float)):
            return True
        is_name = isinstance(node, cst.Name) and node.value not in self._rebound
        return is_name and self._model.value(node).kind in NUMBERS
