"""Names for steps that become functions, such as an author would give them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from tfxla_lint.rewriting.naming import unused
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.work import Work

_VARIABLES = frozenset({"trainable_variables", "trainable_weights"})
_SUFFIX = re.compile(r"_(model|net|network|nn)$")
_ROLE = re.compile(r"update_\w+|(?!train|test|val|gradient|measured|compute)\w+_step")
_SPELLED_OUT = {
    "D": "discriminator", "G": "generator", "d": "discriminator", "disc": "discriminator",
    "g": "generator", "gen": "generator",
}  # fmt: skip
#: Names of models that say nothing of what they are for.
_NO_ROLES = frozenset(
    {"_step", "update_", "self_step", "model_step", "net_step", "network_step", "nn_step", "m_step"}
)
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "tensorflow.Module"})
_INHERITED = frozenset({"train_step", "test_step"})
#: What predictions are compared to labels with.
_COMPARISONS = frozenset({"tensorflow.equal", "tensorflow.math.equal", "tensorflow.math.in_top_k"})
#: What models do, by their names.
_VERBS = {"decoder": "decode", "encoder": "encode", "generator": "generate"}


def function_name(
    model: SemanticModel,
    work: Work,
    results: Sequence[str],
    owner: Unit | None = None,
    role: str = "",
    others: Sequence[str] = (),
    parameters: Sequence[str] = (),
) -> str:
    """A natural name for the hoisted function that nothing in the module, nor `others`, uses.

    `owner` is the function or method beside which it is to be one: `_train_step` does the work of
    `train_step`. Its class may inherit a meaning for the name, such as Keras, which runs
    `train_step` of a model. `role` is what the step trains, where that tells it from another one.
    `parameters` are the names that the function takes.
    """
    if work.gradients or (work.tapes and work.updates):
        base = (role or "train_step") if work.updates else "gradient_step"
    elif work.is_measuring:
        base = "measured_step"
    elif work.metric_updates:
        base = "test_step"
    else:
        base = _forward_name(model, work, results, parameters)
    if base in _INHERITED and owner is not None and _is_derived(model, owner):
        base = f"{owner.name.strip('_')}_step"
    taken = {name for scope in _scopes(model) for name in (*scope.bindings, *scope.reads)}
    if owner is not None and owner.is_method:
        taken |= {node.attr.value for node in model.nodes(cst.Attribute)}
    taken.update(others)
    if owner is not None and owner.name == base and f"_{base}" not in taken:
        return f"_{base}"
    return unused(base, taken)


def _forward_name(
    model: SemanticModel, work: Work, results: Sequence[str], parameters: Sequence[str]
) -> str:
    """The name of a step that trains nothing: by what it runs, compares, gives or goes on with."""
    if len(results) == 1:
        return f"compute_{results[0]}"
    if any(model.names.one(op.func) in _COMPARISONS for op in work.ops if isinstance(op, cst.Call)):
        return "test_step"
    verbs = {verb for call in work.model_calls if (verb := _verb(call)) is not None}
    if len(verbs) == 1:
        return f"{verbs.pop()}_step"
    is_carried = set(results) <= set(parameters)
    return "update" if results and is_carried and not work.model_calls else "compute_step"


def _verb(call: cst.Call) -> str | None:
    """What a model does that is called so: `decode` of `self.decoder(...)`."""
    callee = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    name = callee.value if isinstance(callee, cst.Name) else ""
    return next((verb for noun, verb in _VERBS.items() if noun in name.lower()), None)


def role_of(model: SemanticModel, moved: Sequence[cst.CSTNode]) -> str:
    """A name for a step after what it trains: `critic_step`, `update_scale`.

    Empty where it trains several things, or a model that is only called a model.
    """
    found: set[str] = set()
    for call in model.works.of(moved).gradients:
        if len(call.args) < 2:
            return ""
        if model.value(call.args[1].value).kind is Kind.VARIABLE:
            found.add(f"update_{_last_name(call.args[1].value)}")
        for node in walk(call.args[1].value):
            if isinstance(node, cst.Attribute) and node.attr.value in _VARIABLES:
                model_name = _SUFFIX.sub("", _last_name(node.value))
                found.add(f"{_SPELLED_OUT.get(model_name, model_name)}_step")
    role = found.pop() if len(found) == 1 else ""
    return role if role.islower() and role not in _NO_ROLES else ""


def is_role(name: str) -> bool:
    """Whether a step is named after what it trains."""
    return _ROLE.fullmatch(name) is not None


def _last_name(node: cst.BaseExpression) -> str:
    name = node.attr if isinstance(node, cst.Attribute) else node
    return name.value if isinstance(name, cst.Name) else ""


def _is_derived(model: SemanticModel, unit: Unit) -> bool:
    """Whether the class of a method inherits from one that may have a meaning for a name."""
    bases = unit.class_.node.bases if unit.class_ is not None else ()
    return any(not model.names.of(base.value) & _PLAIN_BASES for base in bases)


def _scopes(model: SemanticModel) -> list[Scope]:
    return [model.binder.module_scope, *model.binder.inner_scopes.values()]
