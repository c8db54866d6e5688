"""Fixtures for all tests."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# How long it takes to draw and to run an example depends on what else the machine does.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

# Every TensorFlow that the tests start has small work to do, beside other tests: threads of its own
# would only wait for one another. Processes inherit this.
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
os.environ.setdefault("TF_NUM_INTEROP_THREADS", "1")
# The tool is started very often, and need not be compiled each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# What a test sees was found out by this very code; `tests/cache` says otherwise.
os.environ["TFXLA_LINT_NO_CACHE"] = "1"


# Nearly all that is loaded while tests are collected stays: to look for what does not takes longer.
gc.disable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `-n`: who runs what is said by `distribution.py`."""
    if config.getvalue("dist") != "load":
        return None
    config.option.loadscopereorder = False
    return importlib.import_module("tests.distribution").Scheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a process of several: put the tests in the order in which they are handed out."""
    if hasattr(config, "workerinput"):
        places = importlib.import_module("tests.distribution").in_order([i.nodeid for i in items])
        items[:] = [items[place] for place in places]


#: What was imported to collect the tests.
COLLECTED: pytest.StashKey[frozenset[str]] = pytest.StashKey()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare garbage collections what is loaded: trees of syntax nodes set off many of them."""
    session.config.stash[COLLECTED] = frozenset(sys.modules)
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def tensorflow() -> None:
    """Skips a test where there is no TensorFlow to run its programs on."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")


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
