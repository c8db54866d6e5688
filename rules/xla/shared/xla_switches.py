"""Switches of XLA's auto-clustering, and settings of XLA that come too late to be read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.values import Kind

_SET_JIT = frozenset(
    {"tensorflow.config.optimizer.set_jit", "tensorflow.compat.v1.config.optimizer.set_jit"}
)
#: Words that say "off", which is what TensorFlow makes of any word but one.
_OFF = frozenset({"", "off", "false", "0", "no", "none", "disable", "disabled"})
_ON = "autoclustering"
_CPU_FLAG = "tf_xla_cpu_global_jit"

#: What makes TensorFlow look at its devices, and read `TF_XLA_FLAGS` with them.
_STARTING = behaviour.names(Trait.FINDS_DEVICES)
_STARTING_KINDS = frozenset({Kind.OPTIMIZER, Kind.METRIC, Kind.DATASET})
_TRACING_METHODS = api.KERAS_LOOP_METHODS | {"compile"}


def given_to_set_jit(model: SemanticModel) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The calls of `tf.config.optimizer.set_jit`, with what they are given."""
    for call in model.nodes(cst.Call):
        if model.names.one(call.func) in _SET_JIT and len(call.args) == 1:
            if not call.args[0].star:
                yield call, call.args[0].value


def is_misread(model: SemanticModel, given: cst.BaseExpression) -> bool:
    """Whether `set_jit` takes a value that means "on" for "off"."""
    constant = model.value(given).constant
    if isinstance(constant, str):
        return constant != _ON and constant.lower() not in _OFF
    return type(constant) in (int, float) and constant not in (0, 1)


def is_on(model: SemanticModel, given: cst.BaseExpression) -> bool:
    """Whether `set_jit` surely switches auto-clustering on."""
    constant = model.value(given).constant
    if isinstance(constant, str):
        return constant == _ON
    return type(constant) in (bool, int, float) and constant == 1


def hidden_gpus(model: SemanticModel) -> cst.CSTNode | None:
    """The statement that hides all GPUs from the program, where it runs without a condition."""
    found: list[cst.Assign | cst.Call] = [*model.nodes(cst.Assign), *model.nodes(cst.Call)]
    hiding = (n for n in found if _hides(model, n) and _is_unconditional(model, n))
    return next(hiding, None)


def _hides(model: SemanticModel, node: cst.Assign | cst.Call) -> bool:
    if isinstance(node, cst.Assign):
        place = environment_key(model, node)
        return place == "CUDA_VISIBLE_DEVICES" and model.value(node.value).constant in ("-1", "")
    name = model.names.one(node.func) or ""
    if not name.endswith("set_visible_devices") or not name.startswith("tensorflow.config."):
        return False
    values = [model.value(argument.value) for argument in node.args]
    return len(values) == 2 and values[0].elements == () and values[1].constant == "GPU"


def _is_unconditional(model: SemanticModel, node: cst.CSTNode) -> bool:
    kinds = (cst.If, cst.Try, cst.For, cst.While, cst.FunctionDef, cst.Lambda, cst.Match)
    return not any(isinstance(ancestor, kinds) for ancestor in model.ancestors(node))


def mentions_cpu_flag(model: SemanticModel) -> bool:
    """Whether the module asks for auto-clustering on the CPU, too."""
    return _CPU_FLAG in model.source.text


def traces_nothing(model: SemanticModel) -> bool:
    """Whether the whole program, this one module, surely runs without a single trace."""
    if any(model.contexts.may_be_traced(unit) for unit in model.units.all):
        return False
    names = {name for node in model.nodes(cst.Attribute) for name in model.names.of(node)}
    if any(name == "tensorflow.function" or ".compat.v1" in name for name in names):
        return False
    if any(name.startswith(("tensorflow.saved_model", "tensorflow.keras.")) for name in names):
        return False
    called = {node.attr.value for node in model.nodes(cst.Attribute)}
    if called & _TRACING_METHODS or not _imports_only_plain(model):
        return False
    return any(
        model.contexts.eager(unit) is not None and model.works.of_unit(unit).total > 0
        for unit in model.units.all
    )


def _imports_only_plain(model: SemanticModel) -> bool:
    roots: set[str] = set()
    for alias in model.nodes(cst.ImportAlias):
        if isinstance(model.parent(alias), cst.Import):
            roots.add((dotted(alias.name) or "").split(".")[0])
    for statement in model.nodes(cst.ImportFrom):
        roots.add("" if statement.relative else (dotted(statement.module) or "").split(".")[0])
    return roots <= behaviour.packages(Trait.TRACES_NOTHING) | sys.stdlib_module_names and not any(
        alias.name.value == "function"
        for alias in model.nodes(cst.ImportAlias)
        if isinstance(alias.name, cst.Name)
    )


@dataclass(frozen=True, slots=True)
class LateSetting:
    """An assignment to an environment variable that was read before, by `reader`.

    `statement` is its line and `first` the line of the reader, where the two stand in one block
    and `os` is imported before.
    """

    node: cst.Assign
    variable: str
    reader: cst.Call
    statement: cst.SimpleStatementLine
    first: cst.SimpleStatementLine | None


_Reader = Callable[[SemanticModel, cst.Call], bool]


def late_settings(model: SemanticModel) -> Iterator[LateSetting]:
    """Assignments to `TF_XLA_FLAGS` and `XLA_FLAGS` after TensorFlow has read them."""
    for node in model.nodes(cst.Assign):
        variable = environment_key(model, node)
        reads = _READERS.get(variable or "")
        line = model.parent(node)
        if reads is None or variable is None or not isinstance(line, cst.SimpleStatementLine):
            continue
        for earlier, is_sibling in _before(model, line):
            reader = _first_call(model, earlier, reads)
            if reader is not None:
                first = earlier if is_sibling and _knows_os(model, earlier) else None
                yield LateSetting(node, variable, reader, line, first)
                break


def environment_key(model: SemanticModel, node: cst.Assign) -> str | None:
    """`KEY` of `os.environ["KEY"] = value`."""
    target = node.targets[0].target if len(node.targets) == 1 else None
    if not isinstance(target, cst.Subscript) or "os.environ" not in model.names.of(target.value):
        return None
    index = target.slice[0].slice if len(target.slice) == 1 else None
    key = model.value(index.value).constant if isinstance(index, cst.Index) else None
    return key if isinstance(key, str) else None


def _knows_os(model: SemanticModel, line: cst.SimpleStatementLine) -> bool:
    """Whether `os` is imported above a line."""
    bound = [b for bs in model.binder.module_scope.bindings.values() for b in bs]
    imports = [b.node for b in bound if b.imported in ("os", "os.environ")]
    start = model.span(line).start
    return any(model.span(node).start < start for node in imports)


def _before(
    model: SemanticModel, line: cst.SimpleStatementLine
) -> Iterator[tuple[cst.SimpleStatementLine, bool]]:
    """The simple statements that surely ran before a line, in order within each block."""
    child: cst.CSTNode = line
    for parent in model.ancestors(line):
        if isinstance(parent, (cst.IndentedBlock, cst.Module)):
            for statement in parent.body:
                if statement is child:
                    break
                if isinstance(statement, cst.SimpleStatementLine):
                    yield statement, child is line
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return
        child = parent


def _first_call(
    model: SemanticModel, line: cst.SimpleStatementLine, reads: _Reader
) -> cst.Call | None:
    for node in walk(line, into_scopes=False):
        if isinstance(node, (cst.Lambda, cst.IfExp, cst.BooleanOperation)):
            return None
        if isinstance(node, cst.Call) and reads(model, node):
            return node
    return None


def _starts_tensorflow(model: SemanticModel, call: cst.Call) -> bool:
    name = model.names.one(call.func)
    if name is None:
        return False
    if name in _STARTING or api.result_of(name).kind in _STARTING_KINDS:
        return name.startswith("tensorflow.")
    return api.is_op(name) and ".keras." not in name


def _compiles(model: SemanticModel, call: cst.Call) -> bool:
    callees = model.callees(call)
    tracing = callees[0].tracing if len(callees) == 1 else model.value(call.func).tracing
    kind = model.value(call.func).kind
    return tracing is not None and tracing.is_compiled and kind is not Kind.TRACER


_READERS: dict[str, _Reader] = {"TF_XLA_FLAGS": _starts_tensorflow, "XLA_FLAGS": _compiles}
