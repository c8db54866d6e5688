"""Results that are thrown away though the call does nothing but give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.values import Kind

from ..shared.keras_calls import runners_left_to_keras

#: In a trace these give a new TensorArray; eagerly they change the one that they are called on.
_ARRAY_METHODS = behaviour.results("@tensor_array").keys()
_DATASET_METHODS = behaviour.results("@dataset").keys()
#: Functions of which nothing is left without their result, and which are used to change a tensor.
_PURE = frozenset(
    {"tensor_scatter_nd_update", "tensor_scatter_nd_add", "tensor_scatter_nd_sub",
     "tensor_scatter_nd_max", "tensor_scatter_nd_min", "cast", "reshape", "expand_dims",
     "squeeze", "transpose", "clip_by_value", "clip_by_norm", "concat", "stop_gradient",
     "tile", "reverse", "one_hot", "pad"}
)  # fmt: skip
_CHANGING = ("tensor_scatter_nd_", "cast", "reshape", "expand_dims", "squeeze", "transpose", "clip")


#: What leaves nothing behind.
_READING = frozenset(
    {EffectKind.READ_NAME, EffectKind.READ_ATTRIBUTE, EffectKind.RETURN, EffectKind.MAKE,
     EffectKind.PYTHON, EffectKind.INSPECT}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Discarded:
    """A call whose result nothing takes; `target` is what it seems meant to change."""

    node: cst.Call
    kind: str
    what: str
    target: cst.BaseExpression | None

    @property
    def is_dataset(self) -> bool:
        """Whether it is a dataset that is dropped."""
        return self.kind in ("dataset", "built")


def discarded_results(model: SemanticModel) -> Iterator[Discarded]:
    """The calls that stand alone as statements, but for those that a notebook would show."""
    for statement in model.nodes(cst.Expr):
        node = statement.value
        if isinstance(node, cst.Call):
            found = _judge(model, node)
            if found is None or _is_tried(model, node) or _is_shown(model, statement, found):
                continue
            yield found


def _is_shown(model: SemanticModel, statement: cst.Expr, found: Discarded) -> bool:
    """Whether a statement stands by itself in a module, where a notebook shows its value; a script may be
    pasted from one, but not where it goes on with the dataset as it was."""
    line = model.parent(statement)
    if line is None or not isinstance(model.parent(line), cst.Module):
        return False
    is_lost = found.is_dataset and not model.home.source.cell_lines
    return not (
        is_lost and isinstance(found.target, cst.Name) and _is_read_below(model, found.target)
    )


def _is_read_below(model: SemanticModel, name: cst.Name) -> bool:
    """Whether the module reads a name again, as what it is now."""
    bindings = set(map(id, model.flow.reached(name).bindings))
    reads = model.unit(name).scope.reads.get(name.value, ())
    later = (read for read in reads if model.line(read) > model.line(name))
    return any(bindings & set(map(id, model.flow.reached(read).bindings)) for read in later)


def _is_tried(model: SemanticModel, node: cst.Call) -> bool:
    """Whether the call is there to see if it fails (`try`, `with pytest.raises(...)`)."""
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.Try, cst.TryStar)):
            return True
        if isinstance(parent, cst.With):
            heads = [item.item.func for item in parent.items if isinstance(item.item, cst.Call)]
            if any("raises" in (dotted(head) or "").lower() for head in heads):
                return True
        elif isinstance(parent, cst.FunctionDef):
            return False
    return False


def _judge(model: SemanticModel, node: cst.Call) -> Discarded | None:
    name = model.names.one(node.func)
    if name is not None:
        op = name.removeprefix("tensorflow.")
        if op == name or op not in _PURE:
            return None
        first = node.args[0] if node.args and not node.args[0].star else None
        meant = first.value if first is not None and op.startswith(_CHANGING) else None
        return Discarded(node, "op", f"`tf.{op}`", meant)
    if (built := _built_of(model, node)) is not None:
        return Discarded(node, "built", f"`{dotted(node.func)}`", built)
    function = model.value(node.func)
    if not isinstance(node.func, cst.Attribute) or function.receiver is None or function.unit:
        return None
    holder, method = node.func.value, node.func.attr.value
    kind = function.receiver.kind
    if kind is Kind.TENSOR_ARRAY and method in _ARRAY_METHODS:
        unit = model.unit(node)
        if model.contexts.traced(unit) is not None or unit in runners_left_to_keras(model):
            return Discarded(node, "array", f"`.{method}()`", holder)
    elif kind is Kind.DATASET and method in _DATASET_METHODS and not _is_run_at_once(model, node):
        return Discarded(node, "dataset", f"`.{method}()`", holder)
    return None


def _is_run_at_once(model: SemanticModel, node: cst.Call) -> bool:
    """Whether a call is `apply`, which runs what it is given there and then, of a function that may be
    there for something else that it does."""
    given = argument(node, "transformation_func", 0)
    is_apply = isinstance(node.func, cst.Attribute) and node.func.attr.value == "apply"
    made = given.func if isinstance(given, cst.Call) else given
    return is_apply and (made is None or not model.names.of(made))


def _built_of(model: SemanticModel, node: cst.Call) -> cst.BaseExpression | None:
    """The dataset of which a function of the project, which does nothing else, builds another one."""
    given = [a.value for a in node.args if model.value(a.value).kind is Kind.DATASET]
    edges = model.calls.at(node)
    if len(given) != 1 or not edges or isinstance(node.func, cst.Call):
        return None
    for edge in edges:
        unit = edge.callee
        kinds = {effect.kind for effect in model.ask(Effects).of(unit)}
        is_bare = edge.tracing is None and not (unit.is_generator or unit.is_async)
        if not is_bare or unit.returns.kind is not Kind.DATASET or kinds - _READING:
            return None
        if any(isinstance(statement.value, cst.Call) for statement in unit.own(cst.Expr)):
            return None  # Whatever it is, it is done for what it does: `dataset.save(path)`.
    return given[0]


def is_rebindable(model: SemanticModel, node: cst.BaseExpression | None) -> bool:
    """Whether an expression is a name of the function's own, which may get the result."""
    if not isinstance(node, cst.Name):
        return False
    home = model.binder.scope(node).home(node.value)
    if home is None or home is not model.unit(node).scope:
        return False
    kinds = (BindingKind.ASSIGNMENT, BindingKind.PARAMETER, BindingKind.FOR)
    return all(binding.kind in kinds for binding in home.bindings[node.value])
