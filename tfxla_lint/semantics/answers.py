"""What can be asked of code in any file: the questions that a world and each view of it answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

import libcst as cst

from tfxla_lint.semantics.links import NOWHERE
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import UNKNOWN, Value

if TYPE_CHECKING:
    from tfxla_lint.recording import Recording
    from tfxla_lint.semantics.binder import Places
    from tfxla_lint.semantics.contexts import Contexts
    from tfxla_lint.semantics.flow.calls import Calls
    from tfxla_lint.semantics.flow.flow import Flow
    from tfxla_lint.semantics.kinds.callees import Callee, Use
    from tfxla_lint.semantics.kinds.evaluator import Evaluator
    from tfxla_lint.semantics.loops import Loops
    from tfxla_lint.semantics.names import Names
    from tfxla_lint.semantics.scopes import Scope
    from tfxla_lint.semantics.units import ClassInfo, Unit
    from tfxla_lint.semantics.work import Works
    from tfxla_lint.semantics.world import World

_Node = TypeVar("_Node", bound=cst.CSTNode)
_Answer = TypeVar("_Answer")
_Asked = ParamSpec("_Asked")


class Answers:
    """Names, kinds, contexts, heat and effects of the code of all files of a world.

    Nothing in here depends on the file that somebody looks at, so that it can be remembered for
    all of them. A function that takes `Answers` gives the same for each file. `world` is the world that
    answers, `names` knows the dotted names behind expressions.
    """

    world: World
    names: Names

    def ask(
        self,
        question: Callable[Concatenate[World, _Asked], _Answer],
        *about: _Asked.args,
        **named: _Asked.kwargs,
    ) -> _Answer:
        """What `question` says of the world, worked out when it is first asked about these things.

        It is given the world and no view of it, and may close over nothing: what it makes is kept
        for all files.
        """
        return self.world.answer(question, *about, **named)

    # Syntax

    @property
    def binder(self) -> Places:
        """The parents and scopes of nodes."""
        return self.world.binders[0]

    @property
    def recording(self) -> Recording | None:
        """What a run of the project was seen to do, where the user has a profile of one."""
        return self.world.recording

    def everywhere(self, kind: type[_Node]) -> Iterator[_Node]:
        """All nodes of exactly this type in all modules."""
        for binder in self.world.binders:
            yield from binder.nodes(kind)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`."""
        return self.world.held.get(id(node), NOWHERE)[0]

    def ancestors(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The nodes around `node`, nearest first."""
        found: list[cst.CSTNode] = []
        held = self.world.held
        current = held.get(id(node), NOWHERE)[0]
        while current is not None:
            found.append(current)
            current = held[id(current)][0]
        return found

    def code(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self.world.modules[0].tree.code_for_node(node)

    # Units and kinds

    @property
    def evaluator(self) -> Evaluator:
        """The kinds of all expressions."""
        return self.world.evaluator

    @property
    def every_unit(self) -> Iterator[Unit]:
        """The units of all modules."""
        for units in self.evaluator.modules:
            yield from units.all

    @property
    def every_class(self) -> Iterator[ClassInfo]:
        """The classes of all modules."""
        for units in self.evaluator.modules:
            yield from units.classes

    def unit(self, node: cst.CSTNode) -> Unit:
        """The unit in which a node is evaluated."""
        return self.evaluator.units.containing(node)

    def unit_of_scope(self, scope: Scope | None) -> Unit:
        """The unit whose code runs in `scope`."""
        return self.evaluator.units.of_scope(scope)

    def value(self, node: cst.CSTNode) -> Value:
        """What an expression can be."""
        return self.world.evaluator.values.get(id(node), UNKNOWN)

    def is_by_use(self, node: cst.CSTNode) -> bool:
        """Whether what is known of a part of this code is inferred from use alone."""
        return any(self.value(part).by_use for part in walk(node, into_scopes=False))

    def callees(self, call: cst.Call) -> list[Callee]:
        """The first-party functions that a call runs."""
        return self.evaluator.callees.get(id(call), [])

    @property
    def uses(self) -> list[Use]:
        """First-party functions handed to something else."""
        return list(self.evaluator.uses.values())

    # Flow, effects, contexts and heat

    @property
    def flow(self) -> Flow:
        """What runs after what, which bindings reads see, and where attributes are written."""
        return self.world.flow

    @property
    def calls(self) -> Calls:
        """Who runs whom, with what."""
        return self.flow.calls

    @property
    def loops(self) -> Loops:
        """What is known of the loops."""
        return self.world.loops

    @property
    def contexts(self) -> Contexts:
        """How each unit is run."""
        return self.world.contexts

    @property
    def works(self) -> Works:
        """How much tensor work code does."""
        return self.world.works
