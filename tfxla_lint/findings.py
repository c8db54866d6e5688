"""What the linter says: findings, their places and their fixes, as plain picklable data.

Offsets count code points of the decoded text from 0. Lines and columns are 1-based; a column
counts code points. Every end is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(str, Enum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst level, larger for milder ones."""
        return _RANKS[self]


#: What the codes of this tool begin with; those of plug-ins begin otherwise.
OWN_PREFIX = "TXL"
_RANKS = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTE: 2}


class Applicability(str, Enum):
    """Whether a fix may be applied without asking.

    SAFE keeps every result up to the dtype's tolerance. UNSAFE is correct unless the assumption
    that the message states fails. DISPLAY is shown and not applied, unless it is for speed alone
    and a run shows the speed (`Fix.needs_measurement`).
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Intent(str, Enum):
    """PRESERVING: the rewrite computes what the original does. CORRECTING: the original is wrong."""

    PRESERVING = "preserving"
    CORRECTING = "correcting"


@dataclass(frozen=True, slots=True)
class InCell:
    """Where a span of a notebook lies: in the cell number `index` (of all cells, from 1), from
    `line` of its code up to `end_line`; these lines stand on `file_line` and `file_end_line` of the
    JSON.
    """

    index: int
    id: str
    line: int
    end_line: int
    file_line: int
    file_end_line: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one file's text; of a notebook's, the lines are those of all cells together."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    cell: InCell | None = None

    @property
    def shown_line(self) -> int:
        """The line as people count: in the cell of a notebook, else in the file."""
        return self.cell.line if self.cell is not None else self.line

    @property
    def shown_end_line(self) -> int:
        """The last line as people count."""
        return self.cell.end_line if self.cell is not None else self.end_line


@dataclass(frozen=True, slots=True)
class Related:
    """A place that proves a finding (the loop, the caller, the decorator), with a short label.

    `path` is None for a place in the finding's own file. One that `is_further` is one of many of
    its sort, which people are shown on demand only; one that `is_decisive` they are shown first.
    """

    span: Span
    message: str
    path: str | None = None
    is_further: bool = False
    is_decisive: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the text from `start` up to `end` by `text` (an insertion when they are equal)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class NewName:
    """A name that a fix adds (of an attribute: `.name`), seen from `start` to `end` of the text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fix:
    """A rewrite of one function or block.

    `edits` are sorted and do not overlap. `assumption` states what an unsafe fix rests on.
    `unit` is the qualified name of the function or block that it rewrites, which is what
    verification runs. One that `needs_measurement` is worth it only where it is measured to be
    faster: one for display is applied by `--fix --unsafe-fixes --verify` alone, and `variant` is what it
    makes of the code, in a table of times. `new_names` are those that no
    other fix may add where they are seen. One that `is_partial` makes what is reported smaller, and
    leaves something to report.
    """

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability
    intent: Intent = Intent.PRESERVING
    assumption: str = ""
    unit: str = ""
    needs_measurement: bool = False
    variant: str = ""
    new_names: tuple[NewName, ...] = ()
    is_partial: bool = False


#: What is not so many times quicker is hardly quicker.
WORTH_A_WORD = 1.15


class Spent(str, Enum):
    """What time is spent on that mending a finding would save."""

    DISPATCH = "dispatch"  #: operations called from Python one by one
    CALLS = "calls"  #: setting up what Keras or tf.data does around each call
    TRACES = "traces"  #: tracing, or compiling, again
    ROWS = "rows"  #: operations called from Python for one row after the other
    ELEMENTS = "elements"  #: what a pipeline does for each element
    GRAPHS = "graphs"  #: the nodes of a graph, which XLA may run together


@dataclass(frozen=True, slots=True)
class Range:
    """A number from `low` to `high`; `likely` where one is more probable than the others."""

    low: float
    likely: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Repeated:
    """What runs a place again and again: a loop, or a function that something outside runs.

    `text` is its first line, `turns` their number where it is known, or at most so many where that
    `is_most`; `path` is None in the finding's own file. `traced` are functions that its turns call and
    that are traced already.
    """

    span: Span
    text: str
    turns: int | None
    path: str | None = None
    is_most: bool = False
    traced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stake:
    """What a finding costs, estimated from prices that were measured elsewhere.

    `seconds` are those of one turn (one call, one trace), of which there are `times`, where that is
    known, or at most so many where that `is_most`; `factor` is how many times quicker it is when
    mended. What `is_measured` was taken from a recorded run. `within` is what repeats it, outermost first. `weight` orders findings by what
    mending them saves: seconds, with a guess in place of turns that are not known.
    """

    spent: Spent
    seconds: Range
    times: int | None
    factor: Range | None
    weight: float
    is_measured: bool = False
    is_most: bool = False
    within: tuple[Repeated, ...] = ()

    @property
    def total(self) -> Range | None:
        """The seconds of all turns."""
        if self.times is None:
            return None
        low, likely, high = self.seconds.low, self.seconds.likely, self.seconds.high
        times = self.times
        return Range(
            low * times,
            None if likely is None else likely * times,
            None if high is None else high * times,
        )

    @property
    def saved_each(self) -> float | None:
        """The seconds of one turn that mending it saves, by the likeliest figures or else the lower;
        None where that may be next to nothing."""
        spent = self.seconds.low if self.seconds.likely is None else self.seconds.likely
        if self.factor is None:
            return spent
        factor = self.factor.low if self.factor.likely is None else self.factor.likely
        return spent * (1.0 - 1.0 / factor) if factor >= WORTH_A_WORD else None

    @property
    def saved(self) -> float | None:
        """The seconds of all turns that mending it saves, None where that is not known."""
        each = self.saved_each
        return None if self.times is None or each is None else each * self.times


@dataclass(frozen=True, slots=True)
class Finding:
    """One report of one rule at one place of one file.

    In a report it may stand for all of its rule's in a file or a project: `count` of them. One that
    `is_elsewhere` is new since a change, and lies on a line that the change left as it was.
    `stake` is what it costs, where that can be told.
    """

    code: str
    name: str
    level: Level
    message: str
    path: str
    span: Span
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    count: int = 1
    is_elsewhere: bool = False
    stake: Stake | None = None

    @property
    def weight(self) -> float:
        """What the finding is worth beside others, 0 where nothing is known of that."""
        return self.stake.weight if self.stake is not None else 0.0

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        """Order of reports: by file, then place, then code."""
        return (self.path, self.span.line, self.span.column, self.code)
