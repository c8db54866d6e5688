"""The semantic model of one module: the answers that rules ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import libcst as cst

from tfxla_lint.findings import Span
from tfxla_lint.semantics.contexts import Contexts
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.flow.calls import Calls
from tfxla_lint.semantics.flow.flow import Flow
from tfxla_lint.semantics.kinds.callees import Callee, Use
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.loops import Loops
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.steps import AllSteps, Steps
from tfxla_lint.semantics.units import Unit, Units
from tfxla_lint.semantics.values import UNKNOWN, Value
from tfxla_lint.semantics.work import Works
from tfxla_lint.semantics.world import Module, World
from tfxla_lint.source import Source

if TYPE_CHECKING:
    from tfxla_lint.recording import Recording
    from tfxla_lint.semantics.positions import Positions

_Node = TypeVar("_Node", bound=cst.CSTNode)
_Answer = TypeVar("_Answer")


class SemanticModel:
    """Names, kinds, contexts, heat and effects of one module, computed when first asked for.

    The module is seen as a part of its `world`: nodes and units of other modules turn up in the
    answers (callers, callees, routes), and can be asked about like its own. `nodes` and `units`
    enumerate this module only.
    """

    def __init__(
        self, world: World, home: Module, tf_version: tuple[int, int] | None = None
    ) -> None:
        self.world = world
        self.home = home
        self.module = home.tree
        self.source = home.source
        self.tf_version = tf_version
        #: Whether the project requires `tf_keras`, for which `tf.keras` may stand.
        self.may_use_tf_keras = False
        self.binder = world.binder(home)
        self.names = world.names
        #: What a run of the project was seen to do, where the user has a profile of one.
        self.recording = world.recording
        self._answers: dict[str, Any] = {}

    @classmethod
    def build(
        cls,
        module: cst.Module,
        source: Source,
        tf_version: tuple[int, int] | None = None,
        recording: Recording | None = None,
    ) -> SemanticModel:
        """The model of a module by itself; `tf_version` is the targeted TensorFlow, `recording`
        what a run was seen to do."""
        home = Module.parsed(source.path, source, module)
        return cls(World([home], recording=recording), home, tf_version)

    def once(self, question: str, answer: Callable[[], _Answer]) -> _Answer:
        """The answer to a question about this module, worked out when first asked."""
        if question not in self._answers:
            self._answers[question] = answer()
        return cast("_Answer", self._answers[question])

    # Syntax

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """All nodes of this module of exactly this type."""
        return self.binder.nodes(kind)

    def everywhere(self, kind: type[_Node]) -> Iterator[_Node]:
        """All nodes of exactly this type in all modules of the world."""
        return cast("Iterator[_Node]", self.world.nodes(kind))

    def is_own(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in this module."""
        return self.world.home(node) in (self.home, None)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`."""
        return self.binder.parent(node)

    def ancestors(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The nodes around `node`, nearest first."""
        found: list[cst.CSTNode] = []
        current = self.parent(node)
        while current is not None:
            found.append(current)
            current = self.parent(current)
        return found

    @property
    def positions(self) -> Positions:
        """Where the nodes of this module stand in its source."""
        return self.home.positions

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands in its module; of a statement with a block, its head only."""
        return (self.world.home(node) or self.home).span(node)

    def path(self, node: cst.CSTNode) -> str | None:
        """The path of the file that a node stands in, None where it is this module's."""
        home = self.world.home(node)
        return None if home is None or home is self.home else home.source.path

    def extent(self, node: cst.CSTNode) -> Span:
        """Where a node stands, with all of its block."""
        return (self.world.home(node) or self.home).extent(node)

    def line(self, node: cst.CSTNode) -> int:
        """The 1-based line on which a node begins."""
        return self.span(node).line

    # Units and kinds

    @cached_property
    def units(self) -> Units:
        """The functions, lambdas and classes of the module, with what their decorators say."""
        return self.world.units(self.home)

    @property
    def evaluator(self) -> Evaluator:
        """The kinds of all expressions."""
        return self.world.evaluator

    def unit(self, node: cst.CSTNode) -> Unit:
        """The unit in which a node is evaluated."""
        return self.units.containing(node)

    def value(self, node: cst.CSTNode) -> Value:
        """What an expression can be."""
        return self.evaluator.values.get(id(node), UNKNOWN)

    def callees(self, call: cst.Call) -> list[Callee]:
        """The first-party functions that a call runs."""
        return self.evaluator.callees.get(id(call), [])

    @property
    def uses(self) -> list[Use]:
        """First-party functions handed to something else."""
        return list(self.evaluator.uses.values())

    # Flow

    @property
    def flow(self) -> Flow:
        """What runs after what, which bindings reads see, and where attributes are written."""
        return self.world.flow

    @property
    def calls(self) -> Calls:
        """Who runs whom, with what."""
        return self.world.flow.calls

    # Contexts and heat

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

    @cached_property
    def steps(self) -> Steps:
        """The loops and functions of the module that repeat eager steps."""
        return Steps(self, self.steps_everywhere)

    @property
    def steps_everywhere(self) -> AllSteps:
        """Those of all modules of the world."""
        return self.world.once("steps", lambda: AllSteps(self))

    @property
    def effects(self) -> Effects:
        """What code does beside computing values."""
        return self.world.once("effects", lambda: Effects(self))

    @property
    def safety(self) -> Safety:
        """Whether code can be traced."""
        return self.world.once("safety", lambda: Safety(self))
