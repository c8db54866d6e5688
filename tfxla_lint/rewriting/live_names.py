"""The names that travel into a new function and out of it, and what keeps them from it."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.rewriting.attribute_passing import parameter_names
from tfxla_lint.rewriting.blocks import Block
from tfxla_lint.rewriting.host_values import named, uses_of
from tfxla_lint.rewriting.naming import taken_names, unused
from tfxla_lint.rewriting.outline import Outline
from tfxla_lint.rewriting.regions import deleted_by
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rewriting.taken_out import TakenOut
from tfxla_lint.semantics.dict_keys import keys_clash
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArguments
from tfxla_lint.semantics.retracing.size_reads import size_read
from tfxla_lint.semantics.safety.arrays import (
    are_cast_to_usual,
    is_array_or_tensor,
    usual_dtype,
)
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.passed_variables import (
    holds_variables,
    knows_variables,
    variables_blocker,
)
from tfxla_lint.semantics.safety.replaced import may_be_replaced
from tfxla_lint.semantics.safety.results import CLASHING
from tfxla_lint.semantics.safety.tensor_origin import TensorOrigin
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import DEFINING, BindingKind
from tfxla_lint.semantics.syntax import bound_names, dotted, target_names, walk
from tfxla_lint.semantics.values import (
    ARRAYS,
    KERAS_CALLABLES,
    NUMBERS,
    TENSOR_LIKE,
    Kind,
    Value,
    leaves,
)
from tfxla_lint.semantics.varying.carried_sizes import has_changing_size

#: What comes out of a trace as it is, or else as tensors that serve as well.
_RETURNED = frozenset(
    {Kind.TENSOR, Kind.TENSOR_ARRAY, Kind.NONE, Kind.LIST, Kind.TUPLE, Kind.DICT}
)  # fmt: skip
#: What a trace returns as another object, or not at all, in whatever structure it stands.
_KEPT = frozenset({Kind.VARIABLE, *KERAS_CALLABLES, Kind.OPTIMIZER, Kind.METRIC})
#: What may be an array, so that its shape is part of a trace's key.
_SIZED = frozenset({Kind.TENSOR, Kind.NDARRAY, Kind.UNKNOWN})
#: What a trace takes for a constant.
_CONSTANT = frozenset(
    {Kind.OBJECT, Kind.ITERATOR, Kind.DATASET, Kind.TAPE, Kind.STRING, Kind.DISTRIBUTION}
)
_STRUCTURES = frozenset({Kind.LIST, Kind.DICT, Kind.TUPLE})


def surely_bound(statements: Sequence[cst.CSTNode]) -> set[str]:
    """The names that some statements bind whichever way they run."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, cst.SimpleStatementLine):
            found |= bound_names([statement])
        elif isinstance(statement, cst.With):
            found |= surely_bound(statement.body.body)
            for item in statement.items:
                if item.asname is not None:
                    found.update(target_names(item.asname.name))
    return found


class LiveNames:
    """Fills in what an outline of a block passes and returns."""

    def __init__(
        self, model: SemanticModel, block: Block, taken: TakenOut, attributes: AttributeArguments
    ) -> None:
        self._model = model
        self._block = block
        self._unit = block.unit
        self._taken = taken
        self._attributes = attributes
        self._liveness = model.flow.liveness(block.unit.scope)

    def fill(self, outline: Outline) -> None:
        """Give an outline its parameters and results, or blockers."""
        moved, bound = outline.rest, bound_names(outline.rest)
        start = self._start(outline)
        after = self._liveness.after(outline.moved[-1])
        for statement in outline.sunk:
            after = after | self._liveness.reads(statement)
        outline.results = _in_order(moved, bound & after)
        taken_out = self._taken.of_each(outline.moved)
        hidden = outline.hidden
        live_in = self._liveness.before(outline.moved, outline.results, taken_out, hidden)
        before = self._block.body[:start]
        unsure = set(outline.results) - surely_bound([*before, *moved])
        unsure = {name for name in unsure if not self._block.was_bound(name)}
        if unsure:
            message = f"binds `{min(unsure)}` only on some paths, and it is read later"
            outline.blockers.append(Blocker(Reason.CONTROL, outline.moved[0], message))
            return
        if any(deleted_by(statement) & set(outline.results) for statement in outline.moved):
            message = "deletes a name that later code reads"
            outline.blockers.append(Blocker(Reason.CONTROL, outline.moved[0], message))
        for name in outline.results:
            self._result(outline, name)
        passed = {n for n in live_in if n in self._block.changing or n in bound}
        for name in self._in_reading_order(before, outline.moved, passed):
            self._parameter(outline, name)
        self._sizes(outline)
        self._give(outline, live_in)
        self._keep(outline)
        found = self._model.ask(Safety).region_blockers(
            self._unit, outline.moved, passed, self._block.within
        )
        found = [b for b in found if not (self._taken.holds(b.node) or id(b.node) in hidden)]
        outline.blockers += [b for b in found if not self._attributes.lifts(b)]
        self._pass_attributes(outline, [b for b in found if self._attributes.lifts(b)])

    def cast_extra(self, outline: Outline) -> bool:
        """Have the call make tensors of the numbers that the place asks for, if it can."""
        assert outline.place is not None
        at = outline.moved[0]
        for name, dtype in outline.place.casts.items():
            spelled = tensorflow_name(self._model, dtype, at)
            if spelled is None or tensorflow_name(self._model, "constant", at) is None:
                return False
            outline.arrays.add(name)
            outline.casts[name] = spelled
        return True

    def _start(self, outline: Outline) -> int:
        return next(i for i, s in enumerate(self._block.body) if s is outline.moved[0])

    def _result(self, outline: Outline, name: str) -> None:
        """What a trace returns is tensors, also where Python's own values went in."""
        inside = [id(node) for statement in outline.rest for node in walk(statement)]
        bindings = self._block.bound_by(name, inside)
        if any(binding.kind in DEFINING for binding in bindings):
            message = f"gives `{name}`, which it defines, to code that stays in Python"
            outline.blockers.append(Blocker(Reason.CONTROL, outline.moved[0], message))
            return
        values = [self._model.value(b.value if b.value is not None else b.node) for b in bindings]
        if values and all(value.is_known and value.kind not in _RETURNED for value in values):
            message = f"gives `{name}`, {values[0].kind.with_article}, to code that stays in Python"
            outline.blockers.append(Blocker(Reason.CONTROL, outline.moved[0], message))
            return
        if any(map(keys_clash, values)):
            message = f"gives `{name}`, {CLASHING}, to code that stays in Python"
            outline.blockers.append(Blocker(Reason.CONTROL, outline.moved[0], message))
            return
        kept = [leaf for value in values for leaf in leaves(value) if leaf.kind in _KEPT]
        if kept:
            message = f"gives {kept[0].kind.with_article} in `{name}` to code that stays in Python"
            outline.blockers.append(Blocker(Reason.CONTROL, outline.moved[0], message))

    def _parameter(self, outline: Outline, name: str) -> None:
        hidden = outline.hidden
        names = (read for read in _reads_of(outline.rest, name) if id(read) not in hidden)
        reads = [read for read in names if not self._is_target(read)]
        node = next(iter(reads), outline.rest[0])
        self._pass(outline, name, node, reads)

    def _give(self, outline: Outline, live_in: set[str]) -> None:
        """Let the call pass what it evaluates itself."""
        hidden = outline.hidden
        moved = [node for root in outline.moved for node in walk(root) if id(node) not in hidden]
        used = {node.value for node in moved if isinstance(node, cst.Name)}
        outline.given_names = named(self._model, outline.given, {*used, *live_in}, live_in)
        for value in outline.given:
            name = outline.given_names[id(value.node)]
            if name not in outline.parameters:
                self._pass(outline, name, value.node, uses_of(self._model, value))

    def _keep(self, outline: Outline) -> None:
        """Let the step return what variables are before it changes them."""
        taken = {*taken_names(self._model), *outline.given_names.values()}
        by_place: dict[tuple[str, int], str] = {}
        for node, moved in outline.kept:
            text = dotted(node) or "value"
            base = f"{text.split('.')[-1].strip('_')}_before"
            name = unused(base, {*taken, *by_place.values()})
            outline.kept_names[id(node)] = by_place.setdefault((text, id(moved)), name)
        outline.results += by_place.values()

    def _pass(
        self, outline: Outline, name: str, node: cst.CSTNode, reads: Sequence[cst.BaseExpression]
    ) -> None:
        value = self._model.value(node)
        outline.parameters.append(name)
        outline.values[name] = value
        is_cast = self._cast(outline, name, node, reads)
        if is_cast or self._is_array(name, value):
            outline.arrays.add(name)
        found = self._argument_blocker(name, value, node, reads) if not is_cast else None
        outline.blockers += [found] if found is not None else []

    def _argument_blocker(
        self, name: str, value: Value, node: cst.CSTNode, reads: Sequence[cst.BaseExpression]
    ) -> Blocker | None:
        """What keeps a name from being a parameter that one trace takes."""
        if any(b.kind is BindingKind.IMPORT for b in self._block.bindings(name)):
            message = f"reads `{name}`, which the loop imports"
            return Blocker(Reason.CHANGING_STATE, node, message)
        if value.is_python_scalar or (value.mixed and value.kind in TENSOR_LIKE):
            message = f"computes with the Python number `{name}`, which changes from turn to turn"
            return Blocker(Reason.PYTHON_ARGUMENT, node, message)
        if value.kind is Kind.UNKNOWN and self._is_counted(name):
            message = f"computes with `{name}`, which may be a Python number of each turn"
            return Blocker(Reason.PYTHON_ARGUMENT, node, message, of_unknown=True)
        if self._may_be_array(node, value):
            use = self._model.ask(Safety).raw_use(reads)
            message = f"computes on the NumPy array `{name}`"
            if value.kind is Kind.UNKNOWN:
                message = f"computes on `{name}`, which may be a NumPy array"
            return Blocker(Reason.NUMPY_ARGUMENT, use, message) if use is not None else None
        if value.kind in _CONSTANT:
            message = f"reads `{name}`, {value.kind.with_article} that changes from turn to turn"
            return Blocker(Reason.CHANGING_STATE, node, message)
        if value.kind is Kind.FUNCTION and self._is_made_anew(name):
            message = f"calls `{name}`, a function that is made anew for each call of the step"
            return Blocker(Reason.DIFFERENT_OBJECTS, node, message)
        is_owner = not holds_variables(value) or knows_variables(
            self._model, self._block.body, {name}
        )
        if is_owner and may_be_replaced(self._model, self._unit, name, value, self._block.repeated):
            message = f"uses `{name}`, which may hold one {value.kind.value} after the other"
            return Blocker(Reason.DIFFERENT_OBJECTS, node, message)
        if keys_clash(value):
            return Blocker(Reason.PYTHON_ARGUMENT, node, f"reads `{name}`, {CLASHING}")
        variables = variables_blocker(self._model, name, value, node)
        if variables is not None:
            return variables
        if value.kind in _STRUCTURES:
            use = self._model.ask(Safety).raw_use_inside(reads)
            if use is not None:
                message = f"computes on a NumPy array in `{name}`"
                return Blocker(Reason.NUMPY_ARGUMENT, use, message)
        if value.kind in _STRUCTURES and value.item is not None and value.item.kind in NUMBERS:
            message = f"reads the Python numbers in `{name}`"
            return Blocker(Reason.PYTHON_ARGUMENT, node, message)
        if value.kind is Kind.LIST and any(leaf.kind is Kind.UNKNOWN for leaf in leaves(value)):
            message = (
                f"reads what is in the list `{name}`, which may be Python numbers of each turn"
            )
            return Blocker(Reason.PYTHON_ARGUMENT, node, message, of_unknown=True)
        return None

    def _is_made_anew(self, name: str) -> bool:
        """Whether a function of this name is defined as often as the step runs: each has a trace."""
        loops = self._model.loops.around(self._block.body[0], self._unit)
        turning = {id(loop) for loop in loops}
        return any(
            binding.scope is self._unit.scope
            and not (turning - {id(a) for a in self._model.ancestors(binding.node)})
            for binding in self._block.bindings(name)
        )

    def _is_counted(self, name: str) -> bool:
        """Whether a name is bound to what arithmetic makes of a Python number of the turn, and of
        something of which nothing is known."""
        made = (binding.value for binding in self._block.bindings(name))
        sides = (s for m in made if isinstance(m, cst.BinaryOperation) for s in (m.left, m.right))
        given = (self._model.value(side) for side in sides)
        return any(value.is_python_scalar and value.loop is not None for value in given)

    def _may_be_array(self, node: cst.CSTNode, value: Value) -> bool:
        """Whether a value is an array, or nothing known and by no means made by TensorFlow."""
        if value.kind is Kind.UNKNOWN:
            return not self._model.ask(TensorOrigin).of(node)
        return value.kind in ARRAYS

    def _cast(
        self, outline: Outline, name: str, node: cst.CSTNode, reads: Sequence[cst.BaseExpression]
    ) -> bool:
        """Have an array or number cast at the call, where eager execution casts it at each use."""
        value = outline.values[name]
        is_given = name in outline.given_names.values()
        is_float = value.kind is Kind.FLOAT or (is_given and value.kind is Kind.INT)
        is_float = is_float and not value.mixed
        is_array = self._may_be_array(node, value)
        if is_array:
            # Nothing says that it holds whole numbers, which may meet such tensors.
            is_array = value.dtype in (None, "float32", "float64")
            is_array = is_array and self._model.ask(Safety).raw_use(reads) is not None
        usual = usual_dtype(self._model) if is_float or is_array else None
        at = self._block.body[0]
        dtype = tensorflow_name(self._model, usual, at) if usual else None
        if not dtype or not tensorflow_name(self._model, "constant", at) or value.maybe_none:
            return False
        if not are_cast_to_usual(self._model, reads):
            return False
        outline.casts[name] = dtype
        return True

    def _is_array(self, name: str, value: Value) -> bool:
        """Whether an argument is an array, or else a tensor."""
        if value.kind is not Kind.UNKNOWN:
            return value.kind is Kind.NDARRAY and not value.mixed and not value.maybe_none
        bindings = self._block.bindings(name)
        return bool(bindings) and all(
            b.kind is BindingKind.ASSIGNMENT
            and b.value is not None
            and is_array_or_tensor(self._model, b.value)
            for b in bindings
        )

    def _is_target(self, node: cst.CSTNode) -> bool:
        return isinstance(self._model.parent(node), cst.AssignTarget)

    def _sizes(self, outline: Outline) -> None:
        """Find the parameters of changing size, which a trace may not ask for in Python."""
        start = self._block.body[0]
        loops = self._model.loops.around(start, self._unit)
        arrays = [n for n in outline.parameters if outline.values[n].kind in _SIZED]
        resized = {n for n in arrays if has_changing_size(self._model, self._unit, n, start, loops)}
        outline.resized = resized
        read = size_read(self._model, outline.rest, resized) if resized else None
        if read is not None:
            message = "asks for the size of a tensor that comes in another one on many turns"
            outline.blockers.append(Blocker(Reason.PYTHON_ARGUMENT, read, message))

    def _pass_attributes(self, outline: Outline, blockers: list[Blocker]) -> None:
        """Pass the attributes that other code sets, where they stay the same during the step."""
        known = self._attributes
        outline.attributes = known.needed(blockers)
        outline.attribute_names = parameter_names(self._model, self._unit, outline.attributes)
        before = self._block.body[: self._start(outline)]
        if {*outline.attribute_names.values()} & {*outline.given_names.values()}:
            outline.blockers += blockers
            return
        for attribute in outline.attributes:
            is_set = any(known.is_set_by(s, attribute) for s in before)
            is_there = is_set or known.is_made_with_object(attribute)
            may_change = any(
                known.may_be_set_by(s, attribute) or self._runs_own_code(s)
                for s in (*outline.early, *outline.sunk)
            )
            if not is_there or may_change or known.has_other_calls(attribute):
                outline.blockers += blockers
                return
            read = [*attribute.reads, *attribute.inner][0]
            outline.values[outline.attribute_names[attribute.name]] = self._model.value(read)

    def _runs_own_code(self, statement: cst.CSTNode) -> bool:
        calls = (node for node in walk(statement) if isinstance(node, cst.Call))
        return any(self._model.callees(call) for call in calls)

    def _in_reading_order(
        self, before: Sequence[Statement], moved: Sequence[Statement], names: set[str]
    ) -> list[str]:
        """The order of the parameters: the block's targets, with what is taken of them, in theirs;
        then what the statements before bind; then what comes from elsewhere, by its first use."""
        targets = self._block.targets
        found = [n for n in targets if n in names]
        for statement in before:
            found += _in_order([statement], bound_names([statement]) & names)
        found = list(dict.fromkeys([*found, *_in_order(moved, names)]))
        ranks = {n: r for n in found if (r := self._rank(n)) is not None} if targets else {}
        return sorted(found, key=lambda n: ranks.get(n, len(targets)))

    def _rank(self, name: str) -> int | None:
        """The place of the target that a name is, or is taken from: `image = batch["image"]`."""
        targets = self._block.targets
        if name in targets:
            return targets.index(name)
        for binding in self._block.bindings(name):
            around = (binding.node, *self._model.ancestors(binding.node))
            bound = next((n for n in around if isinstance(n, cst.Assign)), None)
            inside = list(walk(bound.value)) if bound is not None else []
            if not any(isinstance(node, cst.Call) for node in inside):
                read = [n.value for n in inside if isinstance(n, cst.Name)]
                return next((targets.index(n) for n in read if n in targets), None)
        return None


def _reads_of(statements: Sequence[cst.CSTNode], name: str) -> list[cst.Name]:
    nodes = (node for statement in statements for node in walk(statement))
    return [node for node in nodes if isinstance(node, cst.Name) and node.value == name]


def _in_order(statements: Sequence[cst.CSTNode], names: set[str]) -> list[str]:
    """`names` in the order in which statements name them."""
    nodes = (node for statement in statements for node in walk(statement, into_scopes=False))
    named = (node.value for node in nodes if isinstance(node, cst.Name))
    return [name for name in dict.fromkeys(named) if name in names]
