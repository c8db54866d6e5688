"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

# Every TensorFlow that the tests start has small work to do, beside other tests: threads of its own
# would only wait for one another. Processes inherit this.
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
os.environ.setdefault("TF_NUM_INTEROP_THREADS", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests that share a module's fixture run in one process, so that it is made once."""
    for item in items:
        if isinstance(item, pytest.Function) and _shares_a_fixture(item):
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))


def pytest_collection_finish() -> None:
    """Spare garbage collections what is loaded: trees of syntax nodes set off many of them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _shares_a_fixture(item: pytest.Function) -> bool:
    definitions = item._fixtureinfo.name2fixturedefs.values()
    return any(definition[-1].scope == "module" for definition in definitions)


@pytest.fixture
def unreadable(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips a test where the user may read files whatever their mode, as root may."""
    probe: Path = tmp_path_factory.mktemp("probe") / "probe"
    probe.touch(mode=0)
    try:
        probe.read_bytes()
    except PermissionError:
        return
    pytest.skip("this user may read everything")
