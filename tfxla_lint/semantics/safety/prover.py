"""Goes through code that is to be traced, and notes each condition that is not known to hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect as Behaves
from tfxla_lint.knowledge.behaviour import Runs, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.effects.effect import Effect, EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.effects.static_arguments import takes_number_first
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.safety import elsewhere
from tfxla_lint.semantics.safety.annotations import evaluated_again
from tfxla_lint.semantics.safety.arithmetic import Arithmetic
from tfxla_lint.semantics.safety.builds import built_otherwise
from tfxla_lint.semantics.safety.caught import ways_out
from tfxla_lint.semantics.safety.cells import is_bound_by_cell
from tfxla_lint.semantics.safety.composition import Composition
from tfxla_lint.semantics.safety.conditions import Condition, Gap
from tfxla_lint.semantics.safety.consumed import Consumption
from tfxla_lint.semantics.safety.crossing import (
    is_more_than_values,
    looking_back,
    told_in_graphs,
)
from tfxla_lint.semantics.safety.handed_out import changing_places
from tfxla_lint.semantics.safety.idle_parameters import idle_parameters
from tfxla_lint.semantics.safety.instances import alike, is_held, made_often
from tfxla_lint.semantics.safety.kept_losses import reads_of_losses
from tfxla_lint.semantics.safety.known_objects import draws_nothing
from tfxla_lint.semantics.safety.lasting import is_changeable, is_lasting
from tfxla_lint.semantics.safety.open_sizes import needs_size, opens_size
from tfxla_lint.semantics.safety.order import coming_between
from tfxla_lint.semantics.safety.passed_on import passed_on
from tfxla_lint.semantics.safety.passed_variables import holds_variables
from tfxla_lint.semantics.safety.plain import not_plain
from tfxla_lint.semantics.safety.pruned import pruned
from tfxla_lint.semantics.safety.put_in import is_of_container, put_in_unseen
from tfxla_lint.semantics.safety.reflection import is_shared
from tfxla_lint.semantics.safety.results import is_tensor
from tfxla_lint.semantics.safety.settled import is_written_out, known_of, unsettled
from tfxla_lint.semantics.safety.update_order import lost_orders
from tfxla_lint.semantics.safety.uses import uses
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge

#: Effects that a trace has as eager code has them.
_KEPT = frozenset(
    {EffectKind.RUN, EffectKind.RUN_KERAS, EffectKind.TAPE, EffectKind.MUTATE, EffectKind.STORE,
     EffectKind.READ_NAME, EffectKind.READ_ATTRIBUTE, EffectKind.RETURN, EffectKind.JUMP}
)  # fmt: skip
#: Syntax of which a trace makes what eager code does, if its parts do the same.
_TRACED: frozenset[type[cst.CSTNode]] = frozenset(
    {cst.SimpleStatementLine, cst.IndentedBlock, cst.Expr, cst.Pass, cst.Return, cst.Assign,
     cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Annotation, cst.If, cst.Else, cst.For,
     cst.With, cst.WithItem, cst.AsName, cst.Name, cst.Attribute, cst.Call, cst.Arg, cst.Integer,
     cst.Float, cst.SimpleString, cst.UnaryOperation, cst.BinaryOperation, cst.BooleanOperation,
     cst.Comparison, cst.ComparisonTarget, cst.IfExp, cst.Subscript, cst.SubscriptElement,
     cst.Index, cst.Slice, cst.Ellipsis, cst.Tuple, cst.List, cst.Element, cst.Dict,
     cst.DictElement, cst.ListComp, cst.GeneratorExp, cst.CompFor,
     cst.Del}
)  # fmt: skip
#: Of whose methods and attributes it is known which are the same in a graph.
_ASKED = frozenset(
    {Kind.TENSOR, Kind.VARIABLE, Kind.TAPE, Kind.OPTIMIZER, Kind.METRIC, Kind.MODEL, Kind.LAYER,
     Kind.LOSS, Kind.SCHEDULE}
)  # fmt: skip
#: What lists variables of an optimizer, which it makes when it first updates some.
_VARIABLES = re.compile(r"(^|_)(variables|weights)$")
_DECIDING = frozenset({Kind.SHAPE, Kind.DTYPE})
_STATIC = behaviour.names(Trait.NEEDS_STATIC)
_DROPPING_NAN = behaviour.names(Trait.DROPS_NAN)
#: What gives back the variable itself, which goes on changing, and from a trace a value.
_ASSIGNING = behaviour.methods(Behaves.ASSIGNS, "variable")
#: Builtins that give back what they are given, whose kinds are known already.
_THROUGH = behaviour.names(Trait.GOES_THROUGH)


def _is_of_arguments(name: str) -> bool:
    """Whether a function of Python's or NumPy's asks for no setting: one that the table names."""
    if name.startswith("numpy."):
        row = behaviour.of(name)
        return bool(row.words or row.result or row.shape or row.dtype)
    return name.startswith(("builtins.", "math."))


class Prover:
    """Goes through code, and through the functions that it runs, each once."""

    def __init__(self, model: Answers) -> None:
        self.gaps: list[Gap] = []
        self._model = model
        self._seen: set[int] = set()
        #: The units whose callers were asked whether they catch.
        self._run_by: set[int] = set()
        #: The code that was gone through, and its nodes.
        self._roots: list[cst.CSTNode] = []
        self._judged: set[int] = set()
        #: The functions that it runs.
        self._runs: set[int] = set()
        #: The calls of models that were gone through by themselves.
        self._calls: list[cst.Call] = []
        self._runs_model = False
        #: What gives tensors of sizes that a trace may not know.
        self._opening: list[cst.Call | cst.Subscript] = []
        self._runs_keras = False
        #: What becomes of the values of functions.
        self._consumption = Consumption(model)
        #: By value, which is kept: whether a member may change in place.
        self._holding: dict[int, tuple[Value, bool]] = {}

    def miss(self, condition: Condition, node: cst.CSTNode, words: str) -> None:
        """Note what is not known."""
        self.gaps.append(Gap(condition, node, words))

    def found(
        self, results: Iterable[cst.BaseExpression], given: frozenset[str] = frozenset()
    ) -> list[Gap]:
        """All that is missing, now that all code was gone through: it gives back `results`."""
        reads = self._model.ask(reads_of_losses) if self._runs_model else ()
        for read in reads:
            if id(read) not in self._judged and self._is_left_behind(read):
                words = f"`{self._model.code(read)}` would be read of a trace"
                self.miss(Condition.STATE, read, words)
        told = self._model.ask(told_in_graphs)
        if told is not None:
            words = f"a cross-entropy knows `{self._model.code(told)}` again in a graph"
            self.miss(Condition.EFFECTS, told, words)
        for part in self._opening if self._runs_keras else ():
            text = self._model.code(part.func if isinstance(part, cst.Call) else part)
            self.miss(Condition.SHAPES, part, f"a trace may not know the sizes of `{text}`")
        for node in self._model.ask(elsewhere.compiling)[:1]:
            words = f"`{self._model.code(node)}` may have something else run it than TensorFlow's graphs"
            self.miss(Condition.EFFECTS, node, words)
        for node in self._model.ask(elsewhere.half_precision)[:1]:
            words = f"`{self._model.code(node)}` rounds so much that a graph's joined steps show"
            self.miss(Condition.EFFECTS, node, words)
        for node in self._model.ask(elsewhere.identities):
            self.miss(Condition.RESULTS, node, f"`{self._model.code(node)}` tells tensors apart")
        world = self._model.world
        if not world.is_whole:
            start = world.modules[0].tree
            self.miss(Condition.CALLERS, start, "a file of the project cannot be read")
        homes = {id(home): (home, root) for root in self._roots if (home := world.home(root))}
        for home, root in homes.values():
            if world.is_run_unseen(home):
                words = "tests may run it with other values, or what loads it by its name"
                self.miss(Condition.CALLERS, root, words)
            if world.is_in_package(root):
                words = "programs that are not seen may use what the package has"
                self.miss(Condition.CALLERS, root, words)
        unplain = self._model.ask(not_plain)
        if unplain is not None:
            self.miss(Condition.PLAIN, *unplain)
        for node, words in self._model.ask(uses):
            self.miss(Condition.STATE, node, words)
        for built in built_otherwise(self._model, [*self._calls, *self._roots]):
            place = excerpt(self._model, built.place)
            words = f"`{built.unit.qualname}` may run in a trace, where `{place}` is another"
            self.miss(Condition.EFFECTS, built.place, words)
        code = Composition(self._model, self._judged, self._runs)
        arithmetic = Arithmetic(self._model, code, self._judged, given)
        nodes = [node for root in self._roots for node in walk(root)]
        for node, words in arithmetic.faults(nodes, results):
            self.miss(Condition.EFFECTS, node, words)
        for node, words in (
            *lost_orders(self._model, code, nodes),
            *idle_parameters(self._model, code, nodes),
        ):
            self.miss(Condition.EFFECTS, node, words)
        return self.gaps

    def run(self, call: cst.Call) -> None:
        """A call of a model that is to go through a trace."""
        self._judged.add(id(call))
        self._calls.append(call)
        self.keras(call, call.func)

    def crosses(self, nodes: Iterable[cst.BaseExpression]) -> None:
        """That tensors which go into a trace, or out of it, are no more than their values."""
        looking = self._model.ask(looking_back)
        for node in nodes if looking is not None else ():
            if is_more_than_values(self._model, node):
                assert looking is not None
                words = f"a trace drops what `{self._model.code(looking)}` asks of `{self._model.code(node)}`"
                self.miss(Condition.RESULTS, node, words)

    def passed(self, node: cst.BaseExpression, *, is_model: bool = False) -> None:
        """That a tensor which goes into a trace is one by all that may be put where it is found; into
        that of a model, of a rank that is known."""
        put = self._model.ask(put_in_unseen, with_tensors=is_model)
        if put and is_of_container(self._model, node):
            for place, words in put:
                self.miss(Condition.ARGUMENTS, place, words)

    def _is_left_behind(self, read: cst.Attribute) -> bool:
        """Whether what a model keeps of a call may be of one in the code that is judged."""
        holder = self._model.code(read.value)
        last: cst.Call | None = None
        for node in walk(self._model.unit(read).node):
            if node is read:
                break
            if isinstance(node, cst.Call) and self._model.code(node.func) == holder:
                last = node
        return last is None or id(last) in self._judged

    def callers(self, unit: Unit) -> None:
        """That all calls of a function are in sight, and pass tensors."""
        edges = self._model.calls.untraced(unit)
        is_open = self._model.calls.handed(unit) or id(unit) in self._model.ask(passed_on)
        if is_open or not edges:
            self.miss(Condition.CALLERS, unit.node, f"other code may call `{unit.name}`")
        for info in alike(self._model, unit):
            words = f"instances of `{info.name}` may equal each other, and would share a trace"
            self.miss(Condition.OBJECTS, info.node, words)
        for node in made_often(self._model, unit):
            self.miss(
                Condition.OBJECTS, node, f"`{unit.name}` may be made often, and traced as often"
            )
        for edge in edges:
            self._call(unit, edge)
        self._variables(unit, edges)

    def _variables(self, unit: Unit, edges: Iterable[Edge]) -> None:
        """That no parameter gets one variable after the other."""
        for parameter in unit.parameters[1 if unit.is_method else 0 :]:
            given = [edge.passed(parameter.name).node for edge in edges if not edge.is_relayed]
            held = [n for n in given if n is not None and holds_variables(self._model.value(n))]
            if held and self._model.ask(Safety).may_differ(unit, parameter):
                words = f"one trace may serve several variables as `{parameter.name}`"
                for node in held:
                    self.miss(Condition.OBJECTS, node, words)

    def _call(self, unit: Unit, edge: Edge) -> None:
        if edge.is_relayed or not isinstance(edge.node, cst.Call):
            self.miss(Condition.CALLERS, edge.node, "what it passes is not known")
            return
        self.caught(edge.node)
        if unit.method is MethodKind.INSTANCE and not is_held(self._model, edge):
            words = f"nothing is known to hold the object that `{unit.name}` is called on"
            self.miss(Condition.OBJECTS, edge.node, words)
        for parameter in unit.parameters[1 if unit.is_method else 0 :]:
            node = edge.passed(parameter.name).node
            if node is not None:
                self.crosses([node])
                self.passed(node)
            value = self._model.value(node) if node is not None else None
            if value is None or not (is_tensor(value) or value.kind is Kind.VARIABLE):
                what = self._model.code(node) if node is not None else parameter.name
                self.miss(Condition.ARGUMENTS, node or edge.node, f"`{what}` may be no tensor")

    def caught(self, node: cst.CSTNode) -> None:
        """That nothing tells the exceptions of a trace, which are others, from those of now."""
        calls = self._model.calls
        for unit, found in ways_out(self._model, node, self._run_by, calls.untraced):
            if found is not unit.node:
                self.miss(Condition.EFFECTS, found, "what it raises may be caught")
            elif not (unit.is_module or calls.untraced(unit)) or (
                id(unit) in self._model.ask(elsewhere.watched_units)
            ):
                words = f"what runs `{unit.name}` may catch what it raises"
                self.miss(Condition.EFFECTS, unit.node, words)

    def unit(self, unit: Unit) -> None:
        """All code of a function."""
        self._go_through(self._unit(unit))

    def code(
        self, nodes: Sequence[cst.CSTNode], local: set[str], given_back: Collection[str]
    ) -> None:
        """Some code, in which the names `local` are bound, and which gives back some of them."""
        self._go_through(self._code(nodes, local, given_back))

    def _go_through(self, start: Iterator[Unit]) -> None:
        """Some code, and where it runs a function, that one's first: chains of calls may be long."""
        pending = [start]
        while pending:
            unit = next(pending[-1], None)
            if unit is None:
                pending.pop()
            else:
                self._runs.add(id(unit))
                pending.append(self._unit(unit))

    def _unit(self, unit: Unit) -> Iterator[Unit]:
        if id(unit) not in self._seen:
            self._seen.add(id(unit))
            for parameter in unit.parameters:
                default = parameter.node.default
                if default is not None and not is_written_out(default):
                    words = f"the default of `{parameter.name}` is no constant"
                    self.miss(Condition.PLAIN, default, words)
            for node, words in evaluated_again(self._model, unit):
                self.miss(Condition.EFFECTS, node, words)
            local = bound_names(unit.body) | {p.name for p in unit.parameters}
            yield from self._code(unit.body, local)

    def _code(
        self,
        nodes: Sequence[cst.CSTNode],
        local: set[str],
        given_back: Collection[str] | None = None,
    ) -> Iterator[Unit]:
        self._roots += nodes
        self._judged.update(id(node) for root in nodes for node in walk(root))
        for effect in self._model.ask(Effects).of_all(nodes):
            yield from self._effect(effect)
        called: set[str] = set()
        consumption = self._consumption
        if given_back is not None:
            consumption = Consumption(self._model, nodes, given_back)
        if nodes:
            for place, words in coming_between(self._model, changing_places, nodes[0]):
                self.miss(Condition.STATE, place, words)
        for node, words in unsettled(self._model, nodes, local):
            self.miss(Condition.PLAIN, node, words)
        for node, words in pruned(self._model, nodes, consumption):
            words = f"{words}, and a graph leaves out what computes it"
            self.miss(Condition.EFFECTS, node, words)
        for root in nodes:
            for node in walk(root):
                if type(node) not in _TRACED:
                    words = f"`{type(node).__name__}` is not known to do the same in a trace"
                    self.miss(Condition.EFFECTS, node, words)
                if self._model.value(node).by_use:
                    words = f"what `{self._model.code(node)}` is shows in its use only"
                    self.miss(Condition.ARGUMENTS, node, words)
                if isinstance(node, cst.Call):
                    called.add(self._model.code(node.func))
                    self._computed(node)
                    if self._model.value(node.func).kind is Kind.TRACED or any(
                        callee.tracing is not None for callee in self._model.callees(node)
                    ):
                        words = f"`{self._model.code(node.func)}` is traced anew in another trace"
                        self.miss(Condition.EFFECTS, node, words)
                elif isinstance(node, cst.Attribute):
                    self._attribute(node, called)
                elif isinstance(node, cst.Subscript):
                    if opens_size(self._model, node):
                        self._opening.append(node)
                elif isinstance(node, cst.Name):
                    self._name(node, local)
                if isinstance(node, (cst.Name, cst.Attribute)) and self._runs_own(node):
                    words = f"`{self._model.code(node)}` may run code of its own"
                    self.miss(Condition.PLAIN, node, words)

    def _runs_own(self, node: cst.Name | cst.Attribute) -> bool:
        """Whether an object of the project's does more here than to be named, asked or called."""
        value, place = self._model.value(node), self._model.parent(node)
        if value.class_ is None or value.kind is Kind.CLASS:
            return False
        if isinstance(place, cst.Arg):
            call = self._model.parent(place)
            return isinstance(call, cst.Call) and not self._model.calls.at(call)
        return not isinstance(place, (cst.Attribute, cst.Call, cst.AssignTarget, cst.Assign))

    def _effect(self, effect: Effect) -> Iterator[Unit]:
        if effect.kind not in _KEPT:
            self.miss(Condition.EFFECTS, effect.node, f"it {effect.words}")
        yield from effect.units
        is_called = effect.kind is EffectKind.RUN and effect.subject is not None
        if is_called or effect.kind is EffectKind.RUN_KERAS:
            self.keras(effect.node, effect.subject)
        elif effect.kind is EffectKind.READ_ATTRIBUTE:
            self._held(cst.ensure_type(effect.node, cst.Attribute))

    def keras(self, node: cst.CSTNode, holder: cst.BaseExpression | None) -> None:
        """What a Keras object does when it is run."""
        kind = self._model.value(holder).kind if holder is not None else Kind.UNKNOWN
        self._runs_model = self._runs_model or kind in elsewhere.GROWING
        self._runs_keras = self._runs_keras or kind is not Kind.OPTIMIZER
        info = self._model.value(holder).class_ if holder is not None else None
        edges = self._model.calls.at(node) if isinstance(node, cst.Call) else ()
        own = info.method("__call__") if info is not None else None
        if info is not None and own is not None and all(edge.callee is not own for edge in edges):
            self.miss(Condition.EFFECTS, node, f"`{info.name}` has a `__call__` of its own")
        if edges:
            return
        if kind in elsewhere.GROWING and holder is not None:
            self._nan(node, self._model.code(holder))
            for gelu in self._model.ask(elsewhere.gelus)[:1]:
                words = (
                    f"`{self._model.code(gelu)}` behind a product gives NaN for infinity in a graph"
                )
                self.miss(Condition.EFFECTS, gelu, words)
        if holder is None or not draws_nothing(self._model, holder):
            what = self._model.code(holder) if holder is not None else "what it runs"
            words = f"`{what}` may draw, or run code that is not seen"
            self.miss(Condition.DRAWS, node, words)
        for _, words in coming_between(self._model, elsewhere.rebuilding, node):
            self.miss(Condition.STATE, node, words)

    def _nan(self, node: cst.CSTNode, text: str) -> None:
        """What may drop a NaN, where the program asks for it: the kernel that joins a product, a sum and `relu`."""
        asked = next(iter(self._model.ask(elsewhere.asking_nan)), None)
        if asked is not None:
            words = f"`{text}` gives NaN in a graph, too, where an activation in it may drop it"
            self.miss(Condition.PLAIN, node, words)

    def _held(self, node: cst.Attribute) -> None:
        """What an object holds: of a known class, set by nothing after its making."""
        holder = self._model.value(node.value)
        value = self._model.value(node)
        if value.is_known and not is_lasting(value):
            self.miss(Condition.STATE, node, f"`{self._model.code(node)}` may change in place")
        written = self._model.flow.attributes.written
        if holder.class_ is not None and any(written(holder.class_, node.attr.value)):
            # What Keras makes of the variables of a model is a list of its own each time.
            self._listed(node)

    def _listed(self, node: cst.Name | cst.Attribute) -> None:
        """A list from outside: one that nothing changes in place, by whatever name."""
        value = self._model.value(node)
        if id(value) not in self._holding:
            members = (*(value.elements or ()), value.item)
            self._holding[id(value)] = value, any(map(is_changeable, members))
        if self._holding[id(value)][1]:
            words = f"what `{self._model.code(node)}` holds may change in place"
            self.miss(Condition.STATE, node, words)
        if value.kind is not Kind.LIST:
            return
        if is_shared(self._model, node):
            self.miss(Condition.STATE, node, f"`{self._model.code(node)}` may change in place")

    def _attribute(self, node: cst.Attribute, called: set[str]) -> None:
        value = self._model.value(node.value)
        holder = value.kind
        text, read = self._model.code(node), self._model.value(node).kind
        if holder in _ASKED and value.class_ is None and node.attr.value not in known_of(holder):
            words = f"`{text}` is not known to be the same in a graph"
            self.miss(Condition.STATE, node, words)
        is_asked = read in _DECIDING and not self._model.names.of(node)
        if is_asked or (holder is Kind.TENSOR and read is Kind.INT):
            self.miss(Condition.SHAPES, node, f"`{text}` is read in Python")
        elif self._model.ask(Safety).state.attribute_changes(node):
            self.miss(Condition.STATE, node, f"`{text}` is set elsewhere")
        elif holder is Kind.OPTIMIZER and _VARIABLES.search(node.attr.value):
            words = f"`{text}` is read before the first update is sure to have made any"
            self.miss(Condition.STATE, node, words)
        elif holder in elsewhere.GROWING and self._model.value(node).kind is Kind.LIST:
            if self._model.code(node.value) not in called:
                words = f"`{text}` is read before the model is sure to be built"
                self.miss(Condition.STATE, node, words)

    def _computed(self, node: cst.Call) -> None:
        name = self._model.names.one(node.func)
        text = self._model.code(node.func)
        if name in _DROPPING_NAN:
            self._nan(node, text)
        if name in api.STATEFUL_RANDOM:
            self.miss(Condition.DRAWS, node, f"`{text}` draws")
        elif name in behaviour.names(Runs.EAGER):
            self.miss(Condition.EFFECTS, node, f"`{text}` runs Python")
        elif self._model.value(node).kind in _DECIDING:
            self.miss(Condition.SHAPES, node, f"`{text}` is read in Python")
        elif name is not None and api.is_tensorflow(name) and name in _STATIC:
            self.miss(Condition.SHAPES, node, f"`{text}` needs static shapes")
        elif needs_size(self._model, node):
            self.miss(Condition.SHAPES, node, f"`{text}` needs a size that a trace may not know")
        elif opens_size(self._model, node):
            self._opening.append(node)
        if name is not None and api.is_tensorflow(name) and not behaviour.holds(Trait.SAME, name):
            words = f"`{text}` is not known to compute the same in a graph"
            self.miss(Condition.EFFECTS, node, words)
        elif name is not None and not api.is_tensorflow(name) and not _is_of_arguments(name):
            words = f"`{text}` is not known to compute of its arguments alone"
            self.miss(Condition.PLAIN, node, words)
        if name is not None and api.is_op(name) and takes_number_first(self._model, node, name):
            words = f"`{text}` is given a number first, of whose dtype a graph makes it"
            self.miss(Condition.EFFECTS, node, words)
        is_used = not isinstance(self._model.parent(node), cst.Expr)
        if is_used and isinstance(node.func, cst.Attribute) and node.func.attr.value in _ASSIGNING:
            if self._model.value(node.func.value).kind is Kind.VARIABLE:
                self.miss(Condition.RESULTS, node, f"`{text}` gives the variable")
        if is_used and not self._model.value(node).is_known and name not in _THROUGH:
            self.miss(Condition.ARGUMENTS, node, f"what `{text}` gives is not known")

    def _name(self, node: cst.Name, local: set[str]) -> None:
        """A read of a name: of a known kind, and from outside only if nothing changes it."""
        scope = self._model.binder.scope(node)
        if not scope.is_read(node):
            return
        if self._model.names.of(node):
            return
        value = self._model.value(node)
        if not value.is_known and not value.choices:
            self.miss(Condition.ARGUMENTS, node, f"what `{node.value}` is is not known")
        elif node.value not in local and not is_lasting(value):
            self.miss(Condition.STATE, node, f"`{node.value}` may change in place")
        elif node.value not in local:
            self._listed(node)
        if node.value not in local and is_bound_by_cell(self._model, node):
            words = f"`{node.value}` is another one after its cell has run again"
            self.miss(Condition.STATE, node, words)
