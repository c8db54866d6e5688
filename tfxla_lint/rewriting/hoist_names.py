"""Names for all steps that are hoisted out of the loops of a module: no two get in their way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tfxla_lint.rewriting.hoist_parts import Part, parts_of
from tfxla_lint.rewriting.step_names import (
    StepName,
    is_role,
    name_after,
    name_of_data,
    role_of,
    step_name,
    work_name,
)
from tfxla_lint.semantics.instance_names import relatives
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.steps import AllSteps
from tfxla_lint.semantics.units import ClassInfo, Unit


@dataclass(frozen=True)
class _Wish:
    """What the function of one part could be called, among the `scope` of those it is to join.

    Parts of one loop are told apart by what they train, and by numbers.
    """

    loop: int
    name: StepName
    scope: frozenset[int]


def names_of_steps(model: SemanticModel) -> dict[int, list[str]]:
    """The names of the functions that each step loop becomes, by the loop's identity.

    They depend on no choice of rules or fixes: what is hoisted later finds its name free. Steps
    that would be called the same are named after the functions that they are taken from.
    """
    return model.once("names of steps", lambda: _names_of_steps(model))


def _names_of_steps(model: SemanticModel) -> dict[int, list[str]]:
    wishes = [
        _Wish(id(step.loop), _wished(model, part, len(found.parts) > 1), _scope(model, part))
        for step in model.steps.loops
        for found in [parts_of(model, step)]
        for part in found.parts
    ]
    rivals = _Rivals(wishes)
    wishes = [_told_apart(model, wish, rivals) for wish in wishes]
    names: dict[int, list[str]] = {}
    #: The names that are given where a class or a scope sees them, by that.
    seen: dict[int, set[str]] = {}
    for wish in wishes:
        taken = set(names.get(wish.loop, ())).union(*(seen.get(s, ()) for s in wish.scope))
        name = wish.name.free(model, taken)
        names.setdefault(wish.loop, []).append(name)
        for place in wish.scope:
            seen.setdefault(place, set()).add(name)
    return names


class _Rivals:
    """The wishes by where their functions are seen; of two at one place one would replace the other."""

    def __init__(self, wishes: Sequence[_Wish]) -> None:
        self._bases: dict[tuple[int, str], set[int]] = {}
        self._others: dict[tuple[int, str], set[int]] = {}
        for wish in wishes:
            for place in wish.scope:
                self._bases.setdefault((place, wish.name.base), set()).add(wish.loop)
                for other in wish.name.others:
                    self._others.setdefault((place, other), set()).add(wish.loop)

    def wish_for(self, wish: _Wish, name: str) -> bool:
        """Whether the function of another loop is to be called so, in the place of this one."""
        return self._has_other(self._bases, wish, name)

    def may_take(self, wish: _Wish, name: str) -> bool:
        """Whether that of another loop could be called so."""
        return self._has_other(self._others, wish, name)

    @staticmethod
    def _has_other(rows: Mapping[tuple[int, str], set[int]], wish: _Wish, name: str) -> bool:
        found = (rows.get((place, name), set()) for place in wish.scope)
        return any(len(loops) > (wish.loop in loops) for loops in found)


def _wished(model: SemanticModel, part: Part, has_others: bool) -> StepName:
    outline = part.outline
    role = role_of(model, outline.moved) if has_others or _has_others(model, part) else ""
    work = model.works.of(outline.moved) if outline.staying else part.step.work
    return step_name(
        model,
        work,
        outline.results,
        part.step.unit,
        is_method=outline.is_method,
        role=role,
        parameters=outline.arguments,
        others=[name_of_data(part.step.loop)],
    )


def _has_others(model: SemanticModel, part: Part) -> bool:
    """Whether other steps train something too, of the same code or named after what they train."""
    unit, loop = part.step.unit, part.step.loop
    if model.once("functions named after roles", lambda: _has_roles(model)):
        return True
    return any(
        other.unit is unit and other.loop is not loop and other.work.is_training_step
        for other in model.steps.loops
    )


def _has_roles(model: SemanticModel) -> bool:
    return any(unit.tracing and is_role(unit.name) for unit in model.units.all)


def _scope(model: SemanticModel, part: Part) -> frozenset[int]:
    """Where the name is seen: the related classes, or the function's own scope and the caller's."""
    place, unit = part.outline.place, part.step.unit
    assert place is not None
    if place.is_method and unit.class_ is not None:
        return frozenset(id(info) for info in relatives(model, unit.class_))
    return frozenset([id(model.binder.scope(place.before).function), id(unit.scope)])


def _told_apart(model: SemanticModel, wish: _Wish, rivals: _Rivals) -> _Wish:
    """The wish with another name first, where others wish for the same one."""
    name = wish.name
    elsewhere = _rivals_elsewhere(model, name.owner) if name.owner is not None else []
    if not (rivals.wish_for(wish, name.base) or name.base in {r.base for r in elsewhere}):
        return wish
    theirs = {other for rival in elsewhere for other in rival.others}
    free = (n for n in name.others if not (n in theirs or rivals.may_take(wish, n)))
    own = next(free, None)
    if own is None:
        return wish
    rest = tuple(other for other in name.others if other != own)
    return _Wish(wish.loop, StepName(own, (*rest, name.base), name.owner), wish.scope)


def _rivals_elsewhere(model: SemanticModel, owner: Unit) -> list[StepName]:
    """What steps in other files could be called, in classes whose methods one object may have."""
    if owner.class_ is None:
        return []
    kin: list[ClassInfo] = relatives(model, owner.class_)
    every = model.ask(AllSteps)
    steps = [(step.unit, step.work) for step in every.loops]
    steps += [(step.unit, step.work) for step in every.functions]
    return [
        StepName(base, (name_after(unit),), unit)
        for unit, work in steps
        if unit.class_ in kin and not model.is_own(unit.node) and (base := work_name(work))
    ]
