"""How often code calls TensorFlow when it is run once, and what these calls ask together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

import libcst as cst

from tfxla_lint.knowledge import behaviour, prices
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.cost.amounts import NOTHING, Amount, exactly
from tfxla_lint.semantics.cost.sizes import (
    BATCH,
    WIDTH,
    Dims,
    dims_of,
    moved,
    multiplied,
)
from tfxla_lint.semantics.cost.structure import Structures, is_layer, unknown_model
from tfxla_lint.semantics.cost.tally import NO_WORK, UNSEEN, Tally, charged, one_of
from tfxla_lint.semantics.effects.calls import effect_of_call, holds_tensors, may_be_tensor
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.loops import Turning
from tfxla_lint.semantics.repetition import Repeating, repeating
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.work import Work

#: So often a loop turns, and so many variables there are, where nothing is known of it.
_TURNS = Amount(2, 20, 200)
_VARIABLES = Amount(2, 6, 60)

_TRAINS = behaviour.methods(Trait.UPDATES, "model")
_GRADIENTS = behaviour.methods(Trait.DIFFERENTIATES, "tape")


class Counting:
    """Adds up what code of any module asks; asked of the world, which keeps it."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._structures = Structures(model, self._of_own)
        self._known: dict[tuple[int, bool], Tally] = {}
        self._of_turns: dict[int, Tally] = {}
        #: The functions that are being added up: what calls itself counts once.
        self._active: set[int] = set()
        #: Those of them that something below has led back to: until they are done, sums lack a part.
        self._cut: set[int] = set()
        #: What functions ask of which a part is missing, for as long as it is.
        self._meanwhile: dict[tuple[int, bool], Tally] = {}

    def of(
        self, nodes: Sequence[cst.CSTNode], *, taped: bool | None = None, into_loops: bool = True
    ) -> Tally:
        """What some statements ask, with the calls that they make; `into_loops` as for the work.

        Gradients are counted where a tape records, or where `taped` says so.
        """
        work = self._model.works.of(nodes, into_loops=into_loops)
        return self._of(nodes, work, into_loops, taped=taped)

    def of_turn(self, loop: cst.For | cst.While) -> Tally:
        """What a turn of a loop asks, but for hot loops in it."""
        known = self._of_turns.get(id(loop))
        if known is None:
            known = self._of_turns[id(loop)] = self.of([loop.body], into_loops=False)
        return known

    def _of(
        self, nodes: Sequence[cst.CSTNode], work: Work, into_loops: bool, *, taped: bool | None
    ) -> Tally:
        run = list(self._model.works.run(nodes, into_loops=into_loops))
        return _Region(self._model, self, self._structures, nodes, taped).tally(work, run)

    def of_model(self, function: cst.BaseExpression, dims: Dims, *, taped: bool = False) -> Tally:
        """What a call of what an expression names asks: a model, or a layer."""
        value = self._model.value(function)
        if value.kind is Kind.METHOD and value.receiver is not None:
            value = value.receiver
        if value.class_ is not None:
            return self._of_own(value.class_, taped)
        if is_layer(value.name):
            made = self._structures.made_by(function)
            return self._structures.layer(value.name or "", made, dims, taped=taped)[0]
        if value.kind is Kind.LAYER:
            return unknown_model(function, taped=taped)
        return self._structures.model(function, dims, taped=taped)[0]

    def _of_own(self, info: ClassInfo, taped: bool) -> Tally:
        """A model or layer whose code is the project's."""
        unit = info.method("call") or info.method("__call__")
        if unit is None:
            return unknown_model(info, taped=taped)
        tally = self.of_unit(unit, taped=taped)
        if info.role in (Kind.MODEL, Kind.LAYER):
            tally += charged("models", "Model", taped=taped)
        more = self._structures.variables(info).likely - tally.variables.likely
        return tally + Tally(trained=frozenset({(id(info), exactly(max(more, 0.0)))}))

    def of_unit(self, unit: Unit, *, taped: bool = False) -> Tally:
        """What one call of a function asks."""
        key = (id(unit), taped)
        if key in self._known:
            return self._known[key]
        if id(unit) in self._active:
            self._cut.add(id(unit))
            return NO_WORK
        if key in self._meanwhile:
            return self._meanwhile[key]
        self._active.add(id(unit))
        try:
            work = self._model.works.of_unit(unit)
            tally = self._of(unit.body, work, True, taped=taped or None)
        finally:
            self._active.discard(id(unit))
            self._cut.discard(id(unit))
        if self._cut:
            self._meanwhile[key] = tally
        else:
            self._meanwhile.clear()
            self._known[key] = tally
        return tally


class _Region:
    """Some statements, which are run once."""

    def __init__(
        self,
        model: Answers,
        counting: Counting,
        structures: Structures,
        nodes: Sequence[cst.CSTNode],
        taped: bool | None,
    ) -> None:
        self._model = model
        self._counting = counting
        self._structures = structures
        self._taped = taped
        self._around = {id(a) for a in model.ancestors(nodes[0])} if nodes else set()
        self._variables = NOTHING

    def tally(self, work: Work, run: Sequence[cst.CSTNode]) -> Tally:
        """The sum over the work, and over what else is run: ops that are no calls, and calls of which
        nothing is known."""
        found = [(node, self._repeated(node, tally)) for node, tally in self._runs(work)]
        self._variables = _sum(tally for _, tally in found).variables
        found += [(node, self._repeated(node, tally)) for node, tally in self._others(work)]
        total = _sum(tally for _, tally in found)
        priced = {id(node) for node, _ in found}
        calls = (node for node in run if isinstance(node, cst.Call) and id(node) not in priced)
        if any(self._is_unseen(call) for call in calls):
            total += UNSEEN
        if not work.gradients:
            return total
        recorded = _sum(tally for node, tally in found if self._is_taped(node)).nodes
        asked = ((call, self._of_gradients(call, recorded)) for call in work.gradients)
        return total + _sum(self._repeated(call, tally) for call, tally in asked)

    def _is_unseen(self, call: cst.Call) -> bool:
        """Whether a call may well do tensor work, and nothing is known of it: it makes something of
        tensors, or is traced."""
        effect = effect_of_call(self._model, call)
        if effect is None or effect.kind is not EffectKind.UNKNOWN:
            return False
        if self._model.contexts.traced(self._model.unit(call)) is not None:
            return True
        if isinstance(self._model.parent(call), cst.Expr):
            return False
        values = [self._model.value(argument.value) for argument in call.args]
        return any(may_be_tensor(value) or holds_tensors(value) for value in values)

    # What is called

    def _runs(self, work: Work) -> Iterator[tuple[cst.CSTNode, Tally]]:
        """What models and first-party functions ask, who tell how many variables there are."""
        for call in work.model_calls:
            yield call, self._of_model(call)
        for call, units in work.calls:
            tallies = [self._counting.of_unit(u, taped=self._is_taped(call)) for u in units]
            yield call, max(tallies, key=lambda tally: tally.eager.likely)

    def _others(self, work: Work) -> Iterator[tuple[cst.CSTNode, Tally]]:
        for op in (*work.ops, *work.slices):
            yield op, self._of_op(op)
        for call in work.losses:
            yield call, self._of_object("losses", call)
        for call in work.metric_updates:
            yield call, self._of_object("metrics", call)
        for call in work.updates:
            yield call, self._of_update(call)
        for tape in work.tapes:
            yield tape, Tally(exactly(prices.figure("calls", "tape")))
        for call in work.traced_calls:
            yield call, self._of_traced(call)
        for call in work.batch_runs:
            yield call, self._of_batch(call)

    def _of_gradients(self, call: cst.Call, recorded: Amount) -> Tally:
        """What asking a tape takes beyond what its ops pay for: some traces on each call."""
        name = self._model.value(call.func).name or ""
        loops = argument(call, "experimental_use_pfor", 99)
        loops_instead = loops is not None and self._model.value(loops).constant is False
        if prices.price("gradients", name) is None or loops_instead:
            return NO_WORK
        each = charged("gradients", name, taped=False, suffix="_node")
        return charged("gradients", name, taped=False) + each.times(recorded)

    def _of_op(self, node: cst.CSTNode) -> Tally:
        taped = self._is_taped(node)
        name = "subscript" if isinstance(node, cst.Subscript) else "operator"
        dims = dims_of(self._model.value(node).shape)
        if isinstance(node, cst.BinaryOperation):
            name = self._operator(node)
        if isinstance(node, cst.Call):
            names = self._model.names.of(node.func)
            name = min(names).rpartition(".")[2] if names else "operator"
            if argument(node, "axis", 1) is not None and prices.price("ops", f"{name}+axis"):
                name += "+axis"
            sizes = [dims_of(self._model.value(a.value).shape) for a in node.args]
            dims = max([dims, *sizes], key=_size)
        product = self._product(node, taped)
        kernels = product if product is not None else moved(dims, taped=taped)
        return charged("ops", name, taped=taped) + Tally(kernels=kernels)

    def _operator(self, node: cst.BinaryOperation) -> str:
        """The operator that has figures, which depend on whether shapes differ."""
        name = type(node.operator).__name__
        left, right = self._model.value(node.left), self._model.value(node.right)
        is_same = not right.is_tensor or (left.shape is not None and left.shape == right.shape)
        known = ([f"{name}+same"] if is_same else []) + [name]
        return next((each for each in known if prices.price("ops", each)), "operator")

    def _product(self, node: cst.CSTNode, taped: bool) -> Amount | None:
        """What the kernel of a product of matrices takes, None for other ops."""
        sides: list[cst.BaseExpression] = []
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.MatrixMultiply):
            sides = [node.left, node.right]
        elif isinstance(node, cst.Call) and len(node.args) > 1:
            names = self._model.names.of(node.func)
            if any(name.endswith((".matmul", ".tensordot")) for name in names):
                sides = [argument.value for argument in node.args[:2]]
        if not sides:
            return None
        left, right = (dims_of(self._model.value(side).shape) for side in sides)
        rows = left[-2] if left and len(left) > 1 else BATCH
        inner = left[-1] if left else right[0] if right else WIDTH
        return multiplied(rows, inner, right[-1] if right else WIDTH, taped=taped)

    def _of_object(self, part: str, call: cst.Call) -> Tally:
        """A loss or a metric, which Keras has a class or a function of."""
        value = self._model.value(call.func)
        owner = value.receiver if value.kind is Kind.METHOD else value
        names = self._model.names.of(call.func)
        name = (owner.name if owner is not None else None) or min(names, default="")
        return charged(part, name.rpartition(".")[2], taped=self._is_taped(call))

    def _of_update(self, call: cst.Call) -> Tally:
        """Applying gradients, or assigning to a variable."""
        function = self._model.value(call.func)
        receiver = function.receiver
        if receiver is None or receiver.kind is not Kind.OPTIMIZER:
            return charged("updates", function.name or "assign", taped=False)
        count, is_open = self._count_updated(call)
        name = (receiver.name or "").rpartition(".")[2]
        each = charged("optimizers", name, taped=False, suffix="_variable")
        return charged("optimizers", name, taped=False) + each.times(count, is_open=is_open)

    def _count_updated(self, call: cst.Call) -> tuple[Amount, bool]:
        """How many variables an optimizer is given: as a list of pairs, or behind a loss."""
        given = [argument.value for argument in call.args]
        for zipped in [node for node in given if isinstance(node, cst.Call)]:
            given += [argument.value for argument in zipped.args]
        for node in given:
            count = self._count_of(node)
            if count is not None:
                return count
        return self._all_variables()

    def _count_of(self, node: cst.BaseExpression) -> tuple[Amount, bool] | None:
        """How many variables an expression names: a list of them, or those of an object."""
        value = self._model.value(node)
        if value.kind in (Kind.LIST, Kind.TUPLE) and value.elements:
            if all(each.kind is Kind.VARIABLE for each in value.elements):
                return exactly(len(value.elements)), False
        if isinstance(node, cst.Attribute) and self._holds_variables(node):
            return self._count_in(node.value)
        if isinstance(node, cst.BinaryOperation):
            left, right = self._count_of(node.left), self._count_of(node.right)
            if left is not None and right is not None:
                return left[0] + right[0], left[1] or right[1]
        if isinstance(node, cst.Name):
            made = makers(self._model.flow, node)
            if len(made) == 1 and not isinstance(made[0], cst.Name):
                return self._count_of(made[0])
        return None

    def _holds_variables(self, node: cst.CSTNode) -> bool:
        """Whether this is a list of variables: `model.trainable_variables`."""
        item = self._model.value(node).item
        return item is not None and item.kind is Kind.VARIABLE

    def _count_in(self, owner: cst.BaseExpression) -> tuple[Amount, bool] | None:
        """How many variables an object has."""
        value = self._model.value(owner)
        count, is_open = NOTHING, False
        if value.class_ is not None:
            count = self._structures.variables(value.class_)
        if not count.likely and value.kind in (Kind.MODEL, Kind.LAYER):
            tally = self._counting.of_model(owner, None)
            count, is_open = tally.variables, tally.is_open
        return (count, is_open) if count.likely else None

    def _all_variables(self) -> tuple[Amount, bool]:
        if self._variables.likely:
            return self._variables, False
        return _VARIABLES, True

    def _of_model(self, call: cst.Call) -> Tally:
        return self._counting.of_model(call.func, self._given(call), taped=self._is_taped(call))

    def _given(self, call: cst.Call) -> Dims:
        """The dimensions of what a model is given first."""
        given = call.args[0].value if call.args else None
        return dims_of(self._model.value(given).shape) if given is not None else None

    def _of_traced(self, call: cst.Call) -> Tally:
        """The call of a graph, and what runs in it."""
        took, taped = prices.figure("calls", "function"), self._is_taped(call)
        callees = self._model.callees(call)
        if any(callee.tracing is None for callee in callees):
            # Of what is called one way or the other, the findings speak that are eager.
            return Tally(exactly(took))
        graphs = [self._counting.of_unit(callee.unit, taped=taped) for callee in callees]
        if graphs:
            return one_of([graph.as_graph(took) for graph in graphs])
        wrapped = self._model.value(call.func).receiver
        made = self._structures.made_by(call.func)
        graph = Tally(is_open=True)
        is_model = wrapped is not None and wrapped.kind in (Kind.MODEL, Kind.LAYER)
        if is_model and made is not None and made.args:
            graph = self._counting.of_model(made.args[0].value, self._given(call), taped=taped)
        return graph.as_graph(took)

    def _of_batch(self, call: cst.Call) -> Tally:
        """What Keras does with one batch: no graph around it changes that."""
        function = cst.ensure_type(call.func, cst.Attribute)
        name = function.attr.value
        model = self._counting.of_model(function.value, self._given(call), taped=name in _TRAINS)
        called = Tally(traced=exactly(prices.figure("calls", name)))
        return replace(model.as_graph(0.0), eager=NOTHING) + called

    # How often

    def _is_taped(self, node: cst.CSTNode) -> bool:
        return inside_tape(self._model, node) if self._taped is None else self._taped

    def _repeated(self, node: cst.CSTNode, tally: Tally) -> Tally:
        """What `node` asks in all, on the turns of what repeats it in the region."""
        for loop in repeating(self._model, node):
            if id(loop) not in self._around:
                count, is_open = self._turns(loop)
                tally = tally.times(count, is_open=is_open)
        return tally

    def _turns(self, loop: Repeating) -> tuple[Amount, bool]:
        if isinstance(loop, cst.While):
            most = self._model.loops.info(loop).most
            return (Amount(1, most, most), False) if most is not None else (_TURNS, True)
        source = loop.iter if isinstance(loop, cst.For) else loop.for_in.iter
        if isinstance(loop, cst.For):
            info = self._model.loops.info(loop)
            if info.turns is not None or info.most is not None:
                return exactly(info.turns or info.most or 1), False
        value = self._model.value(source)
        if value.elements is not None and value.kind is not Kind.RANGE:
            return exactly(len(value.elements)), False
        made = self._structures.makers(source)
        if made and all(isinstance(each, (cst.ListComp, cst.GeneratorExp)) for each in made):
            known = [self._model.loops.info(cast("Turning", each)).turns for each in made]
            if all(known):
                return exactly(max(turns or 1 for turns in known)), False
        if self._goes_through_variables(source):
            parts = (
                n for n in walk(source, into_scopes=False) if isinstance(n, cst.BaseExpression)
            )
            found = (count for part in parts if (count := self._count_of(part)) is not None)
            return next(found, None) or self._all_variables()
        return _TURNS, True

    def _goes_through_variables(self, source: cst.BaseExpression) -> bool:
        """Whether a loop takes variables or their gradients one by one."""
        for node in walk(source, into_scopes=False):
            if self._holds_variables(node):
                return True
            if isinstance(node, cst.Name) and any(map(self._differentiates, self._made(node))):
                return True
        return False

    def _made(self, node: cst.Name) -> Iterable[cst.BaseExpression]:
        return makers(self._model.flow, node)

    def _differentiates(self, node: cst.BaseExpression) -> bool:
        if not isinstance(node, cst.Call):
            return False
        function = self._model.value(node.func)
        receiver = function.receiver
        is_tape = receiver is not None and receiver.kind is Kind.TAPE
        return is_tape and function.name in _GRADIENTS


def _size(dims: Dims) -> float:
    product = 1.0
    for each in dims or ():
        product *= each.likely
    return product if dims is not None else 0.0


def _sum(parts: Iterable[Tally]) -> Tally:
    total = NO_WORK
    for part in parts:
        total += part
    return total
