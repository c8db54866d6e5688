"""What inputs have to reach where two versions compare, or take means, in other ways: ties, uneven parts.

That `>` took the place of `>=` shows only where two values are equal, and that the mean of means took the
place of one mean only where the parts are not of one size. So such operations are watched in a run of the
version that has them: a comparison decides the other way where both sides of it are equal.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.bounds import KEPT, Without, is_of, put, said, watched, without_owners
from tfxla_lint.verify.inside import blocks_of, head_of
from tfxla_lint.verify.ran import is_update
from tfxla_lint.verify.trees import FUNCTIONS, Tree, attributes_in, bound_names, names_read, root_of
from tfxla_lint.verify.uses import number_of

#: What the worker lends for it: compares, and the other way where both are equal; notes the size.
TIE, SIZE = "__txl_tie__", "__txl_size__"
_STRICT = (ast.Gt, ast.Lt)
_BY_SIZE = (*_STRICT, ast.GtE, ast.LtE)
#: What stands in these may run many times.
_TURNED = (ast.For, ast.While, ast.Lambda, ast.ListComp, ast.GeneratorExp, *FUNCTIONS)
_NO_TIES = "no two values were seen to be equal that {} compares"
_NO_FALSE = "nothing was seen of where {} is not so"
_NO_PART = "nothing was seen that hangs on {}"
_NO_END = "nothing was seen to fail that {} follows"
_NO_REST = "nothing was seen that {} leaves out"
_NO_SIZES = "all parts that {} takes the mean of were seen to be of one size"


class _Compared(NamedTuple):
    """A comparison by size of two values, which may be a part of a longer one: whether it is false of what is
    equal, and what the whole becomes."""

    node: ast.expr
    part: ast.expr
    is_strict: bool
    instead: ast.expr


def watched_versions(
    sides: tuple[Tree, Tree], statements: tuple[dict[str, list[ast.stmt]], ...]
) -> Iterator[Without]:
    """The versions in which such operations are watched; `statements` changed, by unit, on both sides."""
    for unit in {**statements[0], **statements[1]}:
        own = [_once(statements[side].get(unit, ())) for side in (0, 1)]
        yield from _ties(unit, sides, own)
        yield from _means(unit, sides, own)
        yield from _conditions(unit, sides, own)
        yield from _joined(unit, sides, own)
        yield from _slices(unit, sides, own)
        yield from _endings(unit, sides)
        yield from _freed(unit, sides)


def _once(statements: Iterable[ast.stmt]) -> list[ast.AST]:
    """All nodes of some statements, of which some stand in others."""
    return list({id(node): node for s in statements for node in ast.walk(s)}.values())


def _ties(unit: str, sides: tuple[Tree, Tree], own: list[list[ast.AST]]) -> Iterator[Without]:
    """Comparisons of which one version has more that are strict, and the other more that are not.

    What asks for the place of the greatest decides between equals, too, and what asks between which edges
    values lie does in the place of any comparison.
    """
    every = [list(_compared(nodes)) for nodes in own]
    rows = [_without_like(every[side], every[1 - side]) for side in (0, 1)]
    counts = [Counter(row.is_strict for row in side) for side in rows]
    places, bins = (
        [sum(isinstance(n, ast.Call) and is_of(n, trait) for n in nodes) for nodes in own]
        for trait in (Trait.OPEN_TIES, Trait.BINS)
    )
    for side in (0, 1):
        mine, theirs = counts[side], counts[1 - side]
        # That it compares a bound as the other does somewhere else says nothing of where it does not.
        others = {key for row in every[1 - side] for key in _splits(row.part, True)}
        for row in rows[side]:
            is_more = mine[row.is_strict] > theirs[row.is_strict]
            is_other = theirs[not row.is_strict] > mine[not row.is_strict]
            in_place = any(n[1 - side] > n[side] for n in (places, bins))
            if (is_more and (is_other or in_place)) or others & {*_splits(row.part)}:
                pairs = [(row.node, row.instead)]
                yield _put_in(side, unit, sides[side], pairs, _NO_TIES, row.part)


def _without_like(rows: Iterable[_Compared], others: Iterable[_Compared]) -> list[_Compared]:
    """The comparisons but those of which the other version has the like, or just what is so otherwise."""
    left = Counter(key for other in others for key in _splits(other.part))
    kept = []
    for row in rows:
        key = next((key for key in _splits(row.part) if left[key] > 0), None)
        if key is None:
            kept.append(row)
        else:
            left[key] -= 1
    return kept


def _splits(node: ast.expr, is_turned: bool = False) -> list[str]:
    """What values a comparison takes apart, seen from either of its sides: with which of them go those that
    are equal, or not. So `x >= 0` does the same as `x < 0`, and as `0 <= x`.
    """
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return []
    with_greater = isinstance(node.ops[0], (ast.GtE, ast.Lt)) is not is_turned
    sides = (node.comparators[0], with_greater), (node.left, not with_greater)
    return [f"{ast.dump(side)} {is_so}" for side, is_so in sides]


def _compared(nodes: Iterable[ast.AST]) -> Iterator[_Compared]:
    for node in nodes:
        if isinstance(node, ast.Compare) and all(isinstance(op, _BY_SIZE) for op in node.ops):
            terms = [node.left, *node.comparators]
            parts: list[ast.expr] = [
                ast.copy_location(ast.Compare(terms[place], [op], [terms[place + 1]]), node)
                for place, op in enumerate(node.ops)
            ]
            for place, op in enumerate(node.ops):
                tie = _tie(terms[place], _function_of(op), terms[place + 1])
                calls = [*parts[:place], tie, *parts[place + 1 :]]
                instead = tie if len(calls) == 1 else ast.BoolOp(ast.And(), calls)
                yield _Compared(node, parts[place], isinstance(op, _STRICT), instead)
        elif isinstance(node, ast.Call) and is_of(node, Trait.TELLS_GREATER):
            if len(node.args) >= 2:
                last = ast.unparse(node.func).rpartition(".")[2]
                how = last[0] + ("e" if last.endswith("equal") else "t")
                instead = _tie(node.args[0], how, node.args[1])
                yield _Compared(node, node, not last.endswith("equal"), instead)


def _function_of(comparing: ast.cmpop) -> str:
    """What the module `operator` calls it: `ge` for `GtE`."""
    name = type(comparing).__name__.lower()
    return name[0] + name[-1]


def _tie(left: ast.expr, how: str, right: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(TIE, ast.Load()), [left, ast.Constant(how), right], [])


def _means(unit: str, sides: tuple[Tree, Tree], own: list[list[ast.AST]]) -> Iterator[Without]:
    """Means that one version has more of, where it has several: one may be taken of the others."""
    calls = [[n for n in s if isinstance(n, ast.Call) and is_of(n, Trait.AVERAGES)] for s in own]
    # What is asked for twice is one mean.
    counts = [len({ast.dump(call) for call in side}) for side in calls]
    for side in (0, 1):
        code = sides[side].functions.get(unit) or sides[side].module
        is_more = counts[side] > max(1, counts[1 - side])
        if is_more and _are_of_each_other(code, calls[side], sides[side].modules):
            pairs: list[tuple[ast.expr, ast.expr]] = []
            for place, call in enumerate(calls[side]):
                over = call.args[0] if call.args else getattr(call.func, "value", None)
                if over is not None and not isinstance(over, ast.Starred):
                    noted = [over, ast.Constant(place)]
                    pairs.append((over, ast.Call(ast.Name(SIZE, ast.Load()), noted, [])))
            if pairs:
                yield _put_in(side, unit, sides[side], pairs, _NO_SIZES, calls[side][-1])


def _are_of_each_other(code: ast.AST, means: list[ast.Call], modules: set[str]) -> bool:
    """Whether one of several means may be taken of the others: it is made of one, or one is made many times."""
    known, nodes = set(map(id, means)), list(ast.walk(code))
    turned = [n for n in nodes if isinstance(n, _TURNED) and n is not code and not _is_written(n)]
    inside = {id(part) for node in turned for part in ast.walk(node)}
    return bool(known & inside) or any(
        known & set(map(id, _made_of(call, nodes, modules))) - {id(call)} for call in means
    )


def _is_written(node: ast.AST) -> bool:
    """Whether a loop goes through numbers that are written out, none of them whole: those are no sizes."""
    over = node.iter if isinstance(node, ast.For) else None
    return isinstance(over, (ast.Tuple, ast.List)) and all(
        type(number_of(part)) is float for part in over.elts
    )


def _made_of(node: ast.AST, nodes: list[ast.AST], modules: set[str]) -> Iterator[ast.AST]:
    """All that is in a node, and in what the names in it are bound to, or called on, but for modules."""
    pending, seen = [node], set(modules)
    stores = [
        n for n in nodes if isinstance(n, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Call))
    ]
    while pending:
        for part in ast.walk(pending.pop()):
            yield part
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                pending += [s for s in stores if part.id in {*bound_names([s]), *root_of(s)}]


def _conditions(unit: str, sides: tuple[Tree, Tree], own: list[list[ast.AST]]) -> Iterator[Without]:
    """What the original does on a condition only, where the other version has fewer of them.

    Where there is something else to do, the lines of that have to run anyway.
    """
    every = list(ast.walk(sides[1].module))
    known = {ast.unparse(test) for node in every for test in _tests(node)}
    # Lines of both its outcomes have to run, or values of both.
    known |= {ast.unparse(n.test) for n in every if isinstance(n, (ast.If, ast.IfExp))}
    # Or it is asked for all the same, and handed on.
    known |= {ast.unparse(n) for n in every if isinstance(n, (ast.Compare, ast.BoolOp))}
    tests = [[test for node in nodes for test in _tests(node)] for nodes in own]
    for test in tests[0] if len(tests[0]) > len(tests[1]) else ():
        if ast.unparse(test) not in known:
            # Where it was not so, and all is the same to the last bit, nothing hangs on it.
            instead = watched(test, ast.Constant(True))
            yield _put_in(0, unit, sides[0], [(test, instead)], _NO_FALSE, test)


def _joined(unit: str, sides: tuple[Tree, Tree], own: list[list[ast.AST]]) -> Iterator[Without]:
    """What the original joins by "and" or "or", where the other version joins less: each part of it."""
    calls = [n.args for n in ast.walk(sides[1].module) if isinstance(n, ast.Call)]
    joined = [set(map(ast.unparse, args)) for args in calls if len(args) > 1]
    rows = [[list(_truths(node)) for node in nodes] for nodes in own]
    # A function that is given all of them may join them, too.
    rows[0] = [r for r in rows[0] if not any({ast.unparse(p) for p, _ in r} <= j for j in joined)]
    parts = [[row for found in side for row in found] for side in rows]
    if len(parts[0]) > len(parts[1]):
        known = {
            ast.unparse(part) for node in ast.walk(sides[1].module) for part, _ in _truths(node)
        }
        for part, joining in parts[0]:
            if ast.unparse(part) not in known:
                neutral = ast.Constant(isinstance(joining, (ast.And, ast.BitAnd)))
                yield _put_in(0, unit, sides[0], [(part, neutral)], _NO_PART, part)


def _slices(unit: str, sides: tuple[Tree, Tree], own: list[list[ast.AST]]) -> Iterator[Without]:
    """Parts that one version takes of something, and the other does not: they may be all of it."""
    for side in (0, 1):
        others = {ast.dump(without_owners(n)) for n in _parts_in(ast.walk(sides[1 - side].module))}
        # A call whose result nobody takes makes variables, of any part.
        calls = (n for n in own[side] if isinstance(n, ast.Expr) and not is_update(n.value))
        left = {id(part) for call in calls for part in ast.walk(call)}
        for node in _parts_in(n for n in own[side] if id(n) not in left):
            if ast.dump(without_owners(node)) not in others:
                whole = ast.Subscript(ast.Name(KEPT, ast.Load()), node.slice, ast.Load())
                instead = watched(whole, node.value)
                yield _put_in(side, unit, sides[side], [(node, instead)], _NO_REST, node)


def _parts_in(nodes: Iterable[ast.AST]) -> Iterator[ast.Subscript]:
    """Where a part of something is taken by where it begins or ends, and nothing else."""
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            index = node.slice
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            slices = [part for part in parts if isinstance(part, ast.Slice)]
            if len(slices) == len(parts) and any(s.lower or s.upper for s in slices):
                yield node


def _endings(unit: str, sides: tuple[Tree, Tree]) -> Iterator[Without]:
    """What the original does at the end of something even where that fails, and the other version does not."""
    kept = {ast.dump(part) for node in ast.walk(sides[1].module) for part in _at_the_end(node)}
    own = [s.node for s in sides[0].statements if not s.is_definition]
    code = sides[0].functions.get(unit) or ast.Module(own, [])
    for node in ast.walk(code):
        lost = [part for part in _at_the_end(node) if ast.dump(part) not in kept]
        if lost and isinstance(node, ast.Try) and not node.handlers:
            instead = ast.If(ast.Constant(True), [*node.body, *node.finalbody], [])
            with put(sides[0].module, node, instead):
                text = ast.unparse(sides[0].module)
            yield Without(0, unit, lost[0].lineno, "finally", text, _NO_END)


class _Under(NamedTuple):
    """A statement without a block, and the conditions that it stands under, as they are written."""

    node: ast.stmt
    tests: dict[str, ast.expr]


def _freed(unit: str, sides: tuple[Tree, Tree]) -> Iterator[Without]:
    """What one version does under a condition, and the other does whether that is so or not."""
    functions = [tree.functions.get(unit) for tree in sides]
    found = [_under_conditions(f.body) if f is not None else {} for f in functions]
    for side in (0, 1):
        asked = {key: test for row in found[side].values() for key, test in row.tests.items()}
        freed: dict[str, tuple[ast.expr, ast.stmt]] = {}
        for label, row in found[side].items():
            other = found[1 - side].get(label)
            for key in other.tests if other is not None else ():
                if key not in row.tests and key in asked:
                    freed.setdefault(key, (asked[key], row.node))
        for test, node in freed.values():
            if _is_still_so(test, node, functions[side], sides[side]):
                noted = ast.Expr(
                    watched(
                        ast.BoolOp(ast.And(), [ast.Name(KEPT, ast.Load()), test]),
                        ast.Constant(True),
                    )
                )
                instead = ast.If(ast.Constant(True), [noted, node], [])
                with put(sides[side].module, node, instead):
                    text = ast.unparse(sides[side].module)
                yield Without(side, unit, node.lineno, said(test), text, _NO_FALSE)


def _under_conditions(body: list[ast.stmt]) -> dict[str, _Under]:
    """The statements of a block that come once in it, by what they are and what they stand in."""
    found: dict[str, list[_Under]] = {}
    pending: list[tuple[list[ast.stmt], str, dict[str, ast.expr]]] = [(body, "", {})]
    for block, head, tests in pending:
        for node in block:
            if not any(blocks_of(node)):
                found.setdefault(head + ast.dump(node), []).append(_Under(node, tests))
            for inner in filter(None, blocks_of(node)):
                is_asked = isinstance(node, ast.If) and inner is node.body
                more = {ast.dump(node.test): node.test} if is_asked else {}  # type: ignore[attr-defined]
                own = head if is_asked else head_of(node)
                pending.append((inner, own, {**tests, **more}))
    return {label: rows[0] for label, rows in found.items() if len(rows) == 1}


def _is_still_so(test: ast.expr, node: ast.stmt, function: ast.AST | None, tree: Tree) -> bool:
    """Whether a condition means the same where a statement stands: it can be asked there once more.

    Functions of libraries tell the same of the same values, as `np.isfinite(norm)` does; objects may not.
    """
    calls = (part for part in ast.walk(test) if isinstance(part, ast.Call))
    if function is None or not all(tree.modules.issuperset(root_of(call.func)) for call in calls):
        return False
    first, last = sorted((test.lineno, node.lineno))
    between = [s for s in ast.walk(function) if first <= getattr(s, "lineno", 0) <= last]
    stored = {n.id for n in between if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    stored |= {
        n.attr for n in between if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    return not stored & (names_read(test) | attributes_in(test))


def _at_the_end(node: ast.AST) -> list[ast.stmt]:
    return node.finalbody if isinstance(node, ast.Try) else []


def _truths(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
    """The parts that "and", "or" and their operators join, with these."""
    if isinstance(node, ast.BoolOp):
        yield from ((part, node.op) for part in node.values)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        yield from ((part, node.op) for part in (node.left, node.right))
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        # What it is joined to is no part that could be left out of the statement.
        yield node.value, node.op


def _tests(node: ast.AST) -> list[ast.expr]:
    """The conditions of a node beside which there is nothing else to do."""
    if isinstance(node, ast.comprehension):
        return node.ifs
    return [node.test] if isinstance(node, ast.If) and not node.orelse else []


def _put_in(
    side: int,
    unit: str,
    tree: Tree,
    pairs: list[tuple[ast.expr, ast.expr]],
    lack: str,
    about: ast.expr | None = None,
) -> Without:
    text = _text(tree, pairs)
    shown = about if about is not None else pairs[0][0]
    return Without(side, unit, shown.lineno, said(shown), text, lack)


def _text(tree: Tree, pairs: list[tuple[ast.expr, ast.expr]]) -> str:
    if not pairs:
        return ast.unparse(tree.module)
    with put(tree.module, *pairs[0]):
        return _text(tree, pairs[1:])
