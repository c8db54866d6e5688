"""Makes wrong rewrites out of right ones: operators that are applied at a place drawn by a seed."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tfxla_lint.verify.bounds import REACHED

Change = Callable[[], object]
#: Yields, for a tree, the changes that an operator could make in it.
Operator = Callable[[ast.Module], Iterator[Change]]

_UPDATES = ("apply_gradients", "assign", "assign_add", "assign_sub", "update_state")
_REDUCTIONS = {"reduce_mean": "reduce_sum", "reduce_sum": "reduce_mean", "reduce_max": "reduce_min"}


@dataclass(frozen=True)
class Mutant:
    """A wrong rewrite: the operator's name, the seed, and the text."""

    operator: str
    seed: int
    text: str


def drop_update(tree: ast.Module) -> Iterator[Change]:
    """A statement that updates state is lost."""
    for body, index, node in _statements(tree):
        if _is_call(node, _UPDATES) and len(body) > 1:
            yield partial(body.__setitem__, index, ast.Pass())


def repeat_update(tree: ast.Module) -> Iterator[Change]:
    """A statement that updates state is done twice."""
    for body, index, node in _statements(tree):
        if _is_call(node, ("apply_gradients", "assign_add", "assign_sub", "update_state")):
            yield partial(body.insert, index, copy.deepcopy(node))


def swap_operands(tree: ast.Module) -> Iterator[Change]:
    """The operands of a subtraction or division change places."""
    for node in _traced(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Div)):

            def change(node: ast.BinOp = node) -> None:
                node.left, node.right = node.right, node.left

            yield change


def other_operator(tree: ast.Module) -> Iterator[Change]:
    """A sum becomes a difference."""
    for node in _traced(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield partial(setattr, node, "op", ast.Sub())


def scale_constant(tree: ast.Module) -> Iterator[Change]:
    """A float is a tenth larger."""
    for node in _traced(tree):
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value > 1e-4:
            yield partial(setattr, node, "value", node.value * 1.1)


def other_axis(tree: ast.Module) -> Iterator[Change]:
    """A reduction runs over another axis."""
    for node in _traced(tree):
        if isinstance(node, ast.keyword) and node.arg == "axis":
            value = node.value
            if isinstance(value, ast.Constant) and value.value in (0, 1):
                yield partial(setattr, value, "value", 0 if value.value else 1)


def other_reduction(tree: ast.Module) -> Iterator[Change]:
    """A mean becomes a sum."""
    for node in _traced(tree):
        if isinstance(node, ast.Attribute) and node.attr in _REDUCTIONS:
            yield partial(setattr, node, "attr", _REDUCTIONS[node.attr])


def flip_training(tree: ast.Module) -> Iterator[Change]:
    """A model runs in the other mode."""
    for node in _traced(tree):
        if isinstance(node, ast.keyword) and node.arg == "training":
            value = node.value
            if isinstance(value, ast.Constant):
                yield partial(setattr, value, "value", not value.value)


def short_float(tree: ast.Module) -> Iterator[Change]:
    """A value that a function returns goes through a short float."""
    for node in _traced(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):

            def change(node: ast.Return = node) -> None:
                name = ast.unparse(node.value) if node.value is not None else ""
                text = f"tf.cast(tf.cast({name}, tf.bfloat16), {name}.dtype)"
                node.value = ast.parse(text, mode="eval").body

            yield change


def freeze_random(tree: ast.Module) -> Iterator[Change]:
    """A random number is drawn once and then stays the same."""
    for node in _traced(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("tf.random."):

            def change(node: ast.Call = node) -> None:
                node.func = ast.parse("tf.zeros", mode="eval").body
                node.args, node.keywords = (
                    node.args[:1],
                    [k for k in node.keywords if k.arg == "shape"],
                )

            yield change


def drop_clipping(tree: ast.Module) -> Iterator[Change]:
    """A clipped or averaged value is the plain one again."""
    for node in _traced(tree):
        if isinstance(node, ast.Call) and "clip" in ast.unparse(node.func) and node.args:

            def change(node: ast.Call = node) -> None:
                node.func = ast.parse("(lambda value, *rest: value)", mode="eval").body

            if "global" not in ast.unparse(node.func):
                yield change


def lose_last_batch(tree: ast.Module) -> Iterator[Change]:
    """The last, smaller batch is left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "batch" and not node.keywords:
                keyword = ast.keyword("drop_remainder", ast.Constant(True))
                yield partial(node.keywords.append, keyword)


OPERATORS: dict[str, Operator] = {
    function.__name__.replace("_", "-"): function
    for function in (
        drop_update,
        repeat_update,
        swap_operands,
        other_operator,
        scale_constant,
        other_axis,
        other_reduction,
        flip_training,
        short_float,
        freeze_random,
        drop_clipping,
        lose_last_batch,
    )
}


def mutants(text: str, seed: int, count: int) -> list[Mutant]:
    """Up to `count` mutants of a text, each by another operator; the same for the same seed."""
    draw = random.Random(seed)
    names = list(OPERATORS)
    draw.shuffle(names)
    found: list[Mutant] = []
    for name in names:
        tree = ast.parse(text)
        places = list(OPERATORS[name](tree))
        if not places or len(found) == count:
            continue
        draw.choice(places)()
        new = ast.unparse(ast.fix_missing_locations(tree))
        if new != ast.unparse(ast.parse(text)):
            found.append(Mutant(name, seed, new))
    return found


def _statements(tree: ast.Module) -> Iterator[tuple[list[ast.stmt], int, ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                for index, statement in enumerate(body):
                    yield body, index, statement


def _is_call(node: ast.stmt, methods: tuple[str, ...]) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    return isinstance(function, ast.Attribute) and function.attr in methods


def _traced(tree: ast.Module) -> Iterator[ast.AST]:
    """The code of the functions that are decorated with tf.function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            if any("function" in ast.unparse(d) for d in node.decorator_list):
                for statement in node.body:
                    yield from ast.walk(statement)


class _Plain(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.args[1] if ast.unparse(node.func) == REACHED else node


def plain(expression: str) -> str:
    """What is put in the place of an operation with a bound, without the watch on it."""
    return ast.unparse(_Plain().visit(ast.parse(expression, mode="eval")))
