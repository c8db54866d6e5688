"""What a program does anywhere that matters to any trace: the whole world is asked, once.

`proof` goes through the code that is to be traced. What stands here need not be near that code: a call
that gives a model other layers, a setting of all of Keras, a comparison that tells tensors apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect as Behaves
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.safety.passed_on import uses
from tfxla_lint.semantics.safety.settled import is_own_object
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.values import Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What has no variables before it is built.
GROWING = frozenset({Kind.MODEL, Kind.LAYER})
#: What runs a program's function as the program itself, or in a thread of which nobody asks.
_STARTING = behaviour.names(Trait.STARTS) - behaviour.names(Trait.TURNED)
_NAN_OF_NUMPY = "numpy.nan"
_ASKING_NAN = behaviour.names(Trait.ASKS_NAN)
_ORDERING = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)
#: The flags by which XLA compiles by itself and Keras takes another backend, and what sets how graphs are
#: optimised.
_XLA, _OPTIMIZER = (
    re.compile(r"\bTF_XLA_|tf_xla_|XLA_FLAGS|\bTF_FUNCTION_JIT|^KERAS_BACKEND$"),
    "tensorflow.config.optimizer.",
)
_COMPARING = behaviour.names(Trait.COMPARES) | behaviour.names(Trait.TELLS_GREATER)
#: But for the place of the greatest score, which is the class that a model tells; and the least and the
#: greatest of several are NaN where one is.
_CHOOSING = re.compile(
    r"numpy\.(argmin|(arg)?(sort|partition)|f?(min|max)(imum)?|median|clip|less\w*|greater\w*)"
    r"|tensorflow(\.math)?\.(argmin|minimum|(arg)?sort)|heapq\.\w+|builtins\.filter"
)
#: The methods of lists and arrays that do so.
_ASKED_OF = re.compile(r"argmin|(arg)?(sort|partition)")
_GELU = re.compile("gelu")
_HALF = re.compile(r"(mixed_)?b?float16|half")
_OF_CONTAINERS = behaviour.methods(Behaves.MUTATES)
#: What changes the structure of a model; `call` runs it.
_REBUILDING = behaviour.methods(Trait.REBUILDS) - behaviour.methods(Trait.KERAS_CALLED)


def rebuilding(model: Answers) -> list[tuple[cst.Call, str]]:
    """The calls, anywhere, that change what a model or a layer computes, with what they do."""
    found = []
    for call in model.everywhere(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _REBUILDING:
            kind = model.value(call.func.value).kind
            is_any = kind is Kind.UNKNOWN and call.func.attr.value not in _OF_CONTAINERS
            if (kind in GROWING or is_any) and not model.calls.at(call):
                found.append((call, f"`{model.code(call.func)}` changes layers"))
    return found


def asking_nan(model: Answers) -> list[cst.CSTNode]:
    """Where the program, anywhere, tells NaN from numbers, or makes it: what a graph does with it matters then."""
    found: list[cst.CSTNode] = [
        node
        for kind in (cst.Name, cst.Attribute)
        for node in model.everywhere(kind)
        if any(n in _ASKING_NAN or n.startswith(_NAN_OF_NUMPY) for n in model.names.of(node))
    ]
    for call in model.everywhere(cst.Call):
        if "builtins.float" in model.names.of(call.func) and len(call.args) == 1:
            text = model.value(call.args[0].value).constant
            if isinstance(text, str) and _is_nan(text):
                found.append(call)
    found += [c for c in model.everywhere(cst.Comparison) if _tells_nan(model, c)]
    found += [c for c in model.everywhere(cst.Call) if _chooses(model, c)]
    return found


def _chooses(model: Answers, call: cst.Call) -> bool:
    """Whether a function of a library, or a method of a list or an array, says which of some computed numbers
    is the greater."""
    names = model.names.of(call.func)
    given = [argument.value for argument in call.args]
    if not any(name in _COMPARING or _CHOOSING.fullmatch(name) for name in names):
        function = call.func
        if not isinstance(function, cst.Attribute) or not _ASKED_OF.fullmatch(function.attr.value):
            return False
        given = given if names else [function.value]
    return any(_is_computed(leaf) for node in given for leaf in leaves(model.value(node)))


def _is_nan(text: str) -> bool:
    return text.strip().lower().lstrip("+-") == "nan"


def _tells_nan(model: Answers, node: cst.Comparison) -> bool:
    """Whether a comparison comes out otherwise for NaN than for any number: `x != x`, the text of one, and
    all that asks which of two computed numbers is greater, but where TensorFlow makes numbers of that."""
    sides = [node.left, *(target.comparator for target in node.comparisons)]
    values = [model.value(side) for side in sides]
    if any(isinstance(v.constant, str) and _is_nan(v.constant) for v in values):
        return True
    if len({model.code(side) for side in sides}) < len(sides):
        return True
    is_ordered = any(isinstance(target.operator, _ORDERING) for target in node.comparisons)
    if not is_ordered or not any(_is_computed(value) for value in values):
        return False
    argument = model.parent(node)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    # That is computed with, as scores and masks are.
    return not isinstance(call, cst.Call) or not any(map(api.is_op, model.names.of(call.func)))


def _is_computed(value: Value) -> bool:
    """Whether a value may be a number that TensorFlow computed, and no whole one."""
    if value.kind is Kind.FLOAT:
        return not value.has_constant
    is_array = value.kind in (Kind.TENSOR, Kind.NDARRAY, Kind.NUMPY_SCALAR)
    return is_array and not (value.dtype or "").startswith(("int", "uint", "bool"))


def compiling(model: Answers) -> list[cst.CSTNode]:
    """Where the program, anywhere, has XLA compile what is traced, which computes in other steps, or Keras
    run on something else than TensorFlow."""
    return _places(model, _XLA.search, lambda node: _starts(model, node, _OPTIMIZER))


def gelus(model: Answers) -> list[cst.CSTNode]:
    """Where the program, anywhere, names `gelu`: the kernel that a graph joins it into gives NaN for infinity."""
    return _named(model, _GELU)


def half_precision(model: Answers) -> list[cst.CSTNode]:
    """Where the program, anywhere, names a dtype of sixteen bits: a graph joins steps, and rounds once for
    all of them, which shows in its numbers."""
    return _named(model, _HALF)


def _named(model: Answers, word: re.Pattern[str]) -> list[cst.CSTNode]:
    """Where a text, or the last part of a library's name, is such a word."""

    def is_named(node: cst.Attribute) -> bool:
        return bool(word.fullmatch(node.attr.value) and model.names.of(node))

    return _places(model, word.fullmatch, is_named)


def _places(
    model: Answers,
    says: Callable[[str], object],
    is_named: Callable[[cst.Attribute], bool],
) -> list[cst.CSTNode]:
    """The texts and the attributes, anywhere, of which something holds."""
    texts = (t for t in model.everywhere(cst.SimpleString) if says(str(t.evaluated_value)))
    return [*texts, *filter(is_named, model.everywhere(cst.Attribute))]


def _starts(model: Answers, node: cst.Attribute, start: str) -> bool:
    return any(name.startswith(start) for name in model.names.of(node))


def changed_layers(model: Answers) -> list[tuple[cst.CSTNode, str]]:
    """Where, anywhere, a layer or model that has a name of its own is changed, which another may be made of."""
    found: list[tuple[cst.CSTNode, str]] = [
        (call, words)
        for call, words in model.ask(rebuilding)
        if isinstance(call.func, cst.Attribute) and _is_layer(model, call.func.value)
    ]
    for target in model.ask(Safety).state.targets:
        if isinstance(target, cst.Attribute) and _is_layer(model, target.value):
            found.append((target, f"`{model.code(target)}` is set, and a trace keeps what it was"))
    return found


def _is_layer(model: Answers, node: cst.BaseExpression) -> bool:
    is_itself = is_own_object(model.unit(node), node)
    return model.value(node).kind in GROWING and not is_itself


def identities(model: Answers) -> list[cst.CSTNode]:
    """Where it matters which tensor one is: a trace gives back others than it was passed."""
    found: list[cst.CSTNode] = []
    for target in model.ask(Safety).state.targets:
        if isinstance(target, cst.Attribute) and model.value(target.value).kind is Kind.TENSOR:
            found.append(target)
    for call in model.everywhere(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "ref":
            if model.value(call.func.value).kind is Kind.TENSOR:
                found.append(call)
    for comparison in model.everywhere(cst.Comparison):
        sides = [comparison.left, *(target.comparator for target in comparison.comparisons)]
        operators = (target.operator for target in comparison.comparisons)
        if any(isinstance(operator, (cst.Is, cst.IsNot)) for operator in operators):
            if sum(model.value(side).kind is Kind.TENSOR for side in sides) > 1:
                found.append(comparison)
    return found


def watched_units(model: Answers) -> frozenset[int]:
    """The units that are run by code of which it is not known whether it catches what they raise."""
    return frozenset(id(unit) for unit, node in model.ask(uses) if not _is_started(model, node))


def _is_started(model: Answers, node: cst.CSTNode) -> bool:
    call = model.parent(model.parent(node) or node)
    return isinstance(call, cst.Call) and model.names.one(call.func) in _STARTING
