"""What models are made of, and what they ask when they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.cost.amounts import NOTHING, Amount, exactly
from tfxla_lint.semantics.cost.sizes import BATCH, Dims, Given, dims_of, moved, through
from tfxla_lint.semantics.cost.tally import NO_WORK, UNSEEN, Tally, charged
from tfxla_lint.semantics.flow.closure import folded
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.repetition import repeating
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.loops import Turning
    from tfxla_lint.semantics.units import ClassInfo, Unit

_LAYERS = "tensorflow.keras.layers."
#: So many layers a model may well have of which nothing is known.
_LAYER_COUNT = Amount(1, 6, 60)
_MADE = (Kind.LAYER, Kind.MODEL)


def is_layer(name: str | None) -> bool:
    """Whether this names a layer of Keras' own."""
    return name is not None and name.startswith(_LAYERS)


def unknown_model(owner: object, *, taped: bool) -> Tally:
    """What a model asks of which nothing is known."""
    one = charged("layers", "Dense+activation", taped=taped)
    tally = one.times(_LAYER_COUNT, is_open=True)
    return Tally(
        tally.eager,
        tally.nodes,
        kernels=Amount(1, 100, 20_000),
        trained=frozenset({(id(owner), _LAYER_COUNT * 2.0)}),
        is_open=True,
    )


class Structures:
    """Answers what the layers and models ask that Keras makes; `own` answers of a project's classes,
    which have code, whether a tape records them."""

    def __init__(self, model: Answers, own: Callable[[ClassInfo, bool], Tally]) -> None:
        self._model = model
        self._own = own
        self._known: dict[tuple[int, Dims, bool], tuple[Tally, Dims]] = {}
        self._counted: dict[int, Amount] = {}
        #: What is added to the models that a unit makes, by what makes them.
        self._additions: dict[Unit, dict[int, list[cst.BaseExpression]]] = {}

    def made_by(self, node: cst.BaseExpression) -> cst.Call | None:
        """The one call that makes the object which an expression names."""
        if isinstance(node, cst.Call):
            return node
        made = [m for m in self.makers(node) if isinstance(m, cst.Call)]
        return made[0] if made else None

    def makers(self, node: cst.BaseExpression) -> list[cst.BaseExpression]:
        """What makes an object, also where functions are given it."""
        return makers(self._model.flow, node, self._model.calls.untraced)

    def layer(
        self, name: str, made: cst.Call | None, dims: Dims, *, taped: bool
    ) -> tuple[Tally, Dims]:
        """What the call of a layer of Keras' asks, and the dimensions of what it gives."""
        leaf = name.removeprefix(_LAYERS)
        given = Given(self._model, made)
        if leaf in ("Bidirectional", "TimeDistributed") and made is not None and made.args:
            inner = self.made_by(made.args[0].value)
            if inner is not None and is_layer(self._name(inner)):
                tally, out = self.layer(self._name(inner) or "", inner, dims, taped=taped)
                return (tally + tally if leaf == "Bidirectional" else tally), out
        kernels, out, steps = through(leaf, given, dims, taped=taped)
        priced = f"{leaf}+activation" if given.says("activation") else leaf
        tally = charged("layers", _priced(priced), taped=taped, steps=steps, owner=made or given)
        return tally + Tally(kernels=kernels), out

    def model(self, function: cst.BaseExpression, dims: Dims, *, taped: bool) -> tuple[Tally, Dims]:
        """What the call of a model asks that Keras puts together."""
        made = self.made_by(function)
        if made is None:
            return unknown_model(function, taped=taped), None
        key = id(made), dims, taped
        if key not in self._known:
            self._known[key] = self._put_together(function, made, dims, taped=taped)
        return self._known[key]

    def _put_together(
        self, function: cst.BaseExpression, made: cst.Call, dims: Dims, *, taped: bool
    ) -> tuple[Tally, Dims]:
        name = self._name(made)
        if name is None:
            return unknown_model(made, taped=taped), None
        if name.endswith(".Sequential"):
            return self._sequential(function, made, dims, taped=taped)
        if name.endswith(".Model"):
            return self._functional(made, dims, taped=taped)
        return unknown_model(made, taped=taped), None

    def variables(self, info: ClassInfo) -> Amount:
        """How many variables the objects of a class have, by its attributes."""
        if id(info) not in self._counted:
            # Objects that hold some of their own class do not count those.
            self._counted[id(info)] = NOTHING
            held = map(self._variables_in, info.attributes.values())
            self._counted[id(info)] = sum(held, NOTHING)
        return self._counted[id(info)]

    def _variables_in(self, value: Value) -> Amount:
        if value.kind is Kind.VARIABLE:
            return exactly(1)
        if value.kind is Kind.LAYER and is_layer(value.name):
            leaf = (value.name or "").removeprefix(_LAYERS)
            return charged("layers", _priced(leaf), taped=False, owner=value).variables
        if value.class_ is not None and value.kind in (Kind.MODEL, Kind.LAYER, Kind.MODULE):
            return self.variables(value.class_)
        total = NOTHING
        for each in value.elements or ():
            total += self._variables_in(each)
        return total

    def _name(self, call: cst.Call) -> str | None:
        return min(self._model.names.of(call.func), default=None)

    def _sequential(
        self, function: cst.BaseExpression, made: cst.Call, dims: Dims, *, taped: bool
    ) -> tuple[Tally, Dims]:
        total = charged("models", "Sequential", taped=taped)
        layers = self._listed(made) + self._added(made)
        if not layers:
            return unknown_model(made, taped=taped), None
        for node in layers:
            tally, dims = self._one(node, dims, taped=taped)
            total += tally
        return total, dims

    def _one(self, node: cst.BaseExpression, dims: Dims, *, taped: bool) -> tuple[Tally, Dims]:
        """One of the layers that a model is a list of."""
        made = self.made_by(node)
        name = self._name(made) if made is not None else None
        if made is not None and name is not None and name.endswith((".Input", ".InputLayer")):
            found = dims_of(self._model.value(node).shape)
            batch = dims[0] if dims else BATCH
            return NO_WORK, (batch, *found[1:]) if found and not dims else dims
        if made is not None and is_layer(name):
            return self.layer(name or "", made, dims or _told(self._model, made), taped=taped)
        value = self._model.value(node)
        if value.kind is Kind.MODEL and value.class_ is None:
            return self.model(node, dims, taped=taped)
        return self.other(value, taped=taped), None

    def other(self, value: Value, *, taped: bool) -> Tally:
        """What the call of a layer asks that is not Keras' own: the project's, or a library's."""
        if value.class_ is not None:
            return self._own(value.class_, taped)
        return charged("layers", "", taped=taped) + UNSEEN

    def _listed(self, made: cst.Call) -> list[cst.BaseExpression]:
        given = made.args[0].value if made.args else None
        if isinstance(given, cst.Name):
            found = self.makers(given)
            given = found[0] if len(found) == 1 else given
        if not isinstance(given, (cst.List, cst.Tuple)):
            return []
        return [element.value for element in given.elements]

    def _added(self, made: cst.Call) -> list[cst.BaseExpression]:
        """What `model.add(layer)` adds, in the unit that makes the model."""
        unit = self._model.unit(made)
        if unit not in self._additions:
            added: dict[int, list[cst.BaseExpression]] = {}
            for call, holder in self._model.ask(_adding).get(unit, ()):
                added.setdefault(id(self.made_by(holder)), []).append(call.args[0].value)
            self._additions[unit] = added
        return self._additions[unit].get(id(made), [])

    def _functional(self, made: cst.Call, dims: Dims, *, taped: bool) -> tuple[Tally, Dims]:
        outputs = [
            a.value for i, a in enumerate(made.args)
            if (a.keyword.value == "outputs" if a.keyword is not None else i == 1)
        ]  # fmt: skip
        if not outputs:
            return unknown_model(made, taped=taped), None
        batch = dims[0] if dims else BATCH
        graph = _Symbolic(self, self._model, self._model.unit(made), batch, taped)
        out = graph.out_of(outputs[0])
        total = charged("models", "Functional", taped=taped) + graph.total
        return (total, out) if not graph.is_lost else (unknown_model(made, taped=taped), None)


class _Symbolic:
    """Goes back from the outputs of a functional model to its inputs, each layer's call once."""

    def __init__(
        self, structures: Structures, model: Answers, home: Unit, batch: Amount, taped: bool
    ) -> None:
        self._structures = structures
        #: How often functions run while the model is made, by their identities.
        self._runs: dict[int, Amount] = {id(home): exactly(1.0)}
        self._model = model
        self._batch = batch
        self._taped = taped
        self._known: dict[int, Dims] = {}
        self.total = NO_WORK
        self.is_lost = False

    def out_of(self, node: cst.BaseExpression) -> Dims:
        """The dimensions of a symbolic tensor; what makes it is added to the total."""
        if isinstance(node, (cst.List, cst.Tuple)):
            found = [self.out_of(element.value) for element in node.elements]
            return found[0] if found else None
        if isinstance(node, (cst.Name, cst.Attribute, cst.IfExp)):
            made = self._structures.makers(node)
            self.is_lost = self.is_lost or not made
            found = [self.out_of(each) for each in made]
            return next((dims for dims in reversed(found) if dims is not None), None)
        if id(node) not in self._known:
            self._known[id(node)] = None
            self._known[id(node)] = self._made(node)
        return self._known[id(node)]

    def _made(self, node: cst.BaseExpression) -> Dims:
        if isinstance(node, cst.BinaryOperation):
            dims = self.out_of(node.left)
            if self._model.value(node.right).kind is Kind.KERAS_TENSOR:
                self.out_of(node.right)
            self.total += charged("ops", "operator", taped=self._taped)
            return dims
        if not isinstance(node, cst.Call):
            self.is_lost = True
            return None
        function = self._model.value(node.func)
        if function.kind not in _MADE:
            return self._started(node)
        dims = self.out_of(node.args[0].value) if node.args else None
        if is_layer(function.name):
            made = self._structures.made_by(node.func)
            tally, out = self._structures.layer(function.name or "", made, dims, taped=self._taped)
        elif function.class_ is None:
            tally, out = self._structures.model(node.func, dims, taped=self._taped)
        else:
            tally, out = self._structures.other(function, taped=self._taped), None
        self.total += tally.times(self._times(node))
        return out

    def _times(self, node: cst.CSTNode) -> Amount:
        """How often a call is made while the model is put together: in loops, and by functions that
        make a block whenever they are called."""
        unit = self._model.unit(node)
        once = exactly(1.0)
        return self._turns(node) * folded(unit, self._callers, self._runs_of, self._runs, once)

    def _turns(self, node: cst.CSTNode) -> Amount:
        turns = exactly(1.0)
        for loop in repeating(self._model, node):
            info = self._model.loops.info(cast("Turning", loop))
            turns *= exactly(info.turns) if info.turns else Amount(1, 3, 10)
        return turns

    def _callers(self, unit: Unit) -> list[Unit]:
        return [self._model.unit(edge.node) for edge in self._model.calls.untraced(unit)]

    def _runs_of(self, unit: Unit) -> Amount:
        """How often a function runs, of which the models' own is run once."""
        edges = self._model.calls.untraced(unit)
        runs = [
            self._turns(edge.node) * self._runs[id(self._model.unit(edge.node))] for edge in edges
        ]
        return sum(runs, NOTHING) if runs else exactly(1.0)

    def _started(self, node: cst.Call) -> Dims:
        """An input, or an op on symbolic tensors."""
        name = min(self._model.names.of(node.func), default="")
        dims = dims_of(self._model.value(node).shape)
        if name.endswith(".Input"):
            return (self._batch, *dims[1:]) if dims else None
        if not name.startswith("tensorflow."):
            self.is_lost = True
            return None
        given = [self.out_of(a.value) for a in node.args[:1]]
        self.total += charged("ops", name.rpartition(".")[2], taped=self._taped)
        self.total += Tally(kernels=moved(given[0] if given else None, taped=self._taped))
        return dims or (given[0] if given else None)


def _adding(model: Answers) -> dict[Unit, list[tuple[cst.Call, cst.BaseExpression]]]:
    """The calls of something's `add`, with what it is of, by the units that have them."""
    found: dict[Unit, list[tuple[cst.Call, cst.BaseExpression]]] = {}
    for call in model.everywhere(cst.Call):
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value == "add" and call.args:
            found.setdefault(model.unit(call), []).append((call, func.value))
    return found


def _priced(leaf: str) -> str:
    """The layer whose figures hold for another one of nearly the same make."""
    return (
        leaf.replace("Convolution", "Conv")
        .replace("3D", "2D")
        .replace("Softmax+activation", "Softmax")
    )


def _told(model: Answers, made: cst.Call) -> Dims:
    """The input of a first layer that says it: `Dense(8, input_shape=(4,))`."""
    for argument in made.args:
        if argument.keyword is None or argument.keyword.value not in ("input_shape", "input_dim"):
            continue
        value = model.value(argument.value)
        sizes = [each.constant for each in value.elements or (value,)]
        return dims_of((None, *sizes))
    return None
