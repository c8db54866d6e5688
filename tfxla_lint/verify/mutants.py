"""Wrong versions of a rewrite, to see whether a comparison would have noticed them.

Each changes one statement of the rewritten version: a value becomes another one, an update or a
print is lost, a constant is larger, operands change places, a condition is turned round, a loop
loses its first turn.
"""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.knowledge.symbols import find
from tfxla_lint.verify.bounds import is_of, without_bounds
from tfxla_lint.verify.inside import blocks_of
from tfxla_lint.verify.ran import Changed, is_update
from tfxla_lint.verify.reaching import watched_versions
from tfxla_lint.verify.trees import FUNCTIONS, Function, Tree, first_line, pairs_of
from tfxla_lint.verify.unread import begun_in, begun_otherwise, unread_in

#: So many wrong versions are made of all units together, and of each statement.
MOST = 18
_OF_CHANGED, _OF_OTHERS = 9, 2
_SEED = 15
#: What takes the place of a constant that is nearly nothing.
_TINY, _LARGE = 1e-4, 0.02
#: What the worker lends for it: gives something else than it is given.
OTHER = "__txl_other__"
_WITHOUT = "without "
#: What depends on no value of what it is given.
_VALUE_FREE = (Trait.VALUE_FREE, Trait.ONLY_SPEED)
_SAYING_HOW = ("tensorflow.function", "tensorflow.keras.Model.compile")
_SWAPPED = (ast.Div, ast.MatMult, ast.Pow)
#: Operators that take the place of each other: operands of a difference may be swapped below a square.
_INSTEAD: dict[type[ast.operator], ast.operator] = {ast.Add: ast.Sub(), ast.Sub: ast.Add()}
Edit = Callable[[], None]
#: Of which unit and statement, in words, what makes it wrong, and what undoes that.
Entry = tuple[str, ast.stmt, str, Edit, Edit]


@dataclass(frozen=True)
class Mutant:
    """One wrong version: `line` is that of the statement, `words` say what is wrong with it.

    With `is_loss` the statement does nothing any more; with `is_default` it is a default that is wrong;
    with `is_discarded` it is a call that changes nothing known and whose result nobody takes; with
    `is_filled` it is an array of one value, in which all members may be stored after that, or makes
    variables that are all given other values. With
    `is_bound` an operation is left out that only one version has, of which `side` 0 is the original, or
    watched; `lack` says what was not seen where nothing shows that.
    """

    number: int
    unit: str
    line: int
    words: str
    text: str
    is_loss: bool = False
    is_default: bool = False
    is_discarded: bool = False
    is_filled: bool = False
    is_bound: bool = False
    side: int = 1
    lack: str = ""


def mutants_of(new: Tree, changed: Changed, seed: int = _SEED) -> list[Mutant]:
    """Wrong versions of what was rewritten, the same for the same seed.

    First come those of statements that changed, one of each and then further ones, then the others.
    """
    draw = random.Random(seed)
    rounds: list[list[Entry]]
    rounds = [[] for _ in range(_OF_CHANGED + _OF_OTHERS)]
    known: set[int] = set()
    unread = unread_in(new) | begun_in(changed.trees[0], new)
    unasked = _unasked_in(new)
    own = {name.rpartition(".")[2] for name in new.functions}
    for unit in changed.units:
        statements = [s for s in changed.statements(unit) if id(s) not in known]
        known |= {id(s) for s in statements}
        lines = changed.lines[unit][1]
        draw.shuffle(statements)
        function = new.functions.get(unit)
        if function is not None:
            defaults = _of_defaults(function, changed.defaults[unit])
            rounds[0] += [(unit, function, *edit) for edit in defaults]
        for statement in statements:
            edits = list(_edits(statement, unread, own, unasked))
            first, rest = edits[:1], [edit for edit in edits[1:] if edit[0] != edits[0][0]]
            draw.shuffle(rest)
            # One name for another is what a rewrite mostly gets wrong.
            rest.sort(key=lambda edit: "` for `" not in edit[0])
            is_changed = first_line(statement) in lines or changed.is_idle(unit)
            turns = rounds[:_OF_CHANGED] if is_changed else rounds[_OF_CHANGED:]
            for turn, edit in zip(turns, [*first, *rest], strict=False):
                turn.append((unit, statement, *edit))
    chosen = [entry for turn in rounds for entry in _in_turn(turn)][:MOST]
    found = []
    for number, (unit, statement, words, do, undo) in enumerate(chosen):
        do()
        text = ast.unparse(new.module)
        undo()
        line = statement.lineno
        is_loss = words.startswith(_WITHOUT)
        is_default = isinstance(statement, FUNCTIONS)
        words = f"line {line}: {words}"
        is_discarded = isinstance(statement, ast.Expr) and not _is_done(statement.value, own)
        is_filled = _is_filled(statement, new, unit)
        if not is_filled and any(_made_variables(statement)):
            is_filled = begun_otherwise(new, unit, statement)
        flags = (is_loss, is_default, is_discarded, is_filled)
        found.append(Mutant(number, unit, line, words, text, *flags))
    return found


def _in_turn(entries: list[Entry]) -> list[Entry]:
    """What is wrong of one unit after what is wrong of another: of many each has some."""
    counts: Counter[str] = Counter()
    places = []
    for unit, *_ in entries:
        places.append(counts[unit])
        counts[unit] += 1
    return [entry for _, entry in sorted(zip(places, entries, strict=True), key=lambda p: p[0])]


def without_bounds_of(old: Tree, new: Tree, changed: Changed, first: int) -> list[Mutant]:
    """Both versions without, or with a watch on, what only one has; they are numbered from `first` on."""
    statements = tuple({u: changed.both(u)[side] for u in changed.units} for side in (0, 1))
    found = []
    rows = chain(watched_versions((old, new), statements), without_bounds((old, new), statements))
    for number, row in enumerate(rows, first):
        whose = "" if row.side else " of the original"
        words = f"`{row.said}` (line {row.line}{whose})"
        mutant = Mutant(number, row.unit, row.line, words, row.text)
        lack = row.lack.format(words)
        found.append(replace(mutant, is_bound=True, side=row.side, lack=lack))
    return found[:MOST]


def _of_defaults(function: Function, names: Sequence[str]) -> Iterator[tuple[str, Edit, Edit]]:
    args = function.args
    every = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    keywords = [arg.arg for arg in args.kwonlyargs]
    groups: list[tuple[list[str], list[Any]]]
    groups = [
        (every[len(every) - len(args.defaults) :], args.defaults),
        (keywords, args.kw_defaults),
    ]
    for known, values in groups:
        for index, name in enumerate(known):
            if name in names:
                words, do, undo = _other_member(values, index, False)
                yield f"{words} as default of {name}", do, undo


def _is_done(value: ast.expr, own: set[str]) -> bool:
    """Whether a call is made for what it changes: one that is known for it, or of the module's own."""
    function = value.func if isinstance(value, ast.Call) else None
    return is_update(value) or getattr(function, "attr", getattr(function, "id", "")) in own


def _edits(
    statement: ast.stmt, unread: set[int], own: set[str], unasked: set[int]
) -> Iterator[tuple[str, Edit, Edit]]:
    """What can be made wrong about a statement: in words, what does it, and what undoes it."""
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef, ast.Raise, ast.Assert)):
        return
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        over = _called(statement.iter, True)
        yield _put(statement, "iter", over, "goes through something else")
        return
    if isinstance(statement, ast.If):
        old = statement.test
        yield _put(statement, "test", ast.UnaryOp(ast.Not(), old), f"`not {_said(old)}`")
        yield from _within(old, unasked)
        return
    if any(blocks_of(statement)):
        return
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call):
        if _is_done(value, own):
            kept = ast.Constant(None)
            yield _put(statement, "value", kept, f"{_WITHOUT}`{_said(value)}`")
    elif id(statement) in unread:
        pass
    elif value is not None and not isinstance(value, (ast.Lambda, ast.Constant, ast.Yield)):
        name = _said_other(statement) or "it returns something else"
        made = next((call for call in _made_variables(value) if call.args), None)
        if made is not None:
            # A variable is what it begins with.
            yield _other_member(made.args, 0, False)
        else:
            yield _other(statement, "value", name)
    yield from _within(statement, unasked)


def _said_other(statement: ast.stmt) -> str:
    """The words for another value of what a statement binds."""
    target = getattr(statement, "target", None) or getattr(statement, "targets", [None])[0]
    return f"another `{_said(target)}`" if target is not None else ""


def _is_filled(statement: ast.stmt, tree: Tree, unit: str) -> bool:
    """Whether a statement makes what holds one value in all places, and others store members of it."""
    if not isinstance(statement, ast.Assign):
        return False
    pairs = list(pairs_of(statement))
    names = {target.id for target, _ in pairs if isinstance(target, ast.Name)}
    if len(names) != len(pairs) or not all(_is_of_one_value(value) for _, value in pairs):
        return False
    within = tree.functions.get(unit, tree.module)
    parts = (part for part in ast.walk(within) if isinstance(part, ast.Subscript))
    stored = {getattr(part.value, "id", "") for part in parts if isinstance(part.ctx, ast.Store)}
    return names <= stored


def _is_of_one_value(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List)
    if not isinstance(value, ast.Call):
        return False
    last = getattr(value.func, "attr", getattr(value.func, "id", ""))
    return last in _of_shapes() or _is_value_free(value)


@cache
def _of_shapes() -> frozenset[str]:
    """The last names of what makes an array of a shape: `np.zeros`, `tf.fill`."""
    places = behaviour.places("shape").items()
    return frozenset(name.rpartition(".")[2] for name, (_, place) in places if place == 0)


def _within(statement: ast.AST, unasked: set[int]) -> Iterator[tuple[str, Edit, Edit]]:
    values = _operands(statement)
    names = dict.fromkeys(node.id for node in values)
    for place in values:
        for name in [name for name in names if name != place.id]:
            yield _put(place, "id", name, f"`{name}` for `{place.id}`")
    bounds = {id(part) for node in ast.walk(statement) for part in _bounds(node)}
    safe = {id(part) for node in ast.walk(statement) for part in _safe_divisors(node)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and not _is_value_free(node):
            for index, argument in enumerate(node.args):
                if id(argument) not in safe:
                    yield _other_member(node.args, index, is_of(node, Trait.GOES_THROUGH))
        elif id(node) in safe:
            continue
        elif isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            # Half as much again of what only keeps from dividing by zero is the same to a float.
            more = node.value * 1.5 if abs(node.value) > _TINY else _LARGE
            # Between two classes a bound may lie anywhere.
            more = -node.value - 1.0 if id(node) in bounds else more
            yield _put(node, "value", more, f"{more:g} for {node.value:g}")
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
            is_asked = id(node) not in unasked and not _is_about_running(node.arg)
            if type(node.value.value) is bool and is_asked:
                flag = not node.value.value
                yield _put(node.value, "value", flag, f"`{node.arg}={flag}`")
        elif isinstance(node, ast.BinOp) and not (_is_tiny(node.left) or _is_tiny(node.right)):
            if isinstance(node.op, _SWAPPED):
                words = f"`{_said(ast.BinOp(node.right, node.op, node.left))}`"
                yield _put(node, ("left", "right"), (node.right, node.left), words)
            elif type(node.op) in _INSTEAD:
                other = _INSTEAD[type(node.op)]
                words = f"`{_said(ast.BinOp(node.left, other, node.right))}`"
                yield _put(node, "op", other, words)


def _unasked_in(tree: Tree) -> set[int]:
    """Flags that change no value: how equals are ordered, which TensorFlow leaves as they come, and of what
    holds a variable that it may be trained, where nothing does but a name, or an object without a base.
    """
    every = [n for n in ast.walk(tree.module) if isinstance(n, ast.Call)]
    found = {id(k) for call in every if is_of(call, Trait.OPEN_TIES) for k in call.keywords}
    plain = [cls for cls in tree.classes.values() if not cls.bases and not cls.keywords]
    inside = {id(node) for cls in plain for node in ast.walk(cls)}
    for statement in ast.walk(tree.module):
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            own = id(statement) in inside
            targets = getattr(statement, "targets", [getattr(statement, "target", None)])
            if all(isinstance(t, ast.Name) or (own and _is_attribute(t)) for t in targets):
                found |= set(map(id, _flags_of_variables(statement)))
    return found


def _is_attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)


def _flags_of_variables(statement: ast.AST) -> Iterator[ast.keyword]:
    made = _made_variables(statement)
    yield from (k for call in made for k in call.keywords if k.arg == "trainable")


def _made_variables(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that make variables."""
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
    yield from (
        n for n in calls if getattr(n.func, "attr", getattr(n.func, "id", "")) == "Variable"
    )


def _bounds(node: ast.AST) -> list[ast.expr]:
    """What a comparison compares."""
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else []


def _safe_divisors(node: ast.AST) -> list[ast.expr]:
    """The numbers that a division takes in the place of zero: what it gives there is masked anyway."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return []
    divisor = node.right
    if not isinstance(divisor, ast.Call) or not is_of(divisor, Trait.EITHER):
        return []
    return [part for part in divisor.args[1:] if isinstance(part, ast.Constant)]


def _is_tiny(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is float and abs(node.value) <= _TINY


def _operands(statement: ast.AST) -> list[ast.Name]:
    """The names that an operator takes: numbers and arrays, of which one may be meant for another."""
    sums = [node for node in ast.walk(statement) if isinstance(node, ast.BinOp)]
    parts = [part for node in sums for part in (node.left, node.right)]
    return [part for part in parts if isinstance(part, ast.Name)]


def _is_about_running(keyword: str | None) -> bool:
    """Whether a flag says how code is run (`jit_compile`), and not what it computes."""
    return keyword in _running_parameters()


@cache
def _running_parameters() -> frozenset[str]:
    """The parameters of what says how code is run."""
    asked = (find(name) for name in _SAYING_HOW)
    return frozenset(p.name for symbol in asked if symbol is not None for p in symbol.params or ())


def _is_value_free(call: ast.Call) -> bool:
    """Whether what a call gives depends on no value of its arguments, but on their shapes at most."""
    last = getattr(call.func, "attr", "")
    return any(is_of(call, word) or last in behaviour.methods(word) for word in _VALUE_FREE)


def _other(node: ast.AST, field: str, words: str) -> tuple[str, Edit, Edit]:
    return _put(node, field, _called(getattr(node, field)), words)


def _other_member(
    arguments: list[Any], index: int, is_gone_through: bool
) -> tuple[str, Edit, Edit]:
    old = arguments[index]
    new: ast.expr = _called(old, is_gone_through)
    if isinstance(old, ast.Starred):
        new = ast.Starred(_called(old.value))

    def put(value: ast.expr) -> Edit:
        return lambda: arguments.__setitem__(index, value)

    return f"another `{_said(old)}`", put(new), put(old)


def _called(value: ast.expr, is_gone_through: bool = False) -> ast.Call:
    more = [ast.Constant(True)] if is_gone_through else []
    return ast.Call(ast.Name(OTHER, ast.Load()), [value, *more], [])


def _put(
    node: ast.AST, fields: str | Sequence[str], new: object, words: str
) -> tuple[str, Edit, Edit]:
    names = [fields] if isinstance(fields, str) else list(fields)
    values = [new] if isinstance(fields, str) else list(new)  # type: ignore[call-overload]
    old = [getattr(node, name) for name in names]

    def put(parts: list[object]) -> Edit:
        def edit() -> None:
            for name, part in zip(names, parts, strict=True):
                setattr(node, name, part)

        return edit

    return words, put(values), put(old)


def _said(node: ast.AST) -> str:
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."
