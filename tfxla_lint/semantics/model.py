"""The semantic model of one module: the answers that rules ask for."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from tfxla_lint.findings import Span
from tfxla_lint.semantics import measured
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.contexts import Contexts
from tfxla_lint.semantics.kinds.evaluator import Callee, Evaluator, Use
from tfxla_lint.semantics.loops import Loops
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.steps import Steps
from tfxla_lint.semantics.units import Unit, Units
from tfxla_lint.semantics.values import UNKNOWN, Value
from tfxla_lint.semantics.work import Works
from tfxla_lint.source import Source

if TYPE_CHECKING:
    from tfxla_lint.recording import Recording
    from tfxla_lint.semantics.positions import Positions

_Node = TypeVar("_Node", bound=cst.CSTNode)


class SemanticModel:
    """Names, kinds, contexts, heat and effects of one module, computed when first asked for."""

    def __init__(
        self, module: cst.Module, source: Source, tf_version: tuple[int, int] | None = None
    ) -> None:
        self.module = module
        self.source = source
        self.tf_version = tf_version
        #: What a run of the project was seen to do, where the user has a profile of one.
        self.recording: Recording | None = None
        self.binder = Binder(module)
        self.names = Names(self.binder)

    @classmethod
    def build(
        cls, module: cst.Module, source: Source, tf_version: tuple[int, int] | None = None
    ) -> SemanticModel:
        """The model of a parsed module; `tf_version` is the targeted TensorFlow."""
        return cls(module, source, tf_version)

    # Syntax

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """All nodes of exactly this type."""
        return self.binder.nodes(kind)

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

    @cached_property
    def positions(self) -> Positions:
        """Where nodes stand in the source, from one code generation."""
        from tfxla_lint.semantics.positions import Positions

        return Positions(self.module, self.source.text)

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands; of a statement with a block, its head only."""
        start, end = self.positions.syntactic(node)
        body = getattr(node, "body", None)
        if isinstance(node, cst.BaseCompoundStatement) and isinstance(body, cst.BaseSuite):
            end = max(start, self.positions.whole(body)[0])
        return self.source.span(start, end)

    def extent(self, node: cst.CSTNode) -> Span:
        """Where a node stands, with all of its block."""
        return self.source.span(*self.positions.syntactic(node))

    def line(self, node: cst.CSTNode) -> int:
        """The 1-based line on which a node begins."""
        return self.span(node).line

    # Units and kinds

    @property
    def units(self) -> Units:
        """The functions, lambdas and classes of the module, with what their decorators say."""
        return self.evaluator.units

    @cached_property
    def evaluator(self) -> Evaluator:
        """The kinds of all expressions."""
        evaluator = Evaluator(self.binder, self.names, Units(self.binder))
        evaluator.run()
        return evaluator

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

    # Contexts and heat

    @cached_property
    def loops(self) -> Loops:
        """What is known of the loops."""
        return Loops(self.binder, self.evaluator, partial(measured.turns, self))

    @cached_property
    def contexts(self) -> Contexts:
        """How each unit is run."""
        return Contexts(self.binder, self.units, self.evaluator, self.loops)

    @cached_property
    def works(self) -> Works:
        """How much tensor work code does."""
        return Works(self.binder, self.evaluator, self.loops)

    @cached_property
    def steps(self) -> Steps:
        """The loops and functions that repeat eager steps."""
        return Steps(self)

    @cached_property
    def safety(self) -> Safety:
        """Whether code can be traced."""
        return Safety(self)
