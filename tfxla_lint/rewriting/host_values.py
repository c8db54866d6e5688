"""Python's expressions among the statements of a step: `rows[i : i + n]`, `np.array(states)`.

Where one rests on nothing that the step computes, the call evaluates it and passes the result. Each
is the smallest expression around what can't be traced that an op takes for a tensor all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.rewriting.naming import unused
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.effects.walk import effects_at
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.arrays import are_cast_to_usual
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.draws import random_calls
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import bound_names, children, walk
from tfxla_lint.semantics.turns import opens_tape
from tfxla_lint.semantics.values import ARRAYS, Kind

#: What Python may do earlier than it did, and nothing notices: it only reads, or draws.
_READING = frozenset(
    {
        EffectKind.NUMPY, EffectKind.PYTHON, EffectKind.READ_NAME, EffectKind.READ_ATTRIBUTE,
        EffectKind.READ_VALUE, EffectKind.INSPECT, EffectKind.DRAW,
    }
)  # fmt: skip
#: What a step may change, or reading changes.
_CHANGED_BY_STEPS = frozenset(
    {
        Kind.VARIABLE, Kind.MODEL, Kind.LAYER, Kind.METRIC, Kind.OPTIMIZER, Kind.MODULE, Kind.TAPE,
        Kind.ITERATOR, Kind.GENERATOR, Kind.DATASET, Kind.CHECKPOINT,
    }
)  # fmt: skip
#: Expressions of which parts may not be evaluated, or not once, or not where they stand.
_AT_TIMES = (
    cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.BaseComp, cst.NamedExpr, cst.Await, cst.Yield,
    cst.Comparison, cst.FormattedString,
)  # fmt: skip
_NUMBERS = (Kind.FLOAT, Kind.INT)


@dataclass(frozen=True)
class HostValue:
    """An expression that the call evaluates, and the small statement that it stands in."""

    node: cst.BaseExpression
    line: cst.BaseSmallStatement
    inside: frozenset[int]
    reads: frozenset[str]
    is_drawn: bool

    @property
    def bound(self) -> str | None:
        """The name that its statement gives to the expression as it is, and nothing else."""
        if not isinstance(self.line, cst.Assign) or self.line.value is not self.node:
            return None
        target = self.line.targets[0].target
        is_name = len(self.line.targets) == 1 and isinstance(target, cst.Name)
        return target.value if is_name and isinstance(target, cst.Name) else None


@dataclass
class HostValues:
    """Those of the statements of a block, by the ids of the statements."""

    found: dict[int, list[HostValue]] = field(default_factory=dict)

    def of(self, statement: cst.CSTNode) -> list[HostValue]:
        """Those of one statement."""
        return self.found.get(id(statement), [])

    def of_each(self, statements: Iterable[cst.CSTNode]) -> list[HostValue]:
        """Those of some statements, in their order."""
        return [value for statement in statements for value in self.of(statement)]

    def hide(self, statement: cst.CSTNode) -> set[int]:
        """The ids of all nodes that the call evaluates."""
        return {node for value in self.of(statement) for node in value.inside}

    def early(
        self, statements: Sequence[Statement], early: Sequence[Statement], sunk: Sequence[Statement]
    ) -> list[HostValue]:
        """Those that can be made before a stretch of a block, in the order in which they stand.

        Of its statements, and those in them, the `early` run before it and the `sunk` after it.
        One number is drawn at most, so that all are drawn in the order in which they were.
        """
        found: list[HostValue] = []
        above: set[str] = set()
        left = list(early)
        for statement in statements:
            for line in list(_lines(statement)) if self.of(statement) else [statement]:
                if any(line is other for other in sunk):
                    return found
                if any(line is other for other in left):
                    left = [other for other in left if other is not line]
                    continue
                here = [v for v in self.of(statement) if v.line in _parts(line)]
                for value in here:
                    if value.is_drawn and (left or any(other.is_drawn for other in found)):
                        continue
                    if not value.reads & above:
                        found.append(value)
                above |= bound_names([line])
        return found


def host_values(
    model: SemanticModel,
    body: Sequence[Statement],
    changing: set[str],
    verdicts: Sequence[Sequence[Blocker]],
) -> HostValues:
    """What the call of a step can evaluate of the statements of a block.

    `changing` are the names that each run of the block may find bound anew.
    """
    values = HostValues()
    for statement, blockers in zip(body, verdicts, strict=True):
        found: dict[int, HostValue] = {}
        for need in _needs(model, statement, changing, blockers):
            value = _around(model, statement, need)
            if value is not None and not value.reads & _made_above(statement, value, blockers):
                found[id(value.node)] = value
        outer = [v for v in found.values() if not _is_below(v, found.values())]
        if outer and _takes_more(model, statement, outer, changing):
            order = {id(node): index for index, node in enumerate(walk(statement))}
            values.found[id(statement)] = sorted(outer, key=lambda v: order[id(v.node)])
    return values


def _made_above(statement: Statement, value: HostValue, blockers: Sequence[Blocker]) -> set[str]:
    """The names that are bound above a value below its tape, by lines that may move with it."""
    bound: set[str] = set()
    staying = {id(blocker.node) for blocker in blockers}
    for line in _lines(statement):
        if value.line in _parts(line):
            break
        if not any(id(node) in staying for node in walk(line)):
            bound |= bound_names([line])
    return bound


def named(
    model: SemanticModel, values: Sequence[HostValue], taken: Collection[str], read: Collection[str]
) -> dict[int, str]:
    """The names under which a step gets values, by the ids of their nodes; equal ones share one.

    `taken` are names that the step uses itself, `read` those of them that it reads from outside.
    """
    names: dict[int, str] = {}
    by_text: dict[str, str] = {}
    for value in values:
        text = model.code(value.node)
        if text not in by_text:
            is_bound = value.bound is not None and value.bound not in {*read, *by_text.values()}
            free = unused(value.bound or _base(model, value), {*taken, *by_text.values()})
            by_text[text] = value.bound if is_bound and value.bound is not None else free
        names[id(value.node)] = by_text[text]
    return names


def _base(model: SemanticModel, value: HostValue) -> str:
    """A name after what an expression takes: a key, an attribute, the first of its names."""
    code = (Kind.PYTHON_MODULE, Kind.FUNCTION, Kind.CLASS)
    plain = [name for name in _names_in(model, value.node) if name.value in value.reads]
    named = [n for n in plain if not (model.names.of(n) or model.value(n).kind in code)]
    node = value.node
    if isinstance(node, cst.BinaryOperation):
        is_rest = isinstance(node.left, cst.Integer) and node.left.value == "1"
        is_rest = is_rest and isinstance(node.operator, cst.Subtract) and len(named) == 1
        return f"not_{named[0].value}" if is_rest else "value"
    keys = [n.raw_value for n in walk(node) if isinstance(n, cst.SimpleString)]
    key = next((key for key in keys if key.isidentifier()), None)
    if key is not None or not named:
        return key or "value"
    holder = model.parent(named[0])
    if isinstance(holder, cst.Attribute) and model.value(holder).kind is not Kind.METHOD:
        return holder.attr.value.strip("_") or "value"
    name = named[0].value
    is_one = isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Index)
    is_plural = name.endswith("s") and name[-2:] not in ("s", "ss")
    return name[:-1] if is_one and is_plural else name


def _takes_more(
    model: SemanticModel, statement: Statement, values: Sequence[HostValue], changing: set[str]
) -> bool:
    """Whether a statement computes with more than these values, and does not only prepare one.

    What prepares one for the statements below it, without any tensor, may be made by the call.
    """
    if isinstance(statement, cst.With) or not model.works.of([statement]).total:
        return True
    inside = {node for value in values for node in value.inside}
    nodes = (node for node in walk(statement) if id(node) not in inside)
    targets = bound_names([statement])
    names = {node.value for node in nodes if isinstance(node, cst.Name)}
    return bool((names & changing) - targets)


def _parts(line: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements that stand on a line, but for those that have blocks."""
    return line.body if isinstance(line, cst.SimpleStatementLine) else ()


def _lines(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statements that run once whenever a statement does: itself, or those of a tape's block."""
    if isinstance(statement, cst.With) and isinstance(statement.body, cst.IndentedBlock):
        for inner in statement.body.body:
            yield from _lines(inner)
    else:
        yield statement


def _needs(
    model: SemanticModel, statement: Statement, changing: set[str], blockers: Sequence[Blocker]
) -> Iterator[cst.CSTNode]:
    """What a trace can't take as it stands."""
    yield from (blocker.node for blocker in blockers)
    for node in walk(statement, into_scopes=False):
        if isinstance(node, cst.Name) and node.value in changing:
            if not _is_taken(model, node):
                yield node


def _is_taken(model: SemanticModel, node: cst.Name) -> bool:
    """Whether a name may stand for a tensor here, or for one that the call casts."""
    value = model.value(node)
    if value.kind is Kind.UNKNOWN:
        parent = model.parent(node)
        return not (isinstance(parent, cst.BinaryOperation) and _is_shifted(model, parent))
    if value.mixed or not (value.is_python_scalar or value.kind in ARRAYS):
        return True
    if value.kind in ARRAYS and model.ask(Safety).raw_use([node]) is None:
        return True
    return value.kind in (*ARRAYS, Kind.FLOAT) and are_cast_to_usual(model, [node])


def _is_shifted(model: SemanticModel, node: cst.BinaryOperation) -> bool:
    """Whether this is `1 - done` beside a tensor: a number, an array, or a tensor made before,
    each of which eager execution casts there, or else refuses."""
    if not isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply)):
        return False
    kinds = [model.value(side).kind for side in (node.left, node.right)]
    others = [kind for kind in kinds if kind not in _NUMBERS]
    return others == [Kind.UNKNOWN] and are_cast_to_usual(model, [node])


def _is_below(value: HostValue, others: Iterable[HostValue]) -> bool:
    return any(other is not value and id(value.node) in other.inside for other in others)


def _around(model: SemanticModel, statement: Statement, need: cst.CSTNode) -> HostValue | None:
    """The smallest expression around a node that a call can evaluate and pass."""
    found: cst.BaseExpression | None = None
    line: cst.BaseSmallStatement | None = None
    above: cst.CSTNode | None = None
    for node in (need, *model.ancestors(need)):
        if found is not None and isinstance(node, _AT_TIMES) and node is not found:
            return None
        if isinstance(node, cst.BaseExpression) and found is None:
            if not model.ask(_Readings).holds(node):
                return None
            if _is_passable(model, node):
                found = node
        if isinstance(node, cst.BaseSmallStatement):
            line, above = node, model.parent(node)
            break
    if found is None or not isinstance(line, (cst.Assign, cst.AugAssign, cst.Expr)):
        return None
    if not any(above is inner for inner in _lines(statement)) or not _is_open(
        model, above, statement
    ):
        return None
    inside = list(walk(found))
    reads = frozenset(name.value for name in _names_in(model, found)) - _own_names(found)
    is_drawn = any(e.kind is EffectKind.DRAW for e in model.ask(Effects).below(found))
    return HostValue(found, line, frozenset(map(id, inside)), reads, is_drawn)


def _names_in(model: SemanticModel, root: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that an expression reads: no attributes, and no names of parameters."""
    for node in walk(root):
        if isinstance(node, cst.Name):
            parent = model.parent(node)
            is_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
            is_keyword = isinstance(parent, cst.Arg) and parent.keyword is node
            if not (is_attribute or is_keyword):
                yield node


def _is_open(model: SemanticModel, line: cst.CSTNode | None, statement: Statement) -> bool:
    """Whether only tapes are opened around a line of a statement."""
    while line is not None and line is not statement:
        line = model.parent(line)
        if isinstance(line, cst.With) and not opens_tape(model, line):
            return False
    return line is statement


def _own_names(node: cst.BaseExpression) -> set[str]:
    """The names that comprehensions in an expression bind for themselves."""
    loops = [inner for inner in walk(node) if isinstance(inner, cst.CompFor)]
    return {
        name.value for loop in loops for name in walk(loop.target) if isinstance(name, cst.Name)
    }


class _Readings:
    """Which expressions only read what no step changes; each is looked at once."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._known: dict[int, bool] = {}

    def holds(self, node: cst.CSTNode) -> bool:
        """Whether that is so of a node and of all below it."""
        known = self._known.get(id(node))
        if known is None:
            known = self._is_plain(node) and all(map(self.holds, children(node)))
            self._known[id(node)] = known
        return known

    def _is_plain(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.NamedExpr, cst.Await, cst.Yield, cst.Lambda)):
            return False
        if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
            if self._model.value(node).kind in _CHANGED_BY_STEPS:
                return False
        if isinstance(node, cst.Call) and self._model.callees(node):
            return False
        return all(effect.kind in _READING for effect in effects_at(self._model, node))


def _is_passable(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether what takes an expression does with a tensor of its value what it does with that."""
    value = model.value(node)
    parent = model.parent(node)
    if value.mixed or value.maybe_none or isinstance(node, cst.Name):
        return False
    if value.kind is Kind.TENSOR:
        return isinstance(parent, (cst.Arg, cst.BinaryOperation, cst.Assign)) and not (
            _may_be_recorded(model, node) or random_calls(model, [node])
        )
    if isinstance(parent, cst.Assign) and value.kind in ARRAYS:
        return _is_bound_to_array(model, parent)
    if not isinstance(parent, (cst.Arg, cst.BinaryOperation)):
        return False
    if value.kind in ARRAYS:
        return model.ask(Safety).raw_use([node]) is None or are_cast_to_usual(model, [node])
    if value.kind in _NUMBERS:
        return are_cast_to_usual(model, [node])
    return isinstance(node, cst.BinaryOperation) and _is_shifted(model, node)


def _is_bound_to_array(model: SemanticModel, line: cst.Assign) -> bool:
    """Whether all that reads the name of an array takes a tensor for it."""
    reads = _reads_of_bound(model, line)
    return bool(reads) and model.ask(Safety).raw_use(reads) is None


def _reads_of_bound(model: SemanticModel, line: cst.CSTNode | None) -> Sequence[cst.BaseExpression]:
    """The reads of the one name that a line binds."""
    target = line.targets[0].target if isinstance(line, cst.Assign) else None
    if not isinstance(target, cst.Name) or not isinstance(line, cst.Assign) or line.targets[1:]:
        return ()
    return model.unit(line).scope.reads.get(target.value, ())


def uses_of(model: SemanticModel, value: HostValue) -> Sequence[cst.BaseExpression]:
    """The expressions in which a step takes a value: itself, or the name that it is bound to."""
    return [value.node] if value.bound is None else _reads_of_bound(model, value.line)


def _may_be_recorded(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a tape may watch what an expression is made of: not through an array or a number."""
    pending: list[cst.CSTNode] = [node]
    for inner in pending:
        kind = model.value(inner).kind
        is_read = isinstance(inner, (cst.Name, cst.Attribute, cst.Subscript))
        if is_read and kind in (Kind.TENSOR, Kind.UNKNOWN):
            if not model.names.of(inner):
                return True
        elif inner is node or kind not in (*ARRAYS, *_NUMBERS):
            pending += children(inner)
    return False
