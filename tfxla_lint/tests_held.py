"""Which files are tests: those that hold some, wherever they lie."""

from __future__ import annotations

import re
from pathlib import Path

#: How a file of tests begins or ends, for pytest to find its functions.
_COLLECTED = re.compile(r"test_.*\.py|.*_test\.py")
_CASE = re.compile(rb"^[ \t]*class[ \t]+\w+[ \t]*\([^)]*TestCase\b", re.MULTILINE)
#: A class that pytest collects; one with bases may be a model, whose `test_step` is no test.
_CLASS = re.compile(
    rb"^class[ \t]+Test\w*[ \t]*(?:\([ \t]*(?:object)?[ \t]*\))?[ \t]*:", re.MULTILINE
)
#: One that takes over what another such class tests, in a file that pytest collects.
_DERIVED = re.compile(
    rb"^class[ \t]+Test\w*[ \t]*\([ \t]*(?:\w+\.)*Test\w*[ \t]*\)[ \t]*:", re.MULTILINE
)
_METHOD = re.compile(rb"^[ \t]+(?:async[ \t]+)?def[ \t]+test\w*[ \t]*\([ \t]*self\b", re.MULTILINE)
_FUNCTION = re.compile(rb"^(?:async[ \t]+)?def[ \t]+test\w*[ \t]*\(", re.MULTILINE)
_PYTEST = re.compile(rb"^[ \t]*(?:import|from)[ \t]+pytest\b", re.MULTILINE)


def holds_tests(path: Path, data: bytes) -> bool:
    """Whether a file holds tests, or what only tests use: `data` is what stands in it.

    Cases of unittest and `tf.test.TestCase`, classes and functions that pytest collects, and what
    imports pytest are tests. A function `test_step` alone is none: training scripts have it.
    """
    if path.name == "conftest.py":
        return True
    if path.suffix not in (".py", ".pyi"):
        return False
    if b"test" not in data and b"Test" not in data:
        return False
    if _CASE.search(data) or _PYTEST.search(data):
        return True
    class_ = _CLASS.search(data)
    if class_ is not None and _METHOD.search(data, class_.end()):
        return True
    if _COLLECTED.fullmatch(path.name) is None:
        return False
    derived = _DERIVED.search(data)
    if derived is not None and _METHOD.search(data, derived.end()):
        return True
    return _FUNCTION.search(data) is not None
