"""What runs functions from outside: command lines, threads, processes, and libraries that know
nothing of TensorFlow. None of them traces what it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable

#: Decorators of functions that a command line or another process runs, in Python.
LAUNCHING = frozenset({"click.command", "click.group", "hydra.main", "ray.remote"})

#: Functions and classes that run the callable they are given in Python, whoever calls them: what a
#: thread runs is in nobody's trace.
STARTING = frozenset(
    {
        "absl.app.run", "tensorflow.compat.v1.app.run", "fire.Fire", "threading.Thread",
        "threading.Timer", "multiprocessing.Process", "atexit.register",
    }
)  # fmt: skip

#: Pools of threads or processes, and their methods that run the callable they are given.
POOLS = frozenset(
    {
        "concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor",
        "multiprocessing.Pool", "multiprocessing.pool.Pool", "multiprocessing.pool.ThreadPool",
        "multiprocessing.dummy.Pool",
    }
)  # fmt: skip
POOL_METHODS = frozenset(
    {"submit", "map", "imap", "imap_unordered", "starmap", "apply", "apply_async", "map_async",
     "starmap_async"}
)  # fmt: skip

_THREADS = frozenset({"threading.Thread", "threading.Timer", "multiprocessing.Process"})
_LIBRARIES = frozenset({"gym", "gymnasium", "pettingzoo", "numpy", "pandas", "sklearn"})


def leaves_methods_alone(names: Iterable[str]) -> bool:
    """Whether a base class of one of these names can't trace the methods of its subclasses."""
    roots = {name.partition(".")[0] for name in names}
    return bool(roots) and roots <= sys.stdlib_module_names | _LIBRARIES


def starts(base_names: Iterable[str], method: str) -> bool:
    """Whether objects with these bases run `method` in a thread or process of their own."""
    return method == "run" and not _THREADS.isdisjoint(base_names)
