"""What gets into lists and dicts where nobody follows it, and what may be such a thing.

What a name holds is followed through `name.append(...)` and `name[...] = ...`. By another name, in
a container of containers, in a function that is handed one, there may be put in what is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.safety.plain import Place
from tfxla_lint.semantics.safety.reflection import leaves_list, mutated_containers
from tfxla_lint.semantics.safety.results import is_tensor
from tfxla_lint.semantics.safety.state import MUTATING
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import PYTHON_SCALARS, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_CONTAINERS = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.ITERATOR})
_GROWING, _READING = behaviour.methods(Trait.GROWS), behaviour.methods(Trait.READS)
_FACTORIES = frozenset({"collections.defaultdict"})
_HARMLESS = PYTHON_SCALARS | {Kind.NONE}
_DISPLAYS = (cst.List, cst.Dict, cst.Set, cst.Tuple, cst.ListComp, cst.DictComp, cst.SetComp)


def is_of_container(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a value may be what some list or dict holds: it is not surely made where it is passed, or
    what a data set gives."""

    def judge(made: cst.CSTNode, path: Path) -> bool | Look:
        value = model.value(made)
        if value.kind in _CONTAINERS or isinstance(made, cst.Subscript):
            is_written = isinstance(made, (cst.List, cst.Tuple)) and bool(path)
            is_part = isinstance(made, cst.Subscript) and model.value(made.value).is_tensor
            return THROUGH if is_written else is_part
        if value.kind is Kind.DATASET or (path and value.is_tensor):
            return True
        if not isinstance(made, cst.Call):
            is_named = isinstance(made, (cst.Name, cst.Attribute, cst.Param, cst.For, cst.CompFor))
            return THROUGH if is_named or path else True
        return THROUGH if model.calls.at(made) else not path

    through = Through(model.calls.untraced, lambda edge: True, attributes=True, items=True)
    return not Origins(model.flow, through, judge).of(node)


def put_in_unseen(model: Answers, *, with_tensors: bool) -> list[Place]:
    """The places, anywhere, that put into a container what is no number or text, nor a tensor if that
    does no harm, where the contents of the container are not followed to."""
    found: list[Place] = []
    for holder, place in model.ask(mutated_containers):
        # Who keeps a method hands it on: what that puts in, nobody knows.
        is_kept = isinstance(place, cst.Attribute)
        if is_kept or not all(_is_harmless(value, with_tensors) for value in _put(model, place)):
            if is_kept or not (_is_plain(model, holder, place) and _is_followed(model, holder)):
                found.append((place, f"what `{model.code(holder)}` holds is not known"))
    for call in model.everywhere(cst.Call):
        if model.names.of(call.func) & _FACTORIES and _makes_unknown(model, call):
            found.append((call, f"what `{model.code(call)}` makes is not known"))
    return found


def _is_plain(model: Answers, holder: cst.BaseExpression, place: cst.CSTNode) -> bool:
    """Whether a statement of its own puts something in: `name.append(x)`, `name[k] = x`."""
    if isinstance(place, cst.Call):
        return isinstance(model.parent(place), cst.Expr) and holder not in (
            argument.value for argument in place.args
        )
    return True


def _makes_unknown(model: Answers, call: cst.Call) -> bool:
    """Whether a dict makes what it is asked for and has not: by something else than a builtin."""
    given = call.args[0].value if call.args else None
    if given is None or model.value(given).kind is Kind.NONE:
        return False
    names = model.names.of(given)
    return not names or not all(name.startswith("builtins.") for name in names)


def _put(model: Answers, place: cst.CSTNode) -> Iterator[Value]:
    """What a place puts in."""
    statement = model.parent(place)
    if isinstance(statement, cst.AssignTarget):
        statement = model.parent(statement)
    if isinstance(place, cst.Call):
        is_method = isinstance(place.func, cst.Attribute) and not model.names.of(place.func)
        if is_method and cst.ensure_type(place.func, cst.Attribute).attr.value not in _GROWING:
            return
        yield from (model.value(argument.value) for argument in place.args)
    elif isinstance(place, cst.AugAssign):
        yield model.value(place.value)
    elif isinstance(statement, (cst.Assign, cst.AugAssign)):
        yield model.value(statement.value)
    else:
        yield model.value(place)


def _is_harmless(value: Value, with_tensors: bool) -> bool:
    """Whether it makes no difference to a trace that a value may be among what it is passed."""
    if value.mixed or value.maybe_none or value.choices:
        return False
    if value.kind in _CONTAINERS:
        members = [*(value.elements or ()), *([value.item] if value.item is not None else [])]
        return bool(members) and all(_is_harmless(each, with_tensors) for each in members)
    is_alike = is_tensor(value) and (not with_tensors or value.shape == ())
    return value.kind in _HARMLESS or is_alike


def _is_followed(model: Answers, holder: cst.BaseExpression) -> bool:
    """Whether the contents of a container are those of its name: it is made where that is bound, and
    has no other name."""
    if isinstance(holder, cst.Name):
        scope = model.binder.scope(holder)
        home = scope.home(holder.value)
        bindings = home.bindings[holder.value] if home is not None else ()
        if home is not model.unit(holder).scope or not bindings:
            return False
        made = [b.value if b.kind is BindingKind.ASSIGNMENT else None for b in bindings]
        return all(_is_new(model, each) for each in made) and _has_one_name(model, holder.value)
    if isinstance(holder, cst.Attribute):
        info = model.value(holder.value).class_
        if info is None:
            return False
        writes = list(model.flow.attributes.written(info, holder.attr.value))
        made = [write.value for write in writes]
        is_made = bool(made) and all(_is_new(model, each) for each in made)
        return is_made and _has_one_name(model, holder.attr.value)
    return False


def _is_new(model: Answers, made: cst.CSTNode | None) -> bool:
    """Whether an expression makes a container that nothing else holds."""
    is_call = isinstance(made, cst.Call) and bool(model.names.of(made.func))
    return is_call or isinstance(made, _DISPLAYS)


def _has_one_name(model: Answers, name: str) -> bool:
    """Whether all that has a name, anywhere, is changed, indexed, gone through or looked at, and is
    given no other one."""
    nodes: list[cst.Name | cst.Attribute] = [
        node for node in model.everywhere(cst.Attribute) if node.attr.value == name
    ]
    nodes += (node for node in model.everywhere(cst.Name) if node.value == name)
    return all(_is_changed(model, node) or leaves_list(model, node) for node in nodes)


def _is_changed(model: Answers, node: cst.Name | cst.Attribute) -> bool:
    holder = model.parent(node)
    if isinstance(holder, cst.Attribute):
        return holder.attr is node or holder.attr.value in MUTATING | _READING
    return isinstance(holder, (cst.Subscript, cst.AssignTarget, cst.AugAssign))
