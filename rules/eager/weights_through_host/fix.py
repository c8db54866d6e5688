"""Mixes variables with variables: `old.assign(tau * new + (1 - tau) * old)` for each pair of them.

The statements that copy the weights to the host, mix them there and copy them back stand side by
side in one block; a loop over the pairs takes their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import ReplaceStatements, Rewrite, Statement, is_statement
from tfxla_lint.findings import Applicability
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rewriting.codegen import code_for
from tfxla_lint.rewriting.comments import comments_in
from tfxla_lint.rewriting.naming import taken_names, unused
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import bound_names, dotted, walk
from tfxla_lint.semantics.values import NUMBERS, Kind

from ..shared.one_line import one_line

_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide)
_WRAPPING = behaviour.names(Trait.WRAPS)
_COUNTING = ("builtins.range", "tensorflow.range")
#: What mixes weights: numbers, and what may be one.
_FACTORS = frozenset({*NUMBERS, Kind.UNKNOWN, Kind.TENSOR, Kind.VARIABLE})


def in_place(model: SemanticModel, calls: Sequence[cst.Call]) -> Rewrite | None:
    """The rewrite of the `set_weights` of one block, with all that only makes what they take."""
    mixes = [_Reader(model, call).mix() for call in calls]
    found = [mix for mix in mixes if mix is not None]
    if not found or len(found) < len(mixes):
        return None
    gone = {id(statement): statement for mix in found for statement in mix.statements}
    body = _siblings(model, found[0].statements[-1])
    bound = bound_names(gone.values())
    gone |= {
        id(statement): statement for statement in body if _only_counts(model, statement, bound)
    }
    places = sorted(i for i, statement in enumerate(body) if id(statement) in gone)
    if len(places) < len(gone) or places != list(range(places[0], places[-1] + 1)):
        return None
    stretch = body[places[0] : places[-1] + 1]
    targets = [mix.target for mix in found]
    are_apart = len(set(targets)) == len(targets) and not any(
        mix.source in targets for mix in found
    )
    if not are_apart or _is_read_elsewhere(model, stretch):
        return None
    names = taken_names(model) - bound_names(stretch)
    comments = [_comments(statement) for statement in stretch]
    new = [_loop(mix, names) for mix in sorted(found, key=lambda m: body.index(m.statements[-1]))]
    leading = [line for line in stretch[0].leading_lines if line.comment is None][:1]
    told = [cst.EmptyLine(comment=cst.Comment(text)) for texts in comments for text in texts]
    new[0] = new[0].with_changes(leading_lines=[*leading, *told])
    return Rewrite(
        "Mix variables with variables",
        [ReplaceStatements(stretch[0], stretch[-1], new)],
        Applicability.UNSAFE,
        assumption="assumes that the models are two, built alike, and that their weights are floats",
        unit=model.unit(calls[0]).qualname,
    )


def _only_counts(model: SemanticModel, statement: Statement, names: set[str]) -> bool:
    """Whether a statement only asserts how many members lists of these names have: models that are
    built alike have as many weights."""
    lines = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    if not names or len(lines) != 1 or not isinstance(lines[0], cst.Assert):
        return False
    test = lines[0].test
    sides = (
        [test.left, *(c.comparator for c in test.comparisons)]
        if isinstance(test, cst.Comparison)
        else []
    )
    return bool(sides) and all(
        isinstance(side, cst.Call)
        and model.names.one(side.func) == "builtins.len"
        and dotted(side.args[0].value) in names
        for side in sides
    )


def replaced(model: SemanticModel, rewrite: Rewrite) -> list[Statement]:
    """The statements whose place a rewrite takes."""
    edits = [edit for edit in rewrite.edits if isinstance(edit, ReplaceStatements)]
    bodies = [(_siblings(model, edit.first), edit) for edit in edits]
    return [s for body, e in bodies for s in body[body.index(e.first) : body.index(e.last) + 1]]


@dataclass
class _Mix:
    """What the weights of `target` become of those of `source`: `value`, with `{0}` and `{1}` for them."""

    source: str
    target: str
    value: str
    statements: list[Statement] = field(default_factory=list)


def _loop(mix: _Mix, taken: frozenset[str] | set[str]) -> cst.For:
    new = unused("weight", taken)
    old = unused("target_weight", {*taken, new})
    loop = cst.parse_statement(
        f"for {new}, {old} in zip({mix.source}.weights, {mix.target}.weights):\n"
        f"    {old}.assign({mix.value.format(new, old)})\n"
    )
    assert isinstance(loop, cst.For)
    return loop


class _Reader:
    """Reads what one `set_weights` is given, going up through the block that it stands in."""

    def __init__(self, model: SemanticModel, call: cst.Call) -> None:
        self._model, self._call = model, call
        self._end = statement_of(model, call)
        self._body = _siblings(model, self._end)
        self._used: list[Statement] = []

    def mix(self) -> _Mix | None:
        """What the call sets, where all of it is of one other model and of this one."""
        call, end = self._call, self._end
        if not is_statement(end) or not isinstance(self._model.parent(call), cst.Expr):
            return None
        assert isinstance(call.func, cst.Attribute)
        target = dotted(call.func.value)
        given = self._given(call.args[0].value, end)
        if target is None or given is None:
            return None
        value, models = given
        others = {model for model in models if model != target}
        if len(others) != 1:
            return None
        source = others.pop()
        for number, owner in enumerate((source, target)):
            value = value.replace(f"<{owner}>", f"{{{number}}}")
        value = one_line(value)
        return _Mix(source, target, value, [*self._used, end])

    def _given(self, node: cst.BaseExpression, at: Statement) -> tuple[str, set[str]] | None:
        """The text of one weight of a list, with `<model>` for a weight of it; and those models."""
        if isinstance(node, cst.Name) and (filled := self._filled(node.value, at)) is not None:
            return filled
        owner = self._owner(node, at)
        if isinstance(node, cst.Name) and owner is None:
            bound = self._bound(node.value, at)
            return self._given(bound[0], bound[1]) if bound is not None else None
        if owner is not None:
            return f"<{owner}>", {owner}
        if isinstance(node, cst.ListComp) and not node.for_in.ifs and not node.for_in.inner_for_in:
            members = self._members(node.for_in.target, node.for_in.iter, at)
            return self._mixed(node.elt, members, None) if members is not None else None
        if isinstance(node, cst.BinaryOperation):
            return self._mixed(node, self._arrays(node, at), None)
        return None

    def _arrays(self, node: cst.BaseExpression, at: Statement) -> dict[str, str]:
        """The models of whose weights arithmetic takes arrays, `np.array(weights)`, by the code of each."""
        found: dict[str, str] = {}
        for part in walk(node):
            if isinstance(part, cst.Call) and len(part.args) == 1:
                if self._model.names.of(part.func) & _WRAPPING:
                    owner = self._owner(part.args[0].value, at)
                    found |= {self._model.code(part): owner} if owner is not None else {}
        return found

    def _filled(self, name: str, at: Statement) -> tuple[str, set[str]] | None:
        """What a loop above puts into a list: `mixed[i] = ...`, `mixed.append(...)`."""
        above = self._body[: self._body.index(at)]
        loop = next((s for s in reversed(above) if _filling(s, name) is not None), None)
        if not isinstance(loop, cst.For) or loop.orelse is not None:
            return None
        members, filling = self._members(loop.target, loop.iter, loop), _filling(loop, name)
        if members is None or filling is None:
            return None
        index = members.get("")
        lists = {one for n in walk(filling) if index and (one := _member(n, index)) is not None}
        owners = {one: owner for one in lists if (owner := self._owned(one, loop)) is not None}
        found = {f"{one}[{index}]": owner for one, owner in owners.items()}
        self._used.append(loop)
        if isinstance(filling, cst.Assign):
            if index is None or len(filling.targets) > 1 or name not in owners:
                return None
            if _member(filling.targets[0].target, index) != name:
                return None
            return self._mixed(filling.value, {**members, **found}, index)
        start = self._bound(name, loop)
        if start is None or not isinstance(start[0], cst.List) or start[0].elements:
            return None
        return self._mixed(filling.args[0].value, {**members, **found}, index)

    def _members(
        self, target: cst.BaseExpression, over: cst.BaseExpression, at: Statement
    ) -> dict[str, str] | None:
        """The models whose weights the targets of a loop are, by name; under "" the name that counts."""
        if isinstance(over, cst.Name) and (bound := self._bound(over.value, at)) is not None:
            if isinstance(bound[0], cst.Call) and self._owner(over, at) is None:
                return self._members(target, bound[0], bound[1])
        name = self._model.names.one(over.func) if isinstance(over, cst.Call) else None
        given = [a.value for a in over.args] if isinstance(over, cst.Call) else []
        if name in _COUNTING and isinstance(target, cst.Name) and len(given) == 1:
            counted = given[0]
            if not isinstance(counted, cst.Call) or len(counted.args) != 1:
                return None
            if self._model.names.one(counted.func) != "builtins.len":
                return None
            owner = self._owner(counted.args[0].value, at)
            return {"": target.value} if owner is not None else None
        if name == "builtins.enumerate" and isinstance(target, cst.Tuple) and len(given) == 1:
            first, *rest = (element.value for element in target.elements)
            inner = self._members(rest[0], given[0], at) if len(rest) == 1 else None
            if inner is None or not isinstance(first, cst.Name):
                return None
            return {**inner, "": first.value}
        if name == "builtins.zip" and isinstance(target, cst.Tuple):
            parts = [element.value for element in target.elements]
            pairs = [self._members(p, g, at) for p, g in zip(parts, given, strict=False)]
            if len(parts) != len(given) or any(pair is None for pair in pairs):
                return None
            return {key: owner for pair in pairs if pair for key, owner in pair.items()}
        owner = self._owner(over, at)
        return {target.value: owner} if owner is not None and isinstance(target, cst.Name) else None

    def _mixed(
        self, node: cst.BaseExpression, members: dict[str, str], index: str | None
    ) -> tuple[str, set[str]] | None:
        """The text of arithmetic on weights, and the models that they are of."""
        models: set[str] = set()
        places: dict[cst.CSTNode, str] = {}
        pending: list[cst.BaseExpression] = [node]
        while pending:
            part = pending.pop()
            key = part.value if isinstance(part, cst.Name) else None
            key = self._model.code(part) if isinstance(part, cst.Call) else key
            if index and (name := _member(part, index)):
                key = f"{name}[{index}]"
            if key in members:
                models.add(members[key])
                places[part] = f"<{members[key]}>"
            elif isinstance(part, cst.BinaryOperation) and isinstance(part.operator, _ARITHMETIC):
                pending += [part.left, part.right]
            elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Minus):
                pending.append(part.expression)
            elif not isinstance(part, (cst.Integer, cst.Float)) and (
                dotted(part) is None or self._model.value(part).kind not in _FACTORS
            ):
                return None
        text = _text(self._model, node, places)
        if node not in places:
            text = text[len(node.lpar) : len(text) - len(node.rpar)]
        return (text, models) if models else None

    def _owner(self, node: cst.BaseExpression, at: Statement) -> str | None:
        """The model whose weights a `get_weights()` gives, or its `weights`, in the same order; or a
        name that is bound to that above."""
        if isinstance(node, cst.Name):
            return self._owned(node.value, at)
        if isinstance(node, cst.Attribute) and node.attr.value == "weights":
            holder = self._model.value(node.value)
            is_own = holder.class_ is not None and holder.class_.method("weights") is not None
            is_model = holder.kind in (Kind.MODEL, Kind.LAYER) and not is_own
            return dotted(node.value) if is_model else None
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.args:
            return None
        receiver = self._model.value(node.func).receiver
        is_keras = receiver is not None and receiver.kind in (Kind.MODEL, Kind.LAYER)
        is_read = (
            node.func.attr.value == "get_weights" and self._model.value(node.func).unit is None
        )
        return dotted(node.func.value) if is_keras and is_read else None

    def _owned(self, name: str, at: Statement) -> str | None:
        bound = self._bound(name, at)
        is_read = bound is not None and isinstance(bound[0], (cst.Call, cst.Attribute))
        return self._owner(bound[0], bound[1]) if bound is not None and is_read else None

    def _bound(self, name: str, at: Statement) -> tuple[cst.BaseExpression, Statement] | None:
        """What a name is bound to by the last statement of the block above that does so."""
        for statement in reversed(self._body[: self._body.index(at)]):
            if name not in bound_names([statement]):
                continue
            value = _assigned(statement, name)
            if value is None:
                return None
            if not any(statement is used for used in self._used):
                self._used.append(statement)
            return value, statement
        return None


def _siblings(model: SemanticModel, statement: cst.CSTNode) -> list[Statement]:
    body = getattr(model.parent(statement), "body", ())
    return [s for s in body if is_statement(s)] if isinstance(body, (list, tuple)) else []


def _assigned(statement: Statement, name: str) -> cst.BaseExpression | None:
    """What a statement, which does nothing else, assigns to a name, alone or as one of several."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    target, value = small.targets[0].target, small.value
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        if len(target.elements) != len(value.elements):
            return None
        pairs = zip(target.elements, value.elements, strict=True)
        found = [
            v.value for t, v in pairs if isinstance(t.value, cst.Name) and t.value.value == name
        ]
        return found[0] if len(found) == 1 else None
    return value if isinstance(target, cst.Name) and target.value == name else None


def _filling(statement: Statement, name: str) -> cst.Assign | cst.Call | None:
    """How a loop that does nothing else fills a list: it sets members of it, or appends to it."""
    body = statement.body.body if isinstance(statement, cst.For) else ()
    line = body[0] if len(body) == 1 else None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    small = line.body[0]
    if isinstance(small, cst.Assign):
        place = small.targets[0].target
        return small if isinstance(place, cst.Subscript) and dotted(place.value) == name else None
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or dotted(call.func) != f"{name}.append":
        return None
    return call if len(call.args) == 1 else None


def _member(node: cst.CSTNode, index: str) -> str | None:
    """The list of which a node is the member at an index."""
    if not isinstance(node, cst.Subscript) or not isinstance(node.value, cst.Name):
        return None
    part = node.slice[0].slice
    is_index = isinstance(part, cst.Index) and dotted(part.value) == index
    return node.value.value if is_index and len(node.slice) == 1 else None


def _text(model: SemanticModel, node: cst.BaseExpression, places: dict[cst.CSTNode, str]) -> str:
    """The code of arithmetic, with other words at some places."""
    if node in places:
        return places[node]
    if isinstance(node, cst.BinaryOperation):
        sides = (_text(model, side, places) for side in (node.left, node.right))
        text = next(sides) + code_for([node.operator]) + next(sides)
    elif isinstance(node, cst.UnaryOperation):
        text = code_for([node.operator]) + _text(model, node.expression, places)
    else:
        return model.code(node)
    return "(" * len(node.lpar) + text + ")" * len(node.rpar)


def _comments(statement: Statement) -> Iterator[str]:
    text = code_for([statement])
    return (text[start:end] for start, end in comments_in(text))


def _is_read_elsewhere(model: SemanticModel, stretch: Sequence[Statement]) -> bool:
    """Whether code outside of some statements may read what they bind."""
    inside = {id(node) for statement in stretch for node in walk(statement)}
    scope = model.unit(stretch[0]).scope
    for name in bound_names(stretch):
        if scope is model.binder.module_scope or scope.home(name) is not scope:
            return True
        for read in model.flow.reads(scope, name):
            bindings = model.flow.reached(read).bindings
            if id(read) not in inside and any(id(b.node) in inside for b in bindings):
                return True
    return False
