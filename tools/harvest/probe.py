"""Probes one endpoint: finds calls, analyses each, varies options and edges."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tools.harvest import (
    calls,
    docstrings,
    endpoints,
    hazards,
    options,
    signatures,
    synthesis,
)
from tools.harvest.analyse import Case, EagerError, Tables, analyse
from tools.harvest.calls import Call
from tools.harvest.recipes import RECIPES

MOST_CASES = 12
MOST_SYNTHESISED = 4


class Prober:
    """Holds what all endpoints of one TensorFlow share."""

    def __init__(self, job: dict[str, Any]) -> None:
        inventory = json.loads(Path(job["inventory"]).read_text(encoding="utf-8"))
        kernels = json.loads(Path(job["kernels"]).read_text(encoding="utf-8"))
        constants = json.loads(Path(job["constants"]).read_text(encoding="utf-8"))
        self.tables = Tables(frozenset(kernels["kernels"]["CPU"]), constants)
        self.endpoints = {e.name: e for e in endpoints.functions(inventory)}
        self.by_alias = {alias: e for e in self.endpoints.values() for alias in e.aliases}

    def probe(self, name: str, emit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """The record of one endpoint: cases, modes, arguments that recompile, hazards.

        What is known so far is emitted at each step, since the next one may end the process.
        """
        with contextlib.redirect_stdout(io.StringIO()):
            return self.record(name, emit)

    def record(self, name: str, emit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        cases: list[Case] = []
        good: list[Call] = []
        trouble = ""
        for call in self.calls_of(name):
            try:
                case = analyse(call, self.tables)
            except EagerError as problem:
                trouble = str(problem)
                continue
            if call.source == "recipe" or not any(same(case, other) for other in cases):
                cases.append(case)
                good.append(call)
                emit({"cases": [case.as_json() for case in cases], "base": choose_base(cases)})
            if len(cases) == MOST_CASES:
                break
        if not cases:
            return {"failed": trouble or "no call was found"}
        base = choose_base(cases)
        record = {"cases": [case.as_json() for case in cases], "base": base}
        for part, value in self.details(good, cases, base):
            if value:
                record[part] = value
                emit(record)
        return record

    def details(self, good: list[Call], cases: list[Case], base: int) -> Iterator[tuple[str, Any]]:
        """What is asked of the best call only, part by part."""
        call, case = good[base], cases[base]
        yield "modes", self.modes(call, case)
        if case.status != "compiles":
            return
        compiling = [c for c, other in zip(good, cases, strict=True) if other.status == "compiles"]
        tensors = self.tensor_arguments(compiling[:4])
        yield "tensor_arguments", tensors
        if not call.stateful and not case.random:
            yield "hazards", hazards.find(call, {*case.constants, *tensors})

    def calls_of(self, name: str) -> Iterator[Call]:
        """Recipes first, then docstring examples; synthesis only where those give nothing."""
        found = 0
        endpoint = self.endpoints.get(name)
        for alias in endpoint.aliases if endpoint else [name]:
            for call in RECIPES.calls(alias):
                found += 1
                yield call
        if endpoint is None:
            return
        function = endpoints.resolve(name)
        for call in self.like_successor(name):
            if runs(call):
                found += 1
                yield call
        for call in docstrings.calls_of(endpoint.places(), function):
            if runs(call):
                found += 1
                yield call
        if found:
            return
        kinds: set[str] = set()
        for call in synthesis.calls_of(function):
            kind = calls.split(call).tensors and str(calls.split(call).tensors[0].dtype)
            if str(kind) not in kinds:
                kinds.add(str(kind))
                yield call
            if len(kinds) == MOST_SYNTHESISED:
                return

    def like_successor(self, name: str) -> Iterator[Call]:
        """For a TensorFlow 1 function the recipes of its namesake, by position and by keyword."""
        newer = self.by_alias.get(name.removeprefix("compat.v1."))
        if not name.startswith("compat.v1.") or newer is None:
            return
        function = endpoints.resolve(name)
        for alias in newer.aliases:
            for call in RECIPES.calls(alias):
                yield replace(call, function=function)
                yield replace(call, function=function, args=(), kwargs=call.arguments())

    def modes(self, call: Call, base: Case) -> list[dict[str, Any]]:
        """Options that change the outcome, each with its own."""
        found = []
        for changed, variant in options.variations(call, call.function):
            try:
                case = analyse(variant, self.tables, gradient=False)
            except EagerError:
                continue
            if outcome(case) != outcome(base):
                found.append({"when": {k: repr(v) for k, v in changed.items()}, **case.as_json()})
        return found

    def tensor_arguments(self, good: list[Call]) -> dict[str, list[str]]:
        """Python arguments that, given as tensors, make XLA compile for every value."""
        found: dict[str, list[str]] = {}
        for call in good:
            for name, value in python_data(call).items():
                if name in found:
                    continue
                try:
                    variant = call.replaced({name: calls.as_tensor(value)})
                    case = analyse(variant, self.tables, gradient=False)
                except Exception:
                    continue
                if case.status == "compiles" and name in case.constants:
                    found[name] = case.constants[name]
        return found


def python_data(call: Call) -> dict[str, Any]:
    """Arguments given as Python numbers, and numeric options at their defaults."""
    arguments = call.arguments()
    found = {name: value for name, value in arguments.items() if calls.is_data(value)}
    signature = signatures.signature_of(call.function)
    for parameter in signature.parameters.values() if signature else ():
        default = parameter.default
        if parameter.name in arguments or isinstance(default, bool):
            continue
        if isinstance(default, int):
            found[parameter.name] = default
        elif parameter.name == "axis" and default is None:
            found["axis"] = 0
    return found


def runs(call: Call) -> bool:
    try:
        call.run()
    except Exception:
        return False
    return True


def outcome(case: Case) -> tuple[Any, ...]:
    """What a rule would see of a case."""
    random = case.random and case.differs != ""
    return (case.status, tuple(case.unsupported), random, case.dynamic)


def same(case: Case, other: Case) -> bool:
    return (*outcome(case), case.kind, case.ops) == (*outcome(other), other.kind, other.ops)


def choose_base(cases: list[Case]) -> int:
    """The case to vary: the first plain one, preferably one that compiles."""
    plain = [i for i, case in enumerate(cases) if case.kind == "dense"]
    for i in plain:
        if cases[i].status == "compiles":
            return i
    return plain[0] if plain else 0


def main(job_text: str) -> None:
    """Prints the names of all endpoints, separated by tabs."""
    prober = Prober(json.loads(job_text))
    aliases = {alias for e in prober.endpoints.values() for alias in e.aliases}
    objects = [name for name in RECIPES.names() if name not in aliases and exists(name)]
    print("\t".join([*prober.endpoints, *objects]))


def exists(name: str) -> bool:
    """Whether this TensorFlow has the class of a recipe for a method."""
    try:
        endpoints.resolve(name.partition("(")[0])
    except AttributeError:
        return False
    return True
