from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.forked import forking
from tfxla_lint.sandbox import jobs
from tools.programs.client import Worker


@pytest.fixture(scope="session")
def worker(tensorflow: None) -> Iterator[Worker]:
    """One TensorFlow process for all the tests of a session."""
    with Worker(kind=forking(jobs.Worker)) as process:
        yield process
