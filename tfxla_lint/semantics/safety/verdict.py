"""The verdict on tracing: of a function to be decorated, of a region to be hoisted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.semantics.dict_keys import keys_clash
from tfxla_lint.semantics.effects.eager_only import symbolic_argument
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.effects.inspected import is_pythons
from tfxla_lint.semantics.effects.raw import is_kept_raw, runs_raw
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.kinds.command_line import is_told
from tfxla_lint.semantics.safety.arrays import (
    arrays_read,
    asks_for_none,
    is_float_array,
    is_joined_as_is,
    is_taken_as_is,
    sliced,
)
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.builds import built_otherwise
from tfxla_lint.semantics.safety.chosen import choice_by
from tfxla_lint.semantics.safety.conversions import conversion
from tfxla_lint.semantics.safety.flags import is_mere_flag
from tfxla_lint.semantics.safety.kept_losses import stray_losses
from tfxla_lint.semantics.safety.keys import argument_blocker, method_blocker
from tfxla_lint.semantics.safety.lifetimes import makes_variables, takes_several
from tfxla_lint.semantics.safety.makers import is_one, made_apart
from tfxla_lint.semantics.safety.passed_variables import (
    holds_variables,
    knows_variables,
    variables_blocker,
)
from tfxla_lint.semantics.safety.picked_sizes import are_picked, picked_sizes
from tfxla_lint.semantics.safety.results import CLASHING
from tfxla_lint.semantics.safety.scan import Scan
from tfxla_lint.semantics.safety.state import OuterState
from tfxla_lint.semantics.safety.unbuilt import fails_for_good, is_built_apart
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import ARRAYS, KERAS_CALLABLES, Kind, Value, leaves
from tfxla_lint.semantics.varying.passed_numbers import takes_new_function, takes_varying_number

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_RETURNABLE = frozenset(
    {Kind.TENSOR, Kind.NONE, Kind.UNKNOWN, Kind.TENSOR_ARRAY, Kind.UNBOUND, Kind.KERAS_TENSOR}
)


def _maker(unit: Unit) -> cst.CSTNode | None:
    """The function that a function stands in, and that makes it on each of its runs."""
    parent = unit.parent
    is_inner = parent is not None and not (parent.is_module or unit.is_method)
    return parent.node if parent is not None and is_inner else None


def _receiver(unit: Unit) -> Parameter | None:
    return unit.parameters[0] if unit.is_method and unit.parameters else None


#: Parameters, by the units that have them.
Asked: TypeAlias = "set[tuple[int, str]]"


class Safety:
    """Judges whether code of one module can be traced."""

    def __init__(self, model: Answers) -> None:
        self.model = model
        self.state = OuterState(model)
        self._callees: dict[tuple[int, bool], list[Blocker]] = {}

    def unit_blockers(self, unit: Unit, within: cst.CSTNode | None = None) -> list[Blocker]:
        """What keeps a function from being decorated with `tf.function`; empty if nothing.

        `within` is the code whose every run gets a traced function of its own, if any does.
        """
        found = [*self._kind(unit), *self._strategy(unit), *self._symbolic(unit)]
        method = method_blocker(self.model, unit)
        found += [method] if method is not None else []
        if is_built_apart(self.model, unit):
            words = "is run by Keras 3 to build its layers, whose first weights a trace would keep"
            found.append(Blocker(Reason.CREATION, unit.node, words))
        for parameter in unit.parameters:
            found += self.parameter_blockers(unit, parameter)
        found += self._body(
            unit,
            given={p.name for p in unit.parameters} - bound_names(unit.body),
            is_raw=is_kept_raw(self.model, unit),
            within=within,
        )
        found += self._results(unit)
        found += [*self._built(unit.body), *self._picked(unit.body)]
        found += self._left(unit.body)
        calls = (edge.node for edge in self.model.calls.untraced(unit))
        caught = filter(None, (fails_for_good(self.model, unit.body, call) for call in calls))
        return [*found, *islice(caught, 1)]

    def callee_blockers(self, unit: Unit, *, is_raw: bool = False) -> list[Blocker]:
        """What keeps a function from running inside of a caller's trace, or `is_raw`, from running
        there without AutoGraph."""
        for inner, raw in self._callees_first(unit, is_raw):
            found = [*self._kind(inner), *self._body(inner, is_called=True, is_raw=raw)]
            self._callees[id(inner), raw] = found
        return self._callees[id(unit), is_raw]

    def _callees_first(self, unit: Unit, is_raw: bool) -> Iterator[tuple[Unit, bool]]:
        """The functions not judged yet that running `unit` runs, each after what it runs itself.

        One that runs itself again is judged as if that call did nothing.
        """
        pending = [(unit, is_raw, False)]
        while pending:
            current, raw, is_ready = pending.pop()
            if is_ready:
                yield current, raw
            elif (id(current), raw) not in self._callees:
                self._callees[id(current), raw] = []
                pending.append((current, raw, True))
                for effect in self.model.ask(Effects).of_all(current.body):
                    below = raw or (bool(effect.units) and runs_raw(self.model, effect.node))
                    pending += [(inner, below, False) for inner in effect.units]

    def _kind(self, unit: Unit) -> list[Blocker]:
        """What keeps a function from being traced whatever its code does."""
        found = [
            Blocker(Reason.UNKNOWN_DECORATOR, d, "has a decorator that is not known here")
            for d in unit.unknown_decorators
        ]
        if unit.is_generator or unit.is_async:
            found.append(Blocker(Reason.GENERATOR, unit.node, "is a generator or coroutine"))
        return found

    def region_blockers(
        self,
        unit: Unit,
        statements: Sequence[cst.CSTNode],
        passed: set[str],
        within: cst.CSTNode | None = None,
    ) -> list[Blocker]:
        """What keeps statements of `unit` from becoming a traced function of their own.

        `passed` are the names that the function would get as arguments, `within` is the code whose
        every run gets one of its own.
        """
        scan = Scan(
            self,
            unit,
            statements,
            local_names=bound_names(statements),
            passed_names=passed,
            is_region=True,
            within=within or _maker(unit),
        )
        found = [*scan.run(), *self._built(statements), *self._picked(statements)]
        return [*found, *self._left(statements)]

    def _picked(self, nodes: Sequence[cst.CSTNode]) -> Iterator[Blocker]:
        """That sizes are read in Python which a trace does not know."""
        shapes = self.static_shapes(nodes) if self.model.ask(are_picked) else ()
        for picked in picked_sizes(self.model, shapes):
            read, picking = (excerpt(self.model, n) for n in (picked.read, picked.picking.func))
            words = f"reads the size `{read}` in Python, of what `{picking}` picks by its values"
            yield Blocker(
                Reason.EAGER_ONLY_CALL, picked.read, words, True, (picked.read, picked.picking)
            )

    def _built(self, nodes: Sequence[cst.CSTNode]) -> Iterator[Blocker]:
        """That layers are built otherwise in a trace."""
        for built in built_otherwise(self.model, nodes):
            place = excerpt(self.model, built.place)
            words = (
                f"may be the first call of a layer, and of what `{built.unit.qualname}` does a trace "
                f"makes something else: `{place}`"
            )
            yield Blocker(Reason.CREATION, built.call, words, True, (built.place,))

    def _left(self, nodes: Sequence[cst.CSTNode]) -> Iterator[Blocker]:
        """That losses are read which another call left."""
        for stray in stray_losses(self.model, nodes):
            words = stray.when.value.format(excerpt(self.model, stray.read))
            yield Blocker(Reason.CHANGING_STATE, stray.place, words, True, (stray.read,))

    def held_blocker(self, unit: Unit, call: cst.Call) -> Blocker | None:
        """What keeps the code of which the Keras object that a call runs is made from being traced."""
        scan = Scan(
            self, unit, [call], local_names=set(), passed_names=set(), is_region=True, within=_maker(unit)
        )  # fmt: skip
        runs = (e for e in self.model.ask(Effects).of_all([call]) if e.kind is EffectKind.RUN_KERAS)
        held = next((scan.held(effect) for effect in runs if effect.node is call), None)
        return held or next(self._built([call]), None)

    def reads_static_shape(self, nodes: Iterable[cst.CSTNode]) -> bool:
        """Whether the nodes, or what they call, use static shapes that relaxing would lose."""
        return next(self.static_shapes(nodes), None) is not None

    def static_shapes(self, nodes: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
        """Where the nodes, or what they call, read static shapes."""
        roots = [*nodes]
        called = self.model.calls.bodies_run_by(roots)
        return (n for root in chain(roots, called) for n in walk(root) if self._is_shape(n))

    def _is_shape(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Attribute) and node.attr.value in ("shape", "get_shape"):
            return "tensorflow.shape" not in self.model.names.of(node)
        if not isinstance(node, cst.Call) or not self.model.names.of(node.func) & _SHAPE_READERS:
            return False
        return not node.args or self.model.value(node.args[0].value).kind not in _OF_PYTHON

    def _body(
        self,
        unit: Unit,
        *,
        given: Collection[str] = (),
        is_called: bool = False,
        is_raw: bool = False,
        within: cst.CSTNode | None = None,
    ) -> list[Blocker]:
        """`given` are names of what belongs to eager code, which a trace must not change."""
        roots = unit.body
        names = bound_names(roots) | {p.name for p in unit.parameters}
        scan = Scan(
            self,
            unit,
            roots,
            local_names=names.difference(given),
            passed_names=set(given),
            is_region=False,
            is_called=is_called,
            is_raw=is_raw,
            within=within or _maker(unit),
        )
        return scan.run()

    def _strategy(self, unit: Unit) -> list[Blocker]:
        for use in self.model.uses:
            if use.unit is unit and use.how == "inherits":
                function = (
                    self.model.value(use.node.func) if isinstance(use.node, cst.Call) else None
                )
                if function is not None and function.receiver is not None:
                    if function.receiver.kind is Kind.STRATEGY:
                        return [
                            Blocker(Reason.STRATEGY, use.node, "is run by a distribution strategy")
                        ]
        return []

    def _symbolic(self, unit: Unit) -> list[Blocker]:
        for edge in self.model.calls.direct(unit):
            given = symbolic_argument(self.model, edge)
            if given is not None:
                words = f"is handed the symbolic tensor `{excerpt(self.model, given)}` of Keras"
                return [Blocker(Reason.EAGER_ONLY_CALL, unit.node, words, places=(given,))]
        return []

    def _results(self, unit: Unit) -> list[Blocker]:
        for value in leaves(unit.returns):
            if value.kind not in _RETURNABLE:
                node = self._return_of(unit, value)
                return [
                    Blocker(
                        Reason.RESULT,
                        node,
                        f"returns {value.kind.with_article}, which a trace turns into a tensor or refuses",
                    )
                ]
        if keys_clash(unit.returns):
            result = next(
                (
                    n
                    for n in self.model.flow.returns(unit)
                    if n is not None and keys_clash(self.model.value(n))
                ),
                unit.node,
            )
            return [Blocker(Reason.RESULT, result, f"returns {CLASHING}")]
        return []

    def _return_of(self, unit: Unit, value: Value) -> cst.CSTNode:
        for node in walk(unit.node, into_scopes=False):
            if isinstance(node, cst.Return) and node.value is not None:
                if any(leaf.kind is value.kind for leaf in leaves(self.model.value(node.value))):
                    return node
        return unit.node

    def parameter_blockers(self, unit: Unit, parameter: Parameter) -> list[Blocker]:
        """What is wrong with the values that the calls seen pass for a parameter."""
        value = parameter.value
        node = parameter.node
        read = conversion(self.model, unit, parameter.name, value)
        if read is not None:
            message = f"makes a tensor of `{parameter.name}` in a way that takes no traced one"
            return [Blocker(Reason.NUMPY_ARGUMENT, read, message)]
        is_varying = takes_varying_number(self.model, unit, parameter)
        if is_varying and not is_mere_flag(self.model, unit, parameter):
            what = "string" if value.kind is Kind.STRING else "number"
            message = f"takes the Python {what} `{parameter.name}`, which varies between calls"
            return [Blocker(Reason.PYTHON_ARGUMENT, node, message)]
        if takes_new_function(self.model, unit, parameter):
            message = f"takes as `{parameter.name}` a function that each call makes anew"
            return [Blocker(Reason.PYTHON_ARGUMENT, node, message)]
        choice = choice_by(self.model, unit, parameter)
        if choice is not None:
            message = f"runs another model or optimizer for another `{parameter.name}`"
            return [Blocker(Reason.DIFFERENT_OBJECTS, choice, message)]
        if value.kind is Kind.TAPE:
            return [Blocker(Reason.TAPE, node, "takes a gradient tape that is opened outside")]
        if self._may_be_array(unit, parameter):
            use = self._raw_array_use(unit, parameter.name)
            if use is not None:
                message = (
                    f"computes on the NumPy array `{parameter.name}`, whose dtype a trace keeps"
                )
                return [Blocker(Reason.NUMPY_ARGUMENT, use, message)]
        if keys_clash(value):
            message = f"takes as `{parameter.name}` {CLASHING}"
            return [Blocker(Reason.PYTHON_ARGUMENT, node, message)]
        if value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
            use = self.raw_use_inside(unit.scope.reads.get(parameter.name, ()))
            if use is not None:
                message = (
                    f"computes on a NumPy array in `{parameter.name}`, whose dtype a trace keeps"
                )
                return [Blocker(Reason.NUMPY_ARGUMENT, use, message)]
            if any(leaf.is_python_scalar and not leaf.has_constant for leaf in leaves(value)):
                message = f"takes Python numbers in `{parameter.name}`"
                return [Blocker(Reason.PYTHON_ARGUMENT, node, message)]
        if parameter is _receiver(unit):
            return []
        unhashable = argument_blocker(self.model, parameter.name, value, node)
        if unhashable is not None:
            return [unhashable]
        variables = variables_blocker(self.model, parameter.name, value, node)
        if variables is not None:
            return [variables]
        if self._takes_settings(unit, parameter):
            message = (
                f"takes the settings `{parameter.name}`, which may have no hash to find a trace by"
            )
            return [Blocker(Reason.UNHASHABLE, node, message)]
        if any(makes_variables(leaf) for leaf in leaves(value)):
            return self._several_objects(unit, parameter)
        if holds_variables(value) and knows_variables(
            self.model, unit.body, {p.name for p in unit.parameters}
        ):
            return self._several_objects(unit, parameter)
        return []

    def _takes_settings(self, unit: Unit, parameter: Parameter) -> bool:
        """Whether a parameter is what a command line says, or the like, as a whole: it is asked for
        attributes. `argparse` gives objects that a trace refuses."""
        if is_told(parameter.value):
            return True
        reads = unit.scope.reads.get(parameter.name, ())
        asked = (r for r in reads if isinstance(self.model.parent(r), cst.Attribute))
        return parameter.value.kind is Kind.UNKNOWN and any(
            is_pythons(self.model, r) for r in asked
        )

    def _may_be_array(self, unit: Unit, parameter: Parameter) -> bool:
        """Whether some call passes a NumPy array; others may pass lists, or what is not known."""
        if parameter.value.kind in ARRAYS:
            return True
        if parameter.value.is_known:
            return False
        given = (edge.argument(parameter.name) for edge in self.model.calls.untraced(unit))
        return any(node is not None and self.model.value(node).kind in ARRAYS for node in given)

    def _several_objects(self, unit: Unit, parameter: Parameter) -> list[Blocker]:
        """A second model or optimizer would make variables on a later trace, and a second variable
        find the trace of the first."""
        if not self.may_differ(unit, parameter):
            return []
        message = f"is called with different objects as `{parameter.name}`"
        if holds_variables(parameter.value):
            message = (
                f"is called with different variables as `{parameter.name}`, and a trace takes "
                "each for the one that it was made with"
            )
        return [Blocker(Reason.DIFFERENT_OBJECTS, parameter.node, message)]

    def may_differ(self, unit: Unit, parameter: Parameter) -> bool:
        """Whether calls may pass one object after the other for a parameter."""
        if holds_variables(parameter.value) and not is_one(self.model, unit, parameter):
            return True
        return (
            self._differ(unit, parameter)
            or takes_several(self.model, unit, parameter)
            or made_apart(self.model, unit, parameter)
        )

    def _differ(self, unit: Unit, parameter: Parameter) -> bool:
        """Whether calls at several places are written with different arguments."""
        edges = self.model.calls.untraced(unit)
        if len({id(edge.node) for edge in edges}) <= 1:
            return False
        given = [(edge.node, edge.argument(parameter.name)) for edge in edges]
        code = self.model.code
        texts = [(call, code(node) if node is not None else None) for call, node in given]
        return any(
            (text != other_text or text is None)
            and not self.model.world.in_other_programs(call, other)
            for (call, text), (other, other_text) in combinations(texts, 2)
        )

    def _raw_array_use(
        self, unit: Unit, name: str, asked: Asked | None = None
    ) -> cst.CSTNode | None:
        """A use of an array parameter that eager may cast and a trace does not.

        `asked` are the parameters that have been gone through: the first use ends the search.
        """
        asked = set() if asked is None else asked
        if (id(unit), name) in asked:
            return None
        asked.add((id(unit), name))
        return self.raw_use(unit.scope.reads.get(name, ()), asked)

    def raw_use(
        self, reads: Iterable[cst.CSTNode], asked: Asked | None = None
    ) -> cst.CSTNode | None:
        """The first of these reads of an array that eager may cast and a trace does not."""
        asked = set() if asked is None else asked
        for read in reads:
            if self.model.value(read).is_tensor:
                continue
            used = sliced(self.model, self._negated(read))
            if not is_taken_as_is(self.model, used) and not self._means_the_same(used, asked):
                return read
        return None

    def raw_use_inside(self, reads: Iterable[cst.CSTNode]) -> cst.CSTNode | None:
        """The same of the arrays that a structure holds, where these are reads of it."""
        return self.raw_use(arrays_read(self.model, reads))

    def _negated(self, read: cst.CSTNode) -> cst.CSTNode:
        """The negation of an array of floats, which is an array like it, or the read itself."""
        parent = self.model.parent(read)
        if isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Minus):
            return parent if is_float_array(self.model, read) else read
        return read

    def _means_the_same(self, read: cst.CSTNode, asked: Asked) -> bool:
        """Whether what takes a read of an array does with it what it does with a tensor."""
        parent = self.model.parent(read)
        if isinstance(parent, cst.Attribute):
            return parent.attr.value in ("shape", "dtype", "ndim")
        if asks_for_none(parent):
            return True
        if isinstance(parent, cst.Index):
            return not self._picks_from_python(parent)
        in_list = isinstance(parent, cst.Element)
        if in_list and parent is not None:
            members = self.model.parent(parent)
            parent = self.model.parent(members) if members is not None else None
        call = self.model.parent(parent) if isinstance(parent, cst.Arg) else None
        if not isinstance(call, cst.Call) or not isinstance(parent, cst.Arg):
            return False
        if in_list:
            is_packed = self.model.names.of(call.func) == {"tensorflow.convert_to_tensor"}
            is_packed = is_packed and is_float_array(self.model, read)
            is_packed = is_packed or is_joined_as_is(self.model, call, members)
            return is_packed or self.model.value(call.func).kind in KERAS_CALLABLES
        return self._takes_arrays(call, parent, asked)

    def _picks_from_python(self, index: cst.Index) -> bool:
        """Whether an array is the index of an array or list, which takes no tensor for one."""
        holder = next(n for n in self.model.ancestors(index) if isinstance(n, cst.Subscript))
        return self.model.value(holder.value).kind in (Kind.NDARRAY, Kind.LIST, Kind.TUPLE)

    def _takes_arrays(self, call: cst.Call, argument: cst.Arg, asked: Asked) -> bool:
        edges = self.model.calls.at(call)
        if edges and all(edge.tracing is not None for edge in edges):
            return True  # A `tf.function` makes tensors of its arguments.
        if not edges or self.model.value(call.func).kind in KERAS_CALLABLES:
            return self._treats_alike(call, argument)
        for edge in edges:
            taking = edge.parameter(argument)
            if taking is None or self._raw_array_use(edge.callee, taking.name, asked) is not None:
                return False
        return True

    def _treats_alike(self, call: cst.Call, argument: cst.Arg) -> bool:
        """Whether a call does with an array what it does with a tensor of the array's dtype."""
        function = self.model.value(call.func)
        if function.kind in KERAS_CALLABLES:
            return True
        if function.kind is not Kind.METHOD or function.receiver is None:
            return False
        if function.receiver.kind is Kind.TAPE and function.name == "gradient":
            return argument in call.args[2:]
        return function.receiver.kind is Kind.METRIC


_OF_PYTHON = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.STRING})
_SHAPE_READERS = frozenset({"builtins.len", "tensorflow.unstack"})
