"""What a function is called with and on: the function or method of one side, its arguments, state."""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
import types
from typing import Any, ContextManager, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import ELEMENTS, Node, Recorder, namespace_node
from tfxla_lint.sandbox.inside.owners import own_modules
from tfxla_lint.verify.worker.outside import Outside, Place
from tfxla_lint.verify.worker.shaken import variables_in
from tfxla_lint.verify.worker.sides import Side, failure, said
from tfxla_lint.verify.worker.told import in_order
from tfxla_lint.verify.worker.values import Maker, Spec, with_batch

#: So often each of the other methods is called before.
_PREPARED = 3
#: What examples call the module that is checked (see `recipes.py`).
MODULE_NAME = "__txl_module__"
#: By this share the floats of an example are larger in each turn.
_STEP = 0.25
KERAS_STEPS = ("train_step", "test_step", "predict_step")


class Unsuitable(Exception):
    """The function cannot be called this way; the message says why."""


class Bench:
    """A function of one side, with what is needed to call it."""

    def __init__(self, job: Mapping[str, Any], side: Side, module: types.ModuleType) -> None:
        self._job = job
        by_name = job.get("by_name") or [[], []]
        #: The parameters that are passed, by name, where the two versions take different ones.
        self._named: List[str] = by_name[0 if side.label == "original" else 1]
        self._module = module
        self.own = {module.__name__} | own_modules(side.overlay)
        #: Whether it adds up one number, which is to be seen from its code.
        self.gives_number = bool(job.get("gives_number"))
        #: Whether values far out are asked for.
        self.is_far = bool(job.get("far"))
        self._outside = Outside(job.get("outside", {}), self.own, job.get("renamed"))
        self.maker = Maker(module.__dict__, job.get("own", {}))
        self._setups: List[str] = job.get("setups", [])
        #: What the statements before each example made, by its number.
        self._scopes: Dict[int, Dict[str, Any]] = {}
        self._declared = [ast.parse(t, mode="eval").body for t in job.get("declared", ())]
        self._instance: Any = None
        #: Objects that were made with something else.
        self._others: Dict[str, Any] = {}
        self._targets: Dict[str, Any] = {}
        #: By the same keys the objects of the module's classes whose methods these are.
        self._bases: Dict[str, Any] = {}
        if not self._declared:
            self._instance = self._make_instance()
            self._prepare()

    @property
    def namespace(self) -> Dict[str, Any]:
        """The globals of the module."""
        return self._module.__dict__

    def renew(self) -> None:
        """Make objects anew after a call that failed: layers keep the first shape that they see."""
        self.maker = Maker(self._module.__dict__, self._job.get("own", {}))
        if isinstance(self._instance, tf.keras.layers.Layer):
            with contextlib.suppress(Unsuitable):
                self._instance = self._make_instance()
                self._prepare()

    def _make_instance(self) -> Any:
        """The object whose method is called: one that the module made, or a new one."""
        texts = self._job.get("instances", ())
        reasons = []
        for text in texts:
            try:
                return self._compiled(eval(text, self.namespace))
            except Exception as error:
                reasons.append(f"{text}: {said(failure(error))}")
        cls = self._job["unit"].partition(".")[0]
        if texts and cls in self._job.get("own", {}):
            try:
                return self._compiled(self.maker.object_of(cls))
            except Exception as error:
                reasons.append(said(failure(error)))
        if texts:
            raise Unsuitable("no object to call it on: " + "; ".join(reasons)[:300])
        return None

    def _prepare(self, fresh: Optional[int] = None) -> None:
        """Let the object hold something, by calls of its other methods; a `fresh` one by one alone.

        What others do may undo it. A single call is given one row.
        """
        times = _PREPARED if fresh is None else fresh
        units = list(self._job.get("prepared", {}).items())
        for unit, choice in units if fresh is None else units[:1]:
            parameters = self._job["before"][unit]
            given = {n: with_batch(spec, 1) for n, spec in choice.items()} if times == 1 else choice
            for call in range(times):
                try:
                    positional, keywords = self._built(parameters, {"choice": given}, call)
                    getattr(self._instance, unit.rpartition(".")[2])(*positional, **keywords)
                except Exception:
                    break

    @contextlib.contextmanager
    def made(self, otherwise: Mapping[str, Spec], fresh: Optional[int] = None) -> Iterator[None]:
        """Let the object be another one, for which some of what it is made with is other.

        Or it is one that is `fresh`, after so many calls of other methods.
        """
        before, key = self._instance, f"{sorted(otherwise.items())!r} {fresh}"
        if (otherwise or fresh is not None) and key not in self._others:
            cls = self._job["unit"].partition(".")[0]
            self._instance = (
                self._compiled(self.maker.object_of(cls, otherwise))
                if otherwise
                else self._make_instance()
            )
            if self._instance is not before:
                self._prepare(fresh)
            self._others[key] = self._instance
        self._instance = self._others.get(key, before)
        try:
            yield
        finally:
            self._instance = before

    def between(self, unit: str, choice: Mapping[str, Any], call: int) -> List[str]:
        """Let another method of the object run; the paths at which other objects stand then."""
        before = {place.path: place.value for place in self.places()}
        given = self._built(self._job["between"][unit], {"choice": choice}, call)
        getattr(self._instance, unit.rpartition(".")[2])(*given[0], **given[1])
        return [p.path for p in self.places() if p.value is not before.get(p.path)]

    def _compiled(self, instance: Any) -> Any:
        """A Keras model that can train, where its own step is what is called."""
        is_step = self._job["unit"].endswith(("_step", ".compute_loss"))
        if is_step and isinstance(instance, tf.keras.Model):
            if getattr(instance, "optimizer", None) is None:
                _compile(instance)
        return instance

    @property
    def is_keras_step(self) -> bool:
        """Whether it is a method that `fit` and its like trace themselves."""
        name = self._job["unit"].rpartition(".")[2]
        return name in KERAS_STEPS and isinstance(self._instance, tf.keras.Model)

    @property
    def has_object(self) -> bool:
        """Whether it is a method of an object."""
        return self._instance is not None and not isinstance(self._instance, type)

    def target(self) -> Any:
        """The function."""
        name = self._job["unit"].rpartition(".")[2]
        layer, plain = type(self._instance), tf.keras.layers.Layer
        if name == "call" and issubclass(layer, plain) and not self._instance.built:
            if layer.build is not plain.build and not issubclass(layer, tf.keras.Model):
                # It makes its variables when it is called as others call it.
                return self._instance
        if self._instance is not None:
            return getattr(self._instance, name)
        found: Any = self._module
        for part in self._job["unit"].split("."):
            found = getattr(found, part)
        return found

    @property
    def parameters(self) -> List[Mapping[str, Any]]:
        """What is known of the parameters of the function."""
        found: List[Mapping[str, Any]] = self._job["parameters"]
        return found

    def arguments(
        self, plan: Mapping[str, Any], call: int
    ) -> Tuple[Any, List[Any], Dict[str, Any]]:
        """The function and its arguments for one call."""
        if self._declared:
            return self._declared_call(plan["declared"], plan["turn"])
        every = self._job["parameters"]
        outer = [p for p in every if not p.get("inner")]
        if not self._job.get("makes_function"):
            return (self.target(), *self._built(outer, plan, call))
        inner = [p for p in every if p.get("inner")]
        return (self._made(outer, plan), *self._built(inner, plan, call))

    def _built(
        self, parameters: List[Any], plan: Mapping[str, Any], call: int
    ) -> Tuple[List[Any], Dict[str, Any]]:
        positional: List[Any] = []
        keywords: Dict[str, Any] = {}
        # Keras takes nothing but tensors by their places.
        by_name = self.has_object and self.target() is self._instance
        is_left_out = False
        specs = {p["name"]: plan["choice"][p["name"]] for p in parameters}
        given = {n: s for n, s in specs.items() if s["k"] != "default"}
        values = in_order(parameters, {n: self.maker.make(n, s, call) for n, s in given.items()})
        for parameter in parameters:
            name = parameter["name"]
            if name not in given:
                # What comes behind it would take its place.
                is_left_out = True
                continue
            value = values[name]
            if parameter.get("star"):
                positional += [] if keywords else list(value)
            elif self._named:
                if name in self._named:
                    keywords[name] = value
            elif (
                parameter.get("positional", True)
                and not (keywords or is_left_out)
                and not (by_name and positional)
            ):
                positional.append(value)
            else:
                keywords[name] = value
        return positional, keywords

    def _made(self, outer: List[Any], plan: Mapping[str, Any]) -> Any:
        """The function that the function makes; made once for the same arguments."""
        specs = repr([plan["choice"][p["name"]] for p in outer])
        if specs not in self._targets:
            positional, keywords = self._built(outer, plan, 0)
            self._targets[specs] = self.target()(*positional, **keywords)
        return self._targets[specs]

    def _declared_call(self, number: int, turn: int) -> Tuple[Any, List[Any], Dict[str, Any]]:
        """An example: its function is evaluated once, its arguments anew.

        One that was not declared mostly passes the same values; floats are others in each turn then.
        """
        node, scope = self._declared[number], self._scope(number)
        key = f"{number if self._setups else 0} {ast.dump(node.func)}"
        if key not in self._targets:
            self._targets[key] = self._target(key, node.func, scope)
        starred: List[Any] = []
        for part in node.args:
            is_starred = isinstance(part, ast.Starred)
            value = _evaluated(part.value if is_starred else part, scope)
            starred += list(value) if is_starred else [value]
        keywords: Dict[str, Any] = {}
        for k in node.keywords:
            value = _evaluated(k.value, scope)
            keywords.update(value if k.arg is None else {k.arg: value})
        if self._setups:
            starred, keywords = scaled((starred, keywords), 1.0 + _STEP * turn)
        return self._targets[key], starred, keywords

    def prepare(self, plans: Iterable[Mapping[str, Any]]) -> None:
        """Let the objects of examples be there before the first call."""
        for plan in plans if self._declared else ():
            with contextlib.suppress(Exception):
                self._declared_call(plan["declared"], plan["turn"])

    def _target(self, key: str, function: Any, scope: Dict[str, Any]) -> Any:
        """What an example calls; the object is kept whose method that is."""
        if not isinstance(function, ast.Attribute):
            return _evaluated(function, scope)
        base = _evaluated(function.value, scope)
        if type(base).__module__ in self.own:
            self._bases[key] = base
        return getattr(base, function.attr)

    def _scope(self, number: int) -> Dict[str, Any]:
        """The names that an example sees."""
        if not self._setups:
            return self.namespace
        if number not in self._scopes:
            scope = {**self.namespace, MODULE_NAME: self._module}
            exec(compile(self._setups[number], "<example>", "exec"), scope)
            self._scopes[number] = scope
        return self._scopes[number]

    def state(self) -> Node:
        """What is reachable: the module's globals and the object."""
        node = namespace_node(self.namespace, self.own)
        if self._instance is None and not self._targets:
            return node
        held = self._owners()
        recorder = Recorder(self.own)
        objects = list({id(o): o for o in (self._instance, *held) if o is not None}.values())
        # Of several examples each has an object of its own.
        names = [f"self of example {n + 1}" if n else "self" for n in range(len(objects))]
        more = [(name, recorder.record(o)) for name, o in zip(names, objects)]
        more += [("losses of self", recorder.record(added)) for added in self._losses()]
        return ("branch", "module", [*node[2], *more])

    def _losses(self) -> List[Any]:
        """The losses that a layer has added, if it has."""
        is_layer = isinstance(self._instance, tf.keras.layers.Layer)
        losses = list(self._instance.losses) if is_layer else []
        return [losses] if losses else []

    def variables(self) -> Iterable[Any]:
        """The variables that calls may read and change."""
        held = [self.target_self(), *self.maker.lasting(), *self.namespace.values()]
        return variables_in(held, self.own)

    def target_self(self) -> Any:
        """The object whose method is called, if there is one."""
        held = self._owners()
        return next((o for o in (self._instance, *held) if o is not None), None)

    def _owners(self) -> List[Any]:
        """The objects that are called, or whose methods are."""
        bases = [self._bases.get(key) for key in self._targets]
        # A method that is traced does not tell whose it is.
        owners = [getattr(target, "__self__", None) for target in self._targets.values()]
        own = [t if type(t).__module__ in self.own else None for t in self._targets.values()]
        rows = zip(own, owners, bases)
        return [next((part for part in row if part is not None), None) for row in rows]

    def stir(self, call: int) -> None:
        """Move what training elsewhere would move before a call."""
        self.maker.stir(self.target_self(), call, self._job.get("stirred", ()))

    def record(self, value: Any) -> Node:
        """The node of a value."""
        return Recorder(self.own, takes_elements=True).record(value)

    def places(self) -> List[Place]:
        """Where something stands that the function reads and other code may change."""
        return self._outside.places(self.namespace, self.target_self())

    def ways(self, place: Place) -> int:
        """In how many ways that can be changed."""
        return self._outside.ways(place)

    def needs_change(self, place: Place) -> bool:
        """Whether it says nothing that the function does not survive another value."""
        return self._outside.needs_change(place)

    def changed(self, path: str, way: int) -> ContextManager[bool]:
        """Let something else stand there; gives whether that can be."""
        return self._outside.changed(path, way, self.namespace, self.target_self())


def _as_now(value: Any) -> Any:
    return tf.identity(value) if isinstance(value, tf.Variable) else value


def _evaluated(node: Any, scope: Dict[str, Any]) -> Any:
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<example>", "eval")
    return eval(code, scope)


def scaled(value: Any, factor: float) -> Any:
    """The value with its floats so many times as large."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        parts = [scaled(part, factor) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if type(value) is dict:
        return {key: scaled(part, factor) for key, part in value.items()}
    if isinstance(value, tf.Tensor) and value.dtype.is_floating:
        return value * tf.cast(factor, value.dtype)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return (value * factor).astype(value.dtype)
    return value


def _compile(model: Any) -> None:
    """Compile a model; one with a `compile` of its own gets what its parameters are named for."""
    own = inspect.signature(model.compile).parameters.values()
    if type(model).compile is tf.keras.Model.compile or any(p.kind is p.VAR_KEYWORD for p in own):
        model.compile(tf.keras.optimizers.SGD(0.1), "mse", run_eagerly=True)
        return
    given: Dict[str, Any] = {}
    for parameter in own:
        if "optimizer" in parameter.name or parameter.name.endswith("opt"):
            given[parameter.name] = tf.keras.optimizers.SGD(0.1)
        elif "loss" in parameter.name:
            given[parameter.name] = tf.keras.losses.MeanSquaredError()
    model.compile(**given)


def returned(value: Any) -> Any:
    """What a call gave; of a generator the first values, of a context what holds within it."""
    if isinstance(value, contextlib.AbstractContextManager) and hasattr(value, "gen"):
        with value as entered:
            return [tf.nest.map_structure(_as_now, entered)]
    if isinstance(value, types.GeneratorType):
        return list(itertools.islice(value, ELEMENTS))
    return value
