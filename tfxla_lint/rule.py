"""What a rule is: its code, name, level and docs, and the reports that it yields."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.semantics.cost.at_stake import AtStake
from tfxla_lint.semantics.model import SemanticModel

FAMILIES = {
    "0": "tool",
    "1": "eager",
    "2": "retracing",
    "3": "tracing",
    "4": "xla",
    "5": "api",
    "6": "input",
}


@dataclass(frozen=True)
class Evidence:
    """A node that proves a report, with a short label ("the step loop").

    One that `is_further` is one of many of its sort, which people are shown on demand only; one
    that `is_decisive` they are shown first.
    """

    node: cst.CSTNode
    message: str
    is_further: bool = False
    is_decisive: bool = False


@dataclass(frozen=True)
class Report:
    """What a rule says of one node.

    `covers` are the nodes (a loop, a function) inside of which this report speaks for the weaker
    ones that have the same cause. `level` overrides the rule's own. `at_stake` is what it would
    be worth to mend, of which the core says what it costs.
    """

    node: cst.CSTNode
    message: str
    evidence: Sequence[Evidence] = ()
    rewrite: Rewrite | None = None
    level: Level | None = None
    covers: Sequence[cst.CSTNode] = ()
    at_stake: AtStake | None = None


class Rule:
    """One rule. A subclass in its own file sets the fields and writes `check`.

    The class docstring is the rule's page, in Markdown: "## What it does", "## Why is this bad?",
    "## Example", "## Use instead", "## Fix safety" (where it has a fix), "## References".
    """

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    level: ClassVar[Level] = Level.WARNING
    default: ClassVar[bool] = True
    #: The applicabilities that its fixes can have; empty where it has none.
    fixes: ClassVar[tuple[Applicability, ...]] = ()
    #: The codes of the weaker rules that it speaks for inside of what its reports cover: one
    #: problem, one report.
    speaks_for: ClassVar[tuple[str, ...]] = ()
    #: The codes of those that it speaks for only at one and the same node.
    speaks_at_node_for: ClassVar[tuple[str, ...]] = ()
    #: Whether nothing is left to say of what its report covers, but by the tool itself.
    withholds_others: ClassVar[bool] = False
    #: Whether it says nothing in test files: tests run little, and run it eagerly on purpose.
    quiet_in_tests: ClassVar[bool] = False
    #: Whether its fixes are worth it only where a run shows that they are faster: they compete under
    #: `--verify`, and where no such rule is on, what they would bring is advice.
    needs_measurement: ClassVar[bool] = False
    #: What such a fix makes of the code, as the table of times calls it.
    variant: ClassVar[Literal["", "xla", "fused"]] = ""
    #: What several findings of it are: counted ("7 names of TensorFlow 1"), they are one line of a
    #: report, where the first stands, one for each file, or for each project.
    gathered: ClassVar[str] = ""
    is_of_project: ClassVar[bool] = False
    #: What the code has to hold, at least, so that it may report: a row of groups of words, of each of
    #: which there has to be one (`tfxla_lint/needs.py`). Empty where it may report in any file.
    needs: ClassVar[tuple[str, ...]] = ()
    #: Which of the steps of the model it reports, so that `explain` can name it.
    reports_steps: ClassVar[Literal["", "functions", "loops"]] = ""

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Yield the reports for one module."""
        raise NotImplementedError

    @property
    def family(self) -> str:
        """The family's name, from the code's first digit (third-party prefixes: "plugin")."""
        if self.code.startswith("TXL"):
            return FAMILIES[self.code[3]]
        return "plugin"

    @property
    def page(self) -> str:
        """The rule's documentation as Markdown."""
        return inspect.cleandoc(type(self).__doc__ or "")
