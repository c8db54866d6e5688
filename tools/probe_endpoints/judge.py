"""Compares what a call did with what the table says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfxla_lint.knowledge import xla
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.knowledge.xla import Verdict

CHECKS = {"Assert", "CheckNumerics", "CheckNumericsV2"}


def claim(name: str, outcome: dict[str, Any], version: Version) -> Verdict | None:
    found = xla.verdict(f"tensorflow.{name}", version)
    if found is None:
        return None
    return found.when({**outcome.get("literals", {}), xla.KIND: outcome.get("kind", "dense")})


def compiled(outcome: dict[str, Any]) -> bool:
    return not outcome.get("xla_error") and "crashed" not in outcome


def gross(verdict: Verdict, outcome: dict[str, Any]) -> str:
    """Why the claim that calls compile, or do not, is wrong; empty where it is right."""
    if verdict.compiles == compiled(outcome):
        return ""
    problem = outcome.get("xla_error") or f"ended with {outcome.get('crashed')}"
    return f"said {verdict.status}, " + (problem if verdict.compiles else "compiled")


def fine(verdict: Verdict, outcome: dict[str, Any]) -> Iterator[str]:
    """Every other claim that the call contradicts."""
    if compiled(outcome) and verdict.compiles:
        yield from of_results(verdict, outcome)
        yield from of_compilations(verdict, outcome)
        yield from of_checks(verdict, outcome)
    elif not compiled(outcome):
        yield from of_failures(verdict, outcome)


def of_results(verdict: Verdict, outcome: dict[str, Any]) -> Iterator[str]:
    own = (outcome["differs"] and not outcome["graph_differs"]) or verdict.random
    if outcome["differs"] and own and not verdict.differs and verdict.status != "differs":
        yield "results differ, which was not said"
    if verdict.status == "differs" and not outcome["differs"]:
        yield "results are the same"
    if outcome["dynamic"] != verdict.dynamic_shape and says_shape(verdict, outcome):
        yield f"dynamic shape: {outcome['dynamic']}"
    if verdict.status == "no-ops" and outcome["ops"]:
        yield f"makes operations: {' '.join(outcome['ops'])}"
    if verdict.status != "no-ops" and not outcome["ops"]:
        yield f"makes no operation, said {verdict.status}"


def says_shape(verdict: Verdict, outcome: dict[str, Any]) -> bool:
    """Whether the graph's shapes tell XLA's.

    They do not where XLA knows more (it has the values of some arguments), nor where the
    arguments have no static shape themselves.
    """
    return verdict.status != "differs" and not verdict.const_args and outcome["kind"] == "dense"


def of_compilations(verdict: Verdict, outcome: dict[str, Any]) -> Iterator[str]:
    for name, count in outcome["again"].items():
        if bool(count) != (name in verdict.const_args):
            yield f"another {name} compiled {count} times"
    if outcome["data"] and not verdict.const_args:
        yield "other data are compiled again"


def of_checks(verdict: Verdict, outcome: dict[str, Any]) -> Iterator[str]:
    checks = sorted(CHECKS & set(outcome["ops"]))
    if checks and not verdict.checks and verdict.status != "checks-dropped":
        yield f"has checks: {' '.join(checks)}"
    if verdict.status == "checks-dropped" and not checks:
        yield "has no checks"
    if outcome.get("refused") and not outcome["refused_compiled"] and not verdict.checks:
        yield "a check vanished, which was not said"


def names_op(verdict: Verdict, problem: str) -> bool:
    """Whether XLA's refusal names an op of the table, or the strings that come before any op."""
    strings = "DT_STRING" in problem and ("'_Arg'" in problem or "'_Retval'" in problem)
    return strings or any(f"'{op}'" in problem for op in verdict.ops)


def of_failures(verdict: Verdict, outcome: dict[str, Any]) -> Iterator[str]:
    problem = outcome.get("xla_error", "")
    if bool(outcome.get("graph_error")) != (verdict.status == "untraceable"):
        yield f"as a graph: {outcome.get('graph_error') or 'runs'}"
    elif verdict.status == "unsupported" and not names_op(verdict, problem):
        yield f"said {' '.join(verdict.ops)}: {problem}"
    elif verdict.status == "fails" and "Detected unsupported" in problem:
        yield f"said fails: {problem}"
