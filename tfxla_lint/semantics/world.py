"""The world of an analysis: the modules of a project that are looked at together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast
from weakref import WeakSet

import libcst as cst

from tfxla_lint.findings import Span
from tfxla_lint.knowledge import tables
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.project.layout import Layout
from tfxla_lint.project.scan import LEGACY_SWITCH
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.contexts import Contexts
from tfxla_lint.semantics.first_party import FirstParty
from tfxla_lint.semantics.flow.flow import Flow
from tfxla_lint.semantics.keras_copy import (
    COPY_HOLDER,
    makes_by_copy,
    reached_by_copy,
    takes_copy,
)
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.kinds.interpreter import interpreted
from tfxla_lint.semantics.links import Links
from tfxla_lint.semantics.loops import Loop, Loops, Turning
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.positions import Positions
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.taught_names import TaughtNames
from tfxla_lint.semantics.units import Unit, UnitIndex, Units
from tfxla_lint.semantics.work import Works
from tfxla_lint.settings.taught import NOTHING_TAUGHT, Taught
from tfxla_lint.source import Source
from tfxla_lint.tests_held import holds_tests

if TYPE_CHECKING:
    from tfxla_lint.recording import FileRecording, LoopRecord, Recording
    from tfxla_lint.semantics.units import ClassInfo

#: The last version whose Keras is Keras 2.
LAST_KERAS_2: Version = (2, 15)
_Answer = TypeVar("_Answer")
_Asked = ParamSpec("_Asked")


@dataclass(eq=False)
class Module:
    """One module: `file` is its place in the project, `binder` what its syntax says.

    It outlives the worlds that it is part of.
    """

    file: str
    source: Source
    binder: Binder

    @classmethod
    def parsed(cls, file: str, source: Source, tree: cst.Module) -> Module:
        """A module whose tree was parsed from `source`."""
        return cls(file, source, Binder(tree))

    @property
    def tree(self) -> cst.Module:
        """The syntax tree."""
        return self.binder.module

    def let_go(self) -> None:
        """Part what it is made of, so that it goes at once: no world asks for it any more."""
        vars(self).pop("positions", None)
        self.binder.part()

    @cached_property
    def positions(self) -> Positions:
        """Where nodes stand in the source, from one code generation."""
        return Positions(self.tree, self.source.text)

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

    @cached_property
    def holds_tests(self) -> bool:
        """Whether it is a file of tests."""
        return holds_tests(Path(self.file), self.source.text.encode())

    @cached_property
    def stays_on_keras_2(self) -> bool:
        """Whether the module uses `tf_keras`, or asks TensorFlow to."""
        text = self.source.text
        if "tf_keras" in text:
            names = [dotted(node.module) for node in self.binder.nodes(cst.ImportFrom)]
            names += [dotted(alias.name) for alias in self.binder.nodes(cst.ImportAlias)]
            if any((name or "").split(".")[0] == "tf_keras" for name in names):
                return True
        return LEGACY_SWITCH in text

    @cached_property
    def takes_copy(self) -> bool:
        """Whether the module imports something of TensorFlow's own copy of Keras 2."""
        return COPY_HOLDER in self.source.text and takes_copy(self.binder)

    @cached_property
    def makes_by_copy(self) -> bool:
        """Whether the module may make objects by TensorFlow's own copy of Keras 2."""
        return self.takes_copy and makes_by_copy(self.binder)


class World(Answers):
    """What is inferred of some modules at once; nodes and units of each can be asked about.

    Modules know nothing of the worlds that they are part of: several can be in use at a time.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        layout: Layout | None = None,
        recording: Recording | None = None,
        tf_version: tuple[int, int] | None = None,
        taught: Taught = NOTHING_TAUGHT,
    ) -> None:
        self.tf_version = tf_version
        #: Whether the project requires `tf_keras`.
        self.requires_tf_keras = False
        #: Whether the project takes any TensorFlow that is newer than the target.
        self.takes_newer = False
        self.modules = modules
        self._recording = recording
        links = _linked(modules)
        self.binders = [module.binder.linked(links) for module in modules]
        self._homes = {id(module.tree): module for module in modules}
        scopes = {module.file: module.binder.module_scope for module in modules}
        self._layout = layout
        self._first_party = FirstParty(layout, scopes, links) if layout is not None else None
        files = {id(module.binder.module_scope): module.file for module in modules}
        taught_names = TaughtNames(taught, files)
        self.held = links.held
        self.world = self
        self.names = Names(self.binders[0], self._first_party, taught_names)
        self._answers: dict[tuple[object, ...], Any] = {}
        #: The views of single files, as long as they are there.
        self.views: WeakSet[Answers] = WeakSet()
        #: Full names of TensorFlow that a file of the project, perhaps another one, gives a value.
        self.assigned_names: frozenset[str] = frozenset()
        #: Whether tests import a module, directly or by way of others, or something loads it unseen.
        self.is_run_unseen: Callable[[Module], bool] = lambda module: False
        #: Whether something may start a module as a program, and go on where that fails.
        self.is_outlived: Callable[[Module], bool] = lambda module: False
        #: The programs, each a process of its own, that alone run a module; none where that is not known.
        self.run_by: Callable[[Module], frozenset[str]] = lambda module: frozenset()
        #: Whether all files that belong together could be read and parsed.
        self.is_whole = True
        #: Called again and again in long work; after it has raised, the world is of no use.
        self.pause: Callable[[], None] = lambda: None

    def let_go(self) -> None:
        """Part what it knows, so that it goes at once: nobody asks it or a view of it any more."""
        if "evaluator" in vars(self):
            for units in self.evaluator.modules:
                units.part()
        pending: list[object] = [self, *self.views]
        while pending:
            known = vars(pending.pop())
            pending += filter(_is_part, known.values())
            known.clear()

    def runs_keras_3(self, node: cst.CSTNode, info: ClassInfo | None = None) -> bool:
        """Whether what there is of Keras at a node surely is of Keras 3; `info` is the class of the
        project that is asked about, where it is one."""
        if not self._is_on_keras_3 or not self._reached_by_copy:
            return self._is_on_keras_3
        if info is not None and not info.has_unknown_base:
            homes = [self.home(each.node) for each in info.lineage()]
            return all(home is not None and not home.makes_by_copy for home in homes)
        home = self.home(node)
        return home is not None and home.file not in self._reached_by_copy

    @cached_property
    def _is_on_keras_3(self) -> bool:
        # Asked of each call of a layer.
        return self.may_run_keras_3 and not self.may_use_tf_keras

    def may_hold_copies(self, module: Module) -> bool:
        """Whether names and objects of Keras in a module may be of TensorFlow's own copy of Keras 2."""
        return module.takes_copy or module.file in self._reached_by_copy

    @cached_property
    def _reached_by_copy(self) -> frozenset[str]:
        makers = {module.file: module.makes_by_copy for module in self.modules}
        return reached_by_copy(self._layout, makers)

    @property
    def may_run_keras_3(self) -> bool:
        """Whether `tf.keras` is Keras 3 in the newest TensorFlow that the code has to work with."""
        return self.newest_target > LAST_KERAS_2

    @property
    def may_use_tf_keras(self) -> bool:
        """Whether `keras` may stand for `tf_keras`, as the project requires it, or a file of it asks for it."""
        is_asked_for = self.requires_tf_keras or LEGACY_SWITCH in self.assigned_names
        return is_asked_for or self._brings_keras_2

    @cached_property
    def _brings_keras_2(self) -> bool:
        # Asked of each name of Keras.
        return any(module.stays_on_keras_2 for module in self.modules)

    @property
    def newest_target(self) -> tuple[int, int]:
        """The newest TensorFlow that the code has to work with, of the known ones."""
        return tables.newest() if self.takes_newer else self.tf_version or tables.newest()

    @property
    def recording(self) -> Recording | None:
        """What a run of the project was seen to do, where the user has a profile of one."""
        return self._recording

    def home(self, node: cst.CSTNode) -> Module | None:
        """The module that a node stands in; None for a node that was made up."""
        if isinstance(node, cst.Module):
            return self._homes.get(id(node))
        scope = self.binders[0].links.scope(node)
        return self._homes.get(id(scope.module.node)) if scope is not None else None

    def recorded(self, node: cst.CSTNode) -> FileRecording | None:
        """What was recorded of the file that a node stands in, where there is a profile."""
        home = self.home(node)
        if self.recording is None or home is None:
            return None
        return self.recording.of(home.source.path, home.source.text)

    def measured(self, loop: Turning) -> LoopRecord | None:
        """What was recorded of a loop, if this very code was run eagerly."""
        recorded = self.recorded(loop)
        return recorded.loops.get(self.line(loop)) if recorded is not None else None

    def _turns(self, loop: Loop) -> int | None:
        """How often a loop turned each time it was begun, on average, in the recorded run."""
        record = self.measured(loop)
        return round(record.turns / record.entries) if record and record.entries else None

    def starring(self, scope: Scope) -> list[Scope]:
        """The modules that get the names of a module by `from module import *`."""
        return self._first_party.starring(scope) if self._first_party is not None else []

    def is_in_package(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in a module of a package, which programs elsewhere may import."""
        scope = self.binders[0].links.scope(node)
        if self._first_party is None or scope is None:
            return False
        return self._first_party.is_in_package(scope.module)

    def in_other_programs(self, first: cst.CSTNode, second: cst.CSTNode) -> bool:
        """Whether no process runs both of two places: they stand in scripts or notebooks that nothing
        imports, in what only these import, or below main guards, of different files."""
        one, other = self.home(first), self.home(second)
        if one is None or other is None or one is other:
            return False
        programs = [self._programs(*place) for place in ((first, one), (second, other))]
        return all(programs) and programs[0].isdisjoint(programs[1])

    def _programs(self, node: cst.CSTNode, module: Module) -> frozenset[str]:
        is_of_main = module.binder.own.is_of_main(node)
        return frozenset((module.file,)) if is_of_main else self.run_by(module)

    def line(self, node: cst.CSTNode) -> int:
        """The 1-based line on which a node begins, 0 for a node that was made up."""
        home = self.home(node)
        return home.span(node).line if home is not None else 0

    def answer(
        self,
        question: Callable[Concatenate[World, _Asked], _Answer],
        *about: _Asked.args,
        **named: _Asked.kwargs,
    ) -> _Answer:
        """As `ask`, which this is the memory of; raises TypeError for a question that closes over
        something, which may be the view of one file."""
        if getattr(question, "__closure__", None) is not None:
            raise TypeError(f"{question.__qualname__} closes over what the memory cannot see")
        key = (question, *about, *named.items())
        if key not in self._answers:
            self._answers[key] = question(self, *about, **named)
        return cast("_Answer", self._answers[key])

    @cached_property
    def evaluator(self) -> Evaluator:
        """The kinds of all expressions."""
        index = UnitIndex()
        units = [Units(binder, index) for binder in self.binders]
        return interpreted(self.binders, self.names, units, self.pause)

    def binder_of(self, module: Module) -> Binder:
        """The binder of one module, which answers for the nodes of all."""
        return self.binders[self.modules.index(module)]

    def units_of(self, module: Module) -> Units:
        """The units of one module."""
        return self.evaluator.modules[self.modules.index(module)]

    @cached_property
    def loops(self) -> Loops:
        """What is known of the loops."""
        return Loops(self.binders[0], self.evaluator, self._turns)

    @cached_property
    def flow(self) -> Flow:
        """What runs after what, which bindings reads see, and who runs whom with what."""
        return Flow(self.binders, lambda: self.evaluator)

    @cached_property
    def contexts(self) -> Contexts:
        """How each unit is run."""
        calls = self.flow.calls
        return Contexts(
            self.binders, self.evaluator, self.loops, calls, self.works, self._stands_in_tests
        )

    def _stands_in_tests(self, unit: Unit) -> bool:
        home = self.home(unit.node)
        return home is not None and home.holds_tests

    @cached_property
    def works(self) -> Works:
        """How much tensor work code does."""
        return Works(self.binders[0], self.evaluator, self.loops)


def _is_part(value: object) -> bool:
    """Whether something is a part of one world alone, as what answers its questions is."""
    is_ours = type(value).__module__.startswith(_SEMANTICS) and hasattr(value, "__dict__")
    return is_ours and not isinstance(value, Module)


_SEMANTICS = f"{__package__}."


def _linked(modules: Sequence[Module]) -> Links:
    if len(modules) == 1:
        return modules[0].binder.own
    links = Links()
    for module in modules:
        links.update(module.binder.own)
    return links
