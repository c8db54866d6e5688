"""What code does with a parameter: which attributes it reads, what it is passed to, how it is indexed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.bounds import is_of

#: What takes the name of a file first.
_OF_PATHS = ("open", "os.path.join")


def is_name(node: ast.AST, name: str) -> bool:
    """Whether a node is a plain name."""
    return isinstance(node, ast.Name) and node.id == name


def number_of(node: ast.expr) -> bool | int | float | None:
    """The plain number that is written; None where it is none."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, (bool, int, float)) else None


def note_uses(code: ast.AST, found: dict[str, Any], is_it: Callable[[ast.AST], bool]) -> None:
    """Note what code does with a parameter, which `is_it` tells from other expressions."""
    counters = set(_counters(code))
    _note_members(code, found, is_it)
    if _are_lengths(code, is_it):
        found["lengths"] = True
    for node in ast.walk(code):
        if isinstance(node, ast.Compare):
            parts = (node.left, *node.comparators)
            if any(map(is_it, parts)) and any(getattr(p, "id", "") in counters for p in parts):
                # What a number of turns is held against is a number of them.
                found["counted"] = True
            if any(map(is_it, parts)) and any(map(_is_length, parts)):
                found["counts"] = True
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            # What is between a member and the next.
            ends = (node.left, node.comparators[-1])
            if all(isinstance(e, ast.Subscript) and is_it(e.value) for e in ends):
                found["ascending"] = True
        if any(isinstance(t, ast.Subscript) and is_it(t.value) for t in _tested(node)):
            found["members_tested"] = True
        if isinstance(node, ast.Subscript):
            inner = [part for part in ast.walk(node.slice) if isinstance(part, ast.Subscript)]
            if any(is_it(part.value) for part in inner):
                # Its members say which of something else is meant.
                found["places"] = True
        if isinstance(node, ast.Attribute) and is_it(node.value):
            found["attributes"].append(node.attr)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Subscript):
            if is_it(node.value.value):
                found["of_members"].append(node.attr)
        elif isinstance(node, ast.BoolOp) and is_it(node.values[0]):
            if isinstance(node.values[-1], (ast.Dict, ast.List, ast.Tuple)):
                found["instead"] = type(node.values[-1]).__name__
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            sides = (node.left, node.right)
            if any(map(is_it, sides)) and any(isinstance(side, ast.List) for side in sides):
                # So often a list is repeated.
                found["counts"] = True
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            others = [b for a, b in ((node.left, node.right), (node.right, node.left)) if is_it(a)]
            if any(isinstance(getattr(other, "value", None), str) for other in others):
                found["text"] = True
        elif isinstance(node, ast.Call):
            _note_call(node, found, is_it)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if is_it(node.value.func) and isinstance(node.targets[0], ast.Tuple):
                found["returns"] = len(node.targets[0].elts)
        elif isinstance(node, ast.Subscript) and is_it(node.value):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                found["keys"].append(node.slice.value)
            _note_index(node.slice, found)
            if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
                pair = node.slice.elts
                # What has a member at the same place twice has as many columns as rows.
                is_twice = all(isinstance(p, ast.Name) for p in pair) and pair[0].id == pair[1].id  # type: ignore[attr-defined]
                found["square"] = found.get("square") or is_twice
        elif isinstance(node, (ast.For, ast.comprehension)):
            _note_loop(node, found, is_it)


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"


def _counters(code: ast.AST) -> Iterator[str]:
    """The names that count the turns of loops."""
    for node in ast.walk(code):
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Call):
            if isinstance(node.target, ast.Name) and ast.unparse(node.iter.func) == "range":
                yield node.target.id


def _note_members(code: ast.AST, found: dict[str, Any], is_it: Callable[[ast.AST], bool]) -> None:
    """Note what loops over the parameter take its members for: functions, or whole numbers, as they are
    indices or made such by `int`."""
    for node in ast.walk(code):
        turns = [node] if isinstance(node, ast.For) else getattr(node, "generators", [])
        pairs = [pair for turn in turns for pair in _gone_through(turn)]
        targets = [t for t, over in pairs if is_it(_root(over))]
        # So are those that each member is taken apart into.
        targets += [part for t in targets if isinstance(t, ast.Tuple) for part in t.elts]
        names = {t.id for t in targets if isinstance(t, ast.Name)}
        for part in ast.walk(node) if names else ():
            if isinstance(part, ast.Subscript):
                index = part.slice
                asked = index.elts if isinstance(index, ast.Tuple) else [index]
                found["members_index"] = found.get("members_index") or _are_of(asked, names)
            elif isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.Is, ast.IsNot)):
                is_none = isinstance(part.comparators[0], ast.Constant)
                found["lacks"] = found.get("lacks") or (is_none and _are_of([part.left], names))
            elif isinstance(part, ast.Call) and _are_of([part.func], names):
                found["members_called"] = True
            elif isinstance(part, ast.Call) and is_name(part.func, "int"):
                found["members_count"] = found.get("members_count") or _are_of(part.args, names)
            elif isinstance(part, ast.Call) and is_of(part, Trait.RECASTS):
                found["recast"] = found.get("recast") or _are_of(part.args[:1], names)


def _are_lengths(code: ast.AST, is_it: Callable[[ast.AST], bool]) -> bool:
    """Whether members of the parameter say how often something is done, or where a part ends."""

    def is_member(node: ast.AST | None) -> bool:
        if isinstance(node, ast.Call) and is_name(node.func, "int") and len(node.args) == 1:
            return is_member(node.args[0])
        return isinstance(node, ast.Subscript) and is_it(node.value)

    assigned = [node for node in ast.walk(code) if isinstance(node, ast.Assign)]
    names = {t.id for n in assigned if is_member(n.value) for t in n.targets if hasattr(t, "id")}
    for node in ast.walk(code):
        ends: list[ast.expr | None] = []
        if isinstance(node, ast.Slice):
            ends = [node.lower, node.upper]
        elif isinstance(node, ast.Call) and is_name(node.func, "range"):
            ends = [*node.args]
        if any(is_member(end) or getattr(end, "id", "") in names for end in ends):
            return True
    return False


def _are_of(nodes: list[ast.expr], names: set[str]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in names for node in nodes)


def _gone_through(turn: ast.For | ast.comprehension) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop binds, with what it takes that from, counted and side by side, too."""
    target, over = turn.target, turn.iter
    if isinstance(over, ast.Call) and isinstance(target, ast.Tuple):
        if is_name(over.func, "enumerate") and over.args and len(target.elts) == 2:
            yield target.elts[1], over.args[0]
        elif is_name(over.func, "zip"):
            yield from zip(target.elts, over.args, strict=False)
    yield target, over


def _root(over: ast.expr) -> ast.expr:
    """What is asked for a part of it, or by a method: `x` of `x.numpy()[1:]`."""
    while isinstance(over, ast.Subscript) or (
        isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute)
    ):
        over = over.value if isinstance(over, ast.Subscript) else over.func.value  # type: ignore[attr-defined]
    return over


def _tested(node: ast.AST) -> list[ast.expr]:
    """The expressions whose truth a node asks for."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    return node.ifs if isinstance(node, ast.comprehension) else []


def _note_call(node: ast.Call, found: dict[str, Any], is_it: Callable[[ast.AST], bool]) -> None:
    function = ast.unparse(node.func)
    if is_it(node.func):
        found["called"] = True
        if not node.args and not node.keywords:
            found["called_bare"] = True
    if isinstance(node.func, ast.Attribute) and is_it(node.func.value):
        found["methods"].append(node.func.attr)
    for place, part in enumerate(node.args):
        if is_it(part):
            found["passed"].append(f"{function}:{place}")
            if function.endswith("matvec") and place == 1:
                found.setdefault("rank", 1)
        elif isinstance(part, ast.Subscript) and is_it(part.value):
            found.setdefault("parts_passed", []).append(f"{function}:{place}")
        elif isinstance(part, ast.Starred) and is_it(part.value):
            found["passed"].append(f"{function}:*")
    found["passed"] += [f"{function}:{k.arg}" for k in node.keywords if is_it(k.value)]
    parts = [
        k for k in node.keywords if isinstance(k.value, ast.Subscript) and is_it(k.value.value)
    ]
    if parts:
        found.setdefault("parts_passed", []).extend(f"{function}:{k.arg}" for k in parts)
    if function == "int" and node.args and isinstance(node.args[0], ast.Subscript):
        # Its members are whole numbers.
        if is_it(node.args[0].value):
            found["counted"] = True
    if function in _OF_PATHS and node.args and is_it(node.args[0]):
        found["text"] = True
    if is_of(node, Trait.RECASTS) and any(map(is_it, node.args[:1])):
        found["recast"] = True
    if function == "range" and any(map(is_it, node.args)):
        found["counts"] = True
    if len(node.args) == 1 and is_it(node.args[0]) and is_of(node, Trait.GOES_THROUGH):
        found.setdefault("iterated", 1)


def _note_index(index: ast.expr, found: dict[str, Any]) -> None:
    """How many dimensions a subscript tells of, and that members behind a place are asked for.

    Who gives `x[:, None]` a further dimension has only the others that stand there.
    """
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    whole = [part for part in parts if isinstance(part, ast.Slice)]
    is_new = [isinstance(part, ast.Constant) and part.value is None for part in parts]
    if any(is_new) and len(whole) + sum(is_new) == len(parts):
        found.setdefault("rank", len(whole))
    if len(parts) > 1 and not any(is_new) and not any(map(_is_rest, parts)):
        least = [_members(part) for part in parts]
        known = found.setdefault("indexed", [])
        known += [0] * (len(least) - len(known))
        known[: len(least)] = map(max, known, least)
    is_sum = isinstance(parts[0], ast.BinOp) and isinstance(parts[0].op, ast.Add)
    if is_sum and type(number_of(parts[0].right)) is int:  # type: ignore[attr-defined]
        found["longer"] = max(found.get("longer", 0), number_of(parts[0].right))  # type: ignore[attr-defined]


def _is_rest(part: ast.expr) -> bool:
    return isinstance(part, ast.Starred) or (
        isinstance(part, ast.Constant) and not isinstance(part.value, int)
    )


def _members(part: ast.expr) -> int:
    """So many members a dimension has at least of which a subscript asks for one, or for a part."""
    ends = [part.lower, part.upper] if isinstance(part, ast.Slice) else [part]
    numbers = [number_of(end) for end in ends if end is not None]
    whole = [n for n in numbers if type(n) is int]
    asked = not isinstance(part, ast.Slice)
    return max([n + asked if n >= 0 else -n for n in whole], default=1)


def _note_loop(
    node: ast.For | ast.comprehension, found: dict[str, Any], is_it: Callable[[ast.AST], bool]
) -> None:
    """A loop over the parameter, plain or enumerated: how many values each turn unpacks."""
    target, over = node.target, node.iter
    if isinstance(over, ast.Call) and is_name(over.func, "enumerate") and over.args:
        over = over.args[0]
        target = target.elts[1] if isinstance(target, ast.Tuple) else target
    if isinstance(over, ast.Call) and is_name(over.func, "zip"):
        places = [place for place, part in enumerate(over.args) if is_it(part)]
        if places and isinstance(target, ast.Tuple) and places[0] < len(target.elts):
            over, target = over.args[places[0]], target.elts[places[0]]
    if is_it(over) and isinstance(target, ast.Name) and isinstance(node, ast.For):
        parts = [part for statement in node.body for part in ast.walk(statement)]
        members = (part for part in parts if isinstance(part, ast.Attribute))
        found["of_members"] += [m.attr for m in members if is_name(m.value, target.id)]
    over = _root(over)
    if is_it(over):
        found["iterated"] = len(target.elts) if isinstance(target, ast.Tuple) else 1
