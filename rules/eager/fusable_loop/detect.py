"""Loops that do nothing but run a traced step, and show or keep what it gives.

All turns of such a loop can be one call, or some at a time: what stands before the step is made for
several turns, the steps run, and what stands behind follows turn by turn. That is the same only if
what is moved past the steps notices nothing of them, and they nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.rewriting.blocks import statements_of
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.draws import random_calls
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import bound_names, dotted, target_names, walk
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Tracing, Value

from .given import Given, given_to
from .order import are_apart, attributes_set, changed_by, is_ordinary, reads_of
from .patience import Patience, patience_of
from .rhythm import Rhythm, common, rhythm_of
from .stop import Stop, leaves_early, stop_of

#: Fewer turns than these are not worth a function of their own.
_ENOUGH_TURNS = 8
#: What a number can be added to, which nothing else notices.
_SUMS = NUMBERS | {Kind.TENSOR}
_TF = "tensorflow."
#: What a step shows by itself, in an order of its own with what Python shows.
_SHOWING = frozenset({_TF + "print", _TF + "py_function", _TF + "numpy_function"})


class Form(Enum):
    """Where the arguments of several steps come from."""

    #: Each step is called alike: so many steps are asked for.
    COUNTED = auto()
    #: They are batches of one size: the data set batches them once more.
    BATCHED = auto()
    #: They are collected turn by turn, and stacked.
    COLLECTED = auto()


@dataclass(frozen=True)
class Fusable:
    """A loop whose steps can be run several at a time.

    `before` and `after` are what stands around the `statement` that calls the step. `names` are
    those that it binds to what the step gives, in order; empty where the step gives nothing that
    is used, None where the call is a part of a larger expression. `counts` says how many tensors
    the step gives, and `is_each_needed` whether what it gives is needed on each turn, or only when
    several are over. `rhythm` are the turns after which something looks at what the steps changed,
    or is shown; `stop` is what ends the loop early, by what a step gave, `patience` what ends it by a
    counter.
    """

    loop: cst.For
    unit: Unit
    statement: cst.SimpleStatementLine
    call: cst.Call
    step: Unit
    before: list[Statement]
    after: list[Statement]
    given: list[Given]
    names: list[str] | None
    counts: int
    is_each_needed: bool
    rhythm: Rhythm | None
    form: Form
    first_turn: int | None = None
    stop: Stop | None = None
    patience: Patience | None = None


def fusable_loops(model: SemanticModel) -> Iterator[Fusable]:
    """The loops of a module whose steps can be run several at a time."""
    for loop in model.nodes(cst.For):
        found = _Judge(model, loop).judged() if _may_be_fused(model, loop) else None
        if found is not None:
            yield found


def _may_be_fused(model: SemanticModel, loop: cst.For) -> bool:
    """Whether a loop surely turns many times, in code that only runs eagerly."""
    unit = model.unit(loop)
    info = model.loops.info(loop)
    if loop.asynchronous is not None or unit.is_generator or unit.is_async:
        return False
    if info.over not in ("range", "dataset") or info.is_short:
        return False
    if info.turns is not None and info.turns < _ENOUGH_TURNS:
        return False
    if not model.contexts.is_only_eager(unit) or inside_tape(model, loop):
        return False
    return model.loops.often(loop, unit.node) > Often.FEW and not _is_guarded(model, loop, unit)


def _is_guarded(model: SemanticModel, loop: cst.For, unit: Unit) -> bool:
    """Whether something around a loop in its function sees where it is left, or how it runs."""
    for ancestor in model.ancestors(loop):
        if ancestor is unit.node:
            return False
        if isinstance(ancestor, (cst.Try, cst.TryStar, cst.With, cst.ClassDef)):
            return True
    return False


class _Judge:
    """Judges one loop."""

    def __init__(self, model: SemanticModel, loop: cst.For) -> None:
        self._model = model
        self._loop = loop
        self._unit = model.unit(loop)
        self._body = statements_of(loop.body)
        self._targets = target_names(loop.target)

    def judged(self) -> Fusable | None:
        calls = self._model.works.of_body(self._loop).traced_calls
        if len(calls) != 1:
            return None
        call = calls[0]
        line = next((s for s in self._body if any(n is call for n in walk(s))), None)
        step = self._step(call)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or step is None:
            return None
        names = _results(line.body[0], call)
        counts = _tensors(self._model.value(call))
        if names == []:
            counts = 0
        if counts is None or (names is not None and len(names) > 1 and len(names) != counts):
            return None
        if names is None and self._kept_by(line.body[0], call) is None:
            return None
        if (names is None and counts != 1) or not self._is_run_always(call):
            return None
        index = self._body.index(line)
        before, after = self._body[:index], self._body[index + 1 :]
        given = given_to(self._model, self._loop, call, before)
        if given is None:
            return None
        varying = [each for each in given if each.varies]
        found = None
        if not varying and not before and self._is_counted():
            found = self._counted(line, call, step, after, given, names, counts)
        elif varying and self._loop.orelse is None:
            found = self._gathered(line, call, step, before, after, given, names, counts)
        return found

    def _step(self, call: cst.Call) -> Unit | None:
        """The traced function that a call surely runs, where one call is but one step."""
        callees = self._model.callees(call)
        unit = callees[0].unit if len(callees) == 1 else None
        if unit is None or unit.tracing is None or unit.tracing.is_compiled:
            return None
        if not self._is_traced_last(unit, unit.tracing, call):
            return None
        below = list(self._model.calls.below(unit))
        if any(self._is_long(inner) or self._shows(inner) for inner in below):
            return None
        return unit if not self._model.ask(Safety).unit_blockers(unit) else None

    def _is_traced_last(self, unit: Unit, tracing: Tracing, call: cst.Call) -> bool:
        """Whether nothing stands around the traced function: another decorator runs on each call."""
        decorators = getattr(unit.node, "decorators", ())
        if not decorators:
            return self._model.value(call.func).kind is Kind.TRACED
        return len(decorators) == 1 and tracing.node is decorators[0]

    def _is_long(self, unit: Unit) -> bool:
        """Whether a function loops over tensors or data, and so is many steps by itself."""
        for node in unit.nodes(into_scopes=False):
            if isinstance(node, cst.While):
                return True
            if isinstance(node, cst.For):
                over = self._model.loops.info(node).over
                if over == "dataset" or self._model.value(node.iter).is_tensor:
                    return True
        return False

    def _shows(self, unit: Unit) -> bool:
        """Whether a function shows something by itself, or runs on several devices."""
        names = self._model.names
        calls = [n for n in unit.nodes(into_scopes=False) if isinstance(n, cst.Call)]
        if any(names.of(call.func) & _SHOWING for call in calls):
            return True
        receivers = [self._model.value(call.func).receiver for call in calls]
        return any(r is not None and r.kind is Kind.STRATEGY for r in receivers)

    def _is_run_always(self, call: cst.Call) -> bool:
        return self._model.loops.often(call, self._loop) is Often.ALWAYS

    def _is_counted(self) -> bool:
        """`for i in range(n)`, `for i in range(a, n)`."""
        call = self._loop.iter
        if not isinstance(call, cst.Call) or len(call.args) not in (1, 2):
            return False
        if self._model.names.one(call.func) != "builtins.range":
            return False
        changed = bound_names([self._loop])
        return isinstance(self._loop.target, cst.Name) and all(
            arg.star == "" and arg.keyword is None and _is_plain(arg.value, changed)
            for arg in call.args
        )

    def _counted(
        self,
        line: cst.SimpleStatementLine,
        call: cst.Call,
        step: Unit,
        after: list[Statement],
        given: list[Given],
        names: list[str] | None,
        counts: int,
    ) -> Fusable | None:
        """The turns follow one another in one call up to those that look at what the steps do."""
        timed = self._timed(after)
        rhythm = common([r for _, r in timed]) if timed else None
        if timed and rhythm is None:
            return None
        between = _without(after, [s for s, _ in timed])
        stop = stop_of(self._model, self._loop, between, names or ())
        patience = patience_of(self._model, self._loop, between) if stop is None else None
        ending = [each.statement for each in (stop, patience) if each is not None]
        parts = patience.others if patience is not None else []
        each_turn = [*_without(between, ending), *parts]
        if not self._are_in_order([], each_turn, names, may_show=False, looking=ending):
            return None
        is_each_needed = names is None or bool(set(names) & self._read_by(each_turn))
        return Fusable(
            self._loop, self._unit, line, call, step, [], after, given, names, counts,
            is_each_needed and counts > 0, rhythm, Form.COUNTED, stop=stop, patience=patience,
        )  # fmt: skip

    def _gathered(
        self,
        line: cst.SimpleStatementLine,
        call: cst.Call,
        step: Unit,
        before: list[Statement],
        after: list[Statement],
        given: list[Given],
        names: list[str] | None,
        counts: int,
    ) -> Fusable | None:
        """The arguments of several turns are there before the first of their steps runs."""
        if not is_ahead_possible(self._model, before, step):
            return None
        timed = self._timed(after)
        looking = [s for s, _ in timed if not is_ordinary(self._model, s, may_show=True)]
        between = _without(after, looking)
        stop = stop_of(self._model, self._loop, between, names or ())
        ending = [stop.statement] if stop is not None else []
        between = _without(between, ending)
        late = [*looking, *ending]
        if not self._are_in_order(before, between, names, may_show=True, looking=late):
            return None
        if looking and (self._first_turn() is None or any(map(leaves_early, looking))):
            return None
        rhythms = [r for _, r in timed]
        if not looking:
            rhythms = [r for s in between if (r := self._rhythm(s))]
        rhythm = common(rhythms) if rhythms else None
        if looking and rhythm is None:
            return None
        is_each_needed = names is None or bool(set(names) & self._read_by([*between, *ending]))
        read = self._read_by(after) & set(self._targets)
        form = Form.COLLECTED
        if not before and not looking and self._gives_equal_batches(given, read):
            form = Form.BATCHED
        if stop is not None and not (form is Form.BATCHED and stop.is_exact):
            return None
        return Fusable(
            self._loop, self._unit, line, call, step, before, after, given, names, counts,
            is_each_needed and counts > 0, rhythm, form, self._first_turn() if looking else None, stop,
        )  # fmt: skip

    def _timed(self, after: Sequence[Statement]) -> list[tuple[Statement, Rhythm]]:
        """What runs in a rhythm of the loop's own counter."""
        return [(s, r) for s in after if (r := self._rhythm(s)) and r.counter in self._targets]

    def _first_turn(self) -> int | None:
        """The number that the loop's own counter begins with."""
        over, name = self._loop.iter, ""
        if isinstance(over, cst.Call):
            name = self._model.names.one(over.func) or ""
        if name == "builtins.enumerate":
            return 0 if data_of(self._model, self._loop) is not None else None
        if name != "builtins.range" or not isinstance(over, cst.Call) or len(over.args) > 2:
            return None
        first = self._model.value(over.args[0].value).constant if len(over.args) == 2 else 0
        return first if type(first) is int else None

    def _gives_equal_batches(self, given: Sequence[Given], read: set[str]) -> bool:
        """Whether the arguments are what a data set gives, all of one size."""
        data = data_of(self._model, self._loop)
        pipeline = self._model.value(data).pipeline if data is not None else None
        if data is None or pipeline is None or pipeline.batch is None or pipeline.ragged:
            return False
        if pipeline.remainder is not False:
            return False
        members = set(target_names(members_of(self._loop)))
        if read & members or members & self._model.flow.liveness(self._unit.scope).after(
            self._loop
        ):
            return False
        return all(member_in(each.node) in members for each in given if each.varies)

    def _rhythm(self, statement: cst.CSTNode) -> Rhythm | None:
        if not isinstance(statement, cst.If) or statement.orelse is not None:
            return None
        return rhythm_of(self._model, statement.test)

    def _read_by(self, statements: Sequence[cst.CSTNode]) -> set[str]:
        return reads_of(self._model, statements)

    def _are_in_order(
        self,
        before: Sequence[Statement],
        after: Sequence[cst.CSTNode],
        names: Sequence[str] | None,
        *,
        may_show: bool,
        looking: Sequence[Statement] = (),
    ) -> bool:
        """Whether what follows a step may as well follow later ones, and what goes before them.

        What is `looking` at the steps follows the last one of a call.
        """
        made = {*bound_names(before), *self._targets}
        every = [*after, *looking]
        keepers = self._keepers
        kept = {*bound_names(every), *([k.value for k in keepers] if names is None else names)}
        if made & kept or (self._read_by(every) & bound_names(before)):
            return False
        ahead = [*before, *self._arguments()]
        if reads_of(self._model, ahead) & kept:
            return False
        lists = [each for each in keepers if self._model.value(each).kind is Kind.LIST]
        changed = [*changed_by(self._model, every), *lists]
        if not are_apart(self._model, ahead, changed):
            return False
        texts = {dotted(n) for s in every for n in walk(s) if isinstance(n, cst.Attribute)}
        if texts & attributes_set(self._model, before):
            return False
        for statement in after:
            shows = may_show and self._rhythm(statement) is not None
            if not is_ordinary(self._model, statement, may_show=shows):
                return False
        return True

    @property
    def _keepers(self) -> list[cst.Name]:
        """The name that the step's own statement keeps a part of an expression in."""
        calls = self._model.works.of_body(self._loop).traced_calls
        lines = [s for s in self._body if isinstance(s, cst.SimpleStatementLine)]
        kept = (self._kept_by(s.body[0], call) for call in calls for s in lines)
        return [name for name in kept if name is not None]

    def _kept_by(self, small: cst.BaseSmallStatement, call: cst.Call) -> cst.Name | None:
        """The name of what a statement keeps the number of a step in; None where it does anything else.

        `total += step()`, `losses.append(step())`, and as a number: `loss = float(step())`.
        """
        if isinstance(small, cst.AugAssign) and isinstance(small.target, cst.Name):
            is_sum = self._model.value(small.target).kind in _SUMS
            return small.target if is_sum and self._is_number(small.value, call) else None
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            target = small.targets[0].target
            is_name = isinstance(target, cst.Name) and self._is_number(small.value, call)
            return target if isinstance(target, cst.Name) and is_name else None
        append = small.value if isinstance(small, cst.Expr) else None
        if not isinstance(append, cst.Call) or not isinstance(append.func, cst.Attribute):
            return None
        kept = append.func.value
        if append.func.attr.value != "append" or not isinstance(kept, cst.Name):
            return None
        value, given = self._model.value(kept), append.args
        if value.kind is not Kind.LIST or value.maybe_none or value.by_use:
            return None
        is_one = len(given) == 1 and not given[0].star and given[0].keyword is None
        return kept if is_one and self._is_number(given[0].value, call) else None

    def _is_number(self, node: cst.BaseExpression, call: cst.Call) -> bool:
        """Whether this is what a call gives, as it is or as a number: `float(step())`, `step().numpy()`."""
        if node is call:
            return True
        if not isinstance(node, cst.Call):
            return False
        if isinstance(node.func, cst.Attribute):
            return node.func.value is call and node.func.attr.value == "numpy" and not node.args
        is_float = self._model.names.one(node.func) == "builtins.float"
        return is_float and len(node.args) == 1 and node.args[0].value is call

    def _arguments(self) -> list[cst.CSTNode]:
        calls = self._model.works.of_body(self._loop).traced_calls
        return [argument.value for call in calls for argument in call.args]


def _results(small: cst.BaseSmallStatement, call: cst.Call) -> list[str] | None:
    """The names that a statement binds to what a call gives; None where it does something else."""
    if isinstance(small, cst.Expr) and small.value is call:
        return []
    if not isinstance(small, cst.Assign) or small.value is not call or len(small.targets) != 1:
        return None
    target = small.targets[0].target
    if isinstance(target, cst.Name):
        return [target.value]
    elements = target.elements if isinstance(target, cst.Tuple) else ()
    names = [e.value.value for e in elements if isinstance(e.value, cst.Name)]
    return names if names and len(names) == len(elements) == len(set(names)) else None


def _without(statements: Sequence[Statement], others: Sequence[Statement]) -> list[Statement]:
    return [s for s in statements if not any(s is other for other in others)]


def _tensors(value: Value) -> int | None:
    """How many tensors a step gives; None where it may give something else."""
    if value.kind is Kind.NONE:
        return 0
    if value.kind is Kind.TENSOR and not (value.mixed or value.maybe_none or value.by_use):
        return 1
    if value.kind is not Kind.TUPLE or not value.elements or value.maybe_none:
        return None
    return len(value.elements) if all(_tensors(e) == 1 for e in value.elements) else None


def is_ahead_possible(model: SemanticModel, before: Sequence[Statement], step: Unit) -> bool:
    """Whether what goes before the steps of some turns may be made for all of them at once."""
    if not all(is_ordinary(model, statement, is_ahead=True) for statement in before):
        return False
    if not random_calls(model, before):
        return True
    return not any(random_calls(model, inner.body) for inner in model.calls.below(step))


def _is_plain(node: cst.BaseExpression, changed: Collection[str]) -> bool:
    """Whether an expression is the same on each turn, and cheap: a number, a name, `args.steps`."""
    if isinstance(node, cst.Integer):
        return True
    if isinstance(node, cst.Name):
        return node.value not in changed
    if isinstance(node, cst.Attribute):
        return _is_plain(node.value, changed) and node.attr.value not in changed
    if isinstance(node, cst.BinaryOperation):
        return _is_plain(node.left, changed) and _is_plain(node.right, changed)
    return False


def data_of(model: SemanticModel, loop: cst.For) -> cst.BaseExpression | None:
    """The data set that a loop goes over, also by `enumerate`."""
    over = loop.iter
    if isinstance(over, cst.Call) and model.names.one(over.func) == "builtins.enumerate":
        if not over.args or len(over.args) > 1 or not isinstance(loop.target, cst.Tuple):
            return None
        over = over.args[0].value
    return over if model.value(over).kind is Kind.DATASET else None


def member_in(node: cst.BaseExpression) -> str | None:
    """The name in `batch`, and in what constants choose of it: `batch["image"]`, `batch[0]`."""
    while isinstance(node, cst.Subscript):
        (first, *others) = node.slice
        index = first.slice.value if isinstance(first.slice, cst.Index) else None
        if others or not isinstance(index, (cst.Integer, cst.SimpleString)):
            return None
        node = node.value
    return node.value if isinstance(node, cst.Name) else None


def members_of(loop: cst.For) -> cst.BaseExpression:
    """The part of a loop's target that holds a member of its data."""
    target = loop.target
    over = loop.iter
    if isinstance(over, cst.Call) and isinstance(over.func, cst.Name):
        if over.func.value == "enumerate" and isinstance(target, cst.Tuple):
            return target.elements[-1].value
    return target
