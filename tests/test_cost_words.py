"""The words for what findings cost, and their order."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tfxla_lint.findings import Finding, Level, Range, Spent, Stake
from tfxla_lint.reporters import render
from tfxla_lint.reporters.cost import dearest_first, in_words, spoken
from tfxla_lint.reporters.statistics import render_statistics
from tfxla_lint.reporters.style import Style
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.source import Source


def stake(
    each: Range,
    times: int | None,
    factor: Range | None,
    spent: Spent = Spent.DISPATCH,
    is_measured: bool = False,
) -> Stake:
    return Stake(spent, each, times, factor, 1.0, is_measured)


NINE = Range(0.009, 0.009, 0.009)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            stake(NINE, 12_000, Range(10.2, 15.0, 25.4)),
            "about 9 ms of dispatch on each of 12,000 turns: 1.8 minutes; 10 to 25 times quicker in a graph",
        ),
        (
            stake(NINE, None, Range(1.0, None, 7.0)),
            "about 9 ms of dispatch on every turn; up to 7 times quicker in a graph",
        ),
        (
            stake(Range(0.0004, None, None), None, Range(2.0, None, 40.0)),
            "at least 400 us of dispatch on every turn; 2.0 to 40 times quicker in a graph",
        ),
        (
            stake(NINE, 1, Range(1.0, 1.05, 1.1)),
            "about 9 ms of dispatch on its one turn: 9 ms; hardly quicker in a graph",
        ),
        (
            stake(NINE, 2_000_000, Range(4.0, 5.0, 6.0), is_measured=True),
            "measured: 9.0 ms on each of 2,000,000 turns: 5.0 hours; 4 to 6 times quicker in a graph",
        ),
        (
            stake(Range(0.05, 0.053, 0.06), 40, Range(31.0, 45.0, 64.0), Spent.CALLS),
            "about 53 ms on each of 40 turns: 2 s; 31 to 64 times quicker otherwise",
        ),
        (
            stake(Range(0.05, 0.06, 0.07), 30, None, Spent.TRACES),
            "about 60 ms for each of 30 traces: 2 s",
        ),
        (
            replace(stake(NINE, 500_000, None), is_most=True),
            "about 9 ms of dispatch on each of up to 500,000 turns: up to 1.2 hours",
        ),
        (stake(Range(0.05, 0.06, 0.07), None, None, Spent.TRACES), "about 60 ms for each trace"),
    ],
)
def test_a_cost_in_words(given: Stake, text: str) -> None:
    assert in_words(given) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3e-6, "3 us"),
        (0.25, "250 ms"),
        (42.0, "42 s"),
        (150.0, "2.5 minutes"),
        (7200.0, "2.0 hours"),
    ],
)
def test_a_time_has_the_unit_that_suits_it(seconds: float, text: str) -> None:
    assert spoken(seconds) == text


SOURCE = Source("a.py", "x\n" * 40)


def finding(line: int, weight: float | None, code: str = "TXL101") -> Finding:
    """A finding on a line, from 0, that is worth so much."""
    found = None if weight is None else Stake(Spent.DISPATCH, NINE, 20, None, weight)
    span = SOURCE.span(2 * line, 2 * line + 1)
    return Finding(code, "x", Level.WARNING, "m", "a.py", span, stake=found)


def rendered(name: str, *findings: Finding) -> str:
    result = RunResult((FileResult("a.py", findings, SOURCE),))
    return render(name, result, Style())


def test_what_is_worth_most_comes_first_and_what_is_not_known_last() -> None:
    findings = [finding(0, None), finding(1, 0.5), finding(2, 3.0)]
    assert [found.span.line for found in dearest_first(findings)] == [3, 2, 1]


def test_the_annotations_that_github_shows_are_those_of_the_dearest() -> None:
    findings = [finding(line, float(line)) for line in range(20)]
    text = rendered("github", *findings)
    shown = [int(line.partition("line=")[2].partition(",")[0]) for line in text.splitlines()
             if line.startswith("::warning")]  # fmt: skip
    assert shown == list(range(20, 10, -1))
    assert "cost: about 9 ms of dispatch on each of 20 turns: 180 ms" in text.replace("%0A", "\n")


def test_the_full_report_stays_in_the_order_of_lines_and_says_what_each_costs() -> None:
    text = rendered("full", finding(1, 0.1), finding(4, 3.0))
    assert text.index("a.py:2:1") < text.index("a.py:5:1")
    assert text.count("cost: about 9 ms of dispatch on each of 20 turns: 180 ms\n") == 2


def test_statistics_put_the_rule_first_that_costs_most() -> None:
    findings = (finding(1, None, "TXL104"), finding(2, None, "TXL104"), finding(3, 5.0, "TXL102"))
    result = RunResult((FileResult("a.py", findings, SOURCE),))
    first, second = render_statistics("full", result, Style()).splitlines()
    assert "TXL102" in first
    assert first.endswith("(about 180 ms a run)")
    assert "TXL104" in second


def test_json_has_the_cost_in_figures() -> None:
    (found,) = json.loads(rendered("json", finding(1, 1.0)))["findings"]
    assert found["cost"] == {
        "spent_on": "dispatch",
        "is_measured": False,
        "seconds_each": {"low": 0.009, "likely": 0.009, "high": 0.009},
        "times": 20,
        "is_most": False,
        "seconds": {"low": 0.18, "likely": 0.18, "high": 0.18},
        "times_quicker": None,
        "text": "about 9 ms of dispatch on each of 20 turns: 180 ms",
    }
