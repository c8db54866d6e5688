"""Planning which statements of a block become a `tf.function` of their own.

The plan follows what a careful engineer does by hand: the longest run of statements that can be
traced moves into a function; what belongs to Python (printing, logging, counters, checkpoints)
stays in the loop, after the call where it stood between two moved statements. Names that change
from turn to turn are parameters, never closures; what later code reads is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.rewriting.attribute_passing import parameter_names
from tfxla_lint.rewriting.placement import Place, again, find_place
from tfxla_lint.rewriting.plan import HoistPlan
from tfxla_lint.rewriting.regions import Regions, deleted_by
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rewriting.taken_out import TakenOut, take_out
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArguments
from tfxla_lint.semantics.retracing.carried_sizes import has_changing_size, size_read
from tfxla_lint.semantics.safety.arrays import (
    are_cast_to_usual,
    is_array_or_tensor,
    usual_dtype,
)
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.replaced import may_be_replaced
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import bound_names, target_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, TENSOR_LIKE, UNKNOWN, Kind, Value

#: What comes out of a trace as it is, or else as tensors that serve as well.
_RETURNED = frozenset(
    {Kind.TENSOR, Kind.TENSOR_ARRAY, Kind.NONE, Kind.LIST, Kind.TUPLE, Kind.DICT}
)  # fmt: skip

#: What may be an array, so that its shape is part of a trace's key.
_SIZED = frozenset({Kind.TENSOR, Kind.NDARRAY, Kind.UNKNOWN})


class Hoister:
    """Plans what moves out of a block of statements of `unit`, and what stays."""

    def __init__(self, model: SemanticModel, unit: Unit, body: cst.BaseSuite) -> None:
        self._model = model
        self._unit = unit
        self._liveness = model.flow.liveness(unit.scope)
        block = body.body if isinstance(body, cst.IndentedBlock) else ()
        self._body: list[Statement] = [s for s in block if is_statement(s)]
        self._changing = self._names_bound_in_loops()
        self._attributes = AttributeArguments(model, unit)
        self._taken = TakenOut()

    def plan(self) -> HoistPlan:
        """The plan, with blockers where there is none.

        Where the updates of variables have to stay in Python, the tape and the gradients may
        still move.
        """
        verdicts = self._verdicts()
        self._taken = take_out(self._model, self._body, verdicts)
        verdicts = [
            [] if self._taken.of(s) else found
            for s, found in zip(self._body, verdicts, strict=True)
        ]
        regions = Regions(self._model, self._liveness, self._body, self._changing, self._taken)
        core = regions.core()
        if not core:
            return HoistPlan(blockers=[b for found in verdicts for b in found])
        plans = []
        for needed in regions.choices(core):
            plan = self._plan_for(regions, core, needed, verdicts)
            if not plan.blockers:
                return plan
            plans.append(plan)
        plans[0].blockers += self._taken.of_all(self._body)
        return plans[0]

    def _plan_for(
        self,
        regions: Regions,
        core: list[int],
        needed: list[int],
        verdicts: list[list[Blocker]],
    ) -> HoistPlan:
        """The plan for the widest stretch around the needed statements that can move.

        Where statements that stay would have to let others pass them, less moves.
        """
        plan = HoistPlan(blockers=[b for index in needed for b in verdicts[index]])
        if plan.blockers:
            return plan
        wide = self._plan_of(regions, regions.grow(core, needed, verdicts, past_others=True))
        if not wide.blockers:
            return wide
        close = self._plan_of(regions, regions.grow(core, needed, verdicts, past_others=False))
        if not close.blockers:
            return close
        simple = [i for i in core if i in needed or not regions.is_conditional(i)]
        less = self._plan_of(regions, regions.grow(simple, needed, verdicts, past_others=False))
        return wide if less.blockers else less

    def _plan_of(self, regions: Regions, region: list[int]) -> HoistPlan:
        plan = HoistPlan()
        first, last = region[0], region[-1]
        plan.moved = [self._body[i] for i in region]
        plan.rest = self._taken.rest(plan.moved)
        for index in range(first, last + 1):
            statement = self._body[index]
            plan.sunk += self._taken.of(statement) if index in region else [statement]
        plan.blockers += regions.order_blockers(region)
        if not plan.blockers:
            self._names(plan, last)
        if not plan.blockers:
            plan.place = self._find_place(plan)
            plan.blockers += plan.place.blockers
            extra = plan.place.extra_parameters
            signature = [p.name for p in self._unit.parameters if p.name in extra]
            others = [name for name in extra if name not in signature]
            plan.parameters = [*signature, *plan.parameters, *others]
            self._cast_extra(plan, plan.place)
        return plan

    def _cast_extra(self, plan: HoistPlan, place: Place) -> None:
        """Have the call make tensors of the numbers that the place asks for."""
        for name, dtype in place.casts.items():
            spelled = tensorflow_name(self._model, dtype, self._body[0])
            if spelled is None or tensorflow_name(self._model, "constant", self._body[0]) is None:
                plan.blockers.append(again(self._body[0]))
                return
            plan.arrays.add(name)
            plan.casts[name] = spelled

    # Which names

    def _names_bound_in_loops(self) -> set[str]:
        """The names of the unit that each run of the block may find bound anew."""
        raise NotImplementedError

    def _repeated(self) -> cst.CSTNode:
        """The code whose every run calls the new function, made before it."""
        raise NotImplementedError

    def _find_place(self, plan: HoistPlan) -> Place:
        """Where the new function goes."""
        raise NotImplementedError

    def _verdicts(self) -> list[list[Blocker]]:
        """For each statement of the body, what keeps it from being traced."""
        blockers = self._model.safety.region_blockers(self._unit, self._body, self._changing)
        verdicts: list[list[Blocker]] = [[] for _ in self._body]
        index = {id(statement): i for i, statement in enumerate(self._body)}
        for blocker in blockers:
            if self._attributes.lifts(blocker):
                continue
            for node in (blocker.node, *self._model.ancestors(blocker.node)):
                if id(node) in index:
                    verdicts[index[id(node)]].append(blocker)
                    break
        return verdicts

    def _names(self, plan: HoistPlan, last: int) -> None:
        moved = plan.rest
        bound = bound_names(moved)
        after = self._liveness.after(self._body[last])
        for statement in plan.sunk:
            after = after | self._liveness.reads(statement)
        if self._unit.is_module:
            after |= self._read_by_functions(bound)
        plan.results = [n for n in self._in_order(moved, bound) if n in after]
        live_in = self._liveness.before(plan.moved, plan.results, self._taken.of_each(plan.moved))
        before = self._body[: self._body.index(plan.moved[0])]
        sure = self._surely_bound(before) | self._surely_bound(moved) | self._bound_before_loop()
        unsure = set(plan.results) - sure
        if unsure:
            name = min(unsure)
            message = f"binds `{name}` only on some paths, and it is read later"
            plan.blockers.append(Blocker(Reason.CONTROL, plan.moved[0], message))
            return
        if any(deleted_by(statement) & set(plan.results) for statement in plan.moved):
            message = "deletes a name that later code reads"
            plan.blockers.append(Blocker(Reason.CONTROL, plan.moved[0], message))
        for name in plan.results:
            self._result(plan, name)
        passed = {n for n in live_in if n in self._changing or n in bound}
        for name in self._in_reading_order(plan.moved, passed):
            self._parameter(plan, name)
        self._sizes(plan)
        found = self._model.safety.region_blockers(self._unit, plan.moved, passed)
        found = [b for b in found if not self._taken.holds(b.node)]
        plan.blockers += [b for b in found if not self._attributes.lifts(b)]
        self._pass_attributes(plan, [b for b in found if self._attributes.lifts(b)])

    def _sizes(self, plan: HoistPlan) -> None:
        """Find the parameters of changing size, which a trace may not ask for in Python."""
        loops = self._model.loops.around(self._body[0], self._unit)
        arrays = [n for n in plan.parameters if plan.values[n].kind in _SIZED]
        plan.resized = {n for n in arrays if has_changing_size(self._model, self._unit, n, loops)}
        read = size_read(self._model, plan.rest, plan.resized) if plan.resized else None
        if read is not None:
            message = "asks for the size of a tensor that comes in another one on many turns"
            plan.blockers.append(Blocker(Reason.PYTHON_ARGUMENT, read, message))

    def _result(self, plan: HoistPlan, name: str) -> None:
        """What a trace returns is tensors, also where Python's own values went in."""
        inside = {id(node) for statement in plan.rest for node in walk(statement)}
        bindings = self._unit.scope.bindings.get(name, ())
        values = [
            self._model.value(b.value) if b.value is not None else UNKNOWN
            for b in bindings
            if id(b.node) in inside
        ]
        if values and all(value.is_known and value.kind not in _RETURNED for value in values):
            message = f"gives `{name}`, {values[0].kind.with_article}, to code that stays in Python"
            plan.blockers.append(Blocker(Reason.CONTROL, plan.moved[0], message))

    def _pass_attributes(self, plan: HoistPlan, blockers: list[Blocker]) -> None:
        """Pass the attributes that other code sets, where they stay the same during the step."""
        plan.attributes = self._attributes.needed(blockers)
        plan.attribute_names = parameter_names(self._model, self._unit, plan.attributes)
        before = self._body[: self._body.index(plan.moved[0])]
        for attribute in plan.attributes:
            is_set = any(self._attributes.is_set_by(s, attribute) for s in before)
            is_there = is_set or self._attributes.is_made_with_object(attribute)
            may_change = any(
                self._attributes.may_be_set_by(s, attribute) or self._runs_own_code(s)
                for s in plan.sunk
            )
            if not is_there or may_change or self._attributes.has_other_calls(attribute):
                plan.blockers += blockers
                return
            read = [*attribute.reads, *attribute.inner][0]
            plan.values[plan.attribute_names[attribute.name]] = self._model.value(read)

    def _runs_own_code(self, statement: cst.CSTNode) -> bool:
        calls = (node for node in walk(statement) if isinstance(node, cst.Call))
        return any(self._model.callees(call) for call in calls)

    def _bound_before_loop(self) -> set[str]:
        """The names that have a value before the block runs."""
        raise NotImplementedError

    def _read_by_functions(self, bound: set[str]) -> set[str]:
        return bound & self._liveness.always_live()

    def _surely_bound(self, statements: Sequence[cst.CSTNode]) -> set[str]:
        found: set[str] = set()
        for statement in statements:
            if isinstance(statement, cst.SimpleStatementLine):
                found |= bound_names([statement])
            elif isinstance(statement, cst.With):
                found |= self._surely_bound(statement.body.body)
                for item in statement.items:
                    if item.asname is not None:
                        found.update(target_names(item.asname.name))
        return found

    def _parameter(self, plan: HoistPlan, name: str) -> None:
        node = self._first_read(plan.rest, name)
        value = self._model.value(node)
        if value.kind is Kind.FLOAT and not value.mixed and self._cast(plan, name):
            plan.arrays.add(name)
        elif value.is_python_scalar or (value.mixed and value.kind in TENSOR_LIKE):
            message = f"computes with the Python number `{name}`, which changes from turn to turn"
            plan.blockers.append(Blocker(Reason.PYTHON_ARGUMENT, node, message))
        elif value.kind in (Kind.NDARRAY, Kind.NUMPY_SCALAR, Kind.UNKNOWN):
            use = self._raw_use(plan.rest, name)
            if use is not None and self._cast(plan, name):
                plan.arrays.add(name)
                use = None
            if use is not None:
                message = f"computes on the NumPy array `{name}`"
                if value.kind is Kind.UNKNOWN:
                    message = f"computes on `{name}`, which may be a NumPy array"
                plan.blockers.append(Blocker(Reason.NUMPY_ARGUMENT, use, message))
        elif value.kind in (Kind.OBJECT, Kind.ITERATOR, Kind.DATASET, Kind.TAPE, Kind.STRING):
            message = f"reads `{name}`, {value.kind.with_article} that changes from turn to turn"
            plan.blockers.append(Blocker(Reason.CHANGING_STATE, node, message))
        elif may_be_replaced(self._model, self._unit, name, value, self._repeated()):
            message = f"uses `{name}`, which may hold one {value.kind.value} after the other"
            plan.blockers.append(Blocker(Reason.DIFFERENT_OBJECTS, node, message))
        elif value.kind in (Kind.LIST, Kind.DICT, Kind.TUPLE) and _holds_numbers(value):
            message = f"reads the Python numbers in `{name}`"
            plan.blockers.append(Blocker(Reason.PYTHON_ARGUMENT, node, message))
        plan.parameters.append(name)
        plan.values[name] = value
        if self._is_array(name, value):
            plan.arrays.add(name)

    def _cast(self, plan: HoistPlan, name: str) -> bool:
        """Have an array or number cast at the call, where eager execution casts it at each use."""
        usual = usual_dtype(self._model)
        dtype = tensorflow_name(self._model, usual, self._body[0]) if usual else None
        constant = tensorflow_name(self._model, "constant", self._body[0])
        value = self._model.value(self._first_read(plan.rest, name))
        is_number = value.kind is Kind.FLOAT or _may_be_floats(value)
        if not dtype or not constant or not is_number or value.maybe_none:
            return False
        if not are_cast_to_usual(self._model, self._reads_of(plan.rest, name)):
            return False
        plan.casts[name] = dtype
        return True

    def _is_array(self, name: str, value: Value) -> bool:
        """Whether an argument is an array, or else a tensor."""
        if value.kind is not Kind.UNKNOWN:
            return value.kind is Kind.NDARRAY and not value.mixed and not value.maybe_none
        bindings = self._unit.scope.bindings.get(name, ())
        return bool(bindings) and all(
            b.kind is BindingKind.ASSIGNMENT
            and b.value is not None
            and is_array_or_tensor(self._model, b.value)
            for b in bindings
        )

    def _first_read(self, moved: Sequence[cst.CSTNode], name: str) -> cst.CSTNode:
        for statement in moved:
            for node in walk(statement):
                if isinstance(node, cst.Name) and node.value == name:
                    if not isinstance(self._model.parent(node), cst.AssignTarget):
                        return node
        return moved[0]

    def _raw_use(self, moved: Sequence[cst.CSTNode], name: str) -> cst.CSTNode | None:
        return self._model.safety.raw_use(self._reads_of(moved, name))

    def _reads_of(self, moved: Sequence[cst.CSTNode], name: str) -> list[cst.Name]:
        return [
            node
            for statement in moved
            for node in walk(statement)
            if isinstance(node, cst.Name) and node.value == name
        ]

    def _in_order(self, moved: Sequence[cst.CSTNode], names: set[str]) -> list[str]:
        """`names` in the order in which the moved statements bind them."""
        found: list[str] = []
        for statement in moved:
            for node in walk(statement, into_scopes=False):
                if isinstance(node, cst.Name) and node.value in names:
                    if node.value not in found:
                        found.append(node.value)
        return [n for n in found if n in names]

    def _in_reading_order(self, moved: Sequence[cst.CSTNode], names: set[str]) -> list[str]:
        """The order of the parameters: that in which the statements before bind them.

        What comes from elsewhere, or from the turn before, follows by its first use.
        """
        start = next(i for i, statement in enumerate(self._body) if statement is moved[0])
        found: list[str] = []
        for statement in self._body[:start]:
            bound = bound_names([statement]) & names
            found += [n for n in self._in_order([statement], bound) if n not in found]
        return found + [n for n in self._in_order(moved, names) if n not in found]


class LoopHoister(Hoister):
    """Plans the hoisting of one step loop, or of what one block in its body does."""

    def __init__(
        self, model: SemanticModel, step: StepLoop, block: cst.BaseSuite | None = None
    ) -> None:
        self._step = step
        super().__init__(model, step.unit, step.loop.body if block is None else block)

    def _names_bound_in_loops(self) -> set[str]:
        """The names of the unit that its loops around the step bind anew."""
        loops = self._model.loops.around(self._body[0], self._unit) if self._body else []
        found: set[str] = set()
        for loop in loops[:1]:
            found |= bound_names([loop])
        return found

    def _repeated(self) -> cst.CSTNode:
        return self._step.loop

    def _bound_before_loop(self) -> set[str]:
        """The names that have a value before the loop's first turn."""
        scope = self._unit.scope
        inside = {id(node) for node in walk(self._step.loop)}
        return {
            name
            for name, bindings in scope.bindings.items()
            if any(id(binding.node) not in inside for binding in bindings)
        }

    def _in_reading_order(self, moved: Sequence[cst.CSTNode], names: set[str]) -> list[str]:
        """Parameters: what comes of the loop's targets first, in their order; then by first use."""
        loop = self._step.loop
        targets = target_names(loop.target) if isinstance(loop, cst.For) else []
        rest = super()._in_reading_order(moved, names - set(targets))
        ranks = {name: targets.index(name) for name in targets if name in names}
        ranks.update((n, r) for n in rest if (r := self._rank(n, targets)) is not None)
        return sorted([*(n for n in targets if n in names), *rest], key=lambda n: ranks.get(n, 99))

    def _rank(self, name: str, targets: list[str]) -> int | None:
        """The place of the loop's target that a name is taken from: `image = batch["image"]`."""
        for binding in self._unit.scope.bindings.get(name, ()):
            around = (binding.node, *self._model.ancestors(binding.node))
            bound = next((n for n in around if isinstance(n, cst.Assign)), None)
            inside = list(walk(bound.value)) if bound is not None else []
            if not any(isinstance(node, cst.Call) for node in inside):
                read = [n.value for n in inside if isinstance(n, cst.Name)]
                return next((targets.index(n) for n in read if n in targets), None)
        return None

    def _find_place(self, plan: HoistPlan) -> Place:
        return find_place(self._model, self._step, plan.moved, plan.parameters)


def _may_be_floats(value: Value) -> bool:
    """Whether nothing says that an array holds whole numbers, which may meet such tensors."""
    return value.dtype in (None, "float32", "float64")


def _holds_numbers(value: Value) -> bool:
    item = value.item
    return item is not None and item.kind in NUMBERS
