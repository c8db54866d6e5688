"""Rules with simple triggers, for tests of what surrounds the rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.registry import Catalogue, RuleInfo, info_of, read_catalogue
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel


class Loop(Rule):
    """Reports each `for`, and speaks for all inside of it."""

    code = "TXL102"
    name = "eager-loop-body"
    summary = "A loop"
    speaks_for = ("TXL104",)
    quiet_in_tests = True

    def check(self, model: SemanticModel) -> Iterator[Report]:
        for node in model.nodes(cst.For):
            yield Report(node.target, "a loop", [Evidence(node.iter, "over this")], covers=[node])


class Sync(Rule):
    """Reports each call of `sync`, once more for each argument."""

    code = "TXL104"
    name = "host-sync-in-loop"
    summary = "A synchronisation"
    quiet_in_tests = True

    def check(self, model: SemanticModel) -> Iterator[Report]:
        for node in model.nodes(cst.Call):
            if isinstance(node.func, cst.Name) and node.func.value == "sync":
                for _ in range(1 + len(node.args)):
                    yield Report(node, "a synchronisation")


class Opted(Rule):
    """Reports each `while`; off by default."""

    code = "TXL405"
    name = "missing-jit-compile"
    summary = "An opt-in rule"
    needs_measurement = True
    level = Level.NOTE
    default = False

    def check(self, model: SemanticModel) -> Iterator[Report]:
        for node in model.nodes(cst.While):
            yield Report(node.test, "an endless loop?")


class Number(Rule):
    """Reports the numbers 1 to 4; rewrites 1 safely and 2 unsafely, and only shows how for 3."""

    code = "TXL501"
    name = "unknown-symbol"
    summary = "A number"
    level = Level.ERROR
    fixes = (Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        kinds = dict(zip("123", self.fixes, strict=True))
        for node in model.nodes(cst.Integer):
            if node.value in kinds:
                rewrite = Rewrite("write ten times as much", [Replace(node, node.value + "0")])
                rewrite = replace(
                    rewrite,
                    applicability=kinds[node.value],
                    assumption="if more is better" if node.value == "2" else "",
                )
                yield Report(node, f"the number {node.value}", rewrite=rewrite)
            elif node.value == "4":
                yield Report(node, "the number 4", level=Level.NOTE)


class Unspeakable(Exception):
    """One that cannot be shown."""

    def __str__(self) -> str:
        raise ValueError


class Crashing(Rule):
    """Raises where a name is `crash`; ends the process, as a fault in C would, where it is `die`."""

    code = "TXL301"
    name = "eager-only-call"
    summary = "A rule with a fault"

    def check(self, model: SemanticModel) -> Iterator[Report]:
        for node in model.nodes(cst.Name):
            if node.value == "crash":
                raise ValueError("no such thing")
            if node.value == "leave":
                raise SystemExit(0)
            if node.value == "mute":
                raise Unspeakable
            if node.value == "silent":
                yield Report(node, None)  # type: ignore[arg-type]
            if node.value == "die":
                os._exit(11)
        yield from ()


_FAMILIES = {"1": "eager", "3": "tracing", "4": "xla", "5": "api"}


def info(rule: type[Rule]) -> RuleInfo:
    """What the registry would know of a rule class."""
    return info_of(rule, _FAMILIES[rule.code[3]])


def fake_catalogue() -> Catalogue:
    """The tool's own rules and the ones above."""
    own = [rule for rule in read_catalogue().rules if rule.family == "tool"]
    return Catalogue([*own, *map(info, (Loop, Sync, Opted, Number, Crashing))])
