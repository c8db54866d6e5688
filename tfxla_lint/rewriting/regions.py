"""Which statements of a block move into a traced function, and which stay in Python.

The core is what does tensor work. What has to move is grown to the longest stretch that can; what
stays between moved statements sinks below them, unless it would notice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.rewriting.host_values import HostValues
from tfxla_lint.rewriting.taken_out import TakenOut
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.flow.liveness import Liveness
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.state import MUTATING
from tfxla_lint.semantics.syntax import bound_names, dotted, target_names, walk
from tfxla_lint.semantics.values import ARRAYS, NUMBERS, TENSOR_LIKE, Kind

_OF_VALUE = frozenset({"builtins.float", "builtins.int"})
#: Values that no tape records.
_UNRECORDED = frozenset({*NUMBERS, *ARRAYS, Kind.STRING})
#: What may change what a step reads, or is read by it.
_NOTICED = frozenset(
    {
        EffectKind.UNKNOWN, EffectKind.RUN, EffectKind.RUN_KERAS, EffectKind.TAPE, EffectKind.MUTATE,
        EffectKind.STORE, EffectKind.SET, EffectKind.REBIND, EffectKind.COUNT,
    }
)  # fmt: skip


@dataclass
class Order:
    """The statements that stay, and go before the call or after it; `blockers` say which can't.

    `kept` are reads of variables in those that follow it, which the step changes: each with the
    moved statement before which its value is taken.
    """

    early: list[Statement] = field(default_factory=list)
    sunk: list[Statement] = field(default_factory=list)
    kept: list[tuple[cst.BaseExpression, Statement]] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)


@dataclass(frozen=True)
class _Staying:
    """A statement that stays, and what moves above it, below it in the block of its tape, and later."""

    statement: Statement
    above: list[cst.CSTNode]
    below: list[Statement]
    later: list[Statement]
    is_taped: bool

    @property
    def following(self) -> list[Statement]:
        """All that moves and stands behind it."""
        return [*self.below, *self.later]


class Regions:
    """Chooses among the statements of a block, by their indices.

    `changing` are the names that each run of the block may find bound anew.
    """

    def __init__(
        self,
        model: SemanticModel,
        liveness: Liveness,
        body: Sequence[Statement],
        changing: set[str],
        taken: TakenOut,
        values: HostValues,
    ) -> None:
        self._model = model
        self._liveness = liveness
        self._body = body
        self._changing = changing
        self._taken = taken
        self._values = values
        #: What each statement that moves binds and reads, by its identity.
        self._moved: dict[int, tuple[set[str], set[str]]] = {}

    def core(self) -> list[int]:
        """The statements that do tensor work."""
        return [i for i, s in enumerate(self._body) if self._is_core(s)]

    def _is_core(self, statement: Statement) -> bool:
        """Whether a statement does tensor work, beyond adding to a running total."""
        if self._is_total(statement):
            return False
        work = self._model.works.of([statement])
        return work.total > 0 or bool(work.traced_calls) or bool(work.tapes)

    def _is_total(self, statement: Statement) -> bool:
        """`total += loss`, where `total` lives on from turn to turn."""
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            return False
        small = statement.body[0]
        if isinstance(small, cst.AugAssign) and isinstance(small.target, cst.Name):
            name = small.target.value
            own = bound_names(s for s in self._body if s is not statement)
            return name not in own
        return False

    def choices(self, core: list[int]) -> list[list[int]]:
        """Sets of statements that make a step worth moving, the best first."""
        works = {index: self._model.works.of([self._body[index]]) for index in core}
        tape = [i for i, work in works.items() if work.tapes or work.gradients]
        if tape:
            updated = [i for i in core if i in tape or works[i].updates]
            with_metrics = [i for i in core if i in tape or self._updates(i)]
            first = min(tape)
            # An update before the tape, as of a learning rate, may as well stay before the step.
            found = [with_metrics, updated]
            found += [[i for i in choice if i >= first] for choice in found]
            found.append(tape)
            # A model of several may be trained in a branch or a loop, which has a step of its own.
            direct = [i for i in found[2] if not (self.is_conditional(i) and works[i].tapes)]
            if any(works[i].tapes for i in direct) and any(works[i].gradients for i in direct):
                found += [direct, [i for i in direct if not self.is_conditional(i)]]
            return [c for i, c in enumerate(found) if c not in found[:i]]
        model = [i for i, w in works.items() if w.model_calls or w.metric_updates or w.losses]
        if not self._model.works.of(self._body, into_loops=False).is_measuring:
            # A metric may be given what Python makes of the results.
            computed = [i for i in model if works[i].model_calls or works[i].losses]
            return [model or core, computed] if computed and computed != model else [model or core]
        model = sorted({*model, *(i for i, w in works.items() if w.applies)})
        traced = [i for i, w in works.items() if w.traced_calls and i < max(model)]
        # A step that is taken on some turns only may have to stay in Python.
        direct = [i for i in traced if not self.is_conditional(i)]
        choices = [traced, direct] if direct and direct != traced else [traced]
        return [sorted({*model, *choice}) for choice in choices]

    def update(self, core: list[int]) -> list[int]:
        """The statements that apply gradients, which stand alone where the tape has to stay, or the
        traced step beside them."""
        works = {index: self._model.works.of([self._body[index]]) for index in core}
        found = [i for i in core if works[i].applies and not (works[i].tapes or works[i].gradients)]
        has_step = any(work.tapes or work.traced_calls for work in works.values())
        return found if has_step and not any(map(self.is_conditional, found)) else []

    def grow(
        self,
        core: list[int],
        needed: list[int],
        verdicts: list[list[Blocker]],
        *,
        past_others: bool,
    ) -> list[int]:
        """The needed statements and the tensor work around them that can move along.

        With `past_others` also such as follows statements that stay.
        """
        chosen = set(needed)
        movable = {i for i in core if not verdicts[i] and not self._needs_python(i)}
        if any(self._updates(i) and i not in needed for i in core if i > min(needed)):
            # Where some update stays in Python, all do: none may move past another.
            movable = {i for i in movable if not self._updates(i)}
        first, last = min(needed), max(needed)
        while first - 1 in movable:
            first -= 1
            chosen.add(first)
        while last + 1 < len(self._body) and (
            last + 1 in movable or (past_others and self._can_wait(last + 1))
        ):
            last += 1
            if last in movable:
                chosen.add(last)
        for index in range(min(chosen), max(chosen)):
            if index in chosen or verdicts[index] or self._needs_python(index):
                continue
            if index in movable or self._feeds(index, chosen):
                chosen.add(index)
        chosen = self._with_definitions(self._with_starts(chosen))
        return sorted(self._with_deletions(chosen))

    def _with_definitions(self, chosen: set[int]) -> set[int]:
        """A function that nothing but the step reads moves along, with what it reads of the turn."""
        found = set(chosen)
        for index in reversed(range(max(chosen))):
            name = _defined_by(self._body[index])
            if index in found or name is None:
                continue
            moving = [self._body[i] for i in found if i > index]
            staying = [s for i, s in enumerate(self._body) if i not in found and i != index]
            if any(name in self._liveness.reads(s) for s in moving) and not any(
                name in self._liveness.reads(s) for s in staying
            ):
                found.add(index)
        return found

    def _with_starts(self, chosen: set[int]) -> set[int]:
        """`loss = 0.0` right before what adds to it moves along."""
        found = set(chosen)
        bound = bound_names(self._body[i] for i in found)
        index = min(found) - 1
        while index >= 0 and _is_start(self._body[index], bound):
            found.add(index)
            index -= 1
        return found

    def _with_deletions(self, chosen: set[int]) -> set[int]:
        """`del tape` moves along with the tape, unless code that stays reads it."""
        found = set(chosen)
        for index in range(min(chosen), len(self._body)):
            if index in chosen:
                continue
            if self._is_deletion(index, found):
                found.add(index)
            elif index > max(chosen) and not self._can_wait(index):
                break
        return found

    def _is_deletion(self, index: int, chosen: set[int]) -> bool:
        """Whether a statement deletes what only the chosen ones above it bind, and what they read."""
        deleted = deleted_by(self._body[index])
        if not deleted or not deleted <= bound_names(self._body[i] for i in chosen if i < index):
            return False
        staying = (s for i, s in enumerate(self._body) if i not in chosen and i != index)
        return not any(deleted & self._liveness.reads(s) for s in staying)

    def is_conditional(self, index: int) -> bool:
        """Whether a statement may bind its names or not, as an `if` and a loop do."""
        return isinstance(self._body[index], (cst.If, cst.For, cst.While, cst.Try))

    def _needs_python(self, index: int) -> bool:
        """Whether a statement reads a Python number, or what begins as None, or picks from an array
        by an array, that changes from turn to turn."""
        hidden = self._values.hide(self._body[index])
        for node in walk(self._taken.left_of(self._body[index])):
            if id(node) in hidden:
                continue
            if isinstance(node, cst.Subscript) and self._picks_from_array(node):
                return True
            if isinstance(node, cst.Name) and node.value in self._changing:
                value = self._model.value(node)
                if (
                    value.maybe_none
                    or value.is_python_scalar
                    or (value.mixed and value.kind in TENSOR_LIKE)
                ):
                    return True
        return False

    def _picks_from_array(self, node: cst.Subscript) -> bool:
        """`labels[chosen]`: an array takes no tensor for an index, which `chosen` would become."""
        if self._model.value(node.value).kind not in (Kind.NDARRAY, Kind.LIST, Kind.TUPLE):
            return False
        return any(
            isinstance(part, cst.Name) and part.value in self._changing
            for element in node.slice
            for part in walk(element)
        )

    def _can_wait(self, index: int) -> bool:
        """Whether a statement that stays may run after moved ones that follow it."""
        statement = self._body[index]
        return not self._leaves_body(statement) and not self._reads_tensor_state(statement)

    def _feeds(self, index: int, chosen: set[int]) -> bool:
        """Whether a Python statement binds what a chosen one after it reads."""
        bound = bound_names([self._body[index]])
        later = [self._body[i] for i in chosen if i > index]
        return any(bound & self._liveness.reads(statement) for statement in later)

    def order(self, region: Sequence[int]) -> Order:
        """Where those statements go that stand between the ones of a region, or in them, and stay.

        They follow the call; one that binds what the step needs goes before it, where it can.
        """
        staying = list(self._staying(region))
        needed: set[str] = set()
        early: set[int] = set()
        for stay in reversed(staying):
            writes = bound_names([stay.statement])
            if writes & needed or writes & self._needs(stay.following):
                early.add(id(stay.statement))
                needed |= self._liveness.reads(stay.statement)
        order = Order()
        for stay in staying:
            self._put(order, stay, is_needed=id(stay.statement) in early)
        return order

    def _staying(self, region: Sequence[int]) -> Iterator[_Staying]:
        """The statements between the ones of a region, or in them, that stay."""
        above: list[cst.CSTNode] = []
        for index in range(region[0], region[-1] + 1):
            statement = self._body[index]
            later = [self._body[i] for i in region if i > index]
            if index not in region:
                yield _Staying(statement, list(above), [], later, is_taped=False)
                continue
            out = self._taken.of(statement)
            if not out:
                above.append(statement)
            for inner in statements_in(statement) if out else ():
                if any(inner is other for other in out):
                    below = self._below(statement, inner)
                    yield _Staying(inner, list(above), below, later, is_taped=True)
                else:
                    above.append(inner)

    def _put(self, order: Order, stay: _Staying, *, is_needed: bool) -> None:
        """Let a statement that stays follow the step, or go before it where that needs it."""
        statement = stay.statement
        if is_needed and not order.sunk and self._rises(stay):
            order.early.append(statement)
            return
        order.sunk.append(statement)
        blocker = self._sunk(statement, stay.following)
        if blocker is None and not is_needed:
            return
        if blocker is None:
            message = "stands between two tensor statements and shares names with both"
            blocker = Blocker(Reason.CONTROL, statement, message)
        kept = [] if self._change_state(stay.below) else self._variables_read(statement)
        hidden = {id(node) for root in kept for node in walk(root)}
        if kept and stay.later and self._sunk(statement, stay.following, hidden) is None:
            order.kept += [(node, stay.later[0]) for node in kept]
        else:
            order.blockers.append(blocker)

    def _variables_read(self, statement: Statement) -> list[cst.BaseExpression]:
        """The variables of which a statement only asks the value."""
        nodes = (n for n in walk(statement) if isinstance(n, (cst.Name, cst.Attribute)))
        found: list[cst.BaseExpression] = [
            node for node in nodes if self._model.value(node).kind is Kind.VARIABLE
        ]
        return found if all(self._is_value_read(node) for node in found) else []

    def _is_value_read(self, node: cst.BaseExpression) -> bool:
        """`w.numpy()`, `float(w)`: what gives the same of a tensor of the variable's value."""
        holder = self._model.parent(node)
        call = self._model.parent(holder) if holder is not None else None
        if not isinstance(call, cst.Call):
            return False
        if isinstance(holder, cst.Attribute):
            return call.func is holder and holder.attr.value == "numpy"
        return self._model.names.of(call.func) <= _OF_VALUE and bool(
            self._model.names.of(call.func)
        )

    def _rises(self, stay: _Staying) -> bool:
        """Whether a statement that stays may run before moved ones that stand above it.

        What a tape would record stays below it.
        """
        statement, above = stay.statement, stay.above
        bound = bound_names(above)
        writes = bound_names([statement]) | _declared_in(statement)
        known = bound.union(*(self._liveness.reads(node) for node in above))
        if self._leaves_body(statement):
            return False
        if stay.is_taped and _may_be_recorded(self._model, statement):
            return False
        if (self._liveness.reads(statement) & bound) or (writes & known):
            return False
        if above and not _is_plain(self._model, statement):
            return False
        return not (self._change_state(above) and self._reads_tensor_state(statement))

    def _below(self, block: Statement, inner: Statement) -> list[Statement]:
        """What stays in a block of what follows a statement that is taken out of it."""
        body = statements_in(block)
        out = {id(each) for each in self._taken.of(block)}
        return [s for s in body[body.index(inner) + 1 :] if id(s) not in out]

    def _sunk(
        self, statement: Statement, later: Sequence[Statement], hidden: Collection[int] = ()
    ) -> Blocker | None:
        """What keeps a statement from running after the moved ones that are `later` than it.

        The nodes that are `hidden`, by their ids, read what the step gives them.
        """
        bound_later = set[str]().union(*(self._touched(each)[0] for each in later))
        reads = self._liveness.reads(statement)
        writes = bound_names([statement])
        if not is_declaration(statement):
            writes |= _declared_in(statement)
        needs = self._needs(later)
        if self._leaves_body(statement):
            message = "leaves the loop body between two tensor statements"
        elif (reads & bound_later) or (writes & (needs | bound_later)):
            message = "stands between two tensor statements and shares names with both"
        elif self._reads_tensor_state(statement, hidden) and self._change_state(later):
            message = "reads variables, metrics or models between two tensor statements"
        elif self._changes_for(statement, later):
            message = "changes variables, metrics or models between two tensor statements"
        else:
            return None
        return Blocker(Reason.CONTROL, statement, message)

    def _needs(self, statements: Sequence[Statement]) -> set[str]:
        """The names that moved statements read."""
        return set().union(*(self._touched(each)[1] for each in statements))

    def _touched(self, statement: Statement) -> tuple[set[str], set[str]]:
        """What a statement that moves binds, and what it reads."""
        found = self._moved.get(id(statement))
        if found is None:
            reads = self._liveness.reads(statement, self._taken.of(statement))
            bound = bound_names([self._taken.left_of(statement)])
            found = self._moved[id(statement)] = bound, reads
        return found

    def _change_state(self, statements: Sequence[cst.CSTNode]) -> bool:
        """Whether statements can change variables or metrics, rather than only compute."""
        work = self._model.works.of(statements)
        return bool(
            work.updates or work.metric_updates or work.model_calls or work.callees
        ) or bool(work.traced_calls)

    def _changes_for(self, statement: Statement, later: Sequence[Statement]) -> bool:
        """Whether a statement may change what later ones read of variables, metrics and models."""
        work = self._model.works.of([statement])
        if work.updates or work.model_calls or work.callees or work.traced_calls:
            return any(map(self._reads_tensor_state, later))
        changed = {dotted(node) for node in self._metrics(statement)}
        return bool(work.metric_updates) and any(
            dotted(node) in changed for other in later for node in self._metrics(other)
        )

    def _metrics(self, statement: Statement) -> Iterator[cst.CSTNode]:
        for node in walk(statement):
            if isinstance(node, (cst.Name, cst.Attribute)):
                if self._model.value(node).kind is Kind.METRIC:
                    yield node

    def _updates(self, index: int) -> bool:
        work = self._model.works.of([self._body[index]])
        return bool(work.updates or work.metric_updates)

    def _leaves_body(self, statement: cst.CSTNode) -> bool:
        return any(
            isinstance(node, (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.Await, cst.Raise))
            for node in walk(statement, into_scopes=False)
        )

    def _reads_tensor_state(self, statement: cst.CSTNode, hidden: Collection[int] = ()) -> bool:
        """Whether a statement's meaning depends on when variables and metrics are updated."""
        for node in walk(statement):
            if id(node) in hidden:
                continue
            if isinstance(node, (cst.Name, cst.Attribute)):
                kind = self._model.value(node).kind
                if kind in (
                    Kind.VARIABLE, Kind.MODEL, Kind.LAYER, Kind.METRIC, Kind.OPTIMIZER,
                    Kind.MODULE, Kind.CHECKPOINT, Kind.OBJECT,
                ):  # fmt: skip
                    return True
            if isinstance(node, cst.Call) and self._model.callees(node):
                return True
        return False


def _is_start(statement: Statement, names: set[str]) -> bool:
    """Whether a statement gives one of these names a number, and does nothing else."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    small = statement.body[0]
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return False
    target = small.targets[0].target
    is_number = isinstance(small.value, (cst.Integer, cst.Float))
    return is_number and isinstance(target, cst.Name) and target.value in names


def statements_in(block: Statement) -> list[Statement]:
    """The statements of the block of a `with`."""
    assert isinstance(block, cst.With)
    return [statement for statement in block.body.body if is_statement(statement)]


def _is_plain(model: SemanticModel, statement: Statement) -> bool:
    """Whether a statement runs nothing that is not known, and changes no more than names."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    kinds = {effect.kind for effect in model.ask(Effects).below(statement)}
    return not kinds & _NOTICED


def _may_be_recorded(model: SemanticModel, statement: Statement) -> bool:
    """Whether a statement may give a tensor that a tape around it records."""
    lines = statement.body if isinstance(statement, cst.SimpleStatementLine) else []
    small = lines[0] if len(lines) == 1 else None
    if not isinstance(small, cst.Assign):
        return True
    return not _takes_member(model, small.value) and (
        model.value(small.value).kind not in _UNRECORDED
    )


def _takes_member(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression takes a member out of a container: `batch.pop("label")`."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    holder = node.func.value
    is_container = model.value(holder).kind in (Kind.UNKNOWN, Kind.DICT, Kind.LIST)
    return is_container and isinstance(holder, cst.Name) and node.func.attr.value in MUTATING


def is_declaration(statement: Statement) -> bool:
    """Whether a statement only says that names are `global` or `nonlocal`."""
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, (cst.Global, cst.Nonlocal)) for small in statement.body
    )


def _declared_in(statement: Statement) -> set[str]:
    """The names that a statement says to be `global` or `nonlocal`: nothing above may use them."""
    nodes = walk(statement, into_scopes=False)
    declarations = [node for node in nodes if isinstance(node, (cst.Global, cst.Nonlocal))]
    return {item.name.value for node in declarations for item in node.names}


def _defined_by(statement: Statement) -> str | None:
    """The name of the function that a statement defines, and nothing decorates."""
    if isinstance(statement, cst.FunctionDef):
        return statement.name.value if not statement.decorators else None
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    small = statement.body[0]
    if not isinstance(small, cst.Assign) or not isinstance(small.value, cst.Lambda):
        return None
    target = small.targets[0].target
    return target.value if isinstance(target, cst.Name) and len(small.targets) == 1 else None


def deleted_by(statement: Statement) -> set[str]:
    """The names that a statement deletes, which does nothing else."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return set()
    names = [
        set(target_names(s.target)) if isinstance(s, cst.Del) else None for s in statement.body
    ]
    return set().union(*(n for n in names if n)) if None not in names else set()
