"""Names for steps that become functions, such as an author would give them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour, tables
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rewriting.naming import taken_attributes, taken_names, unused
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind, ScopeKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.work import Work

_VARIABLES = frozenset({"trainable_variables", "trainable_weights"})
_SUFFIX = re.compile(r"_(model|net|network|nn)$")
_ROLE = re.compile(r"update_\w+|(?!train|test|val|gradient|measured|compute)\w+_step")
_WORDS = tables.load("naming")
_SPELLED_OUT: dict[str, str] = _WORDS["spelled-out"]
#: What names of functions and of data end with that names of steps do not repeat.
_AROUND = re.compile(r"(_(one|an|each|per))?_(epochs?|loop|model|models|network|networks)$")
_DATA = re.compile(
    r"_(ds|db|datasets?|data|loader|batches|set|gen|generator|iter|iterator)$|^(ds|db|data)_"
)
#: Names of functions that say nothing of what they do.
_SAYING_NOTHING = frozenset(_WORDS["saying-nothing"])
#: Names of models that say nothing of what they are for.
_NO_ROLES = frozenset(_WORDS["no-roles"])
_PLAIN_BASES = behaviour.names(Trait.PLAIN_BASE) | {"tensorflow.Module"}
_INHERITED = frozenset({"train_step", "test_step"})
#: What a step is called where a variable has the name.
_SYNONYMS: dict[str, list[str]] = _WORDS["synonyms"]
#: What predictions are compared to labels with.
_COMPARISONS = behaviour.names(Trait.COMPARES_LABELS)
#: What models do, by their names.
_VERBS: dict[str, str] = _WORDS["verbs"]


@dataclass(frozen=True)
class StepName:
    """What a step could be called: by what it does, or else by where it stands or what it takes.

    `owner` is the method beside which it is to be one.
    """

    base: str
    others: tuple[str, ...]
    owner: Unit | None = None

    def free(self, model: SemanticModel, taken: Collection[str] = ()) -> str:
        """The first that nothing in the module, nor `taken`, uses, else the base with a number."""
        used = {*taken, *_used(model, self.owner)}
        names = [self.base, *self.others]
        homes = model.binder.module_scope.bindings.get(self.base, ())
        if homes and all(binding.kind is not BindingKind.FUNCTION for binding in homes):
            names += _SYNONYMS.get(self.base, ())
        return next((n for n in names if n not in used), None) or unused(self.base, used)


def step_name(
    model: SemanticModel,
    work: Work,
    results: Sequence[str],
    unit: Unit,
    *,
    is_method: bool = False,
    role: str = "",
    parameters: Sequence[str] = (),
    others: Sequence[str] = (),
) -> StepName:
    """Natural names for a function that does what was done in `unit`.

    `role` is what the step trains, where that tells it from another one. `parameters` are the
    names that the function takes, `others` further names that it may be given.
    """
    base = work_name(work, role) or _forward_name(model, work, results, parameters)
    own = name_after(unit)
    if is_method and _has_meaning(model, unit, base):
        base = own or f"{unit.name.strip('_')}_step"
    if unit.name == base:
        base = f"_{base}"
    found = [name for name in (own, *others) if name and name != base]
    return StepName(base, tuple(dict.fromkeys(found)), unit if is_method else None)


def work_name(work: Work, role: str = "") -> str:
    """A name by the work alone: of a step that trains, or measures; else empty."""
    if work.gradients or (work.tapes and work.updates):
        return (role or "train_step") if work.updates else "gradient_step"
    if work.is_measuring:
        return "train_step" if work.applies else "measured_step"
    if work.applies and not work.tapes:
        return "update_step"
    return "test_step" if work.metric_updates else ""


def name_after(unit: Unit) -> str:
    """A name for a step by that of the function that runs it; empty where that says nothing."""
    name = _AROUND.sub("", unit.name.strip("_"))
    if unit.is_module or unit.is_lambda or not name.islower() or name in _SAYING_NOTHING:
        return ""
    return f"_{name}" if name.split("_")[-1] == "step" else f"{name}_step"


def name_of_data(loop: Loop) -> str:
    """A name for a step by that of the data that a loop takes: `val_step` of `val_ds`."""
    data: cst.BaseExpression | None = loop.iter if isinstance(loop, cst.For) else None
    while isinstance(data, cst.Call):
        given = data.args[0].value if data.args else None
        data = data.func.value if isinstance(data.func, cst.Attribute) else given
    name = _last_name(data) if data is not None else ""
    stem = _DATA.sub("", name.strip("_"))
    return f"{stem}_step" if stem and stem != name and stem.islower() else ""


def _has_meaning(model: SemanticModel, unit: Unit, name: str) -> bool:
    """Whether a base of the class may run a method that is called so, such as Keras does."""
    return name in _INHERITED and _is_derived(model, unit)


def _used(model: SemanticModel, owner: Unit | None) -> Collection[str]:
    """The names that a new function, or method beside `owner`, cannot have."""
    if owner is None:
        return taken_names(model)
    scopes = (model.binder.module_scope, *model.binder.inner_scopes.values())
    plain = [scope for scope in scopes if scope.kind is not ScopeKind.CLASS]
    names = {name for scope in plain for name in (*scope.bindings, *scope.reads)}
    return names | taken_attributes(model, owner.class_)


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
