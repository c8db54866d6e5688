"""Random numbers drawn in compiled code, which XLA draws otherwise than TensorFlow's kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols, xla
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.data_sources import compiled_source
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.seeds import fixed_seed
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_TF = "tensorflow."
_GENERATOR_METHODS = behaviour.methods(Effect.DRAWS, "generator") - {"binomial"}
_FROM_SEED = ".Generator.from_seed"
#: Draws of new seeds, which agree.
_EXACT = frozenset({_TF + "random.split", _TF + "random.fold_in"})
_INTEGERS = ("int", "uint")


@dataclass(frozen=True, slots=True)
class RandomDraw:
    """A draw; `seeded` is what fixes its numbers without XLA, None where nothing does.

    `keeps_seed` says that XLA at least draws the same numbers every time. `can_fold` says that
    with the algorithm Philox the draw becomes a constant before XLA sees it, and so agrees.
    """

    node: cst.Call
    name: str
    seeded: cst.CSTNode | None
    keeps_seed: bool
    can_fold: bool = False


def random_draws(model: SemanticModel, unit: Unit) -> Iterator[RandomDraw]:
    """The draws of a compiled unit whose numbers XLA changes."""
    for node in unit.own(cst.Call):
        if surely_runs(model, node):
            found = _named(model, node) or _of_generator(model, node)
            if found is not None:
                yield found


def _named(model: SemanticModel, node: cst.Call) -> RandomDraw | None:
    name = model.names.one(node.func)
    if name is None or not name.startswith(_TF) or name in _EXACT:
        return None
    verdict = xla.verdict(name, model.tf_version)
    symbol = symbols.find(name, model.tf_version)
    if verdict is None or symbol is None or not verdict.random or not verdict.compiles:
        return None
    if symbol.kind == "class" or ".initializers." in name:
        return None
    given = by_parameter(node, symbol)
    shown = "tf." + name.removeprefix(_TF)
    seed = given.get("seed")
    if "stateless" in name:
        return _stateless(model, node, shown, given)
    own = seed if seed is not None and model.value(seed).kind is not Kind.NONE else None
    is_keras = name.startswith(_TF + "keras.")
    return RandomDraw(node, shown, own or fixed_seed(model, node), keeps_seed=is_keras)


def _stateless(
    model: SemanticModel, node: cst.Call, name: str, given: dict[str, cst.BaseExpression]
) -> RandomDraw | None:
    """A draw by an explicit seed: integers agree, floats do where the seed is a literal and Philox
    is asked for."""
    seed = given.get("seed")
    dtype = given.get("dtype")
    wanted = (model.names.one(dtype) or "").rpartition(".")[2] if dtype is not None else ""
    if seed is None or wanted.startswith(_INTEGERS) or name.endswith("stateless_random_crop"):
        return None
    is_literal = _is_literal(model, seed)
    algorithm = given.get("alg")
    logits = given.get("logits")
    if is_literal and logits is not None and compiled_source(model, logits) is None:
        return None
    if is_literal and _is_philox(model, algorithm):
        return None
    takes = symbols.find(_TF + name.removeprefix("tf."), model.tf_version)
    has_choice = algorithm is None and takes is not None and takes.accepts("alg") is True
    can_fold = is_literal and has_choice and _is_small(model, given.get("shape"))
    return RandomDraw(node, name, seed if is_literal else None, keeps_seed=True, can_fold=can_fold)


def _is_philox(model: SemanticModel, algorithm: cst.BaseExpression | None) -> bool:
    if algorithm is None:
        return False
    name = model.names.one(algorithm) or ""
    return model.value(algorithm).constant == "philox" or name.endswith(".PHILOX")


def _is_literal(model: SemanticModel, seed: cst.BaseExpression) -> bool:
    """Whether a seed is a pair of Python numbers, so that the draw can be folded."""
    if isinstance(seed, cst.Call) and model.names.one(seed.func) == _TF + "constant":
        return bool(seed.args) and _is_literal(model, seed.args[0].value)
    elements = model.value(seed).elements
    return bool(elements) and all(type(e.constant) is int for e in elements or ())


#: Grappler folds constants up to 10 MB.
_MOST_MEMBERS = 1_000_000


def _is_small(model: SemanticModel, shape: cst.BaseExpression | None) -> bool:
    elements = model.value(shape).elements if shape is not None else None
    size = 1
    for element in elements or ():
        if type(element.constant) is not int:
            return False
        size *= element.constant
    return elements is not None and size <= _MOST_MEMBERS


def _of_generator(model: SemanticModel, node: cst.Call) -> RandomDraw | None:
    function = model.value(node.func)
    receiver = function.receiver
    if receiver is None or receiver.kind is not Kind.GENERATOR or function.unit is not None:
        return None
    if function.name not in _GENERATOR_METHODS or _draws_integers(model, node):
        return None
    assert isinstance(node.func, cst.Attribute)
    made = makers(model.flow, node.func.value)
    is_seeded = (receiver.name or "").endswith(_FROM_SEED)
    seeded = (made[0] if made else node.func.value) if is_seeded else None
    return RandomDraw(node, f"Generator.{function.name}", seeded, keeps_seed=True)


def _draws_integers(model: SemanticModel, node: cst.Call) -> bool:
    names = (model.names.one(part) or "" for argument in node.args for part in walk(argument.value))
    return any(name.rpartition(".")[2].startswith(_INTEGERS) for name in names if name)
