"""Which tests go to one process together where several run them, and which go first.

What shares something slow stays together. Of other files each is cut into a few parts: handing out each
test alone takes longer than most of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

#: Files whose tests share something slow, which each part of one that was cut would make again.
TOGETHER = frozenset(
    {
        "tests/execution/test_fuzz.py",
        "tests/execution/test_programs.py",
        "tests/profile/test_tensorflow.py",
        "tests/sandbox/test_faults.py",
        "tests/test_action.py",
        "tests/test_executors.py",
        "tests/test_fuzz_bytes.py",
        "tests/test_gallery.py",
        "tests/test_knowledge_regenerated.py",
        "tests/test_layering.py",
        "tests/test_plugin.py",
        "tests/verify/test_programs.py",
        "tests/verify/test_snippets.py",
    }
)
#: Files whose tests import TensorFlow into their own process.
IMPORTING = frozenset({"tests/execution/test_shapes.py", "tests/verify/test_comparing.py"})
#: Files whose tests share something slow by what they are about, which their names say.
BY_SUBJECT = {
    "tests/rules/test_testdata.py": re.compile(r"\[(.*)_(?:bad|fixed|good)\]$"),
    "tests/test_isolation.py": re.compile(r"\[(\d+)\]$"),
}
#: Into so many parts a file is cut.
PARTS = 16


def units(tests: Sequence[str]) -> dict[str, str]:
    """The name of what each test goes together with; the tests are in the order of their files."""
    names = {test: _subject(test) for test in tests}
    sizes = Counter(names.values())
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for test, name in names.items():
        found[test] = name
        if name == test.partition("::")[0] and name not in TOGETHER:
            found[test] = f"{name}: {seen[name] * PARTS // sizes[name]}"
            seen[name] += 1
    return found


def _subject(test: str) -> str:
    file = test.partition("::")[0]
    if file in IMPORTING:
        return "TensorFlow"
    subject = BY_SUBJECT[file].search(test) if file in BY_SUBJECT else None
    return f"{file}: {subject[1]}" if subject is not None else file


def in_order(tests: Sequence[str]) -> list[int]:
    """The places of the tests in the order in which they are handed out: small parts come last."""
    unit_of = units(tests)
    sizes = Counter(unit_of.values())

    def key(place: int) -> tuple[bool, int]:
        unit = unit_of[tests[place]]
        return unit not in TOGETHER, -sizes[unit]

    return sorted(range(len(tests)), key=key)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Hands out the parts in the order of the tests; forgets those that are done."""

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """Note which tests a process found."""
        super().add_node_collection(node, collection)
        self._units = units(collection)
        if node in self.registered_collections:
            self.registered_collections[node] = _Indexed(collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Note that a process has run a test."""
        super().mark_test_complete(node, item_index, duration)
        unit = self._split_scope(self.registered_collections[node][item_index])
        given = self.assigned_work[node]
        # What is pending is counted after each test.
        if unit in given and all(given[unit].values()):
            del given[unit]

    def _split_scope(self, nodeid: str) -> str:
        return self._units[nodeid]


class _Indexed(list[str]):
    """Tests whose places are asked for one by one."""

    def __init__(self, tests: Iterable[str]) -> None:
        super().__init__(tests)
        self._places = {test: place for place, test in enumerate(self)}

    def index(self, value: str, *_: SupportsIndex) -> int:
        return self._places[value]
