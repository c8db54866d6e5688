"""Which statements a rewrite changed, and whether runs came to all of them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.verify.changes import MODULE, Changes, callers_of
from tfxla_lint.verify.inside import (
    changes_inside,
    crossed_conditions,
    head_of,
    nested,
    statements_of,
)
from tfxla_lint.verify.marks import noted_lines
from tfxla_lint.verify.slices import is_reached
from tfxla_lint.verify.trees import Function, Tree, attributes_in, first_line, names_read
from tfxla_lint.verify.verdicts import Lines

_SHOWN = 4


class Changed:
    """What changed in each unit of two versions of a module: statements, heads and defaults."""

    def __init__(self, old: Tree, new: Tree, changes: Changes) -> None:
        self.trees = (old, new)
        self.units = changes.units
        self.added = {unit: _added(old, new, unit) for unit in self.units}
        #: The units and what only the rewritten version has: what is marked in either text.
        self.watched = (
            self.units,
            tuple(dict.fromkeys((*self.units, *(n for a in self.added.values() for n in a)))),
        )
        noted = [set(noted_lines(t, u)) for t, u in zip(self.trees, self.watched, strict=True)]
        known = self._known = [_keys(tree) for tree in self.trees]
        #: By unit, for each version: the lines of what changed, where it can be told whether they run.
        self.lines: dict[str, tuple[set[int], set[int]]] = {}
        for unit in self.units:
            sides = self.both(unit)
            crossed = {
                id(s) for s in crossed_conditions(*(_body(tree, unit) for tree in self.trees))
            }
            run = [
                [s for s in own if known[side][_label(s)] > known[1 - side][_label(s)]]
                + [s for s in statements_of(self.trees[side], unit) if id(s) in crossed]
                for side, own in enumerate(sides)
            ]
            dead = {id(s) for own in sides for s in _never_run(own)}
            before, after = (
                {n for s in own if id(s) not in dead for n in _to_run(s)} for own in run
            )
            self.lines[unit] = (before & noted[0], after & noted[1])
        #: By unit the parameters that have another default now.
        self.defaults = {unit: _other_defaults(old, new, unit) for unit in self.units}

    def statements(self, unit: str) -> list[ast.stmt]:
        """What a wrong rewrite of the unit might have got wrong: what changed, or all it holds.

        A function that has another decorator, other parameters, or only lost something is judged as
        a whole, and so is one that only makes more calls that give it nothing.
        """
        old, new = self.trees
        own = self.both(unit)[1]
        if unit == MODULE:
            return own
        before, after = (tree.functions.get(unit) for tree in (old, new))
        is_same = before is not None and after is not None and head_of(before) == head_of(after)
        if is_same and not self.is_idle(unit):
            return own
        return list({id(s): s for s in (*own, *statements_of(new, unit))}.values())

    def is_idle(self, unit: str) -> bool:
        """Whether all that changed in a unit are calls of whose results nothing is made."""
        return all(map(_is_discarded, self.both(unit)[1]))

    @property
    def alone(self) -> list[str]:
        """The functions that none of the other changes can have taken work from, or given to.

        Others may differ in their heads only, or are called by the function.
        """
        old = self.trees[0]
        moved = {u for u in self.units if any(map(any, self.both(u)))}
        calls = {unit: set(callers_of(old, unit)) for unit in moved if unit in old.functions}
        return [u for u in self.units if all(v == u or u in calls.get(v, ()) for v in moved)]

    @property
    def adapted(self) -> list[str]:
        """The functions whose callers changed with them, and so may take something else from them."""
        old = self.trees[0]
        functions = [unit for unit in self.units if unit != MODULE]
        return [
            u
            for u in functions
            if (MODULE in self.units and is_reached(old, {u}))
            or set(callers_of(old, u)) & set(functions)
        ]

    def raises(self, unit: str) -> bool:
        """Whether what changed raises, on one side or the other, or something moved past what does."""
        if unit not in self.units:
            return False
        crossed = crossed_conditions(*(_body(tree, unit) for tree in self.trees))
        changed = (*nested(list(crossed)), *(s for side in self.both(unit) for s in side))
        return any(isinstance(statement, ast.Raise) for statement in changed)

    def lost(self, unit: str) -> list[int]:
        """The lines of updates that the original has, where the rewritten version has nothing new.

        That it comes out the same without them shows that what they do cannot be seen.
        """
        old, new = (_body(tree, unit) for tree in self.trees)
        found = list(changes_inside(old, new)) if old and new else []
        if any(change.new is not None for change in found):
            return []
        left, right = self._known
        olds = [change.old for change in found if change.old is not None]
        gone = [old for old in olds if right[_label(old)] < left[_label(old)]]
        owner = _owner(self.trees[0], unit)
        return [s.lineno for s in nested(gone) if _is_kept(s, owner)]

    def both(self, unit: str) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """The statements of both versions that changed, with all in them."""
        old, new = (_body(tree, unit) for tree in self.trees)
        found = list(changes_inside(old, new)) if old and new else []
        before = [change.old for change in found if change.old is not None]
        after = [change.new for change in found if change.new is not None]
        bodies = (self.trees[1].functions[name].body for name in self.added[unit])
        return (
            list(nested(before)),
            [*nested(after), *(s for body in bodies for s in nested(body))],
        )

    def missing(self, unit: str, ran: Lines) -> str:
        """The changed lines that no run came to, in words; "" where all were run."""
        before, after = self.lines[unit]
        not_run = sorted(after - set(ran.rewritten))
        old = sorted(before - set(ran.original))
        parts = [_in_words(lines, whose) for lines, whose in ((not_run, ""), (old, "the original"))]
        return " and ".join(part for part in parts if part)

    def of(self, unit: str, ran: Lines) -> tuple[Lines, Lines]:
        """The changed lines that ran, and all that can be told to run, on both sides."""
        before, after = self.lines[unit]
        both = (before & set(ran.original), after & set(ran.rewritten))
        return Lines.made(*both), Lines.made(before, after)


def _is_discarded(statement: ast.stmt) -> bool:
    """Whether a statement is a call of whose result nothing is made, and that changes nothing known."""
    return isinstance(statement, ast.Expr) and not is_update(statement.value)


def _to_run(statement: ast.stmt) -> Iterator[int]:
    """The line of a statement and, where it decides, of the first that each outcome comes to."""
    yield first_line(statement)
    if isinstance(statement, (ast.If, ast.While)) and not isinstance(statement.test, ast.Constant):
        yield from (first_line(block[0]) for block in (statement.body, statement.orelse) if block)


def _never_run(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """What stands under conditions that are written as false."""
    for statement in statements:
        if isinstance(statement, (ast.If, ast.While)):
            test = statement.test
            if isinstance(test, ast.Constant) and not test.value:
                yield from nested(statement.body)


def _owner(tree: Tree, unit: str) -> str:
    """What a method calls its object."""
    args = tree.functions[unit].args.args if "." in unit else []
    return args[0].arg if args else ""


def _is_kept(statement: ast.stmt, owner: str) -> bool:
    """Whether a statement changes a variable, a container, or an attribute of the method's object."""
    if isinstance(statement, ast.Expr):
        return is_update(statement.value)
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    is_assigned = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign))
    roots = [t.value for t in targets if isinstance(t, ast.Attribute)]
    return is_assigned and any(isinstance(r, ast.Name) and r.id == owner for r in roots)


def is_update(value: ast.expr) -> bool:
    """Whether an expression is a call that changes a variable or a container, or prints."""
    function = value.func if isinstance(value, ast.Call) else None
    if isinstance(function, ast.Name):
        return function.id == "print"
    known = behaviour.methods(Effect.ASSIGNS) | behaviour.methods(Effect.MUTATES)
    return isinstance(function, ast.Attribute) and function.attr in (known | {"print"})


def _in_words(lines: list[int], whose: str) -> str:
    if not lines:
        return ""
    shown = ", ".join(map(str, lines[:_SHOWN])) + (", ..." if len(lines) > _SHOWN else "")
    word, verb = ("line", "was") if len(lines) == 1 else ("lines", "were")
    return f"{word} {shown}{f' of {whose}' if whose else ''} {verb} not run"


def _body(tree: Tree, unit: str) -> list[ast.stmt]:
    if unit != MODULE:
        function = tree.functions.get(unit)
        return function.body if function is not None else []
    return [s.node for s in tree.statements if not s.is_definition]


def _keys(tree: Tree) -> Counter[str]:
    return Counter(_label(node) for node in ast.walk(tree.module) if isinstance(node, ast.stmt))


def _label(node: ast.stmt) -> str:
    """The same for a statement that only moved; of a compound one only its head counts."""
    return head_of(node)


def _added(old: Tree, new: Tree, unit: str) -> tuple[str, ...]:
    """The functions that only the rewritten version has and that the unit comes to."""
    only_new = [name for name in new.functions if name not in old.functions]
    found: list[str] = []
    nodes: list[ast.AST] = [*_nodes(new, unit)]
    while nodes:
        node = nodes.pop()
        read = names_read(node) | attributes_in(node)
        for name in only_new:
            if name.rpartition(".")[2] in read and name not in found:
                found.append(name)
                nodes.append(new.functions[name])
    return tuple(sorted(found))


def _nodes(tree: Tree, unit: str) -> Iterable[ast.AST]:
    if unit == MODULE:
        return [s.node for s in tree.statements if not s.is_definition]
    return [tree.functions[unit]] if unit in tree.functions else []


def _other_defaults(old: Tree, new: Tree, unit: str) -> tuple[str, ...]:
    if unit not in old.functions or unit not in new.functions:
        return ()
    before, after = (dict(_defaults(tree.functions[unit])) for tree in (old, new))
    return tuple(name for name in after if name in before and before[name] != after[name])


def _defaults(function: Function) -> Iterator[tuple[str, str]]:
    args = function.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    given = names[len(names) - len(args.defaults) :]
    pairs = [*zip(given, args.defaults, strict=True)]
    pairs += [(a.arg, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d]
    return ((name, ast.dump(default)) for name, default in pairs)
