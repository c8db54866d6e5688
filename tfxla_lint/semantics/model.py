"""The semantic model of one module: the answers that rules ask for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import libcst as cst

from tfxla_lint.findings import Span
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.said_versions import said_by, said_versions
from tfxla_lint.semantics.steps import AllSteps, Steps
from tfxla_lint.semantics.units import Units
from tfxla_lint.semantics.world import Module, World
from tfxla_lint.settings.taught import NOTHING_TAUGHT, Taught
from tfxla_lint.source import Source

if TYPE_CHECKING:
    from tfxla_lint.recording import Recording
    from tfxla_lint.semantics.positions import Positions

_Node = TypeVar("_Node", bound=cst.CSTNode)
_Answer = TypeVar("_Answer")


class SemanticModel(Answers):
    """A view of one file of a world: what a rule may report, and for which TensorFlow.

    `nodes`, `units` and `steps` enumerate this module only; all else is answered by the world, where
    nodes and units of other modules turn up, and can be asked about like its own.
    """

    def __init__(
        self, world: World, home: Module, tf_version: tuple[int, int] | None = None
    ) -> None:
        self.world = world
        self.names = world.names
        self.home = home
        self.module = home.tree
        self.source = home.source
        self.tf_version = tf_version
        self._binder = world.binder_of(home)
        self._answers: dict[str, Any] = {}
        world.views.add(self)

    @property
    def may_use_tf_keras(self) -> bool:
        """Whether `tf.keras` may stand for `tf_keras` in the project."""
        return self.world.may_use_tf_keras

    @property
    def oldest_target(self) -> tuple[int, int] | None:
        """The oldest TensorFlow that new code has to work with: of those that the target and newer
        ones are, the first with which the program goes on. None where nobody says which."""
        said = self.ask(said_versions)
        target = self.tf_version
        later = [version for version in said if target is None or version >= target]
        return next(iter(later or said), target)

    @property
    def newest_target(self) -> tuple[int, int]:
        """The newest TensorFlow that the module has to work with, of the known ones."""
        is_own = self.tf_version != self.world.tf_version
        newest = self.tf_version if is_own and self.tf_version else self.world.newest_target
        return min([newest, *self.ask(said_by, self.home)[-1:]])

    @property
    def binder(self) -> Binder:
        """The syntax of this module; it answers for the nodes of all."""
        return self._binder

    @classmethod
    def build(
        cls,
        module: cst.Module,
        source: Source,
        tf_version: tuple[int, int] | None = None,
        recording: Recording | None = None,
        taught: Taught = NOTHING_TAUGHT,
    ) -> SemanticModel:
        """The model of a module by itself; `tf_version` is the targeted TensorFlow, `recording`
        what a run was seen to do, `taught` what the project teaches of its names."""
        home = Module.parsed(source.path, source, module)
        world = World([home], recording=recording, tf_version=tf_version, taught=taught)
        return cls(world, home, tf_version)

    def once(self, question: str, answer: Callable[[], _Answer]) -> _Answer:
        """The answer to a question about this module, worked out when first asked."""
        if question not in self._answers:
            self._answers[question] = answer()
        return cast("_Answer", self._answers[question])

    # Syntax

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """All nodes of this module of exactly this type."""
        return self.binder.nodes(kind)

    def is_own(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in this module."""
        home = self.world.home(node)
        return home is None or home is self.home

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
        return self.world.units_of(self.home)

    @cached_property
    def steps(self) -> Steps:
        """The loops and functions of the module that repeat eager steps."""
        return Steps(self, self.ask(AllSteps))
