"""What a run leaves behind beside globals: what it made, files, and values behind printed digits."""

from __future__ import annotations

import contextlib
from typing import Dict, Iterator, List, Mapping, Set

from tfxla_lint.sandbox.inside.nodes import MISSING, Node
from tfxla_lint.sandbox.inside.surroundings import watched_folders
from tfxla_lint.verify.worker import states
from tfxla_lint.verify.worker.comparing import FILES, FORMATTED, Comparison, Difference
from tfxla_lint.verify.worker.files import Text, stamps, written
from tfxla_lint.verify.worker.states import Held, States
from tfxla_lint.verify.worker.texts import line_differences, shown_lines


class Left:
    """What one run left behind."""

    def __init__(self) -> None:
        #: What it made that has a state, wherever that was held.
        self.held: List[Held] = []
        #: What was written to files, by name.
        self.files: Dict[str, Node] = {}
        #: What was formatted with fewer digits, by template.
        self.formatted: Dict[int, List[Node]] = {}

    def telling(self) -> Set[str]:
        """The places of values that changed code may have to do with."""
        return {*states.telling(self.held), *self.files}

    def is_same(self, other: Left) -> bool:
        """Whether another run left the same to the last bit."""
        return states.are_same(self.held, other.held)


class Leaving:
    """Watches what a run leaves behind; `made` is what it made so far."""

    def __init__(self, made: States) -> None:
        self.made = made
        self._folders = watched_folders()
        self._before = stamps(self._folders)

    def left(self, own: Set[str], formatted: Mapping[int, List[Node]]) -> Left:
        """What there is now; `own` are the modules that are the user's."""
        found = Left()
        found.held = [*self.made.held(), *states.generators()]
        found.files = written(self._folders, self._before, own)
        found.formatted = dict(formatted)
        return found


@contextlib.contextmanager
def leaving() -> Iterator[Leaving]:
    """Watch what is left behind by what runs in the meantime."""
    with states.keeping() as made:
        yield Leaving(made)


def left_differences(
    comparison: Comparison, before: Left, after: Left, templates: Mapping[str, str]
) -> List[Difference]:
    """Where two runs left something else behind."""
    found = states.differences(comparison, before.held, after.held)
    found += _files(comparison, before, after)
    for number, left in before.formatted.items():
        right = after.formatted.get(number, [])
        if len(left) != len(right):
            continue
        path = f'value of "{templates.get(str(number), "")}"'
        for i, pair in enumerate(zip(left, right)):
            found += comparison.compare(f"{path} #{i + 1}", *pair, False, kind=FORMATTED)[:1]
    return found


def _files(comparison: Comparison, before: Left, after: Left) -> List[Difference]:
    """Files that differ; what is text is compared line by line."""
    found: List[Difference] = []
    for name in sorted({*before.files, *after.files}):
        a, b = (run.files.get(name, MISSING) for run in (before, after))
        if a[1] == b[1] == Text.__name__:
            comparison.count(FILES, len(shown_lines(a[2])))
            lines = line_differences(f"file {name}", a[2], b[2])
            found += [Difference("output", *line) for line in lines]
        else:
            found += comparison.compare(f"file {name}", a, b, False, kind=FILES)[:3]
    return found
