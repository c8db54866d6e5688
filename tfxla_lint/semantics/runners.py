"""What runs functions from outside: command lines, threads, processes, and libraries that know
nothing of TensorFlow. None of them traces what it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import Kind

#: Decorators of functions that a command line or another process runs, in Python.
LAUNCHING = behaviour.names(Trait.LAUNCHES)
#: Methods of what those make, that decorate further functions likewise.
COMMANDS = behaviour.methods(Trait.LAUNCHES, "command")

#: Functions and classes that run the callable they are given in Python, whoever calls them: what a
#: thread runs is in nobody's trace.
STARTING = behaviour.names(Trait.STARTS)

#: Pools of threads or processes, and their methods that run the callable they are given.
POOLS = behaviour.names(Trait.POOL)
POOL_METHODS = behaviour.methods(Trait.STARTS, "pool")

#: Applications that answer requests, and their methods that make handlers of what they decorate.
SERVERS = behaviour.names(Trait.SERVER)
_REGISTERING = behaviour.methods(Trait.LAUNCHES, "server")

#: What runs the callable that it is given many times, and methods that a framework so runs.
_TURNED = behaviour.names(Trait.TURNED)
_TURNED_BY_KERAS = behaviour.methods(Trait.TURNED, "callback")

#: What derives from a class of this name is a case of tests, whichever framework has it.
_CASE = "TestCase"
_KEEPING = behaviour.names(Trait.KEEPS_FUNCTION)
_PACKAGES_KEEPING = behaviour.prefixes(Trait.KEEPS_FUNCTION)
_BASES = behaviour.names(Trait.CALLS_BACK_IN_PYTHON)
_CALLING_BACK = behaviour.prefixes(Trait.CALLS_BACK_IN_PYTHON)

_THREADS = behaviour.names(Trait.THREAD)


def leaves_methods_alone(names: Iterable[str]) -> bool:
    """Whether a base class of one of these names can't trace the methods of its subclasses."""
    bases = [*names]
    return bool(bases) and all(
        name in _BASES
        or name.startswith(_CALLING_BACK)
        or name.partition(".")[0] in sys.stdlib_module_names
        for name in bases
    )


def keeps(name: str) -> bool:
    """Whether a decorator of this name runs what it decorates as it stands, as its caller runs."""
    return name in _KEEPING or name.startswith(_PACKAGES_KEEPING)


def collects(unit: Unit, decorators: Iterable[frozenset[str]]) -> bool:
    """Whether a runner of tests would run a function of a file of tests.

    It goes by the name, and for a method by the class, of which `decorators` are to add nothing.
    """
    info = unit.class_
    if not unit.name.startswith("test") or info is None:
        return unit.name.startswith("test")
    return is_case(info) and all(names and all(map(keeps, names)) for names in decorators)


def is_case(info: ClassInfo) -> bool:
    """Whether a runner of tests would take a class of a file of tests for one that holds some."""
    return info.name.startswith("Test") or any(n.endswith(_CASE) for n in info.base_names)


def starts(base_names: Iterable[str], method: str) -> bool:
    """Whether objects with these bases run `method` in a thread or process of their own."""
    return method == "run" and not _THREADS.isdisjoint(base_names)


def registers(maker: str | None, method: str) -> bool:
    """Whether a method of what `maker` makes is a decorator of what answers requests."""
    return maker in SERVERS and method in _REGISTERING


def turns(names: Iterable[str]) -> bool:
    """Whether what has one of these names runs the callable that it is given many times."""
    return not _TURNED.isdisjoint(names)


def turns_method(info: ClassInfo, method: str) -> bool:
    """Whether a framework runs `method` of such objects many times: for each batch, each request."""
    if info.role is Kind.CALLBACK and method in _TURNED_BY_KERAS:
        return True
    return turns(f"{name}.{method}" for name in info.base_names)
