"""The prices are whole, and what is made of them holds in programs."""

from __future__ import annotations

import pytest

from tfxla_lint.knowledge import prices, tables
from tools import judge_costs

PRICES = tables.load("prices")
KINDS = [
    (part, name)
    for part in ("ops", "updates", "layers", "losses", "metrics", "optimizers")
    for name in PRICES[part]
]


@pytest.mark.parametrize(("part", "name"), KINDS, ids=lambda value: str(value))
def test_gradients_cost_more_than_the_call_alone(part: str, name: str) -> None:
    price = prices.price(part, name)
    assert price is not None
    assert all(figure >= 0 for figure in price.values())
    if "taped" in price:
        # What goes through time is told by the call and by the step, of which some are usual.
        eager, taped = (price[p] + 6 * price.get(f"{p}_step", 0.0) for p in ("eager", "taped"))
        assert taped > eager * 0.7
        assert price["nodes_taped"] >= price["nodes"]


def test_what_has_no_figures_of_its_own_lies_among_those_that_do() -> None:
    assert prices.price("layers", "NoSuchLayer") is None
    cheap, middling, dear = prices.usual("layers")
    every = [row["eager"] for row in PRICES["layers"].values()]
    assert min(every) < cheap["eager"] < middling["eager"] < dear["eager"] < max(every)


def test_predictions_hold_in_the_programs_that_judge_them() -> None:
    judged = judge_costs.shares(judge_costs.rows("judged"))
    assert judged.count >= 12
    assert judged.within >= 0.85 * judged.count
    assert judged.near >= 0.8 * judged.points


@pytest.mark.parametrize("group", ["unseen", "traced"])
def test_the_page_has_every_program_written_after_the_model(group: str) -> None:
    written = {p.name for p in judge_costs.programs() if p.group == group}
    assert judge_costs.measured().keys() >= written
    page = (judge_costs.DOCS / "costs.md").read_text("utf-8")
    table = page.partition("<!-- table -->")[2]
    for row in judge_costs.rows(group):
        assert f"| {row.name} |" in table
