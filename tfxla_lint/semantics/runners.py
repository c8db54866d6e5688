"""What runs functions from outside: command lines, threads, processes, and libraries that know
nothing of TensorFlow. None of them traces what it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait

#: Decorators of functions that a command line or another process runs, in Python.
LAUNCHING = behaviour.names(Trait.LAUNCHES)

#: Functions and classes that run the callable they are given in Python, whoever calls them: what a
#: thread runs is in nobody's trace.
STARTING = behaviour.names(Trait.STARTS)

#: Pools of threads or processes, and their methods that run the callable they are given.
POOLS = behaviour.names(Trait.POOL)
POOL_METHODS = behaviour.methods(Trait.STARTS, "pool")

_THREADS = behaviour.names(Trait.THREAD)


def leaves_methods_alone(names: Iterable[str]) -> bool:
    """Whether a base class of one of these names can't trace the methods of its subclasses."""
    roots = {name.partition(".")[0] for name in names}
    return bool(roots) and roots <= sys.stdlib_module_names | behaviour.packages(
        Trait.CALLS_BACK_IN_PYTHON
    )


def starts(base_names: Iterable[str], method: str) -> bool:
    """Whether objects with these bases run `method` in a thread or process of their own."""
    return method == "run" and not _THREADS.isdisjoint(base_names)
