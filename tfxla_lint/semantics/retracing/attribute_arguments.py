"""Attributes that a step reads and other code sets: which of them it can be passed instead.

A trace keeps the tensor that it first finds in `self.batch`; a tensor that it is passed it sees anew
on every call. A method that the step calls and that reads the attribute can be passed it too, where
all of its calls belong to the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.retracing.overrides import is_known_to_others
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


@dataclass(slots=True)
class AttributeArgument:
    """An attribute of the receiver: its reads in the step itself, and the methods that read it.

    `calls` are the step's calls of those methods, and `inner` the reads in them.
    """

    receiver: str
    name: str
    reads: list[cst.Attribute] = field(default_factory=list)
    calls: list[cst.Call] = field(default_factory=list)
    methods: list[Unit] = field(default_factory=list)
    inner: list[cst.Attribute] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The attribute as the step's surroundings spell it."""
        return f"{self.receiver}.{self.name}"


class AttributeArguments:
    """The attributes that statements of a method can be passed as tensors."""

    def __init__(self, model: Answers, unit: Unit) -> None:
        self._model = model
        self._unit = unit
        is_plain = unit.method is MethodKind.INSTANCE and bool(unit.parameters)
        self._receiver = unit.parameters[0].name if is_plain else None

    def lifts(self, blocker: Blocker) -> bool:
        """Whether passing attributes takes a blocker away."""
        return bool(self._of(blocker))

    def needed(self, blockers: Sequence[Blocker]) -> list[AttributeArgument]:
        """What to pass for these blockers, all of which are lifted by it."""
        found: dict[str, AttributeArgument] = {}
        for blocker in blockers:
            for attribute in self._of(blocker):
                name = attribute.attr.value
                argument = found.setdefault(name, AttributeArgument(self._receiver or "", name))
                if isinstance(blocker.node, cst.Call):
                    self._add_call(argument, blocker.node)
                else:
                    argument.reads.append(attribute)
        return list(found.values())

    def is_set_by(self, statement: cst.CSTNode, argument: AttributeArgument) -> bool:
        """Whether a line sets the attribute whenever it runs."""
        return isinstance(statement, cst.SimpleStatementLine) and any(
            isinstance(node.value, cst.Name) and node.value.value == argument.receiver
            for node in self._targets(statement, argument)
        )

    def may_be_set_by(self, statement: cst.CSTNode, argument: AttributeArgument) -> bool:
        """Whether code sets an attribute of this name, of whatever object."""
        return any(True for _ in self._targets(statement, argument))

    def _targets(
        self, statement: cst.CSTNode, argument: AttributeArgument
    ) -> Iterator[cst.Attribute]:
        for node in walk(statement):
            if isinstance(node, cst.Attribute) and node.attr.value == argument.name:
                if self._is_target(node):
                    yield node

    def has_other_calls(self, argument: AttributeArgument) -> bool:
        """Whether calls that are not part of the step run the methods that are to take more."""
        known = {id(call) for call in argument.calls}
        calls = self._model.calls
        return any(id(e.node) not in known for m in argument.methods for e in calls.untraced(m))

    def is_made_with_object(self, argument: AttributeArgument) -> bool:
        """Whether a constructor sets the attribute whenever an object is made."""
        info = self._unit.class_
        constructor = info.method("__init__") if info is not None else None
        return constructor is not None and any(
            self.is_set_by(statement, argument) for statement in constructor.body
        )

    def _add_call(self, argument: AttributeArgument, call: cst.Call) -> None:
        unit = self._model.callees(call)[0].unit
        argument.calls.append(call)
        if unit not in argument.methods:
            argument.methods.append(unit)
            argument.inner += [
                node for node in self._reads(unit) if node.attr.value == argument.name
            ]

    def _of(self, blocker: Blocker) -> list[cst.Attribute]:
        """The attributes that a blocker is about, where each can be passed; else none."""
        node = blocker.node
        if blocker.reason is not Reason.CHANGING_STATE or self._receiver is None:
            return []
        if isinstance(node, cst.Attribute):
            return [node] if self._is_own_tensor(node, self._receiver) else []
        if isinstance(node, cst.Call):
            return self._read_by_method(node)
        return []

    def _is_own_tensor(self, node: cst.Attribute, receiver: str) -> bool:
        """Whether a read of `self.name` surely gives a tensor."""
        value = self._model.value(node)
        is_tensor = value.kind is Kind.TENSOR and not value.mixed and not value.maybe_none
        holder = node.value
        return is_tensor and isinstance(holder, cst.Name) and holder.value == receiver

    def _read_by_method(self, call: cst.Call) -> list[cst.Attribute]:
        """The changing attributes that a method reads, where they are all that is in the way."""
        callees = self._model.callees(call)
        if len(callees) != 1 or not self._is_called_on_receiver(call):
            return []
        unit = callees[0].unit
        blockers = self._model.ask(Safety).callee_blockers(unit)
        found = [b.node for b in blockers if b.reason is Reason.CHANGING_STATE]
        attributes = [node for node in found if isinstance(node, cst.Attribute)]
        if not attributes or len(attributes) != len(blockers) or not self._can_take_more(unit):
            return []
        receiver = unit.parameters[0].name
        return attributes if all(self._is_own_tensor(a, receiver) for a in attributes) else []

    def _is_called_on_receiver(self, call: cst.Call) -> bool:
        function = call.func
        if not isinstance(function, cst.Attribute) or not isinstance(function.value, cst.Name):
            return False
        return function.value.value == self._receiver and not any(a.star for a in call.args)

    def _can_take_more(self, unit: Unit) -> bool:
        """Whether all that can run a method are calls in the unit of the step."""
        node = unit.node
        if not isinstance(node, cst.FunctionDef) or node.decorators or unit.class_ is None:
            return False
        if unit.method is not MethodKind.INSTANCE or not unit.parameters:
            return False
        if self._model.world.home(node) is not self._model.world.home(
            self._unit.node
        ) or is_known_to_others(self._model, unit):
            return False
        edges = self._model.calls.untraced(unit)
        functions = {id(e.node.func) for e in edges if isinstance(e.node, cst.Call)}
        mentions = (
            mention
            for mention in self._model.everywhere(cst.Attribute)
            if mention.attr.value == unit.name
        )
        return (
            bool(edges)
            and all(edge.caller is self._unit for edge in edges)
            and all(id(mention) in functions for mention in mentions)
            and not any(self._is_target(node) for node in self._reads(unit))
        )

    def _is_target(self, node: cst.Attribute) -> bool:
        """Whether this attribute is set here rather than read."""
        holders = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Element, cst.For)
        parent = self._model.parent(node)
        return isinstance(parent, holders) and not (
            isinstance(parent, (cst.AugAssign, cst.AnnAssign, cst.For))
            and parent.target is not node
        )

    def _reads(self, unit: Unit) -> Iterator[cst.Attribute]:
        """What a method does with the attributes that keep it from being traced."""
        blocked = self._model.ask(Safety).callee_blockers(unit)
        names = {b.node.attr.value for b in blocked if isinstance(b.node, cst.Attribute)}
        receiver = unit.parameters[0].name
        for node in walk(unit.node):
            if isinstance(node, cst.Attribute) and node.attr.value in names:
                if isinstance(node.value, cst.Name) and node.value.value == receiver:
                    yield node
