"""Models whose `fit` can run several steps in one call of Keras."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import InsertArgument, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import is_unconditional
from tfxla_lint.semantics.values import Kind

#: So many steps are one call.
STEPS = 10
_OPTION = "steps_per_execution"
#: What leaves it to Keras how many batches there are, and what of them is shown.
_FIT = frozenset(
    {"x", "y", "epochs", "batch_size", "verbose", "validation_data", "validation_split", "shuffle",
     "class_weight", "sample_weight", "initial_epoch"}
)  # fmt: skip
_COMPILE = frozenset({"optimizer", "loss", "metrics", "jit_compile", "loss_weights"})
_DATA = frozenset({Kind.NDARRAY, Kind.TENSOR, Kind.DATASET})
_UNSEEN = frozenset({"0", "2"})


@dataclass(frozen=True)
class Fitted:
    """A call of `compile`, and the calls of `fit` that run what it sets up."""

    compile: cst.Call
    fits: Sequence[cst.Call]


def fitted_models(model: SemanticModel) -> Iterator[Fitted]:
    """The calls of `compile` after which nothing looks at single steps."""
    for call in model.nodes(cst.Call):
        if not _is_method(model, call, "compile") or not _has_only(call, _COMPILE):
            continue
        runs = list(_runs(model, call))
        fits = [run for run in runs if _is_method(model, run, "fit")]
        if fits and len(fits) == len(runs) and all(_shows_no_step(model, run) for run in fits):
            if _is_compiled_once(model, call):
                yield Fitted(call, fits)


def several_steps(model: SemanticModel, found: Fitted) -> Rewrite:
    """The rewrite that lets Keras run several steps in one call."""
    return Rewrite(
        title=f"Let Keras run {STEPS} steps in one call",
        edits=[InsertArgument(found.compile, f"{_OPTION}={STEPS}")],
        applicability=Applicability.UNSAFE,
        assumption="assumes that nothing looks at the model between two batches",
        unit=model.unit(found.compile).qualname,
    )


def _is_method(model: SemanticModel, call: cst.Call, name: str) -> bool:
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != name:
        return False
    value = model.value(call.func.value)
    return value.kind is Kind.MODEL and not value.by_use


def _runs(model: SemanticModel, compiled: cst.Call) -> Iterator[cst.Call]:
    """The calls of `fit`, `evaluate` and the like on what is called as the compiled model is."""
    holder = _holder(model, compiled)
    for call in model.nodes(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in api.KERAS_LOOP_METHODS:
            if _holder(model, call) == holder:
                yield call


def _is_compiled_once(model: SemanticModel, compiled: cst.Call) -> bool:
    """Whether a plain name holds the one model all along, which nothing else gets to train."""
    holder = compiled.func.value if isinstance(compiled.func, cst.Attribute) else None
    if not isinstance(holder, cst.Name) or not is_unconditional(model, compiled):
        return False
    bindings = model.flow.reached(holder).bindings
    others = [c for c in model.nodes(cst.Call) if _is_method(model, c, "compile")]
    is_only = all(c is compiled or _holder(model, c) != holder.value for c in others)
    unit = model.unit(compiled)
    reads = unit.scope.reads.get(holder.value, ())
    uses = [model.parent(read) for read in reads]
    is_kept = all(isinstance(use, cst.Attribute) or _calls(use, holder.value) for use in uses)
    return len(bindings) == 1 and is_only and is_kept


def _calls(use: cst.CSTNode | None, name: str) -> bool:
    """`model(x)`."""
    return isinstance(use, cst.Call) and isinstance(use.func, cst.Name) and use.func.value == name


def _holder(model: SemanticModel, call: cst.Call) -> str:
    return model.code(call.func.value) if isinstance(call.func, cst.Attribute) else ""


def _has_only(call: cst.Call, known: frozenset[str]) -> bool:
    """Whether all arguments of a call are positional, or among those that are known."""
    return all(a.star == "" and (a.keyword is None or a.keyword.value in known) for a in call.args)


def _shows_no_step(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call of `fit` has no callbacks, shows no step, and takes all that its data gives."""
    if not _has_only(call, _FIT) or sum(a.keyword is None for a in call.args) > 2:
        return False
    given = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    data = given.get("x") or next((a.value for a in call.args if a.keyword is None), None)
    verbose = given.get("verbose")
    if data is None or model.value(data).kind not in _DATA or not isinstance(verbose, cst.Integer):
        return False
    pipeline = model.value(data).pipeline
    is_endless = pipeline is not None and pipeline.repeated
    return verbose.value in _UNSEEN and not is_endless
