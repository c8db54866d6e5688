"""Loads the module of a side, and tries what its functions and classes take."""

from __future__ import annotations

import contextlib
import functools
import types
from typing import Any, Dict, Iterator, List, Mapping, Tuple

import numpy as np

from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.verify.worker.absent import absent_package
from tfxla_lint.verify.worker.bench import Bench, Unsuitable, returned
from tfxla_lint.verify.worker.evidence import changed, has_value
from tfxla_lint.verify.worker.guessing import Choice
from tfxla_lint.verify.worker.power import TooLong, limited
from tfxla_lint.verify.worker.search import CONSTANT, MANY, Search
from tfxla_lint.verify.worker.sides import (
    Side,
    came_to,
    execute,
    failure,
    said,
    surroundings,
)
from tfxla_lint.verify.worker.told import is_told
from tfxla_lint.verify.worker.values import Maker

Plan = Dict[str, Any]

#: So many calls are made with the same kinds of arguments.
CALLS = 3
#: So long a call may take that only runs Python.
ONE_SECONDS = 8.0
#: So many packages that are not installed are done without.
_ABSENT = 8
#: So many arguments are tried for methods that come before.
_FEW = 20
#: So many classes deep objects of the module's classes are made of each other.
_NESTED = 3
#: What attempts give with arguments that a docstring excludes.
UNTOLD = ("untold", "", 0)


def prepared_with(
    job: Plan, side: Side, module: types.ModuleType, which: str = "before"
) -> Dict[str, Choice]:
    """What other methods of the object can be called with, so that it holds something."""
    found: Dict[str, Choice] = {}
    for unit, parameters in job.get(which, {}).items():
        own = {**job, "unit": unit, "parameters": parameters}
        try:
            bench = Bench(own, side, module)
            search = Search(own, module.__dict__, _FEW)
            choice = search.run(functools.partial(attempt_with, bench))
        except Unsuitable:
            continue
        if choice is not None:
            found[unit] = choice
    return found


def objects_of(job: Mapping[str, Any], namespace: Dict[str, Any]) -> Dict[str, Choice]:
    """How to make objects of the module's classes, where that was found out."""
    found: Dict[str, Choice] = {}
    unit = job.get("unit", "").partition(".")[0]
    asked = {c for p in job.get("parameters", ()) for c in p.get("own", ())} | {unit}
    for _ in range(_NESTED):
        classes = {n: p for n, p in job.get("classes", {}).items() if n in asked}
        asked |= {c for rows in classes.values() for p in rows for c in p.get("own", ())}
    # Those that ask for no others come first.
    asks = {name: any(p.get("own") for p in rows) for name, rows in classes.items()}
    order = sorted(classes.items(), key=lambda pair: (asks[pair[0]], len(pair[1])))
    for name, parameters in order:
        search = Search({**job, "parameters": parameters, "makes_object": True}, namespace)
        make = functools.partial(_makes, namespace, found, name)
        choice = search.run(make) if name in namespace else None
        if choice is not None:
            found[name] = choice
    return found


def _makes(
    namespace: Dict[str, Any], own: Dict[str, Choice], name: str, choice: Choice
) -> Tuple[str, str, int]:
    try:
        Maker(namespace, {**own, name: choice}).object_of(name)
    except Exception as error:
        return (*failure(error)[:2], came_to(error))
    return "", "", 0


@contextlib.contextmanager
def loaded(job: Mapping[str, Any], side: Side) -> Iterator[Tuple[types.ModuleType, Dict[str, str]]]:
    """The module of a side, with what is printed; raises Unsuitable where it does not run."""
    module = side.module(job.get("name", "__main__"))
    with surroundings(side, module) as texts:
        _load(side, module)
        yield module, texts


def _load(side: Side, module: types.ModuleType) -> None:
    error = execute(side, module)
    for _ in range(_ABSENT):
        package = absent_package(*error[:2]) if error is not None else None
        if package is None:
            break
        side.absent.add(package)
        fresh = side.module(module.__name__)
        module.__dict__.clear()
        module.__dict__.update(fresh.__dict__)
        error = execute(side, module)
    if error is not None:
        raise Unsuitable(f"the code around it does not run in the {side.label}: {said(error)}")


def attempt_with(
    bench: Bench,
    choice: Choice,
    calls: int = CALLS,
    first: int = 0,
    seconds: float = ONE_SECONDS,
) -> Tuple[str, str, int]:
    """("", "", 0) where calls work; else the error's type, message and line, or what is poor."""
    given: List[Node] = []
    for call in range(first, first + calls):
        try:
            function, positional, keywords = bench.arguments({"choice": choice}, call)
            if not is_told(bench.parameters, function, positional, keywords):
                return UNTOLD
            with limited(seconds):
                node = bench.record(returned(function(*positional, **keywords)))
        except Unsuitable:
            raise
        except TooLong:
            bench.renew()
            return TooLong.__name__, "", 0
        except Exception as error:
            bench.renew()
            return (*failure(error)[:2], came_to(error))
        if has_nan(node):
            return "NaN", "", 0
        if bench.gives_number and np.asarray(node[2]).size > 1:
            return MANY, "", 0
        given.append(node)
    is_same = len(given) > 1 and not any(any(changed(given[0], node)) for node in given[1:])
    return (CONSTANT if is_same and has_value(given[0]) else ""), "", 0


def survives(bench: Bench, plan: Plan) -> bool:
    """Whether one call as it is planned works."""
    try:
        function, positional, keywords = bench.arguments(plan, 0)
        returned(function(*positional, **keywords))
    except Unsuitable:
        raise
    except Exception:
        return False
    return True


def has_nan(node: Node) -> bool:
    """Whether a result is NaN somewhere."""
    kind, _, value = node
    if kind == "branch":
        return any(has_nan(part) for _, part in value)
    if kind in ("tensor", "numpy", "variable") and value.dtype.kind in "fc":
        return bool(np.isnan(value).any())
    return False
