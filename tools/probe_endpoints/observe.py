"""Runs one case after the other eagerly, as a graph and under XLA, and tells what happened.

It runs in a process of the sandbox: XLA may crash or hang.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.service import Answer, Tell, serve
from tools.probe_endpoints import calls
from tools.probe_endpoints.case import Builder, Case, restart

COMPILED = "Instantly compiling for signature"
#: Nodes that only carry values.
CARRIERS = {"Placeholder", "Const", "Identity", "IdentityN", "NoOp", "_Arg", "_Retval"}
Outcome = dict[str, Any]


def main() -> None:
    serve(prepare)


def prepare() -> Answer:
    log = Path("log").absolute()
    stream = os.open(log, os.O_CREAT | os.O_WRONLY)
    os.dup2(stream, 1)
    os.dup2(stream, 2)

    def answer(job: dict[str, Any], tell: Tell) -> dict[str, Any]:
        cases = calls.of_seed(job["seed"])
        if "name" not in job:
            return {"names": list(cases)}
        try:
            return {"outcome": observe(cases[job["name"]], log)}
        except BaseException as problem:
            return {"outcome": {"broken": told(problem)}}

    return answer


def told(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"[:400]


def observe(build: Builder, log: Path) -> Outcome:
    found: Outcome = {}
    eager, problem = attempt(build, lambda made: made.run(*made.arguments))
    if problem:
        return {"broken": problem}
    graph, found["graph_error"] = attempt(build, lambda made: traced(made)(*made.arguments))
    compiled, found["xla_error"] = attempt(build, lambda made: traced(made, True)(*made.arguments))
    restart()
    made = build()
    found["literals"], found["kind"] = dict(made.literals), kind(made.arguments)
    if not found["graph_error"]:
        found |= in_graph(made)
    if not found["xla_error"] and not found["graph_error"]:
        found["differs"] = not same(eager, compiled)
        found["graph_differs"] = not same(eager, graph)
        found |= repeated(build, log)
    return found


def attempt(build: Builder, action: Callable[[Case], Any]) -> tuple[list[Any], str]:
    restart()
    made = build()
    restart()
    try:
        return plain(action(made)), ""
    except Exception as problem:
        return [], told(problem)


def traced(made: Case, compiled: bool = False) -> Any:
    def run(*arguments: Any) -> Any:
        return tf.nest.map_structure(tensor_or_none, made.run(*arguments))

    return tf.function(run, jit_compile=compiled or None)


def tensor_or_none(value: Any) -> Any:
    """A traced function cannot return an operation or a dtype; users' code drops them, too."""
    return None if isinstance(value, (tf.Operation, tf.DType)) else value


def plain(result: Any) -> list[Any]:
    """Arrays of what a call gave."""
    flat = tf.nest.flatten(result, expand_composites=True)
    return [
        np.asarray(value) for value in flat if not isinstance(value, (tf.Operation, type(None)))
    ]


def same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(close, one, other))


def close(one: Any, other: Any) -> bool:
    if one.shape != other.shape:
        return False
    if one.dtype.kind in "fc" or one.dtype.name == "bfloat16":
        wide = "complex128" if one.dtype.kind == "c" else "float64"
        return bool(np.allclose(one.astype(wide), other.astype(wide), 2e-3, 1e-3, equal_nan=True))
    return bool((one == other).all())


def kind(arguments: Any) -> str:
    if any(isinstance(argument, tf.RaggedTensor) for argument in arguments):
        return "ragged"
    if any(isinstance(argument, tf.SparseTensor) for argument in arguments):
        return "sparse"
    flat = tf.nest.flatten(arguments)
    return "string" if any(getattr(a, "dtype", None) == tf.string for a in flat) else "dense"


def in_graph(made: Case) -> Outcome:
    concrete = traced(made).get_concrete_function(*made.arguments)
    definition = concrete.graph.as_graph_def()
    nodes = [*definition.node, *(n for f in definition.library.function for n in f.node_def)]
    ops = sorted({node.op for node in nodes} - CARRIERS - set(made.own))
    shapes = [out.shape for out in concrete.outputs]
    dynamic = any(not shape.is_fully_defined() for shape in shapes)
    return {"ops": ops, "dynamic": dynamic}


def compilations(log: Path) -> int:
    return len(re.findall(COMPILED, log.read_text(encoding="utf-8", errors="replace")))


def repeated(build: Builder, log: Path) -> Outcome:
    """How often more values of the same shapes were compiled, and whether bad ones passed."""
    restart()
    made = build()
    function = traced(made, True)
    function(*made.arguments)

    def count(arguments: tuple[Any, ...]) -> int:
        before = compilations(log)
        function(*arguments)
        return compilations(log) - before

    again = {name: count(arguments) for name, arguments in made.again.items()}
    others = tuple(shifted(argument) for argument in made.arguments)
    found: Outcome = {"again": again, "data": count(others)}
    if made.bad:
        found["refused"] = refused(made.run, made.bad)
        found["refused_compiled"] = refused(function, made.bad)
    return found


def shifted(value: Any) -> Any:
    """Other data of the same kind: a little smaller, so that it stays in its domain."""
    if tf.is_tensor(value) and not hasattr(value, "values") and value.dtype.is_floating:
        return value * tf.cast(0.9375, value.dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(shifted(part) for part in value)
    return value


def refused(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    try:
        function(*arguments)
    except Exception:
        return True
    return False
